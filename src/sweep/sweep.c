/* Parameter sweeps: many runs of one model, each in its own process. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/process.h"
#include "gossamer/reduce.h"
#include "results/checkpoint.h"
#include "models/rom_file.h"
#include "model/model.h"

/* ---- create and destroy ---------------------------------------------------------------------- */

gos_status gos__sweep_model(gos_ctx *ctx, const gos_model *model, gos_model **copy) {
    return gos__model_again(ctx, model->file, model->text, model->given, model->folder, copy);
}

gos_status gos_sweep_create(gos_ctx *ctx, const gos_model *model, gos_sweep **sweep) {
    gos_sweep *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->arena = gos__arena_create(ctx);
    gos_status status = s->arena ? gos__sweep_model(ctx, model, &s->model) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__sweep_model(ctx, model, &s->tried) : status;
    if (status != GOS_OK) {
        gos_sweep_destroy(s);
        return status;
    }
    *sweep = s;
    return GOS_OK;
}

void gos_sweep_destroy(gos_sweep *s) {
    if (!s) {
        return;
    }
    for (int i = 0; i < s->nparameters; i++) {
        gos__free(s->ctx, s->parameter[i].value);
    }
    gos__free(s->ctx, s->parameter);
    gos_model_destroy(s->model);
    gos_model_destroy(s->tried);
    gos__arena_destroy(s->arena);
    gos__free(s->ctx, s);
}

/* ---- a run, in its process ------------------------------------------------------------------- */

typedef struct task {
    gos_sweep *s;
    const gos_sweep_options *o;
    gos_acceptance *acceptance; // shared between the processes (nruns)
} task;

static gos_status compile(const gos_sweep *s, gos_ctx *ctx, int i, bool reduced, gos_model **model,
                          gos_system **sys) {
    int n;
    GOS_TRY(gos__sweep_model(ctx, s->model, model));
    for (int k = 0; k < s->nparameters; k++) {
        GOS_TRY(gos_model_set(ctx, *model, s->parameter[k].name, s->run[i].value[k]));
    }
    GOS_TRY(reduced ? gos_model_reduce_bodies(ctx, *model, &n) : GOS_OK);
    GOS_TRY(gos_model_read_controllers(ctx, *model));
    return gos_system_create(ctx, *model, sys);
}

/* floating bodies are reduced, and nothing else can be */
static bool is_reduced(const gos_system *sys) {
    gos_sizes sizes;
    gos_system_sizes(sys, &sizes);
    return sizes.reduced && sizes.points == 0;
}

gos_status gos__sweep_system(gos_ctx *ctx, const gos_sweep *s, const gos_sweep_options *o, int i,
                             gos_rom_stored **stored, gos_sweep_system *made) {
    GOS_TRY(compile(s, ctx, i, o->reduced && !o->rom, &made->model, &made->full));
    if (o->rom) {
        GOS_TRY(*stored ? GOS_OK : gos__rom_read(ctx, made->full, o->rom, stored));
        GOS_TRY(gos__rom_again(ctx, made->full, *stored, &made->reduced));
    } else if (o->reduced && !is_reduced(made->full)) {
        GOS_TRY(gos_reduce_auto(ctx, made->full, &made->reduced));
    }
    made->sys = made->reduced ? made->reduced : made->full;
    if (made->reduced) {
        gos_reduction r;
        gos_reduction_get(made->reduced, &r);
        made->acceptance = gos_reduction_accept_error(&r);
    }
    return GOS_OK;
}

void gos__sweep_system_free(gos_sweep_system *made) {
    gos_system_destroy(made->reduced);
    gos_system_destroy(made->full);
    gos_model_destroy(made->model);
    *made = (gos_sweep_system){0};
}

static gos_status perform(void *user, gos_ctx *ctx, int i) {
    const task *t = user;
    gos_sweep_system made = {0};
    gos_rom_stored *stored = NULL;
    gos_status status = gos__sweep_system(ctx, t->s, t->o, i, &stored, &made);
    if (status == GOS_OK) {
        gos_options options;
        gos_options_get(made.sys, &options);
        if (t->o->until > 0) {
            gos_options_until(&options, t->o->until);
        }
        t->acceptance[i] = made.acceptance;
        status = gos_run(ctx, made.sys, &options, t->s->run[i].path, NULL);
    }
    gos__sweep_system_free(&made);
    gos__rom_forget(stored);
    return status;
}

/* ---- all runs -------------------------------------------------------------------------------- */

static bool identify_file(const char *path, long long mark[3]) {
    struct stat st;
    const bool there = stat(path, &st) == 0;
    mark[0] = there ? (long long)st.st_ino : 0;
    mark[1] = there ? (long long)st.st_mtim.tv_sec : 0;
    mark[2] = there ? (long long)st.st_mtim.tv_nsec : 0;
    return there;
}

static void begin(void *user, int i) {
    const task *t = user;
    gos_sweep_member *r = &t->s->run[i];
    r->started = true;
    (void)identify_file(r->path, r->old);
}

void gos__sweep_fail(gos_sweep *s, gos_sweep_member *r, gos_status status, const char *why) {
    const char *kept = gos__arena_strdup(s->arena, why[0] ? why : gos_status_text(status));
    r->status = status;
    r->failure = kept ? kept : "out of memory";
}

static void end(void *user, int i, const gos_piece_end *how) {
    const task *t = user;
    gos_sweep_member *r = &t->s->run[i];
    r->status = how->status;
    r->wall = how->wall;
    r->failure = NULL;
    if (how->status != GOS_OK) {
        const bool stopped = how->status == GOS_E_INTERRUPTED;
        gos__sweep_fail(t->s, r, how->status, stopped ? "interrupted" : how->message);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

static void measure(const double *v, long n, int width, double out[3]) {
    out[0] = out[1] = out[2] = (double)NAN;
    for (long k = 0; k < n; k++) {
        out[0] = v[k * width];
        out[1] = fmin(out[1], v[k * width]);
        out[2] = fmax(out[2], v[k * width]);
    }
}

static gos_status read_values(gos_arena *a, gos_results *file, gos_sweep_member *r) {
    gos_results_info info;
    gos_probe_info probe;
    gos_results_info_get(file, &info);
    r->statistics = info.statistics;
    int n = 0;
    for (int i = 0; i < info.nprobes; i++) {
        gos_results_probe_info(file, i, &probe);
        n += probe.ncomp;
    }
    r->key = GOS_NEW(a, const char *, n + 1);
    r->probe = GOS_NEW(a, double, 3 * n + 1);
    if (!r->key || !r->probe) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < info.nprobes; i++) {
        const double *v;
        gos_results_probe_info(file, i, &probe);
        GOS_TRY(gos_results_probe(file, i, &v, NULL));
        for (int c = 0; c < probe.ncomp; c++) {
            const int k = r->nvalues;
            r->key[k] = gos__arena_printf(a, "%s.%s", probe.name, probe.components[c]);
            if (!r->key[k]) {
                return GOS_E_MEMORY;
            }
            measure(v + c, info.nrows, probe.ncomp, r->probe + 3 * k);
            r->nvalues++;
        }
    }
    return GOS_OK;
}

/* Was the file at a run's path written by this run? */
static bool has_written(const gos_sweep_member *r) {
    long long now[3];
    return r->started && identify_file(r->path, now) && memcmp(now, r->old, sizeof now) != 0;
}

/* An unreadable file is a failed run. */
static gos_status read_run(gos_sweep *s, gos_sweep_member *r) {
    gos_results *file = NULL;
    gos_ctx *quiet = gos__ctx_quiet(s->ctx);
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    gos_status status = gos_results_open(quiet, r->path, &file);
    status = status == GOS_OK ? read_values(s->arena, file, r) : status;
    r->has_results = status == GOS_OK;
    if (status != GOS_OK && !r->failure) {
        gos__sweep_fail(s, r, status, gos_ctx_message(quiet));
    }
    gos_results_close(file);
    gos_ctx_destroy(quiet);
    return status == GOS_E_MEMORY ? status : GOS_OK;
}

gos_status gos_sweep_run(gos_ctx *ctx, gos_sweep *sweep, const gos_sweep_options *options) {
    task t = {.s = sweep, .o = options};
    const gos_division d = {.n = sweep->nruns,
                            .jobs = options->jobs,
                            .text = "runs",
                            .work = perform,
                            .begin = begin,
                            .end = end,
                            .user = &t};
    if (!sweep->run) {
        return gos__fail(ctx, GOS_E_USE, "the runs are not listed; call gos_sweep_prepare first");
    }
    for (int i = 0; i < sweep->nruns; i++) {
        sweep->run[i].status = GOS_E_INTERRUPTED;
        sweep->run[i].failure = "not started";
    }
    if (options->one_file) {
        return gos__sweep_together(ctx, sweep, options);
    }
    t.acceptance = gos__shared_alloc(sweep->nruns, sizeof *t.acceptance);
    gos_status status =
        t.acceptance ? gos__divide(ctx, &d) : gos__fail(ctx, GOS_E_MEMORY, "out of memory");
    for (int i = 0; i < sweep->nruns && status != GOS_E_MEMORY; i++) {
        sweep->run[i].acceptance = t.acceptance[i];
        if (has_written(&sweep->run[i]) && read_run(sweep, &sweep->run[i]) != GOS_OK) {
            status = gos__fail(ctx, GOS_E_MEMORY, "out of memory while reading the results");
        }
    }
    gos__shared_free(t.acceptance, sweep->nruns, sizeof *t.acceptance);
    return status;
}

/* ---- queries --------------------------------------------------------------------------------- */

int gos_sweep_nparameters(const gos_sweep *sweep) {
    return sweep->nparameters;
}

const char *gos_sweep_parameter(const gos_sweep *sweep, int k) {
    return sweep->parameter[k].name;
}

int gos_sweep_nruns(const gos_sweep *sweep) {
    return sweep->nruns;
}

void gos_sweep_result_get(const gos_sweep *sweep, int i, gos_sweep_result *result) {
    const gos_sweep_member *r = &sweep->run[i];
    *result = (gos_sweep_result){.value = r->value,
                                 .path = r->path,
                                 .name = strrchr(r->path, '/') + 1,
                                 .status = r->status,
                                 .failure = r->failure,
                                 .has_results = r->has_results,
                                 .statistics = r->statistics,
                                 .wall = r->wall,
                                 .nvalues = r->nvalues,
                                 .key = r->key,
                                 .probe = r->probe,
                                 .warnings = r->warnings,
                                 .warning = r->warning,
                                 .acceptance = r->acceptance};
}
