/* The smart sheet of Heckmann, Arnold and Vaculin (2005) by our own finite elements, as modal data:
   1 x 1.3 m, 0.9 mm of steel, held by the translations of its corners, with patches on both faces
   of all cells. */
#ifndef GOS_TEST_SMART_SHEET_H
#define GOS_TEST_SMART_SHEET_H

#include "control/robust.h"
#include "control/saturated.h"
#include "control/selection.h"
#include "fe/piezo.h"
#include "support/fe_mesh.h"

enum {
    SHEET_NX = 10,
    SHEET_NY = 14,
    SHEET_CELLS = SHEET_NX * SHEET_NY,
    SHEET_PATCHES = 2 * SHEET_CELLS
};

typedef struct sheet {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_part part;
    gos_fe_body *body;
    gos_sparse M;
} sheet;

static inline void sheet_place(const double u[3], double x[3]) {
    x[0] = u[0];
    x[1] = 1.3 * u[1];
    x[2] = 0;
}

/* shells of nx by ny, and their unknowns that are held: the corners' places */
static inline bool *sheet_make(sheet *t, int nx, int ny) {
    const int grid[3] = {nx, ny, 0};
    t->ctx = gos_ctx_create();
    t->material = fe_isotropic(t->ctx, 210e9, 0.3, 7850, 0, 1, 1);
    t->mesh = fe_grid(t->ctx, GOS_CELL_QUAD4, grid, sheet_place, true);
    t->part = (gos_fe_part){
        .element = gos__fe_element("shell"), .material = &t->material, .thickness = 9e-4};
    fe_good(t->ctx, gos__fe_body_create(t->ctx, t->mesh, 1, &t->part, &t->body));
    fe_good(t->ctx, gos__fe_body_mechanics(t->body));
    fe_good(t->ctx, gos__fe_body_mass(t->body, &t->M));
    bool *held = calloc((size_t)t->body->freedom.n, sizeof *held);
    for (int i = 0; i < t->mesh->nnode; i++) {
        const double *x = t->mesh->x[i];
        const bool corner = fabs(x[0] - 0.5) > 0.4999 && fabs(x[1] - 0.65) > 0.6499;
        for (int c = 0; c < 3 && corner; c++) {
            held[6 * i + c] = true;
        }
    }
    return held;
}

static inline void sheet_release(sheet *t) {
    gos__sparse_free(t->ctx, &t->M);
    gos__fe_body_destroy(t->body);
    gos__mesh_destroy(t->mesh);
    gos_ctx_destroy(t->ctx);
}

/* the lowest modes of the published mesh; channel c < 140 is the patch on top of cell c, c + 140
 * the one below */
static inline gos_modal sheet_modal(gos_ctx *ctx, int modes) {
    sheet s = {0};
    gos_modal modal;
    gos_sparse force;
    bool *held = sheet_make(&s, SHEET_NX, SHEET_NY);
    gos_fe_patch patch[SHEET_PATCHES];
    for (int i = 0; i < SHEET_PATCHES; i++) {
        patch[i] = (gos_fe_patch){.cell = i % SHEET_CELLS,
                                  .face = i < SHEET_CELLS ? 1 : -1,
                                  .thickness = 4e-4,
                                  .e = {-6.5, -6.5, 0},
                                  .permittivity = 1.3e-8};
    }
    fe_good(ctx, gos__modal_create(ctx, modes, SHEET_PATCHES, &modal));
    fe_good(s.ctx, gos__fe_patches(s.body, SHEET_PATCHES, patch, &force, NULL, modal.capacitance));
    const int n = s.body->freedom.n;
    double *X = calloc((size_t)n * (size_t)modes, sizeof *X);
    int centre = -1;
    for (int i = 0; i < s.mesh->nnode; i++) {
        const double *x = s.mesh->x[i];
        centre = hypot(x[0] - 0.5, x[1] - 0.65) < 1e-9 ? i : centre;
    }
    assert_true(centre >= 0);
    fe_lowest(s.ctx, &s.body->K, &s.M, held, modes, modal.omega, X);
    for (int m = 0; m < modes; m++) {
        modal.omega[m] = sqrt(modal.omega[m]);
        modal.zeta[m] = 0.01;
        modal.phi[m] = X[(size_t)m * n + 6 * centre + 2];
        for (int p = 0; p < SHEET_PATCHES; p++) {
            for (int e = force.p[p]; e < force.p[p + 1]; e++) {
                modal.Kup[p * modes + m] += force.x[e] * X[(size_t)m * n + force.i[e]];
            }
        }
    }
    gos__sparse_free(s.ctx, &force);
    free(X);
    free(held);
    sheet_release(&s);
    return modal;
}

/* the orbit of a patch: mirror images in both middle lines, on both faces; by its place in a
 * quarter */
static inline int sheet_orbit(int patch) {
    const int x = patch % SHEET_CELLS % SHEET_NX, y = patch % SHEET_CELLS / SHEET_NX;
    return (y < SHEET_NY / 2 ? y : SHEET_NY - 1 - y) * SHEET_NX / 2 +
           (x < SHEET_NX / 2 ? x : SHEET_NX - 1 - x);
}

/* k_Q of both stages at which the largest command after the impact is 400 V, found by bisection on
 * this mesh */
#define SHEET_FIRST 1.9524e11
#define SHEET_SECOND 1.87946e9

/* 3 s with the force of 20 N in 0.1 <= t < 0.11, watched afterwards */
static inline gos_saturated_options sheet_course(double limit) {
    return (gos_saturated_options){.t_end = 3,
                                   .step = 1e-3,
                                   .limit = limit,
                                   .tolerance = 1e-3,
                                   .w = 20,
                                   .w_from = 0.1,
                                   .w_to = 0.11,
                                   .t_start = 0.11,
                                   .settled = {1, 0.5}};
}

/* state feedback by the channels 0 .. 279, for their ranking */
static inline gos_modal_design sheet_first_stage(const int *every) {
    return (gos_modal_design){.part = {.nmode = 14, .ndrive = SHEET_PATCHES, .drive = every},
                              .law = GOS_LAW_STATE,
                              .k_Q = SHEET_FIRST};
}

/* 24 patches that are driven and measured */
static inline gos_modal_design sheet_second_stage(const int *chosen) {
    return (gos_modal_design){
        .part = {.nmode = 14, .ndrive = 24, .drive = chosen, .nsense = 24, .sense = chosen},
        .law = GOS_LAW_LQG,
        .k_Q = SHEET_SECOND,
        .noise = {.force = 0.04, .floor = 1e-4, .charge = 1e-8}};
}

/* the importance of all channels by the first stage, and the channels of the three best orbits */
static inline void sheet_choose(gos_ctx *ctx, const gos_modal *modal, const gos_orbits *orbits,
                                const gos_modal_design *first, double *score, int chosen[24]) {
    gos_loop l;
    int best[3], n;
    fe_good(ctx, gos__modal_loop(ctx, modal, first, modal, 14, &l));
    gos__rank_by_gain(l.nu, l.n, l.F, score);
    fe_good(ctx, gos__select_best(ctx, orbits, score, 3, best));
    gos__orbits_channels(orbits, 3, best, chosen, &n);
    assert_int_equal(n, 24);
    gos__loop_free(ctx, &l);
}

/* feedback of rates at the cells of some orbits, driven above and measured below: room for 140
   channels each. factor: of each orbit, NULL: 1 */
typedef struct sheet_rates {
    int drive[SHEET_CELLS], sense[SHEET_CELLS];
    double factor[SHEET_CELLS];
    gos_modal_design design;
} sheet_rates;

static inline void sheet_make_rates(const gos_orbits *orbits, int n, const int *orbit, double gain,
                                    const double *factor, sheet_rates *r) {
    int channel[SHEET_PATCHES], count, top = 0;
    gos__orbits_channels(orbits, n, orbit, channel, &count);
    for (int i = 0; i < count; i++) {
        if (channel[i] >= SHEET_CELLS) {
            continue;
        }
        r->factor[top] = 1;
        for (int k = 0; k < n && factor; k++) {
            if (orbits->of[channel[i]] == orbit[k]) {
                r->factor[top] = factor[k];
            }
        }
        r->drive[top] = channel[i];
        r->sense[top++] = channel[i] + SHEET_CELLS;
    }
    r->design = (gos_modal_design){.part = {.nmode = 14,
                                            .ndrive = top,
                                            .drive = r->drive,
                                            .nsense = top,
                                            .sense = r->sense,
                                            .current = true},
                                   .law = GOS_LAW_RATE,
                                   .gain = gain,
                                   .factor = r->factor};
}

/* nine orbits and factors that greed by the limited course on 60 modes finds, 32 + 4 cells */
enum { SHEET_GREEDY = 9 };
static const int sheet_greedy[SHEET_GREEDY] = {8, 16, 18, 19, 26, 27, 29, 33, 34};
static const double sheet_greedy_factor[SHEET_GREEDY] = {32, 16, 1, 1, 1, 2, 4, 16, 32};
#define SHEET_GREEDY_GAIN 6.4e6

#endif
