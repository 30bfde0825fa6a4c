/* Body type ancf_beam: section-vector beam with shear and torsion (theory 2.7), elements of three
   nodes with 9 coordinates each: position r and the section vectors a = dr/dy, b = dr/dz.
   Temperatures in the section's families, quadratic along the axis like the positions. Mesh and
   tables only; the laws are in kernel_beam.c.

   Two point blocks: the axis at two Gauss points of each element (three would lock), the section at
   the nodes with Simpson's weights (Gauss points alone leave motions without energy). */
#include "bodies/beam.h"

#include <math.h>

#include "bodies/beam_fields.h"
#include "bodies/beam_law.h"
#include "bodies/line.h"
#include "math/gauss.h"
#include "parts/marker.h"
#include "parts/section.h"
#include "parts/vec3.h"

#define L GOS_LANES
#define NODE 3 // vector coordinates of a node: r, a, b

typedef struct beam_def {
    gos_line_def line;
    double penalty;
} beam_def;

typedef struct beam {
    gos_line line;
    double h;     // element length [m]
    int ne;       // elements
    double d2[3]; // local y at t = 0; local z is the body's v_ref
    gos_beam_par par;
} beam;

static const beam *beam_of(const gos_body *b) {
    return b->par;
}

/* ---- places -------------------------------------------------------------------------------------- */

static gos_status beam_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                              const char *object, gos_place *p) {
    return gos__line_locate(ctx, b, &beam_of(b)->line, ref, loc, object, p);
}

/* shape functions N and their derivatives at a place; the first node of its element */
static int shapes_at(const gos_body *b, const gos_place *p, double N[3], double dN[3]) {
    const beam *m = beam_of(b);
    int e = (int)floor(p->s / m->h);
    e = e < 0 ? 0 : (e >= m->ne ? m->ne - 1 : e);
    /* exactly at a node, so that no round-off of s couples it to its neighbours */
    const double xi = p->node >= 0 ? 0.5 * (p->node - 2 * e) : p->s / m->h - e;
    gos__lagrange3(m->h, xi, N, dN);
    return 2 * e;
}

/* vector `which` of the nodes (0: r, 1: a, 2: b) with these weights */
static gos_status node_marker(gos_arena *a, const gos_body *b, int first, int which,
                              const double w[3], gos_marker *m) {
    const int at = b->v0 + NODE * first + which;
    const int idx[3] = {at, at + NODE, at + 2 * NODE};
    return gos__marker_make(a, 3, idx, w, NULL, m);
}

static gos_status beam_position(gos_arena *a, const gos_body *b, const gos_place *p,
                                gos_marker *m) {
    double N[3], dN[3];
    const int first = shapes_at(b, p, N, dN);
    return node_marker(a, b, first, 0, N, m);
}

static gos_status beam_vectors(gos_arena *a, const gos_body *b, const gos_place *p, int *n,
                               gos_marker m[2]) {
    double N[3], dN[3];
    const int first = shapes_at(b, p, N, dN);
    *n = 2;
    GOS_TRY(node_marker(a, b, first, 1, N, &m[0]));
    return node_marker(a, b, first, 2, N, &m[1]);
}

static gos_status beam_direction(gos_arena *a, const gos_body *b, const gos_place *p,
                                 const double d[3], gos_marker *m) {
    const beam *bm = beam_of(b);
    const double part[2] = {gos__dot3(bm->d2, d), gos__dot3(b->v_ref, d)};
    if (!(fabs(gos__dot3(bm->line.tangent, d)) <= 1e-9 * gos__norm3(d))) {
        return GOS_E_INPUT;
    }
    gos_marker v[2];
    int n;
    GOS_TRY(beam_vectors(a, b, p, &n, v));
    return gos__marker_sum(a, 2, v, part, m);
}

static gos_status beam_gradients(gos_arena *a, const gos_body *b, const gos_place *p,
                                 gos_marker *z) {
    double N[3], dN[3];
    const int first = shapes_at(b, p, N, dN);
    GOS_TRY(node_marker(a, b, first, 0, dN, &z[0]));
    for (int i = 1; i < 3; i++) {
        GOS_TRY(node_marker(a, b, first, i, N, &z[i]));
        GOS_TRY(node_marker(a, b, first, i, dN, &z[2 + i]));
    }
    return GOS_OK;
}

static gos_status beam_temperature(gos_arena *a, const gos_body *b, const gos_place *p,
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

static const gos_body_ops beam_ops = {
    .locate = beam_locate,
    .position = beam_position,
    .direction = beam_direction,
    .vectors = beam_vectors,
    .gradients = beam_gradients,
    .temperature = beam_temperature,
    .fields = gos__beam_fields,
};

/* ---- constant matrices --------------------------------------------------------------------------- */

/* int N_i N_j and int N_i' N_j' of a unit element */
static const double mass3[3][3] = {{4.0 / 30, 2.0 / 30, -1.0 / 30},
                                   {2.0 / 30, 16.0 / 30, 2.0 / 30},
                                   {-1.0 / 30, 2.0 / 30, 4.0 / 30}};
static const double slope3[3][3] = {
    {7.0 / 3, -8.0 / 3, 1.0 / 3}, {-8.0 / 3, 16.0 / 3, -8.0 / 3}, {1.0 / 3, -8.0 / 3, 7.0 / 3}};

/* translation, and rotary inertia of the section in a and b */
static gos_status add_mass(gos_builder *b, const gos_body *body) {
    const beam *m = beam_of(body);
    const gos_section *s = body->section;
    const double part[NODE] = {s->A, s->Iz, s->Iy};
    for (int e = 0; e < m->ne; e++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j <= i; j++) {
                for (int k = 0; k < NODE; k++) {
                    const int row = body->v0 + NODE * (2 * e + i) + k;
                    GOS_TRY(
                        gos__add_symmetric(b, &b->mass, row, row - NODE * (i - j),
                                           body->material->density * part[k] * m->h * mass3[i][j]));
                }
            }
        }
    }
    return GOS_OK;
}

/* entries of nodes i, j of element e: capacity, conduction along the axis and within the section */
static gos_status add_thermal_pair(gos_builder *b, const gos_body *body, int e, int i, int j) {
    const beam *m = beam_of(body);
    const gos_material *mat = body->material;
    const gos_section *s = body->section;
    const int nf = s->nfam;
    for (int f = 0; f < nf; f++) {
        const int row = body->t0 + (2 * e + i) * nf + f;
        for (int q = 0; q < nf; q++) {
            const int col = body->t0 + (2 * e + j) * nf + q;
            const double k = mat->conductivity * (s->cond[f * nf + q] * m->h * mass3[i][j] +
                                                  (f == q ? s->cap[f] * slope3[i][j] / m->h : 0));
            if (col <= row && k != 0) { // the helper enters both triangles
                GOS_TRY(gos__add_symmetric(b, &b->conduction, row, col, k));
            }
        }
        const int col = body->t0 + (2 * e + j) * nf + f;
        if (col <= row) {
            GOS_TRY(gos__add_symmetric(b, &b->capacity, row, col,
                                       mat->density * mat->specific_heat * s->cap[f] * m->h *
                                           mass3[i][j]));
        }
    }
    return GOS_OK;
}

static gos_status add_thermal(gos_builder *b, const gos_body *body) {
    for (int e = 0; e < beam_of(body)->ne; e++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                GOS_TRY(add_thermal_pair(b, body, e, i, j));
            }
        }
    }
    return GOS_OK;
}

/* ---- points -------------------------------------------------------------------------------------- */

/* arrays of a block whose layout is set */
static gos_status allocate(gos_builder *b, gos_points *p) {
    const int nz = p->law->nz;
    p->nb = (p->ne + L - 1) / L;
    p->v = GOS_NEW(b->arena, int, p->nb * p->nv * L);
    p->tab = GOS_NEW(b->arena, int, p->nb);
    p->b = GOS_NEW(b->arena, double, p->ntab * p->ng * nz * p->nv * L);
    p->w = GOS_NEW(b->arena, double, p->ntab * p->ng * L);
    if (p->nt) {
        p->N = GOS_NEW(b->arena, double, p->ntab * p->ng * p->nt * L);
        p->th = GOS_NEW(b->arena, int, p->nb * p->nt * p->nfam * L);
    }
    return p->v && p->tab && p->b && p->w && (!p->nt || (p->N && p->th)) ? GOS_OK : GOS_E_MEMORY;
}

/* coordinates of element e of a block in its lane: nodes from `node` on, vectors from `which` on */
static void number_element(const gos_points *p, const gos_body *body, int e, int lane, int node,
                           int nnode, int which) {
    const int ib = e / L, per = p->nv / nnode;
    for (int i = 0; i < nnode; i++) {
        for (int k = 0; k < per; k++) {
            p->v[(ib * p->nv + i * per + k) * L + lane] = body->v0 + NODE * (node + i) + which + k;
        }
        for (int f = 0; f < p->nfam && p->nt; f++) {
            p->th[((ib * p->nt + i) * p->nfam + f) * L + lane] =
                body->t0 + (node + i) * p->nfam + f;
        }
    }
}

/* tables of one element for all lanes: two Gauss points; weight 0 in the lanes beyond `lanes` */
static void fill_axis(const gos_points *p, double h, int tab, int lanes) {
    double x[2], w[2], N[3], dN[3];
    gos__gauss(2, x, w);
    for (int g = 0; g < 2; g++) {
        const int k = tab * 2 + g;
        gos__lagrange3(h, x[g], N, dN);
        for (int i = 0; i < 3; i++) {
            /* p = sum N' r; a, b with N; a', b' with N' */
            const double value[5] = {dN[i], N[i], N[i], dN[i], dN[i]};
            const int of[5] = {0, 1, 2, 1, 2};
            for (int q = 0; q < 5; q++) {
                for (int l = 0; l < L; l++) {
                    p->b[((k * 5 + q) * p->nv + NODE * i + of[q]) * L + l] = value[q];
                }
            }
            for (int l = 0; l < L && p->nt; l++) {
                p->N[(k * 3 + i) * L + l] = N[i];
            }
        }
        for (int l = 0; l < L; l++) {
            p->w[k * L + l] = l < lanes ? h * w[g] : 0;
        }
    }
}

static gos_status add_axis(gos_builder *b, const gos_body *body, bool rates) {
    const beam *m = beam_of(body);
    const int rest = m->ne % L;
    gos_points p = {.law = &gos__beam_axis,
                    .par = &m->par,
                    .body = body->index,
                    .ne = m->ne,
                    .ng = 2,
                    .nv = 3 * NODE,
                    .nt = body->nfam ? 3 : 0,
                    .nfam = body->nfam,
                    .rates = rates,
                    .surface = true,
                    .ntab = rest && m->ne > L ? 2 : 1};
    GOS_TRY(allocate(b, &p));
    for (int i = 0; i < p.nb * L; i++) {
        const int e = i < m->ne ? i : i / L * L; // filled up with the batch's first
        number_element(&p, body, i, i % L, 2 * e, 3, 0);
    }
    fill_axis(&p, m->h, 0, p.ntab == 1 && rest ? rest : L);
    if (p.ntab == 2) {
        fill_axis(&p, m->h, 1, rest);
        p.tab[p.nb - 1] = 1;
    }
    return gos__add_points(b, &p);
}

/* one element for each node, whose weight is Simpson's from the elements that share it */
static gos_status add_section(gos_builder *b, const gos_body *body, bool rates) {
    const beam *m = beam_of(body);
    gos_points p = {.law = &gos__beam_section,
                    .par = &m->par,
                    .body = body->index,
                    .ne = body->nnode,
                    .ng = 1,
                    .nv = 2,
                    .nt = body->nfam ? 1 : 0,
                    .nfam = body->nfam,
                    .rates = rates,
                    .ntab = (body->nnode + L - 1) / L};
    GOS_TRY(allocate(b, &p));
    for (int i = 0; i < p.nb * L; i++) {
        const int ib = i / L, l = i % L, node = i < body->nnode ? i : ib * L;
        const bool end = node == 0 || node == body->nnode - 1;
        number_element(&p, body, i, l, node, 1, 1);
        p.tab[ib] = ib;
        p.b[(ib * 4 + 0) * L + l] = p.b[(ib * 4 + 3) * L + l] = 1; // z is (a, b) itself
        p.w[i] = i < body->nnode ? m->h / 6 * (node % 2 ? 4 : end ? 1 : 2) : 0;
        if (p.nt) {
            p.N[i] = 1;
        }
    }
    return gos__add_points(b, &p);
}

/* ---- building ------------------------------------------------------------------------------------ */

static void fill_nodes(gos_builder *b, const gos_body *body, int *v, int *t, int *turn, int *cell) {
    for (int i = 0; i < body->nnode; i++) {
        v[i] = body->v0 + NODE * i;
        b->trans[v[i]] = 1;
        for (int k = 0; k < NODE; k++) { // everything turns with the section
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

static gos_status add_nodes(gos_builder *b, gos_body *body, const beam *m) {
    const int nn = body->nnode = 2 * m->ne + 1;
    double *e0 = GOS_NEW(b->arena, double, 3 * NODE * (size_t)nn);
    int *idx = GOS_NEW(b->arena, int, (4 + 2 * NODE) * (size_t)nn);
    if (!e0 || !idx) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < nn; i++) {
        double *e = e0 + 3 * NODE * i;
        for (int k = 0; k < 3; k++) {
            e[k] = m->line.from[k] + m->line.spacing * i * m->line.tangent[k];
            e[3 + k] = m->d2[k];
            e[6 + k] = body->v_ref[k];
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

static void fill_par(const gos_builder *b, const gos_body *body, double penalty,
                     gos_beam_par *par) {
    const gos_material *mat = body->material;
    const gos_section *s = body->section;
    const double EA = mat->young * s->A, G = 0.5 * mat->young / (1 + mat->poisson);
    double ks[2];
    gos__shear_factors(s, mat->poisson, ks);
    *par = (gos_beam_par){.axis = {EA, ks[0] * G * s->A, ks[1] * G * s->A, G * s->J,
                                   mat->young * s->Iz, mat->young * s->Iy},
                          .section = {penalty * EA, penalty * EA, penalty * G * s->A},
                          .gamma_n = mat->gamma_n,
                          .gamma_s = mat->gamma_s,
                          .alpha = mat->expansion,
                          .T0 = b->gough_joule && body->nfam ? b->T_ref : 0,
                          .viscous = b->viscous_heating && body->nfam ? 1 : 0};
}

static const gos_param beam_params[] = {
    GOS_LINE_PARAMS(
        beam_def, "8",
        "number of equal elements with three nodes each: node(0) to node(2 elements)",
        "local z of the section at t = 0 (made square to the axis); zero: e3, or e2 for a body "
        "within 20 degrees of e3"),
    {.name = "section_penalty",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0,
     .hi = 1e6,
     .flags = GOS_P_LO_OPEN,
     .def = "10",
     .offset = offsetof(beam_def, penalty),
     .doc = "stiffness against distortion of the section, over that of the material; matters only "
            "where both shears are large"},
    GOS_BODY_TEMPERATURE(beam_def, line.temperature),
    {0},
};

static gos_status beam_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                             const char *name, const char *object) {
    GOS_UNUSED(type);
    beam_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, beam_params, object, b->arena, &d));
    const gos_material *mat = gos__find_material(b, d.line.material);
    const gos_section *sec = gos__find_section(b, d.line.section);
    beam *m = GOS_NEW(b->arena, beam, 1);
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
        return GOS_E_INPUT; // recorded when the material or section was read
    }
    GOS_TRY(
        gos__line_make(b, entry, object, d.line.from, d.line.to, 2 * d.line.elements, &m->line));
    body.length = m->line.length;
    m->ne = d.line.elements;
    m->h = body.length / d.line.elements;
    GOS_TRY(gos__line_normal(b, &m->line, d.line.normal, gos__key_loc(entry, "normal"), object,
                             body.v_ref));
    gos__cross3(body.v_ref, m->line.tangent, m->d2);
    GOS_TRY(gos__body_heat(b, entry, object, d.line.temperature, &body));
    fill_par(b, &body, d.penalty, &m->par);
    body.law = &gos__beam_axis;
    body.law_par = &m->par;
    const double nodes = 1.0 + 2.0 * m->ne;
    GOS_TRY(gos__check_room(b, NODE * nodes, nodes * body.nfam, gos__key_loc(entry, "elements"),
                            object));
    GOS_TRY(add_nodes(b, &body, m));
    gos_body *added;
    GOS_TRY(gos__add_body(b, &body, &added));
    GOS_TRY(add_mass(b, added));
    if (added->nfam) {
        GOS_TRY(add_thermal(b, added));
    }
    const bool rates = mat->gamma_n > 0 || mat->gamma_s > 0 || m->par.T0 > 0;
    GOS_TRY(add_axis(b, added, rates));
    return add_section(b, added, rates);
}

static const gos_build_ops beam_build_ops = {.build = beam_build};

const gos_type gos__body_beam = {
    .section = "bodies",
    .name = "ancf_beam",
    .doc = "Beam with shear, torsion and large motion: positions and two section vectors at three "
           "nodes an element, order 4; straight at t = 0; temperature along the axis and across "
           "the section.",
    .params = beam_params,
    .size = sizeof(beam_def),
    .example = "boom: {type: ancf_beam, material: steel, section: bar, from: [0, 0, 0], "
               "to: [2, 0, 0], elements: 8}",
    .ops = &beam_build_ops,
};
