/* Gossamer: design of controllers on linear models. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_CONTROL_H
#define GOSSAMER_CONTROL_H

#include "gossamer/controller.h"
#include "gossamer/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a regulator is to hold down, times k_Q, beside the weighted squares of the inputs. */
typedef enum gos_design_weight {
    GOS_WEIGHT_SIGNALS,      // squares of the signals, each by its weight
    GOS_WEIGHT_ACCELERATION, // the square of the acceleration of `output`, with its feed-through
    GOS_WEIGHT_VELOCITY, // squares of modal velocities, by |phi| omega (phi: what `output` sees of
                         // the mode)
    GOS_WEIGHT_DISPLACEMENT // squares of modal amplitudes, by |phi| omega
} gos_design_weight;

/** By what inputs are chosen from many. */
typedef enum gos_design_choice {
    GOS_CHOOSE_GAIN,    // norms of their rows of the gain, all of them driving
    GOS_CHOOSE_GRAMIAN, // the acceleration of `output` that an impulse of each makes
    GOS_CHOOSE_COST,    // one after the other, each that lowers the cost after an impulse of the
                        // disturbance most
    GOS_CHOOSE_LIMITED  // ... the root mean square of the acceleration in a course with limited
                        // inputs
} gos_design_choice;

/** What is to be designed; a model says it in an entry of its section `designs`. */
typedef struct gos_design_options {
    bool observer;   // a Kalman filter of the signals gives the states (LQG); else the signals must
                     // tell them
    bool collocated; // instead: each input brakes, by the rate of a signal at its own place, times
                     // `gain`
    int ngain;
    const double *gain; // of collocated, input by rate of its own charge: one for all, or one for
                        // each pattern [V/A]
    double corner;      // ... of signals that are charges: they are differentiated below it [rad/s]
    int ninput;
    const char *const *input; // inputs that drive, by their names or patterns with * (ninput)
    int nsignal;
    const char *const
        *signal; // outputs that are measured, alike; none: only the gain is designed (nsignal)
    int nsense;
    const char *const
        *sense; // electrodes that are measured, by names or patterns as inputs are: outputs
                // ELECTRODE.charge, or ELECTRODE.motional_current of `collocated` without corner;
                // when inputs are chosen, those of their places (nsense)
    gos_design_weight weight;
    const char *output; // displacement or velocity that weights and norms speak of; NULL: none
    int nsignal_weight;
    const double
        *signal_weight; // of GOS_WEIGHT_SIGNALS: one for all, or one for each pattern; none: 1
    int choose; // inputs that are to drive, of those that the patterns mean, in whole orbits of
                // what symmetry makes equal; 0: all
    gos_design_choice choose_by;
    double choose_k_Q; // factor of the weight when all may drive, 0: from `limit`, as k_Q
    int ninput_weight;
    const double *input_weight; // R, alike
    double k_Q;                 // 0: such that the largest command after the disturbance is `limit`
    double limit;               // of each input, told to the observer; 0: none [unit of the input]
    const char *disturbance; // input by which the plant is disturbed; NULL: the inputs that drive
    double force, t_force,
        duration;     // of k_Q 0: the disturbance is `force` from t_force on, for so long [s]
    double t_end;     // ... and the course is looked at until then [s]
    double intensity; // of the observer: intensity of the disturbance [N^2 s]
    double floor;     // ... of noise on each modal velocity [m^2/s^3 kg]
    int nnoise;
    const double
        *noise;    // ... of noise of the signals, its root: one for all, or one for each pattern
    bool residual; // signals have the static share of modes that the design does not know, as far
                   // as plant_modes go
    int design_modes; // modes of vibration that the controller knows; 0: all
    int plant_modes;  // modes of the plant on which it is tried; 0: four times as many
    double zeta;      // damping ratio of every mode; below 0: the damping of the model
    double period;    // sampled with this period; 0: continuous [s]
    int nerror;
    const double *error; // relative errors that the plant is given in turn; none: +-1, 2, 5, 10 %
    bool courses;        // compute courses under the disturbance, too (gos_design_courses)
} gos_design_options;

/** What came of it. Poles of sampled loops are ln(z) / period. */
#define GOS_DESIGN_FIELDS(X)                                                                       \
    X(int, modes, "modes that the controller knows, motions without stiffness among them")         \
    X(int, rigid, "motions without stiffness that the signals see")                                \
    X(int, states, "states of the model that was designed on")                                     \
    X(int, inputs, "inputs that drive")                                                            \
    X(int, candidates, "inputs that there were to choose from")                                    \
    X(int, plant_modes, "modes of the plant on which the controller was tried")                    \
    X(int, plant_states, "states of that plant")                                                   \
    X(double, k_Q, "factor of the weight")                                                         \
    X(double, choose_k_Q, "factor of the weight while all inputs might drive; 0: none was chosen") \
    X(double, period, "of sampling, 0: continuous [s]")                                            \
    X(double, residual, "of the regulator's equation of Riccati, relative")                        \
    X(double, observer_residual, "of the observer's")                                              \
    X(double, abscissa, "largest real part of the closed loop's poles [1/s]")                      \
    X(double, damping, "least damping ratio of these")                                             \
    X(double, plant_abscissa, "largest real part on the plant with more modes [1/s]")              \
    X(double, plant_damping, "least damping ratio there")                                          \
    X(double, plant_omega, "imaginary part of that pole [rad/s]")                                  \
    X(int, unstable, "poles of that plant with real parts above 0")                                \
    X(double, norm, "H-infinity norm from the disturbance to the output, with control")            \
    X(double, norm_omega, "where it is reached [rad/s]")                                           \
    X(double, norm_open, "the same norm without control; 0: not stable then")                      \
    X(double, disk, "disk margin at all inputs at once, 0 to 2")                                   \
    X(double, gain_margin, "factors from its inverse to it are borne at all inputs")               \
    X(double, phase_margin, "phase lags up to this are borne at all inputs [rad]")                 \
    X(double, sensitivity, "largest singular value of the sensitivity at the inputs")
typedef struct gos_design_report {
#define X(type, name, doc) type name; // doc
    GOS_DESIGN_FIELDS(X)
#undef X
} gos_design_report;

/* A mode of the plant with more modes, and what the controller makes of it. */
typedef struct gos_design_mode {
    double omega;   // without control [rad/s]
    double damping; // ratio without control
    gos_root pole;  // of the closed loop, the one that moves it most [1/s]
    double share;   // of this mode in the energy of that motion, 0 to 1
} gos_design_mode;

/* An input that there was to choose from. */
typedef struct gos_design_input {
    const char *name;
    double importance; // Euclidean norm of its row of the gain, all candidates driving
    bool chosen;
} gos_design_input;

/** What the plant was given an error in. */
typedef enum gos_design_error_kind {
    GOS_ERROR_FEEDTHROUGH, // of signals by inputs: capacitances of electrodes that drive and
                           // measure
    GOS_ERROR_GAIN,        // of all inputs
    GOS_ERROR_FREQUENCY    // of all modes
} gos_design_error_kind;
typedef struct gos_design_error {
    gos_design_error_kind kind;
    double error;          // relative
    double abscissa;       // largest real part of the closed loop on the plant of the design [1/s]
    double plant_abscissa; // ... on the plant with more modes [1/s]
} gos_design_error;

enum { GOS_COURSE_INPUTS = 4 };
/** A course from rest under the disturbance, in spans of equal length; what it shows of each span
 * are the least and the largest value in it. */
typedef struct gos_design_course {
    bool closed;        // with control; else without
    bool plant;         // of the plant with more modes; else of that of the design
    int n;              // spans
    const double *time; // their ends [s] (n)
    // of `output`, and of its acceleration (NULL: the output follows an input at once and has none)
    // (n)
    const double *low, *high, *acceleration_low, *acceleration_high;
    const char *output, *disturbance; // what is watched, and by what it is moved, in words
    const char *unit, *acceleration_unit, *input_unit;
    // limited inputs that differ from each other, largest first: their names and values (ninput)(n)
    int ninput;
    const char *input[GOS_COURSE_INPUTS];
    const double *input_low[GOS_COURSE_INPUTS], *input_high[GOS_COURSE_INPUTS];
    double from;         // end of the disturbance [s]; from there on:
    double rms, peak;    // of the acceleration, or of the output where that has none
    double command;      // largest input before limiting
    double clipped;      // share of the time in which some input is at its limit
    double limit;        // of the inputs; infinite: none
    const char *failure; // why it ends early; NULL: it does not
} gos_design_course;

typedef struct gos_design gos_design;

/** Design a controller. A loop that is not stable on the plant with more modes is told by a
 * warning.
 *  @return GOS_E_INPUT with a record: names that there are not, weights that do not see what must
 * be held, motions that no input reaches, signals that do not tell the states; GOS_E_LIMIT: more
 * than 3000 states */
GOS_API gos_status gos_design_make(gos_ctx *ctx, const gos_linear *linear,
                                   const gos_design_options *options, gos_design **design);
GOS_API void gos_design_destroy(gos_design *design);
GOS_API void gos_design_get(const gos_design *design, gos_design_report *report);
/** The law, borrowed; NULL: no signals were given, so there is only a gain of states. */
GOS_API const gos_control_law *gos_design_law(const gos_design *design);
/** Poles of the closed loop, of the plant of the design or of that with more modes (`plant`); a
 * conjugate pair is one, im >= 0. Borrowed (*n). */
GOS_API const gos_root *gos_design_poles(const gos_design *design, bool plant, int *n);
/** Poles of the plant with more modes without control, likewise. */
GOS_API const gos_root *gos_design_open_poles(const gos_design *design, int *n);
/** Courses, when options asked for them: without and with control, of the plant of the design and
 * of that with more modes. Borrowed
 *  (*n); *none: why there are none, or NULL. */
GOS_API const gos_design_course *gos_design_courses(const gos_design *design, int *n,
                                                    const char **none);
/** Modes of vibration of the plant with more modes, in order of frequency, borrowed (*n); those
 * that the design knows come first. What a controller does to the others is its spillover. */
GOS_API const gos_design_mode *gos_design_modes(const gos_design *design, int *n);
/** Inputs that there were to choose from, borrowed (*n). */
GOS_API const gos_design_input *gos_design_inputs(const gos_design *design, int *n);
/** What errors of the plant do, borrowed (*n). */
GOS_API const gos_design_error *gos_design_errors(const gos_design *design, int *n);
/** What a model's entry of the section `designs` says; name NULL: the only one. Texts and arrays
 * live as long as the model. */
GOS_API gos_status gos_design_settings(gos_ctx *ctx, gos_model *model, const char *name,
                                       gos_design_options *options);
/** Name of design i of a model, borrowed; NULL outside the range. */
GOS_API const char *gos_design_name(const gos_model *model, int i);
/** Design a controller as the model says: of its system without controllers, linearised where the
 * entry says. Signals of the law are measured from that state.
 *  @return as gos_system_create, gos_state_reach, gos_linearise_at and gos_design_make, told at the
 * entry's place */
GOS_API gos_status gos_design_model(gos_ctx *ctx, gos_model *model, const char *name,
                                    gos_design **design);
/** "feed-through", "gain", "frequency". */
GOS_API const char *gos_design_error_name(gos_design_error_kind kind);

#ifdef __cplusplus
}
#endif
#endif
