/* Shells: rigid motions, patches of constant strain, curvature and shear, heat, masses, films on
   their faces, stresses, folds, and thin plates that do not lock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "fe/recovery.h"
#include "support/fe_mesh.h"
#include "support/stress_work.h"
#include "support/suite.h"
#include "support/verify.h"

#define EXACT 1e-11 // bending beside membrane: entries of very unlike size

typedef struct shell {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_part part;
    gos_fe_body *body;
    gos_fe_heat heat;
    gos_sparse M;
    int n, nt;
} shell;

static double tilt[3][3]; // of the plane of flat patches
static gos_cell_shape shape = GOS_CELL_QUAD4;

static void set_tilt(double a, double b) {
    const double R[3][3] = {{cos(a), sin(a) * sin(b), sin(a) * cos(b)},
                            {0, cos(b), -sin(b)},
                            {-sin(a), cos(a) * sin(b), cos(a) * cos(b)}};
    memcpy(tilt, R, sizeof tilt);
}

static void tilted(const double in[3], double x[3]) {
    for (int c = 0; c < 3; c++) {
        x[c] = tilt[c][0] * in[0] + tilt[c][1] * in[1] + tilt[c][2] * in[2];
    }
}

/* coordinates in the plane of a place in space */
static void flat(const double x[3], double in[3]) {
    for (int c = 0; c < 3; c++) {
        in[c] = tilt[0][c] * x[0] + tilt[1][c] * x[1] + tilt[2][c] * x[2];
    }
}

/* a crooked mesh of a rectangle 1.5 x 1 in a tilted plane */
static void crooked_plane(const double u[3], double x[3]) {
    const double bump = 16 * u[0] * (1 - u[0]) * u[1] * (1 - u[1]);
    const double in[3] = {1.5 * u[0] + 0.13 * bump, u[1] - 0.11 * bump, 0};
    tilted(in, x);
}

/* a part of a barrel, crooked: curved and warped */
static void barrel(const double u[3], double x[3]) {
    const double bump = 16 * u[0] * (1 - u[0]) * u[1] * (1 - u[1]);
    const double a = 0.7 * (u[0] + 0.06 * bump), b = u[1] - 0.05 * bump;
    const double r = 1 + 0.1 * b * (1 - b);
    const double in[3] = {r * cos(a), r * sin(a), b};
    tilted(in, x);
}

static void begin_on(shell *s, gos_mesh *mesh, double thickness) {
    s->mesh = mesh;
    s->part = (gos_fe_part){
        .element = gos__fe_element("shell"), .material = &s->material, .thickness = thickness};
    fe_good(s->ctx, gos__fe_body_create(s->ctx, s->mesh, 1, &s->part, &s->body));
    fe_good(s->ctx, gos__fe_body_mechanics(s->body));
    fe_good(s->ctx, gos__fe_body_heat(s->body, &s->heat));
    fe_good(s->ctx, gos__fe_body_mass(s->body, &s->M));
    s->n = s->body->freedom.n;
    s->nt = s->body->temperature.n;
    assert_int_equal(s->n, 6 * mesh->nnode);
    assert_int_equal(s->nt, 2 * mesh->nnode);
}

static void begin(shell *s, fe_place *place, int nx, int ny, double thickness) {
    const int n[3] = {nx, ny, 0};
    *s = (shell){.ctx = gos_ctx_create()};
    s->material = fe_isotropic(s->ctx, 3.0, 0.3, 2.0, 0.01, 1.3, 1.9);
    begin_on(s, fe_grid(s->ctx, shape, n, place, true), thickness);
}

static void end(shell *s) {
    gos__sparse_free(s->ctx, &s->M);
    gos__fe_heat_free(s->ctx, &s->heat);
    gos__fe_body_destroy(s->body);
    gos__mesh_destroy(s->mesh);
    gos_ctx_destroy(s->ctx);
}

/* displacement and rotation as functions of the coordinates in the plane, in its axes */
typedef void motion(const double in[3], double u[3], double turn[3]);

static double *move(const shell *s, motion *by) {
    double *u = malloc(sizeof *u * (size_t)s->n);
    for (int i = 0; i < s->mesh->nnode; i++) {
        double in[3], v[3] = {0}, w[3] = {0};
        flat(s->mesh->x[i], in);
        by(in, v, w);
        tilted(v, u + 6 * i);
        tilted(w, u + 6 * i + 3);
    }
    return u;
}

static double *product(const gos_sparse *A, const double *x) {
    double *y = malloc(sizeof *y * (size_t)A->m);
    fe_apply(A, x, y);
    return y;
}

/* largest force on nodes inside the rectangle, over the largest of all */
static double inside(const shell *s, const double *f) {
    double worst = 0;
    for (int i = 0; i < s->mesh->nnode; i++) {
        double in[3];
        flat(s->mesh->x[i], in);
        if (in[0] > 1e-9 && in[0] < 1.5 - 1e-9 && in[1] > 1e-9 && in[1] < 1 - 1e-9) {
            worst = fmax(worst, fe_largest(6, f + 6 * i));
        }
    }
    return worst / fe_largest(s->n, f);
}

static void rigid(void **state) {
    GOS_UNUSED(state);
    shell s;
    set_tilt(0.4, -0.3);
    begin(&s, barrel, 4, 3, 0.05);
    for (int k = 0; k < 6; k++) {
        double *u = calloc((size_t)s.n, sizeof *u);
        for (int i = 0; i < s.mesh->nnode; i++) {
            const double *x = s.mesh->x[i];
            const int a = k - 3, p = (a + 1) % 3, q = (a + 2) % 3;
            if (k < 3) {
                u[6 * i + k] = 1;
            } else {
                u[6 * i + k] = 1;
                u[6 * i + q] = x[p];
                u[6 * i + p] = -x[q];
            }
        }
        double *f = product(&s.body->K, u);
        verify_below("rigid motion", fe_largest(s.n, f) / gos__sparse_largest(&s.body->K), 1e-13);
        free(u);
        free(f);
    }
    end(&s);
}

static const double nu = 0.3, E = 3, h = 0.05;

static void stretched(const double x[3], double u[3], double turn[3]) {
    u[0] = 0.3 * x[0] + 0.5 * x[1];
    u[1] = -0.1 * x[0] + 0.7 * x[1];
    turn[2] = -0.3; // (v,x - u,y) / 2
}

/* w = -(kx x^2 + ky y^2 + kxy x y) / 2 with sections that stay normal to the surface: theta = (w,y,
 * -w,x) */
static const double kx = 0.4, ky = -0.7, kxy = 0.5;
static void bent(const double x[3], double u[3], double turn[3]) {
    u[2] = -(kx * x[0] * x[0] + ky * x[1] * x[1] + kxy * x[0] * x[1]) / 2;
    turn[0] = -(2 * ky * x[1] + kxy * x[0]) / 2;
    turn[1] = (2 * kx * x[0] + kxy * x[1]) / 2;
}

static void sheared(const double x[3], double u[3], double turn[3]) {
    u[2] = 0.3 * x[0] - 0.2 * x[1];
    GOS_UNUSED(turn);
}

static void patch(const char *label, motion *by, double energy) {
    shell s;
    set_tilt(0.4, -0.3);
    begin(&s, crooked_plane, 4, 3, h);
    double *u = move(&s, by), *f = product(&s.body->K, u);
    verify_below(label, fabs(fe_dot(s.n, u, f) / (energy * 1.5) - 1), EXACT);
    if (by != sheared) { // moments of a constant shear are in balance with distributed ones
        verify_below(label, inside(&s, f), EXACT);
    }
    free(u);
    free(f);
    end(&s);
}

static void patches(void **state) {
    GOS_UNUSED(state);
    const double Q = E / (1 - nu * nu), G = E / (2 * (1 + nu)), D = Q * h * h * h / 12;
    const double e[3] = {0.3, 0.7, 0.4};
    patch("stretch", stretched,
          h * (Q * (e[0] * e[0] + e[1] * e[1] + 2 * nu * e[0] * e[1]) + G * e[2] * e[2]));
    // curvatures theta_y,x = kx, -theta_x,y = ky, theta_y,y - theta_x,x = kxy
    patch("curvature", bent, D * (kx * kx + ky * ky + 2 * nu * kx * ky + (1 - nu) / 2 * kxy * kxy));
    if (shape == GOS_CELL_QUAD4) { // triangles are thin
        patch("shear", sheared, 5.0 / 6 * G * h * (0.09 + 0.04));
    }
}

/* uniform temperature and gradient through the thickness: u = alpha theta x, and curvature -alpha
 * g, without stress */
static const double alpha = 0.01;
static void grown(const double x[3], double u[3], double turn[3]) {
    for (int c = 0; c < 3; c++) {
        u[c] = alpha * x[c];
    }
    GOS_UNUSED(turn);
}
static void curled(const double x[3], double u[3], double turn[3]) { // hotter at +z: ends go down
    u[2] = -alpha * (x[0] * x[0] + x[1] * x[1]) / 2;
    turn[0] = -alpha * x[1];
    turn[1] = alpha * x[0];
}

static void expansion(const char *label, fe_place *place, motion *by, int which) {
    shell s;
    set_tilt(0.4, -0.3);
    begin(&s, place, 4, 3, h);
    const gos_fe_recovery what = {.quantity = GOS_FE_STRESS, .depth = {.face = 1}};
    double *u = move(&s, by), *t = calloc((size_t)s.nt, sizeof *t), worst = 0;
    for (int i = which; i < s.nt; i += 2) {
        t[i] = 1;
    }
    double *f = product(&s.body->K, u), *g = product(&s.heat.couple, t);
    for (int i = 0; i < s.n; i++) {
        worst = fmax(worst, fabs(f[i] - g[i]));
    }
    verify_below(label, worst / fe_largest(s.n, g), EXACT);
    double(*value)[6] = malloc(sizeof *value * (size_t)s.mesh->nnode);
    int *count = malloc(sizeof *count * (size_t)s.mesh->nnode);
    fe_good(s.ctx, gos__fe_field(s.body, &what, u, t, value, count));
    verify_below(label, fe_largest(6 * s.mesh->nnode, value[0]) / (E * alpha), 1e-12);
    free(u);
    free(t);
    free(f);
    free(g);
    free(value);
    free(count);
    end(&s);
}

static void heated(void **state) {
    GOS_UNUSED(state);
    expansion("flat, uniform", crooked_plane, grown, 0);
    expansion("curved, uniform", barrel, grown, 0);
    expansion("flat, gradient", crooked_plane, curled, 1);
}

/* masses of the flat patch: translations, rotations with the thickness, in M and by the Gram
 * matrix's rigid body */
static void masses(void **state) {
    GOS_UNUSED(state);
    shell s;
    gos_flex *flex;
    set_tilt(0, 0);
    begin(&s, crooked_plane, 4, 3, 0.2);
    const double m = 2.0 * 1.5 * 0.2, t = 0.2,
                 J[3] = {m * (1.0 / 3 + t * t / 12), m * (2.25 / 3 + t * t / 12),
                         m * (1.0 / 3 + 2.25 / 3)};
    for (int k = 0; k < 6; k++) { // about the corner at the origin
        double *u = calloc((size_t)s.n, sizeof *u);
        for (int i = 0; i < s.mesh->nnode; i++) {
            const int a = k - 3, p = (a + 1) % 3, q = (a + 2) % 3;
            u[6 * i + k] = 1;
            if (k >= 3) {
                u[6 * i + q] = s.mesh->x[i][p];
                u[6 * i + p] = -s.mesh->x[i][q];
            }
        }
        double *f = product(&s.M, u);
        // drilling has a thousandth of the inertia of sections
        const double exact = k < 3 ? m : k < 5 ? J[k - 3] : J[2] + 0.0316 * 0.0316 * m * t * t / 12;
        verify_below("mass", fabs(fe_dot(s.n, u, f) / exact - 1), 1e-12);
        free(u);
        free(f);
    }
    fe_good(s.ctx, gos__fe_body_flex(s.body, &flex));
    const double R[4][4] = {{m, 0.75 * m, 0.5 * m, 0},
                            {0.75 * m, 0.75 * m, 0.375 * m, 0},
                            {0.5 * m, 0.375 * m, m / 3, 0},
                            {0, 0, 0, m * t * t / 12}};
    double worst = 0, got[4][4] = {{0}};
    for (int j = 0; j < 4; j++) {
        for (int k = flex->gram.p[j]; k < flex->gram.p[j + 1] && flex->gram.i[k] < 4; k++) {
            got[flex->gram.i[k]][j] = flex->gram.x[k];
        }
    }
    for (int k = 0; k < 16; k++) {
        worst = fmax(worst, fabs(got[k / 4][k % 4] - R[k / 4][k % 4]));
    }
    verify_below("rigid body of the Gram matrix", worst / m, 1e-13);
    assert_int_equal(flex->turn.nnz, 3 * s.mesh->nnode);
    gos__flex_destroy(flex);
    end(&s);
}

/* heat: capacity, constant flux, conduction through the thickness, films on a face and an edge */
static void conduction(void **state) {
    GOS_UNUSED(state);
    shell s;
    set_tilt(0.4, -0.3);
    begin(&s, crooked_plane, 4, 3, h);
    const double volume = 1.5 * h, lambda = 1.3, slope[2] = {0.7, -0.4};
    double *T = calloc((size_t)s.nt, sizeof *T), worst = 0, *f;
    for (int i = 0; i < s.mesh->nnode; i++) {
        double in[3];
        flat(s.mesh->x[i], in);
        T[2 * i] = slope[0] * in[0] + slope[1] * in[1];
    }
    f = product(&s.heat.K, T);
    for (int i = 0; i < s.mesh->nnode; i++) {
        double in[3];
        flat(s.mesh->x[i], in);
        if (in[0] > 1e-9 && in[0] < 1.5 - 1e-9 && in[1] > 1e-9 && in[1] < 1 - 1e-9) {
            worst = fmax(worst, fabs(f[2 * i]) + fabs(f[2 * i + 1]));
        }
    }
    verify_below("constant flux", worst / fe_largest(s.nt, f), 1e-12);
    verify_below("its power", fabs(fe_dot(s.nt, T, f) / (lambda * volume * 0.65) - 1), 1e-12);
    free(f);
    for (int which = 0; which < 2; which++) { // mean, gradient
        for (int i = 0; i < s.nt; i++) {
            T[i] = i % 2 == which;
        }
        f = product(&s.heat.C, T);
        const double C = 2.0 * 1.9 * volume * (which ? h * h / 12 : 1);
        verify_below("capacity", fabs(fe_dot(s.nt, T, f) / C - 1), 1e-12);
        free(f);
        f = product(&s.heat.K, T);
        verify_below("through the thickness",
                     fabs(fe_dot(s.nt, T, f) - (which ? lambda * volume : 0)) / (lambda * volume),
                     1e-12);
        free(f);
    }
    int all[24];
    gos_sparse film;
    for (int i = 0; i < s.mesh->ncell; i++) {
        all[i] = i;
    }
    for (int face = -1; face <= 1; face += 2) { // theta = 1 + 3 zeta on the face
        const gos_fe_area area = {.n = s.mesh->ncell, .cell = all, .face = face};
        for (int i = 0; i < s.nt; i++) {
            T[i] = i % 2 ? 3 : 1;
        }
        fe_good(s.ctx, gos__fe_film(s.body, &area, &film));
        f = product(&film, T);
        const double on = 1 + face * 1.5 * h;
        verify_below("film on a face", fabs(fe_dot(s.nt, T, f) / (1.5 * on * on) - 1), 1e-12);
        free(f);
        gos__sparse_free(s.ctx, &film);
        // a traction along the normal and one in the surface: work on a rotation about an axis in
        // it
        double *load = calloc((size_t)s.n, sizeof *load), moment[3] = {0};
        const double pull[3] = {tilt[0][0], tilt[1][0], tilt[2][0]};
        fe_good(s.ctx, gos__fe_traction(s.body, &area, pull, load));
        for (int i = 0; i < s.mesh->nnode; i++) {
            for (int c = 0; c < 3; c++) {
                moment[c] += load[6 * i + 3 + c];
            }
        }
        double in[3];
        flat(moment, in);
        verify_below("moment of a traction", fabs(in[1] / (face * 1.5 * h / 2) - 1), 1e-12);
        free(load);
    }
    const gos_mesh_surface *skin = gos__mesh_surface(s.mesh, "skin");
    const gos_fe_area edge = {.n = skin->n, .cell = skin->cell, .side = skin->side};
    double size, *load = calloc((size_t)s.n, sizeof *load), total[3] = {0};
    fe_good(s.ctx, gos__fe_area_size(s.body, &edge, &size));
    verify_below("edges", fabs(size / (5 * h) - 1), 1e-12);
    fe_good(s.ctx, gos__fe_film(s.body, &edge, &film));
    f = product(&film, T);
    verify_below("film on edges", fabs(fe_dot(s.nt, T, f) / (5 * (h + 9 * h * h * h / 12)) - 1),
                 1e-12);
    fe_good(s.ctx, gos__fe_pressure(s.body, &edge, 1, load));
    for (int i = 0; i < s.mesh->nnode; i++) { // its work on a growth of the surface
        double in[3];
        flat(load + 6 * i, in);
        double at[3];
        flat(s.mesh->x[i], at);
        total[0] += in[0] * at[0] + in[1] * at[1];
        total[2] += fabs(in[2]);
    }
    verify_below("pressure on edges", fabs(total[0] / (-2 * 1.5 * h) - 1) + total[2], 1e-12);
    free(load);
    free(f);
    gos__sparse_free(s.ctx, &film);
    free(T);
    end(&s);
}

/* stress of pure bending on both faces, in axes of the mesh */
static void stresses(void **state) {
    GOS_UNUSED(state);
    shell s;
    set_tilt(0, 0);
    begin(&s, crooked_plane, 4, 3, h);
    double *u = move(&s, bent), worst[2] = {0, 0};
    double(*value)[6] = malloc(sizeof *value * (size_t)s.mesh->nnode);
    int *count = malloc(sizeof *count * (size_t)s.mesh->nnode);
    const double Q = E / (1 - nu * nu), G = E / (2 * (1 + nu));
    for (int q = 0; q < 2; q++) {
        const gos_fe_recovery what = {.quantity = (gos_fe_quantity)q, .depth = {.face = -1}};
        const double z = -h / 2;
        const double exact[2][6] = {
            {z * Q * (kx + nu * ky), z * Q * (ky + nu * kx), 0, z * G * kxy, 0, 0},
            {z * kx, z * ky, -nu / (1 - nu) * z * (kx + ky), z * kxy, 0, 0}};
        fe_good(s.ctx, gos__fe_field(s.body, &what, u, NULL, value, count));
        for (int i = 0; i < s.mesh->nnode; i++) {
            for (int a = 0; a < 6; a++) {
                worst[q] = fmax(worst[q], fabs(value[i][a] - exact[q][a]));
            }
        }
        verify_below(q ? "strain" : "stress", worst[q], 1e-12);
    }
    free(u);
    free(value);
    free(count);
    end(&s);
}

/* An orthotropic material whose axis 1 is given by a direction out of the surface: what the shell
   has of it are its moduli in the plane, turned by the angle between that direction in the surface
   and the patch's x. */
static void orthotropic(void **state) {
    GOS_UNUSED(state);
    static const double moduli[3] = {3.1, 1.7, 2.2}, ratios[3] = {0.21, 0.17, 0.28},
                        shears[3] = {0.9, 0.7, 0.8};
    const double a = 0.6, tip[3] = {cos(a), sin(a), 0.4}; // in axes of the patch
    double axes[9], own[3][3] = {{cos(a), sin(a), 0}, {-sin(a), cos(a), 0}, {0, 0, 1}};
    shell s;
    gos_fe_material m, turned;
    set_tilt(0.4, -0.3);
    begin(&s, crooked_plane, 4, 3, h);
    m = (gos_fe_material){.density = 1};
    fe_good(s.ctx, gos__fe_orthotropic(s.ctx, (gos_loc){0}, NULL, moduli, ratios, shears, &m));
    m.expansion[0] = 0.02;
    m.expansion[1] = 0.01;
    s.material = m;
    tilted(tip, axes);
    for (int i = 3; i < 9; i++) {
        axes[i] = i == 5; // not requested
    }
    s.part.axes = axes;
    fe_good(s.ctx, gos__fe_body_mechanics(s.body));
    gos__fe_heat_free(s.ctx, &s.heat);
    fe_good(s.ctx, gos__fe_body_heat(s.body, &s.heat));
    gos__fe_material_turn(&m, own, &turned);
    gos__fe_material_thin(&turned);
    static const int flat_of[3] = {0, 1, 3};
    const double e[3] = {0.3, 0.7, 0.4}, k[3] = {kx, ky, kxy};
    double stretch = 0, bend = 0, shear = 0;
    for (int i = 0; i < 9; i++) {
        const double Q = turned.stiffness[flat_of[i / 3]][flat_of[i % 3]];
        stretch += e[i / 3] * Q * e[i % 3];
        bend += k[i / 3] * Q * k[i % 3];
    }
    // shears of the sheared patch in the material's axes: G13 along 1, G23 along 2
    const double g[2] = {0.3 * cos(a) - 0.2 * sin(a), -0.3 * sin(a) - 0.2 * cos(a)};
    shear = 5.0 / 6 * (shears[1] * g[0] * g[0] + shears[2] * g[1] * g[1]);
    const struct {
        const char *label;
        motion *by;
        double energy;
    } each[] = {{"stretch", stretched, h * stretch},
                {"curvature", bent, h * h * h / 12 * bend},
                {"shear", sheared, h * shear}};
    for (int i = 0; i < (shape == GOS_CELL_QUAD4 ? 3 : 2); i++) {
        double *u = move(&s, each[i].by), *f = product(&s.body->K, u);
        verify_below(each[i].label, fabs(fe_dot(s.n, u, f) / (1.5 * each[i].energy) - 1), EXACT);
        free(u);
        free(f);
    }
    // work of a uniform temperature on the stretch: stress by temperature times strain
    double *u = move(&s, stretched), *t = calloc((size_t)s.nt, sizeof *t), work = 0;
    for (int i = 0; i < s.nt; i += 2) {
        t[i] = 1;
    }
    double *f = product(&s.heat.couple, t);
    for (int i = 0; i < 9; i++) {
        work += e[i / 3] * turned.stiffness[flat_of[i / 3]][flat_of[i % 3]] *
                turned.expansion[flat_of[i % 3]];
    }
    verify_below("work of heat", fabs(fe_dot(s.n, u, f) / (1.5 * h * work) - 1), EXACT);
    free(u);
    free(t);
    free(f);
    end(&s);
}

/* ---- locking: thin square plates ------------------------------------------------------------- */

static void square(const double u[3], double x[3]) {
    x[0] = u[0];
    x[1] = u[1];
    x[2] = 0;
}

/* omega a^2 sqrt(rho h / D) of the lowest bending mode */
static double plate(int n, bool corners) {
    shell s;
    double lambda[1];
    set_tilt(0, 0);
    begin(&s, square, n, n, 1e-3);
    bool *held = calloc((size_t)s.n, sizeof *held);
    for (int i = 0; i < s.mesh->nnode; i++) {
        const double *x = s.mesh->x[i];
        const bool ex = x[0] < 1e-9 || x[0] > 1 - 1e-9, ey = x[1] < 1e-9 || x[1] > 1 - 1e-9;
        held[6 * i] = held[6 * i + 1] = held[6 * i + 5] = true; // bending alone
        held[6 * i + 2] = corners ? ex && ey : ex || ey;
        held[6 * i + 3] = !corners && ex; // rotation across the edge: of hard support
        held[6 * i + 4] = !corners && ey;
    }
    fe_lowest(s.ctx, &s.body->K, &s.M, held, 1, lambda, NULL);
    const double D = E * 1e-9 / (12 * (1 - nu * nu));
    free(held);
    end(&s);
    return sqrt(lambda[0] * 2.0 * 1e-3 / D);
}

static void locking(void **state) {
    GOS_UNUSED(state);
    const double simply[3] = {plate(4, false), plate(8, false), plate(16, false)};
    const double exact = 2 * M_PI * M_PI;
    print_message("    simply supported: %.5f %.5f %.5f (2 pi^2 = %.5f)\n", simply[0], simply[1],
                  simply[2], exact);
    verify_near("order, simply supported", verify_order(simply[1] - exact, simply[2] - exact, 2), 2,
                0.05);
    verify_below("simply supported", simply[2] / exact - 1, 1e-2);
    assert_true(simply[2] > exact);
    const double at[3] = {plate(8, true), plate(16, true), plate(32, true)};
    const double order = verify_order(at[0] - at[1], at[1] - at[2], 2);
    const double limit = at[2] - (at[1] - at[2]) / (pow(2, order) - 1);
    print_message("    on its corners: %.5f %.5f %.5f -> %.5f\n", at[0], at[1], at[2], limit);
    verify_near("on its corners, as published", limit, 7.11, 0.015);
    assert_true(order > 1.5 && order < 2.5);
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* six motions without energy, and no more */
static void rank(void) {
    shell s;
    double *A, *w;
    set_tilt(0.4, -0.3);
    begin(&s, crooked_plane, 2, 1, h);
    A = calloc((size_t)s.n * s.n, sizeof *A);
    w = malloc(sizeof *w * (size_t)s.n);
    for (int j = 0; j < s.n; j++) {
        for (int k = s.body->K.p[j]; k < s.body->K.p[j + 1]; k++) {
            A[s.body->K.i[k] + (size_t)j * s.n] = s.body->K.x[k];
        }
    }
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', s.n, A, s.n, w), 0);
    verify_below("rigid motions", fabs(w[5]) / w[s.n - 1], 1e-13);
    assert_true(w[6] > 1e-7 * w[s.n - 1]);
    free(A);
    free(w);
    end(&s);
}

/* Pure bending in the plane of one row of rectangles, each of two triangles: the template is exact
   in the mean, a moment of E h b^3/12 per curvature (Felippa). u = -k x y, v = k x^2/2 + nu k
   y^2/2, theta = k x at nodes y = +-b/2. */
static void curved(const double x[3], double u[3], double turn[3]) {
    const double y = x[1] - 0.5;
    u[0] = -x[0] * y;
    u[1] = 0.5 * (x[0] * x[0] + nu * y * y);
    turn[2] = x[0];
}

static void long_row(const double u[3], double x[3]) {
    x[0] = 8 * u[0];
    x[1] = u[1];
    x[2] = 0;
}

static void in_plane(void) {
    shell s;
    set_tilt(0, 0);
    begin(&s, long_row, 4, 1, h);
    double *u = move(&s, curved), *f = product(&s.body->K, u);
    verify_below("bending in the plane, cells 2 : 1",
                 fabs(fe_dot(s.n, u, f) / (8 * E * h / 12) - 1), 1e-11);
    free(u);
    free(f);
    end(&s);
}

static void stress_of_triangles(void) {
    shell s;
    set_tilt(0.4, -0.3);
    begin(&s, barrel, 3, 2, h);
    check_stress_work(s.body, &s.heat.couple, NULL, true, "triangles");
    end(&s);
}

static void triangles(void **state) {
    shape = GOS_CELL_TRI3;
    rigid(state);
    patches(state);
    heated(state);
    orthotropic(state);
    masses(state);
    stresses(state);
    conduction(state);
    locking(state);
    rank();
    in_plane();
    stress_of_triangles();
    shape = GOS_CELL_QUAD4;
}

/* two plates at a right angle: directors of both; the other side is refused */
static void angle(const double u[3], double x[3]) {
    x[0] = u[0] < 0.5 ? 2 * u[0] : 1;
    x[1] = u[1];
    x[2] = u[0] < 0.5 ? 0 : 1 - 2 * u[0];
}

static void folds(void **state) {
    GOS_UNUSED(state);
    shell s;
    set_tilt(0, 0);
    begin(&s, angle, 4, 2, h);
    double n[4][3];
    gos__fe_cell_directors(s.body, 4, s.mesh->block[0].node + 4 * 1, n); // the cell before the fold
    for (int k = 0; k < 4; k++) {
        verify_below("normal of the plate", fabs(n[k][2] - 1) + fabs(n[k][0]), 1e-14);
    }
    gos__fe_cell_directors(s.body, 4, s.mesh->block[0].node + 4 * 2, n);
    for (int k = 0; k < 4; k++) {
        verify_below("normal of the other", fabs(n[k][0] - 1) + fabs(n[k][2]), 1e-14);
    }
    for (int k = 0; k < 6; k++) {
        double *u = calloc((size_t)s.n, sizeof *u);
        for (int i = 0; i < s.mesh->nnode; i++) {
            const int a = k - 3, p = (a + 1) % 3, q = (a + 2) % 3;
            u[6 * i + k] = 1;
            if (k >= 3) {
                u[6 * i + q] = s.mesh->x[i][p];
                u[6 * i + p] = -s.mesh->x[i][q];
            }
        }
        double *f = product(&s.body->K, u);
        verify_below("rigid motion", fe_largest(s.n, f) / gos__sparse_largest(&s.body->K), 1e-13);
        free(u);
        free(f);
    }
    end(&s);
    begin(&s, square, 2, 1, h);
    int *node = s.mesh->block[0].node;
    const int swap = node[1];
    gos_fe_body *body;
    node[1] = node[3];
    node[3] = swap;
    assert_int_equal(gos__fe_body_create(s.ctx, s.mesh, 1, &s.part, &body), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(s.ctx), "has the opposite orientation to a neighbour"));
    end(&s);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rigid),      cmocka_unit_test(patches),
                                       cmocka_unit_test(heated),     cmocka_unit_test(orthotropic),
                                       cmocka_unit_test(masses),     cmocka_unit_test(stresses),
                                       cmocka_unit_test(conduction), cmocka_unit_test(locking),
                                       cmocka_unit_test(folds),      cmocka_unit_test(triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
