/* Sweeps: many runs of one model in separate processes. The GIL is kept: the processes are forks of
   this one, in which other Python threads would not exist. */
#include "core.h"

typedef struct sweep_object {
    handle base; // parent: the model, for its callbacks
    gos_sweep *p;
    bool prepared, ran;
} sweep_object;

static PyObject *sweep_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *model;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "a sweep takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!", &model_type, &model) || !handle_enter((handle *)model)) {
        return NULL;
    }
    sweep_object *w = handle_new(type);
    if (w != NULL) {
        w->base.parent = Py_NewRef(model);
        w->base.keep = Py_XNewRef(((handle *)model)->keep);
        const gos_status status =
            gos_sweep_create(w->base.own.ctx, ((model_object *)model)->p, &w->p);
        if (!session_check(&w->base.own, status)) {
            Py_CLEAR(w);
        }
    }
    handle_leave((handle *)model);
    return (PyObject *)w;
}

static void sweep_dealloc(PyObject *self) {
    gos_sweep_destroy(((sweep_object *)self)->p);
    handle_free((handle *)self);
}

static PyObject *finish(sweep_object *w, gos_status status) {
    handle_leave(&w->base);
    return session_check(&w->base.own, status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *sweep_vary(PyObject *self, PyObject *args) {
    sweep_object *w = (sweep_object *)self;
    const char *text;
    if (!PyArg_ParseTuple(args, "s", &text) || !handle_enter(&w->base)) {
        return NULL;
    }
    return finish(w, gos_sweep_vary(w->base.own.ctx, w->p, text));
}

static PyObject *sweep_sample(PyObject *self, PyObject *args) {
    sweep_object *w = (sweep_object *)self;
    gos_sampling sampling = {0};
    unsigned long long seed;
    int independent;
    if (!PyArg_ParseTuple(args, "iKp", &sampling.n, &seed, &independent) ||
        !handle_enter(&w->base)) {
        return NULL;
    }
    sampling.seed = seed;
    sampling.independent = independent != 0;
    return finish(w, gos_sweep_sample(w->base.own.ctx, w->p, &sampling));
}

static PyObject *sweep_prepare(PyObject *self, PyObject *args) {
    sweep_object *w = (sweep_object *)self;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", path_of, &path)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (w->prepared) {
        PyErr_SetString(PyExc_RuntimeError, "this sweep is already prepared");
    } else if (handle_enter(&w->base)) {
        result = finish(w, gos_sweep_prepare(w->base.own.ctx, w->p, PyBytes_AS_STRING(path)));
        w->prepared = result != NULL;
    }
    Py_DECREF(path);
    return result;
}

static PyObject *sweep_run(PyObject *self, PyObject *args) {
    sweep_object *w = (sweep_object *)self;
    gos_sweep_options options = {0};
    PyObject *progress = Py_None, *rom = NULL;
    int reduced, one_file, resume;
    if (!PyArg_ParseTuple(args, "ipdOO&pp", &options.jobs, &reduced, &options.until, &progress,
                          path_of, &rom, &one_file, &resume)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (!w->prepared || options.jobs < 1) {
        PyErr_SetString(PyExc_ValueError, "a sweep must be prepared and needs at least one job");
    } else if (handle_enter(&w->base)) {
        options.reduced = reduced != 0;
        options.one_file = one_file != 0;
        options.resume = resume != 0;
        options.rom = PyBytes_GET_SIZE(rom) > 0 ? PyBytes_AS_STRING(rom) : NULL;
        session_watch(&w->base.own, progress);
        const gos_status status = gos_sweep_run(w->base.own.ctx, w->p, &options);
        w->ran = true;
        result = finish(w, status);
    }
    Py_DECREF(rom);
    return result;
}

static PyObject *sweep_results(PyObject *self, PyObject *unused) {
    (void)unused;
    sweep_object *w = (sweep_object *)self;
    if (!w->ran) {
        PyErr_SetString(PyExc_RuntimeError, "this sweep has not been run");
        return NULL;
    }
    const int n = gos_sweep_nruns(w->p), nparameters = gos_sweep_nparameters(w->p);
    PyObject *list = PyList_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        gos_sweep_result r;
        gos_sweep_result_get(w->p, i, &r);
        double *probe = NULL;
        const int nvalues = r.probe != NULL ? r.nvalues : 0;
        const Py_ssize_t shape[2] = {nvalues, 3};
        PyObject *values = block_new(2, shape, &probe);
        for (long k = 0; values != NULL && k < 3L * nvalues; k++) {
            probe[k] = r.probe[k];
        }
        PyObject *one =
            values == NULL
                ? NULL
                : Py_BuildValue("{s:N,s:N,s:N,s:i,s:N,s:N,s:N,s:d,s:N,s:N}", "values",
                                texts_of(r.value, nparameters), "path", text_of(r.path), "name",
                                text_of(r.name), "status", (int)r.status, "failure",
                                text_of(r.failure), "has_results", PyBool_FromLong(r.has_results),
                                "statistics", statistics_of(&r.statistics), "wall", r.wall, "keys",
                                texts_of(r.key, r.key != NULL ? nvalues : 0), "probes", values);
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static PyObject *sweep_parameters(PyObject *self, void *unused) {
    (void)unused;
    sweep_object *w = (sweep_object *)self;
    const int n = gos_sweep_nparameters(w->p);
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        PyObject *one = text_of(gos_sweep_parameter(w->p, i));
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyTuple_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static PyMethodDef methods[] = {
    {"vary", sweep_vary, METH_VARARGS, "Let an entry vary."},
    {"sample", sweep_sample, METH_VARARGS, "Set the number of random samples."},
    {"prepare", sweep_prepare, METH_VARARGS, "List the runs."},
    {"run", sweep_run, METH_VARARGS, "Do all runs."},
    {"results", sweep_results, METH_NOARGS, "What came of them."},
    {0}};
static PyGetSetDef getters[] = {{"parameters", sweep_parameters, NULL, "What varies.", NULL}, {0}};
PyTypeObject sweep_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Sweep",
                           .tp_basicsize = sizeof(sweep_object),
                           .tp_flags = Py_TPFLAGS_DEFAULT,
                           .tp_doc = "Many runs of one model.",
                           .tp_new = sweep_new,
                           .tp_dealloc = sweep_dealloc,
                           .tp_methods = methods,
                           .tp_getset = getters};
