/* Model settings outside the sections. */
#ifndef GOS_SETTINGS_H
#define GOS_SETTINGS_H

#include "system/system.h"

/* table entry of a number */
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

/** Read top-level settings into the builder. */
gos_status gos__settings_root(gos_builder *b);
/** Read `orbit` after gravity; NULL without one. */
gos_status gos__settings_orbit_read(gos_builder *b);
/** Apply `initial:` entries, after the bodies. */
gos_status gos__settings_apply_initial(gos_builder *b);
/** Check these entries independent of bodies. */
gos_status gos__settings_check_initial(gos_builder *b);
/** Read `reduction`; *choice lives as long as the arena. */
gos_status gos__settings_reduction(gos_ctx *ctx, gos_model *model, gos_arena *arena,
                                   gos_reduction_choice *choice);
/** Reject parameters for models of the other kind only. */
gos_status gos__settings_reduction_kind(gos_ctx *ctx, const gos_model *model, const gos_type *type,
                                        bool linear);
/** Read analysis, output and reduction. */
gos_status gos__settings_run(gos_builder *b, gos_options *options, bool *steady_heat,
                             gos_reduction_choice *reduction, gos_output_limit *limit);

#endif
