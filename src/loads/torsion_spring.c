/* Hinge spring, damper, stops and latch: moment M on the second body, -M on the first, as a
   function of angle a (since t = 0, unwrapped) and rate w, f = M da/dx:
       M = -k (a - a0) - E(a - a0) - c w - D(w) + M0 + stops + latch,   E, D given, M0 a load
   Stop exceeded by d: -ks p(d) - cs q(d) w, p = d^2/(2 b) up to onset b, then d - b/2,
       q = 3 s^2 - 2 s^3, s = min(d/b, 1): continuous derivatives.
   Latch at al: kl (a - al) beyond al only. Once an accepted step ends there it is closed for good:
   kl (a - al) in both directions and damping cl w. The damper jumps, so integration restarts. In
   statics, rest angle and moment scale with the load factor. */
#include "loads/loads.h"
#include "parts/hinge.h"
#include "parts/location.h"
#include "math/vec3.h"

enum { ANGLE, CAUGHT, MEMORY }; // memory: angle at the end of the step; 1 once latched

typedef struct gos_latch_def {
    double angle, stiffness, damping; // [rad], [N m/rad], [N m s/rad]
} gos_latch_def;

typedef struct gos_torsion_def {
    gos_texts between;
    double axis[3];
    double stiffness, damping;    // [N m/rad], [N m s/rad]
    gos_timefn *elastic, *damper; // [N m]
    double rest_angle;            // [rad]
    double moment;                // [N m]
    double stops[2];              // lower, upper [rad]
    double stop_stiffness;        // [N m/rad]
    double stop_damping;          // [N m s/rad]
    double stop_onset;            // [rad]
    gos_latch_def latch;
} gos_torsion_def;

typedef struct gos_torsion {
    double share; // fraction at this node of an edge [-]
    double k, c, rest, moment;
    const gos_timefn *elastic, *damper; // functions of angle and rate [N m]; NULL: none
    double angle0;                      // angle of the vectors at t = 0 [rad]
    bool stopped;
    double stop[2], ks, cs, onset; // [rad], [N m/rad], [N m s/rad], [rad]
    double latch, kl, cl;          // [rad], [N m/rad] (0: none), [N m s/rad]
} gos_torsion;

static const gos_param latch_params[] = {
    {.name = "angle",
     .kind = GOS_K_NUMBER,
     .unit = "rad",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gos_latch_def, angle),
     .doc = "latching angle, when reached from 0"},
    {.name = "stiffness",
     .kind = GOS_K_NUMBER,
     .unit = "N m/rad",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(gos_latch_def, stiffness),
     .doc = "stiffness about that angle, in both directions once latched"},
    {.name = "damping",
     .kind = GOS_K_NUMBER,
     .unit = "N m s/rad",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_latch_def, damping),
     .doc = "viscous damping once latched"},
    {0}};

static const gos_param params[] = {
    {.name = "between",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gos_torsion_def, between),
     .doc = "the two bodies or points, e.g. [hub, panel.edge.x0]; the angle is that of the second "
            "relative to the first, 0 at t = 0; on a plate edge the moment is distributed evenly, "
            "with an angle and a latch per node"},
    {.name = "axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR,
     .offset = offsetof(gos_torsion_def, axis),
     .doc = "axis at t = 0, global axes; rotates with a body that has this direction fixed in it "
            "(between two cables the axis stays fixed in space)"},
    {.name = "stiffness",
     .kind = GOS_K_NUMBER,
     .unit = "N m/rad",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_torsion_def, stiffness),
     .doc = "stiffness"},
    {.name = "damping",
     .kind = GOS_K_NUMBER,
     .unit = "N m s/rad",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_torsion_def, damping),
     .doc = "viscous damping"},
    {.name = "elastic",
     .kind = GOS_K_TIMEFN,
     .unit = "N m",
     .choices = "angle",
     .offset = offsetof(gos_torsion_def, elastic),
     .doc = "additional elastic moment as a function of angle, measured from rest_angle [rad]; it "
            "is restoring if it has the sign of angle, e.g. \"3*angle^3\" or a table; evaluated "
            "for positive and negative angles"},
    {.name = "damper",
     .kind = GOS_K_TIMEFN,
     .unit = "N m",
     .choices = "rate",
     .offset = offsetof(gos_torsion_def, damper),
     .doc = "additional damping moment as a function of rate [rad/s]; it opposes the motion if it "
            "has the sign of rate, e.g. \"0.1*rate*abs(rate)\" or a table"},
    {.name = "rest_angle",
     .kind = GOS_K_NUMBER,
     .unit = "rad",
     .def = "0",
     .offset = offsetof(gos_torsion_def, rest_angle),
     .doc = "unloaded angle; may exceed one revolution"},
    {.name = "moment",
     .kind = GOS_K_NUMBER,
     .unit = "N m",
     .def = "0",
     .offset = offsetof(gos_torsion_def, moment),
     .doc = "constant moment on the second body about the axis"},
    {.name = "stops",
     .kind = GOS_K_VECTOR,
     .unit = "rad",
     .shape = 2,
     .offset = offsetof(gos_torsion_def, stops),
     .doc = "lowest and highest angle, e.g. [0, 1.6]; default: no stops"},
    {.name = "stop_stiffness",
     .kind = GOS_K_NUMBER,
     .unit = "N m/rad",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_torsion_def, stop_stiffness),
     .doc = "stiffness beyond a stop"},
    {.name = "stop_damping",
     .kind = GOS_K_NUMBER,
     .unit = "N m s/rad",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_torsion_def, stop_damping),
     .doc = "viscous damping beyond a stop, proportional to the excess angle up to stop_onset"},
    {.name = "stop_onset",
     .kind = GOS_K_NUMBER,
     .unit = "rad",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .def = "0.01",
     .offset = offsetof(gos_torsion_def, stop_onset),
     .doc = "angle beyond a stop over which its stiffness builds up smoothly"},
    {.name = "latch",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = latch_params,
     .offset = offsetof(gos_torsion_def, latch),
     .doc = "latches the hinge permanently once it reaches an angle"},
    {0}};

/* Moment on the second body; derivatives by angle and rate. */
typedef struct moment {
    double m, da, dw;
} moment;

/* stop exceeded by d > 0, which increases with sign * angle */
static void add_stop(const gos_torsion *t, double d, double sign, double w, moment *m) {
    double b = t->onset, s = fmin(d / b, 1.0);
    double p = s < 1.0 ? 0.5 * d * s : d - 0.5 * b;
    double q = s * s * (3.0 - 2.0 * s), dq = 6.0 * s * (1.0 - s) / b;
    m->m -= sign * t->ks * p + t->cs * q * w;
    m->da -= t->ks * s + sign * t->cs * dq * w;
    m->dw -= t->cs * q;
}

static bool beyond_latch(const gos_torsion *t, double a) {
    return t->kl > 0.0 && (t->latch > 0.0 ? a >= t->latch : a <= t->latch);
}

/* b: angle from rest */
static void add_functions(const gos_torsion *t, double b, double w, double scale, moment *m) {
    const double zero = 0.0;
    double d;
    if (t->elastic) {
        m->m -= gos__timefn_at(t->elastic, 0.0, &b, &d);
        m->da -= d;
        m->m += scale < 1.0 ? (1.0 - scale) * gos__timefn_at(t->elastic, 0.0, &zero, NULL) : 0.0;
    }
    if (t->damper) {
        m->m -= gos__timefn_at(t->damper, 0.0, &w, &d);
        m->dw -= d;
    }
}

static moment moment_of(const gos_torsion *t, double a, double w, double scale, bool caught) {
    moment m = {.m = -t->k * (a - scale * t->rest) - t->c * w + scale * t->moment,
                .da = -t->k,
                .dw = -t->c};
    add_functions(t, a - scale * t->rest, w, scale, &m);
    if (t->stopped && a > t->stop[1]) {
        add_stop(t, a - t->stop[1], 1.0, w, &m);
    }
    if (t->stopped && a < t->stop[0]) {
        add_stop(t, t->stop[0] - a, -1.0, w, &m);
    }
    if (caught || beyond_latch(t, a)) {
        double c = caught ? t->cl : 0.0;
        m.m -= t->kl * (a - t->latch) + c * w;
        m.da -= t->kl;
        m.dw -= c;
    }
    return m;
}

static void stop_balance(const gos_torsion *t, double d, double w, double *energy, double *power) {
    double b = t->onset, s = fmin(d / b, 1.0);
    *energy += t->ks * (s < 1.0 ? d * d * s / 6.0 : 0.5 * d * (d - b) + b * b / 6.0);
    *power += t->cs * s * s * (3.0 - 2.0 * s) * w * w;
}

static void balance(const gos_torsion *t, const gos_item_io *io, double a, double w, bool caught) {
    const double b = a - io->scale * t->rest, zero = 0.0;
    double energy = 0.5 * t->k * b * b, power = t->c * w * w;
    if (t->elastic) {
        energy += gos__timefn_integral(t->elastic, 0.0, b) -
                  (1.0 - io->scale) * b * gos__timefn_at(t->elastic, 0.0, &zero, NULL);
    }
    if (t->damper) {
        power += w * gos__timefn_at(t->damper, 0.0, &w, NULL);
    }
    if (t->stopped && a > t->stop[1]) {
        stop_balance(t, a - t->stop[1], w, &energy, &power);
    }
    if (t->stopped && a < t->stop[0]) {
        stop_balance(t, t->stop[0] - a, w, &energy, &power);
    }
    if (caught || beyond_latch(t, a)) {
        energy += 0.5 * t->kl * (a - t->latch) * (a - t->latch);
        power += caught ? t->cl * w * w : 0.0;
    }
    *io->energy += t->share * energy;
    *io->power += t->share * power;
    *io->work += t->share * io->scale * t->moment * w;
}

static double angle_of(const gos_torsion *t, const gos_item_io *io, gos_hinge_angle *h,
                       double *rate) {
    (void)gos__hinge_angle(io->x, h);
    *rate = 0.0;
    for (int i = 0; io->xd && i < 9; ++i) {
        *rate += h->dx[i] * io->xd[i];
    }
    return gos__hinge_unwrap(h->angle - t->angle0, io->mem[ANGLE]);
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_torsion *t = it->par;
    gos_hinge_angle h;
    double w;
    if (!io->f && !io->fx && !io->fv && !io->energy) {
        return;
    }
    double a = angle_of(t, io, &h, &w);
    if (io->energy) {
        balance(t, io, a, w, io->mem[CAUGHT] > 0.0);
    }
    moment m = moment_of(t, a, w, io->scale, io->mem[CAUGHT] > 0.0);
    m.m *= t->share, m.da *= t->share, m.dw *= t->share;
    for (int i = 0; i < 9; ++i) {
        if (io->f) {
            io->f[i] += m.m * h.dx[i];
        }
        double dw = 0.0; // d rate / d x_i
        for (int j = 0; io->xd && j < 9; ++j) {
            dw += h.dxx[9 * i + j] * io->xd[j];
        }
        for (int j = 0; j < 9; ++j) {
            if (io->fx) {
                io->fx[9 * j + i] +=
                    h.dx[j] * (m.da * h.dx[i] + m.dw * dw) + m.m * h.dxx[9 * j + i];
            }
            if (io->fv) {
                io->fv[9 * j + i] += m.dw * h.dx[j] * h.dx[i];
            }
        }
    }
}

static bool accept(const gos_item *it, const gos_item_io *io, double *mem) {
    const gos_torsion *t = it->par;
    gos_hinge_angle h;
    double w, a = angle_of(t, io, &h, &w);
    bool caught = io->mem[CAUGHT] > 0.0, catches = !caught && beyond_latch(t, a);
    mem[ANGLE] = a;
    mem[CAUGHT] = caught || catches;
    return catches;
}

/* lower stop, upper stop, open latch */
static void events(const gos_item *it, const gos_item_io *io, double distance[GOS_ITEM_EVENTS]) {
    const gos_torsion *t = it->par;
    gos_hinge_angle h;
    double w, a = angle_of(t, io, &h, &w);
    const bool open = t->kl > 0.0 && !(io->mem[CAUGHT] > 0.0);
    distance[0] = t->stopped ? a - t->stop[0] : 1.0;
    distance[1] = t->stopped ? t->stop[1] - a : 1.0;
    distance[2] = open ? t->latch - a : 1.0;
}

/* angle, moment on the second body, 1 once latched */
static void observe(const gos_item *it, const gos_item_io *io, double y[GOS_ITEM_OBSERVED]) {
    const gos_torsion *t = it->par;
    gos_hinge_angle h;
    double w;
    y[0] = angle_of(t, io, &h, &w);
    y[1] = moment_of(t, y[0], w, io->scale, io->mem[CAUGHT] > 0.0).m;
    y[2] = io->mem[CAUGHT];
}

static const gos_shown shown[] = {{"angle", "rad"}, {"moment", "N m"}, {"latched", "1"}};
static const gos_item_type type_torsion = {.name = "torsion spring",
                                           .eval = eval,
                                           .accept = accept,
                                           .events = events,
                                           .nevent = 3,
                                           .observe = observe,
                                           .nshown = GOS_COUNT(shown),
                                           .shown = shown};

static gos_status check_stops(gos_builder *b, const gos_node *entry, const gos_torsion_def *def,
                              const char *object, bool stopped) {
    static const char *const alone[] = {"stop_stiffness", "stop_damping", "stop_onset"};
    for (int i = 0; i < GOS_COUNT(alone) && !stopped; ++i) {
        if (gos__node_given(entry, alone[i])) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, alone[i]), object,
                                "%s has no effect without stops; add `stops: [lower, upper]`",
                                alone[i]);
        }
    }
    if (stopped &&
        !(def->stops[0] <= 0.0 && def->stops[1] >= 0.0 && def->stops[0] < def->stops[1])) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "stops"), object,
                            "stops [%g, %g] do not include the angle at t = 0, which is 0; "
                            "specify [lower, upper] with lower <= 0 <= upper",
                            def->stops[0], def->stops[1]);
    }
    if (stopped && !(def->stop_stiffness > 0.0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "stops"), object,
                            "stops require stiffness; give a stop_stiffness above 0");
    }
    return GOS_OK;
}

static gos_status fill(gos_builder *b, const gos_node *entry, const gos_torsion_def *def,
                       const char *object, gos_torsion *t) {
    *t = (gos_torsion){.share = 1.0,
                       .k = def->stiffness,
                       .c = def->damping,
                       .elastic = def->elastic,
                       .damper = def->damper,
                       .rest = def->rest_angle,
                       .moment = def->moment,
                       .stopped = gos__node_given(entry, "stops") != NULL,
                       .stop = {def->stops[0], def->stops[1]},
                       .ks = def->stop_stiffness,
                       .cs = def->stop_damping,
                       .onset = def->stop_onset,
                       .latch = def->latch.angle,
                       .kl = def->latch.stiffness,
                       .cl = def->latch.damping};
    GOS_TRY(check_stops(b, entry, def, object, t->stopped));
    if (t->kl > 0.0 && t->latch == 0.0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, gos__key_loc(entry, "latch"), object,
            "a latch at angle 0 is latched from the start; use stiffness and damping instead");
    }
    if (!(t->k > 0.0 || t->c > 0.0 || t->kl > 0.0 || t->stopped || t->moment != 0.0 || t->elastic ||
          t->damper)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, entry->key_loc, object,
            "the torsion spring has no stiffness, damping, moment, stops or latch; give one");
    }
    return GOS_OK;
}

static gos_status add_node(gos_builder *b, const gos_torsion_def *def, const gos_torsion *whole,
                           const gos_location p[2], double share, gos_item *item) {
    gos_torsion *t = GOS_NEW(b->arena, gos_torsion, 1);
    double *memory = GOS_NEW(b->arena, double, MEMORY);
    if (!t || !memory) {
        return GOS_E_MEMORY;
    }
    *t = *whole;
    t->share = share;
    item->par = t;
    item->memory = memory;
    GOS_TRY(gos__hinge_make(b, &def->between, p, def->axis, item->name, item->m, &t->angle0, NULL));
    return gos__add_item(b, item, NULL);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_torsion_def def = {0};
    gos_torsion whole;
    gos_location all[2], p[2];
    int n;
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    gos_item item = {.type = &type_torsion,
                     .name = gos__arena_strdup(b->arena, object),
                     .loc = entry->key_loc,
                     .nm = GOS_HINGE_MARKERS,
                     .nmem = MEMORY,
                     .stores = true};
    if (!item.name) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(fill(b, entry, &def, object, &whole));
    GOS_TRY(gos__hinge_locations(b, &def.between, gos__key_loc(entry, "between"), object, all, &n));
    for (int k = 0; k < n; ++k) {
        const double share = n > 1 ? gos__edge_share(&all[all[0].edge ? 0 : 1], k, n) : 1.0;
        gos__hinge_node(all, k, n, p);
        GOS_TRY(add_node(b, &def, &whole, p, share, &item));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_torsion_spring = {
    .section = "loads",
    .name = "torsion_spring",
    .doc = "spring, damper, stops and latch about the axis of a hinge",
    .params = params,
    .size = sizeof(gos_torsion_def),
    .example = "hinge: {type: torsion_spring, between: [ground, rod.start], axis: [0, 0, 1], "
               "stiffness: 2, rest_angle: 1.6, latch: {angle: 1.5, stiffness: 50}}",
    .ops = &ops};
