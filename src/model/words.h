/* Names in expressions. */
#ifndef GOS_WORDS_H
#define GOS_WORDS_H

#include "model/private.h"

/* Text of an expression, its location, and the scope of its names. */
typedef struct gos_words {
    gos_model *m;
    const char *text;
    gos_loc loc;        // of its first character
    const char *object; // owning entry
    const gos_scope *scope;
} gos_words;

/** Length of the name at s, 0: none. */
int gos__words_length(const char *s);
/** Do the n characters at s equal this name? */
bool gos__words_same(const char *s, int n, const char *name);
/** The function of this name (n characters), or NULL. */
const gos_function *gos__words_function(const char *s, int n);
/** Does the model have a probe of this name? */
bool gos__words_probe(const gos_words *w, const char *name);
/** Next name in an expression from *s on that is not a function: its start, or NULL. Advances *s
 *  past it and sets its length. */
const char *gos__words_next(const char **s, int *len);
/** Is the name reserved: t, a constant or a function? */
bool gos__words_reserved(const char *name);

/** Record GOS_E_INPUT at the position `pos` of the text. */
gos_status gos__words_wrong(const gos_words *w, int pos, const char *fmt, ...) GOS_PRINTF(3, 4);
/** The same for an unknown function, name (n characters) or character at pos, with a remedy. */
gos_status gos__words_unknown_function(const gos_words *w, int pos, int n);
gos_status gos__words_unknown_name(const gos_words *w, int pos, int n);
gos_status gos__words_wrong_character(const gos_words *w, int pos);

#endif
