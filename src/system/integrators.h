/* Registry of integrators. A new one is a file in steppers/ with its table, gos__integrator_NAME
 * (solve/stepper.h), and a line here, behind the others. */
#ifndef GOS_INTEGRATORS_H
#define GOS_INTEGRATORS_H

#include <stdbool.h>

/* name and reference text, in the order of gos_integration */
#define GOS_INTEGRATORS(X)                                                                         \
    X(generalised_alpha, "of order 2, with numerical damping of fast vibration")                   \
    X(bdf, "backward differences of orders 1 to 5 for the stabilised index-2 form, by SUNDIALS: "  \
           "for small tolerances and smooth motion, but it numerically damps undamped vibration")  \
    X(radau, "Radau IIA of order 5: for small tolerances and smooth motion, especially of "        \
             "mechanisms")

/* What a method supports; begins its table. */
typedef struct gos_method {
    const char *keys;  // those keys of `analysis` that not all methods have, "step max_order"
    int order;         // of its error
    bool heat_rates;   // requires temperature rates: not for `heat: steady`
    bool quasi_static; // also integrates motion without inertia
    bool restarts;     // continued runs restart: reproducible, with other digits
} gos_method;

/** Method of a gos_integration; the first one if out of range. */
const gos_method *gos__method(int integrator);
const char *gos__integrator_name(int integrator);
/** Does the method support this key of `analysis`? */
bool gos__method_has(const gos_method *m, const char *key);
/** First integrator that supports this key; -1: none, so the key is common to all or of another
 * kind. */
int gos__integrator_with(const char *key);
/** First integrator of motion without inertia. */
int gos__integrator_quasi_static(void);

#endif
