/* For tests that look at every element with every shape: a body of few cells in a box, and
   displacements that are linear in the place. */
#ifndef GOS_TEST_FE_PATCH_H
#define GOS_TEST_FE_PATCH_H

#include "support/fe_mesh.h"

/* ---- meshes ---------------------------------------------------------------------------------- */

/* a box whose inside is moved, and that of its bottom and top along them */
static inline void crooked(const double u[3], double x[3]) {
    const double bump = 16 * u[0] * (1 - u[0]) * u[1] * (1 - u[1]);
    const double deep = u[2] == 0 ? 0 : 4 * u[2] * (1 - u[2]);
    x[0] = 0.4 + 1.5 * u[0] + 0.13 * bump * (1 - deep);
    x[1] = -0.2 + u[1] - 0.11 * bump * (1 - 0.4 * deep);
    x[2] = u[2] == 0 ? 0 : 0.8 * u[2] + 0.07 * bump * deep;
}

/* a parallelepiped */
static inline void leaning(const double u[3], double x[3]) {
    x[0] = 0.4 + 1.5 * u[0] + 0.3 * u[1] + 0.2 * u[2];
    x[1] = -0.2 + u[1] + 0.1 * u[0] - 0.1 * u[2];
    x[2] = 0.8 * u[2];
}

typedef struct patch {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_part part;
    gos_fe_body *body;
    gos_fe_heat heat;
    gos_sparse M;
    bool ring;
    double volume;
} patch;

static double patch_axes[9];

/* an orthotropic material with all its constants different, turned */
static inline void materials(patch *p) {
    const double E[3] = {3.1, 1.7, 2.2}, nu[3] = {0.21, 0.17, 0.28}, G[3] = {0.9, 0.7, 0.8};
    p->material = (gos_fe_material){.density = 2.3, .heat = 1.9};
    fe_good(p->ctx, gos__fe_orthotropic(p->ctx, (gos_loc){0}, NULL, E, nu, G, &p->material));
    for (int i = 0; i < 3; i++) {
        p->material.expansion[i] = 0.01 * (i + 1);
        p->material.conductivity[i][i] = 1.1 + 0.4 * i;
    }
    if (p->part.element
            ->ring) { // strains that are uniform expand alike along and across the radius
        p->material.expansion[2] = p->material.expansion[0];
        return;
    }
    const double a = 0.4, b = p->part.element->dim == 3 ? -0.7 : 0;
    memcpy(patch_axes,
           (const double[9]){cos(a), sin(a), 0, -sin(a) * cos(b), cos(a) * cos(b), sin(b),
                             sin(a) * sin(b), -cos(a) * sin(b), cos(b)},
           sizeof patch_axes);
    p->part.axes = patch_axes;
}

static inline double volume_of(const gos_fe_body *b, const double *capacity, const patch *p) {
    double sum = 0;
    for (int i = 0; i < b->temperature.n; i++) {
        sum += capacity[i] / (p->material.density * p->material.heat);
    }
    return sum;
}

static inline void begin(patch *p, const gos_fe_element *e, gos_cell_shape shape, fe_place *place) {
    const int n[3] = {2, 3, e->dim == 3 ? 2 : 0};
    *p = (patch){.ctx = gos_ctx_create(), .ring = e->ring};
    p->mesh = fe_grid(p->ctx, shape, n, place, true);
    p->part = (gos_fe_part){.element = e, .material = &p->material, .thickness = 0.3};
    materials(p);
    fe_good(p->ctx, gos__fe_body_create(p->ctx, p->mesh, 1, &p->part, &p->body));
    fe_good(p->ctx, gos__fe_body_mechanics(p->body));
    fe_good(p->ctx, gos__fe_body_heat(p->body, &p->heat));
    fe_good(p->ctx, gos__fe_body_mass(p->body, &p->M));
    // all of the box: its surfaces are flat
    p->volume = e->dim == 3 ? 1.5 * 0.8 : 1.5 * 0.3;
    p->volume = e->ring ? M_PI * (1.9 * 1.9 - 0.4 * 0.4) : p->volume;
    if (place == leaning) {
        double *one = malloc(sizeof *one * (size_t)p->body->temperature.n);
        double *sum = malloc(sizeof *sum * (size_t)p->body->temperature.n);
        for (int i = 0; i < p->body->temperature.n; i++) {
            one[i] = 1;
        }
        fe_apply(&p->heat.C, one, sum);
        p->volume = volume_of(p->body, sum, p);
        free(one);
        free(sum);
    }
}

static inline void end(patch *p) {
    gos__sparse_free(p->ctx, &p->M);
    gos__fe_heat_free(p->ctx, &p->heat);
    gos__fe_body_destroy(p->body);
    gos__mesh_destroy(p->mesh);
    assert_string_equal(gos_ctx_message(p->ctx), "");
    gos_ctx_destroy(p->ctx);
}

/* displacements F x, of rings those that keep straight: u_r by r, u_y by y */
static inline double *linear(const patch *p, double F[3][3]) {
    const gos_fe_body *b = p->body;
    double *u = calloc((size_t)b->freedom.n, sizeof *u);
    for (int i = 0; i < b->mesh->nnode; i++) {
        for (int c = 0; c < 3; c++) {
            const int row = gos__fe_number(&b->freedom, i, c);
            for (int d = 0; d < 3 && row >= 0; d++) {
                u[row] += F[c][d] * b->mesh->x[i][d];
            }
        }
    }
    return u;
}

typedef void each_function(const gos_fe_element *e, gos_cell_shape shape, const char *label);

static inline void for_each(each_function *call) {
    int n;
    const gos_fe_element *const *all = gos__fe_elements(&n);
    for (int i = 0; i < n; i++) {
        for (int s = 0; s < GOS_CELL_SHAPES; s++) {
            if (all[i]->shapes >> s & 1 && !all[i]->directors && all[i]->dim > 1) {
                char label[100];
                snprintf(label, sizeof label, "%s, %s", all[i]->name, gos__cell_kind[s].name);
                call(all[i], (gos_cell_shape)s, label);
            }
        }
    }
}

#endif
