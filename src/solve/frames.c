/* Section directions d2 = v x t / |v x t| (theory guide, "Section frame") lose their meaning as the tangent t comes to lie along the
   reference vector v: they spin about t, ever faster the closer it passes, and temperature gradients,
   damping and unlike second moments spin along. */
#include "solve/frames.h"

#include <math.h>

#include "bodies/cable_law.h"
#include "parts/marker.h"
#include "parts/vec3.h"

// sine of the angle between them, 10 degrees: there the section turns six times as fast as t
#define CLOSE 0.17

static bool by_reference(const gos_body *b) {
    return b->law == &gos__cable_framed || b->law == &gos__cable_carried;
}

static void say(gos_ctx *ctx, const gos_body *b, double time, double sine) {
    char object[GOS_LIMIT_NAME + 16];
    (void)gos__format(object, sizeof object, "body '%s'", b->name);
    gos__warn(ctx, b->loc, object,
              "its section directions come close to singular at t = %.6g s: the tangent is within "
              "%.2g degrees of the reference vector (normal), where they spin about it, with "
              "temperature gradients and damping; give 'frame: transported', or a normal that "
              "stays across it",
              time, asin(fmin(sine, 1)) * 180 / M_PI);
}

/* sine of the angle between two vectors */
static double sine_between(const double t[3], const double v[3]) {
    double x[3];
    gos__cross3(t, v, x);
    return gos__norm3(x) / (gos__norm3(t) * gos__norm3(v));
}

void gos__frames_watch(gos_ctx *ctx, const gos_system *s, const gos_state *x) {
    for (int i = 0; i < s->nbody && !s->reduced; i++) {
        const gos_body *b = s->body[i];
        double v[3];
        if (!by_reference(b)) {
            continue;
        }
        memcpy(v, b->ref, sizeof v);
        if (b->carrier) {
            gos__marker_value(b->carrier, x->q, v);
        }
        const double v2 = gos__dot3(v, v), h2 = x->h > 0 ? x->h * x->h : 0;
        for (int k = 0; k < b->nnode; k++) {
            const double *t = x->q + 3 * b->node_slope[k], *td = x->v + 3 * b->node_slope[k];
            const double along = gos__dot3(t, v), t2 = gos__dot3(t, t);
            // what the tangent turns in a step: so far it may have been on the other side
            const double close2 = fmax(CLOSE * CLOSE * t2, h2 * gos__dot3(td, td));
            if (along * along > (t2 - close2) * v2) {
                say(ctx, b, x->t, sine_between(t, v));
                break;
            }
        }
    }
}

void gos__frames_watch_nodes(gos_ctx *ctx, const gos_system *s, double time,
                             const double *position) {
    const gos_system *full = s->full ? s->full : s;
    for (int i = 0; i < full->nbody; i++) {
        const int node = full->body_first_node[i];
        const gos_body *b = full->body[i];
        for (int k = 0; k + 1 < b->nnode && by_reference(b) && !b->carrier; k++) {
            double t[3];
            gos__sub3(position + 3 * (node + k + 1), position + 3 * (node + k), t);
            const double sine = sine_between(t, b->ref);
            if (sine < CLOSE) {
                say(ctx, b, time, sine);
                break;
            }
        }
    }
}
