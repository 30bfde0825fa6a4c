/* Reads linear models from MAT-files (version 5) with libmatio. Only in the program, since libmatio
   is not hardened against malicious files. mat_write.c writes MAT-files. */
#include <limits.h>
#include <matio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

static const char *const block_names[] = {
#define X(name, doc) #name,
    GOS_BLOCK_LIST(X)
#undef X
};

bool is_mat(const char *path) {
    return begins_with(path, MAT_MAGIC, sizeof MAT_MAGIC - 1);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* a matrix in compressed columns, copied from a variable */
typedef struct matrix {
    int *start, *row;
    double *value;
    gos_matrix_view view;
} matrix;

enum { PORT_TEXT = 256 };
typedef struct ports {
    gos_port *list;
    char (*text)[PORT_TEXT]; // names, then units
    int n;
} ports;

typedef struct mat_reader {
    gos_ctx *ctx;
    const char *path;
    mat_t *mat;
    matrix m[GOS_NBLOCKS + 2]; // blocks, `sizes`, `rigid`
    int n;
    ports in, out;
    size_t bytes;
    bool packed;  // the file has compressed variables
    bool damaged; // a variable exceeds the file size (reported)
} mat_reader;

#define FREE_ORDER 100000 // dimensions accepted for any file size: some megabytes
#define MAX_RATIO 1100    // maximum compression ratio in MAT-files

static int bad(const mat_reader *r, const char *name, const char *what) {
    return complain("%s: variable %s %s", r->path, name, what);
}

static bool make_room(matrix *m, size_t columns, size_t entries) {
    m->start = calloc(columns + 1, sizeof *m->start);
    m->row = calloc(entries + 1, sizeof *m->row);
    m->value = calloc(entries + 1, sizeof *m->value);
    return m->start != NULL && m->row != NULL && m->value != NULL;
}

static bool take_dense(const matvar_t *v, matrix *m) {
    const size_t rows = v->dims[0], columns = v->dims[1];
    const double *x = v->data;
    size_t n = 0;
    for (size_t k = 0; k < rows * columns; k++) {
        n += x[k] != 0;
    }
    if (n > INT_MAX || !make_room(m, columns, n)) {
        return false;
    }
    int count = 0;
    for (size_t k = 0; k < rows * columns; k++) {
        if (x[k] != 0) {
            m->row[count] = (int)(k % rows);
            m->value[count++] = x[k];
        }
        m->start[k / rows + 1] = count;
    }
    return true;
}

static bool take_sparse(const matvar_t *v, matrix *m) {
    const mat_sparse_t *s = v->data;
    const size_t columns = v->dims[1];
    const mat_uint32_t n = s->njc == columns + 1 ? s->jc[columns] : UINT32_MAX;
    if (n > INT_MAX || n > s->nir || n > s->ndata || !make_room(m, columns, n)) {
        return false;
    }
    // order and range are checked by gos_linear_from_blocks and gos_linear_from_matrices
    for (size_t j = 0; j <= columns; j++) {
        m->start[j] = s->jc[j] <= n ? (int)s->jc[j] : -1;
    }
    for (size_t k = 0; k < n; k++) {
        m->row[k] = s->ir[k] <= INT_MAX ? (int)s->ir[k] : -1;
        m->value[k] = ((const double *)s->data)[k];
    }
    return true;
}

static bool is_matrix(const matvar_t *v) {
    return (v->class_type == MAT_C_DOUBLE || v->class_type == MAT_C_SPARSE) && v->rank == 2 &&
           v->data_type == MAT_T_DOUBLE && v->isComplex == 0 && v->dims[0] <= INT_MAX &&
           v->dims[1] < INT_MAX;
}

/* Upper limit of rows, columns, inputs and numbers, derived from the file size. */
static size_t most_of(const mat_reader *r) {
    const size_t most = r->bytes * (r->packed ? MAX_RATIO : 1);
    return most > FREE_ORDER ? most : FREE_ORDER;
}

/* Can the file contain as many numbers as the header of the variable declares? */
static bool is_there(mat_reader *r, const matvar_t *v) {
    size_t numbers = v->class_type == MAT_C_SPARSE ? 0 : 1;
    r->packed = r->packed || v->compression != MAT_COMPRESSION_NONE;
    const size_t most = most_of(r);
    for (int i = 0; i < v->rank; i++) {
        if (v->dims[i] > most || (numbers > 0 && v->dims[i] > 0 && numbers > most / v->dims[i])) {
            return false;
        }
        numbers *= v->dims[i];
    }
    return true;
}

/* Read a variable; NULL if it does not exist or exceeds the file size. The caller frees it. */
static matvar_t *read_variable(mat_reader *r, const char *name) {
    matvar_t *head = Mat_VarReadInfo(r->mat, name);
    const bool there = head == NULL || is_there(r, head);
    Mat_VarFree(head);
    if (!there) {
        (void)bad(r, name, "is declared larger than the file; write the file again");
        r->damaged = true;
    }
    return there && head != NULL ? Mat_VarRead(r->mat, name) : NULL;
}

/* Read a matrix; *to is unchanged if it does not exist or is empty. */
static int get(mat_reader *r, const char *name, const gos_matrix_view **to) {
    matvar_t *v = read_variable(r, name);
    int code = r->damaged ? EXIT_USE : EXIT_DONE;
    if (v != NULL && !is_matrix(v)) {
        code = bad(r, name, "is not a real matrix of double precision");
    } else if (v != NULL && v->data != NULL && v->dims[0] > 0 && v->dims[1] > 0) {
        matrix *m = &r->m[r->n++];
        if (!(v->class_type == MAT_C_SPARSE ? take_sparse : take_dense)(v, m)) {
            code = bad(r, name, "is damaged or too large");
        } else {
            const int columns = (int)v->dims[1];
            m->view = (gos_matrix_view){.rows = (int)v->dims[0],
                                        .columns = columns,
                                        .entries = m->start[columns],
                                        .start = m->start,
                                        .row = m->row,
                                        .value = m->value};
            *to = &m->view;
        }
    }
    Mat_VarFree(v);
    return code;
}

/* Text of a variable; characters that do not fit into tables become '_'. */
static void text_of(const matvar_t *v, char text[PORT_TEXT]) {
    text[0] = '\0';
    if (v == NULL || v->class_type != MAT_C_CHAR || v->data == NULL || v->data_size < 1 ||
        v->data_size > 2) {
        return;
    }
    const size_t width = v->data_size;
    size_t n = v->nbytes / width;
    n = n < PORT_TEXT - 1 ? n : PORT_TEXT - 1;
    for (size_t i = 0; i < n; i++) {
        const unsigned c =
            width == 1 ? ((const uint8_t *)v->data)[i] : ((const uint16_t *)v->data)[i];
        text[i] = c > ' ' && c < 127 && c != ',' && c != '"' ? (char)c : '_';
    }
    text[n] = '\0';
}

static void get_texts(mat_reader *r, const char *name, char (*text)[PORT_TEXT], int n) {
    matvar_t *v = read_variable(r, name);
    if (v != NULL && v->class_type == MAT_C_CELL && v->data != NULL) {
        const size_t have = v->nbytes / sizeof(matvar_t *);
        for (int i = 0; i < n && (size_t)i < have; i++) {
            text_of(((matvar_t **)v->data)[i], text[i]);
        }
    }
    Mat_VarFree(v);
}

static bool get_ports(mat_reader *r, const char *names, const char *units, int n, ports *p) {
    p->list = calloc(n + 1L, sizeof *p->list);
    p->text = calloc(2L * n + 1, sizeof *p->text);
    if (p->list == NULL || p->text == NULL) {
        return false;
    }
    get_texts(r, names, p->text, n);
    get_texts(r, units, p->text + n, n);
    for (int i = 0; i < n; i++) {
        p->list[i] = (gos_port){p->text[i], p->text[n + i]};
    }
    return !r->damaged;
}

static int get_blocks(mat_reader *r, gos_linear_blocks *blocks) {
    char listed[GOS_NBLOCKS][PORT_TEXT] = {{0}};
    get_texts(r, "blocks", listed, GOS_NBLOCKS);
    int code =
        listed[0][0] != '\0' ? EXIT_DONE : bad(r, "blocks", "is missing; the file is incomplete");
    for (int b = 0; b < GOS_NBLOCKS && code == EXIT_DONE; b++) {
        code = get(r, block_names[b], &blocks->block[b]);
        for (int i = 0; i < GOS_NBLOCKS && code == EXIT_DONE; i++) {
            if (strcmp(listed[i], block_names[b]) == 0 && blocks->block[b] == NULL) {
                code = bad(r, block_names[b], "is missing; the file is incomplete");
            }
        }
    }
    return code;
}

static int read_own(mat_reader *r, gos_linear **linear) {
    gos_linear_blocks blocks = {0};
    const gos_matrix_view *sizes = NULL;
    int *const to[] = {&blocks.coordinates,
                       &blocks.temperatures,
                       &blocks.potentials,
                       &blocks.constraints,
                       &blocks.temperature_constraints,
                       &blocks.inputs,
                       &blocks.outputs};
    int code = get(r, "sizes", &sizes);
    if (code != EXIT_DONE || sizes == NULL || sizes->rows != 1 || sizes->columns != 7) {
        return code != EXIT_DONE ? code : bad(r, "sizes", "is not a row of 7 numbers");
    }
    for (int j = 0; j < 7; j++) {
        const double x = sizes->start[j + 1] > sizes->start[j] ? sizes->value[sizes->start[j]] : 0;
        if (!(x >= 0 && x <= (double)most_of(r) && x < INT_MAX)) {
            return bad(r, "sizes", "is out of range for a file of this size; write the file again");
        }
        *to[j] = (int)x;
    }
    code = get_blocks(r, &blocks);
    code = code == EXIT_DONE ? get(r, "rigid", &blocks.rigid) : code;
    if (code != EXIT_DONE) {
        return code;
    }
    if (!get_ports(r, "inputs", "input_units", blocks.inputs, &r->in) ||
        !get_ports(r, "outputs", "output_units", blocks.outputs, &r->out)) {
        return r->damaged ? EXIT_USE : EXIT_FAILED;
    }
    blocks.input = r->in.list;
    blocks.output = r->out.list;
    return exit_code(gos_linear_from_blocks(r->ctx, &blocks, linear), true);
}

static int read_foreign(mat_reader *r, gos_linear **linear) {
    gos_matrices m = {0};
    const gos_matrix_view *D = NULL;
    const struct {
        const char *name;
        const gos_matrix_view **to;
    } list[] = {{"M", &m.M}, {"D", &D},   {"K", &m.K}, {"G", &m.G},     {"E", &m.E},
                {"A", &m.A}, {"B", &m.B}, {"C", &m.C}, {"C_v", &m.C_v}, {"F", &m.F}};
    int code = EXIT_DONE;
    for (size_t i = 0; i < sizeof list / sizeof list[0] && code == EXIT_DONE; i++) {
        code = get(r, list[i].name, list[i].to);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    // with A, D is the feedthrough matrix; with M it is the damping matrix
    *(m.A != NULL ? &m.F : &m.D) = D;
    const gos_matrix_view *Y = m.C != NULL ? m.C : m.C_v;
    if (!get_ports(r, "inputs", "input_units", m.B != NULL ? m.B->columns : 0, &r->in) ||
        !get_ports(r, "outputs", "output_units", Y != NULL ? Y->rows : 0, &r->out)) {
        return r->damaged ? EXIT_USE : EXIT_FAILED;
    }
    m.inputs = r->in.list;
    m.outputs = r->out.list;
    return exit_code(gos_linear_from_matrices(r->ctx, &m, linear), true);
}

static bool is_own(mat_reader *r) {
    char text[PORT_TEXT];
    matvar_t *v = read_variable(r, "format");
    text_of(v, text);
    Mat_VarFree(v);
    return strcmp(text, MAT_FORMAT) == 0;
}

int read_mat(gos_ctx *ctx, const char *path, gos_linear **linear) {
    mat_reader r = {.ctx = ctx, .path = path, .mat = Mat_Open(path, MAT_ACC_RDONLY)};
    if (r.mat == NULL || Mat_GetVersion(r.mat) != MAT_FT_MAT5) {
        if (r.mat != NULL) {
            (void)Mat_Close(r.mat);
        }
        return complain("%s: cannot be read as a MAT-file of version 5", path);
    }
    struct stat st;
    r.bytes = stat(path, &st) == 0 && st.st_size > 0 ? st.st_size : 0;
    int (*const read)(mat_reader *, gos_linear **) = is_own(&r) ? read_own : read_foreign;
    const int code = r.damaged ? EXIT_USE : read(&r, linear);
    (void)Mat_Close(r.mat);
    for (int i = 0; i < r.n; i++) {
        free(r.m[i].start);
        free(r.m[i].row);
        free(r.m[i].value);
    }
    free(r.in.list);
    free(r.in.text);
    free(r.out.list);
    free(r.out.text);
    return code;
}
