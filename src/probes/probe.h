/* Probes: named quantities recorded during a run. */
#ifndef GOS_PROBE_H
#define GOS_PROBE_H

#include "system/system.h"

#define GOS_PROBE_MARKERS 48
#define GOS_PROBE_STRAINS 9 // maximum number of strains of a law

/* Requirements of a quantity. */
enum {
    GOS_NEEDS_POINT = 1,
    GOS_NEEDS_RIGID = 2,
    GOS_NEEDS_SECTION = 4,
    GOS_NEEDS_HEAT = 8,
    GOS_NEEDS_JOINT = 16,
    GOS_NEEDS_NOTHING = 32,
    GOS_NEEDS_COORDINATES = 64,
    GOS_NEEDS_HINGE = 128,
    GOS_NEEDS_PORT = 256,
    GOS_NEEDS_STRESS = 512, // law with stresses instead of forces and moments
    GOS_NEEDS_ELECTRODE = 2048,
    GOS_NEEDS_NODES = 1024,
    GOS_NEEDS_HEATER = 4096,
    GOS_NEEDS_ORBIT = 8192
};

typedef enum gos_output_form {
    GOS_OUTPUT_NONE,        // not a function of coordinates, rates and temperatures only
    GOS_OUTPUT_POSITION,    // first marker's value
    GOS_OUTPUT_VELOCITY,    // first marker's rate
    GOS_OUTPUT_TEMPERATURE, // temperature markers' values
    GOS_OUTPUT_SIGNAL,      // sum defined by a matrix body
    GOS_OUTPUT_DIFFERENCES  // function of its markers, differentiated numerically
} gos_output_form;

/* How full turns are unwrapped. */
typedef enum gos_probe_rotating {
    GOS_TURNS_NONE,
    GOS_TURNS_ANGLE,
    GOS_TURNS_VECTOR,     // along a rotation vector
    GOS_TURNS_COORDINATES // in the angles among joint coordinates
} gos_probe_rotating;

typedef struct gos_quantity {
    const char *name, *unit, *doc;
    int needs;
    int ncomp; // 0: number of temperature families or of the law's components
    const char *const *components;
    void (*value)(const gos_system *s, const gos_state *x, const gos_probe *p, double *value);
    bool frames; // a vector; supports `frame` and `direction`
    gos_output_form output;
    /* adds the closed-form rate, global axes for vectors; false: unavailable for this probe; NULL:
       never available */
    bool (*rate)(const gos_state *x, const gos_probe *p, double *rate);
    bool since_start; // relative to the value at t = 0
    gos_probe_rotating turns;
    bool estimated; // the rate is an integrator estimate, too inaccurate for interpolation
} gos_quantity;

/* Values of the law around a section or stress probe; see stress_patch.c. */
typedef struct gos_stress_patch gos_stress_patch;

struct gos_probe {
    const char *name;
    const gos_quantity *quantity;
    const char *unit; // see base/units.h
    int ncomp;
    const char *const *components;
    int nm, ntm;
    gos_marker m[GOS_PROBE_MARKERS]; // markers read by the quantity, see probe_values.c
    gos_tmarker *tm;                 // temperature families (ntm)
    double x0[3];                    // position at t = 0
    double axes0[9];                 // rows: body axes at t = 0 (rotation), or frame axes
    double direction[3];             // of a scalar component
    bool scalar;
    bool couple; // joint_moment: only about the joint's axis
    bool framed; // components in axes of a body
    int frame0;  // first of four markers, node and axes; 0: the point's own axes
    double axis[3];
    double start;          // value at t = 0 of an angle or single joint coordinate
    unsigned undetermined; // bit c: component c depends on dropped redundant rows
    bool section;          // markers 1, 2 are section vectors, not rigid axes
    bool turned;           // reactions in axes rotating with section vectors, markers 2, 3
    double along[9];       // those axes at t = 0 (rows)
    const gos_body *body;
    const void *law_par;            // law parameters there
    int nrecovered;                 // recovered stresses: one, or all for a maximum
    const gos_recovered *recovered; // (nrecovered)
    int loop, first;                // controller number and first component
    int npart;                      // solids: values to maximise over
    const gos_probe *part;          // (npart)
    // section points read instead of the location; rows of z, temperatures and reference data are
    // consecutive; 0: the location
    int npoint;
    double weight[GOS_SECTION_POINTS];    // weights of section points (npoint)
    int nbalance, nwarm;                  // of gos__section_balance
    const void *balance;                  // gos_balance.data; NULL: law only
    double *ref;                          // reference data of the law there (law->nref)
    const gos_stress_patch *patch;        // for the error of the mesh; NULL: unknown
    const char *shown[GOS_ITEM_OBSERVED]; // names of observed item values
    const gos_joint_coordinate *coord;    // joint coordinates (ncomp), three markers each
    int nfeed; // output: number of time functions with direct feed-through
    const int *feed_fn;
    const double *feed; // their factors (nfeed)
    // joint, prescribed temperature, or section memory; NULL: none
    const gos_item *item;
};

/** Use axes of a body; appends its node and axes to the markers. */
gos_status gos__probe_frame(gos_builder *b, gos_probe *p, const char *frame, gos_loc loc,
                            const char *object);

/* probe_electrode.c */
gos_status gos__probe_electrode(gos_builder *b, const struct gos_electrode *electrode,
                                gos_probe *p);
/** Probe for ELECTRODE.QUANTITY in a controller's signals; NULL if `text` is something else. */
gos_status gos__probe_of_signal(gos_builder *b, const char *text, gos_loc loc, const char *object,
                                gos_probe **probe);
/** Append probes of electrodes that a design measures (gos_model.sense). */
gos_status gos__probes_sensed(gos_builder *b, gos_system *sys);

/* probe_joint.c */
/** Joint force on its first side, global axes. */
void gos__joint_force(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
/** Joint moment on its first side about the joint's point, global axes; for a driven angle without
 * frame or direction, about its axis (one number). */
void gos__joint_moment(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
/** Free coordinates of the joint (ncomp), 0 at t = 0, and their rates. */
void gos__joint_coordinates(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__joint_rates(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
gos_status gos__probe_coordinates(gos_builder *b, const char *joint, const gos_node *entry,
                                  const char *object, gos_probe *p);
/** Resolve joint and component axes of a reaction. */
gos_status gos__probe_joint(gos_builder *b, const char *joint, const char *frame,
                            const gos_node *entry, const char *object, gos_probe *p);

/* probe_heat.c */
gos_status gos__probe_heater(gos_builder *b, const char *heat, const gos_node *entry,
                             const char *object, gos_probe *p);
/** Total heat into a temperature entry [W]. */
void gos__reaction_heat(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);

/* probe_orbit.c */
/** Check that the model has the orbit, and the Sun, required. */
gos_status gos__probe_check_orbit(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_probe *p);
/** Position and velocity of the origin from the central body, unit vector to the Sun, visible
 * fraction; global axes. */
void gos__orbit_position(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__orbit_velocity(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__orbit_sun(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__orbit_light(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
/** Position in orbit axes. */
void gos__orbit_coordinates(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);

const gos_quantity *gos__quantities(int *n);
/** Axes (rows) of two section vectors: normal and orthonormal pair. */
void gos__probe_section_axes(const double a[3], const double b[3], double axes[9]);
/** Axes (rows) at the probe's location: rigid body or section vectors. */
void gos__probe_axes(const gos_state *x, const gos_probe *p, double axes[9]);
/** Set units, number and names of components. */
gos_status gos__probe_components(gos_arena *a, gos_probe *p);
/** True for a single angle or joint coordinate, which may begin at `start`. */
bool gos__probe_counts(const gos_probe *p);
/** Value at a state (ncomp), angles not unwrapped. */
void gos__probe_evaluate(const gos_system *sys, const gos_state *state, const gos_probe *probe,
                         double *value);
/** Value and rate (ncomp each; rate may be NULL) without allocation. `moved`: scratch state, used
 * with a rate only. */
void gos__probe_sample(const gos_system *sys, const gos_state *state, const gos_probe *probe,
                       gos_state *moved, double *value, double *rate);
/** Index of component `name`; NULL: the only one. @return GOS_E_INPUT, reported at loc */
gos_status gos__probe_component(gos_ctx *ctx, const gos_probe *probe, const char *name, gos_loc loc,
                                const char *object, int *component);
/** True if it depends on coordinates, rates and temperatures only. */
bool gos__probe_of_state(const gos_probe *probe);
/** True if rates exist inside smooth steps: not for reactions, sums, maxima and accelerations. */
bool gos__probe_has_rates(const gos_probe *probe);
bool gos__probe_is_reaction(const gos_probe *probe);
bool gos__probe_is_moment(const gos_probe *probe);
const char *gos__probe_quantity(const gos_probe *probe);
/** Strains (law->nstrain) and resultants of the body's law; markers 1, 2, ... are the rows of z. */
double gos__section_state(const gos_state *x, const gos_probe *p, double *strain, double *force);
/** Cauchy stress xx, yy, zz, xy, yz, zx of a solid, global axes [Pa]. */
void gos__section_cauchy(const gos_state *x, const gos_probe *p, double stress[6]);
/** Law data at a section: reference data p->ref, and p->item for memory, NULL without. */
gos_status gos__section_location(gos_builder *b, const gos_location *location, gos_probe *p,
                                 gos_loc loc);

/** Append markers and temperatures for section forces. */
gos_status gos__section_balance(gos_builder *b, const gos_location *location, gos_probe *p);
/** Strains and resultants of the law by markers z (law->nz), temperatures tm (ntm; may be NULL) and
 * reference data ref (law->nref). */
void gos__section_law(const gos_state *x, const gos_probe *p, const gos_marker *z,
                      const gos_tmarker *tm, int ntm, const double *ref, double *strain,
                      double *force);

/* stress_patch.c */
/** Sets p->patch of a probe at a location of a plate or solid. */
gos_status gos__stress_patch(gos_builder *b, const gos_location *location, gos_probe *p);
/** Estimated error of the mesh in the largest component. @return that component's magnitude */
double gos__stress_patch_error(const gos_state *x, const gos_probe *p, double *error);

/* probe_stress.c */
/** Recovered stress or strain (gos_body_ops.recover); `each` for the maximum. */
gos_status gos__probe_recovered(gos_builder *b, const gos_location *location,
                                const gos_recovery *what, gos_probe *p);
/** Value from output coordinates (gos__derived_show) and temperatures, or its rate from their
 * rates. */
void gos__recovered_sum(const gos_recovered *r, const double *q, const double *th, double y[6]);
/** Recovered value and its rate (may be NULL). */
void gos__recovered_value(const gos_state *x, const gos_recovered *r, double y[6], double *rate);
/** Von Mises stress; principal stresses, descending; maximum von Mises stress over nodes with its
 * position at t = 0. */
void gos__stress_mises(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y);
void gos__stress_principal(const gos_system *sys, const gos_state *x, const gos_probe *p,
                           double *y);
/** Derivatives of components (ncomp) by one recovered stress or strain; 0 where von Mises stress,
 * or a difference of principal stresses, vanishes. */
void gos__stress_gradient(const gos_state *x, const gos_probe *p, double d[6][6]);
void gos__stress_rate(const gos_state *x, const gos_probe *p, double *rate);
void gos__stress_largest(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y);

/* probe_turns.c */
/** True if full turns are counted from 0 at t = 0. */
bool gos__probe_turns(const gos_probe *p);
/** Derivatives of a rigid body's angle with respect to its axes, markers 1 to 3. @return false for
 * other quantities. */
bool gos__probe_angle_gradient(const gos_state *x, const gos_probe *p, double d[9]);
/** Unwrap angles to the value nearest to the previous one. */
void gos__probe_unwrap(const gos_probe *p, const double *previous, double *value);
/** The same with the rate: a rotation vector with more turns has a larger rate. */
void gos__probe_follow(const gos_probe *p, const double *previous, double *value, double *rate);

/* Samples all probes at successive states, for recording. */
typedef struct gos_probe_sampler gos_probe_sampler;

/** Later calls do not allocate; destroy *sampler also on failure. */
gos_status gos__sampler_create(gos_ctx *ctx, const gos_system *sys, gos_probe_sampler **sampler);
void gos__sampler_destroy(gos_probe_sampler *k);
/** Values and rates of all probes; shared work is done once. */
void gos__sampler_read(gos_probe_sampler *k, const gos_state *x, double *value, double *rate);
/** At a switching time x: rates of one side, -1 before, 1 after, 0 both. */
void gos__sampler_read_side(gos_probe_sampler *k, const gos_state *x, int side, double *value,
                            double *rate);

#endif
