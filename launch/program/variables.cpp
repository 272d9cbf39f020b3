#include "launch/program/variables.hpp"

#include "launch/program/demangled.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

using Kind = NamedBytes::Kind;
using Where = NamedBytes::Where;

/// Types within types are not followed further: it would be damaged, or nothing that a name could be made of.
constexpr int deepest_type = 24;
/// How often pointers lead on from a variable.
constexpr int most_steps = 3;
constexpr std::size_t most_pointers_of_object = 4096;
constexpr std::size_t most_objects = 100'000;

struct DwflCloser {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};
struct Freer {
    void operator()(void* memory) const { std::free(memory); }
};

std::string text_of(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute memory;
    const char* const text = dwarf_formstring(dwarf_attr_integrate(die, name, &memory));
    return text == nullptr ? "" : text;
}

std::optional<std::int64_t> number_of(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute memory;
    Dwarf_Attribute* const attribute = dwarf_attr_integrate(die, name, &memory);
    Dwarf_Word word = 0;
    Dwarf_Sword number = 0;
    switch (attribute == nullptr ? 0 : dwarf_whatform(attribute)) {
        case DW_FORM_sdata:
        case DW_FORM_implicit_const:
            return dwarf_formsdata(attribute, &number) == 0 ? std::optional<std::int64_t>(number) : std::nullopt;
        case DW_FORM_data1:
        case DW_FORM_data2:
        case DW_FORM_data4:
        case DW_FORM_data8:
        case DW_FORM_udata:
            return dwarf_formudata(attribute, &word) == 0 ? std::optional(static_cast<std::int64_t>(word))
                                                          : std::nullopt;
        default:
            return std::nullopt;
    }
}

bool type_of(Dwarf_Die* die, Dwarf_Die& type) {
    Dwarf_Attribute memory;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &memory), &type) != nullptr;
}

std::uint64_t size_of(Dwarf_Die type) {
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

/// Calls `visit(Dwarf_Die&)` for the children.
template <typename Visit>
void for_each_child(Dwarf_Die* die, Visit&& visit) {
    Dwarf_Die child;
    for (int found = dwarf_child(die, &child); found == 0; found = dwarf_siblingof(&child, &child)) {
        visit(child);
    }
}

/// Without names and qualifiers around it. `own`: the first name that it had; `of_mpi`: one of these is MPI's.
struct BareType {
    Dwarf_Die die{};
    std::string own;
    bool of_mpi = false;
    bool found = false;
};

BareType bare(Dwarf_Die type) {
    BareType result;
    for (int depth = 0; depth < deepest_type; ++depth) {
        const std::string name = text_of(&type, DW_AT_name);
        result.own = result.own.empty() ? name : result.own;
        result.of_mpi = result.of_mpi || name.starts_with("MPI_") || name.starts_with("ompi_") ||
                        name.starts_with("MPIR_") || name == "mpi_status";
        switch (dwarf_tag(&type)) {
            case DW_TAG_typedef:
            case DW_TAG_const_type:
            case DW_TAG_volatile_type:
            case DW_TAG_restrict_type:
            case DW_TAG_atomic_type: {
                Dwarf_Die next;
                if (!type_of(&type, next)) {
                    return result;
                }
                type = next;
                break;
            }
            default:
                result.die = type;
                result.found = true;
                return result;
        }
    }
    return result;
}

struct Array {
    Dwarf_Die element{};
    std::vector<std::pair<std::int64_t, std::uint64_t>> ranges;  ///< first index and length, as declared
    std::uint64_t element_size = 0;
    bool known = false;
};

Array array_of(Dwarf_Die* die, bool fortran) {
    Array array;
    if (!type_of(die, array.element)) {
        return array;
    }
    array.element_size = size_of(array.element);
    array.known = array.element_size != 0;
    for_each_child(die, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type) {
            return;
        }
        const std::int64_t first = number_of(&child, DW_AT_lower_bound).value_or(fortran ? 1 : 0);
        std::optional<std::int64_t> count = number_of(&child, DW_AT_count);
        if (const auto last = number_of(&child, DW_AT_upper_bound); !count && last) {
            count = *last - first + 1;
        }
        array.known = array.known && count && *count > 0;
        array.ranges.emplace_back(first, static_cast<std::uint64_t>(count.value_or(0)));
    });
    array.known = array.known && !array.ranges.empty();
    return array;
}

std::string index_text(const Array& array, std::uint64_t number, bool fortran) {
    std::vector<std::int64_t> indices(array.ranges.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::size_t at = fortran ? i : indices.size() - 1 - i;  // which varies fastest
        const auto& [first, length] = array.ranges[at];
        indices[at] = first + static_cast<std::int64_t>(number % length);
        number /= length;
    }
    std::string text;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        text += fortran ? (i == 0 ? "(" : ",") : "[";
        text += std::to_string(indices[i]);
        text += fortran ? (i + 1 == indices.size() ? ")" : "") : "]";
    }
    return text;
}

Kind kind_of_base(Dwarf_Die* type, std::uint64_t size) {
    switch (number_of(type, DW_AT_encoding).value_or(0)) {
        case DW_ATE_float:
            return size == 4 || size == 8 || size == 16 ? Kind::floating : Kind::bytes;
        case DW_ATE_signed:
            return size <= 8 ? Kind::integer : Kind::bytes;
        case DW_ATE_unsigned:
            return size <= 8 ? Kind::natural : Kind::bytes;
        case DW_ATE_boolean:
            return Kind::boolean;
        case DW_ATE_signed_char:
        case DW_ATE_unsigned_char:
            return Kind::character;
        default:
            return Kind::bytes;
    }
}

/// Something of a type at an address: a variable, or what one points to.
struct Object {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Dwarf_Die type{};
    std::uint64_t repeats = 0;  ///< 0: it is one; else as many of that type as fit in
    std::string name;
    NamedBytes about;  ///< what is the same of all its parts
    bool fortran = false;
    int steps = 0;
};

struct Module {
    LoadedModule loaded;
    std::unique_ptr<Dwfl, DwflCloser> dwfl;
    Dwfl_Module* module = nullptr;
    GElf_Addr bias = 0;  ///< what libdwfl adds to the file's own addresses
    bool has_information = false;
};

const Dwfl_Callbacks& callbacks() {
    static char* default_folders = nullptr;
    static const Dwfl_Callbacks table = [] {
        Dwfl_Callbacks made{};
        made.find_debuginfo = dwfl_standard_find_debuginfo;
        made.section_address = dwfl_offline_section_address;
        made.debuginfo_path = &default_folders;
        return made;
    }();
    return table;
}

bool is_fortran(Dwarf_Die* unit) {
    switch (dwarf_srclang(unit)) {
        case DW_LANG_Fortran77:
        case DW_LANG_Fortran90:
        case DW_LANG_Fortran95:
        case DW_LANG_Fortran03:
        case DW_LANG_Fortran08:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::uint64_t load_bias(const std::string& path, std::uint64_t begin) {
    std::uint64_t bias = 0;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf* const elf = file < 0 ? nullptr : elf_begin(file, ELF_C_READ_MMAP, nullptr);
    std::size_t count = 0;
    if (elf != nullptr && elf_getphdrnum(elf, &count) == 0) {
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Phdr part;
            if (gelf_getphdr(elf, static_cast<int>(i), &part) != nullptr && part.p_type == PT_LOAD &&
                part.p_offset == 0) {
                bias = begin - part.p_vaddr;
                break;
            }
        }
    }
    elf_end(elf);
    if (file >= 0) {
        close(file);
    }
    return bias;
}

class ProgramVariables::Impl {
public:
    explicit Impl(std::vector<LoadedModule> modules) {
        for (LoadedModule& each : modules) {
            modules_.push_back(opened(std::move(each)));
        }
        for (Module& each : modules_) {
            add_globals(each);
        }
    }

    void look_at(const std::vector<StackFrame>& frames, const Read& read, const IsHeap& is_heap) {
        objects_ = globals_;
        for (const StackFrame& frame : frames) {
            add_locals(frame);
        }
        for (std::size_t i = 0; i < objects_.size() && objects_.size() < most_objects; ++i) {
            if (objects_[i].steps < most_steps) {
                follow(Object(objects_[i]), read, is_heap);
            }
        }
        // The innermost of those that lie in each other, which are views of the same: what was found first counts.
        std::stable_sort(objects_.begin(), objects_.end(),
                         [](const Object& a, const Object& b) { return a.begin < b.begin; });
    }

    [[nodiscard]] std::optional<NamedBytes> find(std::uint64_t address) const {
        auto at = std::upper_bound(objects_.begin(), objects_.end(), address,
                                   [](std::uint64_t asked, const Object& each) { return asked < each.begin; });
        const Object* best = nullptr;
        for (int looked = 0; at != objects_.begin() && looked < 64; ++looked) {
            --at;
            if (address < at->end && (best == nullptr || at->steps < best->steps)) {
                best = &*at;
            }
        }
        return best == nullptr ? std::nullopt : part_of(*best, address);
    }

    [[nodiscard]] std::vector<LocalNumber> local_numbers(const StackFrame& frame, const FrameRegisters& registers,
                                                         const Read& read) const {
        std::vector<LocalNumber> numbers;
        for_each_local(frame, [&](Dwarf_Die& variable, Dwarf_Die* /*unit*/, const Module& module, Dwarf_Addr bias,
                                  std::optional<std::uint64_t> base, const std::string& function) {
            LocalNumber number{.name = text_of(&variable, DW_AT_name), .function = function};
            Dwarf_Die type;
            if (number.name.empty() || !type_of(&variable, type)) {
                return;
            }
            const BareType own = bare(type);
            const std::uint64_t size = size_of(type);
            if (!own.found || own.of_mpi || size == 0 || size > sizeof(std::uint64_t)) {
                return;
            }
            Dwarf_Die die = own.die;
            const bool is_base = dwarf_tag(&die) == DW_TAG_base_type;
            const Kind kind = is_base ? kind_of_base(&die, size) : Kind::bytes;
            if (kind != Kind::integer && kind != Kind::natural) {
                return;
            }
            std::uint64_t bits = 0;
            if (const auto place = place_of(&variable, module, bias, &frame, base)) {
                if (!read(*place, &bits, size)) {
                    return;
                }
            } else if (const auto in_register = register_of(&variable, module, bias, frame, registers)) {
                bits = *in_register;
            } else {
                return;
            }
            const unsigned unused = 64 - 8 * static_cast<unsigned>(size);
            number.value = kind == Kind::integer ? static_cast<std::int64_t>(bits << unused) >> unused
                                                 : static_cast<std::int64_t>((bits << unused) >> unused);
            numbers.push_back(std::move(number));
        });
        return numbers;
    }

    [[nodiscard]] std::optional<NamedBytes> find_symbol(std::uint64_t address) const {
        for (const Module& each : modules_) {
            if (address < each.loaded.begin || address >= each.loaded.end || each.module == nullptr ||
                each.has_information) {
                continue;
            }
            return symbol_at(each, address);
        }
        return std::nullopt;
    }

private:
    static Module opened(LoadedModule loaded) {
        Module result;
        result.loaded = std::move(loaded);
        result.dwfl.reset(dwfl_begin(&callbacks()));
        if (result.dwfl == nullptr) {
            return result;
        }
        const char* const path = result.loaded.path.c_str();
        dwfl_report_begin(result.dwfl.get());
        Dwfl_Module* const module = dwfl_report_offline(result.dwfl.get(), path, path, -1);
        if (dwfl_report_end(result.dwfl.get(), nullptr, nullptr) == 0 && module != nullptr &&
            dwfl_module_getelf(module, &result.bias) != nullptr) {
            result.module = module;
        }
        return result;
    }

    static std::optional<NamedBytes> symbol_at(const Module& module, std::uint64_t address) {
        const GElf_Addr in_file = address - module.loaded.bias;
        GElf_Sym symbol{};
        GElf_Off offset = 0;
        const char* const name =
            dwfl_module_addrinfo(module.module, in_file + module.bias, &offset, &symbol, nullptr, nullptr, nullptr);
        NamedBytes found;
        if (name != nullptr && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && offset < symbol.st_size) {
            found.name = found.variable = demangled(name);
            found.address = address - offset;
            found.size = symbol.st_size;
            return found;
        }
        GElf_Addr unused = 0;
        Elf* const elf = dwfl_module_getelf(module.module, &unused);
        std::size_t names = 0;
        if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) {
            return std::nullopt;
        }
        for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) == nullptr || (header.sh_flags & (SHF_ALLOC | SHF_WRITE)) == 0 ||
                (header.sh_flags & SHF_TLS) != 0 || in_file < header.sh_addr ||
                in_file - header.sh_addr >= header.sh_size) {
                continue;
            }
            const char* const text = elf_strptr(elf, names, header.sh_name);
            if (text == nullptr || (std::string_view(text) != ".data" && std::string_view(text) != ".bss")) {
                return std::nullopt;
            }
            constexpr std::uint64_t word = 8;
            found.address = address / word * word;
            found.size = word;
            std::string digits;
            for (std::uint64_t rest = found.address - module.loaded.bias - header.sh_addr; digits.empty() || rest != 0;
                 rest /= 16) {
                digits.insert(digits.begin(), "0123456789abcdef"[rest % 16]);
            }
            found.variable = std::filesystem::path(module.loaded.path).filename().string() + " " + text;
            found.name = found.variable + "+0x" + digits;
            return found;
        }
        return std::nullopt;
    }

    static replay::CodePlace declaration(Dwarf_Die* die, Dwarf_Die* unit) {
        replay::CodePlace place;
        Dwarf_Half version = 0;
        Dwarf_Files* files = nullptr;
        std::size_t count = 0;
        const auto number = number_of(die, DW_AT_decl_file);
        // Up to version 4 the first file has the number 1.
        if (!number || dwarf_cu_info(unit->cu, &version, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) != 0 ||
            (*number == 0 && version < 5) || dwarf_getsrcfiles(unit, &files, &count) != 0 || *number < 0 ||
            static_cast<std::size_t>(*number) >= count) {
            return place;
        }
        const char* const file = dwarf_filesrc(files, static_cast<std::size_t>(*number), nullptr, nullptr);
        if (file == nullptr) {
            return place;
        }
        place.line = static_cast<int>(number_of(die, DW_AT_decl_line).value_or(0));
        const std::filesystem::path path(file);
        const std::string folder = text_of(unit, DW_AT_comp_dir);
        place.file = (path.is_relative() ? folder / path : path).lexically_normal().string();
        return place;
    }

    /// Where a variable lies; nothing where that is not simply in memory. `frame`: of its function, or none.
    static std::optional<std::uint64_t> place_of(Dwarf_Die* variable, const Module& module, Dwarf_Addr unit_bias,
                                                 const StackFrame* frame, std::optional<std::uint64_t> base) {
        Dwarf_Attribute memory;
        Dwarf_Attribute* const location = dwarf_attr(variable, DW_AT_location, &memory);
        Dwarf_Op* expression = nullptr;
        std::size_t length = 0;
        if (location == nullptr) {
            return std::nullopt;
        }
        if (frame == nullptr) {
            if (dwarf_getlocation(location, &expression, &length) != 0 || length != 1 ||
                expression[0].atom != DW_OP_addr) {
                return std::nullopt;
            }
            return expression[0].number + unit_bias - module.bias + module.loaded.bias;
        }
        const Dwarf_Addr at = frame->pc - 1 - module.loaded.bias + module.bias - unit_bias;
        if (dwarf_getlocation_addr(location, at, &expression, &length, 1) != 1 || length != 1) {
            return std::nullopt;
        }
        const std::uint64_t offset = expression[0].number;
        switch (expression[0].atom) {
            case DW_OP_fbreg:
                return base ? std::optional(*base + offset) : std::nullopt;
            case DW_OP_breg6:
                return frame->rbp + offset;
            case DW_OP_breg7:
                return frame->sp + offset;
            default:
                return std::nullopt;
        }
    }

    /// What the register has that the variable is in; nothing where it is in none.
    static std::optional<std::uint64_t> register_of(Dwarf_Die* variable, const Module& module, Dwarf_Addr unit_bias,
                                                    const StackFrame& frame, const FrameRegisters& registers) {
        Dwarf_Attribute memory;
        Dwarf_Attribute* const location = dwarf_attr(variable, DW_AT_location, &memory);
        Dwarf_Op* expression = nullptr;
        std::size_t length = 0;
        const Dwarf_Addr at = frame.pc - 1 - module.loaded.bias + module.bias - unit_bias;
        if (location == nullptr || dwarf_getlocation_addr(location, at, &expression, &length, 1) != 1 || length != 1 ||
            expression[0].atom < DW_OP_reg0 || expression[0].atom >= DW_OP_reg0 + registers.size()) {
            return std::nullopt;
        }
        return registers[expression[0].atom - DW_OP_reg0];
    }

    static std::optional<std::uint64_t> frame_base(Dwarf_Die* function, const StackFrame& frame) {
        Dwarf_Attribute memory;
        Dwarf_Op* expression = nullptr;
        std::size_t length = 0;
        if (dwarf_getlocation(dwarf_attr(function, DW_AT_frame_base, &memory), &expression, &length) != 0 ||
            length != 1) {
            return std::nullopt;
        }
        switch (expression[0].atom) {
            case DW_OP_call_frame_cfa:
                return frame.cfa;
            case DW_OP_reg6:
                return frame.rbp;
            case DW_OP_reg7:
                return frame.sp;
            default:
                return std::nullopt;
        }
    }

    static void add_variable(std::vector<Object>& to, Dwarf_Die* variable, Dwarf_Die* unit, std::uint64_t address,
                             Where where, const std::string& function) {
        Object object;
        object.name = text_of(variable, DW_AT_name);
        if (object.name.empty() || dwarf_hasattr_integrate(variable, DW_AT_artificial) != 0 ||
            !type_of(variable, object.type)) {
            return;
        }
        object.begin = address;
        object.end = address + size_of(object.type);
        object.about.variable = object.name;
        object.about.function = function;
        object.about.where = where;
        object.about.declared = declaration(variable, unit);
        object.fortran = is_fortran(unit);
        if (object.end > object.begin) {
            to.push_back(std::move(object));
        }
    }

    void add_globals(Module& module) {
        Dwarf_Die* unit = nullptr;
        Dwarf_Addr bias = 0;
        while (module.module != nullptr && (unit = dwfl_module_nextcu(module.module, unit, &bias)) != nullptr) {
            module.has_information = true;
            add_globals_below(unit, unit, module, bias, "", 0);
        }
    }

    void add_globals_below(Dwarf_Die* scope, Dwarf_Die* unit, const Module& module, Dwarf_Addr bias,
                           const std::string& function, int depth) {
        if (depth > deepest_type) {
            return;
        }
        for_each_child(scope, [&](Dwarf_Die& child) {
            switch (dwarf_tag(&child)) {
                case DW_TAG_variable:
                    if (const auto place = place_of(&child, module, bias, nullptr, std::nullopt)) {
                        add_named(child, unit, *place, function);
                    }
                    break;
                case DW_TAG_subprogram:
                    add_globals_below(&child, unit, module, bias, text_of(&child, DW_AT_name), depth + 1);
                    break;
                case DW_TAG_namespace:
                case DW_TAG_module:
                case DW_TAG_lexical_block:
                case DW_TAG_common_block:
                    add_globals_below(&child, unit, module, bias, function, depth + 1);
                    break;
                default:
                    break;
            }
        });
    }

    /// A definition may stand apart from the declaration that has the name.
    void add_named(Dwarf_Die& variable, Dwarf_Die* unit, std::uint64_t place, const std::string& function) {
        Dwarf_Attribute memory;
        Dwarf_Die declared;
        Dwarf_Die* named = &variable;
        if (dwarf_formref_die(dwarf_attr(&variable, DW_AT_specification, &memory), &declared) != nullptr) {
            named = &declared;
        }
        add_variable(globals_, named, unit, place, Where::global, function);
    }

    void add_locals(const StackFrame& frame) {
        for_each_local(frame, [&](Dwarf_Die& variable, Dwarf_Die* unit, const Module& module, Dwarf_Addr bias,
                                  std::optional<std::uint64_t> base, const std::string& function) {
            if (const auto place = place_of(&variable, module, bias, &frame, base)) {
                add_variable(objects_, &variable, unit, *place, Where::local, function);
            }
        });
    }

    /// Calls `visit(variable or parameter, unit, module, bias of the unit, base of the frame, function)`.
    template <typename Visit>
    void for_each_local(const StackFrame& frame, Visit&& visit) const {
        const auto module = std::find_if(modules_.begin(), modules_.end(), [&](const Module& each) {
            return each.module != nullptr && frame.pc - 1 >= each.loaded.begin && frame.pc - 1 < each.loaded.end;
        });
        if (module == modules_.end()) {
            return;
        }
        const Dwarf_Addr address = frame.pc - 1 - module->loaded.bias + module->bias;
        Dwarf_Die* unit = nullptr;
        Dwarf_Addr bias = 0;
        while ((unit = dwfl_module_nextcu(module->module, unit, &bias)) != nullptr) {
            if (dwarf_haspc(unit, address - bias) == 1) {
                break;
            }
        }
        if (unit == nullptr) {
            return;
        }
        Dwarf_Die* found = nullptr;
        const int count = dwarf_getscopes(unit, address - bias, &found);
        const std::unique_ptr<Dwarf_Die, Freer> scopes(count > 0 ? found : nullptr);
        int innermost = 0;
        while (innermost < count && dwarf_tag(found + innermost) != DW_TAG_subprogram &&
               dwarf_tag(found + innermost) != DW_TAG_inlined_subroutine) {
            ++innermost;
        }
        if (innermost >= count) {
            return;
        }
        // The scopes around an inlined function are those of its definition; what is asked for is where it was put.
        Dwarf_Die* around = nullptr;
        const int outer = dwarf_getscopes_die(found + innermost, &around);
        const std::unique_ptr<Dwarf_Die, Freer> freed(outer > 0 ? around : nullptr);
        std::vector<Dwarf_Die*> all;
        for (int i = 0; i < innermost; ++i) {
            all.push_back(found + i);
        }
        for (int i = 0; i < outer; ++i) {
            all.push_back(around + i);
            if (dwarf_tag(around + i) == DW_TAG_subprogram) {
                break;
            }
        }
        if (all.empty() || dwarf_tag(all.back()) != DW_TAG_subprogram) {
            return;
        }
        const auto base = frame_base(all.back(), frame);
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::string function;
            for (std::size_t j = i; j < all.size() && function.empty(); ++j) {
                const int tag = dwarf_tag(all[j]);
                function =
                    tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ? text_of(all[j], DW_AT_name) : "";
            }
            for_each_child(all[i], [&](Dwarf_Die& child) {
                const int tag = dwarf_tag(&child);
                if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
                    visit(child, unit, *module, bias, base, function);
                }
            });
        }
    }

    /// Calls `visit(address of the pointer, type it points to, name of the pointer)`.
    template <typename Visit>
    void for_each_pointer(Dwarf_Die type, std::uint64_t address, const std::string& name, bool fortran, int depth,
                          std::size_t& left, Visit&& visit) {
        const BareType own = bare(type);
        if (!own.found || own.of_mpi || depth > deepest_type || left == 0) {
            return;
        }
        Dwarf_Die die = own.die;
        switch (dwarf_tag(&die)) {
            case DW_TAG_pointer_type: {
                --left;
                Dwarf_Die pointee;
                if (type_of(&die, pointee)) {
                    visit(address, pointee, name);
                }
                return;
            }
            case DW_TAG_array_type: {
                const Array array = array_of(&die, fortran);
                if (!array.known) {
                    return;
                }
                std::uint64_t count = 1;
                for (const auto& [first, length] : array.ranges) {
                    count *= length;
                }
                const int tag = dwarf_tag(&const_cast<Array&>(array).element);
                if (tag == DW_TAG_base_type) {
                    return;
                }
                for (std::uint64_t i = 0; i < count && left != 0; ++i) {
                    const std::size_t before = left;
                    for_each_pointer(array.element, address + i * array.element_size,
                                     name + index_text(array, i, fortran), fortran, depth + 1, left, visit);
                    if (left == before) {
                        return;  // none of them has any
                    }
                }
                return;
            }
            case DW_TAG_structure_type:
            case DW_TAG_class_type:
                for_each_child(&die, [&](Dwarf_Die& member) {
                    const int tag = dwarf_tag(&member);
                    Dwarf_Die of_member;
                    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !type_of(&member, of_member)) {
                        return;
                    }
                    const auto offset = number_of(&member, DW_AT_data_member_location);
                    if (dwarf_hasattr(&member, DW_AT_external) == 0 && offset) {
                        const std::string part = tag == DW_TAG_member ? text_of(&member, DW_AT_name) : "";
                        std::string whole = name;
                        add_member_name(whole, part);
                        for_each_pointer(of_member, address + static_cast<std::uint64_t>(*offset), whole, fortran,
                                         depth + 1, left, visit);
                    }
                });
                return;
            default:
                return;
        }
    }

    /// The blocks that its pointers lead to.
    void follow(const Object& object, const Read& read, const IsHeap& is_heap) {
        std::size_t left = most_pointers_of_object;
        const std::uint64_t size = size_of(object.type);
        const std::uint64_t count = object.repeats == 0 ? 1 : object.repeats;
        for (std::uint64_t i = 0; i < count && left != 0 && size != 0; ++i) {
            const std::size_t before = left;
            const std::string name = object.repeats == 0 ? object.name : name_of_element(object, i);
            for_each_pointer(object.type, object.begin + i * size, name, object.fortran, 0, left,
                             [&](std::uint64_t address, Dwarf_Die& pointee, const std::string& pointer) {
                                 add_block(object, address, pointee, pointer, read, is_heap);
                             });
            if (left == before) {
                return;
            }
        }
    }

    void add_block(const Object& from, std::uint64_t pointer, const Dwarf_Die& pointee, const std::string& name,
                   const Read& read, const IsHeap& is_heap) {
        // As glibc's malloc makes it: its size stands before it, in which the three lowest bits mean something else.
        constexpr std::uint64_t alignment = 16;
        constexpr std::uint64_t smallest = 32;
        constexpr std::uint64_t is_mapped = 2;
        constexpr std::uint64_t largest = std::uint64_t{1} << 40;
        std::uint64_t begin = 0;
        std::uint64_t head = 0;
        const std::uint64_t size = size_of(pointee);
        if (size == 0 || !read(pointer, &begin, sizeof begin) || begin % alignment != 0 || !is_heap(begin) ||
            !read(begin - sizeof head, &head, sizeof head)) {
            return;
        }
        const std::uint64_t chunk = head & ~std::uint64_t{7};
        if (chunk < smallest || chunk > largest || chunk % alignment != 0 || objects_.size() >= most_objects) {
            return;
        }
        Object block;
        block.begin = begin;
        block.end = begin + chunk - ((head & is_mapped) != 0 ? 16 : 8);
        block.type = pointee;
        block.repeats = (block.end - block.begin) / size;
        block.name = name;
        block.about = from.about;
        block.about.where = Where::heap;
        block.fortran = from.fortran;
        block.steps = from.steps + 1;
        const auto known = std::find_if(objects_.begin(), objects_.end(),
                                        [&](const Object& each) { return each.steps != 0 && each.begin == begin; });
        if (block.repeats != 0 && known == objects_.end()) {
            objects_.push_back(std::move(block));
        }
    }

    /// Of what a pointer leads to: as one would write it, where that is a structure its first one.
    static std::string name_of_element(const Object& object, std::uint64_t number) {
        const BareType own = bare(object.type);
        Dwarf_Die die = own.die;
        const bool has_parts =
            own.found && (dwarf_tag(&die) == DW_TAG_structure_type || dwarf_tag(&die) == DW_TAG_class_type);
        return object.name + (number == 0 && has_parts ? "->" : "[" + std::to_string(number) + "]");
    }

    static std::optional<NamedBytes> part_of(const Object& object, std::uint64_t address) {
        NamedBytes part = object.about;
        part.name = object.name;
        std::uint64_t begin = object.begin;
        if (object.repeats != 0) {
            const std::uint64_t size = size_of(object.type);
            const std::uint64_t number = (address - begin) / size;
            if (number >= object.repeats) {
                return std::nullopt;
            }
            begin += number * size;
            part.name = name_of_element(object, number);
        }
        return descend(object.type, begin, address, object.fortran, 0, part) ? std::optional(part) : std::nullopt;
    }

    static void add_member_name(std::string& name, const std::string& member) {
        if (!member.empty()) {
            name += (name.ends_with("->") ? "" : ".") + member;
        }
    }

    /// Down to the part of `type`, which lies at `begin`, with the byte at `address`.
    static bool descend(Dwarf_Die type, std::uint64_t begin, std::uint64_t address, bool fortran, int depth,
                        NamedBytes& part) {
        const BareType own = bare(type);
        const std::uint64_t size = size_of(type);
        if (!own.found || depth > deepest_type || address < begin || address - begin >= size) {
            return false;
        }
        part.address = begin;
        part.size = size;
        part.type = own.own;
        if (own.of_mpi) {
            part.kind = Kind::handle;
            return true;
        }
        Dwarf_Die die = own.die;
        switch (dwarf_tag(&die)) {
            case DW_TAG_base_type:
                part.kind = kind_of_base(&die, size);
                return true;
            case DW_TAG_enumeration_type:
                part.kind = Kind::integer;
                return true;
            case DW_TAG_pointer_type:
            case DW_TAG_reference_type:
            case DW_TAG_rvalue_reference_type:
            case DW_TAG_ptr_to_member_type:
                part.kind = Kind::address;
                return true;
            case DW_TAG_union_type:
                part.kind = Kind::bytes;
                return true;
            case DW_TAG_array_type: {
                const Array array = array_of(&die, fortran);
                if (!array.known) {
                    return false;
                }
                const std::uint64_t number = (address - begin) / array.element_size;
                part.name += index_text(array, number, fortran);
                return descend(array.element, begin + number * array.element_size, address, fortran, depth + 1, part);
            }
            case DW_TAG_structure_type:
            case DW_TAG_class_type: {
                bool found = false;
                for_each_child(&die, [&](Dwarf_Die& member) {
                    const int tag = dwarf_tag(&member);
                    Dwarf_Die of_member;
                    if (found || (tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
                        dwarf_hasattr(&member, DW_AT_external) != 0 || !type_of(&member, of_member)) {
                        return;
                    }
                    const auto offset = number_of(&member, DW_AT_data_member_location);
                    if (!offset || dwarf_hasattr(&member, DW_AT_data_bit_offset) != 0 ||
                        dwarf_hasattr(&member, DW_AT_bit_size) != 0) {
                        return;
                    }
                    const std::uint64_t at = begin + static_cast<std::uint64_t>(*offset);
                    if (address >= at && address - at < size_of(of_member)) {
                        NamedBytes inner = part;
                        if (tag == DW_TAG_member) {
                            add_member_name(inner.name, text_of(&member, DW_AT_name));
                        }
                        found = descend(of_member, at, address, fortran, depth + 1, inner);
                        part = found ? inner : part;
                    }
                });
                return found;  // else it is between members
            }
            default:
                return false;
        }
    }

    std::vector<Module> modules_;
    std::vector<Object> globals_;
    std::vector<Object> objects_;
};

ProgramVariables::ProgramVariables(std::vector<LoadedModule> modules)
    : impl_(std::make_unique<Impl>(std::move(modules))) {}
ProgramVariables::~ProgramVariables() = default;

void ProgramVariables::look_at(const std::vector<StackFrame>& frames, const Read& read, const IsHeap& is_heap) {
    impl_->look_at(frames, read, is_heap);
}

std::optional<NamedBytes> ProgramVariables::find(std::uint64_t address) const { return impl_->find(address); }

std::vector<LocalNumber> ProgramVariables::local_numbers(const StackFrame& frame, const FrameRegisters& registers,
                                                         const Read& read) const {
    return impl_->local_numbers(frame, registers, read);
}

std::optional<NamedBytes> ProgramVariables::find_symbol(std::uint64_t address) const {
    return impl_->find_symbol(address);
}

}  // namespace dampi::launch
