/* Pages without a script: what they begin with. */
#ifndef GOS_IO_PLAIN_PAGE_H
#define GOS_IO_PLAIN_PAGE_H

#include <stdio.h>

/** Head, style and titles ("Linear model", its name), up to the beginning of the content. */
void gos__plain_page_begin(FILE *out, const char *kind, const char *title);
/** From the end of the content on. */
void gos__plain_page_end(FILE *out);
/** Messages, one a line, each as a paragraph. */
void gos__plain_page_warnings(FILE *out, const char *text);

#endif
