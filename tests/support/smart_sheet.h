/* The smart sheet of Heckmann, Arnold and Vaculin (2005) by our own finite elements, as modal data: 1 x 1.3 m, 0.9 mm of
   steel, held by the translations of its corners, with patches on both faces of all cells. */
#ifndef GOS_TEST_SMART_SHEET_H
#define GOS_TEST_SMART_SHEET_H

#include "control/modal_plant.h"
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

/* the lowest modes of the published mesh; channel c < 140 is the patch on top of cell c, c + 140 the one below */
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

/* the orbit of a patch: mirror images in both middle lines, on both faces; by its place in a quarter */
static inline int sheet_orbit(int patch) {
    const int x = patch % SHEET_CELLS % SHEET_NX, y = patch % SHEET_CELLS / SHEET_NX;
    return (y < SHEET_NY / 2 ? y : SHEET_NY - 1 - y) * SHEET_NX / 2 +
           (x < SHEET_NX / 2 ? x : SHEET_NX - 1 - x);
}

#endif
