/* Making of gos_shapes. */
#ifndef GOS_CORRELATION_SHAPES_H
#define GOS_CORRELATION_SHAPES_H

#include "base/base.h"
#include "gossamer/correlation.h"

#define GOS_SHAPES_LIMIT 20000000 // numbers of a set of shapes

/** Arrays of modes x sensors, zero; damping unknown. */
gos_status gos__shapes_allocate(gos_ctx *ctx, int modes, int sensors, gos_shapes *shapes);

/** Is the text a universal file: does its first line hold -1 alone? */
bool gos__universal_is(const char *text);
/** Modes of the datasets 55 of a universal file; file: interned name for messages. */
gos_status gos__universal_read(gos_ctx *ctx, const char *file, const char *text,
                               gos_shapes *shapes);
/** Modes of a table with a header; the text is changed. */
gos_status gos__shapes_table_read(gos_ctx *ctx, const char *file, char *text, gos_shapes *shapes);

#endif
