/* Reaction wheel, momentum wheel or gyroscope: rotor symmetric about axis a of a rigid body. The
   state is its angular momentum h = J (Omega + omega . a), not its angle, with axial inertia J,
   speed Omega relative to the body and angular velocity omega of the body,
       h' = M,   M = s M0 - c Omega,   moment on the body  tau = -M a - omega x (h a)
   (Wie, Space vehicle dynamics and control, 2008, 7.2), load factor s. The body includes the
   rotor's mass and transverse inertia. Body axes d_k carry 1/2 tau x d_k; a = sum_k a_k d_k, omega
   = 1/2 sum_k d_k x d_k'. Stored h^2 / (2 J), dissipated c Omega^2, motor work M0 Omega. */
#include <math.h>

#include "loads/loads.h"
#include "parts/location.h"
#include "parts/first_order_states.h"
#include "math/vec3.h"

enum { SPEED, MOMENTUM, MOMENT };

typedef struct gos_wheel_def {
    const char *on;
    double axis[3];
    double inertia, speed, friction; // [kg m^2], [rad/s], [N m s/rad]
    gos_timefn *moment;              // [N m]
} gos_wheel_def;

typedef struct gos_wheel {
    double a[3]; // axis in the body's axes [-]
    double J, c; // [kg m^2], [N m s/rad]
} gos_wheel;

static const gos_param params[] = {
    {.name = "on",
     .kind = GOS_K_NAME,
     .choices = "bodies",
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(gos_wheel_def, on),
     .doc = "the rigid body that carries the wheel; its mass and transverse inertia include the "
            "rotor"},
    {.name = "axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_REQUIRED | GOS_P_UNIT_VECTOR,
     .offset = offsetof(gos_wheel_def, axis),
     .doc = "wheel axis at t = 0, global axes; fixed in the body"},
    {.name = "inertia",
     .kind = GOS_K_NUMBER,
     .unit = "kg m^2",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(gos_wheel_def, inertia),
     .doc = "moment of inertia of the rotor about its axis, not included in the body"},
    {.name = "speed",
     .kind = GOS_K_NUMBER,
     .unit = "rad/s",
     .lo = -HUGE_VAL,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_wheel_def, speed),
     .doc = "absolute angular velocity of the rotor about its axis at t = 0 (including that of the "
            "body)"},
    {.name = "moment",
     .kind = GOS_K_TIMEFN,
     .unit = "N m",
     .def = "0",
     .flags = GOS_P_PROBES,
     .offset = offsetof(gos_wheel_def, moment),
     .doc = "motor moment on the rotor about the axis, with the opposite moment on the body: a "
            "function of time and probes"},
    {.name = "friction",
     .kind = GOS_K_NUMBER,
     .unit = "N m s/rad",
     .lo = 0,
     .hi = HUGE_VAL,
     .def = "0",
     .offset = offsetof(gos_wheel_def, friction),
     .doc = "viscous bearing friction"},
    {0}};

typedef struct motion {
    double a[3], omega[3], tau[3];
    double h, speed, moment; // momentum, speed relative to the body, moment on the rotor
} motion;

static motion motion_of(const gos_wheel *w, const gos_item_io *io) {
    motion m = {.h = io->th[0]};
    for (int k = 0; k < 3; k++) {
        double turn[3];
        gos__cross3(io->x + 3 * k, io->xd + 3 * k, turn);
        for (int c = 0; c < 3; c++) {
            m.a[c] += w->a[k] * io->x[3 * k + c];
            m.omega[c] += 0.5 * turn[c];
        }
    }
    m.speed = m.h / w->J - gos__dot3(m.omega, m.a);
    m.moment = io->scale * io->fn[0] - w->c * m.speed;
    gos__cross3(m.omega, m.a, m.tau);
    for (int c = 0; c < 3; c++) {
        m.tau[c] = -m.moment * m.a[c] - m.h * m.tau[c];
    }
    return m;
}

typedef struct slope {
    double speed[3], tau[9];
} slope;

/* dtau = -dM a - M da - h (domega x a + omega x da), dM = -c dOmega; da = `a` dx, domega = T dx */
static slope slope_of(const gos_wheel *w, const motion *m, double a, const double T[9]) {
    slope s;
    double A[9], W[9], AT[9];
    gos__skew3(m->a, A);
    gos__skew3(m->omega, W);
    gos__mul33(A, T, AT);
    for (int j = 0; j < 3; j++) {
        s.speed[j] = -a * m->omega[j];
        for (int c = 0; c < 3; c++) {
            s.speed[j] -= m->a[c] * T[3 * c + j];
        }
    }
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3;
        s.tau[k] =
            w->c * m->a[i] * s.speed[j] + m->h * (AT[k] - a * W[k]) - (i == j ? a * m->moment : 0);
    }
    return s;
}

static void on_axes(const double *x, const double tau[3], double factor, double *f, int stride) {
    for (int k = 0; k < 3; k++) {
        double q[3];
        gos__cross3(tau, x + 3 * k, q);
        for (int c = 0; c < 3; c++) {
            f[(3 * k + c) * stride] += 0.5 * factor * q[c];
        }
    }
}

/* columns of axis j or its rate; f and heat may be NULL */
static void columns(const gos_wheel *w, const gos_item_io *io, const slope *s, int j, double *f,
                    double *heat) {
    for (int c = 0; c < 3; c++) {
        const double dtau[3] = {s->tau[c], s->tau[3 + c], s->tau[6 + c]};
        if (f) {
            on_axes(io->x, dtau, 1, f + 3 * j + c, 9);
        }
        if (heat) {
            heat[3 * j + c] -= w->c * s->speed[c];
        }
    }
}

static void differentiate(const gos_wheel *w, const gos_item_io *io, const motion *m) {
    double S[9], T[9], turn[3];
    gos__skew3(m->tau, S);
    for (int j = 0; j < 3; j++) {
        gos__skew3(io->xd + 3 * j, T); // omega = ... + 1/2 d x d'
        for (int k = 0; k < 9; k++) {
            T[k] *= -0.5;
        }
        slope s = slope_of(w, m, w->a[j], T);
        columns(w, io, &s, j, io->fx, io->heat_x);
        if (io->fx) {
            gos__add33(io->fx, 9, j, j, 0.5, S);
        }
        gos__skew3(io->x + 3 * j, T);
        for (int k = 0; k < 9; k++) {
            T[k] *= 0.5;
        }
        s = slope_of(w, m, 0, T);
        columns(w, io, &s, j, io->fv, io->heat_v);
    }
    if (io->f_th) { // dtau/dh = c a / J - omega x a
        gos__cross3(m->omega, m->a, turn);
        on_axes(io->x, m->a, w->c / w->J, io->f_th, 1);
        on_axes(io->x, turn, -1, io->f_th, 1);
    }
    if (io->heat_th) {
        io->heat_th[0] -= w->c / w->J;
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_wheel *w = it->par;
    const motion m = motion_of(w, io);
    if (io->f) {
        on_axes(io->x, m.tau, 1, io->f, 1);
    }
    if (io->heat) {
        io->heat[0] += m.moment;
    }
    if (io->energy) {
        *io->energy += 0.5 * m.h * m.h / w->J;
        *io->power += w->c * m.speed * m.speed;
        *io->work += io->scale * io->fn[0] * m.speed;
    }
    if (io->fx || io->fv || io->heat_x || io->heat_v || io->f_th || io->heat_th) {
        differentiate(w, io, &m);
    }
}

static void by_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    GOS_UNUSED(k);
    const motion m = motion_of(it->par, io);
    if (io->f) {
        on_axes(io->x, m.a, -io->scale, io->f, 1);
    }
    if (io->heat) {
        io->heat[0] += io->scale;
    }
}

static void observe(const gos_item *it, const gos_item_io *io, double y[GOS_ITEM_OBSERVED]) {
    const motion m = motion_of(it->par, io);
    y[SPEED] = m.speed;
    y[MOMENTUM] = m.h;
    y[MOMENT] = m.moment;
}

static const gos_shown shown[] = {
    [SPEED] = {"speed", "rad/s"}, [MOMENTUM] = {"momentum", "N m s"}, [MOMENT] = {"moment", "N m"}};
static const gos_item_type type_wheel = {.name = "wheel",
                                         .eval = eval,
                                         .by_input = by_input,
                                         .observe = observe,
                                         .nshown = GOS_COUNT(shown),
                                         .shown = shown};
static const gos_input_def input = {.unit = "N m", .kind = GOS_INPUT_FORCE};

static gos_status add_momentum(gos_builder *b, const gos_wheel_def *def, gos_item *item) {
    static const double one = 1;
    const double h = def->inertia * def->speed;
    int *idx = GOS_NEW(b->arena, int, 1);
    item->tm = GOS_NEW(b->arena, gos_tmarker, 1);
    if (!idx || !item->tm) {
        return GOS_E_MEMORY;
    }
    const gos_states states = {.type = "wheel",
                               .object = item->name,
                               .loc = item->loc,
                               .n = 1,
                               .start = &h,
                               .scale = fabs(h),
                               .relative = true};
    GOS_TRY(gos__add_states(b, &states, idx));
    *item->tm = (gos_tmarker){.n = 1, .idx = idx, .w = &one};
    item->ntm = 1;
    return GOS_OK;
}

static gos_status on_body(gos_builder *b, const gos_node *entry, const gos_wheel_def *def,
                          gos_item *item, gos_wheel *w) {
    const gos_loc loc = gos__key_loc(entry, "on");
    gos_location location;
    GOS_TRY(gos__locate_point(b, def->on, loc, item->name, &location));
    if (!location.body || location.body->rigid_item < 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, item->name,
                            "a wheel requires a rigid body, but '%s' is not one", def->on);
    }
    GOS_TRY(gos__rigid_axes(b, &location, item->m));
    item->nm = 3;
    for (int k = 0; k < 3; k++) {
        double d[3];
        gos__marker_value(&item->m[k], &b->e0[0][0], d);
        w->a[k] = gos__dot3(d, def->axis);
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    gos_wheel_def def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    gos_wheel *w = GOS_NEW(b->arena, gos_wheel, 1);
    gos_item item = {.type = &type_wheel,
                     .par = w,
                     .name = gos__arena_strdup(b->arena, object),
                     .entry = gos__arena_strdup(b->arena, name),
                     .loc = entry->key_loc,
                     .nfn = 1,
                     .ninput = 1,
                     .input = &input,
                     .mixed = true,
                     .stores = true};
    if (!w || !item.name || !item.entry) {
        return GOS_E_MEMORY;
    }
    w->J = def.inertia;
    w->c = def.friction;
    GOS_TRY(on_body(b, entry, &def, &item, w));
    GOS_TRY(gos__add_timefns(b, 1, &def.moment, &item.fn0));
    GOS_TRY(add_momentum(b, &def, &item));
    return gos__add_item(b, &item, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_wheel = {
    .section = "loads",
    .name = "wheel",
    .doc = "reaction or momentum wheel on a rigid body: a symmetric rotor with motor; its spin "
           "does not limit the time step",
    .params = params,
    .size = sizeof(gos_wheel_def),
    .example =
        "roll: {type: wheel, on: hub, axis: [1, 0, 0], inertia: 0.01, moment: \"0.1*sin(t)\"}",
    .ops = &ops};
