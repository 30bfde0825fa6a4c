/* What the files of the reader of decks share: text in lines and fields, labels, places, and the
 * cards. */
#ifndef GOS_READER_H
#define GOS_READER_H

#include "deck/deck.h"

#define GOS_DECK_LABEL 80 // characters of a label, as in CalculiX

typedef struct gos_deck_param {
    char key[GOS_DECK_LABEL + 1];   // upper case, without blanks
    char value[GOS_DECK_LABEL + 1]; // as a label; "": none
    gos_loc loc;
} gos_deck_param;

/* a piece of the text of a line, without blanks around it */
typedef struct gos_deck_field {
    const char *s;
    int n;
} gos_deck_field;

/* a file of the deck; its text is kept, since it is read twice */
typedef struct gos_deck_file {
    const char *name; // for messages
    char *path;       // without links, to know it again; NULL: the text came from memory
    const char *text;
    char *owned; // to be freed, NULL: the caller's
    size_t size;
} gos_deck_file;

/* a place in an open file */
typedef struct gos_deck_cursor {
    int file;
    const char *s; // the next line
    int line;      // number of the last one
} gos_deck_cursor;

typedef struct gos_deck_reader gos_deck_reader;

typedef struct gos_deck_card {
    const char *name;   // "NODE PRINT"
    const char *params; // that it may have, separated by blanks
    gos_status (*read)(gos_deck_reader *);
    enum { GOS_DECK_ANYWHERE, GOS_DECK_IN_MODEL, GOS_DECK_IN_STEP } where;
    int kind; // for those that one function reads: what the card is
} gos_deck_card;

/* Sets while they grow. */
typedef struct gos_deck_set {
    const char *name;
    int n, cap;
    int *item;       // (n)
    bool sorted;     // ascending, each once
    int nkept;       // -1: changed since
    const int *kept; // as it was when last asked for (nkept)
} gos_deck_set;

typedef struct gos_deck_sets {
    int n, cap;
    gos_deck_set *set;
    gos_names names; // their numbers
} gos_deck_sets;

/* a section and the label of its material */
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
    size_t bytes;         // of all files, each as often as it is opened
    const char *at, *end; // what is left of the line that is looked at
    const char *begin;    // of that line
    gos_loc loc;          // of that line
    bool held;            // it was looked at and not taken
    bool is_card;
    bool cut; // the last file ends within a line of data

    /* the card that is read */
    char object[GOS_DECK_LABEL + 2]; // "*NODE PRINT"
    const gos_deck_card *card;
    gos_loc card_loc;
    int nparam;
    gos_deck_param param[16];

    /* things by their labels; numbers in the lists of the deck */
    gos_names materials, orientations, amplitudes, surfaces;
    gos_deck_sets node_sets, cell_sets;
    int64_t *cell_tag; // numbers of cells, ascending (ncell), and the cell of each
    int *cell_of;      // (ncell)
    int *card_cells;   // first cell of each *ELEMENT card, and the number of cells (ncard + 1)
    int ncard, ncard_cap, card_at;
    int nwaiting; // sections whose material may come later
    struct gos_deck_waiting *waiting;
    int material; // that is being described, -1: none
    int coupling; // that waits for its kind, -1: none
    double items; // of all sets
    int step;     // 0: before the first
    bool in_step;
    gos_loc step_loc;
    char later[GOS_DECK_LABEL + 8]; // procedure of a step that is not read, for its warning
};

/* ---- text.c ---- */
/** Begin the text anew at file 0. */
gos_status gos__deck_rewind(gos_deck_reader *r);
/** Go to the next line that is no comment and not empty, in whatever file; *more false: there is
 * none. */
gos_status gos__deck_line(gos_deck_reader *r, bool *more);
/** Go to the next line of data of this card; *more false: a card or the end follows, which is left
 * for later. */
gos_status gos__deck_data(gos_deck_reader *r, bool *more);
/** Pass over the rest of the card. */
gos_status gos__deck_skip(gos_deck_reader *r);
/** The next field of the line; false at its end. A field may be empty; after the last comma there
 * is none. */
bool gos__deck_field(gos_deck_reader *r, gos_deck_field *f);
/** The card on the current line, with its parameters. */
gos_status gos__deck_read_card(gos_deck_reader *r);
/** Fail at the current line, at a field of it (may be NULL). */
gos_status gos__deck_fail(gos_deck_reader *r, const gos_deck_field *f, const char *fmt, ...)
    GOS_PRINTF(3, 4);
/** A label: upper case and without blanks, in quotes as it is. */
gos_status gos__deck_label(gos_deck_reader *r, const gos_deck_field *f,
                           char label[GOS_DECK_LABEL + 1]);
/** Numbers; `what` names them in errors. */
gos_status gos__deck_real(gos_deck_reader *r, const gos_deck_field *f, const char *what, double *x);
gos_status gos__deck_whole(gos_deck_reader *r, const gos_deck_field *f, const char *what,
                           int64_t lo, int64_t hi, int64_t *x);
bool gos__deck_is_number(const gos_deck_field *f);
/** A finite number, with exponents of E and D; false: it is none. */
bool gos__deck_parse_real(const gos_deck_field *f, double *x);
/** The next field as a number; empty or none: `def`, which is refused when it is NaN ("is
 * missing"). */
gos_status gos__deck_next_real(gos_deck_reader *r, const char *what, double def, double *x);
gos_status gos__deck_next_whole(gos_deck_reader *r, const char *what, int64_t lo, int64_t hi,
                                int64_t def, int64_t *x);
/** Nothing but empty fields may follow on this line. */
gos_status gos__deck_end(gos_deck_reader *r);
/** n numbers that begin on the current line and go on on the next ones. */
gos_status gos__deck_reals(gos_deck_reader *r, const char *what, int n, double *x);

/* ---- labels.c ---- */
/** Is it that word (upper case), but for blanks. */
bool gos__deck_is_word(const gos_deck_field *f, const char *word);
/** Value of a parameter of the card as a label; NULL: not given. */
const char *gos__deck_param(const gos_deck_reader *r, const char *key);
gos_status gos__deck_need(gos_deck_reader *r, const char *key, const char **value);
/** Its value as a number. */
gos_status gos__deck_param_real(gos_deck_reader *r, const char *key, double def, double *x);
/** Index of its value among blank-separated words; 0: not given. */
gos_status gos__deck_param_choice(gos_deck_reader *r, const char *key, const char *words,
                                  int *choice);
/** All parameters of the card are among those it may have. */
gos_status gos__deck_check_params(gos_deck_reader *r, const gos_deck_card *card);
/** Number of the thing of that label, or an error that it is not defined above this line. */
gos_status gos__deck_named(gos_deck_reader *r, const gos_names *names, const char *what,
                           const char *label, int *number);
/** The same for the value of a parameter; -1: not given. */
gos_status gos__deck_param_named(gos_deck_reader *r, const gos_names *names, const char *what,
                                 const char *key, int *number);
/** Give a thing its label, or refuse the second of that label. */
gos_status gos__deck_name(gos_deck_reader *r, gos_names *names, const char *what, const char *label,
                          int number, const char **kept);
/** One more zeroed element of a list in the arena, which grows; *thing is valid until the next
 * one. */
gos_status gos__deck_add(gos_deck_reader *r, void *list, int *n, size_t size, void *thing);

/* ---- mesh.c ---- */
/** Read nodes and elements of the whole deck: the mesh without sets. */
gos_status gos__deck_mesh(gos_deck_reader *r);
gos_status gos__deck_card_node(gos_deck_reader *r);
gos_status gos__deck_card_element(gos_deck_reader *r);

/* ---- sets.c ---- */
/** Count items of lists that the deck asks for, whose sum is limited. */
gos_status gos__deck_count(gos_deck_reader *r, int n);
/** The cell of that number in the deck, -1: there is none. */
int gos__deck_cell(const gos_deck_reader *r, int64_t tag);
/** Put the sets into the mesh. */
gos_status gos__deck_sets_finish(gos_deck_reader *r);
void gos__deck_sets_free(gos_deck_reader *r);
/** The items of the set of that label, as it is now; they live in the arena. */
gos_status gos__deck_set_items(gos_deck_reader *r, bool cells, const char *label, int *n,
                               const int **item);
gos_status gos__deck_card_nset(gos_deck_reader *r);
gos_status gos__deck_card_elset(gos_deck_reader *r);
/** Add nodes or cells to the set of a label. */
gos_status gos__deck_set_add(gos_deck_reader *r, bool cells, const char *label, int n,
                             const int *item);
/** What a field names, a number or a set, as ascending nodes or cells, which live in the arena. */
gos_status gos__deck_nodes(gos_deck_reader *r, const gos_deck_field *f, int *n, const int **node);
gos_status gos__deck_cells(gos_deck_reader *r, const gos_deck_field *f, int *n, const int **cell);
/** The node of that number. */
gos_status gos__deck_node(gos_deck_reader *r, const gos_deck_field *f, int *node);

/* ---- surface.c ---- */
gos_status gos__deck_card_surface(gos_deck_reader *r);
/** The faces of cells that a label means ("2", "NEG", "P" ...), as the element types of the deck
 * number them. */
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
/** Layers of a section on the lines below its card (composite.c). */
gos_status gos__deck_layers(gos_deck_reader *r, int section);
/** Give sections their materials, and cells their sections. */
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
/** No coupling waits for its kind. */
gos_status gos__deck_couplings_check(gos_deck_reader *r);
gos_status gos__deck_card_rigid_body(gos_deck_reader *r);
gos_status gos__deck_card_tie(gos_deck_reader *r);
gos_status gos__deck_card_step(gos_deck_reader *r);
gos_status gos__deck_card_end_step(gos_deck_reader *r);
gos_status gos__deck_card_procedure(gos_deck_reader *r);
/** A card of a step that is not read. */
void gos__deck_later_card(gos_deck_reader *r);
gos_status gos__deck_steps_finish(gos_deck_reader *r);

#endif
