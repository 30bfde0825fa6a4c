/* Points with a constitutive law, in batches of GOS_LANES elements, and their sums. */
#ifndef GOS_LAW_H
#define GOS_LAW_H

#include "parts/marker.h"

#define GOS_LANES 8 // one AVX-512 register of doubles

/* One batch of points, [component][lane]. Outputs may be NULL except sigma, Kz. */
typedef struct gos_batch {
    const double *z;   // gradients (3 nz), e.g. r', r''
    const double *zd;  // their rates
    const double *th;  // (nfam) temperatures, may be NULL
    const double *ref; // (law->nref) reference data
    const double *mem; // (law->nmem) memory, NULL: initial
    const double *lit; // (1) lit fraction, NULL: unshadowed
    /* outputs of `resultants`, per reference length or area */
    double *sigma; // conjugate to z: (3 nz)
    double *heat;  // heat into each family (nfam), added
    double *energy;
    double *power;
    double *dwdth; // d(energy)/d(family 0..2): thermal work (theory 5.4)
    /* outputs of `tangent` */
    double ck, cd;  // factors of d/dz and d/dzd in Kz; either may be 0
    bool geometric; // Kz: geometric part of d/dz only, ck sum_k N_k d2e_k/dz2
    double hk, hd;  // ... in Hz
    double *Kz;     // ck dsigma/dz + cd dsigma/dzd, (3 nz)(3 nz) row-major
    double *G;      // dsigma/dth (3 nz)(nfam)
    double *Hz;     // hk dheat/dz + hd dheat/dzd (nfam)(3 nz), added
    double *Ht;     // dheat/dth (nfam)(nfam), added
} gos_batch;

/* parts/gram.h */
typedef struct gos_gram gos_gram;
typedef struct gos_green gos_green;

typedef struct gos_law {
    const char *name;
    int nz;   // 3-vectors per point
    int ndir; // directors (beam 2: d2, d3; plate 1: n)
    int nref; // reference doubles per point
    void (*resultants)(const void *par, int nfam, const gos_batch *b);
    void (*tangent)(const void *par, int nfam, const gos_batch *b);
    /* c_i = -u . d_i of the directors, and dc_i/dz (ndir)(3 nz); u is [3] */
    void (*cosines)(const void *par, const gos_batch *b, const double *u, double *c, double *dc);
    /* strains and resultants for output (nstrain) */
    int nstrain, nforce;            // first nforce: forces, others moments
    const char *const *strain_name; // (nstrain)
    const char *const *force_name;  // (nstrain)
    const char *force_unit, *moment_unit;
    void (*strains)(const void *par, int nfam, const gos_batch *b, double *strain, double *force);
    /* Memory: nmem doubles per point, initially the first nmem reference doubles. `accept` writes
     * it after an accepted step; b->mem: the memory used, may be the same array. */
    int nmem;
    void (*accept)(const void *par, int nfam, const gos_batch *b, double *mem);
    /* Quadratic form in Green strains (parts/gram.h); false or NULL: none. */
    bool (*green)(const void *par, gos_green *g);
} gos_law;

/* Heat along a body's surface or volume. */
typedef struct gos_surface_type {
    const char *name;
    /* adds to b->heat; fn: the source's functions; scale: load factor [0..1] */
    void (*eval)(const void *par, const gos_law *law, const void *law_par, int nfam,
                 const double *fn, double scale, const gos_batch *b);
    /* adds to b->Hz (times hk) and b->Ht */
    void (*tangent)(const void *par, const gos_law *law, const void *law_par, int nfam,
                    const double *fn, double scale, const gos_batch *b);
    /* adds the derivative by input k to b->heat */
    void (*by_input)(const void *par, const gos_law *law, const void *law_par, int nfam,
                     const double *fn, double scale, const gos_input_def *k, const gos_batch *b);
} gos_surface_type;

typedef struct gos_surface {
    const gos_surface_type *type;
    const void *par;
    const char *name; // heat entry
    int fn0, nfn;
    int ninput;
    const gos_input_def *input; // (ninput)
    gos_cast_shadow *shadow;    // NULL: none
    size_t lit;                 // memory index of lit fractions (parts/shadow.h)
} gos_surface;

/* Positions of a block's points in the picture. */
typedef struct gos_drawn {
    const int *cell; // (ne) drawn cell of each element; NULL: in order
    // (ng, 2) points in their cell: unit square of the bilinear map; triangles: weights of corners
    // 2, 3; lines: 0 to 1
    const double *at;
} gos_drawn;

/* Points of one body and law, GOS_LANES elements per batch, lane as last index. The last batch is
 * padded with its first element at weight 0. */
typedef struct gos_points {
    const gos_law *law;
    const void *par;
    int body;
    int ne, nb; // elements, batches
    int ng;     // points per element
    int nv;     // vector coordinates per element
    int nt;     // temperature nodes per element
    int nfam;   // families
    bool rates; // law or heat needs rates
    int *v;     // vector coordinates (nb, nv, LANES)
    int *th;    // temperature coordinates (nb, nt, nfam, LANES)
    int ntab;
    int *tab;    // table of each batch (nb)
    double *b;   // z = sum b e: (ntab, ng, nz, nv, LANES)
    double *N;   // th = sum N theta: (ntab, ng, nt, LANES)
    double *w;   // weight [m] or [m^2] (ntab, ng, LANES)
    double *ref; // reference data (ntab, ng, nref, LANES)
    double *z0;  // z at zero coordinates (ntab, ng, 3 nz, LANES), or NULL
    size_t m0;   // first memory slot, in (nb, ng, nmem, LANES)
    int nsurf;
    gos_surface *surf; // set after the bodies are built
    // reduced: one point per element, all with coordinates v[0] .. v[0]+nv-1; one table per batch
    bool dense;
    bool surface;           // heated (one block per body)
    const gos_drawn *drawn; // NULL: no shadows
    // dense: all points in one form (parts/gram.h); NULL: by points
    const gos_gram *gram;
} gos_points;

/* ---- evaluating points (hot) ----------------------------------------------------------------- */

/* Inputs and outputs of point sums for the whole system. */
typedef struct gos_points_sum {
    const double *e, *v, *th; // (nv,3), (nv,3), (nt)
    const double *mem;        // of the whole system
    const double *fn;         // values of all time functions
    double t, scale;
    double *Q;              // internal force (nv, 3), added; NULL: energy only
    double *R;              // heat (nt), added; may be NULL
    double *energy, *power; // added; may be NULL
    double *dwdth;          // (nt), added; may be NULL
} gos_points_sum;

/* Factors of derivatives: force rows k dQ/de + d dQ/dv and k dQ/dth, heat rows -(hk dR/de + hd
 * dR/dv) and -hk dR/dth. */
typedef struct gos_points_factors {
    double k, d, hk, hd;
    bool triangular; // dense: heat rows without dR/de and dR/dv
    bool symmetric;  // dense: symmetric part of k dQ/de + d dQ/dv
    bool geometric;  // geometric part of dQ/de only
} gos_points_factors;

/* Batch with coordinates shared between threads: contributions are kept and added in serial
 * order. */
typedef struct gos_points_held {
    const unsigned char *mask; // (n) lanes (bits) to keep; or NULL
    double *kept;              // forces and heat, or tangent entries (system/thread_shares.h)
} gos_points_held;

typedef struct gos_points_part {
    int from, to;                // batches
    const gos_points_held *held; // (nb) or NULL
    double *energy, *power;      // (nb) overwritten; NULL: added to the sum
} gos_points_part;

/** Adds forces and heat of all points. No allocation; `work`: gos__points_work(p) doubles, 64-byte
 * aligned. */
void gos__points_residual(const gos_points *p, const gos_points_sum *s, double *work);
/** Not for dense blocks. */
void gos__points_residual_part(const gos_points *p, const gos_points_part *part,
                               const gos_points_sum *s, double *work);
/** Adds kept contributions. */
void gos__points_add_kept(const gos_points *p, int ib, const gos_points_held *held,
                          const gos_points_sum *s);
/** Element tangents A[(row)(col)][lane], n = 3 nv + nt nfam unknowns: vector coordinates, then
 * temperatures node-major. */
void gos__points_tangent(const gos_points *p, int ib, const gos_points_sum *s,
                         const gos_points_factors *f, double *A, double *work);
size_t gos__points_work(const gos_points *p);
/** Updates `mem` after an accepted step, for laws with memory. */
void gos__points_accept(const gos_points *p, const gos_points_sum *s, double *mem, double *work);
/** Adds tangents of dense blocks with the same fields to a dense column-major matrix of order n;
 * temperatures begin at nq. `work`: maximum of gos__points_dense_work, 64-byte aligned. */
void gos__points_tangent_dense(const gos_points *const *list, int nlist, const gos_points_sum *s,
                               const gos_points_factors *f, int n, int nq, double *values,
                               double *work);
size_t gos__points_dense_work(const gos_points *p);
/** Same fields, and both with points (no gram). */
bool gos__points_together(const gos_points *a, const gos_points *b);

#endif
