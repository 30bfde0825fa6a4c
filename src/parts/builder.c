/* The builder: growing lists of coordinates, bodies, points, items and time functions. Lists belong
 * to the context, their contents to the system's arena. A failed call leaves the lists
 * unchanged. */
#include <math.h>

#include "math/orbit.h"
#include "parts/shadow.h"
#include "parts/marker.h"

/* ---- growing ------------------------------------------------------------------------------- */

/* Grows one array; the caller updates the common capacity. @return the array, unchanged on
 * failure. */
static void *grown(gos_ctx *ctx, void *array, int cap, int n, size_t size, gos_status *status) {
    if (*status == GOS_OK) {
        *status = gos__grow(ctx, &array, &cap, n, size);
    }
    return array;
}

/* New capacity for `more` elements, growing geometrically; negative on failure. */
static int wanted(gos_ctx *ctx, int have, int cap, int more, gos_status *status) {
    if (!(more >= 0) || have > INT32_MAX / 2 - more) {
        *status = gos__fail(ctx, GOS_E_LIMIT, "too many unknowns; use coarser meshes");
        return -1;
    }
    *status = GOS_OK;
    int need = have + more, twice = cap > 8 ? 2 * cap : 16;
    return need <= cap ? cap : (need > twice ? need : twice);
}

gos_status gos__check_room(const gos_builder *b, double nv, double nt, gos_loc loc,
                           const char *object) {
    const double unknowns = 3 * (b->nv + nv) + b->nt + nt, most = gos__ctx_limit(b->ctx);
    return unknowns <= most
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_LIMIT, loc, object,
                              "the model would have %.0f unknowns, at most %.0f are allowed; use "
                              "fewer elements, or raise the limit (--limit)",
                              unknowns, most);
}

double gos__least_memory(int dim, double unknowns) {
    // measured on runs of cables (2.3 kB an unknown), plates (8 to 14 kB) and solids, whose factors
    // grow with the power 4/3 of nested dissection (George 1973; 1450 bytes in dynamic runs)
    return dim == 1   ? 1500 * unknowns
           : dim == 2 ? 5000 * unknowns
                      : 1200 * unknowns + 250 * pow(unknowns, 4.0 / 3);
}

gos_status gos__check_memory(const gos_builder *b, double bytes, gos_loc loc, const char *object) {
    const double all = b->planned + bytes;
    return all <= b->memory || b->memory == 0
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_LIMIT, loc, object,
                              "a run would need at least %.3g bytes of memory, %.3g are allowed; "
                              "use fewer elements, or raise the limit (analysis: memory_limit)",
                              all, b->memory);
}

gos_status gos__take_room(gos_builder *b, int dim, double nv, double nt, gos_loc loc,
                          const char *object) {
    const double bytes = gos__least_memory(dim, 3 * nv + nt);
    GOS_TRY(gos__check_room(b, nv, nt, loc, object));
    GOS_TRY(gos__check_memory(b, bytes, loc, object));
    b->planned += bytes;
    return GOS_OK;
}

gos_status gos__add_vectors(gos_builder *b, int n, const double *e0, double trans, int *first) {
    gos_status status;
    int want = wanted(b->ctx, b->nv, b->vcap, n, &status);
    if (want > b->vcap) {
        b->e0 = grown(b->ctx, b->e0, b->vcap, want, sizeof *b->e0, &status);
        b->v0 = grown(b->ctx, b->v0, b->vcap, want, sizeof *b->v0, &status);
        b->trans = grown(b->ctx, b->trans, b->vcap, want, sizeof *b->trans, &status);
    }
    GOS_TRY(status);
    b->vcap = want;
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < 3; ++k) {
            b->e0[b->nv + j][k] = e0 ? e0[3 * j + k] : 0.0;
            b->v0[b->nv + j][k] = 0.0;
        }
        b->trans[b->nv + j] = trans;
    }
    *first = b->nv;
    b->nv += n;
    return GOS_OK;
}

gos_status gos__add_temperatures(gos_builder *b, int n, int *first) {
    gos_status status;
    int want = wanted(b->ctx, b->nt, b->tcap, n, &status);
    if (want > b->tcap) {
        b->th0 = grown(b->ctx, b->th0, b->tcap, want, sizeof *b->th0, &status);
        b->tmean = grown(b->ctx, b->tmean, b->tcap, want, sizeof *b->tmean, &status);
    }
    GOS_TRY(status);
    b->tcap = want;
    for (int j = 0; j < n; ++j) {
        b->th0[b->nt + j] = 0.0;
        b->tmean[b->nt + j] = 0.0;
    }
    *first = b->nt;
    b->nt += n;
    return GOS_OK;
}

static gos_status reserve_triplets(gos_ctx *ctx, gos_triplets *t, int n) {
    gos_status status;
    int want = wanted(ctx, t->n, t->cap, n, &status);
    if (want > t->cap) {
        t->i = grown(ctx, t->i, t->cap, want, sizeof *t->i, &status);
        t->j = grown(ctx, t->j, t->cap, want, sizeof *t->j, &status);
        t->v = grown(ctx, t->v, t->cap, want, sizeof *t->v, &status);
    }
    GOS_TRY(status);
    t->cap = want;
    return GOS_OK;
}

static void add_triplet(gos_triplets *t, int i, int j, double v) {
    t->i[t->n] = i;
    t->j[t->n] = j;
    t->v[t->n] = v;
    ++t->n;
}

gos_status gos__add_symmetric(gos_builder *b, gos_triplets *t, int i, int j, double v) {
    GOS_TRY(reserve_triplets(b->ctx, t, 2));
    add_triplet(t, i, j, v);
    if (i != j) {
        add_triplet(t, j, i, v);
    }
    return GOS_OK;
}

gos_status gos__add_constant(gos_builder *b, gos_constant which, int i, int j, double v) {
    GOS_TRY(reserve_triplets(b->ctx, &b->constant[which], 1));
    add_triplet(&b->constant[which], i, j, v);
    return GOS_OK;
}

gos_status gos__add_heated(gos_builder *b, int n, gos_heated **heated) {
    const size_t most = (size_t)n + 1;
    gos_heated *h = GOS_NEW(b->arena, gos_heated, 1);
    GOS_TRY(h ? GOS_OK : GOS_E_MEMORY);
    *h = (gos_heated){.n = n, .next = b->heated};
    h->i = gos__arena_alloc(b->arena, most, sizeof *h->i);
    h->j = gos__arena_alloc(b->arena, most, sizeof *h->j);
    h->t = gos__arena_alloc(b->arena, most, sizeof *h->t);
    h->v = gos__arena_alloc(b->arena, most, sizeof *h->v);
    h->at = gos__arena_alloc(b->arena, most, 2 * sizeof *h->at);
    GOS_TRY(h->i && h->j && h->t && h->v && h->at ? GOS_OK : GOS_E_MEMORY);
    b->heated = *heated = h;
    return GOS_OK;
}

gos_status gos__add_single(gos_builder *b, const gos_constant_coordinate *c) {
    gos_status status;
    const int want = wanted(b->ctx, b->nsingle, b->scap, 1, &status);
    if (want > b->scap) {
        b->single = grown(b->ctx, b->single, b->scap, want, sizeof *b->single, &status);
    }
    GOS_TRY(status);
    b->scap = want;
    b->single[b->nsingle++] = *c;
    return GOS_OK;
}

static void *grown_list(gos_ctx *ctx, void *list, int n, int *cap, int more, gos_status *status) {
    int want = wanted(ctx, n, *cap, more, status);
    if (want > *cap) {
        list = grown(ctx, list, *cap, want, sizeof(void *), status);
    }
    *cap = *status == GOS_OK ? want : *cap;
    return list;
}

/* ---- parts --------------------------------------------------------------------------------- */

/* Temperature-dependent materials need a body that defines the temperature. */
static gos_status check_material(const gos_builder *b, const gos_body *body) {
    int n;
    const gos_material *const *m = gos__body_materials(body, &n);
    for (int i = 0; i < n; i++) {
        const bool laminate = m[i] && m[i]->kind == GOS_MATERIAL_LAMINATE;
        if (m[i] && !body->plies && m[i]->kind != GOS_MATERIAL_ISOTROPIC) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, body->loc, body->name,
                "material '%s' is %s, which bodies of type %s do not support; use it for floating "
                "bodies of a mesh with `element: %s`, or for ancf_plate",
                m[i]->name, laminate ? "a laminate" : "orthotropic", body->type,
                laminate ? "shell" : "shell` or `solid");
        }
        if (!body->stated && !body->current && gos__material_varies(m[i])) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, body->name,
                                "material '%s' depends on the temperature, which bodies of type %s "
                                "do not support; use constant properties, a `solid`, or a floating "
                                "body with `material_temperature`",
                                m[i]->name, body->type);
        }
    }
    return GOS_OK;
}

gos_status gos__add_body(gos_builder *b, const gos_body *body, gos_body **out) {
    const gos_body *other = gos__find_body(b, body->name);
    if (other) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, NULL,
                            "body '%s' already exists; choose another name", body->name);
    }
    gos_status status;
    int want = wanted(b->ctx, b->nbody, b->bcap, 1, &status);
    if (want > b->bcap) {
        b->body = grown(b->ctx, b->body, b->bcap, want, sizeof *b->body, &status);
        b->surface = grown(b->ctx, b->surface, b->bcap, want, sizeof *b->surface, &status);
    }
    GOS_TRY(status);
    b->bcap = want;
    GOS_TRY(check_material(b, body));
    gos_body *copy = GOS_NEW(b->arena, gos_body, 1);
    if (!copy) {
        return GOS_E_MEMORY;
    }
    *copy = *body;
    copy->index = b->nbody;
    GOS_TRY(gos__names_add(b->arena, &b->bodies, copy->name, copy));
    b->surface[b->nbody] = NULL;
    b->body[b->nbody++] = copy;
    if (out) {
        *out = copy;
    }
    return GOS_OK;
}

gos_status gos__add_points(gos_builder *b, const gos_points *p) {
    gos_status status;
    b->points = grown_list(b->ctx, b->points, b->npoints, &b->pcap, 1, &status);
    GOS_TRY(status);
    gos_points *copy = GOS_NEW(b->arena, gos_points, 1);
    if (!copy) {
        return GOS_E_MEMORY;
    }
    *copy = *p;
    b->points[b->npoints++] = copy;
    if (p->body >= 0 && p->surface && p->nfam > 0 && !b->surface[p->body]) {
        b->surface[p->body] = copy;
    }
    return GOS_OK;
}

gos_status gos__add_item(gos_builder *b, const gos_item *item, gos_item **out) {
    if (item->nm > GOS_ITEM_MARKERS || item->ntm > GOS_ITEM_TMARKERS || item->nc > GOS_ITEM_ROWS ||
        item->nh > GOS_ITEM_TMARKERS || item->nfn > GOS_ITEM_FUNCTIONS) {
        return gos__fail_at(b->ctx, GOS_E_INTERNAL, item->loc, item->name,
                            "an entry with too many markers, rows or functions of time");
    }
    gos_status status;
    b->item = grown_list(b->ctx, b->item, b->nitem, &b->icap, 1, &status);
    GOS_TRY(status);
    gos_item *copy = GOS_NEW(b->arena, gos_item, 1);
    if (!copy) {
        return GOS_E_MEMORY;
    }
    *copy = *item;
    copy->c0 = b->nc;
    copy->h0 = b->nh;
    gos_item *last = b->nitem > 0 ? b->item[b->nitem - 1] : NULL;
    if (last && strcmp(last->name, copy->name) == 0) {
        last->more = copy;
    } else if (!gos__find_item(b, copy->name)) {
        GOS_TRY(gos__names_add(b->arena, &b->items, copy->name, copy));
    }
    b->nc += item->nc;
    b->nh += item->nh;
    b->item[b->nitem++] = copy;
    if (out) {
        *out = copy;
    }
    return GOS_OK;
}

gos_status gos__add_timefns(gos_builder *b, int n, gos_timefn *const *fn, int *first) {
    gos_status status;
    b->fn = grown_list(b->ctx, b->fn, b->nfn, &b->fcap, n, &status);
    GOS_TRY(status);
    for (int i = 0; i < n; ++i) {
        b->fn[b->nfn + i] = fn[i];
    }
    *first = b->nfn;
    b->nfn += n;
    return GOS_OK;
}

gos_status gos__points_draw(gos_arena *a, gos_points *p, const int *cell, const double *at) {
    gos_drawn *d = GOS_NEW(a, gos_drawn, 1);
    int *cells = GOS_NEW(a, int, p->ne + 1);
    double *places = GOS_NEW(a, double, 2L * p->ng + 1);
    if (!d || !cells || !places) {
        return GOS_E_MEMORY;
    }
    memcpy(places, at, 2 * (size_t)p->ng * sizeof *at);
    if (cell) {
        memcpy(cells, cell, (size_t)p->ne * sizeof *cell);
    }
    *d = (gos_drawn){.cell = cell ? cells : NULL, .at = places};
    p->drawn = d;
    return GOS_OK;
}

gos_status gos__add_shadow(gos_builder *b, gos_cast_shadow **shadow) {
    *shadow = GOS_NEW(b->arena, gos_cast_shadow, 1);
    if (!*shadow) {
        return GOS_E_MEMORY;
    }
    (*shadow)->next = b->shadow;
    b->shadow = *shadow;
    return GOS_OK;
}

static gos_status append_surface(gos_arena *a, gos_points *p, const gos_surface *s) {
    gos_surface *surf = GOS_NEW(a, gos_surface, p->nsurf + 1);
    if (!surf) {
        return GOS_E_MEMORY;
    }
    if (p->nsurf > 0) {
        memcpy(surf, p->surf, (size_t)p->nsurf * sizeof *surf);
    }
    surf[p->nsurf] = *s;
    p->surf = surf;
    ++p->nsurf;
    return GOS_OK;
}

gos_status gos__add_surface(gos_builder *b, const gos_location *p, bool inside,
                            const gos_surface *s) {
    const gos_body *body = p->body;
    if (body->ops->surface) {
        int first, n;
        GOS_TRY(body->ops->surface(b, body, p, inside, &first, &n));
        for (int i = first; i < first + n; i++) {
            GOS_TRY(append_surface(b->arena, b->points[i], s));
        }
        return GOS_OK;
    }
    if (b->surface[body->index]) {
        return append_surface(b->arena, b->surface[body->index], s);
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, (gos_loc){0}, s->name,
                        "body '%s' has no temperature for heat to act on", body->name);
}

void gos__builder_release(gos_builder *b) {
    for (int i = 0; i < b->nfn; ++i) {
        gos__timefn_free(b->fn[i]);
    }
    void *const lists[] = {b->e0,           b->v0,           b->trans,      b->th0,
                           b->tmean,        b->mass.i,       b->mass.j,     b->mass.v,
                           b->capacity.i,   b->capacity.j,   b->capacity.v, b->conduction.i,
                           b->conduction.j, b->conduction.v, b->body,       b->surface,
                           b->points,       b->item,         b->fn,         b->single};
    for (int i = 0; i < GOS_COUNT(lists); ++i) {
        gos__free(b->ctx, lists[i]);
    }
    for (int i = 0; i < GOS_NCONSTANT; ++i) {
        gos__free(b->ctx, b->constant[i].i);
        gos__free(b->ctx, b->constant[i].j);
        gos__free(b->ctx, b->constant[i].v);
    }
    *b = (gos_builder){.ctx = b->ctx, .model = b->model, .arena = b->arena};
}

const gos_material *const *gos__body_materials(const gos_body *b, int *n) {
    *n = b->nmaterial > 0 ? b->nmaterial : b->material != NULL;
    return b->nmaterial > 0 ? b->materials : &b->material;
}

bool gos__orbit_failed(const gos_builder *b) {
    return !b->orbit && gos__node_get(b->model->root, "orbit");
}

bool gos__falls(const gos_builder *b) {
    const double *g = b->gravity;
    return g[0] != 0 || g[1] != 0 || g[2] != 0 || (b->orbit && b->orbit->gradient);
}

bool gos__body_expands(const gos_body *b) {
    int n;
    const gos_material *const *m = gos__body_materials(b, &n);
    for (int i = 0; i < n; i++) {
        if (m[i]->expansion != 0) {
            return true;
        }
    }
    return false;
}

gos_body *gos__find_body(const gos_builder *b, const char *name) {
    return gos__names_find(&b->bodies, name, strlen(name));
}

const gos_item *gos__find_item(const gos_builder *b, const char *name) {
    return gos__names_find(&b->items, name, strlen(name));
}

const gos_material *gos__find_material(const gos_builder *b, const char *name) {
    return gos__names_find(&b->materials, name, strlen(name));
}

const gos_section *gos__find_section(const gos_builder *b, const char *name) {
    return gos__names_find(&b->sections, name, strlen(name));
}

const gos_mesh *gos__find_mesh(const gos_builder *b, const char *name) {
    return gos__names_find(&b->meshes, name, strlen(name));
}
