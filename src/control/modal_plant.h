/* Plants of structures that are known by their vibration modes alone, as any finite element program
 * gives them. */
#ifndef GOS_MODAL_PLANT_H
#define GOS_MODAL_PLANT_H

#include "control/lqr.h"

/* mass-normalised modes of a structure with channels of piezoelectric patches and one point that is
 * pushed and watched */
typedef struct gos_modal {
    int n, np;           // modes, channels
    double *omega;       // (n) [rad/s], positive
    double *zeta;        // (n) damping ratios [-]
    double *phi;         // (n) displacement of the point in its direction [1/sqrt(kg)]
    double *Kup;         // (n, np) modal force of a volt, which is the charge of a modal amplitude
    double *capacitance; // (np) with the structure held [F]
} gos_modal;

/* which modes a plant has, and which channels are its inputs and outputs */
typedef struct gos_modal_part {
    int nmode;
    const int *mode; // (nmode), NULL: the first ones
    int ndrive;
    const int *drive; // channels whose voltage is an input
    int nsense;
    const int
        *sense; // channels whose charge is measured; those that are not driven are short-circuited
    bool residual; // charges have the static share of the modes that are left out
    bool current;  // rates of charges are measured, of channels that are not driven
} gos_modal_part;

/** Sizes and zeroed arrays; free with gos__modal_free, also after a failure. */
gos_status gos__modal_create(gos_ctx *ctx, int n, int np, gos_modal *modal);
void gos__modal_free(gos_ctx *ctx, gos_modal *modal);
/** The first n modes, or all where there are fewer, in order of frequency, as far as the point
 * moves in them: more than `tolerance` of the largest. mode (n), *count of them. A structure with
 * mirror planes through the point moves in these alone when it is driven symmetrically. */
void gos__modal_moving(const gos_modal *modal, int n, double tolerance, int *mode, int *count);
/** Channels joined into groups that one voltage drives: group[p] = 0 .. n - 1, or -1 for channels
 * that are left out; those of a group whose rows point against the row of its first one over the
 * modes `mode` are turned round (sign (np), or NULL for no turning). Charges and capacitances of a
 * group are sums. */
gos_status gos__modal_join(gos_ctx *ctx, const gos_modal *modal, int n, const int *group,
                           const double *sign, gos_modal *joined);
/** Signs (np) of channels that make each push `modes` like the first one of its group, by its
 * row. */
void gos__modal_signs(const gos_modal *modal, int nmode, const int *mode, const int *group,
                      double *sign);

/** x = (z, z'); inputs: voltages of `drive` [V], then a force at the point [N]; outputs: charges of
 * `sense` [C], then the acceleration of the point [m/s^2]. Charges rise with the voltage of their
 * own channel: q = Kup^T z + capacitance v (and, with `residual`, Kup_r^T w_r^-2 (Kup_r v + phi_r
 * f) of modes left out, as far as `modal` has them). The acceleration has no such share: what is
 * left out moves with v, and so only accelerates with v''. Currents are Kup^T z'; those of driven
 * channels would follow the rates of voltages, and are refused.
 *  @return GOS_E_INPUT for indices out of range, given twice, or frequencies that are not
 * positive */
gos_status gos__modal_plant(gos_ctx *ctx, const gos_modal *modal, const gos_modal_part *part,
                            gos_plant *plant);

/* what a regulator is to hold down */
typedef enum gos_modal_aim {
    GOS_AIM_DISPLACEMENT, // modal amplitudes, by |phi| omega: the published weight, with the
                          // absolute value it lacks
    GOS_AIM_VELOCITY,     // modal velocities, by |phi| omega
    GOS_AIM_ACCELERATION  // the acceleration of the point itself, with its feed-through
} gos_modal_aim;

/** Weights k_Q times that of the aim, and R = 1 for each driven channel: Q (2 nmode, 2 nmode), N (2
 * nmode, ndrive), R (ndrive, ndrive), all of them written. */
gos_status gos__modal_weights(gos_ctx *ctx, const gos_modal *modal, const gos_modal_part *part,
                              gos_modal_aim aim, double k_Q, double *Q, double *N, double *R);

/* noise that a filter of charges expects */
typedef struct gos_modal_noise {
    double force;  // intensity of forces at the point [N^2 s]
    double floor;  // intensity of each modal force, which keeps modes that the point does not move
                   // in sight [1/s^3 kg m^2]
    double charge; // root of the intensity of charges [C sqrt(s)]
    double capacitance; // relative error of capacitances that is to be borne [-]
    double voltage; // root of the intensity of the voltages that it is multiplied by [V sqrt(s)]
} gos_modal_noise;

/** Intensities W (2 nmode, 2 nmode) and V (nsense, nsense) of it: a channel that is driven and
 * measured is believed less by what its error of capacitance makes of its voltage. */
void gos__modal_intensities(const gos_modal *modal, const gos_modal_part *part,
                            const gos_modal_noise *noise, double *W, double *V);

#endif
