// The procedures whose arguments need more than the generator knows (generate_fortran.cpp). Each is what its name,
// without "dampi_fortran_", says; it comes here when the program has called it by any of its names.
#include "piggyback/openmpi/fortran/attributes.hpp"
#include "piggyback/openmpi/fortran/callbacks.hpp"
#include "piggyback/openmpi/fortran/numbers.hpp"
#include "piggyback/openmpi/fortran/sentinels.hpp"
#include "piggyback/openmpi/fortran/text.hpp"
#include "piggyback/openmpi/functions.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace dampi::piggyback::openmpi::fortran {
namespace {

template <typename Function, typename Value>
void create_keyval(Function function, Object object, Copy<Value>* copy, Delete<Value>* remove, int* keyval,
                   const Value* state, int* error) {
    const KeyvalFunctions functions = functions_for(object, copy, remove, *state);
    tell(error, function(functions.copy, functions.remove, keyval, functions.state));
}

template <typename Class, typename Function, typename ValueOf, typename Value>
void get_attribute(Function function, ValueOf value_of, int object, int keyval, Value* value, int* flag, int* error) {
    void* attribute = nullptr;
    const int code = function(Class::handle(object), keyval, &attribute, flag);
    if (code == MPI_SUCCESS && *flag != 0) {
        *value = static_cast<Value>(value_of(keyval, attribute));
        *flag = 1;
    }
    tell(error, code);
}

MPI_Aint datatypes_value(int /*keyval*/, void* attribute) { return from_attribute(attribute); }

template <typename Class, typename Function>
void create_errhandler(Function function, UserErrorHandler* handler, int* number, int* error) {
    OneNumber<Class> own(number);
    tell(error, function(handler, own.get()));
}

/// MPI_ERR_IN_STATUS, as the program has it.
constexpr int error_in_status =
#define ERROR_CLASS(name, value) (name) == MPI_ERR_IN_STATUS ? (value):
#include "piggyback/openmpi/error_classes.def"
#undef ERROR_CLASS
    MPI_ERR_IN_STATUS;

/// The words of a program's command line, behind each other; a blank one is the end.
TextArray words(const char* text, int stride, int length) {
    TextArray all;
    for (; !Text(text, length).empty(); text += stride) {
        all.add(text, length);
    }
    return all;
}

}  // namespace

extern "C" {

// Beginning and end, time

void dampi_fortran_init(int* error) { tell(error, dampi_openmpi_init(nullptr, nullptr)); }
void dampi_fortran_init_thread(const int* required, int* provided, int* error) {
    tell(error, dampi_openmpi_init_thread(nullptr, nullptr, *required, provided));
}
void dampi_fortran_pcontrol(const int* level) { dampi_openmpi_pcontrol(*level); }
double dampi_fortran_wtime() { return dampi_openmpi_wtime(); }
double dampi_fortran_wtick() { return dampi_openmpi_wtick(); }
MPI_Aint dampi_fortran_aint_add(const MPI_Aint* base, const MPI_Aint* disp) {
    return dampi_openmpi_aint_add(*base, *disp);
}
MPI_Aint dampi_fortran_aint_diff(const MPI_Aint* addr1, const MPI_Aint* addr2) {
    return dampi_openmpi_aint_diff(*addr1, *addr2);
}
/// It keeps the compiler from moving accesses across the call, no more.
void dampi_fortran_f_sync_reg(const void* /*buffer*/) {}

// Attributes

void dampi_fortran_comm_create_keyval(Copy<MPI_Aint>* copy, Delete<MPI_Aint>* remove, int* keyval,
                                      const MPI_Aint* state, int* error) {
    create_keyval(dampi_openmpi_comm_create_keyval, Object::communicator, copy, remove, keyval, state, error);
}
void dampi_fortran_type_create_keyval(Copy<MPI_Aint>* copy, Delete<MPI_Aint>* remove, int* keyval,
                                      const MPI_Aint* state, int* error) {
    create_keyval(dampi_openmpi_type_create_keyval, Object::datatype, copy, remove, keyval, state, error);
}
void dampi_fortran_win_create_keyval(Copy<MPI_Aint>* copy, Delete<MPI_Aint>* remove, int* keyval, const MPI_Aint* state,
                                     int* error) {
    create_keyval(dampi_openmpi_win_create_keyval, Object::window, copy, remove, keyval, state, error);
}
void dampi_fortran_keyval_create(Copy<int>* copy, Delete<int>* remove, int* keyval, const int* state, int* error) {
    create_keyval(dampi_openmpi_keyval_create, Object::communicator, copy, remove, keyval, state, error);
}

void dampi_fortran_comm_get_attr(const int* comm, const int* keyval, MPI_Aint* value, int* flag, int* error) {
    get_attribute<Comm>(dampi_openmpi_comm_get_attr, communicators_value, *comm, *keyval, value, flag, error);
}
void dampi_fortran_attr_get(const int* comm, const int* keyval, int* value, int* flag, int* error) {
    get_attribute<Comm>(dampi_openmpi_attr_get, communicators_value, *comm, *keyval, value, flag, error);
}
void dampi_fortran_type_get_attr(const int* type, const int* keyval, MPI_Aint* value, int* flag, int* error) {
    get_attribute<Datatype>(dampi_openmpi_type_get_attr, datatypes_value, *type, *keyval, value, flag, error);
}
void dampi_fortran_win_get_attr(const int* win, const int* keyval, MPI_Aint* value, int* flag, int* error) {
    get_attribute<Win>(dampi_openmpi_win_get_attr, windows_value, *win, *keyval, value, flag, error);
}

void dampi_fortran_comm_set_attr(const int* comm, const int* keyval, const MPI_Aint* value, int* error) {
    tell(error, dampi_openmpi_comm_set_attr(Comm::handle(*comm), *keyval, to_attribute(*value)));
}
void dampi_fortran_attr_put(const int* comm, const int* keyval, const int* value, int* error) {
    tell(error, dampi_openmpi_attr_put(Comm::handle(*comm), *keyval, to_attribute(*value)));
}
void dampi_fortran_type_set_attr(const int* type, const int* keyval, const MPI_Aint* value, int* error) {
    tell(error, dampi_openmpi_type_set_attr(Datatype::handle(*type), *keyval, to_attribute(*value)));
}
void dampi_fortran_win_set_attr(const int* win, const int* keyval, const MPI_Aint* value, int* error) {
    tell(error, dampi_openmpi_win_set_attr(Win::handle(*win), *keyval, to_attribute(*value)));
}

// Other callbacks

void dampi_fortran_op_create(Operator* function, const int* commutes, int* op, int* error) {
    OneNumber<Op> own(op);
    tell(error, dampi_openmpi_op_create(function_for(function), *commutes != 0 ? 1 : 0, own.get()));
}

void dampi_fortran_comm_create_errhandler(ErrorHandler* function, int* handler, int* error) {
    create_errhandler<Errhandler>(dampi_openmpi_comm_create_errhandler, communicators_function_for(function), handler,
                                  error);
}
void dampi_fortran_errhandler_create(ErrorHandler* function, int* handler, int* error) {
    create_errhandler<Errhandler>(dampi_openmpi_errhandler_create, communicators_function_for(function), handler,
                                  error);
}
void dampi_fortran_win_create_errhandler(ErrorHandler* function, int* handler, int* error) {
    create_errhandler<Errhandler>(dampi_openmpi_win_create_errhandler, windows_function_for(function), handler, error);
}
void dampi_fortran_file_create_errhandler(ErrorHandler* function, int* handler, int* error) {
    create_errhandler<Errhandler>(dampi_openmpi_file_create_errhandler, files_function_for(function), handler, error);
}

void dampi_fortran_grequest_start(Query* query, Free* free, Cancel* cancel, const MPI_Aint* state, int* request,
                                  int* error) {
    const GrequestFunctions functions = functions_for(query, free, cancel, *state);
    OneNumber<Request> own(request);
    tell(error,
         dampi_openmpi_grequest_start(functions.query, functions.free, functions.cancel, functions.state, own.get()));
}

void dampi_fortran_register_datarep(const char* name, Conversion* read, Conversion* write, Extent* extent,
                                    const MPI_Aint* state, int* error, int name_length) {
    const DatarepFunctions functions = functions_for(read, write, extent, *state);
    tell(error, dampi_openmpi_register_datarep(Text(name, name_length).get(), functions.read, functions.write,
                                               functions.extent, functions.state));
}

// Completion of some: indices

void dampi_fortran_waitany(const int* count, int* requests, int* index, int* status, int* error) {
    ChangedNumbers<Request> own(requests, *count);
    const int code = dampi_openmpi_waitany(*count, own.get(), index, c_statuses(status));
    if (code == MPI_SUCCESS) {
        count_from_one(index);
    }
    tell(error, code);
}

void dampi_fortran_testany(const int* count, int* requests, int* index, int* flag, int* status, int* error) {
    ChangedNumbers<Request> own(requests, *count);
    const int code = dampi_openmpi_testany(*count, own.get(), index, flag, c_statuses(status));
    if (code == MPI_SUCCESS) {
        make_logical(flag);
        if (*flag != 0) {
            count_from_one(index);
        }
    }
    tell(error, code);
}

void dampi_fortran_waitsome(const int* count, int* requests, int* done, int* indices, int* given_statuses, int* error) {
    ChangedNumbers<Request> own(requests, *count);
    const int code = dampi_openmpi_waitsome(*count, own.get(), done, indices, c_statuses(given_statuses));
    if (code == MPI_SUCCESS || code == error_in_status) {
        std::for_each_n(indices, std::max(*done, 0), [](int& index) { count_from_one(&index); });
    }
    tell(error, code);
}

void dampi_fortran_testsome(const int* count, int* requests, int* done, int* indices, int* given_statuses, int* error) {
    ChangedNumbers<Request> own(requests, *count);
    const int code = dampi_openmpi_testsome(*count, own.get(), done, indices, c_statuses(given_statuses));
    if (code == MPI_SUCCESS || code == error_in_status) {
        std::for_each_n(indices, std::max(*done, 0), [](int& index) { count_from_one(&index); });
    }
    tell(error, code);
}

// Others

/// Where the buffer was is not said.
void dampi_fortran_buffer_detach(const void* /*buffer*/, int* size, int* error) {
    void* ignored = nullptr;
    tell(error, dampi_openmpi_buffer_detach(&ignored, size));
}

void dampi_fortran_info_get(const int* info, const char* key, const int* value_size, char* value, int* flag, int* error,
                            int key_length, int value_length) {
    std::vector<char> text(static_cast<std::size_t>(std::max(*value_size, 0)) + 1);
    const int code =
        dampi_openmpi_info_get(Info::handle(*info), Text(key, key_length).get(), *value_size, text.data(), flag);
    if (code == MPI_SUCCESS && *flag != 0) {
        *flag = 1;
        give_text(text.data(), value, value_length);
    }
    tell(error, code);
}

void dampi_fortran_info_get_string(const int* info, const char* key, int* value_size, char* value, int* flag,
                                   int* error, int key_length, int value_length) {
    // In C the size is with the character at the end.
    int size = *value_size <= 0 ? 0 : *value_size + 1;
    std::vector<char> text(static_cast<std::size_t>(std::max(size, 1)));
    const int code =
        dampi_openmpi_info_get_string(Info::handle(*info), Text(key, key_length).get(), &size, text.data(), flag);
    if (code == MPI_SUCCESS && *flag != 0) {
        *flag = 1;
        if (*value_size > 0) {
            give_text(text.data(), value, value_length);
        }
        *value_size = size - 1;
    }
    tell(error, code);
}

void dampi_fortran_info_create_env(int* info, int* error) {
    OneNumber<Info> own(info);
    tell(error, dampi_openmpi_info_create_env(0, nullptr, own.get()));
}

void dampi_fortran_type_get_contents(const int* type, const int* max_integers, const int* max_addresses,
                                     const int* max_datatypes, int* integers, MPI_Aint* addresses, int* datatypes,
                                     int* error) {
    std::vector<Handle> handles(static_cast<std::size_t>(std::max(*max_datatypes, 0)) + 1);
    const int code = dampi_openmpi_type_get_contents(Datatype::handle(*type), *max_integers, *max_addresses,
                                                     *max_datatypes, integers, addresses, handles.data());
    for (std::size_t i = 0; code == MPI_SUCCESS && handles[i] != nullptr; ++i) {
        datatypes[i] = Datatype::number(handles[i]);
    }
    tell(error, code);
}

void dampi_fortran_comm_spawn(const char* command, const char* arguments, const int* processes, const int* info,
                              const int* root, const int* comm, int* intercomm, int* codes, int* error,
                              int command_length, int argument_length) {
    TextArray argv;
    const bool any = arguments != mpi_fortran_argv_null_;
    if (any) {
        argv = words(arguments, argument_length, argument_length);
    }
    OneNumber<Comm> own(intercomm);
    tell(error,
         dampi_openmpi_comm_spawn(Text(command, command_length).get(), any ? argv.get() : nullptr, *processes,
                                  Info::handle(*info), *root, Comm::handle(*comm), own.get(), c_error_codes(codes)));
}

void dampi_fortran_comm_spawn_multiple(const int* count, const char* commands, const char* arguments,
                                       const int* processes, const int* infos, const int* root, const int* comm,
                                       int* intercomm, int* codes, int* error, int command_length,
                                       int argument_length) {
    TextArray programs;
    std::vector<TextArray> argvs;
    std::vector<char**> pointers;
    const bool any = arguments != mpi_fortran_argvs_null_;
    for (int i = 0; i < *count; ++i) {
        programs.add(commands + i * command_length, command_length);
        if (any) {
            // The first index is the program's.
            argvs.push_back(words(arguments + i * argument_length, *count * argument_length, argument_length));
        }
    }
    for (TextArray& each : argvs) {
        pointers.push_back(each.get());
    }
    Numbers<Info> own_infos(infos, *count);
    OneNumber<Comm> own(intercomm);
    tell(error, dampi_openmpi_comm_spawn_multiple(*count, programs.get(), any ? pointers.data() : nullptr, processes,
                                                  own_infos.get(), *root, Comm::handle(*comm), own.get(),
                                                  c_error_codes(codes)));
}

}  // extern "C"

}  // namespace dampi::piggyback::openmpi::fortran
