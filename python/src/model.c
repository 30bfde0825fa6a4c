/* Models. */
#include "core.h"

#include <string.h>

static PyObject *model_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"path", "text", "name", "folder", NULL};
    PyObject *path = NULL, *folder = NULL;
    const char *text = NULL, *name = NULL;
    Py_ssize_t n = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O&z#zO&", names, PyUnicode_FSConverter, &path,
                                     &text, &n, &name, PyUnicode_FSConverter, &folder)) {
        Py_XDECREF(path);
        return NULL;
    }
    model_object *m = handle_new(type);
    if (m != NULL) {
        session *s = &m->base.own;
        m->base.keep = PyList_New(0);
        gos_status status;
        if (path != NULL) {
            status = gos_model_read(s->ctx, PyBytes_AS_STRING(path), &m->p);
        } else if (text != NULL) {
            status = gos_model_parse(s->ctx, text, (size_t)n, name,
                                     folder != NULL ? PyBytes_AS_STRING(folder) : NULL, &m->p);
        } else {
            status = gos_model_create(s->ctx, &m->p);
        }
        if (m->base.keep == NULL || !session_check(s, status)) {
            Py_CLEAR(m);
        }
    }
    Py_XDECREF(path);
    Py_XDECREF(folder);
    return (PyObject *)m;
}

static void model_dealloc(PyObject *self) {
    gos_model_destroy(((model_object *)self)->p);
    handle_free((handle *)self);
}

static PyObject *done(handle *h, gos_status status) {
    handle_leave(h);
    return session_check(&h->own, status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *model_set(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    const char *path, *yaml;
    if (!PyArg_ParseTuple(args, "ss", &path, &yaml) || !handle_enter(&m->base)) {
        return NULL;
    }
    return done(&m->base, gos_model_set(m->base.own.ctx, m->p, path, yaml));
}

static PyObject *model_set_number(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    const char *path;
    double number;
    if (!PyArg_ParseTuple(args, "sd", &path, &number) || !handle_enter(&m->base)) {
        return NULL;
    }
    return done(&m->base, gos_model_set_number(m->base.own.ctx, m->p, path, number));
}

static PyObject *model_get(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    const char *path;
    if (!PyArg_ParseTuple(args, "s", &path) || !handle_enter(&m->base)) {
        return NULL;
    }
    PyObject *text = text_of(gos_model_get(m->p, path));
    handle_leave(&m->base);
    return text;
}

static PyObject *model_remove(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    const char *path;
    if (!PyArg_ParseTuple(args, "s", &path) || !handle_enter(&m->base)) {
        return NULL;
    }
    return done(&m->base, gos_model_remove(m->base.own.ctx, m->p, path));
}

typedef struct entry {
    const gos_model *model;
    const char *path;
} entry;

static gos_status write_entry(gos_ctx *ctx, const void *of, FILE *out) {
    const entry *e = of;
    return gos_model_write_json(ctx, e->model, e->path, out);
}

/* json(path): text; path None: the model */
static PyObject *model_json(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    entry e = {m->p, NULL};
    if (!PyArg_ParseTuple(args, "z", &e.path) || !handle_enter(&m->base)) {
        return NULL;
    }
    PyObject *text = written(&m->base.own, write_entry, &e);
    handle_leave(&m->base);
    return text;
}

/* an independent copy of the same Python type; its callbacks are the same functions */
static PyObject *model_copy(PyObject *self, PyObject *unused) {
    (void)unused;
    model_object *m = (model_object *)self;
    if (!handle_enter(&m->base)) {
        return NULL;
    }
    model_object *copy = handle_new(Py_TYPE(self));
    if (copy != NULL) {
        session *s = &copy->base.own;
        copy->base.keep = PySequence_List(m->base.keep);
        const gos_status status = gos_model_copy(s->ctx, m->p, &copy->p);
        if (copy->base.keep == NULL || !session_check(s, status)) {
            Py_CLEAR(copy);
        }
    }
    handle_leave(&m->base);
    return (PyObject *)copy;
}

static PyObject *model_callback(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    const char *name;
    PyObject *fn, *derivative = Py_None;
    int n;
    if (!PyArg_ParseTuple(args, "sOi|O", &name, &fn, &n, &derivative) || !handle_enter(&m->base)) {
        return NULL;
    }
    const bool given = callback_give(&m->base.own, m->p, name, fn, n, derivative, m->base.keep);
    handle_leave(&m->base);
    return given ? Py_NewRef(Py_None) : NULL;
}

static PyObject *model_check(PyObject *self, PyObject *unused) {
    (void)unused;
    model_object *m = (model_object *)self;
    session *s = &m->base.own;
    gos_sizes sizes;
    if (!handle_enter(&m->base)) {
        return NULL;
    }
    session_watch(s, NULL);
    s->calls = m->base.keep;
    gos_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = gos_model_read_controllers(s->ctx, m->p);
    status = status == GOS_OK ? gos_system_check(s->ctx, m->p, &sizes) : status;
    Py_END_ALLOW_THREADS;
    handle_leave(&m->base);
    return session_check(s, status) ? sizes_of(&sizes) : NULL;
}

/* compile(bodies_reduced, threads) */
static PyObject *model_compile(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    int reduced = 0, threads = 1, n;
    double unknowns = 0;
    if (!PyArg_ParseTuple(args, "|pid", &reduced, &threads, &unknowns) || !handle_enter(&m->base)) {
        return NULL;
    }
    system_object *sys = handle_new(&system_type);
    if (sys == NULL) {
        handle_leave(&m->base);
        return NULL;
    }
    session *s = &sys->base.own;
    sys->base.keep = Py_NewRef(m->base.keep);
    sys->base.parent = Py_NewRef(self); // time functions belong to the context of the model
    session_watch(s, NULL);
    s->calls = m->base.keep;
    gos_status status = threads != 1 ? gos_ctx_set_threads(s->ctx, threads) : GOS_OK;
    gos_ctx_set_limit(s->ctx, unknowns);
    Py_BEGIN_ALLOW_THREADS;
    if (status == GOS_OK && reduced) {
        status = gos_model_reduce_bodies(m->base.own.ctx, m->p, &n);
    }
    if (status == GOS_OK) {
        status = gos_model_read_controllers(m->base.own.ctx, m->p);
    }
    if (status == GOS_OK) {
        status = gos_system_create(s->ctx, m->p, &sys->p);
    }
    Py_END_ALLOW_THREADS;
    handle_leave(&m->base);
    // both contexts may contain messages: those of the model first
    if (!session_check(gos_ctx_ndiag(m->base.own.ctx) > 0 && status != GOS_OK ? &m->base.own : s,
                       status)) {
        Py_CLEAR(sys);
    }
    return (PyObject *)sys;
}

static PyObject *model_text(PyObject *self, void *name) {
    model_object *m = (model_object *)self;
    if (!handle_enter(&m->base)) {
        return NULL;
    }
    PyObject *text = text_of(name != NULL ? gos_model_name(m->p) : gos_model_text(m->p));
    handle_leave(&m->base);
    return text;
}

static PyObject *model_law(PyObject *self, PyObject *args);

/* reduction settings: (method, only for linear models, order, tolerance) */
static PyObject *model_reduction(PyObject *self, PyObject *unused) {
    (void)unused;
    model_object *m = (model_object *)self;
    gos_linear_reduction_options o = {0};
    bool only = false;
    if (!handle_enter(&m->base)) {
        return NULL;
    }
    const gos_status status = gos_linear_reduction_settings(m->base.own.ctx, m->p, &o, &only);
    handle_leave(&m->base);
    return session_check(&m->base.own, status)
               ? Py_BuildValue("{s:s,s:O,s:i,s:d}", "method", o.method, "linear",
                               only ? Py_True : Py_False, "order", o.order, "tolerance",
                               o.tolerance)
               : NULL;
}

static PyMethodDef methods[] = {
    {"set", model_set, METH_VARARGS, "Set the entry at a path to a value in YAML flow style."},
    {"set_number", model_set_number, METH_VARARGS, "Set the entry at a path to a number."},
    {"get", model_get, METH_VARARGS, "The text of a scalar; None if it does not exist."},
    {"remove", model_remove, METH_VARARGS, "Remove the entry at a path."},
    {"json", model_json, METH_VARARGS, "The entry at a path as JSON."},
    {"_copy", model_copy, METH_NOARGS, "An independent copy."},
    {"callback", model_callback, METH_VARARGS, "Define the function of `call: NAME`."},
    {"law", model_law, METH_VARARGS, "Set the law of a controller."},
    {"reduction", model_reduction, METH_NOARGS, "Settings of the entry `reduction`."},
    {"check", model_check, METH_NOARGS, "Check the model; returns its sizes."},
    {"compile", model_compile, METH_VARARGS, "Compile the model to a system."},
    {0}};
static PyGetSetDef getters[] = {{"text", model_text, NULL, "Its text.", NULL},
                                {"name", model_text, NULL, "Its name.", (void *)1},
                                {0}};
PyTypeObject model_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Model",
                           .tp_basicsize = sizeof(model_object),
                           .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .tp_doc = "A model.",
                           .tp_new = model_new,
                           .tp_dealloc = model_dealloc,
                           .tp_methods = methods,
                           .tp_getset = getters};

PyObject *core_rom_model(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", path_of, &path)) {
        return NULL;
    }
    model_object *m = handle_new(&model_type);
    if (m != NULL) {
        m->base.keep = PyList_New(0);
        const gos_status status = gos_rom_model(m->base.own.ctx, PyBytes_AS_STRING(path), &m->p);
        if (m->base.keep == NULL || !session_check(&m->base.own, status)) {
            Py_CLEAR(m);
        }
    }
    Py_DECREF(path);
    return (PyObject *)m;
}

/* ---- laws of controllers --------------------------------------------------------------------- */

enum { LAW_ARRAYS = 8 };

/* Convert a sequence of strings to a tuple of bytes objects and an array of pointers. */
static PyObject *names_of(PyObject *list, const char **name, int n) {
    PyObject *tuple = PySequence_Tuple(list);
    if (tuple != NULL && PyTuple_GET_SIZE(tuple) != n) {
        PyErr_Format(PyExc_ValueError, "%d names are needed, not %zd", n, PyTuple_GET_SIZE(tuple));
        Py_CLEAR(tuple);
    }
    for (int i = 0; tuple != NULL && i < n; i++) {
        name[i] = PyUnicode_AsUTF8(PyTuple_GET_ITEM(tuple, i));
        if (name[i] == NULL) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

/* law(name, n, signals, inputs, period, delay, (A, B, E, C, D, y0, u0, limit)): arrays in columns,
 * or None */
static PyObject *model_law(PyObject *self, PyObject *args) {
    model_object *m = (model_object *)self;
    const char *name;
    gos_control_law law = {0};
    PyObject *signals, *inputs, *array[LAW_ARRAYS];
    if (!PyArg_ParseTuple(args, "siOOdd(OOOOOOOO)", &name, &law.n, &signals, &inputs, &law.period,
                          &law.delay, array, array + 1, array + 2, array + 3, array + 4, array + 5,
                          array + 6, array + 7)) {
        return NULL;
    }
    const Py_ssize_t ny = PySequence_Size(signals), nu = PySequence_Size(inputs), n = law.n;
    if (ny < 0 || nu < 0 || n < 0 || ny > 100000 || nu > 100000) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "sizes of a law must be at least 0");
        }
        return NULL;
    }
    const char **text = PyMem_Calloc((size_t)(ny + nu + 1), sizeof *text);
    PyObject *y = text != NULL ? names_of(signals, text, (int)ny) : PyErr_NoMemory();
    PyObject *u = y != NULL ? names_of(inputs, text + ny, (int)nu) : NULL;
    const Py_ssize_t size[LAW_ARRAYS] = {n * n, n * ny, n * nu, nu * n, nu * ny, ny, nu, nu};
    const char *const label[LAW_ARRAYS] = {"A", "B", "E", "C", "D", "y0", "u0", "limit"};
    const double **slot[LAW_ARRAYS] = {&law.A, &law.B,  &law.E,  &law.C,
                                       &law.D, &law.y0, &law.u0, &law.limit};
    Py_buffer view[LAW_ARRAYS];
    bool have[LAW_ARRAYS] = {false}, good = u != NULL;
    for (int i = 0; good && i < LAW_ARRAYS; i++) {
        if (array[i] != Py_None) {
            good = have[i] = doubles_of(array[i], size[i], label[i], &view[i]);
            *slot[i] = good ? view[i].buf : NULL;
        }
    }
    if (good && handle_enter(&m->base)) {
        law.ny = (int)ny;
        law.nu = (int)nu;
        law.signal = text;
        law.input = text + ny;
        const gos_status status = gos_model_control_law(m->base.own.ctx, m->p, name, &law);
        handle_leave(&m->base);
        good = session_check(&m->base.own, status);
    }
    for (int i = 0; i < LAW_ARRAYS; i++) {
        if (have[i]) {
            PyBuffer_Release(&view[i]);
        }
    }
    Py_XDECREF(y);
    Py_XDECREF(u);
    PyMem_Free(text);
    return good && !PyErr_Occurred() ? Py_NewRef(Py_None) : NULL;
}
