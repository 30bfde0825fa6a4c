/* State of method auto with a run of the full model. */
#ifndef GOS_AUTO_CHOICE_H
#define GOS_AUTO_CHOICE_H

#include "rom/auto.h"

#define GOS_STATES 25 // states kept of the full model's run

/* Reduced space with all points, and its projection error. */
typedef struct gos_space {
    gos_reduction_def def;
    double least;           // threshold of principal fields; 0: none
    gos_system *sys;        // NULL: the fields are invalid
    gos_training projected; // projected kept states
    gos_distance off;       // projection error
    // error of their strain energy, relative to the energies of the run
    double excess;
    double locked; // error of the equilibrium in the space, RMS over nodes relative to the extent
} gos_space;

/* A model that has been run. */
typedef struct gos_candidate {
    gos_system *sys;
    gos_selection *selection;
    gos_range *range;
    gos_reduction out;
    double error;
    double distance; // the same relative to extent and range only
    gos_probe_difference probes;
} gos_candidate;

typedef struct gos_choice {
    gos_ctx *ctx;
    gos_ctx *quiet; // for trials, whose messages are discarded
    const gos_system *full;
    gos_reduction_def def;
    gos_options options;    // of the final run
    double runs;            // to be served, 0: unknown
    double tol, fine;       // required tolerance; analysis.tolerance of the reference
    bool free_steps, local; // step-size control is active; heat sources are local
    bool only_modes;        // a run with principal fields failed
    double unit, spent;     // work of a full run; work used so far
    gos_reduction out;
    gos_trial_runs reference; // run of the full model
    gos_training states;      // work: of a full run; used so far
    gos_range *range;         // per point block of the full model
    gos_trial_runs kept_history,
        projected_history; // histories of the kept states and of their projections
    // largest kinetic and strain energy of the kept states, with and without temperatures [J]
    double energy;
    double strain[GOS_STATES]; // their strain energies [J]
    double travel; // largest RMS displacement over nodes in the reference, relative to the extent
    gos_snapshots snapshots;  // kept states as snapshots; least = 0: none
    double share, share_heat; // allowed projection error relative to `tol`: motion, temperatures
    gos_space space, alternative; // current space; alternative
    gos_cubature *cubature;       // of space.sys; NULL: not created
    // cubature tolerance (0: all points); Gauss points per field; analysis.tolerance relative to
    // `tol`
    double tau, points, steps;
    gos_trial_runs last;
    gos_distance error; // distance of `last` from the reference
    gos_candidate best;
} gos_choice;

/* projection_error.c */
/** Compute the strain energies of the kept states. */
gos_status gos__projection_error_prepare(gos_choice *c);
/** Strain energy and, if not NULL, forces of points (nq) without history; v may be NULL. */
gos_status gos__strain_energy(gos_ctx *ctx, const gos_system *s, const double *q, const double *v,
                              const double *th, double *energy, double *forces);
/** Project the kept states on c->space.sys and measure the error. */
gos_status gos__projection_error(gos_choice *c);

/* auto_space.c */
/** True if modes are requested or required: plates, no polynomials, several joints between
 *  flexible bodies. */
gos_status gos__auto_requires_modes(gos_ctx *ctx, const gos_system *full, bool *required);
/** Find the smallest space whose projection error is within c->share and c->share_heat; sets
 *  c->def, c->space. */
gos_status gos__choose_space(gos_choice *c);

/* auto_full.c */
/** True if a run of c->space with all points and `more` times the work is affordable. */
bool gos__choice_is_affordable(const gos_choice *c, double more);
/** Discard the space; its model is kept if it is the best so far. */
void gos__choice_drop(gos_choice *c, gos_space *space);

#endif
