/* Benchmarks of NAFEMS: stresses LE1, LE10, LE11 (The Standard NAFEMS Benchmarks, TNSB rev. 3,
   1990), frequencies FV32 and FV52 (Selected benchmarks for natural frequency analysis, R0015),
   temperature T4. Meshes are refined; what the values tend to is held against the target, and
   printed beside those of the meshes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe/recovery.h"
#include "support/fe_mesh.h"
#include "support/suite.h"
#include "support/verify.h"

typedef struct bench {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_part part;
    gos_fe_body *body;
    bool *held;    // freedoms
    double *u, *t; // loads, then displacements; temperatures
} bench;

static void begin(bench *b, const char *element, gos_cell_shape shape, int nx, int ny, int nz,
                  fe_place *place, double thickness, const double material[6]) {
    const int n[3] = {nx, ny, nz};
    b->ctx = gos_ctx_create();
    b->material = fe_isotropic(b->ctx, material[0], material[1], material[2], material[3],
                               material[4], material[5]);
    b->mesh = fe_grid(b->ctx, shape, n, place, false);
    b->part = (gos_fe_part){
        .element = gos__fe_element(element), .material = &b->material, .thickness = thickness};
    fe_good(b->ctx, gos__fe_body_create(b->ctx, b->mesh, 1, &b->part, &b->body));
    fe_good(b->ctx, gos__fe_body_mechanics(b->body));
    b->held = calloc((size_t)b->body->freedom.n, sizeof *b->held);
    b->u = calloc((size_t)b->body->freedom.n, sizeof *b->u);
    b->t = calloc((size_t)b->body->temperature.n, sizeof *b->t);
}

static void end(bench *b) {
    gos__fe_body_destroy(b->body);
    gos__mesh_destroy(b->mesh);
    gos_ctx_destroy(b->ctx);
    free(b->held);
    free(b->u);
    free(b->t);
}

typedef bool where(const double x[3]);

static void hold(bench *b, where *at, const char *axes) {
    for (int i = 0; i < b->mesh->nnode; i++) {
        for (int c = 0; c < 3; c++) {
            const int row = gos__fe_number(&b->body->freedom, i, c);
            if (row >= 0 && at(b->mesh->x[i]) && strchr(axes, "xyz"[c])) {
                b->held[row] = true;
            }
        }
    }
}

/* sides of the skin whose nodes all lie there; free cell and side */
static gos_fe_area sides(const bench *b, where *at) {
    const gos_mesh_surface *skin = gos__mesh_surface(b->mesh, "skin");
    int *cell = malloc(sizeof *cell * (size_t)skin->n), n = 0;
    unsigned char *side = malloc((size_t)skin->n);
    for (int i = 0; i < skin->n; i++) {
        int node[GOS_CELL_SIDE_NODES], in = 0;
        const int count = gos__mesh_side(b->mesh, skin->cell[i], skin->side[i], node);
        for (int k = 0; k < count; k++) {
            in += at(b->mesh->x[node[k]]);
        }
        if (in == count) {
            cell[n] = skin->cell[i];
            side[n++] = skin->side[i];
        }
    }
    assert_true(n > 0);
    return (gos_fe_area){.n = n, .cell = cell, .side = side};
}

static void press(bench *b, where *at, double pressure) {
    const gos_fe_area area = sides(b, at);
    fe_good(b->ctx, gos__fe_pressure(b->body, &area, pressure, b->u));
    free((void *)area.cell);
    free((void *)area.side);
}

/* a component of stress at the node at x, of the solution to the loads */
static double stress(bench *b, const double x[3], int component) {
    const gos_fe_recovery what = {.quantity = GOS_FE_STRESS};
    double(*value)[6] = malloc(sizeof *value * (size_t)b->mesh->nnode), s = (double)NAN;
    int *count = malloc(sizeof *count * (size_t)b->mesh->nnode);
    fe_solve(b->ctx, &b->body->K, b->held, b->u);
    fe_good(b->ctx, gos__fe_field(b->body, &what, b->u, b->t, value, count));
    for (int i = 0; i < b->mesh->nnode; i++) {
        const double *y = b->mesh->x[i];
        if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < 1e-9) {
            s = value[i][component];
        }
    }
    assert_false(isnan(s));
    free(value);
    free(count);
    return s;
}

/* Values of three meshes, the finest against the target. Errors of a stress at one node have
   several terms of both signs, so that they need not fall from each mesh to the next. */
static void told(const char *label, const double s[3], double target, double within) {
    print_message("    %s: %.3f, %.3f, %.3f (target %g)\n", label, s[0], s[1], s[2], target);
    verify_below(label, fabs(s[2] / target - 1), within);
    assert_true(fabs(s[2] - target) < 0.6 * fabs(s[0] - target));
}

/* ---- LE1, LE10: elliptic membrane, thick plate ----------------------------------------------- */

static bool on_x0(const double x[3]) {
    return fabs(x[0]) < 1e-9;
}
static bool on_y0(const double x[3]) {
    return fabs(x[1]) < 1e-9;
}
static bool on_outer(const double x[3]) {
    return fabs(x[0] * x[0] / (3.25 * 3.25) + x[1] * x[1] / (2.75 * 2.75) - 1) < 1e-9;
}
static bool on_top(const double x[3]) {
    return fabs(x[2] - 0.6) < 1e-9;
}
static bool on_middle_of_outer(const double x[3]) {
    return on_outer(x) && fabs(x[2] - 0.3) < 1e-9;
}

/* half of the cells in the first quarter: nodes in the middle of edges stay there in meshes of even
 * numbers */
static double graded(double u) {
    return u < 0.5 ? 0.5 * u : 1.5 * u - 0.5;
}

static void ellipses(const double u[3], double x[3]) {
    const double r = graded(u[0]), angle = M_PI / 2 * graded(u[1]);
    x[0] = (2 + 1.25 * r) * (u[1] == 1 ? 0 : cos(angle));
    x[1] = (1 + 1.75 * r) * sin(angle);
    x[2] = 0.6 * u[2];
}

static double le1(const char *element, gos_cell_shape shape, int n) {
    bench b = {0};
    begin(&b, element, shape, n, 2 * n, 0, ellipses, 0.1,
          (const double[6]){210e3, 0.3, 0, 0, 0, 0}); // N, mm; lengths in m: stress is what counts
    hold(&b, on_x0, "x");
    hold(&b, on_y0, "y");
    press(&b, on_outer, -10);
    const double s = stress(&b, (const double[3]){2, 0, 0}, 1);
    end(&b);
    return s;
}

static void membrane(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *element, *label;
        gos_cell_shape shape;
        int n;
        double within;
    } each[] = {{"plane_stress", "LE1 quad4", GOS_CELL_QUAD4, 16, 1e-2},
                {"plane_stress_incompatible", "LE1 quad4, incompatible", GOS_CELL_QUAD4, 16, 5e-3},
                {"plane_stress", "LE1 quad8", GOS_CELL_QUAD8, 4, 5e-3},
                {"plane_stress_reduced", "LE1 quad8, reduced", GOS_CELL_QUAD8, 4, 5e-3},
                {"plane_stress", "LE1 tri6", GOS_CELL_TRI6, 4, 1e-2}};
    for (int k = 0; k < GOS_COUNT(each); k++) {
        double s[3];
        for (int i = 0; i < 3; i++) {
            s[i] = le1(each[k].element, each[k].shape, each[k].n << i);
        }
        told(each[k].label, s, 92.7, each[k].within);
    }
}

static double le10(gos_cell_shape shape, int n) {
    bench b = {0};
    begin(&b, "solid", shape, 2 * n, 3 * n, 2 * n, ellipses, 0,
          (const double[6]){210e3, 0.3, 0, 0, 0, 0});
    hold(&b, on_x0, "x");
    hold(&b, on_y0, "y");
    hold(&b, on_outer, "xy");
    hold(&b, on_middle_of_outer, "z");
    press(&b, on_top, 1);
    const double s = stress(&b, (const double[3]){2, 0, 0.6}, 1);
    end(&b);
    return s;
}

static void plate(void **state) {
    GOS_UNUSED(state);
    const double hex[3] = {le10(GOS_CELL_HEX20, 1), le10(GOS_CELL_HEX20, 2),
                           le10(GOS_CELL_HEX20, 4)};
    told("LE10 hex20", hex, -5.38, 5e-3);
    if (!suite_long()) { // tetrahedra are in `taper`
        return;
    }
    // the coarsest one would turn curved tetrahedra inside out
    const double tet[3] = {le10(GOS_CELL_TET10, 2), le10(GOS_CELL_TET10, 4),
                           le10(GOS_CELL_TET10, 6)};
    told("LE10 tet10", tet, -5.38, 1e-2);
}

/* ---- LE11: cylinder, taper and sphere, heated ------------------------------------------------ */

/* section: four stretches along it, each linear (or an arc about the origin) on both sides */
static void section(double along, double across, double x[2]) {
    const double s = 4 * along, h = sqrt(0.5);
    const int k = s >= 4 ? 3 : (int)s;
    const double f = s - k;
    double a[2], b[2];
    if (k < 2) {
        const double angle = (22.5 * k + 22.5 * f) * M_PI / 180;
        a[0] = cos(angle);
        a[1] = sin(angle);
    } else {
        const double from = k == 2 ? h : (h + 1.79) / 2, to = k == 2 ? (h + 1.79) / 2 : 1.79;
        a[0] = h;
        a[1] = from + (to - from) * f;
    }
    const double D[2] = {1.4 * cos(M_PI / 6), 0.7}, G[2] = {1, 1.39};
    for (int c = 0; c < 2; c++) {
        const double F = (D[c] + G[c]) / 2, I = c == 0 ? 1 : 1.79;
        b[c] = k == 0   ? 1.4 * (c == 0 ? cos(f * M_PI / 6) : sin(f * M_PI / 6))
               : k == 1 ? D[c] + (F - D[c]) * f
               : k == 2 ? F + (G[c] - F) * f
                        : G[c] + (I - G[c]) * f;
    }
    for (int c = 0; c < 2; c++) {
        x[c] = a[c] + across * (b[c] - a[c]);
    }
}

static void ring_section(const double u[3], double x[3]) {
    section(u[1], graded(u[0]), x);
    x[2] = 0;
}

static void quarter(const double u[3], double x[3]) {
    double rz[2];
    section(u[2], graded(u[0]), rz);
    x[0] = u[1] == 1 ? 0 : rz[0] * cos(M_PI / 2 * u[1]);
    x[1] = rz[0] * sin(M_PI / 2 * u[1]);
    x[2] = rz[1];
}

static bool on_ends_y(const double x[3]) {
    return fabs(x[1]) < 1e-9 || fabs(x[1] - 1.79) < 1e-9;
}
static bool on_ends_z(const double x[3]) {
    return fabs(x[2]) < 1e-9 || fabs(x[2] - 1.79) < 1e-9;
}

static double le11(const char *element, gos_cell_shape shape, int nx, int ny, int nz) {
    bench b = {0};
    const bool ring = nz == 0;
    gos_fe_heat heat;
    begin(&b, element, shape, nx, ny, nz, ring ? ring_section : quarter, 0,
          (const double[6]){210e3, 0.3, 0, 2.3e-4, 0, 0});
    fe_good(b.ctx, gos__fe_body_heat(b.body, &heat));
    for (int i = 0; i < b.mesh->nnode; i++) {
        const double *x = b.mesh->x[i];
        b.t[gos__fe_number(&b.body->temperature, i, 0)] =
            ring ? x[0] + x[1] : hypot(x[0], x[1]) + x[2];
    }
    fe_apply(&heat.couple, b.t, b.u);
    if (ring) {
        hold(&b, on_ends_y, "y");
    } else {
        hold(&b, on_x0, "x");
        hold(&b, on_y0, "y");
        hold(&b, on_ends_z, "z");
    }
    const double s = stress(&b, (const double[3]){1, 0, 0}, ring ? 1 : 2);
    gos__fe_heat_free(b.ctx, &heat);
    end(&b);
    return s;
}

/* The temperature r + z is none of the solutions without sources, and has a kink where the section
   is mirrored at z = 0: the stress there is smooth but for h log h, so that errors at A fall with
   the first power of the cells alone. What three meshes tend to. */
static double tends(const double s[3]) {
    return 2 * s[2] - s[1];
}

/* -105.7, which rings, hexahedra and tetrahedra tell alike; the target has three figures, and is
   0.6 % lower. CalculiX 2.20 on the same C3D20R gives the same (six figures of *EL FILE), and
   -105.312 on 12 x 12 x 48 cells, whose first powers tend to -105.70; rings of 64 cells across have
   -105.599 and tend to -105.67. So the limit of the problem is there, not at the target. */
static void taper(void **state) {
    GOS_UNUSED(state);
    static const double calculix[3] = {-104.075, -104.517, -105.120};
    double ring[3], s[3];
    for (int i = 0; i < 3; i++) {
        if (i < 2 || suite_long()) {
            const double own = le11("solid_reduced", GOS_CELL_HEX20, 2 << i, 2 << i, 8 << i);
            verify_below("LE11 C3D20R by CalculiX", fabs(own / calculix[i] - 1), 1e-4);
        }
        ring[i] = le11("axisymmetric", GOS_CELL_QUAD8, 4 << i, 16 << i, 0);
    }
    told("LE11 quad8 rings", ring, -105.66, 3e-3);
    verify_below("    tend to the target", fabs(tends(ring) / -105 - 1), 7e-3);
    for (int k = 0; k < 2; k++) {
        char label[80];
        const gos_cell_shape shape = k == 0 ? GOS_CELL_HEX20 : GOS_CELL_TET10;
        const bool two = k == 1 && !suite_long(); // of tetrahedra two meshes tell the limit, too
        for (int i = 0; i < (two ? 2 : 3); i++) {
            s[i] = le11("solid", shape, 2 << i, 2 << i, 8 << i);
        }
        if (two) {
            print_message("    LE11 tet10: %.3f, %.3f, tends to %.3f\n", s[0], s[1],
                          2 * s[1] - s[0]);
            verify_below("    tends to what rings do", fabs((2 * s[1] - s[0]) / tends(ring) - 1),
                         5e-3);
            continue;
        }
        snprintf(label, sizeof label, "LE11 %s", gos__cell_kind[shape].name);
        told(label, s, -105, 5e-3);
        // each mesh is nearer: fabs(s - limit) falls
        assert_true(fabs(s[0]) < fabs(s[1]) && fabs(s[1]) < fabs(s[2]));
        print_message("    %s tends to %.3f, rings to %.3f\n", label, tends(s), tends(ring));
        verify_below("    tends to what rings do", fabs(tends(s) / tends(ring) - 1), 5e-3);
    }
}

/* ---- FV32, FV52: frequencies ----------------------------------------------------------------- */

static void frequencies(bench *b, int skip, int n, double *f) {
    double lambda[20];
    gos_sparse M;
    fe_good(b->ctx, gos__fe_body_mass(b->body, &M));
    fe_lowest(b->ctx, &b->body->K, &M, b->held, skip + n, lambda, NULL);
    for (int i = 0; i < n; i++) {
        f[i] = sqrt(lambda[skip + i]) / (2 * M_PI);
    }
    gos__sparse_free(b->ctx, &M);
}

static void tapered(const double u[3], double x[3]) {
    x[0] = 10 * u[0];
    x[1] = (2 * u[1] - 1) * (2.5 - 2 * u[0]);
    x[2] = 0;
}

static void cantilever(void **state) {
    GOS_UNUSED(state);
    static const double target[6] = {44.623, 130.03, 162.70, 246.05, 379.90, 391.44};
    static const struct {
        gos_cell_shape shape;
        int n;
        double within;
    } each[] = {{GOS_CELL_QUAD8, 8, 2e-4}, {GOS_CELL_QUAD4, 32, 3e-3}, {GOS_CELL_TRI6, 8, 5e-4}};
    for (int k = 0; k < GOS_COUNT(each); k++) {
        bench b = {0};
        double f[6];
        begin(&b, "plane_stress", each[k].shape, 2 * each[k].n, each[k].n, 0, tapered, 0.05,
              (const double[6]){200e9, 0.3, 8000, 0, 0, 0});
        hold(&b, on_x0, "xy");
        frequencies(&b, 0, 6, f);
        for (int i = 0; i < 6; i++) {
            char label[80];
            snprintf(label, sizeof label, "FV32 %s %.3f Hz", gos__cell_kind[each[k].shape].name,
                     f[i]);
            verify_below(label, fabs(f[i] / target[i] - 1), each[k].within);
        }
        end(&b);
    }
}

static void block(const double u[3], double x[3]) {
    x[0] = 10 * u[0];
    x[1] = 10 * u[1];
    x[2] = u[2] - 0.5;
}
static bool on_lower_edges(const double x[3]) {
    return fabs(x[2] + 0.5) < 1e-9 && (fabs(x[0]) < 1e-9 || fabs(x[1]) < 1e-9 ||
                                       fabs(x[0] - 10) < 1e-9 || fabs(x[1] - 10) < 1e-9);
}

/* Supports on lines in a solid have no limit of their own: frequencies fall slowly as meshes become
   finer. So the mesh is that of the benchmark, and what CalculiX 2.20 prints for it (*FREQUENCY;
   C3D20, C3D8 with all points) the sharper target. */
static void supported(void **state) {
    GOS_UNUSED(state);
    static const double target[7] = {45.897, 109.44, 109.44, 167.89, 193.59, 206.19, 206.19};
    static const struct {
        gos_cell_shape shape;
        int n, deep;
        double within; // of the target
        double other[7];
    } each[] = {{GOS_CELL_HEX20,
                 4,
                 1,
                 0.03,
                 {44.79627, 110.5427, 110.5427, 169.0955, 193.9247, 206.6378, 206.6378}},
                {GOS_CELL_HEX8,
                 8,
                 3,
                 0.22, // locks in bending
                 {51.67923, 132.7478, 132.7478, 194.3784, 197.1854, 210.5489, 210.5489}}};
    for (int k = 0; k < GOS_COUNT(each); k++) {
        bench b = {0};
        double f[7];
        begin(&b, "solid", each[k].shape, each[k].n, each[k].n, each[k].deep, block, 0,
              (const double[6]){200e9, 0.3, 8000, 0, 0, 0});
        hold(&b, on_lower_edges, "z");
        frequencies(&b, 3, 7, f); // behind three motions in the plane
        for (int i = 0; i < 7; i++) {
            char label[80];
            snprintf(label, sizeof label, "FV52 %s %.3f Hz", gos__cell_kind[each[k].shape].name,
                     f[i]);
            verify_below(label, fabs(f[i] / target[i] - 1), each[k].within);
            verify_below("    by CalculiX", fabs(f[i] / each[k].other[i] - 1), 1e-6);
        }
        end(&b);
    }
}

static bool on_x_faces(const double x[3]) {
    return fabs(x[0]) < 1e-9 || fabs(x[0] - 10) < 1e-9;
}
static bool on_y_faces(const double x[3]) {
    return fabs(x[1]) < 1e-9 || fabs(x[1] - 10) < 1e-9;
}

/* Rayleigh and Lamb: what is missing in their equation for bending waves of the wavenumber k,
   tanh(q h/2) / tanh(p h/2) = (k^2 + q^2)^2 / (4 k^2 p q) with p^2 = k^2 - w^2/c1^2, q^2 = k^2 -
   w^2/c2^2, h = 1 */
static double lamb(double k, double f) {
    const double G = 200e9 / 2.6, w = 2 * M_PI * f, c2 = G / 8000, c1 = c2 * 2 * 0.7 / 0.4;
    const double p = sqrt(k * k - w * w / c1), q = sqrt(k * k - w * w / c2), s = k * k + q * q;
    return 4 * k * k * p * q * tanh(q / 2) - s * s * tanh(p / 2);
}

/* where it changes its sign [Hz] */
static double bending(double k) {
    double lo = 1, hi = 0.99 * k * sqrt(200e9 / 2.6 / 8000) / (2 * M_PI);
    assert_true(lamb(k, lo) * lamb(k, hi) < 0);
    for (int i = 0; i < 100; i++) {
        const double f = (lo + hi) / 2;
        *(lamb(k, lo) * lamb(k, f) > 0 ? &lo : &hi) = f;
    }
    return lo;
}

/* The targets of FV52 are near those of plates on hinges, whose side faces move along their normal
   alone: then there is a limit, the bending waves above with k^2 = (m^2 + n^2) (pi / a)^2, 0.16,
   0.4 and 0.55 % above the targets. The line support that the benchmark draws is softer. Between
   the bending modes are shear waves, u_x(y) and u_y(x), of half a length. */
static void held_faces(void **state) {
    GOS_UNUSED(state);
    static const double target[3] = {45.897, 109.44, 167.89}, square[3] = {2, 5, 8};
    static const int at[3] = {0, 1, 5};
    double f[2][6];
    for (int i = 0; i < 2; i++) {
        bench b = {0};
        begin(&b, "solid", GOS_CELL_HEX20, 4 << i, 4 << i, 2, block, 0,
              (const double[6]){200e9, 0.3, 8000, 0, 0, 0});
        hold(&b, on_x_faces, "yz");
        hold(&b, on_y_faces, "xz");
        frequencies(&b, 0, 6, f[i]);
        end(&b);
    }
    for (int k = 0; k < 3; k++) {
        char label[80];
        const double limit = bending(M_PI / 10 * sqrt(square[k]));
        snprintf(label, sizeof label, "FV52 held faces %.3f, %.3f, limit %.3f Hz", f[0][at[k]],
                 f[1][at[k]], limit);
        verify_below(label, fabs(f[1][at[k]] / limit - 1), k == 0 ? 1e-3 : 3e-3);
        verify_below("    target", fabs(limit / target[k] - 1), 6e-3);
        verify_within("    order", log2((f[0][at[k]] - limit) / (f[1][at[k]] - limit)), 3, 4.2);
    }
    const double shear = sqrt(200e9 / 2.6 / 8000) / 20;
    verify_below("    shear", fabs(f[1][3] / shear - 1), 1e-4);
    verify_below("    shear", fabs(f[1][4] / shear - 1), 1e-4);
}

/* ---- T4: heat -------------------------------------------------------------------------------- */

static void wall(const double u[3], double x[3]) {
    x[0] = 0.6 * u[0];
    x[1] = u[1];
    x[2] = 0;
}
static bool on_film(const double x[3]) {
    return fabs(x[0] - 0.6) < 1e-9 || fabs(x[1] - 1) < 1e-9;
}

static double t4(gos_cell_shape shape, int n) {
    bench b = {0};
    gos_fe_heat heat;
    gos_sparse film, K;
    begin(&b, "plane_stress", shape, 3 * n, 5 * n, 0, wall, 1,
          (const double[6]){1, 0, 1, 0, 52, 1});
    fe_good(b.ctx, gos__fe_body_heat(b.body, &heat));
    const gos_fe_area area = sides(&b, on_film);
    fe_good(b.ctx, gos__fe_film(b.body, &area, &film));
    fe_good(b.ctx, gos__sparse_sum(b.ctx, 1, &heat.K, 750, &film, &K));
    const int nt = K.n;
    bool *held = calloc((size_t)nt, sizeof *held);
    double *given = calloc((size_t)nt, sizeof *given), *q = malloc(sizeof *q * (size_t)nt),
           T = (double)NAN;
    for (int i = 0; i < b.mesh->nnode; i++) {
        const int t = gos__fe_number(&b.body->temperature, i, 0);
        held[t] = on_y0(b.mesh->x[i]);
        given[t] = held[t] ? 100 : 0;
    }
    fe_apply(&K, given, q);
    for (int i = 0; i < nt; i++) {
        q[i] = -q[i];
    }
    fe_solve(b.ctx, &K, held, q);
    for (int i = 0; i < b.mesh->nnode; i++) {
        if (fabs(b.mesh->x[i][0] - 0.6) + fabs(b.mesh->x[i][1] - 0.2) < 1e-9) {
            T = q[gos__fe_number(&b.body->temperature, i, 0)];
        }
    }
    free(held);
    free(given);
    free(q);
    free((void *)area.cell);
    free((void *)area.side);
    gos__sparse_free(b.ctx, &film);
    gos__sparse_free(b.ctx, &K);
    gos__fe_heat_free(b.ctx, &heat);
    end(&b);
    return T;
}

static void convection(void **state) {
    GOS_UNUSED(state);
    double T[3];
    for (int i = 0; i < 3; i++) {
        T[i] = t4(GOS_CELL_QUAD8, 2 << i);
    }
    told("T4 quad8", T, 18.25, 5e-3);
    for (int i = 0; i < 3; i++) {
        T[i] = t4(GOS_CELL_QUAD4, 4 << i);
    }
    told("T4 quad4", T, 18.25, 5e-3);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(membrane),  cmocka_unit_test(plate),
                                       cmocka_unit_test(taper),     cmocka_unit_test(cantilever),
                                       cmocka_unit_test(supported), cmocka_unit_test(held_faces),
                                       cmocka_unit_test(convection)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
