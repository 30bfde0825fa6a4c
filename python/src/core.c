/* Module definition, contexts, errors and arrays. */
#include "core.h"

#include <string.h>

/* ---- errors ---------------------------------------------------------------------------------- */

/* functions of the Python modules: make an exception, issue warnings */
static PyObject *make_error, *give_warnings;

bool session_open(session *s) {
    s->ctx = gos_ctx_create();
    if (s->ctx == NULL) {
        PyErr_NoMemory();
    }
    return s->ctx != NULL;
}

void session_close(session *s) {
    gos_ctx_destroy(s->ctx);
    Py_CLEAR(s->type);
    Py_CLEAR(s->value);
    Py_CLEAR(s->trace);
    s->ctx = NULL;
}

void session_keep_error(session *s) {
    if (s->type == NULL) {
        PyErr_Fetch(&s->type, &s->value, &s->trace);
    } else {
        PyErr_Clear();
    }
}

PyObject *text_of(const char *text) {
    if (text == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *texts_of(const char *const *text, int n) {
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        PyObject *one = text_of(text[i]);
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyTuple_SET_ITEM(list, i, one);
        }
    }
    return list;
}

/* List of (status, file, line, column, object, text, count) of all messages, which are then
 * cleared. */
static PyObject *messages(gos_ctx *ctx) {
    const int n = gos_ctx_ndiag(ctx);
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < n; i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        PyObject *one = Py_BuildValue("iNiiNNi", (int)d->status, text_of(d->file), d->line, d->col,
                                      text_of(d->object), text_of(d->text), d->count);
        if (one == NULL || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    gos_ctx_clear(ctx);
    return list;
}

bool session_check(session *s, gos_status status) {
    s->progress = NULL;
    gos_ctx_set_progress(s->ctx, NULL, NULL);
    if (s->calls != NULL) {
        callback_collect(s->calls, s);
        s->calls = NULL; // borrowed for one call
    }
    if (s->type != NULL) { // an exception of called Python code has priority
        gos_ctx_clear(s->ctx);
        PyErr_Restore(s->type, s->value, s->trace);
        s->type = s->value = s->trace = NULL;
        return false;
    }
    if (status == GOS_OK && gos_ctx_ndiag(s->ctx) == 0) {
        return true;
    }
    PyObject *list = messages(s->ctx);
    if (list == NULL) {
        return false;
    }
    if (status == GOS_OK) {
        PyObject *done = PyObject_CallFunction(give_warnings, "N", list);
        Py_XDECREF(done);
        return done != NULL;
    }
    PyObject *error =
        PyObject_CallFunction(make_error, "isN", (int)status, gos_status_text(status), list);
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return false;
}

void error_attach(PyObject *computed) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (computed == NULL || value == NULL ||
        PyObject_SetAttrString(value, "_computed", computed) < 0) {
        PyErr_Clear(); // the first error is raised without results
    }
    Py_XDECREF(computed);
    PyErr_Restore(type, value, trace);
}

/* Progress callback; called without the GIL. */
static int progress(void *user, double fraction, double seconds, const char *text) {
    session *s = user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    int stop = PyErr_CheckSignals() < 0;
    if (!stop && s->progress != NULL && text != NULL) {
        PyObject *answer = PyObject_CallFunction(s->progress, "dds", fraction, seconds, text);
        stop = answer == NULL || answer == Py_False;
        Py_XDECREF(answer);
    }
    if (PyErr_Occurred()) {
        session_keep_error(s);
    }
    PyGILState_Release(lock);
    return stop;
}

static const char watch_key[] = "gossamer.progress";

/* Progress function of this thread, set by core_watch; borrowed, NULL: none. */
static PyObject *watched(void) {
    PyObject *dict = PyThreadState_GetDict();
    PyObject *callable = dict != NULL ? PyDict_GetItemString(dict, watch_key) : NULL;
    return callable == Py_None ? NULL : callable;
}

/* watch(callable): use it for all calls of this thread; returns the one before */
static PyObject *core_watch(PyObject *module, PyObject *callable) {
    (void)module;
    PyObject *dict = PyThreadState_GetDict(), *before = watched();
    before = Py_NewRef(before != NULL ? before : Py_None);
    if (dict == NULL || PyDict_SetItemString(dict, watch_key, callable) < 0) {
        Py_CLEAR(before);
    }
    return before;
}

void session_watch(session *s, PyObject *callable) {
    s->progress = callable == NULL ? watched() : callable == Py_None ? NULL : callable;
    gos_ctx_set_progress(s->ctx, progress, s);
}

/* ---- handles --------------------------------------------------------------------------------- */

void *handle_new(PyTypeObject *type) {
    handle *h = (handle *)type->tp_alloc(type, 0);
    if (h != NULL && !session_open(&h->own)) {
        Py_CLEAR(h);
    }
    return h;
}

void handle_free(handle *h) {
    session_close(&h->own);
    Py_CLEAR(h->parent);
    Py_CLEAR(h->keep);
    Py_TYPE(h)->tp_free((PyObject *)h);
}

bool handle_enter(handle *h) {
    if (h->own.ctx == NULL) {
        PyErr_Format(PyExc_RuntimeError, "this %s is not initialised", Py_TYPE(h)->tp_name);
        return false;
    }
    if (h->busy) {
        PyErr_Format(PyExc_RuntimeError,
                     "this %s is in use by another thread or by an outer call; use one "
                     "for each thread",
                     Py_TYPE(h)->tp_name);
        return false;
    }
    h->busy = true;
    return true;
}

void handle_leave(handle *h) {
    h->busy = false;
}

bool handle_is(PyObject *o, PyTypeObject *type, const char *what) {
    if (!PyObject_TypeCheck(o, type)) {
        PyErr_Format(PyExc_TypeError, "%s must be a %s, not %s", what, type->tp_name,
                     Py_TYPE(o)->tp_name);
        return false;
    }
    return true;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

enum { DIMENSIONS = 4 };
typedef struct block {
    PyObject_HEAD void *data;
    PyObject *owner; // of borrowed data; NULL: the block owns them
    char format[2];
    int ndim;
    Py_ssize_t shape[DIMENSIONS], strides[DIMENSIONS];
} block;

PyObject *block_of(void *data, PyObject *owner, char format, int ndim, const Py_ssize_t *shape) {
    block *b = (block *)block_type.tp_alloc(&block_type, 0);
    if (b == NULL) {
        if (owner == NULL) {
            PyMem_RawFree(data);
        }
        return NULL;
    }
    b->data = data;
    b->owner = Py_XNewRef(owner);
    b->format[0] = format;
    b->ndim = ndim;
    Py_ssize_t stride = format == 'd' ? sizeof(double) : sizeof(int);
    for (int i = ndim - 1; i >= 0; i--) {
        b->shape[i] = shape[i];
        b->strides[i] = stride;
        stride *= shape[i];
    }
    return (PyObject *)b;
}

PyObject *block_new(int ndim, const Py_ssize_t *shape, double **data) {
    size_t n = 1;
    for (int i = 0; i < ndim; i++) {
        n *= (size_t)shape[i];
    }
    *data = PyMem_RawCalloc(n > 0 ? n : 1, sizeof **data);
    return *data != NULL ? block_of(*data, NULL, 'd', ndim, shape) : PyErr_NoMemory();
}

PyObject *block_ints(const int *data, Py_ssize_t n) {
    n = data != NULL ? n : 0;
    int *own = PyMem_RawMalloc((n > 0 ? (size_t)n : 1) * sizeof *own);
    if (own == NULL) {
        return PyErr_NoMemory();
    }
    if (n > 0) {
        memcpy(own, data, (size_t)n * sizeof *own);
    }
    return block_of(own, NULL, 'i', 1, &n);
}

static void block_dealloc(PyObject *self) {
    block *b = (block *)self;
    if (b->owner != NULL) {
        Py_DECREF(b->owner);
    } else {
        PyMem_RawFree(b->data);
    }
    Py_TYPE(self)->tp_free(self);
}

static int block_buffer(PyObject *self, Py_buffer *view, int flags) {
    block *b = (block *)self;
    if (b->owner != NULL && (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "this array is read-only");
        return -1;
    }
    *view = (Py_buffer){.buf = b->data,
                        .obj = Py_NewRef(self),
                        .readonly = b->owner != NULL,
                        .itemsize = b->format[0] == 'd' ? sizeof(double) : sizeof(int),
                        .format = b->format,
                        .ndim = b->ndim,
                        .shape = b->shape,
                        .strides = b->strides};
    view->len = view->itemsize;
    for (int i = 0; i < b->ndim; i++) {
        view->len *= b->shape[i];
    }
    return 0;
}

static PyBufferProcs block_procs = {.bf_getbuffer = block_buffer};
PyTypeObject block_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Block",
                           .tp_basicsize = sizeof(block),
                           .tp_flags = Py_TPFLAGS_DEFAULT,
                           .tp_doc = "Array of the library, for numpy.asarray.",
                           .tp_dealloc = block_dealloc,
                           .tp_as_buffer = &block_procs};

static bool items_of(PyObject *o, Py_ssize_t n, const char *what, char format, Py_buffer *view) {
    if (PyObject_GetBuffer(o, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        PyErr_Format(PyExc_TypeError, "%s: an array of %s in C order is needed, not %s", what,
                     format == 'd' ? "float64" : "int32", Py_TYPE(o)->tp_name);
        return false;
    }
    const char *f = view->format != NULL ? view->format : "B";
    f += *f == '@' || *f == '=' || *f == '<';
    const Py_ssize_t have = view->len / (view->itemsize > 0 ? view->itemsize : 1);
    if (f[0] != format || f[1] != '\0') {
        PyErr_Format(PyExc_TypeError, "%s: numbers of type %s are needed", what,
                     format == 'd' ? "float64" : "int32");
    } else if (n >= 0 && have != n) {
        PyErr_Format(PyExc_ValueError, "%s: %zd numbers are needed, not %zd", what, n, have);
    } else {
        return true;
    }
    PyBuffer_Release(view);
    return false;
}

bool doubles_of(PyObject *o, Py_ssize_t n, const char *what, Py_buffer *view) {
    return items_of(o, n, what, 'd', view);
}

bool ints_of(PyObject *o, Py_ssize_t n, const char *what, Py_buffer *view) {
    return items_of(o, n, what, 'i', view);
}

/* ---- small things ---------------------------------------------------------------------------- */

bool put(PyObject *dict, const char *key, PyObject *value) {
    const bool done = value != NULL && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return done;
}

int path_of(PyObject *o, void *path) {
    return PyUnicode_FSConverter(o, path);
}

/* ---- the module ------------------------------------------------------------------------------ */

static PyObject *core_setup(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *error, *warn;
    if (!PyArg_ParseTuple(args, "OO", &error, &warn)) {
        return NULL;
    }
    Py_XSETREF(make_error, Py_NewRef(error));
    Py_XSETREF(give_warnings, Py_NewRef(warn));
    Py_RETURN_NONE;
}

PyObject *written(session *s, gos_status (*write)(gos_ctx *, const void *, FILE *),
                  const void *of) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL) {
        return PyErr_NoMemory();
    }
    gos_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = write(s->ctx, of, out);
    (void)fclose(out);
    Py_END_ALLOW_THREADS;
    PyObject *result =
        session_check(s, status) ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, "replace") : NULL;
    free(text);
    return result;
}

static gos_status write_help(gos_ctx *ctx, const void *of, FILE *out) {
    return gos_help(ctx, of, out);
}

static gos_status write_versions(gos_ctx *ctx, const void *of, FILE *out) {
    (void)ctx;
    (void)of;
    gos_versions(out);
    return GOS_OK;
}

static PyObject *core_help(PyObject *module, PyObject *args) {
    (void)module;
    const char *type = NULL;
    session s = {0};
    if (!PyArg_ParseTuple(args, "|z", &type) || !session_open(&s)) {
        return NULL;
    }
    PyObject *text = written(&s, write_help, type);
    session_close(&s);
    return text;
}

static PyObject *core_versions(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    session s = {0};
    if (!session_open(&s)) {
        return NULL;
    }
    PyObject *text = written(&s, write_versions, NULL);
    session_close(&s);
    return text;
}

/* List of (word, unit, meaning, number) of the values of key k of type i. */
static PyObject *values_of(int i, int k) {
    PyObject *list = PyList_New(0);
    gos_value_info v;
    for (int j = 0; list != NULL && gos_type_value(i, k, j, &v); j++) {
        PyObject *one =
            Py_BuildValue("NNNi", text_of(v.name), text_of(v.unit), text_of(v.doc), v.number);
        if (one == NULL || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

/* List of (name, kind, unit, range, default, meaning, required, values) of the keys of type i. */
static PyObject *keys_of(int i) {
    PyObject *list = PyList_New(0);
    gos_param_info p;
    for (int k = 0; list != NULL && gos_type_param(i, k, &p); k++) {
        PyObject *one = Py_BuildValue("NNNNNNNN", text_of(p.name), text_of(p.kind), text_of(p.unit),
                                      text_of(p.range), text_of(p.def), text_of(p.doc),
                                      PyBool_FromLong(p.required), values_of(i, k));
        if (one == NULL || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

/* types(): list of (section, name, doc, example, keys) */
static PyObject *core_types(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    gos_type_info t;
    for (int i = 0; list != NULL && gos_type_get(i, &t); i++) {
        PyObject *one = Py_BuildValue("NNNNN", text_of(t.section), text_of(t.name), text_of(t.doc),
                                      text_of(t.example), keys_of(i));
        if (one == NULL || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

static PyMethodDef functions[] = {
    {"setup", core_setup, METH_VARARGS, "Set the functions that make errors and warnings."},
    {"watch", core_watch, METH_O, "Set the progress function of this thread."},
    {"help", core_help, METH_VARARGS, "Reference text of one entry type, or of all."},
    {"types", core_types, METH_NOARGS, "All entry types of a model with their keys."},
    {"versions", core_versions, METH_NOARGS, "Versions of the library and its dependencies."},
    {"results_open", core_results_open, METH_VARARGS, "Open a results file."},
    {"compare", core_compare, METH_VARARGS, "Compare two runs."},
    {"report", core_report, METH_VARARGS, "HTML report of runs."},
    {"view", core_view, METH_VARARGS, "HTML page that shows the motion of a run full-screen."},
    {"write_text", core_write_text, METH_VARARGS, "Write a page or a picture."},
    {"copy_results", core_copy_results, METH_VARARGS, "Copy a results file."},
    {"picture", core_picture, METH_VARARGS, "Picture of a run as SVG."},
    {"record_at", record_at, METH_VARARGS, "Probe value of a run in memory at a time."},
    {"linear_matrices", core_linear_matrices, METH_VARARGS,
     "Linear model of user-supplied matrices."},
    {"linear_blocks", core_linear_blocks, METH_VARARGS, "Linear model of blocks."},
    {"linear_read", core_linear_read, METH_VARARGS, "Read a linear model."},
    {"rom_model", core_rom_model, METH_VARARGS, "The model of a stored reduced model."},
    {"band_error", core_band_error, METH_VARARGS, "Difference of two linear models on a band."},
    {0}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "gossamer._core",
                                        .m_doc = "Bindings of the C library.", .m_size = -1,
                                        .m_methods = functions};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
    static const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {{"Block", &block_type},         {"Model", &model_type},
                 {"System", &system_type},       {"State", &state_type},
                 {"Stepper", &stepper_type},     {"Equations", &equations_type},
                 {"Results", &results_type},     {"Linear", &linear_type},
                 {"Reduction", &reduction_type}, {"Sweep", &sweep_type}};
    PyObject *module = PyModule_Create(&definition);
    for (size_t i = 0; module != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (PyType_Ready(types[i].type) < 0 ||
            PyModule_AddObjectRef(module, types[i].name, (PyObject *)types[i].type) < 0) {
            Py_CLEAR(module);
        }
    }
    if (module != NULL && (PyModule_AddStringConstant(module, "version", GOS_VERSION) < 0 ||
                           PyModule_AddIntConstant(module, "PROBE_MAX", GOS_PROBE_MAX) < 0)) {
        Py_CLEAR(module);
    }
    return module;
}
