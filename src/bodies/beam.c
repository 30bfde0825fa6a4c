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
    double h;       // element length [m]
    int ne;         // elements
    double (*d)[3]; // local y of the nodes at t = 0; local z is the line's v
    bool own;       // the points have sections of their own
    gos_beam_par par;
} beam;

static const beam *beam_of(const gos_body *b) {
    return b->par;
}

/* ---- the element --------------------------------------------------------------------------------- */

/* sum of functions of the nodes of an element at t = 0; which: 0 r, 1 a, 2 b */
static void initial(const beam *m, int e, int which, const double w[3], double x[3]) {
    double(*const of)[3] = which == 0 ? m->line.x : which == 1 ? m->d : m->line.v;
    for (int k = 0; k < 3; k++) {
        x[k] = 0;
        for (int i = 0; i < 3; i++) {
            x[k] += w[i] * of[2 * e + i][k];
        }
    }
}

/* shape functions N and their derivatives by the length in which the axis is free of stress; how much of
   that length there is to the nominal one */
static double shapes(const beam *m, int e, double xi, double N[3], double dN[3]) {
    gos__lagrange3(m->h, xi, N, dN);
    if (m->line.shape != GOS_LINE_CURVED) {
        return 1;
    }
    double p[3];
    initial(m, e, 0, dN, p);
    const double j = gos__norm3(p);
    for (int i = 0; i < 3; i++) {
        dN[i] /= j;
    }
    return j;
}

/* ---- places -------------------------------------------------------------------------------------- */

/* element of a place, and where in it: exactly at a node, so that no round-off of s couples it to its
   neighbours */
static int element_at(const beam *m, const gos_place *p, double *xi) {
    int e = (int)floor(p->s / m->h);
    e = e < 0 ? 0 : (e >= m->ne ? m->ne - 1 : e);
    *xi = p->node >= 0 ? 0.5 * (p->node - 2 * e) : p->s / m->h - e;
    return e;
}

static gos_status beam_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                              const char *object, gos_place *p) {
    const beam *m = beam_of(b);
    GOS_TRY(gos__line_locate(ctx, b, &m->line, ref, loc, object, p));
    if (m->line.shape != GOS_LINE_STRAIGHT && p->node < 0 && p->face < 0) {
        double N[3], dN[3], xi;
        const int e = element_at(m, p, &xi);
        shapes(m, e, xi, N, dN);
        initial(m, e, 0, N, p->x);
    }
    return GOS_OK;
}

/* shape functions N and their derivatives at a place; the first node of its element */
static int shapes_at(const gos_body *b, const gos_place *p, double N[3], double dN[3]) {
    double xi;
    const int e = element_at(beam_of(b), p, &xi);
    shapes(beam_of(b), e, xi, N, dN);
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

/* d as a combination of a and b, which between nodes are not quite across each other */
static gos_status beam_direction(gos_arena *a, const gos_body *b, const gos_place *p,
                                 const double d[3], gos_marker *m) {
    double N[3], dN[3], x[2][3], n[3];
    const int first = shapes_at(b, p, N, dN);
    initial(beam_of(b), first / 2, 1, N, x[0]);
    initial(beam_of(b), first / 2, 2, N, x[1]);
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

/* six strains at t = 0, as the law has them: of z = (r', a, b, a', b') */
static void initial_strains(const beam *m, int e, const double N[3], const double dN[3],
                            double strain[GOS_BEAM_AXIS]) {
    _Alignas(64) double z[15 * L], e0[GOS_BEAM_AXIS * L], force[GOS_BEAM_AXIS * L];
    const double *const w[5] = {dN, N, N, dN, dN};
    const int which[5] = {0, 1, 2, 1, 2};
    for (int q = 0; q < 5; q++) {
        double x[3];
        initial(m, e, which[q], w[q], x);
        for (int i = 0; i < 3 * L; i++) {
            z[3 * q * L + i] = x[i / L];
        }
    }
    gos__beam_axis.strains(&m->par, 0, &(gos_batch){.z = z}, e0, force);
    for (int k = 0; k < GOS_BEAM_AXIS; k++) {
        strain[k] = e0[k * L];
    }
}

/* reference data of the axis there (GOS_BEAM_AXIS_OWN) */
static void axis_reference(const beam *m, int e, double xi, double *ref) {
    double N[3], dN[3];
    shapes(m, e, xi, N, dN);
    memset(ref, 0, GOS_BEAM_AXIS * sizeof *ref);
    if (m->line.shape == GOS_LINE_CURVED) {
        initial_strains(m, e, N, dN, ref);
    }
    memcpy(ref + GOS_BEAM_AXIS, m->par.axis, sizeof m->par.axis);
}

static void beam_reference(const gos_body *b, const gos_place *p, double *ref) {
    double xi;
    const int e = element_at(beam_of(b), p, &xi);
    if (beam_of(b)->own) {
        axis_reference(beam_of(b), e, xi, ref);
    }
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

static const char *const coordinates[] = {"position", "section_y", "section_z"};

static const gos_body_ops beam_ops = {
    .coordinates = coordinates,
    .locate = beam_locate,
    .position = beam_position,
    .direction = beam_direction,
    .vectors = beam_vectors,
    .gradients = beam_gradients,
    .temperature = beam_temperature,
    .reference = beam_reference,
    .fields = gos__beam_fields,
};

/* ---- constant matrices --------------------------------------------------------------------------- */

/* int N_i N_j and int N_i' N_j' of a unit element */
static const double mass3[3][3] = {{4.0 / 30, 2.0 / 30, -1.0 / 30},
                                   {2.0 / 30, 16.0 / 30, 2.0 / 30},
                                   {-1.0 / 30, 2.0 / 30, 4.0 / 30}};
static const double slope3[3][3] = {
    {7.0 / 3, -8.0 / 3, 1.0 / 3}, {-8.0 / 3, 16.0 / 3, -8.0 / 3}, {1.0 / 3, -8.0 / 3, 7.0 / 3}};

#define MASS_POINTS                                                                                \
    4 // exact to degree 7: two quadratic functions, and three more for lengths that vary

/* translation, and rotary inertia of the section in a and b: what nodes i and j of element e have of it */
static void mass_of(const gos_body *body, int e, double mass[3][3][NODE]) {
    const beam *m = beam_of(body);
    const gos_section *s = body->section;
    const double part[NODE] = {s->A, s->Iz, s->Iy}, rho = body->material->density;
    double x[MASS_POINTS], w[MASS_POINTS], N[3], dN[3];
    gos__gauss(MASS_POINTS, x, w);
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < NODE; k++) {
            mass[i / 3][i % 3][k] = m->own ? 0 : rho * part[k] * m->h * mass3[i / 3][i % 3];
        }
    }
    for (int q = 0; q < MASS_POINTS && m->own; q++) {
        const double j = shapes(m, e, x[q], N, dN);
        for (int i = 0; i < 9; i++) {
            for (int k = 0; k < NODE; k++) {
                mass[i / 3][i % 3][k] += rho * part[k] * m->h * w[q] * j * N[i / 3] * N[i % 3];
            }
        }
    }
}

static gos_status add_mass(gos_builder *b, const gos_body *body) {
    double mass[3][3][NODE];
    for (int e = 0; e < beam_of(body)->ne; e++) {
        mass_of(body, e, mass);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j <= i; j++) {
                for (int k = 0; k < NODE; k++) {
                    const int row = body->v0 + NODE * (2 * e + i) + k;
                    GOS_TRY(
                        gos__add_symmetric(b, &b->mass, row, row - NODE * (i - j), mass[i][j][k]));
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
    p->ref = GOS_NEW(b->arena, double, p->ntab * p->ng * p->law->nref * L + 1);
    if (p->nt) {
        p->N = GOS_NEW(b->arena, double, p->ntab * p->ng * p->nt * L);
        p->th = GOS_NEW(b->arena, int, p->nb * p->nt * p->nfam * L);
    }
    return p->v && p->tab && p->b && p->w && p->ref && (!p->nt || (p->N && p->th)) ? GOS_OK
                                                                                   : GOS_E_MEMORY;
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

/* tables of element e in a lane, or in a lane that is idle: two Gauss points */
static void fill_axis(const gos_points *p, const beam *m, int e, int tab, int l, bool idle) {
    double x[2], w[2], N[3], dN[3], ref[GOS_BEAM_AXIS_OWN];
    gos__gauss(2, x, w);
    for (int g = 0; g < 2; g++) {
        const int k = tab * 2 + g;
        const double j = shapes(m, e, x[g], N, dN);
        for (int i = 0; i < 3; i++) {
            /* p = sum N' r; a, b with N; a', b' with N' */
            const double value[5] = {dN[i], N[i], N[i], dN[i], dN[i]};
            const int of[5] = {0, 1, 2, 1, 2};
            for (int q = 0; q < 5; q++) {
                p->b[((k * 5 + q) * p->nv + NODE * i + of[q]) * L + l] = value[q];
            }
            if (p->nt) {
                p->N[(k * 3 + i) * L + l] = N[i];
            }
        }
        p->w[k * L + l] = idle ? 0 : m->h * w[g] * j;
        if (m->own) {
            axis_reference(m, e, x[g], ref);
            for (int i = 0; i < GOS_BEAM_AXIS_OWN; i++) {
                p->ref[(k * GOS_BEAM_AXIS_OWN + i) * L + l] = ref[i];
            }
        }
    }
}

/* Elements that are all alike share one table, and a second one for a last batch that is not full, with weight
   0 in its idle lanes; else every batch has its own. */
static gos_status add_axis(gos_builder *b, const gos_body *body, bool rates) {
    const beam *m = beam_of(body);
    const int rest = m->ne % L, nb = (m->ne + L - 1) / L;
    gos_points p = {.law = body->law,
                    .par = &m->par,
                    .body = body->index,
                    .ne = m->ne,
                    .ng = 2,
                    .nv = 3 * NODE,
                    .nt = body->nfam ? 3 : 0,
                    .nfam = body->nfam,
                    .rates = rates,
                    .surface = true,
                    .ntab = m->own           ? nb
                            : rest && nb > 1 ? 2
                                             : 1};
    GOS_TRY(allocate(b, &p));
    for (int i = 0; i < p.nb * L; i++) {
        const int e = i < m->ne ? i : i / L * L; // filled up with the batch's first
        number_element(&p, body, i, i % L, 2 * e, 3, 0);
    }
    for (int tab = 0; tab < p.ntab; tab++) {
        const int batch = !m->own && tab == 1 ? nb - 1 : tab;
        p.tab[batch] = tab;
        for (int l = 0; l < L; l++) {
            const bool idle = tab == p.ntab - 1 && rest && l >= rest;
            fill_axis(&p, m, !m->own ? 0 : idle ? batch * L : batch * L + l, tab, l, idle);
        }
    }
    return gos__add_points(b, &p);
}

/* what a node's Simpson weights of the elements that share it come to [m] */
static double node_weight(const beam *m, int node) {
    static const double simpson[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    double N[3], dN[3], sum = 0;
    for (int e = node / 2; e >= 0 && e >= node / 2 - 1; e--) {
        const int i = node - 2 * e;
        if (e < m->ne && i <= 2) {
            sum += m->h * simpson[i] * shapes(m, e, 0.5 * i, N, dN);
        }
    }
    return sum;
}

/* one element for each node */
static gos_status add_section(gos_builder *b, const gos_body *body, bool rates) {
    const beam *m = beam_of(body);
    gos_points p = {.law = m->own ? &gos__beam_section_own : &gos__beam_section,
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
        number_element(&p, body, i, l, node, 1, 1);
        p.tab[ib] = ib;
        p.b[(ib * 4 + 0) * L + l] = p.b[(ib * 4 + 3) * L + l] = 1; // z is (a, b) itself
        p.w[i] = i < body->nnode ? node_weight(m, node) : 0;
        if (p.nt) {
            p.N[i] = 1;
        }
        for (int k = 0; k < p.law->nref; k++) {
            p.ref[(ib * p.law->nref + k) * L + l] = m->par.section[k];
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
        "local z of the section at the start at t = 0 (made square to the axis), which the "
        "smallest "
        "rotations turn along a curve; zero: the normal of the plane of an axis that is not "
        "straight; else e3, or e2 for a body within 20 degrees of e3"),
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

static gos_status make_axis(gos_builder *b, const gos_node *entry, const char *object,
                            const gos_line_def *def, beam *m, gos_body *body) {
    GOS_TRY(gos__line_make(b, entry, object, def, 2 * def->elements, &m->line));
    body->length = m->line.length;
    memcpy(body->v_ref, m->line.v[0], sizeof body->v_ref);
    m->ne = def->elements;
    m->h = body->length / def->elements;
    m->own = m->line.shape == GOS_LINE_CURVED;
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
    GOS_TRY(gos__body_heat(b, entry, object, d.line.temperature, &body));
    const double nodes = 1.0 + 2.0 * d.line.elements;
    GOS_TRY(gos__check_room(b, NODE * nodes, nodes * body.nfam, gos__key_loc(entry, "elements"),
                            object));
    GOS_TRY(make_axis(b, entry, object, &d.line, m, &body));
    fill_par(b, &body, d.penalty, &m->par);
    body.law = m->own ? &gos__beam_axis_own : &gos__beam_axis;
    body.law_par = &m->par;
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
           "nodes an element, order 4; temperature along the axis and across "
           "the section.",
    .params = beam_params,
    .size = sizeof(beam_def),
    .example = "boom: {type: ancf_beam, material: steel, section: bar, from: [0, 0, 0], "
               "to: [2, 0, 0], elements: 8}",
    .ops = &beam_build_ops,
};
