/* Probes: each quantity is a function of a few markers, temperature markers and the state. Rates of
   quantities without a closed form are central differences along the motion. */
#include "system/probe.h"

#include <math.h>

#include "loads/load.h"
#include "parts/marker.h"
#include "parts/place.h"
#include "parts/vec3.h"

/* what a quantity needs at its place */
enum {
    AT_POINT = 1,
    AT_RIGID = 2,
    AT_SECTION = 4,
    AT_HEAT = 8,
    AT_JOINT = 16,
    AT_NOTHING = 32,
    AT_DRIVE = 64,  // a joint that drives an angle
    AT_HINGE = 128, // a load that can be observed
    AT_PORT = 256   // an output of a body of matrices
};

struct gos_quantity {
    const char *name, *unit, *doc;
    int needs;
    int ncomp; // 0: those of the temperature families, or of the law, there
    const char *const *components;
    void (*value)(const gos_system *s, const gos_state *x, const gos_probe *p, double *value);
    bool frames; // a vector that `frame` and `direction` act on
};

static const char *const xyz[] = {"x", "y", "z"};
static const char *const one[] = {"value"};
static const char *const hinge_names[] = {"angle", "moment", "latched"};
static const char *const energy_names[] = {
#define X(name, doc) #name,
    GOS_ENERGY_FIELDS(X)
#undef X
};

/* ---- values ------------------------------------------------------------------------------------------ */

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

/* axes (rows) of two section vectors: their normal, and the orthonormal pair between them */
static void section_axes(const double a[3], const double b[3], double axes[9]) {
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

/* axes (rows) that turn with the place: those of a rigid body, or of the two section vectors there */
static void axes_now(const gos_state *x, const gos_probe *p, double axes[9]) {
    double a[9];
    for (int j = 0; j < p->nm - 1; j++) {
        gos__marker_value(&p->m[1 + j], x->q, a + 3 * j);
    }
    if (p->section) {
        section_axes(a, a + 3, axes);
    } else {
        memcpy(axes, a, sizeof a);
    }
}

/* rotation from the axes at t = 0 to those now, R = sum_j a_j a_j0^T, row-major */
static void rotation(const gos_state *x, const gos_probe *p, double R[9]) {
    double axes[9];
    axes_now(x, p, axes);
    memset(R, 0, 9 * sizeof *R);
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 9; k++) {
            R[k] += axes[3 * j + k / 3] * p->axes0[3 * j + k % 3];
        }
    }
}

/* logarithm by way of the unit quaternion: accurate at 0 and at pi */
static void value_rotation(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    double R[9], q[4];
    rotation(x, p, R);
    const double tr = R[0] + R[4] + R[8];
    int big = 3;
    for (int i = 0; i < 3; i++) {
        if (R[4 * i] > (big == 3 ? tr : R[4 * big])) {
            big = i;
        }
    }
    if (big == 3) {
        q[3] = 1 + tr;
        q[0] = R[7] - R[5];
        q[1] = R[2] - R[6];
        q[2] = R[3] - R[1];
    } else {
        const int i = big, j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1 + R[4 * i] - R[4 * j] - R[4 * k];
        q[j] = R[3 * i + j] + R[3 * j + i];
        q[k] = R[3 * i + k] + R[3 * k + i];
        q[3] = R[3 * k + j] - R[3 * j + k];
    }
    const double n = gos__norm3(q), angle = 2 * atan2(n, q[3]);
    for (int c = 0; c < 3; c++) {
        const double turn = angle > M_PI ? angle - 2 * M_PI : angle;
        y[c] = n > 0 ? turn * q[c] / n : 0;
    }
}

static void value_angular_velocity(const gos_system *s, const gos_state *x, const gos_probe *p,
                                   double *y) {
    GOS_UNUSED(s);
    double a[3][3], ad[3][3];
    for (int j = 0; j < p->nm - 1; j++) {
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

static void value_angle(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double R[9], n1[3], n2[3], u[3];
    GOS_UNUSED(s);
    rotation(x, p, R);
    gos__normals3(p->axis, n1, n2);
    for (int c = 0; c < 3; c++) {
        u[c] = gos__dot3(R + 3 * c, n1);
    }
    y[0] = atan2(gos__dot3(u, n2), gos__dot3(u, n1));
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
    gos__section_state(x, p, y, f);
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
    gos__section_state(x, p, e, f);
    memcpy(y, f, (size_t)p->ncomp * sizeof *y);
}

static void value_moment(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double e[GOS_PROBE_STRAINS], f[GOS_PROBE_STRAINS];
    GOS_UNUSED(s);
    gos__section_state(x, p, e, f);
    memcpy(y, f + p->body->law->nforce, (size_t)p->ncomp * sizeof *y);
}

/* force of the joint on its first side: the multipliers of a vector equation in the first three rows */
static void value_joint_force(const gos_system *s, const gos_state *x, const gos_probe *p,
                              double *y) {
    y[0] = y[1] = y[2] = 0;
    for (int i = 0; i < s->nitem; i++) { // a joint at an edge is an item for each node
        const gos_item *it = s->item[i];
        for (int c = 0; c < 3 && it->nc >= 3 && strcmp(it->name, p->item->name) == 0; c++) {
            y[c] -= x->lam[it->c0 + c];
        }
    }
}

/* the drive's equation is its function minus the angle of the second side against the first */
static void value_joint_moment(const gos_system *s, const gos_state *x, const gos_probe *p,
                               double *y) {
    GOS_UNUSED(s);
    y[0] = -x->lam[p->item->c0];
}

static void value_hinge(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    gos__item_observe(s, x, p->item, y);
}

/* component c of markers c (values) and 3 + c (rates), a temperature marker, and what inputs add; *rate
   may be NULL */
static void output_of(const gos_system *s, const gos_state *x, const gos_probe *p, double *value,
                      double *rate) {
    double y = 0, yd = 0;
    for (int c = 0; c < 3 && p->nm == 6; c++) {
        double at[3], v[3], vd[3];
        gos__marker_value(&p->m[c], x->q, at);
        gos__marker_rate(&p->m[3 + c], x->v, v);
        y += at[c] + v[c];
        gos__marker_rate(&p->m[c], x->v, v);
        gos__marker_rate(&p->m[3 + c], x->a, vd);
        yd += v[c] + vd[c];
    }
    for (int i = 0; i < p->ntm; i++) {
        y += gos__tmarker_value(&p->tm[i], x->th);
        yd += gos__tmarker_value(&p->tm[i], x->thd);
    }
    for (int i = 0; i < p->nfeed; i++) {
        double d, dd;
        y += p->feed[i] * gos__timefn_eval(s->fn[p->feed_fn[i]], x->t, &d, &dd);
        yd += p->feed[i] * d;
    }
    *value = y;
    if (rate) {
        *rate = yd;
    }
}

static void value_output(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    output_of(s, x, p, y, NULL);
}

static void value_energy(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    gos_energy e;
    int i = 0;
    GOS_UNUSED(p);
    gos_system_energy(s, x, &e);
#define X(name, doc) y[i++] = e.name;
    GOS_ENERGY_FIELDS(X)
#undef X
}

static void value_violation(const gos_system *s, const gos_state *x, const gos_probe *p,
                            double *y) {
    GOS_UNUSED(p);
    *y = gos__state_violation(s, x);
}

static const gos_quantity quantities[] = {
    {"position", "m", "position, global axes", AT_POINT, 3, xyz, value_position, true},
    {"displacement", "m", "position minus position at t = 0", AT_POINT, 3, xyz, value_displacement,
     true},
    {"velocity", "m/s", "velocity", AT_POINT, 3, xyz, value_velocity, true},
    {"acceleration", "m/s^2", "acceleration", AT_POINT, 3, xyz, value_acceleration, true},
    {"rotation_vector", "rad", "rotation of a rigid body or section since t = 0, unwrapped",
     AT_RIGID, 3, xyz, value_rotation, false},
    {"angular_velocity", "rad/s", "angular velocity of a rigid body or section, global axes",
     AT_RIGID, 3, xyz, value_angular_velocity, true},
    {"angle", "rad", "rotation of a rigid body or section about `axis` since t = 0, unwrapped",
     AT_RIGID, 1, one, value_angle, false},
    {"temperature", "K", "T, T_y, T_z ... of the section, over the reference temperature", AT_HEAT,
     0, NULL, value_temperature, false},
    {"strain", "1, 1/m",
     "strains and curvatures: axial, k2, k3 of a cable; axial, shear2, shear3, twist, "
     "k2, k3 of a beam; E11, E22, 2 E12, b11, b22, 2 b12 of a "
     "plate",
     AT_SECTION, 0, NULL, value_strain, false},
    {"curvature", "1/m",
     "curvatures k2 (towards local y), k3 (towards local z) of a cable or beam, twist of a beam, "
     "b11, b22, 2 b12 (towards "
     "the "
     "normal) of a plate",
     AT_SECTION, 0, NULL, value_curvature, false},
    {"section_force", "N",
     "axial force N, shear forces Q2, Q3 of a beam; N11, N22, N12 of a plate [N/m]", AT_SECTION, 0,
     NULL, value_force, false},
    {"section_moment", "N m",
     "moments conjugate to the curvatures, M1 to twist; M11, M22, M12 of a plate [N]", AT_SECTION,
     0, NULL, value_moment, false},
    {"joint_force", "N", "force of a joint on its first side", AT_JOINT, 3, xyz, value_joint_force,
     false},
    {"joint_moment", "N m", "moment of a driven_rotation about its axis on its first side",
     AT_DRIVE, 1, one, value_joint_moment, false},
    {"hinge", "rad, N m, 1",
     "torsion_spring: angle, moment on its second place, 1 once its latch has caught; of an edge "
     "as its "
     "first node says",
     AT_HINGE, 3, hinge_names, value_hinge, false},
    {"output", "", "output of a body of matrices, named by `at`: BODY.OUTPUT", AT_PORT, 1, one,
     value_output, false},
    {"energy", "J", "energies and their balance", AT_NOTHING, GOS_COUNT(energy_names), energy_names,
     value_energy, false},
    {"constraint_violation", "m", "largest violation of any constraint", AT_NOTHING, 1, one,
     value_violation, false},
};

/* ---- making -------------------------------------------------------------------------------------------- */

typedef struct probe_def {
    const char *at, *quantity, *frame, *joint, *load;
    double direction[3], axis[3];
} probe_def;

static const gos_param probe_params[] = {
    {.name = "at",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(probe_def, at),
     .doc = "where: BODY.start, BODY.end, BODY.node(i), BODY.at(s), or a rigid BODY or its points"},
    {.name = "quantity",
     .kind = GOS_K_TEXT,
     .unit = "",
     .def = "position",
     .offset = offsetof(probe_def, quantity),
     .doc = "position, displacement, velocity, acceleration, rotation_vector, angular_velocity, "
            "angle, temperature, strain, curvature, section_force, section_moment, joint_force, "
            "joint_moment, hinge, output, energy, constraint_violation"},
    {.name = "joint",
     .kind = GOS_K_NAME,
     .unit = "",
     .choices = "joints",
     .offset = offsetof(probe_def, joint),
     .doc = "the joint of joint_force and joint_moment"},
    {.name = "load",
     .kind = GOS_K_NAME,
     .unit = "",
     .choices = "loads",
     .offset = offsetof(probe_def, load),
     .doc = "the torsion_spring of hinge"},
    {.name = "frame",
     .kind = GOS_K_NAME,
     .unit = "",
     .choices = "bodies",
     .offset = offsetof(probe_def, frame),
     .doc = "rigid body in whose axes vectors are given; positions then count from its node, "
            "displacements from the undeformed shape carried by it"},
    {.name = "direction",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_UNIT_VECTOR,
     .offset = offsetof(probe_def, direction),
     .doc = "one scalar component along it instead of a vector"},
    {.name = "axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_UNIT_VECTOR,
     .def = "[0, 0, 1]",
     .offset = offsetof(probe_def, axis),
     .doc = "axis of `angle`, global axes"},
    {0},
};

const gos_type gos__probe_type = {
    .section = "probes",
    .name = "probe",
    .doc = "A quantity recorded at every step.",
    .params = probe_params,
    .size = sizeof(probe_def),
    .example = "tip: {at: rod.end, quantity: position}",
};

/* the place of a key's value, or of the entry without it */
static gos_loc value_loc(const gos_node *entry, const char *key) {
    const gos_node *n = gos__node_get(entry, key);
    return n ? n->loc : gos__key_loc(entry, key);
}

static gos_status find_quantity(gos_builder *b, const probe_def *d, const gos_node *entry,
                                const char *object, gos_probe *p) {
    const char *names[GOS_COUNT(quantities)];
    for (int i = 0; i < GOS_COUNT(quantities); i++) {
        names[i] = quantities[i].name;
        if (strcmp(quantities[i].name, d->quantity) == 0) {
            p->quantity = &quantities[i];
            return GOS_OK;
        }
    }
    const char *near = gos__suggest(d->quantity, names, GOS_COUNT(quantities));
    const gos_loc loc = value_loc(entry, "quantity");
    if (near) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "unknown quantity '%.64s'; did you mean '%s'?", d->quantity, near);
    }
    char list[512] = "";
    for (int i = 0; i < GOS_COUNT(quantities); i++) {
        const size_t have = strlen(list);
        gos__format(list + have, sizeof list - have, "%s%s", i ? ", " : "", names[i]);
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object, "unknown quantity '%.64s'; there are %s",
                        d->quantity, list);
}

static gos_status rigid_markers(gos_builder *b, gos_probe *p, const gos_place *place, gos_loc loc,
                                const char *object, int first) {
    if (!place->body || gos__turning(place) != GOS_TURN_FRAME) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "%s needs a rigid body or a place on a beam", p->quantity->name);
    }
    for (int j = 0; j < 3; j++) {
        const double d[3] = {j == 0, j == 1, j == 2};
        GOS_TRY(gos__direction(b, place, d, loc, object, &p->m[first + j]));
        memcpy(p->axes0 + 3 * j, d, sizeof d);
    }
    return GOS_OK;
}

/* axes of a rigid body or the section vectors of a beam, from marker 1 on */
static gos_status turning_markers(gos_builder *b, gos_probe *p, const gos_place *place, gos_loc loc,
                                  const char *object) {
    if (gos__turning(place) != GOS_TURN_SECTION) {
        p->nm = 4;
        return rigid_markers(b, p, place, loc, object, 1);
    }
    int n;
    double a[3], c[3];
    GOS_TRY(place->body->ops->vectors(b->arena, place->body, place, &n, &p->m[1]));
    p->nm = 3;
    p->section = true;
    gos__marker_initial(b, &p->m[1], a);
    gos__marker_initial(b, &p->m[2], c);
    section_axes(a, c, p->axes0);
    return GOS_OK;
}

static gos_status section_markers(gos_builder *b, gos_probe *p, const gos_place *place, gos_loc loc,
                                  const char *object) {
    const gos_body *body = place->body;
    if (!body || !body->law || !body->ops->gradients) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "%s needs a place on a cable, beam or plate", p->quantity->name);
    }
    GOS_TRY(body->ops->gradients(b->arena, body, place, &p->m[1]));
    p->nm = 1 + body->law->nz;
    return gos__section_memory(b, body, p, loc);
}

static gos_status heat_markers(gos_builder *b, gos_probe *p, const gos_place *place, gos_loc loc,
                               const char *object, bool must) {
    const gos_body *body = place->body;
    if (!body || body->nfam == 0) {
        return must
                   ? gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                  "no temperature there; give the body's material conductivity and "
                                  "specific_heat")
                   : GOS_OK;
    }
    p->tm = GOS_NEW(b->arena, gos_tmarker, body->nfam);
    if (!p->tm) {
        return GOS_E_MEMORY;
    }
    p->ntm = body->nfam;
    return body->ops->temperature(b->arena, body, place, p->tm);
}

static gos_status frame_markers(gos_builder *b, gos_probe *p, const char *frame, gos_loc loc,
                                const char *object) {
    gos_place place = {0};
    GOS_TRY(gos__locate(b, frame, loc, object, &place));
    if (gos__turning(&place) != GOS_TURN_FRAME) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "frame must be a rigid body, which has axes; '%s' has none", frame);
    }
    GOS_TRY(rigid_markers(b, p, &place, loc, object, 2));
    GOS_TRY(gos__position(b, &place, &p->m[1]));
    p->framed = true;
    p->nm = 5;
    double x[3];
    gos__marker_initial(b, &p->m[1], x);
    for (int c = 0; c < 3; c++) {
        p->x0[c] -= x[c]; // in the frame, displacement is measured from the carried shape
    }
    return GOS_OK;
}

static gos_status at_place(gos_builder *b, const probe_def *d, const gos_node *entry,
                           const char *object, gos_probe *p) {
    const gos_loc loc = value_loc(entry, "at");
    gos_place place = {0};
    if (!d->at) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "'at' is missing; %s needs a place", p->quantity->name);
    }
    GOS_TRY(gos__locate_point(b, d->at, loc, object, &place));
    p->body = place.body;
    GOS_TRY(gos__position(b, &place, &p->m[0]));
    p->nm = 1;
    gos__marker_initial(b, &p->m[0], p->x0);
    const int needs = p->quantity->needs;
    if (needs & AT_RIGID) {
        GOS_TRY(turning_markers(b, p, &place, loc, object));
    }
    if (needs & AT_SECTION) {
        GOS_TRY(section_markers(b, p, &place, loc, object));
    }
    if (needs & (AT_HEAT | AT_SECTION)) {
        GOS_TRY(heat_markers(b, p, &place, loc, object, (needs & AT_HEAT) != 0));
    }
    if (d->frame) {
        if (!p->quantity->frames || (needs & AT_RIGID)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "frame"), object,
                                "%s is not given in a frame; remove it", p->quantity->name);
        }
        GOS_TRY(frame_markers(b, p, d->frame, value_loc(entry, "frame"), object));
    }
    return GOS_OK;
}

/* inputs of the body that act on the output directly, as far as loads drive them */
static gos_status direct_part(gos_builder *b, const gos_body *body, const gos_signal *s,
                              gos_probe *p) {
    int *fn = GOS_NEW(b->arena, int, (size_t)(b->nitem + 1));
    double *factor = GOS_NEW(b->arena, double, (size_t)(b->nitem + 1));
    if (!fn || !factor) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < b->nitem; i++) {
        const gos_input_par *par = b->item[i]->par;
        if (strcmp(b->item[i]->type->name, GOS_INPUT_ITEM) != 0 || par->body != body) {
            continue;
        }
        for (int k = 0; k < s->n; k++) {
            if (s->input[k] == par->input) {
                fn[p->nfeed] = b->item[i]->fn0;
                factor[p->nfeed++] = s->factor[k];
            }
        }
    }
    p->feed_fn = fn;
    p->feed = factor;
    return GOS_OK;
}

static gos_status at_port(gos_builder *b, const probe_def *d, const gos_node *entry,
                          const char *object, gos_probe *p) {
    gos_signal s;
    int number;
    if (!d->at) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "'at' is missing; output needs BODY.OUTPUT");
    }
    GOS_TRY(
        gos__locate_port(b, d->at, true, value_loc(entry, "at"), object, &p->body, &number, &s));
    memcpy(p->m, s.m, sizeof s.m);
    memcpy(p->m + 3, s.md, sizeof s.md);
    p->nm = 6;
    if (s.tm.n > 0) {
        p->tm = GOS_NEW(b->arena, gos_tmarker, 1);
        if (!p->tm) {
            return GOS_E_MEMORY;
        }
        p->tm[0] = s.tm;
        p->ntm = 1;
    }
    return direct_part(b, p->body, &s, p);
}

static gos_status at_joint(gos_builder *b, const probe_def *d, const gos_node *entry,
                           const char *object, gos_probe *p) {
    char wanted[GOS_LIMIT_NAME + 16];
    const bool drive = (p->quantity->needs & AT_DRIVE) != 0;
    snprintf(wanted, sizeof wanted, "joint '%s'", d->joint ? d->joint : "");
    const gos_item *it = d->joint ? gos__find_item(b, wanted) : NULL;
    for (; it; it = it->more) {
        const bool drives = strcmp(it->type->name, "driven rotation") == 0;
        if (drive ? drives : it->nc >= 3) {
            p->item = it;
            return GOS_OK;
        }
    }
    if (drive) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "joint"), object,
                            "joint_moment needs 'joint', the name of a driven_rotation");
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "joint"), object,
                        "joint_force needs 'joint', the name of a joint that holds a position");
}

static gos_status at_hinge(gos_builder *b, const probe_def *d, const gos_node *entry,
                           const char *object, gos_probe *p) {
    char wanted[GOS_LIMIT_NAME + 16];
    snprintf(wanted, sizeof wanted, "load '%s'", d->load ? d->load : "");
    const gos_item *it = d->load ? gos__find_item(b, wanted) : NULL;
    for (; it; it = it->more) {
        if (it->type->observe) {
            p->item = it;
            return GOS_OK;
        }
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "load"), object,
                        "hinge needs 'load', the name of a torsion_spring");
}

/* what the law of the body says of strains and resultants */
static void section_components(gos_probe *p) {
    const gos_law *law = p->body->law;
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

static void set_components(gos_probe *p) {
    p->unit = p->quantity->unit;
    p->ncomp = p->quantity->ncomp;
    p->components = p->quantity->components;
    if (p->quantity->needs & AT_SECTION) {
        section_components(p);
    } else if (p->ncomp == 0) {
        p->ncomp = p->ntm;
        p->components = p->body->section->family;
    }
}

/* what the entry says by itself, and the quantity */
static gos_status read_probe(gos_builder *b, const gos_node *entry, const char *object,
                             probe_def *d, gos_probe *p) {
    GOS_TRY(gos__fill(b->model, entry, probe_params, object, b->arena, d));
    if (strcmp(entry->key, "time") == 0 || strcmp(entry->key, "rates") == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                            "'%s' is a name of the results file itself; choose another",
                            entry->key);
    }
    return find_quantity(b, d, entry, object, p);
}

gos_status gos__probe_check(gos_builder *b, const gos_node *entry, const char *object) {
    probe_def d = {0};
    gos_probe p = {0};
    return read_probe(b, entry, object, &d, &p);
}

gos_status gos__probe_make(gos_builder *b, const gos_node *entry, const char *object,
                           gos_probe **probe) {
    probe_def d = {0};
    gos_probe *p = GOS_NEW(b->arena, gos_probe, 1);
    if (!p) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(read_probe(b, entry, object, &d, p));
    p->name = gos__arena_strdup(b->arena, entry->key);
    if (!p->name) {
        return GOS_E_MEMORY;
    }
    memcpy(p->axis, d.axis, sizeof p->axis);
    if (p->quantity->needs & (AT_JOINT | AT_DRIVE)) {
        GOS_TRY(at_joint(b, &d, entry, object, p));
    } else if (p->quantity->needs & AT_HINGE) {
        GOS_TRY(at_hinge(b, &d, entry, object, p));
    } else if (p->quantity->needs & AT_PORT) {
        GOS_TRY(at_port(b, &d, entry, object, p));
    } else if (!(p->quantity->needs & AT_NOTHING)) {
        GOS_TRY(at_place(b, &d, entry, object, p));
    }
    set_components(p);
    memcpy(p->direction, d.direction, sizeof p->direction);
    p->scalar = gos__node_given(entry, "direction") != NULL;
    if (p->scalar && !p->quantity->frames) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "direction"), object,
                            "%s has no direction; remove it", p->quantity->name);
    }
    if (p->scalar) {
        p->ncomp = 1;
        p->components = one;
    }
    *probe = p;
    return GOS_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------------------ */

/* into the axes of the frame body: markers 1 (node), 2..4 (axes) */
static void into_frame(const gos_state *x, const gos_probe *p, double *y) {
    const bool place =
        p->quantity->value == value_position || p->quantity->value == value_displacement;
    double r[3] = {y[0], y[1], y[2]}, out[3];
    if (place) {
        double o[3];
        gos__marker_value(&p->m[0], x->q, r);
        gos__marker_value(&p->m[1], x->q, o);
        gos__sub3(r, o, r);
    }
    for (int j = 0; j < 3; j++) {
        double a[3];
        gos__marker_value(&p->m[2 + j], x->q, a);
        out[j] = gos__dot3(a, r);
        if (p->quantity->value == value_displacement) {
            out[j] -= p->x0[j];
        }
    }
    memcpy(y, out, sizeof out);
}

void gos__probe_evaluate(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    p->quantity->value(s, x, p, y);
    if (p->framed) {
        into_frame(x, p, y);
    }
    if (p->scalar) {
        y[0] = gos__dot3(y, p->direction);
    }
}

bool gos__probe_of_state(const gos_probe *p) {
    return !(p->quantity->needs & (AT_JOINT | AT_NOTHING)) &&
           p->quantity->value != value_acceleration;
}

const char *gos__probe_quantity(const gos_probe *p) {
    return p->quantity->name;
}

static void shift(const gos_system *s, const gos_state *x, double dt, gos_state *to) {
    for (int i = 0; i < s->nq; i++) {
        to->q[i] = x->q[i] + dt * (x->v[i] + 0.5 * dt * x->a[i]);
        to->v[i] = x->v[i] + dt * x->a[i];
    }
    for (int i = 0; i < s->nt; i++) {
        to->th[i] = x->th[i] + dt * x->thd[i];
    }
}

/* rates of quantities that are linear in the coordinates; false: not one of them */
static bool linear_rate(const gos_state *x, const gos_probe *p, double *rate) {
    const double *of = p->quantity->value == value_velocity       ? x->a
                       : p->quantity->value == value_acceleration ? x->jerk
                                                                  : x->v;
    if (p->quantity->value == value_temperature) {
        for (int i = 0; i < p->ntm; i++) {
            rate[i] = gos__tmarker_value(&p->tm[i], x->thd);
        }
        return true;
    }
    if (p->framed || !p->quantity->frames || (p->quantity->needs & AT_RIGID)) {
        return false;
    }
    gos__marker_rate(&p->m[0], of, rate);
    if (p->scalar) {
        rate[0] = gos__dot3(rate, p->direction);
    }
    return true;
}

gos_status gos_system_probe(gos_ctx *ctx, const gos_system *sys, const gos_state *state, int i,
                            double *value, double *rate) {
    if (i < 0 || i >= sys->nprobe) {
        return gos__fail(ctx, GOS_E_USE, "there is no probe %d", i);
    }
    const gos_probe *p = sys->probe[i];
    double full[GOS_PROBE_MAX] = {0}, other[2][GOS_PROBE_MAX] = {{0}};
    gos__probe_evaluate(sys, state, p, full);
    memcpy(value, full, (size_t)p->ncomp * sizeof *value);
    if (!rate) {
        return GOS_OK;
    }
    memset(rate, 0, (size_t)p->ncomp * sizeof *rate);
    if (p->quantity->needs & (AT_NOTHING | AT_JOINT | AT_DRIVE)) {
        return GOS_OK; // sums and multipliers: their rates are not known, interpolation is linear
    }
    if (p->quantity->needs & AT_PORT) {
        output_of(sys, state, p, value, rate);
        return GOS_OK;
    }
    if (linear_rate(state, p, other[0])) {
        memcpy(rate, other[0], (size_t)p->ncomp * sizeof *rate);
        return GOS_OK;
    }
    gos_state *moved = NULL;
    GOS_TRY(gos_state_create(ctx, sys, &moved));
    const double dt = 1e-3 * (state->h > 0 ? state->h : 1e-3);
    for (int k = 0; k < 2; k++) {
        gos_state_copy(moved, state);
        shift(sys, state, k ? dt : -dt, moved);
        gos__probe_evaluate(sys, moved, p, other[k]);
        gos__probe_unwrap(p, full, other[k]);
    }
    for (int c = 0; c < p->ncomp; c++) {
        rate[c] = (other[1][c] - other[0][c]) / (2 * dt);
    }
    gos_state_destroy(moved);
    return GOS_OK;
}

void gos__probe_unwrap(const gos_probe *p, const double *previous, double *value) {
    if (p->quantity->value == value_angle) {
        value[0] += 2 * M_PI * round((previous[0] - value[0]) / (2 * M_PI));
    } else if (p->quantity->value == value_rotation) {
        /* the same rotation is phi n + 2 pi k n: choose the k nearest to the previous vector */
        const double phi = gos__norm3(value);
        if (phi > 0) {
            const double along = gos__dot3(previous, value) / phi;
            const double turns = round((along - phi) / (2 * M_PI));
            for (int c = 0; c < 3; c++) {
                value[c] *= (phi + 2 * M_PI * turns) / phi;
            }
        }
    }
}

int gos_system_nprobes(const gos_system *sys) {
    return sys->nprobe;
}

void gos_system_probe_info(const gos_system *sys, int i, gos_probe_info *info) {
    const gos_probe *p = sys->probe[i];
    *info = (gos_probe_info){.name = p->name,
                             .quantity = p->quantity->name,
                             .unit = p->unit,
                             .ncomp = p->ncomp,
                             .components = p->components};
}
