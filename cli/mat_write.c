/* Writes linear models and probes as MAT-files of version 5 ("MAT-File Format", The MathWorks).
   libmatio is not used for writing: it does not report a full disk. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { // data types and array classes of the format
    INT8 = 1,
    INT32 = 5,
    UINT32 = 6,
    DOUBLE = 9,
    MATRIX = 14,
    UTF8 = 16,
    CLASS_CELL = 1,
    CLASS_CHAR = 4,
    CLASS_SPARSE = 5,
    CLASS_DOUBLE = 6
};

static const size_t largest = 0x7fffffff; // [byte] maximum size of a variable

static const char *const block_names[] = {
#define X(name, doc) #name,
    GOS_BLOCK_LIST(X)
#undef X
};

/* a file being written; `good` is false after the first error */
typedef struct mat_file {
    gos_ctx *ctx;
    gos_output *output;
    FILE *out;
    bool good;
} mat_file;

/* ---- elements -------------------------------------------------------------------------------- */

static size_t padded(size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

static size_t element_size(size_t bytes) {
    return 8 + padded(bytes);
}

static void put_tag(mat_file *mat, uint32_t type, size_t bytes) {
    const uint32_t tag[2] = {type, (uint32_t)bytes};
    mat->good = mat->good && fwrite(tag, 1, sizeof tag, mat->out) == sizeof tag;
}

static void put_element(mat_file *mat, uint32_t type, size_t bytes, const void *data) {
    static const char zeros[8] = {0};
    const size_t rest = padded(bytes) - bytes;
    put_tag(mat, type, bytes);
    mat->good = mat->good && (bytes == 0 || fwrite(data, 1, bytes, mat->out) == bytes) &&
                fwrite(zeros, 1, rest, mat->out) == rest;
}

/* Write what precedes the `content` bytes of a matrix. @return false if it is too large for the
 * format */
static bool begin_matrix(mat_file *mat, const char *name, uint32_t class, uint32_t nzmax,
                         size_t rows, size_t columns, size_t content) {
    const uint32_t flags[2] = {class, nzmax};
    const int32_t dims[2] = {(int32_t)rows, (int32_t)columns};
    const size_t bytes = 2 * element_size(8) + element_size(strlen(name)) + content;
    if (bytes > largest) {
        (void)complain("%s: exceeds 2 GB, the largest variable of a MAT-file; export to h5 instead",
                       name);
        mat->good = false;
    }
    put_tag(mat, MATRIX, bytes);
    put_element(mat, UINT32, sizeof flags, flags);
    put_element(mat, INT32, sizeof dims, dims);
    put_element(mat, INT8, strlen(name), name);
    return mat->good;
}

static bool put_numbers(mat_file *mat, const char *name, size_t rows, size_t columns,
                        const double *x) {
    const size_t bytes = rows * columns * sizeof *x;
    if (begin_matrix(mat, name, CLASS_DOUBLE, 0, rows, columns, element_size(bytes))) {
        put_element(mat, DOUBLE, bytes, x);
    }
    return mat->good;
}

static bool put_sparse(mat_file *mat, const char *name, const gos_matrix_view *v) {
    const size_t n = v->entries, starts = (v->columns + 1L) * sizeof(int32_t);
    if (begin_matrix(mat, name, CLASS_SPARSE, (uint32_t)n, v->rows, v->columns,
                     element_size(4 * n) + element_size(starts) + element_size(8 * n))) {
        put_element(mat, INT32, 4 * n, v->row);
        put_element(mat, INT32, starts, v->start);
        put_element(mat, DOUBLE, 8 * n, v->value);
    }
    return mat->good;
}

/* bytes after the tag of the matrix */
static size_t text_size(const char *name, const char *text) {
    return 2 * element_size(8) + element_size(strlen(name)) + element_size(strlen(text));
}

static bool put_text(mat_file *mat, const char *name, const char *text) {
    size_t characters = 0;
    for (const char *c = text; *c != '\0'; c++) {
        characters += ((unsigned char)*c & 0xc0) != 0x80;
    }
    if (begin_matrix(mat, name, CLASS_CHAR, 0, 1, characters, element_size(strlen(text)))) {
        put_element(mat, UTF8, strlen(text), text);
    }
    return mat->good;
}

static bool put_texts(mat_file *mat, const char *name, const char *const *text, int n) {
    size_t content = 0;
    for (int i = 0; i < n; i++) {
        content += 8 + text_size("", text[i]);
    }
    bool good = begin_matrix(mat, name, CLASS_CELL, 0, n, 1, content);
    for (int i = 0; i < n && good; i++) {
        good = put_text(mat, "", text[i]);
    }
    return good;
}

/* ---- models ---------------------------------------------------------------------------------- */

static bool put_dense(mat_file *mat, const char *name, const gos_matrix_view *v, double factor) {
    double *x = calloc((size_t)v->rows * v->columns + 1, sizeof *x);
    for (long j = 0; x != NULL && j < v->columns; j++) {
        for (int k = v->start[j]; k < v->start[j + 1]; k++) {
            x[j * v->rows + v->row[k]] = factor * v->value[k];
        }
    }
    const bool good = x != NULL && put_numbers(mat, name, v->rows, v->columns, x);
    free(x);
    return good;
}

typedef gos_port (*port_fn)(const gos_linear *linear, int i);

static bool put_ports(mat_file *mat, const char *name, const gos_linear *l, port_fn port, int n,
                      bool unit) {
    const char **text = calloc(n + 1L, sizeof *text);
    for (int i = 0; text != NULL && i < n; i++) {
        const gos_port p = port(l, i);
        text[i] = unit ? p.unit : p.name;
    }
    const bool good = text != NULL && put_texts(mat, name, text, n);
    free(text);
    return good;
}

static bool put_names(mat_file *mat, const gos_linear *l, const gos_linear_info *n) {
    return (n->inputs == 0 ||
            (put_ports(mat, "inputs", l, gos_linear_input, n->inputs, false) &&
             put_ports(mat, "input_units", l, gos_linear_input, n->inputs, true))) &&
           (n->outputs == 0 ||
            (put_ports(mat, "outputs", l, gos_linear_output, n->outputs, false) &&
             put_ports(mat, "output_units", l, gos_linear_output, n->outputs, true)));
}

/* Names of the blocks that follow, so that a truncated file is detected. */
static bool put_list(mat_file *mat, const gos_linear *l) {
    const char *text[GOS_NBLOCKS + 1];
    int n = 0;
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        gos_matrix_view v;
        gos_linear_block(l, (gos_block)b, &v);
        if (v.entries > 0) {
            text[n++] = block_names[b];
        }
    }
    return n == 0 || put_texts(mat, "blocks", text, n);
}

static bool put_blocks(mat_file *mat, const gos_linear *l, const gos_linear_info *n) {
    const double sizes[] = {
        n->coordinates, n->temperatures, n->potentials, n->constraints, n->temperature_constraints,
        n->inputs,      n->outputs};
    bool good = put_text(mat, "format", MAT_FORMAT) && put_numbers(mat, "sizes", 1, 7, sizes) &&
                put_list(mat, l);
    for (int b = 0; b < GOS_NBLOCKS && good; b++) {
        gos_matrix_view v;
        gos_linear_block(l, (gos_block)b, &v);
        good = v.entries == 0 || put_sparse(mat, block_names[b], &v);
    }
    if (n->mass > 0) { // rigid motions are known
        good = good && put_numbers(mat, "rigid", n->coordinates, 6, gos_linear_rigid(l));
    }
    return good;
}

static bool put_first_order(mat_file *mat, const gos_linear *l) {
    const struct {
        const char *name;
        gos_block block;
        double factor;
    } list[] = {{"E", GOS_BLOCK_C_T, 1},
                {"A", GOS_BLOCK_K_T, -1},
                {"B", GOS_BLOCK_B_T, 1},
                {"C", GOS_BLOCK_Y_T, 1},
                {"D", GOS_BLOCK_Y_u, 1}};
    bool good = true;
    for (size_t i = 0; i < sizeof list / sizeof list[0] && good; i++) {
        gos_matrix_view v;
        gos_linear_block(l, list[i].block, &v);
        good = put_dense(mat, list[i].name, &v, list[i].factor);
    }
    return good;
}

/* ---- files ----------------------------------------------------------------------------------- */

static mat_file create(gos_ctx *ctx, const char *path) {
    static const char text[] = MAT_MAGIC ", written by gossamer " GOS_VERSION;
    mat_file mat = {.ctx = ctx};
    if (gos_output_begin(ctx, path, &mat.output) != GOS_OK) {
        return mat;
    }
    char head[124];
    const uint16_t version[2] = {0x0100, 0x4d49}; // version, byte order mark
    (void)memset(head, ' ', 116);
    (void)memcpy(head, text, sizeof text - 1);
    (void)memset(head + 116, 0, 8);
    mat.out = gos_output_stream(mat.output);
    mat.good = fwrite(head, 1, sizeof head, mat.out) == sizeof head &&
               fwrite(version, 1, sizeof version, mat.out) == sizeof version;
    return mat;
}

/* Close the file; file errors are reported here. good: all content was written. */
static int finish(mat_file *mat, const char *path, bool good) {
    if (mat->output == NULL) {
        return EXIT_FAILED;
    }
    const bool failed = !good && mat->good; // out of memory, or unreadable results
    const gos_status status = gos_output_end(mat->output, !failed && (good || ferror(mat->out)));
    if (failed) {
        (void)complain("%s: cannot be written", path);
    }
    return status == GOS_OK && good ? EXIT_DONE : EXIT_FAILED;
}

int write_mat(gos_ctx *ctx, const gos_linear *linear, bool first_order, const char *path) {
    gos_linear_info n;
    gos_linear_info_get(linear, &n);
    mat_file mat = create(ctx, path);
    const bool good =
        mat.good && (first_order ? put_first_order(&mat, linear) : put_blocks(&mat, linear, &n)) &&
        put_names(&mat, linear, &n);
    return finish(&mat, path, good);
}

/* Probe values are stored (times, components); MATLAB stores by columns. */
static bool put_probe(mat_file *mat, gos_results *run, int i, size_t rows) {
    gos_probe_info p;
    const double *value;
    gos_results_probe_info(run, i, &p);
    if (gos_results_probe(run, i, &value, NULL) != GOS_OK) {
        return false;
    }
    const size_t n = p.ncomp;
    double *x = calloc(rows * n + 1, sizeof *x);
    for (size_t k = 0; x != NULL && k < rows * n; k++) {
        x[k % n * rows + k / n] = value[k];
    }
    const bool good = x != NULL && put_numbers(mat, p.name, rows, n, x);
    free(x);
    return good;
}

int write_mat_probes(gos_ctx *ctx, gos_results *run, const char *path) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    const size_t rows = info.nrows;
    mat_file mat = create(ctx, path);
    bool good = mat.good;
    // if a probe is called `time`, omit the time variable: readers return only one of each name
    good = good && (gos_results_probe_find(run, "time") >= 0 ||
                    put_numbers(&mat, "time", rows, 1, gos_results_time(run)));
    for (int i = 0; i < info.nprobes && good; i++) {
        good = put_probe(&mat, run, i, rows);
    }
    return finish(&mat, path, good);
}
