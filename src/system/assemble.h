/* Between assembly and the making of its positions: the traversal of an item's matrix entries. */
#ifndef GOS_ASSEMBLE_H
#define GOS_ASSEMBLE_H

#include "linalg/sparse.h"
#include "system/system.h"

typedef struct gos_entry_sink gos_entry_sink;
struct gos_entry_sink {
    void (*add)(gos_entry_sink *k, int row, int col, double v);
    double *values; // adding: the matrix
    const int *pos; // adding: position of entry n
    size_t n;       // entries so far
    void *user;     // listing
};

/* The gradient of a marker by coordinates: w I3 by vector coordinates, 3-vectors g by single ones;
 * wd, gd their rates. */
typedef struct gos_columns {
    int n;
    const int *v; // vector coordinates (n)
    const double *w, *wd;
    int nz;
    const int *z;         // single coordinates, 3 v + c (nz)
    const double *g, *gd; // (nz, 3)
} gos_columns;

/* What an item gives to the Newton matrix. */
typedef struct gos_item_blocks {
    const gos_columns *at;    // of its markers (nm)
    const double *B;          // force block (3 nm)^2
    const double *Bv;         // what it has with rates of columns: -k df/dxd (3 nm)^2
    const double *cx;         // constraint rows (nc)(3 nm)
    const double *bx;         // heat derivatives (ntm)(3 nm)
    const double *bth;        // ck dheat/dth + cm dheat/dthd (ntm)(ntm)
    const double *hth;        // temperature rows (nh)(ntm)
    const double *Bth, *bv;   // of mixed items: k df/dth (3 nm)(ntm), dheat/dxd (ntm)(3 nm)
    double ck, cd, lam, lamT; // factors, see gos_newton_factors
} gos_item_blocks;
/** All entries of an item, always in the same order; blocks NULL while listing. */
void gos__item_entries(const gos_system *s, const gos_item *it, gos_entry_sink *k,
                       const gos_item_blocks *blocks);
/** Add them to a dense matrix (pattern.dense), without positions. */
void gos__item_dense(const gos_system *s, const gos_item *it, const gos_item_blocks *b,
                     double *values);

/* Inputs and outputs of one item (gos_work.item). */
typedef struct gos_item_buffers {
    double x[3 * GOS_ITEM_MARKERS], xd[3 * GOS_ITEM_MARKERS], th[GOS_ITEM_TMARKERS];
    double f[3 * GOS_ITEM_MARKERS];
    double fx[9 * GOS_ITEM_MARKERS * GOS_ITEM_MARKERS], fv[9 * GOS_ITEM_MARKERS * GOS_ITEM_MARKERS];
    double heat[GOS_ITEM_TMARKERS], heat_x[3 * GOS_ITEM_TMARKERS * GOS_ITEM_MARKERS];
    double thd[GOS_ITEM_TMARKERS], heat_thd[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
    double heat_th[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
    double f_th[3 * GOS_ITEM_TMARKERS * GOS_ITEM_MARKERS];
    double heat_v[3 * GOS_ITEM_TMARKERS * GOS_ITEM_MARKERS];
    double c[GOS_ITEM_ROWS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    double H[9 * GOS_ITEM_MARKERS * GOS_ITEM_MARKERS], ct[GOS_ITEM_ROWS], ctt[GOS_ITEM_ROWS];
    double h[GOS_ITEM_TMARKERS], hth[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
    double lam[GOS_ITEM_ROWS], fn[GOS_ITEM_FUNCTIONS];
} gos_item_buffers;

/** Do forces follow an amount of this item (is it a load)? */
bool gos__item_loads(const gos_item *it);
/** Inputs of an item at x, in the buffers of w; all outputs NULL. */
gos_item_io gos__item_inputs(gos_work *w, const gos_item *it, const gos_point_of *x);

/** Give all entries of d/dt C_q = d(C_q v)/dq to the sink, row: of the constraint, column:
 * coordinate, in an order of their own. x NULL: they are only listed, with value 0. */
void gos__row_rate_entries(gos_work *w, const gos_point_of *x, gos_entry_sink *k);
/** *rates (nc, nq) := d/dt C_q along the velocities of x (row_rates.c). */
gos_status gos__constraint_row_rates(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                     gos_sparse *rates);

/** What an item gives that is not finite at x: "force", "heat", "constraint"; NULL: all is
 * finite. */
const char *gos__item_nonfinite(gos_work *w, const gos_item *it, const gos_point_of *x);

/** Change temperatures th (nt) so that prescribed ones and ties hold at t; returns by how much they
 * were off [K]. */
double gos__temperature_fit(gos_work *w, double t, double *th);
/** dh/dt of the temperature constraints (nh). */
void gos__temperature_rates(gos_work *w, const gos_point_of *x, double *ht);

#endif
