/* Reports deck contents that a body ignores, by line. */
#include "base/base.h"
#include "deck/body_deck.h"

const char *const gos__mesh_deck_nodal_card[] = {
    [GOS_DECK_FIXED] = "*BOUNDARY",
    [GOS_DECK_FORCE] = "*CLOAD",
    [GOS_DECK_HEAT] = "*CFLUX",
    [GOS_DECK_TEMPERATURE] = "*TEMPERATURE",
    [GOS_DECK_INITIAL_TEMPERATURE] = "*INITIAL CONDITIONS",
    [GOS_DECK_INITIAL_DISPLACEMENT] = "*INITIAL CONDITIONS",
    [GOS_DECK_INITIAL_VELOCITY] = "*INITIAL CONDITIONS"};
const char *const gos__mesh_deck_load_card[] = {[GOS_DECK_PRESSURE] = "*DLOAD",
                                                [GOS_DECK_GRAVITY] = "*DLOAD, GRAV",
                                                [GOS_DECK_CENTRIFUGAL] = "*DLOAD, CENTRIF",
                                                [GOS_DECK_FLUX] = "*DFLUX",
                                                [GOS_DECK_SOURCE] = "*DFLUX, BF",
                                                [GOS_DECK_FILM] = "*FILM",
                                                [GOS_DECK_RADIATION] = "*RADIATE"};

/* "*CARD (line 3), *OTHER (lines 7, 9)" */
typedef struct listing {
    char text[600];
    int n;
    const char *last; // card of the open bracket
    int line;         // last line listed in it
} listing;

static void list(listing *l, const char *card, gos_loc loc) {
    const bool more = l->last == card;
    if (sizeof l->text - (size_t)l->n < 60 || (more && l->line == loc.line)) {
        return;
    }
    l->n -= more; // closing bracket
    l->n += gos__format(l->text + l->n, sizeof l->text - (size_t)l->n, "%s%s%s%d)",
                        more       ? ", "
                        : l->n > 0 ? ", "
                                   : "",
                        more ? "" : card, more ? "" : " (line ", loc.line);
    l->last = card;
    l->line = loc.line;
}

static void tell(gos_builder *b, const gos_mesh_deck_user *user, const listing *l, const char *what,
                 const char *remedy) {
    char text[900];
    if (l->n > 0) {
        gos__format(text, sizeof text, "%s of the deck are ignored: %s; %s", what, l->text, remedy);
        gos__note(b->ctx, user->object, text);
    }
}

void gos__mesh_deck_left(gos_builder *b, const gos_mesh_deck_user *user) {
    const gos_deck *d = user->mesh->deck;
    listing loads = {.n = 0}, supports = {.n = 0};
    gos_loc other;
    for (int i = 0; i < d->nnodal; i++) {
        const gos_deck_nodal *n = &d->nodal[i];
        const char *card = gos__deck_word(d, gos__mesh_deck_nodal_card[n->kind]);
        if (n->kind == GOS_DECK_FIXED && n->dof < 11) {
            list(&supports, card, n->loc);
        } else if (n->kind != GOS_DECK_INITIAL_TEMPERATURE) {
            list(&loads, card, n->loc);
        }
    }
    (void)gos__deck_temperature(d, &other);
    if (other.line > 0) { // a uniform one is the body's reference
        list(&loads, gos__deck_word(d, gos__mesh_deck_nodal_card[GOS_DECK_INITIAL_TEMPERATURE]),
             other);
    }
    for (int i = 0; i < d->nload; i++) {
        list(&loads, gos__deck_word(d, gos__mesh_deck_load_card[d->load[i].kind]), d->load[i].loc);
    }
    if (!user->loads) {
        tell(b, user, &loads, "loads and conditions", "`deck_loads: true` applies them");
    }
    if (user->supports) {
        tell(b, user, &supports, "supports", user->supports);
    }
}

void gos__mesh_deck_untied(gos_builder *b, const gos_mesh_deck_user *user) {
    const gos_deck *d = user->mesh->deck;
    listing l = {.n = 0};
    for (int i = 0; i < d->nequation; i++) {
        list(&l, gos__deck_word(d, "*EQUATION"), d->equation[i].loc);
    }
    for (int i = 0; i < d->ncoupling; i++) {
        list(&l, gos__deck_word(d, "*COUPLING or *RIGID BODY"), d->coupling[i].loc);
    }
    for (int i = 0; i < d->ntie; i++) {
        list(&l, "*TIE", d->tie[i].loc);
    }
    if (l.n > 0) { // fails earlier for models without materials
        gos__warn(
            b->ctx, user->loc, user->object,
            "constraints of the deck are not applied: %s; use joints, or make the body `floating`",
            l.text);
    }
}

void gos__mesh_deck_discrete_left(gos_builder *b, const gos_mesh_deck_user *user) {
    const gos_deck *d = user->mesh->deck;
    for (int i = 0; i < d->nsection; i++) {
        const gos_deck_section *s = &d->section[i];
        if (gos__deck_is_discrete(s)) {
            gos__warn(b->ctx, s->loc, user->object,
                      "this section of the deck is left out, because `parts` replaces those of the "
                      "deck; use loads and bodies of the model instead");
        }
    }
}

void gos__mesh_deck_thin(gos_builder *b, const gos_mesh_deck_user *user) {
    const gos_deck *d = user->mesh->deck;
    for (int i = 0; i < d->nsection; i++) {
        const gos_deck_section *s = &d->section[i];
        int at, n = 0;
        for (int j = 0; j < s->n; j++) {
            const int cell = s->cell[j];
            n += d->cell_section[cell] == i &&
                 gos__cell_kind[gos__mesh_cell(user->mesh, cell, &at)->shape].dim < 3;
        }
        if (n > 0) {
            gos__warn(b->ctx, s->loc, user->object,
                      "the %d cells of this section are not solids and are ignored: bodies of type "
                      "solid support hexahedra, tetrahedra and wedges only; make this body, or "
                      "another one for these cells, `floating`",
                      n);
        }
    }
}
