/* Internals of the model: the tree, parameter tables that fill structs from it, expressions and
   functions of time. Everything a user says goes through here, whatever door it came in by. */
#ifndef GOS_MODEL_INTERNAL_H
#define GOS_MODEL_INTERNAL_H

#include "base/base.h"
#include "gossamer/model.h"

/* ---- the tree ------------------------------------------------------------------------------- */

typedef enum gos_node_kind { GOS_SCALAR, GOS_LIST, GOS_MAP } gos_node_kind;

typedef struct gos_node gos_node;
struct gos_node {
    gos_node_kind kind;
    const char *key;        // in a map: the entry's name; else NULL
    gos_loc key_loc;        // place of the key
    gos_loc loc;            // place of the value
    const char *text;       // scalar: its text, never NULL; plain or quoted alike
    bool quoted;            // scalar: was quoted, so never a null
    gos_node *child, *next; // first child; next sibling in order of appearance
    gos_node **sorted;      // map: children by key (n), for the search; may be NULL
    int n;                  // number of children
    bool used;              // looked at by somebody (unknown keys are those never asked for)
};

/* One parameter of the model with its evaluated value. */
typedef struct gos_parameter {
    const char *name;
    double value;
    gos_loc loc;
} gos_parameter;

struct gos_model {
    gos_ctx *ctx;
    gos_arena *arena;   // holds the tree and all strings
    gos_node *root;     // always a map
    const char *file;   // name in messages, NULL when built by calls
    const char *folder; // where tables may be read from, NULL for nowhere
    const char *stem;   // the file's name without folder and ending, NULL when built by calls
    char *text;         // source text plus settings made later
    size_t given;       // bytes of text that are the source's
    uint64_t tables;    // hash of all tables read so far
    struct gos_named_callback *callbacks; // that the program has given (call.c), the last one first
    struct gos_named_law *laws;           // of controllers, likewise (control_law.c)
    /* what a design asks of the system that it is made on, else 0 */
    bool nominal;    // without the errors that the plant of a run is given
    bool open_loops; // controllers whose laws are made by designs, and are not there yet, are left
                     // out
    int nsense;
    const char *const *sense;   // names and patterns of electrodes that are outputs (nsense) ...
    const char *sense_quantity; // ... with this quantity of probes
    /* filled by gos__model_parameters */
    gos_parameter *par; // (npar)
    int *par_sorted;    // indices of par by name (npar)
    int npar;
};

/** The map of a YAML text, all of whose nodes are said to stand at loc; in arena `a`. */
gos_status gos__node_read(gos_model *m, const char *text, gos_loc loc, gos_arena *a,
                          gos_node **map);
/** Child of a map by key, or NULL. Marks nothing. */
gos_node *gos__node_get(const gos_node *map, const char *key);
/** The same for a key that has a value: `key:`, `key: ~` and `key: null` are as if left out. */
gos_node *gos__node_given(const gos_node *map, const char *key);
/** Is this a name as entries, parameters and points must have: [A-Za-z_][A-Za-z0-9_]{0,63}. */
bool gos__name_valid(const char *name);
/** Node at a dotted path from `root`, or NULL. */
gos_node *gos__node_find(gos_node *root, const char *path);

/** Evaluate `parameters:` in order of dependency (cycles and unknown names are errors at their
 *  place). Called once before a model is compiled; again after changes. */
gos_status gos__model_parameters(gos_model *m);

/* ---- expressions and functions of time ----------------------------------------------------- */

/** Evaluate a numeric expression of the model's parameters (muParser syntax, deg(x), pi, e ...).
 *  Errors are recorded at loc (+ column inside the text). The result is finite. */
gos_status gos__expr(gos_model *m, const char *text, gos_loc loc, const char *object,
                     double *value);

/* Names that an expression may use besides parameters and constants. */
typedef struct gos_scope {
    bool time;            // t
    bool probes;          // probes of the model, NAME or NAME.COMPONENT; parameters come first
    const char *variable; // this variable, NULL: none
} gos_scope;

#define GOS_TIMEFN_SCAN 4096 // points of the first scan for switching times

/* A scalar function of time: a constant, an expression in t, or a table. Immutable once made: any
   number of threads may evaluate it. */
typedef struct gos_timefn gos_timefn;
/* What one thread needs to evaluate an expression. */
typedef struct gos_evaluator gos_evaluator;
/** Make from a scalar node (number, expression) or a map {table: file.csv,
 *  column: 2, interpolation: linear|cubic, scale: 1, breaks: [..]} or {expression: .., breaks: ..},
 * of what `scope` allows: a function of time, of time and probes, or of one variable (of a table:
 * its first column) in place of the time. Lives in the arena `a`, which also releases its parser
 * handle; gos__timefn_free does so earlier. */
gos_status gos__timefn_make(gos_model *m, const gos_node *node, const char *object,
                            const gos_scope *scope, gos_arena *a, gos_timefn **fn);
/** The variables that it depends on besides t, by their names as written; 0: none. As a function of
 * time alone it takes them for 0. */
int gos__timefn_variables(const gos_timefn *fn, const char *const **name);
/** Value at t and y (variables), and derivatives dy by them, exact but for callbacks without; dy
 * may be NULL. A table of a variable has one, whatever gos__timefn_variables says. */
double gos__timefn_at(const gos_timefn *fn, double t, const double *y, double *dy);
/** Integral of a function of one variable from a to b, to about 12 digits. */
double gos__timefn_integral(const gos_timefn *fn, double a, double b);
/** 1 outside n windows (start, end) [s], which are in order and disjoint, and 0 inside, with smooth
 *  ramps of length `ramp` [s] centred at each start and end; their ends are breaks. `window` (n)(2)
 *  must live as long as the arena. */
gos_status gos__timefn_shade(gos_loc loc, const char *object, gos_arena *a, int n,
                             const double *window, double ramp, gos_timefn **fn);
void gos__timefn_free(gos_timefn *fn);
/** Value at t; its first and second time derivatives where d1, d2 are not NULL (tables: exact
 *  within a segment; expressions: central differences of the piece that holds at t, so one-sided
 *  at breaks; about 10 and 8 digits). */
double gos__timefn_eval(const gos_timefn *fn, double t, double *d1, double *d2);
/** The same by an evaluator of the caller's, without waiting for other threads (NULL: as above). */
double gos__timefn_eval_by(const gos_timefn *fn, gos_evaluator *e, double t, double *d1,
                           double *d2);
/** An evaluator of the function; *evaluator is NULL where it needs none. The function must live
 * longer. */
gos_status gos__timefn_evaluator(gos_ctx *ctx, const gos_timefn *fn, gos_evaluator **evaluator);
void gos__evaluator_destroy(gos_evaluator *e);
/** Where the function was given, and for what ("load 'push'", may be NULL). */
gos_loc gos__timefn_place(const gos_timefn *fn, const char **object);
/** Unit of its values, of the parameter that it was read for (a static text); "" when not known. */
void gos__timefn_set_unit(gos_timefn *fn, const char *unit);
const char *gos__timefn_unit(const gos_timefn *fn);
bool gos__timefn_constant(const gos_timefn *fn);
/** Times in (t0, t1) where the function or its slope jumps: comparisons, abs, floor, min ... that
 *  switch, table points with a marked change of slope, explicit `breaks`. Appends to times[*n] up
 *  to cap (GOS_E_LIMIT when there are more), sorted. Found by scanning the branches on
 *  GOS_TIMEFN_SCAN points, doubled until their number settles, and bisecting to the first double
 *  where the new branch holds. */
gos_status gos__timefn_breaks(gos_ctx *ctx, const gos_timefn *fn, double t0, double t1,
                              double *times, int *n, int cap);

/* ---- parameter tables ---------------------------------------------------------------------- */

typedef enum gos_kind {
    GOS_K_NUMBER,  // double
    GOS_K_INT,     // int
    GOS_K_BOOL,    // int, 0 or 1
    GOS_K_VECTOR,  // double[shape]
    GOS_K_NUMBERS, // gos_numbers: any count; shape 2: numbers x or pairs [x, y], which give x, y in
                   // any case (n even)
    GOS_K_TEXT,    // const char *
    GOS_K_CHOICE,  // int: index into choices
    GOS_K_NAME,    // const char *: name of an entry of the section `choices` (checked to exist);
                   // "SECTION|WORD|..": or this word
    GOS_K_NAMES,   // gos_texts: list of texts or one text (places "rod.end", bodies; checked later)
    GOS_K_TIMEFN,  // gos_timefn *, scalar function of time
    GOS_K_TIMEFNS, // gos_timefn *[shape]: vector whose components may be functions of time
    GOS_K_MAP,     // nested struct filled by the table `sub` at the same offset base + offset
    GOS_K_NODE     // const gos_node *: left to the type itself
} gos_kind;

typedef struct gos_numbers {
    double *v;
    int n;
} gos_numbers;
typedef struct gos_texts {
    const char **v;
    gos_loc *loc;
    int n;
} gos_texts;

/* flags */
#define GOS_P_REQUIRED 1u // must be given
#define GOS_P_LO_OPEN 2u  // value must be > lo instead of >= lo
#define GOS_P_HI_OPEN 4u
#define GOS_P_UNIT_VECTOR 8u // nonzero vector, normalised when read
#define GOS_P_PROBES 16u     // TIMEFN, TIMEFNS: expressions may use probes of the model
#define GOS_P_EMPTY                                                                                \
    128u // NAMES, NUMBERS: an empty list is as none, so that a setting can take one away
// of a reduction method that serves linear and nonlinear models:
#define GOS_P_LINEAR 32u    // parameter for linear models only
#define GOS_P_NONLINEAR 64u // parameter for nonlinear models only

typedef struct gos_param gos_param;
struct gos_param {
    const char *name;
    gos_kind kind;
    const char *unit; // "kg/m^3", "" for none, "-" dimensionless
    int shape;        // components of VECTOR and TIMEFNS, 2 of NUMBERS that are pairs, else 0
    double lo, hi;    // allowed range of numbers (-HUGE_VAL, HUGE_VAL for none; so is 0, 0)
    unsigned flags;
    const char *def; // default as YAML text (an expression may use no parameter); NULL: zero/absent
    size_t offset;   // of the member in the struct
    const char *choices; // CHOICE: "a|b|c", "a=0|b=1"; NAME: section referred to, e.g. "materials";
                         // TIMEFN: variable of the function in place of the time, e.g. "stretch"
    const gos_param *sub; // MAP: table of the nested map, ended by name == NULL
    const char *doc;      // one sentence, what it means
};

/* An entry type of a section. Lists of them are the registries (src/registry.h). */
typedef struct gos_type {
    const char *section;     // "bodies", "joints", ...
    const char *name;        // the `type:` of the entry ("material" where a section has only one)
    const char *doc;         // one line
    const gos_param *params; // ended by name == NULL
    size_t size;             // bytes of the struct that the table fills
    const char *example;     // a short YAML snippet: an entry of this type
    const void *ops;         // functions, by section (cast by the owner)
} gos_type;

/** Fill the struct at `out` (zeroed, of the table's size) from a map node. Every error of the map
 *  is recorded (wrong type, range, NaN, missing, unknown key with suggestion, duplicate), then
 *  GOS_E_INPUT returned. `object` e.g. "body 'rod'". Strings and arrays live in arena `a`.
 *  The key `type` is accepted when gos__type_of has looked at it. */
gos_status gos__fill(gos_model *m, const gos_node *map, const gos_param *params, const char *object,
                     gos_arena *a, void *out);
/** The loc of key `name` in `map`, or of the map itself: for errors found later. */
gos_loc gos__key_loc(const gos_node *map, const char *name);

/** Find the type named by the entry's `type:` key in a section (a registry list ended by NULL);
 *  error with suggestion when unknown or missing, unless the section has only one type. */
gos_status gos__type_of(gos_model *m, const gos_node *entry, const char *section,
                        const gos_type *const *types, const char *object, const gos_type **type);
/** The same where another key than `type` names it (`key`), and with `otherwise` (may be NULL)
 * where the entry does not say it. */
gos_status gos__type_by(gos_model *m, const gos_node *entry, const char *section, const char *key,
                        const char *otherwise, const gos_type *const *types, const char *object,
                        const gos_type **type);

/** Write the reference of one type (or of all with NULL) from the tables of the list `types` (ended
 *  by NULL) to `out`: doc, then a line a parameter with kind, unit, shape, range, default, doc;
 *  then the example. A section's name shows its types. `markdown`: as the format reference page.
 *  The public gos_help calls this. */
gos_status gos__help(gos_ctx *ctx, const gos_type *const *types, const char *type, bool markdown,
                     FILE *out);
/** Write the model format as a JSON schema. The public gos_schema calls this. */
gos_status gos__schema(gos_ctx *ctx, const gos_type *const *types, FILE *out);

#endif
