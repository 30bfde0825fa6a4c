#include "bodies/mesh_piezo.h"

#include "bodies/mesh_picture.h"
#include "fe/piezo.h"

#define MOST 2e7 // pairs of displacements that electrodes of given charge join

/* all patches of a body */
typedef struct patches {
    gos_builder *b;
    const gos_fe_body *fe;
    int n, nelectrode;
    gos_fe_patch *patch;     // (n); at most one on each face of a cell
    int *electrode;          // of each (n)
    signed char *sign;       // of its voltage (n)
    const gos_piezo **owner; // of faces of cells: upper ones, then lower ones
    bool *chosen;            // cells of one place (cells)
} patches;

/* ---- cells ------------------------------------------------------------------------------------------ */

static bool is_shell(const patches *s, int cell) {
    int at;
    const int part = s->fe->part_of[cell];
    return part >= 0 && s->fe->part[part].element->directors &&
           gos__mesh_cell(s->fe->mesh, cell, &at)->shape == GOS_CELL_QUAD4;
}

static gos_status choose_set(const patches *s, const gos_piezo *p, const char *name, gos_loc loc) {
    const gos_mesh *m = s->fe->mesh;
    const gos_mesh_set *set = gos__mesh_cell_set(m, name);
    if (!set) {
        const char *known[64];
        int n = 0;
        for (int i = 0; i < m->ncell_set && n < GOS_COUNT(known); i++) {
            known[n++] = m->cell_set[i].name;
        }
        const char *near = gos__suggest(name, known, n);
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, loc, p->object,
                            "the mesh of '%s' has no set of cells '%s'%s%s%s", p->body, name,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    for (int i = 0; i < set->n; i++) {
        if (!is_shell(s, set->item[i])) {
            return gos__fail_at(s->b->ctx, GOS_E_INPUT, loc, p->object,
                                "cell %lld of '%s' is no shell of four nodes, which alone carry "
                                "patches",
                                (long long)gos__mesh_cell_tag(m, set->item[i]), name);
        }
        s->chosen[set->item[i]] = true;
    }
    return GOS_OK;
}

static gos_status choose_cell(const patches *s, const gos_piezo *p, const char *text, gos_loc loc) {
    long long tag = 0;
    int end = 0;
    const bool read = sscanf(text, "cell(%lld)%n", &tag, &end) == 1 && text[end] == '\0' && end > 0;
    for (int cell = 0; read && cell < s->fe->mesh->ncell; cell++) {
        if (gos__mesh_cell_tag(s->fe->mesh, cell) == tag && is_shell(s, cell)) {
            s->chosen[cell] = true;
            return GOS_OK;
        }
    }
    return gos__fail_at(s->b->ctx, GOS_E_INPUT, loc, p->object,
                        "'%s' has no shell of four nodes '%s'; name cell(NUMBER) of its mesh",
                        p->body, text);
}

/* add the cells of a place: a set, one cell, or (empty) all shells */
static gos_status choose(const patches *s, const gos_piezo *p, const char *place, gos_loc loc) {
    if (*place) {
        return strchr(place, '(') ? choose_cell(s, p, place, loc) : choose_set(s, p, place, loc);
    }
    bool any = false;
    for (int cell = 0; cell < s->fe->mesh->ncell; cell++) {
        s->chosen[cell] = s->chosen[cell] || is_shell(s, cell);
        any = any || s->chosen[cell];
    }
    return any ? GOS_OK
               : gos__fail_at(s->b->ctx, GOS_E_INPUT, loc, p->object,
                              "body '%s' has no shells of four nodes, which alone carry patches; "
                              "its `element` is what says that cells are shells",
                              p->body);
}

/* the cells that the entry lies on */
static gos_status choose_all(const patches *s, const gos_piezo *p) {
    memset(s->chosen, 0, (size_t)s->fe->mesh->ncell * sizeof *s->chosen);
    for (int i = 0; i < p->def.on.n; i++) {
        const char *text = p->def.on.v[i], *dot = strchr(text, '.');
        GOS_TRY(choose(s, p, dot ? dot + 1 : "", p->def.on.loc[i]));
    }
    return GOS_OK;
}

/* ---- patches ---------------------------------------------------------------------------------------- */

static gos_status add_patch(patches *s, const gos_piezo *p, int cell, int face, int sign,
                            gos_loc loc) {
    const gos_mesh *m = s->fe->mesh;
    const gos_piezo **owner = &s->owner[cell + (face < 0 ? m->ncell : 0)];
    if (*owner) {
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, loc, p->object,
                            "the %s face of cell %lld of '%s' has a patch already (%s); give each "
                            "face of a cell one",
                            face > 0 ? "upper" : "lower", (long long)gos__mesh_cell_tag(m, cell),
                            p->body, (*owner)->object);
    }
    *owner = p;
    const gos_piezo_def *d = &p->def;
    s->patch[s->n] = (gos_fe_patch){.cell = cell,
                                    .face = face,
                                    .thickness = d->thickness,
                                    .e = {d->e31, d->e32, d->e36},
                                    .permittivity = d->permittivity,
                                    .pyro = d->pyroelectric,
                                    .along = {d->along[0], d->along[1], d->along[2]}};
    s->electrode[s->n] = s->nelectrode - 1;
    s->sign[s->n++] = (signed char)sign;
    return GOS_OK;
}

static int face_of(const gos_piezo *p, int i) {
    return p->def.faces.n == 0 ? 1 - 2 * i : strcmp(p->def.faces.v[i], "upper") == 0 ? 1 : -1;
}

static int faces_of(const gos_piezo *p) {
    return p->def.faces.n == 0 ? 2 : p->def.faces.n;
}

static gos_status begin_electrode(patches *s, gos_piezo *p, const char *name) {
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    p->electrode[p->n++] = name;
    s->nelectrode++;
    return GOS_OK;
}

static gos_status each(patches *s, gos_piezo *p) {
    for (int i = 0; i < faces_of(p); i++) {
        for (int cell = 0; cell < s->fe->mesh->ncell; cell++) {
            if (s->chosen[cell]) {
                GOS_TRY(begin_electrode(
                    s, p, gos__arena_printf(s->b->arena, "%s(%d)", p->name, p->n + 1)));
                GOS_TRY(add_patch(s, p, cell, face_of(p, i), 1, p->entry->loc));
            }
        }
    }
    return GOS_OK;
}

static gos_status joined(patches *s, gos_piezo *p) {
    GOS_TRY(begin_electrode(s, p, p->name));
    for (int i = 0; i < faces_of(p); i++) {
        for (int cell = 0; cell < s->fe->mesh->ncell; cell++) {
            GOS_TRY(s->chosen[cell] ? add_patch(s, p, cell, face_of(p, i), 1, p->entry->loc)
                                    : GOS_OK);
        }
    }
    return GOS_OK;
}

static gos_status bimorph(patches *s, gos_piezo *p) {
    if (faces_of(p) < 2) {
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, "channels"), p->object,
                            "bimorph needs patches on both faces");
    }
    for (int cell = 0; cell < s->fe->mesh->ncell; cell++) {
        if (s->chosen[cell]) {
            GOS_TRY(
                begin_electrode(s, p, gos__arena_printf(s->b->arena, "%s(%d)", p->name, p->n + 1)));
            GOS_TRY(add_patch(s, p, cell, 1, 1, p->entry->loc));
            GOS_TRY(add_patch(s, p, cell, -1, -1, p->entry->loc));
        }
    }
    return GOS_OK;
}

/* "-SET.lower": cells, faces and sign of patches of a channel */
static gos_status add_place(patches *s, const gos_piezo *p, const gos_node *item) {
    if (item->kind != GOS_SCALAR) {
        return gos__fail_at(s->b->ctx, GOS_E_INPUT, item->loc, p->object,
                            "a channel is a list of texts, [upper, -lower, SET, -cell(12).lower]");
    }
    static const char *const names[] = {"upper", "lower"};
    const int sign = item->text[0] == '-' ? -1 : 1;
    char *place =
        gos__arena_strdup(s->b->arena, item->text + (strchr("+-", item->text[0]) && item->text[0]));
    GOS_TRY(place ? GOS_OK : GOS_E_MEMORY);
    int face = 0;
    char *dot = strrchr(place, '.');
    for (int k = 0; k < 2; k++) {
        if (strcmp(dot ? dot + 1 : place, names[k]) == 0) {
            face = 1 - 2 * k;
            *(dot ? dot : place) = '\0';
            break;
        }
    }
    if (*place) {
        memset(s->chosen, 0, (size_t)s->fe->mesh->ncell * sizeof *s->chosen);
        GOS_TRY(choose(s, p, place, item->loc));
    } else {
        GOS_TRY(choose_all(s, p));
    }
    for (int i = 0; i < (face ? 1 : faces_of(p)); i++) {
        for (int cell = 0; cell < s->fe->mesh->ncell; cell++) {
            GOS_TRY(s->chosen[cell]
                        ? add_patch(s, p, cell, face ? face : face_of(p, i), sign, item->loc)
                        : GOS_OK);
        }
    }
    return GOS_OK;
}

static gos_status named(patches *s, gos_piezo *p) {
    for (const gos_node *c = p->def.channels->child; c; c = c->next) {
        const int before = s->n;
        if (!gos__name_valid(c->key)) {
            return gos__fail_at(s->b->ctx, GOS_E_INPUT, c->key_loc, p->object,
                                "'%.80s' is not a valid name of a channel; use letters, digits and "
                                "_, not beginning with a digit",
                                c->key);
        }
        GOS_TRY(begin_electrode(s, p, gos__arena_printf(s->b->arena, "%s.%s", p->name, c->key)));
        GOS_TRY(c->kind == GOS_SCALAR ? add_place(s, p, c) : GOS_OK);
        for (const gos_node *d = c->kind == GOS_SCALAR ? NULL : c->child; d; d = d->next) {
            GOS_TRY(add_place(s, p, d));
        }
        if (s->n == before) {
            return gos__fail_at(s->b->ctx, GOS_E_INPUT, c->loc, p->object,
                                "channel '%s' has no patches; give [upper, -lower, SET, ...]",
                                c->key);
        }
    }
    return p->n > 0 ? GOS_OK
                    : gos__fail_at(s->b->ctx, GOS_E_INPUT, p->def.channels->loc, p->object,
                                   "channels has none; give each, joined, bimorph, or {CHANNEL: "
                                   "[places]}");
}

static gos_status add_entry(patches *s, gos_piezo *p) {
    static const struct {
        const char *name;
        gos_status (*add)(patches *s, gos_piezo *p);
    } wirings[] = {{"each", each}, {"joined", joined}, {"bimorph", bimorph}};
    const gos_node *c = p->def.channels;
    const size_t most = 2 * (size_t)s->fe->mesh->ncell + (c ? (size_t)c->n : 0) + 1;
    p->electrode = (const char **)gos__arena_alloc(s->b->arena, most, sizeof *p->electrode);
    GOS_TRY(p->electrode ? GOS_OK : GOS_E_MEMORY);
    p->taken = true;
    p->first = s->nelectrode;
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

/* ---- matrices --------------------------------------------------------------------------------------- */

/* sums over the patches of each electrode: A (n, patches), or (turned) the transpose of A (patches, n) */
static gos_status join(const patches *s, const gos_sparse *A, bool turned, gos_sparse *B) {
    gos_ctx *ctx = s->b->ctx;
    const size_t n = (size_t)A->nnz + 1;
    int *i = gos__alloc(ctx, 2 * n, sizeof *i), *j = i ? i + n : NULL;
    double *x = gos__alloc(ctx, n, sizeof *x);
    gos_status status = i && x ? GOS_OK : GOS_E_MEMORY;
    for (int column = 0; column < A->n && status == GOS_OK; column++) {
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            const int patch = turned ? A->i[k] : column;
            i[k] = turned ? column : A->i[k];
            j[k] = s->electrode[patch];
            x[k] = s->sign[patch] * A->x[k];
        }
    }
    if (status == GOS_OK) {
        status =
            gos__sparse_from_triplets(ctx, turned ? A->n : A->m, s->nelectrode, A->nnz, i, j, x, B);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(B);
    }
    gos__free(ctx, i);
    gos__free(ctx, x);
    return status;
}

static gos_status make(const patches *s, gos_flex_piezo *to) {
    gos_ctx *ctx = s->b->ctx;
    gos_sparse force = {0}, charge = {0};
    double *capacitance = gos__alloc(ctx, (size_t)s->n + 1, sizeof *capacitance);
    to->n = s->nelectrode;
    to->capacitance = gos__zalloc(ctx, (size_t)to->n + 1, sizeof *to->capacitance);
    gos_status status = capacitance && to->capacitance ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = gos__fe_patches(s->fe, s->n, s->patch, &force, &charge, capacitance);
    }
    status = status == GOS_OK ? join(s, &force, false, &to->force) : status;
    status = status == GOS_OK ? join(s, &charge, true, &to->charge) : status;
    for (int i = 0; i < s->n && status == GOS_OK; i++) {
        to->capacitance[s->electrode[i]] += capacitance[i];
    }
    gos__sparse_free(ctx, &force);
    gos__sparse_free(ctx, &charge);
    gos__free(ctx, capacitance);
    return status;
}

/* K + k k^T / C of electrodes whose charge is given */
static gos_status condense(const patches *s, const gos_mesh_piezo *piezo, gos_flex *flex) {
    gos_ctx *ctx = s->b->ctx;
    const gos_sparse *A = &flex->piezo.force;
    double most = 0;
    for (int e = 0; e < A->n; e++) {
        const double n = A->p[e + 1] - A->p[e];
        most += piezo->charge[e] ? n * n : 0;
    }
    if (most > MOST) {
        const gos_piezo *p = piezo->entry[0];
        return gos__fail_at(ctx, GOS_E_LIMIT, p->entry->loc, p->object,
                            "electrodes with `drive: charge` join %.2g pairs of displacements, at "
                            "most %.2g; use smaller ones",
                            most, MOST);
    }
    if (most == 0) {
        return GOS_OK;
    }
    const size_t room = (size_t)most;
    int *i = gos__alloc(ctx, 2 * room, sizeof *i), *j = i ? i + room : NULL, n = 0;
    double *x = gos__alloc(ctx, room, sizeof *x);
    gos_sparse more = {0}, sum = {0};
    for (int e = 0; e < A->n && i && x; e++) {
        for (int k = A->p[e]; k < A->p[e + 1] && piezo->charge[e]; k++) {
            for (int l = A->p[e]; l < A->p[e + 1]; l++) {
                i[n] = A->i[k];
                j[n] = A->i[l];
                x[n++] = A->x[k] * A->x[l] / flex->piezo.capacitance[e];
            }
        }
    }
    gos_status status =
        i && x ? gos__sparse_from_triplets(ctx, A->m, A->m, n, i, j, x, &more) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_merge(&more);
        status = gos__sparse_sum(ctx, 1, &flex->K, 1, &more, &sum);
    }
    if (status == GOS_OK) {
        gos__sparse_free(ctx, &flex->K);
        flex->K = sum;
    }
    gos__sparse_free(ctx, &more);
    gos__free(ctx, i);
    gos__free(ctx, x);
    return status;
}

static gos_status begin(gos_builder *b, const gos_fe_body *fe, patches *s) {
    const int cells = fe->mesh->ncell;
    *s = (patches){.b = b, .fe = fe};
    s->patch = GOS_NEW(b->arena, gos_fe_patch, 2 * cells + 1);
    s->electrode = GOS_NEW(b->arena, int, 2 * cells + 1);
    s->sign = GOS_NEW(b->arena, signed char, 2 * cells + 1);
    s->owner =
        (const gos_piezo **)gos__arena_alloc(b->arena, 2 * (size_t)cells + 1, sizeof *s->owner);
    s->chosen = GOS_NEW(b->arena, bool, cells + 1);
    return s->patch && s->electrode && s->sign && s->owner && s->chosen ? GOS_OK : GOS_E_MEMORY;
}

static gos_status name_electrodes(gos_builder *b, gos_mesh_piezo *piezo) {
    piezo->name = (const char **)gos__arena_alloc(b->arena, (size_t)piezo->nelectrode + 1,
                                                  sizeof *piezo->name);
    piezo->charge = GOS_NEW(b->arena, bool, piezo->nelectrode + 1);
    GOS_TRY(piezo->name && piezo->charge ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < piezo->n; i++) {
        const gos_piezo *p = piezo->entry[i];
        for (int e = 0; e < p->n; e++) {
            piezo->name[p->first + e] = p->electrode[e];
            piezo->charge[p->first + e] = p->def.drive == GOS_PIEZO_CHARGE;
        }
    }
    return GOS_OK;
}

/* the drawn cells on which the patches of an entry lie: shells are drawn in their order, unless solids hide them */
static gos_status draw(const patches *s, gos_piezo *p) {
    const gos_mesh *m = s->fe->mesh;
    gos_arena *a = s->b->arena;
    int *drawn = gos__alloc(s->b->ctx, (size_t)m->ncell + 1, sizeof *drawn), n = 0;
    p->patch = GOS_NEW(a, gos_electrode_patch, s->n + 1);
    p->patch_start = GOS_NEW(a, int, p->n + 1);
    const bool good = drawn && p->patch && p->patch_start;
    for (int cell = 0; cell < m->ncell && good; cell++) {
        int at;
        drawn[cell] = n;
        n += gos__cell_kind[gos__mesh_cell(m, cell, &at)->shape].dim == 2;
    }
    for (int e = 0, i = 0; e < p->n && good; e++) { // patches are in the order of electrodes
        int to = p->patch_start[e];
        for (; i < s->n && s->electrode[i] <= p->first + e; i++) {
            if (s->electrode[i] == p->first + e && !gos__mesh_has_solids(m)) {
                p->patch[to++] =
                    (gos_electrode_patch){drawn[s->patch[i].cell], s->patch[i].face > 0 ? 1 : -1};
            }
        }
        p->patch_start[e + 1] = to;
    }
    gos__free(s->b->ctx, drawn);
    return good ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__mesh_piezo(gos_builder *b, const char *name, const gos_fe_body *fe, gos_flex *flex,
                           gos_mesh_piezo *piezo) {
    patches s = {0};
    int count = 0;
    for (const gos_node *e = gos__next_entry(b, "piezo", NULL); e;
         e = gos__next_entry(b, "piezo", e)) {
        count++;
    }
    *piezo = (gos_mesh_piezo){0};
    if (count == 0) {
        return GOS_OK;
    }
    piezo->entry =
        (gos_piezo **)gos__arena_alloc(b->arena, (size_t)count + 1, sizeof *piezo->entry);
    GOS_TRY(piezo->entry ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(begin(b, fe, &s));
    for (const gos_node *e = gos__next_entry(b, "piezo", NULL); e;
         e = gos__next_entry(b, "piezo", e)) {
        gos_piezo *p = gos__find_piezo(b, e);
        if (p && strcmp(p->body, name) == 0) {
            GOS_TRY(add_entry(&s, p));
            GOS_TRY(draw(&s, p));
            piezo->entry[piezo->n++] = p;
        }
    }
    piezo->nelectrode = s.nelectrode;
    GOS_TRY(name_electrodes(b, piezo));
    GOS_TRY(piezo->n > 0 ? make(&s, &flex->piezo) : GOS_OK);
    return piezo->n > 0 ? condense(&s, piezo, flex) : GOS_OK;
}
