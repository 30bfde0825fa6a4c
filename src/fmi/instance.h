/* A running unit, independent of the FMI version. Instances share nothing. An instance is compiled
 * when created, and after parameters were set; messages go to the importer by `log`. */
#ifndef GOS_FMI_INSTANCE_H
#define GOS_FMI_INSTANCE_H

#include "fmu/variables.h"
#include "solve/observer.h"
#include "probes/probe.h"

/* allowed calls, as bits */
typedef enum gos_fmi_phase {
    GOS_FMI_MADE = 1,
    GOS_FMI_INITIAL = 2,
    GOS_FMI_STEPS = 4, // step mode, continuous-time mode
    GOS_FMI_EVENTS = 8,
    GOS_FMI_ENDED = 16,
    GOS_FMI_FAILED = 32 // until reset, or a state is set
} gos_fmi_phase;

typedef enum gos_fmi_level { GOS_FMI_NOTE, GOS_FMI_WARNING, GOS_FMI_ERROR } gos_fmi_level;
typedef void (*gos_fmi_log)(void *user, gos_fmi_level level, const char *text);

/* an input set by the importer */
typedef struct gos_fmi_input {
    double value, rate; // rate: during the next step
    double given;       // 1: was set, else the model's value
    double fresh;       // 1: not yet passed to the state
    double held;        // 1: overrides the model's function
} gos_fmi_input;

typedef struct gos_fmi {
    gos_ctx *ctx;
    gos_arena *arena;
    gos_fmi_log log;
    void *log_user;
    gos_fmu_kind kind;
    gos_fmi_phase phase;
    const char *folder; // of the resources
    uint64_t token;     // hash
    /* compiled data */
    gos_system *full, *reduced;
    const gos_system *sys; // one of them
    gos_arena *listed;     // owns `list`
    gos_fmu_variables list;
    double *parameter;    // per list entry
    double *compiled;     // in the compiled system
    bool stale;           // one was set since
    gos_fmi_input *input; // per list entry
    /* the run */
    double stop, tolerance; // of the importer; 0: of the model
    gos_options options;
    bool begun, over; // over: ended by an event
    gos_state *x;
    gos_integrator *integrator; // co-simulation
    gos_probe_sampler *sampler;
    double *value, *rate,
        *next;                  // all probe components (nvalue) at the last step
    double *shown, *shown_rate; // updated for fresh inputs
    int nvalue;
    bool up_to_date;  // up to date with state and inputs
    gos_work *work;   // of an evaluation
    gos_state *moved; // workspace
    const gos_observer *observer;
    void *observing;
    long iterations;
    struct gos_fmi_exchange *exchange; // model exchange
    struct gos_fmi_held *held;         // states that the master holds
} gos_fmi;

/* ---- create and destroy (instance.c) --------------------------------------------------------- */

/* Arguments of gos__fmi_create. */
typedef struct gos_fmi_made {
    const char *folder; // path of the resources
    const char *token;
    gos_fmu_kind kind;
    gos_fmi_log log;
    void *log_user;
} gos_fmi_made;
/** NULL on failure; the reason is logged. */
gos_fmi *gos__fmi_create(const gos_fmi_made *made);
void gos__fmi_destroy(gos_fmi *f);
/** Back to the state after creation. */
void gos__fmi_reset(gos_fmi *f);
/** Record an error. @return GOS_E_USE */
gos_status gos__fmi_wrong(gos_fmi *f, const char *fmt, ...) GOS_PRINTF(2, 3);
/** Log what was recorded. */
void gos__fmi_report(gos_fmi *f);
/** Compile if parameters were set. */
gos_status gos__fmi_compile(gos_fmi *f);
/** Begin the run if necessary, with the parameters that were set. */
gos_status gos__fmi_begin(gos_fmi *f);
/** Workspace of a run; the state is set separately. */
gos_status gos__fmi_continue(gos_fmi *f);
/** Times and tolerance of the importer; NULL: undefined. @return GOS_E_USE if invalid */
gos_status gos__fmi_setup(gos_fmi *f, const double *tolerance, double start, const double *stop);
/** End the run; observers may warn. */
gos_status gos__fmi_end(gos_fmi *f);
/** Drop the run, as an initial parameter or input is set. */
void gos__fmi_reset_run(gos_fmi *f);
/** Create a new integrator for the state. */
gos_status gos__fmi_integrate(gos_fmi *f);

/* ---- parameters of a run (tunable_parameters.c) ---------------------------------------------- */

/** Compile with tunable parameters set during the run, and continue. @return GOS_E_USE if
 *  coordinates would change their meaning; the unit has then failed */
gos_status gos__fmi_tune(gos_fmi *f);

/* ---- values (values.c) ----------------------------------------------------------------------- */

gos_status gos__fmi_get(gos_fmi *f, unsigned reference, double *value);
gos_status gos__fmi_set(gos_fmi *f, unsigned reference, double value);
/** Rate of an input during the next step. */
gos_status gos__fmi_set_rate(gos_fmi *f, unsigned reference, double rate);
/** Rate of an output. */
gos_status gos__fmi_get_rate(gos_fmi *f, unsigned reference, double *rate);
/** Pass fresh inputs to a state, those with a rate until `until`; if x == f->x they are no longer
 *  fresh. */
gos_status gos__fmi_give_inputs(gos_fmi *f, gos_state *x, double until);
/** Sample all probes, angles including full turns; `first`: of a new run. */
void gos__fmi_sample(gos_fmi *f, bool first);
/** Update `shown` for the state and fresh inputs. */
gos_status gos__fmi_outputs(gos_fmi *f);

/* ---- steps (step.c) -------------------------------------------------------------------------- */

/* Result of a step. */
typedef struct gos_fmi_stepped {
    double time; // reached
    bool events; // limits were passed
    bool early;  // before its end
} gos_fmi_stepped;
/* Observer of a step. */
typedef struct gos_fmi_step_observer {
    bool stop_at_events; // end early when a limit is passed
    /** called after each integrator step; true: end here. May be NULL */
    bool (*update)(void *user, double time, bool last);
    void *user;
} gos_fmi_step_observer;
gos_status gos__fmi_step(gos_fmi *f, double from, double size,
                         const gos_fmi_step_observer *step_observer, gos_fmi_stepped *done);

/* ---- states as bytes (snapshot.c) ------------------------------------------------------------ */

/** Complete instance data, n bytes; free with gos__free. */
gos_status gos__fmi_snapshot(gos_fmi *f, unsigned char **bytes, size_t *n);
/** State and integrator data, after `front` bytes. */
gos_status gos__fmi_state_put(gos_fmi *f, size_t front, unsigned char **bytes, size_t *n);
/** Restore them, without integrator. tuned: from the system with other parameters */
gos_status gos__fmi_state_take(gos_fmi *f, const unsigned char *bytes, size_t n, bool tuned);
/** A snapshot of this instance or another one of the same unit. */
gos_status gos__fmi_restore(gos_fmi *f, const void *bytes, size_t n);

/* The same by pointer. */
gos_status gos__fmi_state_get(gos_fmi *f, void **state); // *state: NULL, or a state to replace
gos_status gos__fmi_state_set(gos_fmi *f, const void *state);
gos_status gos__fmi_state_free(gos_fmi *f, void **state); // *state NULL: nothing is done
void gos__fmi_states_free(gos_fmi *f);                    // all that the master has not freed
gos_status gos__fmi_state_size(gos_fmi *f, const void *state, size_t *n);
gos_status gos__fmi_state_write(gos_fmi *f, const void *state, void *bytes, size_t n);
gos_status gos__fmi_state_read(gos_fmi *f, const void *bytes, size_t n, void **state);

/* ---- derivatives (directional.c) ------------------------------------------------------------- */

/** change (nu) := derivatives of outputs or state derivatives by inputs and states, times the seed
 *  (nk). */
gos_status gos__fmi_directional(gos_fmi *f, const unsigned *unknown, size_t nu,
                                const unsigned *known, size_t nk, const double *seed,
                                double *change);

/* ---- model exchange (exchange.c) ------------------------------------------------------------- */

gos_status gos__fmi_exchange_create(gos_fmi *f);
void gos__fmi_exchange_destroy(gos_fmi *f);
/** Store on which side of each limit the signals are, at the start of a run and after a state was
 * set. */
gos_status gos__fmi_set_sides(gos_fmi *f);
/** Take the exchange out of the instance, so that it outlives a recompilation. The caller passes it
 * to gos__fmi_exchange_adopt, which copies the sides of its limits and frees it. */
struct gos_fmi_exchange *gos__fmi_exchange_detach(gos_fmi *f);
void gos__fmi_exchange_adopt(gos_fmi *f, struct gos_fmi_exchange *old);
int gos__fmi_states(const gos_fmi *f);
gos_status gos__fmi_set_time(gos_fmi *f, double t);
void gos__fmi_get_states(const gos_fmi *f, double *y);
gos_status gos__fmi_set_states(gos_fmi *f, const double *y);
gos_status gos__fmi_evaluate(gos_fmi *f);
gos_status gos__fmi_derivatives(gos_fmi *f, double *dy);
gos_status gos__fmi_indicators(gos_fmi *f, double *z);
/** Next switching time of a function of time, or HUGE_VAL. */
double gos__fmi_next_time(const gos_fmi *f);
/** End of an importer's step; *events: enter event mode. */
gos_status gos__fmi_completed(gos_fmi *f, bool *events);
/** An event that ends the run sets f->over. */
gos_status gos__fmi_new_states(gos_fmi *f);

#endif
