/* Systems. They are immutable and may be used by several threads: each call has its own context. */
#include "core.h"

#include <gossamer/linearise.h>

PyObject *system_wrap(gos_system *p, PyObject *parent, PyObject *keep) {
    system_object *sys = (system_object *)system_type.tp_alloc(&system_type, 0);
    if (sys == NULL) {
        gos_system_destroy(p);
        return NULL;
    }
    sys->p = p;
    sys->base.parent = Py_XNewRef(parent);
    sys->base.keep = Py_XNewRef(keep);
    return (PyObject *)sys;
}

static void system_dealloc(PyObject *self) {
    gos_system_destroy(((system_object *)self)->p);
    handle_free((handle *)self);
}

static const gos_system *of(PyObject *self) {
    return ((system_object *)self)->p;
}

/* context of one call */
static bool visit(PyObject *self, session *s) {
    *s = (session){0};
    if (!session_open(s)) {
        return false;
    }
    s->calls = ((handle *)self)->keep;
    session_watch(s, NULL);
    return true;
}

/* ---- properties ------------------------------------------------------------------------------ */

static PyObject *get_sizes(PyObject *self, void *unused) {
    (void)unused;
    gos_sizes sizes;
    gos_system_sizes(of(self), &sizes);
    return sizes_of(&sizes);
}

static PyObject *get_text(PyObject *self, void *name) {
    return text_of(name != NULL ? gos_system_name(of(self)) : gos_system_text(of(self)));
}

static PyObject *get_options(PyObject *self, void *unused) {
    (void)unused;
    gos_options options;
    gos_options_get(of(self), &options);
    return options_of(&options);
}

static PyObject *get_linear(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(gos_system_linear(of(self)));
}

static PyObject *get_thermal(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(gos_system_thermal(of(self)));
}

static PyObject *get_mesh(PyObject *self, void *unused) {
    (void)unused;
    gos_mesh_info mesh;
    gos_system_mesh(of(self), &mesh);
    return mesh_of(&mesh);
}

/* Tuple of n objects; NULL with an exception if one is NULL. */
static PyObject *collect(const gos_system *sys, int n,
                         PyObject *(*make)(const gos_system *sys, int i)) {
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        PyObject *one = make(sys, i);
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyTuple_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static PyObject *one_probe(const gos_system *sys, int i) {
    gos_probe_info info;
    gos_system_probe_info(sys, i, &info);
    return probe_info_of(&info);
}

static PyObject *one_input(const gos_system *sys, int i) {
    gos_input_info info;
    gos_system_input_info(sys, i, &info);
    return Py_BuildValue("NN", text_of(info.name), text_of(info.unit));
}

static PyObject *one_coordinate(const gos_system *sys, int i) {
    gos_coordinate_info info;
    gos_system_coordinate_info(sys, i, &info);
    return Py_BuildValue("NNi", text_of(info.name), PyBool_FromLong(info.temperature), info.ncomp);
}

static PyObject *one_event(const gos_system *sys, int i) {
    gos_event_info info;
    gos_system_event_info(sys, i, &info);
    return Py_BuildValue("NdN", text_of(info.name), info.limit, PyBool_FromLong(info.ends));
}

static PyObject *get_probes(PyObject *self, void *unused) {
    (void)unused;
    return collect(of(self), gos_system_nprobes(of(self)), one_probe);
}

static PyObject *get_inputs(PyObject *self, void *unused) {
    (void)unused;
    return collect(of(self), gos_system_ninputs(of(self)), one_input);
}

static PyObject *get_coordinates(PyObject *self, void *unused) {
    (void)unused;
    return collect(of(self), gos_system_ncoordinates(of(self)), one_coordinate);
}

static PyObject *get_events(PyObject *self, void *unused) {
    (void)unused;
    return collect(of(self), gos_system_nevents(of(self)), one_event);
}

static PyObject *get_reduction(PyObject *self, void *unused) {
    (void)unused;
    gos_reduction got, *from = &got;
    gos_reduction_get(of(self), from);
    PyObject *d = PyDict_New();
#define PUT(type, name, doc)                                                                       \
    if (d != NULL &&                                                                               \
        !put(d, #name, Py_BuildValue("NN", VALUE_OF(type, from->name), text_of(doc)))) {           \
        Py_CLEAR(d);                                                                               \
    }
    GOS_REDUCTION_FIELDS(PUT)
#undef PUT
    const char *reason = gos_acceptance_text(gos_reduction_accept(from, from->served));
    if (d != NULL &&
        !put(d, "refused",
             Py_BuildValue("NN", text_of(reason),
                           text_of("reason not to use the model, as in gossamer reduce; empty: "
                                   "none")))) {
        Py_CLEAR(d);
    }
    return d;
}

/* ---- computations ---------------------------------------------------------------------------- */

static PyObject *system_state(PyObject *self, PyObject *unused) {
    (void)unused;
    state_object *state = handle_new(&state_type);
    if (state == NULL) {
        return NULL;
    }
    state->base.parent = Py_NewRef(self);
    session *s = &state->base.own;
    s->calls = ((handle *)self)->keep;
    if (!session_check(s, gos_state_create(s->ctx, of(self), &state->p))) {
        Py_CLEAR(state);
    }
    return (PyObject *)state;
}

static PyObject *system_reduce(PyObject *self, PyObject *args) {
    PyObject *progress = Py_None;
    int threads = 1, compare = 1;
    double runs = 0;
    if (!PyArg_ParseTuple(args, "|Oidp", &progress, &threads, &runs, &compare)) {
        return NULL;
    }
    system_object *reduced = handle_new(&system_type);
    if (reduced == NULL) {
        return NULL;
    }
    reduced->base.parent = Py_NewRef(self);
    reduced->base.keep = Py_XNewRef(((handle *)self)->keep);
    session *s = &reduced->base.own;
    s->calls = reduced->base.keep;
    session_watch(s, progress);
    gos_status status = threads != 1 ? gos_ctx_set_threads(s->ctx, threads) : GOS_OK;
    if (status == GOS_OK) {
        Py_BEGIN_ALLOW_THREADS;
        status = gos_reduce_for(s->ctx, of(self), runs, compare != 0, &reduced->p);
        Py_END_ALLOW_THREADS;
    }
    if (!session_check(s, status)) {
        Py_CLEAR(reduced);
    }
    return (PyObject *)reduced;
}

static PyObject *system_rom_load(PyObject *self, PyObject *args) {
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", path_of, &path)) {
        return NULL;
    }
    system_object *reduced = handle_new(&system_type);
    if (reduced != NULL) {
        reduced->base.parent = Py_NewRef(self);
        reduced->base.keep = Py_XNewRef(((handle *)self)->keep);
        session *s = &reduced->base.own;
        if (!session_check(s,
                           gos_rom_load(s->ctx, of(self), PyBytes_AS_STRING(path), &reduced->p))) {
            Py_CLEAR(reduced);
        }
    }
    Py_DECREF(path);
    return (PyObject *)reduced;
}

static PyObject *system_rom_save(PyObject *self, PyObject *args) {
    PyObject *path = NULL;
    session s;
    if (!PyArg_ParseTuple(args, "O&", path_of, &path)) {
        return NULL;
    }
    if (!visit(self, &s)) {
        Py_DECREF(path);
        return NULL;
    }
    const bool good = session_check(&s, gos_rom_save(s.ctx, of(self), PyBytes_AS_STRING(path)));
    session_close(&s);
    Py_DECREF(path);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* run(path, options, until, progress, threads): statistics; messages are warnings */
static PyObject *system_run(PyObject *self, PyObject *args) {
    PyObject *path = NULL, *dict = Py_None, *progress = Py_None;
    double until = 0;
    int threads = 1;
    gos_options options;
    gos_statistics stats = {0};
    session s;
    if (!PyArg_ParseTuple(args, "O&|OdOi", path_of, &path, &dict, &until, &progress, &threads)) {
        return NULL;
    }
    if (!options_from(of(self), dict, &options) || !visit(self, &s)) {
        Py_DECREF(path);
        return NULL;
    }
    if (until > 0) {
        gos_options_until(&options, until);
    }
    session_watch(&s, progress);
    gos_status status = threads != 1 ? gos_ctx_set_threads(s.ctx, threads) : GOS_OK;
    if (status == GOS_OK) {
        Py_BEGIN_ALLOW_THREADS;
        status = gos_run(s.ctx, of(self), &options, PyBytes_AS_STRING(path), &stats);
        Py_END_ALLOW_THREADS;
    }
    const bool good = session_check(&s, status);
    session_close(&s);
    Py_DECREF(path);
    return good ? statistics_of(&stats) : NULL;
}

/* record(options, until, progress, threads): a run in memory */
static PyObject *system_record(PyObject *self, PyObject *args) {
    PyObject *dict = Py_None, *progress = Py_None;
    double until = 0;
    int threads = 1;
    gos_options options;
    session s;
    if (!PyArg_ParseTuple(args, "|OdOi", &dict, &until, &progress, &threads) ||
        !options_from(of(self), dict, &options) || !visit(self, &s)) {
        return NULL;
    }
    if (until > 0) {
        gos_options_until(&options, until);
    }
    session_watch(&s, progress);
    PyObject *result = record_run(of(self), &s, &options, threads);
    session_close(&s);
    return result;
}

/* linearise(state, kind, options, time): kind -1: at the state; else a gos_operating_kind, to which
   the state is moved first */
static PyObject *system_linearise(PyObject *self, PyObject *args) {
    PyObject *state, *dict = Py_None;
    gos_operating_point point = {0};
    int kind = -1;
    gos_options options;
    if (!PyArg_ParseTuple(args, "O!|iOd", &state_type, &state, &kind, &dict, &point.time) ||
        !options_from(of(self), dict, &options)) {
        return NULL;
    }
    state_object *at = (state_object *)state;
    if (at->base.parent != self) {
        PyErr_SetString(PyExc_ValueError, "the state is of another system");
        return NULL;
    }
    linear_object *linear = handle_new(&linear_type);
    if (linear == NULL || !handle_enter(&at->base)) {
        Py_XDECREF(linear);
        return NULL;
    }
    session *s = &linear->base.own;
    s->calls = ((handle *)self)->keep;
    session_watch(s, NULL);
    gos_status status = GOS_OK;
    Py_BEGIN_ALLOW_THREADS;
    if (kind < 0) {
        status = gos_linearise(s->ctx, of(self), at->p, &linear->p);
    } else {
        point.kind = (gos_operating_kind)kind;
        status = gos_state_find_operating_point(s->ctx, of(self), &options, &point, at->p);
        at->version++;
        if (status == GOS_OK) {
            status = gos_linearise_at(s->ctx, of(self), &options, &point, at->p, &linear->p);
        }
    }
    Py_END_ALLOW_THREADS;
    handle_leave(&at->base);
    if (!session_check(s, status)) {
        Py_CLEAR(linear);
    }
    return (PyObject *)linear;
}

static PyMethodDef methods[] = {
    {"state", system_state, METH_NOARGS, "The initial state."},
    {"reduce", system_reduce, METH_VARARGS, "The reduced system."},
    {"rom_load", system_rom_load, METH_VARARGS, "The reduced system of a file."},
    {"rom_save", system_rom_save, METH_VARARGS, "Store the reduction."},
    {"run", system_run, METH_VARARGS, "Run the analysis; writes a results file."},
    {"record", system_record, METH_VARARGS, "Run the analysis in memory."},
    {"linearise", system_linearise, METH_VARARGS, "The linear model at a state."},
    {0}};
static PyGetSetDef getters[] = {
    {"sizes", get_sizes, NULL, "Numbers of entries and unknowns.", NULL},
    {"text", get_text, NULL, "The model's text.", NULL},
    {"name", get_text, NULL, "The model's name.", (void *)1},
    {"options", get_options, NULL, "How it is solved.", NULL},
    {"linear", get_linear, NULL, "A body of matrices alone.", NULL},
    {"thermal", get_thermal, NULL, "Has temperatures.", NULL},
    {"mesh", get_mesh, NULL, "Nodes and cells.", NULL},
    {"probes", get_probes, NULL, "Its probes.", NULL},
    {"inputs", get_inputs, NULL, "Its inputs.", NULL},
    {"coordinates", get_coordinates, NULL, "Its coordinates.", NULL},
    {"events", get_events, NULL, "Limits of signals.", NULL},
    {"reduction", get_reduction, NULL, "How it was reduced.", NULL},
    {0}};
PyTypeObject system_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.System",
                            .tp_basicsize = sizeof(system_object),
                            .tp_flags = Py_TPFLAGS_DEFAULT,
                            .tp_doc = "A compiled model.",
                            .tp_dealloc = system_dealloc,
                            .tp_methods = methods,
                            .tp_getset = getters};
