/* Proper orthogonal decomposition of a run of the full model, one basis for each part of the way
   (theory 8): its states are gathered into clusters, each of which has a centre and the vectors
   that hold the differences from it best, of positions in the norm of mass and of temperatures in
   that of capacity. */
#ifndef GOS_POD_H
#define GOS_POD_H

#include "rom/cubature.h"
#include "rom/local.h"

typedef struct gos_pod_cluster {
    int n;          // states nearest to its centre
    int m, mt;      // vectors
    double *centre; // of positions (nq)
    double *motion; // mass times its vectors, which are M-orthonormal, contiguous (m, nq)
    double *heat;   // vectors of temperatures, C-orthonormal, contiguous (mt, nt)
} gos_pod_cluster;

typedef struct gos_pod {
    int states;          // of the run
    double from, to;     // of the run [s]
    int n;               // clusters
    int most, most_heat; // largest numbers of vectors
    double left; // RMS over states of what the vectors leave, of the extent, in the worst cluster
    double left_heat;         // ... of temperatures, of their range
    double time;              // wall time of making all this [s]
    gos_pod_cluster *cluster; // (n)
} gos_pod;

/** Run the full model and make the bases of its states, in the arena. @return what the run returns,
 * GOS_E_USE for a run without length. */
gos_status gos__pod_make(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                         const gos_local_def *def, gos_pod **pod);
/** The same of states that are there, at least two. */
gos_status gos__pod_of(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                       const gos_local_def *def, const gos_training *run, gos_pod *pod);
/** The cluster whose centre is nearest to positions q; work (2 nq). */
int gos__pod_nearest(const gos_pod *pod, const gos_system *sys, const double *q, double *work);

#endif
