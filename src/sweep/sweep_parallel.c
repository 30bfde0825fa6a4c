/* Results in one file: processes run parts and write a file each; these are collected. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "sweep/sweep_part.h"
#include "base/new_file.h"
#include "model/model.h"

enum {
    MAX_PER_PART = 32 // in sequence, reusing matrices of the first
};

/* pending parts */
typedef struct job {
    gos_ctx *ctx;
    gos_sweep *s;
    const gos_sweep_options *o;
    int *todo, ntodo;  // parts
    const char **died; // per part: fatal error of its process, if it must continue; else NULL
    const char **lost; // per part: why members were not run; else NULL
} job;

/* ---- identity of a sweep --------------------------------------------------------------------- */

static uint64_t word(uint64_t h, const char *text) {
    return gos__hash(h, text, strlen(text) + 1);
}

static gos_status add_file(gos_ctx *ctx, const char *path, uint64_t *h) {
    char bytes[4096];
    size_t n;
    FILE *file = fopen(path, "re");
    if (!file) {
        return gos__fail(ctx, GOS_E_FILE, "%s: cannot open: %s", path, strerror(errno));
    }
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0) {
        *h = gos__hash(*h, bytes, n);
    }
    (void)fclose(file);
    return GOS_OK;
}

/* Hash of all inputs, except tables read by the model. */
static gos_status find_key(gos_ctx *ctx, gos_sweep *s, const gos_sweep_options *o) {
    uint64_t h = word(word(GOS_HASH_BEGIN, GOS_VERSION), s->model->text);
    const double numbers[] = {o->reduced, o->until, s->nruns, s->per_part};
    h = gos__hash(h, numbers, sizeof numbers);
    for (int k = 0; k < s->nparameters; k++) {
        h = word(h, s->parameter[k].name);
        for (int i = 0; i < s->nruns; i++) {
            h = word(h, s->run[i].value[k]);
        }
    }
    if (o->rom) {
        GOS_TRY(add_file(ctx, o->rom, &h));
    }
    s->key = h;
    return GOS_OK;
}

static gos_status make_folder(gos_ctx *ctx, const gos_sweep *s) {
    const char *path = gos__arena_printf(s->arena, "%s/parts", s->folder);
    return path ? gos__folder_take(ctx, path, NULL) : GOS_E_MEMORY;
}

gos_status gos__sweep_parts(gos_ctx *ctx, gos_sweep *s, const gos_sweep_options *o) {
    s->per_part = 1; // with few runs, as many parts as members per part
    while (s->per_part < MAX_PER_PART && (s->per_part + 1) * (s->per_part + 1) <= s->nruns) {
        s->per_part++;
    }
    s->nparts = (s->nruns + s->per_part - 1) / s->per_part;
    s->layout = NULL;
    for (int i = 0; i < s->nruns; i++) {
        s->run[i].path = gos__arena_printf(s->arena, "%s/members.h5", s->folder);
        GOS_TRY(s->run[i].path ? GOS_OK : GOS_E_MEMORY);
    }
    GOS_TRY(gos_output_check(ctx, s->run[0].path, GOS_OUTPUT_MEMBERS));
    GOS_TRY(make_folder(ctx, s));
    return find_key(ctx, s, o);
}

/* ---- distribution ---------------------------------------------------------------------------- */

static gos_status do_part(void *user, gos_ctx *ctx, int i) {
    const job *k = user;
    const int c = k->todo[i];
    return gos__part_run(ctx, k->s, k->o, c, k->died[c]);
}

static void end_part(void *user, int i, const gos_piece_end *end) {
    job *k = user;
    const int c = k->todo[i];
    const bool died = end->started && end->status == GOS_E_INTERNAL;
    k->died[c] = died ? gos__arena_strdup(k->s->arena, end->message) : NULL;
    if (end->status == GOS_E_INTERRUPTED) {
        k->lost[c] = "interrupted";
    } else if (end->status != GOS_OK && !k->died[c]) {
        const char *why = end->message[0] ? end->message : gos_status_text(end->status);
        const char *kept = gos__arena_strdup(k->s->arena, why);
        k->lost[c] = kept ? kept : "out of memory";
    }
}

/* unusable files are removed; todo (nparts) */
static gos_status list_parts(gos_sweep *s, bool resume, int *todo, int *ntodo) {
    *ntodo = 0;
    for (int c = 0; c < s->nparts; c++) {
        if (resume && gos__part_exists(s, s->arena, c)) {
            continue;
        }
        for (int finished = 0; finished < 2; finished++) {
            const char *path = gos__part_path(s->arena, s, c, finished);
            if (!path) {
                return GOS_E_MEMORY;
            }
            (void)unlink(path);
        }
        todo[(*ntodo)++] = c;
    }
    return GOS_OK;
}

static gos_status begin_job(job *k) {
    const long n = k->s->nparts;
    k->todo = GOS_NEW(k->s->arena, int, n);
    k->died = GOS_NEW(k->s->arena, const char *, n);
    k->lost = GOS_NEW(k->s->arena, const char *, n);
    return k->todo && k->died && k->lost ? list_parts(k->s, k->o->resume, k->todo, &k->ntodo)
                                         : GOS_E_MEMORY;
}

/* each time one member fewer remains */
static gos_status do_parts(job *k) {
    gos_status status = GOS_OK;
    while (k->ntodo > 0 && status == GOS_OK) {
        const gos_division d = {.n = k->ntodo,
                                .jobs = k->o->jobs,
                                .text = k->s->per_part > 1 ? "parts of the runs" : "runs",
                                .work = do_part,
                                .end = end_part,
                                .user = k};
        status = gos__divide(k->ctx, &d);
        const int n = k->ntodo;
        k->ntodo = 0;
        for (int i = 0; i < n; i++) {
            if (k->died[k->todo[i]]) {
                k->todo[k->ntodo++] = k->todo[i];
            }
        }
    }
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

gos_status gos__sweep_together(gos_ctx *ctx, gos_sweep *s, const gos_sweep_options *o) {
    job k = {.ctx = ctx, .s = s, .o = o};
    GOS_TRY(gos__sweep_parts(ctx, s, o));
    GOS_TRY(begin_job(&k));
    const gos_status status = do_parts(&k);
    if (status != GOS_OK && status != GOS_E_INTERRUPTED) {
        return status;
    }
    for (int c = 0; c < s->nparts; c++) {
        int first, end;
        gos__part_range(s, c, &first, &end);
        for (int i = first; i < end && k.lost[c]; i++) {
            s->run[i].failure = k.lost[c];
        }
    }
    GOS_TRY(gos__members_collect(ctx, s, status == GOS_OK));
    return status;
}

/* ---- single parts ---------------------------------------------------------------------------- */

static gos_status check_listed(gos_ctx *ctx, const gos_sweep *s) {
    return s->run
               ? GOS_OK
               : gos__fail(ctx, GOS_E_USE, "the runs are not listed; call gos_sweep_prepare first");
}

gos_status gos_sweep_parts(gos_ctx *ctx, gos_sweep *sweep, const gos_sweep_options *options,
                           const int **part, int *n) {
    GOS_TRY(check_listed(ctx, sweep));
    GOS_TRY(gos__sweep_parts(ctx, sweep, options));
    int *todo = GOS_NEW(sweep->arena, int, sweep->nparts);
    GOS_TRY(todo ? list_parts(sweep, options->resume, todo, n) : GOS_E_MEMORY);
    *part = todo;
    return GOS_OK;
}

gos_status gos_sweep_run_part(gos_ctx *ctx, gos_sweep *sweep, const gos_sweep_options *options,
                              int part) {
    GOS_TRY(check_listed(ctx, sweep));
    GOS_TRY(gos__sweep_parts(ctx, sweep, options));
    if (part < 0 || part >= sweep->nparts) {
        return gos__fail(ctx, GOS_E_USE,
                         "the sweep has %d parts, numbered from 0; part %d does "
                         "not exist",
                         sweep->nparts, part + 1);
    }
    return gos__part_run(ctx, sweep, options, part, NULL);
}
