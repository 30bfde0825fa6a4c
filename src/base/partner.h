/* Another program that works for this one: it is told what to do line by line, and answers each
 * with one line. */
#ifndef GOS_PARTNER_H
#define GOS_PARTNER_H

#include "base/base.h"

#define GOS_PARTNER_LINE 256

typedef struct gos_partner gos_partner;

/** Start argv[0] (a path, or looked for in PATH), whose standard input and output are the lines;
 * what it says beside them goes into the file `errors`, or where this program's goes (NULL).
 * @return GOS_E_FILE when it cannot be started */
gos_status gos__partner_start(gos_ctx *ctx, char *const *argv, const char *errors,
                              gos_partner **partner);
/** Say a line and wait for the answer, without its end of line; `text` is for progress.
 *  @return GOS_E_INTERRUPTED, or GOS_E_INTERNAL when it has ended, with the first line of its
 * errors: it is of no use any more */
gos_status gos__partner_ask(gos_partner *p, const char *text, char answer[GOS_PARTNER_LINE],
                            const char *fmt, ...) GOS_PRINTF(4, 5);
/** It ends when it hears no more; one that is at work still is ended. */
void gos__partner_stop(gos_partner *p);

/** The path of a program: that of the environment variable when it is set, else `name` beside the
 * running program or in PATH. false: there is none. */
bool gos__partner_find(const char *variable, const char *name, size_t size, char *path);

#endif
