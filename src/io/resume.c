/* Finding out whether and with what model an interrupted run goes on. The run itself is in record.c. */
#include <stdio.h>

#include "io/checkpoint.h"

gos_status gos__resume_results(gos_ctx *ctx, const char *path, gos_results **results,
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

gos_status gos__resume_refuse(gos_ctx *ctx, const char *path, char why[2][GOS_WHY]) {
    if (!why[0][0] && !why[1][0]) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "%s: cannot be resumed: there is no %s" GOS_CHECKPOINT_ENDING
                         ". The run ended before its first checkpoint (static runs have "
                         "none); run the model anew",
                         path, path);
    }
    return gos__fail(
        ctx, GOS_E_INPUT,
        "%s: cannot be resumed: of its checkpoints the newest one: %s; the one before: "
        "%s. Run the model anew",
        path, why[0][0] ? why[0] : "it is missing", why[1][0] ? why[1] : "it is missing");
}

/* ---- the model ------------------------------------------------------------------------------------- */

/* One line "# set PATH: VALUE" of those behind the text as it was given. */
static gos_status apply_line(gos_ctx *ctx, gos_model *model, const char *line, size_t n) {
    static const char begin[] = "# set ";
    const size_t nbegin = sizeof begin - 1;
    char *text = gos__zalloc(ctx, n + 1, 1);
    if (!text) {
        return GOS_E_MEMORY;
    }
    memcpy(text, line, n);
    char *colon = n > nbegin ? strstr(text + nbegin, ": ") : NULL;
    gos_status status;
    if (!colon || memcmp(text, begin, nbegin) != 0) {
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
        return gos__fail(ctx, GOS_E_INPUT, "%s: the stored model is another one", path);
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
    GOS_TRY(gos__resume_results(ctx, path, &results, &info));
    gos_status status = gos__checkpoint_load(ctx, path, false, &bytes, &view, why[0]);
    if (status == GOS_E_INPUT) {
        status = gos__checkpoint_load(ctx, path, true, &bytes, &view, why[1]);
    }
    if (status == GOS_E_INPUT) {
        status = gos__resume_refuse(ctx, path, why);
    }
    if (status == GOS_OK) {
        *reduced = view.reduced;
        status = gos__model_again(ctx, path, info.text, view.given, view.folder, model);
    }
    gos__free(ctx, bytes);
    gos_results_close(results);
    return status;
}
