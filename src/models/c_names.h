/* Identifiers, numbers and comments of generated C source. */
#ifndef GOS_C_NAMES_H
#define GOS_C_NAMES_H

#include "gossamer/linear.h"
#include "base/base.h"

enum { GOS_C_NAME = 24, GOS_C_MEMBER = 60 }; // bytes; C99: 31 significant characters with a suffix

typedef struct gos_c_name {
    char text[GOS_C_MEMBER];
} gos_c_name;

/** The prefix of all functions and, in capitals, of all macros: the given name, or (NULL) the name
 *  of the folder up to its first point with other characters replaced. @return GOS_E_USE: the given
 *  name is no identifier of at most 22 characters */
gos_status gos__c_identifier(gos_ctx *ctx, const char *given, const char *folder,
                             char name[GOS_C_NAME], char upper[GOS_C_NAME]);
/** Members of a struct from names of ports, "tip.y" to tip_y; all different and no keywords. */
void gos__c_names(int n, const gos_port *port, gos_c_name *name);
/** A constant of type double, exact to the last bit. */
void gos__c_number(double value, char text[40]);
/** A text that is safe in a comment: printable ASCII without * and \. */
void gos__c_comment(const char *from, char *text, size_t size);

#endif
