/* Gossamer: design of controllers on linear models. SPDX-License-Identifier: Apache-2.0
 *
 * Linear-quadratic regulators with or without a Kalman filter (LQR, LQG), and collocated rate
 * feedback, designed on a truncated modal model and tested on a plant with more modes: poles,
 * margins, H-infinity norm, sensitivity to plant errors, time histories with saturated inputs.
 * Also selects actuators from many candidates. */
#ifndef GOSSAMER_CONTROL_H
#define GOSSAMER_CONTROL_H

#include "gossamer/controller.h"
#include "gossamer/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Quantity that the regulator penalises, multiplied by k_Q; weighted squares of the inputs are
 * added. */
typedef enum gos_design_weight {
    GOS_WEIGHT_SIGNALS,      // squares of the signals, each with its weight
    GOS_WEIGHT_ACCELERATION, // square of the acceleration of `output`, with its feed-through
    // squares of modal velocities, weighted by |phi| omega (phi: component of the mode in
    // `output`)
    GOS_WEIGHT_VELOCITY,
    GOS_WEIGHT_DISPLACEMENT // squares of modal amplitudes, weighted by |phi| omega
} gos_design_weight;

/** Criterion for the selection of inputs from many candidates. */
typedef enum gos_design_choice {
    GOS_CHOOSE_GAIN,    // norms of their rows of the gain, with all inputs active
    GOS_CHOOSE_GRAMIAN, // acceleration of `output` caused by an impulse of each
    // greedy: adds the input that reduces the cost after a disturbance impulse most
    GOS_CHOOSE_COST,
    // greedy, by the RMS acceleration in a time history with saturated inputs
    GOS_CHOOSE_LIMITED
} gos_design_choice;

/** Design problem; in a model, an entry of the section `designs`. */
typedef struct gos_design_options {
    // a Kalman filter estimates the states from the signals (LQG); else the signals must determine
    // them
    bool observer;
    // collocated rate feedback instead: each input is `gain` times the rate of the signal at its
    // location
    bool collocated;
    int ngain;
    // collocated: input per rate of its own charge, one for all or one for each pattern [V/A]
    const double *gain;
    double corner; // ... signals that are charges are differentiated below this frequency [rad/s]
    int ninput;
    const char *const *input; // active inputs, names or patterns with * (ninput)
    int nsignal;
    // measured outputs, likewise; none: only the gain is designed (nsignal)
    const char *const *signal;
    int nsense;
    // measured electrodes, names or patterns as for inputs: outputs ELECTRODE.charge, or
    // ELECTRODE.motional_current for `collocated` without corner; with selection of inputs, those
    // at the locations of the selected ones (nsense)
    const char *const *sense;
    gos_design_weight weight;
    // displacement or velocity used by weights and norms; NULL: none
    const char *output;
    int nsignal_weight;
    // for GOS_WEIGHT_SIGNALS: one for all, or one for each pattern; none: 1
    const double *signal_weight;
    // number of inputs to select from those that match, in complete groups of symmetry-equivalent
    // inputs; 0: all
    int choose;
    gos_design_choice choose_by;
    // factor of the weight with all inputs active; 0: computed from `limit`, as for k_Q
    double choose_k_Q;
    int ninput_weight;
    const double *input_weight; // R, likewise
    double k_Q; // 0: chosen so that the largest command after the disturbance is `limit`
    // saturation limit of each input, included in the observer; 0: none [unit of the input]
    double limit;
    const char *disturbance; // input through which the plant is disturbed; NULL: the active inputs
    // for k_Q 0: the disturbance is `force` from t_force on, for `duration` [s]
    double force, t_force, duration;
    double t_end;     // ... end of the time history [s]
    double intensity; // observer: intensity of the disturbance [N^2 s]
    double floor;     // ... of noise on each modal velocity [m^2/s^3 kg]
    int nnoise;
    // ... square root of the intensity of signal noise: one for all, or one for each pattern
    const double *noise;
    // signals include the static contribution of truncated modes, up to plant_modes
    bool residual;
    int design_modes; // vibration modes in the design model; 0: all
    int plant_modes;  // modes of the plant for tests; 0: four times as many
    double zeta;      // damping ratio of every mode; negative: damping of the model
    double period;    // sampling period; 0: continuous [s]
    int nerror;
    const double *error; // relative plant errors to test; none: +-1, 2, 5, 10 %
    bool histories;      // also compute time histories under the disturbance (gos_design_histories)
} gos_design_options;

/** Result of a design. Poles of sampled loops are given as ln(z) / period. */
#define GOS_DESIGN_FIELDS(X)                                                                       \
    X(int, modes, "modes in the design model, including rigid-body modes and mechanisms")          \
    X(int, rigid, "rigid-body modes and mechanisms that the signals measure")                      \
    X(int, states, "states of the design model")                                                   \
    X(int, inputs, "active inputs")                                                                \
    X(int, candidates, "candidate inputs")                                                         \
    X(int, plant_modes, "modes of the plant for tests")                                            \
    X(int, plant_states, "states of that plant")                                                   \
    X(double, k_Q, "factor of the weight")                                                         \
    X(double, choose_k_Q, "factor of the weight with all inputs active; 0: no selection")          \
    X(double, period, "sampling period, 0: continuous [s]")                                        \
    X(double, residual, "relative residual of the regulator's Riccati equation")                   \
    X(double, observer_residual, "relative residual of the observer's Riccati equation")           \
    X(double, abscissa, "largest real part of the closed-loop poles [1/s]")                        \
    X(double, damping, "smallest damping ratio of the closed-loop poles")                          \
    X(double, plant_abscissa, "largest real part on the plant with more modes [1/s]")              \
    X(double, plant_damping, "smallest damping ratio there")                                       \
    X(double, plant_omega, "imaginary part of that pole [rad/s]")                                  \
    X(int, unstable, "unstable poles on that plant")                                               \
    X(double, norm, "H-infinity norm from the disturbance to the output, with control")            \
    X(double, norm_omega, "frequency of that norm [rad/s]")                                        \
    X(double, norm_open, "the same norm without control; 0: unstable without control")             \
    X(double, disk, "disk margin, all inputs simultaneously, 0 to 2")                              \
    X(double, gain_margin, "g: stable for gain factors from 1/g to g at all inputs")               \
    X(double, phase_margin, "stable for phase lags up to this at all inputs [rad]")                \
    X(double, sensitivity, "largest singular value of the sensitivity at the inputs")
typedef struct gos_design_report {
#define X(type, name, doc) type name; // doc
    GOS_DESIGN_FIELDS(X)
#undef X
} gos_design_report;

/* A mode of the plant for tests and its closed-loop pole. */
typedef struct gos_design_mode {
    double omega;   // without control [rad/s]
    double damping; // ratio without control
    gos_root pole;  // the closed-loop pole with the largest participation of this mode [1/s]
    double share;   // participation of this mode in the energy of the closed-loop mode, 0 to 1
} gos_design_mode;

/* A candidate input. */
typedef struct gos_design_input {
    const char *name;
    double importance; // Euclidean norm of its row of the gain, with all candidates active
    bool chosen;
} gos_design_input;

/** Plant parameter with an error. */
typedef enum gos_design_error_kind {
    // from inputs to signals: capacitances of electrodes that both drive and measure
    GOS_ERROR_FEEDTHROUGH,
    GOS_ERROR_GAIN,     // of all inputs
    GOS_ERROR_FREQUENCY // of all modes
} gos_design_error_kind;
typedef struct gos_design_error {
    gos_design_error_kind kind;
    double error;          // relative
    double abscissa;       // largest real part of the closed loop on the design plant [1/s]
    double plant_abscissa; // ... on the plant for tests [1/s]
} gos_design_error;

enum { GOS_HISTORY_INPUTS = 4 };
/** Time history from rest after the disturbance, as minimum and maximum values in intervals of
 * equal length. */
typedef struct gos_design_history {
    bool closed;        // with or without control
    bool plant;         // of the plant for tests; else of the design plant
    int n;              // intervals
    const double *time; // ends of the intervals [s] (n)
    // `output` and its acceleration (NULL if an input feeds through to the output) (n)
    const double *low, *high, *acceleration_low, *acceleration_high;
    const char *output, *disturbance; // description of the output and the disturbance
    const char *unit, *acceleration_unit, *input_unit;
    // distinct saturated inputs, largest first: names and values (ninput)(n)
    int ninput;
    const char *input[GOS_HISTORY_INPUTS];
    const double *input_low[GOS_HISTORY_INPUTS], *input_high[GOS_HISTORY_INPUTS];
    double from;         // end of the disturbance [s]; the following refer to later times
    double rms, peak;    // of the acceleration, or of the output if it has none
    double command;      // largest input before saturation
    double clipped;      // fraction of time in which any input is saturated
    double limit;        // of the inputs; infinite: none
    const char *failure; // reason why it ends early; NULL: complete
} gos_design_history;

typedef struct gos_design gos_design;

/** Design a controller. A loop that is unstable on the plant with more modes causes a warning.
 * @return GOS_E_INPUT with a message: unknown names, weights in which a mode that must be
 * controlled is undetectable, uncontrollable modes, unobservable states; GOS_E_LIMIT: more than
 * 3000 states */
GOS_API gos_status gos_design_create(gos_ctx *ctx, const gos_linear *linear,
                                     const gos_design_options *options, gos_design **design);
GOS_API void gos_design_destroy(gos_design *design);
GOS_API void gos_design_get(const gos_design *design, gos_design_report *report);
/** The control law, borrowed; NULL: without signals the design is only a state gain. */
GOS_API const gos_control_law *gos_design_law(const gos_design *design);
/** Closed-loop poles on the design plant or on the plant with more modes (`plant`); a conjugate
 * pair is one entry, im >= 0. Borrowed (*n). */
GOS_API const gos_root *gos_design_poles(const gos_design *design, bool plant, int *n);
/** Open-loop poles of the plant with more modes, likewise. */
GOS_API const gos_root *gos_design_open_poles(const gos_design *design, int *n);
/** Time histories if requested: without and with control, of the design plant and of the plant with
 * more modes. Borrowed (*n). *none: reason why there are none, or NULL. */
GOS_API const gos_design_history *gos_design_histories(const gos_design *design, int *n,
                                                       const char **none);
/** Vibration modes of the plant with more modes by frequency, borrowed (*n); those of the design
 * model come first. The effect on the others is the spillover. */
GOS_API const gos_design_mode *gos_design_modes(const gos_design *design, int *n);
/** Candidate inputs, borrowed (*n). */
GOS_API const gos_design_input *gos_design_inputs(const gos_design *design, int *n);
/** Effects of plant errors, borrowed (*n). */
GOS_API const gos_design_error *gos_design_errors(const gos_design *design, int *n);
/** Options from an entry of the model's section `designs`; name NULL: the only one. Strings and
 * arrays live as long as the model. */
GOS_API gos_status gos_design_settings(gos_ctx *ctx, gos_model *model, const char *name,
                                       gos_design_options *options);
/** Name of design i of a model, borrowed; NULL outside the range. */
GOS_API const char *gos_design_name(const gos_model *model, int i);
/** Design a controller as the model specifies, on its system without controllers, linearised at the
 * operating point of the entry. Signals of the law are measured relative to that state.
 * @return as gos_system_create, gos_state_find_operating_point, gos_linearise_at and
 * gos_design_create, reported at the location of the entry */
GOS_API gos_status gos_design_model(gos_ctx *ctx, gos_model *model, const char *name,
                                    gos_design **design);
/** "feed-through", "gain", "frequency". */
GOS_API const char *gos_design_error_name(gos_design_error_kind kind);

#ifdef __cplusplus
}
#endif
#endif
