/* Continuum elements: plane, axisymmetric, solid. "Slopes" are spatial derivatives of shape
   functions and, if axisymmetric, N / r:
   K_ij,rs = sum_pq D_rs,pq A_ij,pq, A_ij,pq = int g_ip g_jq, b_ij,p = int g_ip N_j, m_ij = int N_i
   N_j */
#ifndef GOS_FE_CONTINUUM_H
#define GOS_FE_CONTINUUM_H

#include "fe/element.h"

#define GOS_FE_INNER 3 // largest number of incompatible modes

typedef enum gos_continuum_kind {
    GOS_CONTINUUM_PLANE, // x, y
    GOS_CONTINUUM_RING,  // radius x, axis y
    GOS_CONTINUUM_SOLID
} gos_continuum_kind;

/* Shape functions at the points of a rule. */
typedef struct gos_continuum_points {
    int n;
    double at[GOS_RULE_POINTS][3];
    double weight[GOS_RULE_POINTS];
    double N[GOS_RULE_POINTS][GOS_CELL_NODES];
    double dN[GOS_RULE_POINTS][GOS_CELL_NODES + GOS_FE_INNER][3];
} gos_continuum_points;

/* Material law in lanes. */
typedef struct gos_continuum_law {
    int start[10];   // first entry of components r * comps + s
    int place[81];   // p * 3 + q of an entry
    double *D;       // (81)
    double *beta;    // stress per temperature, of component r and slope p at 3 r + p (9)
    double *lambda;  // conductivity (9)
    double *density; // (1)
    double *heat;    // density times specific heat (1)
} gos_continuum_law;

typedef struct gos_continuum {
    gos_continuum_kind kind;
    int nodes, inner; // functions: nodal, incompatible modes
    int dim, comps, slopes;
    bool thin; // plane stress
    double thickness;
    gos_continuum_points stiffness, mass;
    double centre[GOS_CELL_NODES][3]; // derivatives of functions at the centre
    gos_continuum_law law;
} gos_continuum;

/** Matrices of eight cells (kernel_continuum.c). */
void gos__kernel_continuum(const gos_continuum *c, const gos_continuum_law *law, const double *x,
                           gos_fe_local *local);
/** Strain with slope p of component r, -1: none. (continuum.c) */
int gos__continuum_strain_of(gos_continuum_kind kind, int r, int p);
/** gos_fe_element.recover (continuum_stress.c). */
void gos__continuum_recover(const void *data, const gos_fe_cell *cell, bool strain, int n,
                            double (*at)[3], const gos_fe_depth *depth, double *by_u, double *by_t);
/** gos_fe_element.stress_stiffness. */
void gos__continuum_stress_stiffness(const void *data, const gos_fe_cell *cell, const double *u,
                                     const double *t, double *G);
/** gos_fe_element.stress_work. */
void gos__continuum_stress_work(const void *data, const gos_fe_cell *cell, int m, const double *X,
                                const double *second, double *by_u, double *by_t);

#endif
