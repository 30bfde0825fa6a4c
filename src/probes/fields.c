/* Stresses and strains at drawn nodes, equal to those of probes. */
#include "probes/fields.h"

#include <math.h>

#include "fe/recovery.h"
#include "system/derived.h"

/* stresses, von Mises and principal stresses of each face; then strains, without von Mises */
static const gos_field_info *names(const struct gos_fields *f, int *n) {
    static const char *const tensor[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    static const char *const principal[] = {"first", "second", "third"};
    static const char *const value[] = {"value"};
#define STRESS(face)                                                                               \
    {"stress" face, "Pa", 6, tensor}, {"von_mises" face, "Pa", 1, value}, {                        \
        "principal_stress" face, "Pa", 3, principal                                                \
    }
#define STRAIN(face)                                                                               \
    {"strain" face, "-", 6, tensor}, {                                                             \
        "principal_strain" face, "-", 3, principal                                                 \
    }
    static const gos_field_info plain[] = {STRESS(""), STRAIN("")},
                                faces[] = {STRESS("_upper"), STRESS("_lower"), STRAIN("_upper"),
                                           STRAIN("_lower")};
#undef STRESS
#undef STRAIN
    const int stresses = 3 * f->nfaces, strains = 2 * f->nfaces;
    *n = (f->requested[0] ? stresses : 0) + (f->requested[1] ? strains : 0);
    return (f->nfaces > 1 ? faces : plain) + (f->requested[0] ? 0 : stresses);
}

static gos_status label_fields(const gos_unit_set *units, gos_arena *a, struct gos_fields *f) {
    gos_field_info *own = GOS_NEW(a, gos_field_info, f->nfield + 1);
    GOS_TRY(own ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < f->nfield; i++) {
        own[i] = f->field[i];
        GOS_TRY(gos__unit_kept(units, own[i].unit, a, &own[i].unit));
    }
    f->field = own;
    return GOS_OK;
}

typedef struct making {
    gos_builder *b;
    struct gos_fields *f;
    const gos_body *body;
    int first;
    int n;
} making;

static gos_status take_recovered(const making *k) {
    gos_field_node *at = k->f->node + k->f->n;
    for (int i = 0; i < 2 * k->f->nfaces; i++) {
        const int q = i % 2, face = i / 2;
        const double side = k->f->nfaces > 1 ? 1 - 2 * face : 0;
        gos_recovered *all = NULL;
        if (!k->f->requested[q]) {
            continue;
        }
        GOS_TRY(k->body->ops->recover_drawn(k->b, k->body, q == 1, side, &all));
        int n = 0;
        for (int j = 0; j < k->n; j++) {
            if (all[j].material) {
                at[n].node = k->first + j;
                at[n++].recovered[q][face] = &all[j];
            }
        }
        k->f->n = (int)(at - k->f->node) + n;
    }
    return GOS_OK;
}

static gos_status take_law(const making *k, int j) {
    const gos_body *body = k->body;
    gos_probe *p = GOS_NEW(k->b->arena, gos_probe, 1);
    GOS_TRY(p ? GOS_OK : GOS_E_MEMORY);
    const gos_location location = {.body = body, .node = j, .face = -1};
    *p = (gos_probe){.name = body->name, .body = body, .nm = 1 + body->law->nz};
    GOS_TRY(body->ops->gradients(k->b->arena, body, &location, &p->m[1]));
    GOS_TRY(gos__section_location(k->b, &location, p, body->loc));
    if (body->nfam > 0) {
        p->tm = GOS_NEW(k->b->arena, gos_tmarker, body->nfam);
        GOS_TRY(p->tm ? GOS_OK : GOS_E_MEMORY);
        p->ntm = body->nfam;
        GOS_TRY(body->ops->temperature(k->b->arena, body, &location, p->tm));
    }
    k->f->node[k->f->n++] = (gos_field_node){.node = k->first + j, .law = p};
    return GOS_OK;
}

/* solids: the law returns stresses */
static bool is_solid(const gos_body *body) {
    return body->law && body->ops->gradients && !body->law->moment_unit;
}

static gos_status take_solid(const making *k) {
    bool *drawn = gos__zalloc(k->b->ctx, (size_t)k->n + 1, sizeof *drawn);
    gos_status status = drawn ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; drawn && i < k->body->ncell * k->body->cell_size; i++) {
        drawn[k->body->cell[i]] = true;
    }
    for (int j = 0; j < k->n && status == GOS_OK; j++) {
        status = drawn[j] ? take_law(k, j) : GOS_OK;
    }
    gos__free(k->b->ctx, drawn);
    return status;
}

gos_status gos__fields_make(gos_builder *b, gos_system *s) {
    if (!b->stress && !b->strain) {
        return GOS_OK;
    }
    struct gos_fields *f = GOS_NEW(b->arena, struct gos_fields, 1);
    GOS_TRY(f ? GOS_OK : GOS_E_MEMORY);
    *f = (struct gos_fields){.requested = {b->stress, b->strain}, .nfaces = 1};
    f->node = GOS_NEW(b->arena, gos_field_node, s->nnodes + 1);
    GOS_TRY(f->node ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nbody; i++) {
        f->nfaces = s->body[i]->faces ? 2 : f->nfaces;
    }
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *body = s->body[i];
        const making k = {.b = b,
                          .f = f,
                          .body = body,
                          .first = s->body_first_node[i],
                          .n = body->nnode + body->nmark};
        GOS_TRY(body->ops->recover_drawn ? take_recovered(&k) : GOS_OK);
        GOS_TRY(is_solid(body) ? take_solid(&k) : GOS_OK);
    }
    if (f->n == 0) {
        const char *key = b->stress ? "stress" : "strain";
        const gos_node *at = gos__node_get(gos__node_get(b->model->root, "output"), key);
        return gos__fail_at(b->ctx, GOS_E_INPUT, at ? at->loc : b->model->root->loc, "output",
                            "%s: no body has this field, which requires bodies of type solid or "
                            "floating mesh bodies; remove it",
                            key);
    }
    f->field = names(f, &f->nfield);
    s->fields = f;
    return label_fields(s->units, b->arena, f);
}

int gos_system_nfields(const gos_system *sys) {
    return sys->fields ? sys->fields->nfield : 0;
}

void gos_system_field_info(const gos_system *sys, int i, gos_field_info *info) {
    const bool there = i >= 0 && i < gos_system_nfields(sys);
    *info = there ? sys->fields->field[i] : (gos_field_info){0};
}

/* Values at a node of a face; Cauchy stress for solids. */
typedef struct strained {
    double value[6], mises, principal[3];
} strained;

static void strained_at(const gos_state *x, const gos_field_node *at, int q, int face,
                        strained *s) {
    double other[GOS_PROBE_STRAINS], own[GOS_PROBE_STRAINS], cauchy[6];
    const double *of = s->value;
    if (at->law) {
        gos__section_state(x, at->law, q ? own : other, q ? other : own);
        memcpy(s->value, own, sizeof s->value);
        gos__section_cauchy(x, at->law, cauchy);
        of = q ? of : cauchy;
    } else {
        gos__recovered_sum(at->recovered[q][face], x->q, x->th, s->value);
    }
    s->mises = gos__fe_mises(of);
    gos__fe_principal(q ? GOS_FE_STRAIN : GOS_FE_STRESS, of, s->principal);
}

/* each field with `n` nodes */
static void put(const strained *s, int q, size_t n, size_t node, double *value) {
    memcpy(value + 6 * node, s->value, sizeof s->value);
    value += 6 * n;
    if (q == 0) {
        value[node] = s->mises;
        value += n;
    }
    memcpy(value + 3 * node, s->principal, sizeof s->principal);
}

void gos_system_fields(const gos_system *sys, const gos_state *state, double *value) {
    const struct gos_fields *f = sys->fields;
    const size_t n = (size_t)sys->nnodes;
    size_t all = 0;
    for (int i = 0; i < gos_system_nfields(sys); i++) {
        all += n * (size_t)f->field[i].ncomp;
    }
    for (size_t k = 0; k < all; k++) {
        value[k] = (double)NAN;
    }
    if (all == 0) {
        return;
    }
    gos__derived_show(state, false);
    for (int q = 0; q < 2; q++) {
        for (int face = 0; face < f->nfaces && f->requested[q]; face++) {
            for (int i = 0; i < f->n; i++) {
                strained s;
                strained_at(state, &f->node[i], q, face, &s);
                put(&s, q, n, (size_t)f->node[i].node, value);
            }
            value += (q ? 9 : 10) * n;
        }
    }
    gos__derived_show(state, true);
}
