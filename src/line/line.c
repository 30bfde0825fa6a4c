/* Shared by line bodies (cable, beam): initial axis, attachment points, local z. */
#include "line/line.h"
#include "base/units.h"

#include <math.h>

#include "line/curve.h"
#include "math/vec3.h"
#include "math/gauss.h"

/* Legendre polynomials along a line body for reduced models. */

gos_status gos__line_check(gos_ctx *ctx, const gos_body *b, int n) {
    if (b->tapered && n > 0) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, b->loc, "reduction",
            "'%s' is tapered, but polynomial fields need a uniform section; reduce it with "
            "`method: complex_modes`, or turn off its temperature (`temperature: off`)",
            b->name);
    }
    if (n > GOS_LINE_FIELDS) {
        return gos__fail_at(
            ctx, GOS_E_LIMIT, b->loc, "reduction",
            "%d polynomials along '%s' are too many; use at most %d, or `fields: modes`", n,
            b->name, GOS_LINE_FIELDS);
    }
    return GOS_OK;
}

void gos__line_polynomials(const gos_body *b, int n, double x, double *P, double *d, double *dd) {
    double p[GOS_LINE_FIELDS + 1], p1[GOS_LINE_FIELDS + 1], p2[GOS_LINE_FIELDS + 1] = {0};
    const double s = 2 / b->length;
    gos__legendre(n - 1, s * x - 1, p, p1);
    for (int k = 2; k < n; k++) {
        p2[k] = p2[k - 2] + (2 * k - 1) * p1[k - 1];
    }
    for (int k = 0; k < n; k++) {
        P[k] = p[k];
        if (d) {
            d[k] = s * p1[k];
        }
        if (dd) {
            dd[k] = s * s * p2[k];
        }
    }
}

void gos__line_thermal(const gos_body *b, gos_body_fields *f) {
    const gos_material *mat = b->material;
    const gos_section *s = b->section;
    const int nf = b->nfam, nt = f->nt, n = nt * nf;
    double x[64], w[64], P[GOS_LINE_FIELDS], d[GOS_LINE_FIELDS],
        G[GOS_LINE_FIELDS * GOS_LINE_FIELDS] = {0};
    gos__gauss(nt, x, w);
    for (int g = 0; g < nt; g++) {
        gos__line_polynomials(b, nt, b->length * x[g], P, d, NULL);
        for (int i = 0; i < nt; i++) {
            for (int j = 0; j < nt; j++) {
                G[i * nt + j] += b->length * w[g] * d[i] * d[j];
            }
        }
    }
    for (int i = 0; i < nt; i++) {
        const double m = b->length / (2 * i + 1);
        for (int p = 0; p < nf; p++) {
            const int row = i * nf + p;
            f->capacity[row * n + row] = mat->density * mat->specific_heat * s->cap[p] * m;
            for (int q = 0; q < nf; q++) {
                f->conduction[row * n + i * nf + q] += mat->conductivity * s->cond[p * nf + q] * m;
            }
            for (int j = 0; j < nt; j++) {
                f->conduction[row * n + j * nf + p] +=
                    mat->conductivity * s->cap[p] * G[i * nt + j];
            }
        }
    }
}

/* Surface points of line bodies at two Gauss points per element: one for a tube, one per face of a
 * rectangle. */

#define POINTS 2 // cubic functions are exact

typedef struct spreading {
    gos_builder *b;
    const gos_body *body;
    const gos_location *location;
    gos_line_station_fn *station;
    const gos_spread_to *to;
} spreading;

static gos_status refuse(const spreading *k, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->to->loc, k->to->object, "'%s' %s", k->to->text,
                        why);
}

/* At the face's centre if directors give it, else on the axis. */
static gos_status add_face(const spreading *k, const gos_line_station *at,
                           const gos_section_face *face, double length) {
    const gos_section *s = k->body->section;
    const double half = 0.5 * (face->dir == 0 ? s->height : s->width) * face->sign;
    gos_spread p = {.kind = GOS_SPREAD_FACE,
                    .x = at->x,
                    .v = {at->slope},
                    .size = length * face->moment[0],
                    .dir = 1 + face->dir,
                    .sign = face->sign};
    memcpy(p.ref, k->body->v_ref, sizeof p.ref);
    if (at->directed) { // z x slope is along y, slope x y along z
        const bool first = (face->dir == 1) == (face->sign > 0);
        const gos_marker part[2] = {at->x, at->d[face->dir]};
        p.kind = GOS_SPREAD_TANGENT;
        p.v[first ? 0 : 1] = at->slope;
        p.v[first ? 1 : 0] = at->d[1 - face->dir];
        GOS_TRY(gos__marker_sum(k->b->arena, 2, part, (const double[]){1, half}, &p.x));
    }
    return k->to->add(k->to->par, &p);
}

static gos_status add_station(const spreading *k, double s, double length) {
    const gos_section *section = k->body->section;
    const gos_location p = {.body = k->body, .s = s, .node = -1, .face = -1};
    gos_line_station at = {.length = 1};
    GOS_TRY(k->station(k->b->arena, k->body, &p, &at));
    length *= at.length;
    if (section->round) {
        const gos_spread tube = {.kind = GOS_SPREAD_ROUND,
                                 .x = at.x,
                                 .v = {at.slope},
                                 .size = length,
                                 .radius = section->outer};
        return k->to->add(k->to->par, &tube);
    }
    for (int i = 0; i < section->nface; i++) {
        if (k->location->face < 0 || k->location->face == i) {
            GOS_TRY(add_face(k, &at, &section->face[i], length));
        }
    }
    return GOS_OK;
}

/* Adds an end face; its normal is along the axis. */
static gos_status add_end(const spreading *k) {
    const gos_section *section = k->body->section;
    const double out = k->location->s > 0.5 * k->body->length ? 1 : -1;
    gos_spread p = {.kind = GOS_SPREAD_FLAT};
    gos_line_station at = {.length = 1};
    GOS_TRY(k->station(k->b->arena, k->body, k->location, &at));
    p.x = at.x;
    p.size = section->A;
    GOS_TRY(gos__marker_sum(k->b->arena, 1, &at.slope, &out, &p.v[0]));
    return k->to->add(k->to->par, &p);
}

gos_status gos__line_spread(gos_builder *b, const gos_body *body, const gos_location *p, int ne,
                            bool free, gos_line_station_fn *station, const gos_spread_to *to) {
    const spreading k = {b, body, p, station, to};
    double x[POINTS], w[POINTS];
    if (p->is_end && !p->whole) {
        return add_end(&k);
    }
    if (!p->whole && p->face < 0) {
        return refuse(&k, "is a point and has no area; use the body, a face or an end");
    }
    if (!body->section->has_outline || (!body->section->round && body->section->nface == 0)) {
        return refuse(&k, "has a section of unknown outline; use a rectangle, circle or annulus");
    }
    if (body->tapered) {
        return refuse(&k, "is tapered, and light on a varying section is not supported; divide it "
                          "into joined bodies of constant section");
    }
    if (free && !body->section->round) {
        return refuse(&k, "is a cable whose section rotates with a body or is transported "
                          "(carried_by, frame); light on its faces is not supported; give it a "
                          "`normal` or a round section, or use an ancf_beam");
    }
    gos__gauss(POINTS, x, w);
    for (int i = 0; i < POINTS * ne; i++) {
        const double h = body->length / ne;
        GOS_TRY(add_station(&k, (i / POINTS + x[i % POINTS]) * h, w[i % POINTS] * h));
    }
    return GOS_OK;
}

/* ---- the axis -------------------------------------------------------------------------------- */

/* The key of a non-straight axis, at most one; *key may be NULL. */
static gos_status shape_of(gos_builder *b, const gos_node *entry, const char *object,
                           const char **key) {
    static const char *const keys[] = {"through", "arc", "length"};
    *key = NULL;
    for (int i = 0; i < GOS_COUNT(keys); i++) {
        if (!gos__node_given(entry, keys[i])) {
            continue;
        }
        if (*key) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, keys[i]), object,
                                "the shape of the axis is given twice; use only one of %s and %s",
                                *key, keys[i]);
        }
        *key = keys[i];
    }
    return GOS_OK;
}

static void straight(const double from[3], double h, const double t[3], gos_line *line) {
    for (int i = 0; i <= line->last; i++) {
        for (int k = 0; k < 3; k++) {
            line->x[i][k] = from[k] + h * i * t[k];
            line->t[i][k] = t[k];
        }
    }
}

static gos_status read_points(gos_builder *b, const gos_line_def *def, const char *object, int *n,
                              double **points) {
    const gos_node *list = def->through;
    if (list->kind != GOS_LIST || list->n == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                            "through is not a list of points; give those between from and to, like "
                            "[[0.5, 0.1, 0]]");
    }
    double *x = *points = GOS_NEW(b->arena, double, 3 * (list->n + 2));
    if (!x) {
        return GOS_E_MEMORY;
    }
    memcpy(x, def->from, sizeof def->from);
    for (const gos_node *p = list->child; p; p = p->next) {
        if (p->kind != GOS_LIST || p->n != 3) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, p->loc, object,
                                "a point of through needs three coordinates, [x, y, z]");
        }
        x += 3;
        int k = 0;
        for (const gos_node *c = p->child; c; c = c->next, k++) {
            if (c->kind != GOS_SCALAR) {
                return gos__fail_at(b->ctx, GOS_E_INPUT, c->loc, object,
                                    "a coordinate of through must be a number, like [0, 0, 1]");
            }
            GOS_TRY(gos__quantity(b->model, c->text, c->loc, object, &(gos_measure){.unit = "m"},
                                  &x[k]));
        }
    }
    memcpy(x + 3, def->to, sizeof def->to);
    *n = list->n + 2;
    x = *points;
    for (int i = 1; i < *n; i++) {
        double d[3];
        gos__sub3(x + 3 * i, x + 3 * (i - 1), d);
        if (!(gos__norm3(d) > 1e-12)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                                "two consecutive points of the axis are equal; give in `through` "
                                "only points between from and to");
        }
    }
    return GOS_OK;
}

static gos_status make_hanging(gos_builder *b, const gos_node *entry, const char *object,
                               const gos_line_def *def, double distance, gos_curve *c) {
    const gos_loc loc = gos__key_loc(entry, "length");
    if (!(gos__norm3(b->gravity) > 0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "a slack body has no shape without gravity; give the model `gravity`, "
                            "or use `through` or `arc` instead of `length`");
    }
    if (!(def->slack > distance)) {
        const char *m = gos__unit_label(b->model->units, "m", GOS_UNIT_BUFFER);
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "length is %g %s, but the ends are %g %s apart; a slack body must be "
                            "longer; a straight body needs no length",
                            def->slack, m, distance, m);
    }
    if (!gos__curve_hanging(def->from, def->to, def->slack, b->gravity, c)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "one end is vertically above the other, so the slack body would be "
                            "folded; move them apart, or specify `through` points");
    }
    return GOS_OK;
}

static gos_status make_curve(gos_builder *b, const gos_node *entry, const char *object,
                             const gos_line_def *def, const char *key, double distance,
                             gos_curve *c) {
    if (key[0] == 'l') {
        return make_hanging(b, entry, object, def, distance, c);
    }
    if (key[0] == 't') {
        int n = 0;
        double *x = NULL;
        GOS_TRY(read_points(b, def, object, &n, &x));
        return gos__curve_spline(b->arena, n, x, c);
    }
    if (!gos__curve_arc(def->from, def->arc, def->to, c)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "arc"), object,
                            "from, arc and to are collinear; give a point of the circle between "
                            "the ends, or remove arc");
    }
    return GOS_OK;
}

/* ---- local z --------------------------------------------------------------------------------- */

/* Perpendicular to the tangents at the start and where it deviates most. */
static void default_normal(const gos_line *line, double v[3]) {
    const double *t0 = line->t[0];
    double most = 1e-9;
    v[0] = v[1] = v[2] = 0;
    for (int i = 1; i <= line->last; i++) {
        double n[3];
        gos__cross3(t0, line->t[i], n);
        if (gos__norm3(n) > (1 + 1e-6) * most) { // of equal ones the first
            most = gos__norm3(n);
            memcpy(v, n, sizeof n);
        }
    }
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
        v[fabs(t0[2]) > cos(20 * M_PI / 180) ? 1 : 2] = 1;
    }
}

/* v += factor (v . d) d / (d . d); -2 reflects v */
static void add_along(double factor, const double d[3], double v[3]) {
    const double f = factor * gos__dot3(v, d) / gos__dot3(d, d);
    for (int k = 0; k < 3; k++) {
        v[k] += f * d[k];
    }
}

/* Rotation-minimising frame by double reflection, fourth order. Wang et al., ACM Trans. Graph. 27
 * (2008) 2. */
static void carry_normal(gos_line *line) {
    for (int i = 0; i < line->last; i++) {
        double chord[3], t[3], turn[3], *v = line->v[i + 1];
        gos__sub3(line->x[i + 1], line->x[i], chord);
        memcpy(t, line->t[i], sizeof t);
        memcpy(v, line->v[i], sizeof line->v[i]);
        if (line->shape == GOS_LINE_STRAIGHT) {
            continue;
        }
        add_along(-2, chord, t);
        add_along(-2, chord, v);
        gos__sub3(line->t[i + 1], t, turn);
        if (gos__dot3(turn, turn) > 0) {
            add_along(-2, turn, v);
        }
        add_along(-1, line->t[i + 1], v); // removes round-off
        const double n = gos__norm3(v);
        for (int k = 0; k < 3; k++) {
            v[k] /= n;
        }
    }
}

static gos_status make_normal(gos_builder *b, const gos_node *entry, const char *object,
                              const double normal[3], gos_line *line) {
    double *v = line->v[0];
    memcpy(v, normal, 3 * sizeof *v);
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
        default_normal(line, v);
    }
    const double n = gos__norm3(v), along = gos__dot3(v, line->t[0]) / n;
    if (!(fabs(along) < 0.99)) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, gos__key_loc(entry, "normal"), object,
            "normal is parallel to the body; give a vector perpendicular to it [-]");
    }
    for (int k = 0; k < 3; k++) {
        v[k] = v[k] / n - along * line->t[0][k];
    }
    const double m = gos__norm3(v);
    for (int k = 0; k < 3; k++) {
        v[k] /= m;
    }
    carry_normal(line);
    return GOS_OK;
}

gos_status gos__line_make(gos_builder *b, const gos_node *entry, const char *object,
                          const gos_line_def *def, int last, gos_line *line) {
    double axis[3];
    const char *key;
    GOS_TRY(shape_of(b, entry, object, &key));
    gos__sub3(def->to, def->from, axis);
    const double distance = gos__norm3(axis);
    if (!(distance > 1e-12)) { // equal up to round-off
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "to"), object,
                            "from and to are the same point; the body needs a length");
    }
    const size_t nodes = last + 1L;
    *line = (gos_line){.last = last, .length = distance, .spacing = distance / last};
    line->x = gos__arena_alloc(b->arena, nodes, sizeof *line->x);
    line->t = gos__arena_alloc(b->arena, nodes, sizeof *line->t);
    line->v = gos__arena_alloc(b->arena, nodes, sizeof *line->v);
    if (!line->x || !line->t || !line->v) {
        return GOS_E_MEMORY;
    }
    if (!key) {
        for (int k = 0; k < 3; k++) {
            axis[k] /= distance;
        }
        straight(def->from, line->spacing, axis, line);
    } else {
        gos_curve c;
        GOS_TRY(make_curve(b, entry, object, def, key, distance, &c));
        line->shape = key[0] == 'l' ? GOS_LINE_HANGING : GOS_LINE_CURVED;
        line->length = c.length;
        line->spacing = c.length / last;
        for (int i = 0; i <= last; i++) {
            c.at(&c, i < last ? line->spacing * i : c.length, line->x[i], line->t[i]);
        }
    }
    return make_normal(b, entry, object, def->normal, line);
}

/* ---- sections along the axis ----------------------------------------------------------------- */

static gos_status taper_locations(gos_builder *b, const gos_node *entry, const char *object,
                                  const gos_line_def *def, const gos_line *line, gos_taper *t) {
    const gos_loc loc = gos__key_loc(entry, "taper_at");
    const bool given = gos__node_given(entry, "taper_at") != NULL;
    if (given && def->taper_at.n != def->taper.n) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "taper has %d sections, but taper_at has %d positions; give one for each", def->taper.n,
            def->taper_at.n);
    }
    for (int i = 1; i < t->n; i++) {
        t->at[i] = given ? def->taper_at.v[i - 1] : line->length * i / (t->n - 1);
        if (!(t->at[i] > t->at[i - 1]) || !(t->at[i] <= line->length * (1 + 1e-12))) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                "taper_at must ascend from 0 to at most the length, %g %s; give %s",
                                line->length,
                                gos__unit_label(b->model->units, "m", GOS_UNIT_BUFFER),
                                i > 1 ? "other positions" : "positions along the axis");
        }
    }
    return GOS_OK;
}

gos_status gos__line_taper(gos_builder *b, const gos_node *entry, const char *object,
                           const gos_line_def *def, const gos_line *line, gos_taper *taper) {
    *taper = (gos_taper){0};
    if (def->taper.n == 0) {
        return gos__node_given(entry, "taper_at")
                   ? gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "taper_at"), object,
                                  "taper_at gives the positions of the sections in `taper`; give "
                                  "`taper`, or remove it")
                   : GOS_OK;
    }
    const int n = taper->n = def->taper.n + 1;
    taper->section = GOS_NEW(b->arena, const gos_section *, n);
    taper->at = GOS_NEW(b->arena, double, n);
    if (!taper->section || !taper->at) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        const char *name = i ? def->taper.v[i - 1] : def->section;
        taper->section[i] = gos__find_section(b, name);
        if (!taper->section[i]) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, def->taper.loc[i ? i - 1 : 0], object,
                                "there is no section '%s'; give one of `sections`", name);
        }
        const char *why = i ? gos__taper_between(taper->section[i - 1], taper->section[i]) : NULL;
        if (why) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, def->taper.loc[i - 1], object,
                                "cannot interpolate between sections '%s' and '%s': %s",
                                i > 1 ? def->taper.v[i - 2] : def->section, name, why);
        }
    }
    return taper_locations(b, entry, object, def, line, taper);
}

/* ---- attachment points ----------------------------------------------------------------------- */

static void place_at(const gos_line *line, double s, gos_location *p) {
    const double i = s / line->spacing;
    p->s = s;
    p->node = fabs(i - round(i)) < 1e-9 ? (int)lround(i) : -1;
    for (int k = 0; k < 3; k++) {
        p->x[k] = p->node >= 0 && line->shape != GOS_LINE_STRAIGHT
                      ? line->x[p->node][k]
                      : line->x[0][k] + s * line->t[0][k];
    }
}

/* Parses "word(number)". */
static bool argument_of(const char *ref, const char *word, double *value) {
    const size_t n = strlen(word), all = strlen(ref);
    return all > n + 2 && strncmp(ref, word, n) == 0 && ref[n] == '(' && ref[all - 1] == ')' &&
           gos__number_parse(ref + n + 1, all - n - 2, value);
}

gos_status gos__line_locate(gos_ctx *ctx, const gos_body *b, const gos_line *line, const char *ref,
                            gos_loc loc, const char *object, gos_location *p) {
    if (strcmp(ref, "start") == 0 || strcmp(ref, "end") == 0) {
        place_at(line, ref[0] == 's' ? 0 : line->spacing * line->last, p);
        p->is_end = true;
        return GOS_OK;
    }
    double s;
    if (argument_of(ref, "node", &s)) {
        if (!(s >= 0 && s <= line->last) || s != floor(s)) {
            return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                                "no '%s' on '%s'; its nodes are node(0) to node(%d)", ref, b->name,
                                line->last);
        }
        place_at(line, line->spacing * s, p);
        p->is_end = s == 0 || s == line->last;
        return GOS_OK;
    }
    if (argument_of(ref, "at", &s)) {
        if (!(s >= 0 && s <= b->length * (1 + 1e-12))) {
            return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                                "no '%s' on '%s'; give at(s) with 0 <= s <= %g", ref, b->name,
                                b->length);
        }
        place_at(line, fmin(s, b->length), p);
        return GOS_OK;
    }
    for (int i = 0; i < b->section->nface; i++) {
        if (strcmp(ref, b->section->face[i].name) == 0) {
            p->face = i;
            return GOS_OK;
        }
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        "no location '%s' on '%s'; it has start, end, node(i), at(s)%s", ref,
                        b->name,
                        b->section->nface ? " and the faces top, bottom, left, right" : "");
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* Entries in row r, column c <= r, numbered over families of nodes; first: first temperature. */
static gos_status add_heat_entry(gos_builder *b, const gos_body *body, int first, int r, int c,
                                 const double sum[3], bool own) {
    const gos_material *mat = body->material;
    const double conduction = mat->conductivity * (sum[2] + (own ? sum[1] : 0));
    if (conduction != 0) {
        GOS_TRY(gos__add_symmetric(b, &b->conduction, first + r, first + c, conduction));
    }
    return own ? gos__add_symmetric(b, &b->capacity, first + r, first + c,
                                    mat->density * mat->specific_heat * sum[0])
               : GOS_OK;
}

gos_status gos__line_add_heat(gos_builder *b, const gos_body *body, int ne, int nodes,
                              gos_line_heat_fn *integrals) {
    const int nf = body->nfam;
    for (int e = 0; e < ne; e++) {
        for (int r = 0; r < nodes * nf; r++) {
            for (int c = 0; c <= r; c++) {
                const int node[2] = {r / nf, c / nf}, family[2] = {r % nf, c % nf};
                double sum[3];
                integrals(body, e, node, family, sum);
                GOS_TRY(add_heat_entry(b, body, body->t0 + (nodes - 1) * e * nf, r, c, sum,
                                       family[0] == family[1]));
            }
        }
    }
    return GOS_OK;
}
