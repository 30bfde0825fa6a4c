/* A body of one cable-like line, or one leaf of a plate, with places and temperatures but without
   elements, onto which one heat entry is built; sources are evaluated at random points through the
   directors of the cable law. Include after cmocka. */
#ifndef GOS_TEST_HEATED_H
#define GOS_TEST_HEATED_H

#include <math.h>

#include "support/near.h"
#include "support/random.h"
#include "line/cable_law.h"
#include "heat/heat.h"
#include "math/gauss.h"
#include "system/system.h"

#define L GOS_LANES
#define NZ3 6
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
static inline double leaf_normal(const double *z, int l, double n[3]) {
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
static inline void leaf_cosines(const void *par, const gos_batch *b, const double *u, double *c,
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

static inline gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                                const char *object, gos_location *p) {
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
static inline gos_status temperature(gos_arena *a, const gos_body *b, const gos_location *p,
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

static inline void add_body(rig *r, const char *name, const gos_material *m, bool hot) {
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

/* build one heat entry onto body "rod" with the given section; "cold" is a body without
   temperature */
static inline void rig_try(rig *r, const char *section, const char *entry) {
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

static inline void rig_free(rig *r) {
    gos__builder_release(&r->b);
    gos_model_destroy(r->model);
    gos__arena_destroy(r->arena);
    gos_ctx_destroy(r->ctx);
}

static inline void rig_make(rig *r, const char *section, const char *entry) {
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

/* the size of each family's function on the section, to compare unlike units */
static inline void sizes(const gos_section *s, double *size) {
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

static inline void random_points(const gos_section *s, uint64_t seed, points *p) {
    double size[GOS_FAMILIES];
    sizes(s, size);
    for (int l = 0; l < L; l++) {
        double n = 0.0;
        for (int i = 0; i < 3; i++) {
            p->ref[i * L + l] = (i == 2) + 0.2 * random_uniform(&seed);
            n += p->ref[i * L + l] * p->ref[i * L + l];
            p->z[i * L + l] = (i == 2 ? 0.5 : 1.0) * random_uniform(&seed);
            p->z[(3 + i) * L + l] = 2.0 * random_uniform(&seed);
        }
        for (int i = 0; i < 3; i++) {
            p->ref[i * L + l] /= sqrt(n);
        }
        p->z[l] += p->z[l] > 0.0 ? 0.5 : -0.5; // not too short
        for (int k = 0; k < s->nfam; k++) {
            p->th[k * L + l] = (k ? 30.0 : 80.0) * random_uniform(&seed) / size[k];
        }
    }
}

static inline void fn_values(const rig *r, int fn0, int n, double t, double *fn) {
    for (int i = 0; i < n; i++) {
        fn[i] = gos__timefn_eval(r->b.fn[fn0 + i], t, NULL, NULL);
    }
}

static inline void evaluate(const rig *r, const points *p, double scale, result *out) {
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
static inline void directors(const points *p, int l, double d[3][3]) {
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

static inline double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- items ---------------------------------------------------------------------------------- */

/* what an item gives at (x, th) */
typedef struct item_result {
    double heat[GOS_FAMILIES], x[GOS_FAMILIES * 3], th[GOS_FAMILIES * GOS_FAMILIES];
    double h[GOS_FAMILIES], hth[GOS_FAMILIES * GOS_FAMILIES];
} item_result;

static inline void item_evaluate(const rig *r, const gos_item *it, const double *x,
                                 const double *th, double scale, item_result *out) {
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

#endif
