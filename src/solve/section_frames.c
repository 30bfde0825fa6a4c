/* Section directions d2 = v x t / |v x t| (theory guide, "Section frame") are singular where the
 * tangent t is parallel to the reference vector v: they spin about t, with temperature gradients,
 * damping and unequal second moments. A cable with a curved stress-free axis requires sections
 * that rotate with it, i.e. a constant angle between v and t; otherwise strains are wrong by the
 * initial curvature times the change of angle. */
#include "solve/section_frames.h"

#include <math.h>

#include "line/cable_law.h"
#include "math/vec3.h"

// sine of that angle, 10 degrees: the section rotates six times as fast as t
#define MIN_SINE 0.17

static bool by_reference(const gos_body *b) {
    return b->law == &gos__cable_framed || b->law == &gos__cable_carried ||
           b->law == &gos__cable_framed_own || b->law == &gos__cable_carried_own;
}

static void warn_direction(gos_ctx *ctx, const gos_body *b, double time, double sine) {
    char object[GOS_LIMIT_NAME + 16];
    (void)gos__format(object, sizeof object, "body '%s'", b->name);
    gos__warn(ctx, b->loc, object,
              "its section directions are nearly singular at t = %.6g s: the tangent is within "
              "%.2g degrees of the reference vector (normal), and there the section, with its "
              "temperature gradients and damping, spins about the tangent; use 'frame: "
              "transported', or a normal that stays perpendicular to the cable",
              time, asin(fmin(sine, 1)) * 180 / M_PI);
}

// change of the cosine of the angle between v and t, 1 degree from perpendicular: strain error of
// 2 % of the curvature
#define LEFT 0.02

static bool has_sections(const gos_body *b) {
    return b->law == &gos__cable_framed_own || b->law == &gos__cable_carried_own;
}

static bool curved(const gos_system *s, const gos_body *b) {
    for (int k = 1; k < b->nnode && has_sections(b); k++) {
        const double *t = s->e0 + 3 * b->node_slope[k];
        if (gos__dot3(t, s->e0 + 3 * b->node_slope[0]) < 1 - 1e-12) {
            return true;
        }
    }
    return false;
}

static double cosine_between(const double t[3], const double v[3]) {
    return gos__dot3(t, v) / (gos__norm3(t) * gos__norm3(v));
}

static void warn_left(gos_ctx *ctx, const gos_body *b, double time) {
    char object[GOS_LIMIT_NAME + 16];
    (void)gos__format(object, sizeof object, "body '%s'", b->name);
    gos__warn(ctx, b->loc, object,
              "a curved cable leaves the plane perpendicular to its reference vector (normal) at t "
              "= %.6g s; it has no twist, so its bending is correct in that plane only: use an "
              "ancf_beam, or set carried_by to the body that it rotates with",
              time);
}

/* Has the tangent changed its angle to the reference vector? */
static void check_curved(gos_ctx *ctx, const gos_system *s, const gos_state *x, const gos_body *b,
                         const double v[3]) {
    for (int k = 0; k < b->nnode; k++) {
        const int slope = b->node_slope[k];
        const double begin = cosine_between(s->e0 + 3 * slope, b->v_ref);
        if (fabs(cosine_between(x->q + 3 * slope, v) - begin) > LEFT) {
            warn_left(ctx, b, x->t);
            return;
        }
    }
}

static double sine_between(const double t[3], const double v[3]) {
    double x[3];
    gos__cross3(t, v, x);
    return gos__norm3(x) / (gos__norm3(t) * gos__norm3(v));
}

void gos__section_frames_check(gos_ctx *ctx, const gos_system *s, const gos_state *x) {
    for (int i = 0; i < s->nbody && !s->reduced; i++) {
        const gos_body *b = s->body[i];
        double v[3];
        if (!by_reference(b)) {
            continue;
        }
        memcpy(v, b->v_ref, sizeof v);
        if (b->carrier) {
            gos__marker_value(b->carrier, x->q, v);
        }
        if (curved(s, b)) {
            check_curved(ctx, s, x, b, v);
        }
        const double v2 = gos__dot3(v, v), h2 = x->h > 0 ? x->h * x->h : 0;
        for (int k = 0; k < b->nnode; k++) {
            const double *t = x->q + 3 * b->node_slope[k], *td = x->v + 3 * b->node_slope[k];
            const double along = gos__dot3(t, v), t2 = gos__dot3(t, t);
            // rotation of the tangent in a step: it may have passed the reference vector
            const double close2 = fmax(MIN_SINE * MIN_SINE * t2, h2 * gos__dot3(td, td));
            if (along * along > (t2 - close2) * v2) {
                warn_direction(ctx, b, x->t, sine_between(t, v));
                break;
            }
        }
    }
}

void gos__section_frames_check_nodes(gos_ctx *ctx, const gos_system *s, double time,
                                     const double *position) {
    const gos_system *full = s->full ? s->full : s;
    for (int i = 0; i < full->nbody; i++) {
        const int node = full->body_first_node[i];
        const gos_body *b = full->body[i];
        const bool bent = curved(full, b);
        for (int k = 0; k + 1 < b->nnode && by_reference(b) && !b->carrier; k++) {
            double t[3];
            gos__sub3(position + 3 * (node + k + 1), position + 3 * (node + k), t);
            const double sine = sine_between(t, b->v_ref);
            if (sine < MIN_SINE) {
                warn_direction(ctx, b, time, sine);
                break;
            }
            const double begin = cosine_between(full->e0 + 3 * b->node_slope[k], b->v_ref);
            if (bent && fabs(cosine_between(t, b->v_ref) - begin) > LEFT) {
                warn_left(ctx, b, time);
                break;
            }
        }
    }
}

void gos__frames_linear(gos_ctx *ctx, const gos_system *s) {
    const gos_system *full = s->full ? s->full : s;
    for (int i = 0; i < full->nbody; i++) {
        const gos_body *b = full->body[i];
        if (curved(full, b)) {
            char object[GOS_LIMIT_NAME + 16];
            (void)gos__format(object, sizeof object, "body '%s'", b->name);
            gos__warn(ctx, b->loc, object,
                      "a curved cable has no twist: modes and responses in the plane perpendicular "
                      "to its reference vector (normal) are correct, those out of it are not; use "
                      "an ancf_beam where they matter");
        }
    }
}
