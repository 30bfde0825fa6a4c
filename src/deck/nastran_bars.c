/* Bars, beams and rods. Nastran's element axes: y in the plane of x and the orientation vector v.
 */
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"
#include "math/section_shapes.h"
#include "math/vec3.h"

#define EQUAL 1e-3 // relative tolerance of section values at stations, as printed by preprocessors

/* values of GOS_DECK_BEAM_GENERAL */
enum { AREA, I1, I2, TORSION, K1, K2, I12 };

/* ---- properties ------------------------------------------------------------------------------ */

static gos_status add_bar(gos_nastran *r, const gos_nastran_card *c, double nsm,
                          gos_deck_section *s) {
    static const char *const what[] = {"area A", "inertia I1", "inertia I2", "torsion constant J"};
    for (int k = 0; k < 4; k++) {
        if (!(s->value[k] > 0)) {
            return gos__nastran_fail(r, c, 0,
                                     "the %s is %g; it must be above 0 here, as a member without "
                                     "this stiffness is not supported",
                                     what[k], s->value[k]);
        }
    }
    if (!(s->value[I12] * s->value[I12] < s->value[I1] * s->value[I2])) {
        return gos__nastran_fail(r, c, 0, "I12 is too large: I1 I2 must be above its square");
    }
    s->kind = GOS_DECK_BEAM_GENERAL;
    s->loc = c->loc;
    GOS_TRY(gos__nastran_material(r, c, 2, nsm / s->value[AREA], &s->material));
    if (r->deck->material[s->material].elastic_law != GOS_DECK_ISOTROPIC) {
        return gos__nastran_fail(r, c, 2, "beams need a MAT1");
    }
    return gos__nastran_add_property(r, c, s);
}

gos_status gos__nastran_read_pbar(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.material = -1};
    double nsm;
    GOS_TRY(gos__nastran_reals(r, c, 3, "section value", 4, s.value));
    GOS_TRY(gos__nastran_real(r, c, 7, "mass per length", 0.0, &nsm));
    GOS_TRY(gos__nastran_reals(r, c, 17, "section value", 3, s.value + K1));
    return add_bar(r, c, nsm, &s);
}

static void tube(double outer, double inner, double *value) {
    const double o = outer * outer, i = inner * inner;
    value[AREA] = M_PI * (o - i);
    value[I1] = value[I2] = M_PI / 4 * (o - i) * (o + i);
    value[TORSION] = 2 * value[I1];
    value[K1] = value[K2] = inner > 0 ? 0.5 : 0.9;
}

static void bar(double width, double height, double *value) {
    value[AREA] = width * height;
    value[I1] = width * height * height * height / 12;
    value[I2] = height * width * width * width / 12;
    value[TORSION] = gos__torsion_rectangle(height, width);
    value[K1] = value[K2] = 5.0 / 6;
}

/* closed, of walls `web` (along y) and `flange`; torsion of a thin closed section */
static void box(double width, double height, double flange, double web, double *value) {
    const double w = width - 2 * web, h = height - 2 * flange;
    const double a = width - web, b = height - flange;
    value[AREA] = width * height - w * h;
    value[I1] = (width * height * height * height - w * h * h * h) / 12;
    value[I2] = (height * width * width * width - h * w * w * w) / 12;
    value[TORSION] = 2 * a * a * b * b / (a / flange + b / web);
    value[K1] = 2 * web * height / value[AREA];
    value[K2] = 2 * flange * width / value[AREA];
}

static gos_status shape(gos_nastran *r, const gos_nastran_card *c, int *n, const double *d,
                        double *value) {
    static const struct {
        const char *name;
        int sizes;
    } shapes[] = {{"ROD", 1}, {"TUBE", 2}, {"TUBE2", 2}, {"BAR", 2}, {"BOX", 4}};
    int i = 0;
    while (i < GOS_COUNT(shapes) && !gos__nastran_is_word(r, c, 4, shapes[i].name)) {
        i++;
    }
    if (i == GOS_COUNT(shapes)) {
        const gos_nastran_field f = gos__nastran_field(r, c, 4);
        return gos__nastran_fail(
            r, c, 4,
            "the cross-section '%.*s' is not supported; give ROD, TUBE, TUBE2, "
            "BAR or BOX, or a PBAR with its values",
            f.n, f.s);
    }
    *n = shapes[i].sizes;
    switch (i) {
    case 0:
    case 1:
        tube(d[0], i == 0 ? 0 : d[1], value);
        break;
    case 2:
        tube(d[0], d[0] - d[1], value);
        break;
    case 3:
        bar(d[0], d[1], value);
        break;
    default:
        box(d[0], d[1], d[2], d[3], value);
    }
    const bool solid = i == 0 || i == 3 ||
                       (i == 1   ? d[1] >= 0 && d[1] < d[0]
                        : i == 2 ? d[1] > 0 && d[1] <= d[0]
                                 : d[2] > 0 && d[3] > 0 && 2 * d[2] < d[1] && 2 * d[3] < d[0]);
    return solid ? GOS_OK : gos__nastran_fail(r, c, 9, "these sizes make no cross-section");
}

gos_status gos__nastran_read_pbarl(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.material = -1};
    double d[4], nsm;
    int n = 0;
    GOS_TRY(gos__nastran_reals(r, c, 9, "size of the cross-section", 4, d));
    GOS_TRY(shape(r, c, &n, d, s.value));
    for (int k = 0; k < n; k++) { // all given
        GOS_TRY(gos__nastran_real(r, c, 9 + k, "size of the cross-section", (double)NAN, &d[k]));
    }
    GOS_TRY(gos__nastran_real(r, c, 9 + n, "mass per length", 0.0, &nsm));
    return add_bar(r, c, nsm, &s);
}

/* Field where K1 follows: after the stations, which must equal end A. */
static gos_status skip_stations(gos_nastran *r, const gos_nastran_card *c, const double *end_a,
                                int *i) {
    static const char *const words[] = {"YES", "YESA", "NO"};
    *i = 9;
    if (c->n >= 9 && !gos__nastran_is_word(r, c, 9, words[0]) &&
        !gos__nastran_is_word(r, c, 9, words[1]) && !gos__nastran_is_word(r, c, 9, words[2])) {
        *i = 17; // points where stress is recovered
    }
    while (gos__nastran_is_word(r, c, *i, words[0]) || gos__nastran_is_word(r, c, *i, words[1]) ||
           gos__nastran_is_word(r, c, *i, words[2])) {
        for (int k = 0; k < 6; k++) {
            double x;
            GOS_TRY(gos__nastran_real(r, c, *i + 2 + k, "section value", end_a[k], &x));
            if (!(fabs(x - end_a[k]) <= EQUAL * fabs(end_a[k]))) {
                return gos__nastran_fail(r, c, *i + 2 + k,
                                         "beams whose section varies are not supported; split the "
                                         "element, or give the values of end A");
            }
        }
        *i += gos__nastran_is_word(r, c, *i, words[0]) ? 16 : 8;
    }
    return GOS_OK;
}

gos_status gos__nastran_read_pbeam(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.material = -1};
    double end_a[6]; // A I1 I2 I12 J NSM
    int i;
    GOS_TRY(gos__nastran_reals(r, c, 3, "section value", 6, end_a));
    GOS_TRY(skip_stations(r, c, end_a, &i));
    GOS_TRY(gos__nastran_real(r, c, i, "shear factor K1", 1.0, &s.value[K1]));
    GOS_TRY(gos__nastran_real(r, c, i + 1, "shear factor K2", 1.0, &s.value[K2]));
    GOS_TRY(gos__nastran_unused(r, c, i + 2, i + 15,
                                "shear relief, mass offsets, warping and neutral axes"));
    s.value[AREA] = end_a[0];
    s.value[I1] = end_a[1];
    s.value[I2] = end_a[2];
    s.value[I12] = end_a[3];
    s.value[TORSION] = end_a[4];
    return add_bar(r, c, end_a[5], &s);
}

static gos_status add_rod(gos_nastran *r, const gos_nastran_card *c, int material, int area,
                          gos_deck_section *s) {
    double nsm, torsion;
    *s = (gos_deck_section){.kind = GOS_DECK_SOLID, .loc = c->loc, .orientation = -1};
    GOS_TRY(gos__nastran_positive(r, c, area, "area", &s->value[0]));
    GOS_TRY(gos__nastran_real(r, c, area + 1, "torsion constant J", 0.0, &torsion));
    if (torsion != 0) {
        gos__nastran_warn(r, c,
                          "the torsional stiffness J of rods is not applied; use CBAR where "
                          "it matters");
    }
    GOS_TRY(gos__nastran_real(r, c, area + 3, "mass per length", 0.0, &nsm));
    return gos__nastran_material(r, c, material, nsm / s->value[0], &s->material);
}

gos_status gos__nastran_read_prod(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s;
    GOS_TRY(add_rod(r, c, 2, 3, &s));
    return gos__nastran_add_property(r, c, &s);
}

/* ---- elements -------------------------------------------------------------------------------- */

static gos_status ends(gos_nastran *r, const gos_nastran_card *c, int i, int node[2]) {
    GOS_TRY(gos__nastran_node(r, c, i, "grid point at end A", &node[0]));
    return gos__nastran_node(r, c, i + 1, "grid point at end B", &node[1]);
}

gos_status gos__nastran_read_rod(gos_nastran *r, const gos_nastran_card *c) {
    int node[2];
    gos_nastran_property *p = NULL;
    gos_deck_section own;
    if (strcmp(c->name, "CONROD") == 0) {
        GOS_TRY(ends(r, c, 2, node));
        GOS_TRY(add_rod(r, c, 4, 5, &own));
        return gos__nastran_cell_add(r, c, GOS_CELL_LINE2, node, &own, NULL);
    }
    GOS_TRY(gos__nastran_property_of(r, c, "PROD", &p));
    GOS_TRY(ends(r, c, 3, node));
    return gos__nastran_cell_add(r, c, GOS_CELL_LINE2, node, &p->section, p);
}

gos_status gos__nastran_vector(gos_nastran *r, const gos_nastran_card *c, int a, double v[3]) {
    int other;
    double own[3], axes[3][3];
    if (gos__nastran_is_whole(r, c, 5) && gos__nastran_blank(r, c, 6) &&
        gos__nastran_blank(r, c, 7)) {
        GOS_TRY(gos__nastran_node(r, c, 5, "grid point G0", &other));
        for (int k = 0; k < 3; k++) {
            v[k] = r->mesh->x[other][k] - r->mesh->x[a][k];
        }
        return GOS_OK;
    }
    const gos_nastran_grid *g = &r->grid[a];
    GOS_TRY(gos__nastran_reals(r, c, 5, "component of the orientation vector", 3, own));
    GOS_TRY(gos__nastran_axes_at(r, g->card, 6, g->cd, r->mesh->x[a], axes));
    for (int k = 0; k < 3; k++) {
        v[k] = own[0] * axes[0][k] + own[1] * axes[1][k] + own[2] * axes[2][k];
    }
    return GOS_OK;
}

gos_status gos__nastran_frame(gos_nastran *r, const gos_nastran_card *c, const double x[3],
                              const double v[3], double axis[3][3]) {
    const double size = gos__norm3(v);
    memcpy(axis[0], x, sizeof axis[0]);
    if (!(gos__unit3(axis[0]) > 0)) {
        return gos__nastran_fail(r, c, 0, "the element has no length; move one of its grid points");
    }
    const double along = gos__dot3(axis[0], v);
    for (int k = 0; k < 3; k++) {
        axis[1][k] = v[k] - along * axis[0][k];
    }
    if (!(gos__unit3(axis[1]) > 1e-5 * size)) {
        return gos__nastran_fail(r, c, 0,
                                 "the orientation vector is zero or along the element; give "
                                 "another one in fields 6 to 8");
    }
    gos__cross3(axis[0], axis[1], axis[2]);
    return GOS_OK;
}

/* Equal offsets across a bar without pins are those of the section; otherwise ends follow. */
static gos_status place_ends(gos_nastran *r, const gos_nastran_card *c, double axis[3][3],
                             const gos_nastran_end e[2], int node[2], gos_deck_section *s) {
    double apart = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        apart = fmax(apart, fabs(e[0].offset[k] - e[1].offset[k]));
        size = fmax(size, fabs(e[0].offset[k]));
    }
    const bool equal = apart <= 1e-9 * size && fabs(gos__dot3(e[0].offset, axis[0])) <= 1e-9 * size;
    if (equal && e[0].pins == 0 && e[1].pins == 0) {
        s->offset[0] = gos__dot3(e[0].offset, axis[1]);
        s->offset[1] = gos__dot3(e[0].offset, axis[2]);
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_end_node(r, c, axis, &e[0], &node[0]));
    return gos__nastran_end_node(r, c, axis, &e[1], &node[1]);
}

gos_status gos__nastran_read_bar(gos_nastran *r, const gos_nastran_card *c) {
    const bool beam = strcmp(c->name, "CBEAM") == 0;
    gos_nastran_property *p;
    gos_nastran_end e[2];
    int node[2];
    double axis[3][3], v[3], x[3];
    GOS_TRY(gos__nastran_property_of(r, c, beam ? "PBEAM or PBAR or PBARL" : "PBAR or PBARL", &p));
    GOS_TRY(ends(r, c, 3, node));
    GOS_TRY(gos__nastran_vector(r, c, node[0], v));
    gos_deck_section s = p->section;
    if (!gos__nastran_blank(r, c, 8) && !gos__nastran_is_word(r, c, 8, "GGG")) {
        return gos__nastran_fail(r, c, 8,
                                 "only GGG is supported: vectors in displacement axes of the ends");
    }
    GOS_TRY(gos__nastran_unused(r, c, 17, 24, "warping and scalar points"));
    e[0].node = node[0];
    e[1].node = node[1];
    GOS_TRY(gos__nastran_read_ends(r, c, e));
    for (int k = 0; k < 3; k++) {
        x[k] = r->mesh->x[node[1]][k] + e[1].offset[k] - r->mesh->x[node[0]][k] - e[0].offset[k];
    }
    GOS_TRY(gos__nastran_frame(r, c, x, v, axis));
    GOS_TRY(place_ends(r, c, axis, e, node, &s));
    for (int k = 0; k < 3; k++) { // equal up to rounding for elements in line
        s.direction[k] = round(axis[1][k] * 1e12) / 1e12 + 0.0;
    }
    return gos__nastran_cell_add(r, c, GOS_CELL_LINE2, node, &s, p);
}
