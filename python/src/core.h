/* C extension of the Python package. Each type contains one object of the C library, a reference to
   the object it borrows from, and its own context. The user interface is in gossamer/.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_PYTHON_CORE_H
#define GOSSAMER_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <gossamer/gossamer.h>
#include <gossamer/sweep.h>

#if PY_VERSION_HEX < 0x030A0000 // missing in 3.9
static inline PyObject *Py_NewRef(PyObject *o) {
    Py_INCREF(o);
    return o;
}
static inline PyObject *Py_XNewRef(PyObject *o) {
    Py_XINCREF(o);
    return o;
}
static inline int PyModule_AddObjectRef(PyObject *module, const char *name, PyObject *o) {
    Py_XINCREF(o);
    const int bad = PyModule_AddObject(module, name, o);
    if (bad < 0) {
        Py_XDECREF(o);
    }
    return bad;
}
#endif

/* ---- contexts and errors --------------------------------------------------------------------- */

/* Context of library calls, and the exception raised by Python code called back. */
typedef struct session {
    gos_ctx *ctx;
    PyObject *progress;             // callable, borrowed during a call; NULL: only check signals
    PyObject *calls;                // callbacks of the model (callback.c), borrowed; NULL: none
    PyObject *type, *value, *trace; // exception of called Python code; NULL: none
} session;

/** Create a context. False with MemoryError. */
bool session_open(session *s);
void session_close(session *s);
/** Evaluate a status: true on success (warnings are issued), else false with an exception. Clears
 * the messages. */
bool session_check(session *s, gos_status status);
/** Report progress to `progress` (may be NULL or None) and check for signals (Ctrl-C). */
void session_watch(session *s, PyObject *progress);
/** Attach what was computed before it (stolen; may be NULL) to the exception that is set. */
void error_attach(PyObject *computed);
/** Move the current exception to the session for session_check; the first one is kept. */
void session_keep_error(session *s);

/* ---- handles --------------------------------------------------------------------------------- */

/* First member of all types except Block. */
typedef struct handle {
    PyObject_HEAD session own;
    PyObject *parent; // owner of borrowed data; NULL: none
    PyObject *keep;   // callbacks of its model; NULL: none
    bool busy;        // in use by a library call
} handle;

/** Allocate an object of a type with a context; NULL with an exception. */
void *handle_new(PyTypeObject *type);
/** Last call of each dealloc. */
void handle_free(handle *h);
/** Begin a call that changes the object: false with RuntimeError if it is in use. */
bool handle_enter(handle *h);
void handle_leave(handle *h);
/** Check the type: false with TypeError. */
bool handle_is(PyObject *o, PyTypeObject *type, const char *what);

typedef struct model_object {
    handle base;
    gos_model *p;
} model_object;
typedef struct system_object {
    handle base;
    gos_system *p;
} system_object;
typedef struct state_object {
    handle base; // parent: the system
    gos_state *p;
    unsigned long version; // incremented by changes that invalidate steppers
} state_object;
typedef struct results_object {
    handle base;
    gos_results *p;
} results_object;
typedef struct linear_object {
    handle base;
    gos_linear *p; // borrowed from the parent, if any
} linear_object;
typedef struct reduction_object {
    handle base;
    gos_linear_reduction *p;
} reduction_object;

extern PyTypeObject model_type, system_type, state_type, stepper_type, results_type, linear_type,
    reduction_type, block_type, sweep_type, equations_type;

/** Register a Python function for a name in a model: fn(t, y1, ..., yn), and derivative(t, y1, ...,
 * yn), which returns a sequence of n, or None. The list `calls` keeps them alive. */
bool callback_give(session *s, gos_model *model, const char *name, PyObject *fn, int n,
                   PyObject *derivative, PyObject *calls);
/** Move an exception raised by a callback of the list to the session. */
void callback_collect(PyObject *calls, session *s);

/** Wrap a system and take ownership; parent and keep may be NULL. NULL with an exception; the
 * pointer is then freed. */
PyObject *system_wrap(gos_system *p, PyObject *parent, PyObject *keep);
PyObject *linear_wrap(gos_linear *p, PyObject *parent);

/* ---- arrays ---------------------------------------------------------------------------------- */

/** An array of doubles ('d') or ints ('i') in C order, shared with numpy without a copy. With
 * `owner` it borrows `data`, read-only; otherwise it takes ownership of `data` (PyMem_RawMalloc).
 * NULL with an exception; owned `data` is then freed. */
PyObject *block_of(void *data, PyObject *owner, char format, int ndim, const Py_ssize_t *shape);
/** A new array of zeros; *data points to its values. */
PyObject *block_new(int ndim, const Py_ssize_t *shape, double **data);
/** A copy as an array of ints; empty for NULL. */
PyObject *block_ints(const int *data, Py_ssize_t n);
/** View n doubles of an object with the buffer protocol, C-contiguous (n < 0: any number). False
 * with an exception that names it `what`. Release with PyBuffer_Release. */
bool doubles_of(PyObject *o, Py_ssize_t n, const char *what, Py_buffer *view);
/** The same for C ints. */
bool ints_of(PyObject *o, Py_ssize_t n, const char *what, Py_buffer *view);

/** The text that `write` writes to a stream. */
PyObject *written(session *s, gos_status (*write)(gos_ctx *, const void *, FILE *), const void *of);

/* ---- small things ---------------------------------------------------------------------------- */

/** Store a new reference in a dict, stealing it; false with an exception, also for NULL. */
bool put(PyObject *dict, const char *key, PyObject *value);
/** A Python string; None for NULL. */
PyObject *text_of(const char *text);
/** A tuple of n strings. */
PyObject *texts_of(const char *const *text, int n);
/** Converter of a path (str, bytes, os.PathLike) for "O&". */
int path_of(PyObject *o, void *path);
PyObject *sizes_of(const gos_sizes *s);
PyObject *statistics_of(const gos_statistics *s);
PyObject *energy_of(const gos_energy *e);
PyObject *heat_of(const gos_heat *h);
PyObject *probe_info_of(const gos_probe_info *p);
PyObject *field_info_of(const gos_field_info *f);
PyObject *mesh_of(const gos_mesh_info *m);
PyObject *options_of(const gos_options *o);
/** Options of a system, overridden by those of a dict (NULL or None: none). */
bool options_from(const gos_system *sys, PyObject *dict, gos_options *options);

#define VALUE_OF(type, value)                                                                      \
    _Generic((type)0, int                                                                          \
             : PyLong_FromLong, long                                                               \
             : PyLong_FromLong, bool                                                               \
             : PyBool_FromLong, double                                                             \
             : PyFloat_FromDouble)(value)

PyObject *core_results_open(PyObject *module, PyObject *args);
PyObject *core_compare(PyObject *module, PyObject *args);
PyObject *core_report(PyObject *module, PyObject *args);
PyObject *core_write_text(PyObject *module, PyObject *args);
PyObject *core_copy_results(PyObject *module, PyObject *args);
PyObject *core_view(PyObject *module, PyObject *args);
/** record_run: run a system in memory; a dict of arrays, NULL with an exception. */
PyObject *record_at(PyObject *unused, PyObject *args);
PyObject *record_run(const gos_system *sys, session *s, const gos_options *options, int threads);
PyObject *core_picture(PyObject *module, PyObject *args);
PyObject *core_linear_matrices(PyObject *module, PyObject *args);
PyObject *core_linear_blocks(PyObject *module, PyObject *args);
PyObject *core_linear_read(PyObject *module, PyObject *args);
PyObject *core_rom_model(PyObject *module, PyObject *args);
PyObject *core_band_error(PyObject *module, PyObject *args);

#endif
