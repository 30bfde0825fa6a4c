/* Results files, comparisons, reports and pictures. */
#include "core.h"

PyObject *core_results_open(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", path_of, &path)) {
        return NULL;
    }
    results_object *r = handle_new(&results_type);
    if (r != NULL) {
        session *s = &r->base.own;
        gos_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = gos_results_open(s->ctx, PyBytes_AS_STRING(path), &r->p);
        Py_END_ALLOW_THREADS;
        if (!session_check(s, status)) {
            Py_CLEAR(r);
        }
    }
    Py_DECREF(path);
    return (PyObject *)r;
}

static void results_dealloc(PyObject *self) {
    gos_results_close(((results_object *)self)->p);
    handle_free((handle *)self);
}

static gos_results_info info_of(PyObject *self) {
    gos_results_info info;
    gos_results_info_get(((results_object *)self)->p, &info);
    return info;
}

static PyObject *get_info(PyObject *self, void *unused) {
    (void)unused;
    const gos_results_info i = info_of(self);
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:l,s:N,s:N,s:i,s:l,s:l,s:N,s:l,s:i}", "name",
        text_of(i.name), "units", text_of(i.units), "text", text_of(i.text), "options",
        text_of(i.options), "status", text_of(i.status), "warnings", text_of(i.warnings), "program",
        text_of(i.program), "libraries", text_of(i.libraries), "complete",
        PyBool_FromLong(i.complete), "marked", PyBool_FromLong(i.marked), "running",
        PyBool_FromLong(i.running), "warning_count", i.warning_count, "sizes", sizes_of(&i.sizes),
        "statistics", statistics_of(&i.statistics), "nprobes", i.nprobes, "rows", i.nrows, "frames",
        i.nframes, "thermal", PyBool_FromLong(i.thermal), "nevents", i.nevents, "nfields",
        i.nfields);
}

static PyObject *get_probes(PyObject *self, void *unused) {
    (void)unused;
    const int n = info_of(self).nprobes;
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        gos_probe_info probe;
        gos_results_probe_info(((results_object *)self)->p, i, &probe);
        PyObject *one = probe_info_of(&probe);
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyTuple_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static PyObject *get_fields(PyObject *self, void *unused) {
    (void)unused;
    const int n = info_of(self).nfields;
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        gos_field_info field;
        gos_results_field_info(((results_object *)self)->p, i, &field);
        PyObject *one = field_info_of(&field);
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyTuple_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static PyObject *get_time(PyObject *self, void *frames) {
    results_object *r = (results_object *)self;
    const gos_results_info info = info_of(self);
    const Py_ssize_t n = frames != NULL ? info.nframes : info.nrows;
    const double *t = frames != NULL ? gos_results_frame_times(r->p) : gos_results_time(r->p);
    return block_of((void *)(uintptr_t)t, self, 'd', 1, &n);
}

static PyObject *get_mesh(PyObject *self, void *unused) {
    (void)unused;
    gos_mesh_info mesh;
    gos_results_mesh(((results_object *)self)->p, &mesh);
    return mesh_of(&mesh);
}

static PyObject *get_events(PyObject *self, void *unused) {
    (void)unused;
    const long n = info_of(self).nevents;
    PyObject *list = PyList_New(n);
    for (long i = 0; list != NULL && i < n; i++) {
        gos_event event;
        const char *name = gos_results_event(((results_object *)self)->p, i, &event);
        PyObject *one =
            Py_BuildValue("NdN", text_of(name), event.time, PyBool_FromLong(event.rising));
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static bool index_of(long i, long n, const char *what) {
    if (i < 0 || i >= n) {
        PyErr_Format(PyExc_IndexError, "there is no %s %ld", what, i);
        return false;
    }
    return true;
}

/* probe(i): (values, rates), each (rows, components), without a copy */
static PyObject *results_probe(PyObject *self, PyObject *args) {
    results_object *r = (results_object *)self;
    int i;
    const double *value, *rate;
    const gos_results_info info = info_of(self);
    if (!PyArg_ParseTuple(args, "i", &i) || !index_of(i, info.nprobes, "probe") ||
        !handle_enter(&r->base)) {
        return NULL;
    }
    const gos_status status = gos_results_probe(r->p, i, &value, &rate);
    handle_leave(&r->base);
    if (!session_check(&r->base.own, status)) {
        return NULL;
    }
    gos_probe_info probe;
    gos_results_probe_info(r->p, i, &probe);
    const Py_ssize_t shape[2] = {info.nrows, probe.ncomp};
    return Py_BuildValue("NN", block_of((void *)(uintptr_t)value, self, 'd', 2, shape),
                         block_of((void *)(uintptr_t)rate, self, 'd', 2, shape));
}

static PyObject *results_probe_at(PyObject *self, PyObject *args) {
    results_object *r = (results_object *)self;
    int i;
    double t, *value;
    if (!PyArg_ParseTuple(args, "id", &i, &t) || !index_of(i, info_of(self).nprobes, "probe")) {
        return NULL;
    }
    gos_probe_info probe;
    gos_results_probe_info(r->p, i, &probe);
    const Py_ssize_t n = probe.ncomp;
    PyObject *block = block_new(1, &n, &value);
    if (block == NULL || !handle_enter(&r->base)) {
        Py_XDECREF(block);
        return NULL;
    }
    const gos_status status = gos_results_probe_at(r->p, i, t, value);
    handle_leave(&r->base);
    if (!session_check(&r->base.own, status)) {
        Py_CLEAR(block);
    }
    return block;
}

/* frame(k): positions, displacements, velocities, temperatures, temperature rates */
static PyObject *results_frame(PyObject *self, PyObject *args) {
    results_object *r = (results_object *)self;
    long k;
    const gos_results_info info = info_of(self);
    if (!PyArg_ParseTuple(args, "l", &k) || !index_of(k, info.nframes, "frame")) {
        return NULL;
    }
    const Py_ssize_t shape[2] = {info.sizes.nodes, 3};
    double *value[5] = {NULL};
    PyObject *list[5] = {NULL};
    bool good = true;
    for (int i = 0; i < 5; i++) {
        list[i] = block_new(i < 3 ? 2 : 1, shape, &value[i]);
        good = good && list[i] != NULL;
    }
    if (good && handle_enter(&r->base)) {
        const gos_node_fields fields = {value[0], value[1], value[2], value[3], value[4]};
        const gos_status status = gos_results_frame(r->p, k, &fields);
        handle_leave(&r->base);
        (void)session_check(&r->base.own, status);
    }
    if (PyErr_Occurred()) {
        for (int i = 0; i < 5; i++) {
            Py_XDECREF(list[i]);
        }
        return NULL;
    }
    return Py_BuildValue("NNNNN", list[0], list[1], list[2], list[3], list[4]);
}

static PyObject *results_field(PyObject *self, PyObject *args) {
    results_object *r = (results_object *)self;
    int i;
    long k;
    double *value;
    const gos_results_info info = info_of(self);
    if (!PyArg_ParseTuple(args, "il", &i, &k) || !index_of(i, info.nfields, "field") ||
        !index_of(k, info.nframes, "frame")) {
        return NULL;
    }
    gos_field_info field;
    gos_results_field_info(r->p, i, &field);
    const Py_ssize_t shape[2] = {info.sizes.nodes, field.ncomp};
    PyObject *block = block_new(2, shape, &value);
    if (block == NULL || !handle_enter(&r->base)) {
        Py_XDECREF(block);
        return NULL;
    }
    const gos_status status = gos_results_field(r->p, i, k, value);
    handle_leave(&r->base);
    if (!session_check(&r->base.own, status)) {
        Py_CLEAR(block);
    }
    return block;
}

static PyObject *results_balance(PyObject *self, PyObject *args) {
    results_object *r = (results_object *)self;
    long k;
    gos_energy energy;
    gos_heat heat;
    if (!PyArg_ParseTuple(args, "l", &k) || !index_of(k, info_of(self).nframes, "frame") ||
        !handle_enter(&r->base)) {
        return NULL;
    }
    const gos_status status = gos_results_balance(r->p, k, &energy, &heat);
    handle_leave(&r->base);
    return session_check(&r->base.own, status)
               ? Py_BuildValue("NN", energy_of(&energy), heat_of(&heat))
               : NULL;
}

static PyObject *results_write_vtu(PyObject *self, PyObject *args) {
    results_object *r = (results_object *)self;
    double t;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "dO&", &t, path_of, &path)) {
        return NULL;
    }
    bool good = handle_enter(&r->base);
    if (good) {
        const gos_status status =
            gos_results_write_vtu(r->base.own.ctx, r->p, t, PyBytes_AS_STRING(path));
        handle_leave(&r->base);
        good = session_check(&r->base.own, status);
    }
    Py_DECREF(path);
    return good ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"probe", results_probe, METH_VARARGS, "Values and rates of a probe."},
    {"probe_at", results_probe_at, METH_VARARGS, "A probe at a time."},
    {"frame", results_frame, METH_VARARGS, "Nodal values at an output time."},
    {"field", results_field, METH_VARARGS, "A nodal field at an output time."},
    {"balance", results_balance, METH_VARARGS, "Energy and heat at an output time."},
    {"write_vtu", results_write_vtu, METH_VARARGS,
     "Write the fields at a time as a ParaView file."},
    {0}};
static PyGetSetDef getters[] = {
    {"info", get_info, NULL, "Description of the run.", NULL},
    {"probes", get_probes, NULL, "Its probes.", NULL},
    {"fields", get_fields, NULL, "Nodal fields.", NULL},
    {"time", get_time, NULL, "Times of the probes.", NULL},
    {"frame_times", get_time, NULL, "Times of the fields.", (void *)1},
    {"mesh", get_mesh, NULL, "Nodes and cells.", NULL},
    {"events", get_events, NULL, "Events: limits crossed by signals.", NULL},
    {0}};
PyTypeObject results_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Results",
                             .tp_basicsize = sizeof(results_object),
                             .tp_flags = Py_TPFLAGS_DEFAULT,
                             .tp_doc = "A results file.",
                             .tp_dealloc = results_dealloc,
                             .tp_methods = methods,
                             .tp_getset = getters};

/* ---- comparing ------------------------------------------------------------------------------- */

static PyObject *field_error_of(const gos_field_error *e) {
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:i,s:d,s:d}", "max", e->max, "max_time", e->max_time,
                         "rms", e->rms, "worst", e->worst, "worst_node", e->worst_node,
                         "worst_time", e->worst_time, "scale", e->scale);
}

static PyObject *comparison_of(const gos_comparison *c) {
    PyObject *probes = PyList_New(0);
    for (int i = 0; probes != NULL && i < c->nprobes; i++) {
        const gos_probe_error *e = &c->probe[i];
        PyObject *one =
            Py_BuildValue("{s:N,s:N,s:N,s:d,s:d,s:d,s:d}", "name", text_of(e->name), "component",
                          text_of(e->component), "unit", text_of(e->unit), "max", e->max,
                          "max_time", e->max_time, "rms", e->rms, "scale", e->scale);
        if (one == NULL || PyList_Append(probes, one) < 0) {
            Py_CLEAR(probes);
        }
        Py_XDECREF(one);
    }
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "same_mesh",
                         PyBool_FromLong(c->same_mesh), "thermal", PyBool_FromLong(c->thermal),
                         "position", field_error_of(&c->position), "temperature",
                         field_error_of(&c->temperature), "probes", probes, "from", c->from, "to",
                         c->to, "time_a", c->time_a, "time_b", c->time_b, "setup_a", c->setup_a,
                         "setup_b", c->setup_b, "worst", gos_comparison_worst(c));
}

PyObject *core_compare(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *a, *b;
    session s = {0};
    if (!PyArg_ParseTuple(args, "O!O!", &results_type, &a, &results_type, &b) ||
        !handle_enter((handle *)a)) {
        return NULL;
    }
    PyObject *result = NULL;
    if ((a == b || handle_enter((handle *)b)) && session_open(&s)) {
        gos_comparison c = {0};
        gos_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = gos_compare(s.ctx, ((results_object *)a)->p, ((results_object *)b)->p, &c);
        Py_END_ALLOW_THREADS;
        if (session_check(&s, status)) {
            result = comparison_of(&c);
            gos_comparison_free(s.ctx, &c);
        }
        session_close(&s);
        handle_leave((handle *)b);
    }
    handle_leave((handle *)a);
    return result;
}

/* ---- pages and pictures ---------------------------------------------------------------------- */

static gos_status write_report(gos_ctx *ctx, const void *of, FILE *out) {
    return gos_report(ctx, of, out);
}

/* (path, text, magic, mark, kind): a text as a file, which may replace only one of its kind */
PyObject *core_write_text(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *path = NULL;
    const char *text, *magic, *mark, *kind;
    Py_ssize_t n;
    session s = {0};
    if (!PyArg_ParseTuple(args, "O&s#sss", path_of, &path, &text, &n, &magic, &mark, &kind)) {
        return NULL;
    }
    bool good = session_open(&s);
    if (good) {
        const char *name = PyBytes_AS_STRING(path);
        gos_output *output = NULL;
        gos_status status = gos_output_replaces(s.ctx, name, magic, mark, kind);
        status = status == GOS_OK ? gos_output_begin(s.ctx, name, &output) : status;
        if (output != NULL) {
            (void)fwrite(text, 1, (size_t)n, gos_output_stream(output));
            status = gos_output_end(output, true);
        }
        good = session_check(&s, status);
        session_close(&s);
    }
    Py_DECREF(path);
    return good ? Py_NewRef(Py_None) : NULL;
}

static bool copy_stream(const char *from, FILE *to) {
    char block[1 << 15];
    FILE *in = gos_file_open(from, NULL);
    size_t n = 0;
    while (in != NULL && (n = fread(block, 1, sizeof block, in)) > 0) {
        (void)fwrite(block, 1, n, to);
    }
    const bool good = in != NULL && !ferror(in);
    if (in != NULL) {
        (void)fclose(in);
    }
    return good;
}

/* (from, to): a copy of a results file, which may replace only another one */
PyObject *core_copy_results(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *from = NULL, *to = NULL;
    session s = {0};
    if (!PyArg_ParseTuple(args, "O&O&", path_of, &from, path_of, &to)) {
        Py_XDECREF(from);
        return NULL;
    }
    bool good = session_open(&s);
    if (good) {
        const char *name = PyBytes_AS_STRING(to), *source = PyBytes_AS_STRING(from);
        gos_output *output = NULL;
        gos_status status = gos_output_check(s.ctx, name, GOS_OUTPUT_RESULTS);
        status = status == GOS_OK ? gos_output_begin(s.ctx, name, &output) : status;
        const bool copied = output != NULL && copy_stream(source, gos_output_stream(output));
        const gos_status ended = gos_output_end(output, copied);
        good = session_check(&s, status == GOS_OK ? ended : status);
        session_close(&s);
        if (good && !copied) {
            (void)PyErr_Format(PyExc_OSError, "%s: cannot be read", source);
            good = false;
        }
    }
    Py_DECREF(from);
    Py_DECREF(to);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* report(paths): HTML report of one run, or of several compared with the first */
PyObject *core_report(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *list;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &list)) {
        return NULL;
    }
    const Py_ssize_t n = PyTuple_GET_SIZE(list);
    gos_report_run *run = PyMem_Calloc((size_t)n + 1, sizeof *run);
    session s = {0};
    if (run == NULL) {
        return PyErr_NoMemory();
    }
    bool good = n > 0;
    for (Py_ssize_t i = 0; good && i < n; i++) {
        PyObject *path = PyTuple_GET_ITEM(list, i);
        good = PyBytes_Check(path);
        run[i] = (gos_report_run){.path = good ? PyBytes_AS_STRING(path) : NULL, .wall = Py_NAN};
    }
    PyObject *page = NULL;
    if (!good) {
        PyErr_SetString(PyExc_TypeError, "paths of results are needed");
    } else if (session_open(&s)) {
        const gos_report_content content = {.run = run, .nruns = (int)n};
        page = written(&s, write_report, &content);
        session_close(&s);
    }
    PyMem_Free(run);
    return page;
}

typedef struct view_job {
    const char *path, *against;
} view_job;

static gos_status write_view(gos_ctx *ctx, const void *of, FILE *out) {
    const view_job *job = of;
    return gos_view_page(ctx, job->path, job->against, out);
}

/* view(path, [against]): full-screen page of a run, optionally compared with another one */
PyObject *core_view(PyObject *module, PyObject *args) {
    (void)module;
    view_job job = {0};
    session s = {0};
    if (!PyArg_ParseTuple(args, "y|y", &job.path, &job.against) || !session_open(&s)) {
        return NULL;
    }
    PyObject *page = written(&s, write_view, &job);
    session_close(&s);
    return page;
}

typedef struct picture_job {
    gos_results *a, *b;
} picture_job;

static gos_status write_picture(gos_ctx *ctx, const void *of, FILE *out) {
    const picture_job *job = of;
    return gos_picture(ctx, job->a, job->b, out);
}

PyObject *core_picture(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *a, *b = NULL;
    session s = {0};
    if (!PyArg_ParseTuple(args, "O!|O!", &results_type, &a, &results_type, &b) ||
        !handle_enter((handle *)a)) {
        return NULL;
    }
    PyObject *text = NULL;
    const bool two = b != NULL && b != a;
    if ((!two || handle_enter((handle *)b)) && session_open(&s)) {
        const picture_job job = {((results_object *)a)->p,
                                 b != NULL ? ((results_object *)b)->p : NULL};
        text = written(&s, write_picture, &job);
        session_close(&s);
        if (two) {
            handle_leave((handle *)b);
        }
    }
    handle_leave((handle *)a);
    return text;
}
