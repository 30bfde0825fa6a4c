/* Shared by the files of the Gmsh reader: remaining input, groups, elements. */
#ifndef GOS_MSH_READER_H
#define GOS_MSH_READER_H

#include "mesh/msh.h"
#include "mesh/tags.h"

#define GOS_MSH_NAME 127 // characters of a group name, as in Gmsh

/* A physical group. */
typedef struct gos_msh_group {
    int dim, tag;
    char name[GOS_MSH_NAME + 1]; // "": unnamed
} gos_msh_group;

/* A geometric entity and its groups. */
typedef struct gos_msh_entity {
    int dim, tag;
    int first, n; // of gos_msh_reader.entity_group
} gos_msh_entity;

/* Membership of an element in a group. */
typedef struct gos_msh_member {
    int group;
    gos_cell_shape shape;
    int i; // index in its list
} gos_msh_member;

/* Elements of one shape in file order, with nodes in mesh order. */
typedef struct gos_msh_list {
    int n, cap, cap_tag, cap_line;
    int *node;      // (n, nodes of the shape)
    int64_t *tag;   // (n)
    int *line;      // (n), 0: binary
    int overlap[2]; // first two with the same nodes in another order; equal: none
} gos_msh_list;

typedef struct gos_msh_reader {
    gos_ctx *ctx;
    const char *file;
    const char *begin, *s, *stop; // the text, and the rest of it
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
    gos_mesh *mesh; // contains the nodes
    gos_tags nodes;

    gos_msh_list list[GOS_CELL_SHAPES];
    gos_tags same; // index of elements by nodes
    int nmember, cap_member;
    gos_msh_member *member;
    bool partitions; // partitions are present
} gos_msh_reader;

/* ---- text and bytes (msh_text.c) ------------------------------------------------------------- */

/** Report an error at a position: line and column, or (binary) byte. */
gos_status gos__msh_refuse(const gos_msh_reader *r, const char *at, const char *fmt, ...)
    GOS_PRINTF(3, 4);
/** Location of the next byte, for messages (binary: without line). */
gos_loc gos__msh_loc(const gos_msh_reader *r);
/** Skip blanks and line ends; false at the end of the text. */
bool gos__msh_find(gos_msh_reader *r);
/** Read the rest of this line without surrounding blanks. */
void gos__msh_rest(gos_msh_reader *r, const char **s, int *n);
/** Read a number in lo .. hi from the text of this line. */
gos_status gos__msh_text_int(gos_msh_reader *r, const char *what, int64_t lo, int64_t hi,
                             int64_t *value);
gos_status gos__msh_text_double(gos_msh_reader *r, const char *what, double *value);
/** The same, or from `bytes` (4 or 8) bytes of a binary file. */
gos_status gos__msh_int(gos_msh_reader *r, const char *what, int bytes, int64_t lo, int64_t hi,
                        int64_t *value);
gos_status gos__msh_double(gos_msh_reader *r, const char *what, double *value);
/** Finish a record. Text: nothing may follow on the line; then go to the next nonempty line. */
gos_status gos__msh_end(gos_msh_reader *r);
/** The same for text in binary files. */
gos_status gos__msh_line_end(gos_msh_reader *r);
/** Check that the remaining bytes suffice for n items declared at `at`: at least `text` bytes each,
 * or `binary` bytes in binary files. */
gos_status gos__msh_room(const gos_msh_reader *r, const char *at, const char *what, double n,
                         double text, double bytes);

/* ---- sections -------------------------------------------------------------------------------- */

gos_status gos__msh_names(gos_msh_reader *r);
gos_status gos__msh_entities(gos_msh_reader *r, bool partitioned);
gos_status gos__msh_elements(gos_msh_reader *r);
/** Convert the lists to cells and sets of the mesh. */
gos_status gos__msh_finish(gos_msh_reader *r, bool all);

#endif
