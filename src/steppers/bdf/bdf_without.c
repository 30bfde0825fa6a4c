/* Replaces the BDF stepper if the library is built without SUNDIALS. */
#include "solve/stepper.h"

static gos_status create(const gos_run_of *run, void **stepper) {
    GOS_UNUSED(stepper);
    return gos__fail(run->ctx, GOS_E_INPUT,
                     "analysis: integrator bdf requires SUNDIALS, but this program was built "
                     "without it; install it (Debian: libsundials-dev) and rebuild, or remove "
                     "`integrator` to use generalised-alpha");
}

static void destroy(void *stepper) {
    GOS_UNUSED(stepper);
}

const gos_stepper gos__bdf = {.layout = "bdf: none", .create = create, .destroy = destroy};
