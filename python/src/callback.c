/* Python functions called by the library: magnitudes of loads and heat. */
#include <math.h>

#include "core.h"

typedef struct call {
    PyObject *fn, *derivative; // derivative NULL: none
    int n;                     // number of probe arguments
    session error;             // holds the first exception; without a context
} call;

static const char capsule[] = "gossamer callback";

static void call_free(PyObject *self) {
    call *c = PyCapsule_GetPointer(self, capsule);
    Py_CLEAR(c->fn);
    Py_CLEAR(c->derivative);
    session_close(&c->error);
    PyMem_Free(c);
}

/* Call fn(t, y...); NULL with an exception. */
static PyObject *ask(const call *c, PyObject *fn, double t, const double *y) {
    PyObject *arguments = PyTuple_New(c->n + 1);
    for (int i = 0; arguments != NULL && i <= c->n; i++) {
        PyObject *number = PyFloat_FromDouble(i == 0 ? t : y[i - 1]);
        if (number == NULL) {
            Py_CLEAR(arguments);
        } else {
            PyTuple_SET_ITEM(arguments, i, number);
        }
    }
    PyObject *answer = arguments != NULL ? PyObject_Call(fn, arguments, NULL) : NULL;
    Py_XDECREF(arguments);
    return answer;
}

static double value(void *user, double t, const double *y) {
    call *c = user;
    double result = (double)NAN;
    const PyGILState_STATE lock = PyGILState_Ensure();
    if (c->error.type == NULL) { // no calls after an exception
        PyObject *answer = ask(c, c->fn, t, y);
        result = answer != NULL ? PyFloat_AsDouble(answer) : NAN;
        Py_XDECREF(answer);
        if (PyErr_Occurred()) {
            session_keep_error(&c->error);
            result = (double)NAN;
        }
    }
    PyGILState_Release(lock);
    return result;
}

static void derivative(void *user, double t, const double *y, double *dy) {
    call *c = user;
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *answer = c->error.type == NULL ? ask(c, c->derivative, t, y) : NULL;
    PyObject *list =
        answer != NULL ? PySequence_Fast(answer, "a derivative must return a sequence") : NULL;
    if (list != NULL && PySequence_Fast_GET_SIZE(list) != c->n) {
        PyErr_Format(PyExc_ValueError, "a derivative must return %d numbers, not %zd", c->n,
                     PySequence_Fast_GET_SIZE(list));
    }
    for (int i = 0; i < c->n; i++) {
        dy[i] = list != NULL && !PyErr_Occurred()
                    ? PyFloat_AsDouble(PySequence_Fast_GET_ITEM(list, i))
                    : NAN;
    }
    Py_XDECREF(list);
    Py_XDECREF(answer);
    if (PyErr_Occurred()) {
        session_keep_error(&c->error);
    }
    PyGILState_Release(lock);
}

bool callback_give(session *s, gos_model *model, const char *name, PyObject *fn, int n,
                   PyObject *by, PyObject *calls) {
    if (!PyCallable_Check(fn) || (by != Py_None && !PyCallable_Check(by))) {
        PyErr_SetString(PyExc_TypeError, "a callback must be callable");
        return false;
    }
    if (n < 1) {
        PyErr_SetString(PyExc_ValueError,
                        "a callback needs arguments for the time and at least one probe: fn(t, y)");
        return false;
    }
    call *c = PyMem_Calloc(1, sizeof *c);
    PyObject *owner = c != NULL ? PyCapsule_New(c, capsule, call_free) : PyErr_NoMemory();
    if (owner == NULL) {
        PyMem_Free(c);
        return false;
    }
    c->fn = Py_NewRef(fn);
    c->derivative = by != Py_None ? Py_NewRef(by) : NULL;
    c->n = n;
    const gos_callback given = {
        .value = value, .derivative = c->derivative != NULL ? derivative : NULL, .user = c};
    const bool kept = PyList_Append(calls, owner) == 0;
    Py_DECREF(owner);
    return kept && session_check(s, gos_model_callback_of(s->ctx, model, name, n, &given));
}

void callback_collect(PyObject *calls, session *s) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(calls); i++) {
        call *c = PyCapsule_GetPointer(PyList_GET_ITEM(calls, i), capsule);
        if (c->error.type != NULL) {
            if (s->type == NULL) {
                s->type = c->error.type;
                s->value = c->error.value;
                s->trace = c->error.trace;
                c->error.type = c->error.value = c->error.trace = NULL;
            } else {
                Py_CLEAR(c->error.type);
                Py_CLEAR(c->error.value);
                Py_CLEAR(c->error.trace);
            }
        }
    }
}
