/* Parts that all generated C source has: header and source in a folder, structs, comments. */
#ifndef GOS_C_FILES_H
#define GOS_C_FILES_H

#include <stdio.h>

#include "models/c_names.h"

#define GOS_C_MARK "/* Made by Gossamer" // first line of both files

/* The text of models/polynomial_step.h (cmake/embed-text.cmake). */
extern const char gos__polynomial_step_text[];

typedef struct gos_c_pair {
    void (*header)(const void *user, FILE *out);
    void (*source)(const void *user, FILE *out);
    const void *user;
} gos_c_pair;

/** Write FOLDER/NAME.h and FOLDER/NAME.c. The folder is created; existing files are replaced only
 *  if their first line has the mark. @return GOS_E_FILE; GOS_E_USE: other files are in the way */
gos_status gos__c_pair_write(gos_ctx *ctx, const char *folder, const char *name,
                             const gos_c_pair *pair);
/** Lines of a comment; note may be NULL. */
void gos__c_note(FILE *out, const char *note);
/** struct NAME_KIND with a member for each port. */
void gos__c_struct(FILE *out, const char *name, const char *kind, int n, const gos_c_name *member,
                   const gos_port *port);
/** Arrays static const double and int NAME[n]; a single 0 if n is 0. */
void gos__c_doubles(FILE *out, const char *name, long n, const double *x);
void gos__c_ints(FILE *out, const char *name, long n, const int *x);

#endif
