/* In the place of the stepper by BDF where the library is built without SUNDIALS. */
#include "solve/stepper.h"

static gos_status create(const gos_run_of *run, void **stepper) {
    GOS_UNUSED(stepper);
    return gos__fail(run->ctx, GOS_E_INPUT,
                     "analysis: integrator bdf needs SUNDIALS, which this program was built "
                     "without; install it (Debian: libsundials-dev) and build anew, or leave "
                     "`integrator` out for generalised-alpha");
}

static void destroy(void *stepper) {
    GOS_UNUSED(stepper);
}

const gos_stepper gos__bdf = {.layout = "bdf: none", .create = create, .destroy = destroy};
