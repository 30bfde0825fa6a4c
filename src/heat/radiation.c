/* Radiation to a sink: emissivity * sigma * (sink^4 - T^4) per area, absolute T, no view factors.
   The quadrature is exact for the fourth power (theory guide 2.5). */
#include "heat/heat.h"

#include <math.h>

typedef struct radiation {
    gos_texts on;
    gos_timefn *sink;
    double emissivity;
} radiation;

static const gos_param params[] = {
    GOS_HEAT_ON(
        radiation,
        "bodies (whole outline without the ends; both sides of a plate), faces or ends (rod.end)"),
    {.name = "sink",
     .kind = GOS_K_TIMEFN,
     .unit = "K",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_ABSOLUTE,
     .offset = offsetof(radiation, sink),
     .doc = "absolute temperature of the surroundings (space: 2.7)"},
    {.name = "emissivity",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 1.0,
     .offset = offsetof(radiation, emissivity),
     .doc = "surface emissivity; default: the material's"},
    {.name = NULL},
};

typedef struct patch {
    const gos_section_point *pt;
    int n;
    double factor; // sigma * emissivity
    double T_ref;  // [K]
} patch;

static void surface_eval(const void *par, const gos_law *law, const void *law_par, int nfam,
                         const double *fn, double scale, const gos_batch *b) {
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    const patch *p = par;
    if (b->heat && p->factor != 0) {
        gos__kernel_radiation(p->pt, p->n, nfam, scale * p->factor, p->T_ref, fn[0], b->th,
                              b->heat);
    }
}

static void surface_tangent(const void *par, const gos_law *law, const void *law_par, int nfam,
                            const double *fn, double scale, const gos_batch *b) {
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    GOS_UNUSED(fn);
    const patch *p = par;
    if (b->Ht && p->factor != 0) {
        gos__kernel_radiation_tangent(p->pt, p->n, nfam, scale * p->factor, p->T_ref, b->th, b->Ht);
    }
}

static void end_point(const gos_item *it, const gos_item_io *io, const gos_section_point *pt,
                      double q, double T_ref) {
    int n = it->ntm;
    double T = T_ref, sink = io->fn[0];
    for (int k = 0; k < n; k++) {
        T += pt->phi[k] * io->th[k];
    }
    double flow = q * pt->dl * (sink * sink * sink * fabs(sink) - T * T * T * fabs(T));
    double d = -4.0 * q * pt->dl * T * T * fabs(T);
    for (int k = 0; k < n; k++) {
        if (io->heat) {
            io->heat[k] += pt->phi[k] * flow;
        }
        for (int j = 0; io->heat_th && j < n; j++) {
            io->heat_th[k * n + j] += pt->phi[k] * pt->phi[j] * d;
        }
    }
}

static void end_item(const gos_item *it, const gos_item_io *io) {
    const patch *p = it->par;
    for (int i = 0; i < p->n; i++) {
        end_point(it, io, &p->pt[i], io->scale * p->factor, p->T_ref);
    }
}

static double by_sink(const patch *p, double scale, double sink, int family) {
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        sum += p->pt[i].dl * p->pt[i].phi[family];
    }
    return 4.0 * scale * p->factor * sink * sink * fabs(sink) * sum;
}

static void surface_by_sink(const void *par, const gos_law *law, const void *law_par, int nfam,
                            const double *fn, double scale, const gos_input_def *k,
                            const gos_batch *b) {
    GOS_UNUSED(law);
    GOS_UNUSED(law_par);
    GOS_UNUSED(k);
    for (int i = 0; i < nfam; i++) {
        const double d = by_sink(par, scale, fn[0], i);
        for (int l = 0; l < GOS_LANES; l++) {
            b->heat[i * GOS_LANES + l] += d;
        }
    }
}

static void end_by_sink(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    GOS_UNUSED(k);
    for (int i = 0; i < it->ntm && io->heat; i++) {
        io->heat[i] += by_sink(it->par, io->scale, io->fn[0], i);
    }
}

static const gos_surface_type surface_type = {"radiation", surface_eval, surface_tangent,
                                              surface_by_sink};
static const gos_item_type end_type = {
    .name = "radiation from an end", .eval = end_item, .by_input = end_by_sink};
static const gos_input_def sink = {.fn = 0, .unit = "K", .kind = GOS_INPUT_HEAT};

static gos_status attach(const gos_heat_entry *e, const gos_heat_location *p, const radiation *in) {
    const bool given = gos__node_given(e->node, "emissivity") != NULL;
    double emissivity = in->emissivity; // 0 is valid, e.g. as a parameter
    if (!given) {
        GOS_TRY(gos__heat_property(e, p, offsetof(gos_material, emissivity), "emissivity",
                                   &emissivity));
    }
    if (!given && !(emissivity > 0.0)) {
        gos__warn(e->b->ctx, p->loc, e->object,
                  "the emissivity of body '%s' is 0, so it does not radiate; give emissivity here "
                  "or in its material",
                  p->location.body->name);
    }
    patch *par = GOS_NEW(e->b->arena, patch, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__heat_visibility(e, p));
    GOS_TRY(gos__heat_patch(e, p, &par->pt, &par->n));
    GOS_TRY(gos__heat_stefan_boltzmann(e->b, &par->factor));
    par->factor *= emissivity;
    par->T_ref = e->b->T_ref;
    return gos__heat_attach(e, p, &surface_type, &end_type, &sink, par, false);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    radiation in;
    gos_heat_entry e;
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    GOS_TRY(gos__heat_fns(&e, 1, &in.sink));
    for (int i = 0; i < in.on.n; i++) {
        gos_heat_location p;
        GOS_TRY(gos__heat_location(&e, &in.on, i, GOS_ON_BODY | GOS_ON_FACE | GOS_ON_END, &p));
        GOS_TRY(attach(&e, &p, &in));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_radiation = {
    .section = "heat",
    .name = "radiation",
    .doc = "Thermal radiation to surroundings of given absolute temperature.",
    .params = params,
    .size = sizeof(radiation),
    .example = "space: {type: radiation, sink: 2.7, emissivity: 0.85, on: rod}",
    .ops = &ops,
};
