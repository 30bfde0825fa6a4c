/* Any bytes as modes of a test: shapes with finite values and names, or an error with a message. */
#include "correlation/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

static void check(const gos_shapes *s) {
    require(s->modes > 0 && s->sensors > 0);
    for (int i = 0; i < s->sensors; i++) {
        require(s->sensor[i] && s->sensor[i][0] != '\0');
    }
    for (size_t i = 0; i < 2 * (size_t)s->modes * s->sensors; i++) {
        require(isfinite(s->shape[i]));
    }
    for (int k = 0; k < s->modes; k++) {
        require(s->frequency[k] >= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    char *text = gos__zalloc(ctx, size + 1, 1);
    memcpy(text, data, size);
    gos_shapes s = {0};
    const gos_status status = gos__universal_is(text)
                                  ? gos__universal_read(ctx, "fuzz", text, &s)
                                  : gos__shapes_table_read(ctx, "fuzz", text, &s);
    if (status == GOS_OK) {
        check(&s);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos_shapes_free(&s);
    gos__free(ctx, text);
    gos_ctx_destroy(ctx);
    return 0;
}
