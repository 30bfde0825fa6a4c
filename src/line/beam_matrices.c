/* Mass, heat capacity and conduction of the section-vector beam. With an offset (y, z) the
 * centroids have the velocity of r + y a + z b. */
#include "line/beam_element.h"

#include "math/gauss.h"

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
