/* Cross-sections (`sections:` entries): geometry and temperature families. */
#include "parts/section.h"
#include "base/units.h"

#include <math.h>

#include "math/gauss.h"
#include "math/section_shapes.h"

/* Fourier temperatures around a thin tube (theory 2.8), uniform through the wall w:
 *
 *     T = a_0 + sum_m (a_m cos m phi + b_m sin m phi),   m = 1 .. modes,
 *
 * at the mean radius R, phi from local y to z. Families: T = a_0, T_y = a_1/R, T_z = b_1/R, then
 * a_2, b_2, a_3, ... [K], uncoupled with capacity A/2 and conduction (A/2) m^2/R^2, A = 2 pi R w.
 * Heat enters through the outer circle. */

static void set_ring_point(const gos_section *s, double dl, double angle, gos_section_point *p) {
    const double R = 0.5 * (s->outer + s->inner);
    p->dl = dl;
    p->phi[0] = 1.0;
    for (int m = 1; m <= s->modes; m++) {
        const double unit = m == 1 ? R : 1.0;
        p->phi[2 * m - 1] = unit * cos(m * angle);
        p->phi[2 * m] = unit * sin(m * angle);
    }
}

/* Replaces linear by Fourier temperatures up to cos(modes phi); 1 <= modes <=
 * GOS_LIMIT_CIRCLE_MODES. */
static gos_status fourier_families(gos_section *s, int modes, gos_arena *a) {
    static const char *const names[] = {"T",  "T_y", "T_z", "a2", "b2", "a3", "b3", "a4", "b4",
                                        "a5", "b5",  "a6",  "b6", "a7", "b7", "a8", "b8"};
    const double R = 0.5 * (s->outer + s->inner);
    s->modes = modes;
    s->nfam = 2 * modes + 1;
    memset(s->cond, 0, sizeof s->cond);
    for (int k = 0; k < s->nfam; k++) {
        const int m = (k + 1) / 2;
        s->family[k] = names[k];
        s->cap[k] = s->A * (m == 0 ? 1.0 : 0.5) * (m == 1 ? R * R : 1.0);
        s->cond[k * s->nfam + k] = s->cap[k] * m * m / (R * R);
    }
    // n equispaced points are exact to degree n - 1; phi T^4 has degree 5 modes. Multiples of 4:
    // sums odd in y or z vanish
    const int n = 4 * ((5 * modes) / 4 + 1);
    gos_section_point *outline = GOS_NEW(a, gos_section_point, n);
    gos_section_point *end = GOS_NEW(a, gos_section_point, n);
    if (!outline || !end) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        const double angle = 2.0 * M_PI * (i + 0.5) / n;
        set_ring_point(s, 2.0 * M_PI * s->outer / n, angle, &outline[i]);
        set_ring_point(s, s->A / n, angle, &end[i]);
    }
    s->noutline = s->nend = n;
    s->outline = outline;
    s->end = end;
    return GOS_OK;
}

#define MAX_GAUSS (5 * GOS_LIMIT_DEPTH_MODES / 2 + 1)
/* inner/outer at which ln(outer/inner), conduction around a wall, exceeds w/R by 1 % */
#define THIN 0.7
#define CIRCLE_POINTS 8 // exact to degree 7; phi T^4 of a linear field has 5

/* ---- quadrature and families --------------------------------------------------------------- */

static void set_point(const gos_section *s, double dl, double y, double z, gos_section_point *p) {
    p->dl = dl;
    p->phi[0] = 1.0;
    p->phi[1] = y;
    p->phi[2] = z;
    if (s->nfam > 3) {
        double P[GOS_FAMILIES];
        gos__legendre(s->nfam - 2, 2.0 * y / s->height, P, NULL);
        memcpy(&p->phi[3], &P[2], (s->nfam - 3) * sizeof *P);
    }
}

/* uncoupled families: mean, y, z */
static void linear_families(gos_section *s) {
    static const char *const names[] = {"T", "T_y", "T_z"};
    memcpy(s->family, names, sizeof names);
    s->nfam = 3;
    s->cap[0] = s->A;
    s->cap[1] = s->Iz;
    s->cap[2] = s->Iy;
    s->cond[1 * 3 + 1] = s->A;
    s->cond[2 * 3 + 2] = s->A;
}

/* catches underflow and overflow */
static gos_status check(gos_model *m, const gos_node *entry, const char *object,
                        const gos_section *s) {
    const double v[] = {s->A, s->Iy, s->Iz, s->J};
    for (int i = 0; i < GOS_COUNT(v); i++) {
        if (!(v[i] > 0.0) || !isfinite(v[i])) {
            return gos__fail_at(m->ctx, GOS_E_INPUT, entry->loc, object,
                                "area and second moments are not positive finite numbers; check "
                                "the dimensions (metres)");
        }
    }
    return GOS_OK;
}

/* ---- stiffness of beams with shear and torsion ----------------------------------------------- */

#define SHEAR_FACTORS(type)                                                                        \
    {                                                                                              \
        .name = "shear_factors", .kind = GOS_K_VECTOR, .unit = "-", .shape = 2, .lo = 0.0,         \
        .hi = HUGE_VAL, .flags = GOS_P_LO_OPEN, .offset = offsetof(type, shear),                   \
        .doc =                                                                                     \
            "beams: shear factors for forces along local y and z, instead of those of the shape"   \
    }
#define TORSION_CONSTANT(type)                                                                     \
    {                                                                                              \
        .name = "torsion_constant", .kind = GOS_K_NUMBER, .unit = "m^4", .lo = 0.0,                \
        .hi = HUGE_VAL, .flags = GOS_P_LO_OPEN, .offset = offsetof(type, torsion),                 \
        .doc = "beams: torsion constant, instead of Saint-Venant's of the shape"                   \
    }

static void override(gos_section *s, const double shear[2], double torsion) {
    memcpy(s->shear, shear, sizeof s->shear);
    s->own_torsion = torsion > 0.0;
    s->J = torsion > 0.0 ? torsion : s->J;
}

void gos__shear_factors(const gos_section *s, double nu, double k[2]) {
    const double shape = s->round         ? gos__shear_tube(nu, s->inner / s->outer)
                         : s->has_outline ? gos__shear_rectangle(nu)
                                          : 1.0;
    for (int i = 0; i < 2; i++) {
        k[i] = s->shear[i] > 0.0 ? s->shear[i] : shape;
    }
}

/* ---- rectangle ----------------------------------------------------------------------------- */

typedef struct rectangle {
    double height, width;
    int depth_modes;
    double shear[2], torsion;
} rectangle;

static const gos_param rectangle_params[] = {
    {.name = "height",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(rectangle, height),
     .doc = "side along local y"},
    {.name = "width",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(rectangle, width),
     .doc = "side along local z"},
    {.name = "depth_modes",
     .kind = GOS_K_INT,
     .unit = "-",
     .lo = 1,
     .hi = GOS_LIMIT_DEPTH_MODES,
     .def = "1",
     .offset = offsetof(rectangle, depth_modes),
     .doc = "highest Legendre order of the temperature along the height: 1 is linear, 5 resolves "
            "fast heating to 6 digits"},
    SHEAR_FACTORS(rectangle),
    TORSION_CONSTANT(rectangle),
    {.name = NULL},
};

/* families 1, y, z, P_2(2y/h), ... */
static void rectangle_families(gos_section *s, int order) {
    static const char *const names[] = {"P2", "P3",  "P4",  "P5",  "P6",  "P7",  "P8",
                                        "P9", "P10", "P11", "P12", "P13", "P14", "P15"};
    linear_families(s);
    s->nfam = order + 2;
    memset(s->cond, 0, sizeof s->cond);
    for (int k = 3; k < s->nfam; k++) {
        s->family[k] = names[k - 3];
        s->cap[k] = s->A / (2 * k - 1); // order k - 1
    }
    double f = 2.0 * s->A / (s->height * s->height);
    for (int i = 1; i <= order; i++) {
        for (int j = 1; j <= order; j++) {
            if ((i + j) % 2) {
                continue;
            }
            int m = i < j ? i : j;
            int ki = i == 1 ? 1 : i + 1, kj = j == 1 ? 1 : j + 1;
            double scale = (i == 1 ? 0.5 * s->height : 1.0) * (j == 1 ? 0.5 * s->height : 1.0);
            s->cond[ki * s->nfam + kj] = f * scale * m * (m + 1);
        }
    }
    s->cond[2 * s->nfam + 2] = s->A;
}

/* Adds Gauss points of a face with normal dir. */
static void add_face(gos_section *s, gos_section_point *outline, const char *name, int dir,
                     double sign, int n) {
    double x[MAX_GAUSS], w[MAX_GAUSS];
    gos__gauss(n, x, w);
    gos_section_face *f = &s->face[s->nface++];
    f->name = name;
    f->dir = dir;
    f->sign = sign;
    f->first = s->noutline;
    f->count = n;
    double side = dir == 0 ? s->width : s->height;
    double at = 0.5 * sign * (dir == 0 ? s->height : s->width);
    for (int i = 0; i < n; i++) {
        double along = (x[i] - 0.5) * side;
        set_point(s, side * w[i], dir == 0 ? at : along, dir == 0 ? along : at,
                  &outline[s->noutline++]);
    }
    // functions of y are constant on +-y faces, integrate to zero on +-z
    f->moment[0] = side;
    f->moment[dir == 0 ? 1 : 2] = side * at;
    for (int k = 3; dir == 0 && k < s->nfam; k++) {
        f->moment[k] = (k - 1) % 2 ? side * sign : side;
    }
}

/* Quadrature of the area, exact for phi T^4. */
static void rectangle_end(gos_section *s, gos_section_point *end, int ny, int nz) {
    double x[MAX_GAUSS], w[MAX_GAUSS], xz[MAX_GAUSS], wz[MAX_GAUSS];
    gos__gauss(ny, x, w);
    gos__gauss(nz, xz, wz);
    for (int i = 0; i < ny; i++) {
        for (int j = 0; j < nz; j++) {
            set_point(s, s->A * w[i] * wz[j], (x[i] - 0.5) * s->height, (xz[j] - 0.5) * s->width,
                      &end[s->nend++]);
        }
    }
}

static gos_status make_rectangle(gos_model *m, const gos_node *entry, const char *object,
                                 gos_arena *a, gos_section *s) {
    rectangle in = {0};
    GOS_TRY(gos__fill(m, entry, rectangle_params, object, a, &in));
    double h = in.height, b = in.width;
    s->height = h;
    s->width = b;
    s->A = b * h;
    s->Iz = b * h * h * h / 12.0;
    s->Iy = h * b * b * b / 12.0;
    s->J = gos__torsion_rectangle(h, b);
    override(s, in.shear, in.torsion);
    s->has_outline = true;
    rectangle_families(s, in.depth_modes);

    // phi T^4 has degrees 5 J, 5; n Gauss points are exact to degree 2 n - 1
    int ny = (5 * in.depth_modes + 2) / 2, nz = 3;
    gos_section_point *outline = GOS_NEW(a, gos_section_point, 2 * (ny + nz));
    gos_section_point *end = GOS_NEW(a, gos_section_point, ny * nz);
    if (!outline || !end) {
        return GOS_E_MEMORY;
    }
    add_face(s, outline, "top", 0, 1.0, nz);
    add_face(s, outline, "bottom", 0, -1.0, nz);
    add_face(s, outline, "right", 1, 1.0, ny);
    add_face(s, outline, "left", 1, -1.0, ny);
    rectangle_end(s, end, ny, nz);
    s->outline = outline;
    s->end = end;
    return GOS_OK;
}

static const gos_section_ops rectangle_ops = {make_rectangle};

const gos_type gos__section_rectangle = {
    .section = "sections",
    .name = "rectangle",
    .doc = "Solid rectangle with faces top (+y), bottom (-y), right (+z), left (-z).",
    .params = rectangle_params,
    .size = sizeof(rectangle),
    .example = "bar: {type: rectangle, height: 0.01, width: 0.02}",
    .ops = &rectangle_ops,
};

/* ---- circle and annulus -------------------------------------------------------------------- */

/* annulus, or solid circle for inner = 0 */
static gos_status make_ring(double outer, double inner, gos_arena *a, gos_section *s) {
    double ro2 = outer * outer, ri2 = inner * inner;
    s->outer = outer;
    s->inner = inner;
    s->round = true;
    s->has_outline = true;
    s->A = M_PI * (ro2 - ri2);
    s->Iy = s->Iz = 0.25 * M_PI * (ro2 - ri2) * (ro2 + ri2);
    s->J = 2.0 * s->Iy;
    linear_families(s);

    // exact for degree 5 in y and z
    double x[2], w[2];
    gos__gauss(2, x, w);
    gos_section_point *outline = GOS_NEW(a, gos_section_point, CIRCLE_POINTS);
    gos_section_point *end = GOS_NEW(a, gos_section_point, 2 * CIRCLE_POINTS);
    if (!outline || !end) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < CIRCLE_POINTS; i++) {
        // no point exactly edge-on
        double phi = 2.0 * M_PI * (i + 0.5) / CIRCLE_POINTS, c = cos(phi), sn = sin(phi);
        set_point(s, 2.0 * M_PI * outer / CIRCLE_POINTS, outer * c, outer * sn,
                  &outline[s->noutline++]);
        for (int j = 0; j < 2; j++) {
            double r = sqrt(ri2 + (ro2 - ri2) * x[j]);
            set_point(s, w[j] * s->A / CIRCLE_POINTS, r * c, r * sn, &end[s->nend++]);
        }
    }
    s->outline = outline;
    s->end = end;
    return GOS_OK;
}

/* Requires exactly one of both keys. */
static gos_status one_radius(gos_model *m, const gos_node *entry, const char *object,
                             const char *rkey, const char *dkey, double diameter, double *radius) {
    bool r = gos__node_given(entry, rkey) != NULL, d = gos__node_given(entry, dkey) != NULL;
    if (r == d) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, entry->loc, object,
                            "%s; give one of %s and %s [%s]",
                            r ? "the radius is given twice" : "the radius is missing", rkey, dkey,
                            gos__unit_label(m->units, "m", GOS_UNIT_BUFFER));
    }
    if (d) {
        *radius = 0.5 * diameter;
    }
    return GOS_OK;
}

typedef struct circle {
    double radius, diameter;
    double shear[2], torsion;
} circle;

static const gos_param circle_params[] = {
    {.name = "radius",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(circle, radius),
     .doc = "radius; or give diameter"},
    {.name = "diameter",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(circle, diameter),
     .doc = "diameter, instead of radius"},
    SHEAR_FACTORS(circle),
    TORSION_CONSTANT(circle),
    {.name = NULL},
};

static gos_status make_circle(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_section *s) {
    circle in = {0};
    GOS_TRY(gos__fill(m, entry, circle_params, object, a, &in));
    GOS_TRY(one_radius(m, entry, object, "radius", "diameter", in.diameter, &in.radius));
    GOS_TRY(make_ring(in.radius, 0.0, a, s));
    override(s, in.shear, in.torsion);
    return GOS_OK;
}

static const gos_section_ops circle_ops = {make_circle};

const gos_type gos__section_circle = {
    .section = "sections",
    .name = "circle",
    .doc = "Solid circle.",
    .params = circle_params,
    .size = sizeof(circle),
    .example = "wire: {type: circle, diameter: 2.0e-3}",
    .ops = &circle_ops,
};

typedef struct annulus {
    double outer, inner, outer_diameter, inner_diameter;
    int modes;
    double shear[2], torsion;
} annulus;

static const gos_param annulus_params[] = {
    {.name = "outer",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(annulus, outer),
     .doc = "outer radius; or give outer_diameter"},
    {.name = "inner",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(annulus, inner),
     .doc = "inner radius; or give inner_diameter"},
    {.name = "outer_diameter",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(annulus, outer_diameter),
     .doc = "outer diameter, instead of outer"},
    {.name = "inner_diameter",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(annulus, inner_diameter),
     .doc = "inner diameter, instead of inner"},
    {.name = "modes",
     .kind = GOS_K_INT,
     .unit = "-",
     .lo = 1,
     .hi = GOS_LIMIT_CIRCLE_MODES,
     .offset = offsetof(annulus, modes),
     .doc = "highest Fourier order of the temperature around a thin wall, T, T_y, T_z, a2, b2, "
            "...; default: T + y T_y + z T_z as in a solid section"},
    SHEAR_FACTORS(annulus),
    TORSION_CONSTANT(annulus),
    {.name = NULL},
};

static gos_status make_annulus(gos_model *m, const gos_node *entry, const char *object,
                               gos_arena *a, gos_section *s) {
    annulus in = {0};
    GOS_TRY(gos__fill(m, entry, annulus_params, object, a, &in));
    GOS_TRY(one_radius(m, entry, object, "outer", "outer_diameter", in.outer_diameter, &in.outer));
    GOS_TRY(one_radius(m, entry, object, "inner", "inner_diameter", in.inner_diameter, &in.inner));
    if (!(in.inner < in.outer)) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, entry->loc, object,
                            "the inner radius %g is not smaller than the outer %g; swap them, or "
                            "use a circle",
                            in.inner, in.outer);
    }
    GOS_TRY(make_ring(in.outer, in.inner, a, s));
    override(s, in.shear, in.torsion);
    if (in.modes == 0) {
        return GOS_OK;
    }
    if (in.inner < THIN * in.outer) {
        gos__warn(m->ctx, gos__key_loc(entry, "modes"), object,
                  "the wall is too thick for `modes`, whose temperatures would have errors of 1 "
                  "%% or more; remove modes, or make inner at least %g of outer",
                  THIN);
    }
    return fourier_families(s, in.modes, a);
}

static const gos_section_ops annulus_ops = {make_annulus};

const gos_type gos__section_annulus = {
    .section = "sections",
    .name = "annulus",
    .doc = "Round tube; its inner surface exchanges no heat. Use `modes` for thin walls heated "
           "from one side: the linear temperature of the default conducts across the tube like a "
           "solid, twice as well as a thin wall.",
    .params = annulus_params,
    .size = sizeof(annulus),
    .example = "tube: {type: annulus, outer: 0.012, inner: 0.010}",
    .ops = &annulus_ops,
};

/* ---- general ------------------------------------------------------------------------------- */

typedef struct general {
    double area, Iy, Iz, J, perimeter;
    double shear[2];
} general;

static const gos_param general_params[] = {
    {.name = "area",
     .kind = GOS_K_NUMBER,
     .unit = "m^2",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(general, area),
     .doc = "area"},
    {.name = "Iy",
     .kind = GOS_K_NUMBER,
     .unit = "m^4",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(general, Iy),
     .doc = "second moment about local y, the integral of z^2"},
    {.name = "Iz",
     .kind = GOS_K_NUMBER,
     .unit = "m^4",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(general, Iz),
     .doc = "second moment about local z, the integral of y^2"},
    {.name = "J",
     .kind = GOS_K_NUMBER,
     .unit = "m^4",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(general, J),
     .doc = "torsion constant; default: Iy + Iz, valid for round sections only"},
    {.name = "perimeter",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(general, perimeter),
     .doc = "length of the outline for convection and radiation, which act on the mean "
            "temperature; default: no heat exchange"},
    SHEAR_FACTORS(general),
    {.name = NULL},
};

static gos_status make_general(gos_model *m, const gos_node *entry, const char *object,
                               gos_arena *a, gos_section *s) {
    general in = {0};
    GOS_TRY(gos__fill(m, entry, general_params, object, a, &in));
    s->A = in.area;
    s->Iy = in.Iy;
    s->Iz = in.Iz;
    s->J = in.Iy + in.Iz;
    override(s, in.shear, in.J);
    linear_families(s);
    if (in.perimeter > 0.0) {
        gos_section_point *outline = GOS_NEW(a, gos_section_point, 1);
        if (!outline) {
            return GOS_E_MEMORY;
        }
        set_point(s, in.perimeter, 0.0, 0.0, outline);
        s->noutline = 1;
        s->outline = outline;
    }
    // four points with the area and second moments: exact for phi_i phi_j
    gos_section_point *end = GOS_NEW(a, gos_section_point, 4);
    if (!end) {
        return GOS_E_MEMORY;
    }
    double y = sqrt(2.0 * in.Iz / in.area), z = sqrt(2.0 * in.Iy / in.area);
    set_point(s, 0.25 * in.area, y, 0.0, &end[0]);
    set_point(s, 0.25 * in.area, -y, 0.0, &end[1]);
    set_point(s, 0.25 * in.area, 0.0, z, &end[2]);
    set_point(s, 0.25 * in.area, 0.0, -z, &end[3]);
    s->nend = 4;
    s->end = end;
    return GOS_OK;
}

static const gos_section_ops general_ops = {make_general};

const gos_type gos__section_general = {
    .section = "sections",
    .name = "general",
    .doc = "Any section, given by its area and second moments about its principal axes.",
    .params = general_params,
    .size = sizeof(general),
    .example = "profile: {type: general, area: 3.0e-4, Iy: 4.0e-8, Iz: 2.0e-8, perimeter: 0.12}",
    .ops = &general_ops,
};

/* ---- all ----------------------------------------------------------------------------------- */

const gos_type *const gos__section_types[] = {
    &gos__section_rectangle,
    &gos__section_circle,
    &gos__section_annulus,
    &gos__section_general,
    NULL,
};

gos_status gos__section_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                             gos_section **out) {
    const gos_type *type = NULL;
    GOS_TRY(gos__type_of(m, entry, "sections", gos__section_types, object, &type));
    gos_section *s = GOS_NEW(a, gos_section, 1);
    if (!s) {
        return GOS_E_MEMORY;
    }
    const gos_section_ops *ops = type->ops;
    GOS_TRY(ops->make(m, entry, object, a, s));
    GOS_TRY(check(m, entry, object, s));
    *out = s;
    return GOS_OK;
}
