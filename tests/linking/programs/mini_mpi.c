/* A Python module that uses MPI as mpi4py does: linked against the MPI library and loaded by Python for itself alone;
 * MPI is initialised when it is imported and finalized when Python ends; messages are bytes, received by matched probe.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#include <Python.h>

#include <mpi.h>

static int failed(int code) {
    if (code != MPI_SUCCESS) PyErr_Format(PyExc_RuntimeError, "MPI error %d", code);
    return code != MPI_SUCCESS;
}

static PyObject* rank(PyObject* self, PyObject* none) {
    int value;
    (void)self, (void)none;
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    return PyLong_FromLong(value);
}

static PyObject* size(PyObject* self, PyObject* none) {
    int value;
    (void)self, (void)none;
    MPI_Comm_size(MPI_COMM_WORLD, &value);
    return PyLong_FromLong(value);
}

static PyObject* send(PyObject* self, PyObject* arguments) {
    const char* data;
    Py_ssize_t bytes;
    int destination, tag, code;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "y#ii", &data, &bytes, &destination, &tag)) return NULL;
    PyThreadState* state = PyEval_SaveThread();
    code = MPI_Send(data, (int)bytes, MPI_BYTE, destination, tag, MPI_COMM_WORLD);
    PyEval_RestoreThread(state);
    if (failed(code)) return NULL;
    Py_RETURN_NONE;
}

/* recv(source, tag) -> (data, source, tag); negative: any */
static PyObject* recv(PyObject* self, PyObject* arguments) {
    MPI_Message message;
    MPI_Status status;
    PyObject* data;
    char* buffer;
    Py_ssize_t bytes;
    int source, tag, code, count;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "ii", &source, &tag)) return NULL;
    if (source < 0) source = MPI_ANY_SOURCE;
    if (tag < 0) tag = MPI_ANY_TAG;
    PyThreadState* state = PyEval_SaveThread();
    code = MPI_Mprobe(source, tag, MPI_COMM_WORLD, &message, &status);
    PyEval_RestoreThread(state);
    if (failed(code)) return NULL;
    MPI_Get_count(&status, MPI_BYTE, &count);
    data = PyBytes_FromStringAndSize(NULL, count);
    if (data == NULL || PyBytes_AsStringAndSize(data, &buffer, &bytes) != 0) return NULL;
    state = PyEval_SaveThread();
    code = MPI_Mrecv(buffer, count, MPI_BYTE, &message, &status);
    PyEval_RestoreThread(state);
    if (failed(code)) return NULL;
    return Py_BuildValue("(Nii)", data, status.MPI_SOURCE, status.MPI_TAG);
}

/* bcast(data, root) -> data of the root */
static PyObject* bcast(PyObject* self, PyObject* arguments) {
    PyObject* given;
    PyObject* data;
    char* buffer;
    Py_ssize_t bytes = 0;
    int root, own, count = 0, code;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oi", &given, &root)) return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    if (own == root) {
        if (PyBytes_AsStringAndSize(given, &buffer, &bytes) != 0) return NULL;
        count = (int)bytes;
    }
    if (failed(MPI_Bcast(&count, 1, MPI_INT, root, MPI_COMM_WORLD))) return NULL;
    data = own == root ? (Py_INCREF(given), given) : PyBytes_FromStringAndSize(NULL, count);
    if (data == NULL || PyBytes_AsStringAndSize(data, &buffer, &bytes) != 0) return NULL;
    PyThreadState* state = PyEval_SaveThread();
    code = MPI_Bcast(buffer, count, MPI_BYTE, root, MPI_COMM_WORLD);
    PyEval_RestoreThread(state);
    if (failed(code)) return NULL;
    return data;
}

static void finalize(void) {
    int over;
    MPI_Finalized(&over);
    if (!over) MPI_Finalize();
}

static PyMethodDef functions[] = {
    {"rank", rank, METH_NOARGS, NULL},  {"size", size, METH_NOARGS, NULL},    {"send", send, METH_VARARGS, NULL},
    {"recv", recv, METH_VARARGS, NULL}, {"bcast", bcast, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "mini_mpi", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_mini_mpi(void) {
    const char* level = getenv("MINI_MPI_THREADS"); /* as mpi4py.rc.thread_level */
    int provided;
    const int wanted = level != NULL && strcmp(level, "serialized") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
    if (MPI_Init_thread(NULL, NULL, wanted, &provided) != MPI_SUCCESS || Py_AtExit(finalize) != 0) {
        PyErr_SetString(PyExc_ImportError, "MPI cannot be initialised");
        return NULL;
    }
    return PyModule_Create(&module);
}
