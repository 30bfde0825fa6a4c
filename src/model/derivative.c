/* Exact derivatives of expressions by forward-mode differentiation: checked tokens become
 * operations in order of evaluation. Values come from muParser; intermediate values follow the
 * same rules (tests compare the two). At a kink the derivative is that of the active branch.
 * Functions that jump (sign, floor, ...) are rejected where they depend on a variable: error
 * estimates would miss the jump. */
#include "model/private.h"

#include <math.h>

#define DEPTH 64 // largest number of pending values

typedef enum operator_code {
    VALUE,
    TIME,
    VARIABLE,
    NEGATE,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    LESS,
    GREATER,
    LESS_EQUAL,
    GREATER_EQUAL,
    EQUAL,
    UNEQUAL,
    AND,
    OR,
    IF,
    FUNCTION1, // one argument, with its derivative
    ATAN2,
    HYPOT,
    ABS,
    MIN,
    MAX,
    JUMP // jump in constants and time only
} operator_code;

typedef struct operation {
    operator_code code;
    int n; // arguments; VARIABLE: its index
    double value;
    const gos_function *function;
    double (*derivative)(double);
} operation;

struct gos_derivative {
    int n, nvariable;
    operation *op; // (n)
};

/* ---- functions of one argument --------------------------------------------------------------- */

static double d_cos(double x) {
    return -sin(x);
}
static double d_tan(double x) {
    const double t = tan(x);
    return 1 + t * t;
}
static double d_asin(double x) {
    return 1 / sqrt(1 - x * x);
}
static double d_acos(double x) {
    return -d_asin(x);
}
static double d_atan(double x) {
    return 1 / (1 + x * x);
}
static double d_tanh(double x) {
    const double t = tanh(x);
    return 1 - t * t;
}
static double d_asinh(double x) {
    return 1 / hypot(1, x);
}
static double d_acosh(double x) {
    return 1 / (sqrt(x - 1) * sqrt(x + 1));
}
static double d_atanh(double x) {
    return 1 / (1 - x * x);
}
static double d_log(double x) {
    return 1 / x;
}
static double d_log2(double x) {
    return 1 / (x * log(2));
}
static double d_log10(double x) {
    return 1 / (x * log(10));
}
static double d_sqrt(double x) {
    return 0.5 / sqrt(x);
}
static double d_cbrt(double x) {
    const double r = cbrt(x);
    return 1 / (3 * r * r);
}
static double d_deg(double x) {
    GOS_UNUSED(x);
    return M_PI / 180;
}
static double d_rad(double x) {
    GOS_UNUSED(x);
    return 1;
}

static const struct {
    const char *name;
    double (*derivative)(double);
} smooth[] = {{"sin", cos},       {"cos", d_cos},     {"tan", d_tan},     {"asin", d_asin},
              {"acos", d_acos},   {"atan", d_atan},   {"sinh", cosh},     {"cosh", sinh},
              {"tanh", d_tanh},   {"asinh", d_asinh}, {"acosh", d_acosh}, {"atanh", d_atanh},
              {"exp", exp},       {"ln", d_log},      {"log", d_log},     {"log2", d_log2},
              {"log10", d_log10}, {"sqrt", d_sqrt},   {"cbrt", d_cbrt},   {"deg", d_deg},
              {"rad", d_rad}};

static operation call(const gos_function *f, int n) {
    static const struct {
        const char *name;
        operator_code code;
    } special[] = {{"pow", POWER}, {"atan2", ATAN2}, {"hypot", HYPOT},
                   {"abs", ABS},   {"min", MIN},     {"max", MAX}};
    operation op = {.code = JUMP, .n = n, .function = f};
    for (int i = 0; i < GOS_COUNT(smooth); i++) {
        if (strcmp(f->name, smooth[i].name) == 0) {
            op.code = FUNCTION1;
            op.derivative = smooth[i].derivative;
        }
    }
    for (int i = 0; i < GOS_COUNT(special); i++) {
        op.code = strcmp(f->name, special[i].name) == 0 ? special[i].code : op.code;
    }
    return op;
}

/* ---- compilation ----------------------------------------------------------------------------- */

typedef struct pending {
    enum { OPERATOR, OPEN, CALL, QUESTION, COLON } kind;
    int order; // OPERATOR: precedence
    operation op;
    int pos; // CALL: position in the text
} pending;

enum { OF_COLON = 1, OF_OR, OF_AND, OF_COMPARE, OF_SUM, OF_PRODUCT, OF_SIGN, OF_POWER };

typedef struct maker {
    gos_ctx *ctx;
    const char *text;
    gos_loc loc;
    const char *object;
    gos_derivative *d;
    pending *stack; // (nstack)
    int nstack;
    bool depends[DEPTH]; // does the value depend on a variable? (depth)
    int depth;
} maker;

static gos_status fail(const maker *m, int pos, const char *what) {
    gos_loc loc = m->loc;
    loc.col += loc.col > 0 ? pos : 0;
    return gos__fail_at(m->ctx, GOS_E_INPUT, loc, m->object, "%s", what);
}

static gos_status emit(maker *m, const operation *op, int pos, bool depends) {
    const int n = op->code == VARIABLE ? 0 : op->n;
    for (int i = 0; i < n; i++) {
        depends = depends || m->depends[m->depth - 1 - i];
    }
    if (op->code == JUMP && depends) {
        char what[192];
        gos__format(what, sizeof(what),
                    "%s() is discontinuous in its argument, and time steps cannot end at such "
                    "jumps; use a smooth function such as tanh(x/width)",
                    op->function->name);
        return fail(m, pos, what);
    }
    m->depth -= n;
    if (m->depth == DEPTH) {
        return fail(
            m, pos,
            "the expression is nested too deeply for its derivatives; use fewer parentheses");
    }
    m->depends[m->depth++] = depends;
    m->d->op[m->d->n++] = *op;
    return GOS_OK;
}

static gos_status take_top(maker *m) {
    const pending *p = &m->stack[--m->nstack];
    const operation choose = {.code = IF, .n = 3};
    return emit(m, p->kind == COLON ? &choose : &p->op, p->pos, false);
}

/* emit pending operators that bind at least as tightly as `order` */
static gos_status take_until(maker *m, int order) {
    while (m->nstack > 0) {
        const pending *p = &m->stack[m->nstack - 1];
        const bool ready =
            (p->kind == OPERATOR && p->order >= order) || (p->kind == COLON && order <= OF_COLON);
        if (!ready) {
            break;
        }
        GOS_TRY(take_top(m));
    }
    return GOS_OK;
}

static gos_status binary(maker *m, operator_code code, int order, int pos) {
    GOS_TRY(take_until(m, order + (order == OF_POWER)));
    m->stack[m->nstack++] =
        (pending){.kind = OPERATOR, .order = order, .op = {.code = code, .n = 2}, .pos = pos};
    return GOS_OK;
}

static gos_status operator_of(maker *m, const gos_token *t) {
    const char *s = m->text + t->pos;
    switch (s[0]) {
    case '+':
        return binary(m, ADD, OF_SUM, t->pos);
    case '-':
        return binary(m, SUBTRACT, OF_SUM, t->pos);
    case '*':
        return binary(m, MULTIPLY, OF_PRODUCT, t->pos);
    case '/':
        return binary(m, DIVIDE, OF_PRODUCT, t->pos);
    case '^':
        return binary(m, POWER, OF_POWER, t->pos);
    case '<':
        return binary(m, s[1] == '=' ? LESS_EQUAL : LESS, OF_COMPARE, t->pos);
    case '>':
        return binary(m, s[1] == '=' ? GREATER_EQUAL : GREATER, OF_COMPARE, t->pos);
    case '=':
        return binary(m, EQUAL, OF_COMPARE, t->pos);
    case '!':
        return binary(m, UNEQUAL, OF_COMPARE, t->pos);
    case '&':
        return binary(m, AND, OF_AND, t->pos);
    default:
        return binary(m, OR, OF_OR, t->pos);
    }
}

static gos_status close_parenthesis(maker *m) {
    GOS_TRY(take_until(m, 0));
    m->nstack--;
    if (m->nstack > 0 && m->stack[m->nstack - 1].kind == CALL) {
        return take_top(m);
    }
    return GOS_OK;
}

static gos_status take_value(maker *m, const gos_token *t) {
    operation op = {.code = VALUE, .value = t->value};
    if (t->kind == GOS_T_NUMBER) {
        (void)gos__number_parse(m->text + t->pos, t->len, &op.value);
    } else if (t->is_time) {
        op.code = TIME;
    } else if (t->variable > 0) {
        op = (operation){.code = VARIABLE, .n = t->variable - 1};
    }
    return emit(m, &op, t->pos, op.code == VARIABLE);
}

static gos_status take(maker *m, const gos_token *t) {
    switch (t->kind) {
    case GOS_T_NUMBER:
    case GOS_T_NAME:
        return take_value(m, t);
    case GOS_T_FUNCTION:
        m->stack[m->nstack++] = (pending){.kind = CALL, .op = call(t->function, 1), .pos = t->pos};
        return GOS_OK;
    case GOS_T_OPEN:
        m->stack[m->nstack++] = (pending){.kind = OPEN};
        return GOS_OK;
    case GOS_T_CLOSE:
        return close_parenthesis(m);
    case GOS_T_COMMA:
        GOS_TRY(take_until(m, 0));
        m->stack[m->nstack - 2].op.n++;
        return GOS_OK;
    case GOS_T_SIGN:
        if (t->value < 0) {
            m->stack[m->nstack++] =
                (pending){.kind = OPERATOR, .order = OF_SIGN, .op = {.code = NEGATE, .n = 1}};
        }
        return GOS_OK;
    case GOS_T_QUESTION:
        GOS_TRY(take_until(m, OF_OR));
        m->stack[m->nstack++] = (pending){.kind = QUESTION};
        return GOS_OK;
    case GOS_T_COLON:
        GOS_TRY(take_until(m, 0));
        m->stack[m->nstack - 1].kind = COLON;
        return GOS_OK;
    case GOS_T_END:
        return take_until(m, 0);
    default:
        return operator_of(m, t);
    }
}

gos_status gos__derivative_make(gos_ctx *ctx, const gos_syntax *s, const char *text, gos_loc loc,
                                const char *object, gos_derivative **d) {
    const size_t n = s->ntoken + 1L;
    maker m = {.ctx = ctx, .text = text, .loc = loc, .object = object};
    m.d = gos__zalloc(ctx, 1, sizeof(*m.d));
    m.stack = gos__zalloc(ctx, n, sizeof(*m.stack));
    gos_status status = GOS_E_MEMORY;
    if (m.d != NULL) {
        m.d->op = gos__zalloc(ctx, n, sizeof(*m.d->op));
        m.d->nvariable = s->nvariable;
        status = m.d->op != NULL && m.stack != NULL ? GOS_OK : GOS_E_MEMORY;
    }
    for (int i = 0; i < s->ntoken && status == GOS_OK; i++) {
        status = take(&m, &s->token[i]);
    }
    gos__free(ctx, m.stack);
    if (status != GOS_OK) {
        gos__derivative_free(ctx, m.d);
        return status;
    }
    *d = m.d;
    return GOS_OK;
}

void gos__derivative_free(gos_ctx *ctx, gos_derivative *d) {
    if (d != NULL) {
        gos__free(ctx, d->op);
        gos__free(ctx, d);
    }
}

/* ---- evaluation ------------------------------------------------------------------------------ */

typedef struct dual {
    double v, d[GOS_LIMIT_VARIABLES];
} dual;

/* chain rule; a zero derivative stays 0 even if its factor is not finite */
static void combine(dual *r, int n, double value, double da, const dual *a, double db,
                    const dual *b) {
    for (int i = 0; i < n; i++) {
        const double one = a->d[i] != 0 ? da * a->d[i] : 0, two = b->d[i] != 0 ? db * b->d[i] : 0;
        r->d[i] = one + two;
    }
    r->v = value;
}

static void power(dual *r, int n, const dual *a, const dual *b) {
    const double v = pow(a->v, b->v);
    combine(r, n, v, b->v != 0 ? b->v * pow(a->v, b->v - 1) : 0, a, v != 0 ? v * log(a->v) : 0, b);
}

static double truth(operator_code c, double a, double b) {
    switch (c) {
    case LESS:
        return a < b;
    case GREATER:
        return a > b;
    case LESS_EQUAL:
        return a <= b;
    case GREATER_EQUAL:
        return a >= b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case AND:
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

/* on ties the first value, as in the function itself */
static const dual *extreme(const dual *a, int n, bool least) {
    const dual *best = a;
    for (int i = 1; i < n; i++) {
        best = (least ? a[i].v < best->v : a[i].v > best->v) ? &a[i] : best;
    }
    return best;
}

static double jump(const operation *op, const dual *a) {
    double v[1 + 2] = {0, a[0].v, op->n > 1 ? a[1].v : 0}, state = 0;
    gos_branches b = {.state = &state};
    return op->function->fn(&b, v, 1 + op->n);
}

/* the result replaces a[0] */
static void apply(const operation *op, int n, dual *a) {
    const dual x = a[0], y = op->n > 1 ? a[1] : (dual){0}, none = {0};
    double r2;
    switch (op->code) {
    case NEGATE:
        combine(a, n, -x.v, -1, &x, 0, &none);
        break;
    case ADD:
        combine(a, n, x.v + y.v, 1, &x, 1, &y);
        break;
    case SUBTRACT:
        combine(a, n, x.v - y.v, 1, &x, -1, &y);
        break;
    case MULTIPLY:
        combine(a, n, x.v * y.v, y.v, &x, x.v, &y);
        break;
    case DIVIDE:
        combine(a, n, x.v / y.v, 1 / y.v, &x, -x.v / (y.v * y.v), &y);
        break;
    case POWER:
        power(a, n, &x, &y);
        break;
    case IF:
        a[0] = x.v != 0 ? a[1] : a[2];
        break;
    case FUNCTION1:
        combine(a, n, op->function->f1(x.v), op->derivative(x.v), &x, 0, &none);
        break;
    case ATAN2:
        r2 = x.v * x.v + y.v * y.v;
        combine(a, n, atan2(x.v, y.v), y.v / r2, &x, -x.v / r2, &y);
        break;
    case HYPOT:
        r2 = hypot(x.v, y.v);
        combine(a, n, r2, x.v / r2, &x, y.v / r2, &y);
        break;
    case ABS:
        combine(a, n, fabs(x.v), x.v < 0 ? -1 : 1, &x, 0, &none);
        break;
    case MIN:
    case MAX:
        a[0] = *extreme(a, op->n, op->code == MIN);
        break;
    case JUMP:
        combine(a, n, jump(op, a), 0, &none, 0, &none);
        break;
    default:
        combine(a, n, truth(op->code, x.v, y.v), 0, &none, 0, &none);
        break;
    }
}

double gos__derivative_eval(const gos_derivative *d, double t, const double *y, double *dy) {
    dual stack[DEPTH];
    int depth = 0;
    for (int i = 0; i < d->n; i++) {
        const operation *op = &d->op[i];
        if (op->code <= VARIABLE) {
            dual *to = &stack[depth++];
            *to = (dual){.v = op->code == TIME ? t : op->value};
            if (op->code == VARIABLE) {
                to->v = y[op->n];
                to->d[op->n] = 1;
            }
        } else {
            depth -= op->n;
            apply(op, d->nvariable, &stack[depth++]);
        }
    }
    memcpy(dy, stack[0].d, d->nvariable * sizeof(*dy));
    return stack[0].v;
}
