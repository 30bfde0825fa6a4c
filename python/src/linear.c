/* Linear models: matrices, modes, responses, reduction. */
#include <string.h>

#include "core.h"

PyObject *linear_wrap(gos_linear *p, PyObject *parent) {
    linear_object *l = handle_new(&linear_type);
    if (l != NULL) {
        l->p = p;
        l->base.parent = Py_XNewRef(parent);
    }
    return (PyObject *)l;
}

static void linear_dealloc(PyObject *self) {
    if (((handle *)self)->parent == NULL) {
        gos_linear_destroy(((linear_object *)self)->p);
    }
    handle_free((handle *)self);
}

static gos_linear_info info_of(const linear_object *l) {
    gos_linear_info info;
    gos_linear_info_get(l->p, &info);
    return info;
}

static PyObject *ports(const linear_object *l, int n,
                       gos_port (*get)(const gos_linear *linear, int i)) {
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        const gos_port port = get(l->p, i);
        PyObject *one = Py_BuildValue("NN", text_of(port.name), text_of(port.unit));
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyTuple_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static PyObject *get_ports(PyObject *self, void *outputs) {
    linear_object *l = (linear_object *)self;
    const gos_linear_info info = info_of(l);
    return outputs != NULL ? ports(l, info.outputs, gos_linear_output)
                           : ports(l, info.inputs, gos_linear_input);
}

static PyObject *get_names(PyObject *self, void *temperatures) {
    linear_object *l = (linear_object *)self;
    const gos_linear_info info = info_of(l);
    const int n = temperatures != NULL ? info.temperatures : info.coordinates;
    PyObject *list = PyTuple_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        char name[GOS_COORDINATE_NAME + 16];
        (temperatures != NULL ? gos_linear_temperature : gos_linear_coordinate)(l->p, i, name,
                                                                                sizeof name);
        PyObject *one = text_of(name);
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyTuple_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static PyObject *get_info(PyObject *self, void *unused) {
    (void)unused;
    const gos_linear_info i = info_of((linear_object *)self);
    return Py_BuildValue(
        "{s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:d,s:(ddd),s:N,s:N}", "coordinates", i.coordinates,
        "temperatures", i.temperatures, "potentials", i.potentials, "constraints", i.constraints,
        "temperature_constraints", i.temperature_constraints, "inputs", i.inputs, "outputs",
        i.outputs, "mass", i.mass, "inertia", i.inertia[0], i.inertia[1], i.inertia[2], "symmetric",
        PyBool_FromLong(i.symmetric), "gyroscopic", PyBool_FromLong(i.gyroscopic));
}

static const struct {
    const char *name, *doc;
} block_names[GOS_NBLOCKS] = {
#define X(name, doc) {#name, doc},
    GOS_BLOCK_LIST(X)
#undef X
};

/* block(name): (rows, columns, column starts, row indices, values) */
static PyObject *linear_block(PyObject *self, PyObject *args) {
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) {
        return NULL;
    }
    int k = 0;
    while (k < GOS_NBLOCKS && strcmp(block_names[k].name, name) != 0) {
        k++;
    }
    if (k == GOS_NBLOCKS) {
        PyErr_Format(PyExc_KeyError, "there is no block '%s'", name);
        return NULL;
    }
    gos_matrix_view m;
    gos_linear_block(((linear_object *)self)->p, (gos_block)k, &m);
    double *value;
    const Py_ssize_t n = m.start != NULL ? m.entries : 0;
    PyObject *values = block_new(1, &n, &value);
    if (values == NULL) {
        return NULL;
    }
    if (n > 0) {
        memcpy(value, m.value, (size_t)n * sizeof *value);
    }
    return Py_BuildValue("iiNNN", m.rows, m.columns,
                         block_ints(m.start, m.start != NULL ? m.columns + 1 : 0),
                         block_ints(m.row, n), values);
}

static PyObject *mode_of(const gos_mode *m) {
    static const char *const kind[] = {"elastic", "rigid", "translation", "rotation", "mechanism"};
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:(ddd),s:(ddd),s:N,s:s,s:(ddd),s:i,s:d}",
                         "frequency", m->frequency, "omega", m->omega, "damping", m->damping, "re",
                         m->re, "im", m->im, "mass", m->mass[0], m->mass[1], m->mass[2], "inertia",
                         m->inertia[0], m->inertia[1], m->inertia[2], "rigid",
                         PyBool_FromLong(m->rigid), "kind", kind[m->kind], "axis", m->axis[0],
                         m->axis[1], m->axis[2], "whirl", m->whirl, "residual", m->residual);
}

static PyObject *modes_of(const gos_mode *modes, int n) {
    PyObject *list = PyList_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        PyObject *one = mode_of(&modes[i]);
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, one);
        }
    }
    return list;
}

static bool number_of_modes(int n) {
    if (n < 1 || n > 100000) {
        PyErr_SetString(PyExc_ValueError, "the number of modes must be 1 to 100000");
    }
    return n >= 1 && n <= 100000;
}

/* Begin a call that computes. */
static bool begin(linear_object *l) {
    if (!handle_enter(&l->base)) {
        return false;
    }
    session_watch(&l->base.own, NULL);
    return true;
}

static PyObject *linear_modes(PyObject *self, PyObject *args) {
    linear_object *l = (linear_object *)self;
    int n, damped = 0, found = 0;
    if (!PyArg_ParseTuple(args, "i|p", &n, &damped) || !number_of_modes(n)) {
        return NULL;
    }
    gos_mode *modes = PyMem_RawCalloc((size_t)n, sizeof *modes);
    if (modes == NULL || !begin(l)) {
        PyMem_RawFree(modes);
        return modes == NULL ? PyErr_NoMemory() : NULL;
    }
    gos_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = gos_linear_modes(l->base.own.ctx, l->p, n, damped != 0, modes, &found);
    Py_END_ALLOW_THREADS;
    handle_leave(&l->base);
    PyObject *list = session_check(&l->base.own, status) ? modes_of(modes, found) : NULL;
    PyMem_RawFree(modes);
    return list;
}

/* shapes(n): (modes, shapes (n, coordinates)) */
static PyObject *linear_shapes(PyObject *self, PyObject *args) {
    linear_object *l = (linear_object *)self;
    int n, found = 0;
    if (!PyArg_ParseTuple(args, "i", &n) || !number_of_modes(n)) {
        return NULL;
    }
    const Py_ssize_t shape[2] = {n, info_of(l).coordinates};
    double *x = NULL;
    gos_mode *modes = PyMem_RawCalloc((size_t)n, sizeof *modes);
    PyObject *shapes = modes != NULL ? block_new(2, shape, &x) : PyErr_NoMemory();
    PyObject *list = NULL;
    if (shapes != NULL && begin(l)) {
        gos_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = gos_linear_shapes(l->base.own.ctx, l->p, n, modes, x, &found);
        Py_END_ALLOW_THREADS;
        handle_leave(&l->base);
        list = session_check(&l->base.own, status) ? modes_of(modes, found) : NULL;
    }
    PyMem_RawFree(modes);
    if (list == NULL) {
        Py_XDECREF(shapes);
        return NULL;
    }
    return Py_BuildValue("NN", list, shapes);
}

/* Numbers that are not computed when a call is interrupted remain NaN. */
static void fill_nan(double *x, const Py_ssize_t *shape, int ndim) {
    Py_ssize_t n = 1;
    for (int i = 0; i < ndim; i++) {
        n *= shape[i];
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        x[i] = Py_NAN;
    }
}

/* response(omega): (frequencies, outputs, inputs, 2) */
static PyObject *linear_response(PyObject *self, PyObject *omegas) {
    linear_object *l = (linear_object *)self;
    Py_buffer omega;
    if (!doubles_of(omegas, -1, "omega", &omega)) {
        return NULL;
    }
    const Py_ssize_t n = omega.len / (Py_ssize_t)sizeof(double);
    const gos_linear_info info = info_of(l);
    const Py_ssize_t shape[4] = {n, info.outputs, info.inputs, 2};
    double *H = NULL;
    PyObject *block = n < 100000000 ? block_new(4, shape, &H) : PyErr_NoMemory();
    if (block != NULL && begin(l)) {
        gos_status status;
        fill_nan(H, shape, 4);
        Py_BEGIN_ALLOW_THREADS;
        status = gos_linear_response(l->base.own.ctx, l->p, (int)n, omega.buf, H);
        Py_END_ALLOW_THREADS;
        handle_leave(&l->base);
        (void)session_check(&l->base.own, status);
    }
    PyBuffer_Release(&omega);
    if (PyErr_Occurred()) {
        error_attach(block);
        return NULL;
    }
    return block;
}

/* transient(h, n, u, scheme): (n, outputs) */
static PyObject *linear_transient(PyObject *self, PyObject *args) {
    linear_object *l = (linear_object *)self;
    double h, *y = NULL;
    int n, scheme;
    PyObject *array;
    Py_buffer u;
    if (!PyArg_ParseTuple(args, "diOi", &h, &n, &array, &scheme)) {
        return NULL;
    }
    if (n < 1 || !(h > 0) || scheme < 0 || scheme > GOS_TRANSIENT_IMPLICIT) {
        PyErr_SetString(PyExc_ValueError, "a response needs a step > 0 and at least one time");
        return NULL;
    }
    const gos_linear_info info = info_of(l);
    if (!doubles_of(array, (Py_ssize_t)n * info.inputs, "u", &u)) {
        return NULL;
    }
    const Py_ssize_t shape[2] = {n, info.outputs};
    PyObject *block = block_new(2, shape, &y);
    if (block != NULL && begin(l)) {
        gos_status status;
        fill_nan(y, shape, 2);
        Py_BEGIN_ALLOW_THREADS;
        status = gos_linear_transient(l->base.own.ctx, l->p, (gos_transient)scheme, h, n, u.buf, y);
        Py_END_ALLOW_THREADS;
        handle_leave(&l->base);
        (void)session_check(&l->base.own, status);
    }
    PyBuffer_Release(&u);
    if (PyErr_Occurred()) {
        error_attach(block);
        return NULL;
    }
    return block;
}

static PyObject *linear_band(PyObject *self, PyObject *unused) {
    (void)unused;
    linear_object *l = (linear_object *)self;
    double band[2];
    if (!begin(l)) {
        return NULL;
    }
    const gos_status status = gos_linear_band(l->base.own.ctx, l->p, band);
    handle_leave(&l->base);
    return session_check(&l->base.own, status) ? Py_BuildValue("dd", band[0], band[1]) : NULL;
}

static PyObject *linear_first_order(PyObject *self, PyObject *unused) {
    (void)unused;
    linear_object *l = (linear_object *)self;
    linear_object *first = handle_new(&linear_type);
    if (first == NULL || !begin(l)) {
        Py_XDECREF(first);
        return NULL;
    }
    const gos_status status = gos_linear_first_order(first->base.own.ctx, l->p, &first->p);
    handle_leave(&l->base);
    if (!session_check(&first->base.own, status)) {
        Py_CLEAR(first);
    }
    return (PyObject *)first;
}

/* save(path, how): 0 HDF5 file, 1 folder of blocks, 2 folder of a state space */
static PyObject *linear_save(PyObject *self, PyObject *args) {
    linear_object *l = (linear_object *)self;
    static gos_status (*const write[])(gos_ctx *, const gos_linear *, const char *) = {
        gos_linear_save, gos_linear_write_folder, gos_linear_write_state_space};
    PyObject *path = NULL;
    int how = 0;
    if (!PyArg_ParseTuple(args, "O&|i", path_of, &path, &how)) {
        return NULL;
    }
    bool good = how >= 0 && how < 3 && begin(l);
    if (good) {
        const gos_status status = write[how](l->base.own.ctx, l->p, PyBytes_AS_STRING(path));
        handle_leave(&l->base);
        good = session_check(&l->base.own, status);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "unknown kind of file");
    }
    Py_DECREF(path);
    return good ? Py_NewRef(Py_None) : NULL;
}

PyObject *core_linear_read(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&", path_of, &path)) {
        return NULL;
    }
    linear_object *l = handle_new(&linear_type);
    if (l != NULL &&
        !session_check(&l->base.own,
                       gos_linear_read(l->base.own.ctx, PyBytes_AS_STRING(path), &l->p))) {
        Py_CLEAR(l);
    }
    Py_DECREF(path);
    return (PyObject *)l;
}

/* ---- models of matrices ---------------------------------------------------------------------- */

typedef struct matrix {
    gos_matrix_view view;
    Py_buffer start, row, value;
    bool have_start, have_row, have_value;
} matrix;

static void matrix_release(matrix *m) {
    if (m->have_start) {
        PyBuffer_Release(&m->start);
    }
    if (m->have_row) {
        PyBuffer_Release(&m->row);
    }
    if (m->have_value) {
        PyBuffer_Release(&m->value);
    }
}

/* Are these valid compressed columns? The library does not check them. */
static bool well_formed(const gos_matrix_view *v) {
    bool good = v->start[0] == 0 && v->start[v->columns] == v->entries;
    for (int j = 0; good && j < v->columns; j++) {
        good = v->start[j] <= v->start[j + 1] && v->start[j + 1] <= v->entries;
        for (int k = v->start[j]; good && k < v->start[j + 1]; k++) {
            good = v->row[k] >= 0 && v->row[k] < v->rows &&
                   (k == v->start[j] || v->row[k - 1] < v->row[k]);
        }
    }
    return good;
}

/* Parse (rows, columns, column starts, row indices, values). */
static bool matrix_from(PyObject *tuple, const char *name, matrix *m) {
    PyObject *start, *row, *value;
    if (!PyTuple_Check(tuple) ||
        !PyArg_ParseTuple(tuple, "iiOOO", &m->view.rows, &m->view.columns, &start, &row, &value)) {
        PyErr_Format(PyExc_TypeError, "%s: a sparse matrix is needed", name);
        return false;
    }
    if (m->view.rows < 0 || m->view.columns < 0 || m->view.columns > 100000000) {
        PyErr_Format(PyExc_ValueError, "%s: invalid size", name);
        return false;
    }
    m->have_value = doubles_of(value, -1, name, &m->value);
    if (!m->have_value) {
        return false;
    }
    const Py_ssize_t n = m->value.len / (Py_ssize_t)sizeof(double);
    m->have_start = n < 2000000000 && ints_of(start, m->view.columns + 1L, name, &m->start);
    m->have_row = m->have_start && ints_of(row, n, name, &m->row);
    if (!m->have_row) {
        return false;
    }
    m->view.entries = (int)n;
    m->view.start = m->start.buf;
    m->view.row = m->row.buf;
    m->view.value = m->value.buf;
    if (!well_formed(&m->view)) {
        PyErr_Format(PyExc_ValueError,
                     "%s: row indices must increase in each column and be inside the matrix", name);
        return false;
    }
    return true;
}

/* Ports from a tuple of (name, unit), NULL for None; the texts belong to the tuple. False with an
   exception. */
static bool ports_from(PyObject *list, gos_port **port, int *n) {
    *port = NULL;
    *n = 0;
    if (list == Py_None) {
        return true;
    }
    if (!PyTuple_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "names must be a tuple of (name, unit)");
        return false;
    }
    *n = (int)PyTuple_GET_SIZE(list);
    *port = PyMem_Calloc((size_t)*n + 1, sizeof **port);
    for (int i = 0; *port != NULL && i < *n; i++) {
        if (!PyTuple_Check(PyTuple_GET_ITEM(list, i)) ||
            !PyArg_ParseTuple(PyTuple_GET_ITEM(list, i), "ss", &(*port)[i].name,
                              &(*port)[i].unit)) {
            PyMem_Free(*port);
            *port = NULL;
            PyErr_SetString(PyExc_TypeError, "names must be a tuple of (name, unit)");
            return false;
        }
    }
    if (*port == NULL) {
        PyErr_NoMemory();
    }
    return *port != NULL;
}

enum { MATRICES = 10 };
static const char *const matrix_names[MATRICES] = {"M", "D", "K", "G",   "E",
                                                   "A", "B", "C", "C_v", "F"};

/* Do the numbers of names equal those of inputs (columns of B or F) and outputs (rows of C, C_v,
 * F)? */
static bool names_fit(const matrix *m, const PyObject *const *given, int nin, int nout) {
    int in = -1, out = -1;
    for (int i = 6; i < MATRICES; i++) {
        if (given[i] != Py_None) {
            in = i == 6 || i == 9 ? m[i].view.columns : in;
            out = i > 6 ? m[i].view.rows : out;
        }
    }
    if ((nin > 0 && nin != in) || (nout > 0 && nout != out)) {
        PyErr_SetString(PyExc_ValueError, "each input and each output needs one name");
        return false;
    }
    return true;
}

/* linear_matrices((M, D, K, G, E, A, B, C, C_v, F), inputs, outputs, symmetric, second_order) */
PyObject *core_linear_matrices(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *o[MATRICES], *inputs, *outputs;
    int symmetric, second, nin = 0, nout = 0;
    if (!PyArg_ParseTuple(args, "(OOOOOOOOOO)OOpp", o, o + 1, o + 2, o + 3, o + 4, o + 5, o + 6,
                          o + 7, o + 8, o + 9, &inputs, &outputs, &symmetric, &second)) {
        return NULL;
    }
    matrix m[MATRICES] = {0};
    gos_matrices all = {.symmetric = symmetric != 0, .second_order = second != 0};
    const gos_matrix_view **slot[MATRICES] = {&all.M, &all.D, &all.K, &all.G,   &all.E,
                                              &all.A, &all.B, &all.C, &all.C_v, &all.F};
    gos_port *in = NULL, *out = NULL;
    bool good = ports_from(inputs, &in, &nin) && ports_from(outputs, &out, &nout);
    for (int i = 0; good && i < MATRICES; i++) {
        if (o[i] != Py_None) {
            good = matrix_from(o[i], matrix_names[i], &m[i]);
            *slot[i] = &m[i].view;
        }
    }
    good = good && names_fit(m, (const PyObject *const *)o, nin, nout);
    linear_object *l = good ? handle_new(&linear_type) : NULL;
    if (l != NULL) {
        all.inputs = in;
        all.outputs = out;
        if (!session_check(&l->base.own, gos_linear_from_matrices(l->base.own.ctx, &all, &l->p))) {
            Py_CLEAR(l);
        }
    }
    for (int i = 0; i < MATRICES; i++) {
        matrix_release(&m[i]);
    }
    PyMem_Free(in);
    PyMem_Free(out);
    return (PyObject *)l;
}

/* linear_blocks(dict of name: matrix, sizes (5), inputs, outputs) */
PyObject *core_linear_blocks(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *dict, *inputs, *outputs;
    gos_linear_blocks all = {0};
    if (!PyArg_ParseTuple(args, "O!(iiiii)OO", &PyDict_Type, &dict, &all.coordinates,
                          &all.temperatures, &all.potentials, &all.constraints,
                          &all.temperature_constraints, &inputs, &outputs)) {
        return NULL;
    }
    matrix *m = PyMem_Calloc(GOS_NBLOCKS, sizeof *m);
    gos_port *in = NULL, *out = NULL;
    bool good = m != NULL && inputs != Py_None && outputs != Py_None &&
                ports_from(inputs, &in, &all.inputs) && ports_from(outputs, &out, &all.outputs);
    if (!good && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError, "names of inputs and outputs are needed");
    }
    for (int k = 0; good && k < GOS_NBLOCKS; k++) {
        PyObject *one = PyDict_GetItemString(dict, block_names[k].name);
        if (one != NULL) {
            good = matrix_from(one, block_names[k].name, &m[k]);
            all.block[k] = &m[k].view;
        }
    }
    linear_object *l = good ? handle_new(&linear_type) : NULL;
    if (l != NULL) {
        all.input = in;
        all.output = out;
        if (!session_check(&l->base.own, gos_linear_from_blocks(l->base.own.ctx, &all, &l->p))) {
            Py_CLEAR(l);
        }
    }
    for (int k = 0; m != NULL && k < GOS_NBLOCKS; k++) {
        matrix_release(&m[k]);
    }
    PyMem_Free(m);
    PyMem_Free(in);
    PyMem_Free(out);
    return (PyObject *)l;
}

/* ---- reduction ------------------------------------------------------------------------------- */

/* reduce(method, order, tolerance, band (2), ranking, two_sided, points (complex, as pairs), each,
 * accept, progress) */
static PyObject *linear_reduce(PyObject *self, PyObject *args) {
    linear_object *l = (linear_object *)self;
    gos_linear_reduction_options o = {0};
    PyObject *points = Py_None, *progress = Py_None;
    int two_sided = 0, each = 0, accept = 0, transient = 0;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "sid(dd)zpOpppiiiO", &o.method, &o.order, &o.tolerance, &o.band[0],
                          &o.band[1], &o.ranking, &two_sided, &points, &each, &accept, &transient,
                          &o.candidates, &o.snapshots, &o.correction, &progress)) {
        return NULL;
    }
    o.two_sided = two_sided != 0;
    o.each = each != 0;
    o.accept = accept != 0;
    o.transient = transient != 0;
    const bool have = points != Py_None;
    if (have && !doubles_of(points, -1, "points", &view)) {
        return NULL;
    }
    if (have) {
        o.npoints = (int)(view.len / (Py_ssize_t)sizeof(gos_point));
        o.points = view.buf;
    }
    reduction_object *r = handle_new(&reduction_type);
    if (r != NULL && begin(l)) {
        r->base.parent = Py_NewRef(self);
        session *s = &r->base.own;
        session_watch(s, progress);
        gos_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = gos_linear_reduce(s->ctx, l->p, &o, &r->p);
        Py_END_ALLOW_THREADS;
        handle_leave(&l->base);
        (void)session_check(s, status);
    }
    if (have) {
        PyBuffer_Release(&view);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(r);
    }
    return (PyObject *)r;
}

static void reduction_dealloc(PyObject *self) {
    gos_linear_reduction_destroy(((reduction_object *)self)->p);
    handle_free((handle *)self);
}

static PyObject *reduction_model(PyObject *self, void *unused) {
    (void)unused;
    // read-only: a linear model with a parent is never changed or freed
    return linear_wrap(
        (gos_linear *)(uintptr_t)gos_linear_reduction_model(((reduction_object *)self)->p), self);
}

static PyObject *reduction_report(PyObject *self, void *unused) {
    (void)unused;
    gos_linear_reduction_report got, *from = &got;
    gos_linear_reduction_get(((reduction_object *)self)->p, from);
    PyObject *d = PyDict_New();
#define PUT(type, name, doc)                                                                       \
    if (d != NULL &&                                                                               \
        !put(d, #name, Py_BuildValue("NN", VALUE_OF(type, from->name), text_of(doc)))) {           \
        Py_CLEAR(d);                                                                               \
    }
    GOS_LINEAR_REDUCTION_FIELDS(PUT)
#undef PUT
    return d;
}

/* basis(field, left): (columns, rows), transposed basis */
static PyObject *reduction_basis(PyObject *self, PyObject *args) {
    int field, left = 0, rows = 0, columns = 0;
    if (!PyArg_ParseTuple(args, "i|p", &field, &left)) {
        return NULL;
    }
    if (field < 0 || field > GOS_POTENTIAL) {
        PyErr_SetString(PyExc_ValueError, "unknown field");
        return NULL;
    }
    const double *v = gos_linear_reduction_basis(((reduction_object *)self)->p, (gos_field)field,
                                                 left != 0, &rows, &columns);
    const Py_ssize_t shape[2] = {v != NULL ? columns : 0, v != NULL ? rows : 0};
    return block_of((void *)(uintptr_t)v, self, 'd', 2, shape);
}

static PyObject *reduction_hankel(PyObject *self, PyObject *unused) {
    (void)unused;
    int n = 0;
    const double *v = gos_linear_reduction_hankel(((reduction_object *)self)->p, &n);
    const Py_ssize_t size = n;
    return block_of((void *)(uintptr_t)v, self, 'd', 1, &size);
}

static PyObject *reduction_save(PyObject *self, PyObject *args) {
    reduction_object *r = (reduction_object *)self;
    const char *method;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "sO&", &method, path_of, &path)) {
        return NULL;
    }
    bool good = handle_enter(&r->base);
    if (good) {
        const gos_status status =
            gos_linear_reduction_save(r->base.own.ctx, r->p, method, PyBytes_AS_STRING(path));
        handle_leave(&r->base);
        good = session_check(&r->base.own, status);
    }
    Py_DECREF(path);
    return good ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef reduction_methods[] = {
    {"basis", reduction_basis, METH_VARARGS, "The basis of a field."},
    {"hankel", reduction_hankel, METH_NOARGS, "Hankel singular values."},
    {"save", reduction_save, METH_VARARGS, "Store the reduced model with its report."},
    {0}};
static PyGetSetDef reduction_getters[] = {
    {"model", reduction_model, NULL, "The reduced model.", NULL},
    {"report", reduction_report, NULL, "What was done.", NULL},
    {0}};
PyTypeObject reduction_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Reduction",
                               .tp_basicsize = sizeof(reduction_object),
                               .tp_flags = Py_TPFLAGS_DEFAULT,
                               .tp_doc = "A reduced linear model.",
                               .tp_dealloc = reduction_dealloc,
                               .tp_methods = reduction_methods,
                               .tp_getset = reduction_getters};

PyObject *core_band_error(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *a, *b;
    double lo, hi;
    session s = {0};
    gos_band_error e = {0};
    if (!PyArg_ParseTuple(args, "O!O!dd", &linear_type, &a, &linear_type, &b, &lo, &hi) ||
        !session_open(&s)) {
        return NULL;
    }
    session_watch(&s, NULL);
    gos_status status;
    Py_BEGIN_ALLOW_THREADS;
    status =
        gos_linear_band_error(s.ctx, ((linear_object *)a)->p, ((linear_object *)b)->p, lo, hi, &e);
    Py_END_ALLOW_THREADS;
    const bool good = session_check(&s, status);
    session_close(&s);
    return good ? Py_BuildValue("{s:d,s:d,s:d,s:d,s:i}", "relative", e.relative, "pointwise",
                                e.pointwise, "worst", e.worst, "largest", e.largest, "evaluations",
                                e.evaluations)
                : NULL;
}

static PyMethodDef methods[] = {
    {"block", linear_block, METH_VARARGS, "One block of the model."},
    {"modes", linear_modes, METH_VARARGS, "Its lowest modes."},
    {"shapes", linear_shapes, METH_VARARGS, "Lowest undamped modes with shapes."},
    {"response", linear_response, METH_O, "Frequency response."},
    {"transient", linear_transient, METH_VARARGS, "Response over time."},
    {"band", linear_band, METH_NOARGS, "Frequency band around the lowest modes."},
    {"first_order", linear_first_order, METH_NOARGS, "Equivalent first-order model."},
    {"save", linear_save, METH_VARARGS, "Store it."},
    {"reduce", linear_reduce, METH_VARARGS, "Reduce it."},
    {0}};
static PyGetSetDef getters[] = {
    {"info", get_info, NULL, "Sizes and properties.", NULL},
    {"inputs", get_ports, NULL, "Names and units of inputs.", NULL},
    {"outputs", get_ports, NULL, "Names and units of outputs.", (void *)1},
    {"coordinates", get_names, NULL, "Names of coordinates.", NULL},
    {"temperatures", get_names, NULL, "Names of temperatures.", (void *)1},
    {0}};
PyTypeObject linear_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Linear",
                            .tp_basicsize = sizeof(linear_object),
                            .tp_flags = Py_TPFLAGS_DEFAULT,
                            .tp_doc = "A linear model.",
                            .tp_dealloc = linear_dealloc,
                            .tp_methods = methods,
                            .tp_getset = getters};
