/* Heat sources (`heat:` entries). On an outline or face: `gos_surface`, evaluated at the body's
   points. On an end or at a point: `gos_item` on the temperature families there. */
#ifndef GOS_HEAT_H
#define GOS_HEAT_H

#include "parts/builder.h"

extern const gos_type gos__heat_contact;
extern const gos_type gos__heat_exchange;
extern const gos_type gos__heat_enclosure;
extern const gos_type gos__heat_flux;
extern const gos_type gos__heat_sun;
extern const gos_type gos__heat_convection;
extern const gos_type gos__heat_radiation;
extern const gos_type gos__heat_source;
extern const gos_type gos__heat_temperature;
extern const gos_type gos__heat_flow;

#define GOS_HEAT_NDIR 2 // maximum directors of a law: beam d2, d3; plate n
#define GOS_HEAT_NZ 8   // maximum 3-vectors per point of a law

/* Common parameters; `st` is the definition struct. */
#define GOS_HEAT_ON(st, text)                                                                      \
    {                                                                                              \
        .name = "on", .kind = GOS_K_NAMES, .unit = "", .flags = GOS_P_REQUIRED,                    \
        .offset = offsetof(st, on), .doc = text                                                    \
    }
#define GOS_HEAT_VALUE(st, u, text)                                                                \
    {                                                                                              \
        .name = "value", .kind = GOS_K_TIMEFN, .unit = u, .flags = GOS_P_REQUIRED,                 \
        .offset = offsetof(st, value), .doc = text                                                 \
    }
#define GOS_HEAT_DIRECTION(st, member, needed, text)                                               \
    {                                                                                              \
        .name = #member, .kind = GOS_K_TIMEFNS, .unit = "-", .shape = 3, .flags = needed,          \
        .offset = offsetof(st, member), .doc = text                                                \
    }
#define GOS_HEAT_PART(st, member, text)                                                            \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBER, .unit = "-", .lo = 0.0, .hi = 1.0,                  \
        .offset = offsetof(st, member), .doc = text                                                \
    }
#define GOS_HEAT_SMOOTHING(st, text)                                                               \
    {                                                                                              \
        .name = "smoothing", .kind = GOS_K_NUMBER, .unit = "-", .lo = 0.0, .hi = 0.01, .def = "0", \
        .offset = offsetof(st, smoothing), .doc = text                                             \
    }

/* Kinds of attachment (flags). */
typedef enum gos_heat_where {
    GOS_ON_BODY = 1,
    GOS_ON_FACE = 2,
    GOS_ON_END = 4,
    GOS_ON_POINT = 8, // node or point between nodes
    GOS_ON_EDGE = 16, // nodes of a plate edge
} gos_heat_where;

typedef struct gos_heat_location {
    gos_location location;
    gos_heat_where where;
    gos_loc loc;
    const char *text; // as written in the model
    bool inside;      // heat arises in the volume, not on the surface
} gos_heat_location;

typedef struct gos_heat_entry {
    const gos_type *type;
    gos_builder *b;
    const gos_node *node;
    const char *name;   // "sun"
    const char *object; // "heat 'sun'"
    int fn0, nfn;
    gos_cast_shadow *shadow; // shadow on its surfaces; NULL: none
} gos_heat_entry;

/** Begin an entry: fill its definition `in` (type->size bytes). */
gos_status gos__heat_begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *name, const char *object, void *in, gos_heat_entry *e);
/** Surface property at `offset` in the body's materials; GOS_E_INPUT if they differ and `key` is
 * required. */
gos_status gos__heat_property(const gos_heat_entry *e, const gos_heat_location *p, size_t offset,
                              const char *key, double *value);
/** Points of the body that accept heat, for messages. */
const char *gos__heat_points(const gos_heat_entry *e, const gos_body *body);
/** Resolve element i of `on`; fails without temperature or for kinds not `allowed`. */
gos_status gos__heat_location(const gos_heat_entry *e, const gos_texts *on, int i, unsigned allowed,
                              gos_heat_location *p);
gos_status gos__heat_fns(gos_heat_entry *e, int n, gos_timefn *const *fn);
/** Reject constants below absolute zero; varying functions are not checked. */
gos_status gos__heat_above_zero(const gos_heat_entry *e, const char *key, const gos_timefn *fn);
/** True for a single temperature (rigid bodies). */
bool gos__heat_lumped(const gos_body *b);
/** Stefan-Boltzmann constant [W/(m^2 K^4)], in model units. */
gos_status gos__heat_stefan_boltzmann(const gos_builder *b, double *sigma);
/** Section points of the outline, face or end face. Fails if there are none. */
gos_status gos__heat_patch(const gos_heat_entry *e, const gos_heat_location *p,
                           const gos_section_point **pt, int *n);
/** Warn if much of the surface faces its own body, which does not block light. (Mesh bodies
 * only.) */
gos_status gos__heat_visibility(const gos_heat_entry *e, const gos_heat_location *p);
/** s[k] = sum dl phi_k over points: [m, m^2, ...] along a body, [m^2, ...] at an end. */
void gos__heat_moments(const gos_section_point *pt, int n, int nfam, double *s);
/** Attach a surface, or an item on the families there, with one input `input`; `slope` adds the
 * tangent as marker 0 (ends only). */
gos_status gos__heat_attach(const gos_heat_entry *e, const gos_heat_location *p,
                            const gos_surface_type *surface, const gos_item_type *item,
                            const gos_input_def *input, const void *par, bool slope);

/* Light of an entry; its strength is a product of time functions. */
typedef struct gos_heat_light {
    int direction; // first of three direction functions
    int nfactor;   // number of factors: [W/m^2] and fractions
    int factor[4]; // function indices
    // light from a sphere towards `direction`: index of the function radius/distance; 0: parallel
    // light
    int sphere;
    const gos_input_def *input; // the input among the factors
    double absorbed;            // fraction absorbed at normal incidence
    double smoothing;           // rounding of |cosine|
} gos_heat_light;
/** Absorb light by orientation; fails without directions. */
gos_status gos__heat_directed(const gos_heat_entry *e, const gos_heat_location *p,
                              const gos_heat_light *light);
/** Rejects a direction that is always zero. */
gos_status gos__heat_direction(const gos_heat_entry *e, const char *key,
                               gos_timefn *const direction[3]);

/* Input with fixed weights per family. */
typedef struct gos_heat_input {
    double s[GOS_FAMILIES];
} gos_heat_input;
/** heat_k = scale * fn[0] * s[k]; `input` declares fn[0]. */
gos_status gos__heat_input(const gos_heat_entry *e, const gos_heat_location *p,
                           const gos_input_def *input, const double *s);

/* Absorbed flux as a combination of g = c2, c3, |c2|, |c3|, sqrt(c2^2 + c3^2) (theory guide
   2.4). */
#define GOS_FLUX_SHAPES 5
typedef struct gos_flux_weights {
    double w[GOS_FAMILIES][GOS_FLUX_SHAPES];
    double eps2; // squared smoothing of |.|
} gos_flux_weights;

/* heat[k] += q w[k] . g; c is (2)(LANES), 0 for missing directors */
void gos__kernel_flux(const gos_flux_weights *f, int nfam, double q, const double *c, double *heat);
/* Hz[k] += q w[k] . dg/dc dc/dz;  dc is (2)(nz3)(LANES) */
void gos__kernel_flux_tangent(const gos_flux_weights *f, int nfam, int nz3, double q,
                              const double *c, const double *dc, double *Hz);
/* As above for a sphere (sphere_flux.c); u: radius over distance; q includes u^2. */
void gos__sphere_flux(const gos_flux_weights *f, int nfam, double u, double q, const double *c,
                      double *heat);
void gos__sphere_flux_tangent(const gos_flux_weights *f, int nfam, int nz3, double u, double q,
                              const double *c, const double *dc, double *Hz);
/* Harmonics m = 2, 4, ... <= modes of the flux absorbed by a circle, families 2 m - 1 and 2 m
   (theory guide 2.8): heat_{2m-1} + i heat_2m += q g_m |w| (w/|w|)^m, w = c2 + i c3, g_m = 2
   (-1)^{m/2+1}/(m^2 - 1) */
void gos__kernel_harmonics(int modes, double eps2, double q, const double *c, double *heat);
void gos__kernel_harmonics_tangent(int modes, double eps2, int nz3, double q, const double *c,
                                   const double *dc, double *Hz);
/* heat_k += q sum_p dl phi_k (sink^4 - T^4), T = T_ref + sum phi_k th_k */
void gos__kernel_radiation(const gos_section_point *pt, int n, int nfam, double q, double T_ref,
                           double sink, const double *th, double *heat);
void gos__kernel_radiation_tangent(const gos_section_point *pt, int n, int nfam, double q,
                                   double T_ref, const double *th, double *Ht);
/* heat_k += q (ambient s_k - sum_j S_kj th_j) */
void gos__kernel_film(const double *S, const double *s, int nfam, double q, double ambient,
                      const double *th, double *heat);
void gos__kernel_film_tangent(const double *S, int nfam, double q, double *Ht);

#endif
