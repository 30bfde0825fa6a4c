/* Patches on plates. At height zeta a patch has the strains eps = E - zeta b and the energy -q(e) V
 * - C V^2 / 2, with motional charge q = -integral of (e31 eps_11 + e32 eps_22 + e36 2 eps_12) dA,
 * nonlinear in the coordinates e. */

/* Each charge is a massless coordinate y = q(e) / Q, a length, tied by one row per element and
 * electrode, with the force of the voltage as multiplier. Signals are then linear in coordinates
 * (piezo.c). Electrodes on several elements have a coordinate for the sum. */
#include "plate/plate_piezo.h"

#include <math.h>

#include "bodies/piezo_wiring.h"
#include "plate/plate_charge.h"
#include "plate/plate_plies.h"
#include "bodies/body.h"
#include "math/vec3.h"

#define L GOS_LANES
#define NV 12
#define NZ GOS_PLATE_CHARGE_SLOPES
#define LOCATION_TOLERANCE 1e-9 // relative to the plate's size
#define MAX_TEMPERATURE_PAIRS 2e7

/* ---- cells ----------------------------------------------------------------------------------- */

/* "word(a,b,...)". @return number of arguments; 0: other word or too many */
static int arguments_of(const char *text, const char *word, int most, double *value) {
    const size_t n = strlen(word), all = strlen(text);
    if (all < n + 3 || strncmp(text, word, n) != 0 || text[n] != '(' || text[all - 1] != ')') {
        return 0;
    }
    int count = 0;
    for (const char *from = text + n + 1, *end = text + all - 1; from < end; count++) {
        const char *comma = memchr(from, ',', (size_t)(end - from));
        const char *to = comma ? comma : end;
        if (count == most || !gos__number_parse(from, (size_t)(to - from), &value[count])) {
            return 0;
        }
        from = to + 1;
    }
    return count;
}

static bool whole_in(double v, int n) {
    return v >= 0 && v < n && v == floor(v);
}

/* Marks columns i0 .. i1, rows j0 .. j1; false if out of range. */
static bool choose_block(const gos_plate *c, const double v[4], bool *chosen) {
    if (!whole_in(v[0], c->ne[0]) || !whole_in(v[1], c->ne[0]) || !whole_in(v[2], c->ne[1]) ||
        !whole_in(v[3], c->ne[1]) || v[1] < v[0] || v[3] < v[2]) {
        return false;
    }
    for (int j = (int)v[2]; j <= (int)v[3]; j++) {
        for (int i = (int)v[0]; i <= (int)v[1]; i++) {
            chosen[c->ne[0] * j + i] = true;
        }
    }
    return true;
}

/* Elements in v[0] <= x <= v[1], v[2] <= y <= v[3]; *cut: a partial one, or -1. */
static bool choose_range(const gos_plate *c, const double v[4], int *cut, bool *chosen) {
    const double near = LOCATION_TOLERANCE * hypot(c->hi[0] - c->lo[0], c->hi[1] - c->lo[1]);
    bool any = false;
    *cut = -1;
    for (int e = 0; e < c->ncell; e++) {
        double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int i = 0; i < 4; i++) {
            for (int d = 0; d < 2; d++) {
                lo[d] = fmin(lo[d], c->x[c->cell[4 * e + i]][d]);
                hi[d] = fmax(hi[d], c->x[c->cell[4 * e + i]][d]);
            }
        }
        bool inside = true, meets = true;
        for (int d = 0; d < 2; d++) {
            inside = inside && lo[d] >= v[2 * d] - near && hi[d] <= v[2 * d + 1] + near;
            meets = meets && hi[d] > v[2 * d] + near && lo[d] < v[2 * d + 1] - near;
        }
        *cut = meets && !inside && *cut < 0 ? e : *cut;
        chosen[e] = chosen[e] || inside;
        any = any || inside;
    }
    return any;
}

static gos_status refuse_location(gos_builder *b, const gos_plate *c, const gos_piezo *p,
                                  const char *location, gos_loc loc) {
    if (c->ne[0] > 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, p->object,
            "'%s' has no elements '%s'; use %s.cell(0) to cell(%d), equal to cell(0,0) to "
            "cell(%d,%d), cells(i0,i1,j0,j1) or range(x0,x1,y0,y1) in units of length of the model",
            p->body, location, p->body, c->ncell - 1, c->ne[0] - 1, c->ne[1] - 1);
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                        "'%s' has no elements '%s'; use %s.cell(0) to cell(%d), or "
                        "range(x0,x1,y0,y1) in units of length of the model",
                        p->body, location, p->body, c->ncell - 1);
}

static gos_status choose(gos_builder *b, const void *of, const gos_piezo *p, const char *location,
                         gos_loc loc, bool *chosen) {
    const gos_plate *c = of;
    double v[4];
    int cut = -1;
    if (!*location) {
        memset(chosen, 1, (size_t)c->ncell * sizeof *chosen);
        return GOS_OK;
    }
    if (arguments_of(location, "cell", 1, v) == 1 && whole_in(v[0], c->ncell)) {
        chosen[(int)v[0]] = true;
        return GOS_OK;
    }
    if (arguments_of(location, "cell", 2, v) == 2 &&
        choose_block(c, (const double[4]){v[0], v[0], v[1], v[1]}, chosen)) {
        return GOS_OK;
    }
    if (arguments_of(location, "cells", 4, v) == 4 && choose_block(c, v, chosen)) {
        return GOS_OK;
    }
    if (arguments_of(location, "range", 4, v) != 4) {
        return refuse_location(b, c, p, location, loc);
    }
    const bool any = choose_range(c, v, &cut, chosen);
    if (cut >= 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                            "'%s' cuts element %d of '%s'; patches cover whole elements: align "
                            "element sides with the patch, or give cell(k)",
                            location, cut, p->body);
    }
    return any ? GOS_OK : refuse_location(b, c, p, location, loc);
}

static long long number(const void *of, int cell) {
    GOS_UNUSED(of);
    return cell;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* y = q(e) / Q: twelve markers of an element; y is component `c` of the last one. */
typedef struct charge_row {
    gos_plate_charge charge; // over Q
    int c;
} charge_row;

enum { NM = NV + 1, NX = 3 * NM };

static void charge_eval(const gos_item *it, const gos_item_io *io) {
    const charge_row *r = it->par;
    const int y = 3 * NV + r->c;
    const double q = gos__plate_charge(&r->charge, io->x, -1, io->cx, NX, NULL);
    if (io->c) {
        io->c[0] = io->x[y] - q;
    }
    if (io->cx) {
        io->cx[y] = 1;
    }
    if (io->H && io->lam[0] != 0) {
        (void)gos__plate_charge(&r->charge, io->x, -io->lam[0], NULL, NX, io->H);
    }
}

static const gos_item_type type_charge = {.name = "charge of a patch", .eval = charge_eval};

#define ALL 0x0fff // twelve markers
static const unsigned short row_of[1] = {0x1fff}, pair_of[NM] = {ALL, ALL, ALL, ALL, ALL, ALL, ALL,
                                                                 ALL, ALL, ALL, ALL, ALL, 0};
static const gos_structure structure = {.row = row_of, .pair = pair_of};

/* ---- making ---------------------------------------------------------------------------------- */

/* all patches of an electrode on an element */
typedef struct row {
    int cell, electrode;
    int at;      // of its charge, 3 v + c
    double unit; // Q [C/m]
} row;

typedef struct making {
    gos_builder *b;
    const gos_body *body;
    const gos_plate *c;
    const char *object;
    gos_piezo_wiring w;
    int nrow;
    row *row;         // (nrow) ordered by electrode
    int *row_of;      // (w.n) of each patch
    int *first;       // (nelectrode + 1) first row
    int *patch0;      // (nelectrode + 1) ... first patch
    int *sum;         // (nelectrode) ... coordinate of the charge
    double *unit;     // (nelectrode) ... [C/m]
    double *area;     // (nelectrode) [m^2]
    const double **S; // (ncell) derivatives at the points; NULL: not computed
} making;

/* Patches of an electrode on an element share a row. */
static gos_status find_rows(making *k) {
    const gos_piezo_wiring *w = &k->w;
    int *last = GOS_NEW(k->b->arena, int, k->c->ncell); // 1 + row of each element
    k->row = GOS_NEW(k->b->arena, row, w->n + 1);
    k->row_of = GOS_NEW(k->b->arena, int, w->n + 1);
    k->first = GOS_NEW(k->b->arena, int, 2 * (w->nelectrode + 1));
    GOS_TRY(last && k->row && k->row_of && k->first ? GOS_OK : GOS_E_MEMORY);
    k->patch0 = k->first + w->nelectrode + 1;
    for (int i = 0; i < w->n; i++) {
        const gos_piezo_patch *p = &w->patch[i];
        int *of = &last[p->cell];
        if (*of == 0 || k->row[*of - 1].electrode != p->electrode) {
            k->row[k->nrow++] = (row){.cell = p->cell, .electrode = p->electrode};
            *of = k->nrow;
        }
        k->row_of[i] = *of - 1;
        k->first[p->electrode + 1] = k->nrow;
        k->patch0[p->electrode + 1] = i + 1;
    }
    return GOS_OK;
}

/* Tolerance of a length, weighted by the plate's mass under the patch. */
static gos_status add_coordinate(const making *k, int at, double area) {
    return gos__add_single(
        k->b, &(gos_constant_coordinate){.i = at, .weight = k->c->mass * area, .amplitude = true});
}

static double area_of(const gos_plate *c, int cell) {
    gos_plate_element e;
    gos_plate_point at[GOS_PLATE_POINTS];
    double sum = 0;
    gos__plate_element(c, cell, &e);
    const int n = gos__plate_rule(&e, false, at);
    for (int g = 0; g < n; g++) {
        sum += at[g].w;
    }
    return sum;
}

static double largest(const gos_piezo_def *d) {
    return fmax(fmax(fabs(d->e31), fabs(d->e32)), fabs(d->e36));
}

/* Three per vector; unit: charge of a patch elongated by a metre. */
static gos_status add_coordinates(making *k, int *first, int *count) {
    const gos_piezo_wiring *w = &k->w;
    int n = k->nrow;
    k->sum = GOS_NEW(k->b->arena, int, w->nelectrode + 1);
    k->unit = GOS_NEW(k->b->arena, double, w->nelectrode + 1);
    k->area = GOS_NEW(k->b->arena, double, w->nelectrode + 1);
    GOS_TRY(k->sum && k->unit && k->area ? GOS_OK : GOS_E_MEMORY);
    for (int e = 0; e < w->nelectrode; e++) {
        n += k->first[e + 1] - k->first[e] > 1;
    }
    *count = (n + 2) / 3;
    GOS_TRY(gos__check_room(k->b, *count, 0, k->w.entry[0]->entry->loc, k->w.entry[0]->object));
    GOS_TRY(gos__add_vectors(k->b, *count, NULL, 0, first));
    int at = 3 * *first;
    for (int i = 0; i < w->nentry; i++) {
        const gos_piezo *p = w->entry[i];
        const double e_most = largest(&p->def) > 0 ? largest(&p->def) : 1;
        for (int e = p->first; e < p->first + p->n; e++) {
            for (int r = k->first[e]; r < k->first[e + 1]; r++) {
                const double area = area_of(k->c, k->row[r].cell);
                k->row[r].unit = e_most * sqrt(area);
                k->row[r].at = at++;
                k->area[e] += area;
                GOS_TRY(add_coordinate(k, k->row[r].at, area));
            }
            k->unit[e] = e_most * sqrt(k->area[e]);
        }
    }
    for (int e = 0; e < w->nelectrode; e++) {
        k->sum[e] = k->row[k->first[e]].at;
        if (k->first[e + 1] - k->first[e] > 1) {
            k->sum[e] = at++;
            GOS_TRY(add_coordinate(k, k->sum[e], k->area[e]));
        }
    }
    for (; at < 3 * (*first + *count); at++) {
        GOS_TRY(gos__hold_component(k->b, k->body->loc, k->object, at));
    }
    return GOS_OK;
}

/* Function derivatives at the points of an element, shared by equal elements. */
static gos_status slopes_of(making *k, int cell, const double **S) {
    gos_plate_element e;
    gos_plate_point at[GOS_PLATE_POINTS];
    double v[6][NV];
    const int own = k->c->alike ? 0 : cell;
    if (!k->S[own]) {
        gos__plate_element(k->c, own, &e);
        const int n = gos__plate_rule(&e, false, at), nb = (n + L - 1) / L;
        double *to = GOS_NEW(k->b->arena, double, (size_t)nb *NZ *NV *L);
        GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
        for (int g = 0; g < nb * L; g++) {
            gos__plate_shapes_at(&e, &at[g < n ? g : 0], v);
            for (int q = 0; q < NZ * NV; q++) {
                to[((size_t)(g / L) * NZ * NV + (size_t)q) * L + (size_t)(g % L)] =
                    v[1 + q / NV][q % NV];
            }
        }
        k->S[own] = to;
    }
    *S = k->S[own];
    return GOS_OK;
}

/* Piezoelectric constants along x, y and shear in plate axes. */
static gos_status turned(const making *k, const gos_piezo *p, double e[3]) {
    const gos_piezo_def *d = &p->def;
    const double in[2] = {gos__dot3(d->along, k->c->e[0]), gos__dot3(d->along, k->c->e[1])};
    const double length = hypot(in[0], in[1]), given = gos__norm3(d->along);
    if (given > 0 && !(length > 1e-6 * given)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(p->entry, "along"), p->object,
                            "'along' is normal to '%s'; give a direction in its plane at t = 0",
                            p->body);
    }
    const double c = given > 0 ? in[0] / length : 1, s = given > 0 ? in[1] / length : 0;
    e[0] = d->e31 * c * c + d->e32 * s * s - 2 * d->e36 * c * s;
    e[1] = d->e31 * s * s + d->e32 * c * c + 2 * d->e36 * c * s;
    e[2] = (d->e31 - d->e32) * c * s + d->e36 * (c * c - s * s);
    return GOS_OK;
}

/* height of a patch's middle over the surface */
static double height_of(const making *k, const gos_piezo_patch *p) {
    return gos__plate_plies_offset(k->c) +
           p->face * (k->body->section->A + p->entry->def.thickness) / 2;
}

/* Adds the charges of a patch per strain at the points. */
static gos_status add_patch(const making *k, const gos_piezo_patch *p, double unit, double *per) {
    gos_plate_element el;
    gos_plate_point at[GOS_PLATE_POINTS];
    double e[3] = {0}; // silences a gcc -O3 warning
    GOS_TRY(turned(k, p->entry, e));
    gos__plate_element(k->c, p->cell, &el);
    const int n = gos__plate_rule(&el, false, at);
    const double zeta = height_of(k, p);
    for (int g = 0; g < n; g++) {
        double *to = per + (size_t)(g / L) * GOS_PLATE_CHARGE_STRAINS * L + (size_t)(g % L);
        for (int i = 0; i < 3; i++) {
            const double density = -p->sign * e[i] * at[g].w / unit;
            to[(size_t)i * L] += density;
            to[(size_t)(3 + i) * L] -= density * zeta;
        }
    }
    return GOS_OK;
}

static gos_status add_row(making *k, int r, double *per) {
    const row *from = &k->row[r];
    const gos_piezo_wiring *w = &k->w;
    charge_row *to = GOS_NEW(k->b->arena, charge_row, 1);
    gos_item item = {.type = &type_charge,
                     .par = to,
                     .loc = k->body->loc,
                     .name = k->object,
                     .entry = w->name[from->electrode],
                     .nm = NM,
                     .nc = 1,
                     .structure = &structure};
    const double one = 1;
    const int vector = from->at / 3;
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    gos_plate_element e;
    gos_plate_point at[GOS_PLATE_POINTS];
    gos__plate_element(k->c, from->cell, &e);
    to->charge.nb = (gos__plate_rule(&e, false, at) + L - 1) / L;
    to->charge.per = per;
    to->c = from->at % 3;
    GOS_TRY(slopes_of(k, from->cell, &to->charge.S));
    for (int i = 0; i < NV; i++) {
        const int v = k->body->v0 + 3 * k->c->cell[4 * from->cell + i / 3] + i % 3;
        GOS_TRY(gos__marker_make(k->b->arena, 1, &v, &one, NULL, &item.m[i]));
    }
    GOS_TRY(gos__marker_make(k->b->arena, 1, &vector, &one, NULL, &item.m[NV]));
    return gos__add_item(k->b, &item, NULL);
}

static gos_status add_rows(making *k) {
    const size_t each = (size_t)((GOS_PLATE_POINTS + L - 1) / L) * GOS_PLATE_CHARGE_STRAINS * L;
    const gos_piezo_wiring *w = &k->w;
    double *per = GOS_NEW(k->b->arena, double, (size_t)k->nrow *each + 1);
    k->S = (const double **)gos__arena_alloc(k->b->arena, (size_t)k->c->ncell, sizeof *k->S);
    GOS_TRY(per && k->S ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < w->n; i++) {
        const int r = k->row_of[i];
        GOS_TRY(add_patch(k, &w->patch[i], k->row[r].unit, per + (size_t)r * each));
    }
    for (int r = 0; r < k->nrow; r++) {
        GOS_TRY(add_row(k, r, per + (size_t)r * each));
    }
    return GOS_OK;
}

/* Ties the charge of an electrode: unit sum = sum of element charges. */
static gos_status add_sum(making *k, int e) {
    const int n = k->first[e + 1] - k->first[e];
    int *at = GOS_NEW(k->b->arena, int, n + 1);
    double *weight = GOS_NEW(k->b->arena, double, n + 1);
    GOS_TRY(at && weight ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        const row *r = &k->row[k->first[e] + i];
        at[i] = r->at;
        weight[i] = -r->unit / k->unit[e];
    }
    at[n] = k->sum[e];
    weight[n] = 1;
    return gos__hold_sum(k->b, k->body->loc, k->object, n + 1, at, weight);
}

/* ---- electrodes ------------------------------------------------------------------------------ */

/* Pyroelectric charge, by mean and gradient at the nodes. */
static gos_status heat_of(const making *k, int e, gos_tmarker *tm) {
    const gos_piezo_wiring *w = &k->w;
    const int nf = k->body->nfam; // mean, gradient
    double *sum = GOS_NEW(k->b->arena, double, k->body->nt + 1), N[4];
    int *at = GOS_NEW(k->b->arena, int, k->body->nt + 1), n = 0;
    GOS_TRY(sum && at ? GOS_OK : GOS_E_MEMORY);
    for (int i = k->patch0[e]; i < k->patch0[e + 1]; i++) {
        const gos_piezo_patch *p = &w->patch[i];
        gos_plate_element el;
        gos_plate_point x[GOS_PLATE_POINTS];
        gos__plate_element(k->c, p->cell, &el);
        const int ng = gos__plate_rule(&el, false, x);
        for (int g = 0; g < 4 * ng; g++) {
            gos__bilinear(x[g / 4].xi, N, NULL);
            const int node = k->c->cell[4 * p->cell + g % 4];
            const double per = -p->sign * p->entry->def.pyroelectric * x[g / 4].w * N[g % 4];
            sum[node * nf] += per;
            sum[node * nf + 1] += per * (height_of(k, p) - gos__plate_plies_offset(k->c));
        }
    }
    for (int i = 0; i < k->body->nt; i++) {
        if (sum[i] != 0) {
            at[n] = k->body->t0 + i;
            sum[n++] = sum[i];
        }
    }
    return gos__tmarker_make(k->b->arena, n, at, sum, tm);
}

/* V = (Q - unit y - p^T T) / C, y: coordinate `at`: forces unit / C (unit y + p^T T) on y, strain
 * heating T_ref p V'. */
static gos_status condense(const making *k, int at, double unit, const gos_tmarker *pyro,
                           double C) {
    gos_builder *b = k->b;
    GOS_TRY(gos__add_constant(b, GOS_CONSTANT_K, at, at, unit * unit / C));
    for (int i = 0; i < pyro->n; i++) {
        const double p = pyro->w[i], heat = b->gough_joule ? b->T_ref * p / C : 0;
        GOS_TRY(gos__add_constant(b, GOS_CONSTANT_G, at, pyro->idx[i], unit * p / C));
        if (heat != 0) {
            GOS_TRY(gos__add_constant(b, GOS_CONSTANT_H, pyro->idx[i], at, -heat * unit));
        }
        for (int j = 0; j <= i && heat != 0; j++) {
            GOS_TRY(gos__add_symmetric(b, &b->capacity, pyro->idx[i], pyro->idx[j],
                                       -heat * pyro->w[j]));
        }
    }
    return GOS_OK;
}

static gos_status check_pairs(const making *k, const gos_piezo *p, const gos_tmarker *pyro) {
    const double pairs = (double)pyro->n * pyro->n;
    return pairs <= MAX_TEMPERATURE_PAIRS
               ? GOS_OK
               : gos__fail_at(k->b->ctx, GOS_E_LIMIT, p->entry->loc, p->object,
                              "an electrode with `drive: charge` couples %.2g pairs of "
                              "temperatures, at most %.2g are supported; use smaller electrodes",
                              pairs, MAX_TEMPERATURE_PAIRS);
}

static gos_status add_electrode(making *k, const gos_piezo *p, int e) {
    const int at = p->first + e, v = k->sum[at] / 3, c = k->sum[at] % 3;
    const double unit = k->unit[at];
    gos_signal motional = {0};
    double capacitance = 0;
    for (int i = k->patch0[at]; i < k->patch0[at + 1]; i++) {
        capacitance += p->def.permittivity * area_of(k->c, k->w.patch[i].cell) / p->def.thickness;
    }
    GOS_TRY(gos__marker_make(k->b->arena, 1, &v, &unit, NULL, &motional.m[c]));
    GOS_TRY(p->def.pyroelectric != 0 && k->body->nfam > 0 ? heat_of(k, at, &motional.tm) : GOS_OK);
    if (p->def.drive == GOS_PIEZO_CHARGE) {
        GOS_TRY(check_pairs(k, p, &motional.tm));
        GOS_TRY(condense(k, k->sum[at], unit, &motional.tm, capacitance));
    }
    return gos__piezo_electrode(k->b, p, e, k->body, &motional, capacitance);
}

static gos_status connect(making *k) {
    for (int e = 0; e < k->w.nelectrode; e++) {
        GOS_TRY(k->first[e + 1] - k->first[e] > 1 ? add_sum(k, e) : GOS_OK);
    }
    for (int i = 0; i < k->w.nentry; i++) {
        const gos_piezo *p = k->w.entry[i];
        GOS_TRY(gos__piezo_check_channels(k->b, p));
        for (int e = 0; e < p->n; e++) {
            GOS_TRY(add_electrode(k, p, e));
        }
    }
    return GOS_OK;
}

static gos_status no_location(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                              const char *object, gos_location *location) {
    GOS_UNUSED(ref);
    GOS_UNUSED(location);
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object, "%s is not a body", b->name);
}

static gos_status no_port(gos_ctx *ctx, gos_arena *a, const gos_body *b, bool output,
                          const char *name, gos_loc loc, const char *object, int *which,
                          gos_signal *s) {
    GOS_UNUSED(a);
    GOS_UNUSED(output);
    GOS_UNUSED(name);
    GOS_UNUSED(which);
    GOS_UNUSED(s);
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object, "%s is not a body", b->name);
}

/* Charges and shunt states have no attachment points. */
static const gos_body_ops ops = {.locate = no_location, .port = no_port};

gos_status gos__plate_piezo_take(gos_builder *b, const char *name, const gos_plate *plate,
                                 gos_piezo_wiring *w) {
    gos_piezo_cells cells = {.of = plate,
                             .n = plate->ncell,
                             .layers = true,
                             .warm = true,
                             .choose = choose,
                             .number = number};
    cells.drawn = GOS_NEW(b->arena, int, plate->ncell + 1);
    GOS_TRY(cells.drawn ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < plate->ncell; i++) {
        cells.drawn[i] = i;
    }
    return gos__piezo_wire(b, name, &cells, w);
}

gos_status gos__plate_piezo(gos_builder *b, const gos_body *plate, const gos_piezo_wiring *w) {
    making k = {.b = b, .body = plate, .c = plate->par, .w = *w};
    if (k.w.nentry == 0) {
        return GOS_OK;
    }
    k.object = gos__arena_printf(b->arena, "electrodes of body '%s'", plate->name);
    GOS_TRY(k.object ? GOS_OK : GOS_E_MEMORY);
    gos_body own = {.type = "electrodes",
                    .loc = plate->loc,
                    .name = k.object,
                    .ops = &ops,
                    .rigid_item = -1,
                    .cell_size = 2,
                    .t0 = b->nt};
    GOS_TRY(find_rows(&k));
    GOS_TRY(add_coordinates(&k, &own.v0, &own.nv));
    GOS_TRY(add_rows(&k));
    GOS_TRY(connect(&k));
    own.nt = b->nt - own.t0;
    return gos__add_body(b, &own, NULL);
}
