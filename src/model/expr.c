/* Evaluation of expressions by muParser, through its C interface. a < b is rewritten as @lt(k,
 * a, b) with the number k of the comparison, c ? a : b as @if(c, a, b); functions with branches
 * get their number as first argument. All branches are evaluated and the active ones recorded,
 * to find switching times. muParser binds variables by address, so each thread compiles its own
 * evaluator. */
#include "model/quantity.h"

#include <math.h>
#include <muParserDLL.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/global_lock.h"

/* Calls a function, which may throw C++ exceptions. @return false if it has (exception_guard.cc) */
bool gos__guard(void (*call)(void *), void *argument);

/* muParser's interface keeps its error message in a process-wide variable: compiling is locked */

typedef struct named {
    char name[GOS_LIMIT_NAME + 1];
    double value;
    bool is_time;
} named;

struct gos_expr {
    gos_ctx *ctx;
    char *text;        // rewritten for muParser
    named *name;       // (nname)
    int nname, nstate; // names; functions with branches
    bool uses_t;
    int nvariable;                             // variables besides t
    const char *variable[GOS_LIMIT_VARIABLES]; // (nvariable)
    char *names;                               // storage of their names
    gos_derivative *derivative; // with respect to the variables; NULL without variables
    gos_evaluator *own;         // shared evaluator, protected by the lock
    pthread_mutex_t lock;
    atomic_int generation; // fork generation in which the lock was made
};

struct gos_evaluator {
    gos_ctx *ctx;
    muParserHandle_t handle;
    double t;                             // bound to the variable t
    double variable[GOS_LIMIT_VARIABLES]; // bound to the other variables
    gos_branches branches;
};

/* errors are queried after each call; suppress printing */
static void ignore_error(muParserHandle_t handle) {
    GOS_UNUSED(handle);
}

static double condition(double a, double b, double c) {
    return a != 0.0 ? b : c;
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
    put(w, text, n);
}

/* variables are written by number, since component names contain a dot */
static void put_token(writer *w, const gos_token *t, const char *text) {
    char name[16];
    if (t->variable > 0) {
        const int n = gos__format(name, sizeof(name), "@v%d", t->variable);
        put(w, name, n);
        return;
    }
    put(w, text + t->pos, t->len);
}

/* *nstate counts the functions with branches */
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
            i++; // its parenthesis is already written
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
            put_token(w, t, text);
            break;
        }
        for (int k = 0; k < t->nclose; k++) {
            put(w, ")", 1);
        }
    }
    put(w, "", 1);
}

/* ---- evaluators ------------------------------------------------------------------------------ */

static void define_functions(gos_evaluator *e) {
    muParserHandle_t h = e->handle;
    static const char *const ops[] = {"<", ">", "<=", ">=", "==", "!="};
    int n;
    const gos_function *f = gos__functions(&n);
    for (int i = 0; i < n; i++) {
        char name[32];
        gos__format(name, sizeof(name), "@%s", f[i].name);
        if (f[i].fn != NULL) {
            mupDefineMultFunUserData(h, name, f[i].fn, &e->branches, 0);
        } else if (f[i].f2 != NULL) {
            mupDefineFun2(h, name, f[i].f2, 0);
        } else {
            mupDefineFun1(h, name, f[i].f1, 0);
        }
    }
    for (int i = 0; i < GOS_COUNT(ops); i++) {
        const gos_function *c = gos__comparison(ops[i], (int)strlen(ops[i]));
        mupDefineMultFunUserData(h, c->name, c->fn, &e->branches, 0);
    }
    mupDefineFun3(h, "@if", condition, 0);
}

static void define_names(gos_evaluator *e, const gos_expr *x) {
    for (int i = 0; i < x->nvariable; i++) {
        char name[16];
        gos__format(name, sizeof(name), "@v%d", i + 1);
        mupDefineVar(e->handle, name, &e->variable[i]);
    }
    for (int i = 0; i < x->nname; i++) {
        if (x->name[i].is_time) {
            mupDefineVar(e->handle, x->name[i].name, &e->t);
        } else {
            mupDefineConst(e->handle, x->name[i].name, x->name[i].value);
        }
    }
}

typedef struct compilation {
    const gos_expr *x;
    gos_evaluator *e;
    char error[256]; // "": none
} compilation;

/* throws std::bad_alloc */
static void compile_unguarded(void *argument) {
    compilation *c = argument;
    const gos_expr *x = c->x;
    gos_evaluator *e = c->e;
    e->handle = mupCreate(muBASETYPE_FLOAT);
    mupSetErrorHandler(e->handle, ignore_error);
    mupClearFun(e->handle);
    mupClearConst(e->handle);
    mupDefineNameChars(e->handle, "0123456789_@abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    define_functions(e);
    define_names(e, x);
    mupSetExpr(e->handle, x->text);
    mupEval(e->handle);
    if (mupError(e->handle)) { // missed by the syntax check
        (void)snprintf(c->error, sizeof c->error, "%s", mupGetErrorMsg(e->handle));
    }
}

/* the caller holds the lock */
static gos_status compile(gos_ctx *ctx, const gos_expr *x, gos_evaluator *e) {
    compilation c = {.x = x, .e = e};
    if (!gos__guard(compile_unguarded, &c)) {
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory while compiling an expression");
    }
    return c.error[0] == '\0' ? GOS_OK
                              : gos__fail(ctx, GOS_E_INTERNAL,
                                          "an expression cannot be evaluated, or memory is "
                                          "exhausted: %.200s",
                                          c.error);
}

gos_status gos__evaluator_create(gos_ctx *ctx, const gos_expr *x, gos_evaluator **evaluator) {
    gos_evaluator *e = gos__zalloc(ctx, 1, sizeof *e);
    if (e == NULL) {
        return GOS_E_MEMORY;
    }
    e->ctx = ctx;
    e->branches.state = gos__zalloc(ctx, x->nstate + 1L, sizeof *e->branches.state);
    gos_status status = GOS_E_MEMORY;
    if (e->branches.state != NULL) {
        gos__library_lock(GOS_LIBRARY_MUPARSER);
        status = compile(ctx, x, e);
        gos__library_unlock(GOS_LIBRARY_MUPARSER);
    }
    if (status != GOS_OK) {
        gos__evaluator_destroy(e);
        return status;
    }
    *evaluator = e;
    return GOS_OK;
}

static void release(void *handle) {
    mupRelease(handle);
}

void gos__evaluator_destroy(gos_evaluator *e) {
    if (e == NULL) {
        return;
    }
    if (e->handle != NULL) {
        gos__library_lock(GOS_LIBRARY_MUPARSER);
        (void)gos__guard(release, e->handle);
        gos__library_unlock(GOS_LIBRARY_MUPARSER);
    }
    gos__free(e->ctx, e->branches.state);
    gos__free(e->ctx, e);
}

double gos__evaluator_value(gos_evaluator *e, double t) {
    e->t = t;
    const double value = mupEval(e->handle);
    return mupError(e->handle) ? (double)NAN : value;
}

gos_branches *gos__evaluator_branches(gos_evaluator *e) {
    return &e->branches;
}

double *gos__evaluator_variables(gos_evaluator *e) {
    return e->variable;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static gos_status take_names(const gos_syntax *s, const char *text, gos_expr *x) {
    x->name = gos__alloc(x->ctx, s->ntoken + 1L, sizeof *x->name);
    for (int i = 0; i < s->ntoken && x->name != NULL; i++) {
        const gos_token *t = &s->token[i];
        if (t->kind == GOS_T_NAME && t->variable == 0) {
            named *to = &x->name[x->nname++];
            *to = (named){.value = t->value, .is_time = t->is_time};
            gos__format(to->name, sizeof(to->name), "%.*s", t->len, text + t->pos);
        }
    }
    return x->name != NULL ? GOS_OK : GOS_E_MEMORY;
}

static gos_status take_variables(const gos_syntax *s, const char *text, gos_loc loc,
                                 const char *object, gos_expr *x) {
    size_t n = 1;
    for (int i = 0; i < s->nvariable; i++) {
        n += s->variable[i][1] + 1L;
    }
    char *to = x->names = gos__zalloc(x->ctx, n, 1);
    if (to == NULL) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->nvariable; i++) {
        x->variable[i] = to;
        memcpy(to, text + s->variable[i][0], s->variable[i][1]);
        to += s->variable[i][1] + 1;
    }
    x->nvariable = s->nvariable;
    return s->nvariable > 0 ? gos__derivative_make(x->ctx, s, text, loc, object, &x->derivative)
                            : GOS_OK;
}

static gos_status make(const gos_syntax *s, const char *text, gos_expr *x) {
    // count, then write
    writer w = {NULL, 0, 0};
    rewrite(s, text, &w, &x->nstate);
    w.cap = w.n + 1;
    w.n = 0;
    w.buf = x->text = gos__alloc(x->ctx, w.cap, 1);
    if (w.buf == NULL) {
        return GOS_E_MEMORY;
    }
    int nstate = 0;
    rewrite(s, text, &w, &nstate);
    GOS_TRY(take_names(s, text, x));
    return gos__evaluator_create(x->ctx, x, &x->own);
}

gos_status gos__expr_make(gos_model *m, const char *text, gos_loc loc, const char *object,
                          const gos_scope *scope, gos_expr **expr) {
    gos_syntax syntax;
    GOS_TRY(gos__syntax_make(m, text, loc, object, scope, &syntax));
    gos_status status = GOS_E_MEMORY;
    gos_expr *x = gos__zalloc(m->ctx, 1, sizeof(*x));
    if (x != NULL && pthread_mutex_init(&x->lock, NULL) != 0) {
        gos__free(m->ctx, x);
        x = NULL;
    }
    if (x != NULL) {
        x->ctx = m->ctx;
        x->generation = gos__generation();
        x->uses_t = syntax.uses_t;
        status = take_variables(&syntax, text, loc, object, x);
        status = status == GOS_OK ? make(&syntax, text, x) : status;
    }
    gos__free(m->ctx, syntax.token);
    if (status != GOS_OK) {
        gos__expr_free(x);
        return status;
    }
    *expr = x;
    return GOS_OK;
}

void gos__expr_free(gos_expr *x) {
    if (x == NULL) {
        return;
    }
    gos__evaluator_destroy(x->own);
    (void)pthread_mutex_destroy(&x->lock);
    gos__derivative_free(x->ctx, x->derivative);
    gos__free(x->ctx, x->names);
    gos__free(x->ctx, x->name);
    gos__free(x->ctx, x->text);
    gos__free(x->ctx, x);
}

bool gos__expr_uses_time(const gos_expr *x) {
    return x->uses_t;
}

int gos__expr_variables(const gos_expr *x, const char *const **name) {
    *name = x->variable;
    return x->nvariable;
}

void gos__expr_derivatives(const gos_expr *x, double t, const double *y, double *d) {
    (void)gos__derivative_eval(x->derivative, t, y, d);
}

int gos__expr_branches(const gos_expr *x) {
    return x->nstate;
}

/* In a forked process the lock may belong to a thread that exists only in the parent. */
static void renew_lock(gos_expr *x) {
    gos__library_lock(GOS_LIBRARY_MUPARSER);
    if (x->generation != gos__generation()) {
        (void)pthread_mutex_init(&x->lock, NULL);
        x->generation = gos__generation();
    }
    gos__library_unlock(GOS_LIBRARY_MUPARSER);
}

gos_evaluator *gos__expr_borrow(const gos_expr *shared) {
    gos_expr *x = (gos_expr *)(uintptr_t)shared;
    if (x->generation != gos__generation()) {
        renew_lock(x);
    }
    (void)pthread_mutex_lock(&x->lock);
    return x->own;
}

void gos__expr_return(const gos_expr *x) {
    (void)pthread_mutex_unlock((pthread_mutex_t *)&x->lock);
}

gos_status gos__expr(gos_model *m, const char *text, gos_loc loc, const char *object,
                     double *value) {
    // fast path for plain numbers
    double v;
    const size_t n = strlen(text);
    size_t number;
    const char *unit;
    if (gos__quantity_written(text, &number, &unit)) {
        return gos__quantity_refuse(m, text, loc, object);
    }
    if (n > GOS_LIMIT_EXPRESSION || !gos__number_parse(text, n, &v)) {
        gos_expr *e;
        GOS_TRY(gos__expr_make(m, text, loc, object, &(gos_scope){0}, &e));
        v = gos__evaluator_value(e->own, 0.0);
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
        return gos__fail_at(m->ctx, GOS_E_INPUT, loc, object, "%g is too large; give at most %g", v,
                            GOS_LIMIT_NUMBER);
    }
    *value = v;
    return GOS_OK;
}
