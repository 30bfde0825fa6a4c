/* Convection: coefficient * (ambient - T) per area (theory guide 2.5), with precomputed surface
   integrals. Ambient temperatures are relative to the reference temperature. */
#include "heat/heat.h"

#include <math.h>

typedef struct convection {
    gos_texts on;
    gos_timefn *coefficient, *ambient;
} convection;

static const gos_param params[] = {
    GOS_HEAT_ON(
        convection,
        "bodies (the lateral surface without the ends; both sides of a plate), faces or ends "
        "(rod.end)"),
    {.name = "coefficient",
     .kind = GOS_K_TIMEFN,
     .unit = "W/(m^2 K)",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(convection, coefficient),
     .doc = "film coefficient"},
    {.name = "ambient",
     .kind = GOS_K_TIMEFN,
     .unit = "K",
     .def = "0",
     .flags = GOS_P_OVER_REFERENCE,
     .offset = offsetof(convection, ambient),
     .doc = "ambient temperature, relative to reference_temperature"},
    {.name = NULL},
};

typedef struct film {
    double s[GOS_FAMILIES];                // integral of phi_k
    double S[GOS_FAMILIES * GOS_FAMILIES]; // (nfam, nfam) integral of phi_i phi_j
} film;

static void surface_eval(const void *par, const gos_law *law, const void *law_par, int nfam,
                         const double *fn, double scale, const gos_batch *b) {
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    const film *p = par;
    if (b->heat) {
        gos__kernel_film(p->S, p->s, nfam, scale * fn[0], fn[1], b->th, b->heat);
    }
}

static void surface_tangent(const void *par, const gos_law *law, const void *law_par, int nfam,
                            const double *fn, double scale, const gos_batch *b) {
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    const film *p = par;
    if (b->Ht) {
        gos__kernel_film_tangent(p->S, nfam, scale * fn[0], b->Ht);
    }
}

static void end_item(const gos_item *it, const gos_item_io *io) {
    const film *p = it->par;
    int n = it->ntm;
    double q = io->scale * io->fn[0];
    for (int k = 0; k < n; k++) {
        double flow = io->fn[1] * p->s[k];
        for (int j = 0; j < n; j++) {
            flow -= p->S[k * n + j] * io->th[j];
            if (io->heat_th) {
                io->heat_th[k * n + j] -= q * p->S[k * n + j];
            }
        }
        if (io->heat) {
            io->heat[k] += q * flow;
        }
    }
}

static void surface_by_ambient(const void *par, const gos_law *law, const void *law_par, int nfam,
                               const double *fn, double scale, const gos_input_def *k,
                               const gos_batch *b) {
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    GOS_UNUSED(k);
    const film *p = par;
    for (int i = 0; i < nfam; i++) {
        for (int l = 0; l < GOS_LANES; l++) {
            b->heat[i * GOS_LANES + l] += scale * fn[0] * p->s[i];
        }
    }
}

static void end_by_ambient(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    GOS_UNUSED(k);
    const film *p = it->par;
    for (int i = 0; i < it->ntm && io->heat; i++) {
        io->heat[i] += io->scale * io->fn[0] * p->s[i];
    }
}

static const gos_surface_type surface_type = {"convection", surface_eval, surface_tangent,
                                              surface_by_ambient};
static const gos_item_type end_type = {
    .name = "convection at an end", .eval = end_item, .by_input = end_by_ambient};
static const gos_input_def ambient = {.fn = 1, .unit = "K", .kind = GOS_INPUT_HEAT};

static gos_status attach(const gos_heat_entry *e, const gos_heat_location *p) {
    const gos_section_point *pt = NULL;
    int n = 0, nfam = p->location.body->nfam;
    GOS_TRY(gos__heat_patch(e, p, &pt, &n));
    film *par = GOS_NEW(e->b->arena, film, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    gos__heat_moments(pt, n, nfam, par->s);
    for (int q = 0; q < n; q++) {
        for (int i = 0; i < nfam; i++) {
            for (int j = 0; j < nfam; j++) {
                par->S[i * nfam + j] += pt[q].dl * pt[q].phi[i] * pt[q].phi[j];
            }
        }
    }
    return gos__heat_attach(e, p, &surface_type, &end_type, &ambient, par, false);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    convection in;
    gos_heat_entry e;
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    gos_timefn *fn[2] = {in.coefficient, in.ambient};
    GOS_TRY(gos__heat_fns(&e, 2, fn));
    GOS_TRY(gos__heat_above_zero(&e, "ambient", in.ambient));
    for (int i = 0; i < in.on.n; i++) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &in.on, i, GOS_ON_BODY | GOS_ON_FACE | GOS_ON_END, &p));
        GOS_TRY(attach(&e, &p));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_convection = {
    .section = "heat",
    .name = "convection",
    .doc = "Heat exchange with surroundings, proportional to the temperature difference.",
    .params = params,
    .size = sizeof(convection),
    .example = "air: {type: convection, coefficient: 10, ambient: 0, on: [rod, rod.end]}",
    .ops = &ops,
};
