/* Choosing a reduction against a run of the full model: what is known so far. */
#ifndef GOS_AUTO_CHOICE_H
#define GOS_AUTO_CHOICE_H

#include "rom/auto.h"

#define GOS_STATES 25 // of the full model's run that are kept

/* A space, with all points, and what it can hold of the full model's run. */
typedef struct gos_space {
    gos_reduction_def def;
    double least;         // of principal fields, 0: none
    gos_system *sys;      // NULL: its fields do not work
    gos_training nearest; // the states in it that are nearest to those of the full model
    gos_distance off;     // how far they are
    double excess;        // strain energy that they have more or less, of the energies of the run
} gos_space;

/* A model that has been run, and what came of it. */
typedef struct gos_candidate {
    gos_system *sys; // NULL: none
    gos_selection *selection;
    gos_range *range;
    gos_reduction out;
    double error; // the largest of them
} gos_candidate;

typedef struct gos_choice {
    gos_ctx *ctx;
    gos_ctx *quiet; // of trials: fields that do not work are no error of the model
    const gos_system *full;
    gos_reduction_def def;  // as it is now
    gos_options options;    // of the final run
    double tol, fine;       // wanted; analysis.tolerance of the reference
    bool free_steps, local; // error-controlled; heat comes in at places
    double unit, spent;     // work of a run of the full model; work so far
    gos_reduction out;
    gos_track reference;       // a run of the full model
    gos_training states;       // some states of it
    gos_range *range;          // met in it, of each of the full model's point blocks
    gos_track some, near;      // ... as a track; states of a space nearest to them
    double energy;             // the largest kinetic and strain energy of these states [J]
    double strain[GOS_STATES]; // strain energy of each [J]
    gos_snapshots snapshots;   // the states as fields; least = 0: none
    double share, share_heat;  // of the tolerance: what the space itself may be off by
    gos_space space, aside;    // as it is now; another one that may be taken
    gos_cubature *cubature;    // of space.sys, NULL: not made yet
    double tau, points,
        steps; // its tolerance, 0: all points; Gauss points a field; analysis.tolerance, of ours
    gos_track last;     // run of space.sys
    gos_distance error; // ... and its distance from the reference
    gos_candidate best;
} gos_choice;

/* projection_error.c */
/** Strain energies of the states of the full model's run, to compare with. */
gos_status gos__nearest_prepare(gos_choice *c);
/** Look at c->space.sys with the eyes of the full model's run. */
gos_status gos__nearest(gos_choice *c);

/* auto_space.c */
/** Whether method auto takes fields from modes: asked for, plates, bodies without polynomials, or
 * more than one joint between flexible bodies. */
gos_status gos__auto_wants_modes(gos_ctx *ctx, const gos_system *full, bool *wants);
/** The smallest space, with all points, that holds the states of the full model's run to the shares
 * of the tolerance: c->def and c->space. */
gos_status gos__choose_space(gos_choice *c);

/* auto_full.c */
/** Means and gradients, each in its range. */
double gos__heat_of(gos_distance d);
/** Could c->space be run with all points if its runs took so many times more work? */
bool gos__choice_affords(const gos_choice *c, double more);
/** The space is no longer wanted; its model stays if it is the best so far. */
void gos__choice_drop(gos_choice *c, gos_space *space);

#endif
