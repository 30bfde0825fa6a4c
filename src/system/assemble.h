/* Between assembly and the making of its positions: the traversal of an item's matrix entries. */
#ifndef GOS_ASSEMBLE_H
#define GOS_ASSEMBLE_H

#include "system/system.h"

typedef struct gos_entry_sink gos_entry_sink;
struct gos_entry_sink {
    void (*add)(gos_entry_sink *k, int row, int col, double v);
    double *values; // adding: the matrix
    const int *pos; // adding: position of entry n
    size_t n;       // entries so far
    void *user;     // listing
};

/** All entries of an item, always in the same order; NULL matrices while listing.
 *  B: force block (3 nm)^2, cx: constraint rows, bx, bth: heat derivatives, hth: temperature rows. */
void gos__item_entries(const gos_system *s, const gos_item *it, gos_entry_sink *k, const double *B,
                       const double *cx, const double *bx, const double *bth, const double *hth,
                       const gos_newton_factors *f);

/** Inputs of an item at x, in the buffers of w; all outputs NULL. */
gos_item_io gos__item_inputs(gos_work *w, const gos_item *it, const gos_point_of *x);

/** What an item gives that is not finite at x: "force", "heat", "constraint"; NULL: all is finite. */
const char *gos__item_nonfinite(gos_work *w, const gos_item *it, const gos_point_of *x);

/** Change temperatures th (nt) so that prescribed ones and ties hold at t; returns by how much they were
 *  off [K]. */
double gos__temperature_fit(gos_work *w, double t, double *th);
/** dh/dt of the temperature constraints (nh). */
void gos__temperature_rates(gos_work *w, const gos_point_of *x, double *ht);

#endif
