/* Method response_modes (Heckmann, Arnold, Vaculin, Multibody System Dynamics 13 (2005), 3.1.2):
   slowest temperature fields a_i and their static deformations, K b_i = -G a_i: exact in the
   static limit, where displacement modes converge slowly. Models with one field use modes. */
#include <cblas.h>

#include "linear/response_modes.h"
#include "linear_reduction/energy.h"
#include "linear_reduction/modal.h"

/* *native (nq, found): displacement modes in a separate space; the caller frees it */
static gos_status find_native(gos_reduce_task *t, gos_space *native) {
    gos_space own = t->out->V;
    gos__space_init(t->ctx, own.start, NULL, native);
    t->out->V = *native;
    const gos_status status =
        t->opt->modes > 0 ? gos__add_displacement_modes(t, t->opt->modes) : GOS_OK;
    *native = t->out->V;
    t->out->V = own;
    return status;
}

/* deformations, then displacement modes; dependent columns are dropped */
static gos_status add_columns(gos_reduce_task *t, int responses, const gos_space *native) {
    static const char *const what[] = {"response mode", "displacement mode"};
    const size_t nq = (size_t)t->full->nq;
    const int modes = native->count[GOS_FIELD_Q], n = responses + modes;
    double *X = gos__zalloc(t->ctx, (size_t)n * nq + 1, sizeof *X);
    double *left = gos__zalloc(t->ctx, (size_t)n + 1, sizeof *left);
    gos_status status = X && left ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && responses > 0) {
        status =
            gos__linear_response_modes(t->ctx, t->full, responses, t->out->V.v[GOS_FIELD_T], X);
    }
    if (status == GOS_OK && modes > 0) {
        memcpy(X + (size_t)responses * nq, native->v[GOS_FIELD_Q], (size_t)modes * nq * sizeof *X);
    }
    status = status == GOS_OK
                 ? gos__energy_independent(t->ctx, t->full, n, responses, what, X, left)
                 : status;
    for (int j = 0; j < n && status == GOS_OK; j++) {
        double *x = X + (size_t)j * nq;
        status = left[j] > 0
                     ? gos__space_add(&t->out->V, GOS_FIELD_Q, x, cblas_dnrm2((int)nq, x, 1))
                     : GOS_OK;
    }
    gos__free(t->ctx, X);
    gos__free(t->ctx, left);
    return status;
}

static int responses_of(const gos_reduce_task *t) {
    const int fields = t->out->V.count[GOS_FIELD_T], requested = t->opt->responses;
    return requested < 0 ? 0 : requested == 0 || requested > fields ? fields : requested;
}

static gos_status response_modes(gos_reduce_task *t) {
    const gos_linear *l = t->full;
    if (l->nq == 0 || l->nt == 0) { // only one field
        return gos__add_modes(t, t->order);
    }
    GOS_TRY(gos__add_temperature_modes(t, t->order));
    gos_space native;
    gos_status status = find_native(t, &native);
    status = status == GOS_OK ? add_columns(t, t->opt->quasi_static ? 0 : responses_of(t), &native)
                              : status;
    gos__space_free(&native);
    return status;
}

static gos_status make_dependent(gos_reduce_task *t) {
    const bool both = t->full->nq > 0 && t->full->nt > 0;
    return t->opt->quasi_static && both ? gos__reduce_dependent(t, responses_of(t)) : GOS_OK;
}

static const gos_param params[] = {
    GOS_ROW_ORDER(0, 0),
    GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0),
    {.name = "responses",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = -1,
     .hi = 100000,
     .def = "0",
     .offset = offsetof(gos_linear_def, responses),
     .doc = "number of temperature fields, the slowest first, with their static deformation; 0: "
            "all, -1: none"},
    GOS_ROW_COUNT(0, 0, modes, "additional lowest displacement modes"),
    {.name = "response",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "dynamic",
     .choices = "dynamic=0|quasi_static=1",
     .offset = offsetof(gos_linear_def, response),
     .doc =
         "quasi_static: deformations follow the temperatures without delay and have no "
         "coordinates of their own, which neglects their inertia; dynamic: they are coordinates"},
    {0}};

static const gos_reduce_method method = {
    .inputless = true,
    .reduce = response_modes,
    .complete = make_dependent,
};

const gos_type gos__reduction_response_modes = GOS_LINEAR_METHOD(
    "response_modes", "slowest temperature fields and the static deformation under each",
    ", order: 7", params, &method);
