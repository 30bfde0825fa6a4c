/* States, and the equations of a system. */
#include <string.h>

#include "core.h"

static void state_dealloc(PyObject *self) {
    gos_state_destroy(((state_object *)self)->p);
    handle_free((handle *)self);
}

static const gos_system *system_of(const state_object *x) {
    return ((system_object *)x->base.parent)->p;
}

static bool index_of(int i, int n, const char *what) {
    if (i < 0 || i >= n) {
        PyErr_Format(PyExc_IndexError, "there is no %s %d", what, i);
        return false;
    }
    return true;
}

static PyObject *state_copy(PyObject *self, PyObject *unused) {
    (void)unused;
    state_object *x = (state_object *)self, *copy = handle_new(&state_type);
    if (copy == NULL) {
        return NULL;
    }
    copy->base.parent = Py_NewRef(x->base.parent);
    session *s = &copy->base.own;
    gos_status status = gos_state_create(s->ctx, system_of(x), &copy->p);
    if (!session_check(s, status) || !handle_enter(&x->base)) {
        Py_CLEAR(copy);
        return NULL;
    }
    status = gos_state_copy(copy->p, x->p);
    handle_leave(&x->base);
    if (!session_check(s, status)) {
        Py_CLEAR(copy);
    }
    return (PyObject *)copy;
}

static PyObject *state_assign(PyObject *self, PyObject *other) {
    state_object *x = (state_object *)self;
    if (!handle_is(other, &state_type, "the argument of assign")) {
        return NULL;
    }
    state_object *from = (state_object *)other;
    if (from->base.parent != x->base.parent) {
        PyErr_SetString(PyExc_ValueError, "the state is of another system");
        return NULL;
    }
    if (from == x) {
        Py_RETURN_NONE;
    }
    if (!handle_enter(&x->base)) {
        return NULL;
    }
    if (!handle_enter(&from->base)) {
        handle_leave(&x->base);
        return NULL;
    }
    x->version++;
    const gos_status status = gos_state_copy(x->p, from->p);
    handle_leave(&from->base);
    handle_leave(&x->base);
    return session_check(&x->base.own, status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *state_time(PyObject *self, void *unused) {
    (void)unused;
    return PyFloat_FromDouble(gos_state_time(((state_object *)self)->p));
}

/* probe(i): (values, rates) */
static PyObject *state_probe(PyObject *self, PyObject *args) {
    state_object *x = (state_object *)self;
    int i;
    if (!PyArg_ParseTuple(args, "i", &i) ||
        !index_of(i, gos_system_nprobes(system_of(x)), "probe") || !handle_enter(&x->base)) {
        return NULL;
    }
    gos_probe_info info;
    gos_system_probe_info(system_of(x), i, &info);
    const Py_ssize_t n = info.ncomp;
    double *value = NULL, *rate = NULL;
    PyObject *values = block_new(1, &n, &value), *rates = block_new(1, &n, &rate);
    bool good = values != NULL && rates != NULL;
    if (good) {
        good = session_check(&x->base.own,
                             gos_system_probe(x->base.own.ctx, system_of(x), x->p, i, value, rate));
    }
    handle_leave(&x->base);
    if (!good) {
        Py_XDECREF(values);
        Py_XDECREF(rates);
        return NULL;
    }
    return Py_BuildValue("NN", values, rates);
}

static PyObject *state_input(PyObject *self, PyObject *args) {
    state_object *x = (state_object *)self;
    int i;
    if (!PyArg_ParseTuple(args, "i", &i) ||
        !index_of(i, gos_system_ninputs(system_of(x)), "input") || !handle_enter(&x->base)) {
        return NULL;
    }
    const double value = gos_state_input(x->p, i);
    handle_leave(&x->base);
    return PyFloat_FromDouble(value);
}

/* set_input(i, value, until): at once if until is before the time of the state */
static PyObject *state_set_input(PyObject *self, PyObject *args) {
    state_object *x = (state_object *)self;
    int i;
    double value;
    PyObject *until = Py_None;
    if (!PyArg_ParseTuple(args, "id|O", &i, &value, &until) ||
        !index_of(i, gos_system_ninputs(system_of(x)), "input")) {
        return NULL;
    }
    const double t = until == Py_None ? gos_state_time(x->p) : PyFloat_AsDouble(until);
    if (PyErr_Occurred() || !handle_enter(&x->base)) {
        return NULL;
    }
    const gos_status status = gos_state_set_input(x->base.own.ctx, x->p, i, value, t);
    handle_leave(&x->base);
    return session_check(&x->base.own, status) ? Py_NewRef(Py_None) : NULL;
}

/* coordinate(i): (values, rates) */
static PyObject *state_coordinate(PyObject *self, PyObject *args) {
    state_object *x = (state_object *)self;
    int i;
    if (!PyArg_ParseTuple(args, "i", &i) ||
        !index_of(i, gos_system_ncoordinates(system_of(x)), "coordinate")) {
        return NULL;
    }
    gos_coordinate_info info;
    gos_system_coordinate_info(system_of(x), i, &info);
    const Py_ssize_t n = info.ncomp;
    double *value = NULL, *rate = NULL;
    PyObject *values = block_new(1, &n, &value), *rates = block_new(1, &n, &rate);
    if (values == NULL || rates == NULL || !handle_enter(&x->base)) {
        Py_XDECREF(values);
        Py_XDECREF(rates);
        return NULL;
    }
    gos_state_coordinate(x->p, i, value, rate);
    handle_leave(&x->base);
    return Py_BuildValue("NN", values, rates);
}

/* set_coordinate(i, values, rates), either None */
static PyObject *state_set_coordinate(PyObject *self, PyObject *args) {
    state_object *x = (state_object *)self;
    PyObject *array[2] = {Py_None, Py_None};
    Py_buffer view[2];
    bool have[2] = {false, false}, good = true;
    int i;
    if (!PyArg_ParseTuple(args, "iOO", &i, &array[0], &array[1]) ||
        !index_of(i, gos_system_ncoordinates(system_of(x)), "coordinate")) {
        return NULL;
    }
    gos_coordinate_info info;
    gos_system_coordinate_info(system_of(x), i, &info);
    for (int k = 0; good && k < 2; k++) {
        if (array[k] != Py_None) {
            good = have[k] = doubles_of(array[k], info.ncomp, info.name, &view[k]);
        }
    }
    if (good && handle_enter(&x->base)) {
        const gos_status status = gos_state_set_coordinate(
            x->base.own.ctx, x->p, i, have[0] ? view[0].buf : NULL, have[1] ? view[1].buf : NULL);
        handle_leave(&x->base);
        (void)session_check(&x->base.own, status);
    }
    for (int k = 0; k < 2; k++) {
        if (have[k]) {
            PyBuffer_Release(&view[k]);
        }
    }
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *state_settle(PyObject *self, PyObject *unused) {
    (void)unused;
    state_object *x = (state_object *)self;
    gos_constraint_correction by = {0};
    if (!handle_enter(&x->base)) {
        return NULL;
    }
    session *s = &x->base.own;
    s->calls = ((handle *)x->base.parent)->keep;
    x->version++;
    gos_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = gos_state_satisfy_constraints(s->ctx, x->p, &by);
    Py_END_ALLOW_THREADS;
    handle_leave(&x->base);
    return session_check(s, status)
               ? Py_BuildValue("{s:d,s:N,s:d,s:d,s:d}", "violation", by.violation, "where",
                               text_of(by.where), "position", by.position, "velocity", by.velocity,
                               "temperature", by.temperature)
               : NULL;
}

/* equilibrium(options): statistics */
static PyObject *state_equilibrium(PyObject *self, PyObject *args) {
    state_object *x = (state_object *)self;
    PyObject *dict = Py_None;
    gos_options options;
    gos_statistics stats = {0};
    if (!PyArg_ParseTuple(args, "|O", &dict) || !options_from(system_of(x), dict, &options) ||
        !handle_enter(&x->base)) {
        return NULL;
    }
    session *s = &x->base.own;
    s->calls = ((handle *)x->base.parent)->keep;
    session_watch(s, NULL);
    x->version++;
    gos_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = gos_solve_static(s->ctx, system_of(x), &options, x->p, &stats);
    Py_END_ALLOW_THREADS;
    handle_leave(&x->base);
    return session_check(s, status) ? statistics_of(&stats) : NULL;
}

static PyObject *state_balance(PyObject *self, PyObject *unused) {
    (void)unused;
    state_object *x = (state_object *)self;
    gos_energy energy;
    gos_heat heat;
    if (!handle_enter(&x->base)) {
        return NULL;
    }
    gos_system_energy(system_of(x), x->p, &energy);
    gos_system_heat(system_of(x), x->p, &heat);
    handle_leave(&x->base);
    return Py_BuildValue("NN", energy_of(&energy), heat_of(&heat));
}

static PyObject *state_momentum(PyObject *self, PyObject *unused) {
    (void)unused;
    state_object *x = (state_object *)self;
    double p[3], l[3];
    if (!handle_enter(&x->base)) {
        return NULL;
    }
    gos_system_momentum(system_of(x), x->p, p, l);
    handle_leave(&x->base);
    return Py_BuildValue("(ddd)(ddd)", p[0], p[1], p[2], l[0], l[1], l[2]);
}

/* nodes(): positions, velocities, temperatures, temperature rates */
static PyObject *state_nodes(PyObject *self, PyObject *unused) {
    (void)unused;
    state_object *x = (state_object *)self;
    gos_mesh_info mesh;
    gos_system_mesh(system_of(x), &mesh);
    const Py_ssize_t shape[2] = {mesh.nnodes, 3};
    double *value[4] = {NULL};
    PyObject *list[4] = {NULL};
    bool good = true;
    for (int i = 0; i < 4; i++) {
        list[i] = block_new(i < 2 ? 2 : 1, shape, &value[i]);
        good = good && list[i] != NULL;
    }
    if (!good || !handle_enter(&x->base)) {
        for (int i = 0; i < 4; i++) {
            Py_XDECREF(list[i]);
        }
        return NULL;
    }
    gos_system_nodes(system_of(x), x->p, value[0], value[1], value[2], value[3]);
    handle_leave(&x->base);
    return Py_BuildValue("NNNN", list[0], list[1], list[2], list[3]);
}

static PyMethodDef methods[] = {
    {"copy", state_copy, METH_NOARGS, "A copy."},
    {"assign", state_assign, METH_O, "Assign the values of another state."},
    {"probe", state_probe, METH_VARARGS, "Value and rate of a probe."},
    {"input", state_input, METH_VARARGS, "Value of an input."},
    {"set_input", state_set_input, METH_VARARGS, "Set an input, at once or linearly until a time."},
    {"coordinate", state_coordinate, METH_VARARGS, "Value and rate of a coordinate."},
    {"set_coordinate", state_set_coordinate, METH_VARARGS, "Set value and rate of a coordinate."},
    {"settle", state_settle, METH_NOARGS, "Project the state onto the constraints."},
    {"equilibrium", state_equilibrium, METH_VARARGS, "Solve for the static equilibrium."},
    {"balance", state_balance, METH_NOARGS, "Energy and heat."},
    {"momentum", state_momentum, METH_NOARGS, "Linear and angular momentum."},
    {"nodes", state_nodes, METH_NOARGS, "Positions, velocities, temperatures of nodes."},
    {0}};
static PyGetSetDef getters[] = {{"time", state_time, NULL, "Its time [s].", NULL}, {0}};
PyTypeObject state_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.State",
                           .tp_basicsize = sizeof(state_object),
                           .tp_flags = Py_TPFLAGS_DEFAULT,
                           .tp_doc = "A state of a system.",
                           .tp_dealloc = state_dealloc,
                           .tp_methods = methods,
                           .tp_getset = getters};

/* ---- equations ------------------------------------------------------------------------------- */

typedef struct equations_object {
    handle base; // parent: the system
    gos_equations *p;
    int nq, nt, nc, nh;
} equations_object;

static PyObject *equations_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *sys;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "Equations takes one argument, a system");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!", &system_type, &sys)) {
        return NULL;
    }
    equations_object *eq = handle_new(type);
    if (eq == NULL) {
        return NULL;
    }
    gos_sizes n;
    gos_system_sizes(((system_object *)sys)->p, &n);
    eq->base.parent = Py_NewRef(sys);
    eq->nq = n.coordinates;
    eq->nt = n.temperatures;
    eq->nc = n.constraints;
    eq->nh = n.temperature_constraints;
    session *s = &eq->base.own;
    if (!session_check(s, gos_equations_create(s->ctx, ((system_object *)sys)->p, &eq->p))) {
        Py_CLEAR(eq);
        return NULL;
    }
    return (PyObject *)eq;
}

static void equations_dealloc(PyObject *self) {
    gos_equations_destroy(((equations_object *)self)->p);
    handle_free((handle *)self);
}

enum { POINT = 7 };
typedef struct point_views {
    Py_buffer view[POINT];
    bool have[POINT];
} point_views;

static void release(point_views *v) {
    for (int i = 0; i < POINT; i++) {
        if (v->have[i]) {
            PyBuffer_Release(&v->view[i]);
        }
    }
}

/* The point of a state; q, v, a, T, Td, lam, lam_T that are not None override its values. */
static bool point_of(const equations_object *eq, state_object *x, PyObject *tuple, PyObject *time,
                     point_views *v, gos_equations_point *at) {
    static const char *const name[POINT] = {"q", "v", "a", "T", "Td", "lam", "lam_T"};
    const int size[POINT] = {eq->nq, eq->nq, eq->nq, eq->nt, eq->nt, eq->nc, eq->nh};
    if (x->base.parent != eq->base.parent) {
        PyErr_SetString(PyExc_ValueError, "the state is of another system");
        return false;
    }
    *at = gos_equations_at(x->p);
    const double **slot[POINT] = {&at->q, &at->v, &at->a, &at->T, &at->Td, &at->lam, &at->lam_T};
    for (int i = 0; i < POINT; i++) {
        PyObject *array = PyTuple_GET_ITEM(tuple, i);
        if (array != Py_None) {
            v->have[i] = doubles_of(array, size[i], name[i], &v->view[i]);
            if (!v->have[i]) {
                return false;
            }
            *slot[i] = v->view[i].buf;
        }
    }
    if (time != Py_None) {
        at->t = PyFloat_AsDouble(time);
    }
    return !PyErr_Occurred();
}

static bool arguments(PyObject *args, PyObject **state, PyObject **tuple, PyObject **time,
                      double *by_rate, double *by_acceleration) {
    if (!PyArg_ParseTuple(args, "O!O!O|dd", &state_type, state, &PyTuple_Type, tuple, time, by_rate,
                          by_acceleration)) {
        return false;
    }
    if (PyTuple_GET_SIZE(*tuple) != POINT) {
        PyErr_SetString(PyExc_ValueError, "a point must be (q, v, a, T, Td, lam, lam_T)");
        return false;
    }
    return true;
}

static PyObject *equations_residual(PyObject *self, PyObject *args) {
    equations_object *eq = (equations_object *)self;
    PyObject *state, *tuple, *time;
    double unused;
    if (!arguments(args, &state, &tuple, &time, &unused, &unused) || !handle_enter(&eq->base)) {
        return NULL;
    }
    point_views views = {0};
    gos_equations_point at;
    double *r;
    const Py_ssize_t n = eq->nq + eq->nt + eq->nc + eq->nh;
    PyObject *block = block_new(1, &n, &r);
    bool good = block != NULL && point_of(eq, (state_object *)state, tuple, time, &views, &at);
    if (good) {
        eq->base.own.calls = ((handle *)eq->base.parent)->keep;
        good = session_check(&eq->base.own, gos_equations_residual(eq->p, &at, r));
    }
    release(&views);
    handle_leave(&eq->base);
    if (!good) {
        Py_CLEAR(block);
    }
    return block;
}

/* (n, p, i, x): compressed columns; p None: dense, n n values */
static PyObject *matrix_of(const gos_equations_matrix *J) {
    const Py_ssize_t n = J->n;
    const Py_ssize_t entries = J->p != NULL ? J->p[J->n] : n * n;
    double *x;
    PyObject *values = block_new(1, &entries, &x);
    if (values == NULL) {
        return NULL;
    }
    memcpy(x, J->x, (size_t)entries * sizeof *x);
    if (J->p == NULL) {
        return Py_BuildValue("iOON", J->n, Py_None, Py_None, values);
    }
    return Py_BuildValue("iNNN", J->n, block_ints(J->p, n + 1), block_ints(J->i, entries), values);
}

static PyObject *equations_jacobian(PyObject *self, PyObject *args) {
    equations_object *eq = (equations_object *)self;
    PyObject *state, *tuple, *time;
    double by_rate = 0, by_acceleration = 0;
    if (!arguments(args, &state, &tuple, &time, &by_rate, &by_acceleration) ||
        !handle_enter(&eq->base)) {
        return NULL;
    }
    point_views views = {0};
    gos_equations_point at;
    gos_equations_matrix J;
    PyObject *result = NULL;
    if (point_of(eq, (state_object *)state, tuple, time, &views, &at)) {
        eq->base.own.calls = ((handle *)eq->base.parent)->keep;
        if (session_check(&eq->base.own,
                          gos_equations_jacobian(eq->p, &at, by_rate, by_acceleration, &J))) {
            result = matrix_of(&J);
        }
    }
    release(&views);
    handle_leave(&eq->base);
    return result;
}

/* at(state): copies of t, q, v, a, T, Td, lam, lam_T */
static PyObject *equations_at(PyObject *self, PyObject *state) {
    equations_object *eq = (equations_object *)self;
    if (!handle_is(state, &state_type, "the evaluation point")) {
        return NULL;
    }
    state_object *x = (state_object *)state;
    if (x->base.parent != eq->base.parent) {
        PyErr_SetString(PyExc_ValueError, "the state is of another system");
        return NULL;
    }
    if (!handle_enter(&x->base)) {
        return NULL;
    }
    const gos_equations_point at = gos_equations_at(x->p);
    const double *from[POINT] = {at.q, at.v, at.a, at.T, at.Td, at.lam, at.lam_T};
    const Py_ssize_t size[POINT] = {eq->nq, eq->nq, eq->nq, eq->nt, eq->nt, eq->nc, eq->nh};
    PyObject *tuple = PyTuple_New(POINT + 1);
    if (tuple != NULL) {
        PyTuple_SET_ITEM(tuple, 0, PyFloat_FromDouble(at.t));
    }
    for (int i = 0; tuple != NULL && i < POINT; i++) {
        double *to;
        PyObject *block = block_new(1, &size[i], &to);
        if (block == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        if (size[i] > 0) {
            memcpy(to, from[i], (size_t)size[i] * sizeof *to);
        }
        PyTuple_SET_ITEM(tuple, i + 1, block);
    }
    handle_leave(&x->base);
    return tuple;
}

static PyMethodDef equation_methods[] = {
    {"residual", equations_residual, METH_VARARGS, "The residual at a point."},
    {"jacobian", equations_jacobian, METH_VARARGS, "Its derivatives."},
    {"at", equations_at, METH_O, "Values of a state."},
    {0}};
PyTypeObject equations_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Equations",
                               .tp_basicsize = sizeof(equations_object),
                               .tp_flags = Py_TPFLAGS_DEFAULT,
                               .tp_doc = "The equations of a system.",
                               .tp_new = equations_new,
                               .tp_dealloc = equations_dealloc,
                               .tp_methods = equation_methods};
