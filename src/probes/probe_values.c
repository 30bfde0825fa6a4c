/* Probe quantities, with closed-form rates where available. */
#include "probes/probe.h"

#include <math.h>

#include "base/units.h"
#include "math/vec3.h"
#include "system/derived.h"

static const char *const xyz[] = {"x", "y", "z"};
static const char *const one[] = {"value"};
static const char *const radial[] = {"radial", "along", "normal"};
static const char *const tensor[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
static const char *const principal[] = {"first", "second", "third"};
static const char *const largest[] = {"value", "x", "y", "z"};
static const char *const energy_names[] = {
#define X(name, doc) #name,
    GOS_ENERGY_FIELDS(X)
#undef X
};

static void value_position(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    gos__marker_value(&p->m[0], x->q, y);
}

static void value_displacement(const gos_system *s, const gos_state *x, const gos_probe *p,
                               double *y) {
    value_position(s, x, p, y);
    for (int c = 0; c < 3; c++) {
        y[c] -= p->x0[c];
    }
}

static void value_velocity(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    gos__marker_rate(&p->m[0], x->v, y);
}

static void value_acceleration(const gos_system *s, const gos_state *x, const gos_probe *p,
                               double *y) {
    GOS_UNUSED(s);
    gos__marker_rate(&p->m[0], x->a, y);
}

void gos__probe_section_axes(const double a[3], const double b[3], double axes[9]) {
    double across[3], *n = axes, *d2 = axes + 3;
    gos__cross3(a, b, n);
    const double m = gos__norm3(n), la = gos__norm3(a), lb = gos__norm3(b);
    for (int c = 0; c < 3; c++) {
        n[c] /= m;
    }
    gos__cross3(b, n, across);
    for (int c = 0; c < 3; c++) {
        d2[c] = a[c] / la + across[c] / lb;
    }
    const double l = gos__norm3(d2);
    for (int c = 0; c < 3; c++) {
        d2[c] /= l;
    }
    gos__cross3(n, d2, axes + 6);
}

void gos__probe_axes(const gos_state *x, const gos_probe *p, double axes[9]) {
    double a[9];
    for (int j = 0; j < (p->section ? 2 : 3); j++) {
        gos__marker_value(&p->m[1 + j], x->q, a + 3 * j);
    }
    if (p->section) {
        gos__probe_section_axes(a, a + 3, axes);
    } else {
        memcpy(axes, a, sizeof a);
    }
}

/* R = sum_j a_j a_j0^T, row-major: rotation since t = 0 */
static void rotation(const gos_state *x, const gos_probe *p, double R[9]) {
    double axes[9];
    gos__probe_axes(x, p, axes);
    memset(R, 0, 9 * sizeof *R);
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 9; k++) {
            R[k] += axes[3 * j + k / 3] * p->axes0[3 * j + k % 3];
        }
    }
}

/* form of the quaternion of R with the largest divisor; 3: trace form */
static int form_of(const double R[9]) {
    const double tr = R[0] + R[4] + R[8];
    int big = 3;
    for (int i = 0; i < 3; i++) {
        if (R[4 * i] > (big == 3 ? tr : R[4 * big])) {
            big = i;
        }
    }
    return big;
}

/* quaternion of R, not normalised, scalar last, with unit = 1; its rate for the rate of R with unit
   = 0 */
static void quaternion(const double R[9], int form, double unit, double q[4]) {
    if (form == 3) {
        q[3] = unit + R[0] + R[4] + R[8];
        q[0] = R[7] - R[5];
        q[1] = R[2] - R[6];
        q[2] = R[3] - R[1];
    } else {
        const int i = form, j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = unit + R[4 * i] - R[4 * j] - R[4 * k];
        q[j] = R[3 * i + j] + R[3 * j + i];
        q[k] = R[3 * i + k] + R[3 * k + i];
        q[3] = R[3 * k + j] - R[3 * j + k];
    }
}

/* rotation angle in -pi .. pi from vector part n and scalar part q */
static double turn_of(double n, double q) {
    const double angle = 2 * atan2(n, q);
    return angle > M_PI ? angle - 2 * M_PI : angle;
}

/* from the unit quaternion: accurate at 0 and pi */
static void value_rotation(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    double R[9], q[4];
    rotation(x, p, R);
    quaternion(R, form_of(R), 1, q);
    const double n = gos__norm3(q), turn = turn_of(n, q[3]);
    for (int c = 0; c < 3; c++) {
        y[c] = n > 0 ? turn * q[c] / n : 0;
    }
}

static void value_angular_velocity(const gos_system *s, const gos_state *x, const gos_probe *p,
                                   double *y) {
    GOS_UNUSED(s);
    double a[3][3], ad[3][3];
    for (int j = 0; j < (p->section ? 2 : 3); j++) {
        gos__marker_value(&p->m[1 + j], x->q, a[j]);
        gos__marker_rate(&p->m[1 + j], x->v, ad[j]);
    }
    if (p->section) { // m = a x b and its rate
        double u[3], v[3];
        gos__cross3(a[0], a[1], a[2]);
        gos__cross3(ad[0], a[1], u);
        gos__cross3(a[0], ad[1], v);
        for (int c = 0; c < 3; c++) {
            ad[2][c] = u[c] + v[c];
        }
    }
    y[0] = y[1] = y[2] = 0;
    for (int j = 0; j < 3; j++) { // omega = 1/2 sum a_j x a_j'/|a_j|^2
        double w[3];
        gos__cross3(a[j], ad[j], w);
        for (int c = 0; c < 3; c++) {
            y[c] += 0.5 * w[c] / (p->section ? gos__dot3(a[j], a[j]) : 1);
        }
    }
}

/* normals of the angle's axis; u is the first one, rotated */
static void turned_normal(const gos_state *x, const gos_probe *p, double n1[3], double n2[3],
                          double u[3]) {
    double R[9];
    rotation(x, p, R);
    gos__normals3(p->axis, n1, n2);
    for (int c = 0; c < 3; c++) {
        u[c] = gos__dot3(R + 3 * c, n1);
    }
}

static void value_angle(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double n1[3], n2[3], u[3];
    GOS_UNUSED(s);
    turned_normal(x, p, n1, n2, u);
    y[0] = p->start + atan2(gos__dot3(u, n2), gos__dot3(u, n1));
}

static void value_temperature(const gos_system *s, const gos_state *x, const gos_probe *p,
                              double *y) {
    GOS_UNUSED(s);
    for (int i = 0; i < p->ntm; i++) {
        y[i] = gos__tmarker_value(&p->tm[i], x->th);
    }
}

static void value_strain(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double f[GOS_PROBE_STRAINS];
    GOS_UNUSED(s);
    if (p->nrecovered > 0) {
        gos__recovered_value(x, p->recovered, y, NULL);
    } else {
        gos__section_state(x, p, y, f);
    }
}

static void value_curvature(const gos_system *s, const gos_state *x, const gos_probe *p,
                            double *y) {
    double e[GOS_PROBE_STRAINS], f[GOS_PROBE_STRAINS];
    GOS_UNUSED(s);
    gos__section_state(x, p, e, f);
    memcpy(y, e + p->body->law->nforce, (size_t)p->ncomp * sizeof *y);
}

static void value_force(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double e[GOS_PROBE_STRAINS], f[GOS_PROBE_STRAINS];
    GOS_UNUSED(s);
    if (p->nrecovered > 0) {
        gos__recovered_value(x, p->recovered, y, NULL);
        return;
    }
    gos__section_state(x, p, e, f);
    memcpy(y, f, (size_t)p->ncomp * sizeof *y);
}

static void value_moment(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double e[GOS_PROBE_STRAINS], f[GOS_PROBE_STRAINS];
    GOS_UNUSED(s);
    gos__section_state(x, p, e, f);
    memcpy(y, f + p->body->law->nforce, (size_t)p->ncomp * sizeof *y);
}

static void value_hinge(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    gos__item_observe(s, x, p->item, 0, 0, y);
}

/* value: components c of markers c; rate (may be NULL): of markers 3 + c; plus a temperature marker
   and input feed-through */
static void output_of(const gos_state *x, const gos_probe *p, double *value, double *rate) {
    double y = 0, yd = 0;
    for (int c = 0; c < 3 && p->nm == 6; c++) {
        double at[3], v[3], vd[3];
        gos__marker_value(&p->m[c], x->q, at);
        gos__marker_rate(&p->m[3 + c], x->v, v);
        y += at[c] + v[c];
        if (rate) {
            gos__marker_rate(&p->m[c], x->v, v);
            gos__marker_rate(&p->m[3 + c], x->a, vd);
            yd += v[c] + vd[c];
        }
    }
    for (int i = 0; i < p->ntm; i++) {
        y += gos__tmarker_value(&p->tm[i], x->th);
        yd += rate ? gos__tmarker_value(&p->tm[i], x->thd) : 0;
    }
    for (int i = 0; i < p->nfeed; i++) {
        double d = 0;
        y += p->feed[i] * gos__state_function(x, p->feed_fn[i], x->t, rate ? &d : NULL, NULL);
        yd += p->feed[i] * d;
    }
    *value = y;
    if (rate) {
        *rate = yd;
    }
}

static void value_output(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    output_of(x, p, y, NULL);
}

static void value_energy(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    gos_energy e;
    int i = 0;
    GOS_UNUSED(p);
    if (s->nshowing > 0) { // output coordinates differ from those of the equations
        gos__derived_refresh(x);
    }
    gos__state_energy(s, x, &e);
#define X(name, doc) y[i++] = e.name;
    GOS_ENERGY_FIELDS(X)
#undef X
}

static void value_momentum(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double l[3];
    GOS_UNUSED(p);
    gos_system_momentum(s, x, y, l);
}

static void value_angular_momentum(const gos_system *s, const gos_state *x, const gos_probe *p,
                                   double *y) {
    double linear[3];
    GOS_UNUSED(p);
    gos_system_momentum(s, x, linear, y);
}

static void value_load(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    GOS_UNUSED(p);
    *y = x->load;
}

static void value_violation(const gos_system *s, const gos_state *x, const gos_probe *p,
                            double *y) {
    GOS_UNUSED(p);
    *y = gos__state_violation(s, x);
}

static bool rate_position(const gos_state *x, const gos_probe *p, double *rate) {
    gos__marker_rate(&p->m[0], x->v, rate);
    return true;
}

static bool rate_velocity(const gos_state *x, const gos_probe *p, double *rate) {
    gos__marker_rate(&p->m[0], x->a, rate);
    return true;
}

static bool rate_acceleration(const gos_state *x, const gos_probe *p, double *rate) {
    gos__marker_rate(&p->m[0], x->jerk, rate);
    return true;
}

/* 1/2 sum a_j x a_j'' (rigid body; a_j' x a_j' = 0) */
static bool rate_angular_velocity(const gos_state *x, const gos_probe *p, double *rate) {
    for (int j = 0; j < 3 && !p->section; j++) {
        double a[3], add[3], w[3];
        gos__marker_value(&p->m[1 + j], x->q, a);
        gos__marker_rate(&p->m[1 + j], x->a, add);
        gos__cross3(a, add, w);
        for (int c = 0; c < 3; c++) {
            rate[c] += 0.5 * w[c];
        }
    }
    return !p->section;
}

static void rotation_rate(const gos_state *x, const gos_probe *p, double R[9]) {
    memset(R, 0, 9 * sizeof *R);
    for (int j = 0; j < 3; j++) {
        double a[3];
        gos__marker_rate(&p->m[1 + j], x->v, a);
        for (int k = 0; k < 9; k++) {
            R[k] += a[k / 3] * p->axes0[3 * j + k % 3];
        }
    }
}

/* unavailable for section vectors, whose lengths change */
static bool rate_rotation(const gos_state *x, const gos_probe *p, double *rate) {
    double R[9], Rd[9], q[4], qd[4];
    if (p->section) {
        return false;
    }
    rotation(x, p, R);
    rotation_rate(x, p, Rd);
    const int form = form_of(R);
    quaternion(R, form, 1, q);
    quaternion(Rd, form, 0, qd);
    const double n = gos__norm3(q);
    if (!(n > 0)) {
        for (int c = 0; c < 3; c++) {
            rate[c] += 2 * qd[c] / q[3];
        }
        return true;
    }
    const double nd = gos__dot3(q, qd) / n, turn = turn_of(n, q[3]);
    const double turning = 2 * (q[3] * nd - n * qd[3]) / (n * n + q[3] * q[3]);
    for (int c = 0; c < 3; c++) {
        rate[c] += (turning * q[c] + turn * (qd[c] - nd * q[c] / n)) / n;
    }
    return true;
}

/* rate of atan2(u . n2, u . n1), u = R n1 */
static bool rate_angle(const gos_state *x, const gos_probe *p, double *rate) {
    double Rd[9], n1[3], n2[3], u[3], ud[3];
    if (p->section) {
        return false;
    }
    turned_normal(x, p, n1, n2, u);
    rotation_rate(x, p, Rd);
    for (int c = 0; c < 3; c++) {
        ud[c] = gos__dot3(Rd + 3 * c, n1);
    }
    const double co = gos__dot3(u, n1), si = gos__dot3(u, n2);
    rate[0] += (co * gos__dot3(ud, n2) - si * gos__dot3(ud, n1)) / (co * co + si * si);
    return true;
}

static bool rate_temperature(const gos_state *x, const gos_probe *p, double *rate) {
    for (int i = 0; i < p->ntm; i++) {
        rate[i] = gos__tmarker_value(&p->tm[i], x->thd);
    }
    return true;
}

static bool rate_coordinates(const gos_state *x, const gos_probe *p, double *rate) {
    gos__joint_rates(NULL, x, p, rate);
    return true;
}

static bool rate_recovered(const gos_state *x, const gos_probe *p, double *rate) {
    if (p->nrecovered == 0) {
        return false;
    }
    gos__stress_rate(x, p, rate);
    return true;
}

static bool rate_output(const gos_state *x, const gos_probe *p, double *rate) {
    double value;
    output_of(x, p, &value, rate);
    return true;
}

static const gos_quantity quantities[] = {
    {"position", "m", "position, global axes", GOS_NEEDS_POINT, 3, xyz, value_position, true,
     GOS_OUTPUT_POSITION, .rate = rate_position},
    {"displacement", "m", "position minus position at t = 0", GOS_NEEDS_POINT, 3, xyz,
     value_displacement, true, GOS_OUTPUT_POSITION, .rate = rate_position, .since_start = true},
    {"velocity", "m/s", "velocity", GOS_NEEDS_POINT, 3, xyz, value_velocity, true,
     GOS_OUTPUT_VELOCITY, .rate = rate_velocity},
    {"acceleration", "m/s^2", "acceleration", GOS_NEEDS_POINT, 3, xyz, value_acceleration, true,
     GOS_OUTPUT_NONE, .rate = rate_acceleration, .estimated = true},
    {"rotation_vector", "rad",
     "rotation of a rigid body or section since t = 0, R(t) R(0)^T, global axes: 0 at t = 0 "
     "regardless of the body's own rotation_vector; unwrapped in recorded runs",
     GOS_NEEDS_RIGID, 3, xyz, value_rotation, false, GOS_OUTPUT_DIFFERENCES, .rate = rate_rotation,
     .turns = GOS_TURNS_VECTOR},
    {"angular_velocity", "rad/s",
     "angular velocity of a rigid body or section, in global axes or those of `frame`",
     GOS_NEEDS_RIGID, 3, xyz, value_angular_velocity, true, GOS_OUTPUT_DIFFERENCES,
     .rate = rate_angular_velocity},
    {"angle", "rad",
     "rotation of a rigid body or section about `axis` since t = 0, unwrapped in recorded runs",
     GOS_NEEDS_RIGID, 1, one, value_angle, false, GOS_OUTPUT_DIFFERENCES, .rate = rate_angle,
     .turns = GOS_TURNS_ANGLE},
    {"temperature", "K", "T, T_y, T_z ... of the section, relative to the reference temperature",
     GOS_NEEDS_HEAT, 0, NULL, value_temperature, false, GOS_OUTPUT_TEMPERATURE,
     .rate = rate_temperature, .estimated = true},
    {"strain", "1, 1/m",
     "strains and curvatures: axial, k2, k3 of a cable; axial, shear2, shear3, twist, k2, k3 of a "
     "beam, relative to its stress-free curved axis; E11, E22, 2 E12, b11, b22, 2 b12 of a plate; "
     "E11, E22, E33, 2 E12, 2 E23, 2 E13 of a solid (Green-Lagrange, global axes at t = 0; at "
     "nodes from the mean gradient of their elements); for a floating mesh body as its stress",
     GOS_NEEDS_SECTION, 0, NULL, value_strain, false, GOS_OUTPUT_DIFFERENCES,
     .rate = rate_recovered},
    {"stress", "Pa",
     "second Piola-Kirchhoff stress of a solid including its viscous part, in axes that are global "
     "at t = 0 and rotate with it: S11, S22, S33, S12, S23, S13; for a floating mesh body xx, yy, "
     "zz, xy, yz, zx in body axes, averaged at nodes over their cells (of one material), and for "
     "sets over their nodes",
     GOS_NEEDS_SECTION | GOS_NEEDS_STRESS, 0, NULL, value_force, false, GOS_OUTPUT_DIFFERENCES,
     .rate = rate_recovered},
    {"von_mises", "Pa",
     "von Mises stress: of the Cauchy stress of a solid, or of a floating mesh body",
     GOS_NEEDS_SECTION | GOS_NEEDS_STRESS, 1, one, gos__stress_mises, false, GOS_OUTPUT_DIFFERENCES,
     .rate = rate_recovered},
    {"principal_stress", "Pa", "principal stresses, descending",
     GOS_NEEDS_SECTION | GOS_NEEDS_STRESS, 3, principal, gos__stress_principal, false,
     GOS_OUTPUT_DIFFERENCES, .rate = rate_recovered},
    {"max_von_mises", "Pa",
     "largest von Mises stress at the nodes of a set or surface of a solid or floating mesh body, "
     "or of a whole floating mesh body (for each material at a node), and the position of that "
     "node at t = 0, global axes",
     GOS_NEEDS_NODES | GOS_NEEDS_STRESS, 4, largest, gos__stress_largest, false, GOS_OUTPUT_NONE,
     .rate = NULL},
    {"curvature", "1/m",
     "curvatures k2 (towards local y), k3 (towards local z) of a cable or beam, twist of a beam, "
     "relative to the stress-free curved axis; b11, b22, 2 b12 (towards the normal) of a plate",
     GOS_NEEDS_SECTION, 0, NULL, value_curvature, false, GOS_OUTPUT_DIFFERENCES, .rate = NULL},
    {"section_force", "N",
     "axial force N, shear forces Q2, Q3 of a beam; N11, N22, N12 of a plate [N/m]",
     GOS_NEEDS_SECTION, 0, NULL, value_force, false, GOS_OUTPUT_DIFFERENCES, .rate = NULL},
    {"section_moment", "N m",
     "moments conjugate to the curvatures, M1 to twist; M11, M22, M12 of a plate [N]",
     GOS_NEEDS_SECTION, 0, NULL, value_moment, false, GOS_OUTPUT_DIFFERENCES, .rate = NULL},
    {"reaction_heat", "W",
     "heat flow that a temperature entry supplies to maintain its prescribed temperatures",
     GOS_NEEDS_HEATER, 1, one, gos__reaction_heat, false, GOS_OUTPUT_NONE, .rate = NULL},
    {"joint_force", "N", "force of a joint on its first side", GOS_NEEDS_JOINT, 3, xyz,
     gos__joint_force, true, GOS_OUTPUT_NONE, .rate = NULL},
    {"joint_moment", "N m",
     "moment of a joint on its first side, about the joint's point (the middle of an edge); for a "
     "driven_rotation without frame and direction one number, about its axis",
     GOS_NEEDS_JOINT, 3, xyz, gos__joint_moment, true, GOS_OUTPUT_NONE, .rate = NULL},
    {"joint_coordinates", "m, rad",
     "free coordinates of a joint, of the second side relative to the first, 0 at t = 0: slide, "
     "angle ..., see the joint; angles are unwrapped in recorded runs",
     GOS_NEEDS_COORDINATES, 0, NULL, gos__joint_coordinates, false, GOS_OUTPUT_DIFFERENCES,
     .rate = rate_coordinates, .turns = GOS_TURNS_COORDINATES},
    {"joint_rates", "m/s, rad/s", "rates of the joint_coordinates", GOS_NEEDS_COORDINATES, 0, NULL,
     gos__joint_rates, false, GOS_OUTPUT_DIFFERENCES, .rate = NULL},
    {"hinge", "rad, N m, 1",
     "torsion_spring: angle, moment on its second body, 1 once latched; on an edge, values of its "
     "first node",
     GOS_NEEDS_HINGE, 0, NULL, value_hinge, false, GOS_OUTPUT_DIFFERENCES, .rate = NULL},
    {"wheel", "rad/s, N m s, N m",
     "wheel: speed relative to its body, angular momentum about its axis, moment on the rotor",
     GOS_NEEDS_HINGE, 0, NULL, value_hinge, false, GOS_OUTPUT_DIFFERENCES, .rate = NULL},
    {"output", "", "output of a matrix body; `at` gives BODY.OUTPUT", GOS_NEEDS_PORT, 1, one,
     value_output, false, GOS_OUTPUT_SIGNAL, .rate = rate_output},
    {"charge", "C",
     "charge of an electrode of piezoelectric patches, due to shell strain, voltage and "
     "temperature",
     GOS_NEEDS_ELECTRODE, 1, one, value_output, false, GOS_OUTPUT_SIGNAL, .rate = rate_output},
    {"motional_charge", "C",
     "charge minus capacitance times voltage: the full charge at 0 V; as a feedback signal it has "
     "no direct feedthrough from the voltage",
     GOS_NEEDS_ELECTRODE, 1, one, value_output, false, GOS_OUTPUT_SIGNAL, .rate = rate_output},
    {"motional_current", "A",
     "rate of the charge due to shell strain; a voltage opposing it extracts energy from every "
     "mode",
     GOS_NEEDS_ELECTRODE, 1, one, value_output, false, GOS_OUTPUT_SIGNAL, .rate = rate_output},
    {"voltage", "V", "voltage of an electrode of piezoelectric patches", GOS_NEEDS_ELECTRODE, 1,
     one, value_output, false, GOS_OUTPUT_SIGNAL, .rate = rate_output},
    {"energy", "J", "energies and energy balance", GOS_NEEDS_NOTHING, GOS_COUNT(energy_names),
     energy_names, value_energy, false, GOS_OUTPUT_NONE, .rate = NULL},
    {"momentum", "kg m/s", "momentum of the model", GOS_NEEDS_NOTHING, 3, xyz, value_momentum,
     false, GOS_OUTPUT_NONE, .rate = NULL},
    {"angular_momentum", "kg m^2/s",
     "angular momentum of the model about the origin, without the rotors of wheels, which quantity "
     "wheel adds about their axes",
     GOS_NEEDS_NOTHING, 3, xyz, value_angular_momentum, false, GOS_OUTPUT_NONE, .rate = NULL},
    {"load_factor", "-",
     "factor of loads and sources; below 1 until a static analysis reaches the full load",
     GOS_NEEDS_NOTHING, 1, one, value_load, false, GOS_OUTPUT_NONE, .rate = NULL},
    {"orbit_coordinates", "m",
     "position in orbit axes: radially outwards, along the motion, along the orbit normal",
     GOS_NEEDS_POINT | GOS_NEEDS_ORBIT, 3, radial, gos__orbit_coordinates, false, GOS_OUTPUT_NONE,
     .rate = NULL},
    {"orbit_position", "m", "position of the model's origin relative to the central body",
     GOS_NEEDS_NOTHING | GOS_NEEDS_ORBIT, 3, xyz, gos__orbit_position, false, GOS_OUTPUT_NONE,
     .rate = NULL},
    {"orbit_velocity", "m/s", "velocity of the model's origin relative to the central body",
     GOS_NEEDS_NOTHING | GOS_NEEDS_ORBIT, 3, xyz, gos__orbit_velocity, false, GOS_OUTPUT_NONE,
     .rate = NULL},
    {"sun_direction", "-", "unit vector to the Sun of the orbit",
     GOS_NEEDS_NOTHING | GOS_NEEDS_ORBIT, 3, xyz, gos__orbit_sun, false, GOS_OUTPUT_NONE,
     .rate = NULL},
    {"sunlight", "-", "visible fraction of the Sun's disc: 1 outside, 0 inside the shadow",
     GOS_NEEDS_NOTHING | GOS_NEEDS_ORBIT, 1, one, gos__orbit_light, false, GOS_OUTPUT_NONE,
     .rate = NULL},
    {"constraint_violation", "m", "largest violation of any constraint", GOS_NEEDS_NOTHING, 1, one,
     value_violation, false, GOS_OUTPUT_NONE, .rate = NULL},
};

const gos_quantity *gos__quantities(int *n) {
    *n = GOS_COUNT(quantities);
    return quantities;
}

static void section_components(gos_probe *p) {
    const gos_law *law = p->body->law;
    if (p->nrecovered > 0) {
        p->ncomp = GOS_COUNT(tensor);
        p->components = tensor;
        p->unit = p->quantity->value == value_strain ? "1" : p->unit;
        return;
    }
    const bool moment = p->quantity->value == value_moment;
    if (p->quantity->value == value_strain) {
        p->ncomp = law->nstrain;
        p->components = law->strain_name;
    } else if (p->quantity->value == value_curvature) {
        p->ncomp = law->nstrain - law->nforce;
        p->components = law->strain_name + law->nforce;
    } else {
        p->ncomp = moment ? law->nstrain - law->nforce : law->nforce;
        p->components = law->force_name + (moment ? law->nforce : 0);
        p->unit = moment ? law->moment_unit : law->force_unit;
    }
}

static const char *unit_of(const gos_probe *p, int c) {
    const gos_quantity *q = p->quantity;
    if (p->nrecovered > 0 || p->scalar || p->couple) {
        return p->unit;
    }
    if (q->value == value_temperature) {
        return strncmp(p->components[c], "T_", 2) == 0 ? "K/m" : "K";
    }
    if (q->value == value_strain) {
        return c < p->body->law->nforce ? "1" : "1/m";
    }
    if (q->value == value_hinge) {
        return p->item->type->shown[c].unit;
    }
    if (q->needs & GOS_NEEDS_COORDINATES) {
        const bool rate = q->value == gos__joint_rates;
        return p->coord[c].angle ? (rate ? "rad/s" : "rad") : rate ? "m/s" : "m";
    }
    return q->value == gos__stress_largest && c > 0 ? "m" : NULL;
}

static gos_status set_units(gos_arena *a, gos_probe *p) {
    const char *unit[GOS_PROBE_MAX];
    for (int c = 0; c < p->ncomp; c++) {
        unit[c] = unit_of(p, c);
        unit[c] = unit[c] ? unit[c] : p->unit;
    }
    p->unit = gos__unit_list(a, unit, p->ncomp);
    return p->unit ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__probe_components(gos_arena *a, gos_probe *p) {
    p->unit = p->quantity->unit;
    p->ncomp = p->quantity->ncomp;
    p->components = p->quantity->components;
    if (p->quantity->needs & GOS_NEEDS_SECTION && p->ncomp == 0) {
        section_components(p);
    } else if (p->quantity->needs & GOS_NEEDS_COORDINATES) {
        p->ncomp = p->nm / 3;
        p->components = p->shown;
    } else if (p->quantity->needs & GOS_NEEDS_HINGE) {
        p->ncomp = p->item->type->nshown;
        p->components = p->shown;
    } else if (p->ncomp == 0) {
        p->ncomp = p->ntm;
        p->components = p->body->section->family;
    }
    if (p->scalar || p->couple) {
        p->ncomp = 1;
        p->components = one;
    }
    return set_units(a, p);
}

bool gos__probe_is_moment(const gos_probe *p) {
    return p->quantity->value == gos__joint_moment;
}

bool gos__probe_is_reaction(const gos_probe *p) {
    return p->quantity->value == gos__joint_force || gos__probe_is_moment(p);
}
