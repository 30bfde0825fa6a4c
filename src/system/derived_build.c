/* Tables of floating bodies from derived vectors. */
#include "system/derived.h"
#include "constraints/sparse_rows.h"

static bool consecutive(int n, const int *z) {
    int k = 1;
    while (k < n && z[k] == z[0] + k) {
        k++;
    }
    return k >= n;
}

static gos_status take_forms(gos_ctx *ctx, gos_arena *a, const gos_derived *from, gos_floating *b) {
    b->nform = from->nform;
    b->form = GOS_NEW(a, gos_rows_matrix, b->nform + 1);
    b->dense = GOS_NEW(a, bool, b->nform + 1);
    if (!b->form || !b->dense) {
        return GOS_E_MEMORY;
    }
    for (int p = 0; p < b->nform; p++) {
        const gos_derived_form *S = &from->form[p];
        const gos_triplets t = {
            .n = S->nnz, .i = (int *)S->i, .j = (int *)S->j, .v = (double *)S->v};
        GOS_TRY(gos__rows_from_triplets(ctx, a, b->n, &t, &b->form[p]));
        b->dense[p] = consecutive(b->n, b->z) && b->form[p].nnz == b->n * b->n;
    }
    return GOS_OK;
}

static gos_status take_support(gos_arena *a, gos_floating *b) {
    int total = 0;
    for (int t = 0; t < b->nvec; t++) {
        total += b->vec[t]->s < b->n ? 1 : b->n;
    }
    b->sup_p = GOS_NEW(a, int, b->nvec + 1);
    b->sup_k = GOS_NEW(a, int, total + 1);
    if (!b->sup_p || !b->sup_k) {
        return GOS_E_MEMORY;
    }
    int n = 0;
    for (int t = 0; t < b->nvec; t++) {
        const int s = b->vec[t]->s;
        if (s < b->n) {
            b->sup_k[n++] = s;
        }
        for (int k = 0; k < b->n && s >= b->n; k++) {
            const gos_rows_matrix *S = &b->form[s - b->n];
            if (S->p[k + 1] > S->p[k]) {
                b->sup_k[n++] = k;
            }
        }
        b->sup_p[t + 1] = n;
    }
    return GOS_OK;
}

/* acts[k]: vector -1 - k has mass or is used by items */
static void find_acting(const gos_builder *b, bool *acts) {
    for (int k = 0; k < b->mass.n; k++) {
        const int end[] = {b->mass.i[k], b->mass.j[k]};
        for (int e = 0; e < 2; e++) {
            if (end[e] < 0) {
                acts[-1 - end[e]] = true;
            }
        }
    }
    for (int i = 0; i < b->nitem; i++) {
        for (int m = 0; m < b->item[i]->nm; m++) {
            const gos_marker *marker = &b->item[i]->m[m];
            for (int j = 0; j < marker->n; j++) {
                if (marker->idx[j] < 0) {
                    acts[-1 - marker->idx[j]] = true;
                }
            }
        }
    }
}

static gos_status take_body(gos_builder *b, const gos_derived *from, const bool *acts,
                            gos_derived_table *table, gos_floating *to) {
    gos_arena *a = b->arena;
    *to = (gos_floating){.name = from->name,
                         .loc = from->loc,
                         .r = from->r,
                         .axis = from->axis,
                         .n = from->n,
                         .z = from->z,
                         .first_sup = table->nsup};
    for (int i = 0; i < b->nbody; i++) {
        to->t0 = b->body[i]->derived == from ? b->body[i]->t0 : to->t0;
    }
    int count = 0;
    for (int k = 0; k < table->n; k++) {
        count += b->derived->pair[k].of == from;
    }
    to->vec = GOS_NEW(a, const gos_derived_pair *, count + 1);
    if (!to->vec) {
        return GOS_E_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) { // acting ones first
        for (int k = 0; k < table->n; k++) {
            if (b->derived->pair[k].of == from && acts[k] == (pass == 0)) {
                table->body_of[k] = (int)(to - table->body);
                table->vec_of[k] = to->nvec;
                to->vec[to->nvec++] = &b->derived->pair[k];
                to->nact += acts[k];
            }
        }
    }
    GOS_TRY(take_forms(b->ctx, a, from, to));
    GOS_TRY(take_support(a, to));
    table->nsup += (size_t)to->sup_p[to->nvec];
    return GOS_OK;
}

/* local index in the body; -1: other body */
static int local_of(const gos_derived_table *t, const gos_floating *b, int number) {
    if (number < 0) {
        return t->body_of[-1 - number] == b - t->body ? 4 + t->vec_of[-1 - number] : -1;
    }
    return number == b->r                              ? 0
           : number >= b->axis && number < b->axis + 3 ? 1 + number - b->axis
                                                       : -1;
}

/* body owning a mass entry; -1: between coordinates */
static int owner_of(const gos_derived_table *table, const gos_triplets *t, int k) {
    const int derived = t->i[k] < 0 ? t->i[k] : t->j[k];
    return derived < 0 ? table->body_of[-1 - derived] : -1;
}

static gos_status room_for_mass(gos_builder *b, const gos_derived_table *table, gos_triplets *of) {
    for (int k = 0; k < b->mass.n; k++) {
        const int body = owner_of(table, &b->mass, k);
        if (body >= 0) {
            of[body].cap++;
        }
    }
    for (int i = 0; i < table->nbody; i++) {
        of[i].i = GOS_NEW(b->arena, int, of[i].cap + 1);
        of[i].j = GOS_NEW(b->arena, int, of[i].cap + 1);
        of[i].v = GOS_NEW(b->arena, double, of[i].cap + 1);
        if (!of[i].i || !of[i].j || !of[i].v) {
            return GOS_E_MEMORY;
        }
    }
    return GOS_OK;
}

static gos_status find_columns(gos_arena *a, gos_floating *f) {
    f->at = GOS_NEW(a, int, f->mass.nnz + 1);
    for (int k = 0; k < f->mass.nnz && f->at; k++) {
        const int j = f->mass.j[k];
        f->at[k] = 3 * (j == 0 ? f->r : j < 4 ? f->axis + j - 1 : f->vec[j - 4]->number);
    }
    return f->at ? GOS_OK : GOS_E_MEMORY;
}

static gos_status split_mass(gos_builder *b, gos_derived_table *table) {
    gos_triplets *all = &b->mass, *of = GOS_NEW(b->arena, gos_triplets, table->nbody);
    int left = 0;
    GOS_TRY(of ? room_for_mass(b, table, of) : GOS_E_MEMORY);
    for (int k = 0; k < all->n; k++) {
        const int body = owner_of(table, all, k);
        if (body < 0) {
            all->i[left] = all->i[k];
            all->j[left] = all->j[k];
            all->v[left++] = all->v[k];
            continue;
        }
        const gos_floating *f = &table->body[body];
        gos_triplets *to = &of[body];
        const int i = local_of(table, f, all->i[k]), j = local_of(table, f, all->j[k]);
        if (i < 0 || j < 0) {
            return gos__fail_at(b->ctx, GOS_E_INTERNAL, f->loc, f->name,
                                "has mass coupling between its derived vectors and another body");
        }
        to->i[to->n] = i;
        to->j[to->n] = j;
        to->v[to->n++] = all->v[k];
    }
    all->n = left;
    for (int i = 0; i < table->nbody; i++) {
        gos_floating *f = &table->body[i];
        GOS_TRY(gos__rows_from_triplets(b->ctx, b->arena, 4 + f->nvec, &of[i], &f->mass));
        GOS_TRY(find_columns(b->arena, f));
    }
    return GOS_OK;
}

/* Traversal of coupled amplitude pairs. */
typedef struct walk {
    gos_floating *b;
    int *at;  // next position per row; NULL when counting
    int *map; // positions; NULL when listing
    int n;
    int mass; // pairs from the mass
} walk;

static void meet(walk *w, int i, int j) {
    gos_rows_matrix *zz = &w->b->zz;
    if (w->map) {
        w->map[w->n] = gos__sorted_find(zz->j, zz->p[i], zz->p[i + 1], j);
    } else if (w->at) {
        zz->j[w->at[i]++] = j;
    } else {
        zz->p[i + 1]++;
    }
    w->n++;
}

static void walk_mass(walk *w) {
    const gos_floating *b = w->b;
    w->n = 0;
    for (int s = 0; s < b->nvec; s++) {
        for (int e = b->mass.p[4 + s]; e < b->mass.p[5 + s]; e++) {
            const int t = b->mass.j[e] - 4;
            for (int i = b->sup_p[s]; t >= 0 && i < b->sup_p[s + 1]; i++) {
                for (int j = b->sup_p[t]; j < b->sup_p[t + 1]; j++) {
                    meet(w, b->sup_k[i], b->sup_k[j]);
                }
            }
        }
    }
}

static void walk_form(walk *w, const gos_rows_matrix *S) {
    w->n = 0;
    for (int i = 0; i < S->n; i++) {
        for (int e = S->p[i]; e < S->p[i + 1]; e++) {
            meet(w, i, S->j[e]);
        }
    }
}

static int walk_all(walk *w) {
    walk_mass(w);
    int n = w->mass = w->n;
    for (int p = 0; p < w->b->nform; p++) {
        walk_form(w, &w->b->form[p]);
        n += w->n;
    }
    return n;
}

static gos_status make_points(gos_arena *a, walk *w) {
    gos_floating *b = w->b;
    w->map = b->mass_zz = GOS_NEW(a, int, w->mass + 1);
    b->form_zz = GOS_NEW(a, int *, b->nform + 1);
    if (!w->map || !b->form_zz) {
        return GOS_E_MEMORY;
    }
    walk_mass(w);
    for (int p = 0; p < b->nform; p++) {
        w->map = b->form_zz[p] = GOS_NEW(a, int, b->form[p].nnz + 1);
        if (!w->map) {
            return GOS_E_MEMORY;
        }
        walk_form(w, &b->form[p]);
    }
    return GOS_OK;
}

static gos_status make_pattern(gos_ctx *ctx, gos_arena *a, gos_floating *b) {
    gos_rows_matrix *zz = &b->zz;
    walk w = {.b = b};
    zz->n = b->n;
    zz->p = GOS_NEW(a, int, b->n + 2);
    if (!zz->p) {
        return GOS_E_MEMORY;
    }
    const int max = walk_all(&w);
    zz->j = GOS_NEW(a, int, max + 1);
    w.at = gos__alloc(ctx, (size_t)b->n + 1, sizeof *w.at);
    if (!zz->j || !w.at) {
        gos__free(ctx, w.at);
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < b->n; i++) {
        zz->p[i + 1] += zz->p[i];
        w.at[i] = zz->p[i];
    }
    (void)walk_all(&w);
    gos__free(ctx, w.at);
    w.at = NULL;
    zz->nnz = gos__buckets_unique(b->n, zz->p, zz->j);
    return make_points(a, &w);
}

static gos_status refuse_points(gos_builder *b) {
    for (int i = 0; i < b->npoints; i++) {
        const gos_points *p = b->points[i];
        for (int k = 0; k < p->nb * p->nv * GOS_LANES; k++) {
            if (p->v[k] < 0) {
                const gos_body *body = b->body[p->body];
                return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, NULL,
                                    "body '%s' is carried by a floating body, which is not "
                                    "supported; let a rigid body carry it",
                                    body->name);
            }
        }
    }
    return GOS_OK;
}

static gos_status mark_amplitudes(gos_arena *a, int nv, gos_derived_table *t) {
    t->single = GOS_NEW(a, bool, nv + 1);
    for (int i = 0; i < t->nbody && t->single; i++) {
        for (int k = 0; k < t->body[i].n; k++) {
            t->single[t->body[i].z[k] / 3] = true;
        }
    }
    return t->single ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__derived_make(gos_builder *b, gos_system *s) {
    gos_arena *a = s->arena;
    if (!b->derived || b->derived->nbody == 0) {
        return GOS_OK;
    }
    GOS_TRY(refuse_points(b));
    gos_derived_table *t = GOS_NEW(a, gos_derived_table, 1);
    if (!t) {
        return GOS_E_MEMORY;
    }
    t->n = b->derived->n;
    t->nbody = b->derived->nbody;
    t->body = GOS_NEW(a, gos_floating, t->nbody);
    t->body_of = GOS_NEW(a, int, t->n + 1);
    t->vec_of = GOS_NEW(a, int, t->n + 1);
    if (!t->body || !t->body_of || !t->vec_of) {
        return GOS_E_MEMORY;
    }
    bool *acts = GOS_NEW(a, bool, t->n + 1);
    if (!acts) {
        return GOS_E_MEMORY;
    }
    find_acting(b, acts);
    for (int i = 0; i < t->nbody; i++) {
        GOS_TRY(take_body(b, b->derived->body[i], acts, t, &t->body[i]));
    }
    GOS_TRY(mark_amplitudes(a, b->nv, t));
    GOS_TRY(split_mass(b, t));
    for (int i = 0; i < t->nbody; i++) {
        GOS_TRY(make_pattern(b->ctx, a, &t->body[i]));
        const size_t local = gos__derived_local(&t->body[i]);
        t->nlocal = local > t->nlocal ? local : t->nlocal;
    }
    s->derived = t;
    return GOS_OK;
}

static gos_status renumber_body(gos_arena *a, const int *to, const int *heat_to, gos_floating *f) {
    int *z = GOS_NEW(a, int, f->n + 1);
    if (!z) {
        return GOS_E_MEMORY;
    }
    for (int k = 0; k < f->n; k++) {
        z[k] = 3 * to[f->z[k] / 3] + f->z[k] % 3;
    }
    f->z = z;
    f->r = to[f->r];
    f->axis = to[f->axis];
    f->t0 = heat_to[f->t0];
    return find_columns(a, f);
}

gos_status gos__derived_renumber(const gos_derived_table *from, const int *to, const int *heat_to,
                                 gos_system *s) {
    gos_derived_table *t = GOS_NEW(s->arena, gos_derived_table, 1);
    if (!t) {
        return GOS_E_MEMORY;
    }
    *t = *from; // borrows data independent of coordinate numbers
    t->ncolumn = 0;
    t->npos = 0;
    t->pos = NULL;
    t->body = GOS_NEW(s->arena, gos_floating, t->nbody);
    if (!t->body) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < t->nbody; i++) {
        t->body[i] = from->body[i];
        GOS_TRY(renumber_body(s->arena, to, heat_to, &t->body[i]));
    }
    s->derived = t;
    return mark_amplitudes(s->arena, s->nv, t);
}
