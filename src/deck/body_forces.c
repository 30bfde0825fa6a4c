/* Pressure, gravity and centrifugal loads as model entries: one force per component at a weighted
   location,
   sum_i f_i . dx_i = sum_c F_c e_c . dP_c with F_c = sum_i |f_ic| and P_c = sum_i f_ic x_i / F_c.
   The frame origin carries the remainder of the weights (their sum minus 1). */
#include "deck/body_deck.h"

#include <math.h>

#include "base/base.h"
#include "deck/fe_forces.h"

static bool is_force(const gos_deck_load *l) {
    return l->kind == GOS_DECK_PRESSURE || l->kind == GOS_DECK_GRAVITY ||
           l->kind == GOS_DECK_CENTRIFUGAL;
}

/* gravity loads, or loads in body axes with one amplitude */
static bool together(const gos_deck_load *a, const gos_deck_load *b) {
    return a->amplitude == b->amplitude &&
           (a->kind == GOS_DECK_GRAVITY) == (b->kind == GOS_DECK_GRAVITY);
}

static gos_status check(gos_builder *b, const gos_mesh_deck_user *user, const gos_fe_body *fe,
                        const gos_deck_load *l) {
    const double *g = b->gravity;
    if ((l->kind == GOS_DECK_GRAVITY || l->kind == GOS_DECK_CENTRIFUGAL) && gos__fe_eccentric(fe)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, l->loc, user->object,
                            "*DLOAD, GRAV and CENTRIF do not include the mass of %s; give "
                            "`gravity` and `angular_velocity` in the model%s",
                            fe->nlayer > 0 ? fe->layer[0].object : "laminates",
                            fe->nlayer > 0 ? ", or patches `own: none`" : "");
    }
    if (l->kind == GOS_DECK_GRAVITY && (g[0] != 0 || g[1] != 0 || g[2] != 0)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, l->loc, user->object,
            "*DLOAD, GRAV: the model also has `gravity`, so both would act; remove one of them");
    }
    if (l->kind == GOS_DECK_CENTRIFUGAL && user->turning) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, l->loc, user->object,
                            "*DLOAD, CENTRIF: the body has an `angular_velocity`, so centrifugal "
                            "forces would act twice; remove one of them");
    }
    if (l->kind == GOS_DECK_CENTRIFUGAL) {
        gos__note(b->ctx, user->object,
                  "centrifugal forces of the deck act in the body axes; where the body rotates in "
                  "the run, its own centrifugal forces are added");
    }
    return GOS_OK;
}

/* forces by node and component of load `first` and those combined with it; sums by component */
static gos_status sum_up(const gos_mesh_deck_user *user, const gos_fe_body *fe, int first,
                         gos_mesh_pattern *p, double sum[3]) {
    const gos_deck *d = user->mesh->deck;
    double *force = gos__zalloc(fe->ctx, (size_t)fe->freedom.n + 1, sizeof *force);
    gos_status status = force ? GOS_OK : GOS_E_MEMORY;
    for (int i = first; i < d->nload && status == GOS_OK; i++) {
        if (is_force(&d->load[i]) && together(&d->load[first], &d->load[i])) {
            status = gos__deck_force(fe, NULL, &d->load[i], force);
            if (user->masses) {
                gos__deck_force_masses(fe, NULL, &d->load[i], force);
            }
        }
    }
    for (int i = 0; i < 3 * user->mesh->nnode && status == GOS_OK; i++) {
        const int number = gos__fe_number(&fe->freedom, i / 3, i % 3);
        p->force[i] = number < 0 ? 0 : force[number];
        sum[i % 3] += p->force[i];
        p->size[i % 3] += fabs(p->force[i]);
    }
    gos__free(fe->ctx, force);
    return status;
}

/* one component, and the remainder at the frame origin */
static gos_status bring(gos_builder *b, const gos_mesh_deck_user *user, const gos_deck_load *l,
                        int number, int c, double size, double sum) {
    const gos_deck *d = user->mesh->deck;
    const gos_deck_amplitude *a = l->amplitude < 0 ? NULL : &d->amplitude[l->amplitude];
    const bool dead = l->kind == GOS_DECK_GRAVITY;
    gos_mesh_deck_text t = {.ctx = b->ctx};
    gos_status status = GOS_OK;
    for (int on_frame = 0; on_frame < 2 && status == GOS_OK; on_frame++) {
        const double F = on_frame ? sum - size : size, axis[3] = {c == 0, c == 1, c == 2};
        if (F == 0) {
            continue;
        }
        t.n = 0;
        status =
            gos__mesh_deck_put(&t, "{%s_dload_%d_%d_%c%s: {type: force, on: %s.", user->body,
                               l->loc.line, number, "xyz"[c], on_frame ? "_frame" : "", user->body);
        status = status != GOS_OK ? status
                 : on_frame       ? gos__mesh_deck_put(&t, "frame")
                                  : gos__mesh_deck_put(&t, GOS_MESH_PATTERN, number, "xyz"[c]);
        status = status == GOS_OK && !dead ? gos__mesh_deck_put(&t, ", frame: body") : status;
        status = status == GOS_OK
                     ? gos__mesh_deck_put_vector(&t, "value", F, dead ? user->axis[c] : axis, a)
                     : status;
        status = status == GOS_OK ? gos__mesh_deck_put(&t, "}}") : status;
        status = status == GOS_OK ? gos__bring_entries(b, "loads", t.text, l->loc) : status;
    }
    gos__free(b->ctx, t.text);
    return status;
}

gos_status gos__mesh_deck_forces(gos_builder *b, const gos_mesh_deck_user *user,
                                 const gos_fe_body *fe, gos_mesh_locations *locations) {
    const gos_deck *d = user->mesh->deck;
    locations->pattern = GOS_NEW(b->arena, gos_mesh_pattern, d->nload + 1);
    GOS_TRY(locations->pattern ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < d->nload; i++) {
        double sum[3] = {0, 0, 0};
        bool taken = !is_force(&d->load[i]);
        GOS_TRY(taken ? GOS_OK : check(b, user, fe, &d->load[i]));
        for (int k = 0; k < i && !taken; k++) {
            taken = is_force(&d->load[k]) && together(&d->load[k], &d->load[i]);
        }
        if (taken) {
            continue;
        }
        gos_mesh_pattern *p = &locations->pattern[locations->npattern];
        p->force = GOS_NEW(b->arena, double, 3 * user->mesh->nnode + 1);
        GOS_TRY(p->force ? GOS_OK : GOS_E_MEMORY);
        GOS_TRY(sum_up(user, fe, i, p, sum));
        for (int c = 0; c < 3; c++) {
            GOS_TRY(p->size[c] > 0
                        ? bring(b, user, &d->load[i], locations->npattern, c, p->size[c], sum[c])
                        : GOS_OK);
        }
        locations->npattern++;
    }
    return GOS_OK;
}
