#include "piggyback/openmpi/callbacks.hpp"

#include "piggyback/openmpi/callback_store.hpp"
#include "piggyback/openmpi/handles.hpp"
#include "piggyback/openmpi/values.hpp"

#define VISIBLE __attribute__((visibility("default")))

extern "C" {
// What MPI_COMM_NULL_COPY_FN and its kin are in Open MPI's mpi.h.
#define PREDEFINED_FUNCTIONS(object)                                                                   \
    VISIBLE int OMPI_C_MPI_##object##NULL_COPY_FN(const void*, int, void*, void*, void*, int* flag) {  \
        *flag = 0;                                                                                     \
        return 0;                                                                                      \
    }                                                                                                  \
    VISIBLE int OMPI_C_MPI_##object##DUP_FN(const void*, int, void*, void* in, void* out, int* flag) { \
        *flag = 1;                                                                                     \
        *static_cast<void**>(out) = in;                                                                \
        return 0;                                                                                      \
    }                                                                                                  \
    VISIBLE int OMPI_C_MPI_##object##NULL_DELETE_FN(const void*, int, void*, void*) { return 0; }
PREDEFINED_FUNCTIONS(COMM_)
PREDEFINED_FUNCTIONS(TYPE_)
PREDEFINED_FUNCTIONS(WIN_)
PREDEFINED_FUNCTIONS()
#undef PREDEFINED_FUNCTIONS
}

namespace dampi::piggyback::openmpi {
namespace {

struct Operators {
    static constexpr const char* what = "operators";
    template <std::size_t index>
    static void call(void* in, void* inout, int* length, MPI_Datatype* type);
};
using OperatorStore = CallbackStore<UserOperator, MPI_User_function, Operators>;
template <std::size_t index>
void Operators::call(void* in, void* inout, int* length, MPI_Datatype* type) {
    Handle handle = to_openmpi(*type);
    OperatorStore::users[index](in, inout, length, &handle);
}

/// Of objects of a class.
template <typename Object, Handle (*handle_of)(Object) noexcept>
struct ErrorHandlers {
    static constexpr const char* what = "error handlers";
    using Mpich = void(Object* object, int* code, ...);
    using Handlers = CallbackStore<UserErrorHandler, Mpich, ErrorHandlers>;

    template <std::size_t index>
    static void call(Object* object, int* code, ...) {
        Handle handle = handle_of(*object);
        int own_code = code_to_openmpi(*code);
        Handlers::users[index](&handle, &own_code);
    }
};

struct AttributeState {
    UserCopy* copy;
    UserDelete* remove;
    void* state;
};

int copy_attribute(int object, int keyval, void* state, void* in, void* out, int* flag) {
    const auto& own = *static_cast<const AttributeState*>(state);
    return code_to_mpich(own.copy(to_openmpi(object), keyval_to_openmpi(keyval), own.state, in, out, flag));
}

int delete_attribute(int object, int keyval, void* value, void* state) {
    const auto& own = *static_cast<const AttributeState*>(state);
    return code_to_mpich(own.remove(to_openmpi(object), keyval_to_openmpi(keyval), value, own.state));
}

bool is_null_copy(UserCopy* copy) {
    return copy == nullptr || copy == OMPI_C_MPI_COMM_NULL_COPY_FN || copy == OMPI_C_MPI_TYPE_NULL_COPY_FN ||
           copy == OMPI_C_MPI_WIN_NULL_COPY_FN || copy == OMPI_C_MPI_NULL_COPY_FN;
}

bool is_dup(UserCopy* copy) {
    return copy == OMPI_C_MPI_COMM_DUP_FN || copy == OMPI_C_MPI_TYPE_DUP_FN || copy == OMPI_C_MPI_WIN_DUP_FN ||
           copy == OMPI_C_MPI_DUP_FN;
}

bool is_null_delete(UserDelete* remove) {
    return remove == nullptr || remove == OMPI_C_MPI_COMM_NULL_DELETE_FN || remove == OMPI_C_MPI_TYPE_NULL_DELETE_FN ||
           remove == OMPI_C_MPI_WIN_NULL_DELETE_FN || remove == OMPI_C_MPI_NULL_DELETE_FN;
}

struct RequestState {
    UserQuery* query;
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* state;
};

int query_request(void* state, MPI_Status* status) {
    const auto& own = *static_cast<const RequestState*>(state);
    Status own_status = to_openmpi(*status);
    const int code = own.query(own.state, &own_status);
    *status = to_mpich(own_status);
    return code_to_mpich(code);
}

int free_request(void* state) {
    const auto* own = static_cast<const RequestState*>(state);
    const int code = own->free(own->state);
    delete own;
    return code_to_mpich(code);
}

int cancel_request(void* state, int is_complete) {
    const auto& own = *static_cast<const RequestState*>(state);
    return code_to_mpich(own.cancel(own.state, is_complete));
}

struct RepresentationState {
    UserConversion* read;
    UserConversion* write;
    UserExtent* extent;
    void* state;
};

int read_representation(void* buffer, MPI_Datatype type, int count, void* file_buffer, MPI_Offset position,
                        void* state) {
    const auto& own = *static_cast<const RepresentationState*>(state);
    return code_to_mpich(own.read(buffer, to_openmpi(type), count, file_buffer, position, own.state));
}

int write_representation(void* buffer, MPI_Datatype type, int count, void* file_buffer, MPI_Offset position,
                         void* state) {
    const auto& own = *static_cast<const RepresentationState*>(state);
    return code_to_mpich(own.write(buffer, to_openmpi(type), count, file_buffer, position, own.state));
}

int extent_in_representation(MPI_Datatype type, MPI_Aint* extent, void* state) {
    const auto& own = *static_cast<const RepresentationState*>(state);
    return code_to_mpich(own.extent(to_openmpi(type), extent, own.state));
}

}  // namespace

MPI_User_function* function_for(UserOperator* function) {
    static OperatorStore store;
    return function == nullptr ? nullptr : store.function_for(function);
}

MPI_Comm_errhandler_function* function_for(UserErrorHandler* function) {
    static ErrorHandlers<int, to_openmpi>::Handlers store;
    return function == nullptr ? nullptr : store.function_for(function);
}

MPI_File_errhandler_function* file_function_for(UserErrorHandler* function) {
    static ErrorHandlers<MPI_File, file_to_openmpi>::Handlers store;
    return function == nullptr ? nullptr : store.function_for(function);
}

AttributeFunctions functions_for(UserCopy* copy, UserDelete* remove, void* state) {
    // A keyval lives until the last object has lost its attribute, which nobody tells: the state stays.
    return {is_null_copy(copy) ? MPI_COMM_NULL_COPY_FN
            : is_dup(copy)     ? MPI_COMM_DUP_FN
                               : copy_attribute,
            is_null_delete(remove) ? MPI_COMM_NULL_DELETE_FN : delete_attribute,
            (is_null_copy(copy) || is_dup(copy)) && is_null_delete(remove) ? state
                                                                           : new AttributeState{copy, remove, state}};
}

RequestFunctions functions_for(UserQuery* query, MPI_Grequest_free_function* free, MPI_Grequest_cancel_function* cancel,
                               void* state) {
    return {query == nullptr ? nullptr : query_request, free == nullptr ? nullptr : free_request,
            cancel == nullptr ? nullptr : cancel_request, new RequestState{query, free, cancel, state}};
}

RepresentationFunctions functions_for(UserConversion* read, UserConversion* write, UserExtent* extent, void* state) {
    return {read == nullptr ? nullptr : read_representation, write == nullptr ? nullptr : write_representation,
            extent == nullptr ? nullptr : extent_in_representation,
            new RepresentationState{read, write, extent, state}};
}

}  // namespace dampi::piggyback::openmpi
