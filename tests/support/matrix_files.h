/* Matrix Market files and models beside them in a folder of their own, for tests of bodies of
   matrices. Include after cmocka and verify.h. */
#ifndef GOS_TEST_MATRIX_FILES_H
#define GOS_TEST_MATRIX_FILES_H

#include <unistd.h>

static char matrix_folder[64];

static inline int matrix_folder_make(void **state) {
    (void)state;
    (void)snprintf(matrix_folder, sizeof matrix_folder, "/tmp/gos-matrices-XXXXXX");
    return mkdtemp(matrix_folder) ? 0 : -1;
}

static inline int matrix_folder_remove(void **state) {
    char command[100];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", matrix_folder);
    return system(command);
}

static inline FILE *matrix_file(const char *name) {
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", matrix_folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static inline void matrix_text(const char *name, const char *text) {
    FILE *f = matrix_file(name);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A (m, n) by rows into NAME.mtx */
static inline void matrix_write(const char *name, int m, int n, const double *A) {
    char file[40];
    (void)snprintf(file, sizeof file, "%s.mtx", name);
    FILE *f = matrix_file(file);
    (void)fprintf(f, "%%%%MatrixMarket matrix array real general\n%d %d\n", m, n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            (void)fprintf(f, "%.17g\n", A[i * n + j]);
        }
    }
    assert_int_equal(fclose(f), 0);
}

/* a model in that folder */
static inline void matrix_model(verify *v, const char *text, const char *settings) {
    char path[200];
    matrix_text("model.yaml", text);
    (void)snprintf(path, sizeof path, "%s/model.yaml", matrix_folder);
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    verify_good(v, gos_model_read(v->ctx, path, &v->model));
    verify_set(v, settings);
    verify_compile(v);
}

#endif
