/* POD of a run of the full model, with one basis per cluster of states (theory 8). Vectors
   represent differences from the cluster's centre: positions in the mass norm, temperatures in
   the capacity norm. */
#ifndef GOS_POD_H
#define GOS_POD_H

#include "rom/cubature.h"
#include "rom/local.h"

typedef struct gos_pod_cluster {
    int n;          // states nearest to the centre
    int m, mt;      // numbers of vectors
    double *centre; // centre of positions (nq)
    double *motion; // M times M-orthonormal vectors, contiguous (m, nq)
    double *heat;   // C-orthonormal temperature vectors, contiguous (mt, nt)
} gos_pod_cluster;

typedef struct gos_pod {
    int states;                   // states of the run
    double from, to;              // time interval of the run [s]
    int n;                        // clusters
    int max_vectors, max_thermal; // largest numbers of vectors
    double left;              // RMS truncation error relative to the extent, in the worst cluster
    double left_heat;         // the same for temperatures, relative to their range
    double time;              // wall time of the computation [s]
    gos_pod_cluster *cluster; // (n)
} gos_pod;

/** Run the full model; bases in the arena. @return status of the run; GOS_E_USE if it has no
 *  duration. */
gos_status gos__pod_make(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                         const gos_local_def *def, gos_pod **pod);
/** The same from given states, at least two. */
gos_status gos__pod_of(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                       const gos_local_def *def, const gos_training *run, gos_pod *pod);
/** Cluster with the centre nearest to positions q; work (2 nq). */
int gos__pod_project(const gos_pod *pod, const gos_system *sys, const double *q, double *work);

#endif
