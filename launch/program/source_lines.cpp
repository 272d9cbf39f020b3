// Each module is opened by libdwfl "offline", alone: non-relocatable executables may claim the same
// addresses, and a damaged file spoils only its own places.
#include "launch/program/source_lines.hpp"

#include "launch/program/demangled.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace dampi::launch {
namespace {

struct DwflCloser {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};
struct Freer {
    void operator()(void* memory) const { std::free(memory); }
};

const Dwfl_Callbacks& callbacks() {
    static char* default_folders = nullptr;  // libdwfl's own: beside the file, .debug/, /usr/lib/debug
    static const Dwfl_Callbacks table = [] {
        Dwfl_Callbacks made{};
        made.find_debuginfo = dwfl_standard_find_debuginfo;
        made.section_address = dwfl_offline_section_address;
        made.debuginfo_path = &default_folders;
        return made;
    }();
    return table;
}

/// Code of a unit, in the addresses of its debug information.
struct UnitRange {
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    Dwarf_Die* unit = nullptr;  // libdwfl's
};

struct Module {
    std::unique_ptr<Dwfl, DwflCloser> dwfl;
    Dwfl_Module* module = nullptr;                // owned by dwfl; null when the file cannot be read
    GElf_Addr bias = 0;                           // what libdwfl adds to the file's own addresses
    std::optional<std::vector<UnitRange>> units;  // by where they begin, once somebody has asked
    Dwarf_Addr units_bias = 0;
};

Module open_module(const std::string& path) {
    Module result;
    result.dwfl.reset(dwfl_begin(&callbacks()));
    if (result.dwfl == nullptr) {
        return result;
    }
    dwfl_report_begin(result.dwfl.get());
    Dwfl_Module* module = dwfl_report_offline(result.dwfl.get(), path.c_str(), path.c_str(), -1);
    if (dwfl_report_end(result.dwfl.get(), nullptr, nullptr) != 0 || module == nullptr) {
        return result;
    }
    if (dwfl_module_getelf(module, &result.bias) == nullptr) {
        return result;
    }
    result.module = module;
    return result;
}

struct Answer {
    std::string function;
    std::string file;
    int line = 0;
    int column = 0;
};

bool is_function(Dwarf_Die* scope) {
    const int tag = dwarf_tag(scope);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point;
}

std::string name_of(Dwarf_Die* function) {
    Dwarf_Attribute memory;
    Dwarf_Attribute* attribute = dwarf_attr_integrate(function, DW_AT_linkage_name, &memory);
    const char* linkage = attribute != nullptr ? dwarf_formstring(attribute) : nullptr;
    if (linkage != nullptr && has_surroundings(linkage)) {
        return demangled(linkage);
    }
    attribute = dwarf_attr_integrate(function, DW_AT_name, &memory);
    const char* name = attribute != nullptr ? dwarf_formstring(attribute) : nullptr;
    if (name != nullptr) {
        return name;
    }
    return linkage != nullptr ? linkage : std::string();
}

std::string absolute(const char* file, const char* folder) {
    std::filesystem::path path(file);
    if (path.is_relative() && folder != nullptr) {
        path = folder / path;
    }
    return path.lexically_normal().string();
}

Dwarf_Word number_of(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute memory;
    Dwarf_Word value = 0;
    return dwarf_formudata(dwarf_attr(die, name, &memory), &value) == 0 ? value : 0;
}

/// Where the compiler has put the inlined function in the place of a call.
void add_call(Dwarf_Die* unit, Dwarf_Die* inlined, Answer& caller) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const Dwarf_Word index = number_of(inlined, DW_AT_call_file);
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count) {
        return;
    }
    Dwarf_Attribute memory;
    const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &memory));
    if (const char* file = dwarf_filesrc(files, index, nullptr, nullptr)) {
        caller.file = absolute(file, folder);
        caller.line = static_cast<int>(number_of(inlined, DW_AT_call_line));
        caller.column = static_cast<int>(number_of(inlined, DW_AT_call_column));
    }
}

void list_units(Module& module) {
    std::vector<UnitRange>& units = module.units.emplace();
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module.module, unit, &module.units_bias)) != nullptr) {
        Dwarf_Addr base = 0;
        Dwarf_Addr begin = 0;
        Dwarf_Addr end = 0;
        for (std::ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;) {
            units.push_back({begin, end, unit});
        }
    }
    std::sort(units.begin(), units.end(), [](const auto& one, const auto& other) { return one.begin < other.begin; });
}

/// The compilation unit with the code there; null when unknown. libdwfl knows only those that are listed in
/// .debug_aranges, which clang does not write; the others say themselves where their code is.
Dwarf_Die* unit_at(Module& module, Dwarf_Addr address, Dwarf_Addr& bias) {
    if (Dwarf_Die* unit = dwfl_module_addrdie(module.module, address, &bias)) {
        return unit;
    }
    if (!module.units) {
        list_units(module);
    }
    bias = module.units_bias;
    const auto behind = std::upper_bound(module.units->begin(), module.units->end(), address - bias,
                                         [](Dwarf_Addr asked, const UnitRange& range) { return asked < range.begin; });
    if (behind == module.units->begin()) {
        return nullptr;
    }
    const UnitRange& range = *std::prev(behind);
    return address - bias < range.end ? range.unit : nullptr;
}

/// The functions there by the debug information: the innermost one, inlined ones included, so that it fits the line,
/// then those into which it was inlined, with the places of the calls. Empty when unknown.
std::vector<Answer> functions_from_debug_information(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Die* found = nullptr;
    int count = dwarf_getscopes(unit, address, &found);
    const std::unique_ptr<Dwarf_Die, Freer> scopes(count > 0 ? found : nullptr);
    int innermost = 0;
    while (innermost < count && !is_function(found + innermost)) {
        ++innermost;
    }
    if (innermost >= count) {
        return {};
    }
    // The scopes around an inlined function are those of its definition; what is asked for is where it was put.
    Dwarf_Die* around = nullptr;
    count = dwarf_getscopes_die(found + innermost, &around);
    const std::unique_ptr<Dwarf_Die, Freer> freed(count > 0 ? around : nullptr);
    std::vector<Answer> functions;
    Dwarf_Die* inlined = nullptr;
    for (int i = 0; i < count; ++i) {
        if (!is_function(around + i)) {
            continue;
        }
        Answer& function = functions.emplace_back();
        function.function = name_of(around + i);
        if (inlined != nullptr) {
            add_call(unit, inlined, function);
        }
        inlined = around + i;
        if (dwarf_tag(inlined) != DW_TAG_inlined_subroutine) {
            break;  // what follows is nested in the source only
        }
    }
    return functions;
}

void add_line(Dwarf_Die* unit, Dwarf_Addr address, Answer& answer) {
    Dwarf_Line* line = dwarf_getsrc_die(unit, address);
    int number = 0;
    if (line == nullptr || dwarf_lineno(line, &number) != 0) {
        return;
    }
    Dwarf_Attribute memory;
    if (const char* file = dwarf_linesrc(line, nullptr, nullptr)) {
        answer.file = absolute(file, dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &memory)));
        answer.line = number;
        answer.column = dwarf_linecol(line, &number) == 0 ? number : 0;
    }
}

/// GCC tells its options. Both it and clang mark functions in which they have described all calls, as they do where
/// they optimise.
bool is_unoptimised(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Attribute memory;
    const char* const text = dwarf_formstring(dwarf_attr_integrate(unit, DW_AT_producer, &memory));
    const std::string_view producer = text != nullptr ? text : "";
    const bool is_gccs = producer.starts_with("GNU ");
    constexpr std::string_view option = " -O";
    const std::size_t last = producer.rfind(option);
    if ((is_gccs && last != std::string_view::npos && !producer.substr(last + option.size()).starts_with('0')) ||
        (!is_gccs && producer.find("clang") == std::string_view::npos)) {
        return false;
    }
    Dwarf_Die* found = nullptr;
    const int count = dwarf_getscopes(unit, address, &found);
    const std::unique_ptr<Dwarf_Die, Freer> scopes(count > 0 ? found : nullptr);
    for (int i = 0; i < count; ++i) {
        if (is_function(found + i)) {
            return dwarf_tag(found + i) == DW_TAG_subprogram && dwarf_hasattr(found + i, DW_AT_call_all_calls) == 0 &&
                   dwarf_hasattr(found + i, DW_AT_GNU_all_call_sites) == 0;
        }
    }
    return false;
}

/// Null when unknown; else `address` is made one of the unit's.
Dwarf_Die* unit_with(Module& module, Dwarf_Addr& address) {
    if (module.module == nullptr) {
        return nullptr;
    }
    address += module.bias;
    Dwarf_Addr bias = 0;
    if (dwfl_addrmodule(module.dwfl.get(), address) != module.module) {
        return nullptr;
    }
    Dwarf_Die* const unit = unit_at(module, address, bias);
    address -= bias;
    return unit;
}

/// Never empty.
std::vector<Answer> look_up(Module& module, std::uint64_t offset) {
    std::vector<Answer> answers(1);
    Dwarf_Addr address = offset;
    if (Dwarf_Die* const unit = unit_with(module, address)) {
        if (auto functions = functions_from_debug_information(unit, address); !functions.empty()) {
            answers = std::move(functions);
        }
        add_line(unit, address, answers.front());
    }
    Answer& answer = answers.front();
    if (answer.function.empty() && module.module != nullptr) {
        if (const char* symbol = dwfl_module_addrname(module.module, offset + module.bias)) {
            answer.function = demangled(symbol);
        }
    }
    return answers;
}

}  // namespace

class SourceLines::Impl {
public:
    /// Answers stay where they are and as they are.
    const std::vector<Answer>& find(const std::string& path, std::uint64_t offset) {
        const std::lock_guard lock(mutex_);
        const auto known = answers_.find({path, offset});
        if (known != answers_.end()) {
            return known->second;
        }
        return answers_.emplace(std::pair(path, offset), look_up(module_of(path), offset)).first->second;
    }

    bool is_unoptimised(const std::string& path, std::uint64_t offset) {
        const std::lock_guard lock(mutex_);
        Dwarf_Addr address = offset;
        Dwarf_Die* const unit = unit_with(module_of(path), address);
        return unit != nullptr && launch::is_unoptimised(unit, address);
    }

private:
    Module& module_of(const std::string& path) {
        const auto module = modules_.find(path);
        return module != modules_.end() ? module->second : modules_.emplace(path, open_module(path)).first->second;
    }

    std::mutex mutex_;
    std::map<std::string, Module> modules_;
    std::map<std::pair<std::string, std::uint64_t>, std::vector<Answer>> answers_;
};

SourceLines::SourceLines() : impl_(std::make_unique<Impl>()) {}
SourceLines::~SourceLines() = default;

void SourceLines::resolve(replay::CodePlace& place) {
    if (place.module.empty()) {
        return;
    }
    const Answer& answer = impl_->find(place.module, place.offset).front();
    place.function = answer.function;
    place.file = answer.file;
    place.line = answer.line;
    place.column = answer.column;
}

std::vector<replay::CodePlace> SourceLines::resolve_inlined(replay::CodePlace place) {
    if (place.module.empty()) {
        return {std::move(place)};
    }
    std::vector<replay::CodePlace> places;
    for (const Answer& answer : impl_->find(place.module, place.offset)) {
        place.function = answer.function;
        place.file = answer.file;
        place.line = answer.line;
        place.column = answer.column;
        places.push_back(place);
    }
    return places;
}

bool SourceLines::is_unoptimised(const replay::CodePlace& place) {
    return !place.module.empty() && impl_->is_unoptimised(place.module, place.offset);
}

}  // namespace dampi::launch
