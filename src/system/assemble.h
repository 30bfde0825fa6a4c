/* Traversal of an item's matrix entries. */
#ifndef GOS_ASSEMBLE_H
#define GOS_ASSEMBLE_H

#include "linalg/sparse.h"
#include "system/system.h"

typedef struct gos_entry_sink gos_entry_sink;
struct gos_entry_sink {
    void (*add)(gos_entry_sink *k, int row, int col, double v);
    double *values; // adding: matrix
    const int *pos; // adding: position of entry n
    size_t n;
    void *user; // listing
};

/* Gradient of a marker: w I3 by vector coordinates, 3-vectors g by single ones; wd, gd are
   rates. */
typedef struct gos_columns {
    int n;
    const int *v; // vector coordinates (n)
    const double *w, *wd;
    int nz;
    const int *z;         // 3 v + c (nz)
    const double *g, *gd; // (nz, 3)
} gos_columns;

typedef struct gos_item_blocks {
    const gos_columns *at;    // per marker (nm)
    const double *B;          // force block (3 nm)^2
    const double *Bv;         // factor of column rates: -k df/dxd (3 nm)^2
    const double *cx;         // constraint rows (nc)(3 nm)
    const double *bx;         // heat derivatives (ntm)(3 nm)
    const double *bth;        // ck dheat/dth + cm dheat/dthd (ntm)(ntm)
    const double *hth;        // temperature rows (nh)(ntm)
    const double *Bth, *bv;   // mixed: k df/dth (3 nm)(ntm), dheat/dxd (ntm)(3 nm)
    double ck, cd, lam, lamT; // see gos_newton_factors
} gos_item_blocks;
/** Traverse all entries in fixed order; blocks NULL when listing. */
void gos__item_entries(const gos_system *s, const gos_item *it, gos_entry_sink *k,
                       const gos_item_blocks *blocks);
/** Add to a dense matrix (pattern.dense) without positions. */
void gos__item_dense(const gos_system *s, const gos_item *it, const gos_item_blocks *b,
                     double *values);

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

/** True for loads: forces depend on a declared input. */
bool gos__item_loads(const gos_item *it);
/** Inputs at x in buffers of w; outputs NULL. */
gos_item_io gos__item_inputs(gos_work *w, const gos_item *it, const gos_point_of *x);

/** Traverse entries of d/dt C_q = d(C_q v)/dq, row: constraint, column: coordinate, in their own
 * order. x NULL: list only, value 0. */
void gos__row_rate_entries(gos_work *w, const gos_point_of *x, gos_entry_sink *k);
/** *rates (nc, nq) := d/dt C_q along the velocities at x (row_rates.c). */
gos_status gos__constraint_row_rates(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                     gos_sparse *rates);

/** Nonfinite output of an item at x: "force", "heat", "constraint"; NULL: none. */
const char *gos__item_nonfinite(gos_work *w, const gos_item *it, const gos_point_of *x);

/** Project th (nt) onto prescribed temperatures and ties at t; returns the change [K]. */
double gos__temperature_fit(gos_work *w, double t, double *th);
/** dh/dt of temperature constraints (nh). */
void gos__temperature_rates(gos_work *w, const gos_point_of *x, double *ht);

/** cv (nc) := C_q v + C_t; force (nq) += C_q^T mu. */
void gos__stabilised_rows(gos_work *w, const gos_point_of *x, const double *mu, double *cv,
                          double *force);

#endif
