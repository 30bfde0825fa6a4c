/* Numbers as base64 text: for pages and files that carry binary numbers inside of text. */
#ifndef GOS_IO_BASE64_H
#define GOS_IO_BASE64_H

#include <stdint.h>
#include <stdio.h>

/* Begins as {.out = file}. */
typedef struct gos_base64 {
    FILE *out;
    unsigned char held[3];
    int n;
} gos_base64;

/** The lowest `size` bytes of a number, the lowest first. */
void gos__base64_put(gos_base64 *k, uint64_t value, int size);
/** What is left over, padded. */
void gos__base64_end(gos_base64 *k);

#endif
