/* Items: joints, loads and heat at ends, which act on a few markers. */
#ifndef GOS_ITEM_H
#define GOS_ITEM_H

#include "parts/section.h"

#define GOS_ITEM_MARKERS 24
#define GOS_ITEM_TMARKERS (2 * GOS_FAMILIES)
#define GOS_ITEM_ROWS 12
#define GOS_ITEM_OBSERVED 3
#define GOS_ITEM_EVENTS 3

/* Inputs and outputs of an item; outputs are zeroed by the caller, NULL if not requested. */
typedef struct gos_item_io {
    double t; // [s]
    const double *fn, *fnd, *fndd;
    double scale;      // load factor of a static solution, else 1
    const double *x;   // marker values (nm, 3)
    const double *xd;  // their rates
    const double *th;  // temperature marker values (ntm)
    const double *thd; // for items that store heat; NULL: at rest
    const double *lam; // multipliers (nc)
    const double *mem; // (nmem) rows may only use revolution counts
    double *f;         // force on each marker (nm, 3): virtual work sum f . dx
    double *fx, *fv;   // df/dx, df/dxd (3 nm)(3 nm) row-major
    double *heat;      // heat on each temperature marker (ntm)
    double *heat_x;    // (ntm)(3 nm)
    double *heat_th;   // (ntm)(ntm)
    double *heat_thd;  // (ntm)(ntm), items that store heat
    double *f_th;      // (3 nm)(ntm), `mixed` items
    double *heat_v;    // (ntm)(3 nm), `mixed` items
    double *energy;    // stored [J]
    double *power;     // dissipated [W]
    double *work;      // of other forces (loads) [W]
    double *c;         // constraint values (nc)
    double *cx;        // dc/dx (nc)(3 nm)
    double *H;         // sum_r lam_r d2c_r/dx2 (3 nm)(3 nm)
    double *ct, *ctt;  // partial time derivatives of c (nc)
    double *h;         // temperature constraint values (nh)
    double *hth;       // dh/dth (nh)(ntm)
} gos_item_io;

typedef struct gos_item gos_item;
typedef struct gos_sides gos_sides;

/* Sparsity of an item's matrix at any state, as bits of markers. */
typedef struct gos_structure {
    const unsigned short *row;  // (nc) markers that each row depends on
    const unsigned short *pair; // (nm) markers that each marker's force depends on
    bool alike;                 // multiplier forces by multiples of I3
} gos_structure;

typedef struct gos_item_type {
    const char *name;
    void (*eval)(const gos_item *it, const gos_item_io *io);
    /* Accepted step: inputs at its end (io->mem: the memory used), outputs NULL; writes the memory
     * of the next step. @return whether forces or derivatives jump, as at a switching time. NULL:
     * no memory */
    bool (*accept)(const gos_item *it, const gos_item_io *io, double *mem);
    /* Start, or continuation after a jump: inputs there, with multipliers of the accelerations;
     * writes the next step's memory. May be NULL */
    void (*begin)(const gos_item *it, const gos_item_io *io, double *mem);
    /* Coordinates (q, v, a) with output values different from the equations': swaps them in at time
     * t; `back` restores. May be NULL */
    void (*shows)(const gos_item *it, double t, double *mem, bool back, double *q, double *v,
                  double *a);
    /* Signed distances (nevent) to switching points; error-controlled steps end at sign changes.
     * Inputs as for accept, at any state. May be NULL */
    void (*events)(const gos_item *it, const gos_item_io *io, double distance[GOS_ITEM_EVENTS]);
    int nevent;
    /* Derivatives of f, heat, c and h by a declared input. May be NULL */
    void (*by_input)(const gos_item *it, const gos_item_io *io, const gos_input_def *k);
    /* Heat content [J] at marker temperatures th, beyond capacities, if it stores heat. */
    double (*holds)(const gos_item *it, const double *th);
    /* Values for probes (nshown). May be NULL */
    void (*observe)(const gos_item *it, const gos_item_io *io, double y[GOS_ITEM_OBSERVED]);
    int nshown;
    const gos_shown *shown; // (nshown)
} gos_item_type;

struct gos_item {
    const gos_item_type *type;
    const void *par;
    const char *name;  // "joint 'pin'"
    const char *entry; // "pin"
    gos_loc loc;
    int nm, ntm, nc, nh;
    gos_marker m[GOS_ITEM_MARKERS];
    gos_tmarker *tm; // (ntm)
    int fn0, nfn;    // time functions
    int ninput;
    const gos_input_def *input; // (ninput)
    int c0, h0;                 // first row of constraints, temperature constraints
    bool linear;                // rows linear with constant coefficients
    // linear, rows in triples that act alike on x, y, z (sum_m weight_m x_m = 0); may be eliminated
    // in a rotation-invariant subspace
    bool isotropic;
    const double *iso_w;            // isotropic: (nc/3)(nm) scalar weights
    int nvec;                       // number of such leading triples
    const gos_structure *structure; // NULL: dense
    bool watches;                   // memory only
    bool mixed;                     // forces by temperatures, or heat by rates
    bool stores_heat;               // heat by temperature rates
    bool stores;                    // reports energy, power and work
    bool dead;                      // forces and heat are independent of the state
    int nmem;                       // doubles of memory
    const double *memory;           // initial (nmem)
    size_t m0;                      // first memory slot
    // dependent coordinates: locked in the equations, output as sums of temperatures ...
    int ndependent;
    const int *dependent; // (ndependent) ... coordinates 3 v + c
    // (ndependent) ... the sums, with three doubles of memory each
    const gos_tmarker *dependent_on;
    const gos_item *more;     // next item of the entry
    const gos_pulled *pulled; // (nm) columns of its markers; NULL: no derived vectors
    const gos_sides *sides;   // of joints
};

/* maximum per item */
#define GOS_ITEM_FUNCTIONS 16
/** gos_item_type.by_input if linear in inputs: evaluates with this input 1, other functions 0. */
void gos__by_unit_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k);

#endif
