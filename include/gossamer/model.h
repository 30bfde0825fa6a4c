/* Gossamer: a model as the user describes it. SPDX-License-Identifier: Apache-2.0
 *
 * A model is a tree of named entries, read from YAML or built by calls. It can be edited until a
 * system is created from it (system.h). This header also gives access to the reference of the
 * model format. */
#ifndef GOSSAMER_MODEL_H
#define GOSSAMER_MODEL_H

#include "gossamer/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An editable model: the same tree whether read from YAML or built by calls. */
typedef struct gos_model gos_model;

/** An empty model. Free with gos_model_destroy. */
GOS_API gos_status gos_model_create(gos_ctx *ctx, gos_model **model);
/** Read a YAML model file. Errors are reported with file:line:col. Paths of tables are relative to
 * its folder. */
GOS_API gos_status gos_model_read(gos_ctx *ctx, const char *path, gos_model **model);
/** Parse YAML text of n bytes. `name` replaces the file name in messages; paths of tables are
 * relative to `folder` (NULL: tables are not allowed). */
GOS_API gos_status gos_model_parse(gos_ctx *ctx, const char *text, size_t n, const char *name,
                                   const char *folder, gos_model **model);
GOS_API void gos_model_destroy(gos_model *model);

/** Set the entry at a dotted path to a value in YAML flow syntax, replacing an existing one and
 * creating missing maps:  gos_model_set(ctx, m, "bodies.rod", "{type: ancf_cable, ...}"). A
 * one-word path that is a declared parameter sets parameters.WORD (as --set does). */
GOS_API gos_status gos_model_set(gos_ctx *ctx, gos_model *model, const char *path,
                                 const char *yaml);
/** Set the entry at a dotted path to a number. */
GOS_API gos_status gos_model_set_number(gos_ctx *ctx, gos_model *model, const char *path,
                                        double value);

/** Remove the entry at a dotted path. @return GOS_E_INPUT if it does not exist */
GOS_API gos_status gos_model_remove(gos_ctx *ctx, gos_model *model, const char *path);
/** An independent copy with the same entries, callbacks and control laws. Free with
 * gos_model_destroy. */
GOS_API gos_status gos_model_copy(gos_ctx *ctx, const gos_model *model, gos_model **copy);
/** Write the entry at a dotted path (NULL: the model) as JSON, in the order of the model. Text in
 * quotes remains text; other scalars are numbers, true, false or null where they read as such, else
 * text (expressions). @return GOS_E_INPUT if it does not exist */
GOS_API gos_status gos_model_write_json(gos_ctx *ctx, const gos_model *model, const char *path,
                                        FILE *out);

/** Text of the scalar at a dotted path, as written; "" for a map or list; NULL if the entry does
 * not exist. Borrowed until the model is changed. */
GOS_API const char *gos_model_get(const gos_model *model, const char *path);

/** A function of the calling program: magnitude of a load or heat entry as a function of time t [s]
 * and probes y, in the order of the model (`{call: NAME, of: [angle, rate]}`). It must return the
 * same value for the same arguments in any order of calls, and be thread-safe if systems run in
 * several threads. A value that is not finite is an error, as for forces. */
typedef struct gos_callback {
    double (*value)(void *user, double t, const double *y);
    /** dy := derivatives of the value with respect to each y, for Newton's iteration, modes and
     * frequency response. NULL: central differences, with two further evaluations for each y. */
    void (*derivative)(void *user, double t, const double *y, double *dy);
    void *user; // borrowed, as are the functions, while systems of the model live
} gos_callback;
/** Define the function for `call: NAME` of the model. Call before gos_system_create. A later
 * definition replaces an earlier one. @return GOS_E_USE: no name or no value function */
GOS_API gos_status gos_model_callback(gos_ctx *ctx, gos_model *model, const char *name,
                                      const gos_callback *callback);

/** Text of the model as read (later settings are appended as comments); borrowed. */
GOS_API const char *gos_model_text(const gos_model *model);
/** The model's `name:` or else the file name without its extension; borrowed. */
GOS_API const char *gos_model_name(const gos_model *model);

/** The units in which a model is given and its results are: "SI", a named set ("mm-t-s"), or the
 * base units of length, mass, time and current ("mm, t, s, A"). "SI" also where `units` is wrong.
 * Borrowed until the model is changed. */
GOS_API const char *gos_model_units(gos_model *model);
/** The name of a unit of SI in other units: gos_unit_name("mm-t-s", "Pa", buf, n) is "MPa". A list
 * "N, N m" is converted entry by entry; any other text is unchanged. `name` is returned. */
GOS_API const char *gos_unit_name(const char *units, const char *si, char *name, size_t size);
/** Convert a value from one unit to another one, "mm/s^2" to "m/s^2". @return false, with the value
 * unchanged, if one of them is unknown or their dimensions differ */
GOS_API bool gos_unit_convert(const char *from, const char *to, double *value);

/** Print the reference of one entry type ("ancf_cable", "spherical", "material", ...), of all types
 * (NULL), or of another word of the format: keys with this name ("gravity"), keys that accept it
 * as a value ("von_mises"), texts that contain it. Generated from the parameter tables used to read
 * models.
 * @return GOS_E_INPUT for an unknown word */
GOS_API gos_status gos_help(gos_ctx *ctx, const char *type, FILE *out);
/** Print the model format as a JSON schema (draft 7) for editors: sections, types, keys, options
 * and ranges, from the same tables. Rules beyond a schema (references to existing names, ranges of
 * expressions) are checked when a model is read. */
GOS_API gos_status gos_schema(gos_ctx *ctx, FILE *out);
/** Name of entry type i, from 0 in the order of the reference, and its section (may be NULL); NULL
 * after the last. Static strings. */
GOS_API const char *gos_type_name(int i, const char **section);

#ifdef __cplusplus
}
#endif
#endif
