/* Materials and cross-sections of a model, made from their entries. */
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
/* the types of the section "sections", ended by NULL */
extern const gos_type *const gos__section_types[];

/* gos_type.ops of a section type: fills a zeroed section from its entry. */
typedef struct gos_section_ops {
    gos_status (*make)(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                       gos_section *s);
} gos_section_ops;

/** Makes the material of a `materials:` entry; *out lives in the arena. @return GOS_E_INPUT with
 * every error reported; *out is then unchanged. */
gos_status gos__material_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material **out);
/** Fill a zeroed material from an entry of type orthotropic or laminate. gos__laminate_finish
 * resolves the plies' materials once all entries have been read. */
gos_status gos__orthotropic_make(gos_model *m, const gos_node *entry, const char *object,
                                 gos_arena *a, gos_material *mat);
gos_status gos__laminate_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material *mat);
gos_status gos__laminate_finish(gos_builder *b, const gos_node *entry, const char *object);
/** Makes the section of a `sections:` entry; *out and its arrays live in the arena. @return
 * GOS_E_INPUT with the errors reported; *out is then unchanged. */
gos_status gos__section_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                             gos_section **out);

/** Replaces the linear temperatures of a round tube by Fourier ones of a thin wall up to cos(modes
 * phi); 1 <= modes <= GOS_LIMIT_CIRCLE_MODES. */
gos_status gos__fourier_families(gos_section *s, int modes, gos_arena *a);

/** Shear factors for forces along local y and z: given ones, else Cowper's for the shape and
 * Poisson's ratio nu (general sections: 1). G. R. Cowper, J. Appl. Mech. 33 (1966) 335. */
void gos__shear_factors(const gos_section *s, double nu, double k[2]);

#endif
