/* Body type ancf_cable: gradient-deficient ANCF cable with 6 coordinates per node (r, r'),
 * temperatures linear along the axis. Theory 1.1 (mass), 1.3 (quadrature), 2.1, 2.8 (capacity,
 * conduction). This file: mesh and constant matrices. */
#include "bodies/bodies.h"

#include <math.h>

#include "line/cable_balance.h"
#include "line/cable_points.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "line/line.h"

/* Smooth fields of the cable (theory 8): Legendre polynomials P_k(2x/l - 1). Mass, capacity,
 * conduction and points use the polynomials, not the mesh. */

#define MOST_FIELDS GOS_LINE_FIELDS
#define PANEL 48 // Gauss points per piece

static void fill_values(const gos_body *b, gos_body_fields *f) {
    const double h = b->length / b->ncell;
    double P[MOST_FIELDS], d[MOST_FIELDS];
    for (int i = 0; i < b->nnode; i++) {
        const double x = i < b->ncell ? h * i : b->length;
        if (f->n) {
            gos__line_polynomials(b, f->n, x, P, d, NULL);
            memcpy(f->value + (size_t)(2 * i) * f->n, P, f->n * sizeof *P);
            memcpy(f->value + (size_t)(2 * i + 1) * f->n, d, f->n * sizeof *d);
        }
        if (f->nt) {
            gos__line_polynomials(b, f->nt, x, f->tvalue + (size_t)i * f->nt, NULL, NULL);
        }
    }
}

/* amplitudes (2k + 1)/l int P_k u dx, u cubic (temperatures: linear) in each element */
static void fill_duals(const gos_body *b, gos_body_fields *f) {
    const double h = b->length / b->ncell;
    const int most = f->n > f->nt ? f->n : f->nt, ng = (most + 4) / 2;
    const size_t nv = b->nv, nn = b->nnode;
    double xi[64], w[64], P[MOST_FIELDS], s[4];
    gos__gauss(ng, xi, w);
    for (int e = 0; e < b->ncell; e++) {
        for (int g = 0; g < ng; g++) {
            gos__line_polynomials(b, most, h * (e + xi[g]), P, NULL, NULL);
            gos__hermite_shapes(h, xi[g], s, NULL, NULL);
            const double N[2] = {1 - xi[g], xi[g]}, wg = w[g] / b->ncell;
            for (int k = 0; k < f->n; k++) {
                for (int j = 0; j < 4; j++) {
                    f->dual[k * nv + (2 * e + j)] += wg * (2 * k + 1) * P[k] * s[j];
                }
            }
            for (int k = 0; k < f->nt; k++) {
                for (long j = 0; j < 2; j++) {
                    f->tdual[k * nn + (e + j)] += wg * (2 * k + 1) * P[k] * N[j];
                }
            }
        }
    }
}

/* Gauss points over the length, in equal pieces if there are many. */
static void fill_points(const gos_body *b, int pieces, int ng, gos_body_fields *f) {
    const size_t n = f->n, nt = f->nt;
    double x[64], w[64], P[MOST_FIELDS];
    gos__gauss(ng, x, w);
    for (int i = 0; i < f->npoints; i++) {
        const double at = b->length * (i / ng + x[i % ng]) / pieces;
        double *row = f->b + (size_t)i * f->law->nz * n;
        gos__line_polynomials(b, f->n, at, P, row, row + n);
        if (nt) {
            gos__line_polynomials(b, f->nt, at, f->N + i * nt, NULL, NULL);
        }
        f->w[i] = b->length * w[i % ng] / pieces;
        b->ops->reference(b, &(gos_location){.s = at, .node = -1}, f->ref + i * f->law->nref);
    }
}

static gos_status allocate(gos_arena *a, const gos_body *b, gos_body_fields *f) {
    const size_t n = f->n, nt = f->nt, np = f->npoints;
    const size_t nv = b->nv, nn = b->nnode, nf = b->nfam;
    f->value = GOS_NEW(a, double, nv *n + 1);
    f->dual = GOS_NEW(a, double, nv *n + 1);
    f->mass = GOS_NEW(a, double, n *n + 1);
    f->tvalue = GOS_NEW(a, double, nn *nt + 1);
    f->tdual = GOS_NEW(a, double, nn *nt + 1);
    f->capacity = GOS_NEW(a, double, nt *nt *nf *nf + 1);
    f->conduction = GOS_NEW(a, double, nt *nt *nf *nf + 1);
    f->b = GOS_NEW(a, double, np * f->law->nz * n + 1);
    f->N = GOS_NEW(a, double, np *nt + 1);
    f->w = GOS_NEW(a, double, np + 1);
    f->ref = GOS_NEW(a, double, f->law->nref *np + 1);
    return f->value && f->dual && f->mass && f->tvalue && f->tdual && f->capacity &&
                   f->conduction && f->b && f->N && f->w && f->ref
               ? GOS_OK
               : GOS_E_MEMORY;
}

static gos_status cable_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                               int npoints, gos_body_fields *f) {
    const gos_cable_par *par = b->law_par;
    const gos_cable *c = b->par;
    if (n > 0 && (c->own || c->line.shape != GOS_LINE_STRAIGHT)) {
        return gos__fail_at(ctx, GOS_E_INPUT, b->loc, "reduction",
                            "'%s' is tapered or not straight at t = 0, which polynomial fields do "
                            "not support; set `fields: modes`",
                            b->name);
    }
    nt = b->nfam ? nt : 0;
    GOS_TRY(gos__line_check(ctx, b, n > nt ? n : nt));
    const int pieces = npoints > 0 ? (npoints + PANEL - 1) / PANEL : 1;
    const int ng = (npoints + pieces - 1) / pieces;
    *f = (gos_body_fields){.n = n,
                           .nt = nt,
                           .npoints = pieces * ng,
                           .law = b->law,
                           .par = par,
                           .rates = par->gamma > 0 || par->T0 > 0};
    GOS_TRY(allocate(a, b, f));
    fill_values(b, f);
    fill_duals(b, f);
    for (int k = 0; k < n; k++) {
        f->mass[k * n + k] = b->material->density * b->section->A * b->length / (2 * k + 1);
    }
    if (nt) {
        gos__line_thermal(b, f);
    }
    if (npoints > 0) {
        fill_points(b, pieces, ng, f);
    }
    return GOS_OK;
}

typedef struct cable_def {
    gos_line_def line;
    const char *carried_by;
    int quadrature; // 0 full, 1 reduced
    int frame;      // 0 auto, 1 reference, 2 transported
} cable_def;

/* ---- attachment points ----------------------------------------------------------------------- */

static const gos_cable *cable_of(const gos_body *b) {
    return b->par;
}

static gos_status cable_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                               const char *object, gos_location *p) {
    const gos_cable *c = cable_of(b);
    GOS_TRY(gos__line_locate(ctx, b, &c->line, ref, loc, object, p));
    if (c->line.shape != GOS_LINE_STRAIGHT && p->node < 0 && p->face < 0) {
        double w[3][4], xi;
        const int e = gos__cable_element(c, p->s, &xi);
        gos__cable_shapes(c, e, xi, w);
        gos__cable_initial(c, e, w[0], p->x);
    }
    return GOS_OK;
}

/* Marker of r or its derivatives by the stress-free length. */
static gos_status shape_marker(gos_arena *a, const gos_body *b, const gos_location *p,
                               int derivative, gos_marker *m) {
    double w[3][4], xi;
    const int e = gos__cable_element(cable_of(b), p->s, &xi);
    gos__cable_shapes(cable_of(b), e, xi, w);
    if (p->node >= 0 && derivative < 2) { // free of round-off
        const int one = b->v0 + 2 * p->node + derivative;
        const double unit = 1;
        return gos__marker_make(a, 1, &one, &unit, NULL, m);
    }
    int idx[4];
    for (int i = 0; i < 4; i++) {
        idx[i] = b->v0 + 2 * e + i;
    }
    return gos__marker_make(a, 4, idx, w[derivative], NULL, m);
}

static gos_status cable_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                 gos_marker *m) {
    return shape_marker(a, b, p, 0, m);
}

static gos_status cable_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                  const double d[3], gos_marker *m) {
    const gos_cable *c = cable_of(b);
    double w[3][4], t[3], x[3], xi;
    const int e = gos__cable_element(c, p->s, &xi);
    gos__cable_shapes(c, e, xi, w);
    if (p->node >= 0) {
        memcpy(t, c->line.t[p->node], sizeof t);
    } else {
        gos__cable_initial(c, e, w[1], t);
    }
    gos__cross3(t, d, x);
    const double along = gos__dot3(t, d) / gos__dot3(t, t);
    if (!(gos__norm3(x) <= 1e-9 * gos__norm3(d))) {
        return GOS_E_INPUT;
    }
    GOS_TRY(shape_marker(a, b, p, 1, m));
    return gos__marker_sum(a, 1, m, &along, m);
}

static gos_status cable_vectors(gos_arena *a, const gos_body *b, const gos_location *p, int *n,
                                gos_marker m[2]) {
    *n = 1;
    return shape_marker(a, b, p, 1, &m[0]);
}

static gos_status cable_gradients(gos_arena *a, const gos_body *b, const gos_location *p,
                                  gos_marker *z) {
    GOS_TRY(shape_marker(a, b, p, 1, &z[0]));
    GOS_TRY(shape_marker(a, b, p, 2, &z[1]));
    if (b->carrier) {
        z[2] = *b->carrier;
    }
    return GOS_OK;
}

static gos_status cable_station(gos_arena *a, const gos_body *b, const gos_location *p,
                                gos_line_station *at) {
    double w[3][4], xi;
    const int e = gos__cable_element(cable_of(b), p->s, &xi);
    at->length = gos__cable_shapes(cable_of(b), e, xi, w);
    GOS_TRY(shape_marker(a, b, p, 0, &at->x));
    return shape_marker(a, b, p, 1, &at->slope);
}

static gos_status cable_spread(gos_builder *b, const gos_body *body, const gos_location *p,
                               const gos_spread_to *to) {
    const gos_cable *c = cable_of(body);
    return gos__line_spread(b, body, p, c->ne, c->transported || body->carrier, cable_station, to);
}

static gos_status cable_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                    gos_tmarker *tm) {
    double xi;
    const int e = gos__cable_element(cable_of(b), p->s, &xi);
    for (int f = 0; f < b->nfam; f++) {
        const int idx[2] = {b->t0 + e * b->nfam + f, b->t0 + (e + 1) * b->nfam + f};
        const double N[2] = {p->node == e ? 1 : 1 - xi, p->node == e ? 0 : xi};
        GOS_TRY(gos__tmarker_make(a, 2, idx, N, &tm[f]));
    }
    return GOS_OK;
}

/* ---- constant matrices ----------------------------------------------------------------------- */

#define MASS_POINTS 5 // exact to degree 9: two cubics, varying lengths

static void section_at(const gos_body *body, int e, double xi, gos_section *at) {
    const gos_cable *c = cable_of(body);
    *at = *body->section;
    if (c->taper.n) {
        gos__taper_at(&c->taper, (e + xi) * c->h, false, at);
    }
}

/* int rho A s_i s_j of element e */
static void mass_of(const gos_body *body, int e, double m[4][4]) {
    const gos_cable *c = cable_of(body);
    const double h = c->h, rho = body->material->density, rhoA = rho * body->section->A;
    const double alike[4][4] = {{13.0 / 35, 11 * h / 210, 9.0 / 70, -13 * h / 420},
                                {11 * h / 210, h * h / 105, 13 * h / 420, -h * h / 140},
                                {9.0 / 70, 13 * h / 420, 13.0 / 35, -11 * h / 210},
                                {-13 * h / 420, -h * h / 140, -11 * h / 210, h * h / 105}};
    double x[MASS_POINTS], g[MASS_POINTS], w[3][4];
    gos__gauss(MASS_POINTS, x, g);
    for (int i = 0; i < 16; i++) {
        m[i / 4][i % 4] = c->own ? 0 : rhoA * h * alike[i / 4][i % 4];
    }
    for (int q = 0; q < MASS_POINTS && c->own; q++) {
        gos_section at;
        section_at(body, e, x[q], &at);
        const double dm = rho * at.A * h * g[q] * gos__cable_shapes(c, e, x[q], w);
        for (int i = 0; i < 16; i++) {
            m[i / 4][i % 4] += dm * w[0][i / 4] * w[0][i % 4];
        }
    }
}

static gos_status add_mass(gos_builder *b, const gos_body *body) {
    double m[4][4];
    for (int e = 0; e < cable_of(body)->ne; e++) {
        mass_of(body, e, m);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j <= i; j++) {
                GOS_TRY(gos__add_symmetric(b, &b->mass, body->v0 + 2 * e + i, body->v0 + 2 * e + j,
                                           m[i][j]));
            }
        }
    }
    return GOS_OK;
}

// exact to degree 7: two linear functions, second moments of linear sizes
#define HEAT_POINTS 4

/* int cap_f N_i N_j, int cap_f N_i' N_j' and int cond_fq N_i N_j of element e */
static void thermal_of(const gos_body *body, int e, const int node[2], const int family[2],
                       double sum[3]) {
    const gos_section *s = body->section;
    const int i = node[0], j = node[1], f = family[0], in = f * s->nfam + family[1];
    const double h = cable_of(body)->h, m = i == j ? h / 3 : h / 6, g = i == j ? 1 / h : -1 / h;
    if (!body->tapered) {
        sum[0] = s->cap[f] * m;
        sum[1] = s->cap[f] * g;
        sum[2] = s->cond[in] * m;
        return;
    }
    double x[HEAT_POINTS], w[HEAT_POINTS];
    gos_section at;
    gos__gauss(HEAT_POINTS, x, w);
    memset(sum, 0, 3 * sizeof *sum);
    for (int p = 0; p < HEAT_POINTS; p++) {
        const double N[2] = {1 - x[p], x[p]};
        section_at(body, e, x[p], &at);
        sum[0] += h * w[p] * at.cap[f] * N[i] * N[j];
        sum[1] += w[p] * at.cap[f] * g;
        sum[2] += h * w[p] * at.cond[in] * N[i] * N[j];
    }
}

static const char *const coordinates[] = {"position", "slope", NULL};

static const gos_body_ops cable_ops = {
    .coordinates = coordinates,
    .locate = cable_locate,
    .position = cable_position,
    .direction = cable_direction,
    .vectors = cable_vectors,
    .gradients = cable_gradients,
    .temperature = cable_temperature,
    .spread = cable_spread,
    .reference = gos__cable_reference,
    .balance = gos__cable_balance,
    .balanced = gos__cable_balanced,
    .section = gos__cable_section,
    .fields = cable_fields,
    .finish = gos__cable_finish,
};

/* ---- building -------------------------------------------------------------------------------- */

static gos_status add_nodes(gos_builder *b, gos_body *body, const gos_cable *c) {
    const int nn = c->ne + 1;
    double *e0 = GOS_NEW(b->arena, double, 6L * nn);
    int *idx = GOS_NEW(b->arena, int, 7L * nn + 2L * c->ne);
    if (!e0 || !idx) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < nn; i++) {
        for (int k = 0; k < 3; k++) {
            e0[6 * i + k] = c->line.x[i][k];
            e0[6 * i + 3 + k] = c->line.t[i][k];
        }
    }
    GOS_TRY(gos__add_vectors(b, 2 * nn, e0, 0, &body->v0));
    body->nv = 2 * nn;
    int *v = idx, *slope = idx + nn, *t = idx + 2 * nn, *turn = idx + 3 * nn;
    int *cell = idx + 7 * nn;
    for (int i = 0; i < nn; i++) {
        v[i] = body->v0 + 2 * i;
        slope[i] = v[i] + 1;
        turn[4 * i] = turn[4 * i + 2] = slope[i]; // position and slope rotate with the tangent
        turn[4 * i + 1] = turn[4 * i + 3] = -1;
        b->trans[v[i]] = 1;
    }
    if (body->nfam) {
        GOS_TRY(gos__add_temperatures(b, nn * body->nfam, &body->t0));
        body->nt = nn * body->nfam;
        for (int i = 0; i < nn; i++) {
            t[i] = body->t0 + i * body->nfam;
            b->tmean[t[i]] = 1;
        }
    }
    for (int e = 0; e < c->ne; e++) {
        cell[2 * e] = e;
        cell[2 * e + 1] = e + 1;
    }
    body->nnode = nn;
    body->node_v = v;
    body->node_slope = slope;
    body->turn = turn;
    body->node_t = body->nfam ? t : NULL;
    body->cell_size = 2;
    body->ncell = c->ne;
    body->cell = cell;
    return GOS_OK;
}

static const gos_param cable_params[] = {
    GOS_LINE_PARAMS(cable_def, "16", "number of equal elements",
                    "reference vector close to local z at t = 0; zero: normal to the plane of a "
                    "curved axis; else e3, or e2 for a body within 20 degrees of e3"),
    {.name = "carried_by",
     .kind = GOS_K_TEXT,
     .unit = "",
     .def = "ground",
     .offset = offsetof(cable_def, carried_by),
     .doc = "rigid body with which the reference vector rotates, or ground (fixed in space). A "
            "cable has no torsion; the section directions, with temperature gradients and bending "
            "damping, rotate with this body"},
    {.name = "frame",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .offset = offsetof(cable_def, frame),
     .choices = "auto|reference|transported",
     .doc = "reference: section directions from the reference vector, singular if the tangent is "
            "parallel to it; transported: rotates minimally with the tangent from step to step, "
            "without a singular direction. The section orientation then depends on the path: a "
            "closed path of the tangent rotates it by the enclosed solid angle. auto: transported "
            "if neither normal nor carried_by is given and gravity acts along the default normal, "
            "because the tangent may then rotate towards it; else reference"},
    {.name = "quadrature",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "full",
     .offset = offsetof(cable_def, quadrature),
     .choices = "full|reduced",
     .doc = "full: 5 Gauss points for all terms; reduced: 2 for the axial term, against membrane "
            "locking of coarse thin cables (clamp the root rigidly)"},
    GOS_BODY_TEMPERATURE(cable_def, line.temperature),
    {0},
};

/* Whether gravity acts along the default reference vector, so that the cable may turn towards
 * it. */
static bool may_meet(const gos_builder *b, const gos_node *entry, const double v[3]) {
    return !gos__node_given(entry, "normal") && !gos__node_given(entry, "carried_by") &&
           fabs(gos__dot3(b->gravity, v)) > 1e-6 * gos__norm3(b->gravity);
}

/* Sections of a stress-free curved axis rotate with it; without torsion only the reference vector
 * can prescribe that. */
static gos_status check_curved(gos_builder *b, const gos_node *entry, const char *object,
                               const gos_cable *c, const double v[3]) {
    if (c->transported) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "frame"), object,
                            "transported frames do not rotate with a curved cable that moves out "
                            "of its plane; use 'frame: reference' or an ancf_beam");
    }
    const bool carried = strcmp(c->carried_by, "ground") != 0;
    for (int i = 0; i <= c->line.last; i++) {
        const double along = fabs(gos__dot3(c->line.t[i], v));
        if (!carried && along > 1e-6) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, entry->loc, object,
                "the axis is not in the plane normal to the reference vector (normal); without "
                "torsion a curved cable cannot bend correctly there; use an ancf_beam, or give in "
                "carried_by the body with which its sections rotate");
        }
        if (along > 0.98) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "normal"), object,
                                "the reference vector (normal) is parallel to the axis at s = %.4g "
                                "m; give one that is not parallel to it anywhere",
                                c->line.spacing * i);
        }
    }
    return GOS_OK;
}

static gos_status make_axis(gos_builder *b, const gos_node *entry, const char *object,
                            const cable_def *d, gos_cable *c, gos_body *body) {
    GOS_TRY(gos__line_make(b, entry, object, &d->line, d->line.elements, &c->line));
    c->reduced = d->quadrature == 1;
    c->carried_by = d->carried_by;
    const gos_node *carried_by = gos__node_get(entry, "carried_by");
    c->carried_loc = carried_by ? carried_by->loc : entry->loc;
    c->ne = d->line.elements;
    c->h = c->line.spacing;
    body->length = c->line.length;
    memcpy(body->v_ref, c->line.v[0], sizeof body->v_ref);
    if (d->frame == 2 && strcmp(d->carried_by, "ground") != 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "frame"), object,
                            "a transported frame follows only the cable; remove carried_by, or use "
                            "'frame: reference'");
    }
    const bool curved = c->line.shape == GOS_LINE_CURVED;
    c->transported = d->frame == 2 || (d->frame == 0 && !curved && may_meet(b, entry, body->v_ref));
    GOS_TRY(gos__line_taper(b, entry, object, &d->line, &c->line, &c->taper));
    body->tapered = c->taper.n > 0;
    c->own = curved || body->tapered;
    return curved ? check_curved(b, entry, object, c, body->v_ref) : GOS_OK;
}

static gos_status cable_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                              const char *name, const char *object) {
    GOS_UNUSED(type);
    cable_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, cable_params, object, b->arena, &d));
    const gos_material *mat = gos__find_material(b, d.line.material);
    const gos_section *sec = gos__find_section(b, d.line.section);
    gos_cable *c = GOS_NEW(b->arena, gos_cable, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = "ancf_cable",
                     .loc = entry->loc,
                     .ops = &cable_ops,
                     .material = mat,
                     .section = sec,
                     .rigid_item = -1,
                     .par = c};
    if (!c || !body.name) {
        return GOS_E_MEMORY;
    }
    if (!mat || !sec) {
        return GOS_E_INPUT; // already reported
    }
    GOS_TRY(gos__body_heat(b, entry, object, d.line.temperature, &body));
    const double nodes = 1.0 + d.line.elements;
    GOS_TRY(gos__take_room(b, 1, 2 * nodes, nodes * body.nfam, gos__key_loc(entry, "elements"),
                           object));
    GOS_TRY(make_axis(b, entry, object, &d, c, &body));
    c->par = (gos_cable_par){.EA = mat->young * sec->A,
                             .EIz = mat->young * sec->Iz,
                             .EIy = mat->young * sec->Iy,
                             .gamma = mat->gamma_n,
                             .alpha = mat->expansion,
                             .T0 = b->gough_joule && body.nfam ? b->T_ref : 0,
                             .viscous = b->viscous_heating && body.nfam ? 1 : 0};
    GOS_TRY(add_nodes(b, &body, c));
    gos_body *added;
    GOS_TRY(gos__add_body(b, &body, &added));
    GOS_TRY(add_mass(b, added));
    return added->nfam ? gos__line_add_heat(b, added, cable_of(added)->ne, 2, thermal_of) : GOS_OK;
}

static const gos_build_ops cable_build_ops = {.build = cable_build};

const gos_type gos__body_cable = {
    .section = "bodies",
    .name = "ancf_cable",
    .doc = "Thin beam with large motion and deformation: gradient-deficient ANCF cable, 6 "
           "coordinates per node (position and slope), without torsion; temperature along the axis "
           "and across the section. The axis is straight, curved or slack at t = 0.",
    .params = cable_params,
    .size = sizeof(cable_def),
    .example = "rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], "
               "to: [1.2, 0, 0], elements: 16}",
    .ops = &cable_build_ops,
};
