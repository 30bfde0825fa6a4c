/* Materials. Values are those at the reference temperature; only bodies that support it
 * (gos_body.stated, current) may use temperature-dependent ones. */

/* Kelvin-Voigt damping has factors for normal and shear strains (theory 1.5), or volumetric and
 * deviatoric ones of an isotropic solid: gamma_n = 2 (1 + nu)/3 gamma_d + (1 - 2 nu)/3 gamma_v
 * (uniaxial stress), gamma_s = gamma_d. */
#include "parts/section.h"

#include <math.h>

typedef struct damping {
    double normal, shear, volumetric, deviatoric; // [s]
} damping;

typedef struct input {
    gos_material m;
    damping d;
    gos_timefn *over[5];
} input;

const gos_material_table gos__material_table[GOS_MATERIAL_TABLES] = {
    {"young", "E1", offsetof(gos_material, young)},
    {"poisson", "nu12", offsetof(gos_material, poisson)},
    {"conductivity", "conductivity1", offsetof(gos_material, conductivity)},
    {"specific_heat", "specific_heat", offsetof(gos_material, specific_heat)},
    {"expansion", "expansion1", offsetof(gos_material, expansion)},
    {NULL, "E2", offsetof(gos_material, E2)},
    {NULL, "E3", offsetof(gos_material, E3)},
    {NULL, "nu13", offsetof(gos_material, nu13)},
    {NULL, "nu23", offsetof(gos_material, nu23)},
    {NULL, "G12", offsetof(gos_material, G12)},
    {NULL, "G13", offsetof(gos_material, G13)},
    {NULL, "G23", offsetof(gos_material, G23)},
    {NULL, "conductivity2", offsetof(gos_material, conductivity2)},
    {NULL, "conductivity3", offsetof(gos_material, conductivity3)},
    {NULL, "expansion2", offsetof(gos_material, expansion2)},
    {NULL, "expansion3", offsetof(gos_material, expansion3)},
};
#define OVER(k) .kind = GOS_K_TIMEFN, .choices = "T", .offset = offsetof(input, over[k])

static const gos_param damping_params[] = {
    {.name = "normal",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .offset = offsetof(damping, normal),
     .doc = "damping time for normal strain rates: viscous stress = factor * E * strain rate"},
    {.name = "shear",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .offset = offsetof(damping, shear),
     .doc = "factor of shear strain rates; no effect in bodies without shear"},
    {.name = "volumetric",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .offset = offsetof(damping, volumetric),
     .doc = "instead of normal and shear: factor of volumetric strain rates"},
    {.name = "deviatoric",
     .kind = GOS_K_NUMBER,
     .unit = "s",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .offset = offsetof(damping, deviatoric),
     .doc = "instead of normal and shear: factor of deviatoric strain rates"},
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
    {.name = "young",
     OVER(0),
     .unit = "Pa",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .doc = "Young's modulus; this, poisson, conductivity, specific_heat and expansion may be "
            "functions of the temperature T relative to the reference [K], expressions or tables, "
            "for bodies that use the current temperature (solid) or a stated one "
            "(`material_temperature` of floating)"},
    {.name = "poisson",
     OVER(1),
     .unit = "-",
     .lo = -1.0,
     .hi = 0.5,
     .flags = GOS_P_LO_OPEN | GOS_P_HI_OPEN,
     .def = "0.3",
     .doc = "Poisson's ratio"},
    {.name = "damping",
     .kind = GOS_K_MAP,
     .unit = "",
     .sub = damping_params,
     .offset = offsetof(input, d),
     .doc = "Kelvin-Voigt damping, {normal, shear} or {volumetric, deviatoric}; default: none"},
    {.name = "conductivity",
     OVER(2),
     .unit = "W/(m K)",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .doc = "thermal conductivity; bodies have temperatures if it and specific_heat are > 0"},
    {.name = "specific_heat",
     OVER(3),
     .unit = "J/(kg K)",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .def = "0",
     .doc = "heat capacity per mass"},
    {.name = "expansion",
     OVER(4),
     .unit = "1/K",
     .def = "0",
     .doc = "coefficient of linear thermal expansion; as a function of T the mean from the "
            "reference temperature to T"},
    {.name = "absorptivity",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 1.0,
     .def = "1",
     .offset = offsetof(input, m.absorptivity),
     .doc = "fraction of a directed flux that the surface absorbs"},
    {.name = "emissivity",
     .kind = GOS_K_NUMBER,
     .unit = "-",
     .lo = 0.0,
     .hi = 1.0,
     .def = "0",
     .offset = offsetof(input, m.emissivity),
     .doc = "thermal emission of the surface relative to a black body"},
    {.name = NULL},
};

const gos_type gos__material = {
    .section = "materials",
    .name = "material",
    .doc = "Linear elastic material with Kelvin-Voigt damping and heat conduction.",
    .params = params,
    .size = sizeof(input),
    .example = "rubber: {density: 2000, young: 1.0e8, poisson: 0.3, conductivity: 1.0, "
               "specific_heat: 200, expansion: 1.0e-4, damping: {normal: 4.5e-3, shear: 4.4e-4}}",
};

/* Sets the normal and shear factors from the pair given. */
static gos_status convert_damping(gos_model *m, const gos_node *entry, const char *object,
                                  const damping *d, gos_material *mat) {
    const gos_node *map = gos__node_given(entry, "damping");
    if (!map || map->kind != GOS_MAP) {
        return GOS_OK;
    }
    bool direct = gos__node_given(map, "normal") || gos__node_given(map, "shear");
    bool solid = gos__node_given(map, "volumetric") || gos__node_given(map, "deviatoric");
    if (direct && solid) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, map->loc, object,
            "damping mixes two pairs of keys; use {normal, shear} or {volumetric, deviatoric}");
    }
    if (solid) {
        double nu = mat->poisson;
        mat->gamma_n =
            2.0 * (1.0 + nu) / 3.0 * d->deviatoric + (1.0 - 2.0 * nu) / 3.0 * d->volumetric;
        mat->gamma_s = d->deviatoric;
    } else {
        mat->gamma_n = d->normal;
        mat->gamma_s = d->shear;
    }
    return GOS_OK;
}

static double *value_of(gos_material *m, int k) {
    return (double *)((char *)m + gos__material_table[k].offset);
}

void gos__material_take(gos_material *m, int k, const gos_timefn *fn) {
    m->over[k] = fn && !gos__timefn_constant(fn) ? fn : NULL;
    if (fn) {
        *value_of(m, k) = gos__timefn_constant(fn) ? gos__timefn_eval(fn, 0, NULL, NULL)
                                                   : gos__material_value(m, k, 0);
    }
}

bool gos__material_varies(const gos_material *m) {
    bool any = false;
    for (int k = 0; k < GOS_MATERIAL_TABLES; k++) {
        any = any || m->over[k];
    }
    for (int k = 0; m->laminate && k < m->laminate->n; k++) {
        any = any || gos__material_varies(m->laminate->ply[k].material);
    }
    return any;
}

double gos__material_value(const gos_material *m, int k, double T) {
    return m->over[k] ? gos__timefn_at(m->over[k], 0, &T, NULL)
                      : *(const double *)((const char *)m + gos__material_table[k].offset);
}

gos_material gos__material_at(const gos_material *m, double T) {
    gos_material at = *m;
    for (int k = 0; k < GOS_MATERIAL_TABLES; k++) {
        *value_of(&at, k) = gos__material_value(m, k, T);
    }
    return at;
}

static gos_status make_isotropic(gos_model *m, const gos_node *entry, const char *object,
                                 gos_arena *a, gos_material *mat) {
    input in;
    memset(&in, 0, sizeof in);
    GOS_TRY(gos__fill(m, entry, gos__material.params, object, a, &in));
    for (int k = 0; k < GOS_COUNT(in.over); k++) {
        gos__material_take(&in.m, k, in.over[k]);
    }
    GOS_TRY(convert_damping(m, entry, object, &in.d, &in.m));
    // a single one is probably an oversight
    if ((in.m.conductivity > 0.0) != (in.m.specific_heat > 0.0)) {
        const char *given = in.m.conductivity > 0.0 ? "conductivity" : "specific_heat";
        const char *missing = in.m.conductivity > 0.0 ? "specific_heat" : "conductivity";
        gos__warn(m->ctx, gos__key_loc(entry, given), object,
                  "%s without %s: bodies of this material have no temperature; give both", given,
                  missing);
    }
    *mat = in.m;
    return GOS_OK;
}

gos_status gos__material_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material **out) {
    static const gos_type *const types[] = {&gos__material, &gos__material_orthotropic,
                                            &gos__material_laminate, NULL};
    const gos_type *type = NULL;
    gos_material *mat = GOS_NEW(a, gos_material, 1);
    GOS_TRY(mat ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__type_by(m, entry, "materials", "type", gos__material.name, types, object, &type));
    GOS_TRY(type == &gos__material_orthotropic ? gos__orthotropic_make(m, entry, object, a, mat)
            : type == &gos__material_laminate  ? gos__laminate_make(m, entry, object, a, mat)
                                               : make_isotropic(m, entry, object, a, mat));
    mat->name = gos__arena_strdup(a, entry->key);
    GOS_TRY(mat->name ? GOS_OK : GOS_E_MEMORY);
    *out = mat;
    return GOS_OK;
}
