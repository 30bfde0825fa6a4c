/* See ida.h. Uses IDAS (IDA with quadratures). Our vectors use the norm of the problem, which
 * assembles and factorises the matrix in one call. */
#include "steppers/bdf/ida.h"

#include <idas/idas.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

// failures of the error test or of Newton in one step
#define FAILURES 30
#define UNMEASURED 0.1 // least contraction assumed before this step has measured its own
#define SLOW 0.9       // contraction above which an iteration is abandoned
// fraction of the allowed Newton error below which one correction suffices
#define NEGLIGIBLE 1e-4

struct gos_ida {
    gos_ctx *ctx;
    gos_ida_problem of;
    gos_ida_options options;
    SUNContext context;
    void *mem;
    N_Vector y, yd, at; // (n)
    N_Vector integral;  // (nquad)
    SUNMatrix matrix;   // of the problem
    SUNLinearSolver solver;
    SUNNonlinearSolver newton;
    // of Newton: last contraction; first correction of this step
    double contraction, correction;
    bool begun;
    long iterations, failed; // before the last start
};

typedef struct content {
    struct _N_VectorContent_Serial serial; // must be the first
    gos_ida *of;
} content;

static gos_ida *owner(N_Vector v) {
    return ((content *)v->content)->of;
}

static void destroy_vector(N_Vector v) {
    if (v) {
        content *c = v->content;
        if (c) {
            gos_ctx *ctx = c->of->ctx;
            gos__free(ctx, c->serial.data);
            gos__free(ctx, c);
        }
        v->content = NULL;
        N_VFreeEmpty(v);
    }
}

static N_Vector finish_vector(gos_ida *g, N_Vector v) {
    content *c = v ? gos__zalloc(g->ctx, 1, sizeof *c) : NULL;
    if (c) {
        c->of = g;
        v->content = c;
        c->serial.length = g->of.n;
        c->serial.data = gos__zalloc(g->ctx, (size_t)g->of.n + 1, sizeof *c->serial.data);
    }
    if (!c || !c->serial.data) {
        destroy_vector(v);
        return NULL;
    }
    return v;
}

static N_Vector clone_vector(N_Vector like) {
    N_Vector v = N_VNewEmpty(like->sunctx);
    if (v && N_VCopyOps(like, v) != 0) {
        N_VFreeEmpty(v);
        return NULL;
    }
    return finish_vector(owner(like), v);
}

static realtype norm(N_Vector x, N_Vector weights) {
    GOS_UNUSED(weights);
    gos_ida *g = owner(x);
    return g->of.norm(g->of.user, N_VGetArrayPointer(x), gos__ida_h(g));
}

static N_Vector new_vector(gos_ida *g) {
    N_Vector like = N_VNewEmpty_Serial(g->of.n, g->context);
    N_Vector v = like ? N_VNewEmpty(g->context) : NULL;
    if (v && N_VCopyOps(like, v) != 0) {
        N_VFreeEmpty(v);
        v = NULL;
    }
    N_VDestroy(like);
    if (v) {
        v->ops->nvclone = clone_vector;
        v->ops->nvdestroy = destroy_vector;
        v->ops->nvcloneempty = NULL;
        v->ops->nvwrmsnorm = norm;
    }
    return finish_vector(g, v);
}

/* the norm includes all weights */
static int weights(N_Vector y, N_Vector w, void *user) {
    GOS_UNUSED(y);
    GOS_UNUSED(user);
    N_VConst(1, w);
    return 0;
}

static int residual(realtype t, N_Vector y, N_Vector yd, N_Vector r, void *user) {
    gos_ida *g = user;
    return g->of.residual(g->of.user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yd),
                          N_VGetArrayPointer(r));
}

static int jacobian(realtype t, realtype by_rate, N_Vector y, N_Vector yd, N_Vector r, SUNMatrix J,
                    void *user, N_Vector one, N_Vector two, N_Vector three) {
    gos_ida *g = user;
    GOS_UNUSED(r);
    GOS_UNUSED(J);
    GOS_UNUSED(one);
    GOS_UNUSED(two);
    GOS_UNUSED(three);
    return g->of.matrix(g->of.user, t, by_rate, N_VGetArrayPointer(y), N_VGetArrayPointer(yd));
}

static int rates(realtype t, N_Vector y, N_Vector yd, N_Vector rate, void *user) {
    gos_ida *g = user;
    return g->of.rates(g->of.user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yd),
                       N_VGetArrayPointer(rate));
}

static SUNMatrix_ID matrix_id(SUNMatrix A) {
    GOS_UNUSED(A);
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix A) { // done by the problem
    GOS_UNUSED(A);
    return 0;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver S) {
    GOS_UNUSED(S);
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID solver_id(SUNLinearSolver S) {
    GOS_UNUSED(S);
    return SUNLINEARSOLVER_CUSTOM;
}

static int solver_setup(SUNLinearSolver S, SUNMatrix A) { // done with the matrix
    GOS_UNUSED(S);
    GOS_UNUSED(A);
    return 0;
}

static int solver_solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, realtype tol) {
    gos_ida *g = S->content;
    GOS_UNUSED(A);
    GOS_UNUSED(tol);
    N_VScale(1, b, x);
    g->of.solve(g->of.user, N_VGetArrayPointer(x));
    return 0;
}

/* Newton's convergence test. IDA's own trusts the contraction of the previous step, which a fresh
 * matrix makes very small, and would accept after one correction. The remaining error is noise
 * amplified by the high differences of later steps. */
static int converged(SUNNonlinearSolver newton, N_Vector y, N_Vector correction, realtype most,
                     N_Vector weights_, void *user) {
    gos_ida *g = user;
    int k = 0;
    const double size = N_VWrmsNorm(correction, weights_);
    GOS_UNUSED(y);
    (void)SUNNonlinSolGetCurIter(newton, &k);
    if (k == 0 && size <= NEGLIGIBLE * most) {
        return SUN_NLS_SUCCESS;
    }
    if (k == 0) {
        g->correction = size;
        g->contraction = fmin(SLOW, fmax(g->contraction, UNMEASURED));
    } else { // mean value, since it alternates
        g->contraction = pow(size / g->correction, 1.0 / k);
    }
    if (!(g->contraction <= SLOW)) {
        return SUN_NLS_CONV_RECVR;
    }
    return size * g->contraction / (1 - g->contraction) <= most ? SUN_NLS_SUCCESS
                                                                : SUN_NLS_CONTINUE;
}

static void silent(int code, const char *module, const char *function, char *message, void *user) {
    GOS_UNUSED(code);
    GOS_UNUSED(module);
    GOS_UNUSED(function);
    GOS_UNUSED(message);
    GOS_UNUSED(user);
}

static bool make_parts(gos_ida *g) {
    if (SUNContext_Create(NULL, &g->context) != 0) {
        return false;
    }
    g->y = new_vector(g);
    g->yd = new_vector(g);
    g->at = new_vector(g);
    g->integral = N_VNew_Serial(g->of.nquad, g->context);
    g->matrix = SUNMatNewEmpty(g->context);
    g->solver = SUNLinSolNewEmpty(g->context);
    g->newton = g->y ? SUNNonlinSol_Newton(g->y, g->context) : NULL;
    g->mem = IDACreate(g->context);
    if (!g->y || !g->yd || !g->at || !g->integral || !g->matrix || !g->solver || !g->newton ||
        !g->mem) {
        return false;
    }
    g->matrix->ops->getid = matrix_id;
    g->matrix->ops->zero = matrix_zero;
    g->solver->content = g;
    g->solver->ops->gettype = solver_type;
    g->solver->ops->getid = solver_id;
    g->solver->ops->setup = solver_setup;
    g->solver->ops->solve = solver_solve;
    N_VConst(0, g->integral);
    return true;
}

static bool configure(gos_ida *g) {
    const gos_ida_options *o = &g->options;
    return IDASetErrHandlerFn(g->mem, silent, NULL) == IDA_SUCCESS &&
           IDAInit(g->mem, residual, 0, g->y, g->yd) == IDA_SUCCESS &&
           IDASetUserData(g->mem, g) == IDA_SUCCESS &&
           IDAWFtolerances(g->mem, weights) == IDA_SUCCESS &&
           IDASetLinearSolver(g->mem, g->solver, g->matrix) == IDA_SUCCESS &&
           IDASetJacFn(g->mem, jacobian) == IDA_SUCCESS &&
           IDASetNonlinearSolver(g->mem, g->newton) == IDA_SUCCESS &&
           SUNNonlinSolSetConvTestFn(g->newton, converged, g) == SUN_NLS_SUCCESS &&
           IDASetMaxOrd(g->mem, o->max_order) == IDA_SUCCESS &&
           IDASetMaxNonlinIters(g->mem, o->max_iterations) == IDA_SUCCESS &&
           IDASetNonlinConvCoef(g->mem, o->newton) == IDA_SUCCESS &&
           IDASetMaxStep(g->mem, o->max_step) == IDA_SUCCESS &&
           IDASetMaxErrTestFails(g->mem, FAILURES) == IDA_SUCCESS &&
           IDASetMaxConvFails(g->mem, FAILURES) == IDA_SUCCESS &&
           IDAQuadInit(g->mem, rates, g->integral) == IDA_SUCCESS;
}

gos_status gos__ida_create(gos_ctx *ctx, const gos_ida_problem *problem,
                           const gos_ida_options *options, gos_ida **ida) {
    gos_ida *g = gos__zalloc(ctx, 1, sizeof *g);
    if (!g) {
        return GOS_E_MEMORY;
    }
    *g = (gos_ida){.ctx = ctx, .of = *problem, .options = *options};
    if (!make_parts(g) || !configure(g)) { // can only be due to memory
        gos__ida_destroy(g);
        return GOS_E_MEMORY;
    }
    *ida = g;
    return GOS_OK;
}

void gos__ida_destroy(gos_ida *g) {
    if (!g) {
        return;
    }
    if (g->mem) {
        IDAFree(&g->mem);
    }
    if (g->newton) {
        SUNNonlinSolFree(g->newton);
    }
    if (g->solver) {
        SUNLinSolFreeEmpty(g->solver);
    }
    if (g->matrix) {
        SUNMatFreeEmpty(g->matrix);
    }
    destroy_vector(g->y);
    destroy_vector(g->yd);
    destroy_vector(g->at);
    if (g->integral) {
        N_VDestroy(g->integral);
    }
    if (g->context) {
        SUNContext_Free(&g->context);
    }
    gos__free(g->ctx, g);
}

/* Failures of the error test and of Newton since the last start. */
static void failures(const gos_ida *g, long *accuracy, long *convergence) {
    *accuracy = *convergence = 0;
    (void)IDAGetNumErrTestFails(g->mem, accuracy);
    (void)IDAGetNumStepSolveFails(g->mem, convergence);
}

static void add_counts(const gos_ida *g, long *iterations, long *failed) {
    long n = 0, accuracy, convergence;
    (void)IDAGetNumNonlinSolvIters(g->mem, &n);
    failures(g, &accuracy, &convergence);
    *iterations += n;
    *failed += accuracy + convergence;
}

gos_status gos__ida_start(gos_ida *g, double t, const double *y, const double *yd, double h) {
    const size_t bytes = g->of.n * sizeof *y;
    memcpy(N_VGetArrayPointer(g->y), y, bytes);
    memcpy(N_VGetArrayPointer(g->yd), yd, bytes);
    N_VConst(0, g->integral);
    if (g->begun) {
        add_counts(g, &g->iterations, &g->failed);
    }
    const bool good = IDAReInit(g->mem, t, g->y, g->yd) == IDA_SUCCESS &&
                      IDAQuadReInit(g->mem, g->integral) == IDA_SUCCESS &&
                      IDASetInitStep(g->mem, h) == IDA_SUCCESS;
    g->begun = true;
    g->contraction = 0;
    return good ? GOS_OK : gos__fail(g->ctx, GOS_E_INTERNAL, "BDF cannot start at t = %g s", t);
}

void gos__ida_limit_order(gos_ida *g, int most) {
    (void)IDASetMaxOrd(g->mem, most);
}

static gos_ida_end end_of(int flag) {
    switch (flag) {
    case IDA_SUCCESS:
    case IDA_TSTOP_RETURN:
        return GOS_IDA_STEPPED;
    case IDA_ERR_FAIL:
    case IDA_TOO_MUCH_ACC:
        return GOS_IDA_INACCURATE;
    case IDA_CONV_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
    case IDA_LSETUP_FAIL:
    case IDA_REP_QRHS_ERR:
    case IDA_FIRST_QRHS_ERR:
        return GOS_IDA_UNSOLVED;
    case IDA_RES_FAIL:
    case IDA_QRHS_FAIL:
        return GOS_IDA_STOPPED;
    default:
        return GOS_IDA_BROKEN;
    }
}

gos_ida_end gos__ida_step(gos_ida *g, double t_end, double *t, double *y, double *yd) {
    long before[2], now[2];
    failures(g, &before[0], &before[1]);
    const size_t bytes = g->of.n * sizeof *y;
    if (IDASetStopTime(g->mem, t_end) != IDA_SUCCESS) {
        return GOS_IDA_BROKEN;
    }
    const gos_ida_end end = end_of(IDASolve(g->mem, t_end, t, g->y, g->yd, IDA_ONE_STEP));
    if (end == GOS_IDA_STEPPED) {
        memcpy(y, N_VGetArrayPointer(g->y), bytes);
        memcpy(yd, N_VGetArrayPointer(g->yd), bytes);
    }
    failures(g, &now[0], &now[1]);
    const long accuracy = now[0] - before[0], convergence = now[1] - before[1];
    const bool inaccurate = accuracy > 0 && accuracy >= convergence; // the stop counts as one
    return end == GOS_IDA_STOPPED && inaccurate ? GOS_IDA_INACCURATE : end;
}

void gos__ida_at(gos_ida *g, double t, int k, double *y) {
    if (IDAGetDky(g->mem, t, k, g->at) == IDA_SUCCESS) {
        memcpy(y, N_VGetArrayPointer(g->at), g->of.n * sizeof *y);
    }
}

void gos__ida_integrals(gos_ida *g, double t, double *integral) {
    if (IDAGetQuadDky(g->mem, t, 0, g->integral) == IDA_SUCCESS) {
        memcpy(integral, N_VGetArrayPointer(g->integral), g->of.nquad * sizeof *integral);
    }
}

double gos__ida_error(const gos_ida *g) {
    double h = 0;
    (void)IDAGetLastStep(g->mem, &h);
    return IDAGetEstLocalErrors(g->mem, g->at) == IDA_SUCCESS
               ? g->of.norm(g->of.user, N_VGetArrayPointer(g->at), h)
               : (double)NAN;
}

double gos__ida_h(const gos_ida *g) {
    double h = 0;
    (void)IDAGetCurrentStep(g->mem, &h);
    return h;
}

void gos__ida_counts(const gos_ida *g, long *iterations, long *failed) {
    *iterations = g->iterations;
    *failed = g->failed;
    if (g->begun) {
        add_counts(g, iterations, failed);
    }
}
