/* Material type orthotropic. Layers in plane stress use E1, E2, nu12, G12 and the transverse G13,
 * G23; the other constants define transverse strains and solids. */
#include "parts/section.h"

#include <math.h>

typedef struct damping {
    double normal, shear; // [s]
} damping;

typedef struct input {
    gos_material m;
    damping d;
    gos_timefn *over[GOS_MATERIAL_TABLES]; // as in gos__material_table
} input;

#define OVER(k, key, unit_, flags_, def_, doc_)                                                    \
    {                                                                                              \
        .name = key, .kind = GOS_K_TIMEFN, .unit = unit_, .lo = 0.0, .hi = HUGE_VAL,               \
        .flags = flags_, .def = def_, .choices = "T", .offset = offsetof(input, over[k]),          \
        .doc = doc_                                                                                \
    }
#define MODULUS(k, key, doc_) OVER(k, key, "Pa", GOS_P_REQUIRED | GOS_P_LO_OPEN, NULL, doc_)
#define SIGNED(k, key, unit_, def_, doc_)                                                          \
    {                                                                                              \
        .name = key, .kind = GOS_K_TIMEFN, .unit = unit_, .def = def_, .choices = "T",             \
        .offset = offsetof(input, over[k]), .doc = doc_                                            \
    }
#define PART(key, def_, doc_)                                                                      \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = "-", .lo = 0.0, .hi = 1.0, .def = def_,        \
        .offset = offsetof(input, m.key), .doc = doc_                                              \
    }

#define FACTOR(key, doc_)                                                                          \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = "s", .lo = 0.0, .hi = HUGE_VAL,                \
        .offset = offsetof(damping, key), .doc = doc_                                              \
    }
static const gos_param damping_params[] = {
    FACTOR(
        normal,
        "factor of strain rates along the axes: viscous stress = factor * stiffness * strain rate"),
    FACTOR(shear, "factor of shear strain rates between the axes"),
    {.name = NULL},
};

static const gos_param params[] = {
    {.name = "density",
     .kind = GOS_K_NUMBER,
     .unit = "kg/m^3",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(input, m.density),
     .doc = "mass per volume"},
    MODULUS(0, "E1",
            "modulus along axis 1, the fibres; this and the following except the last two may be "
            "functions of the temperature T relative to the reference [K], expressions or tables, "
            "evaluated at the body's `material_temperature`"),
    MODULUS(5, "E2", "modulus along axis 2, also in the surface"),
    {.name = "nu12",
     .kind = GOS_K_TIMEFN,
     .unit = "-",
     .flags = GOS_P_REQUIRED,
     .choices = "T",
     .offset = offsetof(input, over[1]),
     .doc = "contraction along axis 2 per stretch along axis 1; nu21 = nu12 E2 / E1"},
    MODULUS(9, "G12", "in-plane shear modulus"),
    MODULUS(10, "G13", "transverse shear modulus along axis 1"),
    MODULUS(11, "G23", "transverse shear modulus along axis 2"),
    OVER(6, "E3", "Pa", GOS_P_LO_OPEN, NULL, "transverse modulus; default: E2"),
    SIGNED(7, "nu13", "-", "0", "transverse contraction per stretch along axis 1"),
    SIGNED(8, "nu23", "-", "0", "transverse contraction per stretch along axis 2"),
    OVER(2, "conductivity1", "W/(m K)", 0, "0",
         "thermal conductivity along axis 1; bodies have temperatures if all three and "
         "specific_heat are > 0"),
    OVER(12, "conductivity2", "W/(m K)", 0, NULL, "along axis 2; default: that along axis 1"),
    OVER(13, "conductivity3", "W/(m K)", 0, NULL, "transverse; default: that along axis 2"),
    OVER(3, "specific_heat", "J/(kg K)", 0, "0", "heat capacity per mass"),
    SIGNED(4, "expansion1", "1/K", "0",
           "coefficient of thermal expansion along axis 1; as a function of T the mean from the "
           "reference temperature to T"),
    SIGNED(14, "expansion2", "1/K", NULL, "along axis 2; default: that along axis 1"),
    SIGNED(15, "expansion3", "1/K", NULL, "transverse; default: that along axis 2"),
    {.name = "damping",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = damping_params,
     .offset = offsetof(input, d),
     .doc = "Kelvin-Voigt damping in ancf_plate, {normal, shear}; default: none. Floating bodies "
            "use `rayleigh` and `zeta` instead"},
    PART(absorptivity, "1", "fraction of a directed flux that the surface absorbs"),
    PART(emissivity, "0", "thermal emission of the surface relative to a black body"),
    {.name = NULL},
};

const gos_type gos__material_orthotropic = {
    .section = "materials",
    .name = "orthotropic",
    .doc =
        "Layers in plane stress, such as fibre composites or honeycombs: axes 1 and 2 lie in the "
        "surface of a shell or an ancf_plate, defined by `direction` of the body, or by the angle "
        "of a ply. In solids of floating bodies `direction` and `direction2` define all three.",
    .params = params,
    .size = sizeof(input),
    .example = "cfrp: {type: orthotropic, density: 1600, E1: 140e9, E2: 9e9, nu12: 0.3, G12: 5e9, "
               "G13: 5e9, G23: 3.2e9, expansion1: -0.5e-6, expansion2: 30e-6, conductivity1: 5, "
               "conductivity2: 0.6, specific_heat: 900}",
};

/* Checks that the strain energy is positive definite. */
static gos_status check(gos_model *m, const gos_node *entry, const char *object,
                        const gos_material *t) {
    const double limit = sqrt(t->young / t->E2);
    if (!(fabs(t->poisson) < limit)) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(entry, "nu12"), object,
                            "nu12 = %g gives negative strain energy; |nu12| must be < sqrt(E1/E2) "
                            "= %.6g. If you know nu21, give nu12 = nu21 E1 / E2",
                            t->poisson, limit);
    }
    // determinant of the compliances, scaled
    const double a = t->poisson / limit, b = t->nu13 * sqrt(t->E3 / t->young),
                 c = t->nu23 * sqrt(t->E3 / t->E2);
    if (!(fabs(b) < 1 && fabs(c) < 1 && 1 - a * a - b * b - c * c - 2 * a * b * c > 0)) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, gos__key_loc(entry, "nu13"), object,
                            "nu12, nu13 and nu23 together give negative strain energy: |nu13| must "
                            "be < sqrt(E1/E3) = %.6g, |nu23| < sqrt(E2/E3) = %.6g, and 1 - nu12^2 "
                            "E2/E1 - nu13^2 E3/E1 - nu23^2 E3/E2 - 2 nu12 nu13 nu23 E3/E1 > 0",
                            sqrt(t->young / t->E3), sqrt(t->E2 / t->E3));
    }
    return GOS_OK;
}

gos_status gos__orthotropic_make(gos_model *m, const gos_node *entry, const char *object,
                                 gos_arena *a, gos_material *mat) {
    // defaults are values of another axis
    static const int like[][2] = {{6, 5}, {12, 2}, {13, 12}, {14, 4}, {15, 14}};
    input in;
    memset(&in, 0, sizeof in);
    GOS_TRY(gos__fill(m, entry, params, object, a, &in));
    for (int i = 0; i < GOS_COUNT(like); i++) {
        gos_timefn **fn = &in.over[like[i][0]];
        *fn = *fn ? *fn : in.over[like[i][1]];
    }
    for (int k = 0; k < GOS_MATERIAL_TABLES; k++) {
        gos__material_take(&in.m, k, in.over[k]);
    }
    in.m.kind = GOS_MATERIAL_ORTHOTROPIC;
    in.m.gamma_n = in.d.normal;
    in.m.gamma_s = in.d.shear;
    GOS_TRY(check(m, entry, object, &in.m));
    if ((in.m.conductivity > 0.0) != (in.m.specific_heat > 0.0)) {
        const bool conducts = in.m.conductivity > 0.0;
        gos__warn(m->ctx, gos__key_loc(entry, conducts ? "conductivity1" : "specific_heat"), object,
                  "%s without %s: bodies of this material have no temperature; give both",
                  conducts ? "conductivity1" : "specific_heat",
                  conducts ? "specific_heat" : "conductivity1");
    }
    *mat = in.m;
    return GOS_OK;
}
