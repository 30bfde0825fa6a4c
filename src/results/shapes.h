/* Modes of a system as its nodes show them, for pictures. */
#ifndef GOS_IO_SHAPES_H
#define GOS_IO_SHAPES_H

#include "gossamer/linear.h"
#include "results/h5.h"
#include "system/system.h"

#define GOS_SHAPE_NAME 64
#define GOS_PICTURES 8 // modes, and as many fields, of a reduced system in a file

/* What the modes of a system do to its nodes. Begins as {ctx, sys, moved}. */
typedef struct gos_shapes {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_state *
        moved; // at the state of the system, with a shape in the place of its rates or temperatures
    int modes, fields;
    bool held;           // fields have deformations
    gos_mode *mode;      // (n)
    double *shape;       // (coordinates, n)
    double *rate;        // of fields [1/s] (n)
    double *field;       // (temperatures, n)
    double *deformation; // (coordinates, n)
    double *at;          // numbers of nodes (3 nodes)
} gos_shapes;

/** The n lowest undamped modes and the n slowest temperature fields of a linear model of the
 * system, and what rests under these. */
gos_status gos__shapes_find(gos_shapes *k, const gos_linear *linear, int n);
/** Also k->moved. */
void gos__shapes_free(gos_shapes *k);
/** "mode 1: 8.3 Hz", "temperature field 1: 0.02 1/s". */
void gos__shapes_name(const gos_shapes *k, bool field, int i, char name[GOS_SHAPE_NAME]);
/** What nodes do (nnodes, 3) when coordinates move with one shape, and their temperatures (nnodes)
 * in field i. */
void gos__shapes_motion(gos_shapes *k, const double *shape, double *at);
void gos__shapes_heat(gos_shapes *k, int i, double *at);

/* Modes, then temperature fields with what rests under them, for a results file. */
typedef struct gos_mode_pictures {
    int n;
    char *names;         // a line each
    float *displacement; // (n, nnodes, 3)
    float *temperature;  // (n, nnodes), 0 of modes
} gos_mode_pictures;

/* Those that were made when a reduced system was stored, and what they are of. */
typedef struct gos_rom_pictures {
    uint64_t of; // gos__pictured
    gos_mode_pictures p;
} gos_rom_pictures;

/** Of a reduced system where it begins; those that are stored with it, when they are of the same; n
 * is 0 where it is none, or where it or its mesh is too large for a picture, or has no linear model
 * there. Never fails but for want of memory. In the arena. */
gos_status gos__mode_pictures(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                              gos_mode_pictures *p);

/** The same of any system at a state with its linear model there: n modes and fields at most. */
gos_status gos__mode_pictures_at(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                                 const gos_state *state, const gos_linear *linear, int n,
                                 gos_mode_pictures *p);

/** Hash of all that such pictures depend on. */
uint64_t gos__pictured(const gos_system *sys);

/* shapes_file.c: stored with a reduced model, read in rom_file.c */
bool gos__pictures_put(hid_t file, uint64_t of, int nodes, const gos_mode_pictures *p);
/** A copy in another arena, NULL for want of memory. */
gos_rom_pictures *gos__pictures_copy(gos_arena *a, int nodes, const gos_rom_pictures *from);

#endif
