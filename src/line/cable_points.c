/* Points of the cable: shape tables, weights, reference data, choice of the law. Built after all
 * bodies, as the reference vector may rotate with one. */
#include "line/cable_points.h"

#include <math.h>

#include "math/gauss.h"
#include "parts/location.h"
#include "math/vec3.h"

#define L GOS_LANES

/* ---- the element ----------------------------------------------------------------------------- */

int gos__cable_element(const gos_cable *c, double s, double *xi) {
    int e = (int)floor(s / c->h);
    e = e < 0 ? 0 : (e >= c->ne ? c->ne - 1 : e);
    *xi = s / c->h - e;
    return e;
}

void gos__cable_initial(const gos_cable *c, int e, const double w[4], double x[3]) {
    const double *const at[4] = {c->line.x[e], c->line.t[e], c->line.x[e + 1], c->line.t[e + 1]};
    for (int k = 0; k < 3; k++) {
        x[k] = 0;
        for (int i = 0; i < 4; i++) {
            x[k] += w[i] * at[i][k];
        }
    }
}

/* A cubic with unit end slopes has j = |r'| in between; derivatives by its length are r'/j and (r''
 * - (j'/j) r')/j^2. */
double gos__cable_shapes(const gos_cable *c, int e, double xi, double w[3][4]) {
    gos__hermite_shapes(c->h, xi, w[0], w[1], w[2]);
    if (c->line.shape != GOS_LINE_CURVED) {
        return 1;
    }
    double p[3], s[3];
    gos__cable_initial(c, e, w[1], p);
    gos__cable_initial(c, e, w[2], s);
    const double j = gos__norm3(p), bend = gos__dot3(p, s) / (j * j);
    for (int i = 0; i < 4; i++) {
        w[2][i] = (w[2][i] - bend * w[1][i]) / (j * j);
        w[1][i] /= j;
    }
    return j;
}

/* Section frame d2, d3 at t = 0, from v as the law defines it. */
static void initial_frame(const gos_body *b, int e, double xi, const double t[3], double d[2][3]) {
    const gos_cable *c = b->par;
    double v[3];
    for (int k = 0; k < 3; k++) {
        v[k] = c->transported ? (1 - xi) * c->line.v[e][k] + xi * c->line.v[e + 1][k] : b->v_ref[k];
    }
    gos__cross3(v, t, d[0]);
    const double n = gos__norm3(d[0]);
    for (int k = 0; k < 3; k++) {
        d[0][k] /= n;
    }
    gos__cross3(t, d[0], d[1]);
}

/* Fills the law's reference data for these stiffnesses. */
static void fill_reference(const gos_body *b, const gos_cable_par *par, int e, double xi,
                           double *ref) {
    const gos_cable *c = b->par;
    double w[3][4], t[3], s[3], d[2][3];
    gos__cable_shapes(c, e, xi, w);
    gos__cable_initial(c, e, w[1], t);
    gos__cable_initial(c, e, w[2], s);
    const double n = gos__norm3(t);
    for (int k = 0; k < 3; k++) {
        t[k] /= n;
    }
    initial_frame(b, e, xi, t, d);
    if (c->transported) { // (t, d2)
        memcpy(ref, t, sizeof t);
        memcpy(ref + 3, d[0], sizeof d[0]);
        ref += 6;
    } else if (!b->carrier) {
        memcpy(ref, b->v_ref, sizeof b->v_ref);
        ref += 3;
    }
    if (c->own) {
        const bool curved = c->line.shape == GOS_LINE_CURVED;
        double own[GOS_CABLE_OWN] = {curved ? gos__dot3(d[0], s) : 0,
                                     curved ? gos__dot3(d[1], s) : 0, par->EA, par->EIz, par->EIy};
        if (c->taper.n) {
            const double E = b->material->young;
            gos_section at;
            gos__taper_at(&c->taper, (e + xi) * c->h, false, &at);
            own[2] = par->EA > 0 ? E * at.A : 0; // 0 if the block lacks it
            own[3] = par->EIz > 0 ? E * at.Iz : 0;
            own[4] = par->EIy > 0 ? E * at.Iy : 0;
        }
        memcpy(ref, own, sizeof own);
    }
}

void gos__cable_section(const gos_body *b, double s, gos_section *at) {
    const gos_cable *c = b->par;
    *at = *b->section;
    if (c->taper.n) {
        gos__taper_at(&c->taper, s, true, at);
    }
}

void gos__cable_reference(const gos_body *b, const gos_location *p, double *ref) {
    const gos_cable *c = b->par;
    double xi;
    const int e = gos__cable_element(c, p->s, &xi);
    fill_reference(b, &c->par, e, xi, ref);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Fills a lane with element e; weight 0 if idle. */
static void fill_lane(const gos_points *p, const gos_body *body, int e, long tab, int lane,
                      bool idle) {
    const gos_cable *c = body->par;
    const size_t nz = p->law->nz, nv = p->nv, nref = p->law->nref;
    const size_t l = lane;
    double x[8], w[8], shape[3][4], ref[GOS_CABLE_REF];
    gos__gauss(p->ng, x, w);
    for (long g = 0; g < p->ng; g++) {
        const double j = gos__cable_shapes(c, e, x[g], shape);
        const size_t k = tab * p->ng + g;
        for (size_t i = 0; i < 4; i++) {
            p->b[((k * nz + 0) * nv + i) * L + l] = shape[1][i];
            p->b[((k * nz + 1) * nv + i) * L + l] = shape[2][i];
        }
        for (size_t i = 4; i < nv; i++) {
            p->b[((k * nz + 2) * nv + i) * L + l] = body->carrier->w[i - 4];
        }
        p->w[k * L + l] = idle ? 0 : c->h * w[g] * j;
        fill_reference(body, p->par, e, x[g], ref);
        for (size_t i = 0; i < nref; i++) {
            p->ref[(k * nref + i) * L + l] = ref[i];
        }
        if (p->nt) {
            p->N[(k * 2 + 0) * L + l] = 1 - x[g];
            p->N[(k * 2 + 1) * L + l] = x[g];
        }
    }
}

/* Identical elements share a table, plus one for an incomplete last batch. */
static void fill_tables(const gos_points *p, const gos_body *body, bool alike) {
    for (int tab = 0; tab < p->ntab; tab++) {
        const int batch = alike && tab == 1 ? p->nb - 1 : tab;
        p->tab[batch] = tab;
        for (int l = 0; l < L; l++) {
            const int e = batch * L + l;
            const bool idle = e >= p->ne && (!alike || tab == p->ntab - 1) && p->ne % L != 0;
            fill_lane(p, body, alike ? 0 : idle ? batch * L : e, tab, l, idle);
        }
    }
}

static gos_status add_points(gos_builder *b, const gos_body *body, const gos_law *law,
                             const gos_cable_par *par, int ng, bool rates, bool surface) {
    const gos_cable *c = body->par;
    const bool alike = !c->own && !(c->transported && c->line.shape != GOS_LINE_STRAIGHT);
    gos_points p = {.law = law,
                    .par = par,
                    .body = body->index,
                    .ne = c->ne,
                    .ng = ng,
                    .nv = 4 + (body->carrier ? body->carrier->n : 0),
                    .nt = body->nfam ? 2 : 0,
                    .nfam = body->nfam,
                    .rates = rates,
                    .surface = surface};
    p.nb = (c->ne + L - 1) / L;
    p.ntab = !alike ? p.nb : c->ne % L && p.nb > 1 ? 2 : 1;
    p.v = GOS_NEW(b->arena, int, p.nb *p.nv *L);
    p.tab = GOS_NEW(b->arena, int, p.nb);
    p.b = GOS_NEW(b->arena, double, p.ntab *ng * law->nz * p.nv * L);
    p.w = GOS_NEW(b->arena, double, p.ntab *ng *L);
    p.ref = GOS_NEW(b->arena, double, p.ntab *ng * law->nref * L);
    if (p.nt) {
        p.N = GOS_NEW(b->arena, double, p.ntab *ng * 2 * L);
        p.th = GOS_NEW(b->arena, int, p.nb * 2 * p.nfam * L);
    }
    if (!p.v || !p.tab || !p.b || !p.w || !p.ref || (p.nt && (!p.N || !p.th))) {
        return GOS_E_MEMORY;
    }
    for (int ib = 0; ib < p.nb; ib++) {
        for (int l = 0; l < L; l++) {
            const int e = ib * L + l < c->ne ? ib * L + l : ib * L;
            for (int j = 0; j < p.nv; j++) {
                p.v[(ib * p.nv + j) * L + l] =
                    j < 4 ? body->v0 + 2 * e + j : body->carrier->idx[j - 4];
            }
            for (int i = 0; i < p.nt; i++) {
                for (int f = 0; f < p.nfam; f++) {
                    p.th[((ib * 2 + i) * p.nfam + f) * L + l] = body->t0 + (e + i) * p.nfam + f;
                }
            }
        }
    }
    fill_tables(&p, body, alike);
    double x[8], w[8], at[16] = {0};
    gos__gauss(ng, x, w);
    for (int g = 0; g < ng; g++) {
        at[2 * g] = x[g];
    }
    GOS_TRY(gos__points_draw(b->arena, &p, NULL, at));
    return gos__add_points(b, &p);
}

/* Two Gauss points are zeros of P_2: slopes scaled by the same factor, without moving a node, have
 * no energy. */
static gos_status add_idle(gos_builder *b, gos_body *body, const gos_cable *c) {
    double *idle = GOS_NEW(b->arena, double, 3 * body->nv);
    if (!idle) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < body->nnode; i++) {
        memcpy(idle + 3 * (body->node_slope[i] - body->v0), c->line.t[i], sizeof c->line.t[i]);
    }
    body->idle = idle;
    return GOS_OK;
}

/* Selects the law by section frame and sections. */
static const gos_law *law_of(const gos_cable *c, const gos_body *body) {
    const gos_cable_par *p = &c->par;
    const bool isotropic = fabs(p->EIz - p->EIy) <= 1e-12 * p->EIz;
    if (c->transported) {
        return c->own ? &gos__cable_transported_own : &gos__cable_transported;
    }
    if (body->carrier) {
        return c->own ? &gos__cable_carried_own : &gos__cable_carried;
    }
    if (c->own) {
        return &gos__cable_framed_own;
    }
    return isotropic && p->gamma == 0 && body->nfam == 0 ? &gos__cable_plain : &gos__cable_framed;
}

static gos_status add_laws(gos_builder *b, gos_body *body, gos_cable *c) {
    const gos_cable_par *p = &c->par;
    const gos_law *law = law_of(c, body);
    const bool rates = p->gamma > 0 || p->T0 > 0;
    body->law = law;
    body->law_par = p;
    if (!c->reduced) {
        return add_points(b, body, law, p, 5, rates, true);
    }
    c->axial = c->bending = *p;
    c->axial.EIz = c->axial.EIy = 0;
    c->bending.EA = 0;
    GOS_TRY(add_idle(b, body, c));
    GOS_TRY(add_points(b, body, law, &c->axial, 2, rates, false));
    return add_points(b, body, law, &c->bending, 5, rates, true);
}

/* Makes the reference vector's marker, then the points. */
gos_status gos__cable_finish(gos_builder *b, gos_body *body) {
    gos_cable *c = (gos_cable *)body->par;
    const char *object = gos__arena_printf(b->arena, "body '%s'", body->name);
    gos_location location;
    if (!object) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__locate_point(b, c->carried_by, c->carried_loc, object, &location));
    GOS_TRY(gos__direction(b, &location, body->v_ref, c->carried_loc, object, &c->carrier));
    body->carrier = c->carrier.n > 0 ? &c->carrier : NULL;
    return add_laws(b, body, c);
}
