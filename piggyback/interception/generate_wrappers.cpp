// Build-time program: writes the wrappers of the MPI functions from MPICH's headers, functions.def and arguments.def.
//
//   --generate TABLE RULES OUTPUT_DIR HEADER...   writes calls.hpp (declarations of the bodies), wrappers.cpp, the
//   names
//                                           under which they are called (entries*.cpp, see symbols.hpp) and wraps.ld;
//                                           the same for the centralized engine's library: central_calls.hpp,
//                                           central_wrappers.cpp, and refused_functions.inc, what it does not model
//   --list TABLE                            prints the table, one "name class" per line
//   --check-exports TABLE < nm -D output    compares the table with the symbols of an MPI library
//   --report-missing TABLE < nm -C output   prints the bodies that no object defines yet
//
// Exit status: 0 in order, 1 something is missing or wrong (said on stderr or stdout), 2 wrong usage.
#include "base/check.hpp"
#include "piggyback/interception/any_thread.hpp"
#include "piggyback/interception/argument_rules.hpp"
#include "piggyback/interception/files.hpp"
#include "piggyback/interception/function_table.hpp"
#include "piggyback/interception/prototypes.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace dampi::piggyback {
namespace {

constexpr std::string_view usage =
    "usage: dampi_generate_wrappers --generate TABLE RULES OUTPUT_DIR HEADER...\n"
    "       dampi_generate_wrappers --list TABLE\n"
    "       dampi_generate_wrappers --check-exports TABLE   (output of nm -D --defined-only on stdin)\n"
    "       dampi_generate_wrappers --report-missing TABLE  (output of nm -C on stdin)\n";

/// The variables of each wrapper.
constexpr std::array<std::string_view, 9> own_names{"call",       "function",     "arguments", "text",         "code",
                                                    "parameters", "used_buffers", "watched",   "throws_at_end"};

/// Whether what it returns tells of errors of the kinds that all of MPI shares (the tools' interface has its own).
bool returns_error_code(const Prototype& p) { return p.return_type == "int" && !p.name.starts_with("MPI_T_"); }

/// What a wrapper begins with. A function that can fail may call an error handler.
std::string first_local(const Prototype& p) {
    return returns_error_code(p) ? "    const dampi::piggyback::ThrowsAtEnd throws_at_end;\n" : "";
}

/// Whether a wrapper is written for a function of this class that is only passed through.
bool passes(const Prototype& p, CallClass call_class) {
    return call_class == CallClass::pass_through && returns_error_code(p) && !p.variadic;
}

/// Every disagreement between table and headers, one sentence each.
std::vector<std::string> disagreements(const std::vector<TableLine>& table, const std::string& table_file,
                                       const std::map<std::string, Prototype>& prototypes) {
    std::vector<std::string> result;
    std::set<std::string> classified;
    for (const auto& line : table) {
        classified.insert(line.function);
        const std::string place = table_file + ":" + std::to_string(line.line) + ": ";
        const auto prototype = prototypes.find(line.function);
        if (prototype == prototypes.end()) {
            result.push_back(place + line.function + " has no prototype in the MPI headers");
        } else if (has_wrapper(line.call_class) && prototype->second.variadic) {
            result.push_back(place + line.function +
                             " is variadic, so that no wrapper can be generated: make it pass_through or by_hand");
        } else if (has_wrapper(line.call_class) || passes(prototype->second, line.call_class)) {
            for (const auto& parameter : prototype->second.parameters) {
                if (std::find(own_names.begin(), own_names.end(), parameter.name) != own_names.end()) {
                    result.push_back(place + line.function +
                                     " has a parameter that is named like one of the wrapper's variables");
                }
            }
        }
    }
    for (const auto& [name, prototype] : prototypes) {
        if (!classified.contains(name)) {
            result.push_back(table_file + ": does not classify " + name + ", which the MPI headers declare");
        }
    }
    return result;
}

std::string joined(const std::vector<Parameter>& parameters, std::string Parameter::*part) {
    std::string text;
    for (const auto& parameter : parameters) {
        text += (text.empty() ? "" : ", ") + parameter.*part;
    }
    return text;
}

std::string declaration_of_body(const Prototype& p) {
    const auto parameters = joined(p.parameters, &Parameter::declaration);
    return p.return_type + " " + body_name(p.name) + "(Call& call" + (parameters.empty() ? "" : ", " + parameters) +
           ") noexcept;\n";
}

/// The parameter's type as the header spells it, without the name.
std::string type_of(const Parameter& parameter) {
    const auto at = parameter.declaration.rfind(parameter.name);
    std::string type = parameter.declaration.substr(0, at);
    type.erase(type.find_last_not_of(' ') + 1);
    return type + parameter.declaration.substr(at + parameter.name.size());
}

bool has_request_array(const Prototype& p) {
    return std::any_of(p.parameters.begin(), p.parameters.end(),
                       [](const Parameter& parameter) { return type_of(parameter) == "MPI_Request[]"; });
}

/// The request that the call hands out; null for one that takes requests instead, or has none.
const Parameter* new_request(const Prototype& p, CallClass call_class) {
    if (call_class == CallClass::completion || call_class == CallClass::polling) {
        return nullptr;
    }
    const auto found = std::find_if(p.parameters.begin(), p.parameters.end(), [](const Parameter& parameter) {
        const std::string type = type_of(parameter);
        return type == "MPI_Request *" || type == "MPIO_Request *";  // the same, in older functions for files
    });
    return found == p.parameters.end() ? nullptr : &*found;
}

/// Whether it is where the call gives back, or finds, a single number or handle, which no MPI function can do without.
bool is_single_place(const Parameter& parameter) {
    static const std::regex place(R"((int|MPIO?_\w+) \*)");
    const std::string type = type_of(parameter);
    return std::regex_match(type, place) && !type.ends_with("_function *") && !type.ends_with("_function_c *");
}

const Parameter* find_parameter(const Prototype& p, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        for (const Parameter& parameter : p.parameters) {
            if (parameter.name == name) {
                return &parameter;
            }
        }
    }
    return nullptr;
}

/// Whether MPI refuses a null pointer for this array, as a C++ condition; empty where it may be one.
std::string lacks_an_array(const Prototype& p, const Parameter& parameter) {
    static const std::map<std::string, std::vector<std::string_view>> counts_of_topologies{
        {"dims", {"ndims", "maxdims"}},
        {"periods", {"ndims", "maxdims"}},
        {"coords", {"maxdims"}},
        {"remain_dims", {}},
        {"indx", {"nnodes", "maxindex"}},
        {"edges", {"nnodes", "maxedges"}},
        {"neighbors", {"maxneighbors"}},
        {"sources", {"indegree", "maxindegree"}},
        {"destinations", {"outdegree", "maxoutdegree"}}};
    const std::string is_null = parameter.name + " == nullptr";
    const auto with_count = [&](const Parameter* count) { return "(" + count->name + " > 0 && " + is_null + ")"; };
    if (!type_of(parameter).ends_with("[]")) {
        return "";
    }
    if (const Parameter* count = find_parameter(p, {"count", "incount"}); count != nullptr && has_request_array(p)) {
        return with_count(count);
    }
    const auto known = counts_of_topologies.find(parameter.name);
    const bool is_of_topology =
        p.name.starts_with("MPI_Cart_") || p.name.starts_with("MPI_Graph_") || p.name.starts_with("MPI_Dist_graph_");
    if (!is_of_topology || known == counts_of_topologies.end()) {
        return "";
    }
    for (const std::string_view name : known->second) {
        if (const Parameter* count = find_parameter(p, {name})) {
            return with_count(count);
        }
    }
    return find_parameter(p, {"n"}) == nullptr ? is_null : "";
}

/// The condition under which the call has no memory for its window; empty if it needs none.
std::string lacks_memory(const Prototype& p) {
    return p.name.starts_with("MPI_Win_create") ? "(size > 0 && base == nullptr)" : "";
}

/// The condition under which MPI will refuse the call for a pointer that is null, before it does anything; empty if
/// there is none. It comes first, since what follows reads and writes through these pointers.
std::string lacks_a_place(const Prototype& p, CallClass call_class) {
    if (call_class == CallClass::lifecycle) {
        return "";  // MPI_Init can do without
    }
    std::string condition;
    for (const Parameter& parameter : p.parameters) {
        const bool is_required = is_single_place(parameter) || parameter.name == "baseptr";
        const std::string missing = is_required                ? parameter.name + " == nullptr"
                                    : parameter.name == "base" ? lacks_memory(p)
                                                               : lacks_an_array(p, parameter);
        condition += missing.empty() ? "" : (condition.empty() ? "" : " || ") + missing;
    }
    return condition;
}

/// The communicator or the file whose error handler the call's errors go to.
std::string place_of_errors(const Prototype& p) {
    const auto found = std::find_if(p.parameters.begin(), p.parameters.end(), [](const Parameter& parameter) {
        return type_of(parameter) == "MPI_Comm" || type_of(parameter) == "MPI_File";
    });
    return found == p.parameters.end() ? "MPI_COMM_NULL" : found->name;
}

/// Where one of a collective's buffers may be a null pointer that MPI refuses: the condition.
std::string lacks_a_buffer(const Prototype& p, CallClass call_class) {
    if (call_class != CallClass::collective) {
        return "";
    }
    const bool scatters = p.name.find("catter") != std::string::npos;
    const bool has_root = find_parameter(p, {"root"}) != nullptr;
    std::string condition;
    for (const std::string buffer : {"sendbuf", "recvbuf", "buffer"}) {
        const bool sends = buffer == "sendbuf";
        const Parameter* count =
            sends ? find_parameter(p, {"sendcount", "sendcounts", "count", "recvcount", "recvcounts"})
                  : find_parameter(p, {"recvcount", "recvcounts", "count"});
        const Parameter* type = sends ? find_parameter(p, {"sendtype", "sendtypes", "datatype"})
                                      : find_parameter(p, {"recvtype", "recvtypes", "datatype"});
        if (find_parameter(p, {buffer}) == nullptr || count == nullptr || type == nullptr) {
            continue;
        }
        const std::string peers = p.name.find("eighbor") == std::string::npos ? "all"
                                  : sends                                     ? "neighbours_after"
                                                                              : "neighbours_before";
        const bool only_roots = has_root && buffer != "buffer" && sends == scatters;
        condition += std::string(condition.empty() ? "" : " || ") + "(" + buffer + " == nullptr && " +
                     (only_roots ? "dampi::piggyback::is_root(comm, root) && " : "") +
                     "dampi::piggyback::is_missed(comm, " + count->name + ", " + type->name +
                     (type_of(*count).ends_with("[]") ? ", dampi::piggyback::Peers::" + peers : "") + "))";
    }
    return condition;
}

/// How ArgumentText is told of an argument; empty for those that say nothing to people, like buffers and whatever the
/// call gives back.
std::string description(const Prototype& p, const Parameter& parameter) {
    const std::string type = type_of(parameter);
    const std::string& name = parameter.name;
    const auto is_one_of = [&name](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::string how;
    if (type == "int") {
        if (name.ends_with("keyval")) {
            return "";
        }
        if (is_one_of({"count", "incount"}) && has_request_array(p)) {
            return "text.requests(arguments." + name + ");";
        }
        how = is_one_of({"source", "dest", "root", "target_rank"}) ? "peer"
              : is_one_of({"tag", "sendtag", "recvtag"})           ? "tag"
              : is_one_of({"color", "split_type"})                 ? "choice"
              : name == "lock_type"                                ? "lock"
              : name == "assert"                                   ? "assertions"
              : name == "amode"                                    ? "access_mode"
                                                                   : "number";
    } else if (type == "MPI_Count" || type == "MPI_Aint" || type == "MPI_Offset") {
        how = "number";
    } else if (type == "MPI_Datatype") {
        how = "datatype";
    } else if (type == "MPI_Op") {
        how = "operation";
    } else if (type == "MPI_Comm") {
        how = "communicator";
    } else {
        return "";
    }
    return "text." + how + "(\"" + name + "\", arguments." + name + ");";
}

/// What the argument stands for, as a ParameterRole.
std::string role_of(const Prototype& p, const Parameter& parameter) {
    const std::string type = type_of(parameter);
    const std::string& name = parameter.name;
    static const std::map<std::string, std::string> by_type{
        {"MPI_Comm", "communicator"},  {"MPI_Datatype", "datatype"},
        {"MPI_Op", "operation"},       {"MPI_Group", "group"},
        {"MPI_Info", "info"},          {"MPI_Errhandler", "errhandler"},
        {"MPI_Win", "window"},         {"MPI_File", "file"},
        {"MPI_Request", "request"},    {"MPI_Request *", "requests"},
        {"MPI_Request[]", "requests"}, {"MPI_Message *", "requests"},
        {"MPI_Datatype *", "types"},   {"const MPI_Datatype[]", "types"}};
    static const std::map<std::string, std::string> by_name{
        {"source", "rank"},       {"dest", "rank"},          {"target_rank", "rank"},  {"rank", "rank"},
        {"local_leader", "rank"}, {"remote_leader", "rank"}, {"root", "root"},         {"tag", "tag"},
        {"sendtag", "tag"},       {"recvtag", "tag"},        {"blocklength", "count"}, {"size", "size"},
        {"outsize", "size"},      {"insize", "size"}};
    if (const auto found = by_type.find(type); found != by_type.end()) {
        return found->second;
    }
    const bool is_count = name.ends_with("count") || name.ends_with("counts") || name.ends_with("blocklengths");
    if (type.ends_with("[]")) {
        const bool is_read = type == "const int[]" && p.name.find("eighbor") == std::string::npos;
        return is_count ? is_read ? "counts" : "unread_counts"
               : type == "const int[]" && (name.find("rank") == 0 || name == "sources" || name == "destinations")
                   ? "ranks"
                   : "pointer";
    }
    if (type.find('*') != std::string::npos || type.ends_with("]") || type.ends_with("_function")) {
        const bool is_buffer = name.find("buf") != std::string::npos || name.ends_with("_addr");
        return is_buffer && type.ends_with("void *") ? "buffer" : "pointer";
    }
    if (name.ends_with("keyval")) {
        return "keyval";
    }
    const auto found = by_name.find(name);
    return found != by_name.end() ? found->second : is_count ? "count" : "number";
}

/// The parameter as a member of a structure: an array as where it begins.
std::string as_member(const Parameter& parameter) {
    const std::string type = type_of(parameter);
    const auto bracket = type.find("[]");
    if (bracket == std::string::npos) {
        return parameter.declaration;
    }
    const std::string of_each = type.substr(bracket + 2);
    const std::string element = type.substr(0, bracket);
    return of_each.empty() ? element + "* " + parameter.name : element + "(*" + parameter.name + ")" + of_each;
}

/// Declares `function` and, where there are arguments, `arguments`.
struct Described {
    std::string statements;
    std::string arguments;  ///< their address
};

Described described(const Prototype& p, CallClass call_class, const std::string& indent) {
    std::string members;
    std::string statements;
    std::string table;
    for (const auto& parameter : p.parameters) {
        const auto statement = description(p, parameter);
        members += "        " + as_member(parameter) + ";\n";
        statements += statement.empty() ? "" : "            " + statement + "\n";
        table += indent + "    {\"" + parameter.name + "\", dampi::piggyback::ParameterRole::" + role_of(p, parameter) +
                 ", sizeof(Arguments::" + parameter.name + "), offsetof(Arguments, " + parameter.name + ")},\n";
    }
    const auto word = [](bool yes) { return std::string(yes ? "true" : "false"); };
    const std::string flags = word(communicates(call_class)) + ", " + word(is_for_any_thread(p.name)) + ", " +
                              word(call_class == CallClass::tracked || call_class == CallClass::communicator);
    const std::string name = "static constexpr dampi::piggyback::Function function{\"" + p.name + "\", ";
    if (members.empty()) {
        return {indent + name + "nullptr, " + flags + ", {}};\n", "nullptr"};
    }
    const std::string describe = statements.empty()
                                     ? "nullptr"
                                     : "[](const void* given, dampi::piggyback::ArgumentText& text) {\n"
                                       "            const auto& arguments = *static_cast<const Arguments*>(given);\n" +
                                           statements + "        }";
    return {indent + "struct Arguments {\n" + members + indent + "};\n" + indent +
                "static constexpr dampi::piggyback::ParameterOf parameters[] = {\n" + table + indent + "};\n" + indent +
                name + describe + ", " + flags + ", parameters};\n" + indent + "const Arguments arguments{" +
                joined(p.parameters, &Parameter::name) + "};\n",
            "&arguments"};
}

/// One look at an argument before the call.
struct Look {
    std::string condition;
    std::string error_class;
    std::string parameter;
    std::string wrong;  ///< as ArgumentRule::wrong
    bool refused = false;
    bool unusual = false;
};

/// What is looked at in the call's handles: whether the program has freed them, or does not have them yet. `passed`:
/// also in its datatypes, which held_datatype() sees to in other wrappers.
std::vector<Look> looks_at_handles(const Prototype& p, bool passed) {
    struct Class {
        std::string_view type;
        std::string_view kind;
        std::string_view error;
    };
    static constexpr std::array classes{
        Class{"MPI_Op", "operation", "OP"},        Class{"MPI_Group", "group", "GROUP"},
        Class{"MPI_Info", "info", "INFO"},         Class{"MPI_Errhandler", "errhandler", "ARG"},
        Class{"MPI_Datatype", "datatype", "TYPE"}, Class{"MPI_Win", "window", "WIN"},
        Class{"MPI_File", "file", "FILE"},         Class{"MPI_Session", "session", "SESSION"}};
    std::vector<Look> looks;
    for (const auto& parameter : p.parameters) {
        const std::string type = type_of(parameter);
        if (type == "MPI_Comm") {
            looks.push_back({.condition = "dampi::piggyback::is_being_made(" + parameter.name + ")",
                             .error_class = "MPI_ERR_COMM",
                             .parameter = parameter.name,
                             .wrong = "\"not made yet: its MPI_Comm_idup has not been completed\"",
                             .refused = true});
            looks.push_back({.condition = "dampi::piggyback::is_freed_and_kept(" + parameter.name + ")",
                             .error_class = "MPI_ERR_COMM",
                             .parameter = parameter.name,
                             .wrong = "\"freed before\"",
                             .refused = true});
        }
        for (const Class& each : classes) {
            const bool is_datatype = each.kind == "datatype";
            const bool is_one = type == each.type && (passed || !is_datatype);
            // Where the handle comes from, of the functions that free it or finish it.
            const bool ends =
                p.name.ends_with("_free") || p.name == "MPI_File_close" || p.name == "MPI_Session_finalize";
            const bool is_place = type == std::string(each.type) + " *" && (ends || p.name == "MPI_Type_commit");
            if (is_one || is_place) {
                looks.push_back(
                    {.condition = "dampi::piggyback::" + std::string(is_place ? "is_freed_there" : "is_freed") +
                                  "(dampi::piggyback::ResourceKind::" + std::string(each.kind) + ", " + parameter.name +
                                  ")",
                     .error_class = "MPI_ERR_" + std::string(each.error),
                     .parameter = parameter.name,
                     .wrong = "\"freed before\"",
                     .refused = true});
            }
        }
        const bool frees_key = type == "int *" && (p.name.ends_with("_free_keyval") || p.name == "MPI_Keyval_free");
        if (frees_key || (type == "int" && parameter.name.ends_with("keyval") && p.name.ends_with("_set_attr"))) {
            looks.push_back(
                {.condition = "dampi::piggyback::" + std::string(frees_key ? "is_freed_there" : "is_freed") +
                              "(dampi::piggyback::ResourceKind::keyval, " + parameter.name + ")",
                 .error_class = "MPI_ERR_KEYVAL",
                 .parameter = parameter.name,
                 .wrong = "\"freed before\"",
                 .refused = true});
        }
    }
    return looks;
}

/// All that is looked at before the call, in order.
std::vector<Look> looks_of(const Prototype& p, const std::vector<ArgumentRule>& rules, bool passed) {
    std::vector<Look> looks = looks_at_handles(p, passed);
    for (const ArgumentRule& rule : rules) {
        if (is_rule_for(rule, p)) {
            const std::string before = rule.unusual   ? "dampi::piggyback::warns_unusual() && "
                                       : rule.bounded ? "dampi::piggyback::arguments::knows_bounds() && "
                                                      : "";
            const std::string called =
                rule.bounded ? "constexpr const char* called = \"" + p.name + "\"; " : std::string();
            looks.push_back({.condition = before + "[&] { using namespace dampi::piggyback::arguments; " + called +
                                          "return " + rule.condition + "; }()",
                             .error_class = rule.error_class,
                             .parameter = rule.parameter,
                             .wrong = rule.wrong,
                             .refused = rule.refused,
                             .unusual = rule.unusual || rule.bounded});
        }
    }
    return looks;
}

/// The statements that take a look, in a wrapper that has the variables `call` or, if it is `passed`, what describes
/// it.
std::string taken(const Prototype& p, const std::vector<Look>& looks, const std::string& indent, bool passed,
                  const std::string& arguments) {
    std::string text;
    for (const Look& look : looks) {
        const std::string what = "{" + look.error_class + ", " + std::to_string(position_of(p, look.parameter) - 1) +
                                 ", " + look.wrong + "}";
        const std::string who =
            passed ? "look, function, " + arguments + ", dampi::piggyback::place_of_call(__builtin_return_address(0))"
                   : std::string("call");
        text += indent + "if (" + look.condition + ") [[unlikely]] {\n" + indent + "    ";
        text += look.refused ? "return dampi::piggyback::refuse_argument(" + who + ", " + place_of_errors(p) + ", " +
                                   what + ");\n"
                             : std::string("dampi::piggyback::") + (look.unusual ? "note_unusual" : "note_argument") +
                                   "(" + who + ", " + what + ");\n";
        text += indent + "}\n";
    }
    return text;
}

/// The beginning of a wrapper's definition, under the name by which symbols.hpp leads to it.
std::string signature(const Prototype& p) {
    const std::string prototype =
        p.return_type + " " + p.name + "(" + joined(p.parameters, &Parameter::declaration) + ")";
    return prototype + " __asm__(\"dampi_" + p.name + "\");\n" + prototype + " {\n";
}

/// When a UsedBuffers of one of the libraries can be filled.
std::string arrival(bool central) {
    return std::string("dampi::piggyback::Arrival::") + (central ? "at_completion" : "at_any_time");
}

/// What a wrapper does with a call of the program's that is passed through, but moves data between its buffers; empty
/// for other functions. (A copy of the process that repeats a poll would come to an end with a Call.)
std::string moving(const Prototype& p, const std::string& call_arguments, bool central) {
    static const std::map<std::string, std::string> movers{{"MPI_Reduce_local", "reduce_local"},
                                                           {"MPI_Reduce_local_c", "reduce_local"},
                                                           {"MPI_Pack", "pack"},
                                                           {"MPI_Pack_c", "pack"},
                                                           {"MPI_Unpack", "unpack"},
                                                           {"MPI_Unpack_c", "unpack"}};
    const auto mover = movers.find(p.name);
    if (mover == movers.end()) {
        return "";
    }
    const std::string arguments = joined(p.parameters, &Parameter::name);
    return "        look.unlock();\n        if (!dampi::piggyback::repeating) {\n            dampi::piggyback::Call "
           "call(function, " +
           call_arguments + ", dampi::piggyback::place_of_call(__builtin_return_address(0)));\n            " +
           "dampi::piggyback::UsedBuffers used_buffers(" + arrival(central) + ");\n            " +
           "dampi::piggyback::buffers::" + mover->second + "(used_buffers, " + arguments +
           ");\n            used_buffers.begin(call);\n            return dampi::piggyback::returned(call, P" + p.name +
           "(" + arguments + "));\n        }\n";
}

/// Whether the program has freed the session that the function is given, which alone may have kept MPI going; empty for
/// functions that are given none.
std::string has_freed_session(const Prototype& p) {
    const auto session = std::find_if(p.parameters.begin(), p.parameters.end(),
                                      [](const Parameter& each) { return type_of(each) == "MPI_Session"; });
    return session == p.parameters.end()
               ? ""
               : "dampi::piggyback::is_freed(dampi::piggyback::ResourceKind::session, " + session->name + ")";
}

/// The wrapper of a function that is passed through: it looks at what the rules are about, and at the code that MPI
/// returns.
std::string passing_wrapper(const Prototype& p, const std::vector<ArgumentRule>& rules, bool central) {
    const Described call = described(p, CallClass::pass_through, "        ");
    const std::string looks = taken(p, looks_of(p, rules, true), "        ", true, call.arguments);
    const std::string moves = moving(p, call.arguments, central);
    const std::string late = has_freed_session(p);
    const std::string looked =
        looks.empty() && moves.empty()
            ? ""
            : "    if (dampi::piggyback::PassedCall "
              "look(dampi::piggyback::place_of_call(__builtin_return_address(0))); look.is_programs()" +
                  (late.empty() ? "" : " || (look.is_late() && " + late + ")") + ") {\n" + call.statements + looks +
                  moves + "    }\n";
    const Parameter* request = new_request(p, CallClass::pass_through);
    const std::string noted =
        request == nullptr ? ""
                           : " else {\n        dampi::piggyback::note_passed_request(*" + request->name + ");\n    }";
    const std::string watched = is_for_any_thread(p.name)
                                    ? ""
                                    : "    const dampi::piggyback::WatchedCall watched(\"" + p.name +
                                          "\", dampi::piggyback::place_of_call(__builtin_return_address(0)));\n";
    const std::string seen = p.name.starts_with("MPI_File_")
                                 ? "    const dampi::piggyback::NotedCall seen(\"" + p.name +
                                       "\", dampi::piggyback::place_of_call(__builtin_return_address(0)));\n"
                                 : "";
    // A Call is watched as well.
    return signature(p) + first_local(p) + (moves.empty() ? watched + looked : looked + watched) + seen +
           "    const int code = P" + p.name + "(" + joined(p.parameters, &Parameter::name) +
           ");\n    if (code != 0) [[unlikely]] {\n" + call.statements +
           "        dampi::piggyback::note_failed_passing(function, " + call.arguments +
           ", code, dampi::piggyback::place_of_call(__builtin_return_address(0)));\n    }" + noted +
           "\n    return code;\n}\n";
}

/// What makes the wrappers of one of the libraries differ from those of the other.
struct Library {
    std::string bodies;    ///< namespace
    bool central = false;  ///< the centralized engine's
    /// Whether MPI cannot be asked, as it knows nothing of the communicators and requests.
    bool answers = false;
};

/// The wrapper of a function that the centralized engine refuses.
std::string refusing_wrapper(const Prototype& p, CallClass call_class) {
    const Described described_call = described(p, call_class, "    ");
    const std::string native = "    return P" + p.name + "(" + joined(p.parameters, &Parameter::name) + ");\n";
    return signature(p) + described_call.statements + "    dampi::piggyback::Call call(function, " +
           described_call.arguments + ", dampi::piggyback::place_of_call(__builtin_return_address(0)));\n" +
           "    if (call.outermost()) {\n        dampi::piggyback::central::refuse(call);\n    }\n" + native + "}\n";
}

/// What a polling function does in a copy of the process that is tried out (piggyback/rank/repeated_poll).
std::string repeated_poll(const Prototype& p) {
    std::string asked;
    std::string answers;
    std::string count = "1";
    for (const auto& parameter : p.parameters) {
        const std::string& name = parameter.name;
        if (name == "count" || name == "incount") {
            count = name;
        } else if (name == "request") {
            asked = count + (type_of(parameter) == "MPI_Request" ? ", &" : ", ") + name;
        } else if (name == "array_of_requests") {
            asked = count + ", " + name;
        } else if (name == "comm") {
            asked = "comm, source";
        } else if (name == "flag" || name == "outcount") {
            answers += "        *" + name + " = 0;\n";
        } else if (name == "index" || name == "indx") {
            answers += "        *" + name + " = MPI_UNDEFINED;\n";
        }
    }
    DAMPI_CHECK(!asked.empty() && !answers.empty());
    return "    if (dampi::piggyback::repeating && dampi::piggyback::repeats_poll(function.name, "
           "dampi::piggyback::place_of_call(__builtin_return_address(0)), " +
           asked + ")) [[unlikely]] {\n" + answers + "        return MPI_SUCCESS;\n    }\n";
}

/// The function of piggyback/rank/buffers/arguments.hpp that says which buffers a call has; empty if it has none.
std::string buffers_of(const Prototype& p, CallClass call_class) {
    static const std::map<std::string, std::string> messages{{"send", "send"},
                                                             {"bsend", "send"},
                                                             {"ssend", "send"},
                                                             {"rsend", "send"},
                                                             {"recv", "receive"},
                                                             {"mrecv", "matched_receive"},
                                                             {"sendrecv", "send_and_receive"},
                                                             {"sendrecv_replace", "send_and_replace"},
                                                             {"psend", "partitioned_send"},
                                                             {"precv", "partitioned_receive"}};
    static const std::regex parts("MPI_(I(?=[a-z]))?(.*?)(_init)?(_c)?");
    std::smatch match;
    if (!std::regex_match(p.name, match, parts)) {
        return "";
    }
    const std::string plain = body_name("MPI_" + match[2].str());
    if (call_class == CallClass::point_to_point) {
        const auto message = messages.find(plain);
        return message == messages.end() ? "" : message->second;
    }
    const bool has_buffers = find_parameter(p, {"recvbuf", "buffer"}) != nullptr;
    return call_class == CallClass::collective && has_buffers ? plain : "";
}

/// What a wrapper says of the buffers of its call.
struct BufferStatements {
    std::string before;  ///< the body
    std::string after;   ///< it, when it has succeeded
};

BufferStatements buffer_statements(const Prototype& p, CallClass call_class, const Library& library) {
    const std::string function = buffers_of(p, call_class);
    if (function.empty()) {
        return {};
    }
    const Parameter* request = new_request(p, call_class);
    const bool persistent = p.name.find("_init") != std::string::npos;
    std::string arguments;
    for (const Parameter& parameter : p.parameters) {
        const std::string type = type_of(parameter);
        if (type != "MPI_Info" && type != "MPI_Status *" && &parameter != request) {
            arguments += ", " + parameter.name;
        }
    }
    const std::string begin = request == nullptr ? "begin" : persistent ? "check_alone" : "begin_pending";
    const std::string keep = persistent ? "keep_persistent(call, " : "keep(";
    return {.before = "    dampi::piggyback::UsedBuffers used_buffers(" + arrival(library.central) +
                      (request == nullptr ? "" : ", true") + ");\n    dampi::piggyback::buffers::" + function +
                      "(used_buffers" + arguments + ");\n    used_buffers." + begin + "(call);\n",
            .after = request == nullptr ? "" : "        used_buffers." + keep + "*" + request->name + ");\n"};
}

std::string wrapper(const Prototype& p, CallClass call_class, const Library& library,
                    const std::vector<ArgumentRule>& rules) {
    const auto arguments = joined(p.parameters, &Parameter::name);
    const std::string native = "P" + p.name + "(" + arguments + ")";
    const auto pass_on = "return " + native + ";\n";
    // MPI_Init and MPI_Finalize are the program's own calls, but nothing is modelled before and after them. The clock
    // runs there, too.
    const std::string handled =
        call_class == CallClass::lifecycle || call_class == CallClass::time ? "outermost" : "modelled";

    const Described described_call = described(p, call_class, "    ");
    std::string text = signature(p) + first_local(p) + described_call.statements +
                       (call_class == CallClass::polling ? repeated_poll(p) : "") +
                       "    dampi::piggyback::Call call(function, " + described_call.arguments +
                       ", dampi::piggyback::place_of_call(__builtin_return_address(0)));\n";
    const Parameter* request = new_request(p, call_class);
    const BufferStatements buffers = buffer_statements(p, call_class, library);
    const auto returns = [&](const std::string& code) {
        if (!returns_error_code(p)) {
            return "    return " + code + ";\n";
        }
        if (request == nullptr) {
            return "    return dampi::piggyback::returned(call, " + code + ");\n";
        }
        return "    const int code = " + code + ";\n    if (code == 0) {\n" + buffers.after +
               "        dampi::piggyback::note_handed_out(call, *" + request->name +
               ");\n    }\n    return dampi::piggyback::returned(call, code);\n";
    };
    if (call_class == CallClass::not_modelled) {
        return text + "    if (call.modelled()) {\n        call.not_modelled();\n" +
               (library.central ? "" : "        dampi::piggyback::distributed::end_open_polling(call);\n") +
               taken(p, looks_of(p, rules, true), "        ", false, "") + "    }\n" +
               returns("dampi::piggyback::Call::unlocked([&] { return " + native + "; })") + "}\n";
    }
    const std::string late = has_freed_session(p);
    text += "    if (!call." + handled + "()" +
            (late.empty() || handled == "outermost" ? "" : " && !(call.outermost() && " + late + ")") +
            ") {\n        " + pass_on + "    }\n";
    for (const auto& parameter : p.parameters) {
        if (type_of(parameter) == "MPI_Datatype") {
            text += "    " + parameter.name + " = dampi::piggyback::held_datatype(" + parameter.name + ");\n";
        }
    }
    if (ends_polling(call_class)) {
        text += "    dampi::piggyback::take_time();\n";
        text += library.central ? "    dampi::piggyback::central::end_polling();\n"
                                : "    dampi::piggyback::distributed::end_open_polling(call);\n";
    }
    const auto refuse = [&](const std::string& condition, const std::string& answered) {
        if (!condition.empty()) {
            text += "    if (" + condition + ") [[unlikely]] {\n        return dampi::piggyback::returned(call, " +
                    (library.answers ? "dampi::piggyback::central::" + answered
                                     : "dampi::piggyback::make_refused(call, [&] { return " + native + "; })") +
                    ");\n    }\n";
        }
    };
    text += taken(p, looks_of(p, rules, false), "    ", false, "");
    refuse(lacks_a_place(p, call_class), "refuse_null(call, " + place_of_errors(p) + ")");
    refuse(lacks_a_buffer(p, call_class), "refuse_null_buffer(call, comm)");
    return text + buffers.before +
           returns(library.bodies + "::" + body_name(p.name) + "(call" + (arguments.empty() ? "" : ", " + arguments) +
                   ")") +
           "}\n";
}

/// The assembler's part of symbols.hpp. Numbers of functions are their places in `wrapped` and behind it `others`.
class Entries {
public:
    Entries(const std::vector<std::string>& wrapped, const std::vector<std::string>& others) {
        functions_ = wrapped;
        functions_.insert(functions_.end(), others.begin(), others.end());
        wrapped_ = wrapped.size();
    }

    /// For the shared library.
    [[nodiscard]] std::string shared() const {
        std::string text = "    .text\n";
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            const std::string& name = functions_[i];
            const std::string offset = "+" + std::to_string(8 * i);
            const std::string native = "dampi_native_functions" + offset;
            if (i < wrapped_) {
                const std::string outer = "dampi_outer_functions" + offset;
                text += hidden("dampi_" + name) + function(name, true) + "    leads_to " + outer + "\n";
                // The local name is that of this library's, whoever else defines the other one before it.
                text += function("P" + name, true) + local("dampi_profiling_" + name) +
                        "    leads_to_if_called_by_mpi " + native + ", dampi_" + name + "\n";
                text += local("dampi_first_outer_" + name) + "    leads_to_at_first " + outer + "\n";
            }
            text += function("__wrap_P" + name, false) + "    leads_to " + native + "\n";
            text += local("dampi_first_native_" + name) + "    leads_to_at_first " + native + "\n";
        }
        text += "    .data\n" + table("dampi_native_functions", functions_.size(), "dampi_first_native_") +
                table("dampi_outer_functions", wrapped_, "dampi_first_outer_") + "    .section .data.rel.ro,\"aw\"\n" +
                table("dampi_wrappers", wrapped_, "dampi_") +
                table("dampi_profiling_entries", wrapped_, "dampi_profiling_") +
                table("dampi_first_native_functions", functions_.size(), "dampi_first_native_") +
                "    .hidden dampi_function_names\n" + "dampi_function_names:\n";
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            text += "    .quad 1f+" + std::to_string(name_offset(i)) + "\n";
        }
        text += "    .section .rodata\n1:\n";
        for (const auto& name : functions_) {
            text += "    .asciz \"P" + name + "\"\n";
        }
        text += number("dampi_wrapped_functions", wrapped_) + number("dampi_all_functions", functions_.size());
        return text + "    .globl dampi_function_names\n    .text\n";
    }

    /// For the archive, where the linker binds all else.
    [[nodiscard]] std::string archive() const {
        std::string text = "    .text\n";
        for (std::size_t i = 0; i < wrapped_; ++i) {
            text += hidden("dampi_" + functions_[i]) + function(functions_[i], true) + "    goes_to dampi_" +
                    functions_[i] + "\n";
        }
        return text;
    }

    /// The linker's options that lead the shared library's own calls to the native functions.
    [[nodiscard]] std::string wraps() const {
        std::string text;
        for (const auto& name : functions_) {
            text += "--wrap=P" + name + "\n";
        }
        return text;
    }

private:
    static std::string function(const std::string& name, bool exported) {
        return "    .globl " + name + "\n    .type " + name + ",@function\n" +
               (exported ? "" : "    .hidden " + name + "\n") + name + ":\n";
    }
    static std::string hidden(const std::string& name) { return "    .hidden " + name + "\n"; }
    static std::string local(const std::string& name) { return name + ":\n"; }
    [[nodiscard]] std::string table(const std::string& name, std::size_t count, const std::string& prefix) const {
        std::string text = "    .globl " + name + "\n    .hidden " + name + "\n    .balign 8\n" + name + ":\n";
        for (std::size_t i = 0; i < count; ++i) {
            text += "    .quad " + prefix + functions_[i] + "\n";
        }
        return text;
    }
    static std::string number(const std::string& name, std::size_t value) {
        return "    .globl " + name + "\n    .hidden " + name + "\n    .balign 8\n" + name + ":\n    .quad " +
               std::to_string(value) + "\n";
    }
    [[nodiscard]] std::size_t name_offset(std::size_t index) const {
        std::size_t offset = 0;
        for (std::size_t i = 0; i < index; ++i) {
            offset += functions_[i].size() + 2;  // "P" and the final zero
        }
        return offset;
    }

    std::vector<std::string> functions_;
    std::size_t wrapped_ = 0;
};

std::string as_source(const std::string& assembler) {
    return "// The names under which the program and others call the MPI functions: symbols.hpp.\n"
           "// Generated by generate_wrappers.cpp; do not edit.\n#include \"piggyback/interception/entry_code.hpp\"\n\n"
           "__asm__(DAMPI_ENTRY_CODE R\"assembler(\n" +
           assembler + ")assembler\");\n";
}

struct Sources {
    std::string calls;  ///< declarations of the bodies
    std::string wrappers;
};

constexpr const char* generated_note = "// Generated by generate_wrappers.cpp; do not edit.\n";
using Prototypes = std::map<std::string, Prototype>;

/// Whether the body stands in piggyback/rank: what it does is the same with both engines.
bool every_ranks(const TableLine& line) { return line.treatment == Treatment::shared; }

Sources sources_of_layer(const std::vector<TableLine>& table, const Prototypes& prototypes,
                         const std::vector<ArgumentRule>& rules) {
    Sources sources;
    sources.calls =
        std::string(
            "// The bodies of the wrappers, one for each MPI function whose class in functions.def has one.\n") +
        generated_note +
        "#pragma once\n\n#include \"piggyback/rank/call.hpp\"\n\n#include <mpi.h>\n\n"
        "namespace dampi::piggyback {\n\n";
    sources.wrappers = std::string("// The MPI functions as the program under test sees them.\n") + generated_note +
                       "#include \"piggyback/interception/calls.hpp\"\n\n"
                       "#include \"piggyback/rank/argument_text.hpp\"\n"
                       "#include \"piggyback/rank/arguments/conditions.hpp\"\n"
                       "#include \"piggyback/rank/arguments/wrong_argument.hpp\"\n"
                       "#include \"piggyback/rank/buffers/arguments.hpp\"\n"
                       "#include \"piggyback/rank/communicators/being_made.hpp\"\n"
                       "#include \"piggyback/rank/collectives/null_buffers.hpp\"\n"
                       "#include \"piggyback/rank/errors/errors.hpp\"\n"
                       "#include \"piggyback/rank/errors/thrown.hpp\"\n"
                       "#include \"piggyback/rank/repeated_poll.hpp\"\n"
                       "#include \"piggyback/rank/repetition.hpp\"\n"
                       "#include \"piggyback/rank/resources/held_datatype.hpp\"\n"
                       "#include \"piggyback/rank/translation.hpp\"\n"
                       "#include \"piggyback/rank/time/virtual_time.hpp\"\n"
                       "#include \"piggyback/distributed/completion/polling.hpp\"\n\nextern \"C\" {\n";
    const Library shared{.bodies = "dampi::piggyback::calls"};
    const Library own{.bodies = "dampi::piggyback::distributed::calls"};
    for (const auto& line : table) {
        const auto& prototype = prototypes.at(line.function);
        if (passes(prototype, line.call_class)) {
            sources.wrappers += "\n" + passing_wrapper(prototype, rules, false);
        }
        if (!has_wrapper(line.call_class)) {
            continue;
        }
        if (has_body(line.call_class)) {
            // So that whoever writes the body knows whether there is such a function.
            sources.calls += line.newer ? "#define DAMPI_HAS_" + line.function + "\n" : "";
            sources.calls += every_ranks(line)
                                 ? "namespace calls {\n" + declaration_of_body(prototype) + "}\n"
                                 : "namespace distributed::calls {\n" + declaration_of_body(prototype) + "}\n";
        }
        sources.wrappers += "\n" + wrapper(prototype, line.call_class, every_ranks(line) ? shared : own, rules);
    }
    sources.calls += "\n}  // namespace dampi::piggyback\n";
    sources.wrappers += "\n}  // extern \"C\"\n";
    return sources;
}

Sources sources_of_central(const std::vector<TableLine>& table, const Prototypes& prototypes,
                           const std::vector<ArgumentRule>& rules) {
    Sources sources;
    sources.calls = std::string(
                        "// The bodies of the wrappers in the centralized engine's library, one for each MPI function "
                        "that it answers.\n") +
                    generated_note +
                    "#pragma once\n\n#include \"piggyback/rank/call.hpp\"\n\n#include <mpi.h>\n\n"
                    "namespace dampi::piggyback::central::calls {\n\n";
    sources.wrappers =
        std::string("// The MPI functions as the program under test sees them with the centralized engine.\n") +
        generated_note +
        "#include \"piggyback/interception/calls.hpp\"\n#include \"piggyback/interception/central_calls.hpp\"\n\n"
        "#include \"piggyback/rank/argument_text.hpp\"\n"
        "#include \"piggyback/rank/arguments/conditions.hpp\"\n"
        "#include \"piggyback/rank/arguments/wrong_argument.hpp\"\n"
        "#include \"piggyback/rank/buffers/arguments.hpp\"\n"
        "#include \"piggyback/rank/communicators/being_made.hpp\"\n"
        "#include \"piggyback/rank/collectives/null_buffers.hpp\"\n"
        "#include \"piggyback/central/wrapping.hpp\"\n"
        "#include \"piggyback/rank/errors/errors.hpp\"\n"
        "#include \"piggyback/rank/errors/thrown.hpp\"\n"
        "#include \"piggyback/rank/repeated_poll.hpp\"\n"
        "#include \"piggyback/rank/repetition.hpp\"\n"
        "#include \"piggyback/rank/resources/held_datatype.hpp\"\n"
        "#include \"piggyback/rank/translation.hpp\"\n"
        "#include \"piggyback/rank/time/virtual_time.hpp\"\n\nextern \"C\" {\n";
    const Library shared{.bodies = "dampi::piggyback::calls", .central = true};
    const Library own{.bodies = "dampi::piggyback::central::calls", .central = true, .answers = true};
    for (const auto& line : table) {
        const auto& prototype = prototypes.at(line.function);
        switch (line.treatment) {
            case Treatment::passed:
                if (line.call_class == CallClass::one_sided || passes(prototype, line.call_class)) {
                    sources.wrappers += "\n" + passing_wrapper(prototype, rules, true);
                }
                break;
            case Treatment::shared:
                sources.wrappers += "\n" + wrapper(prototype, line.call_class, shared, rules);
                break;
            case Treatment::answered:
                sources.calls += declaration_of_body(prototype);
                sources.wrappers += "\n" + wrapper(prototype, line.call_class, own, rules);
                break;
            case Treatment::refused:
                sources.wrappers += "\n" + refusing_wrapper(prototype, line.call_class);
                break;
        }
    }
    sources.calls += "\n}  // namespace dampi::piggyback::central::calls\n";
    sources.wrappers += "\n}  // extern \"C\"\n";
    return sources;
}

/// An initializer list of names.
std::string refused_functions(const std::vector<TableLine>& table) {
    std::string text =
        std::string("// The MPI functions that the centralized engine does not model, sorted.\n") + generated_note;
    std::set<std::string> names;
    for (const auto& line : table) {
        if (line.treatment == Treatment::refused) {
            names.insert(line.function);
        }
    }
    for (const auto& name : names) {
        text += "\"" + name + "\",\n";
    }
    return text;
}

int generate(const std::string& table_file, const std::string& rules_file, const std::filesystem::path& directory,
             const std::vector<std::string>& headers) {
    const auto prototypes = read_prototypes(headers);
    const auto table = without_undeclared_newer(read_table(table_file), prototypes);
    const auto rules = parse_rules(read_file(rules_file), rules_file);
    auto wrong = disagreements(table, table_file, prototypes);
    for (const ArgumentRule& rule : rules) {
        const auto prototype = prototypes.find(rule.function);
        if (prototype == prototypes.end() || position_of(prototype->second, rule.parameter) == 0) {
            wrong.push_back(rules_file + ": " + rule.function + " has no parameter " + rule.parameter);
        }
    }
    for (const auto& sentence : wrong) {
        std::cerr << sentence << '\n';
    }
    if (!wrong.empty()) {
        return 1;
    }

    std::vector<std::string> wrapped;
    std::vector<std::string> others;
    for (const auto& line : table) {
        if (passes(prototypes.at(line.function), line.call_class) || has_wrapper(line.call_class) ||
            line.call_class == CallClass::by_hand) {
            wrapped.push_back(line.function);
        } else if (line.call_class != CallClass::not_exported) {
            others.push_back(line.function);
        }
    }
    const Sources layer = sources_of_layer(table, prototypes, rules);
    const Sources central = sources_of_central(table, prototypes, rules);

    std::filesystem::create_directories(directory);
    write_file(directory / "calls.hpp", layer.calls);
    write_file(directory / "wrappers.cpp", layer.wrappers);
    write_file(directory / "central_calls.hpp", central.calls);
    write_file(directory / "central_wrappers.cpp", central.wrappers);
    write_file(directory / "refused_functions.inc", refused_functions(table));
    std::sort(wrapped.begin(), wrapped.end());
    const Entries entries(wrapped, others);
    write_file(directory / "entries.cpp", as_source(entries.shared()));
    write_file(directory / "entries_of_archive.cpp", as_source(entries.archive()));
    write_file(directory / "wraps.ld", entries.wraps());
    return 0;
}

int list(const std::string& table_file) {
    for (const auto& line : read_table(table_file)) {
        std::cout << line.function << ' ' << to_string(line.call_class) << '\n';
    }
    return 0;
}

/// Functions (not variables) named MPI_... in the output of nm.
std::set<std::string> exported_functions(std::istream& nm_output) {
    // ch3 and ch4 builds export them as weak aliases (W) of the PMPI_ ones or as functions (T, i).
    static const std::regex symbol(R"(^[0-9a-fA-F]+ [TWi] (MPI_\w+)(@.*)?$)");
    std::set<std::string> names;
    std::string line;
    std::smatch match;
    while (std::getline(nm_output, line)) {
        if (std::regex_match(line, match, symbol)) {
            names.insert(match[1]);
        }
    }
    return names;
}

int check_exports(const std::string& table_file, std::istream& nm_output) {
    auto exported = exported_functions(nm_output);
    if (exported.empty()) {
        throw Error("no MPI function in the input: is this the output of nm -D --defined-only of an MPI library?");
    }
    int status = 0;
    for (const auto& line : read_table(table_file)) {
        const bool is_exported = exported.erase(line.function) != 0;
        if (is_exported == (line.call_class == CallClass::not_exported) && (is_exported || !line.newer)) {
            std::cerr << table_file << ':' << line.line << ": " << line.function << " is "
                      << (is_exported ? "exported by the MPI library after all\n"
                                      : "not exported by the MPI library\n");
            status = 1;
        }
    }
    for (const auto& name : exported) {
        std::cerr << table_file << ": does not classify " << name << ", which the MPI library exports\n";
        status = 1;
    }
    return status;
}

int report_missing(const std::string& table_file, std::istream& nm_output) {
    static const std::regex symbol(R"(^[0-9a-fA-F]+ [TtWw] dampi::piggyback::calls::(\w+)\(.*$)");
    std::set<std::string> defined;
    std::string text;
    std::smatch match;
    while (std::getline(nm_output, text)) {
        if (std::regex_match(text, match, symbol)) {
            defined.insert(match[1]);
        }
    }
    int status = 0;
    for (const auto& line : read_table(table_file)) {
        if (has_body(line.call_class) && !line.newer && !defined.contains(body_name(line.function))) {
            std::cout << to_string(line.call_class) << ' ' << body_name(line.function) << '\n';
            status = 1;
        }
    }
    return status;
}

int run(const std::vector<std::string>& arguments) {
    const auto mode = arguments.empty() ? std::string() : arguments[0];
    if (mode == "--generate" && arguments.size() >= 5) {
        return generate(arguments[1], arguments[2], arguments[3], {arguments.begin() + 4, arguments.end()});
    }
    if (mode == "--list" && arguments.size() == 2) {
        return list(arguments[1]);
    }
    if (mode == "--check-exports" && arguments.size() == 2) {
        return check_exports(arguments[1], std::cin);
    }
    if (mode == "--report-missing" && arguments.size() == 2) {
        return report_missing(arguments[1], std::cin);
    }
    std::cerr << usage;
    return 2;
}

}  // namespace
}  // namespace dampi::piggyback

int main(int argc, char** argv) {
    try {
        return dampi::piggyback::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "dampi_generate_wrappers: " << error.what() << '\n';
        return 1;
    }
}
