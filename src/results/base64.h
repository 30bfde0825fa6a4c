/* Binary numbers as base64 text, for pages and XML files. */
#ifndef GOS_IO_BASE64_H
#define GOS_IO_BASE64_H

#include <stdint.h>
#include <stdio.h>

/* Initialise as {.out = file}. */
typedef struct gos_base64 {
    FILE *out;
    unsigned char held[3];
    int n;
} gos_base64;

/** Append the lowest `size` bytes of a number, least significant first. */
void gos__base64_put(gos_base64 *k, uint64_t value, int size);
void gos__base64_end(gos_base64 *k);

#endif
