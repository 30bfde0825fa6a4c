/* Evaluation of expressions by muParser, through its C interface.
 *
 * The text that muParser gets is rewritten from checked tokens: a comparison a < b becomes a call
 * @lt(k, a, b) with its number k, a condition c ? a : b becomes @if(c, a, b), and functions with
 * branches get their number too. So the branch that each of them takes is recorded at every
 * evaluation (time functions find their switching times from that), and all branches are evaluated
 * always. muParser's own functions, constants and assignment are out of reach: every name and
 * operator has been checked before. */
#include "model/private.h"

#include <math.h>
#include <muParserDLL.h>

/* an error is asked for after each call; the handler only keeps the library from printing */
static void ignore_error(muParserHandle_t handle) {
    GOS_UNUSED(handle);
}

static double condition(double a, double b, double c) {
    return gos__condition(a, b, c);
}

double gos__expr_branch(gos_expr *e, double k, double state) {
    const int i = (int)k;
    if (!e->hold) {
        e->state[i] = state;
    }
    return e->state[i];
}

/* ---- rewriting ------------------------------------------------------------------------------- */

typedef struct writer {
    char *buf;
    size_t n, cap;
} writer;

static void put(writer *w, const char *s, size_t n) {
    if (w->buf != NULL && w->n + n < w->cap) {
        memcpy(w->buf + w->n, s, n);
    }
    w->n += n;
}

static void put_call(writer *w, const gos_function *f, int k) {
    char text[96];
    const int n = f->switches ? gos__format(text, sizeof(text), "%s%s(%d,",
                                            f->name[0] == '@' ? "" : "@", f->name, k)
                              : gos__format(text, sizeof(text), "@%s(", f->name);
    put(w, text, (size_t)n);
}

/* write the expression for muParser; counts the functions with branches */
static void rewrite(const gos_syntax *s, const char *text, writer *w, int *nstate) {
    for (int i = 0; i < s->ntoken; i++) {
        const gos_token *t = &s->token[i];
        for (int k = 0; k < t->nif; k++) {
            put(w, "@if(", 4);
        }
        if (t->compare > 0) {
            put_call(w, s->token[t->compare].function, (*nstate)++);
        }
        switch (t->kind) {
        case GOS_T_FUNCTION:
            put_call(w, t->function, t->function->switches ? (*nstate)++ : 0);
            i++; // its parenthesis is written with it, and nothing begins there
            break;
        case GOS_T_COMPARE:
        case GOS_T_QUESTION:
        case GOS_T_COLON:
        case GOS_T_COMMA:
            put(w, ",", 1);
            break;
        case GOS_T_SIGN:
            put(w, t->value < 0.0 ? "-" : "+", 1);
            break;
        default:
            put(w, text + t->pos, (size_t)t->len);
            break;
        }
        for (int k = 0; k < t->nclose; k++) {
            put(w, ")", 1);
        }
    }
    put(w, "", 1);
}

/* ---- compiling ------------------------------------------------------------------------------- */

static void define_functions(gos_expr *e) {
    muParserHandle_t h = e->handle;
    static const char *const ops[] = {"<", ">", "<=", ">=", "==", "!="};
    int n;
    const gos_function *f = gos__functions(&n);
    for (int i = 0; i < n; i++) {
        char name[32];
        gos__format(name, sizeof(name), "@%s", f[i].name);
        if (f[i].fn != NULL) {
            mupDefineMultFunUserData(h, name, f[i].fn, e, 0);
        } else if (f[i].f2 != NULL) {
            mupDefineFun2(h, name, f[i].f2, 0);
        } else {
            mupDefineFun1(h, name, f[i].f1, 0);
        }
    }
    for (int i = 0; i < GOS_COUNT(ops); i++) {
        const gos_function *c = gos__comparison(ops[i], (int)strlen(ops[i]));
        mupDefineMultFunUserData(h, c->name, c->fn, e, 0);
    }
    mupDefineFun3(h, "@if", condition, 0);
}

static void define_names(gos_expr *e, const gos_syntax *s, const char *text) {
    for (int i = 0; i < s->ntoken; i++) {
        const gos_token *t = &s->token[i];
        if (t->kind != GOS_T_NAME) {
            continue;
        }
        char name[GOS_LIMIT_NAME + 1];
        gos__format(name, sizeof(name), "%.*s", t->len, text + t->pos);
        if (t->is_time) {
            mupDefineVar(e->handle, name, &e->t);
        } else {
            mupDefineConst(e->handle, name, t->value);
        }
    }
}

static gos_status compile(gos_expr *e, const gos_syntax *s, const char *text, const char *rewritten,
                          gos_loc loc, const char *object) {
    e->handle = mupCreate(muBASETYPE_FLOAT);
    if (e->handle == NULL) {
        return gos__fail(e->ctx, GOS_E_MEMORY, "out of memory while compiling an expression");
    }
    mupSetErrorHandler(e->handle, ignore_error);
    mupClearFun(e->handle);
    mupClearConst(e->handle);
    mupDefineNameChars(e->handle, "0123456789_@abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    define_functions(e);
    define_names(e, s, text);
    mupSetExpr(e->handle, rewritten);
    mupEval(e->handle); // parses the text
    if (mupError(e->handle)) {
        // the syntax check should have found it
        return gos__fail_at(e->ctx, GOS_E_INTERNAL, loc, object,
                            "the expression '%.80s' cannot be evaluated: %.200s", text,
                            mupGetErrorMsg(e->handle));
    }
    return GOS_OK;
}

static gos_status make(gos_model *m, const gos_syntax *s, const char *text, gos_loc loc,
                       const char *object, gos_expr *e) {
    // count first, write then
    writer w = {NULL, 0, 0};
    rewrite(s, text, &w, &e->nstate);
    w.cap = w.n + 1;
    w.n = 0;
    w.buf = gos__alloc(m->ctx, w.cap, 1);
    e->state = gos__zalloc(m->ctx, (size_t)e->nstate, sizeof(*e->state));
    gos_status status = GOS_E_MEMORY;
    if (w.buf != NULL && e->state != NULL) {
        int nstate = 0;
        rewrite(s, text, &w, &nstate);
        status = compile(e, s, text, w.buf, loc, object);
    }
    gos__free(m->ctx, w.buf);
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
        status = make(m, &syntax, text, loc, object, e);
    }
    gos__free(m->ctx, syntax.token);
    if (status != GOS_OK) {
        gos__expr_free(e);
        return status;
    }
    *expr = e;
    return GOS_OK;
}

void gos__expr_free(gos_expr *e) {
    if (e == NULL) {
        return;
    }
    if (e->handle != NULL) {
        mupRelease(e->handle);
    }
    gos__free(e->ctx, e->state);
    gos__free(e->ctx, e);
}

double gos__expr_eval(gos_expr *e, double t) {
    e->t = t;
    const double value = mupEval(e->handle);
    return mupError(e->handle) ? (double)NAN : value;
}

gos_status gos__expr(gos_model *m, const char *text, gos_loc loc, const char *object,
                     double *value) {
    // most values are plain numbers
    double v;
    const size_t n = strlen(text);
    if (n > GOS_LIMIT_EXPRESSION || !gos__number_parse(text, n, &v)) {
        gos_expr *e;
        GOS_TRY(gos__expr_make(m, text, loc, object, false, &e));
        v = gos__expr_eval(e, 0.0);
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
