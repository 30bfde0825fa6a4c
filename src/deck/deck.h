/* CalculiX and Abaqus decks (.inp) as plain data. Cards that could change the physics are read,
   refused or warned of; output requests are skipped. Labels: upper case without blanks; quoted ones
   unchanged. */
#ifndef GOS_DECK_H
#define GOS_DECK_H

#include "mesh/mesh.h"

/* Property over temperature; a single row is constant. */
typedef struct gos_deck_table {
    int n, width; // rows (0: not given), values in each
    double *t;    // temperatures, ascending (n)
    double *v;    // (n, width), in the order of the deck
    gos_loc loc;
} gos_deck_table;

typedef enum gos_deck_law {
    GOS_DECK_ISOTROPIC,   // E, nu; or one value
    GOS_DECK_CONSTANTS,   // E1 E2 E3 nu12 nu13 nu23 G12 G13 G23
    GOS_DECK_ORTHOTROPIC, // D1111 D1122 D2222 D1133 D2233 D3333 D1212 D1313 D2323; or three values
    GOS_DECK_ANISOTROPIC, // the 21 of D by columns, order 11 22 33 12 13 23; or 11 22 33 12 13 23
    GOS_DECK_LAMINA       // E1 E2 nu12 G12 G13 G23, for layers in plane stress
} gos_deck_law;

typedef struct gos_deck_material {
    const char *name;
    gos_loc loc;
    gos_deck_law elastic_law, expansion_law, conductivity_law;
    gos_deck_table elastic, expansion, conductivity, density, specific_heat;
    double zero;          // reference temperature of secant coefficients (*EXPANSION, ZERO)
    double damping[2];    // *DAMPING: factors of mass [1/s] and stiffness [s]
    const char *inactive; // first unsupported law (*PLASTIC ...), NULL: none
} gos_deck_material;

typedef enum gos_deck_section_kind {
    GOS_DECK_SOLID, // value: thickness (plane elements) or area (trusses), 0: not given
    GOS_DECK_SHELL, // value: thickness
    GOS_DECK_MEMBRANE,
    GOS_DECK_BEAM_RECT, // value: thickness in direction 1, in direction 2
    GOS_DECK_BEAM_CIRC, // value: diameter in direction 1, in direction 2
    GOS_DECK_BEAM_PIPE, // value: outer radius, thickness
    GOS_DECK_BEAM_BOX,  // value: a, b, then t1 .. t4
    // of Nastran; value: A, int y^2, int z^2, J, shear factors along y and z (0: rigid), int y z
    GOS_DECK_BEAM_GENERAL,
    GOS_DECK_MASS,   // value: mass of each point, or `mass`
    GOS_DECK_SPRING, // value: stiffness, in dof[0] of the first node, dof[1] of the second ...
    GOS_DECK_DASHPOT // ... or (0) along the line; damping constant
} gos_deck_section_kind;

/* layer of *SHELL SECTION, COMPOSITE */
typedef struct gos_deck_layer {
    double thickness;
    int material;    // index
    int orientation; // index, -1: that of the section
    double angle;    // of axis 1, about the normal [deg]
    gos_loc loc;
} gos_deck_layer;

typedef struct gos_deck_section {
    gos_deck_section_kind kind;
    const char *set;
    int n;
    const int *cell;           // (n), ascending
    int material, orientation; // index, -1: none; of the first layer
    double value[7];
    // mass or stiffness of six components at each of n points (6 n, 6 n); NULL: value[0]
    const double *matrix, *damping; // damping: beside a stiffness, NULL: none
    int nlayer;                     // COMPOSITE; 0: homogeneous
    bool nodal;                     // NODAL THICKNESS: value is the default
    gos_deck_layer *layer;          // from the lower face to the upper (nlayer)
    // of the nodes from the middle, in thicknesses: along the normal, or beam directions 1, 2; of
    // the middle from the nodes along y, z of GOS_DECK_BEAM_GENERAL
    double offset[2];
    double direction[3]; // beams: direction 1, y of GOS_DECK_BEAM_GENERAL
    int dof[2];          // springs: 1 .. 6, 0: along the line; of a matrix: number of nodes, 0
    gos_loc loc;
} gos_deck_section;

typedef struct gos_deck_orientation {
    const char *name;
    bool cylindrical;
    double a[3], b[3]; // points on local x and in the plane xy; cylindrical: on the axis
    int axis;          // local axis 1 .. 3 of the additional rotation, 0: none
    double angle;      // [deg]
    gos_loc loc;
} gos_deck_orientation;

/* *TRANSFORM: local axes of nodal degrees of freedom */
typedef struct gos_deck_transform {
    int n;
    const int *node; // (n), ascending
    bool cylindrical;
    double a[3], b[3];
    gos_loc loc;
} gos_deck_transform;

typedef struct gos_deck_amplitude {
    const char *name;
    bool total_time; // else step time
    int n;
    double *t, *v; // (n), times ascending
    gos_loc loc;
} gos_deck_amplitude;

/* Faces of cells; 0 .. 5 are sides. */
enum { GOS_DECK_FACE_NEG = -1, GOS_DECK_FACE_POS = -2 }; // of shells, by their normal

typedef struct gos_deck_faces {
    int n;
    const int *cell;   // (n)
    signed char *face; // (n); NULL: the cells themselves
} gos_deck_faces;

/* *SURFACE; of sides only: also a mesh surface. */
typedef struct gos_deck_surface {
    const char *name;
    bool of_nodes; // TYPE=NODE: no faces
    gos_deck_faces faces;
    int nnode;
    int *node; // all nodes on it, ascending
    gos_loc loc;
} gos_deck_surface;

typedef enum gos_deck_nodal_kind {
    GOS_DECK_FIXED,       // *BOUNDARY: value of dof .. dof_last; dof 11 is the temperature
    GOS_DECK_FORCE,       // *CLOAD: force 1 .. 3, moment 4 .. 6
    GOS_DECK_HEAT,        // *CFLUX: heat flow, dof 11
    GOS_DECK_TEMPERATURE, // *TEMPERATURE of a mechanical step
    GOS_DECK_INITIAL_TEMPERATURE,
    GOS_DECK_INITIAL_DISPLACEMENT,
    GOS_DECK_INITIAL_VELOCITY
} gos_deck_nodal_kind;

/* Nodal condition or load. Later conditions override earlier ones; forces and heat add up. */
typedef struct gos_deck_nodal {
    gos_deck_nodal_kind kind;
    int n;
    const int *node; // (n), ascending
    int dof, dof_last;
    double value;
    double gradient; // of a temperature across shells, until they are expanded
    int amplitude;   // index, -1: none
    bool in_step;    // else in the model part
    // prescribed temperatures: set of nodes without a later line; NULL: none
    const char *set;
    gos_loc loc;
} gos_deck_nodal;

typedef enum gos_deck_load_kind {
    GOS_DECK_PRESSURE, // value: against the face
    GOS_DECK_GRAVITY,  // value: acceleration, direction (3)
    // value: square of the angular velocity, point (3), direction (3) of the axis
    GOS_DECK_CENTRIFUGAL,
    GOS_DECK_FLUX,     // value: heat into the face, per area
    GOS_DECK_SOURCE,   // value: heat per volume
    GOS_DECK_FILM,     // value: sink temperature, coefficient
    GOS_DECK_RADIATION // value: sink temperature, emissivity
} gos_deck_load_kind;

/* Loads add up; a later film or radiation removes the face from an earlier one. */
typedef struct gos_deck_load {
    gos_deck_load_kind kind;
    gos_deck_faces on;
    double value[7];
    int amplitude;        // index of that of the load or sink temperature; -1: none
    int factor_amplitude; // of the film coefficient or emissivity; -1: none
    gos_loc loc;
} gos_deck_load;

/* Region with equal heat: mesh surface, or (faces of sheets and shells) cell set. */
typedef struct gos_deck_patch {
    const char *name; // "FILM(17)": from the first line
    int load;         // first load with this heat
    int face;         // 0: sides; GOS_DECK_FACE_NEG, GOS_DECK_FACE_POS
} gos_deck_patch;

typedef struct gos_deck_equation {
    int n;
    int *node, *dof; // (n); the first term is the dependent one
    double *factor;  // (n): sum of factor * u = 0
    gos_loc loc;
} gos_deck_equation;

/* *COUPLING with *KINEMATIC or *DISTRIBUTING, *RIGID BODY */
typedef struct gos_deck_coupling {
    const char *name; // CONSTRAINT NAME; NULL of rigid bodies
    bool distributing, rigid_body;
    int reference, rotation; // rotation: node whose displacements are the rotation, -1: none
    int surface;             // of the coupled nodes; -1: a set of nodes
    int n;
    const int *node;      // (n)
    const double *weight; // of averages (n), NULL: by area
    bool dof[6];          // coupled directions
    int orientation;      // index, -1: none
    gos_loc loc;
} gos_deck_coupling;

typedef struct gos_deck_tie {
    const char *name;
    int dependent, independent; // surfaces
    double tolerance;           // POSITION TOLERANCE; 0: not given
    bool adjust;                // move nodes onto the surface
    gos_loc loc;
} gos_deck_tie;

/* Nodes on the normal of a shell node, from the lower face to the upper (shell_expansion.c). */
typedef struct gos_deck_fibre {
    int node;  // of the shell
    int at[3]; // of the solids; the second is -1 between corners
    int cell;  // one of its cells
} gos_deck_fibre;

typedef enum gos_deck_procedure {
    GOS_DECK_NO_STEP,
    GOS_DECK_STATIC,
    GOS_DECK_FREQUENCY,
    GOS_DECK_BUCKLE,
    GOS_DECK_HEAT_TRANSFER,
    GOS_DECK_COUPLED,   // *COUPLED TEMPERATURE-DISPLACEMENT
    GOS_DECK_UNCOUPLED, // *UNCOUPLED TEMPERATURE-DISPLACEMENT
    GOS_DECK_DYNAMIC,
    GOS_DECK_MODAL_DYNAMIC,
    GOS_DECK_STEADY_STATE_DYNAMICS,
    GOS_DECK_COMPLEX_FREQUENCY
} gos_deck_procedure;

typedef struct gos_deck_step {
    gos_deck_procedure procedure;
    bool nlgeom, perturbation, steady_state, direct;
    bool at_once; // AMPLITUDE=STEP: loads act from the start
    int ndata;
    double data[8]; // time increment, period ..., or numbers of modes
    gos_loc loc;
} gos_deck_step;

/* Allocated in the arena of the mesh. */
typedef struct gos_deck {
    gos_mesh *mesh;
    uint64_t hash; // of all text read, for fingerprints
    int dim;       // highest dimension of cells
    double length; // the deck's unit of length in that of the numbers, 1 unless converted
    double mass;   // likewise; 0: unknown, then only lengths are converted
    int nmaterial, nsection, norientation, ntransform, namplitude, nsurface;
    gos_deck_material *material;
    gos_deck_section *section;
    gos_deck_orientation *orientation;
    gos_deck_transform *transform;
    gos_deck_amplitude *amplitude;
    gos_deck_surface *surface;
    int *cell_section; // section of each cell by the last card (mesh->ncell); -1: none
    int nnodal, nload, nequation, ncoupling, ntie;
    gos_deck_nodal *nodal;
    gos_deck_load *load;
    int npatch;
    gos_deck_patch *patch;
    gos_deck_equation *equation;
    gos_deck_coupling *coupling;
    gos_deck_tie *tie;
    int nfibre;
    gos_deck_fibre *fibre;                  // by node; several where the normals of cells differ
    double absolute_zero, stefan_boltzmann; // *PHYSICAL CONSTANTS
    bool has_constants;
    bool nastran; // bulk data: messages use its cards
    gos_deck_step step;
    // nodes at the initial temperature in steps without heat transfer; NULL: none
    const char *rest;
    bool given;              // some node has a *TEMPERATURE in such a step
    bool uniform;            // all nodes have one temperature at its end ...
    double step_temperature; // ... which is this
} gos_deck;

/** Parse size bytes at data, followed by a 0 byte; `name` is for messages. Includes are read below
 * `folder` (NULL: refused). Reports every error. Output requests are skipped; further steps and
 * inelastic laws are warned of; other unsupported cards fail. Free with gos__deck_destroy. */
gos_status gos__deck_parse(gos_ctx *ctx, const char *name, const char *data, size_t size,
                           const char *folder, gos_deck **deck);
/** Read a file with its includes (from its folder and below), at most GOS_LIMIT_DECK_BYTES, into an
 * empty mesh, invalid on failure. loc, object: for messages (may be empty, NULL). mesh->deck is in
 * the arena of the mesh. */
gos_status gos__deck_read(gos_mesh *mesh, const char *path, gos_loc loc, const char *object,
                          gos_deck **deck);
/** Whether elements of a type are discrete. */
static inline bool gos__deck_is_discrete_type(const char *type) {
    return strncmp(type, "SPRING", 6) == 0 || strncmp(type, "DASHPOT", 7) == 0 ||
           strcmp(type, "MASS") == 0 || strncmp(type, "CELAS", 5) == 0 ||
           strcmp(type, "CBUSH") == 0 || strncmp(type, "CMASS", 5) == 0 ||
           strncmp(type, "CONM", 4) == 0;
}
/** Whether a section is of points or pairs of nodes, not of finite elements: masses, springs. */
static inline bool gos__deck_is_discrete(const gos_deck_section *s) {
    return s->kind == GOS_DECK_MASS || s->kind == GOS_DECK_SPRING || s->kind == GOS_DECK_DASHPOT;
}
/* shell_fibres.c */
/** Whether a block holds shells that became solids. */
bool gos__deck_is_layer(const gos_cell_block *block);
/* faces.c */
/** Whether a cell only marks a face: no section, and fewer dimensions than others. */
bool gos__deck_stands_for_face(const gos_deck *deck, const gos_cell_block *block, int i);
/** Convert sets of such cells, each outside one cell, to surfaces. Call once. */
gos_status gos__deck_faces_named(gos_deck *deck);
/* patches.c */
/** Build deck->patch, and node sets of prescribed temperature. Call once. */
gos_status gos__deck_patches(gos_deck *deck);
/** Whether the step prescribes temperatures (*STATIC, *DYNAMIC ...). */
bool gos__deck_temperatures_given(const gos_deck *deck);
/* units.c */
/** Convert to other units, in which the deck's are `length` and `mass` (0: unknown, only lengths
 * are valid); time and temperature stay. Call once. */
void gos__deck_convert(gos_deck *deck, double length, double mass);
/* deck.c */
/** Frees the mesh too. */
void gos__deck_destroy(gos_deck *deck);
/* words.c */
/** The card of bulk data for one of CalculiX ("*BOUNDARY": "SPC") if the deck is of Nastran. */
const char *gos__deck_word(const gos_deck *deck, const char *card);
/* types.c */
/** Cell shape of an element type ("C3D8I"); false: unsupported. `middle`: nodes are end, middle,
 * end. */
bool gos__deck_shape(const char *type, gos_cell_shape *shape, bool *middle);

#endif
