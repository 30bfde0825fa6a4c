/* Reads node tables: comma-separated, first line column names, # begins a comment. */
#include "bodies/matrices_nodes.h"

#include <math.h>

enum { NAME, X, DOF = X + 3, NCOLUMNS = DOF + GOS_NODE_DOFS };
static const char *const columns[NCOLUMNS] = {"name", "x",  "y",  "z",  "ux",
                                              "uy",   "uz", "rx", "ry", "rz"};

typedef struct reader {
    gos_builder *b;
    const char *path, *object, *line_start;
    int line;
    int column[NCOLUMNS]; // cell index, -1: none
    int n;                // coordinates
    char *taken;          // (n) already assigned
    int cap, count;
    gos_matrices_node *node;
} reader;

static gos_loc loc_at(const reader *r, const char *at) {
    return (gos_loc){r->path, r->line, (int)(at - r->line_start) + 1};
}

/* Finds the trimmed cell `index` of a line; false if there is none. */
static bool cell_of(const char *s, const char *end, int index, const char **cell, size_t *n) {
    for (int i = 0; i < index; i++) {
        s = memchr(s, ',', end - s);
        if (!s) {
            return false;
        }
        s++;
    }
    const char *stop = memchr(s, ',', end - s);
    stop = stop ? stop : end;
    while (s < stop && (*s == ' ' || *s == '\t')) {
        s++;
    }
    while (stop > s && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r')) {
        stop--;
    }
    *cell = s;
    *n = stop - s;
    return true;
}

static gos_status read_header(reader *r, const char *s, const char *end) {
    const char *cell;
    size_t n;
    for (int c = 0; c < NCOLUMNS; c++) {
        r->column[c] = -1;
    }
    for (int i = 0; cell_of(s, end, i, &cell, &n); i++) {
        int c = 0;
        while (c < NCOLUMNS &&
               (strlen(columns[c]) != n || memcmp(columns[c], cell, n) != 0 || r->column[c] >= 0)) {
            c++;
        }
        if (c == NCOLUMNS) {
            return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc_at(r, cell), r->object,
                                "'%.*s' is not a column of nodes, or is given twice; the columns "
                                "are name, x, y, z, ux, uy, uz, rx, ry, rz",
                                (int)(n < GOS_LIMIT_NAME ? n : GOS_LIMIT_NAME), cell);
        }
        r->column[c] = i;
    }
    for (int c = 0; c < DOF; c++) {
        if (r->column[c] < 0) {
            return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc_at(r, s), r->object,
                                "the table of nodes has no column '%s'; its first line lists the "
                                "columns, e.g. name,x,y,z,ux,uy,uz",
                                columns[c]);
        }
    }
    return GOS_OK;
}

static gos_status read_name(reader *r, const char *s, const char *end, gos_matrices_node *node) {
    const char *cell = s;
    size_t n = 0;
    char name[GOS_LIMIT_NAME + 2];
    (void)cell_of(s, end, r->column[NAME], &cell, &n);
    gos__format(name, sizeof name, "%.*s", (int)(n <= GOS_LIMIT_NAME ? n : GOS_LIMIT_NAME + 1),
                cell);
    if (!gos__name_valid(name)) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc_at(r, cell), r->object,
                            "'%s' is not a valid name of a node; use letters, digits and _, not "
                            "beginning with a digit, at most %d characters",
                            name, GOS_LIMIT_NAME);
    }
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->node[i].name, name) == 0) {
            return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc_at(r, cell), r->object,
                                "there are two nodes '%s'; rename one", name);
        }
    }
    node->name = gos__arena_strdup(r->b->arena, name);
    return node->name ? GOS_OK : GOS_E_MEMORY;
}

static gos_status read_dof(reader *r, const char *s, const char *end, int k,
                           gos_matrices_node *node) {
    const char *cell;
    size_t n;
    double value = 0;
    node->dof[k] = -1;
    const int column = r->column[DOF + k];
    if (column < 0 || !cell_of(s, end, column, &cell, &n) || n == 0) {
        return GOS_OK;
    }
    if (!gos__number_parse(cell, n, &value) || value != floor(value) ||
        !(value >= 0 && value <= r->n)) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc_at(r, cell), r->object,
                            "'%.*s' is not a coordinate; give its row in the matrices, 1 to %d, or "
                            "nothing if the node is locked",
                            (int)(n < GOS_LIMIT_NAME ? n : GOS_LIMIT_NAME), cell, r->n);
    }
    if (value == 0) {
        return GOS_OK;
    }
    const int i = (int)value - 1;
    if (r->taken[i]) {
        return gos__fail_at(
            r->b->ctx, GOS_E_INPUT, loc_at(r, cell), r->object,
            "coordinate %d already has a node; assign each coordinate to one node and direction",
            i + 1);
    }
    r->taken[i] = 1;
    node->dof[k] = i;
    return GOS_OK;
}

static gos_status read_node(reader *r, const char *s, const char *end, gos_matrices_node *node) {
    GOS_TRY(read_name(r, s, end, node));
    for (int k = 0; k < 3; k++) {
        const char *cell = s;
        size_t n = 0;
        (void)cell_of(s, end, r->column[X + k], &cell, &n);
        if (n == 0 || !gos__number_parse(cell, n, &node->x[k]) ||
            !(fabs(node->x[k]) <= GOS_LIMIT_NUMBER)) {
            return gos__fail_at(r->b->ctx, GOS_E_INPUT, loc_at(r, cell), r->object,
                                "'%.*s' is not a finite number; give %s of node '%s' in metres",
                                (int)(n < GOS_LIMIT_NAME ? n : GOS_LIMIT_NAME), cell,
                                columns[X + k], node->name);
        }
    }
    for (int k = 0; k < GOS_NODE_DOFS; k++) {
        GOS_TRY(read_dof(r, s, end, k, node));
        node->turns |= k >= 3 && node->dof[k] >= 0;
    }
    return GOS_OK;
}

static gos_status read_lines(reader *r, const char *text, size_t size) {
    const char *last = text + size;
    bool header = false;
    for (const char *s = text; s < last;) {
        const char *newline = memchr(s, '\n', last - s), *end = newline ? newline : last;
        const char *note = memchr(s, '#', end - s), *stop = note ? note : end;
        const char *first = s;
        r->line++;
        r->line_start = s;
        s = end + 1;
        while (first < stop && strchr(" \t\r", *first)) {
            first++;
        }
        if (first == stop) {
            continue;
        }
        if (!header) {
            GOS_TRY(read_header(r, r->line_start, stop));
            header = true;
            continue;
        }
        GOS_TRY(gos__grow(r->b->ctx, (void **)&r->node, &r->cap, r->count + 1, sizeof *r->node));
        r->node[r->count] = (gos_matrices_node){0};
        GOS_TRY(read_node(r, r->line_start, stop, &r->node[r->count]));
        r->count++;
    }
    if (r->count == 0) {
        r->line_start = text;
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, (gos_loc){r->path, r->line, 1}, r->object,
                            "the table has no nodes; begin it with name,x,y,z,ux,uy,uz");
    }
    return GOS_OK;
}

gos_status gos__matrices_nodes_read(gos_builder *b, const char *file, gos_loc loc,
                                    const char *object, int n, gos_matrices_node **node,
                                    int *count) {
    reader r = {.b = b, .object = object, .n = n};
    char *text;
    size_t size;
    GOS_TRY(gos__path_below(b->ctx, b->model->folder, file, loc, object, b->arena, &r.path));
    GOS_TRY(gos__file_read(b->ctx, r.path, GOS_LIMIT_TABLE_BYTES, loc, object, &text, &size));
    b->model->tables = gos__hash(b->model->tables, text, size);
    r.taken = gos__zalloc(b->ctx, (size_t)n + 1, sizeof *r.taken);
    gos_status status = r.taken ? read_lines(&r, text, size) : GOS_E_MEMORY;
    gos__free(b->ctx, text);
    gos__free(b->ctx, r.taken);
    if (status == GOS_OK) {
        *node = GOS_NEW(b->arena, gos_matrices_node, r.count);
        *count = r.count;
        status = *node ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK) {
        memcpy(*node, r.node, r.count * sizeof **node);
    }
    gos__free(b->ctx, r.node);
    return status;
}
