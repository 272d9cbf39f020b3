#include "piggyback/openmpi/fortran/callbacks.hpp"

#include "piggyback/openmpi/callback_store.hpp"
#include "piggyback/openmpi/fortran/attributes.hpp"
#include "piggyback/openmpi/fortran/numbers.hpp"
#include "piggyback/openmpi/fortran/predefined_procedures.hpp"

namespace dampi::piggyback::openmpi::fortran {
namespace {

struct Operators {
    static constexpr const char* what = "operators";
    template <std::size_t index>
    static void call(void* in, void* inout, int* length, Handle* type) {
        int number = Datatype::number(*type);
        CallbackStore<Operator, UserOperator, Operators>::users[index](in, inout, length, &number);
    }
};

template <typename Class>
struct ErrorHandlers {
    static constexpr const char* what = "error handlers";
    using Handlers = CallbackStore<ErrorHandler, UserErrorHandler, ErrorHandlers>;
    template <std::size_t index>
    static void call(Handle* object, int* code, ...) {
        int number = Class::number(*object);
        Handlers::users[index](&number, code);
    }
};

template <typename Class>
UserErrorHandler* handler_for(ErrorHandler* function) {
    static typename ErrorHandlers<Class>::Handlers store;
    return function == nullptr ? nullptr : store.function_for(function);
}

template <typename Value>
struct AttributeState {
    Copy<Value>* copy;
    Delete<Value>* remove;
    Value state;
};

template <typename Class, typename Value>
int copy_attribute(Handle object, int keyval, void* state, void* in, void* out, int* flag) {
    auto own = *static_cast<const AttributeState<Value>*>(state);
    int number = Class::number(object);
    auto value_in = static_cast<Value>(from_attribute(in));
    Value value_out{};
    int code = MPI_SUCCESS;
    own.copy(&number, &keyval, &own.state, &value_in, &value_out, flag, &code);
    make_logical(flag);
    if (code == MPI_SUCCESS && *flag != 0) {
        *static_cast<void**>(out) = to_attribute(value_out);
    }
    return code;
}

template <typename Class, typename Value>
int delete_attribute(Handle object, int keyval, void* value, void* state) {
    auto own = *static_cast<const AttributeState<Value>*>(state);
    int number = Class::number(object);
    auto value_in = static_cast<Value>(from_attribute(value));
    int code = MPI_SUCCESS;
    own.remove(&number, &keyval, &value_in, &own.state, &code);
    return code;
}

template <typename Class, typename Value>
KeyvalFunctions functions_of(Copy<Value>* copy, Delete<Value>* remove, Value state) {
    const Predefined predefined_copy = predefined_procedure(reinterpret_cast<const void*>(copy));
    const Predefined predefined_delete = predefined_procedure(reinterpret_cast<const void*>(remove));
    // As long as there are attributes with it, which nobody tells.
    return {predefined_copy == Predefined::null_copy ? OMPI_C_MPI_NULL_COPY_FN
            : predefined_copy == Predefined::dup     ? OMPI_C_MPI_DUP_FN
                                                     : copy_attribute<Class, Value>,
            predefined_delete == Predefined::null_delete ? OMPI_C_MPI_NULL_DELETE_FN : delete_attribute<Class, Value>,
            new AttributeState<Value>{copy, remove, state}};
}

struct GrequestState {
    Query* query;
    Free* free;
    Cancel* cancel;
    MPI_Aint state;
};

int query_request(void* state, Status* status) {
    auto* own = static_cast<GrequestState*>(state);
    int code = MPI_SUCCESS;
    own->query(&own->state, reinterpret_cast<int*>(status), &code);
    return code;
}

int free_request(void* state) {
    auto* own = static_cast<GrequestState*>(state);
    int code = MPI_SUCCESS;
    own->free(&own->state, &code);
    delete own;
    return code;
}

int cancel_request(void* state, int is_complete) {
    auto* own = static_cast<GrequestState*>(state);
    int code = MPI_SUCCESS;
    make_logical(&is_complete);
    own->cancel(&own->state, &is_complete, &code);
    return code;
}

struct DatarepState {
    Conversion* read;
    Conversion* write;
    Extent* extent;
    MPI_Aint state;
};

int convert(Conversion* function, void* buffer, Handle type, int count, void* file_buffer, MPI_Offset position,
            void* state) {
    int number = Datatype::number(type);
    int code = MPI_SUCCESS;
    function(buffer, &number, &count, file_buffer, &position, &static_cast<DatarepState*>(state)->state, &code);
    return code;
}

int read_representation(void* buffer, Handle type, int count, void* file_buffer, MPI_Offset position, void* state) {
    return convert(static_cast<DatarepState*>(state)->read, buffer, type, count, file_buffer, position, state);
}

int write_representation(void* buffer, Handle type, int count, void* file_buffer, MPI_Offset position, void* state) {
    return convert(static_cast<DatarepState*>(state)->write, buffer, type, count, file_buffer, position, state);
}

int extent_in_representation(Handle type, MPI_Aint* extent, void* state) {
    auto* own = static_cast<DatarepState*>(state);
    int number = Datatype::number(type);
    int code = MPI_SUCCESS;
    own->extent(&number, extent, &own->state, &code);
    return code;
}

bool is_no_conversion(Conversion* function) {
    return function == nullptr ||
           predefined_procedure(reinterpret_cast<const void*>(function)) == Predefined::null_conversion;
}

}  // namespace

UserOperator* function_for(Operator* function) {
    static CallbackStore<Operator, UserOperator, Operators> store;
    return function == nullptr ? nullptr : store.function_for(function);
}

UserErrorHandler* communicators_function_for(ErrorHandler* function) { return handler_for<Comm>(function); }
UserErrorHandler* windows_function_for(ErrorHandler* function) { return handler_for<Win>(function); }
UserErrorHandler* files_function_for(ErrorHandler* function) { return handler_for<File>(function); }

template <typename Value>
KeyvalFunctions functions_for(Object object, Copy<Value>* copy, Delete<Value>* remove, Value state) {
    switch (object) {
        case Object::datatype:
            return functions_of<Datatype>(copy, remove, state);
        case Object::window:
            return functions_of<Win>(copy, remove, state);
        default:
            return functions_of<Comm>(copy, remove, state);
    }
}
template KeyvalFunctions functions_for(Object, Copy<int>*, Delete<int>*, int);
template KeyvalFunctions functions_for(Object, Copy<MPI_Aint>*, Delete<MPI_Aint>*, MPI_Aint);

GrequestFunctions functions_for(Query* query, Free* free, Cancel* cancel, MPI_Aint state) {
    return {query == nullptr ? nullptr : query_request, free == nullptr ? nullptr : free_request,
            cancel == nullptr ? nullptr : cancel_request, new GrequestState{query, free, cancel, state}};
}

DatarepFunctions functions_for(Conversion* read, Conversion* write, Extent* extent, MPI_Aint state) {
    return {is_no_conversion(read) ? nullptr : read_representation,
            is_no_conversion(write) ? nullptr : write_representation,
            extent == nullptr ? nullptr : extent_in_representation, new DatarepState{read, write, extent, state}};
}

}  // namespace dampi::piggyback::openmpi::fortran
