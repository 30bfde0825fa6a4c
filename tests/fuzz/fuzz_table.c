/* Any bytes as a CSV table: a table with finite values, or an error with a message. The first byte
 * chooses the column and the interpolation. */
#include "model/private.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

static void check(const gos_table *t) {
    require(t->n >= 2);
    for (int i = 0; i < t->n; i++) {
        require(isfinite(t->x[i]) && isfinite(t->y[i]));
        require(i == 0 || t->x[i] > t->x[i - 1]);
        double d1, d2;
        gos__table_eval(t, t->x[i], i % 2 == 0, &d1, &d2);
    }
    gos__table_eval(t, HUGE_VAL, false, NULL, NULL);
    gos__table_eval(t, (double)NAN, false, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const columns[] = {"2", "1", "3", "value"};
    if (size == 0) {
        return 0;
    }
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_model_create(ctx, &m);
    gos_arena *a = gos__arena_create(ctx);
    const gos_table_def def = {
        .file = "fuzz", .column = columns[data[0] & 3], .cubic = (data[0] & 4) != 0, .scale = 1.0};
    char *text = gos__zalloc(ctx, size, 1); // without the first byte, with a 0 at the end
    memcpy(text, data + 1, size - 1);
    gos_table *table = NULL;
    if (gos__table_parse(m, text, size - 1, "fuzz", &def, NULL, a, &table) == GOS_OK) {
        check(table);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos__free(ctx, text);
    gos__arena_destroy(a);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
    return 0;
}
