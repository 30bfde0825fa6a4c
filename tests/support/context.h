/* The context of a suite, made by the setup of its group. */
#ifndef GOS_TEST_CONTEXT_H
#define GOS_TEST_CONTEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/base.h"

static gos_ctx *ctx;

static inline int context_setup(void **state) {
    (void)state;
    ctx = gos_ctx_create();
    return ctx == NULL;
}

static inline int context_teardown(void **state) {
    (void)state;
    gos_ctx_destroy(ctx);
    return 0;
}

static inline int context_clear(void **state) {
    (void)state;
    gos_ctx_clear(ctx);
    return 0;
}

static inline void need(gos_status status) {
    if (status != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
}

#endif
