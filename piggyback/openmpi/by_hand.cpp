// The functions whose arguments need more than their types and names say (generate_translation.cpp): callbacks, strings
// whose room differs, values that come back in arrays, and numbers of handles in Fortran. Each is what its name,
// without "dampi_openmpi_", says.
#include "piggyback/openmpi/by_hand.hpp"

#include "piggyback/openmpi/arguments.hpp"
#include "piggyback/openmpi/callbacks.hpp"
#include "piggyback/openmpi/next.hpp"
#include "piggyback/openmpi/objects.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

namespace dampi::piggyback::openmpi {
namespace {

/// Gives a string of MPICH's to the program, which has less room; what does not fit is left out.
void give(const char* text, char* string, int* length, int room) {
    const std::size_t size = std::min(std::strlen(text), static_cast<std::size_t>(room - 1));
    std::memcpy(string, text, size);
    string[size] = '\0';
    *length = static_cast<int>(size);
}

template <typename Function, typename Object>
int get_name(Function function, Object object, char* name, int* length) {
    if (name == nullptr || length == nullptr) {
        return function(object, name, length);
    }
    std::array<char, MPI_MAX_OBJECT_NAME> text{};
    const int code = function(object, text.data(), length);
    if (code == MPI_SUCCESS) {
        give(text.data(), name, length, object_name_room);
    }
    return code;
}

template <typename Function, typename Object>
int get_attribute(Function function, Object object, int keyval, void* value, int* flag) {
    const int code = function(object, keyval_to_mpich(keyval), value, flag);
    if (code != MPI_SUCCESS || value == nullptr || flag == nullptr || *flag == 0) {
        return code;
    }
    // The value of these is the address of a constant.
    static std::array<int, keyvals> own{};
    const auto put = [&](int constant) {
        own[static_cast<std::size_t>(keyval)] = constant;
        *static_cast<int**>(value) = &own[static_cast<std::size_t>(keyval)];
    };
    if (keyval == host || keyval == io) {
        put(rank_to_openmpi(**static_cast<int**>(value)));
    } else if (keyval == win_model) {
        put(**static_cast<int**>(value) == MPI_WIN_UNIFIED ? win_unified : win_separate);
    }
    return code;
}

template <typename Function>
int create_keyval(Function function, UserCopy* copy, UserDelete* remove, int* keyval, void* state) {
    const AttributeFunctions functions = functions_for(copy, remove, state);
    return function(functions.copy, functions.remove, keyval, functions.state);
}

}  // namespace

extern "C" {

// Callbacks

int dampi_openmpi_comm_create_keyval(UserCopy* copy, UserDelete* remove, int* keyval, void* state) {
    return code_to_openmpi(create_keyval(next::comm_create_keyval(), copy, remove, keyval, state));
}
int dampi_openmpi_type_create_keyval(UserCopy* copy, UserDelete* remove, int* keyval, void* state) {
    return code_to_openmpi(create_keyval(next::type_create_keyval(), copy, remove, keyval, state));
}
int dampi_openmpi_win_create_keyval(UserCopy* copy, UserDelete* remove, int* keyval, void* state) {
    return code_to_openmpi(create_keyval(next::win_create_keyval(), copy, remove, keyval, state));
}
int dampi_openmpi_keyval_create(UserCopy* copy, UserDelete* remove, int* keyval, void* state) {
    return code_to_openmpi(create_keyval(next::keyval_create(), copy, remove, keyval, state));
}

int dampi_openmpi_op_create(UserOperator* function, int commutes, Handle* op) {
    OneHandle<to_openmpi> own(op);
    return code_to_openmpi(next::op_create()(function_for(function), commutes, own.get()));
}

int dampi_openmpi_comm_create_errhandler(UserErrorHandler* function, Handle* handler) {
    OneHandle<to_openmpi> own(handler);
    return code_to_openmpi(next::comm_create_errhandler()(function_for(function), own.get()));
}
int dampi_openmpi_errhandler_create(UserErrorHandler* function, Handle* handler) {
    OneHandle<to_openmpi> own(handler);
    return code_to_openmpi(next::errhandler_create()(function_for(function), own.get()));
}
int dampi_openmpi_win_create_errhandler(UserErrorHandler* function, Handle* handler) {
    OneHandle<to_openmpi> own(handler);
    return code_to_openmpi(next::win_create_errhandler()(function_for(function), own.get()));
}
int dampi_openmpi_file_create_errhandler(UserErrorHandler* function, Handle* handler) {
    OneHandle<to_openmpi> own(handler);
    return code_to_openmpi(next::file_create_errhandler()(file_function_for(function), own.get()));
}

int dampi_openmpi_grequest_start(UserQuery* query, MPI_Grequest_free_function* free,
                                 MPI_Grequest_cancel_function* cancel, void* state, Handle* request) {
    const RequestFunctions functions = functions_for(query, free, cancel, state);
    OneHandle<to_openmpi> own(request);
    return code_to_openmpi(
        next::grequest_start()(functions.query, functions.free, functions.cancel, functions.state, own.get()));
}

int dampi_openmpi_register_datarep(const char* name, UserConversion* read, UserConversion* write, UserExtent* extent,
                                   void* state) {
    const RepresentationFunctions functions = functions_for(read, write, extent, state);
    return code_to_openmpi(
        next::register_datarep()(name, functions.read, functions.write, functions.extent, functions.state));
}

// Attributes

int dampi_openmpi_comm_get_attr(Handle comm, int keyval, void* value, int* flag) {
    return code_to_openmpi(get_attribute(next::comm_get_attr(), to_mpich(comm), keyval, value, flag));
}
int dampi_openmpi_attr_get(Handle comm, int keyval, void* value, int* flag) {
    return code_to_openmpi(get_attribute(next::comm_get_attr(), to_mpich(comm), keyval, value, flag));
}
int dampi_openmpi_win_get_attr(Handle win, int keyval, void* value, int* flag) {
    return code_to_openmpi(get_attribute(next::win_get_attr(), to_mpich(win), keyval, value, flag));
}

// Strings

int dampi_openmpi_comm_get_name(Handle comm, char* name, int* length) {
    return code_to_openmpi(get_name(next::comm_get_name(), to_mpich(comm), name, length));
}
int dampi_openmpi_type_get_name(Handle type, char* name, int* length) {
    return code_to_openmpi(get_name(next::type_get_name(), to_mpich(type), name, length));
}
int dampi_openmpi_win_get_name(Handle win, char* name, int* length) {
    return code_to_openmpi(get_name(next::win_get_name(), to_mpich(win), name, length));
}

int dampi_openmpi_error_string(int code, char* string, int* length) {
    if (string == nullptr || length == nullptr) {
        return code_to_openmpi(next::error_string()(code_to_mpich(code), string, length));
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    const int result = next::error_string()(code_to_mpich(code), text.data(), length);
    if (result == MPI_SUCCESS) {
        give(text.data(), string, length, error_string_room);
    }
    return code_to_openmpi(result);
}

int dampi_openmpi_error_class(int code, int* error_class) {
    const int result = next::error_class()(code_to_mpich(code), error_class);
    if (result == MPI_SUCCESS && error_class != nullptr) {
        *error_class = code_to_openmpi(*error_class);
    }
    return code_to_openmpi(result);
}

int dampi_openmpi_get_library_version(char* version, int* length) {
    give("Open MPI as dampi has it: the calls are MPICH's (" MPICH_VERSION ")", version, length, library_version_room);
    return MPI_SUCCESS;
}

/// Of Open MPI 4; what the program may call is more.
int dampi_openmpi_get_version(int* version, int* subversion) {
    *version = 3;
    *subversion = 1;
    return MPI_SUCCESS;
}

int dampi_openmpi_info_get_nthkey(Handle info, int n, char* key) {
    if (key == nullptr) {
        return code_to_openmpi(next::info_get_nthkey()(to_mpich(info), n, key));
    }
    std::array<char, MPI_MAX_INFO_KEY + 1> text{};
    const int code = next::info_get_nthkey()(to_mpich(info), n, text.data());
    if (code == MPI_SUCCESS) {
        int length = 0;
        give(text.data(), key, &length, info_key_room);
    }
    return code_to_openmpi(code);
}

// Values that come back, or in arrays

int dampi_openmpi_topo_test(Handle comm, int* status) {
    const int code = next::topo_test()(to_mpich(comm), status);
    if (code == MPI_SUCCESS && status != nullptr) {
        *status = topology_to_openmpi(*status);
    }
    return code_to_openmpi(code);
}

int dampi_openmpi_group_translate_ranks(Handle group1, int n, const int ranks1[], Handle group2, int ranks2[]) {
    std::vector<int> ranks;
    if (ranks1 != nullptr && n > 0) {
        std::transform(ranks1, ranks1 + n, std::back_inserter(ranks), rank_to_mpich);
    }
    const int code = next::group_translate_ranks()(to_mpich(group1), n, ranks.empty() ? ranks1 : ranks.data(),
                                                   to_mpich(group2), ranks2);
    if (code == MPI_SUCCESS && ranks2 != nullptr && n > 0) {
        std::transform(ranks2, ranks2 + n, ranks2, rank_to_openmpi);
    }
    return code_to_openmpi(code);
}

int dampi_openmpi_type_create_darray(int size, int rank, int ndims, const int gsizes[], const int distribs[],
                                     const int dargs[], const int psizes[], int order, Handle oldtype,
                                     Handle* newtype) {
    std::vector<int> own_distribs;
    std::vector<int> own_dargs;
    if (ndims > 0 && distribs != nullptr && dargs != nullptr) {
        std::transform(distribs, distribs + ndims, std::back_inserter(own_distribs), distribution_to_mpich);
        std::transform(dargs, dargs + ndims, std::back_inserter(own_dargs), distribution_argument_to_mpich);
    }
    OneHandle<to_openmpi> own(newtype);
    return code_to_openmpi(next::type_create_darray()(
        size, rank, ndims, gsizes, own_distribs.empty() ? distribs : own_distribs.data(),
        own_dargs.empty() ? dargs : own_dargs.data(), psizes, order_to_mpich(order), to_mpich(oldtype), own.get()));
}

int dampi_openmpi_type_get_envelope(Handle type, int* integers, int* addresses, int* datatypes, int* combiner) {
    const int code = next::type_get_envelope()(to_mpich(type), integers, addresses, datatypes, combiner);
    if (code == MPI_SUCCESS) {
        *combiner = combiner_to_openmpi(*combiner);
    }
    return code_to_openmpi(code);
}

int dampi_openmpi_type_get_contents(Handle type, int max_integers, int max_addresses, int max_datatypes, int integers[],
                                    MPI_Aint addresses[], Handle datatypes[]) {
    std::vector<MPI_Datatype> types(max_datatypes > 0 && datatypes != nullptr ? static_cast<std::size_t>(max_datatypes)
                                                                              : 0);
    const int code = next::type_get_contents()(to_mpich(type), max_integers, max_addresses, max_datatypes, integers,
                                               addresses, datatypes == nullptr ? nullptr : types.data());
    int number_of_integers = 0;
    int number_of_addresses = 0;
    int number_of_types = 0;
    int combiner = MPI_COMBINER_NAMED;
    if (code != MPI_SUCCESS || next::type_get_envelope()(to_mpich(type), &number_of_integers, &number_of_addresses,
                                                         &number_of_types, &combiner) != MPI_SUCCESS) {
        return code_to_openmpi(code);
    }
    for (int i = 0; i < std::min(number_of_types, static_cast<int>(types.size())); ++i) {
        datatypes[i] = to_openmpi(types[static_cast<std::size_t>(i)]);
    }
    if (combiner == MPI_COMBINER_SUBARRAY) {
        integers[number_of_integers - 1] = order_to_openmpi(integers[number_of_integers - 1]);
    } else if (combiner == MPI_COMBINER_DARRAY) {
        // size, rank, ndims, gsizes, distribs, dargs, psizes, order
        const int dimensions = integers[2];
        int* const distribs = integers + 3 + dimensions;
        std::transform(distribs, distribs + dimensions, distribs, distribution_to_openmpi);
        int* const dargs = distribs + dimensions;
        std::transform(dargs, dargs + dimensions, dargs, distribution_argument_to_openmpi);
        integers[number_of_integers - 1] = order_to_openmpi(integers[number_of_integers - 1]);
    }
    return MPI_SUCCESS;
}

// Fortran

#define NUMBERS(name, class)                                                          \
    MPI_Fint dampi_openmpi_##name##_c2f(Handle handle) { return to_fortran(handle); } \
    Handle dampi_openmpi_##name##_f2c(MPI_Fint number) { return from_fortran(number, class); }
NUMBERS(comm, Class::comm)
NUMBERS(group, Class::group)
NUMBERS(type, Class::datatype)
NUMBERS(request, Class::request)
NUMBERS(message, Class::message)
NUMBERS(op, Class::op)
NUMBERS(info, Class::info)
NUMBERS(errhandler, Class::errhandler)
NUMBERS(win, Class::win)
#undef NUMBERS

MPI_Fint dampi_openmpi_file_c2f(Handle file) { return next::file_c2f()(file_to_mpich(file)); }
Handle dampi_openmpi_file_f2c(MPI_Fint number) { return file_to_openmpi(next::file_f2c()(number)); }

static_assert(sizeof(Status) == 6 * sizeof(MPI_Fint));
int dampi_openmpi_status_c2f(const Status* status, MPI_Fint* numbers) {
    std::memcpy(numbers, status, sizeof *status);
    return MPI_SUCCESS;
}
int dampi_openmpi_status_f2c(const MPI_Fint* numbers, Status* status) {
    std::memcpy(status, numbers, sizeof *status);
    return MPI_SUCCESS;
}

int dampi_openmpi_count_of_peers(Handle comm) { return count_of_peers(to_mpich(comm)); }
int dampi_openmpi_count_of_neighbours(Handle comm, int is_outgoing) {
    return count_of_neighbours(to_mpich(comm), is_outgoing != 0 ? Direction::out : Direction::in);
}

}  // extern "C"
}  // namespace dampi::piggyback::openmpi
