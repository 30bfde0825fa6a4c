/* Meshes as VTK XML unstructured grids, in text. */
#include "gossamer/mesh.h"
#include "mesh/mesh.h"

#include <locale.h>

typedef struct vtu {
    const gos_mesh *m;
    FILE *out;
} vtu;

/* VTK type, and the order of its nodes in ours (NULL: the same). VTK wedges start with the triangle
   whose normal points outwards. */
static const struct {
    int type;
    const signed char *order;
} kinds[GOS_CELL_SHAPES] = {
    [GOS_CELL_POINT] = {1, NULL},
    [GOS_CELL_LINE2] = {3, NULL},
    [GOS_CELL_LINE3] = {21, NULL},
    [GOS_CELL_TRI3] = {5, NULL},
    [GOS_CELL_TRI6] = {22, NULL},
    [GOS_CELL_QUAD4] = {9, NULL},
    [GOS_CELL_QUAD8] = {23, NULL},
    [GOS_CELL_TET4] = {10, NULL},
    [GOS_CELL_TET10] = {24, NULL},
    [GOS_CELL_WEDGE6] = {13, (const signed char[]){0, 2, 1, 3, 5, 4}},
    [GOS_CELL_WEDGE15] = {26,
                          (const signed char[]){0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13}},
    [GOS_CELL_HEX8] = {12, NULL},
    [GOS_CELL_HEX20] = {25, NULL},
};

static void begin_array(const vtu *v, const char *type, const char *name, int width) {
    (void)fprintf(v->out, "<DataArray type=\"%s\" Name=\"", type);
    for (const char *c = name; *c; c++) {
        if (*c == '<' || *c == '>' || *c == '&' || *c == '"' || (unsigned char)*c < ' ') {
            (void)fputc('_', v->out);
        } else {
            (void)fputc(*c, v->out);
        }
    }
    (void)fprintf(v->out, "\" NumberOfComponents=\"%d\" format=\"ascii\">\n", width);
}

static void end_array(const vtu *v) {
    (void)fputs("</DataArray>\n", v->out);
}

static void put_points(const vtu *v) {
    begin_array(v, "Float64", "Points", 3);
    for (int i = 0; i < v->m->nnode; i++) {
        const double *x = v->m->x[i];
        (void)fprintf(v->out, "%.17g %.17g %.17g\n", x[0], x[1], x[2]);
    }
    end_array(v);
}

static void put_cells(const vtu *v) {
    begin_array(v, "Int32", "connectivity", 1);
    for (int b = 0; b < v->m->nblock; b++) {
        const gos_cell_block *block = &v->m->block[b];
        const int n = gos__cell_kind[block->shape].nodes;
        const signed char *order = kinds[block->shape].order;
        for (int i = 0; i < block->n; i++) {
            for (int k = 0; k < n; k++) {
                (void)fprintf(v->out, "%d ", block->node[(size_t)i * n + (order ? order[k] : k)]);
            }
            (void)fputc('\n', v->out);
        }
    }
    end_array(v);
    begin_array(v, "Int64", "offsets", 1);
    long long at = 0;
    for (int b = 0; b < v->m->nblock; b++) {
        for (int i = 0; i < v->m->block[b].n; i++) {
            at += gos__cell_kind[v->m->block[b].shape].nodes;
            (void)fprintf(v->out, "%lld\n", at);
        }
    }
    end_array(v);
    begin_array(v, "UInt8", "types", 1);
    for (int b = 0; b < v->m->nblock; b++) {
        for (int i = 0; i < v->m->block[b].n; i++) {
            (void)fprintf(v->out, "%d\n", kinds[v->m->block[b].shape].type);
        }
    }
    end_array(v);
}

static void put_tags(const vtu *v, int n, int64_t (*tag)(const gos_mesh *, int)) {
    begin_array(v, "Int64", "tag", 1);
    for (int i = 0; i < n; i++) {
        (void)fprintf(v->out, "%lld\n", (long long)tag(v->m, i));
    }
    end_array(v);
}

static void put_sets(const vtu *v, const gos_mesh_set *set, int nset, int n) {
    for (int s = 0; s < nset; s++) {
        begin_array(v, "UInt8", set[s].name, 1);
        for (int i = 0, k = 0; i < n; i++) {
            const bool in = k < set[s].n && set[s].item[k] == i;
            k += in;
            (void)fputs(in ? "1\n" : "0\n", v->out);
        }
        end_array(v);
    }
}

static void put_all(const vtu *v) {
    const gos_mesh *m = v->m;
    (void)fprintf(v->out,
                  "<?xml version=\"1.0\"?>\n<!-- made by gossamer -->\n<VTKFile "
                  "type=\"UnstructuredGrid\" version=\"1.0\" "
                  "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
                  "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n",
                  m->nnode, m->ncell);
    put_points(v);
    (void)fputs("</Points>\n<Cells>\n", v->out);
    put_cells(v);
    (void)fputs("</Cells>\n<CellData>\n", v->out);
    put_tags(v, m->ncell, gos__mesh_cell_tag);
    put_sets(v, m->cell_set, m->ncell_set, m->ncell);
    (void)fputs("</CellData>\n<PointData>\n", v->out);
    put_tags(v, m->nnode, gos__mesh_node_tag);
    put_sets(v, m->node_set, m->nnode_set, m->nnode);
    (void)fputs("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", v->out);
}

gos_status gos_mesh_write_vtu(gos_ctx *ctx, const gos_mesh *mesh, const char *path) {
    gos_output *file = NULL;
    GOS_TRY(gos_output_replaces(ctx, path, "<?xml", "<!-- made by gossamer -->",
                                "a VTK file of this program"));
    GOS_TRY(gos_output_begin(ctx, path, &file));
    const vtu v = {mesh, gos_output_stream(file)};
    const locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    put_all(&v);
    (void)uselocale(before);
    return gos_output_end(file, true);
}
