/* Rigid body: a point r and three axes a_j, 12 coordinates. x = r + sum_j xb_j a_j is linear: the
 * mass matrix is constant, without gyroscopic terms. Six rows 1/2 (a_i . a_j - delta_ij) = 0. */

/* Mass matrix, each entry times I3 (theory 3.1); c: centre of mass from the node, I_c: inertia
 * about it, body axes:
 *     [ m    m c^T         ]     J_c = 1/2 tr(I_c) 1 - I_c
 *     [ m c  J_c + m c c^T ] */
#include "bodies/bodies.h"
#include "bodies/body.h"
#include "bodies/shape.h"
#include "parts/spread.h"
#include "math/vec3.h"

typedef struct gos_rigid_def {
    double mass;               // [kg]
    gos_numbers inertia;       // 3 or 6 values [kg m^2]
    double position[3];        // of the node [m]
    double rotation_vector[3]; // body relative to global axes [rad]
    double centre_of_mass[3];  // body axes [m]
    const gos_node *points;
    double velocity[3];         // of the node [m/s]
    double angular_velocity[3]; // global axes [rad/s]
    gos_shape_def shape;
    double density;                      // [kg/m^3]
    double heat_capacity, specific_heat; // [J/K], [J/(kg K)]
    double area, emissivity;             // [m^2], [-]
} gos_rigid_def;

typedef struct gos_rigid_point {
    const char *name;
    double xb[3]; // [m]
} gos_rigid_point;

typedef struct gos_rigid {
    double position[3]; // of the node at t = 0 [m]
    double axis[3][3];  // a_1, a_2, a_3 at t = 0 [-]
    int npoint;
    const gos_rigid_point *point; // "node", "centre", user's points
    const char **name;
    bool solid; // has a surface
    gos_shape_def shape;
} gos_rigid;

static const gos_param rigid_params[] = {
    {.name = "mass",
     .kind = GOS_K_NUMBER,
     .unit = "kg",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(gos_rigid_def, mass),
     .doc = "mass; or give a shape and density"},
    {.name = "inertia",
     .kind = GOS_K_NUMBERS,
     .unit = "kg m^2",
     .offset = offsetof(gos_rigid_def, inertia),
     .doc = "required unless a shape defines it: inertia tensor about the centre of mass in body "
            "axes: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], products as in the tensor "
            "(Ixy = -int x y dm)"},
    {.name = "position",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_rigid_def, position),
     .doc = "position of the node, the origin of the body axes, at t = 0"},
    {.name = "rotation_vector",
     .kind = GOS_K_VECTOR,
     .unit = "rad",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_rigid_def, rotation_vector),
     .doc = "rotation of the body axes relative to the global axes at t = 0 (axis times angle)"},
    {.name = "centre_of_mass",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_rigid_def, centre_of_mass),
     .doc = "centre of mass relative to the node, in body axes"},
    {.name = "points",
     .kind = GOS_K_NODE,
     .unit = "m",
     .offset = offsetof(gos_rigid_def, points),
     .doc = "named points in body axes, {NAME: [x, y, z], ...}; joints and loads refer to them as "
            "BODY.NAME (BODY.node and BODY.centre always exist)"},
    {.name = "velocity",
     .kind = GOS_K_VECTOR,
     .unit = "m/s",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_rigid_def, velocity),
     .doc = "velocity of the node at t = 0, global axes"},
    {.name = "angular_velocity",
     .kind = GOS_K_VECTOR,
     .unit = "rad/s",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_rigid_def, angular_velocity),
     .doc = "angular velocity at t = 0, global axes"},
    {.name = "shape",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = gos__shape_params,
     .offset = offsetof(gos_rigid_def, shape),
     .doc = "shape in pictures; for solids also defines inertia and surface, and with density the "
            "mass"},
    {.name = "density",
     .kind = GOS_K_NUMBER,
     .unit = "kg/m^3",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(gos_rigid_def, density),
     .doc = "mass per volume of the shape, instead of mass"},
    {.name = "heat_capacity",
     .kind = GOS_K_NUMBER,
     .unit = "J/K",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(gos_rigid_def, heat_capacity),
     .doc = "heat capacity of the body, which then has one uniform temperature"},
    {.name = "specific_heat",
     .kind = GOS_K_NUMBER,
     .unit = "J/(kg K)",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(gos_rigid_def, specific_heat),
     .doc = "heat capacity per mass, instead of heat_capacity"},
    {.name = "area",
     .kind = GOS_K_NUMBER,
     .unit = "m^2",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(gos_rigid_def, area),
     .doc = "surface for convection, radiation and flux; default: that of the shape"},
    {.name = "emissivity",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 1.0,
     .def = "0",
     .offset = offsetof(gos_rigid_def, emissivity),
     .doc = "of the surface, for radiation"},
    {0}};

/* ---- inertia ------------------------------------------------------------------------------- */

/* Eigenvalues by Jacobi rotations; five sweeps reach round-off. */
static void principal(const double A0[9], double w[3]) {
    double A[9];
    memcpy(A, A0, sizeof A);
    for (int sweep = 0; sweep < 8; ++sweep) {
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (A[3 * p + q] == 0.0) {
                    continue;
                }
                double th = 0.5 * atan2(2.0 * A[3 * p + q], A[3 * q + q] - A[3 * p + p]);
                double c = cos(th), s = sin(th);
                for (int k = 0; k < 3; ++k) { // columns p and q
                    double x = A[3 * k + p], y = A[3 * k + q];
                    A[3 * k + p] = c * x - s * y;
                    A[3 * k + q] = s * x + c * y;
                }
                for (int k = 0; k < 3; ++k) { // rows p and q
                    double x = A[3 * p + k], y = A[3 * q + k];
                    A[3 * p + k] = c * x - s * y;
                    A[3 * q + k] = s * x + c * y;
                }
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        w[k] = A[4 * k];
    }
}

/* From 3 or 6 numbers. Principal moments must be positive, none above the sum of the others. */
static gos_status inertia_tensor(gos_builder *b, const gos_numbers *v, gos_loc loc,
                                 const char *object, double I[9]) {
    if (v->n != 3 && v->n != 6) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "inertia has %d values; give 3 (Ixx, Iyy, Izz) or 6 (and Ixy, Ixz, "
                            "Iyz)",
                            v->n);
    }
    double xy = v->n == 6 ? v->v[3] : 0.0, xz = v->n == 6 ? v->v[4] : 0.0;
    double yz = v->n == 6 ? v->v[5] : 0.0;
    const double T[9] = {v->v[0], xy, xz, xy, v->v[1], yz, xz, yz, v->v[2]};
    double w[3];
    principal(T, w);
    double sum = w[0] + w[1] + w[2];
    double least = fmin(w[0], fmin(w[1], w[2])), most = fmax(w[0], fmax(w[1], w[2]));
    if (!(least > 0.0)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "inertia is not positive definite (principal moments %g, %g, %g); check its signs",
            w[0], w[1], w[2]);
    }
    // a flat body reaches the limit
    if (!(2.0 * most <= sum * (1.0 + 1e-9))) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "inertia is not physical: the largest of the principal moments %g, "
                            "%g, %g exceeds the sum of the others; check the values",
                            w[0], w[1], w[2]);
    }
    memcpy(I, T, sizeof T);
    return GOS_OK;
}

static gos_status add_mass(gos_builder *b, int v0, const gos_rigid_def *def, const double I[9]) {
    const double *c = def->centre_of_mass;
    double trace = I[0] + I[4] + I[8];
    GOS_TRY(gos__add_symmetric(b, &b->mass, v0, v0, def->mass));
    for (int i = 0; i < 3; ++i) {
        if (c[i] != 0.0) {
            GOS_TRY(gos__add_symmetric(b, &b->mass, v0, v0 + 1 + i, def->mass * c[i]));
        }
        for (int j = i; j < 3; ++j) {
            double J = (i == j ? 0.5 * trace : 0.0) - I[3 * i + j] + def->mass * c[i] * c[j];
            if (i == j || J != 0.0) {
                GOS_TRY(gos__add_symmetric(b, &b->mass, v0 + 1 + i, v0 + 1 + j, J));
            }
        }
    }
    return GOS_OK;
}

/* ---- attachment points ----------------------------------------------------------------------- */

static void turn(const gos_rigid *r, const double xb[3], double x[3]) {
    for (int k = 0; k < 3; ++k) {
        x[k] = xb[0] * r->axis[0][k] + xb[1] * r->axis[1][k] + xb[2] * r->axis[2][k];
    }
}

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *location) {
    const gos_rigid *r = b->par;
    for (int i = 0; i < r->npoint; ++i) {
        if (strcmp(ref, r->point[i].name) != 0) {
            continue;
        }
        *location = (gos_location){.body = b, .node = i == 0 ? 0 : -1, .face = -1};
        memcpy(location->xb, r->point[i].xb, sizeof location->xb);
        turn(r, location->xb, location->x);
        for (int k = 0; k < 3; ++k) {
            location->x[k] += r->position[k];
        }
        return GOS_OK;
    }
    const char *near = gos__suggest(ref, r->name, r->npoint);
    if (near) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "rigid body '%s' has no point '%s' (did you mean '%s'?)", b->name, ref,
                            near);
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        "rigid body '%s' has no point '%s'; use node, centre, or add it to the "
                        "body's `points`",
                        b->name, ref);
}

static gos_status position(gos_arena *a, const gos_body *b, const gos_location *p, gos_marker *m) {
    const int idx[4] = {b->v0, b->v0 + 1, b->v0 + 2, b->v0 + 3};
    const double w[4] = {1.0, p->xb[0], p->xb[1], p->xb[2]};
    return gos__marker_make(a, 4, idx, w, NULL, m);
}

/* d = sum_j d_j a_j with its components in the initial axes */
static gos_status direction(gos_arena *a, const gos_body *b, const gos_location *p,
                            const double d[3], gos_marker *m) {
    GOS_UNUSED(p);
    const gos_rigid *r = b->par;
    int idx[3];
    double w[3];
    for (int j = 0; j < 3; ++j) {
        idx[j] = b->v0 + 1 + j;
        w[j] = gos__dot3(d, r->axis[j]);
        // round-off would couple unrelated axes
        w[j] = fabs(w[j]) > 1e-15 * gos__norm3(d) ? w[j] : 0.0;
    }
    return gos__marker_make(a, 3, idx, w, NULL, m);
}

static gos_status spread(gos_builder *b, const gos_body *body, const gos_location *p,
                         const gos_spread_to *to) {
    const gos_rigid *r = body->par;
    return p->whole && r->solid
               ? gos__shape_spread(b, body->v0, &r->shape, to)
               : gos__fail_at(b->ctx, GOS_E_INPUT, to->loc, to->object,
                              p->whole ? "rigid body '%s' has no surface; give it a shape (box, "
                                         "cylinder, sphere), or give this entry facets or a radius"
                                       : "'%s' is a point of a rigid body and has no area; use the "
                                         "body, or give this entry facets or a radius",
                              to->text);
}

/* uniform over the body */
static gos_status temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                              gos_tmarker *tm) {
    GOS_UNUSED(p);
    const double one = 1.0;
    return gos__tmarker_make(a, 1, &b->t0, &one, tm);
}

static const char *const coordinates[] = {"position", "axis_1", "axis_2", "axis_3", NULL};

static const gos_body_ops rigid_body_ops = {.coordinates = coordinates,
                                            .locate = locate,
                                            .position = position,
                                            .direction = direction,
                                            .spread = spread};
static const gos_body_ops heated_body_ops = {.coordinates = coordinates,
                                             .locate = locate,
                                             .position = position,
                                             .direction = direction,
                                             .spread = spread,
                                             .temperature = temperature};

/* ---- building ------------------------------------------------------------------------------ */

static gos_status read_point(gos_builder *b, const gos_node *node, const char *object,
                             gos_rigid_point *point) {
    if (node->kind != GOS_LIST || node->n != 3) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, node->loc, object,
                            "point '%s' needs three coordinates, [x, y, z]", node->key);
    }
    if (!gos__name_valid(node->key)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, node->key_loc, object,
            "'%.80s' is not a valid name of a point; use letters, digits and _, not "
            "beginning with a digit, at most %d characters",
            node->key, GOS_LIMIT_NAME);
    }
    if (strcmp(node->key, "node") == 0 || strcmp(node->key, "centre") == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, node->key_loc, object,
                            "every rigid body has a point '%s'; choose another name", node->key);
    }
    point->name = gos__arena_strdup(b->arena, node->key);
    if (!point->name) {
        return GOS_E_MEMORY;
    }
    int k = 0;
    for (const gos_node *c = node->child; c; c = c->next, ++k) {
        if (c->kind != GOS_SCALAR) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, c->loc, object,
                                "a coordinate of point '%s' is not a number", node->key);
        }
        GOS_TRY(gos__quantity(b->model, c->text, c->loc, object, &(gos_measure){.unit = "m"},
                              &point->xb[k]));
    }
    return GOS_OK;
}

static gos_status read_points(gos_builder *b, const gos_rigid_def *def, const char *object,
                              gos_rigid *r) {
    const gos_node *map = def->points;
    if (map && map->kind != GOS_MAP) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, map->loc, object,
                            "points is not a map; write {NAME: [x, y, z], ...}");
    }
    r->npoint = 2 + (map ? map->n : 0);
    gos_rigid_point *point = GOS_NEW(b->arena, gos_rigid_point, r->npoint);
    r->name = GOS_NEW(b->arena, const char *, r->npoint);
    if (!point || !r->name) {
        return GOS_E_MEMORY;
    }
    point[0].name = "node";
    point[1].name = "centre";
    memcpy(point[1].xb, def->centre_of_mass, sizeof point[1].xb);
    int n = 2;
    for (const gos_node *c = map ? map->child : NULL; c; c = c->next, ++n) {
        GOS_TRY(read_point(b, c, object, &point[n]));
    }
    for (int i = 0; i < n; ++i) {
        r->name[i] = point[i].name;
    }
    r->point = point;
    return GOS_OK;
}

static gos_status add_node(gos_builder *b, const gos_rigid_def *def, const gos_rigid *r, int *v0) {
    int axes;
    GOS_TRY(gos__add_vectors(b, 1, r->position, 1.0, v0));
    GOS_TRY(gos__add_vectors(b, 3, r->axis[0], 0.0, &axes));
    memcpy(b->v0[*v0], def->velocity, sizeof def->velocity);
    for (int j = 0; j < 3; ++j) {
        gos__cross3(def->angular_velocity, r->axis[j], b->v0[axes + j]);
    }
    return GOS_OK;
}

/* ---- shape, temperature ---------------------------------------------------------------------- */

/* Checks values that no shape defines, even after other errors. */
static gos_status check_given(gos_builder *b, const gos_node *entry, const char *object) {
    const bool mass = gos__node_given(entry, "mass"), density = gos__node_given(entry, "density");
    const gos_node *shape = gos__node_given(entry, "shape");
    const bool solid = shape && !(shape->kind == GOS_MAP && gos__node_get(shape, "lines"));
    gos_status status = GOS_OK;
    if (!mass && !density) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                              "mass is missing; specify mass in kg%s",
                              solid ? ", or density" : ", or a shape and density");
    }
    if (mass && density) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "density"), object,
                              "mass and density are both given; remove one");
    }
    if (!solid && density) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "density"), object,
                              "density needs a shape with a volume; give box, cylinder or sphere, "
                              "or the mass");
    }
    if (!solid && !gos__node_given(entry, "inertia")) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, object,
                              "inertia is missing; give inertia tensor in kg m^2, or a shape");
    }
    if (gos__node_given(entry, "heat_capacity") && gos__node_given(entry, "specific_heat")) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "specific_heat"), object,
                              "heat_capacity and specific_heat are both given; remove one");
    }
    if (solid && gos__node_given(entry, "centre_of_mass") && !gos__node_given(entry, "inertia")) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "centre_of_mass"), object,
                              "the centre of mass of a uniform shape is its centre; move the "
                              "shape with `shape: {centre: [x, y, z]}`, or also specify inertia");
    }
    return status;
}

/* Sets mass, centre and inertia; the shape supplies those not given. */
static gos_status take_inertia(gos_builder *b, const gos_node *entry, const char *object,
                               const gos_shape *s, gos_rigid_def *def, double I[9]) {
    const bool given = gos__node_given(entry, "inertia") != NULL;
    if (gos__node_given(entry, "density")) {
        def->mass = def->density * s->volume;
    }
    if (s->solid && !gos__node_given(entry, "centre_of_mass")) {
        memcpy(def->centre_of_mass, s->centre, sizeof s->centre);
    }
    for (int i = 0; i < 9; ++i) {
        I[i] = def->mass * s->gyration[i];
    }
    return given ? inertia_tensor(b, &def->inertia, gos__key_loc(entry, "inertia"), object, I)
                 : GOS_OK;
}

static gos_status add_picture(gos_builder *b, const gos_shape *s, gos_body *body) {
    const int idx[4] = {body->v0, body->v0 + 1, body->v0 + 2, body->v0 + 3};
    gos_marker *mark = GOS_NEW(b->arena, gos_marker, s->npoint + 1);
    if (!mark) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->npoint; ++i) {
        const double w[4] = {1.0, s->point[i][0], s->point[i][1], s->point[i][2]};
        GOS_TRY(gos__marker_make(b->arena, 4, idx, w, NULL, &mark[i]));
    }
    for (int i = 0; i < s->ncell * s->cell_size; ++i) {
        s->cell[i] += body->nnode;
    }
    body->nmark = s->npoint;
    body->mark = mark;
    body->cell_size = s->cell_size;
    body->ncell = s->ncell;
    body->cell = s->cell;
    return GOS_OK;
}

/* Candidate lines from the node to points; system/extent.c selects those with joints or
 * loads. */
static gos_status add_arms(gos_builder *b, const gos_rigid *r, gos_body *body) {
    const int idx[4] = {body->v0, body->v0 + 1, body->v0 + 2, body->v0 + 3};
    gos_marker *mark = GOS_NEW(b->arena, gos_marker, r->npoint + 1);
    if (!mark) {
        return GOS_E_MEMORY;
    }
    for (int i = 1; i < r->npoint; ++i) {
        const double *xb = r->point[i].xb;
        const double w[4] = {1.0, xb[0], xb[1], xb[2]};
        if (gos__norm3(xb) > 0.0) {
            GOS_TRY(gos__marker_make(b->arena, 4, idx, w, NULL, &mark[body->nmark++]));
        }
    }
    body->arms = true;
    body->mark = mark;
    return GOS_OK;
}

/* Adds one temperature; the section has the body's volume and surface. */
static gos_status add_temperature(gos_builder *b, const gos_rigid_def *def, const gos_shape *s,
                                  gos_body *body) {
    gos_section *section = GOS_NEW(b->arena, gos_section, 1);
    gos_section_point *outline = GOS_NEW(b->arena, gos_section_point, 1);
    gos_material *material = GOS_NEW(b->arena, gos_material, 1);
    int *node_t = GOS_NEW(b->arena, int, 1);
    const double capacity = def->heat_capacity + def->specific_heat * def->mass;
    const double area = def->area > 0.0 ? def->area : s->area;
    if (!section || !outline || !material || !node_t) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__add_temperatures(b, 1, &body->t0));
    GOS_TRY(gos__add_symmetric(b, &b->capacity, body->t0, body->t0, capacity));
    b->tmean[body->t0] = 1.0;
    *node_t = body->t0;
    *outline = (gos_section_point){.dl = area, .phi = {1.0}};
    *section = (gos_section){.A = s->volume,
                             .nfam = 1,
                             .family = {"T"},
                             .cap = {1.0},
                             .has_outline = area > 0.0,
                             .noutline = area > 0.0,
                             .outline = outline};
    *material = (gos_material){.emissivity = def->emissivity};
    body->section = section;
    body->material = material;
    body->ops = &heated_body_ops;
    body->nt = body->nfam = 1;
    body->node_t = node_t;
    return GOS_OK;
}

static gos_status check_cold(gos_builder *b, const gos_node *entry, const char *object) {
    static const char *const alone[] = {"area", "emissivity"};
    for (int i = 0; i < GOS_COUNT(alone); ++i) {
        if (gos__node_given(entry, alone[i])) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, gos__key_loc(entry, alone[i]), object,
                "%s has no effect without a temperature; give heat_capacity or specific_heat",
                alone[i]);
        }
    }
    return GOS_OK;
}

static gos_status read_def(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, gos_rigid_def *def, gos_shape *shape, double I[9]) {
    const gos_status filled = gos__fill(b->model, entry, type->params, object, b->arena, def);
    const gos_status given = check_given(b, entry, object);
    const gos_node *node = gos__node_given(entry, "shape");
    GOS_TRY(filled);
    GOS_TRY(given);
    if (node) {
        GOS_TRY(gos__shape_make(b, node, &def->shape, object, shape));
    }
    return take_inertia(b, entry, object, shape, def, I);
}

static gos_status rigid_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                              const char *name, const char *object) {
    gos_rigid_def def = {0};
    gos_shape shape = {0};
    double I[9];
    GOS_TRY(read_def(b, type, entry, object, &def, &shape, I));

    gos_rigid *r = GOS_NEW(b->arena, gos_rigid, 1);
    int *node_v = GOS_NEW(b->arena, int, 1);
    char *own_name = gos__arena_strdup(b->arena, name);
    char *own_object = gos__arena_strdup(b->arena, object);
    if (!r || !node_v || !own_name || !own_object) {
        return GOS_E_MEMORY;
    }
    memcpy(r->position, def.position, sizeof r->position);
    r->solid = shape.solid;
    r->shape = def.shape;
    gos__rotated_axes(def.rotation_vector, r->axis);
    GOS_TRY(read_points(b, &def, object, r));

    int v0;
    GOS_TRY(add_node(b, &def, r, &v0));
    GOS_TRY(add_mass(b, v0, &def, I));
    *node_v = v0;
    gos_body body = {.name = own_name,
                     .type = type->name,
                     .loc = entry->key_loc,
                     .ops = &rigid_body_ops,
                     .par = r,
                     .v0 = v0,
                     .nv = 4,
                     .nnode = 1,
                     .node_v = node_v,
                     .rigid_item = b->nitem};
    GOS_TRY(shape.npoint > 0 ? add_picture(b, &shape, &body) : add_arms(b, r, &body));
    if (def.heat_capacity > 0.0 || def.specific_heat > 0.0) {
        GOS_TRY(add_temperature(b, &def, &shape, &body));
    } else {
        GOS_TRY(check_cold(b, entry, object));
    }
    GOS_TRY(gos__add_body(b, &body, NULL));
    return gos__add_rigidity(b, v0 + 1, own_object, entry->key_loc);
}

static const gos_build_ops rigid_ops = {.build = rigid_build};

const gos_type gos__body_rigid = {
    .section = "bodies",
    .name = "rigid",
    .doc = "rigid body: a point and three axes (12 coordinates, 6 constraints)",
    .params = rigid_params,
    .size = sizeof(gos_rigid_def),
    .example = "hub: {type: rigid, mass: 2, inertia: [0.02, 0.02, 0.03], position: [0, 0, 1], "
               "points: {pin: [0, 0, -1]}}",
    .ops = &rigid_ops};
