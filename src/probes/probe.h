/* Probes: named quantities observed during a run. */
#ifndef GOS_PROBE_H
#define GOS_PROBE_H

#include "system/system.h"

#define GOS_PROBE_MARKERS 12
#define GOS_PROBE_STRAINS 9 // most strains of a law

/* what a quantity needs at its place */
enum {
    GOS_NEEDS_POINT = 1,
    GOS_NEEDS_RIGID = 2,
    GOS_NEEDS_SECTION = 4,
    GOS_NEEDS_HEAT = 8,
    GOS_NEEDS_JOINT = 16,
    GOS_NEEDS_NOTHING = 32,
    GOS_NEEDS_COORDINATES = 64, // a joint that leaves some
    GOS_NEEDS_HINGE = 128,      // a load that can be observed
    GOS_NEEDS_PORT = 256,       // an output of a body of matrices
    GOS_NEEDS_STRESS = 512,     // a section whose law tells stresses, not forces and moments
    GOS_NEEDS_ELECTRODE = 2048, // of piezoelectric patches
    GOS_NEEDS_NODES = 1024,     // all nodes of a place
    GOS_NEEDS_HEATER = 4096,    // a prescribed temperature
    GOS_NEEDS_ORBIT = 8192      // the model's
};

/* How a quantity depends on the state, as an output of a linear model. */
typedef enum gos_output_form {
    GOS_OUTPUT_NONE,        // not by coordinates, rates and temperatures alone
    GOS_OUTPUT_POSITION,    // its first marker's value
    GOS_OUTPUT_VELOCITY,    // its first marker's rate
    GOS_OUTPUT_TEMPERATURE, // its temperature markers' values
    GOS_OUTPUT_SIGNAL,      // the sum that an output of a body of matrices is
    GOS_OUTPUT_DIFFERENCES  // a function of its markers, differentiated by differences
} gos_output_form;

/* What a quantity counts beyond full turns, whose value alone is found within one. */
typedef enum gos_probe_turning {
    GOS_TURNS_NONE,
    GOS_TURNS_ANGLE,
    GOS_TURNS_VECTOR,     // along a rotation vector
    GOS_TURNS_COORDINATES // in those coordinates of a joint that are angles
} gos_probe_turning;

typedef struct gos_quantity {
    const char *name, *unit, *doc;
    int needs;
    int ncomp; // 0: those of the temperature families, or of the law, there
    const char *const *components;
    void (*value)(const gos_system *s, const gos_state *x, const gos_probe *p, double *value);
    bool frames; // a vector that `frame` and `direction` act on
    gos_output_form output;
    /* adds its rate in closed form, of vectors in global axes; false: of this probe there is none.
     * NULL: of no probe */
    bool (*rate)(const gos_state *x, const gos_probe *p, double *rate);
    bool since_start; // less what it was at t = 0
    gos_probe_turning turns;
    bool estimated; // its rate is an estimate of the integrator, not good enough to interpolate by
} gos_quantity;

struct gos_probe {
    const char *name;
    const gos_quantity *quantity;
    const char *unit; // see base/units.h
    int ncomp;
    const char *const *components;
    int nm, ntm;
    gos_marker m[GOS_PROBE_MARKERS]; // what the quantity reads, see probe_values.c
    gos_tmarker *tm;                 // temperature families there (ntm)
    double x0[3];                    // position at t = 0
    double axes0[9];                 // rows: body axes at t = 0 (rotation), or frame axes
    double direction[3];             // scalar component along it
    bool scalar;
    bool couple;    // joint_moment: the moment about the joint's axis alone
    bool framed;    // components in the axes of a body
    int frame0;     // markers of its node and axes, four from here on; 0: the place's own axes
    double axis[3]; // angle about it
    double start;   // value at t = 0 of an angle, or of the one coordinate of a joint
    unsigned undetermined; // bit c: component c depends on how rows share that were dropped
    bool section;          // markers 1, 2 are section vectors and not the axes of a rigid body
    bool turned;           // reactions in axes that turn with section vectors, markers 2, 3, from
    double along[9];       // rows at t = 0
    const gos_body *body;
    const void *law_par; // parameters of the law at the place
    int nrecovered; // stresses of a body that tells them itself: one, or all of a largest value
    const gos_recovered *recovered; // (nrecovered)
    int loop, first;                // of a controller: its number, and of its first component
    int npart;                      // the values whose largest it is, of a solid
    const gos_probe *part;          // (npart)
    int npoint; // points of a section that is read at others than its place, whose rows of z,
                // temperatures and reference data follow one another; 0: the place itself
    double weight[GOS_SECTION_POINTS]; // of each of these points (npoint)
    int nbalance,
        nwarm; // markers behind those of the place, and temperature markers, from which its force
               // follows
    const void *balance;                  // gos_balance.data; NULL: by the law alone
    double *ref;                          // reference data of the law at the place (law->nref)
    const char *shown[GOS_ITEM_OBSERVED]; // names of what an item shows
    const gos_joint_coordinate *coord;    // of a joint (ncomp), at three markers each
    int nfeed;                            // output: functions of time that act on it directly
    const int *feed_fn;
    const double *feed;   // and their factors (nfeed)
    const gos_item *item; // joint; prescribed temperature; or what remembers for a section, NULL:
                          // nothing to remember
};

/** Give vectors in the axes of a body: markers 1 to 4 are its node and axes. */
gos_status gos__probe_frame(gos_builder *b, gos_probe *p, const char *frame, gos_loc loc,
                            const char *object);

/* probe_electrode.c */
/** A probe of an electrode that is complete but for its place. */
gos_status gos__probe_electrode(gos_builder *b, const struct gos_electrode *electrode,
                                gos_probe *p);
/** A probe for ELECTRODE.QUANTITY, as signals of controllers name it; NULL: it is something
 * else. */
gos_status gos__probe_of_signal(gos_builder *b, const char *text, gos_loc loc, const char *object,
                                gos_probe **probe);
/** Probes of the electrodes that a design measures (gos_model.sense), behind those of the model. */
gos_status gos__probes_sensed(gos_builder *b, gos_system *sys);

/* probe_joint.c */
/** Force of a joint on its first side, global axes: minus the sum of what its multipliers do to
 * positions there. */
void gos__joint_force(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
/** Its moment on its first side about the joint's point, global axes; of an angle that is driven,
 * without frame or direction, the moment about its axis (one number). */
void gos__joint_moment(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
/** What its joint leaves free (ncomp), 0 at t = 0, and how fast that changes. */
void gos__joint_coordinates(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__joint_rates(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
/** What a probe of its coordinates names. */
gos_status gos__probe_coordinates(gos_builder *b, const char *joint, const gos_node *entry,
                                  const char *object, gos_probe *p);
/** What a probe of a joint names: the joint, the axes of its components. */
gos_status gos__probe_joint(gos_builder *b, const char *joint, const char *frame,
                            const gos_node *entry, const char *object, gos_probe *p);

/* probe_heat.c */
/** The prescribed temperature that a probe of its heat names. */
gos_status gos__probe_heater(gos_builder *b, const char *heat, const gos_node *entry,
                             const char *object, gos_probe *p);
/** Heat into all that an entry holds at a temperature [W]. */
void gos__reaction_heat(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);

/* probe_orbit.c */
/** Is there the orbit, and the Sun, that the quantity is of? */
gos_status gos__probe_check_orbit(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_probe *p);
/** Where the origin is, and how fast, from the central body; the unit vector to the Sun; what is
 * seen of it: global axes. */
void gos__orbit_position(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__orbit_velocity(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__orbit_sun(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
void gos__orbit_light(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);
/** A position in the axes of the orbit. */
void gos__orbit_coordinates(const gos_system *s, const gos_state *x, const gos_probe *p, double *y);

/** All quantities (*n of them). */
const gos_quantity *gos__quantities(int *n);
/** Axes (rows) of two section vectors: their normal, and the orthonormal pair between them. */
void gos__probe_section_axes(const double a[3], const double b[3], double axes[9]);
/** Axes (rows) that turn with a probe's place: those of a rigid body, or of the two section vectors
 * there. */
void gos__probe_axes(const gos_state *x, const gos_probe *p, double axes[9]);
/** Set units, number and names of the components of a probe that is complete but for them. */
gos_status gos__probe_components(gos_arena *a, gos_probe *p);
/** Is it one number that counts from t = 0, and from `start`: an angle, the one coordinate of a
 * joint? */
bool gos__probe_counts(const gos_probe *p);
/** Value of a probe at a state (ncomp), angles not unwrapped. */
void gos__probe_evaluate(const gos_system *sys, const gos_state *state, const gos_probe *probe,
                         double *value);
/** Value and rate (ncomp each; rate may be NULL) without asking for memory: `moved`, another state
 * of the system, is moved to take differences; needed with a rate only. */
void gos__probe_sample(const gos_system *sys, const gos_state *state, const gos_probe *probe,
                       gos_state *moved, double *value, double *rate);
/** Number of its component of this name, NULL: its only one. @return GOS_E_INPUT, told at loc */
gos_status gos__probe_component(gos_ctx *ctx, const gos_probe *probe, const char *name, gos_loc loc,
                                const char *object, int *component);
/** Does it depend on coordinates, rates and temperatures alone? */
bool gos__probe_of_state(const gos_probe *probe);
/** Is its rate available inside smooth steps? It is not for reactions, sums, largest values and
 * accelerations. */
bool gos__probe_has_rates(const gos_probe *probe);
/** Is it a reaction of a joint, and is that a moment? */
bool gos__probe_is_reaction(const gos_probe *probe);
bool gos__probe_is_moment(const gos_probe *probe);
/** Name of its quantity. */
const char *gos__probe_quantity(const gos_probe *probe);
/** Strains (law->nstrain) and their resultants of the body's law at a section whose markers 1, 2,
 * ... are the rows of z. */
void gos__section_state(const gos_state *x, const gos_probe *p, double *strain, double *force);
/** Cauchy stress xx, yy, zz, xy, yz, zx of a solid there, global axes [Pa]. */
void gos__section_cauchy(const gos_state *x, const gos_probe *p, double stress[6]);
/** What the law needs at a section: its reference data, p->ref, and what it remembers at points,
 * p->item, NULL when it remembers nothing. */
gos_status gos__section_place(gos_builder *b, const gos_place *place, gos_probe *p, gos_loc loc);

/** What the force in a section follows from beside the law there, behind the markers and
 * temperatures that the probe has. */
gos_status gos__section_balance(gos_builder *b, const gos_place *place, gos_probe *p);

/* probe_stress.c */
/** What a probe of stress or strain reads where the body tells it (gos_body_ops.recover); `each`
 * for the largest. */
gos_status gos__probe_recovered(gos_builder *b, const gos_place *place, const gos_recovery *what,
                                gos_probe *p);
/** One by coordinates as outputs see them (gos__made_show) and temperatures, or its rate by
 * theirs. */
void gos__recovered_sum(const gos_recovered *r, const double *q, const double *th, double y[6]);
/** Stress or strain of one, and its rate (NULL: not wanted). */
void gos__recovered_value(const gos_state *x, const gos_recovered *r, double y[6], double *rate);
/** Quantities: von Mises' stress, principal stresses, descending, and the largest of von Mises'
 * stresses at the nodes of a place with where that is at t = 0. */
void gos__stress_mises(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y);
void gos__stress_principal(const gos_system *sys, const gos_state *x, const gos_probe *p,
                           double *y);
/** Derivatives of the components (ncomp) of a probe of one recovered stress or strain by the six of
 * that; 0 where von Mises' stress, or a difference of principal ones, is 0 and has none. */
void gos__stress_gradient(const gos_state *x, const gos_probe *p, double d[6][6]);
/** How fast such components change. */
void gos__stress_rate(const gos_state *x, const gos_probe *p, double *rate);
void gos__stress_largest(const gos_system *sys, const gos_state *x, const gos_probe *p, double *y);

/* probe_turns.c */
/** Does it count full turns, from 0 at t = 0? */
bool gos__probe_turns(const gos_probe *p);
/** Derivatives of an angle of a rigid body by the components of its axes, markers 1 to 3.
 *  @return false for any other quantity. */
bool gos__probe_angle_gradient(const gos_state *x, const gos_probe *p, double d[9]);
/** The value nearest to the previous one where the quantity is an angle: full turns are added. */
void gos__probe_unwrap(const gos_probe *p, const double *previous, double *value);
/** The same with the rate of that value: a rotation vector with more turns also turns faster. */
void gos__probe_follow(const gos_probe *p, const double *previous, double *value, double *rate);

#endif
