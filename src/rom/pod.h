/* POD of a full run, one basis per cluster of states (theory 8), for differences from its
   centre: positions in the mass norm, temperatures in the capacity norm. */
#ifndef GOS_POD_H
#define GOS_POD_H

#include "rom/cubature.h"
#include "rom/local.h"

typedef struct gos_pod_cluster {
    int n;          // nearest states
    int m, mt;      // vectors
    double *centre; // (nq)
    double *motion; // M times M-orthonormal vectors, contiguous (m, nq)
    double *heat;   // C-orthonormal, contiguous (mt, nt)
} gos_pod_cluster;

typedef struct gos_pod {
    int states;               // of the run
    double from, to;          // run [s]
    int n;                    // clusters
    int most, most_heat;      // most vectors
    double left;              // worst RMS truncation error over the extent
    double left_heat;         // temperatures, over their range
    double time;              // [s]
    gos_pod_cluster *cluster; // (n)
} gos_pod;

/** Run the full model; bases in the arena. @return its status; GOS_E_USE without duration. */
gos_status gos__pod_make(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                         const gos_local_def *def, gos_pod **pod);
/** From at least two given states. */
gos_status gos__pod_of(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                       const gos_local_def *def, const gos_training *run, gos_pod *pod);
/** Nearest cluster to q; work (2 nq). */
int gos__pod_nearest(const gos_pod *pod, const gos_system *sys, const double *q, double *work);

#endif
