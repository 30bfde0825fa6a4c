/* Surface radiation between grey, diffuse patches of uniform radiosity, and to a sink:
       q_i = sigma sum_j B_ij (T_j^4 - T_i^4) + sigma B_i (T_sink^4 - T_i^4)
   into patch i, T mean absolute temperatures. B from view factors (math/view_factors.h) by ray
   casting at t = 0 is symmetric: heat is conserved. Only the sink term scales with the load
   factor. */
#include <math.h>

#include "heat/heat.h"
#include "math/view_factors.h"
#include "parts/entry_counts.h"
#include "parts/location.h"
#include "parts/shadow.h"
#include "math/vec3.h"

#define MAX_PATCHES GOS_ITEM_TMARKERS // maximum number of patches
#define MAX_NODES 3000                // limit of temperatures of all patches (dense coupling)
#define MOTION_TOLERANCE 0.02         // relative motion to report: part of the body size, or [rad]

typedef struct enclosure_def {
    gos_texts faces, obstacles;
    gos_numbers emissivity;
    gos_timefn *sink;
    int patches, rays;
} enclosure_def;

static const gos_param params[] = {
    {.name = "faces",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(enclosure_def, faces),
     .doc = "radiating faces: plates (panel.top), shells of floating bodies (wing.upper, "
            "wing.SET.lower), surfaces of solids in floating bodies; a rigid body with a "
            "temperature and a drawn surface is one face"},
    {.name = "sink",
     .kind = GOS_K_TIMEFN,
     .unit = "K",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "2.7",
     .flags = GOS_P_ABSOLUTE,
     .offset = offsetof(enclosure_def, sink),
     .doc = "absolute temperature of the remaining surroundings, which are black"},
    {.name = "emissivity",
     .kind = GOS_K_NUMBERS,
     .unit = "-",
     .lo = 0.0,
     .hi = 1.0,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(enclosure_def, emissivity),
     .doc = "emissivities of the faces, one number or one per face; default: the materials'"},
    {.name = "obstacles",
     .kind = GOS_K_NAMES,
     .unit = "",
     .offset = offsetof(enclosure_def, obstacles),
     .doc = "additional bodies whose drawn surfaces block radiation; these, and sides of bodies "
            "not listed in `faces`, radiate at the sink temperature"},
    {.name = "patches",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = MAX_PATCHES,
     .def = "1",
     .offset = offsetof(enclosure_def, patches),
     .doc = "number of patches per face, with equal numbers of elements: a patch radiates by its "
            "mean temperature, and heat is distributed evenly over it; at most 34 patches in all"},
    {.name = "rays",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 100,
     .hi = 10000000,
     .def = "16384",
     .offset = offsetof(enclosure_def, rays),
     .doc = "number of rays per patch for the view factors at t = 0; preferably a power of 2"},
    {.name = NULL},
};

typedef struct exchange {
    int n;
    double *B, *outside; // times sigma [W/K^4]: (n, n), (n)
    double T_ref;        // [K]
} exchange;

/* signed fourth power, as in radiation.c */
static double fourth(double T) {
    return T * T * T * fabs(T);
}

static void exchange_eval(const gos_item *it, const gos_item_io *io) {
    const exchange *p = it->par;
    const int n = p->n;
    const double sink = fourth(io->fn[0]);
    for (int i = 0; i < n; i++) {
        const double T = p->T_ref + io->th[i];
        double q = io->scale * p->outside[i] * (sink - fourth(T)),
               slope = io->scale * p->outside[i];
        for (int j = 0; j < n; j++) {
            const double other = p->T_ref + io->th[j], B = i == j ? 0 : p->B[i * n + j];
            q += B * (fourth(other) - fourth(T));
            slope += B;
            if (io->heat_th && j != i) {
                io->heat_th[i * n + j] += 4 * B * other * other * fabs(other);
            }
        }
        if (io->heat) {
            io->heat[i] += q;
        }
        if (io->heat_th) {
            io->heat_th[i * n + i] -= 4 * slope * T * T * fabs(T);
        }
    }
}

static void exchange_by_sink(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    const exchange *p = it->par;
    const double T = io->fn[0];
    GOS_UNUSED(k);
    for (int i = 0; i < p->n && io->heat; i++) {
        io->heat[i] += 4 * io->scale * p->outside[i] * T * T * fabs(T);
    }
}

static const gos_item_type exchange_type = {
    .name = "enclosure", .eval = exchange_eval, .by_input = exchange_by_sink};
static const gos_input_def sink_input = {.fn = 0, .unit = "K", .kind = GOS_INPUT_HEAT};

/* A drawn cell of a face, with its element (points NULL: rigid body). */
typedef struct element {
    int face, cell;
    const gos_points *points;
    int number;
    double middle[3];
    bool back; // the cell normal points into the body
    int patch;
} element;

typedef struct making {
    const gos_heat_entry *e;
    enclosure_def in;
    gos_heat_location *location; // (nface)
    double sign[MAX_PATCHES];    // per face: -1 if cell normals point inwards
    int nbody, *body;
    int *node0, *cell0; // first drawn nodes and cells per body (nbody + 1)
    double (*x)[3];     // nodes at t = 0
    int nelement, cap;
    element *element;
    int n;
    int first[MAX_PATCHES + 1]; // first element of each patch
    double e_of[MAX_PATCHES];
    gos_rays rays;
} making;

static gos_status refuse(const making *k, gos_loc loc, const char *text, const char *name) {
    return gos__fail_at(k->e->b->ctx, GOS_E_INPUT, loc, k->e->object, text, name);
}

static bool drawn(const gos_body *body) {
    return body->cell_size == 4 && body->ncell > 0;
}

static void take_body(making *k, const gos_body *body) {
    for (int i = 0; i < k->nbody; i++) {
        if (k->body[i] == body->index) {
            return;
        }
    }
    k->body[k->nbody++] = body->index;
}

static gos_status find_faces(making *k) {
    gos_builder *b = k->e->b;
    const gos_texts *f = &k->in.faces, *o = &k->in.obstacles;
    k->location = GOS_NEW(b->arena, gos_heat_location, f->n + 1);
    k->body = GOS_NEW(b->arena, int, b->nbody + 1);
    GOS_TRY(k->location && k->body ? GOS_OK : GOS_E_MEMORY);
    if ((long)f->n * k->in.patches > MAX_PATCHES) {
        return refuse(k, f->loc[0], "there are more than 34 patches of faces%s; use fewer patches",
                      "");
    }
    for (int i = 0; i < f->n; i++) {
        gos_heat_location *p = &k->location[i];
        GOS_TRY(gos__heat_location(k->e, f, i, GOS_ON_BODY | GOS_ON_FACE, p));
        const gos_body *body = p->location.body;
        if (p->where == GOS_ON_BODY && !gos__heat_lumped(body)) {
            return refuse(k, p->loc,
                          "body '%s' is not a face; list one of its faces (NAME.top, NAME.upper)",
                          body->name);
        }
        if (!drawn(body)) {
            return refuse(k, p->loc,
                          "body '%s' has no drawn surface to emit rays; give it one (a rigid body: "
                          "shape box, cylinder or sphere)",
                          body->name);
        }
        for (int j = 0; j < i; j++) {
            const gos_location *q = &k->location[j].location;
            if (q->body == body && q->face == p->location.face &&
                q->surface == p->location.surface && q->side == p->location.side) {
                return refuse(k, p->loc, "'%s' is listed twice; list it once", p->text);
            }
        }
        const bool section = p->where == GOS_ON_FACE && p->location.surface == 0;
        k->sign[i] =
            section ? body->section->face[p->location.face].sign : (p->location.side < 0 ? -1 : 1);
        take_body(k, body);
    }
    for (int i = 0; i < o->n; i++) {
        const gos_body *body = gos__find_body(b, o->v[i]);
        if (!body || !drawn(body)) {
            return refuse(k, o->loc[i],
                          body ? "body '%s' has no drawn surface to block radiation; remove it"
                               : "there is no body '%s'; list bodies that block radiation",
                          o->v[i]);
        }
        take_body(k, body);
    }
    return GOS_OK;
}

static gos_status place_nodes(making *k) {
    gos_builder *b = k->e->b;
    k->node0 = GOS_NEW(b->arena, int, k->nbody + 1);
    k->cell0 = GOS_NEW(b->arena, int, k->nbody + 1);
    GOS_TRY(k->node0 && k->cell0 ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->nbody; i++) {
        const gos_body *body = b->body[k->body[i]];
        k->node0[i + 1] = k->node0[i] + body->nnode + body->nmark;
        k->cell0[i + 1] = k->cell0[i] + body->ncell;
    }
    k->x = gos__arena_alloc(b->arena, (size_t)k->node0[k->nbody] + 1, sizeof *k->x);
    GOS_TRY(k->x ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->nbody; i++) {
        const gos_body *body = b->body[k->body[i]];
        for (int j = 0; j < body->nnode + body->nmark; j++) {
            double *x = k->x[k->node0[i] + j];
            if (j < body->nnode) {
                const double one = 1;
                const gos_marker m = {.n = 1, .idx = &body->node_v[j], .w = &one};
                gos__marker_initial(b, &m, x);
            } else {
                gos__marker_initial(b, &body->mark[j - body->nnode], x);
            }
        }
    }
    return GOS_OK;
}

static int position_of(const making *k, int body) {
    int i = 0;
    while (k->body[i] != body) {
        i++;
    }
    return i;
}

static void corners_of(const making *k, int cell, int v[4]) {
    int i = 0;
    while (cell >= k->cell0[i + 1]) {
        i++;
    }
    const int *of = k->e->b->body[k->body[i]]->cell + 4L * (cell - k->cell0[i]);
    for (int c = 0; c < 4; c++) {
        v[c] = k->node0[i] + of[c];
    }
}

/* non-degenerate triangles of a cell */
static int triangles_of(const int v[4], int t[2][3]) {
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const int a = v[0], b = v[1 + i], c = v[2 + i];
        if (a != b && b != c && c != a) {
            t[n][0] = a, t[n][1] = b, t[n][2] = c;
            n++;
        }
    }
    return n;
}

static gos_status add_element(making *k, int face, const gos_points *points, int number, int cell) {
    int v[4];
    if (k->nelement == k->cap) {
        const int cap = k->cap ? 2 * k->cap : 64;
        element *more = GOS_NEW(k->e->b->arena, element, cap);
        GOS_TRY(more ? GOS_OK : GOS_E_MEMORY);
        if (k->nelement > 0) {
            memcpy(more, k->element, (size_t)k->nelement * sizeof *more);
        }
        k->element = more;
        k->cap = cap;
    }
    element *to = &k->element[k->nelement++];
    *to = (element){.face = face, .cell = cell, .points = points, .number = number};
    corners_of(k, cell, v);
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 3; c++) {
            to->middle[c] += k->x[v[i]][c] / 4;
        }
    }
    to->back = k->sign[face] < 0;
    return GOS_OK;
}

static gos_status add_block(making *k, int face, const gos_points *q) {
    const int first = k->cell0[position_of(k, q->body)];
    if (!q->drawn) {
        return refuse(k, k->location[face].loc,
                      "'%s' is not a face with drawn elements; list faces of plates, or of shells "
                      "and mesh surfaces of unreduced floating bodies",
                      k->location[face].text);
    }
    for (int e = 0; e < q->ne; e++) {
        GOS_TRY(add_element(k, face, q, e, first + (q->drawn->cell ? q->drawn->cell[e] : e)));
    }
    return GOS_OK;
}

/* Rigid shapes are convex, but their cells have either orientation. */
static void turn_outwards(const making *k, element *e, int n) {
    double centre[3] = {0};
    for (int i = 0; i < 3 * n; i++) {
        centre[i % 3] += e[i / 3].middle[i % 3] / n;
    }
    for (int i = 0; i < n; i++) {
        int v[4];
        double a[3], b[3], normal[3], out[3];
        corners_of(k, e[i].cell, v);
        gos__sub3(k->x[v[2]], k->x[v[0]], a); // diagonals; two sides of a triangle
        gos__sub3(k->x[v[3] == v[2] ? v[2] : v[3]], k->x[v[1]], b);
        gos__cross3(a, b, normal);
        gos__sub3(e[i].middle, centre, out);
        e[i].back = gos__dot3(normal, out) < 0;
    }
}

static gos_status add_face(making *k, int face) {
    gos_builder *b = k->e->b;
    const gos_heat_location *p = &k->location[face];
    const gos_body *body = p->location.body;
    int first = 0, n = 0;
    if (gos__heat_lumped(body)) {
        const int cell0 = k->cell0[position_of(k, body->index)];
        for (int c = 0; c < body->ncell; c++) {
            GOS_TRY(add_element(k, face, NULL, c, cell0 + c));
        }
        turn_outwards(k, k->element + k->nelement - body->ncell, body->ncell);
        return GOS_OK;
    }
    if (!body->ops->surface) {
        return b->surface[body->index]
                   ? add_block(k, face, b->surface[body->index])
                   : refuse(k, p->loc, "'%s' has no integration points; use another face", p->text);
    }
    GOS_TRY(body->ops->surface(b, body, &p->location, false, &first, &n));
    for (int i = first; i < first + n; i++) {
        GOS_TRY(add_block(k, face, b->points[i]));
    }
    return GOS_OK;
}

/* bisection of elements from..to across the largest extent */
static void divide(making *k, int from, int to, int parts) {
    if (parts == 1 || to - from < 2) {
        for (int i = from; i < to; i++) {
            k->element[i].patch = k->n;
        }
        k->n++;
        k->first[k->n] = to;
        return;
    }
    int axis = 0;
    double max = -1;
    for (int c = 0; c < 3; c++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = from; i < to; i++) {
            lo = fmin(lo, k->element[i].middle[c]);
            hi = fmax(hi, k->element[i].middle[c]);
        }
        axis = hi - lo > max * (1 + 1e-9) ? c : axis;
        max = fmax(max, hi - lo);
    }
    for (int i = from + 1; i < to; i++) { // insertion sort is stable
        const element one = k->element[i];
        int j = i;
        for (; j > from && k->element[j - 1].middle[axis] > one.middle[axis] + 1e-9 * max; j--) {
            k->element[j] = k->element[j - 1];
        }
        k->element[j] = one;
    }
    const int half = parts / 2, middle = from + (int)((long)(to - from) * half / parts);
    divide(k, from, middle > from ? middle : from + 1, half);
    divide(k, middle > from ? middle : from + 1, to, parts - half);
}

static gos_status find_patches(making *k) {
    const gos_texts *f = &k->in.faces;
    const gos_numbers *given = &k->in.emissivity;
    if (given->n > 1 && given->n != f->n) {
        return refuse(k, gos__key_loc(k->e->node, "emissivity"),
                      "emissivity must be one number, or one per face%s", "");
    }
    for (int i = 0; i < f->n; i++) {
        const int from = k->nelement, before = k->n;
        double e = 0;
        GOS_TRY(add_face(k, i));
        divide(k, from, k->nelement, k->in.patches);
        if (given->n > 0) {
            e = given->v[given->n > 1 ? i : 0];
        } else {
            GOS_TRY(gos__heat_property(k->e, &k->location[i], offsetof(gos_material, emissivity),
                                       "emissivity", &e));
        }
        if (!(e > 0)) {
            return refuse(k, k->location[i].loc,
                          "the emissivity of '%s' is 0, so it exchanges no heat; give emissivity "
                          "here or in its material",
                          k->location[i].text);
        }
        for (int p = before; p < k->n; p++) {
            k->e_of[p] = e;
        }
    }
    return GOS_OK;
}

/* area-weighted temperature weights of an element */
static void weigh(const element *e, const gos_section_point *pt, double *sum, double *area) {
    const gos_points *q = e->points;
    const long ib = e->number / GOS_LANES, l = e->number % GOS_LANES, tab = q->tab[ib];
    for (long g = 0; g < q->ng; g++) {
        const long at = tab * q->ng + g;
        const double w = q->w[at * GOS_LANES + l];
        *area += w;
        for (long i = 0; i < q->nt; i++) {
            const double N = q->N[(at * q->nt + i) * GOS_LANES + l];
            for (long f = 0; f < q->nfam; f++) {
                sum[q->th[((ib * q->nt + i) * q->nfam + f) * GOS_LANES + l]] += w * N * pt->phi[f];
            }
        }
    }
}

/* sum (nt) is zero on entry and exit */
static gos_status mean_of(const making *k, int patch, double *sum, int *idx, double *w,
                          gos_tmarker *tm) {
    const gos_builder *b = k->e->b;
    const element *first = &k->element[k->first[patch]];
    const gos_heat_location *p = &k->location[first->face];
    const gos_section_point *pt;
    double area = 0;
    int npt, n = 0;
    if (!first->points) {
        const double one = 1;
        return gos__tmarker_make(b->arena, 1, &p->location.body->t0, &one, tm);
    }
    GOS_TRY(gos__heat_patch(k->e, p, &pt, &npt));
    for (int i = k->first[patch]; i < k->first[patch + 1]; i++) {
        weigh(&k->element[i], pt, sum, &area);
    }
    for (int t = 0; t < b->nt; t++) {
        if (sum[t] != 0) {
            idx[n] = t;
            w[n++] = sum[t] / area;
            sum[t] = 0;
        }
    }
    return gos__tmarker_make(b->arena, n, idx, w, tm);
}

static gos_status check_nodes(gos_builder *b, gos_loc loc, const char *object, double all) {
    return all <= MAX_NODES
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                              "the faces have %.0f temperatures, all of which are coupled; at most "
                              "%d are possible: use coarser meshes, or name smaller faces",
                              all, MAX_NODES);
}

static gos_status find_means(const making *k, gos_tmarker *tm) {
    const size_t nt = (size_t)k->e->b->nt + 1;
    gos_ctx *ctx = k->e->b->ctx;
    double *sum = gos__zalloc(ctx, 2 * nt, sizeof *sum);
    int *idx = gos__alloc(ctx, nt, sizeof *idx);
    gos_status status = sum && idx ? GOS_OK : GOS_E_MEMORY;
    long all = 0;
    for (int i = 0; i < k->n && status == GOS_OK; i++) {
        status = mean_of(k, i, sum, idx, sum + nt, &tm[i]);
        all += status == GOS_OK ? tm[i].n : 0;
    }
    gos__free(ctx, sum);
    gos__free(ctx, idx);
    GOS_TRY(status);
    return check_nodes(k->e->b, k->in.faces.loc[0], k->e->object, (double)all);
}

static gos_status make_rays(making *k) {
    gos_builder *b = k->e->b;
    const int cells = k->cell0[k->nbody];
    int(*corner)[3] = gos__alloc(b->ctx, 2 * (size_t)cells + 1, sizeof *corner);
    int *cell = gos__alloc(b->ctx, 2 * (size_t)cells + 1, sizeof *cell), n = 0;
    for (int i = 0; i < cells && corner && cell; i++) {
        int v[4];
        corners_of(k, i, v);
        const int more = triangles_of(v, corner + n);
        for (int j = 0; j < more; j++) {
            cell[n++] = i;
        }
    }
    const gos_status status = corner && cell
                                  ? gos__rays_make(b->ctx, b->arena, n, (const int(*)[3])corner,
                                                   cell, (const double(*)[3])k->x, &k->rays)
                                  : GOS_E_MEMORY;
    gos__free(b->ctx, corner);
    gos__free(b->ctx, cell);
    return status;
}

static gos_status see(const making *k, double *area, double *S) {
    gos_ctx *ctx = k->e->b->ctx;
    const size_t cells = (size_t)k->cell0[k->nbody];
    gos_view_piece *piece = gos__alloc(ctx, 2 * (size_t)k->nelement + 1, sizeof *piece);
    int(*patch)[2] = gos__alloc(ctx, cells + 1, sizeof *patch), n = 0;
    gos_status status = piece && patch ? GOS_OK : GOS_E_MEMORY;
    for (size_t i = 0; i < cells && status == GOS_OK; i++) {
        patch[i][0] = patch[i][1] = -1;
    }
    for (int i = 0; i < k->nelement && status == GOS_OK; i++) {
        const element *e = &k->element[i];
        const bool back = e->back;
        int v[4], t[2][3];
        corners_of(k, e->cell, v);
        const int more = triangles_of(v, t);
        for (int j = 0; j < more; j++) {
            piece[n] = (gos_view_piece){.cell = e->cell, .back = back, .patch = e->patch};
            memcpy(piece[n++].corner, t[j], sizeof t[j]);
        }
        patch[e->cell][back] = e->patch;
    }
    const gos_view v = {.rays = &k->rays,
                        .x = (const double(*)[3])k->x,
                        .n = k->n,
                        .npiece = n,
                        .piece = piece,
                        .patch = (const int(*)[2])patch,
                        .each = k->in.rays};
    status = status == GOS_OK ? gos__view_factors(ctx, &v, area, S) : status;
    gos__free(ctx, piece);
    gos__free(ctx, patch);
    return status;
}

static void warn_unseen(const making *k, const double *S) {
    for (int i = 0; i < k->n * k->n; i++) {
        if (S[i] > 0) {
            return;
        }
    }
    gos__warn(k->e->b->ctx, k->in.faces.loc[0], k->e->object,
              "no two faces see each other, so all radiate only to the sink; check their "
              "orientation (top, bottom, upper, lower), and the faces between them");
}

static gos_status make_exchange(const making *k, exchange *p) {
    gos_builder *b = k->e->b;
    const size_t n = (size_t)k->n;
    double *S = GOS_NEW(b->arena, double, n *n + 1), area[MAX_PATCHES], sigma;
    p->B = GOS_NEW(b->arena, double, n *n + 1);
    p->outside = GOS_NEW(b->arena, double, n + 1);
    GOS_TRY(S && p->B && p->outside ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(see(k, area, S));
    for (int i = 0; i < k->n; i++) {
        if (!(area[i] > 0)) {
            return refuse(k, k->in.faces.loc[0], "a patch of a face has no area%s", "");
        }
    }
    warn_unseen(k, S);
    GOS_TRY(gos__view_exchange(b->ctx, k->n, area, S, k->e_of, p->B, p->outside));
    GOS_TRY(gos__heat_stefan_boltzmann(b, &sigma));
    for (size_t i = 0; i < n * n; i++) {
        p->B[i] *= sigma;
    }
    for (size_t i = 0; i < n; i++) {
        p->outside[i] *= sigma;
    }
    p->n = k->n;
    p->T_ref = b->T_ref;
    return GOS_OK;
}

static gos_status add_monitor(const making *k) {
    gos_cast_shadow *s;
    if (k->nbody < 2) {
        return GOS_OK;
    }
    GOS_TRY(gos__add_shadow(k->e->b, &s));
    s->name = gos__arena_strdup(k->e->b->arena, k->e->name);
    s->object = gos__arena_strdup(k->e->b->arena, k->e->object);
    s->loc = k->in.faces.loc[0];
    s->ncast = k->nbody;
    s->cast = k->body;
    s->direction = -1;
    s->tolerance = MOTION_TOLERANCE;
    return s->name && s->object ? GOS_OK : GOS_E_MEMORY;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    gos_heat_entry e;
    making k = {.e = &e};
    GOS_TRY(gos__heat_begin(b, type, entry, name, object, &k.in, &e));
    GOS_TRY(gos__heat_fns(&e, 1, &k.in.sink));
    GOS_TRY(find_faces(&k));
    GOS_TRY(place_nodes(&k));
    GOS_TRY(find_patches(&k));
    GOS_TRY(make_rays(&k));
    exchange *par = GOS_NEW(b->arena, exchange, 1);
    gos_item it = {.type = &exchange_type,
                   .par = par,
                   .name = gos__arena_strdup(b->arena, object),
                   .entry = gos__arena_strdup(b->arena, name),
                   .loc = entry->key_loc,
                   .ntm = k.n,
                   .tm = GOS_NEW(b->arena, gos_tmarker, k.n + 1),
                   .fn0 = e.fn0,
                   .nfn = e.nfn,
                   .ninput = 1,
                   .input = &sink_input};
    if (!par || !it.name || !it.entry || !it.tm) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(find_means(&k, it.tm));
    GOS_TRY(make_exchange(&k, par));
    GOS_TRY(add_monitor(&k));
    return gos__add_item(b, &it, NULL);
}

/* lower bound of the temperatures of a face; only faces that are a whole body */
static double face_nodes(const gos_builder *b, const char *face) {
    char name[GOS_LIMIT_NAME + 1];
    const char *dot = strchr(face, '.');
    const int n = dot ? (int)(dot - face) : 0;
    int dim;
    if (n < 1 || n > GOS_LIMIT_NAME || strchr(dot + 1, '.')) {
        return 0;
    }
    gos__format(name, sizeof name, "%.*s", n, face);
    const gos_node *body = gos__entry_of(b, "bodies", name);
    const gos_node *heat = body ? gos__node_given(body, "temperature") : NULL;
    if (!body || (heat && heat->kind == GOS_SCALAR && strcmp(heat->text, "off") == 0)) {
        return 0;
    }
    const double plate = gos__entry_product(b, body, "elements", &dim);
    const double shell = dim == 2 ? plate : gos__entry_mesh_nodes(b, body, &dim);
    return dim == 2 ? shell : 0;
}

static gos_status count(gos_builder *b, const gos_node *entry, const char *object) {
    const gos_node *faces = gos__node_given(entry, "faces");
    const gos_node *face = faces && faces->kind == GOS_LIST ? faces->child : NULL;
    double all = 0;
    for (; face; face = face->next) {
        all += face->kind == GOS_SCALAR ? face_nodes(b, face->text) : 0;
    }
    return all > 0 ? check_nodes(b, faces->child->loc, object, all) : GOS_OK;
}

static const gos_build_ops ops = {.build = build, .count = count};

const gos_type gos__heat_enclosure = {
    .section = "heat",
    .name = "enclosure",
    .doc = "Thermal radiation between faces, by view factors, and to the surroundings.",
    .params = params,
    .size = sizeof(enclosure_def),
    .example = "gap: {type: enclosure, faces: [panel.top, lid.bottom], sink: 2.7, emissivity: 0.8}",
    .ops = &ops,
};
