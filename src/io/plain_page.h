/* Pages without a script: what they begin with. */
#ifndef GOS_IO_PLAIN_PAGE_H
#define GOS_IO_PLAIN_PAGE_H

#include <stdio.h>

/** Head and style, up to the beginning of the body. */
void gos__plain_page_begin(FILE *out, const char *title);
/** Messages, one a line, each as a paragraph. */
void gos__plain_page_warnings(FILE *out, const char *text);

#endif
