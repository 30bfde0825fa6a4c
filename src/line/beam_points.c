/* Points of the section-vector beam: the axis at two Gauss points per element (three would lock),
 * the section at nodes with Simpson weights (Gauss points leave zero-energy modes). */
#include "line/beam_element.h"

#include "math/gauss.h"

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
            gos__beam_axis_reference(body, e, x[g], ref);
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
