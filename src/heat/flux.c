/* Flux: heat that arrives at a surface, from a direction fixed in space or through a given face.

   With a direction u (unit vector of travel) a surface with outward normal n absorbs
   absorptivity * value * max(0, -u . n) per reference area, so opposite faces share
   max(0, c) = (|c| + c)/2, c_i = -u . d_i, and a circle of radius R absorbs 2 R c_perp in the mean
   and pi/2 R^2 c_i in T_y, T_z (theory guide 2.4). A plate has one director, its normal, and per
   area of it T receives |c| and T_z (h/2) c (2.7). Without a direction the value enters the named
   face, end or outline whatever its orientation. Shadows are not computed; ends are lit only when
   named. */
#include "heat/heat.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct flux {
    gos_texts on;
    gos_timefn *value;
    gos_timefn *direction[3];
    double absorptivity;
    double smoothing;
} flux;

static const gos_param params[] = {
    {.name = "on",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(flux, on),
     .doc = "bodies (of a plate both sides), faces (rod.top) or ends (rod.end) that it meets"},
    {.name = "value",
     .kind = GOS_K_TIMEFN,
     .unit = "W/m^2",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(flux, value),
     .doc = "power per area across the direction, or entering the face without one"},
    {.name = "direction",
     .kind = GOS_K_TIMEFNS,
     .unit = "-",
     .shape = 3,
     .offset = offsetof(flux, direction),
     .doc = "direction of travel in space (normalised); without it the value enters the surface "
            "whatever its orientation"},
    {.name = "absorptivity",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 1.0,
     .offset = offsetof(flux, absorptivity),
     .doc = "part of a directed flux that is absorbed; by default the material's"},
    {.name = "smoothing",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 0.01,
     .def = "0",
     .offset = offsetof(flux, smoothing),
     .doc = "e > 0 replaces |c| by sqrt(c^2 + e^2), which rounds the kink when a face turns "
            "edge-on and adds at most e times the value there; up to 1e-4 is harmless"},
    {.name = NULL},
};

typedef struct surface_par {
    gos_flux_weights weights;
    double absorptivity;
} surface_par;

/* ---- along the body ------------------------------------------------------------------------ */

/* unit vector of travel; false when the functions give no direction at this time: no flux then */
static bool travel(const double *fn, double u[3]) {
    double n = sqrt(fn[1] * fn[1] + fn[2] * fn[2] + fn[3] * fn[3]);
    if (!(n > 0.0)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        u[i] = fn[1 + i] / n;
    }
    return true;
}

static void surface_eval(const void *par, const gos_law *law, const void *law_par, int nfam,
                         const double *fn, double scale, const gos_batch *b) {
    const surface_par *p = par;
    double u[3];
    if (!b->heat || !travel(fn, u)) {
        return;
    }
    _Alignas(64) double c[GOS_HEAT_NDIR * GOS_LANES] = {0}; // a plate has no second director
    law->cosines(law_par, b, u, c, NULL);
    gos__kernel_flux(&p->weights, nfam, scale * p->absorptivity * fn[0], c, b->heat);
}

static void surface_tangent(const void *par, const gos_law *law, const void *law_par, int nfam,
                            const double *fn, double scale, const gos_batch *b) {
    const surface_par *p = par;
    double u[3];
    if (!b->Hz || !travel(fn, u)) {
        return;
    }
    _Alignas(64) double c[GOS_HEAT_NDIR * GOS_LANES] = {0};
    _Alignas(64) double dc[GOS_HEAT_NDIR * 3 * GOS_HEAT_NZ * GOS_LANES];
    if (law->ndir < GOS_HEAT_NDIR) {
        memset(dc, 0, (size_t)(GOS_HEAT_NDIR * 3 * law->nz * GOS_LANES) * sizeof *dc);
    }
    law->cosines(law_par, b, u, c, dc);
    gos__kernel_flux_tangent(&p->weights, nfam, 3 * law->nz,
                             b->ck * scale * p->absorptivity * fn[0], c, dc, b->Hz);
}

static const gos_surface_type surface_type = {"flux", surface_eval, surface_tangent};

/* a face with normal sign * d absorbs moment * max(0, sign c) = moment (|c| + sign c)/2 */
static void add_face(const gos_section_face *face, int nfam, gos_flux_weights *f) {
    for (int k = 0; k < nfam; k++) {
        f->w[k][face->dir] += 0.5 * face->sign * face->moment[k];
        f->w[k][2 + face->dir] += 0.5 * face->moment[k];
    }
}

static void add_circle(double R, gos_flux_weights *f) {
    f->w[0][4] = 2.0 * R;
    f->w[1][0] = 0.5 * PI * R * R;
    f->w[2][1] = 0.5 * PI * R * R;
}

/* directed flux needs a law that knows its section's directions */
static gos_status check_laws(const gos_heat_entry *e, const gos_heat_place *p) {
    const gos_builder *b = e->b;
    for (int i = 0; i < b->npoints; i++) {
        const gos_points *q = b->points[i];
        if (q->body != p->place.body->index || !q->surface) {
            continue;
        }
        if (!q->law->cosines || q->law->ndir < 1 || q->law->ndir > GOS_HEAT_NDIR ||
            q->law->nz > GOS_HEAT_NZ) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, p->loc, e->object,
                                "body '%s' has no section directions to orient a flux by; give "
                                "the flux without direction",
                                p->place.body->name);
        }
    }
    return GOS_OK;
}

static gos_status attach_surface(const gos_heat_entry *e, const gos_heat_place *p,
                                 double absorptivity, double smoothing) {
    const gos_section *s = p->place.body->section;
    if (!s->has_outline) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                            "the section of body '%s' has no faces to orient a flux by; use a "
                            "rectangle, circle or annulus, or give the flux without direction",
                            p->place.body->name);
    }
    GOS_TRY(check_laws(e, p));
    surface_par *par = GOS_NEW(e->b->arena, surface_par, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    par->absorptivity = absorptivity;
    par->weights.eps2 = smoothing * smoothing;
    if (p->where == GOS_ON_FACE) {
        add_face(&s->face[p->place.face], s->nfam, &par->weights);
    } else if (s->round) {
        add_circle(s->outer, &par->weights);
    } else {
        for (int i = 0; i < s->nface; i++) {
            add_face(&s->face[i], s->nfam, &par->weights);
        }
    }
    return gos__heat_attach(e, p, &surface_type, NULL, par, false);
}

/* ---- at an end ----------------------------------------------------------------------------- */

typedef struct end_par {
    double s[GOS_FAMILIES]; // integral of phi_k over the end face
    double sign;            // outward normal is sign * tangent: -1 at the start
    double absorptivity;
    double eps2;
} end_par;

/* the end face's cosine c = -u . n with n = sign r_x/|r_x| */
static void end_item(const gos_item *it, const gos_item_io *io) {
    const end_par *p = it->par;
    const double *r = io->x;
    double u[3], len = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (!(len > 0.0) || !travel(io->fn, u)) {
        return;
    }
    double t[3] = {r[0] / len, r[1] / len, r[2] / len};
    double ut = u[0] * t[0] + u[1] * t[1] + u[2] * t[2];
    double c = -p->sign * ut, a = sqrt(c * c + p->eps2);
    double q = io->scale * p->absorptivity * io->fn[0];
    double dlit = 0.5 * ((a > 0.0 ? c / a : 0.0) + 1.0);
    for (int k = 0; k < it->ntm; k++) {
        if (io->heat) {
            io->heat[k] += q * p->s[k] * 0.5 * (a + c);
        }
        for (int i = 0; io->heat_x && i < 3; i++) {
            io->heat_x[k * 3 + i] -= q * p->s[k] * dlit * p->sign * (u[i] - ut * t[i]) / len;
        }
    }
}

static const gos_item_type end_type = {.name = "flux on an end", .eval = end_item};

static gos_status attach_end(const gos_heat_entry *e, const gos_heat_place *p, double absorptivity,
                             double smoothing) {
    const gos_body *body = p->place.body;
    end_par *par = GOS_NEW(e->b->arena, end_par, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    gos__heat_moments(body->section->end, body->section->nend, body->nfam, par->s);
    par->sign = p->place.s > 0.5 * body->length ? 1.0 : -1.0;
    par->absorptivity = absorptivity;
    par->eps2 = smoothing * smoothing;
    return gos__heat_attach(e, p, NULL, &end_type, par, true);
}

/* ---- building ------------------------------------------------------------------------------ */

static gos_status attach_fixed(const gos_heat_entry *e, const gos_heat_place *p) {
    const gos_section_point *pt = NULL;
    int n = 0;
    double s[GOS_FAMILIES];
    GOS_TRY(gos__heat_patch(e, p, &pt, &n));
    gos__heat_moments(pt, n, p->place.body->nfam, s);
    return gos__heat_amount(e, p, s);
}

static gos_status attach_directed(const gos_heat_entry *e, const gos_heat_place *p,
                                  const flux *in) {
    double a = p->place.body->material->absorptivity;
    if (gos__node_given(e->node, "absorptivity")) {
        a = in->absorptivity;
    }
    if (p->where == GOS_ON_END) {
        return attach_end(e, p, a, in->smoothing);
    }
    return attach_surface(e, p, a, in->smoothing);
}

/* what has a meaning only with, or is wrong in, a direction */
static gos_status check_direction(const gos_heat_entry *e, const flux *in, bool directed) {
    static const char *const needs[] = {"absorptivity", "smoothing"};
    for (int i = 0; !directed && i < GOS_COUNT(needs); i++) {
        if (gos__node_given(e->node, needs[i])) {
            return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, needs[i]), e->object,
                                "%s acts on a flux with a direction; remove it or give direction",
                                needs[i]);
        }
    }
    if (!directed) {
        return GOS_OK;
    }
    for (int i = 0; i < 3; i++) {
        if (!gos__timefn_constant(in->direction[i]) ||
            gos__timefn_eval(in->direction[i], 0.0, NULL, NULL) != 0.0) {
            return GOS_OK;
        }
    }
    return gos__fail_at(e->b->ctx, GOS_E_INPUT, gos__key_loc(e->node, "direction"), e->object,
                        "direction has zero length; give the vector along which the heat travels");
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    flux in;
    memset(&in, 0, sizeof in);
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &in));
    bool directed = gos__node_given(entry, "direction") != NULL;
    gos_heat_entry e = {.b = b, .node = entry, .name = name, .object = object};
    gos_timefn *fn[4] = {in.value, in.direction[0], in.direction[1], in.direction[2]};
    GOS_TRY(gos__heat_fns(&e, directed ? 4 : 1, fn));
    GOS_TRY(check_direction(&e, &in, directed));

    for (int i = 0; i < in.on.n; i++) {
        gos_heat_place p;
        GOS_TRY(gos__heat_place(&e, &in.on, i, GOS_ON_BODY | GOS_ON_FACE | GOS_ON_END, &p));
        GOS_TRY(directed ? attach_directed(&e, &p, &in) : attach_fixed(&e, &p));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {build};

const gos_type gos__heat_flux = {
    .section = "heat",
    .name = "flux",
    .doc = "Heat flux, absorbed by orientation, or entering a face.",
    .params = params,
    .size = sizeof(flux),
    .example = "sun: {type: flux, value: 1361, direction: [0, -1, 0], on: rod}",
    .ops = &ops,
};
