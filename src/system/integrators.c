/* See integrators.h. */
#include "system/integrators.h"

#include "base/base.h"
#include "gossamer/sim.h"
#include "system/system.h"

#define X(name, doc) extern const gos_stepper gos__integrator_##name;
GOS_INTEGRATORS(X)
#undef X

#define X(name, doc) &gos__integrator_##name,
static const gos_stepper *const method[] = {GOS_INTEGRATORS(X)};
#undef X
#define X(name, doc) #name,
static const char *const word[] = {GOS_INTEGRATORS(X)};
#undef X

#define X(name, doc) INDEX_##name,
enum { GOS_INTEGRATORS(X) };
#undef X
_Static_assert(INDEX_generalised_alpha == (int)GOS_GENERALISED_ALPHA && INDEX_bdf == (int)GOS_BDF &&
                   INDEX_radau == (int)GOS_RADAU,
               "the order of gos_integration");
_Static_assert(GOS_COUNT(method) == (int)GOS_INTEGRATOR_AUTO, "auto is behind all others");

const gos_stepper *gos__stepper(int integrator) {
    return method[integrator >= 0 && integrator < GOS_COUNT(method) ? integrator : 0];
}

const gos_method *gos__method(int integrator) {
    return (const gos_method *)gos__stepper(integrator);
}

const char *gos__integrator_name(int integrator) {
    return word[integrator >= 0 && integrator < GOS_COUNT(word) ? integrator : 0];
}

bool gos__method_has(const gos_method *m, const char *key) {
    const size_t n = strlen(key);
    for (const char *s = m->keys; *s != '\0'; s += strcspn(s, " "), s += *s == ' ') {
        if (strncmp(s, key, n) == 0 && (s[n] == '\0' || s[n] == ' ')) {
            return true;
        }
    }
    return false;
}

int gos__integrator_with(const char *key) {
    for (int i = 0; i < GOS_COUNT(method); i++) {
        if (gos__method_has(gos__method(i), key)) {
            return i;
        }
    }
    return -1;
}

int gos__integrator_quasi_static(void) {
    int i = 0;
    while (i + 1 < GOS_COUNT(method) && !gos__method(i)->quasi_static) {
        i++;
    }
    return i;
}
