/* Tables of numbers, separated by commas, semicolons or blanks; lines beginning with # and a
   header line are skipped. */
#ifndef GOS_NUMBER_TABLE_H
#define GOS_NUMBER_TABLE_H

#include "base/base.h"

/* all rows have equal length */
typedef struct gos_number_table {
    gos_ctx *ctx;
    const char *file; // interned
    double *x;        // row by row (n)
    int room, n, rows, columns;
    int *line, line_room; // line number of each row
} gos_number_table;

/** loc, object: where `path` was given (may be empty, NULL). Free also after a failure.
 *  @return GOS_E_FILE, GOS_E_INPUT with file and line: not a number, unequal rows, no rows */
gos_status gos__number_table_read(gos_ctx *ctx, const char *path, gos_loc loc, const char *object,
                                  gos_number_table *table);
void gos__number_table_free(gos_number_table *table);
gos_status gos__number_table_wrong(const gos_number_table *table, int line, int col,
                                   const char *what);

#endif
