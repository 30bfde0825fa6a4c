/* Derived vectors while a model is built. Lists double in the arena, so entries may be added at any
 * time. */
#include "parts/derived.h"

static gos_status make_room(gos_arena *a, void **list, int *cap, int n, size_t size) {
    if (n <= *cap) {
        return GOS_OK;
    }
    const int twice = *cap > 8 ? 2 * *cap : 16, want = twice > n ? twice : n;
    void *more = gos__arena_alloc(a, (size_t)want, size);
    if (!more) {
        return GOS_E_MEMORY;
    }
    if (*cap > 0) {
        memcpy(more, *list, (size_t)*cap * size);
    }
    *list = more;
    *cap = want;
    return GOS_OK;
}

static gos_status list_of(gos_builder *b, gos_derived_list **list) {
    if (!b->derived) {
        b->derived = GOS_NEW(b->arena, gos_derived_list, 1);
        if (!b->derived) {
            return GOS_E_MEMORY;
        }
        b->derived->arena = b->arena;
    }
    *list = b->derived;
    return GOS_OK;
}

gos_status gos__derived_create(gos_builder *b, const char *name, gos_loc loc, int r, int axis,
                               int n, const int *z, gos_derived **derived) {
    gos_derived_list *all;
    GOS_TRY(list_of(b, &all));
    gos_derived *m = GOS_NEW(b->arena, gos_derived, 1);
    if (!m) {
        return GOS_E_MEMORY;
    }
    *m = (gos_derived){.name = name, .loc = loc, .r = r, .axis = axis, .n = n, .z = z, .all = all};
    m->number = GOS_NEW(b->arena, gos_derived_numbers, n + 1);
    void *body = all->body;
    const gos_status status =
        m->number ? make_room(b->arena, &body, &all->body_cap, all->nbody + 1, sizeof *all->body)
                  : GOS_E_MEMORY;
    GOS_TRY(status);
    all->body = body;
    all->body[all->nbody++] = m;
    *derived = m;
    return GOS_OK;
}

static gos_status room_for_form(gos_derived *m) {
    int cap = m->form_cap;
    void *form = m->form;
    GOS_TRY(make_room(m->all->arena, &form, &cap, m->nform + 1, sizeof *m->form));
    if (cap > m->form_cap) {
        gos_derived_numbers *number = GOS_NEW(m->all->arena, gos_derived_numbers, m->n + cap);
        if (!number) {
            return GOS_E_MEMORY;
        }
        memcpy(number, m->number, (size_t)(m->n + m->nform) * sizeof *number);
        m->number = number;
    }
    m->form = form;
    m->form_cap = cap;
    return GOS_OK;
}

gos_status gos__derived_form(gos_derived *derived, const gos_derived_form *form, int *s) {
    int *i = GOS_NEW(derived->all->arena, int, form->nnz + 1);
    int *j = GOS_NEW(derived->all->arena, int, form->nnz + 1);
    double *v = GOS_NEW(derived->all->arena, double, form->nnz + 1);
    if (!i || !j || !v) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(room_for_form(derived));
    gos_derived_form *to = &derived->form[derived->nform];
    *to = (gos_derived_form){.i = i, .j = j, .v = v};
    for (int k = 0; k < form->nnz; ++k) {
        if (form->v[k] != 0.0) {
            i[to->nnz] = form->i[k];
            j[to->nnz] = form->j[k];
            v[to->nnz++] = form->v[k];
        }
    }
    *s = derived->n + derived->nform++;
    return GOS_OK;
}

gos_status gos__derived_vector(gos_derived *derived, int c, int s, int *number) {
    gos_derived_list *all = derived->all;
    if (derived->number[s][c] == 0) {
        void *pair = all->pair;
        GOS_TRY(make_room(all->arena, &pair, &all->cap, all->n + 1, sizeof *all->pair));
        all->pair = pair;
        derived->number[s][c] = -1 - all->n;
        all->pair[all->n++] =
            (gos_derived_pair){.number = derived->number[s][c], .c = c, .s = s, .of = derived};
    }
    *number = derived->number[s][c];
    return GOS_OK;
}

double gos__derived_scalar(const gos_derived *derived, int s, const double *e) {
    if (s < derived->n) {
        return e[derived->z[s]];
    }
    const gos_derived_form *form = &derived->form[s - derived->n];
    double sum = 0.0;
    for (int k = 0; k < form->nnz; ++k) {
        sum += form->v[k] * e[derived->z[form->i[k]]] * e[derived->z[form->j[k]]];
    }
    return 0.5 * sum;
}

void gos__vector_initial(const gos_builder *b, int number, double x[3]) {
    const double *e = b->e0[0], *of = number >= 0 ? b->e0[number] : NULL;
    double s = 1.0;
    if (number < 0) {
        const gos_derived_pair *pair = &b->derived->pair[-1 - number];
        s = gos__derived_scalar(pair->of, pair->s, e);
        of = b->e0[pair->of->axis + pair->c];
    }
    for (int k = 0; k < 3; ++k) {
        x[k] = s * of[k];
    }
}
