/* Runs members in sequence: compile, run, interpolate probes at common times. Reduced models share
   factorised Newton matrices. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/context.h"
#include "results/time_history.h"
#include "models/rom_file.h"
#include "sweep/sweep_part.h"
#include "solve/shared_factors.h"

/* Times and probes of members as bytes that processes exchange and compare. */

enum { TIMES = 201, MAX_TIMES = 100000, MAX_PROBES = 100000 };
#define TIME_TOLERANCE 1e-9 // tolerance of times, relative to an interval

/* followed by times, then per probe its number of components and texts */
typedef struct head {
    int32_t ntimes, nprobes;
} head;

/* output times, or equal intervals if each step is one; one time for a single equilibrium */
static gos_status choose_times(gos_ctx *ctx, const gos_options *o, gos_arena *a,
                               gos_members_layout *l) {
    if (o->arc_length) {
        return gos__fail(
            ctx, GOS_E_USE,
            "runs with arc_length have no common output times; use separate result files");
    }
    const double every = o->output_every > 0 ? o->output_every : o->end / (TIMES - 1);
    const double n = o->end > 0 ? floor(o->end / every + TIME_TOLERANCE) + 1 : 1;
    const bool more = o->end > 0 && (n - 1) * every < o->end * (1 - TIME_TOLERANCE);
    if (!(n + more <= MAX_TIMES)) {
        return gos__fail(ctx, GOS_E_LIMIT,
                         "more than %d output times in each run; set `every` > %g s", MAX_TIMES,
                         o->end / MAX_TIMES);
    }
    l->ntimes = (int)n + more;
    l->time = GOS_NEW(a, double, l->ntimes);
    for (int k = 0; l->time && k < l->ntimes; k++) {
        l->time[k] = o->end > 0 ? fmin(k * every, o->end) : 0;
    }
    if (l->time && o->end > 0) {
        l->time[l->ntimes - 1] = o->end;
    }
    return l->time ? GOS_OK : GOS_E_MEMORY;
}

/* appends while there is room */
static size_t put(char *bytes, size_t at, const void *data, size_t n) {
    if (bytes) {
        memcpy(bytes + at, data, n);
    }
    return at + n;
}

static size_t put_all(const gos_members_layout *l, const gos_probe_info *probe, char *bytes) {
    const head h = {l->ntimes, l->nprobes};
    size_t at = put(bytes, 0, &h, sizeof h);
    at = put(bytes, at, l->time, (size_t)l->ntimes * sizeof *l->time);
    for (int i = 0; i < l->nprobes; i++) {
        const gos_probe_info *p = &probe[i];
        const int32_t ncomp = p->ncomp;
        at = put(bytes, at, &ncomp, sizeof ncomp);
        at = put(bytes, at, p->name, strlen(p->name) + 1);
        at = put(bytes, at, p->quantity, strlen(p->quantity) + 1);
        at = put(bytes, at, p->unit, strlen(p->unit) + 1);
        for (int c = 0; c < p->ncomp; c++) {
            at = put(bytes, at, p->components[c], strlen(p->components[c]) + 1);
        }
    }
    return at;
}

/* Times and probes of a run, in the arena. @return GOS_E_USE: not in time, GOS_E_LIMIT: too many
 *  times */
static gos_status members_layout(gos_ctx *ctx, gos_arena *a, const gos_run_info *run,
                                 gos_members_layout *layout) {
    gos_members_layout l = {.nprobes = run->nprobes};
    GOS_TRY(choose_times(ctx, run->options, a, &l));
    l.size = put_all(&l, run->probe, NULL);
    l.bytes = GOS_NEW(a, char, l.size);
    if (!l.bytes) {
        return GOS_E_MEMORY;
    }
    (void)put_all(&l, run->probe, l.bytes);
    return gos__members_layout_read(ctx, a, l.bytes, l.size, layout);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct layout_reader {
    const char *at, *end;
} layout_reader;

static bool get(layout_reader *r, void *to, size_t n) {
    if ((size_t)(r->end - r->at) < n) {
        return false;
    }
    memcpy(to, r->at, n);
    r->at += n;
    return true;
}

static const char *get_text(layout_reader *r) {
    const char *text = r->at;
    const char *nought = memchr(text, 0, (size_t)(r->end - r->at));
    r->at = nought ? nought + 1 : r->end;
    return nought ? text : NULL;
}

static gos_status get_probe(layout_reader *r, gos_arena *a, gos_probe_info *p) {
    int32_t ncomp;
    if (!get(r, &ncomp, sizeof ncomp) || ncomp < 0 || ncomp > r->end - r->at) {
        return GOS_E_FILE;
    }
    p->ncomp = ncomp;
    p->name = get_text(r);
    p->quantity = get_text(r);
    p->unit = get_text(r);
    const char **text = GOS_NEW(a, const char *, ncomp + 1L);
    if (!text) {
        return GOS_E_MEMORY;
    }
    bool good = p->name && p->quantity && p->unit;
    for (int c = 0; c < ncomp; c++) {
        text[c] = get_text(r);
        good = good && text[c];
    }
    p->components = text;
    return good ? GOS_OK : GOS_E_FILE;
}

gos_status gos__members_layout_read(gos_ctx *ctx, gos_arena *a, const char *bytes, size_t size,
                                    gos_members_layout *layout) {
    layout_reader r = {bytes, bytes + size};
    head h;
    GOS_UNUSED(ctx);
    *layout = (gos_members_layout){.bytes = (char *)bytes, .size = size};
    if (!get(&r, &h, sizeof h) || h.ntimes < 1 || h.ntimes > MAX_TIMES + 1 || h.nprobes < 0 ||
        h.nprobes > MAX_PROBES) {
        return GOS_E_FILE;
    }
    layout->ntimes = h.ntimes;
    layout->nprobes = h.nprobes;
    layout->time = GOS_NEW(a, double, h.ntimes);
    layout->probe = GOS_NEW(a, gos_probe_info, h.nprobes + 1L);
    if (!layout->time || !layout->probe) {
        return GOS_E_MEMORY;
    }
    if (!get(&r, layout->time, (size_t)h.ntimes * sizeof *layout->time)) {
        return GOS_E_FILE;
    }
    for (int i = 0; i < h.nprobes; i++) {
        GOS_TRY(get_probe(&r, a, &layout->probe[i]));
        layout->nvalues += layout->probe[i].ncomp;
    }
    return r.at == r.end ? GOS_OK : GOS_E_FILE;
}

/* rows of the interpolation polynomial around an interval */
#define STORED_ROWS (2 * GOS_HISTORY_ROWS - 2)

typedef struct work {
    gos_ctx *ctx;
    const gos_sweep *s;
    const gos_sweep_options *o;
    gos_arena *arena;
    gos_shared_factors *shared;
    gos_rom_stored *stored;    // reduced model, NULL: not read yet
    gos_members_layout layout; // of the first member with one; size 0: none yet
    bool layout_written;       // the layout is written
    double *held, *number;     // workspace of a member: see taking
    FILE *file;
    gos_progress_fn caller_progress; // the caller's progress function
    void *user;
    int done, n; // members
} work;

/* values of a running member */
typedef struct taking {
    work *w;
    const gos_probe_info *probe; // of the run (nprobes)
    int nprobes;
    int n; // components of all probes
    long rows;
    int next;                // next time of the layout
    double *extreme, *value; // (n, 3), (ntimes, n)
    /* recent rows, and starts of steps among them: see time_history.h */
    int nheld, nstart;
    double t[STORED_ROWS];
    long start[STORED_ROWS];
    double *held;   // values, rates (STORED_ROWS, 2, n)
    double *starts; // values, rates (STORED_ROWS, 2, n)
} taking;

/* ---- values ---------------------------------------------------------------------------------- */

static gos_status take_layout(work *w, const gos_run_info *run) {
    gos_members_layout l;
    GOS_TRY(members_layout(w->ctx, w->arena, run, &l));
    if (w->layout.size == 0) {
        w->layout = l;
        return GOS_OK;
    }
    return l.size == w->layout.size && memcmp(l.bytes, w->layout.bytes, l.size) == 0
               ? GOS_OK
               : gos__fail(w->ctx, GOS_E_USE,
                           "the probes or output times differ from those of other runs; use "
                           "separate result files");
}

static int begin_values(void *user, const gos_run_info *run) {
    taking *k = user;
    const gos_status status = take_layout(k->w, run);
    if (status != GOS_OK) {
        return status;
    }
    k->n = run->nvalues;
    const size_t n = (size_t)k->n, ntimes = (size_t)k->w->layout.ntimes;
    if (!k->w->number) {
        k->w->held = GOS_NEW(k->w->arena, double, (size_t)STORED_ROWS * 4 * n + 1);
        k->w->number = GOS_NEW(k->w->arena, double, (3 + ntimes) * n + 1);
    }
    if (!k->w->held || !k->w->number) {
        return GOS_E_MEMORY;
    }
    k->probe = run->probe;
    k->nprobes = run->nprobes;
    k->held = k->w->held;
    k->starts = k->held + (size_t)STORED_ROWS * 2 * n;
    k->extreme = k->w->number;
    k->value = k->extreme + 3 * n;
    for (size_t i = 0; i < (3 + ntimes) * n; i++) {
        k->extreme[i] = (double)NAN;
    }
    return 0;
}

static void take_time(taking *k) {
    const size_t n = (size_t)k->n;
    const double t = k->w->layout.time[k->next];
    double *y = k->value + (size_t)k->next++ * n;
    int at = 0;
    for (int i = 0; i < k->nprobes; i++) {
        const gos_time_history history = {.n = k->nheld,
                                          .time = k->t,
                                          .width = k->probe[i].ncomp,
                                          .stride = 2 * k->n,
                                          .value = k->held + at,
                                          .rate = k->held + n + at,
                                          .known = k->probe[i].rates,
                                          .nearest = gos__time_history_nearest(&k->probe[i]),
                                          .nstart = k->nstart,
                                          .start = k->start,
                                          .start_stride = 2 * k->n,
                                          .start_value = k->starts + at,
                                          .start_rate = k->starts + n + at};
        gos_time_history_at(&history, t, y + at);
        at += k->probe[i].ncomp;
    }
}

/* all times up to `last` */
static void take_times(taking *k, double last) {
    while (k->next < k->w->layout.ntimes && k->w->layout.time[k->next] <= last) {
        take_time(k);
    }
}

static void forget_row(taking *k) {
    const size_t row = 2 * (size_t)k->n;
    const bool starts = k->nstart > 0 && k->start[0] == 0;
    memmove(k->t, k->t + 1, (size_t)(--k->nheld) * sizeof *k->t);
    memmove(k->held, k->held + row, (size_t)k->nheld * row * sizeof *k->held);
    if (starts) {
        memmove(k->start, k->start + 1, (size_t)(--k->nstart) * sizeof *k->start);
        memmove(k->starts, k->starts + row, (size_t)k->nstart * row * sizeof *k->starts);
    }
    for (int i = 0; i < k->nstart; i++) {
        k->start[i]--;
    }
}

static void keep(const taking *k, const double *value, const double *rate, double *to) {
    memcpy(to, value, (size_t)k->n * sizeof *value);
    memcpy(to + k->n, rate, (size_t)k->n * sizeof *rate);
}

static int take_row(void *user, double time, const double *value, const double *rate) {
    taking *k = user;
    if (k->nheld == STORED_ROWS) {
        forget_row(k);
    }
    keep(k, value, rate, k->held + 2L * k->nheld * k->n);
    k->t[k->nheld++] = time;
    if (k->nheld >= GOS_HISTORY_ROWS - 1) {
        take_times(k, k->t[k->nheld - GOS_HISTORY_ROWS + 1]);
    }
    for (int i = 0; i < k->n; i++) {
        double *e = k->extreme + 3L * i;
        e[0] = value[i];
        e[1] = fmin(e[1], value[i]);
        e[2] = fmax(e[2], value[i]);
    }
    k->rows++;
    return 0;
}

static int take_start(void *user, const double *value, const double *rate) {
    taking *k = user;
    if (k->nheld > 0) {
        keep(k, value, rate, k->starts + 2L * k->nstart * k->n);
        k->start[k->nstart++] = k->nheld - 1;
    }
    return 0;
}

static int take_end(void *user, gos_status status, bool moved, const gos_statistics *stats) {
    taking *k = user;
    GOS_UNUSED(status);
    GOS_UNUSED(moved);
    GOS_UNUSED(stats);
    if (k->nheld > 0) {
        take_times(k, k->t[k->nheld - 1]);
    }
    return 0;
}

/* ---- members --------------------------------------------------------------------------------- */

static gos_status run_member(work *w, int i, taking *k, gos_member_record *r) {
    static const gos_sink sink = {
        .begin = begin_values, .row = take_row, .start = take_start, .end = take_end};
    gos_sweep_system made = {0};
    gos_status status = gos__sweep_system(w->ctx, w->s, w->o, i, &w->stored, &made);
    if (status == GOS_OK) {
        gos_options options;
        gos_options_get(made.sys, &options);
        if (w->o->until > 0) {
            gos_options_until(&options, w->o->until);
        }
        options.error_check = GOS_ERROR_CHECK_NEVER; // shared factors allow one run at a time
        made.sys->shared = w->shared;
        r->acceptance = made.acceptance;
        status = gos_run_into(w->ctx, made.sys, &options, NULL, &sink, k, &r->statistics);
    }
    gos__sweep_system_free(&made);
    return status;
}

static void take_messages(work *w, gos_status status, gos_member_record *r) {
    for (int i = 0; i < gos_ctx_ndiag(w->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(w->ctx, i);
        if (d->status == GOS_OK && d->count > 0) {
            if (r->warnings == 0) {
                gos_ctx_format(w->ctx, i, r->warning, sizeof r->warning);
            }
            r->warnings += d->count;
        }
    }
    if (status != GOS_OK) {
        const char *why = status == GOS_E_INTERRUPTED ? "interrupted" : gos_ctx_message(w->ctx);
        (void)snprintf(r->failure, sizeof r->failure, "%s", why[0] ? why : gos_status_text(status));
    }
}

static gos_status write_member(work *w, gos_member_record *r, const taking *k) {
    if (k->rows > 0) {
        r->layout = w->layout_written ? 0 : (int64_t)w->layout.size;
        r->numbers = (3 + (int64_t)w->layout.ntimes) * k->n;
        w->layout_written = true;
    }
    return gos__part_append(w->file, r, w->layout.bytes, k->extreme)
               ? GOS_OK
               : gos__fail(w->ctx, GOS_E_FILE,
                           "cannot store the results of a member of the sweep: the disk is full or "
                           "failing");
}

static gos_status do_member(work *w, int i) {
    taking k = {.w = w};
    gos_member_record r = {.member = i};
    const double began = gos__now();
    gos_ctx_clear(w->ctx);
    const gos_status status = run_member(w, i, &k, &r);
    r.status = status;
    r.wall = gos__now() - began;
    take_messages(w, status, &r);
    GOS_TRY(write_member(w, &r, &k));
    return status == GOS_E_INTERRUPTED ? status : GOS_OK;
}

/* ---- a part ---------------------------------------------------------------------------------- */

static int report_progress(void *user, double fraction, double seconds, const char *text) {
    const work *w = user;
    return w->caller_progress
               ? w->caller_progress(w->user, (w->done + fraction) / w->n, seconds, text)
               : 0;
}

/* continues after a dead process: *next is the member it died with */
static gos_status go_on(work *w, const char *path, int c, int *next) {
    gos_part_reader reader;
    if (!gos__part_open(w->ctx, w->s, path, c, &reader)) {
        w->file = gos__part_begin(w->ctx, w->s, path, c);
        return w->file ? GOS_OK : GOS_E_FILE;
    }
    long good = ftell(reader.file);
    gos_status status = GOS_OK;
    while (status == GOS_OK && gos__part_next(&reader)) {
        good = ftell(reader.file);
        *next = reader.record.member + 1;
        if (reader.record.layout > 0) {
            const size_t size = (size_t)reader.record.layout;
            char *bytes = GOS_NEW(w->arena, char, size);
            if (bytes) {
                memcpy(bytes, reader.layout, size);
            }
            status = bytes ? gos__members_layout_read(w->ctx, w->arena, bytes, size, &w->layout)
                           : GOS_E_MEMORY;
            w->layout_written = true;
        }
    }
    gos__part_close(&reader);
    w->file = status == GOS_OK ? fopen(path, "r+e") : NULL;
    if (status == GOS_OK &&
        (!w->file || ftruncate(fileno(w->file), good) != 0 || fseek(w->file, 0, SEEK_END) != 0)) {
        status = gos__fail(w->ctx, GOS_E_FILE, "%s: cannot write", path);
    }
    return status;
}

static gos_status do_members(work *w, const char *path, int c, const char *died) {
    int first, end;
    gos__part_range(w->s, c, &first, &end);
    int i = first;
    w->n = end - first;
    if (died) {
        GOS_TRY(go_on(w, path, c, &i));
        gos_member_record r = {.member = i++, .status = GOS_E_INTERNAL};
        (void)snprintf(r.failure, sizeof r.failure, "%s", died);
        const taking none = {.w = w};
        GOS_TRY(r.member < end ? write_member(w, &r, &none) : GOS_OK);
    } else {
        w->file = gos__part_begin(w->ctx, w->s, path, c);
        GOS_TRY(w->file ? GOS_OK : GOS_E_FILE);
    }
    for (; i < end; i++) {
        w->done = i - first;
        GOS_TRY(do_member(w, i));
    }
    return GOS_OK;
}

gos_status gos__part_run(gos_ctx *ctx, const gos_sweep *s, const gos_sweep_options *o, int c,
                         const char *died) {
    work w = {
        .ctx = ctx, .s = s, .o = o, .caller_progress = ctx->progress, .user = ctx->progress_user};
    w.arena = gos__arena_create(ctx);
    const char *open = w.arena ? gos__part_path(w.arena, s, c, false) : NULL;
    const char *finished = open ? gos__part_path(w.arena, s, c, true) : NULL;
    gos_status status = finished ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && o->rom) {
        status = gos__shared_factors_create(ctx, &w.shared);
    }
    gos_ctx_set_progress(ctx, report_progress, &w);
    status = status == GOS_OK ? do_members(&w, open, c, died) : status;
    gos_ctx_set_progress(ctx, w.caller_progress, w.user);
    if (w.file && fclose(w.file) != 0 && status == GOS_OK) {
        status = gos__fail(ctx, GOS_E_FILE, "%s: cannot write", open);
    }
    if (status == GOS_OK && rename(open, finished) != 0) {
        status = gos__fail(ctx, GOS_E_FILE, "%s: cannot rename", open);
    }
    gos__shared_factors_destroy(w.shared);
    gos__rom_forget(w.stored);
    gos__arena_destroy(w.arena);
    return status;
}
