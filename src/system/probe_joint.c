/* Reactions of joints. With the constraints C(q, t) = 0 and multipliers lambda the generalised force on a
   marker x_m of a joint is g_m = -C_m^T lambda, C_m = dC/dx_m. A rigid motion of the side that the marker
   belongs to, du + dtheta x (x - p), moves a position by du + dtheta x (x_m - p) and a vector by dtheta x x_m;
   hence, summed over the markers of one side,
       force = sum over positions of g_m,
       moment about p = sum over positions of (x_m - p) x g_m + sum over vectors of x_m x g_m,
   whatever the rows of the joint are. The other side has the opposite. */
#include "parts/marker.h"
#include "parts/place.h"
#include "parts/vec3.h"
#include "system/probe.h"

/* ---- values ------------------------------------------------------------------------------------ */

static bool has_side(const gos_item *it, int side) {
    for (int m = 0; m < it->nm; m++) {
        if (it->sides->of[m] == side) {
            return true;
        }
    }
    return false;
}

/* adds force and moment about p of one item on its first side */
static void add_item(const gos_system *s, const gos_state *x, const gos_item *it, const double p[3],
                     double force[3], double moment[3]) {
    double at[3 * GOS_ITEM_MARKERS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    const int side = has_side(it, 1) ? 1 : 2, n = 3 * it->nm; // the ground may have no marker
    gos__item_gradients(s, x, it, at, cx);
    for (int m = 0; m < it->nm; m++) {
        double g[3] = {0}, arm[3], turn[3];
        if (it->sides->of[m] != side) {
            continue;
        }
        for (int r = 0; r < 3 * it->nc; r++) {
            g[r % 3] -=
                (side == 1 ? 1 : -1) * cx[r / 3 * n + 3 * m + r % 3] * x->lam[it->c0 + r / 3];
        }
        for (int c = 0; c < 3; c++) {
            arm[c] = at[3 * m + c] - (it->sides->point[m] ? p[c] : 0);
            force[c] += it->sides->point[m] ? g[c] : 0;
        }
        gos__cross3(arm, g, turn);
        for (int c = 0; c < 3; c++) {
            moment[c] += turn[c];
        }
    }
}

/* is the item one of the joint's? At an edge there is one for each node */
static bool belongs(const gos_item *it, const gos_probe *p) {
    return it->nm > 0 && it->sides && strcmp(it->name, p->item->name) == 0;
}

/* the joint's point, of an edge the mean of its nodes */
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

/* into axes that have turned with two section vectors (markers 2, 3) from those at t = 0 */
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
    if (p->couple) { // its equation is a function minus the angle of the second side against the first
        y[0] = -x->lam[p->item->c0];
        return;
    }
    reaction(s, x, p, force, y);
    if (p->turned) {
        turn_back(x, p, y);
    }
}

/* ---- making ------------------------------------------------------------------------------------ */

/* rows x, y, z of the joint's axes at t = 0 */
static void axes_of(const gos_sides *sides, double axes[9]) {
    memset(axes, 0, 9 * sizeof *axes);
    if (gos__norm3(sides->axis) > 0) {
        memcpy(axes + 6, sides->axis, 3 * sizeof *axes);
        gos__normals3(axes + 6, axes, axes + 3);
    } else {
        axes[0] = axes[4] = axes[8] = 1;
    }
}

/* axes that turn with the first side that has some: all directions, or two vectors */
static gos_status joint_axes(gos_builder *b, const gos_sides *sides, gos_loc loc,
                             const char *object, gos_probe *p) {
    double axes[9], u[3], v[3];
    int n;
    axes_of(sides, axes);
    for (int s = 0; s < 2; s++) {
        if (gos__turning(&sides->place[s]) == GOS_TURN_FRAME) {
            for (int j = 0; j < 3; j++) {
                GOS_TRY(
                    gos__direction(b, &sides->place[s], axes + 3 * j, loc, object, &p->m[2 + j]));
            }
            p->framed = true;
            p->frame0 = 1; // its node is not asked for
            p->nm = 5;
            return GOS_OK;
        }
    }
    for (int s = 0; s < 2; s++) {
        const gos_place *at = &sides->place[s];
        const gos_turning turning = gos__turning(at);
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
                        "neither side of the joint has axes that turn with it; leave out `frame`, "
                        "or name a rigid body");
}

gos_status gos__probe_joint(gos_builder *b, const char *joint, const char *frame,
                            const gos_node *entry, const char *object, gos_probe *p) {
    char wanted[GOS_LIMIT_NAME + 16];
    snprintf(wanted, sizeof wanted, "joint '%s'", joint ? joint : "");
    p->item = joint ? gos__find_item(b, wanted) : NULL;
    if (!p->item) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "joint"), object,
                            "%s needs 'joint', the name of a joint%s", p->quantity->name,
                            p->quantity->value == gos__joint_force ? " that holds a position" : "");
    }
    const gos_node *at = gos__node_get(entry, "frame");
    const gos_loc loc = at ? at->loc : entry->key_loc;
    if (frame && strcmp(frame, "joint") == 0 && !gos__find_body(b, frame)) {
        return joint_axes(b, p->item->sides, loc, object, p);
    }
    p->nm = 1; // the joint's markers are its item's
    if (frame) {
        return gos__probe_frame(b, p, frame, loc, object);
    }
    p->couple = p->item->sides->couple && !p->scalar && p->quantity->value == gos__joint_moment;
    return GOS_OK;
}
