#include "system/shadows.h"

#include <math.h>

#include "math/rays.h"
#include "math/vec3.h"
#include "system/derived.h"
#include "system/thread_shares.h"

#define L GOS_LANES
#define MIN_RAY_DISTANCE 1e-6 // ignored distance at the ray origin, relative to its cell
#define LIGHT_CHANGE 0.1      // reported change of the lit area per step
#define GRID_POINTS 32        // grid resolution per cell side for point regions
#define MAX_ITERATIONS 60     // iterations to match regions to weights
#define MAX_POINTS 128

/* Points in shadow. Cell locations belong to the point with the least squared distance minus
   `gain`, so regions match weights. */
typedef struct shaded_block {
    gos_points *points;
    gos_surface *surface;
    int first_node, first_cell; // of its body in the drawing
    const gos_body *body;
    double *gain; // (ng)
} shaded_block;

typedef struct shaded {
    gos_cast_shadow *of;
    gos_rays rays;
    int nlocation, *location; // drawn nodes of all participating bodies (nlocation)
    int frame[3];             // nodes defining the rotation; [2] < 0: collinear
    double size;
    int nblock;
    shaded_block *block;
} shaded;

typedef struct gos_shadows {
    int n;
    shaded *list; // in the order of the model
    int nbox;     // maximum size of a tree
} gos_shadows;

struct gos_shadows_work {
    double (*x)[3]; // drawn nodes
    double (*box)[6];
    double *location; // layout as in memory
    bool moved;       // moved bodies
};

static int cells_before(const gos_system *s, int body) {
    int n = 0;
    for (int i = 0; i < body; i++) {
        n += s->body[i]->ncell;
    }
    return n;
}

/* without degenerate cells (lines) */
static gos_status make_rays(gos_ctx *ctx, gos_system *s, shaded *h, const double (*x)[3]) {
    int n = 0, max = 0;
    for (int i = 0; i < h->of->ncast; i++) {
        max += 2 * s->body[h->of->cast[i]]->ncell;
    }
    int(*corner)[3] = gos__alloc(ctx, (size_t)max + 1, sizeof *corner);
    int *cell = gos__alloc(ctx, (size_t)max + 1, sizeof *cell);
    for (int i = 0; i < h->of->ncast && corner && cell; i++) {
        const int body = h->of->cast[i], before = cells_before(s, body);
        for (int k = before; k < before + s->body[body]->ncell; k++) {
            const int *v = s->cell_nodes + s->cell_offset[k];
            const int two[2][3] = {{v[0], v[1], v[2]}, {v[0], v[2], v[3]}};
            for (int t = 0; t < 2; t++) {
                if (two[t][0] != two[t][1] && two[t][1] != two[t][2] && two[t][2] != two[t][0]) {
                    memcpy(corner[n], two[t], sizeof *corner);
                    cell[n++] = k;
                }
            }
        }
    }
    const gos_status status =
        corner && cell
            ? gos__rays_make(ctx, s->arena, n, (const int(*)[3])corner, cell, x, &h->rays)
            : GOS_E_MEMORY;
    gos__free(ctx, corner);
    gos__free(ctx, cell);
    return status;
}

static int owner_of(const gos_points *p, const double *gain, const double s[2]) {
    int best = 0;
    double min = HUGE_VAL;
    for (int g = 0; g < p->ng; g++) {
        const double *at = p->drawn->at + 2L * g, a = s[0] - at[0], b = s[1] - at[1];
        const double d = a * a + b * b - gain[g];
        if (d < min) {
            min = d;
            best = g;
        }
    }
    return best;
}

/* maps the unit square to a cell with that number of corners */
static void fold(int corners, double s[2]) {
    if (corners == 2) {
        s[1] = 0;
    } else if (corners == 3 && s[0] + s[1] > 1) {
        s[0] = 1 - s[0];
        s[1] = 1 - s[1];
    }
}

static int corners_of(const gos_body *body, const int *v) {
    return body->cell_size == 2 || v[1] == v[2] ? 2 : v[2] == v[3] ? 3 : 4;
}

static void find_gains(const shaded_block *b) {
    const gos_points *p = b->points;
    const int *v = b->body->cell +
                   (size_t)b->body->cell_size * (size_t)(p->drawn->cell ? p->drawn->cell[0] : 0);
    const int corners = corners_of(b->body, v);
    double all = 0;
    for (int g = 0; g < p->ng; g++) {
        all += p->w[(size_t)g * L];
    }
    for (int round = 0; round < MAX_ITERATIONS; round++) {
        int count[MAX_POINTS] = {0}, n = 0;
        for (int i = 0; i < GRID_POINTS * GRID_POINTS; i++) {
            double s[2];
            gos__rays_spread(i, s);
            fold(corners, s);
            count[owner_of(p, b->gain, s)]++;
            n++;
        }
        for (int g = 0; g < p->ng; g++) {
            b->gain[g] += 0.1 * (p->w[(size_t)g * L] / all - (double)count[g] / n);
        }
    }
}

static gos_status add_block(gos_builder *b, gos_system *s, shaded *h, gos_points *p,
                            gos_surface *f) {
    const gos_body *body = s->body[p->body];
    if (!p->drawn || p->ng > MAX_POINTS) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, h->of->loc, h->of->object,
                            "shadows are supported on plates, cables, and shells, beams and "
                            "surfaces of unreduced floating mesh bodies (not `floating_bodies: "
                            "reduced`), but not on '%s' (%s); use a separate entry without "
                            "shaded_by for it",
                            body->name, body->type);
    }
    shaded_block *k = &h->block[h->nblock++];
    *k = (shaded_block){.points = p,
                        .surface = f,
                        .first_node = s->body_first_node[p->body],
                        .first_cell = cells_before(s, p->body),
                        .body = body,
                        .gain = GOS_NEW(s->arena, double, p->ng + 1)};
    if (!k->gain) {
        return GOS_E_MEMORY;
    }
    find_gains(k);
    return GOS_OK;
}

static gos_status check_rays(gos_builder *b, const shaded *h) {
    double points = 0;
    for (int i = 0; i < h->nblock; i++) {
        points += (double)h->block[i].points->ne * h->block[i].points->ng;
    }
    return points * h->of->rays <= GOS_LIMIT_SHADOW_RAYS
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_LIMIT, h->of->loc, h->of->object,
                              "%d rays from each of %.0f points are %.3g for one shadow; at most "
                              "%.0e are possible: give shadow_rays at most %.0f, or use coarser "
                              "meshes",
                              h->of->rays, points, points * h->of->rays, GOS_LIMIT_SHADOW_RAYS,
                              fmax(floor(GOS_LIMIT_SHADOW_RAYS / points), 1));
}

static gos_status find_blocks(gos_builder *b, gos_system *s, shaded *h) {
    int n = 0;
    for (int i = 0; i < s->npoints; i++) {
        n += s->points[i]->nsurf;
    }
    h->block = GOS_NEW(s->arena, shaded_block, n + 1);
    if (!h->block) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->npoints; i++) {
        for (int k = 0; k < s->points[i]->nsurf; k++) {
            gos_surface *f = &s->points[i]->surf[k];
            GOS_TRY(f->shadow == h->of ? add_block(b, s, h, s->points[i], f) : GOS_OK);
        }
    }
    return check_rays(b, h);
}

static void add_locations(const gos_system *s, shaded *h, int body) {
    for (int k = s->body_first_node[body]; k < s->body_first_node[body + 1]; k++) {
        h->location[h->nlocation++] = k;
    }
}

/* participating bodies, shaded ones first */
static gos_status find_locations(gos_system *s, shaded *h) {
    bool *there = GOS_NEW(s->arena, bool, s->nbody + 1L);
    h->location = GOS_NEW(s->arena, int, s->nnodes + 1L);
    if (!there || !h->location) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < h->nblock; i++) {
        const int body = h->block[i].points->body;
        if (!there[body]) {
            add_locations(s, h, body);
        }
        there[body] = true;
    }
    for (int i = 0; i < h->of->ncast; i++) {
        if (!there[h->of->cast[i]]) {
            add_locations(s, h, h->of->cast[i]);
        }
        there[h->of->cast[i]] = true;
    }
    return GOS_OK;
}

/* first node, farthest from it, farthest from their line */
static void find_frame(shaded *h, const double (*x)[3]) {
    double max[2] = {0, 0}, e[3] = {0}, d[3], across[3];
    h->frame[0] = h->location[0];
    h->frame[1] = h->frame[2] = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < h->nlocation; i++) {
            gos__sub3(x[h->location[i]], x[h->frame[0]], d);
            gos__cross3(e, d, across);
            const double distance = gos__norm3(pass ? across : d);
            if (distance > max[pass]) {
                max[pass] = distance;
                h->frame[1 + pass] = h->location[i];
            }
        }
        if (!(max[0] > 0)) {
            break;
        }
        gos__sub3(x[h->frame[1]], x[h->frame[0]], e);
    }
    h->size = max[0];
    if (!(max[1] > 1e-6 * max[0] * max[0])) {
        h->frame[2] = -1;
    }
}

static gos_status make_one(gos_builder *b, gos_system *s, shaded *h, double (*x)[3]) {
    GOS_TRY(find_blocks(b, s, h));
    GOS_TRY(find_locations(s, h));
    for (int i = 0; i < s->nnodes; i++) {
        gos__marker_value(&s->node_r[i], s->e0, x[i]);
    }
    find_frame(h, (const double(*)[3])x);
    if (h->of->direction < 0) {
        return GOS_OK;
    }
    GOS_TRY(make_rays(b->ctx, s, h, (const double(*)[3])x));
    if (h->rays.nnode > s->shadows->nbox) {
        s->shadows->nbox = h->rays.nnode;
    }
    return GOS_OK;
}

gos_status gos__shadows_make(gos_builder *b, gos_system *s) {
    int n = 0;
    for (const gos_cast_shadow *i = b->shadow; i; i = i->next) {
        n++;
    }
    if (n == 0) {
        return GOS_OK;
    }
    double(*x)[3] = gos__alloc(b->ctx, (size_t)s->nnodes + 1, sizeof *x);
    s->shadows = GOS_NEW(s->arena, gos_shadows, 1);
    shaded *list = GOS_NEW(s->arena, shaded, n);
    gos_status status = x && s->shadows && list ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        *s->shadows = (gos_shadows){.n = n, .list = list};
    }
    gos_cast_shadow *of = b->shadow;
    for (int i = n - 1; i >= 0 && status == GOS_OK; i--, of = of->next) {
        list[i].of = of;
        status = make_one(b, s, &list[i], x);
    }
    gos__free(b->ctx, x);
    return status;
}

static size_t padded(size_t n) {
    return (n + 7) / 8 * 8;
}

static size_t size_of(const gos_points *p) {
    return GOS_SHADOW_OF_POINT * (size_t)p->nb * (size_t)p->ng * L;
}

void gos__shadows_number(gos_system *s) {
    for (int i = 0; s->shadows && i < s->shadows->n; i++) {
        shaded *h = &s->shadows->list[i];
        h->of->m0 = s->nmem;
        s->nmem += padded(GOS_SHADOW_LOCATIONS + 3 * (1 + (size_t)h->nlocation));
        for (int k = 0; k < h->nblock; k++) {
            h->block[k].surface->lit = s->nmem;
            s->nmem += size_of(h->block[k].points);
        }
    }
}

static void find_axes(const shaded *h, const double (*x)[3], double e[3][3]) {
    memset(e, 0, 9 * sizeof(double));
    e[0][0] = e[1][1] = e[2][2] = 1;
    if (h->frame[2] < 0) {
        return;
    }
    double a[3], d[3], n[3];
    gos__sub3(x[h->frame[1]], x[h->frame[0]], a);
    gos__sub3(x[h->frame[2]], x[h->frame[0]], d);
    gos__cross3(a, d, n);
    const double la = gos__norm3(a), ln = gos__norm3(n);
    if (!(la > 0) || !(ln > 0)) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        e[0][c] = a[c] / la;
        e[2][c] = n[c] / ln;
    }
    gos__cross3(e[2], e[0], e[1]);
}

/* direction u and nodes in these axes: (1 + nlocation, 3) */
static void local_layout(const shaded *h, const double (*x)[3], const double u[3],
                         double *location) {
    double e[3][3], d[3];
    find_axes(h, x, e);
    for (int c = 0; c < 3; c++) {
        location[c] = gos__dot3(e[c], u);
    }
    for (int i = 0; i < h->nlocation; i++) {
        gos__sub3(x[h->location[i]], x[h->frame[0]], d);
        for (int c = 0; c < 3; c++) {
            location[3 * (1 + i) + c] = gos__dot3(e[c], d);
        }
    }
}

/* largest change: of the direction, and of nodes over the size */
static double change(const shaded *h, const double *location, const double *last) {
    double max = 0, d[3];
    for (int i = 0; i < 1 + h->nlocation; i++) {
        gos__sub3(location + 3 * i, last + 3 * i, d);
        max = fmax(max, gos__norm3(d) / (i > 0 ? h->size : 1));
    }
    return max;
}

/* ray from location s of a cell towards the light */
static bool arrives(const shaded *h, const struct gos_shadows_work *k, const int v[4], int corners,
                    const double s[2], double near, const double u[3], int cell) {
    const double square[4] = {(1 - s[0]) * (1 - s[1]), s[0] * (1 - s[1]), s[0] * s[1],
                              (1 - s[0]) * s[1]};
    const double flat[4] = {1 - s[0] - s[1], s[0], s[1], 0};
    const double *N = corners == 4 ? square : flat;
    double from[3] = {0};
    for (int i = 0; i < corners; i++) {
        for (int c = 0; c < 3; c++) {
            from[c] += N[i] * k->x[v[i]][c];
        }
    }
    return !gos__rays_meet(&h->rays, (const double(*)[3])k->x, (const double(*)[6])k->box, from, u,
                           near, HUGE_VAL, cell);
}

static void see_element(const shaded *h, const struct gos_shadows_work *k, const shaded_block *b,
                        int e, const double u[3], double *lit) {
    const gos_points *p = b->points;
    const int own = p->drawn->cell ? p->drawn->cell[e] : e, size = b->body->cell_size;
    const int *cell = b->body->cell + (size_t)size * (size_t)own;
    const int corners = corners_of(b->body, cell);
    int v[4] = {0}, all = 0, come = 0, count[MAX_POINTS] = {0}, through[MAX_POINTS] = {0};
    double distance = 0, d[3];
    for (int i = 0; i < size; i++) {
        v[i] = b->first_node + cell[i];
        gos__sub3(k->x[v[i]], k->x[v[0]], d);
        distance = fmax(distance, gos__norm3(d));
    }
    const long n = (long)h->of->rays * p->ng;
    for (long i = 0; i < n; i++) {
        double s[2];
        gos__rays_spread(e * n + i, s);
        fold(corners, s);
        const int g = owner_of(p, b->gain, s);
        const bool free =
            arrives(h, k, v, corners, s, MIN_RAY_DISTANCE * distance, u, b->first_cell + own);
        count[g]++;
        through[g] += free;
        all++;
        come += free;
    }
    for (int g = 0; g < p->ng; g++) { // a small region may receive no rays
        lit[g] = count[g] > 0 ? (double)through[g] / count[g] : (double)come / all;
    }
}

/* Interpolation of light at points. */
typedef struct interpolation {
    bool compute; // compute light, else keep the last
    bool first;   // no previous step
    double ahead; // completed fraction of the change in the step ending here
    double slope; // step length over the time since the last computation
} interpolation;

/* starts the step at the value reached and extrapolates, so that heat is continuous */
static void advance(const interpolation *c, double now, double *to) {
    const double from = fmin(fmax(to[0] + c->ahead * to[L], 0), 1), last_light = to[2 * L];
    const double then =
        c->compute ? fmin(fmax(now + c->slope * (now - last_light), 0), 1) : last_light;
    to[0] = !c->first ? from : c->compute ? now : last_light;
    to[L] = c->first ? 0 : then - from;
    to[2 * L] = c->compute ? now : last_light;
}

/* @return change of light, summed over the area; *area: total */
static double see_block(const shaded *h, const struct gos_shadows_work *k, const shaded_block *b,
                        const double u[3], const interpolation *c, double *mem, double *area) {
    const gos_points *p = b->points;
    double lit[MAX_POINTS] = {0}, moved = 0;
    for (int e = 0; e < p->ne; e++) {
        if (c->compute) {
            see_element(h, k, b, e, u, lit);
        }
        for (int g = 0; g < p->ng; g++) {
            const size_t at = (size_t)(e / L) * (size_t)p->ng + (size_t)g;
            const size_t table = (size_t)p->tab[e / L] * (size_t)p->ng + (size_t)g;
            const double w = p->w[table * L + (size_t)(e % L)];
            double *to = mem + b->surface->lit + at * GOS_SHADOW_OF_POINT * L + e % L;
            moved += c->compute && !c->first ? w * fabs(lit[g] - to[2 * L]) : 0;
            *area += w;
            advance(c, lit[g], to);
        }
    }
    return moved;
}

/* direction to the light; false: none at this time */
static bool comes_from(const shaded *h, const double *fn, double u[3]) {
    const double *d = fn + h->of->direction, size = gos__norm3(d);
    for (int c = 0; c < 3; c++) {
        u[c] = -d[c] / size;
    }
    return size > 0 && isfinite(size);
}

/* @return fraction of the area with changed light */
static double see(const shaded *h, const struct gos_shadows_work *k, const double *fn, double t,
                  bool first, double *mem) {
    double *own = mem + h->of->m0, u[3], moved = 0, area = 0;
    const bool light = comes_from(h, fn, u), last_light = own[GOS_SHADOW_COMPUTED] > 0;
    const double last = t - own[GOS_SHADOW_TIME];
    if (light) {
        local_layout(h, (const double(*)[3])k->x, u, k->location);
    }
    const bool compute =
        light &&
        (!last_light || change(h, k->location, own + GOS_SHADOW_LOCATIONS) > h->of->tolerance);
    if (!compute && last == 0) {
        return 0;
    }
    const interpolation c = {.compute = compute,
                             .first = !last_light || first || !(last > 0),
                             .ahead = gos__shadow_ahead(own, t),
                             .slope = last / (t - own[GOS_SHADOW_WHEN])};
    own[GOS_SHADOW_TIME] = t;
    own[GOS_SHADOW_LAST] = c.first ? 0 : last;
    if (compute) {
        own[GOS_SHADOW_COMPUTED] = 1;
        own[GOS_SHADOW_WHEN] = t;
        memcpy(own + GOS_SHADOW_LOCATIONS, k->location,
               3 * (1 + (size_t)h->nlocation) * sizeof *own);
        gos__rays_fit(&h->rays, (const double(*)[3])k->x, k->box);
    }
    for (int i = 0; i < h->nblock; i++) {
        moved += see_block(h, k, &h->block[i], u, &c, mem, &area);
    }
    return area > 0 ? moved / area : 0;
}

static void place_nodes(const gos_system *s, const shaded *h, const double *q, double (*x)[3]) {
    for (int i = 0; i < h->nlocation; i++) {
        gos__marker_value(&s->node_r[h->location[i]], q, x[h->location[i]]);
    }
}

/* monitors bodies without light; `begin`: stores the initial layout */
static void monitor(const gos_work *w, const shaded *h, struct gos_shadows_work *k, double t,
                    bool begin, double *mem) {
    double *own = mem + h->of->m0;
    local_layout(h, (const double(*)[3])k->x, (double[3]){0}, k->location);
    if (begin) {
        memcpy(own + GOS_SHADOW_LOCATIONS, k->location,
               3 * (1 + (size_t)h->nlocation) * sizeof *own);
    } else if (!k->moved && change(h, k->location, own + GOS_SHADOW_LOCATIONS) > h->of->tolerance) {
        gos__warn(w->shares->ctx, h->of->loc, h->of->object,
                  "at t = %.6g s its bodies have moved or bent relative to each other by more than "
                  "%.2g of their size: view factors remain those of t = 0, so the exchanged heat "
                  "is inaccurate",
                  t, h->of->tolerance);
        k->moved = true;
    }
}

void gos__shadows_update(gos_work *w, const gos_point_of *given, bool first, double *mem) {
    const gos_system *s = w->sys;
    if (!w->shadows) {
        return;
    }
    const gos_point_of x = gos__derived_enter(w, given);
    for (int i = 0; i < s->shadows->n; i++) {
        const shaded *h = &s->shadows->list[i];
        place_nodes(s, h, x.q, w->shadows->x);
        if (h->of->direction < 0) {
            monitor(w, h, w->shadows, x.t, false, mem);
            continue;
        }
        const double before = mem[h->of->m0 + GOS_SHADOW_TIME];
        const double moved = see(h, w->shadows, w->fn, x.t, first, mem);
        if (moved > LIGHT_CHANGE) {
            gos__warn_once(
                w->shares->ctx, h->of->loc, h->of->object,
                "in the step from t = %.6g s to %.6g s illumination changed on %.0f %% of "
                "the shaded area, but within a step heat is extrapolated from the previous "
                "one; use shorter steps (max_step)",
                before, x.t, 100 * moved);
        }
    }
}

gos_status gos__shadows_begin_memory(gos_system *s) {
    struct gos_shadows_work *k = NULL;
    double *fn = gos__zalloc(s->ctx, (size_t)s->nfn + 1, sizeof *fn);
    gos_status status = fn ? gos__shadows_work_create(s->ctx, s, &k) : GOS_E_MEMORY;
    for (int i = 0; s->shadows && i < s->shadows->n && status == GOS_OK; i++) {
        const shaded *h = &s->shadows->list[i];
        place_nodes(s, h, s->e0, k->x);
        if (h->of->direction < 0) {
            monitor(NULL, h, k, 0, true, s->mem0);
            continue;
        }
        for (int c = h->of->direction; c < h->of->direction + 3; c++) {
            fn[c] = gos__timefn_eval(s->fn[c], 0, NULL, NULL);
        }
        (void)see(h, k, fn, 0, true, s->mem0);
    }
    gos__shadows_work_destroy(s->ctx, k);
    gos__free(s->ctx, fn);
    return status;
}

gos_status gos__shadows_work_create(gos_ctx *ctx, const gos_system *s,
                                    struct gos_shadows_work **work) {
    if (!s->shadows) {
        return GOS_OK;
    }
    struct gos_shadows_work *k = gos__zalloc(ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->x = gos__zalloc(ctx, (size_t)s->nnodes + 1, sizeof *k->x);
    k->box = gos__zalloc(ctx, (size_t)s->shadows->nbox + 1, sizeof *k->box);
    k->location = gos__zalloc(ctx, 3 * ((size_t)s->nnodes + 2), sizeof *k->location);
    if (!k->x || !k->box || !k->location) {
        gos__shadows_work_destroy(ctx, k);
        return GOS_E_MEMORY;
    }
    *work = k;
    return GOS_OK;
}

void gos__shadows_work_destroy(gos_ctx *ctx, struct gos_shadows_work *work) {
    if (work) {
        gos__free(ctx, work->x);
        gos__free(ctx, work->box);
        gos__free(ctx, work->location);
        gos__free(ctx, work);
    }
}
