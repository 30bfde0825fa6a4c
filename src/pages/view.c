/* Full-screen page of a run, with all nodes. */
#include "pages/view.h"

#include <math.h>

#include "results/results_parts.h"

/* Joints and loads on the full screen. */

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

static void put_type(gos_page *p, const gos_model *model, const gos_mark *mark) {
    char path[GOS_LIMIT_NAME + 32];
    const char *name = strchr(mark->name, '\'');
    const size_t n = name ? strcspn(name + 1, "'") : 0;
    const char *type = NULL;
    if (model && mark->joint && n > 0 && n <= GOS_LIMIT_NAME) {
        gos__format(path, sizeof path, "joints.%.*s.type", (int)n, name + 1);
        type = gos_model_get(model, path);
    }
    gos__page_text(p, "type", type ? type : "");
}

static void put_mark(gos_page *p, const gos_results *run, const gos_model *model,
                     const gos_mark *mark) {
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "name", mark->name);
    gos__page_bool(p, "joint", mark->joint);
    put_type(p, model, mark);
    gos__page_bool(p, "ground", mark->ground);
    gos__page_open(p, "place", '[');
    for (int c = 0; c < 3 && mark->nlocation > 0; c++) {
        gos__page_number(p, NULL, mark->location[0][c]);
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

/* Joints and loads with initial forces, and probes of joint forces: "marks". */
static gos_status view_marks(gos_page *p, const gos_results *run) {
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

#define VIEW_NODES 5000000L // nodes times output times, 8 bytes plus 2 per colour field
enum { POINTS = 2000, MOST_NODES = 150000, MOST_FRAMES = 400, FEW = 24, COARSE_NODES = 12000 };
// of the second run, drawn in dashes
enum { OTHER_NODES = 2000, OTHER_FRAMES = 200, OTHER_SHAPES = 100000 };

typedef struct view {
    gos_page page;
    gos_arena *arena;
    const char *path[2];
    gos_results *run[2]; // shown, reference (may be NULL)
    gos_view_more more;
} view;

static gos_status put_run(view *v, int i) {
    static const gos_report_limits whole = {.points = POINTS,
                                            .shapes = VIEW_NODES,
                                            .nodes = MOST_NODES,
                                            .frames = MOST_FRAMES,
                                            .few = FEW,
                                            .coarse = COARSE_NODES},
                                   other = {.points = POINTS,
                                            .shapes = OTHER_SHAPES,
                                            .nodes = OTHER_NODES,
                                            .frames = OTHER_FRAMES,
                                            .few = FEW};
    gos_page *p = &v->page;
    gos_report_limits limits = i == 0 ? whole : other;
    limits.more = i == 0 ? &v->more : NULL;
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "file", gos__file_name(v->path[i]));
    GOS_TRY(gos__report_info(p, v->arena, v->run[i], v->run[0]));
    gos__page_number(p, "reference_temperature", v->run[i]->T_ref);
    GOS_TRY(gos__report_probes(p, v->arena, v->run[i], NULL, &limits));
    GOS_TRY(view_marks(p, v->run[i]));
    GOS_TRY(gos__report_shapes(p, v->arena, v->run[i], &limits));
    gos__page_close(p, '}');
    return GOS_OK;
}

static gos_status put_data(void *user) {
    view *v = user;
    gos_page *p = &v->page;
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "title", v->run[0]->info.name);
    gos__page_text(p, "program", "gossamer " GOS_VERSION);
    gos__page_open(p, "runs", '[');
    for (int i = 0; i < 2 && v->run[i]; i++) {
        GOS_TRY(put_run(v, i));
    }
    gos__page_close(p, ']');
    gos__page_close(p, '}');
    return GOS_OK;
}

static long frame_of(const gos_results *run, double t) {
    long near = 0;
    for (long k = 1; k < run->info.nframes; k++) {
        near = fabs(run->frame_time[k] - t) < fabs(run->frame_time[near] - t) ? k : near;
    }
    return near;
}

static gos_status compare(view *v) {
    GOS_TRY(gos__apart_open(v->page.ctx, v->run[0], v->run[1], &v->more.apart));
    const gos_comparison *c = gos__apart_worst(v->more.apart);
    v->more.keep[v->more.nkeep++] = frame_of(v->run[0], c->position.worst_time);
    if (c->thermal) {
        v->more.keep[v->more.nkeep++] = frame_of(v->run[0], c->temperature.worst_time);
    }
    return GOS_OK;
}

static gos_status open_runs(view *v) {
    gos_ctx *ctx = v->page.ctx;
    for (int i = 0; i < 2 && v->path[i]; i++) {
        GOS_TRY(gos_results_open(ctx, v->path[i], &v->run[i]));
        if (v->run[i]->info.nframes == 0 || v->run[i]->mesh.nnodes == 0) {
            return gos__fail(
                ctx, GOS_E_USE,
                "%s: no scene to show: the run has %s; `gossamer report` shows its numbers",
                v->path[i],
                v->run[i]->mesh.nnodes == 0 ? "no nodes: its bodies have no shape"
                                            : "no output time yet");
        }
    }
    return v->run[1] ? compare(v) : GOS_OK;
}

gos_status gos_view_page(gos_ctx *ctx, const char *path, const char *against, FILE *out) {
    view v = {.page = {.ctx = ctx, .out = out}, .path = {path, against}};
    v.arena = gos__arena_create(ctx);
    gos_status status = v.arena ? open_runs(&v) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const gos_page_parts parts = {.title = v.run[0]->info.name,
                                      .style = {gos__viewer_style, gos__viewer_full_style},
                                      .script = {gos__viewer_common, gos__viewer_full},
                                      .data = put_data,
                                      .user = &v};
        status = gos__page_put(&v.page, &parts);
    }
    gos__apart_close(v.more.apart);
    gos_results_close(v.run[0]);
    gos_results_close(v.run[1]);
    gos__arena_destroy(v.arena);
    return status;
}
