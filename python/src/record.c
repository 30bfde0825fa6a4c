/* Runs in memory: a sink of gos_run_into with growing arrays. It is called without the GIL and uses
   no Python objects. */
#include "core.h"

/* growing array (rows, width) */
typedef struct column {
    double *x;
    size_t width, n, room; // rows
} column;

enum { TIME, VALUE, RATE, START, FRAME, POSITION, VELOCITY, TEMPERATURE, EVENT, COLUMNS };

typedef struct recording {
    column c[COLUMNS];
    size_t nnodes;
    bool thermal;
    double *begin; // row of starts: row number, values, rates
} recording;

static bool add(column *c, const double *row) {
    if (c->n == c->room) {
        const size_t room = 2 * c->room + 64;
        double *x = c->width > SIZE_MAX / sizeof *x / room
                        ? NULL
                        : PyMem_RawRealloc(c->x, room * (c->width + 1) * sizeof *x);
        if (x == NULL) {
            return false;
        }
        c->x = x;
        c->room = room;
    }
    if (c->width > 0) {
        memcpy(c->x + c->n * c->width, row, c->width * sizeof *row);
    }
    c->n++;
    return true;
}

static int begin(void *user, const gos_run_info *run) {
    recording *r = user;
    gos_mesh_info mesh;
    gos_system_mesh(run->system, &mesh);
    r->nnodes = (size_t)mesh.nnodes;
    r->thermal = run->thermal;
    r->c[TIME].width = r->c[FRAME].width = 1;
    r->c[VALUE].width = r->c[RATE].width = (size_t)run->nvalues;
    r->c[START].width = 1 + 2 * (size_t)run->nvalues;
    r->c[POSITION].width = r->c[VELOCITY].width = 3 * r->nnodes;
    r->c[TEMPERATURE].width = run->thermal ? r->nnodes : 0;
    r->c[EVENT].width = 3;
    r->begin = PyMem_RawCalloc(r->c[START].width, sizeof *r->begin);
    return r->begin != NULL ? 0 : GOS_E_MEMORY;
}

static int row(void *user, double time, const double *value, const double *rate) {
    recording *r = user;
    return add(&r->c[TIME], &time) && add(&r->c[VALUE], value) && add(&r->c[RATE], rate)
               ? 0
               : GOS_E_MEMORY;
}

static int start(void *user, const double *value, const double *rate) {
    recording *r = user;
    const size_t n = r->c[VALUE].width;
    r->begin[0] = (double)r->c[TIME].n - 1;
    memcpy(r->begin + 1, value, n * sizeof *value);
    memcpy(r->begin + 1 + n, rate, n * sizeof *rate);
    return r->c[TIME].n == 0 || add(&r->c[START], r->begin) ? 0 : GOS_E_MEMORY;
}

static int frame(void *user, const gos_frame *f) {
    recording *r = user;
    return add(&r->c[FRAME], &f->time) && add(&r->c[POSITION], f->position) &&
                   add(&r->c[VELOCITY], f->velocity) && add(&r->c[TEMPERATURE], f->temperature)
               ? 0
               : GOS_E_MEMORY;
}

static int event(void *user, const gos_event *e) {
    recording *r = user;
    const double numbers[] = {e->event, e->time, e->rising};
    return add(&r->c[EVENT], numbers) ? 0 : GOS_E_MEMORY;
}

static void free_columns(recording *r) {
    for (int i = 0; i < COLUMNS; i++) {
        PyMem_RawFree(r->c[i].x);
    }
    PyMem_RawFree(r->begin);
}

/* Block (rows, width) of an array, or with `three` (rows, width / 3, 3). */
static PyObject *array_of(const column *c, bool three) {
    double *x;
    const Py_ssize_t n = (Py_ssize_t)c->n, width = (Py_ssize_t)c->width;
    const Py_ssize_t shape[] = {n, three ? width / 3 : width, 3};
    PyObject *block = block_new(three ? 3 : 2, shape, &x);
    if (block != NULL && n * width > 0) {
        memcpy(x, c->x, (size_t)(n * width) * sizeof *x);
    }
    return block;
}

/* record_at(time, values, rates, starts, first, width, known, t): components first .. first + width
 * - 1 of a run in memory */
PyObject *record_at(PyObject *unused, PyObject *args) {
    Py_buffer time, value, rate, starts;
    Py_ssize_t first, width;
    int known;
    double t;
    (void)unused;
    if (!PyArg_ParseTuple(args, "y*y*y*y*nnpd", &time, &value, &rate, &starts, &first, &width,
                          &known, &t)) {
        return NULL;
    }
    const Py_ssize_t n = time.len / (Py_ssize_t)sizeof(double);
    const Py_ssize_t all = n > 0 ? value.len / (Py_ssize_t)sizeof(double) / n : 0;
    const Py_ssize_t stride = 1 + 2 * all,
                     nstart = starts.len / (Py_ssize_t)sizeof(double) / stride;
    double *y;
    PyObject *block = NULL;
    long *row = PyMem_RawMalloc((size_t)(nstart + 1) * sizeof *row);
    if (n < 1 || first < 0 || width < 1 || first + width > all || rate.len != value.len) {
        PyErr_SetString(PyExc_ValueError, "these are not the rows of a run");
    } else if (row == NULL || (block = block_new(1, &width, &y)) == NULL) {
        PyErr_NoMemory();
    } else {
        const double *begin = starts.buf;
        for (Py_ssize_t i = 0; i < nstart; i++) {
            row[i] = (long)begin[i * stride];
        }
        const gos_time_history history = {.n = (long)n,
                                          .time = time.buf,
                                          .width = (int)width,
                                          .stride = (int)all,
                                          .value = (const double *)value.buf + first,
                                          .rate = (const double *)rate.buf + first,
                                          .known = known != 0,
                                          .nstart = (long)nstart,
                                          .start = row,
                                          .start_stride = (int)stride,
                                          .start_value = begin + 1 + first,
                                          .start_rate = begin + 1 + all + first};
        gos_time_history_at(&history, t, y);
    }
    PyMem_RawFree(row);
    PyBuffer_Release(&time);
    PyBuffer_Release(&value);
    PyBuffer_Release(&rate);
    PyBuffer_Release(&starts);
    return block;
}

static PyObject *parts_of(const recording *r, const gos_statistics *stats) {
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "time", array_of(&r->c[TIME], false), "values",
        array_of(&r->c[VALUE], false), "rates", array_of(&r->c[RATE], false), "starts",
        array_of(&r->c[START], false), "frame_times", array_of(&r->c[FRAME], false), "positions",
        array_of(&r->c[POSITION], true), "velocities", array_of(&r->c[VELOCITY], true),
        "temperatures", array_of(&r->c[TEMPERATURE], false), "events",
        array_of(&r->c[EVENT], false), "statistics", statistics_of(stats));
}

PyObject *record_run(const gos_system *sys, session *s, const gos_options *options, int threads) {
    static const gos_sink sink = {
        .begin = begin, .row = row, .start = start, .frame = frame, .event = event};
    recording r = {0};
    gos_statistics stats = {0};
    gos_status status = threads != 1 ? gos_ctx_set_threads(s->ctx, threads) : GOS_OK;
    if (status == GOS_OK) {
        Py_BEGIN_ALLOW_THREADS;
        status = gos_run_into(s->ctx, sys, options, NULL, &sink, &r, &stats);
        Py_END_ALLOW_THREADS;
    }
    const bool good = session_check(s, status);
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *result = r.c[TIME].n > 0 || good ? parts_of(&r, &stats) : NULL;
    if (!good) {
        PyErr_Restore(type, value, trace);
        error_attach(result);
        result = NULL;
    }
    free_columns(&r);
    return result;
}
