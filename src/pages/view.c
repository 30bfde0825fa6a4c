/* Full-screen page of a run, with all nodes. */
#include <math.h>

#include "results/results_parts.h"
#include "pages/view.h"

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
    GOS_TRY(gos__view_marks(p, v->run[i]));
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

/* output time of the first run nearest to t */
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
