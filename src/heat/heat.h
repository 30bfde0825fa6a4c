/* Heat sources of a model (`heat:` entries) and what their types share.

   A source acts on the outline of a whole body or on one face (a `gos_surface`, evaluated at the
   body's points), on an end face or at a point (a `gos_item` on the temperature families there). */
#ifndef GOS_HEAT_H
#define GOS_HEAT_H

#include "parts/parts.h"

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

#define GOS_HEAT_NDIR 2 // most directors of a law under a directed flux: beam d2, d3; plate n
#define GOS_HEAT_NZ 8   // most 3-vectors per point of a law under a directed flux

/* Entries of the parameter tables that several types have; `st` is the struct that the table
   fills. */
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

/* Kinds of places a source may act on; combined as flags to say which are allowed. */
typedef enum gos_heat_where {
    GOS_ON_BODY = 1,  // the whole outline or volume
    GOS_ON_FACE = 2,  // a flat face
    GOS_ON_END = 4,   // an end face
    GOS_ON_POINT = 8, // a node or a point between nodes
    GOS_ON_EDGE = 16, // the nodes of an edge of a plate
} gos_heat_where;

typedef struct gos_heat_place {
    gos_place place;
    gos_heat_where where;
    gos_loc loc;
    const char *text; // as written in the model
    bool inside;      // heat arises in the volume of a whole body, not on its surface
} gos_heat_place;

/* One entry while it is built. */
typedef struct gos_heat_entry {
    const gos_type *type;
    gos_builder *b;
    const gos_node *node;
    const char *name;        // "sun"
    const char *object;      // "heat 'sun'"
    int fn0, nfn;            // its time functions
    gos_cast_shadow *shadow; // that falls where it acts, NULL: none
} gos_heat_entry;

/** Begin an entry: fill its struct `in` (of type->size) and what the others take. */
gos_status gos__heat_begin(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *name, const char *object, void *in, gos_heat_entry *e);
/** A property of the surface there, at `offset` in the material: that of all materials of the body.
 * GOS_E_INPUT where they differ, so that the entry has to say it by `key`. */
gos_status gos__heat_property(const gos_heat_entry *e, const gos_heat_place *p, size_t offset,
                              const char *key, double *value);
/** Places of this body that hold or take heat at a point, as messages name them. */
const char *gos__heat_points(const gos_heat_entry *e, const gos_body *body);
/** Resolve place i of `on`. Fails when the body has no temperature or the kind is not in
 * `allowed`. */
gos_status gos__heat_place(const gos_heat_entry *e, const gos_texts *on, int i, unsigned allowed,
                           gos_heat_place *p);
/** Hand the entry's time functions to the builder; sets fn0, nfn. */
gos_status gos__heat_fns(gos_heat_entry *e, int n, gos_timefn *const *fn);
/** A constant of the entry must not lie below absolute zero; functions that vary are the user's
 *  care. */
gos_status gos__heat_above_zero(const gos_heat_entry *e, const char *key, const gos_timefn *fn);
/** Has the body one temperature for all of it (a rigid body)? */
bool gos__heat_lumped(const gos_body *b);
/** Constant of radiation [W/(m^2 K^4)] in the units of the model. */
gos_status gos__heat_stefan_boltzmann(const gos_builder *b, double *sigma);
/** The points that cover the place: outline, one face, or end face. Fails when there are none. */
gos_status gos__heat_patch(const gos_heat_entry *e, const gos_heat_place *p,
                           const gos_section_point **pt, int *n);
/** Warn where a good part of the place looks at the body itself: what arrives there from afar, and
 * what leaves, is in its way. (Bodies of meshes alone.) */
gos_status gos__heat_sight(const gos_heat_entry *e, const gos_heat_place *p);
/** s[k] = sum dl phi_k over points: [m, m^2, ...] along a body, [m^2, ...] of an end. */
void gos__heat_moments(const gos_section_point *pt, int n, int nfam, double *s);
/** Act on the place: a surface of the body, or an item on the families there, with the one input
 * that it declares. `slope` adds the body's tangent as the item's marker 0 (ends only). */
gos_status gos__heat_attach(const gos_heat_entry *e, const gos_heat_place *p,
                            const gos_surface_type *surface, const gos_item_type *item,
                            const gos_amount *amount, const void *par, bool slope);

/* A parallel flux of an entry: its strength is the product of some of the entry's time functions,
   and three others give its direction of travel. */
typedef struct gos_heat_light {
    int direction; // first of the three
    int nfactor;   // [W/m^2] and parts
    int factor[4]; // which functions
    int sphere;    // it comes from a sphere, against `direction`, evenly: which function is radius
                   // over distance; 0: it does not
    const gos_amount *amount; // that of them which is an input
    double absorbed;          // part that a surface facing it absorbs
    double smoothing;         // of the kink of |cosine|
} gos_heat_light;
/** Let the place absorb light by its orientation. Fails where there are no directions to tell
 * it. */
gos_status gos__heat_directed(const gos_heat_entry *e, const gos_heat_place *p,
                              const gos_heat_light *light);
/** The vector at `key` must not be zero for ever. */
gos_status gos__heat_direction(const gos_heat_entry *e, const char *key,
                               gos_timefn *const direction[3]);

/* A given amount with a fixed share for each family (fixed flux, internal heat, heat flow). */
typedef struct gos_heat_amount {
    double s[GOS_FAMILIES];
} gos_heat_amount;
/** heat_k = scale * fn[0] * s[k] at the place; `amount` declares fn[0]. */
gos_status gos__heat_amount(const gos_heat_entry *e, const gos_heat_place *p,
                            const gos_amount *amount, const double *s);

/* ---- hot kernels --------------------------------------------------------------------------- */

/* Absorbed flux as a combination of g = c2, c3, |c2|, |c3|, sqrt(c2^2 + c3^2) (theory guide
   2.4). */
#define GOS_FLUX_SHAPES 5
typedef struct gos_flux_weights {
    double w[GOS_FAMILIES][GOS_FLUX_SHAPES];
    double eps2; // square of the smoothing of |.|
} gos_flux_weights;

/* heat[k] += q w[k] . g;  c is (2)(LANES), 0 for a director that a law has not */
void gos__kernel_flux(const gos_flux_weights *f, int nfam, double q, const double *c, double *heat);
/* Hz[k] += q w[k] . dg/dc dc/dz;  dc is (2)(nz3)(LANES) */
void gos__kernel_flux_tangent(const gos_flux_weights *f, int nfam, int nz3, double q,
                              const double *c, const double *dc, double *Hz);
/* The same of what a sphere radiates (sphere_flux.c), u: radius over distance; q times u^2. */
void gos__sphere_flux(const gos_flux_weights *f, int nfam, double u, double q, const double *c,
                      double *heat);
void gos__sphere_flux_tangent(const gos_flux_weights *f, int nfam, int nz3, double u, double q,
                              const double *c, const double *dc, double *Hz);
/* Harmonics m = 2, 4, ... <= modes of the flux that a circle absorbs, families 2 m - 1 and 2 m
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
