#include "bodies/piezo_wiring.h"

typedef struct making {
    gos_builder *b;
    const gos_piezo_cells *cells;
    gos_piezo_wiring *w;
    const gos_piezo **owner; // upper faces of cells, then lower faces
    bool *chosen;            // (cells) of one location
} making;

static gos_status choose(const making *s, const gos_piezo *p, const char *location, gos_loc loc) {
    return s->cells->choose(s->b, s->cells->of, p, location, loc, s->chosen);
}

/* Marks the cells that carry the entry. */
static gos_status choose_all(const making *s, const gos_piezo *p) {
    memset(s->chosen, 0, (size_t)s->cells->n * sizeof *s->chosen);
    for (int i = 0; i < p->def.on.n; i++) {
        const char *text = p->def.on.v[i], *dot = strchr(text, '.');
        GOS_TRY(choose(s, p, dot ? dot + 1 : "", p->def.on.loc[i]));
    }
    return GOS_OK;
}

/* ---- patches --------------------------------------------------------------------------------- */

static gos_status add_patch(making *s, const gos_piezo *p, int cell, int face, int sign,
                            gos_loc loc) {
    const gos_piezo **owner = &s->owner[cell + (face < 0 ? s->cells->n : 0)];
    if (*owner) {
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, loc, p->object,
                            "the %s face of cell %lld of '%s' already has a patch (%s); use one "
                            "patch per face of a cell",
                            face > 0 ? "upper" : "lower", s->cells->number(s->cells->of, cell),
                            p->body, (*owner)->object);
    }
    *owner = p;
    s->w->patch[s->w->n++] = (gos_piezo_patch){
        .entry = p, .cell = cell, .face = face, .sign = sign, .electrode = s->w->nelectrode - 1};
    return GOS_OK;
}

static int face_of(const gos_piezo *p, int i) {
    return p->def.faces.n == 0 ? 1 - 2 * i : strcmp(p->def.faces.v[i], "upper") == 0 ? 1 : -1;
}

static int faces_of(const gos_piezo *p) {
    return p->def.faces.n == 0 ? 2 : p->def.faces.n;
}

static gos_status begin_electrode(making *s, gos_piezo *p, const char *name) {
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    p->electrode[p->n++] = name;
    s->w->nelectrode++;
    return GOS_OK;
}

static gos_status each(making *s, gos_piezo *p) {
    for (int i = 0; i < faces_of(p); i++) {
        for (int cell = 0; cell < s->cells->n; cell++) {
            if (s->chosen[cell]) {
                GOS_TRY(begin_electrode(
                    s, p, gos__arena_printf(s->b->arena, "%s(%d)", p->name, p->n + 1)));
                GOS_TRY(add_patch(s, p, cell, face_of(p, i), 1, p->entry->loc));
            }
        }
    }
    return GOS_OK;
}

static gos_status joined(making *s, gos_piezo *p) {
    GOS_TRY(begin_electrode(s, p, p->name));
    for (int i = 0; i < faces_of(p); i++) {
        for (int cell = 0; cell < s->cells->n; cell++) {
            GOS_TRY(s->chosen[cell] ? add_patch(s, p, cell, face_of(p, i), 1, p->entry->loc)
                                    : GOS_OK);
        }
    }
    return GOS_OK;
}

static gos_status bimorph(making *s, gos_piezo *p) {
    if (faces_of(p) < 2) {
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, "channels"), p->object,
                            "bimorph needs patches on both faces");
    }
    for (int cell = 0; cell < s->cells->n; cell++) {
        if (s->chosen[cell]) {
            GOS_TRY(
                begin_electrode(s, p, gos__arena_printf(s->b->arena, "%s(%d)", p->name, p->n + 1)));
            GOS_TRY(add_patch(s, p, cell, 1, 1, p->entry->loc));
            GOS_TRY(add_patch(s, p, cell, -1, -1, p->entry->loc));
        }
    }
    return GOS_OK;
}

/* Parses "-SET.lower" into cells, faces and sign. */
static gos_status add_location(making *s, const gos_piezo *p, const gos_node *item) {
    if (item->kind != GOS_SCALAR) {
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, item->loc, p->object,
                            "a channel is a list of texts, [upper, -lower, SET, -cell(12).lower]");
    }
    static const char *const names[] = {"upper", "lower"};
    const int sign = item->text[0] == '-' ? -1 : 1;
    char *location =
        gos__arena_strdup(s->b->arena, item->text + (strchr("+-", item->text[0]) && item->text[0]));
    GOS_TRY(location ? GOS_OK : GOS_E_MEMORY);
    int face = 0;
    char *dot = strrchr(location, '.');
    for (int k = 0; k < 2; k++) {
        if (strcmp(dot ? dot + 1 : location, names[k]) == 0) {
            face = 1 - 2 * k;
            *(dot ? dot : location) = '\0';
            break;
        }
    }
    if (*location) {
        memset(s->chosen, 0, (size_t)s->cells->n * sizeof *s->chosen);
        GOS_TRY(choose(s, p, location, item->loc));
    } else {
        GOS_TRY(choose_all(s, p));
    }
    for (int i = 0; i < (face ? 1 : faces_of(p)); i++) {
        for (int cell = 0; cell < s->cells->n; cell++) {
            GOS_TRY(s->chosen[cell]
                        ? add_patch(s, p, cell, face ? face : face_of(p, i), sign, item->loc)
                        : GOS_OK);
        }
    }
    return GOS_OK;
}

static gos_status named(making *s, gos_piezo *p) {
    for (const gos_node *c = p->def.channels->child; c; c = c->next) {
        const int before = s->w->n;
        if (!gos__name_valid(c->key)) {
            return gos__fail_at(s->b->ctx, GOS_E_INPUT, c->key_loc, p->object,
                                "'%.80s' is not a valid name of a channel; use letters, digits and "
                                "_, not beginning with a digit",
                                c->key);
        }
        GOS_TRY(begin_electrode(s, p, gos__arena_printf(s->b->arena, "%s.%s", p->name, c->key)));
        GOS_TRY(c->kind == GOS_SCALAR ? add_location(s, p, c) : GOS_OK);
        for (const gos_node *d = c->kind == GOS_SCALAR ? NULL : c->child; d; d = d->next) {
            GOS_TRY(add_location(s, p, d));
        }
        if (s->w->n == before) {
            return gos__fail_at(s->b->ctx, GOS_E_INPUT, c->loc, p->object,
                                "channel '%s' has no patches; give [upper, -lower, SET, ...]",
                                c->key);
        }
    }
    return p->n > 0 ? GOS_OK
                    : gos__fail_at(
                          s->b->ctx, GOS_E_INPUT, p->def.channels->loc, p->object,
                          "channels is empty; give each, joined, bimorph, or {CHANNEL: [places]}");
}

static gos_status add_entry(making *s, gos_piezo *p) {
    static const struct {
        const char *name;
        gos_status (*add)(making *s, gos_piezo *p);
    } wirings[] = {{"each", each}, {"joined", joined}, {"bimorph", bimorph}};
    const gos_node *c = p->def.channels;
    const size_t most = 2 * (size_t)s->cells->n + (c ? (size_t)c->n : 0) + 1;
    p->electrode = (const char **)gos__arena_alloc(s->b->arena, most, sizeof *p->electrode);
    GOS_TRY(p->electrode ? GOS_OK : GOS_E_MEMORY);
    p->taken = true;
    p->first = s->w->nelectrode;
    GOS_TRY(choose_all(s, p));
    if (c && c->kind == GOS_MAP) {
        return named(s, p);
    }
    for (int i = 0; i < GOS_COUNT(wirings) && (!c || c->kind == GOS_SCALAR); i++) {
        if (strcmp(c ? c->text : "each", wirings[i].name) == 0) {
            return wirings[i].add(s, p);
        }
    }
    return gos__fail_at(s->b->ctx, GOS_E_INPUT, c->loc, p->object,
                        "channels must be each, joined, bimorph, or {CHANNEL: [places], ...}%s%s",
                        c->kind == GOS_SCALAR ? ", not " : "",
                        c->kind == GOS_SCALAR ? c->text : "");
}

static gos_status begin(making *s) {
    const size_t cells = (size_t)s->cells->n;
    int count = 0;
    for (const gos_node *e = gos__next_entry(s->b, "piezo", NULL); e;
         e = gos__next_entry(s->b, "piezo", e)) {
        count++;
    }
    s->w->entry =
        (gos_piezo **)gos__arena_alloc(s->b->arena, (size_t)count + 1, sizeof *s->w->entry);
    s->w->patch = GOS_NEW(s->b->arena, gos_piezo_patch, 2 * cells + 1);
    s->owner = (const gos_piezo **)gos__arena_alloc(s->b->arena, 2 * cells + 1, sizeof *s->owner);
    s->chosen = GOS_NEW(s->b->arena, bool, cells + 1);
    return s->w->entry && s->w->patch && s->owner && s->chosen ? GOS_OK : GOS_E_MEMORY;
}

static gos_status name_electrodes(gos_builder *b, gos_piezo_wiring *w) {
    w->name = (const char **)gos__arena_alloc(b->arena, (size_t)w->nelectrode + 1, sizeof *w->name);
    w->charge = GOS_NEW(b->arena, bool, w->nelectrode + 1);
    GOS_TRY(w->name && w->charge ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < w->nentry; i++) {
        const gos_piezo *p = w->entry[i];
        for (int e = 0; e < p->n; e++) {
            w->name[p->first + e] = p->electrode[e];
            w->charge[p->first + e] = p->def.drive == GOS_PIEZO_CHARGE;
        }
    }
    return GOS_OK;
}

static gos_status draw(const making *s, gos_piezo *p, int first) {
    const gos_piezo_wiring *w = s->w;
    p->patch = GOS_NEW(s->b->arena, gos_electrode_patch, w->n - first + 1);
    p->patch_start = GOS_NEW(s->b->arena, int, p->n + 1);
    GOS_TRY(p->patch && p->patch_start ? GOS_OK : GOS_E_MEMORY);
    for (int i = first; i < w->n && s->cells->drawn; i++) {
        const gos_piezo_patch *from = &w->patch[i];
        p->patch[i - first] = (gos_electrode_patch){s->cells->drawn[from->cell], from->face};
        p->patch_start[from->electrode - p->first + 1] = i - first + 1;
    }
    return GOS_OK;
}

static gos_status check_own(const making *s, const gos_piezo *p) {
    if (p->def.drive != GOS_PIEZO_VOLTAGE && p->def.pyroelectric != 0 && !s->cells->warm) {
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, "pyroelectric"),
                            p->object,
                            "on '%s' the pyroelectric charge is supported for voltage-driven "
                            "electrodes only; remove it, or use `drive: voltage`",
                            p->body);
    }
    return p->def.own == GOS_PIEZO_NONE || s->cells->layers
               ? GOS_OK
               : gos__fail_at(s->b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, "material"), p->object,
                              "patches on '%s' cannot have mass and stiffness; only shells of "
                              "`floating` bodies and `ancf_plate` support them; give `own: none`",
                              p->body);
}

gos_status gos__piezo_wire(gos_builder *b, const char *body, const gos_piezo_cells *cells,
                           gos_piezo_wiring *w) {
    making s = {.b = b, .cells = cells, .w = w};
    *w = (gos_piezo_wiring){0};
    if (!gos__next_entry(b, "piezo", NULL)) {
        return GOS_OK;
    }
    GOS_TRY(begin(&s));
    for (const gos_node *e = gos__next_entry(b, "piezo", NULL); e;
         e = gos__next_entry(b, "piezo", e)) {
        gos_piezo *p = gos__find_piezo(b, e);
        if (p && !p->given && strcmp(p->body, body) == 0) {
            const int first = w->n;
            GOS_TRY(check_own(&s, p));
            GOS_TRY(add_entry(&s, p));
            GOS_TRY(draw(&s, p, first));
            w->entry[w->nentry++] = p;
        }
    }
    return name_electrodes(b, w);
}
