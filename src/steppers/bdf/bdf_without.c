/* Replaces BDF if the library is built without SUNDIALS. */
#include "solve/integrator.h"

static gos_status check(void *method) {
    return gos__fail(((gos_integrator *)method)->ctx, GOS_E_INPUT,
                     "analysis: integrator bdf requires SUNDIALS, but this program was built "
                     "without it; install it (Debian: libsundials-dev) and rebuild, or remove "
                     "`integrator` to use generalised-alpha");
}

static void release(void *method) {
    GOS_UNUSED(method);
}

const gos_stepper gos__integrator_bdf = {.is = {.keys = "max_order", .order = 5, .restarts = true},
                                         .layout = "bdf: none",
                                         .size = sizeof(gos_integrator),
                                         .check = check,
                                         .release = release};
