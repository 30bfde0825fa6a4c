/* Clamp: no relative motion of two points (theory guide 3.2): x_A = x_B and constant relative
   directions. Lengths of slopes and section vectors, and the shear between them, stay free:
   - cable on a frame: n1 . r_x = n2 . r_x = 0, n1, n2 normal to the tangent; 5 equations
   - two frames: a1 . b2 = a1 . b3 = a2 . b3 = 0, triads coincide at t = 0; 6 equations
   - plate point on a frame (or beam, `rigid: false`): vectors u, v, equal to d1, d2 of the frame at
     t = 0, n normal to both: n . u = n . v = 0, d2 . u - d1 . v = 0; 6 equations
   - plate edge on a frame, per node: slope along the edge as a vector, n . r_y = 0 for the slope
     across it; 7 equations
   - two plate edges at any angle: equal slopes along them and the angle about them; 7 equations
   - two beams or plate points at any angle: see two_sections; 6 equations
   - cable in the plane of a plate, or across a beam: slope along a vector; 5 equations
   - two parallel cables: equal slopes; 6 equations

   With `rigid: true`, and for beams on a frame or in line, vectors are fixed with their lengths,
   r_x = d: linear, without strain at the clamp; 6 equations for a cable, 9 for a plate or beam. */
#include "joints/joint.h"
#include "joints/joints.h"

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two clamped attachment points, e.g. [ground, rod.start]; an edge of a "
                      "plate (panel.edge.x0) means all nodes on it"),
    GOS_JOINT_AT,
    {.name = "rigid",
     .kind = GOS_K_BOOL,
     .unit = "",
     .offset = offsetof(gos_joint_def, rigid),
     .doc = "false: fixes directions and leaves strains at the clamp free; true: fixes the slope "
            "and section vectors, including their lengths (linear equations, no strain at the "
            "clamp). Default: true for cables with reduced quadrature and for beams on a frame or "
            "in line, else false. No effect between two rigid bodies; two cables always get equal "
            "slopes"},
    GOS_JOINT_TEMPERATURE,
    GOS_JOINT_GRADIENTS,
    {0}};

static gos_status tie_vectors(gos_joint *j, int frame) {
    const gos_location *p = &j->end[1 - frame].location;
    gos_marker m[2];
    int n, held;
    GOS_TRY(p->body->ops->vectors(j->b->arena, p->body, p, &n, m));
    for (int i = 0; i < n; ++i) {
        double x[3];
        gos__marker_initial(j->b, &m[i], x);
        int mine = gos__joint_marker(j, 1 - frame, false, &m[i]);
        GOS_TRY(gos__joint_direction(j, frame, x, &held));
        gos__joint_vector(j, mine, 1.0, held, -1.0);
    }
    return GOS_OK;
}

static gos_status soft_cable(gos_joint *j, int frame) {
    int slope, normal[2];
    double t[3], n[2][3];
    GOS_TRY(gos__joint_tangent(j, 1 - frame, &slope, t));
    double l = gos__norm3(t);
    for (int k = 0; k < 3; ++k) {
        t[k] /= l;
    }
    gos__normals3(t, n[0], n[1]);
    for (int i = 0; i < 2; ++i) {
        GOS_TRY(gos__joint_direction(j, frame, n[i], &normal[i]));
        gos__joint_dot(j, normal[i], slope, -1, 0.0);
    }
    return GOS_OK;
}

static gos_status add_vectors(gos_joint *j, int side, int index[2], double x[2][3]) {
    const gos_location *p = &j->end[side].location;
    gos_marker m[2];
    int n;
    GOS_TRY(p->body->ops->vectors(j->b->arena, p->body, p, &n, m));
    for (int i = 0; i < 2; ++i) {
        gos__marker_initial(j->b, &m[i], x[i]);
        index[i] = gos__joint_marker(j, side, false, &m[i]);
    }
    return GOS_OK;
}

/* fixes their plane and their mean rotation in it */
static gos_status vectors_on_frame(gos_joint *j, int frame) {
    int v[2], d[2], n;
    double x[2][3], across[3];
    GOS_TRY(add_vectors(j, 1 - frame, v, x));
    gos__cross3(x[0], x[1], across);
    GOS_TRY(gos__joint_direction(j, frame, across, &n));
    for (int i = 0; i < 2; ++i) {
        GOS_TRY(gos__joint_direction(j, frame, x[i], &d[i]));
        gos__joint_dot(j, n, v[i], -1, 0.0);
    }
    gos__joint_dots(j, d[1], v[0], d[0], v[1]);
    return GOS_OK;
}

static gos_status edge_slopes(gos_joint *j, int side, const gos_location *edge, int *along,
                              int *across, double x[2][3]) {
    gos_location p;
    (void)edge->body->ops->edge(edge->body, edge->edge, 0.0, &p, x[0], x[1]);
    GOS_TRY(gos__joint_direction(j, side, x[0], along));
    return gos__joint_direction(j, side, x[1], across);
}

static gos_status edge_on_frame(gos_joint *j, int frame, const gos_location *edge) {
    int along, across, held, n;
    double x[2][3], normal[3];
    GOS_TRY(edge_slopes(j, 1 - frame, edge, &along, &across, x));
    GOS_TRY(gos__joint_direction(j, frame, x[0], &held));
    gos__joint_vector(j, along, 1.0, held, -1.0);
    gos__cross3(x[0], x[1], normal);
    GOS_TRY(gos__joint_direction(j, frame, normal, &n));
    gos__joint_dot(j, n, across, -1, 0.0);
    return GOS_OK;
}

static gos_status two_edges(gos_joint *j, const gos_location *const edge[2]) {
    int along[2], across[2];
    double x[2][2][3], c[3];
    for (int s = 0; s < 2; ++s) {
        GOS_TRY(edge_slopes(j, s, edge[s], &along[s], &across[s], x[s]));
    }
    gos__cross3(x[0][0], x[1][0], c);
    if (!(gos__norm3(c) <= 1e-6)) {
        return gos__fail_at(
            j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "between"), j->object,
            "'%s' and '%s' are not parallel; edges are clamped node by node, so align them",
            j->end[0].text, j->end[1].text);
    }
    gos__joint_vector(j, along[0], 1.0, along[1], gos__dot3(x[0][0], x[1][0]) > 0.0 ? -1.0 : 1.0);
    return gos__joint_angle(j, along[0], across[0], across[1]);
}

/* Two sides with two vectors each, spanning planes A and B. Unit vectors l (intersection of the
   planes) and p, normal to l, are combinations of them. A relative rotation theta changes the angle
   from p_A to p_B about l_A by theta . l, the angle from l_A to l_B about p_A by theta . p_A, and
   l_A . p_B by theta . (p_B x l). Closer to a right angle between the planes, l_A . p_B and l_B .
   p_A are used: theta . (p_B x l) and theta . (l x p_A). No row constrains a length. */
static gos_status two_sections(gos_joint *j) {
    static const double faint = 1e-9;
    double n[2][3], l[3], p[2][3], x[2][3];
    int lm[2], pm[2];
    for (int s = 0; s < 2; ++s) {
        const gos_location *at = &j->end[s].location;
        gos_marker m[2];
        int count;
        GOS_TRY(at->body->ops->vectors(j->b->arena, at->body, at, &count, m));
        gos__marker_initial(j->b, &m[0], x[0]);
        gos__marker_initial(j->b, &m[1], x[1]);
        gos__cross3(x[0], x[1], n[s]);
    }
    gos__cross3(n[0], n[1], l);
    if (!(gos__norm3(l) > faint * gos__norm3(n[0]) * gos__norm3(n[1]))) {
        memcpy(l, x[0], sizeof l); // parallel planes: any of their vectors
    }
    double size = gos__norm3(l);
    for (int k = 0; k < 3; ++k) {
        l[k] /= size;
    }
    for (int s = 0; s < 2; ++s) {
        size = gos__norm3(n[s]);
        gos__cross3(n[s], l, p[s]);
        for (int k = 0; k < 3; ++k) {
            p[s][k] /= size;
        }
        GOS_TRY(gos__joint_direction(j, s, l, &lm[s]));
        GOS_TRY(gos__joint_direction(j, s, p[s], &pm[s]));
    }
    GOS_TRY(gos__joint_angle(j, lm[0], pm[0], pm[1]));
    gos__joint_dot(j, lm[0], pm[1], -1, 0.0);
    if (fabs(gos__dot3(p[0], p[1])) > 0.7) {
        return gos__joint_angle(j, pm[0], lm[0], lm[1]);
    }
    gos__joint_dot(j, lm[1], pm[0], -1, 0.0);
    return GOS_OK;
}

static gos_status cable_in_plane(gos_joint *j, int plane) {
    const gos_location *at = &j->end[plane].location;
    double t[3], x[2][3], n[3], side[3];
    gos_marker m[2];
    int slope, d, across, count;
    GOS_TRY(gos__joint_tangent(j, 1 - plane, &slope, t));
    GOS_TRY(gos__joint_direction(j, plane, t, &d));
    GOS_TRY(at->body->ops->vectors(j->b->arena, at->body, at, &count, m));
    gos__marker_initial(j->b, &m[0], x[0]);
    gos__marker_initial(j->b, &m[1], x[1]);
    gos__cross3(x[0], x[1], n);
    gos__cross3(n, t, side);
    GOS_TRY(gos__joint_direction(j, plane, side, &across));
    gos__joint_dot(j, across, slope, -1, 0.0);
    return gos__joint_angle(j, across, d, slope);
}

static gos_status two_frames(gos_joint *j) {
    static const double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int a1, a2, b2, b3;
    GOS_TRY(gos__joint_direction(j, 0, e[0], &a1));
    GOS_TRY(gos__joint_direction(j, 0, e[1], &a2));
    GOS_TRY(gos__joint_direction(j, 1, e[1], &b2));
    GOS_TRY(gos__joint_direction(j, 1, e[2], &b3));
    gos__joint_dot(j, a1, b2, -1, 0.0);
    gos__joint_dot(j, a1, b3, -1, 0.0);
    gos__joint_dot(j, a2, b3, -1, 0.0);
    return GOS_OK;
}

static int directions(const gos_end *e) {
    switch (gos__rotating(&e->location)) {
    case GOS_TURN_NOTHING:
        return 0;
    case GOS_TURN_FRAME:
        return 3;
    case GOS_TURN_PLANE:
    case GOS_TURN_SECTION:
        return 2;
    default:
        return 1;
    }
}

static gos_status normal_of(gos_joint *j, int side, double n[3]) {
    const gos_location *p = &j->end[side].location;
    gos_marker m[2];
    double u[3], v[3];
    int count;
    GOS_TRY(p->body->ops->vectors(j->b->arena, p->body, p, &count, m));
    gos__marker_initial(j->b, &m[0], u);
    gos__marker_initial(j->b, &m[1], v);
    gos__cross3(u, v, n);
    return GOS_OK;
}

/* Whether lengths are fixed: as given, else by body type. Beam section vectors do not determine
   lengths, so on a frame or in line they are fixed as vectors: linear equations, which reduced
   models eliminate. */
static gos_status holds_lengths(gos_joint *j, const gos_joint_def *def, bool *lengths) {
    bool section[2], frame[2];
    double n[2][3], c[3];
    *lengths = false;
    for (int s = 0; s < 2; ++s) {
        section[s] = gos__rotating(&j->end[s].location) == GOS_TURN_SECTION;
        frame[s] = gos__rotating(&j->end[s].location) == GOS_TURN_FRAME;
        *lengths = *lengths || (j->end[s].location.body && j->end[s].location.body->idle);
    }
    *lengths = *lengths || (section[0] && frame[1]) || (frame[0] && section[1]);
    if (section[0] && section[1]) {
        GOS_TRY(normal_of(j, 0, n[0]));
        GOS_TRY(normal_of(j, 1, n[1]));
        gos__cross3(n[0], n[1], c);
        *lengths = gos__norm3(c) <= 1e-9;
    }
    *lengths = gos__node_given(j->entry, "rigid") ? def->rigid != 0 : *lengths;
    return GOS_OK;
}

/* side `frame` carries n[frame] >= n[other] directions */
static gos_status hold_directions(gos_joint *j, const int n[2], int frame) {
    const int other = 1 - frame;
    const gos_location *const edge[2] = {j->edge[0].edge ? &j->edge[0] : NULL,
                                         j->edge[1].edge ? &j->edge[1] : NULL};
    if (n[frame] == 3) {
        return n[other] == 1 ? soft_cable(j, frame)
               : edge[other] ? edge_on_frame(j, frame, edge[other])
                             : vectors_on_frame(j, frame);
    }
    if (n[other] == 1) {
        return cable_in_plane(j, frame);
    }
    return edge[0] && edge[1] ? two_edges(j, edge) : two_sections(j);
}

static gos_status orientation(gos_joint *j, const gos_joint_def *def) {
    int n[2] = {directions(&j->end[0]), directions(&j->end[1])};
    if (j->edge[0].each || j->edge[1].each) {
        return GOS_OK; // node positions of a set already fix its rotation
    }
    int frame = n[0] > n[1] ? 0 : 1; // side with more directions
    for (int s = 0; s < 2; ++s) {
        if (n[s] == 0) {
            return gos__fail_at(j->b->ctx, GOS_E_INPUT, j->end[s].loc, j->object,
                                "'%s' has no rotations to clamp; use a spherical joint, make it "
                                "one of the `interfaces` of a floating body, or give rx, ry, rz in "
                                "the node table of matrices",
                                j->end[s].text);
        }
    }
    if (n[0] == 3 && n[1] == 3) {
        return two_frames(j);
    }
    if (n[frame] > 1) {
        bool lengths;
        GOS_TRY(holds_lengths(j, def, &lengths));
        return lengths ? tie_vectors(j, frame) : hold_directions(j, n, frame);
    }
    if (gos__node_given(j->entry, "rigid") && !def->rigid) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "rigid"), j->object,
                            "neither '%s' nor '%s' has axes, which `rigid: false` requires; "
                            "remove it, or insert a rigid body",
                            j->end[0].text, j->end[1].text);
    }
    return gos__joint_equal_slopes(j);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    return gos__joint_each(b, type, entry, object, true, orientation);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_clamp = {
    .section = "joints",
    .name = "clamp",
    .doc = "clamp: no relative motion; fixes directions; strains stay free unless `rigid: true`",
    .params = params,
    .size = sizeof(gos_joint_def),
    .example = "root: {type: clamp, between: [ground, rod.start]}",
    .ops = &ops};
