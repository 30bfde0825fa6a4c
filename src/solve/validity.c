/* See validity.h. Warns once per body and kind when a run leaves the range of validity. Neglected
 * stress stiffness is computed once a body is strained. */
#include "solve/validity.h"

#include <math.h>

#include "base/note.h"
#include "plate/plate.h"
#include "statics/softening.h"
#include "system/made.h"
#include "probes/probe.h"

#define STIFFENING 0.1 // relative change of a mode's stiffness that was neglected
#define RATE 0.3       // relative to the first frequency: a tenth of its square
#define ROTATION 0.2   // [rad]: its square is a few percent of 1
#define MATERIAL 0.05  // relative change of a property by temperature
#define SOFTENING 0.8  // relative reduction of the stiffness by thermal stress
#define LOCKING 0.05   // relative to a membrane force

enum {
    STIFFENS,
    SIDEWAYS,
    TURNS,
    BENDS,
    SOFTENS,
    MATERIALS,
    WEAKENS,
    BUCKLES,
    STRENGTHENS,
    BLIND,
    KINDS
};

typedef struct watching {
    gos_ctx *ctx, *quiet; // quiet: for `soft`
    const gos_system *sys;
    bool (*told)[KINDS]; // warned, for each body (nbody)
    bool *locked;        // noted, for each probe (nprobe)
    // of bodies that neglect stress stiffness, once they are strained (nbody)
    gos_softening **soft;
    gos_state **met; // states at which these were computed (nbody)
} watching;

static void destroy(void *observer) {
    watching *w = observer;
    if (w) {
        for (int i = 0; w->soft && i < w->sys->nbody; i++) {
            gos__softening_destroy(w->soft[i]);
        }
        for (int i = 0; w->met && i < w->sys->nbody; i++) {
            gos_state_destroy(w->met[i]);
        }
        gos_ctx_destroy(w->quiet);
        gos__free(w->ctx, w->soft);
        gos__free(w->ctx, w->met);
        gos__free(w->ctx, w->told);
        gos__free(w->ctx, w->locked);
        gos__free(w->ctx, w);
    }
}

static gos_status create(gos_ctx *ctx, const gos_system *sys, double *preparing, void **observer) {
    GOS_UNUSED(preparing);
    watching *w = gos__zalloc(ctx, 1, sizeof *w);
    if (!w) {
        return GOS_E_MEMORY;
    }
    *w = (watching){.ctx = ctx, .sys = sys};
    w->told = gos__zalloc(ctx, (size_t)sys->nbody + 1, sizeof *w->told);
    w->locked = gos__zalloc(ctx, (size_t)sys->nprobe + 1, sizeof *w->locked);
    w->soft = gos__zalloc(ctx, (size_t)sys->nbody + 1, sizeof(gos_softening *));
    w->met = gos__zalloc(ctx, (size_t)sys->nbody + 1, sizeof(gos_state *));
    w->quiet = gos__ctx_quiet(ctx);
    if (!w->told || !w->locked || !w->soft || !w->met || !w->quiet) {
        destroy(w);
        return GOS_E_MEMORY;
    }
    *observer = w;
    return GOS_OK;
}

/* does the value exceed the limit for the first time? */
static bool leaves(double value, double limit, bool *told) {
    const bool now = !(value <= limit) && !*told;
    *told = *told || now;
    return now;
}

/* First coordinate and temperature of a body; floating bodies in reduced systems have other
 * indices. */
static void first_of(const gos_system *s, const gos_body *b, size_t *q, size_t *th) {
    const gos_made_table *full = s->full ? s->full->made : s->made;
    int v = b->v0, t = b->t0;
    for (int i = 0; b->made && full && i < full->nbody; i++) {
        v = full->body[i].r == b->made->r ? s->made->body[i].r : v;
        t = full->body[i].r == b->made->r ? s->made->body[i].t0 : t;
    }
    *q = 3 * (size_t)v;
    *th = (size_t)t;
}

static bool is_strained(const gos_body *b, const double *e, const double *th) {
    for (int i = 12; i < 3 * b->nv; i++) {
        if (e[i] != 0) {
            return true;
        }
    }
    for (int i = 0; i < b->nt; i++) {
        if (th[i] != 0) {
            return true;
        }
    }
    return false;
}

/* Creates w->soft of a body once it is strained; a failure causes a warning. */
static gos_status find_softening(watching *w, const gos_body *b, const gos_state *x, size_t first,
                                 size_t warm, const char *object, bool told[KINDS]) {
    gos_softening **soft = &w->soft[b->index];
    if (*soft || told[BLIND] || !is_strained(b, x->q + first, x->th + warm)) {
        return GOS_OK;
    }
    gos_state **met = &w->met[b->index];
    GOS_TRY(*met ? GOS_OK : gos_state_create(w->ctx, w->sys, met));
    GOS_TRY(gos_state_copy(*met, x));
    const gos_status status = gos__softening_create(w->quiet, w->sys, b, first, x, soft);
    if (status == GOS_E_MEMORY || status == GOS_E_INTERRUPTED) {
        return gos__fail(w->ctx, status, "%s", gos_ctx_message(w->quiet));
    }
    told[BLIND] = status != GOS_OK;
    if (told[BLIND]) {
        gos__warn(w->ctx, b->loc, object,
                  "the effect of stress on its stiffness, which `coupling: zeroth` neglects, "
                  "could not be computed (%s), so buckling is not checked; compare with "
                  "`coupling: first`",
                  gos_ctx_message(w->quiet));
    }
    return GOS_OK;
}

static void look_at_stress(const watching *w, const gos_body *b, const gos_state *x, size_t first,
                           size_t warm, const char *object, bool told[KINDS]) {
    double taken, added;
    gos__softening_check(w->soft[b->index], x->q + first, x->th + warm, &taken, &added);
    if (leaves(taken, 1, &told[BUCKLES])) {
        told[WEAKENS] = true;
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s stress reduces the stiffness of one of its lowest modes by a "
                  "fraction of %.3g (1: buckling): the body has buckled, which `coupling: zeroth` "
                  "neglects, and later results are meaningless; use `coupling: first`, or bodies "
                  "of type solid or plates for post-buckling",
                  x->t, taken);
    }
    if (leaves(taken, STIFFENING, &told[WEAKENS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s stress reduces the stiffness of one of its lowest modes by a fraction "
                  "of %.2g (1: buckling), which `coupling: zeroth` neglects; later results have at "
                  "least this relative error: use `coupling: first`",
                  x->t, taken);
    }
    if (leaves(added, STIFFENING, &told[STRENGTHENS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s stress increases the stiffness of one of its lowest modes by a "
                  "fraction of %.2g, which `coupling: zeroth` neglects; later results have at "
                  "least this relative error: use `coupling: first`",
                  x->t, added);
    }
}

static void tell_material(const watching *w, const gos_body *b, double t, const char *object,
                          const gos_body_range *r) {
    gos__warn(w->ctx, r->loc.line > 0 ? r->loc : b->loc, object,
              "at %.4g s its temperature reaches %.5g K above the reference, where %s of material "
              "'%s' is %.4g, a relative change of %.2g from the value used, %.4g, because "
              "matrices are computed only once, at `material_temperature` (%.5g K); set it closer "
              "to the temperatures of the run",
              t, r->T, r->what, r->material, r->value, r->change, r->taken, b->stated_T);
}

static gos_status look(watching *w, const gos_body *b, const gos_state *x, bool told[KINDS]) {
    gos_body_range r;
    char object[GOS_LIMIT_NAME + 16];
    size_t first, warm;
    first_of(w->sys, b, &first, &warm);
    gos__format(object, sizeof object, "body '%s'", b->name);
    if (b->unstiffened && b->ops->stress_work) {
        GOS_TRY(find_softening(w, b, x, first, warm, object, told));
    }
    if (w->soft[b->index]) {
        look_at_stress(w, b, x, first, warm, object, told);
    }
    b->ops->range(b, x->q + first, x->v + first, x->th + warm, &r);
    if (leaves(r.stiffening, STIFFENING, &told[STIFFENS])) {
        gos__warn(
            w->ctx, b->loc, object,
            "at %.4g s section forces of its beams change the stiffness of one of its lowest modes "
            "by a fraction of %.2g (a reduction by 1 is buckling), which `coupling: zeroth` "
            "neglects; later results have at least this relative error: use `coupling: first`",
            x->t, r.stiffening);
    }
    if (leaves(r.left, STIFFENING, &told[SIDEWAYS])) {
        gos__warn(
            w->ctx, b->loc, object,
            "at %.4g s moments of its own weight and rotation change the stiffness of one of its "
            "lowest modes by a fraction of %.2g (a reduction by 1 is lateral buckling), which "
            "beams in a floating frame neglect; later results have at least this relative error: "
            "divide it into several bodies that are clamped together, or use ancf_beam",
            x->t, r.left);
    }
    if (leaves(r.rate, RATE, &told[TURNS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s its frame rotates at %.2g times its lowest frequency, but `coupling: "
                  "zeroth` neglects centrifugal stiffening and diverges above that frequency; use "
                  "`coupling: first`",
                  x->t, r.rate);
    }
    if (leaves(r.rotation, ROTATION, &told[BENDS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s deformation causes rotations of %.2g rad relative to its frame, but "
                  "the model is valid only for small rotations, with squares negligible compared "
                  "with 1; divide the body into several, or use cables or beams",
                  x->t, r.rotation);
    }
    if (leaves(r.softening, SOFTENING, &told[SOFTENS])) {
        gos__warn(w->ctx, b->loc, object,
                  "at %.4g s thermal stress reduces its stiffness by a fraction of %.2g (1: "
                  "buckling, unless joints prevent it); the model is linear in that stress and "
                  "does not represent post-buckling; near buckling use a body of type solid, or "
                  "plates",
                  x->t, r.softening);
    }
    if (leaves(r.change, MATERIAL, &told[MATERIALS])) {
        tell_material(w, b, x->t, object, &r);
    }
    return GOS_OK;
}

static bool shows_membrane(const gos_probe *p) {
    return p->body && strcmp(p->body->type, "ancf_plate") == 0 &&
           strcmp(gos__probe_quantity(p), "section_force") == 0;
}

/* Membrane forces from bending of elements (locking) compared with those of a probe. */
static void look_at_membrane(const watching *w, const gos_probe *p, const gos_state *x,
                             bool *told) {
    double e[GOS_PROBE_STRAINS], f[GOS_PROBE_STRAINS];
    char text[400], object[GOS_LIMIT_NAME + 16];
    gos__section_state(x, p, e, f);
    const double own = gos__plate_locking(p->body, e);
    const double most = fmax(fabs(f[0]), fabs(f[1]));
    if (leaves(own, LOCKING * most, told)) {
        gos__format(object, sizeof object, "probe '%s'", p->name);
        gos__format(text, sizeof text,
                    "at %.4g s the elements there are bent so strongly that about %.2g N/m of the "
                    "membrane force of %.3g N/m is caused by membrane locking; use smaller "
                    "elements, or obtain the force from reactions of joints",
                    x->t, own, most);
        gos__note(w->ctx, object, text);
    }
}

static gos_status see(void *observer, const gos_state *state, long iterations) {
    watching *w = observer;
    GOS_UNUSED(iterations);
    for (int i = 0; i < w->sys->nbody; i++) {
        if (w->sys->body[i]->ops->range) {
            GOS_TRY(look(w, w->sys->body[i], state, w->told[i]));
        }
    }
    for (int i = 0; i < w->sys->nprobe; i++) {
        if (shows_membrane(w->sys->probe[i])) {
            look_at_membrane(w, w->sys->probe[i], state, &w->locked[i]);
        }
    }
    return GOS_OK;
}

static gos_status end(void *observer, const gos_state *state) {
    return see(observer, state, 0);
}

/* The effect of stress is computed again, from the same state. */
static gos_status walk_softening(watching *w, const gos_body *b, gos_walk *past) {
    gos_state **met = &w->met[b->index];
    size_t first, warm;
    bool there = w->soft[b->index] != NULL;
    gos__walk_bool(past, &there);
    if (!there || past->bad) {
        return GOS_OK;
    }
    GOS_TRY(*met ? GOS_OK : gos_state_create(w->ctx, w->sys, met));
    gos__walk_state(past, *met);
    if (!past->takes || past->bad) {
        return GOS_OK;
    }
    first_of(w->sys, b, &first, &warm);
    const gos_status status =
        gos__softening_create(w->quiet, w->sys, b, first, *met, &w->soft[b->index]);
    return status == GOS_OK ? status
                            : gos__fail(w->ctx, status < 0 ? status : GOS_E_INPUT, "%s",
                                        gos_ctx_message(w->quiet));
}

static gos_status walk(void *observer, gos_walk *past) {
    watching *w = observer;
    for (int i = 0; i < w->sys->nbody; i++) {
        for (int k = 0; k < KINDS; k++) {
            gos__walk_bool(past, &w->told[i][k]);
        }
        GOS_TRY(walk_softening(w, w->sys->body[i], past));
    }
    for (int i = 0; i < w->sys->nprobe; i++) {
        gos__walk_bool(past, &w->locked[i]);
    }
    return GOS_OK;
}

static const gos_observer range_observer = {create, see, end, walk, destroy};

const gos_observer *gos__range_observer(const gos_system *sys) {
    for (int i = 0; i < sys->nbody; i++) {
        if (sys->body[i]->ops->range) {
            return &range_observer;
        }
    }
    for (int i = 0; i < sys->nprobe; i++) {
        if (shows_membrane(sys->probe[i])) {
            return &range_observer;
        }
    }
    return NULL;
}
