/* Resumes an interrupted run. */
#include <stdio.h>

#include "results/checkpoint.h"
#include "results/overwrite_image.h"
#include "results/record.h"

static gos_status open_results(gos_ctx *ctx, const char *path, gos_results **results,
                               gos_results_info *info) {
    gos_results *r;
    bool mended;
    GOS_TRY(gos__results_recover(ctx, path, &mended));
    GOS_TRY(gos_results_open(ctx, path, &r));
    gos_results_info_get(r, info);
    gos_status status = GOS_OK;
    if (info->running) {
        status = gos__fail(ctx, GOS_E_USE, "%s: the run is still going on", path);
    } else if (info->complete) {
        status =
            gos__fail(ctx, GOS_E_USE, "%s: the run is complete, there is nothing to resume", path);
    }
    if (status != GOS_OK) {
        gos_results_close(r);
        return status;
    }
    *results = r;
    return GOS_OK;
}

static gos_status refuse(gos_ctx *ctx, const char *path, char why[2][GOS_WHY]) {
    if (!why[0][0] && !why[1][0]) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "%s: cannot be resumed: there is no %s" GOS_CHECKPOINT_ENDING
                         ". The run ended before its first checkpoint (static runs have none); run "
                         "the model agai",
                         path, path);
    }
    return gos__fail(
        ctx, GOS_E_INPUT,
        "%s: cannot be resumed: newest checkpoint: %s; previous one: %s. Run the model again", path,
        why[0][0] ? why[0] : "it is missing", why[1][0] ? why[1] : "it is missing");
}

/* ---- the model ------------------------------------------------------------------------------- */

/* "# set PATH: VALUE" or "# remove PATH" after the source text */
static gos_status apply_line(gos_ctx *ctx, gos_model *model, const char *line, size_t n) {
    static const char begin[] = "# set ", removal[] = "# remove ";
    const size_t nbegin = sizeof begin - 1, nremoval = sizeof removal - 1;
    char *text = gos__zalloc(ctx, n + 1, 1);
    if (!text) {
        return GOS_E_MEMORY;
    }
    memcpy(text, line, n);
    char *colon = n > nbegin ? strstr(text + nbegin, ": ") : NULL;
    gos_status status;
    if (n > nremoval && memcmp(text, removal, nremoval) == 0) {
        status = gos_model_remove(ctx, model, text + nremoval);
    } else if (!colon || memcmp(text, begin, nbegin) != 0) {
        status = gos__fail(ctx, GOS_E_INPUT, "the stored model is damaged at '%.60s'", text);
    } else {
        *colon = '\0';
        status = gos_model_set(ctx, model, text + nbegin, colon + 2);
    }
    gos__free(ctx, text);
    return status;
}

static gos_status apply_settings(gos_ctx *ctx, gos_model *model, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, "\n");
        if (n > 0) {
            GOS_TRY(apply_line(ctx, model, text, n));
        }
        text += n + (text[n] == '\n');
    }
    return GOS_OK;
}

gos_status gos__model_again(gos_ctx *ctx, const char *path, const char *text, size_t given,
                            const char *folder, gos_model **model) {
    if (given > strlen(text)) {
        return gos__fail(ctx, GOS_E_INPUT, "%s: the stored model is a different one", path);
    }
    gos_status status = given > 0 ? gos_model_parse(ctx, text, given, path, folder, model)
                                  : gos_model_create(ctx, model);
    if (status == GOS_OK) {
        status = apply_settings(ctx, *model, text + given);
        if (status != GOS_OK) {
            gos_model_destroy(*model);
            *model = NULL;
        }
    }
    return status;
}

gos_status gos_resume_model(gos_ctx *ctx, const char *path, gos_model **model, bool *reduced) {
    gos_results *results;
    gos_results_info info;
    gos_checkpoint_view view;
    char *bytes = NULL, why[2][GOS_WHY] = {"", ""};
    *model = NULL;
    GOS_TRY(open_results(ctx, path, &results, &info));
    gos_status status = gos__checkpoint_load(ctx, path, false, &bytes, &view, why[0]);
    if (status == GOS_E_INPUT) {
        status = gos__checkpoint_load(ctx, path, true, &bytes, &view, why[1]);
    }
    if (status == GOS_E_INPUT) {
        status = refuse(ctx, path, why);
    }
    if (status == GOS_OK) {
        *reduced = view.reduced;
        status = gos__model_again(ctx, path, info.text, view.given, view.folder, model);
    }
    gos__free(ctx, bytes);
    gos_results_close(results);
    return status;
}

/* ---- continuing ------------------------------------------------------------------------------ */

typedef struct past_run {
    gos_ctx *ctx;
    const gos_system *sys;
    const char *path;
    gos_arena *arena; // owns the following members
    gos_state *state;
    gos_checkpoint checkpoint;
    char *bytes;   // storage of the checkpoint
    double *value; // of the last kept row: angles continue from there
    gos_writer_past past;
} past_run;

/* NULL, or why they do not belong together */
static const char *compare_results(const gos_system *sys, gos_results *results,
                                   const gos_results_info *info, const gos_checkpoint *c) {
    gos_mesh_info mesh, own;
    gos_results_mesh(results, &mesh);
    gos_system_mesh(sys, &own);
    bool same = info->nprobes == gos_system_nprobes(sys) && mesh.nnodes == own.nnodes &&
                info->thermal == gos_system_thermal(sys);
    for (int i = 0; i < info->nprobes && same; i++) {
        gos_probe_info there, here;
        gos_results_probe_info(results, i, &there);
        gos_system_probe_info(sys, i, &here);
        same = strcmp(there.name, here.name) == 0 && there.ncomp == here.ncomp;
    }
    if (!same) {
        return "it belongs to another model than the results";
    }
    char options[GOS_OPTIONS_TEXT];
    gos__options_text(sys, &c->options, options, sizeof options);
    if (strcmp(options, info->options) != 0 || c->rows > (double)info->nrows ||
        c->frames > (double)info->nframes || c->events > (double)info->nevents ||
        gos_results_time(results)[(long)c->rows - 1] != c->row_time ||
        gos_results_frame_times(results)[(long)c->frames - 1] != c->frame_time) {
        return "the results belong to another run";
    }
    gos_image_view image;
    if (c->nimage > 0 && (!gos__image_parse(c->image, c->nimage, &image) ||
                          strncmp(image.key, gos__results_key(results), GOS_KEY_TEXT) != 0)) {
        return "it belongs to other results";
    }
    return NULL;
}

/* from the newest valid checkpoint */
static gos_status load(past_run *p, gos_results *results, const gos_results_info *info) {
    char why[2][GOS_WHY] = {"", ""};
    for (int i = 0; i < 2; i++) {
        gos_checkpoint_view view;
        const gos_status status =
            gos__checkpoint_load(p->ctx, p->path, i == 1, &p->bytes, &view, why[i]);
        if (status == GOS_E_MEMORY) {
            return status;
        }
        const char *wrong =
            status == GOS_OK ? gos__checkpoint_take(&view, p->state, &p->checkpoint) : NULL;
        wrong = status == GOS_OK && !wrong ? compare_results(p->sys, results, info, &p->checkpoint)
                                           : wrong;
        if (status == GOS_OK && !wrong) {
            if (i == 1) {
                gos__warn(p->ctx, (gos_loc){0}, "checkpoint",
                          "the newest checkpoint cannot be used: %s; resumed from the previous one",
                          why[0][0] ? why[0] : "it is missing");
            }
            return GOS_OK;
        }
        if (wrong) {
            gos__free(p->ctx, p->bytes);
            p->bytes = NULL;
            (void)snprintf(why[i], GOS_WHY, "%s", wrong);
        }
    }
    return refuse(p->ctx, p->path, why);
}

static gos_status last_row(past_run *p, gos_results *results, int nprobes) {
    const long row = (long)p->checkpoint.rows - 1;
    size_t at = 0;
    p->value = GOS_NEW(p->arena, double, GOS_PROBE_MAX *(size_t)nprobes + 1);
    if (!p->value) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < nprobes; i++) {
        const double *value;
        gos_probe_info probe;
        gos_results_probe_info(results, i, &probe);
        const size_t n = probe.ncomp;
        GOS_TRY(gos_results_probe(results, i, &value, NULL));
        memcpy(p->value + at, value + row * n, n * sizeof *value);
        at += n;
    }
    return GOS_OK;
}

/* leaves the files unchanged */
static gos_status read_past(past_run *p) {
    gos_results *results = NULL;
    gos_results_info info;
    GOS_TRY(open_results(p->ctx, p->path, &results, &info));
    gos_status status = gos_state_create(p->ctx, p->sys, &p->state);
    status = status == GOS_OK ? load(p, results, &info) : status;
    status = status == GOS_OK ? last_row(p, results, info.nprobes) : status;
    p->past = (gos_writer_past){.rows = (long)p->checkpoint.rows,
                                .frames = (long)p->checkpoint.frames,
                                .events = (long)p->checkpoint.events,
                                .image = p->checkpoint.image,
                                .nimage = p->checkpoint.nimage};
    gos_results_close(results);
    return status;
}

static gos_status go_on(past_run *p, gos_statistics *stats) {
    const gos_checkpoint *c = &p->checkpoint;
    const gos_run_point from = {.state = p->state,
                                .value = p->value,
                                .row_time = c->row_time,
                                .frame_time = c->frame_time,
                                .preparing = c->preparing,
                                .output = c->output};
    gos_recorder r = {.ctx = p->ctx,
                      .path = p->path,
                      .past = &p->past,
                      .messages = c->messages,
                      .nmessages = c->nmessages};
    return gos_run_into(p->ctx, p->sys, &c->options, &from, &gos__results_sink, &r, stats);
}

gos_status gos_resume(gos_ctx *ctx, const gos_system *sys, const char *path,
                      gos_statistics *stats) {
    past_run p = {.ctx = ctx, .sys = sys, .path = path, .arena = gos__arena_create(ctx)};
    if (stats) {
        *stats = (gos_statistics){0};
    }
    gos_status status = p.arena ? read_past(&p) : GOS_E_MEMORY;
    status = status == GOS_OK ? go_on(&p, stats) : status;
    gos_state_destroy(p.state);
    gos__free(ctx, p.bytes);
    gos__arena_destroy(p.arena);
    return status;
}
