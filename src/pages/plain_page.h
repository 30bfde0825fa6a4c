/* Pages without script. */
#ifndef GOS_IO_PLAIN_PAGE_H
#define GOS_IO_PLAIN_PAGE_H

#include <stdio.h>

/** Head, style and titles. */
void gos__plain_page_begin(FILE *out, const char *kind, const char *title);
/** End of the page. */
void gos__plain_page_end(FILE *out);
/** Messages, one per line, as paragraphs. */
void gos__plain_page_warnings(FILE *out, const char *text);

#endif
