/* Settings of a model that are not entries of a section: top level, initial, analysis, output,
   reduction. */
#ifndef GOS_SETTINGS_H
#define GOS_SETTINGS_H

#include "system/system.h"

/* a number of a settings struct, in its table */
#define P_NUMBER(st, member, unit_, lo_, hi_, flags_, def_, doc_)                                  \
    {                                                                                              \
        .name = #member, .kind = GOS_K_NUMBER, .unit = unit_, .lo = lo_, .hi = hi_,                \
        .flags = flags_, .def = def_, .offset = offsetof(st, member), .doc = doc_                  \
    }

extern const gos_type gos__settings_model;
extern const gos_type gos__settings_initial;
extern const gos_type gos__settings_analysis;
extern const gos_type gos__settings_output;
extern const gos_type gos__settings_orbit;

/** gravity and reference_temperature into the builder. */
gos_status gos__settings_top(gos_builder *b);
/** The entry `orbit` into the builder, after gravity; it stays NULL without one. */
gos_status gos__settings_orbit_read(gos_builder *b);
/** Initial motion and temperatures of all `initial:` entries, after the bodies are there. */
gos_status gos__settings_apply_initial(gos_builder *b);
/** Are these entries right as far as they stand by themselves, whatever bodies there are? */
gos_status gos__settings_check_initial(gos_builder *b);
/** Method and parameters of the entry `reduction`; *choice lives as long as the arena. */
gos_status gos__settings_reduction(gos_ctx *ctx, gos_model *model, gos_arena *arena,
                                   gos_reduction_choice *choice);
/** Refuse parameters that the method has for models of the other kind only. */
gos_status gos__settings_reduction_kind(gos_ctx *ctx, const gos_model *model, const gos_type *type,
                                        bool linear);
/** analysis, output and reduction. */
gos_status gos__settings_run(gos_builder *b, gos_options *options, bool *steady_heat,
                             gos_reduction_choice *reduction);
/** The word for a gos_integration. */
const char *gos__integrator_name(int integrator);

#endif
