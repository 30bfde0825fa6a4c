/* Spring and damper between points A and B: with d = x_A - x_B, l = |d|, n = d/l, w = dd/dt,
       f_A = -(k (l - l0) + E(l - l0) + c l' + D(l')) n,   l' = n . w,   f_B = -f_A, E and D given.
   Stored: k (l - l0)^2/2 plus the integral of E from 0; dissipated: (c l' + D) l'. In statics with
   load factor s, l0(s) = l(0) + s (l0 - l(0)), E(0) scaled by s: stiff but unstressed at s = 0.
   Without free length and given functions the ends may coincide. */
#include "loads/load.h"
#include "loads/loads.h"

typedef struct gos_spring_def {
    gos_texts between;
    double at[3];                 // [m]
    double stiffness;             // [N/m]
    double damping;               // [N s/m]
    double free_length;           // [m]
    gos_timefn *elastic, *damper; // [N]
} gos_spring_def;

typedef struct gos_spring {
    double k, c;                        // [N/m], [N s/m]
    double l0;                          // free length [m]
    double li;                          // length at t = 0 [m]
    const gos_timefn *elastic, *damper; // functions of stretch and rate [N]; NULL: none
} gos_spring;

static const gos_param params[] = {
    {.name = "between",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gos_spring_def, between),
     .doc = "the two ends, e.g. [ground, rod.end]; a rigid body without a point means its node"},
    {.name = "at",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(gos_spring_def, at),
     .doc = "location of the end on the ground, global axes; required if one end is the ground"},
    {.name = "stiffness",
     .kind = GOS_K_NUMBER,
     .unit = "N/m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_spring_def, stiffness),
     .doc = "stiffness"},
    {.name = "damping",
     .kind = GOS_K_NUMBER,
     .unit = "N s/m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_spring_def, damping),
     .doc = "viscous damping along the line between the ends"},
    {.name = "free_length",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .offset = offsetof(gos_spring_def, free_length),
     .doc = "unstretched length; default: distance at t = 0"},
    {.name = "elastic",
     .kind = GOS_K_TIMEFN,
     .unit = "N",
     .choices = "stretch",
     .offset = offsetof(gos_spring_def, elastic),
     .doc = "additional elastic force, pulling the ends together, as a function of stretch = "
            "length - free_length [m], e.g. \"1e4*stretch^3\" or a table; evaluated for positive "
            "and negative stretch"},
    {.name = "damper",
     .kind = GOS_K_TIMEFN,
     .unit = "N",
     .choices = "rate",
     .offset = offsetof(gos_spring_def, damper),
     .doc = "additional damping force as a function of rate, the rate of length [m/s]; it opposes "
            "the motion if it has the sign of rate, e.g. \"5*rate*abs(rate)\" or a table"},
    {0}};

/* Force along the line; derivatives with respect to length and rate. */
typedef struct pull {
    double n, dl, dr;
} pull;

static void add_functions(const gos_spring *par, double scale, double s, double r, pull *p) {
    const double zero = 0.0;
    double d;
    if (par->elastic) {
        p->n += gos__timefn_at(par->elastic, 0.0, &s, &d);
        p->dl += d;
        p->n -= scale < 1.0 ? (1.0 - scale) * gos__timefn_at(par->elastic, 0.0, &zero, NULL) : 0.0;
    }
    if (par->damper) {
        p->n += gos__timefn_at(par->damper, 0.0, &r, &d);
        p->dr += d;
    }
}

/* df/dd and df/dw of f = -N n: dN = N_l n . dd + N_r (n . dw + (w - r n) . dd / l), dn = (dd - n n
   . dd) / l */
static void derivatives(const pull *p, double l, const double n[3], const double w[3], double Fd[9],
                        double Fw[9]) {
    const double r = gos__dot3(n, w);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            Fd[3 * i + j] = -n[i] * (p->dl * n[j] + p->dr * (w[j] - r * n[j]) / l) -
                            p->n / l * ((i == j) - n[i] * n[j]);
            Fw[3 * i + j] = -p->dr * n[i] * n[j];
        }
    }
}

/* adds [F -F; -F F] */
static void difference_blocks(double *M, const double F[9]) {
    gos__add33(M, 6, 0, 0, 1.0, F);
    gos__add33(M, 6, 0, 1, -1.0, F);
    gos__add33(M, 6, 1, 0, -1.0, F);
    gos__add33(M, 6, 1, 1, 1.0, F);
}

static void balance(const gos_spring *par, const gos_item_io *io, double s, double r) {
    const double zero = 0.0;
    *io->energy += 0.5 * par->k * s * s;
    *io->power += par->c * r * r;
    if (par->elastic) {
        *io->energy += gos__timefn_integral(par->elastic, 0.0, s) -
                       (1.0 - io->scale) * s * gos__timefn_at(par->elastic, 0.0, &zero, NULL);
    }
    if (par->damper) {
        *io->power += r * gos__timefn_at(par->damper, 0.0, &r, NULL);
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_spring *par = it->par;
    double l0 = par->li + io->scale * (par->l0 - par->li), d[3], w[3] = {0.0, 0.0, 0.0};
    gos__sub3(io->x, io->x + 3, d);
    if (io->xd) {
        gos__sub3(io->xd, io->xd + 3, w);
    }
    const double l = gos__norm3(d);
    double Fd[9] = {-par->k, 0.0, 0.0, 0.0, -par->k, 0.0, 0.0, 0.0, -par->k}, Fw[9] = {0.0};
    if (l > 0.0) {
        const double n[3] = {d[0] / l, d[1] / l, d[2] / l}, r = gos__dot3(n, w);
        pull p = {.n = par->k * (l - l0) + par->c * r, .dl = par->k, .dr = par->c};
        add_functions(par, io->scale, l - l0, r, &p);
        for (int k = 0; io->f && k < 3; ++k) {
            io->f[k] = -p.n * n[k];
            io->f[3 + k] = p.n * n[k];
        }
        derivatives(&p, l, n, w, Fd, Fw);
    }
    if (io->fx) {
        difference_blocks(io->fx, Fd);
    }
    if (io->fv) {
        difference_blocks(io->fv, Fw);
    }
    if (io->energy) {
        balance(par, io, l - l0, l > 0.0 ? gos__dot3(d, w) / l : 0.0);
    }
}

static const gos_item_type type_spring = {.name = "spring", .eval = eval};

static gos_status ends(gos_builder *b, const gos_node *entry, const gos_spring_def *def,
                       const char *object, gos_item *item, double *length) {
    gos_loc loc = gos__key_loc(entry, "between");
    const gos_node *at = gos__node_given(entry, "at");
    if (def->between.n != 2) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "between lists %d attachment points; list two, e.g. [ground, rod.end]",
                            def->between.n);
    }
    int grounds = 0;
    gos_location p[2];
    double d[3];
    for (int s = 0; s < 2; ++s) {
        GOS_TRY(gos__locate_point(b, def->between.v[s], def->between.loc[s], object, &p[s]));
        if (!p[s].body) {
            ++grounds;
            memcpy(p[s].x, def->at, sizeof def->at);
        }
        GOS_TRY(gos__position(b, &p[s], &item->m[s]));
    }
    if (grounds == 2) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "both ends are on the ground; attach one to a body");
    }
    if ((grounds == 1) != (at != NULL)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, at ? at->loc : loc, object, "%s",
                            at ? "`at` locates the end on the ground, but no end is `ground`; "
                                 "remove it"
                               : "the location on the ground is missing; give `at: [x, y, z]`");
    }
    const gos_body *one = p[0].body == p[1].body ? p[0].body : NULL;
    if (one && one->rigid_item >= 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "both ends are on rigid body '%s', where the spring has no effect; list two bodies",
            one->name);
    }
    if (one && gos__same_point(&p[0], &p[1])) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' and '%s' are the same point; name two different ones",
                            def->between.v[0], def->between.v[1]);
    }
    gos__sub3(p[0].x, p[1].x, d);
    *length = gos__norm3(d);
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_spring_def def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    gos_item item = {.type = &type_spring, .loc = entry->key_loc, .nm = 2, .stores = true};
    gos_spring *par = GOS_NEW(b->arena, gos_spring, 1);
    item.par = par;
    item.name = gos__arena_strdup(b->arena, object);
    if (!par || !item.name) {
        return GOS_E_MEMORY;
    }
    const bool given_force = def.elastic || def.damper;
    if (!(def.stiffness > 0.0) && !(def.damping > 0.0) && !given_force) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "the spring has neither stiffness nor damping; give one");
    }
    GOS_TRY(ends(b, entry, &def, object, &item, &par->li));
    par->k = def.stiffness;
    par->c = def.damping;
    par->elastic = def.elastic;
    par->damper = def.damper;
    bool given = gos__node_given(entry, "free_length") != NULL;
    par->l0 = given ? def.free_length : par->li;
    if (!(par->li > 0.0) && (par->l0 > 0.0 || par->c > 0.0 || given_force)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "between"), object,
                            "the ends coincide at t = 0, so the force has no direction; move one, "
                            "or set free_length and damping to 0 and remove elastic and damper");
    }
    return gos__add_item(b, &item, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_spring = {
    .section = "loads",
    .name = "spring",
    .doc = "spring and damper between two points, along their line",
    .params = params,
    .size = sizeof(gos_spring_def),
    .example = "stay: {type: spring, between: [ground, rod.end], at: [1, 1, 0], stiffness: 100, "
               "damping: 0.5}",
    .ops = &ops};
