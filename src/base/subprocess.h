/* A helper program that receives one-line requests and answers each with one line. A request is
 * "#NUMBER TEXT", its answer "#NUMBER BYTES TEXT" with the length of its text, so that a line that
 * something else prints, a late or an incomplete answer are recognised. */
#ifndef GOS_SUBPROCESS_H
#define GOS_SUBPROCESS_H

#include "base/base.h"

#define GOS_PARTNER_LINE 256

typedef struct gos_partner gos_partner;

/** Start argv[0] (a path, or searched in PATH) with requests on its standard input and answers on
 * its standard output; its standard error goes to the file `errors` or to that of this program
 * (NULL). @return GOS_E_FILE if it cannot be started */
gos_status gos__partner_start(gos_ctx *ctx, char *const *argv, const char *errors,
                              gos_partner **partner);
/** Send a request and wait for the text of the answer; `text` is for progress.
 * @return GOS_E_INTERRUPTED, or GOS_E_INTERNAL with the first line of its errors if it has ended,
 * or if another line arrives; it is then unusable */
gos_status gos__partner_request(gos_partner *p, const char *text, char answer[GOS_PARTNER_LINE],
                                const char *fmt, ...) GOS_PRINTF(4, 5);
/** Close the connection, which ends the program; a busy one is killed. */
void gos__partner_stop(gos_partner *p);

/** Path of a program: the environment variable if set, else `name` beside the running program or in
 * PATH. false: not found. */
bool gos__partner_find(const char *variable, const char *name, size_t size, char *path);

#endif
