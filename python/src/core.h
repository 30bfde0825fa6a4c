/* The compiled half of the Python package: each type holds one object of the C library, what it
   borrows from, and a context of its own. The Python half (gossamer/) is what users see.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_PYTHON_CORE_H
#define GOSSAMER_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <gossamer/gossamer.h>
#include <gossamer/sweep.h>

#if PY_VERSION_HEX < 0x030A0000 // what 3.9 lacks
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

/* ---- contexts and errors
 * ------------------------------------------------------------------------- */

/* What a call into the library needs: its context, and what went wrong in Python code that it
 * called. */
typedef struct session {
    gos_ctx *ctx;
    PyObject *progress; // callable, borrowed while a call lasts; NULL: only signals are looked at
    PyObject *calls;    // callbacks of the model (callback.c), borrowed; NULL: none
    // the exception that Python code called back has raised, NULL: none
    PyObject *type, *value, *trace;
} session;

/** Create a context. False with MemoryError. */
bool session_open(session *s);
void session_close(session *s);
/** What a status means: true when it is good (warnings are then given), else false with an
 * exception. Messages are forgotten. */
bool session_check(session *s, gos_status status);
/** Let the library tell its progress to `progress` (may be NULL or None) and look for signals
 * (Ctrl-C). */
void session_watch(session *s, PyObject *progress);
/** Keep the exception that is set now for session_check; the first one wins. */
void session_keep_error(session *s);

/* ---- handles
 * ----------------------------------------------------------------------------------------- */

/* The beginning of each type but Block. */
typedef struct handle {
    PyObject_HEAD session own;
    PyObject *parent; // what the object borrows from, NULL: nothing
    PyObject *keep;   // what it calls: callbacks of its model, NULL: none
    bool busy;        // a thread is in the library with it
} handle;

/** Make an object of a type, with a context. */
void *handle_new(PyTypeObject *type);
/** The end of each dealloc. */
void handle_free(handle *h);
/** Begin a call that changes the object: false with RuntimeError when another thread is in it. */
bool handle_enter(handle *h);
void handle_leave(handle *h);
/** Refuse what was never made (a type called by itself), or is another type. */
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
    unsigned long version; // counts what makes steppers stale
} state_object;
typedef struct results_object {
    handle base;
    gos_results *p;
} results_object;
typedef struct linear_object {
    handle base;
    gos_linear *p; // borrowed from the parent where there is one
} linear_object;
typedef struct reduction_object {
    handle base;
    gos_linear_reduction *p;
} reduction_object;

extern PyTypeObject model_type, system_type, state_type, stepper_type, results_type, linear_type,
    reduction_type, block_type, sweep_type, equations_type;

/** Let the library call a Python function by a name in a model: fn(t, y1, ..., yn), and
 * derivative(t, y1, ..., yn), a sequence of n, or None. It is kept alive in the list `calls`. */
bool callback_give(session *s, gos_model *model, const char *name, PyObject *fn, int n,
                   PyObject *derivative, PyObject *calls);
/** Move the exception that a callback of the list has raised, if any, to the session. */
void callback_collect(PyObject *calls, session *s);

/** A system of a pointer, which it takes; parent and keep may be NULL. NULL when that fails, the
 * pointer is freed. */
PyObject *system_wrap(gos_system *p, PyObject *parent, PyObject *keep);
PyObject *linear_wrap(gos_linear *p, PyObject *parent);

/* ---- arrays
 * ------------------------------------------------------------------------------------------ */

/** An array of doubles (or ints) in C order that numpy sees without a copy. With `owner` it borrows
 * `data`, read only; else it takes `data`, of PyMem_RawMalloc. NULL with an exception; `data` is
 * then freed. */
PyObject *block_of(void *data, PyObject *owner, char format, int ndim, const Py_ssize_t *shape);
/** A new array, zeroed; *data is where its numbers are. */
PyObject *block_new(int ndim, const Py_ssize_t *shape, double **data);
/** An array of ints, copied; empty for NULL. */
PyObject *block_ints(const int *data, Py_ssize_t n);
/** The doubles of an object with the buffer protocol, C-contiguous, n of them (n < 0: any number).
 *  False with an exception that calls it `what`. Release with PyBuffer_Release. */
bool doubles_of(PyObject *o, Py_ssize_t n, const char *what, Py_buffer *view);
/** The same of C ints. */
bool ints_of(PyObject *o, Py_ssize_t n, const char *what, Py_buffer *view);

/** What `write` writes to a stream, as a text. */
PyObject *written(session *s, gos_status (*write)(gos_ctx *, const void *, FILE *), const void *of);

/* ---- small things
 * -------------------------------------------------------------------------------------- */

/** Put a new reference into a dict and drop it; false with an exception, also for NULL. */
bool put(PyObject *dict, const char *key, PyObject *value);
/** A text as Python has it, None for NULL. */
PyObject *text_of(const char *text);
/** n texts as a tuple. */
PyObject *texts_of(const char *const *text, int n);
/** A path (text, bytes, os.PathLike) for the library; for "O&". */
int path_of(PyObject *o, void *path);
PyObject *sizes_of(const gos_sizes *s);
PyObject *statistics_of(const gos_statistics *s);
PyObject *energy_of(const gos_energy *e);
PyObject *heat_of(const gos_heat *h);
PyObject *probe_info_of(const gos_probe_info *p);
PyObject *field_info_of(const gos_field_info *f);
PyObject *mesh_of(const gos_mesh_info *m);
PyObject *options_of(const gos_options *o);
/** Options of a system with those of a dict (NULL or None: none) written over them. */
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
PyObject *core_view(PyObject *module, PyObject *args);
/** Run a system and keep all that comes of it: a dict of arrays; NULL with an exception. */
PyObject *record_at(PyObject *unused, PyObject *args);
PyObject *record_run(const gos_system *sys, session *s, const gos_options *options, int threads);
PyObject *core_picture(PyObject *module, PyObject *args);
PyObject *core_linear_matrices(PyObject *module, PyObject *args);
PyObject *core_linear_blocks(PyObject *module, PyObject *args);
PyObject *core_linear_read(PyObject *module, PyObject *args);
PyObject *core_rom_model(PyObject *module, PyObject *args);
PyObject *core_band_error(PyObject *module, PyObject *args);

#endif
