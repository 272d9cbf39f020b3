// Build-time program: writes the calls of null_pointers.c, one of every function of the table for each of its pointers,
// which is NULL there while everything else is as it should be.
//
//   generate_calls TABLE all|modelled OUTPUT HEADER...    modelled: without what the centralized engine refuses
#include "base/check.hpp"
#include "piggyback/interception/files.hpp"
#include "piggyback/interception/function_table.hpp"
#include "piggyback/interception/prototypes.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback {
namespace {

/// The type as the header spells it, without the name.
std::string type_of(const Parameter& parameter) {
    const auto at = parameter.declaration.rfind(parameter.name);
    std::string type = parameter.declaration.substr(0, at);
    type.erase(type.find_last_not_of(' ') + 1);
    return type + parameter.declaration.substr(at + parameter.name.size());
}

bool is_pointer(const std::string& type) { return type.find_first_of("*[") != std::string::npos; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Those that would begin or end MPI, start processes, or wait for some; and those whose answer depends on what has
/// been called before.
bool is_left_out(const std::string& function) {
    static const std::set<std::string> names{
        "MPI_Init",       "MPI_Init_thread", "MPI_Finalize",     "MPI_Abort",     "MPI_Pcontrol",
        "MPI_Comm_spawn", "MPI_Comm_accept", "MPI_Comm_connect", "MPI_Comm_join", "MPI_Comm_spawn_multiple"};
    const bool has_state = has(function, "MPI_File") && (has(function, "_begin") || has(function, "_end") ||
                                                         has(function, "_shared") || has(function, "_ordered"));
    return has_state || names.contains(function);
}

std::string communicator_for(const std::string& function, const std::string& parameter) {
    if (parameter == "intercomm" || has(function, "_remote_") || parameter == "oldintercomm") {
        return "intercommunicator";
    }
    if (parameter == "local_comm") {
        return "MPI_COMM_SELF";
    }
    if (has(function, "Dist_graph_neighbors")) {
        return "neighbourhood";
    }
    if ((has(function, "Cart") || has(function, "eighbor")) && !has(function, "_create") && !has(function, "_map")) {
        return has(function, "Graph") ? "graph" : "grid";
    }
    if (has(function, "MPI_Graph") && !has(function, "_create") && !has(function, "_map")) {
        return "graph";
    }
    return has(function, "MPI_File") ? "MPI_COMM_SELF" : "MPI_COMM_WORLD";
}

std::string number_for(const std::string& function, const std::string& parameter) {
    static const std::map<std::string, std::string> by_name{
        {"source", "peer"},
        {"dest", "peer"},
        {"target_rank", "peer"},
        {"root", "0"},
        {"local_leader", "0"},
        {"remote_leader", "peer"},
        {"tag", "0"},
        {"sendtag", "0"},
        {"recvtag", "0"},
        {"rank", "0"},
        {"color", "0"},
        {"key", "0"},
        {"assert", "0"},
        {"direction", "0"},
        {"high", "0"},
        {"partition", "0"},
        {"partition_low", "0"},
        {"partition_high", "0"},
        {"n", "0"},
        {"errorcode", "MPI_ERR_ARG"},
        {"errorclass", "MPI_ERR_ARG"},
        {"amode", "MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE"},
        {"whence", "MPI_SEEK_SET"},
        {"lock_type", "MPI_LOCK_SHARED"},
        {"split_type", "MPI_COMM_TYPE_SHARED"},
        {"typeclass", "MPI_TYPECLASS_INTEGER"},
        {"order", "MPI_ORDER_C"},
        {"thread_level", "MPI_THREAD_SINGLE"},
        {"required", "MPI_THREAD_SINGLE"}};
    if (parameter.ends_with("keyval")) {
        return has(function, "Type") ? "type_keyval" : has(function, "Win") ? "window_keyval" : "keyval";
    }
    const auto found = by_name.find(parameter);
    return found == by_name.end() ? "1" : found->second;
}

std::string pointer_for(const std::string& type, const std::string& parameter) {
    static const std::map<std::string, std::string> by_type{{"const void *", "sent"},
                                                            {"void *", "received"},
                                                            {"char *", "text"},
                                                            {"const char *", "\"dampi\""},
                                                            {"const char[]", "\"native\""},
                                                            {"char *[]", "texts"},
                                                            {"char **[]", "text_lists"},
                                                            {"char ***", "&text_list"},
                                                            {"int[][3]", "ranges"},
                                                            {"const MPI_Datatype[]", "types"},
                                                            {"MPI_Datatype[]", "made_types"},
                                                            {"MPI_Request[]", "requests"},
                                                            {"MPI_Request *", "requests"},
                                                            {"MPI_Status[]", "statuses"},
                                                            {"MPI_Status *", "statuses"},
                                                            {"const MPI_Status *", "statuses"},
                                                            {"const MPI_Info[]", "infos"},
                                                            {"MPI_Message *", "&message"},
                                                            {"MPI_F08_status *", "&f08_status"},
                                                            {"const MPI_F08_status *", "&f08_status"},
                                                            {"MPI_Fint *", "f_status"},
                                                            {"const MPI_Fint *", "f_status"}};
    const auto found = by_type.find(type);
    if (found != by_type.end()) {
        return found->second;
    }
    if (type.ends_with("_function *") || type.ends_with("_function_c *")) {
        return "(" + type + ")nothing";
    }
    const bool from_zero = has(parameter, "displ") || has(parameter, "ranks") || has(parameter, "coords") ||
                           has(parameter, "start") || has(parameter, "source") || has(parameter, "destination") ||
                           has(parameter, "edges");
    if (parameter == "array_of_distribs") {
        return "distributions";
    }
    if (parameter == "array_of_maxprocs" || parameter == "array_of_gsizes" || parameter == "array_of_sizes") {
        return "(" + type.substr(0, type.find('[')) + "*)(sizeof(" + type.substr(0, type.find('[')) +
               ") == 4 ? (void *)ones : (void *)large_ones)";
    }
    const std::string element = type.substr(0, type.find_first_of("*["));
    const bool is_large = has(element, "Count") || has(element, "Aint") || has(element, "Offset");
    if (type.starts_with("const ") || type.ends_with("[]")) {
        const std::string values = from_zero ? "zeros" : "ones";
        return "(void *)" + (is_large ? "large_" + values : values);
    }
    return "(void *)out";  // whatever the call gives back
}

std::string value_for(const std::string& function, const Parameter& parameter) {
    static const std::map<std::string, std::string> handles{{"MPI_Datatype", "MPI_INT"},
                                                            {"MPI_Info", "MPI_INFO_NULL"},
                                                            {"MPI_Win", "window"},
                                                            {"MPI_Op", "MPI_SUM"},
                                                            {"MPI_File", "file"},
                                                            {"MPI_Errhandler", "MPI_ERRORS_RETURN"},
                                                            {"MPI_Session", "MPI_SESSION_NULL"},
                                                            {"MPI_Request", "requests[0]"},
                                                            {"MPI_Message", "message"}};
    const std::string type = type_of(parameter);
    if (is_pointer(type)) {
        return pointer_for(type, parameter.name);
    }
    if (type == "MPI_Comm") {
        return communicator_for(function, parameter.name);
    }
    if (type == "MPI_Info" && has(function, "MPI_Info")) {
        return "info";
    }
    if (type == "MPI_Datatype" && (has(function, "get_contents") || has(function, "get_envelope"))) {
        return "vector";
    }
    if (type == "MPI_Group") {
        return "group";
    }
    const auto found = handles.find(type);
    return found == handles.end() ? number_for(function, parameter.name) : found->second;
}

/// The calls of one function, each with what it is called in the table behind them.
void write_calls(std::ostream& out, const Prototype& p, std::vector<std::string>& table) {
    const bool has_requests = std::any_of(p.parameters.begin(), p.parameters.end(), [](const Parameter& each) {
        return type_of(each).starts_with("MPI_Request");
    });
    for (std::size_t null = 0; null < p.parameters.size(); ++null) {
        if (!is_pointer(type_of(p.parameters[null]))) {
            continue;
        }
        for (const bool active : {false, true}) {
            if (active && !has_requests) {
                continue;
            }
            std::string arguments;
            for (std::size_t i = 0; i < p.parameters.size(); ++i) {
                arguments += (i == 0 ? "" : ", ") + (i == null ? "NULL" : value_for(p.name, p.parameters[i]));
            }
            const std::string name = "call_" + std::to_string(table.size());
            out << "static int " << name << "(void) { return " << p.name << "(" << arguments << "); }\n";
            table.push_back("{\"" + p.name + " " + p.parameters[null].name + (active ? " active" : "") + "\", " + name +
                            ", " + (active ? "1" : "0") + ", " + (has(arguments, "intercommunicator") ? "2" : "1") +
                            "}");
        }
    }
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.size() < 4 || (arguments[1] != "all" && arguments[1] != "modelled")) {
        std::cerr << "usage: generate_calls TABLE all|modelled OUTPUT HEADER...\n";
        return 2;
    }
    const auto prototypes = read_prototypes({arguments.begin() + 3, arguments.end()});
    std::ofstream out(arguments[2]);
    out << "// Generated by generate_calls.cpp; do not edit.\n";
    std::vector<std::string> table;
    for (const TableLine& line : without_undeclared_newer(read_table(arguments[0]), prototypes)) {
        const Prototype& prototype = prototypes.at(line.function);
        const bool is_callable = prototype.return_type == "int" && !prototype.variadic &&
                                 !line.function.starts_with("MPI_T_") && line.call_class != CallClass::not_exported;
        const bool is_wanted = arguments[1] == "all" || line.treatment != Treatment::refused;
        if (is_callable && is_wanted && !is_left_out(line.function)) {
            write_calls(out, prototype, table);
        }
    }
    out << "static const struct CallWithNull calls[] = {\n";
    for (const std::string& each : table) {
        out << "    " << each << ",\n";
    }
    out << "};\n" << std::flush;
    if (!out) {
        throw Error("cannot write " + arguments[2]);
    }
    return 0;
}

}  // namespace
}  // namespace dampi::piggyback

int main(int argc, char** argv) {
    try {
        return dampi::piggyback::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "generate_calls: " << error.what() << '\n';
        return 1;
    }
}
