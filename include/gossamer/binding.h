/* Gossamer: what bindings to other languages need beside the rest. SPDX-License-Identifier:
 * Apache-2.0 */
#ifndef GOSSAMER_BINDING_H
#define GOSSAMER_BINDING_H

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** gos_model_callback of a function that takes n >= 1 probes: a model that names another number of
 * them is refused (GOS_E_INPUT of gos_system_create, at its place). @return as gos_model_callback;
 * GOS_E_USE also for n < 1 */
GOS_API gos_status gos_model_callback_of(gos_ctx *ctx, gos_model *model, const char *name, int n,
                                         const gos_callback *callback);

/** A type of entries of a model, as its reference has it; static texts. */
typedef struct gos_type_info {
    const char *section; // "bodies"
    const char *name;    // "ancf_cable"; of a section with only one type a name for it, "material"
    const char *doc;     // one line
    const char *example; // an entry, in YAML; NULL: none
} gos_type_info;
/** Type i, from 0, in the order of the reference. @return false behind the last one */
GOS_API bool gos_type_get(int i, gos_type_info *info);

/** A key of an entry. */
typedef struct gos_param_info {
    char name[128];   // of keys in a map: "damping.normal"
    char kind[256];   // what its value is, in words: "number", "list of 3", "auto|on|off"
    char range[96];   // "> 0", ""
    const char *unit; // SI; "": none; static
    const char *def;  // what holds without it, in YAML; NULL: nothing, or it is required; static
    const char *doc;  // what it means; static
    bool required;    // must be given
} gos_param_info;
/** Key k, from 0, of type i: the keys of maps follow these. @return false behind the last one */
GOS_API bool gos_type_param(int i, int k, gos_param_info *info);

#ifdef __cplusplus
}
#endif
#endif
