/* Stepping in a loop. Inputs are read from one array and outputs written to another, both shared
   with numpy, so that a step is a single Python call. */
#include <math.h>
#include <string.h>

#include "core.h"

enum { SIGNAL_STEPS = 256 }; // steps between checks for signals

/* a component of a probe, or of its rate */
typedef struct output {
    int probe, component;
    bool rate;
} output;

typedef struct stepper_object {
    handle base; // parent: the state
    gos_integrator *p;
    gos_options options;
    state_object *state; // borrowed from parent
    const gos_system *sys;
    unsigned long version; // of the state when the integrator was created
    int nu, ny;
    int *input;    // (nu)
    output *out;   // (ny)
    double *u, *y; // (nu), (ny); u NAN: determined by the model
    PyObject *u_block, *y_block;
    PyObject *answer; // return value of a step: y as an array, or as set by _answer
    gos_event *event; // (nevents) since the last query
    int nevents, room;
    bool ramp, ended;
} stepper_object;

static bool begin_integrator(stepper_object *s) {
    gos_integrator_destroy(s->p);
    s->p = NULL;
    session *own = &s->base.own;
    own->calls = ((handle *)s->state->base.parent)->keep;
    session_watch(own, NULL);
    gos_status status;
    gos_state *x = s->state->p;
    Py_BEGIN_ALLOW_THREADS;
    status = gos_integrator_create(own->ctx, s->sys, &s->options, x, &s->p);
    Py_END_ALLOW_THREADS;
    s->ended = false;
    s->nevents = 0;
    return session_check(own, status);
}

static bool read_ports(stepper_object *s, PyObject *inputs, PyObject *outputs) {
    s->nu = (int)PyTuple_GET_SIZE(inputs);
    s->ny = (int)PyTuple_GET_SIZE(outputs);
    const Py_ssize_t nu = s->nu, ny = s->ny;
    s->input = PyMem_Calloc((size_t)nu + 1, sizeof *s->input);
    s->out = PyMem_Calloc((size_t)ny + 1, sizeof *s->out);
    s->u_block = block_new(1, &nu, &s->u);
    s->y_block = block_new(1, &ny, &s->y);
    if (s->input == NULL || s->out == NULL || s->u_block == NULL || s->y_block == NULL) {
        PyErr_NoMemory();
        return false;
    }
    s->answer = Py_NewRef(s->y_block);
    for (int i = 0; i < s->nu; i++) {
        s->input[i] = (int)PyLong_AsLong(PyTuple_GET_ITEM(inputs, i));
        s->u[i] = (double)NAN;
        if (PyErr_Occurred() || s->input[i] < 0 || s->input[i] >= gos_system_ninputs(s->sys)) {
            PyErr_SetString(PyExc_IndexError, "unknown input");
            return false;
        }
    }
    for (int i = 0; i < s->ny; i++) {
        gos_probe_info info = {0};
        int rate = 0;
        output *o = &s->out[i];
        if (!PyTuple_Check(PyTuple_GET_ITEM(outputs, i)) ||
            !PyArg_ParseTuple(PyTuple_GET_ITEM(outputs, i), "iip", &o->probe, &o->component,
                              &rate)) {
            PyErr_SetString(PyExc_TypeError, "an output must be (probe, component, rate)");
            return false;
        }
        o->rate = rate != 0;
        if (o->probe >= 0 && o->probe < gos_system_nprobes(s->sys)) {
            gos_system_probe_info(s->sys, o->probe, &info);
        }
        if (o->component < 0 || o->component >= info.ncomp) {
            PyErr_SetString(PyExc_IndexError, "unknown output");
            return false;
        }
    }
    return true;
}

/* Compute the outputs of the current state. */
static gos_status observe(stepper_object *s) {
    double value[GOS_PROBE_MAX], rate[GOS_PROBE_MAX];
    int last = -1;
    for (int i = 0; i < s->ny; i++) {
        const output *o = &s->out[i];
        if (o->probe != last) {
            const gos_status status =
                gos_system_probe(s->base.own.ctx, s->sys, s->state->p, o->probe, value, rate);
            if (status != GOS_OK) {
                return status;
            }
            last = o->probe;
        }
        s->y[i] = o->rate ? rate[o->component] : value[o->component];
    }
    return GOS_OK;
}

/* Stepper(system, state, options, inputs, outputs, ramp) */
static PyObject *stepper_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *sys, *state, *dict, *inputs, *outputs;
    int ramp;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "a stepper takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O!OO!O!p", &system_type, &sys, &state_type, &state, &dict,
                          &PyTuple_Type, &inputs, &PyTuple_Type, &outputs, &ramp)) {
        return NULL;
    }
    state_object *x = (state_object *)state;
    if (x->base.parent != sys) {
        PyErr_SetString(PyExc_ValueError, "the state is of another system");
        return NULL;
    }
    stepper_object *s = handle_new(type);
    if (s == NULL) {
        return NULL;
    }
    s->base.parent = Py_NewRef(state);
    s->state = x;
    s->sys = ((system_object *)sys)->p;
    s->ramp = ramp != 0;
    bool good = options_from(s->sys, dict, &s->options) && read_ports(s, inputs, outputs) &&
                handle_enter(&x->base);
    if (good) {
        good = begin_integrator(s);
        s->version = ++x->version; // invalidates earlier steppers of the state
        good = good && session_check(&s->base.own, observe(s));
        handle_leave(&x->base);
    }
    if (!good) {
        Py_CLEAR(s);
    }
    return (PyObject *)s;
}

static void stepper_dealloc(PyObject *self) {
    stepper_object *s = (stepper_object *)self;
    gos_integrator_destroy(s->p);
    PyMem_Free(s->input);
    PyMem_Free(s->out);
    PyMem_RawFree(s->event);
    Py_CLEAR(s->u_block);
    Py_CLEAR(s->y_block);
    Py_CLEAR(s->answer);
    handle_free(&s->base);
}

static bool enter(stepper_object *s) {
    if (s->p == NULL || s->version != s->state->version) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the state of this stepper was changed elsewhere (another stepper, "
                        "assign, equilibrium, settle); make a new stepper, or call restore");
        return false;
    }
    return handle_enter(&s->state->base);
}

static void leave(stepper_object *s) {
    handle_leave(&s->state->base);
}

static gos_status note_events(stepper_object *s, bool *ends) {
    const gos_event *event;
    const int n = gos_integrator_events(s->p, &event, ends);
    if (s->nevents + n > s->room) {
        const int room = 2 * (s->nevents + n);
        gos_event *more = PyMem_RawRealloc(s->event, (size_t)room * sizeof *more);
        if (more == NULL) {
            return GOS_E_MEMORY;
        }
        s->event = more;
        s->room = room;
    }
    if (n > 0) {
        memcpy(s->event + s->nevents, event, (size_t)n * sizeof *event);
        s->nevents += n;
    }
    return GOS_OK;
}

/* Step to t without the GIL, at most SIGNAL_STEPS steps; *count: their number. */
static gos_status go(stepper_object *s, double t, bool *ends) {
    gos_state *x = s->state->p;
    gos_status status = GOS_OK;
    for (int k = 0; status == GOS_OK && !*ends && k < SIGNAL_STEPS && gos_state_time(x) < t; k++) {
        status = gos_integrator_step(s->p, t);
        if (status == GOS_OK && gos_system_nevents(s->sys) > 0) {
            status = note_events(s, ends);
        }
    }
    return status;
}

static gos_status set_inputs(stepper_object *s, double t) {
    gos_state *x = s->state->p;
    gos_status status = GOS_OK;
    for (int i = 0; status == GOS_OK && i < s->nu; i++) {
        if (!isnan(s->u[i])) {
            status = gos_state_set_input(s->base.own.ctx, x, s->input[i], s->u[i],
                                         s->ramp ? t : gos_state_time(x));
        }
    }
    return status;
}

/* Advance the state to time t with the inputs of u. */
static PyObject *advance(stepper_object *s, double t) {
    session *own = &s->base.own;
    if (!(t > gos_state_time(s->state->p)) || !isfinite(t)) {
        PyErr_SetString(PyExc_ValueError, "a step must end at a later, finite time");
        return NULL;
    }
    if (s->ended) {
        PyErr_SetString(PyExc_RuntimeError, "an event has ended this run; see Stepper.events");
        return NULL;
    }
    own->calls = ((handle *)s->state->base.parent)->keep;
    bool first = true, more = true;
    gos_status status = GOS_OK;
    while (more) {
        Py_BEGIN_ALLOW_THREADS;
        status = first ? set_inputs(s, t) : GOS_OK;
        status = status == GOS_OK ? go(s, t, &s->ended) : status;
        more = status == GOS_OK && !s->ended && gos_state_time(s->state->p) < t;
        status = status == GOS_OK && !more ? observe(s) : status;
        Py_END_ALLOW_THREADS;
        first = false;
        if (more && PyErr_CheckSignals() < 0) {
            return NULL;
        }
    }
    if (status != GOS_OK || gos_ctx_ndiag(own->ctx) > 0 || own->type != NULL ||
        (own->calls != NULL && PyList_GET_SIZE(own->calls) > 0)) {
        if (!session_check(own, status)) {
            return NULL;
        }
    }
    return Py_NewRef(s->answer);
}

/* Parse (h or t, u1, u2, ...); inputs that are not given keep their values in u. */
static PyObject *step(PyObject *self, PyObject *const *args, Py_ssize_t n, bool absolute) {
    stepper_object *s = (stepper_object *)self;
    if (n < 1 || n > 1 + s->nu) {
        PyErr_Format(PyExc_TypeError, "a step needs a time and at most %d inputs", s->nu);
        return NULL;
    }
    double number[1 + 8];
    const int fast = n <= 9 ? (int)n : 1;
    for (int i = 0; i < fast; i++) {
        number[i] = PyFloat_AsDouble(args[i]);
        if (number[i] == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (!enter(s)) {
        return NULL;
    }
    PyObject *result = NULL;
    for (Py_ssize_t i = 1; i < n; i++) {
        s->u[i - 1] = i < fast ? number[i] : PyFloat_AsDouble(args[i]);
    }
    if (!PyErr_Occurred()) {
        result = advance(s, absolute ? number[0] : gos_state_time(s->state->p) + number[0]);
    }
    leave(s);
    return result;
}

static PyObject *stepper_step(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    return step(self, args, n, false);
}

static PyObject *stepper_advance(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    return step(self, args, n, true);
}

static PyObject *stepper_observe(PyObject *self, PyObject *unused) {
    (void)unused;
    stepper_object *s = (stepper_object *)self;
    if (!handle_enter(&s->state->base)) {
        return NULL;
    }
    s->base.own.calls = ((handle *)s->state->base.parent)->keep;
    const gos_status status = observe(s);
    leave(s);
    return session_check(&s->base.own, status) ? Py_NewRef(s->answer) : NULL;
}

/* Store the history of the integrator in the state, so that a copy is complete. */
static PyObject *stepper_keep(PyObject *self, PyObject *unused) {
    (void)unused;
    stepper_object *s = (stepper_object *)self;
    if (!enter(s)) {
        return NULL;
    }
    const gos_status status = gos_integrator_store_history(s->p);
    leave(s);
    return session_check(&s->base.own, status) ? Py_NewRef(Py_None) : NULL;
}

/* Assign another state and continue from it. */
static PyObject *stepper_restore(PyObject *self, PyObject *other) {
    stepper_object *s = (stepper_object *)self;
    if (!handle_is(other, &state_type, "the argument of restore")) {
        return NULL;
    }
    state_object *from = (state_object *)other;
    if (from->base.parent != s->state->base.parent) {
        PyErr_SetString(PyExc_ValueError, "the state is of another system");
        return NULL;
    }
    if (from == s->state) {
        PyErr_SetString(PyExc_ValueError, "this is the state of the stepper itself; use a copy");
        return NULL;
    }
    if (!handle_enter(&s->state->base)) {
        return NULL;
    }
    bool good = handle_enter(&from->base);
    if (good) {
        const gos_status status = gos_state_copy(s->state->p, from->p);
        handle_leave(&from->base);
        good = session_check(&s->base.own, status) && begin_integrator(s);
        s->version = ++s->state->version;
        good = good && session_check(&s->base.own, observe(s));
    }
    leave(s);
    return good ? Py_NewRef(s->answer) : NULL;
}

static PyObject *stepper_events(PyObject *self, PyObject *unused) {
    (void)unused;
    stepper_object *s = (stepper_object *)self;
    if (!handle_enter(&s->state->base)) {
        return NULL;
    }
    PyObject *list = PyList_New(s->nevents);
    for (int i = 0; list != NULL && i < s->nevents; i++) {
        PyObject *one = Py_BuildValue("idN", s->event[i].event, s->event[i].time,
                                      PyBool_FromLong(s->event[i].rising));
        if (one == NULL) {
            Py_CLEAR(list);
        } else {
            PyList_SET_ITEM(list, i, one);
        }
    }
    s->nevents = 0;
    leave(s);
    return list;
}

static PyObject *get_statistics(PyObject *self, void *unused) {
    (void)unused;
    stepper_object *s = (stepper_object *)self;
    gos_statistics stats = {0};
    if (s->p == NULL || !enter(s)) {
        return NULL;
    }
    gos_integrator_statistics(s->p, &stats);
    leave(s);
    return statistics_of(&stats);
}

static PyObject *get_time(PyObject *self, void *unused) {
    (void)unused;
    return PyFloat_FromDouble(gos_state_time(((stepper_object *)self)->state->p));
}

static PyObject *get_block(PyObject *self, void *outputs) {
    stepper_object *s = (stepper_object *)self;
    return Py_NewRef(outputs != NULL ? s->y_block : s->u_block);
}

static PyObject *get_ended(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((stepper_object *)self)->ended);
}

static PyObject *get_state(PyObject *self, void *unused) {
    (void)unused;
    return Py_NewRef(((handle *)self)->parent);
}

static PyObject *stepper_answer(PyObject *self, PyObject *answer) {
    Py_XSETREF(((stepper_object *)self)->answer, Py_NewRef(answer));
    Py_RETURN_NONE;
}

#define FAST(function) (PyCFunction)(void (*)(void)) function
static PyMethodDef methods[] = {
    {"step", FAST(stepper_step), METH_FASTCALL,
     "step(h, *inputs)\n--\n\nAdvance by h [s]. Returns the outputs in the array `y`. Given inputs "
     "replace those in the array `u` (NaN: determined by the model). They are constant during the "
     "step, or with `ramp` reached linearly at its end."},
    {"advance", FAST(stepper_advance), METH_FASTCALL,
     "advance(t, *inputs)\n--\n\nThe same to the time t [s]."},
    {"observe", stepper_observe, METH_NOARGS,
     "observe()\n--\n\nCompute the current outputs, in the array `y`."},
    {"_keep", stepper_keep, METH_NOARGS, "Store the history of the integrator in the state."},
    {"_restore", stepper_restore, METH_O, "Continue from another state."},
    {"_events", stepper_events, METH_NOARGS, "Events since the last query."},
    {"_answer", stepper_answer, METH_O, "Set the return value of a step."},
    {0}};
static PyGetSetDef getters[] = {{"time", get_time, NULL, "Time of the state [s].", NULL},
                                {"ended", get_ended, NULL, "An event has ended the run.", NULL},
                                {"_statistics", get_statistics, NULL, "Counts of steps.", NULL},
                                {"_u", get_block, NULL, "Inputs.", NULL},
                                {"_y", get_block, NULL, "Outputs.", (void *)1},
                                {"_state", get_state, NULL, "The state.", NULL},
                                {0}};
PyTypeObject stepper_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "gossamer._core.Stepper",
                             .tp_basicsize = sizeof(stepper_object),
                             .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             .tp_doc = "Steps in a loop.",
                             .tp_new = stepper_new,
                             .tp_dealloc = stepper_dealloc,
                             .tp_methods = methods,
                             .tp_getset = getters};
