/* Materials and cross-sections. */
#ifndef GOS_SECTION_H
#define GOS_SECTION_H

#include "parts/marker.h"

/* Properties that may depend on temperature. */
#define GOS_MATERIAL_TABLES 16
typedef struct gos_material_table {
    const char *name; // "young"
    const char *own;  // orthotropic: "E1"
    size_t offset;
} gos_material_table;
extern const gos_material_table gos__material_table[GOS_MATERIAL_TABLES];

typedef enum gos_material_kind {
    GOS_MATERIAL_ISOTROPIC,
    GOS_MATERIAL_ORTHOTROPIC, // axes 1, 2 in the surface
    GOS_MATERIAL_LAMINATE     // plies; values are means
} gos_material_kind;

typedef struct gos_material gos_material;
typedef struct gos_laminate_ply {
    const char *name;
    const gos_material *material;
    double thickness, angle; // [m], [rad]
} gos_laminate_ply;
typedef struct gos_laminate {
    int n;
    gos_laminate_ply *ply;    // (n)
    double thickness, offset; // total; middle above the mesh surface along its normal [m]
} gos_laminate;

struct gos_material {
    const char *name;
    gos_material_kind kind;
    const gos_laminate *laminate; // laminates only, else NULL
    // functions of T above the reference, NULL: constant; values at the reference follow
    const gos_timefn *over[GOS_MATERIAL_TABLES];
    double density;        // [kg/m^3]
    double young;          // [Pa], orthotropic: E1
    double poisson;        // [-], nu12
    double conductivity;   // [W/(m K)], along axis 1
    double specific_heat;  // [J/(kg K)]
    double expansion;      // [1/K], along axis 1
    double gamma_n;        // Kelvin-Voigt factor of normal strains [s]
    double gamma_s;        // Kelvin-Voigt factor of shear strains [s]
    double absorptivity;   // [-]
    double emissivity;     // [-]
    double expansion_from; // temperature above the reference from which `expansion` counts [K]
    // orthotropic only
    double E2, E3, nu13, nu23, G12, G13, G23;
    double conductivity2, conductivity3, expansion2, expansion3;
};

// maximum of a section
#define GOS_FAMILIES (GOS_LIMIT_DEPTH_MODES + 2)

/* A point of an outline or face: flux q adds q * dl * phi[k] to family k. */
typedef struct gos_section_point {
    double dl; // outline: length [m]; end face: area [m^2]
    // 1, y, z, P_2(2y/h) ... or 1, R cos, R sin, cos 2 phi, sin 2 phi ... (R: mean radius)
    double phi[GOS_FAMILIES];
} gos_section_point;

typedef struct gos_section_face {
    const char *name; // "top" (+y), "bottom" (-y), "right" (+z), "left" (-z)
    int dir;     // normal is sign * director: 0 = d2 (local y) or a plate's n, 1 = d3 (local z)
    double sign; // +1 or -1
    double moment[GOS_FAMILIES]; // integral of phi_k [m, m^2, ...]
    int first, count;            // its points in `outline`
} gos_section_face;

/* Cross-section and its temperature families (theory 2.1, 2.8). Plates per unit area: A [m],
 * families T, T_z, faces top and bottom. */
typedef struct gos_section {
    double A, Iy, Iz, J;                      // [m^2], [m^4] Iy = int z^2, Iz = int y^2
    double shear[2];                          // for forces along y and z [-]; 0: gos__shear_factors
    bool own_torsion;                         // J was given
    double height, width;                     // rectangle: along y and z [m]
    double outer, inner;                      // circle, annulus: radii [m]
    int modes;                                // thin annulus: Fourier order; else 0
    bool round;                               // circular outline of radius `outer`
    bool has_outline;                         // false: surface heat only by perimeter
    int nfam;                                 // temperature families
    const char *family[GOS_FAMILIES];         // "T", "T_y", "T_z", "P2" ...
    double cap[GOS_FAMILIES];                 // capacity rho c cap[k]: int phi_k^2 dA
    double cond[GOS_FAMILIES * GOS_FAMILIES]; // conduction k cond[i][j]: int grad.grad
    int nface;
    gos_section_face face[4];
    int noutline;
    const gos_section_point *outline; // quadrature of the outline
    int nend;
    const gos_section_point *end; // quadrature of the area (end faces, internal heat)
} gos_section;

/** Whether it has temperature-dependent properties (material.c). */
bool gos__material_varies(const gos_material *m);
/** Sets table k; NULL: unchanged. */
void gos__material_take(gos_material *m, int k, const gos_timefn *fn);
/** Value of table k at T above the reference. */
double gos__material_value(const gos_material *m, int k, double T);
/** Copy with values at that temperature. */
gos_material gos__material_at(const gos_material *m, double T);

extern const gos_type gos__material;
extern const gos_type gos__material_orthotropic;
extern const gos_type gos__material_laminate;
extern const gos_type gos__section_rectangle;
extern const gos_type gos__section_circle;
extern const gos_type gos__section_annulus;
extern const gos_type gos__section_general;
/* section types, NULL-terminated */
extern const gos_type *const gos__section_types[];

/* gos_type.ops of a section: fills a zeroed one. */
typedef struct gos_section_ops {
    gos_status (*make)(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                       gos_section *s);
} gos_section_ops;

/** *out lives in the arena. @return GOS_E_INPUT with every error reported; *out is then
 * unchanged. */
gos_status gos__material_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material **out);
/** Fill a zeroed material. gos__laminate_finish resolves the plies' materials once all entries are
 * read. */
gos_status gos__orthotropic_make(gos_model *m, const gos_node *entry, const char *object,
                                 gos_arena *a, gos_material *mat);
gos_status gos__laminate_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material *mat);
gos_status gos__laminate_finish(gos_builder *b, const gos_node *entry, const char *object);
/** *out and its arrays live in the arena. @return GOS_E_INPUT with errors reported; *out is then
 * unchanged. */
gos_status gos__section_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                             gos_section **out);

/** Given shear factors along local y and z, else Cowper's for the shape and Poisson's ratio nu
 * (general: 1). G. R. Cowper, J. Appl. Mech. 33 (1966) 335. */
void gos__shear_factors(const gos_section *s, double nu, double k[2]);

#endif
