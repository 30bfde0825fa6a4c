/* Types of controllers, and what they share: each makes a linear law of its parameters
 * (parts/controller.h). */
#ifndef GOS_CONTROLLERS_H
#define GOS_CONTROLLERS_H

#include "parts/controller.h"

#define GOS_CONTROLLER_TYPES(X)                                                                    \
    X(designed) X(expression) X(pid) X(state_feedback) X(state_space) X(transfer_function)
#define X(name) extern const gos_type gos__controller_##name;
GOS_CONTROLLER_TYPES(X)
#undef X

/* Parameters that every type has. */
typedef struct gos_control_common {
    gos_numbers limit;
    const gos_node *sample; // as it was given, NULL: continuous
    double scale;
} gos_control_common;

/* Their rows; `base`: offset of the struct. */
#define GOS_CONTROL_INPUTS(at)                                                                     \
    {                                                                                              \
        .name = "inputs", .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_REQUIRED, .offset = at,  \
        .doc = "what it governs: names of loads or heat entries, ENTRY or ENTRY.COMPONENT; each "  \
               "gets the declared amount plus what the controller says"                            \
    }
#define GOS_CONTROL_COMMON(base)                                                                   \
    {.name = "limit",                                                                              \
     .kind = GOS_K_NUMBERS,                                                                        \
     .unit = "unit of the input",                                                                  \
     .lo = 0,                                                                                      \
     .hi = HUGE_VAL,                                                                               \
     .flags = GOS_P_LO_OPEN,                                                                       \
     .offset = (base) + offsetof(gos_control_common, limit),                                       \
     .doc = "largest size of what it adds: one number, or one for each input; without: none"},     \
        {.name = "sample",                                                                         \
         .kind = GOS_K_NODE,                                                                       \
         .unit = "",                                                                               \
         .offset = (base) + offsetof(gos_control_common, sample),                                  \
         .doc = "sampled, with what it says held in between: {period: s, delay: s, quantisation: " \
                "{signals: [..], inputs: [..]}}; the delay is from sample to output (0), "         \
                "quantisation are the steps that converters tell apart (one number, or one each; " \
                "0: none). Without: continuous"},                                                  \
    {                                                                                              \
        .name = "scale", .kind = GOS_K_NUMBER, .unit = "", .lo = 0, .hi = HUGE_VAL,                \
        .flags = GOS_P_LO_OPEN, .offset = (base) + offsetof(gos_control_common, scale),            \
        .doc = "size of its states, which the tolerance of a run refers to; without: 1"            \
    }

/* A controller that is being made. */
typedef struct gos_control_maker {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    gos_controller c;
    bool sampled; // that has been read
} gos_control_maker;

/** Begin one: its name, and its inputs. */
gos_status gos__control_begin(gos_builder *b, const gos_node *entry, const char *name,
                              const char *object, const gos_texts *inputs, gos_control_maker *k);
/** More signals: the key's list of components of probes or expressions, or one of them. */
gos_status gos__control_signals(gos_control_maker *k, const char *key);
/** Room for a matrix (m, n), column-major, of zeros; NULL without memory. */
double *gos__control_zeros(const gos_control_maker *k, int m, int n);
/** A matrix (m, n) of the key: rows of numbers, one row, one number, or the name of a file of them
 * (.csv) or of Matrix Market (.mtx). m or n below 0: as it is there, then set. *A stays NULL
 * without the key. */
gos_status gos__control_matrix(gos_control_maker *k, const char *key, int *m, int *n,
                               const double **A);
/** Numbers of the key, one for all n or one each; *x stays NULL without. */
gos_status gos__control_numbers(gos_control_maker *k, const char *key, const gos_numbers *given,
                                int n, const double **x);
/** How it is sampled, for types whose law depends on it; else gos__control_end does it. */
gos_status gos__control_sampling(gos_control_maker *k, const gos_control_common *common);
/** The common parameters; then it is added. */
gos_status gos__control_end(gos_control_maker *k, const gos_control_common *common);

#endif
