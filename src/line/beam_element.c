/* Element of the section-vector beam: quadratic shape functions, differentiated by the stress-free
 * length of the centroid axis r + y a + z b. All strains refer to this axis: an offset (y, z)
 * changes only the functions of p = r'. */
#include "line/beam_element.h"

#include <math.h>

#include "math/gauss.h"
#include "math/vec3.h"

/* Points of the section-vector beam: the axis at two Gauss points per element (three would lock),
 * the section at nodes with Simpson weights (Gauss points leave zero-energy modes). */

#define L GOS_LANES

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

/* Numbers the coordinates of element e in its lane: nodes from `node`, vectors from `which`. */
static void number_element(const gos_points *p, const gos_body *body, int e, int lane, int node,
                           int nnode, int which) {
    const int ib = e / L, per = p->nv / nnode;
    for (int i = 0; i < nnode; i++) {
        for (int k = 0; k < per; k++) {
            p->v[(ib * p->nv + i * per + k) * L + lane] =
                body->v0 + GOS_BEAM_NODE * (node + i) + which + k;
        }
        for (int f = 0; f < p->nfam && p->nt; f++) {
            p->th[((ib * p->nt + i) * p->nfam + f) * L + lane] =
                body->t0 + (node + i) * p->nfam + f;
        }
    }
}

/* slope of the centroid axis at t = 0 */
static void initial_slope(const gos_beam *m, int e, const double dN[3], double p[3]) {
    double x[3][3];
    for (int i = 0; i < 3; i++) {
        gos__beam_initial(m, e, i, dN, x[i]);
    }
    for (int k = 0; k < 3; k++) {
        p[k] = x[0][k] + m->offset[0] * x[1][k] + m->offset[1] * x[2][k];
    }
}

/* The law's strains at t = 0, for z = (r', a, b, a', b'). */
static void initial_strains(const gos_beam *m, int e, const double N[3], const double dN[3],
                            double strain[GOS_BEAM_AXIS]) {
    _Alignas(64) double z[15 * L], e0[GOS_BEAM_AXIS * L], force[GOS_BEAM_AXIS * L];
    const double *const w[5] = {dN, N, N, dN, dN};
    const int which[5] = {0, 1, 2, 1, 2};
    for (int q = 0; q < 5; q++) {
        double x[3];
        gos__beam_initial(m, e, which[q], w[q], x);
        if (q == 0) {
            initial_slope(m, e, dN, x);
        }
        for (int i = 0; i < 3 * L; i++) {
            z[3 * q * L + i] = x[i / L];
        }
    }
    gos__beam_axis.strains(&m->par, 0, &(gos_batch){.z = z}, e0, force);
    for (int k = 0; k < GOS_BEAM_AXIS; k++) {
        strain[k] = e0[k * L];
    }
}

/* Reference data of the axis (GOS_BEAM_AXIS_OWN) at xi of element e. */
static void beam_axis_reference(const gos_body *b, int e, double xi, double *ref) {
    const gos_beam *m = b->par;
    double N[3], dN[3], distortion[GOS_BEAM_SECTION];
    gos_section at;
    gos__beam_shapes(m, e, xi, N, dN);
    memset(ref, 0, GOS_BEAM_AXIS * sizeof *ref);
    if (m->line.shape == GOS_LINE_CURVED) {
        initial_strains(m, e, N, dN, ref);
    }
    gos__beam_section_at(b, (e + xi) * m->h, &at);
    gos__beam_stiffness(b, &at, ref + GOS_BEAM_AXIS, distortion);
}

/* Fills lane l with two Gauss points of element e; weight 0 if idle. */
static void fill_axis(const gos_points *p, const gos_body *body, int e, int tab, int l, bool idle) {
    const gos_beam *m = body->par;
    double x[2], w[2], N[3], dN[3], ref[GOS_BEAM_AXIS_OWN];
    gos__gauss(2, x, w);
    for (int g = 0; g < 2; g++) {
        const int k = tab * 2 + g;
        const double j = gos__beam_shapes(m, e, x[g], N, dN);
        for (int i = 0; i < 3; i++) {
            /* p = sum N' (r + y a + z b); a, b with N; a', b' with N' */
            const double value[7] = {
                dN[i], m->offset[0] * dN[i], m->offset[1] * dN[i], N[i], N[i], dN[i], dN[i]};
            const int row[7] = {0, 0, 0, 1, 2, 3, 4}, of[7] = {0, 1, 2, 1, 2, 1, 2};
            for (int q = 0; q < 7; q++) {
                p->b[((k * 5 + row[q]) * p->nv + GOS_BEAM_NODE * i + of[q]) * L + l] = value[q];
            }
            if (p->nt) {
                p->N[(k * 3 + i) * L + l] = N[i];
            }
        }
        p->w[k * L + l] = idle ? 0 : m->h * w[g] * j;
        if (m->own) {
            beam_axis_reference(body, e, x[g], ref);
            for (int i = 0; i < GOS_BEAM_AXIS_OWN; i++) {
                p->ref[(k * GOS_BEAM_AXIS_OWN + i) * L + l] = ref[i];
            }
        }
    }
}

/* Identical elements share a table, plus one for an incomplete last batch. */
static gos_status add_axis(gos_builder *b, const gos_body *body, bool rates) {
    const gos_beam *m = body->par;
    const int rest = m->ne % L, nb = (m->ne + L - 1) / L;
    gos_points p = {.law = body->law,
                    .par = &m->par,
                    .body = body->index,
                    .ne = m->ne,
                    .ng = 2,
                    .nv = 3 * GOS_BEAM_NODE,
                    .nt = body->nfam ? 3 : 0,
                    .nfam = body->nfam,
                    .rates = rates,
                    .surface = true,
                    .ntab = m->own           ? nb
                            : rest && nb > 1 ? 2
                                             : 1};
    GOS_TRY(allocate(b, &p));
    for (int i = 0; i < p.nb * L; i++) {
        const int e = i < m->ne ? i : i / L * L; // idle lanes repeat the first element
        number_element(&p, body, i, i % L, 2 * e, 3, 0);
    }
    for (int tab = 0; tab < p.ntab; tab++) {
        const int batch = !m->own && tab == 1 ? nb - 1 : tab;
        p.tab[batch] = tab;
        for (int l = 0; l < L; l++) {
            const bool idle = tab == p.ntab - 1 && rest && l >= rest;
            fill_axis(&p, body, !m->own ? 0 : idle ? batch * L : batch * L + l, tab, l, idle);
        }
    }
    return gos__add_points(b, &p);
}

/* Simpson weight of a node, over its elements [m]. */
static double node_weight(const gos_beam *m, int node) {
    static const double simpson[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    double N[3], dN[3], sum = 0;
    for (int e = node / 2; e >= 0 && e >= node / 2 - 1; e--) {
        const int i = node - 2 * e;
        if (e < m->ne && i <= 2) {
            sum += m->h * simpson[i] * gos__beam_shapes(m, e, 0.5 * i, N, dN);
        }
    }
    return sum;
}

static gos_status add_section(gos_builder *b, const gos_body *body, bool rates) {
    const gos_beam *m = body->par;
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
        double axis[GOS_BEAM_AXIS], D[GOS_BEAM_SECTION];
        gos_section at;
        gos__beam_section_at(body, node * m->line.spacing, &at);
        gos__beam_stiffness(body, &at, axis, D);
        number_element(&p, body, i, l, node, 1, 1);
        p.tab[ib] = ib;
        p.b[(ib * 4 + 0) * L + l] = p.b[(ib * 4 + 3) * L + l] = 1; // z = (a, b)
        p.w[i] = i < body->nnode ? node_weight(m, node) : 0;
        if (p.nt) {
            p.N[i] = 1;
        }
        for (int k = 0; k < p.law->nref; k++) {
            p.ref[(ib * p.law->nref + k) * L + l] = D[k];
        }
    }
    return gos__add_points(b, &p);
}

gos_status gos__beam_add_points(gos_builder *b, const gos_body *body, bool rates) {
    GOS_TRY(add_axis(b, body, rates));
    return add_section(b, body, rates);
}

/* Mass, heat capacity and conduction of the section-vector beam. With an offset (y, z) the
 * centroids have the velocity of r + y a + z b. */

#define NODE GOS_BEAM_NODE
#define ALL (3 * NODE)

/* int N_i N_j and int N_i' N_j' of a unit element */
static const double mass3[3][3] = {{4.0 / 30, 2.0 / 30, -1.0 / 30},
                                   {2.0 / 30, 16.0 / 30, 2.0 / 30},
                                   {-1.0 / 30, 2.0 / 30, 4.0 / 30}};
static const double slope3[3][3] = {
    {7.0 / 3, -8.0 / 3, 1.0 / 3}, {-8.0 / 3, 16.0 / 3, -8.0 / 3}, {1.0 / 3, -8.0 / 3, 7.0 / 3}};

// exact to degree 9: two quadratics and second moments of linear sizes
#define POINTS 5

/* ---- mass ------------------------------------------------------------------------------------ */

/* Mass per density and length, between r, a and b. */
static void section_mass(const gos_beam *m, const gos_section *s, double part[NODE][NODE]) {
    const double x[NODE] = {1, m->offset[0], m->offset[1]}, own[NODE] = {0, s->Iz, s->Iy};
    for (int i = 0; i < NODE; i++) {
        for (int j = 0; j < NODE; j++) {
            part[i][j] = s->A * x[i] * x[j] + (i == j ? own[i] : 0);
        }
    }
}

static void add_part(double mass[ALL][ALL], int i, int j, double f, double part[NODE][NODE]) {
    for (int k = 0; k < NODE * NODE; k++) {
        mass[NODE * i + k / NODE][NODE * j + k % NODE] += f * part[k / NODE][k % NODE];
    }
}

static void mass_of(const gos_body *body, int e, double mass[ALL][ALL]) {
    const gos_beam *m = body->par;
    const double rho = body->material->density;
    double x[POINTS], w[POINTS], N[3], dN[3], part[NODE][NODE];
    gos_section at;
    memset(mass, 0, ALL * ALL * sizeof(double));
    gos__gauss(POINTS, x, w);
    if (!m->own) {
        section_mass(m, body->section, part);
    }
    for (int q = 0; q < (m->own ? POINTS : 1); q++) {
        const double j = gos__beam_shapes(m, e, x[q], N, dN);
        if (m->own) {
            gos__beam_section_at(body, (e + x[q]) * m->h, &at);
            section_mass(m, &at, part);
        }
        for (int k = 0; k < 9; k++) {
            const double f = m->own ? w[q] * j * N[k / 3] * N[k % 3] : mass3[k / 3][k % 3];
            add_part(mass, k / 3, k % 3, rho * m->h * f, part);
        }
    }
}

static gos_status add_mass(gos_builder *b, const gos_body *body) {
    const gos_beam *m = body->par;
    double mass[ALL][ALL];
    for (int e = 0; e < m->ne; e++) {
        mass_of(body, e, mass);
        for (int k = 0; k < ALL * ALL; k++) {
            const int first = body->v0 + NODE * 2 * e, i = k / ALL, j = k % ALL;
            if (j <= i && mass[i][j] != 0) { // gos__add_symmetric enters both triangles
                GOS_TRY(gos__add_symmetric(b, &b->mass, first + i, first + j, mass[i][j]));
            }
        }
    }
    return GOS_OK;
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* int cap_f N_i N_j, int cap_f N_i' N_j' and int cond_fq N_i N_j of element e */
static void thermal_of(const gos_body *body, int e, const int node[2], const int family[2],
                       double sum[3]) {
    const gos_beam *m = body->par;
    const gos_section *s = body->section;
    const int i = node[0], j = node[1], f = family[0], in = f * s->nfam + family[1];
    if (!body->tapered) {
        sum[0] = s->cap[f] * m->h * mass3[i][j];
        sum[1] = s->cap[f] * slope3[i][j] / m->h;
        sum[2] = s->cond[in] * m->h * mass3[i][j];
        return;
    }
    double x[POINTS], w[POINTS], N[3], dN[3];
    gos_section at;
    gos__gauss(POINTS, x, w);
    memset(sum, 0, 3 * sizeof *sum);
    for (int p = 0; p < POINTS; p++) {
        gos__lagrange3(m->h, x[p], N, dN);
        gos__taper_at(&m->taper, (e + x[p]) * m->h, false, &at);
        sum[0] += m->h * w[p] * at.cap[f] * N[i] * N[j];
        sum[1] += m->h * w[p] * at.cap[f] * dN[i] * dN[j];
        sum[2] += m->h * w[p] * at.cond[in] * N[i] * N[j];
    }
}

gos_status gos__beam_add_matrices(gos_builder *b, const gos_body *body) {
    const gos_beam *m = body->par;
    GOS_TRY(add_mass(b, body));
    return gos__line_add_heat(b, body, m->ne, 3, thermal_of);
}

void gos__beam_initial(const gos_beam *m, int e, int which, const double w[3], double x[3]) {
    double(*const of)[3] = which == 0 ? m->line.x : which == 1 ? m->d : m->line.v;
    for (int k = 0; k < 3; k++) {
        x[k] = 0;
        for (int i = 0; i < 3; i++) {
            x[k] += w[i] * of[2 * e + i][k];
        }
    }
}

double gos__beam_shapes(const gos_beam *m, int e, double xi, double N[3], double dN[3]) {
    gos__lagrange3(m->h, xi, N, dN);
    if (m->line.shape != GOS_LINE_CURVED) {
        return 1;
    }
    double p[3];
    initial_slope(m, e, dN, p);
    const double j = gos__norm3(p);
    for (int i = 0; i < 3; i++) {
        dN[i] /= j;
    }
    return j;
}

int gos__beam_element_at(const gos_beam *m, const gos_location *p, double *xi) {
    int e = (int)floor(p->s / m->h);
    e = e < 0 ? 0 : (e >= m->ne ? m->ne - 1 : e);
    *xi = p->node >= 0 ? 0.5 * (p->node - 2 * e) : p->s / m->h - e;
    return e;
}

/* ---- section --------------------------------------------------------------------------------- */

void gos__beam_stiffness(const gos_body *b, const gos_section *s, double axis[GOS_BEAM_AXIS],
                         double section[GOS_BEAM_SECTION]) {
    const gos_beam *m = b->par;
    const gos_material *mat = b->material;
    const double EA = mat->young * s->A, G = 0.5 * mat->young / (1 + mat->poisson);
    double ks[2];
    gos__shear_factors(s, mat->poisson, ks);
    const double D[GOS_BEAM_AXIS] = {EA,       ks[0] * G * s->A,   ks[1] * G * s->A,
                                     G * s->J, mat->young * s->Iz, mat->young * s->Iy};
    memcpy(axis, D, sizeof D);
    section[0] = section[1] = m->penalty * EA;
    section[2] = m->penalty * G * s->A;
}

void gos__beam_section_at(const gos_body *b, double s, gos_section *at) {
    const gos_beam *m = b->par;
    *at = *b->section;
    if (m->taper.n) {
        gos__taper_at(&m->taper, s, true, at);
    }
}

void gos__beam_reference(const gos_body *b, const gos_location *p, double *ref) {
    const gos_beam *m = b->par;
    double xi;
    const int e = gos__beam_element_at(m, p, &xi);
    if (m->own) {
        beam_axis_reference(b, e, xi, ref);
    }
}
