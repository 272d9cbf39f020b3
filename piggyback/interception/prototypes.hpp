// Reads the prototypes of the MPI functions out of MPICH's headers (mpi_proto.h, mpio.h), so that the
// wrappers follow the library in use. Build-time code: it is no part of libdampi.so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dampi::piggyback {

struct Parameter {
    std::string declaration;  ///< as a definition writes it: "const int sendcounts[]"
    std::string name;         ///< "sendcounts"
};

/// One function's declaration.
struct Prototype {
    std::string return_type;            ///< "int", "double", "MPI_Aint"
    std::string name;                   ///< "MPI_Send"
    std::vector<Parameter> parameters;  ///< empty for (void)
    bool variadic = false;              ///< ends in "..."
};

/// All prototypes of functions whose names begin with "MPI_", in the order of the text. Comments,
/// preprocessor lines, attributes, typedefs and functions of other names (PMPI_, QMPI_, MPIX_) are skipped;
/// an unnamed parameter gets the name argument_1, argument_2, ... When a function is declared twice, the
/// first declaration counts. Throws dampi::Error when a prototype cannot be understood.
[[nodiscard]] std::vector<Prototype> parse_prototypes(std::string_view header_text);

}  // namespace dampi::piggyback
