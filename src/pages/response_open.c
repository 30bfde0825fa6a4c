/* Access to stored frequency responses. */
#include <math.h>

#include "pages/response.h"

gos_status gos_response_read(gos_ctx *ctx, const char *path, gos_response **response) {
    gos_arena *a = gos__arena_create(ctx);
    gos_response *r = a ? GOS_NEW(a, gos_response, 1) : NULL;
    gos_status status = r ? gos__response_read(ctx, path, a, r) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        r->arena = a;
        r->path = gos__arena_strdup(a, path);
        status = r->path ? GOS_OK : GOS_E_MEMORY;
    }
    if (status != GOS_OK) {
        gos__arena_destroy(a);
        return status;
    }
    *response = r;
    return GOS_OK;
}

void gos_response_info_get(const gos_response *r, gos_response_info *info) {
    *info = (gos_response_info){
        .frequencies = r->n, .inputs = r->nu, .outputs = r->ny, .low = HUGE_VAL, .high = -HUGE_VAL};
    for (int k = 0; k < r->n; k++) {
        info->low = fmin(info->low, r->frequency[k]);
        info->high = fmax(info->high, r->frequency[k]);
    }
    const size_t pairs = (size_t)r->ny * r->nu, n = r->n * pairs;
    for (size_t i = 0; i < n; i++) {
        const double size = hypot(r->H[2 * i], r->H[2 * i + 1]);
        if (size > info->largest) {
            info->largest = size;
            info->largest_at = (int)(i / pairs);
            info->largest_output = (int)(i % pairs) / r->nu;
            info->largest_input = (int)(i % pairs) % r->nu;
        }
    }
}

gos_port gos_response_input(const gos_response *r, int i) {
    return (gos_port){r->input[i], r->input_unit[i]};
}

gos_port gos_response_output(const gos_response *r, int i) {
    return (gos_port){r->output[i], r->output_unit[i]};
}

const double *gos_response_frequency(const gos_response *r) {
    return r->frequency;
}

const double *gos_response_values(const gos_response *r) {
    return r->H;
}

void gos_response_destroy(gos_response *r) {
    if (r) {
        gos__arena_destroy(r->arena);
    }
}
