/* Materials and cross-sections. */
#ifndef GOS_SECTION_H
#define GOS_SECTION_H

#include "parts/parts.h"

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
