// Each module is opened by libdwfl "offline", alone: non-relocatable executables may claim the same
// addresses, and a damaged file spoils only its own places.
#include "replay/source_lines.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace dampi::replay {
namespace {

struct DwflCloser {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};
struct Freer {
    void operator()(void* memory) const { std::free(memory); }
};

std::string demangled(const char* name) {
    if (name[0] != '_' || name[1] != 'Z') return name;
    int status = 0;
    const std::unique_ptr<char, Freer> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
    return status == 0 && text != nullptr ? text.get() : name;
}

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

struct Module {
    std::unique_ptr<Dwfl, DwflCloser> dwfl;
    Dwfl_Module* module = nullptr;  // owned by dwfl; null when the file cannot be read
    GElf_Addr bias = 0;             // what libdwfl adds to the file's own addresses
};

Module open_module(const std::string& path) {
    Module result;
    result.dwfl.reset(dwfl_begin(&callbacks()));
    if (result.dwfl == nullptr) return result;
    dwfl_report_begin(result.dwfl.get());
    Dwfl_Module* module = dwfl_report_offline(result.dwfl.get(), path.c_str(), path.c_str(), -1);
    if (dwfl_report_end(result.dwfl.get(), nullptr, nullptr) != 0 || module == nullptr) return result;
    if (dwfl_module_getelf(module, &result.bias) == nullptr) return result;
    result.module = module;
    return result;
}

/// The innermost function there, inlined ones included, so that it fits the line. Empty when unknown.
std::string function_from_debug_information(Dwfl_Module* module, Dwarf_Addr address) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
    if (unit == nullptr) return {};
    Dwarf_Die* found = nullptr;
    const int count = dwarf_getscopes(unit, address - bias, &found);
    const std::unique_ptr<Dwarf_Die, Freer> scopes(count > 0 ? found : nullptr);
    for (int i = 0; i < count; ++i) {
        Dwarf_Die* scope = found + i;
        const int tag = dwarf_tag(scope);
        if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine && tag != DW_TAG_entry_point) continue;
        Dwarf_Attribute memory;
        Dwarf_Attribute* attribute = dwarf_attr_integrate(scope, DW_AT_linkage_name, &memory);
        const char* linkage = attribute != nullptr ? dwarf_formstring(attribute) : nullptr;
        if (linkage != nullptr && linkage[0] == '_' && linkage[1] == 'Z') return demangled(linkage);
        attribute = dwarf_attr_integrate(scope, DW_AT_name, &memory);
        const char* name = attribute != nullptr ? dwarf_formstring(attribute) : nullptr;
        if (name != nullptr) return name;
        return linkage != nullptr ? linkage : std::string();
    }
    return {};
}

struct Answer {
    std::string function;
    std::string file;
    int line = 0;
};

Answer look_up(const Module& module, std::uint64_t offset) {
    Answer answer;
    if (module.module == nullptr) return answer;
    const Dwarf_Addr address = offset + module.bias;
    if (dwfl_addrmodule(module.dwfl.get(), address) != module.module) return answer;
    if (Dwfl_Line* line = dwfl_module_getsrc(module.module, address)) {
        int number = 0;
        if (const char* file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr)) {
            std::filesystem::path path(file);
            const char* folder = path.is_relative() ? dwfl_line_comp_dir(line) : nullptr;
            if (folder != nullptr) path = folder / path;
            answer.file = path.lexically_normal().string();
            answer.line = number;
        }
    }
    answer.function = function_from_debug_information(module.module, address);
    if (answer.function.empty()) {
        if (const char* symbol = dwfl_module_addrname(module.module, address)) answer.function = demangled(symbol);
    }
    return answer;
}

}  // namespace

class SourceLines::Impl {
public:
    const Answer& find(const std::string& path, std::uint64_t offset) {
        const auto known = answers_.find({path, offset});
        if (known != answers_.end()) return known->second;
        auto module = modules_.find(path);
        if (module == modules_.end()) module = modules_.emplace(path, open_module(path)).first;
        return answers_.emplace(std::pair(path, offset), look_up(module->second, offset)).first->second;
    }

private:
    std::map<std::string, Module> modules_;
    std::map<std::pair<std::string, std::uint64_t>, Answer> answers_;
};

SourceLines::SourceLines() : impl_(std::make_unique<Impl>()) {}
SourceLines::~SourceLines() = default;

void SourceLines::resolve(CodePlace& place) {
    if (place.module.empty()) return;
    const Answer& answer = impl_->find(place.module, place.offset);
    place.function = answer.function;
    place.file = answer.file;
    place.line = answer.line;
}

}  // namespace dampi::replay
