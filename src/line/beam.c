/* Body type ancf_beam: ANCF beam with shear and torsion (theory 2.7). Elements have three nodes
 * with 9 coordinates each: r and section vectors a = dr/dy, b = dr/dz; temperatures are quadratic
 * along the axis. This file: mesh and attachment points. */
#include "bodies/bodies.h"

#include <math.h>

#include "line/beam_element.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "line/line.h"

/* Temperature functions of the beam for reduced models (theory 8): Legendre polynomials. The motion
 * is reduced by modes. */

/* Functions at the nodes, and amplitudes (2k + 1)/l int P_k u dx, u quadratic in each element. */
static void fill_functions(const gos_body *b, gos_body_fields *f) {
    const int ne = (b->nnode - 1) / 2, ng = (f->nt + 3) / 2;
    const double h = b->length / ne;
    double xi[64], w[64], P[GOS_LINE_FIELDS], N[3], dN[3];
    for (int i = 0; i < b->nnode; i++) {
        gos__line_polynomials(b, f->nt, 0.5 * h * i, f->tvalue + i * f->nt, NULL, NULL);
    }
    gos__gauss(ng, xi, w);
    for (int e = 0; e < ne; e++) {
        for (int g = 0; g < ng; g++) {
            gos__line_polynomials(b, f->nt, h * (e + xi[g]), P, NULL, NULL);
            gos__lagrange3(h, xi[g], N, dN);
            for (int k = 0; k < f->nt; k++) {
                for (int j = 0; j < 3; j++) {
                    f->tdual[k * b->nnode + 2 * e + j] += w[g] / ne * (2 * k + 1) * P[k] * N[j];
                }
            }
        }
    }
}

/* gos_body_ops.fields: temperatures only; GOS_E_INPUT if n > 0. */
static gos_status beam_fields(gos_ctx *ctx, gos_arena *a, const gos_body *b, int n, int nt,
                              int npoints, gos_body_fields *f) {
    GOS_UNUSED(npoints);
    if (n > 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, b->loc, "reduction",
                            "'%s' is a beam with section vectors, which does not support "
                            "polynomial fields; set `fields: modes`",
                            b->name);
    }
    nt = b->nfam ? nt : 0;
    GOS_TRY(gos__line_check(ctx, b, nt));
    *f = (gos_body_fields){.nt = nt};
    const int all = nt * b->nfam;
    f->tvalue = GOS_NEW(a, double, b->nnode *nt + 1);
    f->tdual = GOS_NEW(a, double, b->nnode *nt + 1);
    f->capacity = GOS_NEW(a, double, all *all + 1);
    f->conduction = GOS_NEW(a, double, all *all + 1);
    if (!f->tvalue || !f->tdual || !f->capacity || !f->conduction) {
        return GOS_E_MEMORY;
    }
    if (nt) {
        fill_functions(b, f);
        gos__line_thermal(b, f);
    }
    return GOS_OK;
}

#define NODE GOS_BEAM_NODE

typedef struct beam_def {
    gos_line_def line;
    double penalty;
    double offset[2]; // [m]
} beam_def;

static const gos_beam *beam_of(const gos_body *b) {
    return b->par;
}

/* ---- attachment points ----------------------------------------------------------------------- */

static gos_status beam_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                              const char *object, gos_location *p) {
    const gos_beam *m = beam_of(b);
    GOS_TRY(gos__line_locate(ctx, b, &m->line, ref, loc, object, p));
    if (m->line.shape != GOS_LINE_STRAIGHT && p->node < 0 && p->face < 0) {
        double N[3], dN[3], xi;
        const int e = gos__beam_element_at(m, p, &xi);
        gos__beam_shapes(m, e, xi, N, dN);
        gos__beam_initial(m, e, 0, N, p->x);
    }
    return GOS_OK;
}

/* @return first node of the element */
static int shapes_at(const gos_body *b, const gos_location *p, double N[3], double dN[3]) {
    double xi;
    const int e = gos__beam_element_at(beam_of(b), p, &xi);
    gos__beam_shapes(beam_of(b), e, xi, N, dN);
    return 2 * e;
}

/* Makes the marker of vector `which` (0: r, 1: a, 2: b), weighted over the nodes. */
static gos_status node_marker(gos_arena *a, const gos_body *b, int first, int which,
                              const double w[3], gos_marker *m) {
    const int at = b->v0 + NODE * first + which;
    const int idx[3] = {at, at + NODE, at + 2 * NODE};
    return gos__marker_make(a, 3, idx, w, NULL, m);
}

static gos_status beam_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                gos_marker *m) {
    double N[3], dN[3];
    const int first = shapes_at(b, p, N, dN);
    return node_marker(a, b, first, 0, N, m);
}

static gos_status beam_vectors(gos_arena *a, const gos_body *b, const gos_location *p, int *n,
                               gos_marker m[2]) {
    double N[3], dN[3];
    const int first = shapes_at(b, p, N, dN);
    *n = 2;
    GOS_TRY(node_marker(a, b, first, 1, N, &m[0]));
    return node_marker(a, b, first, 2, N, &m[1]);
}

/* Expands d in a and b, which are not exactly orthogonal between nodes. */
static gos_status beam_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                 const double d[3], gos_marker *m) {
    double N[3], dN[3], x[2][3], n[3];
    const int first = shapes_at(b, p, N, dN);
    gos__beam_initial(beam_of(b), first / 2, 1, N, x[0]);
    gos__beam_initial(beam_of(b), first / 2, 2, N, x[1]);
    gos__cross3(x[0], x[1], n);
    if (!(fabs(gos__dot3(n, d)) <= 1e-9 * gos__norm3(n) * gos__norm3(d))) {
        return GOS_E_INPUT;
    }
    const double aa = gos__dot3(x[0], x[0]), ab = gos__dot3(x[0], x[1]), bb = gos__dot3(x[1], x[1]);
    const double da = gos__dot3(x[0], d), db = gos__dot3(x[1], d), det = aa * bb - ab * ab;
    const double part[2] = {(bb * da - ab * db) / det, (aa * db - ab * da) / det};
    gos_marker v[2];
    int count;
    GOS_TRY(beam_vectors(a, b, p, &count, v));
    return gos__marker_sum(a, 2, v, part, m);
}

static gos_status beam_gradients(gos_arena *a, const gos_body *b, const gos_location *p,
                                 gos_marker *z) {
    double N[3], dN[3];
    const int first = shapes_at(b, p, N, dN);
    const double *const y = beam_of(b)->offset;
    gos_marker axis[3];
    for (int i = 0; i < 3; i++) {
        GOS_TRY(node_marker(a, b, first, i, dN, &axis[i]));
    }
    GOS_TRY(gos__marker_sum(a, 3, axis, (const double[]){1, y[0], y[1]}, &z[0]));
    for (int i = 1; i < 3; i++) {
        GOS_TRY(node_marker(a, b, first, i, N, &z[i]));
        GOS_TRY(node_marker(a, b, first, i, dN, &z[2 + i]));
    }
    return GOS_OK;
}

/* Gauss points of the element, free of locking, and weights for linear interpolation. */
static int beam_section_points(const gos_body *b, const gos_location *p, gos_location *at,
                               double *weight) {
    const gos_beam *m = beam_of(b);
    double x[2], w[2], xi;
    const int e = gos__beam_element_at(m, p, &xi);
    gos__gauss(2, x, w);
    for (int i = 0; i < 2; i++) {
        at[i] = *p;
        at[i].node = at[i].face = -1;
        at[i].s = (e + x[i]) * m->h;
        weight[i] = (xi - x[1 - i]) / (x[i] - x[1 - i]);
    }
    return 2;
}

static gos_status beam_station(gos_arena *a, const gos_body *b, const gos_location *p,
                               gos_line_station *at) {
    const gos_beam *m = beam_of(b);
    double N[3], dN[3], xi;
    const int e = gos__beam_element_at(m, p, &xi), first = 2 * e;
    const double by[3] = {1, m->offset[0], m->offset[1]};
    gos_marker part[3];
    at->directed = true;
    at->length = gos__beam_shapes(m, e, xi, N, dN);
    for (int i = 0; i < 3; i++) {
        GOS_TRY(node_marker(a, b, first, i, dN, &part[i]));
    }
    GOS_TRY(gos__marker_sum(a, 3, part, by, &at->slope));
    for (int i = 0; i < 3; i++) {
        GOS_TRY(node_marker(a, b, first, i, N, &part[i]));
    }
    at->d[0] = part[1];
    at->d[1] = part[2];
    return gos__marker_sum(a, 3, part, by, &at->x);
}

static gos_status beam_spread(gos_builder *b, const gos_body *body, const gos_location *p,
                              const gos_spread_to *to) {
    return gos__line_spread(b, body, p, beam_of(body)->ne, false, beam_station, to);
}

static gos_status beam_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                   gos_tmarker *tm) {
    double N[3], dN[3];
    const int first = shapes_at(b, p, N, dN);
    for (int f = 0; f < b->nfam; f++) {
        const int at = b->t0 + first * b->nfam + f;
        const int idx[3] = {at, at + b->nfam, at + 2 * b->nfam};
        GOS_TRY(gos__tmarker_make(a, 3, idx, N, &tm[f]));
    }
    return GOS_OK;
}

static const char *const coordinates[] = {"position", "section_y", "section_z", NULL};

static const gos_body_ops beam_ops = {
    .coordinates = coordinates,
    .locate = beam_locate,
    .position = beam_position,
    .direction = beam_direction,
    .vectors = beam_vectors,
    .gradients = beam_gradients,
    .section_points = beam_section_points,
    .temperature = beam_temperature,
    .spread = beam_spread,
    .reference = gos__beam_reference,
    .section = gos__beam_section_at,
    .fields = beam_fields,
};

/* ---- building -------------------------------------------------------------------------------- */

static void fill_nodes(gos_builder *b, const gos_body *body, int *v, int *t, int *turn, int *cell) {
    for (int i = 0; i < body->nnode; i++) {
        v[i] = body->v0 + NODE * i;
        b->trans[v[i]] = 1;
        for (int k = 0; k < NODE; k++) { // all vectors rotate with the section
            turn[2 * (NODE * i + k)] = v[i] + 1;
            turn[2 * (NODE * i + k) + 1] = v[i] + 2;
        }
        if (body->nfam) {
            t[i] = body->t0 + i * body->nfam;
            b->tmean[t[i]] = 1;
        }
    }
    for (int i = 0; i < body->nnode - 1; i++) {
        cell[2 * i] = i;
        cell[2 * i + 1] = i + 1;
    }
}

static gos_status add_nodes(gos_builder *b, gos_body *body, const gos_beam *m) {
    const int nn = body->nnode = 2 * m->ne + 1;
    double *e0 = GOS_NEW(b->arena, double, 3 * NODE * (size_t)nn);
    int *idx = GOS_NEW(b->arena, int, (4 + 2 * NODE) * (size_t)nn);
    if (!e0 || !idx) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < nn; i++) {
        double *e = e0 + 3 * NODE * i;
        for (int k = 0; k < 3; k++) {
            e[k] = m->line.x[i][k];
            e[3 + k] = m->d[i][k];
            e[6 + k] = m->line.v[i][k];
        }
    }
    GOS_TRY(gos__add_vectors(b, NODE * nn, e0, 0, &body->v0));
    body->nv = NODE * nn;
    if (body->nfam) {
        GOS_TRY(gos__add_temperatures(b, nn * body->nfam, &body->t0));
        body->nt = nn * body->nfam;
    }
    fill_nodes(b, body, idx, idx + nn, idx + 2 * nn, idx + (2 + 2 * NODE) * nn);
    body->node_v = idx;
    body->node_t = body->nfam ? idx + nn : NULL;
    body->turn = idx + 2 * nn;
    body->cell_size = 2;
    body->ncell = nn - 1;
    body->cell = idx + (2 + 2 * NODE) * nn;
    return GOS_OK;
}

static const gos_param beam_params[] = {
    GOS_LINE_PARAMS(beam_def, "8",
                    "number of equal elements with three nodes each, node(0) to node(2 elements)",
                    "local z of the section at the start at t = 0 (made orthogonal to the axis), "
                    "carried along a curve by minimal rotations; zero: normal to the plane of a "
                    "curved axis; else e3, or e2 for a body within 20 degrees of e3"),
    {.name = "section_penalty",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 1e6,
     .flags = GOS_P_LO_OPEN,
     .def = "10",
     .offset = offsetof(beam_def, penalty),
     .doc = "stiffness against distortion of the section, as a factor of the material's; relevant "
            "only if both shear strains are large"},
    {.name = "offset",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 2,
     .def = "[0, 0]",
     .offset = offsetof(beam_def, offset),
     .doc = "offset of the section centroids from the axis of the nodes, along local y and z; "
            "couples extension and bending in stiffness and mass. Section forces and temperatures "
            "refer to the centroid"},
    GOS_BODY_TEMPERATURE(beam_def, line.temperature),
    {0},
};

static gos_status make_axis(gos_builder *b, const gos_node *entry, const char *object,
                            const gos_line_def *def, gos_beam *m, gos_body *body) {
    GOS_TRY(gos__line_make(b, entry, object, def, 2 * def->elements, &m->line));
    body->length = m->line.length;
    memcpy(body->v_ref, m->line.v[0], sizeof body->v_ref);
    m->ne = def->elements;
    m->h = body->length / def->elements;
    GOS_TRY(gos__line_taper(b, entry, object, def, &m->line, &m->taper));
    body->tapered = m->taper.n > 0;
    m->own = m->line.shape == GOS_LINE_CURVED || body->tapered;
    m->d = gos__arena_alloc(b->arena, 2 * (size_t)m->ne + 1, sizeof *m->d);
    if (!m->d) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i <= m->line.last; i++) {
        gos__cross3(m->line.v[i], m->line.t[i], m->d[i]);
    }
    return GOS_OK;
}

static gos_status beam_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                             const char *name, const char *object) {
    GOS_UNUSED(type);
    beam_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, beam_params, object, b->arena, &d));
    const gos_material *mat = gos__find_material(b, d.line.material);
    const gos_section *sec = gos__find_section(b, d.line.section);
    gos_beam *m = GOS_NEW(b->arena, gos_beam, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = "ancf_beam",
                     .loc = entry->loc,
                     .ops = &beam_ops,
                     .material = mat,
                     .section = sec,
                     .rigid_item = -1,
                     .par = m};
    if (!m || !body.name) {
        return GOS_E_MEMORY;
    }
    if (!mat || !sec) {
        return GOS_E_INPUT; // already reported
    }
    GOS_TRY(gos__body_heat(b, entry, object, d.line.temperature, &body));
    const double nodes = 1.0 + 2.0 * d.line.elements;
    GOS_TRY(gos__take_room(b, 1, NODE * nodes, nodes * body.nfam, gos__key_loc(entry, "elements"),
                           object));
    m->penalty = d.penalty;
    memcpy(m->offset, d.offset, sizeof m->offset);
    GOS_TRY(make_axis(b, entry, object, &d.line, m, &body));
    m->par = (gos_beam_par){.gamma_n = mat->gamma_n,
                            .gamma_s = mat->gamma_s,
                            .alpha = mat->expansion,
                            .T0 = b->gough_joule && body.nfam ? b->T_ref : 0,
                            .viscous = b->viscous_heating && body.nfam ? 1 : 0};
    gos__beam_stiffness(&body, sec, m->par.axis, m->par.section);
    body.law = m->own ? &gos__beam_axis_own : &gos__beam_axis;
    body.law_par = &m->par;
    GOS_TRY(add_nodes(b, &body, m));
    gos_body *added;
    GOS_TRY(gos__add_body(b, &body, &added));
    GOS_TRY(gos__beam_add_matrices(b, added));
    return gos__beam_add_points(b, added, mat->gamma_n > 0 || mat->gamma_s > 0 || m->par.T0 > 0);
}

static const gos_build_ops beam_build_ops = {.build = beam_build};

const gos_type gos__body_beam = {
    .section = "bodies",
    .name = "ancf_beam",
    .doc = "Beam with shear, torsion and large motion: positions and two section vectors at three "
           "nodes per element, order 4; temperature along the axis and across the section.",
    .params = beam_params,
    .size = sizeof(beam_def),
    .example = "boom: {type: ancf_beam, material: steel, section: bar, from: [0, 0, 0], "
               "to: [2, 0, 0], elements: 8}",
    .ops = &beam_build_ops,
};
