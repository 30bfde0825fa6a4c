/* Members of a part, one after the other in this process: each is compiled with its values, run, and its probes are taken at the times
   that all members have. Reduced models share factorised Newton matrices. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/context.h"
#include "io/hermite.h"
#include "io/rom_file.h"
#include "io/sweep_part.h"
#include "solve/shared_factors.h"

/* a part being run */
typedef struct work {
    gos_ctx *ctx;
    const gos_sweep *s;
    const gos_sweep_options *o;
    gos_arena *arena;
    gos_shared_factors *shared;
    gos_rom_stored *stored;    // the reduced model, NULL: not read so far
    gos_members_layout layout; // of the first member that has one; size 0: none so far
    bool told;                 // it has been written
    double *last, *number;     // room for values of a member: see taking
    FILE *file;
    gos_progress_fn asked; // the caller's progress
    void *user;
    int done, n; // members
} work;

/* values of one member as they come */
typedef struct taking {
    work *w;
    int n; // components of all probes
    long rows;
    int next;                // time of the layout that comes next
    double t[2];             // of the last row and the present one
    double *last;            // value and rate of the last row (2, n)
    double *extreme, *value; // (n, 3), (ntimes, n)
} taking;

/* ---- values ------------------------------------------------------------------------------------- */

static gos_status take_layout(work *w, const gos_run_info *run) {
    gos_members_layout l;
    GOS_TRY(gos__members_layout(w->ctx, w->arena, run, &l));
    if (w->layout.size == 0) {
        w->layout = l;
        return GOS_OK;
    }
    return l.size == w->layout.size && memcmp(l.bytes, w->layout.bytes, l.size) == 0
               ? GOS_OK
               : gos__fail(w->ctx, GOS_E_USE,
                           "other probes or output times than other runs have; without one file "
                           "for all, each run has its own");
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
        k->w->last = GOS_NEW(k->w->arena, double, 2 * n + 1);
        k->w->number = GOS_NEW(k->w->arena, double, (3 + ntimes) * n + 1);
    }
    if (!k->w->last || !k->w->number) {
        return GOS_E_MEMORY;
    }
    k->last = k->w->last;
    k->extreme = k->w->number;
    k->value = k->extreme + 3 * n;
    for (size_t i = 0; i < (3 + ntimes) * n; i++) {
        k->extreme[i] = (double)NAN;
    }
    return 0;
}

static int take_row(void *user, double time, const double *value, const double *rate) {
    taking *k = user;
    const gos_members_layout *l = &k->w->layout;
    k->t[k->rows == 0 ? 0 : 1] = time;
    while (k->next < l->ntimes && l->time[k->next] <= time) {
        const gos_hermite h = gos__hermite(k->t, k->rows == 0 ? 1 : 2, l->time[k->next]);
        double *y = k->value + (size_t)k->next++ * (size_t)k->n;
        for (int i = 0; i < k->n; i++) {
            const double v[] = {k->rows == 0 ? value[i] : k->last[i], value[i]};
            const double d[] = {k->rows == 0 ? rate[i] : k->last[k->n + i], rate[i]};
            y[i] = gos__hermite_value(&h, v[h.i], d[h.i], v[h.j], d[h.j]);
        }
    }
    for (int i = 0; i < k->n; i++) {
        double *e = k->extreme + 3L * i;
        e[0] = value[i];
        e[1] = fmin(e[1], value[i]);
        e[2] = fmax(e[2], value[i]);
    }
    memcpy(k->last, value, (size_t)k->n * sizeof *value);
    memcpy(k->last + k->n, rate, (size_t)k->n * sizeof *rate);
    k->t[0] = time;
    k->rows++;
    return 0;
}

/* ---- members ------------------------------------------------------------------------------------ */

static gos_status run_member(work *w, int i, taking *k, gos_member_record *r) {
    static const gos_sink sink = {.begin = begin_values, .row = take_row};
    gos_sweep_system made = {0};
    gos_status status = gos__sweep_system(w->ctx, w->s, w->o, i, &w->stored, &made);
    if (status == GOS_OK) {
        gos_options options;
        gos_options_get(made.sys, &options);
        if (w->o->until > 0) {
            gos_options_until(&options, w->o->until);
        }
        options.error_check = GOS_ERROR_CHECK_NEVER; // factors are shared by one run at a time
        made.sys->shared = w->shared;
        status = gos_run_into(w->ctx, made.sys, &options, NULL, &sink, k, &r->statistics);
    }
    gos__sweep_system_free(&made);
    return status;
}

/* what it has said */
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
        r->layout = w->told ? 0 : (int64_t)w->layout.size;
        r->numbers = (3 + (int64_t)w->layout.ntimes) * k->n;
        w->told = true;
    }
    return gos__part_append(w->file, r, w->layout.bytes, k->extreme)
               ? GOS_OK
               : gos__fail(w->ctx, GOS_E_FILE,
                           "results of a member of the sweep cannot be kept: "
                           "the disk is full or fails");
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

/* ---- a part --------------------------------------------------------------------------------------- */

static int tell(void *user, double fraction, double seconds, const char *text) {
    const work *w = user;
    return w->asked ? w->asked(w->user, (w->done + fraction) / w->n, seconds, text) : 0;
}

/* Go on behind what a process that died has left: *next is the member that it died with. */
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
            w->told = true;
        }
    }
    gos__part_close(&reader);
    w->file = status == GOS_OK ? fopen(path, "r+e") : NULL;
    if (status == GOS_OK &&
        (!w->file || ftruncate(fileno(w->file), good) != 0 || fseek(w->file, 0, SEEK_END) != 0)) {
        status = gos__fail(w->ctx, GOS_E_FILE, "%s: cannot be written", path);
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
    work w = {.ctx = ctx, .s = s, .o = o, .asked = ctx->progress, .user = ctx->progress_user};
    w.arena = gos__arena_create(ctx);
    const char *open = w.arena ? gos__part_path(w.arena, s, c, false) : NULL;
    const char *finished = open ? gos__part_path(w.arena, s, c, true) : NULL;
    gos_status status = finished ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && o->rom) {
        status = gos__shared_factors_create(ctx, &w.shared);
    }
    gos_ctx_set_progress(ctx, tell, &w);
    status = status == GOS_OK ? do_members(&w, open, c, died) : status;
    gos_ctx_set_progress(ctx, w.asked, w.user);
    if (w.file && fclose(w.file) != 0 && status == GOS_OK) {
        status = gos__fail(ctx, GOS_E_FILE, "%s: cannot be written", open);
    }
    if (status == GOS_OK && rename(open, finished) != 0) {
        status = gos__fail(ctx, GOS_E_FILE, "%s: cannot be given its name", open);
    }
    gos__shared_factors_destroy(w.shared);
    gos__rom_forget(w.stored);
    gos__arena_destroy(w.arena);
    return status;
}
