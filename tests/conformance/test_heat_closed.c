/* Every heat type against closed forms of the absorbed and exchanged heat, balance, scaling with
 * the load factor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/heated.h"
#include "support/suite.h"

static const double travel[3] = {1.0, -2.0, 0.5}; // direction of the flux entries below

static void cosines(const points *p, int l, double c[2]) {
    double d[3][3], n = sqrt(dot(travel, travel));
    directors(p, l, d);
    c[0] = -dot(travel, d[0]) / n;
    c[1] = -dot(travel, d[1]) / n;
}

/* families at a point (y, z), written apart from the section's own tables */
static void families(const gos_section *s, double y, double z, double *phi) {
    double P[GOS_FAMILIES];
    phi[0] = 1.0;
    phi[1] = y;
    phi[2] = z;
    const double angle = atan2(z, y), R = 0.5 * (s->outer + s->inner);
    for (int m = 1; m <= s->modes; m++) {
        phi[2 * m - 1] = (m == 1 ? R : 1.0) * cos(m * angle);
        phi[2 * m] = (m == 1 ? R : 1.0) * sin(m * angle);
    }
    if (s->nfam > 3 && !s->round) {
        gos__legendre(s->nfam - 2, 2 * y / s->height, P, NULL);
        memcpy(&phi[3], &P[2], (size_t)(s->nfam - 3) * sizeof *P);
    }
}

/* theory 2.4 and 2.8: a rectangle's lit faces */
static void lit_rectangle(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, DEEP, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}");
    random_points(r.section, 11, &p);
    evaluate(&r, &p, 1.0, &out);
    double q = 0.7 * 2e3, h = 0.03, b = 0.02;
    for (int l = 0; l < L; l++) {
        double c[2];
        cosines(&p, l, c);
        near_abs(out.heat[l], q * (b * fabs(c[0]) + h * fabs(c[1])), 1e-12);
        near_abs(out.heat[L + l], q * b * h / 2 * c[0], 1e-13);
        near_abs(out.heat[2 * L + l], q * h * b / 2 * c[1], 1e-13);
        for (int k = 3; k < r.section->nfam; k++) {
            near_abs(out.heat[k * L + l], q * b * ((k - 1) % 2 ? c[0] : fabs(c[0])), 1e-12);
        }
    }
    rig_free(&r);
}

/* a circle against the integral of max(0, cosine) times each family over its circumference */
static void lit_circle(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {TUBE, RING, "{type: annulus, outer: 0.015, inner: 0.013, modes: 8}"};
    for (int j = 0; j < GOS_COUNT(sections); j++) {
        rig r;
        points p;
        result out;
        rig_make(&r, sections[j], "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}");
        random_points(r.section, 12, &p);
        evaluate(&r, &p, 1.0, &out);
        double q = 0.7 * 2e3, R = 0.015;
        int n = 20000, nfam = r.section->nfam;
        for (int l = 0; l < L; l++) {
            double c[2], sum[GOS_FAMILIES] = {0}, phi[GOS_FAMILIES];
            cosines(&p, l, c);
            for (int i = 0; i < n; i++) {
                double y = cos(2 * M_PI * i / n), z = sin(2 * M_PI * i / n);
                families(r.section, R * y, R * z, phi);
                double lit = q * fmax(0.0, c[0] * y + c[1] * z) * 2 * M_PI * R / n;
                for (int k = 0; k < nfam; k++) {
                    sum[k] += lit * phi[k];
                }
            }
            for (int k = 0; k < nfam; k++) {
                near_abs(out.heat[k * L + l], sum[k], 1e-6 * q * R * (k == 1 || k == 2 ? R : 1.0));
            }
        }
        rig_free(&r);
    }
}

static void add_entry(const char *section, const char *entry, const points *p, double *heat) {
    rig r;
    result out;
    rig_make(&r, section, entry);
    evaluate(&r, p, 1.0, &out);
    for (int i = 0; i < r.section->nfam * L; i++) {
        heat[i] += out.heat[i];
    }
    rig_free(&r);
}

/* a sun is three fluxes: light (absorptivity 0.7 of the material, half faded), infrared (emissivity
   0.9), albedo (a part 0.3 of the light); ramp of 1/3 s: u = 0.1*3 + 1/2 = 0.8, S = 0.896 */
static void sun_is_three_fluxes(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {DEEP, TUBE, RING, LEAF};
    for (int i = 0; i < GOS_COUNT(sections); i++) {
        double heat[2][GOS_FAMILIES * L] = {{0}};
        rig r;
        points p;
        char text[200];
        rig_make(&r, sections[i], SUN);
        assert_int_equal(r.b.points[0]->nsurf, 3);
        random_points(r.section, 22, &p);
        add_entry(sections[i], SUN, &p, heat[0]);
        gos__format(text, sizeof text,
                    "{type: flux, value: %.17g, direction: [1, -2, 0.5], on: rod}", 1300 * SHADE);
        add_entry(sections[i], text, &p, heat[1]);
        const char *earth = "{type: flux, value: %.17g, absorptivity: %g, "
                            "direction: [\"sin(9*t)\", 0.3, -1], on: rod}";
        gos__format(text, sizeof text, earth, 240.0, 0.9);
        add_entry(sections[i], text, &p, heat[1]);
        gos__format(text, sizeof text, earth, 0.3 * 1300 * SHADE, 0.7);
        add_entry(sections[i], text, &p, heat[1]);
        for (int k = 0; k < r.section->nfam * L; k++) {
            near_abs(heat[0][k], heat[1][k], 1e-10);
        }
        rig_free(&r);
    }
}

/* overrides of the material, and an eclipse that is none */
static void sun_options(void **state) {
    GOS_UNUSED(state);
    points p;
    rig r;
    rig_make(&r, LEAF, SUN);
    random_points(r.section, 23, &p);
    rig_free(&r);
    const char *pair[][2] = {
        {"{type: sun, direction: [1, -2, 0.5], absorptivity: 0.2, smoothing: 1.0e-2, on: rod}",
         "{type: flux, value: 1361, direction: [1, -2, 0.5], absorptivity: 0.2, smoothing: 1.0e-2, "
         "on: rod}"},
        {"{type: sun, flux: 0, direction: [0, 0, 1], earth_infrared: 240, infrared_absorptivity: "
         "0.4, "
         "earth_direction: [0, 1, 0], on: rod}",
         "{type: flux, value: 240, direction: [0, 1, 0], absorptivity: 0.4, on: rod}"},
        {"{type: sun, flux: 900, direction: [0, -1, 0], eclipse: [[1, 0.2], [0.3, 0.3]], on: rod}",
         "{type: flux, value: 900, direction: [0, -1, 0], on: rod}"},
        {"{type: sun, flux: 900, direction: [0, -1, 0], eclipse: [[0.8, 2], [0.1, \"0.2+0.3\"]], "
         "on: rod}",
         "{type: flux, value: 0, direction: [0, -1, 0], on: rod}"},
    };
    for (int i = 0; i < GOS_COUNT(pair); i++) {
        double heat[2][GOS_FAMILIES * L] = {{0}};
        add_entry(LEAF, pair[i][0], &p, heat[0]);
        add_entry(LEAF, pair[i][1], &p, heat[1]);
        for (int k = 0; k < 2 * L; k++) {
            near_abs(heat[0][k], heat[1][k], 1e-10);
        }
    }
    rig_make(&r, LEAF, pair[2][0]);
    assert_int_equal(r.b.nfn, 4); // no function for windows that are none
    rig_free(&r);
}

/* theory 2.7, per area of a plate: a flux that meets either side, one face, both faces alone */
static void lit_plate(void **state) {
    GOS_UNUSED(state);
    const char *on[] = {"rod", "rod.top", "rod.bottom", "[rod.top, rod.bottom]"};
    const double q = 0.7 * 2e3;
    int seen[2] = {0};
    for (int i = 0; i < GOS_COUNT(on); i++) {
        rig r;
        points p;
        result out;
        char text[200];
        gos__format(text, sizeof text,
                    "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: %s}", on[i]);
        rig_make(&r, LEAF, text);
        random_points(r.section, 20, &p);
        evaluate(&r, &p, 1.0, &out);
        for (int l = 0; l < L; l++) {
            double n[3];
            leaf_normal(p.z, l, n);
            const double c = -dot(travel, n) / sqrt(dot(travel, travel));
            const double top = i != 2 ? fmax(0.0, c) : 0.0, bottom = i != 1 ? fmax(0.0, -c) : 0.0;
            near_abs(out.heat[l], q * (top + bottom), 1e-11);
            near_abs(out.heat[L + l], q * LEAF_H / 2 * (top - bottom), 1e-14);
            seen[c > 0.0]++;
        }
        rig_free(&r);
    }
    assert_true(seen[0] > 0 && seen[1] > 0); // light from both sides
}

/* both sides of a plate exchange heat: (T, T_z) see 1 and z at z = +-h/2 */
static void plate_exchange(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, LEAF, "{type: convection, coefficient: 25, ambient: 8, on: rod}");
    random_points(r.section, 21, &p);
    evaluate(&r, &p, 1.0, &out);
    const double h = LEAF_H;
    for (int l = 0; l < L; l++) {
        near_abs(out.heat[l], 25 * 2 * (8 - p.th[l]), 1e-11);
        near_abs(out.heat[L + l], -25 * h * h / 2 * p.th[L + l], 1e-13);
    }
    rig_free(&r);
    rig_make(&r, LEAF, "{type: radiation, sink: 250, emissivity: 0.6, on: rod}");
    evaluate(&r, &p, 1.0, &out);
    for (int l = 0; l < L; l++) {
        const double up = T_REF + p.th[l] + h / 2 * p.th[L + l];
        const double down = T_REF + p.th[l] - h / 2 * p.th[L + l];
        const double a = 0.6 * SIGMA * (pow(250, 4) - pow(up, 4));
        const double b = 0.6 * SIGMA * (pow(250, 4) - pow(down, 4));
        near_abs(out.heat[l], a + b, 1e-9);
        near_abs(out.heat[L + l], h / 2 * (a - b), 1e-12);
    }
    rig_free(&r);
    rig_make(&r, LEAF, "{type: source, value: 1.0e5, on: rod}");
    evaluate(&r, &p, 1.0, &out);
    near_abs(out.heat[0], 1e5 * h, 1e-12);
    near_abs(out.heat[L], 0.0, 0.0);
    rig_free(&r);
    rig_make(&r, LEAF, "{type: flux, value: 2.0e3, on: rod.bottom}");
    evaluate(&r, &p, 1.0, &out);
    near_abs(out.heat[0], 2e3, 1e-12);
    near_abs(out.heat[L], -2e3 * h / 2, 1e-14);
    rig_free(&r);
}

/* the four faces together are the outline, and one face is lit from its own side only */
static void faces_make_outline(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], smoothing: 1.0e-3, on: %s}",
        "{type: flux, value: 2.0e3, on: %s}",
        "{type: convection, coefficient: 25, ambient: 3, on: %s}",
        "{type: radiation, sink: 250, on: %s}",
    };
    const char *places[2] = {"rod", "[rod.top, rod.bottom, rod.right, rod.left]"};
    points p;
    result out[2];
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        for (int j = 0; j < 2; j++) {
            rig r;
            char text[200];
            gos__format(text, sizeof text, entry[i], places[j]);
            rig_make(&r, DEEP, text);
            random_points(r.section, 13, &p);
            evaluate(&r, &p, 1.0, &out[j]);
            rig_free(&r);
        }
        for (int k = 0; k < 7 * L; k++) {
            near_abs(out[0].heat[k], out[1].heat[k], 1e-11);
        }
    }
    const char *names[4] = {"top", "bottom", "right", "left"};
    for (int i = 0; i < 4; i++) {
        rig r;
        char text[200];
        gos__format(text, sizeof text,
                    "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.%s}", names[i]);
        rig_make(&r, BAR, text);
        random_points(r.section, 13, &p);
        evaluate(&r, &p, 1.0, &out[0]);
        for (int l = 0; l < L; l++) {
            double c[2], side = i < 2 ? 0.02 : 0.03;
            cosines(&p, l, c);
            near_abs(out[0].heat[l], 1400 * side * fmax(0.0, (i % 2 ? -1 : 1) * c[i / 2]), 1e-12);
        }
        rig_free(&r);
    }
}

/* the mean receives all that the outline absorbs, point by point */
static void absorbed_power(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, BAR, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}");
    random_points(r.section, 14, &p);
    evaluate(&r, &p, 1.0, &out);
    const gos_section *s = r.section;
    for (int l = 0; l < L; l++) {
        double c[2], sum = 0.0;
        cosines(&p, l, c);
        for (int i = 0; i < s->nface; i++) {
            for (int j = 0; j < s->face[i].count; j++) {
                double lit = fmax(0.0, s->face[i].sign * c[s->face[i].dir]);
                sum += s->outline[s->face[i].first + j].dl * 0.7 * 2e3 * lit;
            }
        }
        near_abs(out.heat[l], sum, 1e-12);
    }
    rig_free(&r);
}

/* theory 2.4, Boley's heating: the top face takes the value whatever its orientation */
static void fixed_face(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, DEEP, "{type: flux, value: 2.0e3, on: rod.top}");
    random_points(r.section, 15, &p);
    evaluate(&r, &p, 0.5, &out);
    for (int l = 0; l < L; l++) {
        near_abs(out.heat[l], 0.5 * 2e3 * 0.02, 1e-12);
        near_abs(out.heat[L + l], 0.5 * 2e3 * 0.02 * 0.015, 1e-13);
        near_abs(out.heat[2 * L + l], 0.0, 0.0);
        for (int k = 3; k < 7; k++) {
            near_abs(out.heat[k * L + l], 0.5 * 2e3 * 0.02, 1e-12);
        }
    }
    rig_free(&r);
}

static void internal_heat(void **state) {
    GOS_UNUSED(state);
    rig r;
    points p;
    result out;
    rig_make(&r, TUBE, "{type: source, value: 1.0e5, on: rod}");
    random_points(r.section, 16, &p);
    evaluate(&r, &p, 1.0, &out);
    near_abs(out.heat[3], 1e5 * r.section->A, 1e-12);
    near_abs(out.heat[L + 3], 0.0, 0.0);
    rig_free(&r);
}

/* outline point number i of n and its length */
static double fine_outline(const gos_section *s, int i, int n, double *y, double *z) {
    if (s->round) {
        double a = 2 * M_PI * i / n;
        *y = s->outer * cos(a);
        *z = s->outer * sin(a);
        return 2 * M_PI * s->outer / n;
    }
    double x[50], w[50];
    int m = n / 4, face = i / m;
    gos__gauss(m, x, w);
    double along = x[i % m] - 0.5, side = face % 2 ? -0.5 : 0.5;
    *y = (face < 2 ? side : along) * s->height;
    *z = (face < 2 ? along : side) * s->width;
    return w[i % m] * (face < 2 ? s->width : s->height);
}

static void radiation_against_fine_quadrature(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {BAR, DEEP, TUBE, RING};
    for (int c = 0; c < GOS_COUNT(sections); c++) {
        rig r;
        points p;
        result out;
        rig_make(&r, sections[c], "{type: radiation, sink: 250, emissivity: 0.6, on: rod}");
        random_points(r.section, 17, &p);
        evaluate(&r, &p, 1.0, &out);
        int nfam = r.section->nfam, n = 200;
        for (int l = 0; l < L; l++) {
            double sum[GOS_FAMILIES] = {0}, phi[GOS_FAMILIES], scale = 0.0;
            for (int i = 0; i < n; i++) {
                double y, z, T = T_REF, dl = fine_outline(r.section, i, n, &y, &z);
                families(r.section, y, z, phi);
                for (int k = 0; k < nfam; k++) {
                    T += phi[k] * p.th[k * L + l];
                }
                for (int k = 0; k < nfam; k++) {
                    sum[k] += 0.6 * SIGMA * (pow(250, 4) - pow(T, 4)) * phi[k] * dl;
                }
                scale += 0.6 * SIGMA * pow(T, 4) * dl;
            }
            for (int k = 0; k < nfam; k++) {
                near_abs(out.heat[k * L + l], sum[k], 1e-12 * scale);
            }
        }
        rig_free(&r);
    }
}

/* theory 2.5: convection of a uniform and of a linear field */
static void convection_closed_form(void **state) {
    GOS_UNUSED(state);
    const char *sections[] = {BAR, TUBE, RING};
    double h = 0.03, b = 0.02, R = 0.015, mean = 0.014;
    const double perimeter[] = {2 * (b + h), 2 * M_PI * R, 2 * M_PI * R};
    const double yy[] = {b * h * h / 2 + h * h * h / 6, M_PI * R * R * R, M_PI * R * mean * mean};
    for (int c = 0; c < 3; c++) {
        rig r;
        points p;
        result out;
        rig_make(&r, sections[c], "{type: convection, coefficient: 25, ambient: 8, on: rod}");
        random_points(r.section, 18, &p);
        evaluate(&r, &p, 1.0, &out);
        for (int l = 0; l < L; l++) {
            near_abs(out.heat[l], 25 * perimeter[c] * (8 - p.th[l]), 1e-11);
            near_abs(out.heat[L + l], -25 * yy[c] * p.th[L + l], 1e-11);
            for (int k = 3; k < r.section->nfam; k++) {
                near_abs(out.heat[k * L + l], -25 * M_PI * R * p.th[k * L + l], 1e-11);
            }
        }
        rig_free(&r);
    }
}

/* ends: outward normals, uniform radiation, fixed flux, power into a point */
static void ends(void **state) {
    GOS_UNUSED(state);
    const double x[3] = {2.0, 0.0, 0.0}, th[GOS_FAMILIES] = {50.0};
    rig r;
    item_result a, e;
    rig_make(&r, DEEP, "{type: flux, value: 1000, direction: [3, 0, 4], on: [rod.start, rod.end]}");
    item_evaluate(&r, r.b.item[0], x, th, 1.0, &a);
    item_evaluate(&r, r.b.item[1], x, th, 1.0, &e);
    near_abs(a.heat[0], 0.7 * 1000 * 0.6 * 6e-4, 1e-14); // travels along +x: it meets the start
    near_abs(e.heat[0], 0.0, 0.0);
    near_abs(a.heat[1], 0.0, 0.0);
    assert_int_equal(r.b.item[0]->m[0].idx[0], 1);
    assert_int_equal(r.b.item[1]->m[0].idx[0], 3);
    rig_free(&r);

    rig_make(&r, TUBE, "{type: radiation, sink: 250, emissivity: 0.98, on: rod.end}");
    item_evaluate(&r, r.b.item[0], NULL, th, 1.0, &a);
    near_abs(a.heat[0], 0.98 * SIGMA * r.section->A * (pow(250, 4) - pow(350, 4)), 1e-12);
    near_abs(a.heat[1], 0.0, 1e-14);
    rig_free(&r);

    rig_make(&r, BAR, "{type: flux, value: 1000, on: rod.end}");
    item_evaluate(&r, r.b.item[0], NULL, th, 0.25, &a);
    near_abs(a.heat[0], 0.25 * 1000 * 6e-4, 1e-14);
    rig_free(&r);

    rig_make(&r, BAR, "{type: heat_flow, value: 12, on: rod.middle}");
    item_evaluate(&r, r.b.item[0], NULL, th, 1.0, &a);
    near_abs(a.heat[0], 12, 0.0);
    near_abs(a.heat[1], 0.0, 0.0);
    rig_free(&r);
}

static void prescribed(void **state) {
    GOS_UNUSED(state);
    double th[GOS_FAMILIES] = {5, 1, 2, 3, 4, 5, 6};
    rig r;
    item_result a;
    rig_make(&r, DEEP, "{type: temperature, value: \"10*t\", on: rod}");
    assert_int_equal(r.b.nh, 2 * 7);
    item_evaluate(&r, r.b.item[0], NULL, th, 1.0, &a);
    near_abs(a.h[0], 5 - 3, 1e-14);
    near_abs(a.h[6], 6, 0.0);
    assert_int_equal(r.b.item[1]->tm[0].idx[0], 7);
    rig_free(&r);

    rig_make(&r, DEEP, "{type: temperature, value: 3, on: [rod.end, rod.middle], gradients: free}");
    assert_int_equal(r.b.nh, 2);
    item_evaluate(&r, r.b.item[1], NULL, th, 0.5, &a);
    near_abs(a.h[0], 5 - 1.5, 1e-14);
    assert_int_equal(r.b.item[1]->tm[0].n, 2);
    rig_free(&r);

    // more families than rows of an item
    rig_make(&r, "{type: rectangle, height: 0.03, width: 0.02, depth_modes: 15}",
             "{type: temperature, value: 3, on: rod.end}");
    assert_int_equal(r.b.nh, 17);
    for (int i = 0; i < r.b.nitem; i++) {
        assert_true(r.b.item[i]->nh <= GOS_ITEM_ROWS);
    }
    item_evaluate(&r, r.b.item[1], NULL, th, 1.0, &a);
    near_abs(a.h[0], 5, 0.0);
    rig_free(&r);
}

/* all heat is proportional to the load factor, and absent without temperatures wanted */
static void load_factor(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}",
        "{type: flux, value: 2.0e3, on: rod}",
        "{type: convection, coefficient: 25, ambient: 3, on: rod}",
        "{type: radiation, sink: 250, on: rod}",
        "{type: source, value: 250, on: rod}",
    };
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        rig r;
        points p;
        result full, part;
        rig_make(&r, DEEP, entry[i]);
        random_points(r.section, 19, &p);
        evaluate(&r, &p, 1.0, &full);
        evaluate(&r, &p, 0.25, &part);
        for (int k = 0; k < 7 * L; k++) {
            near_abs(part.heat[k], 0.25 * full.heat[k], 1e-12);
        }
        const gos_points *block = r.b.points[0];
        const gos_batch none = {.z = p.z, .th = p.th, .ref = p.ref, .hk = 1.0};
        double fn[10];
        fn_values(&r, block->surf[0].fn0, block->surf[0].nfn, 0.0, fn);
        block->surf[0].type->eval(block->surf[0].par, block->law, block->par, 7, fn, 1.0, &none);
        block->surf[0].type->tangent(block->surf[0].par, block->law, block->par, 7, fn, 1.0, &none);
        rig_free(&r);
    }
}

/* edges of the formulas give numbers: light along the axis, edge-on faces, no direction, no heat
 * left */
static void edges(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, 0, 0], on: [rod, rod.end, rod.start]}",
        "{type: flux, value: 2.0e3, direction: [0, \"t-0.3\", 0], on: [rod, rod.end]}",
        "{type: radiation, sink: 0, on: [rod, rod.end]}",
    };
    const char *sections[] = {DEEP, TUBE, RING};
    for (int i = 0; i < 3 * GOS_COUNT(entry); i++) {
        rig r;
        points p = {0};
        result out;
        rig_make(&r, sections[i % 3], entry[i / 3]);
        for (int l = 0; l < L; l++) {
            p.z[l] = 1.0;
            p.ref[2 * L + l] = 1.0;
            p.th[l] = -400.0; // below absolute zero
        }
        evaluate(&r, &p, 1.0, &out);
        for (int k = 0; k < r.section->nfam * L; k++) {
            assert_true(isfinite(out.heat[k]));
        }
        for (int k = 0; k < r.section->nfam * NZ3 * L; k++) {
            assert_true(isfinite(out.Hz[k]));
        }
        // an iterate below absolute zero is warmed back
        assert_true(i / 3 < 2 || (out.heat[0] > 0.0 && out.Ht[0] < 0.0));
        for (int j = 0; j < r.b.nitem; j++) {
            const double x[3] = {0.0, 0.0, 0.0}, th[GOS_FAMILIES] = {-400.0};
            item_result a;
            item_evaluate(&r, r.b.item[j], x, th, 1.0, &a);
            assert_true(isfinite(a.heat[0]) && isfinite(a.x[0]) && isfinite(a.th[0]));
        }
        rig_free(&r);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lit_rectangle),
        cmocka_unit_test(lit_circle),
        cmocka_unit_test(lit_plate),
        cmocka_unit_test(sun_is_three_fluxes),
        cmocka_unit_test(sun_options),
        cmocka_unit_test(plate_exchange),
        cmocka_unit_test(faces_make_outline),
        cmocka_unit_test(absorbed_power),
        cmocka_unit_test(fixed_face),
        cmocka_unit_test(internal_heat),
        cmocka_unit_test(radiation_against_fine_quadrature),
        cmocka_unit_test(convection_closed_form),
        cmocka_unit_test(ends),
        cmocka_unit_test(prescribed),
        cmocka_unit_test(load_factor),
        cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
