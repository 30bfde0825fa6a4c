/* Which patches of a structure a controller is to drive. */
#ifndef GOS_SELECTION_H
#define GOS_SELECTION_H

#include "control/modal_design.h"
#include "control/saturated.h"

/* channels that symmetry makes equal, and that are taken or left together; numbered by their first
 * channel */
typedef struct gos_orbits {
    int n, np;
    int *of;    // (np) orbit of each channel
    int *first; // (n) its smallest channel
    int *count; // (n) its channels
} gos_orbits;

/** Orbits by labels (np) that equal channels share. Free with gos__orbits_free. */
gos_status gos__orbits_given(gos_ctx *ctx, int np, const int *label, gos_orbits *orbits);
/** Orbits of places x (np): mirror images in the middle planes of the box around all of them, to
 * `tolerance` of its largest side. */
gos_status gos__orbits_mirrored(gos_ctx *ctx, int np, const double (*x)[3], double tolerance,
                                gos_orbits *orbits);
/** Orbits of channels whose rows over the first nmode modes are equal but for signs, to `tolerance`
 * of the largest entry. (Of modes with equal frequencies rows of mirror images may differ: give the
 * orbits, then.) */
gos_status gos__orbits_equal(gos_ctx *ctx, const gos_modal *modal, int nmode, double tolerance,
                             gos_orbits *orbits);
void gos__orbits_free(gos_ctx *ctx, gos_orbits *orbits);
/** All channels of n orbits, ascending: channel (up to np), *count of them. */
void gos__orbits_channels(const gos_orbits *orbits, int n, const int *orbit, int *channel,
                          int *count);

/** Importance of channels by the gain K (nu, n) of a regulator that has them all: Euclidean norms
 * of its rows. */
void gos__rank_by_gain(int nu, int n, const double *K, double *score);
/** Importance by controllability: root of the energy of the point's acceleration after a unit
 * impulse of voltage (np), for the design's modes, without the direct share. */
gos_status gos__rank_by_gramian(gos_ctx *ctx, const gos_modal *modal, int nmode, const int *mode,
                                double *score);
/** The n orbits with the largest mean score; of those that agree to 1e-6 the one with the smallest
 * channel comes first. */
gos_status gos__select_best(gos_ctx *ctx, const gos_orbits *orbits, const double *score, int n,
                            int *chosen);

/* what a choice of orbits costs; smaller is better */
typedef struct gos_criterion {
    gos_status (*cost)(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost);
    void *user;
} gos_criterion;

/** n orbits, each the one that lowers the cost most beside those before it; ties as above. */
gos_status gos__select_greedy(gos_ctx *ctx, const gos_orbits *orbits,
                              const gos_criterion *criterion, int n, int *chosen, double *cost);
/** The best n of all orbits (n up to 4), by `jobs` processes; among equals (1e-9) the first in
 * order of numbers. */
gos_status gos__select_exhaustive(gos_ctx *ctx, const gos_orbits *orbits,
                                  const gos_criterion *criterion, int n, int jobs, int *chosen,
                                  double *cost);

/* criteria of state feedback on the modes that move the point, channels of an orbit joined
   (gos__modal_join with the signs of the first modes): what a symmetric structure needs for a
   symmetric disturbance */
typedef struct gos_orbit_cost {
    gos_modal joined; // a channel per orbit
    gos_modal_aim aim;
    double k_Q;
    int nmode, *mode;
    const gos_orbits *orbits;
    gos_saturated_options run; // of gos__cost_limited
} gos_orbit_cost;

gos_status gos__orbit_cost_create(gos_ctx *ctx, const gos_modal *modal, const gos_orbits *orbits,
                                  int modes, gos_modal_aim aim, double k_Q, gos_orbit_cost *cost);
void gos__orbit_cost_free(gos_ctx *ctx, gos_orbit_cost *cost);
/** x0^T P x0 after a unit impulse at the point; user: gos_orbit_cost. */
gos_status gos__cost_quadratic(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost);
/** RMS acceleration of `run` with limited voltages. */
gos_status gos__cost_limited(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost);

#endif
