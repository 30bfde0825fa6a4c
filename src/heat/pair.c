/* Heat flow between two points, conserved:
       contact:    q = G (T_2 - T_1)
       exchange:   q = e A sigma (T_2^4 - T_1^4), absolute temperatures
   into the first point, T the mean section (or rigid body) temperatures. Not scaled by the load
   factor of statics. */
#include "heat/heat.h"

#include <math.h>

typedef struct pair_def {
    gos_texts between;
    double conductance;      // [W/K]
    double area, emissivity; // [m^2], [-]
} pair_def;

typedef struct pair {
    double factor; // conductance [W/K]; emissivity area sigma [W/K^4]
    double T_ref;  // [K]
} pair;

#define PAIR_BETWEEN                                                                               \
    {                                                                                              \
        .name = "between", .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_REQUIRED,               \
        .offset = offsetof(pair_def, between),                                                     \
        .doc = "the two locations: ends (rod.end), nodes (rod.node(3)), points (rod.at(0.5)) or "  \
               "rigid bodies with a temperature; heat flow depends on their mean temperatures"     \
    }

static const gos_param contact_params[] = {
    PAIR_BETWEEN,
    {.name = "conductance",
     .kind = GOS_K_NUMBER,
     .unit = "W/K",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(pair_def, conductance),
     .doc = "power per 1 K difference: contact coefficient [W/(m^2 K)] times area"},
    {0}};

static const gos_param exchange_params[] = {
    PAIR_BETWEEN,
    {.name = "area",
     .kind = GOS_K_NUMBER,
     .unit = "m^2",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(pair_def, area),
     .doc = "area times view factor, equal for both sides: A1 F12 = A2 F21"},
    {.name = "emissivity",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 1.0,
     .flags = GOS_P_LO_OPEN,
     .def = "1",
     .offset = offsetof(pair_def, emissivity),
     .doc =
         "effective emissivity of both surfaces; for large parallel surfaces 1/(1/e1 + 1/e2 - 1)"},
    {0}};

static void flow(const gos_item_io *io, double q, const double d[2]) {
    if (io->heat) {
        io->heat[0] += q;
        io->heat[1] -= q;
    }
    for (int j = 0; io->heat_th && j < 2; j++) {
        io->heat_th[j] += d[j];
        io->heat_th[2 + j] -= d[j];
    }
}

static void contact_eval(const gos_item *it, const gos_item_io *io) {
    const pair *p = it->par;
    flow(io, p->factor * (io->th[1] - io->th[0]), (double[]){-p->factor, p->factor});
}

/* signed fourth power, as in radiation.c */
static void exchange_eval(const gos_item *it, const gos_item_io *io) {
    const pair *p = it->par;
    double e[2], d[2];
    for (int j = 0; j < 2; j++) {
        const double T = p->T_ref + io->th[j], sign = j ? 1 : -1;
        e[j] = T * T * T * fabs(T);
        d[j] = sign * 4 * p->factor * T * T * fabs(T);
    }
    flow(io, p->factor * (e[1] - e[0]), d);
}

static const gos_item_type contact_type = {.name = "contact", .eval = contact_eval};
static const gos_item_type exchange_type = {.name = "exchange", .eval = exchange_eval};

static gos_status location_of(const gos_heat_entry *e, const gos_texts *between, int i,
                              gos_heat_location *p, gos_tmarker *tm) {
    gos_tmarker all[GOS_FAMILIES];
    GOS_TRY(gos__heat_location(e, between, i, GOS_ON_BODY | GOS_ON_END | GOS_ON_POINT, p));
    const gos_body *body = p->location.body;
    if (p->where == GOS_ON_BODY && !gos__heat_lumped(body)) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                            "'%s' has many temperatures; specify one of its points, like %s.end",
                            p->text, body->name);
    }
    GOS_TRY(body->ops->temperature(e->b->arena, body, &p->location, all));
    *tm = all[0];
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    const bool contact = type == &gos__heat_contact;
    pair_def in;
    gos_heat_entry e;
    gos_heat_location p[2];
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &in, &e));
    if (in.between.n != 2) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "between"), object,
                            "between lists %d locations; list two, e.g. [rod.end, hub]",
                            in.between.n);
    }
    pair *par = GOS_NEW(b->arena, pair, 1);
    gos_item it = {.type = contact ? &contact_type : &exchange_type,
                   .par = par,
                   .name = gos__arena_strdup(b->arena, object),
                   .entry = gos__arena_strdup(b->arena, name),
                   .loc = entry->key_loc,
                   .ntm = 2,
                   .tm = GOS_NEW(b->arena, gos_tmarker, 2)};
    if (!par || !it.name || !it.entry || !it.tm) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < 2; i++) {
        GOS_TRY(location_of(&e, &in.between, i, &p[i], &it.tm[i]));
    }
    if (it.tm[0].n == it.tm[1].n && it.tm[0].idx[0] == it.tm[1].idx[0] &&
        it.tm[0].w[0] == it.tm[1].w[0]) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "between"), object,
                            "'%s' and '%s' are the same point; specify two different ones",
                            p[0].text, p[1].text);
    }
    par->T_ref = b->T_ref;
    par->factor = in.conductance;
    if (!contact) {
        GOS_TRY(gos__heat_stefan_boltzmann(b, &par->factor));
        par->factor *= in.emissivity * in.area;
    }
    return gos__add_item(b, &it, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__heat_contact = {
    .section = "heat",
    .name = "contact",
    .doc = "Heat conduction between two points in contact.",
    .params = contact_params,
    .size = sizeof(pair_def),
    .example = "joint: {type: contact, between: [rod.start, rod.end], conductance: 2}",
    .ops = &ops,
};

const gos_type gos__heat_exchange = {
    .section = "heat",
    .name = "exchange",
    .doc = "Thermal radiation between two points.",
    .params = exchange_params,
    .size = sizeof(pair_def),
    .example = "gap: {type: exchange, between: [rod.start, rod.end], area: 0.02, emissivity: 0.7}",
    .ops = &ops,
};
