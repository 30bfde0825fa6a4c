/* Method response_modes (Heckmann, Arnold, Vaculin, Multibody System Dynamics 13 (2005), 3.1.2): the slowest temperature
   fields a_i, and to each the deformation in which the structure comes to rest under it, K b_i = -G a_i. In the static limit
   the reduced model then has the displacements of its temperatures exactly, which modes of motion approach slowly: heat
   excites high ones of them. Of a model with one of the fields alone it takes the modes. */
#include <cblas.h>

#include "linear/response_modes.h"
#include "linear_reduction/modal.h"

static gos_status add_responses(gos_reduce_task *t, int count) {
    const int nq = t->full->nq;
    double *b = gos__zalloc(t->ctx, (size_t)count * (size_t)nq + 1, sizeof *b);
    gos_status status =
        b ? gos__linear_response_modes(t->ctx, t->full, count, t->out->V.v[GOS_FIELD_T], b)
          : GOS_E_MEMORY;
    for (int i = 0; i < count && status == GOS_OK; i++) {
        double *x = b + (size_t)i * (size_t)nq;
        const double size = cblas_dnrm2(nq, x, 1);
        status = size > 0 ? gos__space_add(&t->out->V, GOS_FIELD_Q, x, size) : GOS_OK;
    }
    gos__free(t->ctx, b);
    return status;
}

static gos_status response_modes(gos_reduce_task *t) {
    const gos_linear *l = t->full;
    if (l->nphi > 0) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "response modes say nothing about electric potentials; use method krylov");
    }
    if (l->nq == 0 || l->nt == 0) { // nothing responds to anything: one of the fields alone
        return gos__add_modes(t, t->order);
    }
    GOS_TRY(gos__add_temperature_modes(t, t->order));
    const int fields = t->out->V.count[GOS_FIELD_T], asked = t->opt->responses;
    const int responses = asked < 0 ? 0 : asked == 0 || asked > fields ? fields : asked;
    GOS_TRY(responses > 0 ? add_responses(t, responses) : GOS_OK);
    return t->opt->modes > 0 ? gos__add_displacement_modes(t, t->opt->modes) : GOS_OK;
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
     .doc = "so many of the temperature fields, the slowest, get their deformation; 0: all, -1: "
            "none"},
    GOS_ROW_COUNT(0, 0, modes, "so many lowest modes of motion beside them"),
    {0}};

static const gos_reduce_method method = {
    .inputless = true,
    .reduce = response_modes,
};

const gos_type gos__reduction_response_modes = GOS_LINEAR_METHOD(
    "response_modes",
    "slowest temperature fields, and the deformation in which the structure rests under each",
    ", order: 7", params, &method);
