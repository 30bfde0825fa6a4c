/* Reference length of tolerances: largest distance of two nodes, independent of axes and units. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "math/vec3.h"
#include "system/derived.h"
#include "system/marks.h"
#include "system/system.h"

/* Draws a shapeless rigid body as lines from its node to its joints, e.g. both ends of a clamped
   plate edge. */

#define SAME_LOCATION 1e-9 // relative to arm length
#define MAX_DISTANCE 1e8   // from the origin, relative to the extent, without a warning

/* Items by body, in order: those of body b are of[start[b]] ... */
typedef struct held_items {
    int *start, *of; // (nbody + 1), (2 nitem)
} held_items;

static bool has_locations(const gos_item *it) {
    return it->sides && it->sides->ncoord == 0 && it->nm > 0 && it->sides->point[0];
}

/* body of side k; NULL: none, or that of side 0 again */
static const gos_body *body_of(const gos_item *it, int k) {
    const gos_body *A = it->sides->location[k].body;
    return k == 1 && A == it->sides->location[0].body ? NULL : A;
}

static gos_status find_items(gos_ctx *ctx, const gos_system *s, held_items *h) {
    h->start = gos__zalloc(ctx, s->nbody + 2L, sizeof *h->start);
    h->of = gos__zalloc(ctx, 2L * s->nitem + 1, sizeof *h->of);
    GOS_TRY(h->start && h->of ? GOS_OK : GOS_E_MEMORY);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->nitem; i++) {
            for (int k = 0; k < 2 && has_locations(s->item[i]); k++) {
                const gos_body *A = body_of(s->item[i], k);
                if (A && pass == 0) {
                    h->start[A->index + 2]++;
                } else if (A) {
                    h->of[h->start[A->index + 1]++] = i;
                }
            }
        }
        for (int b = 0; b < s->nbody && pass == 0; b++) {
            h->start[b + 2] += h->start[b + 1];
        }
    }
    return GOS_OK;
}

/* the other side at t = 0; false if no point is fixed on body A */
static bool held_position(const gos_system *s, const gos_item *it, const gos_body *A, double x[3]) {
    const gos_sides *sides = it->sides;
    const int own = sides->location[0].body == A ? 1 : 2;
    for (int m = 0; m < it->nm; m++) {
        if (sides->point[m] && sides->of[m] == 3 - own) {
            gos__marker_value(&it->m[m], s->e0, x);
            return true;
        }
    }
    return false;
}

static bool is_there(const gos_system *s, int n, const gos_marker *mark, const double x[3],
                     double size) {
    for (int i = 0; i < n; i++) {
        double y[3], d[3];
        gos__marker_value(&mark[i], s->e0, y);
        gos__sub3(x, y, d);
        if (gos__norm3(d) <= SAME_LOCATION * size) {
            return true;
        }
    }
    return false;
}

static gos_status add_arm(gos_system *s, gos_body *A, gos_marker *mark, const double x[3]) {
    const int idx[4] = {A->v0, A->v0 + 1, A->v0 + 2, A->v0 + 3};
    double w[4] = {1}, d[3];
    gos__sub3(x, s->e0 + 3L * A->v0, d);
    for (int j = 0; j < 3; j++) {
        w[1 + j] = gos__dot3(d, s->e0 + 3L * idx[1 + j]);
    }
    const double size = gos__norm3(d);
    if (!(size > SAME_LOCATION * gos__norm3(x)) || is_there(s, A->nmark, mark, x, size)) {
        return GOS_OK;
    }
    return gos__marker_make(s->arena, 4, idx, w, NULL, &mark[A->nmark++]);
}

/* for items of one name (an edge), first and last points */
static gos_status find_arms(gos_system *s, const held_items *h, gos_body *A, gos_marker *mark) {
    double x[3], last[3];
    const char *before = NULL;
    for (int k = h->start[A->index]; k < h->start[A->index + 1]; k++) {
        const gos_item *it = s->item[h->of[k]];
        if (!held_position(s, it, A, x)) {
            continue;
        }
        if (!before || strcmp(before, it->name) != 0) {
            GOS_TRY(before ? add_arm(s, A, mark, last) : GOS_OK);
            GOS_TRY(add_arm(s, A, mark, x));
            before = it->name;
        }
        memcpy(last, x, sizeof last);
    }
    return before ? add_arm(s, A, mark, last) : GOS_OK;
}

static gos_status give_arms(gos_system *s, const held_items *h, gos_body *A) {
    const int max = A->nmark + 2 * (h->start[A->index + 1] - h->start[A->index]);
    gos_marker *mark = GOS_NEW(s->arena, gos_marker, max + 1);
    int *cell = GOS_NEW(s->arena, int, 2 * max + 1);
    GOS_TRY(mark && cell ? GOS_OK : GOS_E_MEMORY);
    memcpy(mark, A->mark, (size_t)A->nmark * sizeof *mark);
    GOS_TRY(find_arms(s, h, A, mark));
    for (int i = 0; i < A->nmark; i++) {
        cell[2 * i + 1] = A->nnode + i;
    }
    A->mark = mark;
    A->ncell = A->nmark;
    A->cell_size = 2;
    A->cell = cell;
    return GOS_OK;
}

gos_status gos__rigid_outline_make(gos_system *s) {
    held_items h = {0};
    gos_status status = find_items(s->ctx, s, &h);
    for (int i = 0; i < s->nbody && status == GOS_OK; i++) {
        status = s->body[i]->arms ? give_arms(s, &h, s->body[i]) : GOS_OK;
    }
    gos__free(s->ctx, h.start);
    gos__free(s->ctx, h.of);
    return status;
}

#define MAX_PAIRWISE 4000 // maximum number of points compared pairwise
#define INCLUSION_TOLERANCE 1e-12
#define MIN_POINT_DISTANCE 1e-6 // distinct points, relative to the size of the inertia

typedef struct cloud {
    double (*x)[3], *distances;
    int n, max;
    double mean[3];
} cloud;

static double distance(const double *a, const double *b) {
    double d[3];
    gos__sub3(a, b, d);
    return gos__norm3(d);
}

static void add_times(double f, const double *a, double *sum) {
    for (int c = 0; c < 3; c++) {
        sum[c] += f * a[c];
    }
}

static void add(cloud *k, const gos_system *s, const gos_marker *m) {
    if (k->n < k->max) {
        gos__marker_value(m, s->e0, k->x[k->n++]);
    }
}

/* Single-node model, e.g. a rigid body: points of joints and loads, and its centre. */
static void add_locations(cloud *k, const gos_system *s, const double *centre) {
    for (int i = 0; i < s->nitem; i++) {
        for (int m = 0; m < s->item[i]->nm; m++) {
            if (gos__marker_is_location(s, &s->item[i]->m[m])) {
                add(k, s, &s->item[i]->m[m]);
            }
        }
    }
    if (k->n < k->max) {
        memcpy(k->x[k->n++], centre, 3 * sizeof(double));
    }
}

static void centre_of_mass(const gos_system *s, double *c) {
    memset(c, 0, 3 * sizeof *c);
    for (int i = s->derived ? -s->derived->n : 0; i < s->nv && s->mass_total > 0; i++) {
        add_times(s->gw[i] / s->mass_total, s->e0 + 3 * i, c);
    }
}

/* the same for derived vectors: twice their kinetic energy at rates equal to positions from c */
static double derived_size(const gos_system *s, const double *c, double *room) {
    double *from = room + gos__derived_room(s);
    for (int i = s->derived ? -s->derived->n : s->nv; i < s->nv; i++) {
        for (int a = 0; a < 3; a++) {
            from[3 * i + a] = s->e0[3 * i + a] - s->trans[i] * c[a];
        }
    }
    return 2 * gos__derived_kinetic(s, from);
}

/* radius of gyration about the centre of mass, mean of three axes */
static double size_of_inertia(const gos_system *s, const double *c, double *room) {
    double sum = derived_size(s, c, room);
    for (int i = 0; i < s->nv; i++) {
        for (int e = s->mass.p[i]; e < s->mass.p[i + 1]; e++) {
            const int j = s->mass.j[e];
            for (int a = 0; a < 3; a++) {
                sum += s->mass.v[e] * (s->e0[3 * i + a] - s->trans[i] * c[a]) *
                       (s->e0[3 * j + a] - s->trans[j] * c[a]);
            }
        }
    }
    return s->mass_total > 0 ? sqrt(fmax(0, sum) * 2 / 3 / s->mass_total) : 0;
}

static int most_distant(const cloud *k, const double *from, double *max) {
    int at = 0;
    *max = 0;
    for (int i = 0; i < k->n; i++) {
        const double d = distance(k->x[i], from);
        if (d > *max) {
            *max = d;
            at = i;
        }
    }
    return at;
}

/* Starts from a farthest-point estimate; only points far from the mean can exceed it. */
static double diameter(cloud *k) {
    double radius, best;
    const int first = most_distant(k, k->mean, &radius);
    (void)most_distant(k, k->x[first], &best);
    int n = 0;
    for (int i = 0; i < k->n; i++) {
        const double d = distance(k->x[i], k->mean);
        if (d + radius > best * (1 + INCLUSION_TOLERANCE)) {
            memmove(k->x[n], k->x[i], sizeof k->x[n]);
            k->distances[n++] = d;
        }
    }
    for (int i = 0; i < n && n <= MAX_PAIRWISE; i++) {
        for (int j = 0; j < i; j++) {
            if (k->distances[i] + k->distances[j] > best * (1 + INCLUSION_TOLERANCE)) {
                best = fmax(best, distance(k->x[i], k->x[j]));
            }
        }
    }
    return best;
}

/* nodes of body i, without ends of auxiliary lines */
static int counted_of(const gos_system *s, int i) {
    return s->body[i]->arms ? s->body[i]->nnode : s->body_first_node[i + 1] - s->body_first_node[i];
}

/* Rounding of positions then strains bodies. */
static void warn_if_far(gos_ctx *ctx, const gos_system *s, const double centre[3]) {
    const double distance = gos__norm3(centre) / s->extent;
    if (distance > MAX_DISTANCE) {
        gos__warn(ctx, (gos_loc){0}, "bodies",
                  "the model is %.2g times its extent away from the origin, so that positions are "
                  "rounded to %.1g of the extent and forces of deformation are inaccurate; move "
                  "the origin of the axes to the model",
                  distance, distance * DBL_EPSILON);
    }
}

gos_status gos__extent_find(gos_ctx *ctx, gos_system *s) {
    double c[3];
    int nodes = 0;
    for (int i = 0; i < s->nbody; i++) {
        nodes += counted_of(s, i);
    }
    cloud k = {.max = nodes + 1};
    for (int i = 0; i < s->nitem && nodes == 1; i++) {
        k.max += s->item[i]->nm;
    }
    k.x = gos__alloc(ctx, (size_t)k.max, sizeof *k.x);
    k.distances = gos__alloc(ctx, (size_t)k.max, sizeof *k.distances);
    double *room = gos__alloc(ctx, gos__derived_room(s) + (size_t)s->nq + 1, sizeof *room);
    if (!k.x || !k.distances || !room) {
        gos__free(ctx, room);
        gos__free(ctx, k.x);
        gos__free(ctx, k.distances);
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->nbody; i++) {
        for (int j = 0; j < counted_of(s, i); j++) {
            add(&k, s, &s->node_r[s->body_first_node[i] + j]);
        }
    }
    centre_of_mass(s, c);
    if (nodes == 1) {
        add_locations(&k, s, c);
    }
    for (int i = 0; i < k.n; i++) {
        add_times(1.0 / k.n, k.x[i], k.mean);
    }
    const double positions = k.n > 0 ? diameter(&k) : 0, size = size_of_inertia(s, c, room);
    s->extent = nodes == 1                              ? fmax(positions, size)
                : positions > MIN_POINT_DISTANCE * size ? positions
                                                        : size;
    s->extent = s->extent > 0 ? s->extent : 1;
    warn_if_far(ctx, s, k.mean);
    gos__free(ctx, room);
    gos__free(ctx, k.x);
    gos__free(ctx, k.distances);
    return GOS_OK;
}
