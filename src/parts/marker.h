/* Parts of a system and the builder that collects them. Mechanics acts on markers, 3-vectors linear
 * in the vector coordinates (positions, slopes, body axes) with scalar weights times I3: bodies
 * contribute points with a constitutive law, joints and loads are items on a few markers. A reduced
 * model (e = E0 + Phi c) has the same parts with other weights. */
#ifndef GOS_MARKER_H
#define GOS_MARKER_H

#include "model/model.h"

/* x = off + sum w[j] e[idx[j]]. n = 0: fixed in space. Indices < 0: derived vectors
 * (parts/derived.h). */
typedef struct gos_marker {
    int n;
    const int *idx;  // (n)
    const double *w; // weights (n)
    double off[3];   // [m] or [-]
} gos_marker;

/* T = sum w[j] theta[idx[j]] of temperature coordinates. */
typedef struct gos_tmarker {
    int n;
    const int *idx;
    const double *w;
} gos_tmarker;

typedef struct gos_builder gos_builder;
typedef struct gos_body gos_body;
typedef struct gos_mesh gos_mesh;       // mesh/mesh.h
typedef struct gos_derived gos_derived; // parts/derived.h
typedef struct gos_derived_list gos_derived_list;
typedef struct gos_pulled gos_pulled;           // system/derived.h
typedef struct gos_cast_shadow gos_cast_shadow; // parts/shadow.h
typedef struct gos_spread_to gos_spread_to;

/* A scalar: y = sum over c of (component c of m[c]) + (component c of the rate of md[c]) + tm + sum
 * factor u. */
typedef struct gos_signal {
    gos_marker m[3], md[3];
    gos_tmarker tm;
    const char *unit;
    int n;
    const int *input;     // (n) direct feedthrough from inputs
    const double *factor; // (n)
} gos_signal;

typedef enum gos_input_kind {
    GOS_INPUT_FORCE,
    GOS_INPUT_HEAT,
    GOS_INPUT_MOTION, // prescribed coordinates
    GOS_INPUT_TEMPERATURE,
} gos_input_kind;

/* A system input: a time function of the entry that an external value may replace. Directions,
 * coefficients and shades are not inputs. */
typedef struct gos_input_def {
    int fn;                // index of the function
    const char *component; // suffix after the entry's name and a dot; NULL: none
    const char *unit;
    gos_input_kind kind;
    const gos_body *body; // matrices body that it drives, or NULL
    int port;             // ... its input, from 0
} gos_input_def;

typedef struct gos_shown {
    const char *name, *unit;
} gos_shown;

/* ---- construction and values -----------------------------------------------------------------*/

gos_marker gos__marker_fixed(const double x[3]);
/** m = off + sum w[j] e[idx[j]], copied into the arena; merges equal indices, drops zero weights.
 * off may be NULL. @return GOS_E_MEMORY. */
gos_status gos__marker_make(gos_arena *a, int n, const int *idx, const double *w, const double *off,
                            gos_marker *m);
/** m = sum_k factor[k] part[k], merged; m may alias a part. @return GOS_E_MEMORY. */
gos_status gos__marker_sum(gos_arena *a, int n, const gos_marker *part, const double *factor,
                           gos_marker *m);
/** Makes a temperature marker, merged likewise. @return GOS_E_MEMORY. */
gos_status gos__tmarker_make(gos_arena *a, int n, const int *idx, const double *w, gos_tmarker *m);

/** gos__marker_rate for consecutive vectors (kernel_marker.c). @return false, with x unchanged, if
 * they are not. */
bool gos__kernel_marker(const gos_marker *m, const double *v, double x[3]);

/** Initial value of a marker. */
void gos__marker_initial(const gos_builder *b, const gos_marker *m, double x[3]);

/* marker values */
void gos__marker_value(const gos_marker *m, const double *e, double x[3]);
void gos__marker_rate(const gos_marker *m, const double *v, double x[3]); // without the offset
double gos__tmarker_value(const gos_tmarker *m, const double *th);

#endif
