/* A frequency response as stored. */
#ifndef GOS_IO_RESPONSE_H
#define GOS_IO_RESPONSE_H

#include "gossamer/io.h"
#include "results/h5.h"

#define GOS_RESPONSE_FORMAT "gossamer-response" // root attribute `format`

struct gos_response {
    gos_arena *arena; // of gos_response_read, else NULL
    const char *path;
    int n, ny, nu;     // frequencies, outputs, inputs
    double *frequency; // [Hz] (n)
    double *H;         // (n, ny, nu, 2)
    const char **input, **input_unit, **output, **output_unit;
};

/** Read a file of gos_response_save. */
gos_status gos__response_read(gos_ctx *ctx, const char *path, gos_arena *a, gos_response *r);

#endif
