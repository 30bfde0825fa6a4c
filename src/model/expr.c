/* Expressions as programs for a stack of values. A compiled expression never changes: what an evaluation
 * needs (stack, branches) lies with its caller, so any number of threads may evaluate one expression.
 *
 * A comparison a < b becomes a call lt(k, a, b) with its number k, a condition c ? a : b a call
 * if(c, a, b), and functions with branches get their number too: a constant before their arguments. So the
 * branch that each of them takes is recorded at every evaluation (time functions find their switching times
 * from that), and all branches are evaluated always. */
#include <math.h>

#include "base/kernel.h"
#include "model/private.h"

typedef enum opcode {
    CONSTANT,
    TIME,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    AND,
    OR,
    CALL1,
    CALL2,
    CALL_IF,
    CALL_SWITCH // number and arguments
} opcode;

/* One instruction: takes n values off the stack and puts one on it. */
struct gos_instruction {
    opcode code;
    int n;
    double value; // CONSTANT
    const gos_function *function;
};

double gos__expr_branch(void *branches, double k, double state) {
    const gos_branches *b = branches;
    const int i = (int)k;
    if (!b->hold) {
        b->state[i] = state;
    }
    return b->state[i];
}

/* ---- evaluating ------------------------------------------------------------------------------ */

/* one instruction; v: its arguments, which its value replaces. Part of the loop that evaluates: as a call it
   would cost more than most instructions */
GOS_INLINE double execute(const gos_instruction *op, double t, gos_branches *b, const double *v) {
    switch (op->code) {
    case CONSTANT:
        return op->value;
    case TIME:
        return t;
    case ADD:
        return v[0] + v[1];
    case SUBTRACT:
        return v[0] - v[1];
    case MULTIPLY:
        return v[0] * v[1];
    case DIVIDE:
        return v[0] / v[1];
    case POWER:
        return v[1] == 2.0 ? v[0] * v[0] : pow(v[0], v[1]);
    case NEGATE:
        return -v[0];
    case AND:
        return v[0] != 0.0 && v[1] != 0.0;
    case OR:
        return v[0] != 0.0 || v[1] != 0.0;
    case CALL1:
        return op->function->f1(v[0]);
    case CALL2:
        return op->function->f2(v[0], v[1]);
    case CALL_IF:
        return v[0] != 0.0 ? v[1] : v[2];
    case CALL_SWITCH:
        return op->function->fn(b, v, op->n);
    }
    return (double)NAN;
}

double gos__expr_eval(const gos_expr *e, double t, gos_branches *b) {
    double stack[GOS_EXPR_STACK], *top = stack;
    for (const gos_instruction *op = e->op, *end = op + e->nop; op < end; op++) {
        top -= op->n;
        *top = execute(op, t, b, top);
        top++;
    }
    return stack[0];
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* what waits for its last argument */
typedef struct waiting {
    enum { OPERATOR, PARENTHESIS, CALL } kind;
    gos_instruction op;
    int priority; // OPERATOR
} waiting;

typedef struct compiler {
    gos_expr *e;
    waiting *stack;
    int nstack;
} compiler;

enum { P_OR = 1, P_AND, P_SUM, P_PRODUCT, P_SIGN, P_POWER }; // from loose to tight

/* put an instruction behind the others; what has constant arguments alone is a constant */
static void emit(compiler *c, gos_instruction op) {
    gos_expr *e = c->e;
    bool known = op.n > 0 && op.code != CALL_SWITCH;
    double v[3];
    for (int i = 0; i < op.n && known; i++) {
        const gos_instruction *argument = &e->op[e->nop - op.n + i];
        known = argument->code == CONSTANT;
        v[i] = argument->value;
    }
    if (known) {
        e->nop -= op.n;
        op = (gos_instruction){.code = CONSTANT, .value = execute(&op, 0.0, NULL, v)};
    }
    e->op[e->nop++] = op;
}

static void push_value(compiler *c, gos_instruction op) {
    c->e->op[c->e->nop++] = op;
}

static void push_operator(compiler *c, opcode code, int n, int priority) {
    c->stack[c->nstack++] =
        (waiting){.kind = OPERATOR, .op = {.code = code, .n = n}, .priority = priority};
}

/* operators that bind at least so tight have all their arguments */
static void pop_operators(compiler *c, int priority) {
    while (c->nstack > 0 && c->stack[c->nstack - 1].kind == OPERATOR &&
           c->stack[c->nstack - 1].priority >= priority) {
        emit(c, c->stack[--c->nstack].op);
    }
}

static void open_call(compiler *c, opcode code, const gos_function *f) {
    const bool switches = code == CALL_SWITCH;
    if (switches) {
        push_value(c, (gos_instruction){.code = CONSTANT, .value = (double)c->e->nstate++});
    }
    c->stack[c->nstack++] =
        (waiting){.kind = CALL, .op = {.code = code, .n = 1 + switches, .function = f}};
}

static void next_argument(compiler *c) {
    pop_operators(c, 0);
    c->stack[c->nstack - 1].op.n++;
}

static void close_parenthesis(compiler *c) {
    pop_operators(c, 0);
    const waiting w = c->stack[--c->nstack];
    if (w.kind == CALL) {
        emit(c, w.op);
    }
}

static opcode code_of(const gos_function *f) {
    return f->switches ? CALL_SWITCH : f->f2 != NULL ? CALL2 : CALL1;
}

static void take_binary(compiler *c, char ch) {
    static const struct {
        char ch;
        opcode code;
        int priority;
    } operators[] = {{'+', ADD, P_SUM},        {'-', SUBTRACT, P_SUM}, {'*', MULTIPLY, P_PRODUCT},
                     {'/', DIVIDE, P_PRODUCT}, {'^', POWER, P_POWER},  {'&', AND, P_AND},
                     {'|', OR, P_OR}};
    for (int i = 0; i < GOS_COUNT(operators); i++) {
        if (operators[i].ch == ch) {
            // powers are taken from the right
            pop_operators(c, operators[i].priority + (ch == '^'));
            push_operator(c, operators[i].code, 2, operators[i].priority);
        }
    }
}

static void take_token(compiler *c, const gos_token *t, const char *text) {
    gos_instruction value = {.code = t->is_time ? TIME : CONSTANT, .value = t->value};
    switch (t->kind) {
    case GOS_T_NUMBER:
        (void)gos__number_parse(text + t->pos, (size_t)t->len, &value.value);
        push_value(c, value);
        break;
    case GOS_T_NAME:
        push_value(c, value);
        break;
    case GOS_T_FUNCTION:
        open_call(c, code_of(t->function), t->function);
        break;
    case GOS_T_OPEN:
        c->stack[c->nstack++] = (waiting){.kind = PARENTHESIS};
        break;
    case GOS_T_CLOSE:
        close_parenthesis(c);
        break;
    case GOS_T_SIGN:
        if (t->value < 0.0) {
            push_operator(c, NEGATE, 1, P_SIGN);
        }
        break;
    case GOS_T_BINARY:
    case GOS_T_LOGIC:
        take_binary(c, text[t->pos]);
        break;
    case GOS_T_COMMA:
    case GOS_T_COMPARE:
    case GOS_T_QUESTION:
    case GOS_T_COLON:
        next_argument(c);
        break;
    case GOS_T_END:
        pop_operators(c, 0);
        break;
    }
}

static void take_all(compiler *c, const gos_syntax *s, const char *text) {
    for (int i = 0; i < s->ntoken; i++) {
        const gos_token *t = &s->token[i];
        for (int k = 0; k < t->nif; k++) {
            open_call(c, CALL_IF, NULL);
        }
        if (t->compare > 0) {
            open_call(c, CALL_SWITCH, s->token[t->compare].function);
        }
        take_token(c, t, text);
        i += t->kind == GOS_T_FUNCTION; // its parenthesis was opened with it, nothing begins there
        for (int k = 0; k < t->nclose; k++) {
            close_parenthesis(c);
        }
    }
}

/* values on the stack at once */
static int deepest(const gos_expr *e) {
    int height = 0, most = 0;
    for (int i = 0; i < e->nop; i++) {
        height += 1 - e->op[i].n;
        most = height > most ? height : most;
    }
    return most;
}

/* instructions: a token makes at most one, comparisons and functions a number more; what waits: a token,
   and the calls that begin before it */
static gos_status compile(gos_model *m, const gos_syntax *s, const char *text, gos_expr *e) {
    size_t n = 2 * (size_t)s->ntoken;
    for (int i = 0; i < s->ntoken; i++) {
        n += (size_t)s->token[i].nif + 2;
    }
    compiler c = {.e = e};
    e->op = gos__alloc(m->ctx, n, sizeof *e->op);
    c.stack = gos__alloc(m->ctx, n, sizeof *c.stack);
    gos_status status = GOS_E_MEMORY;
    if (e->op != NULL && c.stack != NULL) {
        take_all(&c, s, text);
        status = GOS_OK;
    }
    gos__free(m->ctx, c.stack);
    return status;
}

gos_status gos__expr_make(gos_model *m, const char *text, gos_loc loc, const char *object,
                          bool time, gos_expr **expr) {
    gos_syntax syntax;
    GOS_TRY(gos__syntax_make(m, text, loc, object, time, &syntax));
    gos_status status = GOS_E_MEMORY;
    gos_expr *e = gos__zalloc(m->ctx, 1, sizeof(*e));
    if (e != NULL) {
        e->ctx = m->ctx;
        e->uses_t = syntax.uses_t;
        status = compile(m, &syntax, text, e);
    }
    gos__free(m->ctx, syntax.token);
    if (status == GOS_OK && (deepest(e) > GOS_EXPR_STACK || e->nstate > GOS_EXPR_BRANCHES)) {
        // the limits of its length keep it below them
        status = gos__fail_at(m->ctx, GOS_E_INTERNAL, loc, object,
                              "the expression '%.80s' has too many parts", text);
    }
    if (status != GOS_OK) {
        gos__expr_free(e);
        return status;
    }
    *expr = e;
    return GOS_OK;
}

void gos__expr_free(gos_expr *e) {
    if (e != NULL) {
        gos__free(e->ctx, e->op);
        gos__free(e->ctx, e);
    }
}

gos_status gos__expr(gos_model *m, const char *text, gos_loc loc, const char *object,
                     double *value) {
    // most values are plain numbers
    double v;
    const size_t n = strlen(text);
    if (n > GOS_LIMIT_EXPRESSION || !gos__number_parse(text, n, &v)) {
        double state[GOS_EXPR_BRANCHES];
        gos_branches branches = {.state = state};
        gos_expr *e;
        GOS_TRY(gos__expr_make(m, text, loc, object, false, &e));
        v = gos__expr_eval(e, 0.0, &branches);
        gos__expr_free(e);
    }
    if (!isfinite(v)) {
        const bool literal = gos__number_length(text) == n;
        return gos__fail_at(m->ctx, GOS_E_INPUT, loc, object,
                            "the value of '%.80s' is not a finite number; %s", text,
                            literal ? "give a smaller one"
                                    : "check for a division by zero, a root or logarithm of a "
                                      "negative number, an overflow");
    }
    if (!(fabs(v) <= GOS_LIMIT_NUMBER)) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, loc, object,
                            "%g is beyond all bounds; give at most %g", v, GOS_LIMIT_NUMBER);
    }
    *value = v;
    return GOS_OK;
}
