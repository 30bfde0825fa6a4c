/* Methods modes and modes_static. */
#include "linear_reduction/modal.h"

static gos_status modes(gos_reduce_task *t) {
    return gos__add_modes(t, t->order);
}

static const gos_param modes_params[] = {GOS_ROW_ORDER(0, 0),
                                         GOS_ROW_BAND(0, 0),
                                         GOS_ROW_TOLERANCE(0),
                                         GOS_ROW_MODE_RANKING,
                                         GOS_ROW_MODE_CANDIDATES,
                                         GOS_ROW_CORRECTION(0, 0),
                                         {0}};

static const gos_reduce_method modes_method = {
    .inputless = true,
    .reduce = modes,
};

const gos_type gos__reduction_modes =
    GOS_LINEAR_METHOD("modes", "normal modes, ranked, and slowest temperature fields",
                      ", order: 6, ranking: gain", modes_params, &modes_method);

/* modes, leaving room for one static vector per input */
static gos_status modes_static(gos_reduce_task *t) {
    gos_reduce_pencil *p = t->pencil;
    if (t->order < p->nu) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "order %d is too low for one static vector for each of %d inputs; it "
                         "must be at least their number (plus one for each rigid-body mode)",
                         t->order, p->nu);
    }
    int blocks;
    gos_point point;
    GOS_TRY(gos__reduce_own_point(t, &point)); // first, since the modes reuse its factorisation
    if (t->order > p->nu) {
        GOS_TRY(gos__add_modes(t, t->order - p->nu));
    }
    GOS_TRY(gos__krylov_vectors(p, point.re, false, p->nu, &t->out->V, &blocks));
    const bool same = p->symmetric && gos__reduce_collocated(p);
    // odd moments vanish without damping at s = 0
    const int per = p->A[1].nnz == 0 && point.re == 0 ? 2 : 1;
    return gos__reduce_points(t->out, 1, &point, per * (same ? 2 : 1) * blocks);
}

static const gos_param modes_static_params[] = {GOS_ROW_ORDER(0, 0),
                                                GOS_ROW_BAND(0, 0),
                                                GOS_ROW_TOLERANCE(0),
                                                GOS_ROW_MODE_RANKING,
                                                GOS_ROW_MODE_CANDIDATES,
                                                GOS_ROW_CORRECTION(0, 0),
                                                {0}};

static const gos_reduce_method modes_static_method = {
    .reduce = modes_static,
};

const gos_type gos__reduction_modes_static =
    GOS_LINEAR_METHOD("modes_static",
                      "normal modes, ranked, and the static response to each input: exact H(0) "
                      "or, with rigid-body modes, exact H at one point of the band",
                      ", order: 6, band: [1, 100]", modes_static_params, &modes_static_method);
