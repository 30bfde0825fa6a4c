#include <stdarg.h>

#include "deck/body_deck.h"

gos_status gos__mesh_deck_put(gos_mesh_deck_text *t, const char *fmt, ...) {
    char part[400];
    va_list args;
    va_start(args, fmt);
    const int n = gos__vformat(part, sizeof part, fmt, args);
    va_end(args);
    GOS_TRY(gos__grow(t->ctx, (void **)&t->text, &t->cap, t->n + n + 1, 1));
    memcpy(t->text + t->n, part, (size_t)n + 1);
    t->n += n;
    return GOS_OK;
}

gos_status gos__mesh_deck_put_magnitude(gos_mesh_deck_text *t, double factor,
                                        const gos_deck_amplitude *a, double shift) {
    if (!a || a->n == 1) {
        return gos__mesh_deck_put(t, "%.17g", factor * (a ? a->v[0] : 1) - shift);
    }
    GOS_TRY(gos__mesh_deck_put(t, "{points: ["));
    for (int i = 0; i < a->n; i++) {
        GOS_TRY(gos__mesh_deck_put(t, "%s[%.17g, %.17g]", i > 0 ? ", " : "", a->t[i],
                                   factor * a->v[i] - shift));
    }
    return gos__mesh_deck_put(t, "]}");
}

gos_status gos__mesh_deck_put_function(gos_mesh_deck_text *t, const char *key, double factor,
                                       const gos_deck_amplitude *a, double shift) {
    GOS_TRY(gos__mesh_deck_put(t, ", %s: ", key));
    return gos__mesh_deck_put_magnitude(t, factor, a, shift);
}

gos_status gos__mesh_deck_put_vector(gos_mesh_deck_text *t, const char *key, double factor,
                                     const double v[3], const gos_deck_amplitude *a) {
    GOS_TRY(gos__mesh_deck_put(t, ", %s: [", key));
    for (int c = 0; c < 3; c++) {
        GOS_TRY(gos__mesh_deck_put(t, "%s", c > 0 ? ", " : ""));
        GOS_TRY(gos__mesh_deck_put_magnitude(t, factor * v[c], a, 0));
    }
    return gos__mesh_deck_put(t, "]");
}
