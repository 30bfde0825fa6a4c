/* Gossamer: additional functions for bindings to other languages. SPDX-License-Identifier:
 * Apache-2.0
 *
 * Describes the entry types and keys of the model format as data, and registers callbacks with a
 * fixed number of arguments. */
#ifndef GOSSAMER_BINDING_H
#define GOSSAMER_BINDING_H

#include "gossamer/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** As gos_model_callback, for a function of n >= 1 probes: a model that lists a different number of
 * probes is rejected (GOS_E_INPUT of gos_system_create, at its location). @return as
 * gos_model_callback; GOS_E_USE also for n < 1 */
GOS_API gos_status gos_model_callback_of(gos_ctx *ctx, gos_model *model, const char *name, int n,
                                         const gos_callback *callback);

/** An entry type of the model format; static strings. */
typedef struct gos_type_info {
    const char *section; // "bodies"
    const char *name;    // "ancf_cable"; a section with a single type: a name for it, "material"
    const char *doc;     // one line
    const char *example; // an entry, in YAML; NULL: none
} gos_type_info;
/** Type i, from 0, in the order of the reference. @return false after the last one */
GOS_API bool gos_type_get(int i, gos_type_info *info);

/** A key of an entry. */
typedef struct gos_param_info {
    char name[128];   // for keys of nested maps: "damping.normal"
    char kind[256];   // type of its value: "number", "list of 3", "auto|on|off"
    char range[96];   // "> 0", ""
    const char *unit; // SI; "": none; static
    const char *def;  // default, in YAML; NULL: none, or the key is required; static
    const char *doc;  // meaning; static
    bool required;    // must be given
} gos_param_info;
/** Key k, from 0, of type i; keys of a nested map follow it. @return false after the last one */
GOS_API bool gos_type_param(int i, int k, gos_param_info *info);

/** A permitted value of a key that accepts listed words. */
typedef struct gos_value_info {
    char name[64];
    const char *unit; // of the recorded quantity; "": none; static
    const char *doc;  // meaning; "": see the key; static
    int number;       // that stands for the word
} gos_value_info;
/** Value j, from 0, of key k of type i. @return false after the last one */
GOS_API bool gos_type_value(int i, int k, int j, gos_value_info *info);

#ifdef __cplusplus
}
#endif
#endif
