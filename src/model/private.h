/* Shared by the files of this folder. */
#ifndef GOS_MODEL_PRIVATE_H
#define GOS_MODEL_PRIVATE_H

#include "model/model.h"

/* ---- tree.c ---------------------------------------------------------------------------------- */

/** No value: `key:`, `key: ~` or `key: null`. */
bool gos__node_null(const gos_node *node);
/** (Re)build the index of a map; reports duplicate keys. */
gos_status gos__node_index(gos_ctx *ctx, gos_arena *a, gos_node *map);
/** Insert a child with its key, replacing one with the same key. */
gos_status gos__node_put(gos_ctx *ctx, gos_arena *a, gos_node *map, gos_node *child);
/** Remove a child of a map. */
gos_status gos__node_remove(gos_ctx *ctx, gos_arena *a, gos_node *map, const gos_node *child);
/** The key of `map` (may be NULL) or extra[0..n) most similar to a misspelt word, or NULL. Skipped
 *  once there are more errors than are stored. */
const char *gos__node_suggest(gos_ctx *ctx, const gos_node *map, const char *const *extra, int n,
                              const char *word);

/* ---- yaml.c ---------------------------------------------------------------------------------- */

/** Parse YAML text into a tree in arena `a`. `file` is interned; `depth` levels lie above the root.
 *  *root is NULL for empty text. */
gos_status gos__yaml_parse(gos_ctx *ctx, const char *text, size_t n, const char *file, int depth,
                           gos_arena *a, gos_node **root);

/* ---- layout.c -------------------------------------------------------------------------------- */

/** Check top-level keys, and that sections are maps of validly named entries. */
gos_status gos__layout_check(gos_ctx *ctx, gos_node *root);
bool gos__layout_known(const char *key);
const char *const *gos__layout_keys(int *n);
/** Does this section have user-named entries? */
bool gos__layout_named(const char *key);

/* ---- callbacks.c ----------------------------------------------------------------------------- */

/* A user-supplied function of time and probes. */
typedef struct gos_call gos_call;
/** The callback given by a node, with the probes `of` as arguments. */
gos_status gos__call_make(gos_model *m, const gos_node *name, const gos_texts *of,
                          const gos_scope *scope, const char *object, gos_arena *a,
                          gos_call **call);
int gos__call_variables(const gos_call *call, const char *const **name);
/** As gos__timefn_at. */
double gos__call_at(const gos_call *call, double t, const double *y, double *dy);
/** Define the callbacks of `from` in `to`. */
gos_status gos__callbacks_copy(gos_model *to, const gos_model *from);

/* ---- control_law.c --------------------------------------------------------------------------- */

/** Set the control laws of `from` in `to`. */
gos_status gos__laws_copy(gos_model *to, const gos_model *from);

/* ---- syntax.c: expressions as tokens --------------------------------------------------------- */

typedef enum gos_token_kind {
    GOS_T_NUMBER,
    GOS_T_NAME, // parameter, constant or t
    GOS_T_FUNCTION,
    GOS_T_OPEN,
    GOS_T_CLOSE,
    GOS_T_COMMA,
    GOS_T_SIGN,    // unary + or -
    GOS_T_BINARY,  // + - * / ^
    GOS_T_COMPARE, // < > <= >= == !=
    GOS_T_LOGIC,   // && ||
    GOS_T_QUESTION,
    GOS_T_COLON,
    GOS_T_END
} gos_token_kind;

typedef struct gos_function {
    const char *name;
    int nmin, nmax; // arguments; nmax 0: any number
    bool switches;  // jumps or has a kink: numbered, branch recorded
    double (*f1)(double);
    double (*f2)(double, double);
    double (*fn)(void *branches, const double *v, int n); // if it switches, v[0] is its number
} gos_function;

typedef struct gos_token {
    gos_token_kind kind;
    int pos, len; // in the text
    const gos_function *function;
    double value; // GOS_T_NAME: of the parameter or constant
    bool is_time; // GOS_T_NAME: the variable t
    int variable; // GOS_T_NAME: 1 + index of a variable of the expression (gos_syntax), or 0
    /* for compilation, see expr.c */
    int nif;     // conditions that begin before this token
    int compare; // comparison beginning before this token: index of its operator token, or 0
    int nclose;  // parentheses that close after this token
} gos_token;

typedef struct gos_syntax {
    gos_token *token; // (ntoken), the last is GOS_T_END; free with gos__free
    int ntoken;
    bool uses_t;
    int nvariable;                        // variables besides t, in order of appearance
    int variable[GOS_LIMIT_VARIABLES][2]; // first occurrence in the text: position, length
} gos_syntax;

/** Tokenise and check an expression; names come from the model and `scope`. */
gos_status gos__syntax_make(gos_model *m, const char *text, gos_loc loc, const char *object,
                            const gos_scope *scope, gos_syntax *syntax);

/* ---- functions.c ----------------------------------------------------------------------------- */

const gos_function *gos__functions(int *n);
/** The function that implements a comparison operator. */
const gos_function *gos__comparison(const char *op, int len);
bool gos__constant(const char *name, int len, double *value);
/** The name has n characters and need not be terminated. NULL: none. */
const gos_parameter *gos__parameter_get(const gos_model *m, const char *name, int n);

/* Branch record of an evaluation. */
typedef struct gos_branches {
    double *state; // branch taken by each switching function
    bool hold;     // keep the branches fixed for any arguments
} gos_branches;

/* ---- expr.c ---------------------------------------------------------------------------------- */

/* Compiled expression. Immutable; any number of threads may have evaluators. */
typedef struct gos_expr gos_expr;

gos_status gos__expr_make(gos_model *m, const char *text, gos_loc loc, const char *object,
                          const gos_scope *scope, gos_expr **expr);
void gos__expr_free(gos_expr *x);
bool gos__expr_uses_time(const gos_expr *x);
int gos__expr_branches(const gos_expr *x);
/** Variables besides t, by name as written. */
int gos__expr_variables(const gos_expr *x, const char *const **name);
/** Input values of the variables; initially 0. */
double *gos__evaluator_variables(gos_evaluator *e);
/** Derivatives with respect to the variables at t and y (nvariable). */
void gos__expr_derivatives(const gos_expr *x, double t, const double *y, double *d);
/** One thread's evaluator; the expression must outlive it. */
gos_status gos__evaluator_create(gos_ctx *ctx, const gos_expr *x, gos_evaluator **evaluator);
/** The expression's own evaluator; other threads wait until it is returned. */
gos_evaluator *gos__expr_borrow(const gos_expr *x);
void gos__expr_return(const gos_expr *x);
/** Value at t; may be non-finite. Records the branches unless `hold`. */
double gos__evaluator_value(gos_evaluator *e, double t);
gos_branches *gos__evaluator_branches(gos_evaluator *e);

/* ---- derivative.c ---------------------------------------------------------------------------- */

/* Operation list for derivatives. Immutable. */
typedef struct gos_derivative gos_derivative;
/** @return GOS_E_INPUT, reported at loc, if a function jumps with a variable. */
gos_status gos__derivative_make(gos_ctx *ctx, const gos_syntax *s, const char *text, gos_loc loc,
                                const char *object, gos_derivative **d);
void gos__derivative_free(gos_ctx *ctx, gos_derivative *d);
/** Exact derivatives dy (nvariable) at t and y (nvariable); one-sided at kinks. @return the
 *  value. */
double gos__derivative_eval(const gos_derivative *d, double t, const double *y, double *dy);

/* ---- table.c --------------------------------------------------------------------------------- */

/* Function of one variable given by points; constant beyond them. */
typedef struct gos_table {
    int n;         // points
    double *x, *y; // (n), x strictly increasing
    double *curve; // cubic: second derivatives at the points (n); linear: NULL
} gos_table;

typedef struct gos_table_def {
    const char *file;
    const char *column; // of the values: number from 1, or name in the header
    bool cubic;
    double scale;
    gos_measure of; // of the values
    bool time;      // the variable is the time
    gos_loc file_loc, column_loc;
} gos_table_def;

/** Read a CSV file below the model's folder into arena `a`. */
gos_status gos__table_make(gos_model *m, const gos_table_def *def, const char *object, gos_arena *a,
                           gos_table **table);
/** The same from points [x, value]; def->file is not used. */
gos_status gos__table_points(gos_model *m, const gos_node *list, const gos_table_def *def,
                             const char *object, gos_arena *a, gos_table **table);
/** The same from n bytes of text, followed by a 0 byte; `file` (interned) is used in messages. */
gos_status gos__table_parse(gos_model *m, const char *text, size_t n, const char *file,
                            const gos_table_def *def, const char *object, gos_arena *a,
                            gos_table **table);
/** Value and derivatives at x (d1, d2 may be NULL); at a point, of the right segment, or of the
 *  left. */
double gos__table_eval(const gos_table *table, double x, bool left, double *d1, double *d2);

/* Eclipse windows, ordered and disjoint. */
typedef struct gos_shade {
    int n;
    const double *window; // (n)(start, end) [s]
    double ramp;          // [s], centred at each start and end
} gos_shade;

/* ---- timefn.c -------------------------------------------------------------------------------- */

/** Map form of a function of time. */
extern const gos_type gos__timefn_type;

typedef enum gos_timefn_kind {
    GOS_TIMEFN_CONSTANT,
    GOS_TIMEFN_EXPRESSION,
    GOS_TIMEFN_TABLE,
    GOS_TIMEFN_SHADE,
    GOS_TIMEFN_ORBIT,
    GOS_TIMEFN_CALL
} gos_timefn_kind;

/* Members of other kinds are zero. */
struct gos_timefn {
    gos_timefn_kind kind;
    double value;                  // constant
    gos_expr *expr;                // expression
    int length;                    // expression: text length, a measure of cost
    gos_table *table;              // table
    bool of_variable;              // table: of a variable instead of time
    gos_shade shade;               // eclipses
    const struct gos_orbit *orbit; // orbit (not owned)
    int quantity;                  // orbit: which quantity (gos_orbit_quantity)
    gos_call *call;                // user callback
    gos_numbers breaks;            // user-supplied [s]
    gos_loc loc;
    const char *object;
    const char *unit; // as labelled in the model, "" if unknown
};

/** An expression of probes alone, without t? */
bool gos__timefn_timeless(const gos_timefn *fn);

#endif
