/* Values and derivatives of functions of time (switching times: timefn_breaks.c). An expression
   records the active branch of each comparison, abs, floor ... With the record held it is smooth,
   also slightly beyond its piece, so central differences give one-sided derivatives. */
#include "model/timefn.h"

#include <math.h>

#include "model/private.h"
#include "model/quantity.h"

/* Eclipse factor of sunlight, with smooth ramps of length r centred at each start and end of a
   window:
     f(t) = 1 - sum_k S(t - start_k) - S(t - end_k),   S(x) = u^2 (3 - 2 u),  u = x/r + 1/2 in [0,
     1].
   S is monotone with an integral independent of r. So f stays in [0, 1] for ordered windows and
   each window removes its length, also where ramps overlap. */

/* right-sided derivatives; a jump at 0 if ramp is 0 */
static double step(double x, double ramp, double *d1, double *d2) {
    const bool before = x < -0.5 * ramp, after = x >= 0.5 * ramp;
    *d1 = *d2 = 0.0;
    if (before || after) {
        return after ? 1.0 : 0.0;
    }
    const double u = x / ramp + 0.5;
    *d1 = 6.0 * u * (1.0 - u) / ramp;
    *d2 = 6.0 * (1.0 - 2.0 * u) / (ramp * ramp);
    return u * u * (3.0 - 2.0 * u);
}

static int first_edge(const gos_shade *s, double t) {
    int lo = 0, hi = 2 * s->n;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (t - s->window[mid] > 0.5 * s->ramp) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* 0 inside, 1 outside; derivatives (may be NULL) are right-sided at ramp ends. */
static double shade_eval(const gos_shade *s, double t, double *d1, double *d2) {
    const int first = first_edge(s, t);
    double f = first % 2 ? 0.0 : 1.0; // passed edges cancel in pairs
    double one = 0.0, two = 0.0;
    for (int k = first; k < 2 * s->n && t - s->window[k] >= -0.5 * s->ramp; k++) {
        double a, b;
        const double sign = k % 2 ? 1.0 : -1.0;
        f += sign * step(t - s->window[k], s->ramp, &a, &b);
        one += sign * a;
        two += sign * b;
    }
    if (d1 != NULL) {
        *d1 = one;
    }
    if (d2 != NULL) {
        *d2 = two;
    }
    return f;
}

/* ---- construction ---------------------------------------------------------------------------- */

typedef struct map_form {
    const char *table, *column, *expression, *call;
    const gos_node *points;
    gos_texts of;
    int interpolation;
    double scale;
    gos_numbers breaks;
} map_form;

static const gos_param map_params[] = {
    {.name = "table",
     .kind = GOS_K_TEXT,
     .offset = offsetof(map_form, table),
     .doc = "CSV file below the model's folder; its first column is the time"},
    {.name = "points",
     .kind = GOS_K_NODE,
     .offset = offsetof(map_form, points),
     .doc = "points of the table, instead of a file: [[t, value], ...]"},
    {.name = "column",
     .kind = GOS_K_TEXT,
     .def = "2",
     .offset = offsetof(map_form, column),
     .doc = "column of the values, number from 1 or name in the header"},
    {.name = "interpolation",
     .kind = GOS_K_CHOICE,
     .choices = "linear|cubic",
     .def = "linear",
     .offset = offsetof(map_form, interpolation),
     .doc = "interpolation between the points; cubic is a natural spline"},
    {.name = "scale",
     .kind = GOS_K_NUMBER,
     .def = "1",
     .offset = offsetof(map_form, scale),
     .doc = "factor applied to the table's values"},
    {.name = "expression",
     .kind = GOS_K_TEXT,
     .offset = offsetof(map_form, expression),
     .doc = "expression of the time t, instead of a table"},
    {.name = "call",
     .kind = GOS_K_TEXT,
     .offset = offsetof(map_form, call),
     .doc = "callback registered by the program (gos_model_callback), instead of a table"},
    {.name = "of",
     .kind = GOS_K_NAMES,
     .offset = offsetof(map_form, of),
     .doc = "call: probes passed to the function, e.g. [angle, tip.y]"},
    {.name = "breaks",
     .kind = GOS_K_NUMBERS,
     .unit = "s",
     .offset = offsetof(map_form, breaks),
     .doc = "additional times where the function or its derivative jumps"},
    {.name = NULL}};

const gos_type gos__timefn_type = {
    .section = "values",
    .name = "function_of_t",
    .doc = "A function of the time t: a number, an expression that may use t, or a map with these "
           "keys. Time steps end at times where the function or its slope jumps.",
    .params = map_params,
    .size = sizeof(map_form),
    .example = "value: 20*(t>0.1)*(t<0.11)\nvalue: {table: sun.csv, column: flux}"};

static void release(void *arg) {
    gos_timefn *fn = arg;
    gos__expr_free(fn->expr);
    fn->expr = NULL;
    if (fn->kind == GOS_TIMEFN_EXPRESSION) {
        fn->kind = GOS_TIMEFN_CONSTANT;
        fn->value = (double)NAN;
    }
}

void gos__timefn_free(gos_timefn *fn) {
    if (fn != NULL) {
        release(fn);
    }
}

static gos_status make_expression(gos_model *m, const char *text, gos_loc loc,
                                  const gos_scope *scope, gos_timefn *fn) {
    double value;
    size_t number;
    const char *unit;
    if (gos__number_parse(text, strlen(text), &value) ||
        gos__quantity_written(text, &number, &unit)) {
        return gos__quantity(m, text, loc, fn->object, &scope->of, &fn->value);
    }
    gos_expr *e;
    const char *const *name;
    GOS_TRY(gos__expr_make(m, text, loc, fn->object, scope, &e));
    if (!gos__expr_uses_time(e) && gos__expr_variables(e, &name) == 0) {
        gos__expr_free(e);
        return gos__quantity(m, text, loc, fn->object, &scope->of, &fn->value);
    }
    fn->expr = e;
    fn->kind = GOS_TIMEFN_EXPRESSION;
    fn->length = (int)strlen(text);
    return GOS_OK;
}

/* keys of tables, beside something else */
static gos_status check_keys(gos_model *m, const gos_node *map, const char *object,
                             const map_form *form) {
    static const char *const key[] = {"column", "scale", "interpolation"};
    for (int i = 0; i < GOS_COUNT(key); i++) {
        const bool taken = form->table || (form->points && i > 0);
        if (gos__node_given(map, key[i]) && !taken) {
            return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(map, key[i]), object,
                                "'%s' is allowed only with 'table: FILE.csv'%s; remove it", key[i],
                                i > 0 ? " or 'points: [...]'" : "");
        }
    }
    return GOS_OK;
}

static gos_status make_from_map(gos_model *m, const gos_node *map, const gos_scope *scope,
                                gos_arena *a, gos_timefn *fn) {
    map_form form = {0};
    GOS_TRY(gos__fill(m, map, map_params, fn->object, a, &form));
    fn->breaks = form.breaks;
    if ((form.table != NULL) + (form.points != NULL) + (form.expression != NULL) +
            (form.call != NULL) !=
        1) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, map->loc, fn->object,
                            scope->probes
                                ? "give either 'table: FILE.csv', 'points: [...]', 'expression: "
                                  "...' or 'call: NAME'"
                                : "give either 'table: FILE.csv', 'points: [...]' or "
                                  "'expression: ...'");
    }
    GOS_TRY(check_keys(m, map, fn->object, &form));
    if (form.call == NULL && form.of.n > 0) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, form.of.loc[0], fn->object,
            "'of' is allowed only with 'call: NAME'; expressions use probes by name");
    }
    if (form.call != NULL) {
        fn->kind = GOS_TIMEFN_CALL;
        return gos__call_make(m, gos__node_get(map, "call"), &form.of, scope, fn->object, a,
                              &fn->call);
    }
    const gos_node *node = gos__node_get(map, "expression");
    if (form.expression != NULL) {
        return make_expression(m, form.expression, node->loc, scope, fn);
    }
    node = gos__node_get(map, "table");
    const gos_node *column = gos__node_get(map, "column");
    const gos_table_def def = {.file = form.table,
                               .column = form.column,
                               .cubic = form.interpolation == 1,
                               .scale = form.scale,
                               .of = scope->of,
                               .time = scope->time,
                               .file_loc = node != NULL ? node->loc : map->loc,
                               .column_loc = column != NULL ? column->loc : map->loc};
    fn->kind = GOS_TIMEFN_TABLE;
    fn->of_variable = !scope->time;
    if (form.points != NULL) {
        return gos__table_points(m, form.points, &def, fn->object, a, &fn->table);
    }
    return gos__table_make(m, &def, fn->object, a, &fn->table);
}

static gos_status make_empty(gos_loc loc, const char *object, gos_arena *a, gos_timefn **fn) {
    gos_timefn *f = GOS_NEW(a, gos_timefn, 1);
    if (f == NULL || gos__arena_defer(a, release, f) != GOS_OK) {
        return GOS_E_MEMORY;
    }
    f->loc = loc;
    f->object = object != NULL ? gos__arena_strdup(a, object) : NULL;
    *fn = f;
    return object != NULL && f->object == NULL ? GOS_E_MEMORY : GOS_OK;
}

gos_status gos__timefn_shade(gos_loc loc, const char *object, gos_arena *a, int n,
                             const double *window, double ramp, gos_timefn **fn) {
    gos_timefn *f;
    GOS_TRY(make_empty(loc, object, a, &f));
    f->kind = GOS_TIMEFN_SHADE;
    f->shade = (gos_shade){n, window, ramp};
    f->unit = "-";
    *fn = f;
    return GOS_OK;
}

gos_status gos__timefn_orbit(gos_loc loc, const char *object, gos_arena *a, const gos_orbit *orbit,
                             int what, gos_timefn **fn) {
    gos_timefn *f;
    GOS_TRY(make_empty(loc, object, a, &f));
    f->kind = GOS_TIMEFN_ORBIT;
    f->orbit = orbit;
    f->quantity = what;
    f->unit = what == GOS_ORBIT_FLUX ? "W/m^2" : "-";
    *fn = f;
    return GOS_OK;
}

gos_status gos__timefn_make(gos_model *m, const gos_node *node, const char *object,
                            const gos_scope *scope, gos_arena *a, gos_timefn **fn) {
    gos_timefn *f;
    GOS_TRY(make_empty(node->loc, object, a, &f));
    if (node->kind == GOS_MAP) {
        GOS_TRY(make_from_map(m, node, scope, a, f));
    } else if (node->kind == GOS_LIST || gos__node_null(node)) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, node->loc, object,
                            "must be a number, an expression of the %s%s, or {table: FILE.csv}",
                            scope->time ? "time t" : scope->variable,
                            scope->probes ? " and of probes" : "");
    } else {
        GOS_TRY(make_expression(m, node->text, node->loc, scope, f));
    }
    *fn = f;
    return GOS_OK;
}

gos_loc gos__timefn_location(const gos_timefn *fn, const char **object) {
    *object = fn->object;
    return fn->loc;
}

void gos__timefn_set_unit(gos_timefn *fn, const char *unit) {
    fn->unit = unit;
}

const char *gos__timefn_unit(const gos_timefn *fn) {
    return fn->unit ? fn->unit : "";
}

bool gos__timefn_constant(const gos_timefn *fn) {
    return fn->kind == GOS_TIMEFN_CONSTANT;
}

bool gos__timefn_timeless(const gos_timefn *fn) {
    return fn->kind == GOS_TIMEFN_EXPRESSION && !gos__expr_uses_time(fn->expr);
}

int gos__timefn_points(const gos_timefn *fn, const double **times) {
    *times = fn->kind == GOS_TIMEFN_TABLE && fn->table->curve == NULL ? fn->table->x : NULL;
    if (fn->kind == GOS_TIMEFN_CONSTANT || fn->kind == GOS_TIMEFN_SHADE ||
        fn->kind == GOS_TIMEFN_ORBIT || fn->kind == GOS_TIMEFN_CALL || gos__timefn_timeless(fn)) {
        return -1;
    }
    return *times != NULL ? fn->table->n : 0;
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* best difference quotient of a sequence: smallest change from its predecessor, plus rounding
   error */
typedef struct best {
    double last, value, error;
} best;

#define EXTRAPOLATION_SHARE 0.01 // fraction of the misfit at t that counts as error

static void offer(best *b, double value, double rounding) {
    const double error = fabs(value - b->last) + rounding;
    if (isfinite(value) && error < b->error) {
        b->error = error;
        b->value = value;
    }
    b->last = value;
}

/* Fourth-order central differences with decreasing steps; branches are held. Steps longer than a
   narrow pulse at t miss it on both sides and agree on a zero slope; the value that the four
   points predict at t reveals this. */
static void differentiate(gos_evaluator *e, double t, double f0, double *d1, double *d2) {
    const double scale = fmax(1.0, fabs(t));
    best one = {(double)NAN, (double)NAN, HUGE_VAL};
    best two = one;
    for (double step = 0.25 * scale; step > 1e-8 * scale; step *= 0.25) {
        const volatile double moved = t + step; // makes h exact
        const double h = moved - t;
        const double p1 = gos__evaluator_value(e, t + h), m1 = gos__evaluator_value(e, t - h);
        const double p2 = gos__evaluator_value(e, t + 2 * h);
        const double m2 = gos__evaluator_value(e, t - 2 * h);
        const double size = fabs(f0) + fabs(p1) + fabs(m1);
        const double rounding = 2.3e-16 * size;
        const double missed = fabs(f0 - (4.0 * (p1 + m1) - (p2 + m2)) / 6.0);
        offer(&one, (8.0 * (p1 - m1) - (p2 - m2)) / (12.0 * h),
              (rounding + EXTRAPOLATION_SHARE * missed) / h);
        offer(&two, (16.0 * (p1 + m1) - (p2 + m2) - 30.0 * f0) / (12.0 * h * h),
              4.0 * rounding / (h * h));
    }
    // one-sided at the end of a domain, as of sqrt(t) or log(1 - t)
    for (int side = 1; side >= -1 && !isfinite(one.value); side -= 2) {
        const double h = 1e-5 * scale * side;
        const double p1 = gos__evaluator_value(e, t + h), p2 = gos__evaluator_value(e, t + 2 * h);
        one.value = (4.0 * p1 - 3.0 * f0 - p2) / (2.0 * h);
        two.value = (p2 - 2.0 * p1 + f0) / (h * h);
    }
    *d1 = one.value;
    *d2 = two.value;
}

/* Variables and derivatives are 0: constraints must not prescribe functions of variables. A
   non-finite value counts as 0. */
static double without_variables(const gos_expr *x, gos_evaluator *e, double t, double *d1,
                                double *d2) {
    double value = gos__evaluator_value(e != NULL ? e : gos__expr_borrow(x), t);
    if (e == NULL) {
        gos__expr_return(x);
    }
    if (d1 != NULL) {
        *d1 = 0.0;
    }
    if (d2 != NULL) {
        *d2 = 0.0;
    }
    return isfinite(value) ? value : 0.0;
}

static double eval_expression(gos_evaluator *e, double t, double *d1, double *d2) {
    gos_branches *b = gos__evaluator_branches(e);
    const double value = gos__evaluator_value(e, t);
    if (d1 != NULL || d2 != NULL) {
        double one, two;
        b->hold = true;
        differentiate(e, t, value, &one, &two);
        if (d1 != NULL) {
            *d1 = one;
        }
        if (d2 != NULL) {
            *d2 = two;
        }
    }
    b->hold = false;
    return value;
}

static double eval_shared(const gos_expr *x, gos_evaluator *e, double t, double *d1, double *d2) {
    if (e != NULL) {
        return eval_expression(e, t, d1, d2);
    }
    const double value = eval_expression(gos__expr_borrow(x), t, d1, d2);
    gos__expr_return(x);
    return value;
}

static double orbit_value(const gos_timefn *fn, double t) {
    gos_orbit_position at;
    gos__orbit_at(fn->orbit, t, &at);
    const double *up = at.axes, *sun = at.sun;
    switch (fn->quantity) {
    case GOS_ORBIT_LIGHT:
        return at.light;
    case GOS_ORBIT_DAY:
        return fmax(0.0, up[0] * sun[0] + up[1] * sun[1] + up[2] * sun[2]);
    case GOS_ORBIT_SIZE:
        return fn->orbit->radius / sqrt(at.r[0] * at.r[0] + at.r[1] * at.r[1] + at.r[2] * at.r[2]);
    case GOS_ORBIT_FLUX:
        return fn->orbit->solar / (at.distance * at.distance);
    default:
        return fn->quantity < GOS_ORBIT_OUTWARD ? -sun[fn->quantity]
                                                : up[fn->quantity - GOS_ORBIT_OUTWARD];
    }
}

/* differences over a small part of an orbit */
static double eval_orbit(const gos_timefn *fn, double t, double *d1, double *d2) {
    const double y = orbit_value(fn, t);
    if (d1 != NULL || d2 != NULL) {
        const double h = 1e-3 / fn->orbit->rate;
        const double before = orbit_value(fn, t - h), after = orbit_value(fn, t + h);
        if (d1 != NULL) {
            *d1 = (after - before) / (2.0 * h);
        }
        if (d2 != NULL) {
            *d2 = (after - 2.0 * y + before) / (h * h);
        }
    }
    return y;
}

static double eval(const gos_timefn *fn, gos_evaluator *e, double t, double *d1, double *d2) {
    if (fn->kind == GOS_TIMEFN_TABLE) {
        return gos__table_eval(fn->table, t, false, d1, d2);
    }
    const char *const *name;
    if (fn->kind == GOS_TIMEFN_EXPRESSION && gos__expr_variables(fn->expr, &name) > 0) {
        return without_variables(fn->expr, e, t, d1, d2);
    }
    if (fn->kind == GOS_TIMEFN_EXPRESSION) {
        return eval_shared(fn->expr, e, t, d1, d2);
    }
    if (fn->kind == GOS_TIMEFN_SHADE) {
        return shade_eval(&fn->shade, t, d1, d2);
    }
    if (fn->kind == GOS_TIMEFN_ORBIT) {
        return eval_orbit(fn, t, d1, d2);
    }
    if (d1 != NULL) {
        *d1 = 0.0;
    }
    if (d2 != NULL) {
        *d2 = 0.0;
    }
    return fn->value;
}

double gos__timefn_eval(const gos_timefn *fn, double t, double *d1, double *d2) {
    return eval(fn, NULL, t, d1, d2);
}

double gos__timefn_eval_by(const gos_timefn *fn, gos_evaluator *e, double t, double *d1,
                           double *d2) {
    return eval(fn, e, t, d1, d2);
}

gos_status gos__timefn_evaluator(gos_ctx *ctx, const gos_timefn *fn, gos_evaluator **evaluator) {
    *evaluator = NULL;
    return fn->kind == GOS_TIMEFN_EXPRESSION ? gos__evaluator_create(ctx, fn->expr, evaluator)
                                             : GOS_OK;
}

/* ---- variables ------------------------------------------------------------------------------- */

int gos__timefn_variables(const gos_timefn *fn, const char *const **name) {
    *name = NULL;
    if (fn->kind == GOS_TIMEFN_CALL) {
        return gos__call_variables(fn->call, name);
    }
    return fn->kind == GOS_TIMEFN_EXPRESSION ? gos__expr_variables(fn->expr, name) : 0;
}

double gos__timefn_at(const gos_timefn *fn, double t, const double *y, double *dy) {
    const char *const *name;
    if (fn->kind == GOS_TIMEFN_TABLE && fn->of_variable) {
        return gos__table_eval(fn->table, y[0], false, dy, NULL);
    }
    const int n = gos__timefn_variables(fn, &name);
    if (fn->kind == GOS_TIMEFN_CALL) {
        return gos__call_at(fn->call, t, y, dy);
    }
    if (n == 0) {
        if (dy != NULL) {
            dy[0] = 0.0;
        }
        return gos__timefn_eval(fn, t, NULL, NULL);
    }
    gos_evaluator *e = gos__expr_borrow(fn->expr);
    double *at = gos__evaluator_variables(e);
    memcpy(at, y, n * sizeof(*at));
    const double value = gos__evaluator_value(e, t);
    memset(at, 0, n * sizeof(*at));
    gos__expr_return(fn->expr);
    if (dy != NULL) {
        gos__expr_derivatives(fn->expr, t, y, dy);
    }
    return value;
}

/* tolerance and remaining evaluations */
typedef struct integral {
    const gos_timefn *fn;
    double size; // integral of the absolute value
    int left;
} integral;

/* Gauss rule with 5 points */
static double rule(integral *k, double a, double b) {
    static const double x[] = {0.0, 0.5384693101056831, 0.9061798459386640};
    static const double w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    const double mid = 0.5 * (a + b), half = 0.5 * (b - a);
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < GOS_COUNT(x); i++) {
        const double lo = mid - half * x[i], hi = mid + half * x[i];
        const double f = gos__timefn_at(k->fn, 0.0, &lo, NULL);
        const double g = i > 0 ? gos__timefn_at(k->fn, 0.0, &hi, NULL) : 0.0;
        sum += w[i] * (f + g);
        size += w[i] * (fabs(f) + fabs(g));
    }
    k->left--;
    k->size = fmax(k->size, fabs(half) * size);
    return half * sum;
}

/* bisect until the halves agree with the whole, closing in on kinks */
static double halved(integral *k, double a, double b, double whole, int depth) {
    const double mid = 0.5 * (a + b), left = rule(k, a, mid), right = rule(k, mid, b);
    if (depth == 0 || k->left <= 0 || !(fabs(left + right - whole) > 1e-13 * k->size)) {
        return left + right;
    }
    return halved(k, a, mid, left, depth - 1) + halved(k, mid, b, right, depth - 1);
}

double gos__timefn_integral(const gos_timefn *fn, double a, double b) {
    enum { DEPTH = 40, RULES = 2000 };
    integral k = {.fn = fn, .left = RULES};
    double sum = 0.0, from = a;
    const int points = fn->kind == GOS_TIMEFN_TABLE ? fn->table->n : 0;
    for (int i = 0; i < points; i++) { // between table points
        const double to = fn->table->x[a < b ? i : points - 1 - i];
        if (a < b ? to > from && to < b : to < from && to > b) {
            sum += rule(&k, from, to);
            from = to;
        }
    }
    const double last = rule(&k, from, b);
    return sum + (points > 0 ? last : halved(&k, from, b, last, DEPTH));
}
