/* Joint reactions. Constraints C(q, t) = 0 with multipliers lambda apply g_m = -C_m^T lambda, C_m =
   dC/dx_m, to marker x_m. By virtual work of a rigid motion du + dtheta x (x - p) of a side:
     force = sum over its positions of g_m,
     moment about p = sum over positions of (x_m - p) x g_m + sum over vectors of x_m x g_m.
   The other side carries the opposite. Joints without rows (bushings, motors) use applied forces
   g_m. */
#include "parts/hinge.h"
#include "parts/location.h"
#include "math/vec3.h"
#include "probes/probe.h"

static bool has_side(const gos_item *it, int side) {
    for (int m = 0; m < it->nm; m++) {
        if (it->sides->of[m] == side) {
            return true;
        }
    }
    return false;
}

/* item forces g on markers (values `at`): multipliers, and applied */
static void forces_on_markers(const gos_system *s, const gos_state *x, const gos_item *it,
                              double *at, double *g) {
    double cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    const int n = 3 * it->nm;
    if (it->nc == 0) {
        gos__item_forces(s, x, it, at, g);
        return;
    }
    gos__item_gradients(s, x, it, at, cx);
    memset(g, 0, (size_t)n * sizeof *g);
    for (int r = 0; r < it->nc; r++) {
        for (int i = 0; i < n; i++) {
            g[i] -= cx[r * n + i] * x->lam[it->c0 + r];
        }
    }
}

static void add_item(const gos_system *s, const gos_state *x, const gos_item *it, const double p[3],
                     double force[3], double moment[3]) {
    double at[3 * GOS_ITEM_MARKERS], g[3 * GOS_ITEM_MARKERS];
    const int side = has_side(it, 1) ? 1 : 2; // the ground may have no marker
    const double sign = side == 1 ? 1 : -1;
    forces_on_markers(s, x, it, at, g);
    for (int m = 0; m < it->nm; m++) {
        double arm[3], turn[3];
        if (it->sides->of[m] != side) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            arm[c] = at[3 * m + c] - (it->sides->point[m] ? p[c] : 0);
            force[c] += it->sides->point[m] ? sign * g[3 * m + c] : 0;
        }
        gos__cross3(arm, g + 3 * m, turn);
        for (int c = 0; c < 3; c++) {
            moment[c] += sign * turn[c];
        }
    }
}

/* an edge has one item per node */
static bool belongs(const gos_item *it, const gos_probe *p) {
    return it->nm > 0 && it->sides && strcmp(it->name, p->item->name) == 0;
}

/* an edge uses the mean of its nodes */
static void point_of(const gos_system *s, const gos_state *x, const gos_probe *probe, double p[3]) {
    int n = 0;
    p[0] = p[1] = p[2] = 0;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (belongs(it, probe) && it->sides->point[0]) {
            double at[3];
            gos__marker_value(&it->m[0], x->q, at);
            for (int c = 0; c < 3; c++) {
                p[c] += at[c];
            }
            n++;
        }
    }
    for (int c = 0; c < 3 && n > 0; c++) {
        p[c] /= n;
    }
}

static void reaction(const gos_system *s, const gos_state *x, const gos_probe *p, double force[3],
                     double moment[3]) {
    double at[3];
    point_of(s, x, p, at);
    for (int c = 0; c < 3; c++) {
        force[c] = moment[c] = 0;
    }
    for (int i = 0; i < s->nitem; i++) {
        if (belongs(s->item[i], p)) {
            add_item(s, x, s->item[i], at, force, moment);
        }
    }
}

/* into axes rotated with section vectors (markers 2, 3) since t = 0 */
static void turn_back(const gos_state *x, const gos_probe *p, double *y) {
    double a[3], b[3], now[9], in[3], back[3] = {0};
    gos__marker_value(&p->m[2], x->q, a);
    gos__marker_value(&p->m[3], x->q, b);
    gos__probe_section_axes(a, b, now);
    for (int j = 0; j < 3; j++) {
        in[j] = gos__dot3(now + 3 * j, y);
        for (int c = 0; c < 3; c++) {
            back[c] += in[j] * p->axes0[3 * j + c];
        }
    }
    for (int j = 0; j < 3; j++) {
        y[j] = gos__dot3(p->along + 3 * j, back);
    }
}

void gos__joint_force(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double moment[3];
    reaction(s, x, p, y, moment);
    if (p->turned) {
        turn_back(x, p, y);
    }
}

void gos__joint_moment(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    double force[3];
    if (p->couple) { // row: prescribed function minus angle of the second side to the first
        y[0] = -x->lam[p->item->c0];
        return;
    }
    reaction(s, x, p, force, y);
    if (p->turned) {
        turn_back(x, p, y);
    }
}

void gos__joint_coordinates(const gos_system *s, const gos_state *x, const gos_probe *p,
                            double *y) {
    GOS_UNUSED(s);
    for (int c = 0; c < p->ncomp; c++) {
        double at[9], d[3];
        gos_hinge_angle h;
        for (int k = 0; k < 3; k++) {
            gos__marker_value(&p->m[3 * c + k], x->q, at + 3 * k);
        }
        if (p->coord[c].angle) {
            (void)gos__hinge_angle(at, &h);
            y[c] = p->start + gos__hinge_unwrap(h.angle - p->coord[c].zero, 0);
        } else {
            gos__sub3(at + 3, at + 6, d);
            y[c] = p->start + gos__dot3(at, d) - p->coord[c].zero;
        }
    }
}

void gos__joint_rates(const gos_system *s, const gos_state *x, const gos_probe *p, double *y) {
    GOS_UNUSED(s);
    for (int c = 0; c < p->ncomp; c++) {
        double at[9], rate[9], d[3], dd[3];
        gos_hinge_angle h;
        for (int k = 0; k < 3; k++) {
            gos__marker_value(&p->m[3 * c + k], x->q, at + 3 * k);
            gos__marker_rate(&p->m[3 * c + k], x->v, rate + 3 * k);
        }
        if (p->coord[c].angle) {
            (void)gos__hinge_angle(at, &h);
            y[c] = 0;
            for (int k = 0; k < 9; k++) {
                y[c] += h.dx[k] * rate[k];
            }
        } else {
            gos__sub3(at + 3, at + 6, d);
            gos__sub3(rate + 3, rate + 6, dd);
            y[c] = gos__dot3(rate, d) + gos__dot3(at, dd);
        }
    }
}

/* rows x, y, z at t = 0 */
static void axes_of(const gos_sides *sides, double axes[9]) {
    memset(axes, 0, 9 * sizeof *axes);
    if (gos__norm3(sides->axis) > 0) {
        memcpy(axes + 6, sides->axis, 3 * sizeof *axes);
        gos__normals3(axes + 6, axes, axes + 3);
    } else {
        axes[0] = axes[4] = axes[8] = 1;
    }
}

/* axes fixed in the first side that has a frame, else two vectors */
static gos_status joint_axes(gos_builder *b, const gos_sides *sides, gos_loc loc,
                             const char *object, gos_probe *p) {
    double axes[9], u[3], v[3];
    int n;
    axes_of(sides, axes);
    for (int s = 0; s < 2; s++) {
        if (gos__rotating(&sides->location[s]) == GOS_TURN_FRAME) {
            for (int j = 0; j < 3; j++) {
                GOS_TRY(gos__direction(b, &sides->location[s], axes + 3 * j, loc, object,
                                       &p->m[2 + j]));
            }
            p->framed = true;
            p->frame0 = 1; // its node is unused
            p->nm = 5;
            return GOS_OK;
        }
    }
    for (int s = 0; s < 2; s++) {
        const gos_location *at = &sides->location[s];
        const gos_rotating turning = gos__rotating(at);
        if (turning == GOS_TURN_SECTION || turning == GOS_TURN_PLANE) {
            GOS_TRY(at->body->ops->vectors(b->arena, at->body, at, &n, &p->m[2]));
            gos__marker_initial(b, &p->m[2], u);
            gos__marker_initial(b, &p->m[3], v);
            gos__probe_section_axes(u, v, p->axes0);
            memcpy(p->along, axes, sizeof axes);
            p->turned = true;
            p->nm = 4;
            return GOS_OK;
        }
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                        "neither side of the joint has axes that rotate with it; remove `frame`, "
                        "or specify a rigid body");
}

gos_status gos__probe_coordinates(gos_builder *b, const char *joint, const gos_node *entry,
                                  const char *object, gos_probe *p) {
    char label[GOS_LIMIT_NAME + 16];
    snprintf(label, sizeof label, "joint '%s'", joint ? joint : "");
    const gos_item *it = joint ? gos__find_item(b, label) : NULL;
    const gos_sides *sides = it ? it->sides : NULL;
    if (!sides || sides->ncoord == 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, gos__key_loc(entry, "joint"), object,
            "%s requires 'joint', the name of a joint with a free angle or displacement%s",
            p->quantity->name, sides ? ", which this one lacks" : "");
    }
    if (gos__node_given(entry, "frame")) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "frame"), object,
                            "%s does not support frame; remove it", p->quantity->name);
    }
    p->coord = sides->coord;
    for (int c = 0; c < sides->ncoord; c++) {
        memcpy(&p->m[p->nm], sides->coord[c].m, sizeof sides->coord[c].m);
        p->nm += 3;
        p->shown[c] = sides->coord[c].name;
    }
    return GOS_OK;
}

gos_status gos__probe_joint(gos_builder *b, const char *joint, const char *frame,
                            const gos_node *entry, const char *object, gos_probe *p) {
    char label[GOS_LIMIT_NAME + 16];
    snprintf(label, sizeof label, "joint '%s'", joint ? joint : "");
    p->item = joint ? gos__find_item(b, label) : NULL;
    if (!p->item) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "joint"), object,
                            "%s requires 'joint', the name of a joint%s", p->quantity->name,
                            p->quantity->value == gos__joint_force ? " that constrains a position"
                                                                   : "");
    }
    const gos_node *at = gos__node_get(entry, "frame");
    const gos_loc loc = at ? at->loc : entry->key_loc;
    if (frame && strcmp(frame, "joint") == 0 && !gos__find_body(b, frame)) {
        return joint_axes(b, p->item->sides, loc, object, p);
    }
    p->nm = 1; // the joint's markers are in its item
    if (frame) {
        return gos__probe_frame(b, p, frame, loc, object);
    }
    p->couple = p->item->sides->couple && !p->scalar && p->quantity->value == gos__joint_moment;
    return GOS_OK;
}
