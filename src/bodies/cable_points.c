/* Points of the cable's elements: tables of shapes, weights and reference data, and which law they have.
   Built when all bodies are there, because the reference vector may turn with another one. */
#include "bodies/cable_points.h"

#include <math.h>

#include "math/gauss.h"
#include "parts/place.h"
#include "parts/vec3.h"

#define L GOS_LANES

/* tables of one uniform element: full ones, and for a last batch that is not full with weight 0 in
   the lanes beyond `lanes` */
static void fill_tables(const gos_points *p, double h, const gos_body *body, int tab, int lanes) {
    const size_t nz = (size_t)p->law->nz, nv = (size_t)p->nv, nref = (size_t)p->law->nref;
    double x[8], w[8];
    gos__gauss(p->ng, x, w);
    for (int g = 0; g < p->ng; g++) {
        double ds[4], dds[4];
        gos__hermite_shapes(h, x[g], NULL, ds, dds);
        const size_t k = (size_t)tab * (size_t)p->ng + (size_t)g;
        for (int l = 0; l < L; l++) {
            for (int j = 0; j < 4; j++) {
                p->b[((k * nz + 0) * nv + (size_t)j) * L + (size_t)l] = ds[j];
                p->b[((k * nz + 1) * nv + (size_t)j) * L + (size_t)l] = dds[j];
            }
            for (size_t j = 4; j < nv; j++) {
                p->b[((k * nz + 2) * nv + j) * L + (size_t)l] = body->carrier->w[j - 4];
            }
            p->w[k * L + (size_t)l] = l < lanes ? h * w[g] : 0;
            for (size_t i = 0; i < nref; i++) {
                p->ref[(k * nref + i) * L + (size_t)l] = body->ref[i];
            }
            if (p->nt) {
                p->N[(k * 2 + 0) * L + (size_t)l] = 1 - x[g];
                p->N[(k * 2 + 1) * L + (size_t)l] = x[g];
            }
        }
    }
}

static gos_status add_points(gos_builder *b, const gos_body *body, const gos_law *law,
                             const gos_cable_par *par, int ng, bool rates, bool surface) {
    const gos_cable *c = body->par;
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
    const int rest = c->ne % L;
    p.ntab = rest && p.nb > 1 ? 2 : 1;
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
    fill_tables(&p, c->h, body, 0, p.ntab == 1 && rest ? rest : L);
    if (p.ntab == 2) {
        fill_tables(&p, c->h, body, 1, rest);
        p.tab[p.nb - 1] = 1;
    }
    return gos__add_points(b, &p);
}

/* Two Gauss points are the zeros of P_2, so they do not feel an axial strain P_2 in every element:
   all slopes longer by the same factor, no node moved. */
static gos_status add_idle(gos_builder *b, gos_body *body, const gos_cable *c) {
    double *idle = GOS_NEW(b->arena, double, 3 * body->nv);
    if (!idle) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < body->nnode; i++) {
        memcpy(idle + 3 * (body->node_slope[i] - body->v0), c->line.tangent,
               sizeof c->line.tangent);
    }
    body->idle = idle;
    return GOS_OK;
}

static gos_status add_laws(gos_builder *b, gos_body *body, gos_cable *c) {
    const gos_cable_par *p = &c->par;
    const bool isotropic = fabs(p->EIz - p->EIy) <= 1e-12 * p->EIz;
    const bool plain = isotropic && p->gamma == 0 && body->nfam == 0;
    const gos_law *fixed = plain ? &gos__cable_plain : &gos__cable_framed;
    const gos_law *law = c->transported  ? &gos__cable_transported
                         : body->carrier ? &gos__cable_carried
                                         : fixed;
    const bool rates = p->gamma > 0 || p->T0 > 0;
    body->law = law;
    body->law_par = p;
    body->ref = c->ref;
    memcpy(c->ref, body->v_ref, sizeof body->v_ref);
    if (c->transported) { // (t, d2); v is a unit vector across t
        memcpy(c->ref, c->line.tangent, sizeof c->line.tangent);
        gos__cross3(body->v_ref, c->line.tangent, c->ref + 3);
    }
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

/* the reference vector's marker, fixed in space on the ground; then what depends on it */
gos_status gos__cable_finish(gos_builder *b, gos_body *body) {
    gos_cable *c = (gos_cable *)body->par;
    const char *object = gos__arena_printf(b->arena, "body '%s'", body->name);
    gos_place place;
    if (!object) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__locate_point(b, c->carried_by, c->carried_loc, object, &place));
    GOS_TRY(gos__direction(b, &place, body->v_ref, c->carried_loc, object, &c->carrier));
    body->carrier = c->carrier.n > 0 ? &c->carrier : NULL;
    return add_laws(b, body, c);
}
