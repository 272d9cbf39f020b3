// The table functions.def in memory: the class of every function of the MPI library. Build-time code: it is
// no part of libdampi.so.
#pragma once

#include "piggyback/interception/prototypes.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::piggyback {

/// What the layer does with a call; functions.def says what each means.
enum class CallClass {
    pass_through,
    tracked,
    communicator,
    point_to_point,
    collective,
    one_sided,
    completion,
    polling,
    time,
    lifecycle,
    not_modelled,
    by_hand,
    not_exported,
};

[[nodiscard]] std::string_view to_string(CallClass call_class);
[[nodiscard]] std::optional<CallClass> call_class_from(std::string_view name);

/// Whether somebody writes a body `calls::<name>` for the functions of this class.
[[nodiscard]] bool has_body(CallClass call_class);
/// Whether a call ends a sequence of polling calls.
[[nodiscard]] bool ends_polling(CallClass call_class);
/// Whether it would have to be modelled where a callback of the program's calls it from inside of MPI.
[[nodiscard]] bool communicates(CallClass call_class);
/// Whether a wrapper is generated that makes a Call. (That of a function which is passed through only looks at the code
/// that MPI returns.)
[[nodiscard]] bool has_wrapper(CallClass call_class);

/// What the centralized engine's library does with a call; functions.def says what each means.
enum class Treatment { passed, shared, answered, refused };

[[nodiscard]] std::optional<Treatment> treatment_from(std::string_view name);
/// That of the functions of this class for which the table says no other.
[[nodiscard]] Treatment usual_treatment(CallClass call_class);

struct TableLine {
    std::string function;  ///< "MPI_Send"
    CallClass call_class = CallClass::pass_through;
    Treatment treatment = Treatment::passed;
    int line = 0;        ///< in the file, from 1
    bool newer = false;  ///< an older MPI library need not have it
};

/// The lines of functions.def in order. Throws dampi::Error, naming `file` and the line, for a line that is neither
/// an entry nor a comment, an unknown class or treatment, or a function that occurs twice.
[[nodiscard]] std::vector<TableLine> parse_table(std::string_view text, const std::string& file);

/// Without the newer functions that the headers do not declare.
[[nodiscard]] std::vector<TableLine> without_undeclared_newer(std::vector<TableLine> table,
                                                              const std::map<std::string, Prototype>& prototypes);

/// The name of the body of `function`: "irecv" for "MPI_Irecv". `function` begins with "MPI_".
[[nodiscard]] std::string body_name(std::string_view function);

}  // namespace dampi::piggyback
