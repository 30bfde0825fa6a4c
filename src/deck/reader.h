/* Internals of the deck reader. */
#ifndef GOS_READER_H
#define GOS_READER_H

#include "deck/deck.h"

#define GOS_DECK_LABEL 80                     // as in CalculiX
#define GOS_DECK_TAG INT64_C(999999999999999) // largest number

typedef struct gos_deck_param {
    char key[GOS_DECK_LABEL + 1];   // upper case, without blanks
    char value[GOS_DECK_LABEL + 1]; // as a label; "": none
    gos_loc loc;
} gos_deck_param;

/* part of a line without surrounding blanks */
typedef struct gos_deck_field {
    const char *s;
    int n;
} gos_deck_field;

/* file of the deck; its text is kept for the second pass */
typedef struct gos_deck_file {
    const char *name; // for messages
    char *path;       // resolved; NULL: text from memory
    const char *text;
    char *owned; // NULL: owned by the caller
    size_t size;
} gos_deck_file;

typedef struct gos_deck_cursor {
    int file;
    const char *s;    // next line
    int line;         // number of the current line
    const char *stop; // end of a part; NULL: that of the file
} gos_deck_cursor;

typedef struct gos_deck_reader gos_deck_reader;

typedef struct gos_deck_card {
    const char *name;   // "NODE PRINT"
    const char *params; // supported ones, separated by blanks
    gos_status (*read)(gos_deck_reader *);
    enum { GOS_DECK_ANYWHERE, GOS_DECK_IN_MODEL, GOS_DECK_IN_STEP } where;
    int kind; // variant, if `read` handles several
} gos_deck_card;

typedef struct gos_deck_set {
    const char *name;
    int n, cap;
    int *item;       // (n)
    bool sorted;     // without duplicates
    int nkept;       // -1: outdated
    const int *kept; // copy at the last request (nkept)
} gos_deck_set;

typedef struct gos_deck_sets {
    int n, cap;
    gos_deck_set *set;
    gos_names names; // indices
} gos_deck_sets;

/* section whose material is still a label */
typedef struct gos_deck_waiting {
    int section, layer; // layer -1: the section itself
    const char *material;
    gos_loc loc;
} gos_deck_waiting;

struct gos_deck_reader {
    gos_ctx *ctx;
    gos_arena *arena; // of the mesh
    const char *folder;
    gos_deck *deck;
    gos_mesh *mesh;

    /* text */
    int nfile, file_cap, depth;
    gos_deck_file *file;
    gos_deck_cursor open[GOS_LIMIT_DECK_DEPTH];
    size_t bytes;         // counted at each opening
    const char *at, *end; // rest of the current line
    const char *begin;    // of the current line
    gos_loc loc;          // of the current line
    bool held;            // the line is to be read again
    bool is_card;
    bool cut; // last file ends within a data line

    /* current card */
    char object[GOS_DECK_LABEL + 2]; // "*NODE PRINT"
    const gos_deck_card *card;
    gos_loc card_loc;
    int nparam;
    gos_deck_param param[16];

    /* indices by label */
    gos_names materials, orientations, amplitudes, surfaces;
    gos_deck_sets node_sets, cell_sets;
    int64_t *cell_tag; // ascending (ncell) ...
    int *cell_of;      // ... cells (ncell)
    int *card_cells;   // first cell of each *ELEMENT card (ncard + 1)
    int ncard, ncard_cap, card_at;
    int nwaiting; // sections with a material not yet defined
    struct gos_deck_waiting *waiting;
    double *thickness; // *NODAL THICKNESS in two directions, 0: not given (nodes, 2)
    int material;      // current material, -1: none
    int coupling;      // without a kind yet, -1: none
    double items;      // total in all sets
    bool late;         // some card refers to sets below it
    int step;          // 0: before the first
    bool in_step;
    gos_loc step_loc;

    /* parts and instances */
    int npart, ninstance;
    struct gos_deck_part *part;
    struct gos_deck_instance *instance;
    // instances, counted from 1, 0: none. scope: the one being read; within: the one whose nodes,
    // elements and sets the card refers to
    int scope, within;
    bool in_assembly;
    gos_loc assembly_loc;
    int64_t *offset;                // added to numbers (ninstance + 1); NULL: numbers are encoded
    char later[GOS_DECK_LABEL + 8]; // for the warning
};

/* ---- text.c ---- */
gos_status gos__deck_rewind(gos_deck_reader *r);
/** Next line that is not empty or a comment, across files. */
gos_status gos__deck_line(gos_deck_reader *r, bool *more);
/** Next data line of this card; *more false: card or end follows, left unread. */
gos_status gos__deck_data(gos_deck_reader *r, bool *more);
gos_status gos__deck_skip(gos_deck_reader *r);
/** False at the line's end. Fields may be empty; none follows the last comma. */
bool gos__deck_field(gos_deck_reader *r, gos_deck_field *f);
gos_status gos__deck_read_card(gos_deck_reader *r);
/** Fail at the current line; f (may be NULL): the field. */
gos_status gos__deck_fail(gos_deck_reader *r, const gos_deck_field *f, const char *fmt, ...)
    GOS_PRINTF(3, 4);
/** Label in upper case without blanks; quoted ones unchanged. (labels.c) */
gos_status gos__deck_label(gos_deck_reader *r, const gos_deck_field *f,
                           char label[GOS_DECK_LABEL + 1]);
/** Number in a field; `what` describes it in messages. */
gos_status gos__deck_real(gos_deck_reader *r, const gos_deck_field *f, const char *what, double *x);
gos_status gos__deck_whole(gos_deck_reader *r, const gos_deck_field *f, const char *what,
                           int64_t lo, int64_t hi, int64_t *x);
bool gos__deck_is_number(const gos_deck_field *f);
/** Finite number with exponent E or D; false: invalid. */
bool gos__deck_parse_real(const gos_deck_field *f, double *x);
/** Next field as a number; if missing or empty `def`, NaN: required. */
gos_status gos__deck_next_real(gos_deck_reader *r, const char *what, double def, double *x);
gos_status gos__deck_next_whole(gos_deck_reader *r, const char *what, int64_t lo, int64_t hi,
                                int64_t def, int64_t *x);
/** Only empty fields may follow on the line. */
gos_status gos__deck_end(gos_deck_reader *r);
/** n numbers from this line across the following ones. */
gos_status gos__deck_reals(gos_deck_reader *r, const char *what, int n, double *x);

/* ---- labels.c ---- */
/** Compare, ignoring blanks, with a word in upper case. */
bool gos__deck_is_word(const gos_deck_field *f, const char *word);
/** Value of a parameter as a label; NULL: not given. */
const char *gos__deck_param(const gos_deck_reader *r, const char *key);
gos_status gos__deck_need(gos_deck_reader *r, const char *key, const char **value);
gos_status gos__deck_param_real(gos_deck_reader *r, const char *key, double def, double *x);
/** Index of the value among blank-separated words; 0: not given. */
gos_status gos__deck_param_choice(gos_deck_reader *r, const char *key, const char *words,
                                  int *choice);
gos_status gos__deck_check_params(gos_deck_reader *r, const gos_deck_card *card);
/** Index of a label; fails if it is not defined above this line. */
gos_status gos__deck_named(gos_deck_reader *r, const gos_names *names, const char *what,
                           const char *label, int *number);
/** The same for the value of a parameter; -1: not given. */
gos_status gos__deck_param_named(gos_deck_reader *r, const gos_names *names, const char *what,
                                 const char *key, int *number);
/** Index of a label defined in the current instance or outside of all; NULL: none. */
const int *gos__deck_find(const gos_deck_reader *r, const gos_names *names, const char *label);
/** Register a label, with the prefix of the instance; fails on a duplicate. */
gos_status gos__deck_name(gos_deck_reader *r, gos_names *names, const char *what, const char *label,
                          int number, const char **kept);
/** Append a zeroed element in the arena; *thing is valid until the next call. */
gos_status gos__deck_add(gos_deck_reader *r, void *list, int *n, size_t size, void *thing);

/* ---- instances.c ---- */
void gos__deck_instances_begin(gos_deck_reader *r);
gos_status gos__deck_instances_finish(gos_deck_reader *r);
/** Card of parts and instances, read in both passes; NULL: another. */
const gos_deck_card *gos__deck_place_card(const gos_deck_field *name);
/** Note of numbers that are not those of the deck. */
void gos__deck_instances_note(gos_deck_reader *r);
/** Instance of a name, counted from 1; 0: none. */
int gos__deck_instance_of(const gos_deck_reader *r, const char *name, size_t n);
/** Set r->within by the parameter INSTANCE. */
gos_status gos__deck_member(gos_deck_reader *r);
/** Prefix of labels of an instance, "BLOCK-1."; 0: "". */
const char *gos__deck_prefix(const gos_deck_reader *r, int scope);
/** Whether a field is a number, or INSTANCE.number. */
bool gos__deck_is_tag(const gos_deck_reader *r, const gos_deck_field *f);
/** Number of a node or element, encoded while r->offset is NULL. */
gos_status gos__deck_tag(gos_deck_reader *r, const gos_deck_field *f, const char *what,
                         int64_t *tag);
/** Added to numbers of r->within. */
int64_t gos__deck_offset(const gos_deck_reader *r);
/** Set r->offset from encoded numbers: nodes (nnode, by stride bytes), cells (ncell). */
gos_status gos__deck_offsets(gos_deck_reader *r, int nnode, const int64_t *node, size_t stride,
                             int ncell, const int64_t *cell);
/** Without the instance. */
int64_t gos__deck_local(int64_t tag);
int64_t gos__deck_decode(const gos_deck_reader *r, int64_t tag);
/** Move a vector, or a point, with the current instance. */
void gos__deck_rotate(const gos_deck_reader *r, double v[3]);
void gos__deck_place(const gos_deck_reader *r, double x[3]);

/* ---- mesh.c ---- */
/** Read nodes and elements: the mesh without sets. */
gos_status gos__deck_mesh(gos_deck_reader *r);
/** The other cell of the same element (B32); -1: none. */
int gos__deck_other_half(const gos_mesh *mesh, int cell);
gos_status gos__deck_card_node(gos_deck_reader *r);
gos_status gos__deck_card_element(gos_deck_reader *r);

/* ---- sets.c ---- */
/** Count list items, whose number is limited. */
gos_status gos__deck_count(gos_deck_reader *r, int n);
/** Cell of an element number; -1: none. */
int gos__deck_cell(const gos_deck_reader *r, int64_t tag);
gos_status gos__deck_sets_finish(gos_deck_reader *r);
void gos__deck_sets_free(gos_deck_reader *r);
/** Current items of a set, in the arena. */
gos_status gos__deck_set_items(gos_deck_reader *r, bool cells, const char *label, int *n,
                               const int **item);
gos_status gos__deck_card_nset(gos_deck_reader *r);
gos_status gos__deck_card_elset(gos_deck_reader *r);
gos_status gos__deck_set_add(gos_deck_reader *r, bool cells, const char *label, int n,
                             const int *item);
/** Nodes or cells by number or set; ascending, in the arena. */
gos_status gos__deck_nodes(gos_deck_reader *r, const gos_deck_field *f, int *n, const int **node);
gos_status gos__deck_cells(gos_deck_reader *r, const gos_deck_field *f, int *n, const int **cell);
gos_status gos__deck_node(gos_deck_reader *r, const gos_deck_field *f, int *node);

/* ---- shell_expansion.c, shell_fibres.c ---- */
/** Quadratic shells become solids, after all cards are read. */
gos_status gos__deck_expand(gos_deck_reader *r);
/** Refer faces, temperatures and sets to deck->fibre. @param solid nodes of cells that were not
 * expanded (nold) */
gos_status gos__deck_fibres_apply(gos_deck_reader *r, int nold, const bool *solid);
/** Fail for a temperature gradient, which only such shells have. */
gos_status gos__deck_no_gradients(gos_deck_reader *r);

/* ---- surface.c ---- */
gos_status gos__deck_card_surface(gos_deck_reader *r);
/** Faces by label ("2", "NEG", "P" ...) of the element type. */
gos_status gos__deck_faces(gos_deck_reader *r, const gos_deck_field *f, const char *label, int n,
                           const int *cell, gos_deck_faces *faces);

/* ---- material.c, section.c, loads.c, nodal.c, constraints.c, step.c ---- */
gos_status gos__deck_card_material(gos_deck_reader *r);
gos_status gos__deck_card_elastic(gos_deck_reader *r);
gos_status gos__deck_card_expansion(gos_deck_reader *r);
gos_status gos__deck_card_conductivity(gos_deck_reader *r);
gos_status gos__deck_card_density(gos_deck_reader *r);
gos_status gos__deck_card_specific_heat(gos_deck_reader *r);
gos_status gos__deck_card_damping(gos_deck_reader *r);
gos_status gos__deck_card_inactive(gos_deck_reader *r);
gos_status gos__deck_card_solid(gos_deck_reader *r);
gos_status gos__deck_card_shell(gos_deck_reader *r);
gos_status gos__deck_card_membrane(gos_deck_reader *r);
gos_status gos__deck_card_beam(gos_deck_reader *r);
gos_status gos__deck_card_mass(gos_deck_reader *r);
gos_status gos__deck_card_thickness(gos_deck_reader *r);
gos_status gos__deck_card_spring(gos_deck_reader *r); // kind: GOS_DECK_SPRING, GOS_DECK_DASHPOT
/** Layers on the lines below the card (composite.c). */
gos_status gos__deck_layers(gos_deck_reader *r, int section);
gos_status gos__deck_sections_finish(gos_deck_reader *r);
gos_status gos__deck_card_orientation(gos_deck_reader *r);
gos_status gos__deck_card_transform(gos_deck_reader *r);
gos_status gos__deck_card_amplitude(gos_deck_reader *r);
gos_status gos__deck_card_boundary(gos_deck_reader *r);
gos_status gos__deck_card_force(gos_deck_reader *r); // kind: GOS_DECK_FORCE or GOS_DECK_HEAT
gos_status gos__deck_card_temperature(gos_deck_reader *r);
gos_status gos__deck_card_initial(gos_deck_reader *r);
/* kinds of gos__deck_card_load */
enum {
    GOS_DECK_CARD_DLOAD,
    GOS_DECK_CARD_DSLOAD,
    GOS_DECK_CARD_DFLUX,
    GOS_DECK_CARD_DSFLUX,
    GOS_DECK_CARD_FILM,
    GOS_DECK_CARD_SFILM,
    GOS_DECK_CARD_RADIATE,
    GOS_DECK_CARD_SRADIATE
};
gos_status gos__deck_card_load(gos_deck_reader *r);
gos_status gos__deck_card_constants(gos_deck_reader *r);
gos_status gos__deck_loads_finish(gos_deck_reader *r);
gos_status gos__deck_card_equation(gos_deck_reader *r);
gos_status gos__deck_card_coupling(gos_deck_reader *r);
gos_status gos__deck_card_coupling_kind(gos_deck_reader *r); // kind 1: distributing
gos_status gos__deck_couplings_check(gos_deck_reader *r);
gos_status gos__deck_card_rigid_body(gos_deck_reader *r);
gos_status gos__deck_card_tie(gos_deck_reader *r);
gos_status gos__deck_card_mpc(gos_deck_reader *r);
gos_status gos__deck_card_mean(gos_deck_reader *r); // *DISTRIBUTING COUPLING
gos_status gos__deck_card_step(gos_deck_reader *r);
gos_status gos__deck_card_end_step(gos_deck_reader *r);
gos_status gos__deck_card_procedure(gos_deck_reader *r);
void gos__deck_later_card(gos_deck_reader *r);
gos_status gos__deck_steps_finish(gos_deck_reader *r);

#endif
