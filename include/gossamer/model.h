/* Gossamer: a model, what the user says. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_MODEL_H
#define GOSSAMER_MODEL_H

#include "gossamer/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An editable model: the same tree whether it was read from YAML or built by calls. */
typedef struct gos_model gos_model;

/** An empty model. Free with gos_model_destroy. */
GOS_API gos_status gos_model_create(gos_ctx *ctx, gos_model **model);
/** Read a YAML model file. Errors carry file:line:col. Tables it names are looked for below its
 * folder. */
GOS_API gos_status gos_model_read(gos_ctx *ctx, const char *path, gos_model **model);
/** Parse YAML text of n bytes; `name` stands for the file in messages, `folder` (may be NULL: none
 *  allowed) is where tables are looked for. */
GOS_API gos_status gos_model_parse(gos_ctx *ctx, const char *text, size_t n, const char *name,
                                   const char *folder, gos_model **model);
GOS_API void gos_model_destroy(gos_model *model);

/** Set the entry at a dotted path to a value in YAML flow syntax, replacing what was there and
 * making missing maps on the way:  gos_model_set(ctx, m, "bodies.rod", "{type: ancf_cable, ...}").
 *  A path of one word that is a declared parameter sets parameters.WORD (the rule of --set). */
GOS_API gos_status gos_model_set(gos_ctx *ctx, gos_model *model, const char *path,
                                 const char *yaml);
/** Set the entry at a dotted path to a number. */
GOS_API gos_status gos_model_set_number(gos_ctx *ctx, gos_model *model, const char *path,
                                        double value);

/** The text of the single value at a dotted path, as it was written; "" for a map or a list; NULL
 * when nothing is there. Borrowed, until the model is changed. */
GOS_API const char *gos_model_get(const gos_model *model, const char *path);

/** A function of the calling program: an amount of a load or heat entry, of the time t [s] and of
 * probes y, in the order in which the model names them (`{call: NAME, of: [angle, rate]}`). It must
 * give the same value for the same arguments, in any order of calls, and from several threads at a
 * time if systems run in several. What is not finite is refused as a force that is not. */
typedef struct gos_callback {
    double (*value)(void *user, double t, const double *y);
    /** dy := derivatives of the value by each of y, for Newton's iteration, modes and response.
     * NULL: the program takes central differences, two more values for each of y. */
    void (*derivative)(void *user, double t, const double *y, double *dy);
    void *user; // borrowed, as the functions, while systems of the model live
} gos_callback;
/** Let `call: NAME` in the model mean a function; to be called before gos_system_create. A name
 * that was given before means the last one. @return GOS_E_USE: no name, or no value */
GOS_API gos_status gos_model_callback(gos_ctx *ctx, gos_model *model, const char *name,
                                      const gos_callback *callback);

/** The model's text as read (with later settings listed after it as comments); borrowed. */
GOS_API const char *gos_model_text(const gos_model *model);
/** Its `name:` or, without one, the file's name without ending; borrowed. */
GOS_API const char *gos_model_name(const gos_model *model);

/** The reference of one entry type ("ancf_cable", "spherical", "material", ...), of all with NULL,
 * or of another word of models: the keys of this name ("gravity"), what may have it as a value
 * ("von_mises"), the texts that have it. Written from the same tables that read a model. @return
 * GOS_E_INPUT for a word that is nowhere. */
GOS_API gos_status gos_help(gos_ctx *ctx, const char *type, FILE *out);
/** The model format as a JSON schema (draft 7), for editors: sections, types, keys, words and
 * ranges, from the same tables. What a schema cannot say (names that must exist, ranges of
 * expressions) is left to the reader. */
GOS_API gos_status gos_schema(gos_ctx *ctx, FILE *out);
/** Name of entry type i, counted from 0 in the order of the reference, and its section (may be
 * NULL); NULL beyond the last. Static texts. */
GOS_API const char *gos_type_name(int i, const char **section);

#ifdef __cplusplus
}
#endif
#endif
