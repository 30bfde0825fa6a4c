/* Types of controllers; each converts its parameters to a linear law (parts/controller.h). */
#ifndef GOS_CONTROLLERS_H
#define GOS_CONTROLLERS_H

#include "parts/controller.h"

#define GOS_CONTROLLER_TYPES(X)                                                                    \
    X(designed) X(expression) X(pid) X(state_feedback) X(state_space) X(transfer_function)
#define X(name) extern const gos_type gos__controller_##name;
GOS_CONTROLLER_TYPES(X)
#undef X

/* Parameters of all types. */
typedef struct gos_control_common {
    gos_numbers limit;
    const gos_node *sample; // as given, NULL: continuous
    double scale;
} gos_control_common;

/* Their rows in parameter tables; `base`: offset of the struct. */
#define GOS_CONTROL_INPUTS(at)                                                                     \
    {                                                                                              \
        .name = "inputs", .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_REQUIRED, .offset = at,  \
        .doc = "controlled inputs: names of loads or heat entries, ENTRY or ENTRY.COMPONENT; the " \
               "controller's output is added to the declared value of each"                        \
    }
#define GOS_CONTROL_COMMON(base)                                                                   \
    {.name = "limit",                                                                              \
     .kind = GOS_K_NUMBERS,                                                                        \
     .unit = "unit of the input",                                                                  \
     .lo = 0,                                                                                      \
     .hi = HUGE_VAL,                                                                               \
     .flags = GOS_P_LO_OPEN,                                                                       \
     .offset = (base) + offsetof(gos_control_common, limit),                                       \
     .doc = "limit of the controller's output: one number, or one for each input; default: none"}, \
        {.name = "sample",                                                                         \
         .kind = GOS_K_NODE,                                                                       \
         .unit = "",                                                                               \
         .offset = (base) + offsetof(gos_control_common, sample),                                  \
         .doc = "sampling with a hold in between: {period: s, delay: s, quantisation: {signals: "  \
                "[..], inputs: [..]}}; delay is the time from sample to output (0), quantisation " \
                "the resolution of the converters (one number, or one each; 0: none). Default: "   \
                "continuous"},                                                                     \
    {                                                                                              \
        .name = "scale", .kind = GOS_K_NUMBER, .unit = "", .lo = 0, .hi = HUGE_VAL,                \
        .flags = GOS_P_LO_OPEN, .offset = (base) + offsetof(gos_control_common, scale),            \
        .doc = "scale of its states for the error tolerance of a run; default: 1"                  \
    }

/* A controller under construction. */
typedef struct gos_control_maker {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    gos_controller c;
    bool sampled; // sampling has been read
} gos_control_maker;

/** Begin with name and inputs. */
gos_status gos__control_begin(gos_builder *b, const gos_node *entry, const char *name,
                              const char *object, const gos_texts *inputs, gos_control_maker *k);
/** Append signals: the key's list of components of probes or expressions, or a single one. */
gos_status gos__control_signals(gos_control_maker *k, const char *key);
/** Zero matrix (m, n), column-major; NULL without memory. */
double *gos__control_zeros(const gos_control_maker *k, int m, int n);
/** Read a matrix (m, n): rows of numbers, one row, one number, or a file of rows (.csv) or of
 *  Matrix Market (.mtx). m or n < 0: any, set on return. *A stays NULL if the key is missing. */
gos_status gos__control_matrix(gos_control_maker *k, const char *key, int *m, int *n,
                               const double **A);
/** Read one number for all n, or one each; *x stays NULL if missing. */
gos_status gos__control_numbers(gos_control_maker *k, const char *key, const gos_numbers *given,
                                int n, const double **x);
/** Read `sample` early, for types whose law depends on it; otherwise gos__control_end does. */
gos_status gos__control_sampling(gos_control_maker *k, const gos_control_common *common);
/** Read the common parameters and add the controller. */
gos_status gos__control_end(gos_control_maker *k, const gos_control_common *common);

#endif
