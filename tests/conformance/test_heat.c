/* Every heat type: derivatives against central differences, closed forms of the absorbed and
   exchanged heat, balance, scaling with the load factor, refusal of wrong entries.

   The entries are built onto a body of one cable-like line with places and temperatures but without
   elements; sources are evaluated at random points through the directors of the cable law. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "bodies/cable_law.h"
#include "heat/heat.h"
#include "math/gauss.h"
#include "parts/marker.h"
#include "parts/section.h"
#include "system/system.h"

#define L GOS_LANES
#define NZ3 6
#define PI 3.14159265358979323846
#define SIGMA 5.670374419e-8
#define T_REF 300.0

static const char *const BAR = "{type: rectangle, height: 0.03, width: 0.02}";
static const char *const DEEP = "{type: rectangle, height: 0.03, width: 0.02, depth_modes: 5}";
static const char *const TUBE = "{type: annulus, outer: 0.015, inner: 0.01}";
static const char *const RING = "{type: annulus, outer: 0.015, inner: 0.013, modes: 5}";
static const char *const PLAIN =
    "{type: general, area: 3.0e-4, Iy: 4.0e-8, Iz: 2.0e-8, perimeter: 0.1}";

static const char *const LEAF = "plate"; // not from a model: leaf_section, leaf_law

/* at the time of all evaluations, 0.3 s, 0.104 of the light of an eclipse from 0.2 s is left */
#define SHADE (1 - 0.896)
static const char *const SUN =
    "{type: sun, flux: \"1e3*(1+t)\", direction: [1, -2, 0.5], eclipse: [[0.2, 5]], penumbra: "
    "0.333333333333333333, "
    "earth_infrared: \"800*t\", albedo: \"t\", earth_direction: [\"sin(9*t)\", 0.3, -1], on: rod}";

/* ---- a leaf: the least that a plate is to a heat source ------------------------------------- */

#define LEAF_H 0.004

static const gos_section_point leaf_outline[2] = {{1.0, {1.0, 0.5 * LEAF_H}},
                                                  {1.0, {1.0, -0.5 * LEAF_H}}};
static const gos_section leaf_section = {
    .A = LEAF_H,
    .height = LEAF_H,
    .has_outline = true,
    .nfam = 2,
    .family = {"T", "T_z"},
    .nface = 2,
    .face = {{"top", 0, 1.0, {1.0, 0.5 * LEAF_H}, 0, 1},
             {"bottom", 0, -1.0, {1.0, -0.5 * LEAF_H}, 1, 1}},
    .noutline = 2,
    .outline = leaf_outline,
};

/* unit normal n of r_1, r_2 in a lane; the length of r_1 x r_2 */
static double leaf_normal(const double *z, int l, double n[3]) {
    double r[6], len = 0.0;
    for (int i = 0; i < 6; i++) {
        r[i] = z[i * L + l];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = r[j] * r[3 + k] - r[k] * r[3 + j];
        len += n[i] * n[i];
    }
    for (int i = 0; i < 3; i++) {
        n[i] /= sqrt(len);
    }
    return sqrt(len);
}

/* c = -u . n and its derivative by r_1, r_2: theory 2.7 with z = -u */
static void leaf_cosines(const void *par, const gos_batch *b, const double *u, double *c,
                         double *dc) {
    GOS_UNUSED(par);
    for (int l = 0; l < L; l++) {
        double n[3], h[3], len = leaf_normal(b->z, l, n);
        c[l] = -u[0] * n[0] - u[1] * n[1] - u[2] * n[2];
        for (int i = 0; i < 3; i++) {
            h[i] = (-u[i] - c[l] * n[i]) / len;
        }
        for (int i = 0; dc && i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            const double *r1 = b->z + l, *r2 = b->z + 3 * L + l;
            dc[i * L + l] = r2[j * L] * h[k] - r2[k * L] * h[j];
            dc[(3 + i) * L + l] = h[j] * r1[k * L] - h[k] * r1[j * L];
        }
    }
}

static const gos_law leaf_law = {.name = "leaf", .nz = 2, .ndir = 1, .cosines = leaf_cosines};

/* ---- a body to be heated ------------------------------------------------------------------- */

typedef struct rig {
    gos_ctx *ctx;
    gos_model *model;
    gos_arena *arena;
    gos_builder b;
    const gos_section *section;
    const gos_law *law;
    gos_status status; // of building the entry
} rig;

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_place *p) {
    p->body = b;
    p->node = p->face = -1;
    if (strcmp(ref, "start") == 0 || strcmp(ref, "end") == 0) {
        p->node = strcmp(ref, "end") == 0;
        p->s = p->node * b->length;
        p->is_end = true;
        return GOS_OK;
    }
    if (strcmp(ref, "middle") == 0) {
        p->s = 0.5 * b->length;
        return GOS_OK;
    }
    for (int i = 0; i < b->section->nface; i++) {
        if (strcmp(ref, b->section->face[i].name) == 0) {
            p->face = i;
            return GOS_OK;
        }
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object, "no place '%s'", ref);
}

/* linear along the line */
static gos_status temperature(gos_arena *a, const gos_body *b, const gos_place *p,
                              gos_tmarker *tm) {
    for (int k = 0; k < b->nfam; k++) {
        int *idx = GOS_NEW(a, int, 2);
        double *w = GOS_NEW(a, double, 2);
        idx[0] = b->t0 + k;
        idx[1] = b->t0 + b->nfam + k;
        w[1] = p->s / b->length;
        w[0] = 1.0 - w[1];
        tm[k] = (gos_tmarker){2, idx, w};
    }
    return GOS_OK;
}

static const gos_body_ops body_ops = {.locate = locate, .temperature = temperature};
static const gos_cable_par cable = {.EA = 1, .EIz = 1, .EIy = 1};
static const int node_v[2] = {0, 2}, node_slope[2] = {1, 3};

static void add_body(rig *r, const char *name, const gos_material *m, bool hot) {
    const double e0[12] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    gos_body body = {.name = name, .type = "line", .ops = &body_ops, .nnode = 2, .length = 1.0};
    body.material = m;
    body.section = r->section;
    body.nfam = hot ? r->section->nfam : 0;
    body.node_v = node_v;
    body.node_slope = node_slope;
    body.rigid_item = -1;
    assert_int_equal(gos__add_vectors(&r->b, 4, e0, 1.0, &body.v0), GOS_OK);
    assert_int_equal(gos__add_temperatures(&r->b, 2 * body.nfam, &body.t0), GOS_OK);
    int *node_t = GOS_NEW(r->arena, int, 2);
    node_t[0] = body.t0;
    node_t[1] = body.t0 + body.nfam;
    body.node_t = node_t;
    gos_body *out;
    assert_int_equal(gos__add_body(&r->b, &body, &out), GOS_OK);
    gos_points p = {.law = r->law, .par = &cable, .body = out->index};
    p.nfam = body.nfam;
    p.surface = hot;
    assert_int_equal(gos__add_points(&r->b, &p), GOS_OK);
}

/* build one heat entry onto body "rod" with the given section; "cold" is a body without temperature
 */
static void rig_try(rig *r, const char *section, const char *entry) {
    memset(r, 0, sizeof *r);
    r->ctx = gos_ctx_create();
    r->arena = gos__arena_create(r->ctx);
    const bool leaf = strcmp(section, LEAF) == 0;
    char *yaml = gos__arena_printf(r->arena,
                                   "sections: {s: %s}\nmaterials: {m: {density: 1, young: 1, "
                                   "conductivity: 1, specific_heat: 1, absorptivity: 0.7, "
                                   "emissivity: 0.9}}\nheat: {x: %s}\n",
                                   leaf ? BAR : section, entry);
    gos_status s = gos_model_parse(r->ctx, yaml, strlen(yaml), "test.yaml", NULL, &r->model);
    if (s != GOS_OK || gos__model_parameters(r->model) != GOS_OK) {
        print_error("%s\n", gos_ctx_message(r->ctx));
        fail();
    }
    gos_node *root = r->model->root;
    const gos_node *node = gos__node_find(root, "heat.x");
    gos_section *sec = NULL;
    gos_material *mat = NULL;
    assert_int_equal(gos__section_make(r->model, gos__node_find(root, "sections.s"), "section 's'",
                                       r->arena, &sec),
                     0);
    assert_int_equal(gos__material_make(r->model, gos__node_find(root, "materials.m"),
                                        "material 'm'", r->arena, &mat),
                     0);
    r->section = leaf ? &leaf_section : sec;
    r->law = leaf ? &leaf_law : &gos__cable_framed;
    r->b = (gos_builder){.ctx = r->ctx, .model = r->model, .arena = r->arena, .T_ref = T_REF};
    add_body(r, "rod", mat, true);
    add_body(r, "cold", mat, false);
    const gos_type *type = NULL;
    r->status = gos__type_of(r->model, node, "heat", gos__registry(), "heat 'x'", &type);
    if (r->status == GOS_OK) {
        const gos_build_ops *ops = type->ops;
        r->status = ops->build(&r->b, type, node, "x", "heat 'x'");
    }
}

static void rig_free(rig *r) {
    gos__builder_release(&r->b);
    gos_model_destroy(r->model);
    gos__arena_destroy(r->arena);
    gos_ctx_destroy(r->ctx);
}

static void rig_make(rig *r, const char *section, const char *entry) {
    rig_try(r, section, entry);
    if (r->status != GOS_OK) {
        print_error("%s: %s\n", entry, gos_ctx_message(r->ctx));
        fail();
    }
}

/* ---- random points ------------------------------------------------------------------------- */

typedef struct points {
    _Alignas(64) double z[NZ3 * L];
    _Alignas(64) double ref[3 * L];
    _Alignas(64) double th[GOS_FAMILIES * L];
} points;

typedef struct result {
    _Alignas(64) double heat[GOS_FAMILIES * L];
    _Alignas(64) double Hz[GOS_FAMILIES * NZ3 * L];
    _Alignas(64) double Ht[GOS_FAMILIES * GOS_FAMILIES * L];
} result;

/* uniform in [-1, 1]: a fixed sequence */
static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/* the size of each family's function on the section, to compare unlike units */
static void sizes(const gos_section *s, double *size) {
    for (int k = 0; k < s->nfam; k++) {
        size[k] = 0.0;
        for (int i = 0; i < s->nend; i++) {
            size[k] = fmax(size[k], fabs(s->end[i].phi[k]));
        }
        for (int i = 0; i < s->noutline; i++) {
            size[k] = fmax(size[k], fabs(s->outline[i].phi[k]));
        }
    }
}

static void random_points(const gos_section *s, uint64_t seed, points *p) {
    double size[GOS_FAMILIES];
    sizes(s, size);
    for (int l = 0; l < L; l++) {
        double n = 0.0;
        for (int i = 0; i < 3; i++) {
            p->ref[i * L + l] = (i == 2) + 0.2 * uniform(&seed);
            n += p->ref[i * L + l] * p->ref[i * L + l];
            p->z[i * L + l] = (i == 2 ? 0.5 : 1.0) * uniform(&seed);
            p->z[(3 + i) * L + l] = 2.0 * uniform(&seed);
        }
        for (int i = 0; i < 3; i++) {
            p->ref[i * L + l] /= sqrt(n);
        }
        p->z[l] += p->z[l] > 0.0 ? 0.5 : -0.5; // not too short
        for (int k = 0; k < s->nfam; k++) {
            p->th[k * L + l] = (k ? 30.0 : 80.0) * uniform(&seed) / size[k];
        }
    }
}

static void fn_values(const rig *r, int fn0, int n, double t, double *fn) {
    for (int i = 0; i < n; i++) {
        fn[i] = gos__timefn_eval(r->b.fn[fn0 + i], t, NULL, NULL);
    }
}

static void evaluate(const rig *r, const points *p, double scale, result *out) {
    const gos_points *block = r->b.points[0];
    memset(out, 0, sizeof *out);
    gos_batch b = {.z = p->z, .th = p->th, .ref = p->ref, .hk = 1.0};
    for (int i = 0; i < block->nsurf; i++) {
        const gos_surface *s = &block->surf[i];
        double fn[10];
        fn_values(r, s->fn0, s->nfn, 0.3, fn);
        b.heat = out->heat;
        b.Hz = out->Hz;
        b.Ht = out->Ht;
        s->type->eval(s->par, block->law, block->par, block->nfam, fn, scale, &b);
        s->type->tangent(s->par, block->law, block->par, block->nfam, fn, scale, &b);
    }
}

/* unit vectors d2, d3, t of a lane, theory 2.2 (A) */
static void directors(const points *p, int l, double d[3][3]) {
    double *d2 = d[0], *d3 = d[1], *t = d[2], v[3], n = 0.0, a = 0.0;
    for (int i = 0; i < 3; i++) {
        t[i] = p->z[i * L + l];
        v[i] = p->ref[i * L + l];
        a += t[i] * t[i];
    }
    for (int i = 0; i < 3; i++) {
        t[i] /= sqrt(a);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        d2[i] = v[j] * t[k] - v[k] * t[j];
        n += d2[i] * d2[i];
    }
    for (int i = 0; i < 3; i++) {
        d2[i] /= sqrt(n);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        d3[i] = t[j] * d2[k] - t[k] * d2[j];
    }
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void near_at(double a, double b, double tol, int line) {
    if (!(fabs(a - b) <= tol)) {
        print_error("line %d: %.17g is not %.17g within %g\n", line, a, b, tol);
        fail();
    }
}
#define NEAR(a, b, tol) near_at((a), (b), (tol), __LINE__)

/* ---- derivatives --------------------------------------------------------------------------- */

/* one column of differences, all lanes at once: x[col] moved by h */
static void column(const rig *r, const points *p, double *x, const double *h, double *d) {
    result hi, lo;
    double keep[L];
    memcpy(keep, x, sizeof keep);
    for (int l = 0; l < L; l++) {
        x[l] = keep[l] + h[l];
    }
    evaluate(r, p, 0.8, &hi);
    for (int l = 0; l < L; l++) {
        x[l] = keep[l] - h[l];
    }
    evaluate(r, p, 0.8, &lo);
    memcpy(x, keep, sizeof keep);
    for (int i = 0; i < r->section->nfam * L; i++) {
        d[i] = (hi.heat[i] - lo.heat[i]) / (2.0 * h[i % L]);
    }
}

/* largest difference and largest entry of a block (nfam)(n), in units of the families' sizes */
static void check_block(const rig *r, points *p, double *x, int n, const double *J,
                        const double *step, const double *unit, const char *what) {
    int nfam = r->section->nfam;
    double size[GOS_FAMILIES], worst = 0.0, largest = 0.0, d[GOS_FAMILIES * L];
    sizes(r->section, size);
    for (int j = 0; j < n; j++) {
        double h[L];
        for (int l = 0; l < L; l++) {
            h[l] = step[j];
        }
        column(r, p, &x[j * L], h, d);
        for (int i = 0; i < nfam * L; i++) {
            int k = i / L, l = i % L;
            double f = unit[j] / size[k], exact = J[(k * n + j) * L + l];
            worst = fmax(worst, f * fabs(exact - d[i]));
            largest = fmax(largest, f * fabs(exact));
        }
    }
    if (!(worst <= 1e-7 * largest)) {
        print_error("%s: derivative off by %g of %g\n", what, worst, largest);
        fail();
    }
}

/* heat of one surface (nfam)(LANES) at functions fn, or its derivative by an amount */
static void surface_heat(const rig *r, const points *p, const gos_surface *s, const double *fn,
                         const gos_amount *by, double *heat) {
    const gos_points *block = r->b.points[0];
    const gos_batch b = {.z = p->z, .th = p->th, .ref = p->ref, .heat = heat};
    memset(heat, 0, GOS_FAMILIES * L * sizeof *heat);
    if (by) {
        s->type->by_amount(s->par, block->law, block->par, block->nfam, fn, 0.8, by, &b);
    } else {
        s->type->eval(s->par, block->law, block->par, block->nfam, fn, 0.8, &b);
    }
}

/* the input that a surface declares, against differences; its unit is that of its function */
static void check_amount(const rig *r, const points *p, const gos_surface *s) {
    _Alignas(64) double hi[GOS_FAMILIES * L], lo[GOS_FAMILIES * L], d[GOS_FAMILIES * L];
    double fn[10], worst = 0.0, largest = 0.0;
    fn_values(r, s->fn0, s->nfn, 0.3, fn);
    assert_int_equal(s->namount, 1);
    assert_string_equal(s->amount->unit, gos__timefn_unit(r->b.fn[s->fn0 + s->amount->fn]));
    surface_heat(r, p, s, fn, s->amount, d);
    double *u = &fn[s->amount->fn];
    const double h = 1e-4 * fmax(1.0, fabs(*u)), u0 = *u;
    *u = u0 + h;
    surface_heat(r, p, s, fn, NULL, hi);
    *u = u0 - h;
    surface_heat(r, p, s, fn, NULL, lo);
    for (int i = 0; i < r->section->nfam * L; i++) {
        worst = fmax(worst, fabs((hi[i] - lo[i]) / (2.0 * h) - d[i]));
        largest = fmax(largest, fabs(d[i]));
    }
    assert_true(largest > 0.0 && worst <= 1e-6 * largest);
}

static void check_surfaces(const char *section, const char *entry) {
    rig r;
    rig_make(&r, section, entry);
    points p;
    result out;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        random_points(r.section, seed, &p);
        evaluate(&r, &p, 0.8, &out);
        double step[GOS_FAMILIES], unit[GOS_FAMILIES], size[GOS_FAMILIES];
        for (int j = 0; j < NZ3; j++) {
            step[j] = 1e-5;
            unit[j] = 1.0;
        }
        check_block(&r, &p, p.z, NZ3, out.Hz, step, unit, entry);
        sizes(r.section, size);
        for (int k = 0; k < r.section->nfam; k++) {
            step[k] = 0.02 / size[k];
            unit[k] = 1.0 / size[k];
        }
        check_block(&r, &p, p.th, r.section->nfam, out.Ht, step, unit, entry);
        for (int i = 0; i < r.b.points[0]->nsurf; i++) {
            check_amount(&r, &p, &r.b.points[0]->surf[i]);
        }
    }
    rig_free(&r);
}

static void surface_derivatives(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}",
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod, smoothing: 1.0e-2}",
        ("{type: flux, value: \"1e3*(1+t)\", direction: [\"sin(9*t)\", 0.3, -1], on: rod, "
         "absorptivity: 0.5}"),
        "{type: convection, coefficient: 25, ambient: \"10*t\", on: rod}",
        "{type: radiation, sink: 200, on: rod}",
        "{type: source, value: 1.0e5, on: rod}",
        SUN,
    };
    const char *sections[] = {BAR, DEEP, TUBE, RING, LEAF};
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        for (int j = 0; j < GOS_COUNT(sections); j++) {
            check_surfaces(sections[j], entry[i]);
        }
    }
    check_surfaces(LEAF, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.top}");
    check_surfaces(LEAF, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.bottom}");
    check_surfaces(LEAF, "{type: radiation, sink: 200, on: rod.bottom}");
    check_surfaces(LEAF, "{type: convection, coefficient: 25, on: rod.top}");
    check_surfaces(DEEP, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.top}");
    check_surfaces(DEEP, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.left}");
    check_surfaces(DEEP, "{type: radiation, sink: 200, on: [rod.right, rod.bottom]}");
    check_surfaces(DEEP, "{type: convection, coefficient: 25, on: [rod.top, rod.left]}");
    check_surfaces(PLAIN, "{type: radiation, sink: 200, on: rod}");
    check_surfaces(PLAIN, "{type: convection, coefficient: 25, on: rod}");
}

/* what an item gives at (x, th) */
typedef struct item_result {
    double heat[GOS_FAMILIES], x[GOS_FAMILIES * 3], th[GOS_FAMILIES * GOS_FAMILIES];
    double h[GOS_FAMILIES], hth[GOS_FAMILIES * GOS_FAMILIES];
} item_result;

static void item_evaluate(const rig *r, const gos_item *it, const double *x, const double *th,
                          double scale, item_result *out) {
    double fn[10];
    memset(out, 0, sizeof *out);
    fn_values(r, it->fn0, it->nfn, 0.3, fn);
    gos_item_io io = {.t = 0.3, .fn = fn, .scale = scale, .x = x, .th = th, .heat = out->heat};
    io.heat_x = out->x;
    io.heat_th = out->th;
    io.h = out->h;
    io.hth = out->hth;
    it->type->eval(it, &io);
    gos_item_io none = {.t = 0.3, .fn = fn, .scale = scale, .x = x, .th = th};
    it->type->eval(it, &none); // nothing wanted, nothing written
}

static void check_items(const char *section, const char *entry) {
    rig r;
    rig_make(&r, section, entry);
    assert_true(r.b.nitem > 0);
    double size[GOS_FAMILIES];
    sizes(r.section, size);
    uint64_t seed = 7;
    double worst[3] = {0}, largest[3] = {0}; // over all states: in some the end is in the dark
    for (int n = 0; n < 10 * r.b.nitem; n++) {
        const gos_item *it = r.b.item[n % r.b.nitem];
        assert_string_equal(it->name, "heat 'x'");
        double x[3], th[GOS_FAMILIES];
        item_result at, hi, lo;
        for (int i = 0; i < 3; i++) {
            x[i] = uniform(&seed);
        }
        for (int k = 0; k < it->ntm; k++) {
            th[k] = 40.0 * uniform(&seed) / size[k];
        }
        item_evaluate(&r, it, x, th, 0.8, &at);
        for (int j = 0; j < 3 * it->nm + it->ntm; j++) {
            int k = j - 3 * it->nm; // family of a temperature column
            double *v = k < 0 ? &x[j] : &th[k], keep = *v;
            double unit = k < 0 ? 1.0 : 1.0 / size[k], step = k < 0 ? 1e-6 : 0.02 * unit;
            *v = keep + step;
            item_evaluate(&r, it, x, th, 0.8, &hi);
            *v = keep - step;
            item_evaluate(&r, it, x, th, 0.8, &lo);
            *v = keep;
            for (int i = 0; i < it->ntm; i++) {
                double f = unit / size[i], d = (hi.heat[i] - lo.heat[i]) / (2.0 * step);
                double exact = k < 0 ? at.x[i * 3 * it->nm + j] : at.th[i * it->ntm + k];
                worst[k >= 0] = fmax(worst[k >= 0], f * fabs(d - exact));
                largest[k >= 0] = fmax(largest[k >= 0], f * fabs(exact));
            }
            for (int i = 0; k >= 0 && i < it->nh; i++) {
                double d = (hi.h[i] - lo.h[i]) / (2.0 * step);
                worst[2] = fmax(worst[2], fabs(d - at.hth[i * it->ntm + k]));
                largest[2] = fmax(largest[2], fabs(at.hth[i * it->ntm + k]));
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!(worst[i] <= 1e-7 * largest[i])) {
            print_error("%s: block %d off by %g of %g\n", entry, i, worst[i], largest[i]);
            fail();
        }
    }
    rig_free(&r);
}

static void item_derivatives(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: [rod.start, rod.end]}",
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.end, smoothing: 1.0e-2}",
        "{type: flux, value: 2.0e3, on: rod.end}",
        ("{type: sun, direction: [1, -2, 0.5], albedo: 0.3, earth_infrared: 240, "
         "earth_direction: [0.3, 1, 0], on: rod.end}"),
        "{type: convection, coefficient: 25, ambient: 30, on: rod.end}",
        "{type: radiation, sink: 200, on: [rod.start, rod.end]}",
        "{type: heat_flow, value: \"3*t\", on: [rod.start, rod.middle]}",
        "{type: temperature, value: \"3*t\", on: [rod.start, rod.middle]}",
        "{type: temperature, value: \"3*t\", on: rod}",
        "{type: temperature, value: \"3*t\", on: rod.end, gradients: free}",
    };
    const char *sections[] = {BAR, DEEP, TUBE, RING, PLAIN};
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        for (int j = 0; j < GOS_COUNT(sections); j++) {
            check_items(sections[j], entry[i]);
        }
    }
}

/* ---- closed forms -------------------------------------------------------------------------- */

static const double travel[3] = {1.0, -2.0, 0.5}; // direction of the flux entries below

static void cosines(const points *p, int l, double c[2]) {
    double d[3][3], n = sqrt(dot(travel, travel));
    directors(p, l, d);
    c[0] = -dot(travel, d[0]) / n;
    c[1] = -dot(travel, d[1]) / n;
}

/* families at a point (y, z), written apart from the section's own tables */
static void families(const gos_section *s, double y, double z, double *phi) {
    double P[GOS_FAMILIES];
    phi[0] = 1.0;
    phi[1] = y;
    phi[2] = z;
    const double angle = atan2(z, y), R = 0.5 * (s->outer + s->inner);
    for (int m = 1; m <= s->modes; m++) {
        phi[2 * m - 1] = (m == 1 ? R : 1.0) * cos(m * angle);
        phi[2 * m] = (m == 1 ? R : 1.0) * sin(m * angle);
    }
    if (s->nfam > 3 && !s->round) {
        gos__legendre(s->nfam - 2, 2 * y / s->height, P, NULL);
        memcpy(&phi[3], &P[2], (size_t)(s->nfam - 3) * sizeof *P);
    }
}

/* theory 2.4 and 2.8: a rectangle's lit faces */
static void lit_rectangle(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, DEEP, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}");
    random_points(r.section, 11, &p);
    evaluate(&r, &p, 1.0, &out);
    double q = 0.7 * 2e3, h = 0.03, b = 0.02;
    for (int l = 0; l < L; l++) {
        double c[2];
        cosines(&p, l, c);
        NEAR(out.heat[l], q * (b * fabs(c[0]) + h * fabs(c[1])), 1e-12);
        NEAR(out.heat[L + l], q * b * h / 2 * c[0], 1e-13);
        NEAR(out.heat[2 * L + l], q * h * b / 2 * c[1], 1e-13);
        for (int k = 3; k < r.section->nfam; k++) {
            NEAR(out.heat[k * L + l], q * b * ((k - 1) % 2 ? c[0] : fabs(c[0])), 1e-12);
        }
    }
    rig_free(&r);
}

/* a circle against the integral of max(0, cosine) times each family over its circumference */
static void lit_circle(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {TUBE, RING, "{type: annulus, outer: 0.015, inner: 0.013, modes: 8}"};
    for (int j = 0; j < GOS_COUNT(sections); j++) {
        rig r;
        points p;
        result out;
        rig_make(&r, sections[j], "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}");
        random_points(r.section, 12, &p);
        evaluate(&r, &p, 1.0, &out);
        double q = 0.7 * 2e3, R = 0.015;
        int n = 20000, nfam = r.section->nfam;
        for (int l = 0; l < L; l++) {
            double c[2], sum[GOS_FAMILIES] = {0}, phi[GOS_FAMILIES];
            cosines(&p, l, c);
            for (int i = 0; i < n; i++) {
                double y = cos(2 * PI * i / n), z = sin(2 * PI * i / n);
                families(r.section, R * y, R * z, phi);
                double lit = q * fmax(0.0, c[0] * y + c[1] * z) * 2 * PI * R / n;
                for (int k = 0; k < nfam; k++) {
                    sum[k] += lit * phi[k];
                }
            }
            for (int k = 0; k < nfam; k++) {
                NEAR(out.heat[k * L + l], sum[k], 1e-6 * q * R * (k == 1 || k == 2 ? R : 1.0));
            }
        }
        rig_free(&r);
    }
}

static void add_entry(const char *section, const char *entry, const points *p, double *heat) {
    rig r;
    result out;
    rig_make(&r, section, entry);
    evaluate(&r, p, 1.0, &out);
    for (int i = 0; i < r.section->nfam * L; i++) {
        heat[i] += out.heat[i];
    }
    rig_free(&r);
}

/* a sun is three fluxes: light (absorptivity 0.7 of the material, half faded), infrared (emissivity
   0.9), albedo (a part 0.3 of the light); ramp of 1/3 s: u = 0.1*3 + 1/2 = 0.8, S = 0.896 */
static void sun_is_three_fluxes(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {DEEP, TUBE, RING, LEAF};
    for (int i = 0; i < GOS_COUNT(sections); i++) {
        double heat[2][GOS_FAMILIES * L] = {{0}};
        rig r;
        points p;
        char text[200];
        rig_make(&r, sections[i], SUN);
        assert_int_equal(r.b.points[0]->nsurf, 3);
        random_points(r.section, 22, &p);
        add_entry(sections[i], SUN, &p, heat[0]);
        gos__format(text, sizeof text,
                    "{type: flux, value: %.17g, direction: [1, -2, 0.5], on: rod}", 1300 * SHADE);
        add_entry(sections[i], text, &p, heat[1]);
        const char *earth = "{type: flux, value: %.17g, absorptivity: %g, "
                            "direction: [\"sin(9*t)\", 0.3, -1], on: rod}";
        gos__format(text, sizeof text, earth, 240.0, 0.9);
        add_entry(sections[i], text, &p, heat[1]);
        gos__format(text, sizeof text, earth, 0.3 * 1300 * SHADE, 0.7);
        add_entry(sections[i], text, &p, heat[1]);
        for (int k = 0; k < r.section->nfam * L; k++) {
            NEAR(heat[0][k], heat[1][k], 1e-10);
        }
        rig_free(&r);
    }
}

/* overrides of the material, and an eclipse that is none */
static void sun_options(void **state) {
    GOS_UNUSED(state);
    points p;
    rig r;
    rig_make(&r, LEAF, SUN);
    random_points(r.section, 23, &p);
    rig_free(&r);
    const char *pair[][2] = {
        {"{type: sun, direction: [1, -2, 0.5], absorptivity: 0.2, smoothing: 1.0e-2, on: rod}",
         "{type: flux, value: 1361, direction: [1, -2, 0.5], absorptivity: 0.2, smoothing: 1.0e-2, "
         "on: rod}"},
        {"{type: sun, flux: 0, direction: [0, 0, 1], earth_infrared: 240, infrared_absorptivity: "
         "0.4, "
         "earth_direction: [0, 1, 0], on: rod}",
         "{type: flux, value: 240, direction: [0, 1, 0], absorptivity: 0.4, on: rod}"},
        {"{type: sun, flux: 900, direction: [0, -1, 0], eclipse: [[1, 0.2], [0.3, 0.3]], on: rod}",
         "{type: flux, value: 900, direction: [0, -1, 0], on: rod}"},
        {"{type: sun, flux: 900, direction: [0, -1, 0], eclipse: [[0.8, 2], [0.1, \"0.2+0.3\"]], "
         "on: rod}",
         "{type: flux, value: 0, direction: [0, -1, 0], on: rod}"},
    };
    for (int i = 0; i < GOS_COUNT(pair); i++) {
        double heat[2][GOS_FAMILIES * L] = {{0}};
        add_entry(LEAF, pair[i][0], &p, heat[0]);
        add_entry(LEAF, pair[i][1], &p, heat[1]);
        for (int k = 0; k < 2 * L; k++) {
            NEAR(heat[0][k], heat[1][k], 1e-10);
        }
    }
    rig_make(&r, LEAF, pair[2][0]);
    assert_int_equal(r.b.nfn, 4); // no function for windows that are none
    rig_free(&r);
}

/* theory 2.7, per area of a plate: a flux that meets either side, one face, both faces alone */
static void lit_plate(void **state) {
    GOS_UNUSED(state);
    const char *on[] = {"rod", "rod.top", "rod.bottom", "[rod.top, rod.bottom]"};
    const double q = 0.7 * 2e3;
    int seen[2] = {0};
    for (int i = 0; i < GOS_COUNT(on); i++) {
        rig r;
        points p;
        result out;
        char text[200];
        gos__format(text, sizeof text,
                    "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: %s}", on[i]);
        rig_make(&r, LEAF, text);
        random_points(r.section, 20, &p);
        evaluate(&r, &p, 1.0, &out);
        for (int l = 0; l < L; l++) {
            double n[3];
            leaf_normal(p.z, l, n);
            const double c = -dot(travel, n) / sqrt(dot(travel, travel));
            const double top = i != 2 ? fmax(0.0, c) : 0.0, bottom = i != 1 ? fmax(0.0, -c) : 0.0;
            NEAR(out.heat[l], q * (top + bottom), 1e-11);
            NEAR(out.heat[L + l], q * LEAF_H / 2 * (top - bottom), 1e-14);
            seen[c > 0.0]++;
        }
        rig_free(&r);
    }
    assert_true(seen[0] > 0 && seen[1] > 0); // light from both sides
}

/* both sides of a plate exchange heat: (T, T_z) see 1 and z at z = +-h/2 */
static void plate_exchange(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, LEAF, "{type: convection, coefficient: 25, ambient: 8, on: rod}");
    random_points(r.section, 21, &p);
    evaluate(&r, &p, 1.0, &out);
    const double h = LEAF_H;
    for (int l = 0; l < L; l++) {
        NEAR(out.heat[l], 25 * 2 * (8 - p.th[l]), 1e-11);
        NEAR(out.heat[L + l], -25 * h * h / 2 * p.th[L + l], 1e-13);
    }
    rig_free(&r);
    rig_make(&r, LEAF, "{type: radiation, sink: 250, emissivity: 0.6, on: rod}");
    evaluate(&r, &p, 1.0, &out);
    for (int l = 0; l < L; l++) {
        const double up = T_REF + p.th[l] + h / 2 * p.th[L + l];
        const double down = T_REF + p.th[l] - h / 2 * p.th[L + l];
        const double a = 0.6 * SIGMA * (pow(250, 4) - pow(up, 4));
        const double b = 0.6 * SIGMA * (pow(250, 4) - pow(down, 4));
        NEAR(out.heat[l], a + b, 1e-9);
        NEAR(out.heat[L + l], h / 2 * (a - b), 1e-12);
    }
    rig_free(&r);
    rig_make(&r, LEAF, "{type: source, value: 1.0e5, on: rod}");
    evaluate(&r, &p, 1.0, &out);
    NEAR(out.heat[0], 1e5 * h, 1e-12);
    NEAR(out.heat[L], 0.0, 0.0);
    rig_free(&r);
    rig_make(&r, LEAF, "{type: flux, value: 2.0e3, on: rod.bottom}");
    evaluate(&r, &p, 1.0, &out);
    NEAR(out.heat[0], 2e3, 1e-12);
    NEAR(out.heat[L], -2e3 * h / 2, 1e-14);
    rig_free(&r);
}

/* the four faces together are the outline, and one face is lit from its own side only */
static void faces_make_outline(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], smoothing: 1.0e-3, on: %s}",
        "{type: flux, value: 2.0e3, on: %s}",
        "{type: convection, coefficient: 25, ambient: 3, on: %s}",
        "{type: radiation, sink: 250, on: %s}",
    };
    const char *places[2] = {"rod", "[rod.top, rod.bottom, rod.right, rod.left]"};
    points p;
    result out[2];
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        for (int j = 0; j < 2; j++) {
            rig r;
            char text[200];
            gos__format(text, sizeof text, entry[i], places[j]);
            rig_make(&r, DEEP, text);
            random_points(r.section, 13, &p);
            evaluate(&r, &p, 1.0, &out[j]);
            rig_free(&r);
        }
        for (int k = 0; k < 7 * L; k++) {
            NEAR(out[0].heat[k], out[1].heat[k], 1e-11);
        }
    }
    const char *names[4] = {"top", "bottom", "right", "left"};
    for (int i = 0; i < 4; i++) {
        rig r;
        char text[200];
        gos__format(text, sizeof text,
                    "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.%s}", names[i]);
        rig_make(&r, BAR, text);
        random_points(r.section, 13, &p);
        evaluate(&r, &p, 1.0, &out[0]);
        for (int l = 0; l < L; l++) {
            double c[2], side = i < 2 ? 0.02 : 0.03;
            cosines(&p, l, c);
            NEAR(out[0].heat[l], 1400 * side * fmax(0.0, (i % 2 ? -1 : 1) * c[i / 2]), 1e-12);
        }
        rig_free(&r);
    }
}

/* the mean receives all that the outline absorbs, point by point */
static void absorbed_power(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, BAR, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}");
    random_points(r.section, 14, &p);
    evaluate(&r, &p, 1.0, &out);
    const gos_section *s = r.section;
    for (int l = 0; l < L; l++) {
        double c[2], sum = 0.0;
        cosines(&p, l, c);
        for (int i = 0; i < s->nface; i++) {
            for (int j = 0; j < s->face[i].count; j++) {
                double lit = fmax(0.0, s->face[i].sign * c[s->face[i].dir]);
                sum += s->outline[s->face[i].first + j].dl * 0.7 * 2e3 * lit;
            }
        }
        NEAR(out.heat[l], sum, 1e-12);
    }
    rig_free(&r);
}

/* theory 2.4, Boley's heating: the top face takes the value whatever its orientation */
static void fixed_face(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, DEEP, "{type: flux, value: 2.0e3, on: rod.top}");
    random_points(r.section, 15, &p);
    evaluate(&r, &p, 0.5, &out);
    for (int l = 0; l < L; l++) {
        NEAR(out.heat[l], 0.5 * 2e3 * 0.02, 1e-12);
        NEAR(out.heat[L + l], 0.5 * 2e3 * 0.02 * 0.015, 1e-13);
        NEAR(out.heat[2 * L + l], 0.0, 0.0);
        for (int k = 3; k < 7; k++) {
            NEAR(out.heat[k * L + l], 0.5 * 2e3 * 0.02, 1e-12);
        }
    }
    rig_free(&r);
}

static void internal_heat(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, TUBE, "{type: source, value: 1.0e5, on: rod}");
    random_points(r.section, 16, &p);
    evaluate(&r, &p, 1.0, &out);
    NEAR(out.heat[3], 1e5 * r.section->A, 1e-12);
    NEAR(out.heat[L + 3], 0.0, 0.0);
    rig_free(&r);
}

/* outline point number i of n and its length */
static double fine_outline(const gos_section *s, int i, int n, double *y, double *z) {
    if (s->round) {
        double a = 2 * PI * i / n;
        *y = s->outer * cos(a);
        *z = s->outer * sin(a);
        return 2 * PI * s->outer / n;
    }
    double x[50], w[50];
    int m = n / 4, face = i / m;
    gos__gauss(m, x, w);
    double along = x[i % m] - 0.5, side = face % 2 ? -0.5 : 0.5;
    *y = (face < 2 ? side : along) * s->height;
    *z = (face < 2 ? along : side) * s->width;
    return w[i % m] * (face < 2 ? s->width : s->height);
}

static void radiation_against_fine_quadrature(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {BAR, DEEP, TUBE, RING};
    for (int c = 0; c < GOS_COUNT(sections); c++) {
        rig r;
        points p;
        result out;
        rig_make(&r, sections[c], "{type: radiation, sink: 250, emissivity: 0.6, on: rod}");
        random_points(r.section, 17, &p);
        evaluate(&r, &p, 1.0, &out);
        int nfam = r.section->nfam, n = 200;
        for (int l = 0; l < L; l++) {
            double sum[GOS_FAMILIES] = {0}, phi[GOS_FAMILIES], scale = 0.0;
            for (int i = 0; i < n; i++) {
                double y, z, T = T_REF, dl = fine_outline(r.section, i, n, &y, &z);
                families(r.section, y, z, phi);
                for (int k = 0; k < nfam; k++) {
                    T += phi[k] * p.th[k * L + l];
                }
                for (int k = 0; k < nfam; k++) {
                    sum[k] += 0.6 * SIGMA * (pow(250, 4) - pow(T, 4)) * phi[k] * dl;
                }
                scale += 0.6 * SIGMA * pow(T, 4) * dl;
            }
            for (int k = 0; k < nfam; k++) {
                NEAR(out.heat[k * L + l], sum[k], 1e-12 * scale);
            }
        }
        rig_free(&r);
    }
}

/* theory 2.5: convection of a uniform and of a linear field */
static void convection_closed_form(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {BAR, TUBE, RING};
    double h = 0.03, b = 0.02, R = 0.015, mean = 0.014;
    const double perimeter[] = {2 * (b + h), 2 * PI * R, 2 * PI * R};
    const double yy[] = {b * h * h / 2 + h * h * h / 6, PI * R * R * R, PI * R * mean * mean};
    for (int c = 0; c < 3; c++) {
        rig r;
        points p;
        result out;
        rig_make(&r, sections[c], "{type: convection, coefficient: 25, ambient: 8, on: rod}");
        random_points(r.section, 18, &p);
        evaluate(&r, &p, 1.0, &out);
        for (int l = 0; l < L; l++) {
            NEAR(out.heat[l], 25 * perimeter[c] * (8 - p.th[l]), 1e-11);
            NEAR(out.heat[L + l], -25 * yy[c] * p.th[L + l], 1e-11);
            for (int k = 3; k < r.section->nfam; k++) {
                NEAR(out.heat[k * L + l], -25 * PI * R * p.th[k * L + l], 1e-11);
            }
        }
        rig_free(&r);
    }
}

/* ends: outward normals, uniform radiation, fixed flux, power into a point */
static void ends(void **state) {
    GOS_UNUSED(state);
    const double x[3] = {2.0, 0.0, 0.0}, th[GOS_FAMILIES] = {50.0};
    rig r;
    item_result a, e;
    rig_make(&r, DEEP, "{type: flux, value: 1000, direction: [3, 0, 4], on: [rod.start, rod.end]}");
    item_evaluate(&r, r.b.item[0], x, th, 1.0, &a);
    item_evaluate(&r, r.b.item[1], x, th, 1.0, &e);
    NEAR(a.heat[0], 0.7 * 1000 * 0.6 * 6e-4, 1e-14); // travels along +x: it meets the start
    NEAR(e.heat[0], 0.0, 0.0);
    NEAR(a.heat[1], 0.0, 0.0);
    assert_int_equal(r.b.item[0]->m[0].idx[0], 1);
    assert_int_equal(r.b.item[1]->m[0].idx[0], 3);
    rig_free(&r);

    rig_make(&r, TUBE, "{type: radiation, sink: 250, emissivity: 0.98, on: rod.end}");
    item_evaluate(&r, r.b.item[0], NULL, th, 1.0, &a);
    NEAR(a.heat[0], 0.98 * SIGMA * r.section->A * (pow(250, 4) - pow(350, 4)), 1e-12);
    NEAR(a.heat[1], 0.0, 1e-14);
    rig_free(&r);

    rig_make(&r, BAR, "{type: flux, value: 1000, on: rod.end}");
    item_evaluate(&r, r.b.item[0], NULL, th, 0.25, &a);
    NEAR(a.heat[0], 0.25 * 1000 * 6e-4, 1e-14);
    rig_free(&r);

    rig_make(&r, BAR, "{type: heat_flow, value: 12, on: rod.middle}");
    item_evaluate(&r, r.b.item[0], NULL, th, 1.0, &a);
    NEAR(a.heat[0], 12, 0.0);
    NEAR(a.heat[1], 0.0, 0.0);
    rig_free(&r);
}

static void prescribed(void **state) {
    GOS_UNUSED(state);
    double th[GOS_FAMILIES] = {5, 1, 2, 3, 4, 5, 6};
    rig r;
    item_result a;
    rig_make(&r, DEEP, "{type: temperature, value: \"10*t\", on: rod}");
    assert_int_equal(r.b.nh, 2 * 7);
    item_evaluate(&r, r.b.item[0], NULL, th, 1.0, &a);
    NEAR(a.h[0], 5 - 3, 1e-14);
    NEAR(a.h[6], 6, 0.0);
    assert_int_equal(r.b.item[1]->tm[0].idx[0], 7);
    rig_free(&r);

    rig_make(&r, DEEP, "{type: temperature, value: 3, on: [rod.end, rod.middle], gradients: free}");
    assert_int_equal(r.b.nh, 2);
    item_evaluate(&r, r.b.item[1], NULL, th, 0.5, &a);
    NEAR(a.h[0], 5 - 1.5, 1e-14);
    assert_int_equal(r.b.item[1]->tm[0].n, 2);
    rig_free(&r);

    // more families than rows of an item
    rig_make(&r, "{type: rectangle, height: 0.03, width: 0.02, depth_modes: 15}",
             "{type: temperature, value: 3, on: rod.end}");
    assert_int_equal(r.b.nh, 17);
    for (int i = 0; i < r.b.nitem; i++) {
        assert_true(r.b.item[i]->nh <= GOS_ITEM_ROWS);
    }
    item_evaluate(&r, r.b.item[1], NULL, th, 1.0, &a);
    NEAR(a.h[0], 5, 0.0);
    rig_free(&r);
}

/* all heat is proportional to the load factor, and absent without temperatures wanted */
static void load_factor(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}",
        "{type: flux, value: 2.0e3, on: rod}",
        "{type: convection, coefficient: 25, ambient: 3, on: rod}",
        "{type: radiation, sink: 250, on: rod}",
        "{type: source, value: 250, on: rod}",
    };
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        rig r;
        points p;
        result full, part;
        rig_make(&r, DEEP, entry[i]);
        random_points(r.section, 19, &p);
        evaluate(&r, &p, 1.0, &full);
        evaluate(&r, &p, 0.25, &part);
        for (int k = 0; k < 7 * L; k++) {
            NEAR(part.heat[k], 0.25 * full.heat[k], 1e-12);
        }
        const gos_points *block = r.b.points[0];
        const gos_batch none = {.z = p.z, .th = p.th, .ref = p.ref, .hk = 1.0};
        double fn[10];
        fn_values(&r, block->surf[0].fn0, block->surf[0].nfn, 0.0, fn);
        block->surf[0].type->eval(block->surf[0].par, block->law, block->par, 7, fn, 1.0, &none);
        block->surf[0].type->tangent(block->surf[0].par, block->law, block->par, 7, fn, 1.0, &none);
        rig_free(&r);
    }
}

/* edges of the formulas give numbers: light along the axis, edge-on faces, no direction, no heat
 * left */
static void edges(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, 0, 0], on: [rod, rod.end, rod.start]}",
        "{type: flux, value: 2.0e3, direction: [0, \"t-0.3\", 0], on: [rod, rod.end]}",
        "{type: radiation, sink: 0, on: [rod, rod.end]}",
    };
    const char *sections[] = {DEEP, TUBE, RING};
    for (int i = 0; i < 3 * GOS_COUNT(entry); i++) {
        rig r;
        points p = {0};
        result out;
        rig_make(&r, sections[i % 3], entry[i / 3]);
        for (int l = 0; l < L; l++) {
            p.z[l] = 1.0;
            p.ref[2 * L + l] = 1.0;
            p.th[l] = -400.0; // below absolute zero
        }
        evaluate(&r, &p, 1.0, &out);
        for (int k = 0; k < r.section->nfam * L; k++) {
            assert_true(isfinite(out.heat[k]));
        }
        for (int k = 0; k < r.section->nfam * NZ3 * L; k++) {
            assert_true(isfinite(out.Hz[k]));
        }
        // an iterate below absolute zero is warmed back
        assert_true(i / 3 < 2 || (out.heat[0] > 0.0 && out.Ht[0] < 0.0));
        for (int j = 0; j < r.b.nitem; j++) {
            const double x[3] = {0.0, 0.0, 0.0}, th[GOS_FAMILIES] = {-400.0};
            item_result a;
            item_evaluate(&r, r.b.item[j], x, th, 1.0, &a);
            assert_true(isfinite(a.heat[0]) && isfinite(a.x[0]) && isfinite(a.th[0]));
        }
        rig_free(&r);
    }
}

/* ---- entries ------------------------------------------------------------------------------- */

static void bad_entries(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *section, *entry, *message;
    } bad[] = {
        {BAR, "{type: flux, value: 1}", "on"},
        {BAR, "{type: flux, on: rod}", "value"},
        {BAR, "{type: flux, value: 1, on: ground}", "not on the ground"},
        {BAR, "{type: flux, value: 1, on: rud}", "did you mean 'rod'"},
        {BAR, "{type: flux, value: 1, on: cold}", "has no temperature"},
        {BAR, "{type: flux, value: 1, on: rod.middle}", "is a point"},
        {BAR, "{type: flux, value: 1, direction: [0, 0, 0], on: rod}", "zero length"},
        {BAR, "{type: flux, value: 1, direction: [0, 1], on: rod}", "direction"},
        {BAR, "{type: flux, value: 1, absorptivity: 0.5, on: rod.top}", "absorptivity acts on"},
        {BAR, "{type: flux, value: 1, smoothing: 1.0e-4, on: rod.top}", "smoothing acts on"},
        {BAR, "{type: flux, value: 1, direction: [0, 1, 0], absorptivity: 1.5, on: rod}",
         "absorptivity"},
        {BAR, "{type: flux, value: 1, direction: [0, 1, 0], smoothing: -1, on: rod}", "smoothing"},
        {BAR, "{type: flux, valeu: 1, on: rod}", "value"},
        {TUBE, "{type: flux, value: 1, on: rod.top}", "top"},
        {PLAIN, "{type: flux, value: 1, direction: [0, 1, 0], on: rod}", "no faces"},
        {BAR, "{type: sun, on: rod}", "direction"},
        {BAR, "{type: sun, direction: [0, 0, 0], on: rod}", "direction has zero length"},
        {BAR, "{type: sun, direction: [0, 1, 0], albedo: 0.3, on: rod}", "give earth_direction"},
        {BAR, "{type: sun, direction: [0, 1, 0], earth_infrared: 240, on: rod}",
         "give earth_direction"},
        {BAR, "{type: sun, direction: [0, 1, 0], earth_direction: [0, 1, 0], on: rod}",
         "nothing travels along earth_direction"},
        {BAR, "{type: sun, direction: [0, 1, 0], albedo: 0.3, earth_direction: [0, 0, 0], on: rod}",
         "earth_direction has zero length"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: 3, on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [1, 2], on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[1, 2, 3]], on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[1, [2]]], on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[1, t]], on: rod}", "t"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[3, 6], [1, 4]], on: rod}", "overlap"},
        {BAR, "{type: sun, direction: [0, 1, 0], penumbra: -1, on: rod}", "penumbra"},
        {BAR, "{type: sun, direction: [0, 1, 0], absorptivity: 2, on: rod}", "absorptivity"},
        {PLAIN, "{type: sun, direction: [0, 1, 0], on: rod}", "no faces"},
        {BAR, "{type: convection, coefficient: -1, on: rod}", "coefficient"},
        {BAR, "{type: convection, coefficient: .nan, on: rod}", "coefficient"},
        {BAR, "{type: convection, on: rod}", "coefficient"},
        {BAR, "{type: convection, coefficient: 1, on: rod.middle}", "is a point"},
        {BAR, "{type: radiation, sink: -1, on: rod}", "sink"},
        {BAR, "{type: radiation, sink: 3, emissivity: 2, on: rod}", "emissivity"},
        {BAR, "{type: radiation, on: rod}", "sink"},
        {"{type: general, area: 3.0e-4, Iy: 4.0e-8, Iz: 2.0e-8}",
         "{type: radiation, sink: 3, on: rod}", "perimeter"},
        {BAR, "{type: source, value: 1, on: rod.top}", "is a face"},
        {BAR, "{type: source, value: 1, on: rod.end}", "is an end"},
        {BAR, "{type: heat_flow, value: 1, on: rod}", "is a whole body"},
        {BAR, "{type: heat_flow, value: 1, on: rod.top}", "is a face"},
        {BAR, "{type: temperature, value: 1, on: rod.top}", "is a face"},
        {BAR, "{type: temperature, value: -301, on: rod.end}", "absolute zero"},
        {BAR, "{type: temperature, value: 1, gradients: none, on: rod.end}", "gradients"},
        {BAR, "{type: fulx, value: 1, on: rod}", "flux"},
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        rig r;
        rig_try(&r, bad[i].section, bad[i].entry);
        const char *message = gos_ctx_message(r.ctx);
        if (r.status != GOS_E_INPUT || !strstr(message, bad[i].message)) {
            print_error("%s: status %d, '%s'\n", bad[i].entry, r.status, message);
            fail();
        }
        const gos_diag *d = gos_ctx_diag(r.ctx, 0);
        assert_true(d->line == 3 && d->col > 0 && d->object != NULL);
        rig_free(&r);
    }
}

/* no emission is allowed, and said */
static void black_out(void **state) {
    GOS_UNUSED(state);
    rig r;
    rig_make(&r, BAR, "{type: radiation, sink: 3, emissivity: 0, on: rod}");
    assert_int_equal(gos_ctx_ndiag(r.ctx), 0); // said so here
    rig_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_derivatives),
        cmocka_unit_test(item_derivatives),
        cmocka_unit_test(lit_rectangle),
        cmocka_unit_test(lit_circle),
        cmocka_unit_test(lit_plate),
        cmocka_unit_test(sun_is_three_fluxes),
        cmocka_unit_test(sun_options),
        cmocka_unit_test(plate_exchange),
        cmocka_unit_test(faces_make_outline),
        cmocka_unit_test(absorbed_power),
        cmocka_unit_test(fixed_face),
        cmocka_unit_test(internal_heat),
        cmocka_unit_test(radiation_against_fine_quadrature),
        cmocka_unit_test(convection_closed_form),
        cmocka_unit_test(ends),
        cmocka_unit_test(prescribed),
        cmocka_unit_test(load_factor),
        cmocka_unit_test(edges),
        cmocka_unit_test(bad_entries),
        cmocka_unit_test(black_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
