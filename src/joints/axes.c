/* Joints with an axis: rows for a common axis, for sliding, and the free coordinates.

   A side carries all directions (frame), two vectors (beam section, plate) or one (cable). With
   axis w and normals n1, n2, where a side carries them:

       one side has n1, n2, the other w:   n1 . w' = n2 . w' = 0
       both have w, one also p across:     p . w' = 0,  w' . (w x p) = 0
       both have n1, n2 only:              n1 . (n1' x n2') = n2 . (n1' x n2') = 0
       a cable across the axis, slope t:   w . t = 0, or t . (n1 x n2) = 0

   No row constrains a length, so strains stay free. */
#include "joints/joint.h"
#include "base/units.h"

#include <assert.h>

#include "parts/hinge.h"

typedef struct side_axes {
    bool axis, normals, across; // w; n1 and n2; a vector p normal to w
    gos_marker w, n[2], p;
} side_axes;

/* has = false: there is none (status stays good) */
static gos_status direction_of(const gos_joint *j, int side, const double d[3], gos_marker *m,
                               bool *has) {
    const gos_location *p = &j->end[side].location;
    gos_status status = GOS_E_INPUT;
    if (!p->body) {
        *m = gos__marker_fixed(d);
        status = GOS_OK;
    } else if (p->body->ops->direction) {
        status = p->body->ops->direction(j->b->arena, p->body, p, d, m);
    }
    *has = status == GOS_OK;
    return status == GOS_E_INPUT ? GOS_OK : status;
}

static gos_status across_in_plane(const gos_joint *j, int side, const double w[3], gos_marker *m,
                                  bool *has) {
    const gos_location *p = &j->end[side].location;
    gos_marker own[2];
    double u[3], v[3], n[3], d[3];
    int count;
    *has = false;
    if (gos__rotating(p) != GOS_TURN_SECTION && gos__rotating(p) != GOS_TURN_PLANE) {
        return GOS_OK;
    }
    GOS_TRY(p->body->ops->vectors(j->b->arena, p->body, p, &count, own));
    gos__marker_initial(j->b, &own[0], u);
    gos__marker_initial(j->b, &own[1], v);
    gos__cross3(u, v, n);
    gos__cross3(n, w, d);
    const double l = gos__norm3(d);
    for (int k = 0; k < 3; ++k) {
        d[k] /= l;
    }
    return direction_of(j, side, d, m, has);
}

static gos_status axes_of(const gos_joint *j, int side, const double w[3], side_axes *a) {
    double n[2][3];
    bool both[2] = {false, false};
    *a = (side_axes){0};
    if (gos__rotating(&j->end[side].location) == GOS_TURN_NOTHING) {
        return GOS_OK;
    }
    gos__normals3(w, n[0], n[1]);
    GOS_TRY(direction_of(j, side, w, &a->w, &a->axis));
    for (int i = 0; i < 2; ++i) {
        GOS_TRY(direction_of(j, side, n[i], &a->n[i], &both[i]));
    }
    a->normals = both[0] && both[1];
    if (a->axis && !a->normals) {
        GOS_TRY(across_in_plane(j, side, w, &a->p, &a->across));
    }
    return GOS_OK;
}

static bool same_marker(const gos_marker *a, const gos_marker *b) {
    return a->n == b->n && memcmp(a->off, b->off, sizeof a->off) == 0 &&
           (a->n == 0 || (memcmp(a->idx, b->idx, a->n * sizeof *a->idx) == 0 &&
                          memcmp(a->w, b->w, a->n * sizeof *a->w) == 0));
}

/* equal markers are shared */
static int vector_of(gos_joint *j, int end, const gos_marker *m) {
    for (int i = 0; i < j->item.nm; ++i) {
        if (j->sides.of[i] == j->end[end].side && !j->sides.point[i] &&
            same_marker(&j->item.m[i], m)) {
            return i;
        }
    }
    return gos__joint_marker(j, end, false, m);
}

static void by_normals(gos_joint *j, int of, const side_axes *normals, const side_axes *axis) {
    const int a = vector_of(j, of, &normals->n[0]);
    const int b = vector_of(j, of, &normals->n[1]);
    const int w = vector_of(j, 1 - of, &axis->w);
    gos__joint_dot(j, a, w, -1, 0.0);
    gos__joint_dot(j, b, w, -1, 0.0);
}

/* p . w' = 0, w' . (w x p) = 0 */
static void by_plane(gos_joint *j, int of, const side_axes *plane, const side_axes *axis) {
    const int w = vector_of(j, of, &plane->w);
    const int p = vector_of(j, of, &plane->p);
    const int other = vector_of(j, 1 - of, &axis->w);
    gos__joint_dot(j, p, other, -1, 0.0);
    gos__joint_triple(j, other, w, p);
}

static void by_all_normals(gos_joint *j, const side_axes a[2]) {
    int m[2][2];
    for (int i = 0; i < 4; ++i) {
        m[i / 2][i % 2] = vector_of(j, i / 2, &a[i / 2].n[i % 2]);
    }
    gos__joint_triple(j, m[0][0], m[1][0], m[1][1]);
    gos__joint_triple(j, m[0][1], m[1][0], m[1][1]);
}

/* no twist: the slope of the cable stays normal to the axis of the other side */
static gos_status cable_across(gos_joint *j, int cable, const double w[3], const side_axes *other) {
    gos_marker slope;
    double t[3];
    const gos_end *e = &j->end[cable];
    GOS_TRY(gos__tangent(j->b, &e->location, e->loc, j->object, &slope, t));
    if (!(fabs(gos__dot3(w, t)) <= 1e-6 * gos__norm3(t))) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, "axis"), j->object,
                            "axis is not normal to '%s', whose tangent is (%g, %g, %g) at t = 0; "
                            "rotate the axis, or use a spherical joint",
                            e->text, t[0], t[1], t[2]);
    }
    const int a = vector_of(j, 1 - cable, other->axis ? &other->w : &other->n[0]);
    const int b = other->axis ? -1 : vector_of(j, 1 - cable, &other->n[1]);
    const int m = gos__joint_marker(j, cable, false, &slope);
    if (other->axis) {
        gos__joint_dot(j, a, m, -1, 0.0);
    } else {
        gos__joint_triple(j, m, a, b);
    }
    return GOS_OK;
}

static gos_status no_axis(const gos_joint *j, int side) {
    return gos__fail_at(
        j->b->ctx, GOS_E_INPUT, j->end[side].loc, j->object,
        "'%s' has no body-fixed direction along the axis (a beam supports axes parallel or "
        "perpendicular to it, a plate axes in its plane or normal to it); insert a rigid body, or "
        "use a spherical joint",
        j->end[side].text);
}

gos_status gos__joint_parallel(gos_joint *j, const double w[3], bool cables) {
    side_axes a[2];
    bool cable[2];
    for (int s = 0; s < 2; ++s) {
        GOS_TRY(axes_of(j, s, w, &a[s]));
        cable[s] = gos__rotating(&j->end[s].location) == GOS_TURN_TANGENT;
    }
    for (int s = 0; s < 2; ++s) {
        if (cable[s] && !cables) {
            return no_axis(j, s);
        }
        if (cable[s] && !cable[1 - s] && (a[1 - s].axis || a[1 - s].normals)) {
            return cable_across(j, s, w, &a[1 - s]);
        }
    }
    for (int s = 0; s < 2; ++s) {
        if (a[s].normals && a[1 - s].axis) {
            by_normals(j, s, &a[s], &a[1 - s]);
            return GOS_OK;
        }
    }
    for (int s = 0; s < 2; ++s) {
        if (a[s].across && a[1 - s].axis) {
            by_plane(j, s, &a[s], &a[1 - s]);
            return GOS_OK;
        }
    }
    if (a[0].normals && a[1].normals) {
        by_all_normals(j, a);
        return GOS_OK;
    }
    if (cable[0] && cable[1]) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, j->end[0].loc, j->object,
                            "neither '%s' nor '%s' has body-fixed directions for the axis; insert "
                            "a rigid body between them, or use a spherical joint",
                            j->end[0].text, j->end[1].text);
    }
    return no_axis(j, a[0].axis || a[0].normals ? 1 : 0);
}

/* both sides carry n1 and n2: n1 . n2' = 0 */
gos_status gos__joint_no_turn(gos_joint *j, const double w[3]) {
    static const int other[] = {1, 0};
    double n[2][3];
    gos__normals3(w, n[0], n[1]);
    for (int i = 0; i < 2; ++i) {
        gos_marker m[2];
        bool has[2];
        GOS_TRY(direction_of(j, 0, n[other[i]], &m[0], &has[0]));
        GOS_TRY(direction_of(j, 1, n[i], &m[1], &has[1]));
        if (has[0] && has[1]) {
            const int a = vector_of(j, 0, &m[0]);
            gos__joint_dot(j, a, vector_of(j, 1, &m[1]), -1, 0.0);
            return GOS_OK;
        }
    }
    return no_axis(j, 1);
}

static bool definite(const gos_location *p) {
    return p->body && !p->whole;
}

gos_status gos__joint_apart(gos_joint *j, const gos_joint_def *def) {
    GOS_TRY(gos__joint_locations(j, def));
    const bool given = gos__node_given(j->entry, "at") != NULL;
    for (int s = 0; s < 2; ++s) {
        gos_end *e = &j->end[s];
        const gos_location *other = &j->end[1 - s].location;
        const bool own = definite(&e->location) || (e->location.body && !given && !definite(other));
        memcpy(e->x, own ? e->location.x : given ? def->at : other->x, sizeof e->x);
        if (definite(&e->location)) {
            GOS_TRY(gos__position(j->b, &e->location, &e->m));
        } else {
            GOS_TRY(gos__carried_point(j->b, &e->location, e->x, e->loc, j->object, &e->m));
        }
    }
    return GOS_OK;
}

static gos_status sliding_points(gos_joint *j, const gos_joint_def *def, double d[3]) {
    GOS_TRY(gos__joint_apart(j, def));
    gos__sub3(j->end[1].x, j->end[0].x, d);
    const int point = j->end[1].location.body ? 1 : 0; // reactions refer to the moving body
    gos__joint_marker(j, point, true, &j->end[point].m);
    gos__joint_marker(j, 1 - point, true, &j->end[1 - point].m);
    memcpy(j->sides.axis, def->axis, sizeof j->sides.axis);
    return GOS_OK;
}

static gos_status check_offset(const gos_joint *j, const double d[3], double off,
                               const char *guide) {
    if (off <= 1e-6 * (gos__extent(j->b) + gos__norm3(j->end[0].x) + gos__norm3(d))) {
        return GOS_OK;
    }
    return gos__fail_at(
        j->b->ctx, GOS_E_INPUT, j->end[1].loc, j->object,
        "'%s' is %g %s away from the %s through '%s' at t = 0; move it there, or use another point",
        j->end[1].text, off, gos__unit_label(j->b->model->units, "m", GOS_UNIT_BUFFER), guide,
        j->end[0].text);
}

/* n . (x_B - x_A) = 0 with n fixed in the first side */
static gos_status guide_row(gos_joint *j, const double n[3]) {
    gos_marker m;
    const gos_end *e = &j->end[0];
    GOS_TRY(gos__direction(j->b, &e->location, n, e->loc, j->object, &m));
    gos__joint_dot(j, vector_of(j, 0, &m), 0, 1, 0.0);
    return GOS_OK;
}

gos_status gos__joint_on_line(gos_joint *j, const gos_joint_def *def) {
    double d[3], off[3], n[2][3];
    GOS_TRY(sliding_points(j, def, d));
    gos__cross3(def->axis, d, off);
    GOS_TRY(check_offset(j, d, gos__norm3(off), "line"));
    gos__normals3(def->axis, n[0], n[1]);
    GOS_TRY(guide_row(j, n[0]));
    return guide_row(j, n[1]);
}

gos_status gos__joint_on_plane(gos_joint *j, const gos_joint_def *def) {
    double d[3];
    GOS_TRY(sliding_points(j, def, d));
    GOS_TRY(check_offset(j, d, fabs(gos__dot3(def->axis, d)), "plane"));
    return guide_row(j, def->axis);
}

static gos_joint_coordinate *free_slot(gos_joint *j) {
    assert(j->sides.ncoord < GOS_JOINT_COORDINATES);
    return &j->coord[j->sides.ncoord];
}

gos_status gos__joint_slide(gos_joint *j, const char *name, const double w[3]) {
    gos_joint_coordinate *c = free_slot(j);
    double d[3];
    bool has;
    *c = (gos_joint_coordinate){.name = name};
    GOS_TRY(direction_of(j, 0, w, &c->m[0], &has));
    if (!has && memcmp(w, j->sides.axis, sizeof j->sides.axis) == 0) {
        GOS_TRY(direction_of(j, 1, w, &c->m[0], &has));
    }
    if (!has) {
        return no_axis(j, 0);
    }
    c->m[1] = j->end[1].m;
    c->m[2] = j->end[0].m;
    gos__sub3(j->end[1].x, j->end[0].x, d);
    c->zero = gos__dot3(w, d);
    j->sides.ncoord++;
    return GOS_OK;
}

/* a cable along the axis does not define a rotation about it */
static bool resolves_turns(const gos_joint *j, int side, const double w[3]) {
    const gos_location *p = &j->end[side].location;
    const gos_rotating turning = gos__rotating(p);
    gos_marker m;
    double t[3], c[3];
    if (turning != GOS_TURN_TANGENT) {
        return turning != GOS_TURN_NOTHING;
    }
    if (gos__tangent(j->b, p, j->end[side].loc, j->object, &m, t) != GOS_OK) {
        return false;
    }
    gos__cross3(w, t, c);
    return gos__norm3(c) > 1e-3 * gos__norm3(t);
}

gos_status gos__joint_turn(gos_joint *j, const gos_joint_def *def, const char *name,
                           const double w[3]) {
    gos_joint_coordinate *c = free_slot(j);
    const gos_location p[2] = {j->end[0].location, j->end[1].location};
    if (!resolves_turns(j, 0, w) || !resolves_turns(j, 1, w)) {
        return GOS_OK;
    }
    *c = (gos_joint_coordinate){.name = name, .angle = true};
    GOS_TRY(gos__hinge_make(j->b, &def->between, p, w, j->object, c->m, &c->zero, NULL));
    j->sides.ncoord++;
    return GOS_OK;
}

void gos__joint_turn_of(gos_joint *j, const char *name, const gos_marker m[3]) {
    gos_joint_coordinate *c = free_slot(j);
    j->sides.ncoord++;
    gos_hinge_angle h;
    double x[9];
    *c = (gos_joint_coordinate){.name = name, .angle = true};
    memcpy(c->m, m, sizeof c->m);
    for (int k = 0; k < 3; ++k) {
        gos__marker_initial(j->b, &m[k], x + 3 * k);
    }
    (void)gos__hinge_angle(x, &h);
    c->zero = h.angle;
}
