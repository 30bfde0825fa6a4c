/* Reduction methods as types of section `reduction`. A linear method is one file with type,
   parameter table and functions, and one line in GOS_LINEAR_METHODS. */
#ifndef GOS_LINEAR_METHODS_H
#define GOS_LINEAR_METHODS_H

#include <math.h>

#include "gossamer/reduce_linear.h"
#include "model/model.h"

/* all linear methods; auto and complex_modes also reduce nonlinear models (types in rom) */
#define GOS_LINEAR_METHODS(X)                                                                      \
    X(auto)                                                                                        \
    X(complex_modes)                                                                               \
    X(krylov)                                                                                      \
    X(irka)                                                                                        \
    X(irka_second)                                                                                 \
    X(balanced)                                                                                    \
    X(balanced_second)                                                                             \
    X(modes)                                                                                       \
    X(modes_static)                                                                                \
    X(response_modes)                                                                              \
    X(craig_bampton)                                                                               \
    X(free_interface)                                                                              \
    X(static_vectors)                                                                              \
    X(frequency_vectors)                                                                           \
    X(pod)

#define X(name) extern const gos_type gos__reduction_##name;
GOS_LINEAR_METHODS(X)
#undef X

/* `ops` of the types of this section. */
typedef struct gos_reduction_ops {
    const struct gos_reduce_method *linear;    // for linear models; NULL: not supported
    const struct gos_system_method *nonlinear; // for systems (system/reduction.h)
    size_t linear_def;                         // offset of the gos_linear_def in the type's struct
} gos_reduction_ops;

/* Options of linear methods; each table has the rows it uses. */
typedef struct gos_linear_def {
    int order, candidates, snapshots, correction, responses, modes;
    double tolerance;        // [-]
    double band[2];          // [Hz]
    gos_numbers frequencies; // expansion points [Hz]
    gos_numbers shifts;      // expansion points, real and imaginary parts alternating [1/s]
    int two_sided;           // bool
    int transient;           // bool
    int response;            // 0: dynamic, 1: quasi-static
    int ranking;             // index into the options of the method's own row
    gos_texts interface;
} gos_linear_def;

/* linear part of auto and complex_modes */
extern const struct gos_reduce_method gos__method_auto, gos__method_complex_modes;

/** Type of a linear method by name; NULL: unknown. */
const gos_type *gos__linear_method_type(const char *name);
/** Options from the struct of a type's table; allocated in the arena. */
gos_status gos__linear_options(gos_arena *a, const gos_type *type, const gos_linear_def *def,
                               bool tolerance_given, gos_linear_reduction_options *options);
/** Reject options that the method does not use, by name. */
gos_status gos__linear_options_check(gos_ctx *ctx, const gos_type *type,
                                     const gos_linear_reduction_options *options);

/* Parameter rows. `at`: offset of the gos_linear_def in the struct; `models`: 0 or GOS_P_LINEAR. */
#define GOS_ROW_COUNT(at, models, member, doc_)                                                    \
    {                                                                                              \
        .name = #member, .kind = GOS_K_INT, .unit = "", .lo = 0, .hi = 100000, .flags = (models),  \
        .def = "0", .offset = (at) + offsetof(gos_linear_def, member), .doc = doc_                 \
    }
#define GOS_ROW_FLAG(at, models, member, doc_)                                                     \
    {                                                                                              \
        .name = #member, .kind = GOS_K_BOOL, .unit = "", .flags = (models), .def = "false",        \
        .offset = (at) + offsetof(gos_linear_def, member), .doc = doc_                             \
    }
#define GOS_ROW_ORDER(at, models)                                                                  \
    GOS_ROW_COUNT(at, models, order,                                                               \
                  "basis vectors of each field; 0: as many as `tolerance` requires on `band`")
#define GOS_ROW_BAND(at, models)                                                                   \
    {                                                                                              \
        .name = "band", .kind = GOS_K_VECTOR, .unit = "Hz", .shape = 2, .lo = 0, .hi = HUGE_VAL,   \
        .flags = (models), .def = "[0, 0]", .offset = (at) + offsetof(gos_linear_def, band),       \
        .doc = "frequencies on which `tolerance` bounds the largest error of the frequency "       \
               "response, relative to its largest value; default: around the ten lowest modes"     \
    }
#define GOS_ROW_TOLERANCE(at)                                                                      \
    {                                                                                              \
        .name = "tolerance", .kind = GOS_K_NUMBER, .unit = "-", .lo = 0, .hi = 1,                  \
        .flags = GOS_P_LO_OPEN, .def = "1e-3",                                                     \
        .offset = (at) + offsetof(gos_linear_def, tolerance),                                      \
        .doc =                                                                                     \
            "required error bound on `band`; if an explicit tolerance is not met, the reduction "  \
            "fails"                                                                                \
    }
#define GOS_ROW_CORRECTION(at, models)                                                             \
    GOS_ROW_COUNT(                                                                                 \
        at, models, correction,                                                                    \
        "number of truncated modes added to the reduced model, the lowest that it does not "       \
        "contain, as oscillators driven by the load and the reduced motion")
#define GOS_ROW_FREQUENCIES(without)                                                               \
    {                                                                                              \
        .name = "frequencies", .kind = GOS_K_NUMBERS, .unit = "Hz", .lo = 0, .hi = HUGE_VAL,       \
        .offset = offsetof(gos_linear_def, frequencies),                                           \
        .doc = "expansion points on the imaginary axis; default: " without                         \
    }
#define GOS_ROW_SHIFTS                                                                             \
    {                                                                                              \
        .name = "shifts", .kind = GOS_K_NUMBERS, .unit = "1/s", .shape = 2, .flags = GOS_P_EMPTY,  \
        .offset = offsetof(gos_linear_def, shifts),                                                \
        .doc =                                                                                     \
            "further expansion points: real ones, and complex ones as [real, imaginary], which "   \
            "include their conjugates"                                                             \
    }
#define GOS_ROW_RANKING(choices_, def_, doc_)                                                      \
    {                                                                                              \
        .name = "ranking", .kind = GOS_K_CHOICE, .unit = "", .def = def_, .choices = choices_,     \
        .offset = offsetof(gos_linear_def, ranking), .doc = doc_                                   \
    }
#define GOS_ROW_MODE_RANKING                                                                       \
    GOS_ROW_RANKING("frequency|peak|gain|cost|balanced|inertia", "frequency",                      \
                    "criterion of mode selection: the lowest, or the most important by a measure " \
                    "(docs/linear-reduction.md)")

#define GOS_ROW_MODE_CANDIDATES                                                                    \
    GOS_ROW_COUNT(0, 0, candidates, "number of modes ranked; 0: three times the order plus 10")

/* type of a purely linear method; settings_ follow the method in its example */
#define GOS_LINEAR_METHOD(name_, doc_, settings_, params_, method_)                                \
    {                                                                                              \
        .section = "reduction", .name = name_, .doc = doc_, .params = params_,                     \
        .size = sizeof(gos_linear_def), .example = "reduction: {method: " name_ settings_ "}",     \
        .ops = &(const gos_reduction_ops) {                                                        \
            .linear = method_                                                                      \
        }                                                                                          \
    }

#endif
