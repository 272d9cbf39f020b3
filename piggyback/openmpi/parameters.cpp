#include "piggyback/openmpi/parameters.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

namespace dampi::piggyback::openmpi {
namespace {

using Names = std::set<std::string, std::less<>>;

const Names handle_types{"MPI_Comm", "MPI_Datatype", "MPI_Group",      "MPI_Op",      "MPI_Request",
                         "MPI_Win",  "MPI_Info",     "MPI_Errhandler", "MPI_Message", "MPIO_Request"};
const Names plain_types{"int", "char", "void", "double", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint", "unsigned"};
const Names buffers{"sendbuf", "recvbuf",  "buf",         "buffer",      "inbuf",
                    "outbuf",  "inoutbuf", "origin_addr", "result_addr", "compare_addr"};

}  // namespace

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [name](std::string_view end) { return name.ends_with(end); });
}

bool is_translated(const Prototype& prototype) {
    const std::string& name = prototype.name;
    return !name.starts_with("MPI_T_") && !name.starts_with("MPI_Session") && name.find("f08") == std::string::npos &&
           !ends_with_any(name, {"_c", "_from_group", "_from_groups", "_from_session_pset", "MPI_DUP_FN"});
}

bool is_number_of_handle(std::string_view name) {
    return ends_with_any(name, {"_c2f", "_f2c"}) &&
           std::any_of(classes_of_handles.begin(), classes_of_handles.end(),
                       [name](std::string_view handle) { return name.substr(4, name.size() - 8) == handle; });
}

bool is_extension_of_openmpi(std::string_view name) {
    return name.ends_with("_init") && !ends_with_any(name, {"end_init", "ecv_init"});
}

Type type_of(const Parameter& parameter) {
    Type type;
    std::string word;
    std::vector<std::string> words;
    for (const char c : parameter.declaration + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
            continue;
        }
        if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
        type.pointers += c == '*' || c == '[' ? 1 : 0;
        type.is_array = type.is_array || c == '[';
    }
    for (const std::string& each : words) {
        if (each == "const") {
            type.is_constant = true;
        } else if (type.base.empty()) {
            type.base = each;
        }
    }
    return type;
}

bool is_handle(const Type& type) { return handle_types.contains(type.base); }

bool is_plain(const Type& type) { return plain_types.contains(type.base); }

bool is_buffer(const Type& type, std::string_view name) {
    return type.base == "void" && type.pointers == 1 && buffers.contains(name);
}

std::string count_parameter(const Prototype& prototype, const std::string& array) {
    for (const char* count : {"incount", "count"}) {
        if (std::any_of(prototype.parameters.begin(), prototype.parameters.end(),
                        [count](const Parameter& each) { return each.name == count; })) {
            return count;
        }
    }
    throw Error("how many " + array + " " + prototype.name + " is given is not known");
}

}  // namespace dampi::piggyback::openmpi
