/* Selection of driven patches. */
#ifndef GOS_SELECTION_H
#define GOS_SELECTION_H

#include "control/modal_design.h"
#include "control/saturated.h"

/* channels equal by symmetry; numbered by their first channel */
typedef struct gos_orbits {
    int n, np;
    int *of;    // (np) orbit of each channel
    int *first; // (n) its first channel
    int *count; // (n) number of channels
} gos_orbits;

/** By equal labels (np). Free with gos__orbits_free. */
gos_status gos__orbits_given(gos_ctx *ctx, int np, const int *label, gos_orbits *orbits);
/** By locations x (np): mirror images in the middle planes of their bounding box, to `tolerance` of
 *  its largest side. */
gos_status gos__orbits_mirrored(gos_ctx *ctx, int np, const double (*x)[3], double tolerance,
                                gos_orbits *orbits);
/** By equal rows over the first nmode modes, up to sign, to `tolerance` of the largest entry. (With
 *  equal frequencies, rows of mirror images may differ: supply the orbits.) */
gos_status gos__orbits_equal(gos_ctx *ctx, const gos_modal *modal, int nmode, double tolerance,
                             gos_orbits *orbits);
void gos__orbits_free(gos_ctx *ctx, gos_orbits *orbits);
/** Ascending channels of n orbits: channel (up to np), *count. */
void gos__orbits_channels(const gos_orbits *orbits, int n, const int *orbit, int *channel,
                          int *count);

/** By row norms of the gain K (nu, n) of a regulator that uses all channels. */
void gos__rank_by_gain(int nu, int n, const double *K, double *score);
/** By controllability: root of the energy of the point's acceleration after a unit voltage impulse
 *  (np), for the design's modes, without feedthrough. */
gos_status gos__rank_by_gramian(gos_ctx *ctx, const gos_modal *modal, int nmode, const int *mode,
                                double *score);
/** The n orbits with the largest mean score; ties to 1e-6 go to the smallest channel. */
gos_status gos__select_best(gos_ctx *ctx, const gos_orbits *orbits, const double *score, int n,
                            int *chosen);

/* cost of a choice of orbits */
typedef struct gos_criterion {
    gos_status (*cost)(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost);
    void *user;
} gos_criterion;

/** Each orbit reduces the cost most given the previous ones; ties as above. */
gos_status gos__select_greedy(gos_ctx *ctx, const gos_orbits *orbits,
                              const gos_criterion *criterion, int n, int *chosen, double *cost);
/** The best n of all (n up to 4), by `jobs` processes; ties (1e-9) in numerical order. */
gos_status gos__select_exhaustive(gos_ctx *ctx, const gos_orbits *orbits,
                                  const gos_criterion *criterion, int n, int jobs, int *chosen,
                                  double *cost);

/* State feedback of the modes that move the point, channels of an orbit joined with the signs of
   the first modes: for symmetric structures and disturbances */
typedef struct gos_orbit_cost {
    gos_modal joined; // one channel per orbit
    gos_modal_aim aim;
    double k_Q;
    int nmode, *mode;
    const gos_orbits *orbits;
    gos_saturated_options run; // for gos__cost_limited
} gos_orbit_cost;

gos_status gos__orbit_cost_create(gos_ctx *ctx, const gos_modal *modal, const gos_orbits *orbits,
                                  int modes, gos_modal_aim aim, double k_Q, gos_orbit_cost *cost);
void gos__orbit_cost_free(gos_ctx *ctx, gos_orbit_cost *cost);
/** x0^T P x0 after a unit impulse at the point; user: gos_orbit_cost. */
gos_status gos__cost_quadratic(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost);
/** RMS acceleration in `run` with saturated voltages. */
gos_status gos__cost_limited(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost);

#endif
