/* Warnings about ignored step options; detection of other heat sources. */
#include "deck/body_deck.h"

static const char *const procedure[] = {
    [GOS_DECK_BUCKLE] =
        "*BUCKLE: buckling loads are not computed in runs; the loads act as in a static step. "
        "`gossamer modes DECK.inp --buckling` computes load factors",
    [GOS_DECK_STEADY_STATE_DYNAMICS] =
        "*STEADY STATE DYNAMICS: its loads are harmonic amplitudes and act as constant forces "
        "here; `gossamer response` computes frequency responses",
    [GOS_DECK_COMPLEX_FREQUENCY] =
        "*COMPLEX FREQUENCY is not computed in runs; its loads act as in a static step. `gossamer "
        "modes --damped` computes complex modes",
};

void gos__mesh_deck_step(gos_builder *b, const gos_mesh_deck_user *user) {
    const gos_deck_step *s = &user->mesh->deck->step;
    const char *what = s->procedure < GOS_COUNT(procedure) ? procedure[s->procedure] : NULL;
    if (user->small && s->nlgeom) {
        gos__warn(b->ctx, s->loc, user->object,
                  "*STEP, NLGEOM is not applied: displacements of a floating body must be small in "
                  "its frame; use a body of type solid for large ones");
    }
    if (what && user->mesh->deck->nastran) {
        gos__warn(b->ctx, s->loc, "SOL", "%s", what + strlen("*BUCKLE: ")); // the only one
    } else if (what) {
        gos__warn(b->ctx, s->loc, user->object, "%s", what);
    }
}

static bool names_body(const gos_node *n, const char *body) {
    const size_t length = strlen(body);
    bool any = n->kind == GOS_SCALAR && strncmp(n->text, body, length) == 0 &&
               (n->text[length] == '\0' || n->text[length] == '.');
    for (const gos_node *c = n->child; c && !any; c = c->next) {
        any = names_body(c, body);
    }
    return any;
}

bool gos__mesh_deck_heated(const gos_builder *b, const char *body) {
    bool any = false;
    for (const gos_node *e = gos__next_entry(b, "heat", NULL); e && !any;
         e = gos__next_entry(b, "heat", e)) {
        any = names_body(e, body);
    }
    for (const gos_node *e = gos__next_entry(b, "joints", NULL); e && !any;
         e = gos__next_entry(b, "joints", e)) {
        any = gos__node_given(e, "temperature") && names_body(e, body);
    }
    return any || b->gough_joule;
}
