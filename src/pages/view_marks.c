/* Joints and loads on the full screen. */
#include "results/results_parts.h"
#include "pages/view.h"

/* for probes in global axes, else NULL */
static const char *joint_of(const gos_model *model, const gos_probe_info *probe, char *path,
                            size_t size) {
    if (!model || strcmp(probe->quantity, "joint_force") != 0 || probe->ncomp != 3) {
        return NULL;
    }
    gos__format(path, size, "probes.%s.frame", probe->name);
    if (gos_model_get(model, path)) {
        return NULL;
    }
    gos__format(path, size, "probes.%s.joint", probe->name);
    return gos_model_get(model, path);
}

/* is the mark "joint 'NAME'" of this joint? */
static bool is_of(const gos_mark *mark, const char *joint) {
    const size_t n = strlen(joint);
    return mark->joint && strncmp(mark->name, "joint '", 7) == 0 &&
           strncmp(mark->name + 7, joint, n) == 0 && mark->name[7 + n] == '\'';
}

/* numbers of the probes of the joint's force */
static void put_probes(gos_page *p, const gos_results *run, const gos_model *model,
                       const gos_mark *mark) {
    gos__page_open(p, "probes", '[');
    for (int i = 0; i < run->info.nprobes; i++) {
        char path[GOS_LIMIT_NAME + 32];
        const char *joint = joint_of(model, &run->probe[i].info, path, sizeof path);
        if (joint && is_of(mark, joint)) {
            gos__page_number(p, NULL, i);
        }
    }
    gos__page_close(p, ']');
}

static void put_mark(gos_page *p, const gos_results *run, const gos_model *model,
                     const gos_mark *mark) {
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "name", mark->name);
    gos__page_bool(p, "joint", mark->joint);
    gos__page_bool(p, "ground", mark->ground);
    gos__page_open(p, "place", '[');
    for (int c = 0; c < 3 && mark->nplace > 0; c++) {
        gos__page_number(p, NULL, mark->place[0][c]);
    }
    gos__page_close(p, ']');
    gos__page_open(p, "force", '[');
    for (int c = 0; c < 3; c++) {
        gos__page_number(p, NULL, mark->force[c]);
    }
    gos__page_close(p, ']');
    put_probes(p, run, model, mark);
    gos__page_close(p, '}');
}

gos_status gos__view_marks(gos_page *p, const gos_results *run) {
    enum { MOST = 200 };
    // discards messages
    gos_ctx *quiet = gos_ctx_create();
    gos_model *model = NULL;
    if (!quiet) {
        return GOS_E_MEMORY;
    }
    const char *text = run->info.text;
    if (gos_model_parse(quiet, text, strlen(text), "model", NULL, &model) != GOS_OK) {
        model = NULL;
    }
    gos__page_open(p, "marks", '[');
    for (int i = 0; i < run->nmarks && run->nmarks <= MOST; i++) {
        put_mark(p, run, model, &run->marks[i]);
    }
    gos__page_close(p, ']');
    gos_model_destroy(model);
    gos_ctx_destroy(quiet);
    return GOS_OK;
}
