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

/* gos_type.ops of a section type: fill a zeroed section from its entry. */
typedef struct gos_section_ops {
    gos_status (*make)(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                       gos_section *s);
} gos_section_ops;

/** Material of an entry of `materials:`; *out lives in the arena.
 *  @return GOS_OK, or GOS_E_INPUT with every error of the entry recorded; *out untouched then. */
gos_status gos__material_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material **out);
/** Fill a zeroed material from an entry of type orthotropic, or laminate, whose plies' materials
 * are found by gos__laminate_finish once all entries have been read. */
gos_status gos__orthotropic_make(gos_model *m, const gos_node *entry, const char *object,
                                 gos_arena *a, gos_material *mat);
gos_status gos__laminate_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                              gos_material *mat);
gos_status gos__laminate_finish(gos_builder *b, const gos_node *entry, const char *object);
/** Section of an entry of `sections:`; *out and its arrays live in the arena.
 *  @return GOS_OK, or GOS_E_INPUT with the errors recorded; *out untouched then. */
gos_status gos__section_make(gos_model *m, const gos_node *entry, const char *object, gos_arena *a,
                             gos_section **out);

/** Give a round tube the Fourier temperatures of a thin wall up to cos(modes phi), in place of the
 *  linear ones; 1 <= modes <= GOS_LIMIT_CIRCLE_MODES. */
gos_status gos__fourier_families(gos_section *s, int modes, gos_arena *a);

/** Shear factors for forces along local y and z: those of the entry, else Cowper's for its shape
 * and Poisson's ratio nu (a general section: 1). G. R. Cowper, J. Appl. Mech. 33 (1966) 335. */
void gos__shear_factors(const gos_section *s, double nu, double k[2]);

#endif
