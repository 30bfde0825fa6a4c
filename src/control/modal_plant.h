/* Plants of structures described by vibration modes, e.g. of a finite element program. */
#ifndef GOS_MODAL_PLANT_H
#define GOS_MODAL_PLANT_H

#include "control/lqr.h"

/* mass-normalised modes, piezoelectric channels, and a point for excitation and output */
typedef struct gos_modal {
    int n, np;           // modes, channels
    double *omega;       // (n) [rad/s], positive
    double *zeta;        // (n) damping ratios [-]
    double *phi;         // (n) displacement of the point in its direction [1/sqrt(kg)]
    double *Kup;         // (n, np) modal force per volt, equal to charge per modal amplitude
    double *capacitance; // (np) of the clamped structure [F]
} gos_modal;

/* modes and channels of a plant */
typedef struct gos_modal_part {
    int nmode;
    const int *mode; // (nmode), NULL: the first ones
    int ndrive;
    const int *drive; // channels with voltage input
    int nsense;
    const int *sense; // channels with measured charge; undriven ones are short-circuited
    bool residual;    // charges include residual static terms of truncated modes
    bool current;     // measure currents instead of charges, of undriven channels
} gos_modal_part;

/** Free with gos__modal_free, also after a failure. */
gos_status gos__modal_create(gos_ctx *ctx, int n, int np, gos_modal *modal);
void gos__modal_free(gos_ctx *ctx, gos_modal *modal);
/** Those of the first n modes in which the point moves more than `tolerance` of the largest; mode
 *  (n), *count. Symmetric excitation of a structure with mirror planes through the point drives
 *  only these. */
void gos__modal_moving(const gos_modal *modal, int n, double tolerance, int *mode, int *count);
/** Join channels into groups with a common voltage: group[p] = 0 .. n - 1, or -1: omitted; sign
 *  (np) -1: inverted, NULL: none. Charges and capacitances are summed. */
gos_status gos__modal_join(gos_ctx *ctx, const gos_modal *modal, int n, const int *group,
                           const double *sign, gos_modal *joined);
/** Signs (np) that align channels with the first one of their group, over `modes`. */
void gos__modal_signs(const gos_modal *modal, int nmode, const int *mode, const int *group,
                      double *sign);

/** x = (z, z'); inputs: voltages of `drive` [V], then a force at the point [N]; outputs: charges of
 *  `sense` [C], then the acceleration of the point [m/s^2]. q = Kup^T z + capacitance v (own
 *  voltage; with `residual`, plus Kup_r^T w_r^-2 (Kup_r v + phi_r f) of the truncated modes in
 *  `modal`). The acceleration has no residual: that of truncated modes is proportional to v''.
 *  Currents are Kup^T z'; those of driven channels would depend on voltage rates and are rejected.
 *  @return GOS_E_INPUT for indices out of range or repeated, or frequencies <= 0 */
gos_status gos__modal_plant(gos_ctx *ctx, const gos_modal *modal, const gos_modal_part *part,
                            gos_plant *plant);

/* quantity minimised by a regulator */
typedef enum gos_modal_aim {
    // modal amplitudes, weighted by |phi| omega (published weight, with the absolute value added)
    GOS_AIM_DISPLACEMENT,
    GOS_AIM_VELOCITY,    // modal velocities, weighted by |phi| omega
    GOS_AIM_ACCELERATION // acceleration of the point, with its feedthrough
} gos_modal_aim;

/** k_Q times the aim's weight, and R = 1 per driven channel: Q (2 nmode, 2 nmode), N (2 nmode,
 *  ndrive), R (ndrive, ndrive). */
gos_status gos__modal_weights(gos_ctx *ctx, const gos_modal *modal, const gos_modal_part *part,
                              gos_modal_aim aim, double k_Q, double *Q, double *N, double *R);

/* noise assumed by a filter of charges */
typedef struct gos_modal_noise {
    double force; // intensity of forces at the point [N^2 s]
    // intensity of each modal force; keeps all modes observable [1/s^3 kg m^2]
    double floor;
    double charge;      // root of the intensity of charges [C sqrt(s)]
    double capacitance; // assumed relative error of capacitances [-]
    double voltage;     // root of the intensity of the voltages [V sqrt(s)]
} gos_modal_noise;

/** W (2 nmode, 2 nmode) and V (nsense, nsense): channels that are driven and measured get
 *  additional noise, voltage times capacitance error. */
void gos__modal_intensities(const gos_modal *modal, const gos_modal_part *part,
                            const gos_modal_noise *noise, double *W, double *V);

#endif
