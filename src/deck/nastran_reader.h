/* Internals of the Nastran reader. All cards are split into fields first; they are then read by
   subject, so their order in the file does not matter. */
#ifndef GOS_NASTRAN_READER_H
#define GOS_NASTRAN_READER_H

#include "deck/nastran.h"
#include "mesh/tags.h"

#define GOS_NASTRAN_ID INT64_C(99999999) // largest number of a card
#define GOS_NASTRAN_REQUIRED INT64_MIN   // default of a whole number that must be given

typedef struct gos_nastran gos_nastran;
typedef struct gos_nastran_card gos_nastran_card;

/* field of a card without surrounding blanks */
typedef struct gos_nastran_field {
    const char *s;
    int n, line, col;
} gos_nastran_field;

/* Subjects, in the order of reading. */
typedef enum gos_nastran_subject {
    GOS_NASTRAN_PARAM,
    GOS_NASTRAN_AXES,
    GOS_NASTRAN_GRID,
    GOS_NASTRAN_MATERIAL,
    GOS_NASTRAN_PROPERTY,
    GOS_NASTRAN_ELEMENT,
    GOS_NASTRAN_DEFAULTS, // temperatures of all nodes
    GOS_NASTRAN_MESH,     // constraints: nodes and cells have indices
    GOS_NASTRAN_LOADS,
    GOS_NASTRAN_SUBJECTS
} gos_nastran_subject;

typedef struct gos_nastran_kind {
    const char *name;
    gos_nastran_subject subject;
    int most; // fields after the name; 0: any number
    gos_status (*read)(gos_nastran *r, const gos_nastran_card *c);
} gos_nastran_kind;

struct gos_nastran_card {
    const gos_nastran_kind *kind; // NULL: not read
    const char *name;             // interned
    gos_loc loc;
    int first; // of its fields; field 1 follows the name, continuations begin at 9, 17 ...
    int n;     // fields, without trailing empty ones
    int thing; // index of what was made from it
};

/* file; its text is kept until the end */
typedef struct gos_nastran_file {
    const char *name;
    char *path; // resolved; NULL: text from memory
    const char *text;
    char *owned;
    size_t size;
} gos_nastran_file;

typedef struct gos_nastran_cursor {
    int file, line;
    const char *s;
} gos_nastran_cursor;

/* Selection of the case control; 0: none. */
typedef struct gos_nastran_case {
    int64_t spc, mpc, load, temperature, initial, method;
} gos_nastran_case;

typedef enum gos_nastran_axes_kind {
    GOS_NASTRAN_RECTANGULAR,
    GOS_NASTRAN_CYLINDRICAL,
    GOS_NASTRAN_SPHERICAL
} gos_nastran_axes_kind;

typedef struct gos_nastran_axes {
    int64_t id;
    gos_nastran_axes_kind kind;
    const gos_nastran_card *card;
    int first;                    // its first field
    int state;                    // 0: unknown, 1: being resolved, 2: known
    double origin[3], axis[3][3]; // axes in rows
} gos_nastran_axes;

typedef struct gos_nastran_grid {
    int64_t id, cp, cd;
    double x[3];  // of cp; then of the basic system
    unsigned spc; // permanent supports, as bits
    const gos_nastran_card *card;
} gos_nastran_grid;

/* property card; sections are made when elements refer to it */
typedef struct gos_nastran_property {
    const gos_nastran_card *card;
    gos_deck_section section; // values common to all elements
    int64_t id;
    int first; // cell with it, -1: none
} gos_nastran_property;

typedef struct gos_nastran_cell {
    const char *type; // interned
    const char *file;
    gos_cell_shape shape;
    int64_t id;
    int line, section;
    int node;    // first of its nodes
    int index;   // in the mesh
    int next;    // with the same property, -1: none
    bool turned; // a shell with the opposite normal of its card
} gos_nastran_cell;

/* cells of one block */
typedef struct gos_nastran_group {
    const char *type, *file;
    gos_cell_shape shape;
    int n;
} gos_nastran_group;

/* load set with its factor, of LOAD */
typedef struct gos_nastran_share {
    int64_t set;
    double factor;
} gos_nastran_share;

typedef struct gos_nastran_sets {
    int n;
    int64_t *id;
} gos_nastran_sets;

struct gos_nastran {
    gos_ctx *ctx;
    gos_arena *arena; // of the mesh
    const char *folder;
    gos_deck *deck;
    gos_mesh *mesh;

    /* text */
    int nfile, file_cap, depth;
    gos_nastran_file *file;
    gos_nastran_cursor open[GOS_LIMIT_DECK_DEPTH];
    size_t bytes;
    const char *begin, *end; // current line
    gos_loc loc;
    bool cut, ended; // the last line has no line break; ENDDATA was read
    bool open_ended; // needs no ENDDATA

    /* cards */
    bool has_case;
    int ncard, card_cap;
    gos_nastran_card *card;
    int nfield, field_cap;
    gos_nastran_field *field;

    /* executive and case control */
    int64_t solution, wanted, subcase, current; // wanted 0: the first subcase
    int nsubcase;
    bool others; // subcases that are not chosen
    gos_nastran_case common, chosen;
    gos_loc solution_loc;
    bool continued; // the last command ends with a comma

    /* bulk data by subject */
    double mass_factor;     // PARAM,WTMASS
    gos_nastran_grid usual; // GRDSET
    int node_room;          // of the mesh, for ends of bars
    int naxes, ngrid, grid_cap, nproperty, ncell, cell_cap;
    gos_nastran_axes *axes;
    gos_nastran_grid *grid; // in order of numbers after reading
    gos_nastran_property *property;
    gos_nastran_cell *cell;
    int nnode, node_cap;
    int *node;                                                                 // nodes of cells
    gos_tags axes_of, grid_of, property_of, material_of, element_of, rigid_of; // cards
    gos_tags section_of, orientation_of;                                       // by a hash
    bool *connected; // to an element or rigid element (nodes)
    int nshare;
    gos_nastran_share *share;
    gos_nastran_sets spc, mpc;
    const char *support_set; // name of the set of supported nodes
};

/* ---- nastran.c ---- */
/** Call `read` with a reader of a file; mesh->deck is its deck. */
gos_status gos__nastran_with(gos_mesh *mesh, const gos_nastran_file *file, const char *folder,
                             int64_t subcase, gos_status (*read)(gos_nastran *r, void *arg),
                             void *arg);

/* ---- nastran_text.c ---- */
/** Split all files into cards, and read executive and case control. */
gos_status gos__nastran_split(gos_nastran *r);
/** Next line of the files, without comment and trailing blanks; false: none. */
gos_status gos__nastran_line(gos_nastran *r, bool *more);

/* ---- nastran_case.c ---- */
/** Read a line above BEGIN BULK. */
gos_status gos__nastran_control(gos_nastran *r);
/** Choose the subcase, and set the step of the deck. */
gos_status gos__nastran_choose(gos_nastran *r);

/* ---- nastran_fields.c ---- */
/** Fail at field i; 0: at the card. */
gos_status gos__nastran_fail(gos_nastran *r, const gos_nastran_card *c, int i, const char *fmt, ...)
    GOS_PRINTF(4, 5);
void gos__nastran_warn(gos_nastran *r, const gos_nastran_card *c, const char *fmt, ...)
    GOS_PRINTF(3, 4);
/** Field i; of length 0 if empty or beyond the end. */
gos_nastran_field gos__nastran_field(const gos_nastran *r, const gos_nastran_card *c, int i);
bool gos__nastran_blank(const gos_nastran *r, const gos_nastran_card *c, int i);
bool gos__nastran_is_word(const gos_nastran *r, const gos_nastran_card *c, int i, const char *word);
bool gos__nastran_is_whole(const gos_nastran *r, const gos_nastran_card *c, int i);
/** Number with a decimal point, 1.5-3 is 0.0015; def NaN: required. */
gos_status gos__nastran_real(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                             double def, double *x);
gos_status gos__nastran_positive(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                                 double *x);
/** Fields i ... as n numbers, 0 where empty. */
gos_status gos__nastran_reals(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                              int n, double *x);
/** Whole number lo ...; def GOS_NASTRAN_REQUIRED: required. */
gos_status gos__nastran_whole(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                              int64_t lo, int64_t def, int64_t *x);
/** Number of a card, from 1. */
gos_status gos__nastran_id(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                           int64_t *x);
/** Digits 1 ... 6 as bits; empty: 0. */
gos_status gos__nastran_components(gos_nastran *r, const gos_nastran_card *c, int i,
                                   unsigned *bits);
/** Fields i ... last must be empty, or zero; `what` describes them. */
gos_status gos__nastran_unused(gos_nastran *r, const gos_nastran_card *c, int i, int last,
                               const char *what);
/** Numbers from field i to the end, with ranges THRU and BY: calls take for each; range: first,
 * last, step. */
gos_status gos__nastran_list(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                             gos_status (*take)(gos_nastran *r, const gos_nastran_card *c,
                                                const int64_t range[3], int i, void *arg),
                             void *arg);
/** Register the number of a card and the index of what is made from it; fails if it is taken. */
gos_status gos__nastran_new(gos_nastran *r, const gos_nastran_card *c, gos_tags *tags, int64_t id,
                            const char *what, int thing);
/** The card with a number; NULL: none. */
const gos_nastran_card *gos__nastran_find(const gos_nastran *r, const gos_tags *tags, int64_t id);
/** Append a zeroed element in the arena; *thing is valid until the next call. */
gos_status gos__nastran_add(gos_nastran *r, void *list, int *n, size_t size, void *thing);

/* ---- nastran_axes.c ---- */
gos_status gos__nastran_read_axes(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_grdset(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_grid(gos_nastran *r, const gos_nastran_card *c);
/** Resolve coordinate systems, and make the nodes of the mesh. */
gos_status gos__nastran_nodes(gos_nastran *r);
/** Axes of system `id` (0: basic) at x, in rows; field i of the card is for messages. */
gos_status gos__nastran_axes_at(gos_nastran *r, const gos_nastran_card *c, int i, int64_t id,
                                const double x[3], double axes[3][3]);
/** Index of a grid point in the mesh. */
gos_status gos__nastran_node(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                             int *node);
gos_status gos__nastran_node_id(gos_nastran *r, const gos_nastran_card *c, int i, int64_t id,
                                int *node);
/** Local axes of nodes (CD) as transforms of the deck; permanent supports (PS). */
gos_status gos__nastran_displacement_axes(gos_nastran *r);
gos_status gos__nastran_permanent(gos_nastran *r);

/* ---- nastran_materials.c, nastran_bars.c ---- */
gos_status gos__nastran_read_mat1(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_mat8(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pshell(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pcomp(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_psolid(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pbar(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pbarl(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pbeam(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_prod(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pelas(gos_nastran *r, const gos_nastran_card *c);
/** Material of field i; `extra` (not 0): a copy with this density added. */
gos_status gos__nastran_material(gos_nastran *r, const gos_nastran_card *c, int i, double extra,
                                 int *material);
/** Register the property of field 1. */
gos_status gos__nastran_add_property(gos_nastran *r, const gos_nastran_card *c,
                                     const gos_deck_section *s);
/** Make a shell a laminate of one layer. */
gos_status gos__nastran_one_layer(gos_nastran *r, gos_deck_section *s);
/** Property of an element (field 2; empty: the element's number), of one of the cards ("A or B").
 */
gos_status gos__nastran_property_of(gos_nastran *r, const gos_nastran_card *c, const char *cards,
                                    gos_nastran_property **p);

/* ---- nastran_ends.c ---- */
/* End of a bar: grid point, offset, and released components (bits) along the element axes. */
typedef struct gos_nastran_end {
    int node;
    double offset[3]; // of the basic system
    unsigned pins;
} gos_nastran_end;
/** Upper bound of the nodes that ends of bars with pins or offsets need. */
int gos__nastran_more_ends(const gos_nastran *r);
/** Fields PA, PB, and offsets WA, WB in displacement axes; e->node is set. */
gos_status gos__nastran_read_ends(gos_nastran *r, const gos_nastran_card *c, gos_nastran_end e[2]);
/** Node of its own for an end with pins or an offset, which follows the grid point. */
gos_status gos__nastran_end_node(gos_nastran *r, const gos_nastran_card *c, double axis[3][3],
                                 const gos_nastran_end *e, int *node);

/* ---- nastran_bars.c, nastran_bush.c ---- */
/** Vector v of fields 5 to 7: to the grid point G0, or along the displacement axes of node `a`. */
gos_status gos__nastran_vector(gos_nastran *r, const gos_nastran_card *c, int a, double v[3]);
/** Element axes in rows: along x, y in the plane of v. */
gos_status gos__nastran_frame(gos_nastran *r, const gos_nastran_card *c, const double x[3],
                              const double v[3], double axis[3][3]);
gos_status gos__nastran_read_pbush(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_bush(gos_nastran *r, const gos_nastran_card *c);

/* ---- nastran_elements.c, nastran_bars.c, nastran_points.c ---- */
gos_status gos__nastran_read_shell(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_solid(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_bar(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_rod(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_spring(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_mass(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_conm2(gos_nastran *r, const gos_nastran_card *c);
/** Register the number of an element, of field 1. */
gos_status gos__nastran_new_element(gos_nastran *r, const gos_nastran_card *c, int64_t *id);
/** Add an element; its section is shared with equal ones. p: property, NULL: none. */
gos_status gos__nastran_cell_add(gos_nastran *r, const gos_nastran_card *c, gos_cell_shape shape,
                                 const int *node, const gos_deck_section *section,
                                 gos_nastran_property *p);
/** Orientation with axis 1 along a, axis 2 along b. */
gos_status gos__nastran_orientation(gos_nastran *r, const gos_nastran_card *c, const double a[3],
                                    const double b[3], int *orientation);
/** Give neighbouring shells one orientation (nastran_normals.c). */
gos_status gos__nastran_orient(gos_nastran *r);
/** Make the cells of the mesh, and their sections. */
gos_status gos__nastran_cells(gos_nastran *r);

/* ---- nastran_supports.c ---- */
gos_status gos__nastran_read_spc(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_spc1(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_mpc(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_rbe2(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_rbe3(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_rbar(gos_nastran *r, const gos_nastran_card *c);
/** Sets of supports, equations and loads to be read, with SPCADD and MPCADD. */
gos_status gos__nastran_choose_sets(gos_nastran *r);
/** Add a condition of one node. */
gos_status gos__nastran_nodal(gos_nastran *r, const gos_nastran_card *c, gos_deck_nodal_kind kind,
                              int node, int dof, double value);

/* ---- nastran_loads.c ---- */
/** Set r->connected. */
gos_status gos__nastran_connect(gos_nastran *r);
/** Evaluate LOAD. */
gos_status gos__nastran_combine(gos_nastran *r);
gos_status gos__nastran_read_force(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pload4(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_pload2(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_grav(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_temp(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_read_tempd(gos_nastran *r, const gos_nastran_card *c);
/** Loads that are not supported: fails if the set is selected. */
gos_status gos__nastran_read_other_load(gos_nastran *r, const gos_nastran_card *c);
gos_status gos__nastran_reference_temperature(gos_nastran *r);

#endif
