/* What the files of the reader of Gmsh's meshes share: the text or bytes that are left, groups,
 * elements. */
#ifndef GOS_MSH_READER_H
#define GOS_MSH_READER_H

#include "mesh/msh.h"
#include "mesh/tags.h"

#define GOS_MSH_NAME 127 // characters of a name of a group, as in Gmsh

/* A physical group. */
typedef struct gos_msh_group {
    int dim, tag;
    char name[GOS_MSH_NAME + 1]; // "": it has none
} gos_msh_group;

/* A part of the geometry, and the groups that it is in. */
typedef struct gos_msh_entity {
    int dim, tag;
    int first, n; // of gos_msh_reader.entity_group
} gos_msh_entity;

/* That an element is in a group. */
typedef struct gos_msh_member {
    int group;
    gos_cell_shape shape;
    int i; // of its list
} gos_msh_member;

/* Elements of one shape, in the order of the file, their nodes in the mesh's order. */
typedef struct gos_msh_list {
    int n, cap, cap_tag, cap_line;
    int *node;      // (n, nodes of the shape)
    int64_t *tag;   // (n)
    int *line;      // (n), 0: binary
    int overlap[2]; // the first two with the same nodes in another order; equal: there are none
} gos_msh_list;

typedef struct gos_msh_reader {
    gos_ctx *ctx;
    const char *file;
    const char *begin, *s, *stop; // the text, and what is left of it
    const char *line_begin;
    int line;
    bool binary, v4;

    int ngroup, cap_group;
    gos_msh_group *group;
    int nentity, cap_entity;
    gos_msh_entity *entity;
    gos_tags entities; // by dimension and tag
    int nentity_group, cap_entity_group;
    int *entity_group;
    gos_tags groups; // by dimension and tag

    bool has_nodes, has_elements;
    gos_mesh *mesh; // has the nodes
    gos_tags nodes;

    gos_msh_list list[GOS_CELL_SHAPES];
    gos_tags same; // elements by their nodes
    int nmember, cap_member;
    gos_msh_member *member;
    bool partitions; // elements name some
} gos_msh_reader;

/* ---- text and bytes (msh_text.c)
 * -------------------------------------------------------------------- */

/** An error at a place of the text: its line and column, or (binary) its byte. */
gos_status gos__msh_refuse(const gos_msh_reader *r, const char *at, const char *fmt, ...)
    GOS_PRINTF(3, 4);
/** The place of the next byte, for messages (binary: without a line). */
gos_loc gos__msh_loc(const gos_msh_reader *r);
/** Go over blanks and ends of lines; false at the end of the text. */
bool gos__msh_find(gos_msh_reader *r);
/** The rest of this line, without its end and blanks around it; goes behind it. */
void gos__msh_rest(gos_msh_reader *r, const char **s, int *n);
/** A number from the text of this line, lo .. hi. */
gos_status gos__msh_text_int(gos_msh_reader *r, const char *what, int64_t lo, int64_t hi,
                             int64_t *value);
gos_status gos__msh_text_double(gos_msh_reader *r, const char *what, double *value);
/** The same, or from `bytes` (4 or 8) bytes of a binary file. */
gos_status gos__msh_int(gos_msh_reader *r, const char *what, int bytes, int64_t lo, int64_t hi,
                        int64_t *value);
gos_status gos__msh_double(gos_msh_reader *r, const char *what, double *value);
/** The end of a record: of text nothing but the end of the line is left, then the next line that
 * holds something. */
gos_status gos__msh_end(gos_msh_reader *r);
/** The same where a binary file has text, too. */
gos_status gos__msh_line_end(gos_msh_reader *r);
/** n things are announced at `at`: do the bytes left bear that out, of text `text` bytes each at
 * least, of binary `bytes`? */
gos_status gos__msh_room(const gos_msh_reader *r, const char *at, const char *what, double n,
                         double text, double bytes);

/* ---- sections
 * --------------------------------------------------------------------------------------- */

/** The number of a group, which is made when it is new. */
gos_status gos__msh_group(gos_msh_reader *r, int dim, int tag, int *group);
gos_status gos__msh_names(gos_msh_reader *r);
gos_status gos__msh_entities(gos_msh_reader *r, bool partitioned);
/** The part of the geometry with that tag, NULL: it was not listed. */
const gos_msh_entity *gos__msh_find_entity(const gos_msh_reader *r, int dim, int tag);
gos_status gos__msh_nodes(gos_msh_reader *r);
gos_status gos__msh_elements(gos_msh_reader *r);
/** From lists to cells and sets of the mesh. */
gos_status gos__msh_finish(gos_msh_reader *r, bool all);

#endif
