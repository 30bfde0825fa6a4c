/* Names in expressions. */
#ifndef GOS_WORDS_H
#define GOS_WORDS_H

#include "model/private.h"

/* Text of an expression and scope of its names. */
typedef struct gos_words {
    gos_model *m;
    const char *text;
    gos_loc loc;        // of its first character
    const char *object; // owning entry
    const gos_scope *scope;
} gos_words;

/** Length of the name at s, 0: none. */
int gos__words_length(const char *s);
bool gos__words_same(const char *s, int n, const char *name);
/** NULL: none. */
const gos_function *gos__words_function(const char *s, int n);
bool gos__words_probe(const gos_words *w, const char *name);
/** Next name from *s on that is not a function's, or NULL. Moves *s past it and sets its length. */
const char *gos__words_next(const char **s, int *len);
/** t, a constant or a function. */
bool gos__words_reserved(const char *name);

/** Record GOS_E_INPUT at the position `pos` of the text. */
gos_status gos__words_wrong(const gos_words *w, int pos, const char *fmt, ...) GOS_PRINTF(3, 4);
/** The same with a remedy, for an unknown function, name (n characters) or character. */
gos_status gos__words_unknown_function(const gos_words *w, int pos, int n);
gos_status gos__words_unknown_name(const gos_words *w, int pos, int n);
gos_status gos__words_wrong_character(const gos_words *w, int pos);

#endif
