/* A unit that runs: what both versions of the interface stand on.
 *
 * An instance has a context, a model and a system of its own and shares nothing with others. It is
 * compiled when it is made, and again where parameters have been set. Nothing here knows types of
 * the interface; messages go to the master by `log`. */
#ifndef GOS_FMI_INSTANCE_H
#define GOS_FMI_INSTANCE_H

#include "fmu/variables.h"
#include "solve/observer.h"
#include "probes/probe_sample.h"

/* what may be called now, as bits */
typedef enum gos_fmi_phase {
    GOS_FMI_MADE = 1,
    GOS_FMI_INITIAL = 2, // initialization mode
    GOS_FMI_STEPS = 4,   // step mode, continuous-time mode
    GOS_FMI_EVENTS = 8,  // event mode
    GOS_FMI_ENDED = 16,
    GOS_FMI_FAILED = 32 // until it is reset, or a state is set
} gos_fmi_phase;

typedef enum gos_fmi_level { GOS_FMI_NOTE, GOS_FMI_WARNING, GOS_FMI_ERROR } gos_fmi_level;
typedef void (*gos_fmi_log)(void *user, gos_fmi_level level, const char *text);

/* an input, as the master has set it */
typedef struct gos_fmi_input {
    double value, rate; // rate: through the next step
    double given;       // 1: it was set, else it is what the model says
    double fresh;       // 1: the state does not know it yet
    double held;        // 1: it stands in the place of what the model says
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
    /* what is compiled */
    gos_system *full, *reduced;
    const gos_system *sys; // one of them
    gos_arena *listed;     // of `list`
    gos_fmu_variables list;
    double *parameter;    // of each in the list
    double *compiled;     // ... in the system
    bool stale;           // one was set since
    gos_fmi_input *input; // of each in the list
    /* the run */
    double stop, tolerance; // of the master; 0: the model's own
    gos_options options;
    bool begun, over; // over: an event has ended it
    gos_state *x;
    gos_integrator *integrator; // co-simulation
    gos_probe_sampler *sampler;
    double *value, *rate,
        *next; // of all components of probes (nvalue), as they were at the last step
    double *shown, *shown_rate; // and as inputs that are fresh make them
    int nvalue;
    bool seen;        // these belong to the state and inputs
    gos_work *work;   // of one evaluation
    gos_state *moved; // for scratch
    const gos_observer *observer;
    void *observing;
    long iterations;
    struct gos_fmi_exchange *exchange; // model exchange
} gos_fmi;

/* ---- life (instance.c) ----------------------------------------------------------------------- */

/* Who makes it. */
typedef struct gos_fmi_made {
    const char *folder; // of the resources, a path
    const char *token;
    gos_fmu_kind kind;
    gos_fmi_log log;
    void *log_user;
} gos_fmi_made;
/** NULL, with the reason to the log, where it cannot be made. */
gos_fmi *gos__fmi_create(const gos_fmi_made *made);
void gos__fmi_destroy(gos_fmi *f);
/** As it was when it was made. */
void gos__fmi_reset(gos_fmi *f);
/** Record an error. @return GOS_E_USE */
gos_status gos__fmi_wrong(gos_fmi *f, const char *fmt, ...) GOS_PRINTF(2, 3);
/** Tell the master what has been recorded. */
void gos__fmi_tell(gos_fmi *f);
/** Compile the model where parameters have been set, so that all variables are known. */
gos_status gos__fmi_compile(gos_fmi *f);
/** Begin the run where that has not been done: what follows knows a state, and one of a system with
 * the parameters that were set. */
gos_status gos__fmi_begin(gos_fmi *f);
/** Memory of a run of the system, whose state comes from elsewhere. */
gos_status gos__fmi_continue(gos_fmi *f);
/** Times and tolerance of the master; NULL: not said. @return GOS_E_USE for what makes no sense */
gos_status gos__fmi_setup(gos_fmi *f, const double *tolerance, double start, const double *stop);
/** The master ends the run: whoever has watched it may warn. */
gos_status gos__fmi_end(gos_fmi *f);
/** Drop the run, as a parameter or an input is set that it begins with. */
void gos__fmi_unbegin(gos_fmi *f);
/** The integrator of the state, anew. */
gos_status gos__fmi_integrate(gos_fmi *f);

/* ---- parameters of a run (tune.c) ------------------------------------------------------------ */

/** Compile with the tunable parameters that were set during the run, which goes on from where it
 * stands. @return GOS_E_USE where coordinates would not mean the same; the unit has then failed */
gos_status gos__fmi_tune(gos_fmi *f);

/* ---- values (values.c) ----------------------------------------------------------------------- */

gos_status gos__fmi_get(gos_fmi *f, unsigned reference, double *value);
gos_status gos__fmi_set(gos_fmi *f, unsigned reference, double value);
/** Rate of an input through the next step. */
gos_status gos__fmi_set_rate(gos_fmi *f, unsigned reference, double rate);
/** Rate of an output. */
gos_status gos__fmi_get_rate(gos_fmi *f, unsigned reference, double *rate);
/** Give the inputs that are fresh to a state, those with a rate up to `until`; x == f->x: then they
 * are not fresh any more. */
gos_status gos__fmi_give_inputs(gos_fmi *f, gos_state *x, double until);
/** Values of all probes at the state, and what they are beyond full turns; of a first one where
 * `first`. */
void gos__fmi_sample(gos_fmi *f, bool first);
/** Make `shown` what the state and fresh inputs say. */
gos_status gos__fmi_show(gos_fmi *f);

/* ---- steps (step.c) -------------------------------------------------------------------------- */

/* What a step has come to. */
typedef struct gos_fmi_stepped {
    double time; // reached
    bool events; // limits of signals were passed
    bool early;  // before its end
} gos_fmi_stepped;
/* Who looks at a step on its way. */
typedef struct gos_fmi_watch {
    bool stop_at_events; // end early where a limit is passed
    /** After each step of the integrator; true: end here. NULL: nobody */
    bool (*look)(void *user, double time, bool last);
    void *user;
} gos_fmi_watch;
gos_status gos__fmi_step(gos_fmi *f, double from, double size, const gos_fmi_watch *watch,
                         gos_fmi_stepped *done);

/* ---- states as bytes (snapshot.c) ------------------------------------------------------------ */

/** All that the instance depends on, n bytes; free with gos__free. */
gos_status gos__fmi_snapshot(gos_fmi *f, unsigned char **bytes, size_t *n);
/** The state alone and what its integrator keeps, behind `front` bytes. */
gos_status gos__fmi_state_put(gos_fmi *f, size_t front, unsigned char **bytes, size_t *n);
/** Take it; its integrator is still to be made. tuned: it was of the system with other
 * parameters */
gos_status gos__fmi_state_take(gos_fmi *f, const unsigned char *bytes, size_t n, bool tuned);
/** Go back to such a state, of this instance or one of the same unit. */
gos_status gos__fmi_restore(gos_fmi *f, const void *bytes, size_t n);

/* The same behind a pointer, as a master holds a state. */
gos_status gos__fmi_state_get(gos_fmi *f, void **state); // *state: NULL, or one to be replaced
gos_status gos__fmi_state_set(gos_fmi *f, const void *state);
void gos__fmi_state_free(gos_fmi *f, void **state);
gos_status gos__fmi_state_size(gos_fmi *f, const void *state, size_t *n);
gos_status gos__fmi_state_write(gos_fmi *f, const void *state, void *bytes, size_t n);
gos_status gos__fmi_state_read(gos_fmi *f, const void *bytes, size_t n, void **state);

/* ---- derivatives (directional.c) ------------------------------------------------------------- */

/** change (nu) := derivatives of outputs or state derivatives by inputs and states times the seed
 * (nk), at the present state. */
gos_status gos__fmi_directional(gos_fmi *f, const unsigned *unknown, size_t nu,
                                const unsigned *known, size_t nk, const double *seed,
                                double *change);

/* ---- model exchange (exchange.c) ------------------------------------------------------------- */

gos_status gos__fmi_exchange_create(gos_fmi *f);
void gos__fmi_exchange_destroy(gos_fmi *f);
int gos__fmi_states(const gos_fmi *f);
gos_status gos__fmi_set_time(gos_fmi *f, double t);
void gos__fmi_get_states(const gos_fmi *f, double *y);
gos_status gos__fmi_set_states(gos_fmi *f, const double *y);
/** Accelerations and temperature rates that belong to the state and inputs. */
gos_status gos__fmi_evaluate(gos_fmi *f);
gos_status gos__fmi_derivatives(gos_fmi *f, double *dy);
gos_status gos__fmi_indicators(gos_fmi *f, double *z);
/** The next time at which a function of time of the model switches, or HUGE_VAL. */
double gos__fmi_next_time(const gos_fmi *f);
/** A step of the master is over; *events: event mode should be entered. */
gos_status gos__fmi_completed(gos_fmi *f, bool *events);
/** Look at limits that were passed: an event that ends the run sets f->over. */
gos_status gos__fmi_new_states(gos_fmi *f);

#endif
