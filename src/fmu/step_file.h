/* resources/step.bin of units of fixed step: the head, then A (n, n), B (n, nu), C (ny, n), D (ny,
   nu) by columns. Units are for one kind of processor, so numbers are stored as in memory. */
#ifndef GOS_STEP_FILE_H
#define GOS_STEP_FILE_H

#include <stdbool.h>
#include <stdint.h>

#define GOS_STEP_FILE "step.bin"
#define GOS_STEP_MAGIC "gossamer-step-1" // with its zero 16 bytes
enum { GOS_STEP_MOST = 500, GOS_STEP_PORTS = 100000 };

typedef struct gos_step_head {
    char magic[16];
    char token[48]; // GUID of the unit
    double step;    // [s]
    int32_t n, nu, ny, unused;
} gos_step_head;

#endif
