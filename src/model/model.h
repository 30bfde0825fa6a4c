/* Internals of the model: the tree, parameter tables, expressions and functions of time. */
#ifndef GOS_MODEL_INTERNAL_H
#define GOS_MODEL_INTERNAL_H

#include "base/base.h"
#include "gossamer/binding.h"
#include "model/unit.h"

/* ---- the tree -------------------------------------------------------------------------------- */

typedef enum gos_node_kind { GOS_SCALAR, GOS_LIST, GOS_MAP } gos_node_kind;

typedef struct gos_node gos_node;
struct gos_node {
    gos_node_kind kind;
    const char *key; // name of a map entry, else NULL
    gos_loc key_loc;
    gos_loc loc;
    const char *text;       // scalar: its text, never NULL, without quotes
    bool quoted;            // scalar: quoted, so never a null
    gos_node *child, *next; // first child; next sibling in order of appearance
    gos_node **sorted;      // map: children sorted by key (n); may be NULL
    int n;                  // children
    bool used;              // was read; unknown keys are those never read
};

typedef struct gos_parameter {
    const char *name;
    double value;
    gos_loc loc;
    const gos_unit_def *unit; // given with it, NULL: none
} gos_parameter;

struct gos_model {
    gos_ctx *ctx;
    gos_arena *arena;   // owns the tree and all strings
    gos_node *root;     // always a map
    const char *file;   // name in messages, NULL when built by calls
    const char *folder; // where tables may be read from, NULL for nowhere
    const char *stem;   // file name without folder and extension, NULL when built by calls
    char *text;         // source text plus later settings
    size_t given;       // bytes of the source in text
    uint64_t tables;    // hash of all tables read
    struct gos_named_callback *callbacks; // user callbacks (callbacks.c), latest first
    struct gos_named_law *laws;           // control laws (control_law.c), latest first
    /* requirements of a design, else 0 */
    bool nominal;    // without the model errors given to the plant of a simulation
    bool open_loops; // omit controllers whose designs are not made yet
    int nsense;
    const char *const *sense;   // electrodes used as outputs: names, patterns (nsense)
    const char *sense_quantity; // their probe quantity
    /* set by gos__model_parameters */
    gos_parameter *par; // (npar)
    int *par_sorted;    // indices of par sorted by name (npar)
    int npar;
    const gos_unit_set *units; // NULL: SI
};

/** Parse YAML text into a map in arena `a`; all nodes get the location loc. */
gos_status gos__node_read(gos_model *m, const char *text, gos_loc loc, gos_arena *a,
                          gos_node **map);
/** Child of a map by key, or NULL. Does not mark it as used. */
gos_node *gos__node_get(const gos_node *map, const char *key);
/** The same, but NULL for a key without value (`key:`, `key: ~`, `key: null`). */
gos_node *gos__node_given(const gos_node *map, const char *key);
/** [A-Za-z_][A-Za-z0-9_]{0,63}, as required of entries, parameters and points */
bool gos__name_valid(const char *name);
/** Node at a dotted path from `root`, or NULL. */
gos_node *gos__node_find(gos_node *root, const char *path);

/** Read `units:`, and evaluate `parameters:` in order of dependency; reports cycles and unknown
 *  names. Call before a model is compiled, and after changes. */
gos_status gos__model_parameters(gos_model *m);

/* ---- expressions and functions of time ------------------------------------------------------- */

/** Evaluate a numeric expression of the model's parameters. Errors are recorded at loc (+ column
 *  inside the text). The result is finite. */
gos_status gos__expr(gos_model *m, const char *text, gos_loc loc, const char *object,
                     double *value);

#define GOS_REFERENCE_TEMPERATURE "293.15" // default of reference_temperature [K]

typedef enum gos_temperature {
    GOS_DIFFERENCE,
    GOS_ABSOLUTE,
    GOS_OVER_REFERENCE // relative to the reference temperature of the model
} gos_temperature;

/* What a value measures. */
typedef struct gos_measure {
    const char *unit;      // of SI; "" or NULL: none
    gos_temperature scale; // of temperatures
    bool si;               // plain numbers are in SI, not in units of the model
} gos_measure;

/** Evaluate an expression as gos__expr, or a number with a unit ("200 GPa"), which is checked and
 *  converted into the units of the model. */
gos_status gos__quantity(gos_model *m, const char *text, gos_loc loc, const char *object,
                         const gos_measure *of, double *value);

/* Names allowed in an expression besides parameters and constants. */
typedef struct gos_scope {
    bool time;
    bool probes;          // NAME or NAME.COMPONENT; parameters take precedence
    const char *variable; // name of one variable, or NULL
    gos_measure of;       // of the value
} gos_scope;

#define GOS_TIMEFN_SCAN 4096 // initial scan points

/* Scalar function of time: constant, expression in t, or table. Immutable and thread-safe. */
typedef struct gos_timefn gos_timefn;
/* Per-thread workspace of an expression. */
typedef struct gos_evaluator gos_evaluator;
/** Make from a scalar node (number, expression) or a map {table: file.csv, column: 2,
 *  interpolation: linear|cubic, scale: 1, breaks: [..]} or {expression: .., breaks: ..}. `scope`:
 *  function of time, of time and probes, or of one variable in place of time (tables: the first
 *  column). Arena `a` also releases the parser handle; gos__timefn_free does so earlier. */
gos_status gos__timefn_make(gos_model *m, const gos_node *node, const char *object,
                            const gos_scope *scope, gos_arena *a, gos_timefn **fn);
/** Variables besides t, by name as written; 0: none. gos__timefn_eval sets them to 0. */
int gos__timefn_variables(const gos_timefn *fn, const char *const **name);
/** Value at t and y (variables), and derivatives dy (may be NULL), exact except for callbacks
 *  without derivatives. A table of a variable has one, although gos__timefn_variables returns 0. */
double gos__timefn_at(const gos_timefn *fn, double t, const double *y, double *dy);
/** Integral over one variable from a to b, to about 12 digits. */
double gos__timefn_integral(const gos_timefn *fn, double a, double b);
/** 0 inside n ordered, disjoint windows (start, end) [s], 1 outside; smooth ramps of length `ramp`
 *  [s] centred at each start and end, whose ends are breaks. `window` (n)(2) must outlive the
 *  arena. */
gos_status gos__timefn_shade(gos_loc loc, const char *object, gos_arena *a, int n,
                             const double *window, double ramp, gos_timefn **fn);
void gos__timefn_free(gos_timefn *fn);
/** Value at t; first and second time derivatives if d1, d2 are not NULL (tables: exact within a
 *  segment; expressions: central differences of the piece valid at t, one-sided at breaks; about 10
 *  and 8 digits). */
double gos__timefn_eval(const gos_timefn *fn, double t, double *d1, double *d2);
/** The same with the caller's evaluator, without locking (NULL: as above). */
double gos__timefn_eval_by(const gos_timefn *fn, gos_evaluator *e, double t, double *d1,
                           double *d2);
/** *evaluator is NULL if the function needs none. The function must outlive it. */
gos_status gos__timefn_evaluator(gos_ctx *ctx, const gos_timefn *fn, gos_evaluator **evaluator);
void gos__evaluator_destroy(gos_evaluator *e);
/** Source location of the function and its owner ("load 'push'", may be NULL). */
gos_loc gos__timefn_location(const gos_timefn *fn, const char **object);
/** Unit of the parameter that it was read for, as labelled in the model (borrowed); "" if unknown.
 */
void gos__timefn_set_unit(gos_timefn *fn, const char *unit);
const char *gos__timefn_unit(const gos_timefn *fn);
bool gos__timefn_constant(const gos_timefn *fn);
/** Times in (t0, t1) where the function or its slope jumps: switching of comparisons, abs, floor,
 *  min ..., marked changes of slope in tables, explicit `breaks`. Appends to times[*n] up to cap
 *  (GOS_E_LIMIT beyond), sorted. Scans the branches at GOS_TIMEFN_SCAN points, doubled until their
 *  number settles, then bisects to the first double of the new branch. */
gos_status gos__timefn_breaks(gos_ctx *ctx, const gos_timefn *fn, double t0, double t1,
                              double *times, int *n, int cap);

/* ---- parameter tables ------------------------------------------------------------------------ */

typedef enum gos_kind {
    GOS_K_NUMBER, // double
    GOS_K_INT,    // int
    GOS_K_BOOL,   // int, 0 or 1
    GOS_K_VECTOR, // double[shape]
    // gos_numbers: any count; shape 2: numbers or pairs, stored as pairs x, y (n even)
    GOS_K_NUMBERS,
    GOS_K_TEXT,   // const char *
    GOS_K_CHOICE, // int: index into choices
    // const char *: entry of the section `choices` (checked to exist), or a WORD of
    // "SECTION|WORD|.."
    GOS_K_NAME,
    GOS_K_NAMES,   // gos_texts: one text or a list ("rod.end", bodies; checked later)
    GOS_K_TIMEFN,  // gos_timefn *, scalar function of time
    GOS_K_TIMEFNS, // gos_timefn *[shape]: vector of functions of time
    GOS_K_MAP,     // nested struct filled by the table `sub`, at base + offset
    GOS_K_NODE     // const gos_node *: read by the type itself
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
#define GOS_P_REQUIRED 1u
#define GOS_P_LO_OPEN 2u // > lo instead of >= lo
#define GOS_P_HI_OPEN 4u
#define GOS_P_UNIT_VECTOR 8u // nonzero vector, normalised when read
#define GOS_P_PROBES 16u     // TIMEFN, TIMEFNS: expressions may use probes
#define GOS_P_EMPTY                                                                                \
    128u // NAMES, NUMBERS: an empty list counts as absent, so that a setting can clear it
// linear and nonlinear models:
#define GOS_P_LINEAR 32u    // linear models only
#define GOS_P_NONLINEAR 64u // nonlinear models only
// units:
#define GOS_P_ABSOLUTE 256u       // absolute temperature
#define GOS_P_OVER_REFERENCE 512u // temperature relative to the reference temperature
#define GOS_P_MODEL_UNIT 1024u    // the default is in units of the model, not of SI

typedef struct gos_param gos_param;
struct gos_param {
    const char *name;
    gos_kind kind;
    const char *unit; // "kg/m^3", "" for none, "-" dimensionless
    int shape;        // components of VECTOR and TIMEFNS, 2 for NUMBERS as pairs, else 0
    double lo, hi;    // range of numbers (none: -HUGE_VAL, HUGE_VAL or 0, 0)
    unsigned flags;
    const char *def; // default as YAML text (expressions without parameters); NULL: zero/absent
    size_t offset;   // of the member in the struct
    // CHOICE: "a|b|c", "a=0|b=1"; NAME: section, e.g. "materials"; TIMEFN: variable in place of
    // time, e.g. "stretch"
    const char *choices;
    const gos_param *sub; // MAP: table of the nested map, terminated by name == NULL
    const char *doc;      // meaning in one sentence
    // TEXT: permitted value i, from 0; false: after the last one. NULL: any text
    bool (*value)(int i, gos_value_info *info);
};

/* An entry type of a section, listed in system/registry.c. */
typedef struct gos_type {
    const char *section;     // "bodies", "joints", ...
    const char *name;        // value of `type:` ("material" where a section has only one)
    const char *doc;         // one line
    const gos_param *params; // terminated by name == NULL
    size_t size;             // size of the struct
    const char *example;     // short YAML snippet
    const void *ops;         // functions, by section (cast by the owner)
} gos_type;

/** Fill the struct at `out` (zeroed, of the table's size) from a map node. Records every error
 *  (wrong type, range, NaN, missing, unknown key with suggestion, duplicate), then returns
 *  GOS_E_INPUT. `object` e.g. "body 'rod'". Strings and arrays live in arena `a`. Accepts the key
 *  `type` once gos__type_of has read it. */
gos_status gos__fill(gos_model *m, const gos_node *map, const gos_param *params, const char *object,
                     gos_arena *a, void *out);
/** Location of key `name`, or of the map. */
gos_loc gos__key_loc(const gos_node *map, const char *name);

/** Look up the entry's `type:` in a section (registry list terminated by NULL); error with
 *  suggestion when unknown or missing, unless the section has only one type. */
gos_status gos__type_of(gos_model *m, const gos_node *entry, const char *section,
                        const gos_type *const *types, const char *object, const gos_type **type);
/** The same with key `key` and the default `otherwise` (may be NULL). */
gos_status gos__type_by(gos_model *m, const gos_node *entry, const char *section, const char *key,
                        const char *otherwise, const gos_type *const *types, const char *object,
                        const gos_type **type);

/** Write the reference of one type (NULL: all) to `out`: doc, one line per parameter, example. A
 *  section name shows its types. `types` is terminated by NULL; `markdown`: as the format reference
 *  page. */
gos_status gos__help(gos_ctx *ctx, const gos_type *const *types, const char *type, bool markdown,
                     FILE *out);
gos_status gos__schema(gos_ctx *ctx, const gos_type *const *types, FILE *out);

/** Are both left out, or the same by their texts, numbers by their values? */
bool gos__same_value(const gos_node *a, const gos_node *b);

#endif
