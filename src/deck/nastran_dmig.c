/* Matrices of DMIG cards. */
#include <math.h>
#include <strings.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

enum { NAME = 8, SQUARE = 1, SYMMETRIC = 6, COMPONENTS = 10 };

typedef struct header {
    char name[NAME + 1];
    int64_t form;
    const gos_nastran_card *card;
} header;

typedef struct taking {
    const char *matrix; // NULL: the only one
    gos_sparse *A;
    int nheader;
    header *header;
    const header *chosen;
    int nkey, key_cap;
    int64_t *key; // COMPONENTS * grid point + component, of the rows
    int n, icap, jcap, xcap;
    int *i, *j;
    double *x;
} taking;

static bool is_dmig(const gos_nastran_card *c) {
    return strcmp(c->name, "DMIG") == 0;
}

/* a card of the form of the matrix, not of a column */
static bool is_header(const gos_nastran *r, const gos_nastran_card *c) {
    const gos_nastran_field f = gos__nastran_field(r, c, 2);
    return f.n == 1 && f.s[0] == '0';
}

static header *find(const gos_nastran *r, const taking *k, const gos_nastran_card *c) {
    const gos_nastran_field f = gos__nastran_field(r, c, 1);
    for (int i = 0; i < k->nheader; i++) {
        if (strlen(k->header[i].name) == (size_t)f.n &&
            strncasecmp(k->header[i].name, f.s, (size_t)f.n) == 0) {
            return &k->header[i];
        }
    }
    return NULL;
}

static gos_status add_header(gos_nastran *r, taking *k, const gos_nastran_card *c) {
    const gos_nastran_field f = gos__nastran_field(r, c, 1);
    header *h;
    int64_t form;
    if (f.n < 1 || f.n > NAME) {
        return gos__nastran_fail(r, c, 1, "the name of the matrix has 1 to %d characters", NAME);
    }
    if (find(r, k, c)) {
        return gos__nastran_fail(r, c, 1, "matrix '%.*s' is begun twice; rename one", f.n, f.s);
    }
    GOS_TRY(gos__nastran_whole(r, c, 3, "form of the matrix", 1, GOS_NASTRAN_REQUIRED, &form));
    GOS_TRY(gos__nastran_add(r, &k->header, &k->nheader, sizeof *h, &h));
    *h = (header){.form = form, .card = c};
    memcpy(h->name, f.s, (size_t)f.n);
    return GOS_OK;
}

static bool is_square(const header *h) {
    return h->form == SQUARE || h->form == SYMMETRIC;
}

static gos_status choose(gos_nastran *r, taking *k) {
    const gos_loc loc = {r->file[0].name, 0, 0};
    char names[200] = "";
    for (int i = 0; i < k->nheader; i++) {
        const size_t have = strlen(names);
        gos__format(names + have, sizeof names - have, "%s%s", have ? ", " : "", k->header[i].name);
        k->chosen = k->matrix
                        ? strcasecmp(k->matrix, k->header[i].name) == 0 ? &k->header[i] : k->chosen
                        : &k->header[0];
    }
    if (!k->chosen || (!k->matrix && k->nheader > 1)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, loc, "DMIG",
                            k->chosen ? "the file has the matrices %s; name one: FILE:NAME"
                                      : "the file has no such matrix, but %s",
                            names[0] ? names : "none");
    }
    const gos_nastran_card *c = k->chosen->card;
    int64_t type;
    GOS_TRY(gos__nastran_whole(r, c, 4, "type of the matrix", 1, GOS_NASTRAN_REQUIRED, &type));
    if (type > 2) {
        return gos__nastran_fail(r, c, 4, "complex matrices are not supported; give type 1 or 2");
    }
    GOS_TRY(gos__nastran_unused(r, c, 6, 6, "POLAR, amplitude and phase"));
    return is_square(k->chosen) ? GOS_OK
                                : gos__nastran_fail(r, c, 3,
                                                    "form %lld is not supported; give a square "
                                                    "(1) or symmetric matrix (6)",
                                                    (long long)k->chosen->form);
}

/* grid point and component, 0 of scalar points, in fields i, i + 1 */
static gos_status key_of(gos_nastran *r, const gos_nastran_card *c, int i, int64_t *key) {
    int64_t id, component;
    GOS_TRY(gos__nastran_id(r, c, i, "number of a grid point", &id));
    GOS_TRY(gos__nastran_whole(r, c, i + 1, "component", 0, 0, &component));
    *key = COMPONENTS * id + component;
    return component <= 6 ? GOS_OK : gos__nastran_fail(r, c, i + 1, "the component must be 0 to 6");
}

static gos_status add_key(gos_nastran *r, taking *k, int64_t key) {
    if (k->nkey > 0 && k->key[k->nkey - 1] == key) {
        return GOS_OK;
    }
    GOS_TRY(gos__grow(r->ctx, (void **)&k->key, &k->key_cap, k->nkey + 1, sizeof *k->key));
    k->key[k->nkey++] = key;
    return GOS_OK;
}

/* rows of the entries of a column; the column itself last */
static gos_status add_keys(gos_nastran *r, taking *k, const gos_nastran_card *c) {
    const header *h = find(r, k, c);
    int64_t key, column;
    if (!h) {
        const gos_nastran_field f = gos__nastran_field(r, c, 1);
        return gos__nastran_fail(r, c, 1,
                                 "matrix '%.*s' has no card with its form, DMIG,NAME,0,FORM",
                                 f.n < 20 ? f.n : 20, f.s);
    }
    if (!is_square(h)) {
        return GOS_OK;
    }
    GOS_TRY(key_of(r, c, 2, &column));
    for (int i = 5; i <= c->n; i += 4) {
        GOS_TRY(key_of(r, c, i, &key));
        GOS_TRY(add_key(r, k, key));
    }
    return add_key(r, k, column);
}

static int by_key(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int row_of(const taking *k, int64_t key) {
    const int64_t *at = bsearch(&key, k->key, (size_t)k->nkey, sizeof key, by_key);
    return (int)(at - k->key); // all are in the list
}

static gos_status add_entry(gos_nastran *r, taking *k, int i, int j, double x) {
    GOS_TRY(gos__grow(r->ctx, (void **)&k->i, &k->icap, k->n + 1, sizeof *k->i));
    GOS_TRY(gos__grow(r->ctx, (void **)&k->j, &k->jcap, k->n + 1, sizeof *k->j));
    GOS_TRY(gos__grow(r->ctx, (void **)&k->x, &k->xcap, k->n + 1, sizeof *k->x));
    k->i[k->n] = i;
    k->j[k->n] = j;
    k->x[k->n++] = x;
    return GOS_OK;
}

static gos_status add_column(gos_nastran *r, taking *k, const gos_nastran_card *c) {
    int64_t key;
    GOS_TRY(key_of(r, c, 2, &key));
    const int j = row_of(k, key);
    for (int i = 5; i <= c->n; i += 4) {
        double x;
        GOS_TRY(key_of(r, c, i, &key));
        GOS_TRY(gos__nastran_real(r, c, i + 2, "value of the matrix", (double)NAN, &x));
        GOS_TRY(gos__nastran_unused(r, c, i + 3, i + 3, "an imaginary part"));
        const int row = row_of(k, key);
        GOS_TRY(x != 0 ? add_entry(r, k, row, j, x) : GOS_OK);
        GOS_TRY(x != 0 && row != j && k->chosen->form == SYMMETRIC ? add_entry(r, k, j, row, x)
                                                                   : GOS_OK);
    }
    return GOS_OK;
}

static gos_status assemble(gos_nastran *r, taking *k) {
    gos_sparse *A = k->A;
    GOS_TRY(gos__sparse_from_triplets(r->ctx, k->nkey, k->nkey, k->n, k->i, k->j, k->x, A));
    for (int e = 0, j = 0; e < A->nnz; e++) {
        while (e >= A->p[j + 1]) {
            j++;
        }
        if (e > A->p[j] && A->i[e] == A->i[e - 1]) {
            const int64_t a = k->key[A->i[e]], b = k->key[j];
            return gos__nastran_fail(
                r, k->chosen->card, 0, "entry (%lld, %d), (%lld, %d) is given twice%s",
                (long long)(a / COMPONENTS), (int)(a % COMPONENTS), (long long)(b / COMPONENTS),
                (int)(b % COMPONENTS),
                k->chosen->form == SYMMETRIC ? "; a symmetric matrix lists one triangle" : "");
        }
    }
    return GOS_OK;
}

static gos_status take(gos_nastran *r, taking *k) {
    r->open_ended = true;
    GOS_TRY(gos__nastran_split(r));
    for (int i = 0; i < r->ncard; i++) {
        const gos_nastran_card *c = &r->card[i];
        GOS_TRY(is_dmig(c) && is_header(r, c) ? add_header(r, k, c) : GOS_OK);
    }
    GOS_TRY(choose(r, k));
    for (int i = 0; i < r->ncard; i++) {
        const gos_nastran_card *c = &r->card[i];
        GOS_TRY(is_dmig(c) && !is_header(r, c) ? add_keys(r, k, c) : GOS_OK);
    }
    if (k->nkey == 0) {
        return gos__nastran_fail(r, k->chosen->card, 0, "the matrix has no columns");
    }
    qsort(k->key, (size_t)k->nkey, sizeof *k->key, by_key);
    int n = 1;
    for (int i = 1; i < k->nkey; i++) {
        k->key[n] = k->key[i];
        n += k->key[i] != k->key[n - 1];
    }
    k->nkey = n;
    for (int i = 0; i < r->ncard; i++) {
        const gos_nastran_card *c = &r->card[i];
        GOS_TRY(is_dmig(c) && !is_header(r, c) && find(r, k, c) == k->chosen ? add_column(r, k, c)
                                                                             : GOS_OK);
    }
    return assemble(r, k);
}

static gos_status take_with(gos_nastran *r, void *arg) {
    taking *k = arg;
    const gos_status status = take(r, k);
    gos__free(r->ctx, k->key);
    gos__free(r->ctx, k->i);
    gos__free(r->ctx, k->j);
    gos__free(r->ctx, k->x);
    return status;
}

static gos_status matrix_of(gos_ctx *ctx, const gos_nastran_file *file, const char *matrix,
                            gos_sparse *A) {
    taking k = {.matrix = matrix, .A = A};
    gos_mesh *mesh;
    *A = (gos_sparse){0};
    GOS_TRY(file->name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__mesh_create(ctx, &mesh));
    const gos_status status = gos__nastran_with(mesh, file, NULL, 0, take_with, &k);
    gos__mesh_destroy(mesh);
    if (status != GOS_OK) {
        gos__sparse_free(ctx, A);
        *A = (gos_sparse){0};
    }
    return status;
}

gos_status gos__nastran_matrix_parse(gos_ctx *ctx, const char *name, const char *data, size_t size,
                                     const char *matrix, gos_sparse *A) {
    const gos_nastran_file file = {.name = gos__intern(ctx, name), .text = data, .size = size};
    return matrix_of(ctx, &file, matrix, A);
}

gos_status gos__nastran_matrix_read(gos_ctx *ctx, const char *path, const char *matrix, gos_loc loc,
                                    const char *object, gos_sparse *A) {
    gos_nastran_file file = {.name = gos__intern(ctx, path)};
    *A = (gos_sparse){0};
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_DECK_BYTES, loc, object, &file.owned, &file.size));
    file.text = file.owned;
    const gos_status status = matrix_of(ctx, &file, matrix, A);
    gos__free(ctx, file.owned);
    return status;
}
