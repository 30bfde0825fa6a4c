/* Mode shapes of a system at its nodes, for pictures. */
#ifndef GOS_IO_SHAPES_H
#define GOS_IO_SHAPES_H

#include "gossamer/linear.h"
#include "results/h5.h"
#include "system/system.h"

#define GOS_SHAPE_NAME 64
#define GOS_PICTURES 8 // modes and temperature fields stored for a reduced system

/* Initialise as {ctx, sys, moved}. */
typedef struct gos_shapes {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_state *moved; // its rates or temperatures are replaced by a shape
    int modes, fields;
    bool held;           // temperature fields have deformations
    gos_mode *mode;      // (n)
    double *shape;       // (coordinates, n)
    double *rate;        // of temperature fields [1/s] (n)
    double *field;       // (temperatures, n)
    double *deformation; // (coordinates, n)
    double *at;          // workspace at nodes (3 nodes)
} gos_shapes;

/** n lowest undamped modes and n slowest temperature fields, with the static deformations under the
 *  latter. */
gos_status gos__shapes_find(gos_shapes *k, const gos_linear *linear, int n);
/** Frees k->moved too. */
void gos__shapes_free(gos_shapes *k);
/** "mode 1: 8.3 Hz", "temperature field 1: 0.02 1/s". */
void gos__shapes_name(const gos_shapes *k, bool field, int i, char name[GOS_SHAPE_NAME]);
/** Node velocities (nnodes, 3) for coordinate rates `shape`; node temperatures (nnodes) of field
 *  i. */
void gos__shapes_motion(gos_shapes *k, const double *shape, double *at);
void gos__shapes_heat(gos_shapes *k, int i, double *at);

/* Modes, then temperature fields with static deformations. */
typedef struct gos_mode_pictures {
    int n;
    char *names;         // one per line
    float *displacement; // (n, nnodes, 3)
    float *temperature;  // (n, nnodes), 0 for modes
} gos_mode_pictures;

/* Stored with a reduced system. */
typedef struct gos_rom_pictures {
    uint64_t of; // gos__pictured of their system
    gos_mode_pictures p;
} gos_rom_pictures;

/** Mode shapes of a reduced system at its initial state, or the stored ones if they match. n is 0
 *  if not reduced, too large, or without linear model. Fails only without memory. In the arena. */
gos_status gos__mode_pictures(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                              gos_mode_pictures *p);

/** The same for any system at a state with its linear model: at most n of each. */
gos_status gos__mode_pictures_at(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                                 const gos_state *state, const gos_linear *linear, int n,
                                 gos_mode_pictures *p);

/** Hash of all dependencies. */
uint64_t gos__pictured(const gos_system *sys);

/* mode_shapes_file.c */
bool gos__pictures_put(hid_t file, uint64_t of, int nodes, const gos_mode_pictures *p);
/** NULL without memory. */
gos_rom_pictures *gos__pictures_copy(gos_arena *a, int nodes, const gos_rom_pictures *from);

#endif
