/* Hashes of the entries that a stored reduced model depends on: bodies, materials, joints. */
#include "models/rom_match.h"

#include <string.h>

#include "parts/first_order_states.h"
#include "system/constants.h"
#include "system/derived.h"

static uint64_t numbers(uint64_t h, size_t n, const double *x) {
    return x ? gos__hash(h, x, n * sizeof *x) : h;
}

static uint64_t integers(uint64_t h, size_t n, const int *x) {
    return x ? gos__hash(h, x, n * sizeof *x) : h;
}

static uint64_t word(uint64_t h, const char *s) {
    return s ? gos__hash(h, s, strlen(s) + 1) : h;
}

static uint64_t body_hash(uint64_t h, const gos_system *s, const gos_body *b) {
    const int sizes[] = {b->nv, b->nt, b->nfam, b->nnode, b->ncell};
    h = word(word(h, b->name), b->type);
    h = integers(h, GOS_COUNT(sizes), sizes);
    h = numbers(h, 1, &b->length);
    h = numbers(h, 3, b->v_ref);
    return numbers(h, 3L * b->nv, s->e0 + 3L * b->v0);
}

static uint64_t one_material(uint64_t h, const gos_material *m) {
    const size_t last =
        m->kind == GOS_MATERIAL_ORTHOTROPIC ? sizeof *m : offsetof(gos_material, E2);
    const gos_laminate *l = m->laminate;
    h = numbers(h, (long)((last - offsetof(gos_material, density)) / sizeof(double)), &m->density);
    for (int k = 0; l && k < l->n; k++) {
        const gos_laminate_ply *p = &l->ply[k];
        h = one_material(h, p->material); // not a laminate
        h = numbers(h, 3, (const double[]){p->thickness, p->angle, l->offset});
    }
    return h;
}

static uint64_t material_hash(uint64_t h, const gos_body *b) {
    int n;
    const gos_material *const *m = gos__body_materials(b, &n);
    for (int i = 0; i < n; i++) {
        h = one_material(h, m[i]);
    }
    h = b->axis != 0 ? numbers(h, 1, &b->axis) : h;
    if (b->section) {
        const gos_section *k = b->section;
        const double sizes[] = {k->A, k->Iy, k->Iz, k->J, k->height, k->width, k->outer, k->inner};
        h = numbers(h, GOS_COUNT(sizes), sizes);
        h = numbers(h, k->nfam, k->cap);
    }
    for (int i = 0; i <= 4 && b->tapered; i++) {
        gos_section at;
        b->ops->section(b, 0.25 * i * b->length, &at);
        h = numbers(h, 4, (const double[]){at.A, at.Iy, at.Iz, at.J});
    }
    return h;
}

static uint64_t joint_hash(uint64_t h, const gos_item *it) {
    const int sizes[] = {it->nm, it->ntm, it->nc, it->nh};
    h = word(word(h, it->name), it->type->name);
    h = integers(h, GOS_COUNT(sizes), sizes);
    for (int m = 0; m < it->nm; m++) {
        h = integers(h, it->m[m].n, it->m[m].idx);
        h = numbers(h, it->m[m].n, it->m[m].w);
        h = numbers(h, 3, it->m[m].off);
    }
    return it->iso_w ? numbers(h, it->nc / 3 * it->nm, it->iso_w) : h;
}

static uint64_t floating_hash(uint64_t h, const gos_floating *b) {
    h = numbers(h, b->mass.nnz, b->mass.v);
    for (int k = 0; k < b->nform; k++) {
        h = numbers(h, b->form[k].nnz, b->form[k].v);
    }
    return h;
}

/* the inertia and stiffness of floating bodies affect the mode shapes of the others */
static uint64_t all_floating_hash(uint64_t h, const gos_system *s) {
    for (int i = 0; s->derived && i < s->derived->nbody; i++) {
        h = floating_hash(h, &s->derived->body[i]);
    }
    const gos_rows_matrix *K = s->derived && s->constants ? &s->constants->A[GOS_CONSTANT_K] : NULL;
    return K ? numbers(h, K->nnz, K->v) : h;
}

static bool is_joint(const gos_item *it) {
    return it->name && strncmp(it->name, "joint ", 6) == 0;
}

gos_rom_match gos__rom_match(const gos_system *s) {
    gos_rom_match k = {{GOS_HASH_BEGIN, GOS_HASH_BEGIN, GOS_HASH_BEGIN}};
    uint64_t *bodies = &k.hash[GOS_ROM_BODIES], *materials = &k.hash[GOS_ROM_MATERIALS];
    for (int i = 0; i < s->nbody; i++) {
        if (!gos__body_is_states(s->body[i])) {
            *bodies = body_hash(*bodies, s, s->body[i]);
            *materials = material_hash(*materials, s->body[i]);
        }
    }
    *materials = numbers(*materials, s->mass.nnz, s->mass.v);
    *materials = numbers(*materials, 1, &s->T_ref);
    *materials = all_floating_hash(*materials, s);
    for (int i = 0; i < s->nitem; i++) {
        if (is_joint(s->item[i])) {
            k.hash[GOS_ROM_JOINTS] = joint_hash(k.hash[GOS_ROM_JOINTS], s->item[i]);
        }
    }
    return k;
}

/* ---- the table of entries -------------------------------------------------------------------- */

/* Lines of the table: kind, two hashes of 16 digits, name. */
#define BODY 'b'  // type, mesh and location; material, section and mass
#define JOINT 'j' // all of it; 0
#define OTHER 'o' // a setting of the whole model
#define DIGITS 16
#define NAME (1 + 2 * DIGITS)

typedef struct table {
    char *text;
    int n, room; // bytes
} table;

static gos_status add_line(gos_ctx *ctx, table *t, char kind, uint64_t first, uint64_t second,
                           const char *name) {
    const size_t need = NAME + strlen(name) + 2;
    GOS_TRY(gos__grow(ctx, (void **)&t->text, &t->room, t->n + (int)need, 1));
    t->n += gos__format(t->text + t->n, need, "%c%016llx%016llx%s\n", kind,
                        (unsigned long long)first, (unsigned long long)second, name);
    return GOS_OK;
}

static uint64_t matter_hash(const gos_system *s, const gos_body *b) {
    const gos_rows_matrix *M = &s->mass;
    const gos_rows_matrix *K = b->derived && s->constants ? &s->constants->A[GOS_CONSTANT_K] : NULL;
    uint64_t h = material_hash(GOS_HASH_BEGIN, b);
    for (int i = b->v0; i < b->v0 + b->nv; i++) {
        h = numbers(h, M->p[i + 1] - M->p[i], M->v + M->p[i]);
    }
    for (int i = 3 * b->v0; K && i < 3 * (b->v0 + b->nv); i++) {
        h = numbers(h, K->p[i + 1] - K->p[i], K->v + K->p[i]);
    }
    for (int i = 0; b->derived && i < s->derived->nbody; i++) {
        const gos_floating *f = &s->derived->body[i];
        h = strcmp(f->name, b->name) == 0 ? floating_hash(h, f) : h;
    }
    return h;
}

static gos_status fill(gos_ctx *ctx, const gos_system *s, table *t) {
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        if (!gos__body_is_states(b)) {
            GOS_TRY(add_line(ctx, t, BODY, body_hash(GOS_HASH_BEGIN, s, b), matter_hash(s, b),
                             b->name));
        }
    }
    GOS_TRY(
        add_line(ctx, t, OTHER, numbers(GOS_HASH_BEGIN, 1, &s->T_ref), 0, "reference_temperature"));
    for (int i = 0; i < s->nitem;) {
        const char *name = s->item[i]->name;
        uint64_t h = GOS_HASH_BEGIN;
        if (!is_joint(s->item[i])) {
            i++;
            continue;
        }
        for (; i < s->nitem && is_joint(s->item[i]) && strcmp(s->item[i]->name, name) == 0; i++) {
            h = joint_hash(h, s->item[i]);
        }
        GOS_TRY(add_line(ctx, t, JOINT, h, 0, name));
    }
    return GOS_OK;
}

gos_status gos__rom_entries(gos_ctx *ctx, const gos_system *full, char **text) {
    table t = {0};
    const gos_status status = fill(ctx, full, &t);
    if (status != GOS_OK) {
        gos__free(ctx, t.text);
        return status;
    }
    *text = t.text;
    return GOS_OK;
}

/* ---- differences ----------------------------------------------------------------------------- */

/* next line, NULL: none, or damaged table; *n: bytes without line end */
static const char *line_at(const char *text, size_t *n) {
    const char *end = text ? strchr(text, '\n') : NULL;
    *n = end ? (size_t)(end - text) : 0;
    return end && *n > NAME ? text : NULL;
}

static const char *same_entry(const char *in, const char *line, size_t n) {
    size_t m;
    for (const char *l = line_at(in, &m); l; l = line_at(l + m + 1, &m)) {
        if (m == n && l[0] == line[0] && memcmp(l + NAME, line + NAME, n - NAME) == 0) {
            return l;
        }
    }
    return NULL;
}

static void describe(char *words, size_t size, const char *line, size_t n, const char *what) {
    const bool body = line[0] == BODY;
    (void)gos__format(words, size, "%s%.*s%s %s", body ? "body '" : "",
                      (int)(n - NAME < 100 ? n - NAME : 100), line + NAME, body ? "'" : "", what);
}

/* an entry that the other table lacks */
static bool describe_unmatched(const char *in, const char *other, char kind, const char *what,
                               char *words, size_t size) {
    size_t n;
    for (const char *l = line_at(in, &n); l; l = line_at(l + n + 1, &n)) {
        if (l[0] == kind && !same_entry(other, l, n)) {
            describe(words, size, l, n, what);
            return true;
        }
    }
    return false;
}

/* an entry with different hashes at `at` */
static bool describe_changed(const char *now, const char *then, char kind, int at, const char *what,
                             char *words, size_t size) {
    size_t n;
    for (const char *l = line_at(now, &n); l; l = line_at(l + n + 1, &n)) {
        const char *before = l[0] == kind ? same_entry(then, l, n) : NULL;
        if (before && memcmp(before + at, l + at, DIGITS) != 0) {
            describe(words, size, l, n, what);
            return true;
        }
    }
    return false;
}

void gos__rom_differs(int which, const char *now, const char *then, char *words, size_t size) {
    const char kind = which == GOS_ROM_JOINTS ? JOINT : BODY;
    bool found = describe_unmatched(now, then, kind, "is new", words, size) ||
                 describe_unmatched(then, now, kind, "is missing", words, size);
    if (which == GOS_ROM_BODIES) {
        found = found || describe_changed(now, then, BODY, 1, "has another type, mesh or location",
                                          words, size);
    } else if (which == GOS_ROM_MATERIALS) {
        found = found ||
                describe_changed(now, then, BODY, 1 + DIGITS,
                                 "has another material, section or mass", words, size) ||
                describe_changed(now, then, OTHER, 1, "has another value", words, size);
    } else {
        found = found || describe_changed(now, then, JOINT, 1, "has changed", words, size);
    }
    if (!found) {
        (void)gos__format(words, size, "their order");
    }
}
