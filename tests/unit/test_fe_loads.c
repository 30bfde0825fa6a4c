/* Loads on every element with every shape: areas, films, fluxes, sources, tractions, pressures and
   body forces against integrals of constants and linear fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/fe_patch.h"
#include "support/suite.h"
#include "support/verify.h"

#define EXACT 1e-12

static gos_fe_area skin_of(const patch *p) {
    const gos_mesh_surface *s = gos__mesh_surface(p->mesh, "skin");
    return (gos_fe_area){.n = s->n, .cell = s->cell, .side = s->side};
}

/* area of the surface of the box, edges with their thickness or the way around */
static double area_of(const patch *p) {
    const double a = 1.5, b = 1, c = 0.8, lo = 0.4, hi = 1.9;
    if (p->ring) {
        return 2 * M_PI * ((lo + hi) * b + hi * hi - lo * lo);
    }
    return p->part.element->dim == 3 ? 2 * (a * b + b * c + c * a)
                                     : 2 * (a + b) * p->part.thickness;
}

static double sum(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
    }
    return s;
}

static void heat_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    begin(&p, e, shape, crooked);
    const gos_fe_area skin = skin_of(&p);
    const int n = p.body->temperature.n;
    double *flux = calloc((size_t)n, sizeof *flux), *one = malloc(sizeof *one * (size_t)n);
    double *f = malloc(sizeof *f * (size_t)n), size, worst = 0;
    gos_sparse film;
    for (int i = 0; i < n; i++) {
        one[i] = 1;
    }
    fe_good(p.ctx, gos__fe_area_size(p.body, &skin, &size));
    verify_below(label, fabs(size / area_of(&p) - 1), EXACT);
    fe_good(p.ctx, gos__fe_flux(p.body, &skin, 2.5, flux));
    verify_below(label, fabs(sum(n, flux) / (2.5 * size) - 1), EXACT);
    fe_good(p.ctx, gos__fe_film(p.body, &skin, &film));
    fe_apply(&film, one, f);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(2.5 * f[i] - flux[i]));
    }
    verify_below(label, worst, EXACT * size);
    // int y^2 dA over the two sides y = -0.2, 0.8 and the others: 4 lengths, the mean square in
    // between is 0.52 / 3
    for (int i = 0; i < p.mesh->nnode; i++) {
        one[gos__fe_number(&p.body->temperature, i, 0)] = p.mesh->x[i][1];
    }
    fe_apply(&film, one, f);
    const double lo = 0.04, hi = 0.64, mean = 0.52 / 3;
    const double flat = p.ring        ? M_PI * (1.9 * 1.9 - 0.4 * 0.4)
                        : e->dim == 3 ? 1.5 * 0.8
                                      : 1.5 * 0.3;
    verify_below(label, fabs(fe_dot(n, one, f) / (flat * (lo + hi) + (size - 2 * flat) * mean) - 1),
                 EXACT);
    memset(flux, 0, sizeof *flux * (size_t)n);
    fe_good(p.ctx, gos__fe_source(p.body, 0, NULL, 3, flux));
    verify_below(label, fabs(sum(n, flux) / (3 * p.volume) - 1), EXACT);
    gos__sparse_free(p.ctx, &film);
    free(flux);
    free(one);
    free(f);
    end(&p);
}

static void force_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    double F[3][3] = {{0.3, 0.5, -0.2}, {-0.1, 0.7, 0.4}, {0.6, 0.2, -0.5}};
    begin(&p, e, shape, crooked);
    if (p.ring) {
        F[0][1] = 0; // u_r = y works on the sides of other radii than those of its strain
    }
    const gos_fe_area skin = skin_of(&p);
    const int n = p.body->freedom.n;
    double *u = linear(&p, F), *f = calloc((size_t)n, sizeof *f);
    double opening = F[0][0] + F[1][1] + (e->dim == 3 ? F[2][2] : p.ring ? F[0][0] : 0);
    // a pressure works against the change of volume
    fe_good(p.ctx, gos__fe_pressure(p.body, &skin, 1.7, f));
    verify_below(label, fabs(fe_dot(n, u, f) / (-1.7 * opening * p.volume) - 1), EXACT);
    memset(f, 0, sizeof *f * (size_t)n);
    const double t[3] = {0.3, -0.8, 0.6};
    double total[3] = {0}, size;
    fe_good(p.ctx, gos__fe_traction(p.body, &skin, t, f));
    fe_good(p.ctx, gos__fe_area_size(p.body, &skin, &size));
    for (int i = 0; i < p.mesh->nnode; i++) {
        for (int c = 0; c < 3; c++) {
            const int row = gos__fe_number(&p.body->freedom, i, c);
            total[c] += row >= 0 ? f[row] : 0;
        }
    }
    for (int c = 0; c < e->dim; c++) {
        verify_below(label, fabs(total[c] / (t[c] * size) - 1), EXACT);
    }
    // as much as M times an acceleration
    double *a = calloc((size_t)n, sizeof *a), *g = malloc(sizeof *g * (size_t)n), worst = 0;
    for (int i = 0; i < p.mesh->nnode; i++) {
        for (int c = 0; c < e->dim; c++) {
            a[gos__fe_number(&p.body->freedom, i, c)] = t[c];
        }
    }
    const double force[3] = {t[0] * p.material.density, t[1] * p.material.density,
                             t[2] * p.material.density};
    memset(f, 0, sizeof *f * (size_t)n);
    fe_apply(&p.M, a, g);
    fe_good(p.ctx, gos__fe_body_force(p.body, 0, NULL, force, f));
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(f[i] - g[i]));
    }
    verify_below(label, worst / fe_largest(n, g), EXACT);
    free(u);
    free(f);
    free(a);
    free(g);
    end(&p);
}

static void heat(void **state) {
    GOS_UNUSED(state);
    for_each(heat_each);
}
static void force(void **state) {
    GOS_UNUSED(state);
    for_each(force_each);
}

/* cells of sheets as surfaces; what is refused */
static void cells(void **state) {
    GOS_UNUSED(state);
    patch p;
    const int list[2] = {1, 4};
    const gos_fe_area area = {.n = 2, .cell = list};
    double size, both = 0, *heat = NULL;
    begin(&p, gos__fe_element("plane_stress"), GOS_CELL_QUAD4, crooked);
    fe_good(p.ctx, gos__fe_area_size(p.body, &area, &size));
    heat = calloc((size_t)p.body->temperature.n, sizeof *heat);
    fe_good(p.ctx, gos__fe_source(p.body, 2, list, 1, heat));
    both = sum(p.body->temperature.n, heat);
    verify_below("volume over thickness", fabs(both / (0.3 * size) - 1), EXACT);
    free(heat);
    end(&p);
    begin(&p, gos__fe_element("solid"), GOS_CELL_HEX8, crooked);
    assert_int_equal(gos__fe_area_size(p.body, &area, &size), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(p.ctx), "cell 2 is not a surface"));
    gos_ctx_clear(p.ctx);
    end(&p);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(heat), cmocka_unit_test(force),
                                       cmocka_unit_test(cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
