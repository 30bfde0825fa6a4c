/* Node-wise rotations since the factorisation: the smallest rotation between two directions of a
 * slope, or that between two frames for coordinates with two directions. Nodes of solids use
 * directions to two other nodes of an element. Multipliers of vector equations rotate with the
 * first coordinate they act on. */
#include "solve/corotation.h"

#include <math.h>

#include "math/vec3.h"
#include "system/derived.h"

#define TURN_TOLERANCE 2e-3 // [rad] smaller rotations are not updated
#define MAX_ROTATION 0.1    // [rad] relative rotation above which joint rows are not rotated

/* A row of an item couples a rotating vector coordinate, or the ground. */
#define GROUND (-1)

typedef struct pair {
    int a, b; // vector coordinates; b may be the ground
} pair;

struct gos_corotation {
    gos_ctx *ctx;
    const gos_system *sys;
    int *lead; // vector that rotates the multipliers of an item's vector equations, or -1 (nitem)
    pair *joined; // sides of rows of items that rotate separately (njoined)
    int njoined;
    double *ref;        // of the factorisation (nv, 3)
    double *updated_at; // of the last update (nv, 3)
    double *R;          // rotation of each coordinate (nv, 9)
    bool active;        // not all rotations are the identity
    double apart;       // largest relative rotation of joined pairs, approximately [rad]
    double bend;        // value of gos__corotation_bend; negative: outdated
};

/* Vector coordinate that a marker rotates with: its first one; for a floating body its origin. */
static int vector_of(const gos_system *s, const gos_marker *m) {
    return m->n == 0        ? GROUND
           : m->idx[0] >= 0 ? m->idx[0]
                            : s->derived->body[s->derived->body_of[-1 - m->idx[0]]].r;
}

/* Is the direction that from the coordinate to a position? */
static bool is_to_place(const gos_system *s, int to) {
    return s->trans[to] != 0;
}

static bool turn_alike(const gos_system *s, int a, int b) {
    const int *turn = s->turn, none = -1;
    const int ta = a == GROUND ? none : turn[2 * a], tb = b == GROUND ? none : turn[2 * b];
    return ta == tb && (ta == none || (turn[2 * a + 1] == turn[2 * b + 1] && !is_to_place(s, ta)));
}

/* Vector equations to the ground rotate with their one side; other rows have gradients of both
 * sides. */
static void join(gos_corotation *k, int item) {
    const gos_system *s = k->sys;
    const gos_item *it = s->item[item];
    k->lead[item] = -1;
    for (int m = 0; m < it->nm && it->nvec > 0 && k->lead[item] < 0; m++) {
        k->lead[item] = vector_of(s, &it->m[m]);
    }
    for (int m = 1; m < it->nm && it->nc > 0; m++) {
        const int a = vector_of(s, &it->m[0]), b = vector_of(s, &it->m[m]);
        const bool exact = it->isotropic && (a == GROUND || b == GROUND);
        const bool again = m > 1 && b == vector_of(s, &it->m[m - 1]);
        if (!exact && !again && !turn_alike(s, a, b)) {
            k->joined[k->njoined++] = a == GROUND ? (pair){b, a} : (pair){a, b};
        }
    }
}

static gos_status list_joined(gos_corotation *k) {
    const gos_system *s = k->sys;
    long most = 0;
    for (int i = 0; i < s->nitem; i++) {
        most += s->item[i]->nc > 0 ? s->item[i]->nm : 0;
    }
    k->lead = gos__alloc(k->ctx, s->nitem + 1L, sizeof *k->lead);
    k->joined = gos__alloc(k->ctx, most + 1, sizeof *k->joined);
    if (!k->lead || !k->joined) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->nitem; i++) {
        join(k, i);
    }
    return GOS_OK;
}

gos_status gos__corotation_create(gos_ctx *ctx, const gos_system *sys, gos_corotation **c) {
    gos_corotation *k = gos__zalloc(ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->ctx = ctx;
    k->sys = sys;
    k->ref = gos__zalloc(ctx, (size_t)sys->nq + 1, sizeof(double));
    k->updated_at = gos__zalloc(ctx, (size_t)sys->nq + 1, sizeof(double));
    k->R = gos__zalloc(ctx, 9 * (size_t)sys->nv + 1, sizeof(double));
    if (!k->ref || !k->updated_at || !k->R || list_joined(k) != GOS_OK) {
        gos__corotation_destroy(k);
        return GOS_E_MEMORY;
    }
    *c = k;
    return GOS_OK;
}

void gos__corotation_destroy(gos_corotation *c) {
    if (c) {
        gos__free(c->ctx, c->ref);
        gos__free(c->ctx, c->updated_at);
        gos__free(c->ctx, c->R);
        gos__free(c->ctx, c->lead);
        gos__free(c->ctx, c->joined);
        gos__free(c->ctx, c);
    }
}

void gos__corotation_set(gos_corotation *c, const double *q) {
    memcpy(c->ref, q, c->sys->nq * sizeof *q);
    memcpy(c->updated_at, q, c->sys->nq * sizeof *q);
    c->active = false;
    c->bend = c->apart = 0;
}

static void unit(const double a[3], double u[3]) {
    const double n = gos__norm3(a);
    for (int i = 0; i < 3; i++) {
        u[i] = n > 0 ? a[i] / n : 0;
    }
}

static void smallest_rotation(const double a[3], const double b[3], double R[9]) {
    double u[3], v[3], w[3], S[9], S2[9];
    unit(a, u);
    unit(b, v);
    gos__cross3(u, v, w);
    const double c = gos__dot3(u, v), f = c > -0.99 ? 1 / (1 + c) : 0; // none near a half turn
    gos__skew3(w, S);
    gos__mul33(S, S, S2);
    for (int i = 0; i < 9; i++) {
        R[i] = (i % 4 == 0) + (f > 0 ? S[i] + f * S2[i] : 0);
    }
}

/* Orthonormal frame of two directions, by rows. */
static void frame_of(const double a[3], const double b[3], double F[9]) {
    double n[3];
    unit(a, F);
    gos__cross3(F, b, n);
    unit(n, F + 6);
    gos__cross3(F + 6, F, F + 3);
}

static void direction_of(const gos_system *s, const double *q, int i, int to, double d[3]) {
    const bool place = is_to_place(s, to);
    for (int k = 0; k < 3; k++) {
        d[k] = q[3 * to + k] - (place ? q[3 * i + k] : 0);
    }
}

static void rotation_of(const gos_corotation *c, const double *q, int i0, double R[9]) {
    const gos_system *s = c->sys;
    const int first = s->turn[2 * i0], second = s->turn[2 * i0 + 1];
    double before[2][3], now[2][3];
    direction_of(s, c->ref, i0, first, before[0]);
    direction_of(s, q, i0, first, now[0]);
    if (second < 0) {
        smallest_rotation(before[0], now[0], R);
        return;
    }
    direction_of(s, c->ref, i0, second, before[1]);
    direction_of(s, q, i0, second, now[1]);
    double F0[9], F1[9];
    frame_of(before[0], before[1], F0);
    frame_of(now[0], now[1], F1);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R[3 * i + j] = F1[i] * F0[j] + F1[3 + i] * F0[3 + j] + F1[6 + i] * F0[6 + j];
        }
    }
}

static void common_direction(const gos_system *s, const double *q, double d[3]) {
    d[0] = d[1] = d[2] = 0;
    for (int i = 0; i < s->nv; i++) {
        for (int c = 0; c < 3; c++) {
            d[c] += s->turn_w[i] * q[3 * i + c];
        }
    }
}

static void stay(double R[9]) {
    for (int k = 0; k < 9; k++) {
        R[k] = k % 4 == 0;
    }
}

/* (2 sin(angle/2))^2 of the angle between two rotations; NULL: identity. */
static double between(const double *R, const double *S) {
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        const double d = R[k] - (S ? S[k] : k % 4 == 0);
        sum += d * d;
    }
    return 0.5 * sum; // small rotations: norm = sqrt(2) angle
}

static double apart_of(const gos_corotation *c) {
    double most = 0;
    for (int i = 0; i < c->njoined; i++) {
        const pair *p = &c->joined[i];
        most = fmax(most, between(c->R + 9L * p->a, p->b == GROUND ? NULL : c->R + 9L * p->b));
    }
    return sqrt(most);
}

/* fields rotate together, floating bodies with their frames */
static void update_common(gos_corotation *c, const double *q) {
    const gos_system *s = c->sys;
    double a[3], b[3], R[9];
    common_direction(s, c->ref, a);
    common_direction(s, q, b);
    smallest_rotation(a, b, R);
    for (int i = 0; i < s->nv; i++) {
        if (gos__derived_single(s, i)) {
            stay(c->R + 9 * i);
        } else if (s->turn[2 * i] >= 0) {
            rotation_of(c, q, i, c->R + 9 * i);
        } else {
            memcpy(c->R + 9 * i, R, sizeof R);
        }
    }
    c->active = true;
    if (s->derived) {
        c->bend = -1;
        c->apart = apart_of(c);
    }
}

/* Has any direction rotated by more than the tolerance since the last update? */
static bool has_turned(const gos_corotation *c, const double *q) {
    const gos_system *s = c->sys;
    for (int i = 0; i < 2 * s->nv; i++) {
        const int to = s->turn[i];
        if (to == i / 2 || (to >= 0 && is_to_place(s, to))) { // check shared directions once
            double a[3], b[3], d[3];
            direction_of(s, q, i / 2, to, a);
            direction_of(s, c->updated_at, i / 2, to, b);
            gos__sub3(a, b, d);
            if (gos__dot3(d, d) > TURN_TOLERANCE * TURN_TOLERANCE * gos__dot3(b, b)) {
                return true;
            }
        }
    }
    return false;
}

static void turn_to(gos_corotation *c, const double *q) {
    const gos_system *s = c->sys;
    int last = -2;
    memcpy(c->updated_at, q, s->nq * sizeof *q);
    c->active = true;
    c->bend = -1;
    for (int i = 0; i < s->nv; i++) {
        double *R = c->R + 9 * i;
        const int first = s->turn[2 * i];
        if (first >= 0 && first == last && !is_to_place(s, first)) { // neighbours often share it
            memcpy(R, R - 9, 9 * sizeof *R);
        } else if (first >= 0) {
            rotation_of(c, q, i, R);
        } else {
            stay(R);
        }
        last = first;
    }
    c->apart = apart_of(c);
}

bool gos__corotation_far(const gos_corotation *c) {
    return c->apart > MAX_ROTATION;
}

void gos__corotation_turn(gos_corotation *c, const double *q) {
    if (c->sys->turn_w) {
        update_common(c, q);
    } else {
        turn_to(c, q);
    }
}

void gos__corotation_update(gos_corotation *c, const double *q) {
    if (c->sys->turn_w || has_turned(c, q)) {
        gos__corotation_turn(c, q);
    }
}

const double *gos__corotation_updated_at(const gos_corotation *c) {
    return c->active ? c->updated_at : NULL;
}

void gos__corotation_restore(gos_corotation *c, const double *ref, const double *updated_at) {
    gos__corotation_set(c, ref);
    if (updated_at && !c->sys->turn_w) { // common rotations are recomputed in each step
        turn_to(c, updated_at);
    }
}

static double bend_of(const gos_corotation *c) {
    double most = 0;
    for (int i = 1; i < c->sys->nv; i++) {
        most = fmax(most, between(c->R + 9L * i, c->R + 9L * (i - 1)));
    }
    return sqrt(most);
}

double gos__corotation_bend(gos_corotation *c) {
    if (c->bend < 0) {
        c->bend = bend_of(c);
    }
    return c->bend;
}

static inline void turn_vector(const double R[9], double *x, bool back) {
    const double a = x[0], b = x[1], c = x[2];
    const int row = back ? 1 : 3, col = back ? 3 : 1;
    for (int i = 0; i < 3; i++) {
        x[i] = R[row * i] * a + R[row * i + col] * b + R[row * i + 2 * col] * c;
    }
}

static inline void turn_coordinates(const gos_corotation *c, double *q, bool back) {
    for (int i = 0; i < c->sys->nv && c->active; i++) {
        turn_vector(c->R + 9 * i, q + 3 * i, back);
    }
}

static inline void turn_all(const gos_corotation *c, double *r, bool back) {
    const gos_system *s = c->sys;
    turn_coordinates(c, r, back);
    for (int k = 0; k < s->nitem && c->active; k++) {
        const gos_item *it = s->item[k];
        for (int row = 0; row < 3 * it->nvec && c->lead[k] >= 0; row += 3) {
            turn_vector(c->R + 9 * c->lead[k], r + s->at.lam + it->c0 + row, back);
        }
    }
}

void gos__corotation_back(const gos_corotation *c, double *r) {
    turn_all(c, r, true);
}

void gos__corotation_forth(const gos_corotation *c, double *r) {
    turn_all(c, r, false);
}

void gos__corotation_coordinates_back(const gos_corotation *c, double *q) {
    turn_coordinates(c, q, true);
}

void gos__corotation_coordinates_forth(const gos_corotation *c, double *q) {
    turn_coordinates(c, q, false);
}
