/* All reduction methods. A new one is one file and one line here. */
#include "linear_reduction/reduce.h"

#define METHODS(X)                                                                                 \
    X(auto)                                                                                        \
    X(krylov)                                                                                      \
    X(irka)                                                                                        \
    X(irka_second)                                                                                 \
    X(balanced)                                                                                    \
    X(balanced_second)                                                                             \
    X(modes)                                                                                       \
    X(modes_static)                                                                                \
    X(complex_modes)                                                                               \
    X(craig_bampton)                                                                               \
    X(free_interface)                                                                              \
    X(static_vectors)                                                                              \
    X(frequency_vectors)                                                                           \
    X(pod)

#define X(name) extern const gos_reduce_method gos__method_##name;
METHODS(X)
#undef X

#define X(name) &gos__method_##name,
const gos_reduce_method *const gos__reduce_methods[] = {METHODS(X) NULL};
#undef X

const char *gos_linear_method(int i, const char **doc) {
    const int n = GOS_COUNT(gos__reduce_methods) - 1;
    const gos_reduce_method *m = i >= 0 && i < n ? gos__reduce_methods[i] : NULL;
    if (doc) {
        *doc = m ? m->doc : NULL;
    }
    return m ? m->name : NULL;
}
