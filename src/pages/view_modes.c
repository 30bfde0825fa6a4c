/* Animated mode shapes on the full screen. */
#include <math.h>

#include "pages/report.h"
#include "results/mode_shapes.h"
#include "results/results_parts.h"

/* the sign of a mode is arbitrary: largest temperature > 0 */
static double sign_of(const double *t, const gos_thin_mesh *thin) {
    double most = 0;
    for (int j = 0; j < thin->nnodes; j++) {
        const double v = t[thin->node[j]];
        most = fabs(v) > fabs(most) ? v : most;
    }
    return most < 0 ? -1 : 1;
}

/* scaled so that the largest vector of `width` has length `sign` */
static void take_modes(const double *from, int width, const gos_thin_mesh *thin, double sign,
                       double *to) {
    double most = 0;
    for (int j = 0; j < thin->nnodes; j++) {
        double square = 0;
        for (int c = 0; c < width; c++) {
            const double v = from[(long)width * thin->node[j] + c];
            to[(long)width * j + c] = v;
            square += v * v;
        }
        most = fmax(most, square);
    }
    for (long k = 0; k < (long)width * thin->nnodes && most > 0; k++) {
        to[k] *= sign / sqrt(most);
    }
}

static void put_names(gos_page *p, gos_arena *arena, const char *names) {
    gos__page_open(p, "names", '[');
    for (const char *at = names, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        char *name = GOS_NEW(arena, char, (end - at) + 1);
        if (name) {
            gos__page_text(p, NULL, memcpy(name, at, (size_t)(end - at)));
        }
    }
    gos__page_close(p, ']');
}

/* Modes with names, displacements (largest: 1) and temperatures (largest: 1 or -1): "modes". */
static gos_status page_modes(gos_page *p, gos_arena *arena, const gos_mesh_modes *modes,
                             const gos_thin_mesh *thin) {
    const long n = modes->n, shown = n * thin->nnodes, nodes = modes->nnodes;
    double *displacement = GOS_NEW(arena, double, 3 * shown + 1);
    double *temperature = GOS_NEW(arena, double, shown + 1);
    GOS_TRY(displacement && temperature ? GOS_OK : GOS_E_MEMORY);
    for (long i = 0; i < n; i++) {
        const double *u = modes->displacement + 3 * i * nodes, *t = modes->temperature + i * nodes;
        const double sign = sign_of(t, thin);
        take_modes(u, 3, thin, sign, displacement + 3 * i * thin->nnodes);
        take_modes(t, 1, thin, sign, temperature + i * thin->nnodes);
    }
    gos__page_open(p, "modes", '{');
    put_names(p, arena, modes->names);
    gos__page_parts(p, "displacement", displacement, 3 * shown, 3);
    gos__page_parts(p, "temperature", temperature, shown, 1);
    gos__page_close(p, '}');
    return GOS_OK;
}

gos_status gos__report_modes(gos_page *p, gos_arena *arena, gos_results *run,
                             const gos_thin_mesh *thin) {
    gos_mesh_modes modes = {0};
    gos_mesh_info mesh;
    gos_results_mesh(run, &mesh);
    modes.nnodes = mesh.nnodes;
    GOS_TRY(gos__results_modes(run, arena, &modes.n, &modes.names, &modes.displacement,
                               &modes.temperature));
    return modes.n > 0 ? page_modes(p, arena, &modes, thin) : GOS_OK;
}

enum { MOST_NODES = 100000, MOST_NUMBERS = 20000000 };

typedef struct view {
    gos_page page;
    gos_arena *arena;
    const gos_system *sys;
    gos_mesh_info mesh;
    const double *x; // node positions (nnodes, 3)
    gos_mesh_modes modes;
} view;

/* the undeformed state */
static gos_status put_frame(gos_page *p, gos_arena *arena, int nodes) {
    static const double now[] = {0};
    double *still = GOS_NEW(arena, double, 3L * nodes + 1); // zeros
    GOS_TRY(still ? GOS_OK : GOS_E_MEMORY);
    gos__page_open(p, "frames", '{');
    gos__page_number(p, "count", 1);
    gos__page_number(p, "all", 1);
    gos__page_floats(p, "time", now, 1, NULL, 1);
    gos__page_parts(p, "displacement", still, 3L * nodes, 3);
    gos__page_close(p, '}');
    return GOS_OK;
}

static gos_status put_run(view *v) {
    gos_page *p = &v->page;
    gos_thin_mesh thin;
    gos_sizes sizes;
    gos_system_sizes(v->sys, &sizes);
    GOS_TRY(gos__thin_mesh(v->arena, &v->mesh, v->x, MOST_NODES, &thin));
    double *shown = GOS_NEW(v->arena, double, 3L * thin.nnodes + 1);
    GOS_TRY(shown ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < thin.nnodes; j++) {
        memcpy(shown + 3L * j, v->x + 3L * thin.node[j], 3 * sizeof(double));
    }
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "name", gos_system_name(v->sys));
    gos__page_text(p, "text", gos_system_text(v->sys));
    gos__page_open(p, "sizes", '{');
    gos__page_number(p, "extent", sizes.extent);
    gos__page_bool(p, "reduced", sizes.reduced);
    gos__page_close(p, '}');
    gos__page_open(p, "probes", '[');
    gos__page_close(p, ']');
    gos__page_mesh(p, &v->mesh, &thin, shown);
    GOS_TRY(put_frame(p, v->arena, thin.nnodes));
    GOS_TRY(page_modes(p, v->arena, &v->modes, &thin));
    gos__page_close(p, '}');
    return GOS_OK;
}

static gos_status put_data(void *user) {
    view *v = user;
    gos_page *p = &v->page;
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "title", gos_system_name(v->sys));
    gos__page_text(p, "program", "gossamer " GOS_VERSION);
    gos__page_open(p, "runs", '[');
    GOS_TRY(put_run(v));
    gos__page_close(p, ']');
    gos__page_close(p, '}');
    return GOS_OK;
}

static gos_status take(view *v, gos_shapes *k) {
    const size_t nodes = (size_t)v->mesh.nnodes, n = (size_t)(k->modes + k->fields);
    char *names = GOS_NEW(v->arena, char, n *GOS_SHAPE_NAME + 1), *end = names;
    v->modes = (gos_mesh_modes){.n = (int)n,
                                .nnodes = v->mesh.nnodes,
                                .names = names,
                                .displacement = GOS_NEW(v->arena, double, 3 * n * nodes + 1),
                                .temperature = GOS_NEW(v->arena, double, n *nodes + 1)};
    GOS_TRY(names && v->modes.displacement && v->modes.temperature ? GOS_OK : GOS_E_MEMORY);
    for (size_t i = 0; i < n; i++) {
        const bool field = i >= (size_t)k->modes;
        const int own = (int)i - (field ? k->modes : 0);
        char name[GOS_SHAPE_NAME];
        gos__shapes_name(k, field, own, name);
        end += sprintf(end, "%s\n", name);
        if (!field || k->held) {
            const double *shape = field ? k->deformation : k->shape;
            gos__shapes_motion(k, shape + (size_t)own * (size_t)v->sys->nq,
                               v->modes.displacement + 3 * i * nodes);
        }
        if (field) {
            gos__shapes_heat(k, own, v->modes.temperature + i * nodes);
        }
    }
    return GOS_OK;
}

static gos_status find(view *v, const gos_state *state, const gos_linear *linear, int n) {
    gos_ctx *ctx = v->page.ctx;
    double *x = GOS_NEW(v->arena, double, 3L * v->mesh.nnodes + 1);
    GOS_TRY(x ? GOS_OK : GOS_E_MEMORY);
    gos_system_nodes(v->sys, state, x, NULL, NULL, NULL);
    v->x = x;
    gos_shapes k = {.ctx = ctx, .sys = v->sys};
    gos_status status = gos_state_create(ctx, v->sys, &k.moved);
    status = status == GOS_OK ? gos_state_copy(k.moved, state) : status;
    status = status == GOS_OK ? gos__shapes_find(&k, linear, n) : status;
    status = status == GOS_OK ? take(v, &k) : status;
    gos__shapes_free(&k);
    if (status == GOS_OK && v->modes.n == 0) {
        return gos__fail(ctx, GOS_E_USE, "the model has no modes to show");
    }
    return status;
}

gos_status gos_view_modes(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                          const gos_linear *linear, int n, FILE *out) {
    view v = {.page = {.ctx = ctx, .out = out}, .arena = gos__arena_create(ctx), .sys = sys};
    gos_system_mesh(sys, &v.mesh);
    if (v.mesh.nnodes == 0 || n < 1 || (double)v.mesh.nnodes * n > MOST_NUMBERS) {
        gos__arena_destroy(v.arena);
        return gos__fail(ctx, GOS_E_USE,
                         v.mesh.nnodes == 0 ? "no scene to show: no body has nodes"
                                            : "modes times nodes exceed 20000000 numbers, the "
                                              "limit of a page; request fewer modes");
    }
    gos_status status = v.arena ? find(&v, state, linear, n) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        const gos_page_parts parts = {.title = gos_system_name(sys),
                                      .style = {gos__viewer_style, gos__viewer_full_style},
                                      .script = {gos__viewer_common, gos__viewer_full},
                                      .data = put_data,
                                      .user = &v};
        status = gos__page_put(&v.page, &parts);
    }
    gos__arena_destroy(v.arena);
    return status;
}
