/* Converts structs of the library to dicts with the names of their members. */
#include <string.h>

#include "core.h"

#define PUT(type, name, doc)                                                                       \
    if (!put(d, #name, VALUE_OF(type, from->name))) {                                              \
        Py_CLEAR(d);                                                                               \
        return NULL;                                                                               \
    }
#define PUT_DOUBLE(name, doc) PUT(double, name, doc)

PyObject *sizes_of(const gos_sizes *from) {
    PyObject *d = PyDict_New();
    if (d != NULL) {
        GOS_SIZES_FIELDS(PUT)
        PUT(bool, reduced, "")
    }
    return d;
}

PyObject *statistics_of(const gos_statistics *from) {
    PyObject *d = PyDict_New();
    if (d != NULL) {
        GOS_STATISTICS_FIELDS(PUT)
    }
    return d;
}

PyObject *energy_of(const gos_energy *from) {
    PyObject *d = PyDict_New();
    if (d != NULL) {
        GOS_ENERGY_FIELDS(PUT_DOUBLE)
    }
    return d;
}

PyObject *heat_of(const gos_heat *from) {
    PyObject *d = PyDict_New();
    if (d != NULL) {
        GOS_HEAT_FIELDS(PUT_DOUBLE)
    }
    return d;
}

PyObject *options_of(const gos_options *from) {
    PyObject *d = PyDict_New();
    if (d != NULL) {
        GOS_OPTIONS_FIELDS(PUT)
    }
    return d;
}

static bool take_int(PyObject *value, int *to) {
    const long n = PyLong_AsLong(value);
    if (n == -1 && PyErr_Occurred()) {
        return false;
    }
    if (n < -1000000000 || n > 1000000000) {
        PyErr_SetString(PyExc_OverflowError, "an option is too large");
        return false;
    }
    *to = (int)n;
    return true;
}

static bool take_double(PyObject *value, double *to) {
    *to = PyFloat_AsDouble(value);
    return *to != -1 || !PyErr_Occurred();
}

static bool take_bool(PyObject *value, bool *to) {
    const int truth = PyObject_IsTrue(value);
    *to = truth > 0;
    return truth >= 0;
}

/* Set a member of the options by name; true if it exists. *good: the value is valid. */
static bool take(const char *key, PyObject *value, gos_options *o, bool *good) {
#define TAKE(type, name, doc)                                                                      \
    if (strcmp(key, #name) == 0) {                                                                 \
        *good = _Generic((type)0, int                                                              \
                         : take_int, bool                                                          \
                         : take_bool, double                                                       \
                         : take_double)(value, &o->name);                                          \
        return true;                                                                               \
    }
    GOS_OPTIONS_FIELDS(TAKE)
#undef TAKE
    return false;
}

bool options_from(const gos_system *sys, PyObject *dict, gos_options *options) {
    gos_options_get(sys, options);
    if (dict == NULL || dict == Py_None) {
        return true;
    }
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "options must be a dict");
        return false;
    }
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : NULL;
        bool good = true;
        if (name == NULL || !take(name, value, options, &good)) {
            PyErr_Format(PyExc_ValueError, "there is no option %R; see System.options", key);
            return false;
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

PyObject *probe_info_of(const gos_probe_info *p) {
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:I,s:O}", "name", text_of(p->name), "quantity",
                         text_of(p->quantity), "unit", text_of(p->unit), "components",
                         texts_of(p->components, p->ncomp), "undetermined", p->undetermined,
                         "rates", p->rates ? Py_True : Py_False);
}

PyObject *field_info_of(const gos_field_info *f) {
    return Py_BuildValue("{s:N,s:N,s:N}", "name", text_of(f->name), "unit", text_of(f->unit),
                         "components", texts_of(f->components, f->ncomp));
}

PyObject *mesh_of(const gos_mesh_info *m) {
    return Py_BuildValue(
        "{s:i,s:N,s:N,s:N,s:N,s:N}", "nodes", m->nnodes, "cell_offset",
        block_ints(m->cell_offset, m->ncells > 0 ? m->ncells + 1 : 0), "cell_nodes",
        block_ints(m->cell_nodes, m->ncells > 0 ? m->cell_offset[m->ncells] : 0), "cell_body",
        block_ints(m->cell_body, m->ncells), "bodies", texts_of(m->body_names, m->nbodies),
        "body_first_node", block_ints(m->body_first_node, m->nbodies > 0 ? m->nbodies + 1 : 0));
}
