/* Standard input data: storage. */
#include "flex/sid.h"

#include <string.h>

/* Writes standard input data, readable by Fortran programs. */

enum { EQUALS = 48 }; // column of the equals signs

static void put_name(FILE *out, int indent, const char *name) {
    (void)fprintf(out, "%*s%-*s= ", indent, "", EQUALS - indent, name);
}

static void put_count(FILE *out, int indent, const char *name, int n) {
    put_name(out, indent, name);
    (void)fprintf(out, "%8d\n", n);
}

/* 17 digits are exact; the sign replaces the blank */
static void put_number(FILE *out, int indent, const char *name, double x) {
    char text[40];
    (void)gos__format(text, sizeof text, "% .16e", x);
    char *e = strchr(text, 'e');
    if (e) {
        *e = 'D';
    }
    (void)fprintf(out, "%*s%-*s=%s\n", indent, "", EQUALS - indent, name, text);
}

/* Some readers expect a blank after the name. */
static void put_block(FILE *out, int indent, const char *name, const gos_sid_block *b) {
    const int inside = indent + 5;
    if (b->line == 0) {
        return;
    }
    (void)fprintf(out, "%*s%-8s\n", indent, "", name);
    put_count(out, inside, "order", b->order);
    put_count(out, inside, "nrow", b->nrow);
    put_count(out, inside, "ncol", b->ncol);
    put_count(out, inside, "nq", b->nq);
    put_count(out, inside, "nqn", b->nqn);
    put_count(out, inside, "structure", (int)b->structure);
    for (int e = 0; e < b->n; e++) {
        const gos_sid_entry *x = &b->entry[e];
        char at[60];
        if (x->q < 0) {
            (void)gos__format(at, sizeof at, "m0(%4d,%4d)", x->i + 1, x->j + 1);
        } else {
            (void)gos__format(at, sizeof at, "m1(%4d,%4d,%4d)", x->i + 1, x->q + 1, x->j + 1);
        }
        put_number(out, inside, at, x->x);
    }
    (void)fprintf(out, "%*send %-8s\n", indent, "", name);
}

static void put_refmod(const gos_sid *s, FILE *out) {
    (void)fputs("           refmod  \n", out);
    put_number(out, 16, "mass", s->mass);
    put_count(out, 16, "nelastq", s->n);
    for (int k = 0; k < s->n; k++) {
        char name[40];
        (void)gos__format(name, sizeof name, "ielastq (%4d)", k + 1);
        put_name(out, 16, name);
        (void)fprintf(out, "%s\n", s->mode[k] ? s->mode[k] : "");
    }
    (void)fputs("           end refmod\n", out);
}

void gos__sid_write(const gos_sid *s, FILE *out) {
    (void)fprintf(out, "%8d%8d%s%s\n part\n      new modal\n", s->nnode, s->n,
                  s->remark && *s->remark ? " " : "", s->remark ? s->remark : "");
    put_refmod(s, out);
    (void)fputs("           frame   \n", out);
    for (int i = 0; i < s->nnode; i++) {
        put_count(out, 16, "new node", s->node[i].number);
        put_name(out, 21, "rframe");
        (void)fputs("body ref\n", out);
        for (int b = GOS_SID_NBLOCK + 1; b < GOS_SID_END; b++) {
            put_block(out, 21, gos__sid_name(b), &s->node[i].block[GOS_SID_OF_NODE(b)]);
        }
        (void)fputs("                end node\n", out);
    }
    (void)fputs("           end frame\n", out);
    for (int b = 0; b < GOS_SID_NBLOCK; b++) {
        put_block(out, 11, gos__sid_name(b), &s->block[b]);
    }
    (void)fputs("      end modal\n end part\n", out);
}

enum { Q = -1, Q3 = -3 };
static const struct {
    const char *name;
    int rows, columns;
} shape[GOS_SID_END] = {
#define X(name, text, rows, columns) [GOS_SID_##name] = {text, rows, columns},
    GOS_SID_BLOCKS(X) GOS_SID_NODE_BLOCKS(X)
#undef X
};

const char *gos__sid_name(int block) {
    return shape[block].name;
}

void gos__sid_shape(const gos_sid *s, int block, int *rows, int *columns) {
    *rows = shape[block].rows > 0 ? shape[block].rows : -shape[block].rows * s->n;
    *columns = shape[block].columns > 0 ? shape[block].columns : -shape[block].columns * s->n;
}

gos_status gos__sid_create(gos_ctx *ctx, int n, gos_sid **sid) {
    gos_sid *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    *s = (gos_sid){.ctx = ctx, .n = n};
    s->mode = (char **)gos__zalloc(ctx, (size_t)n + 1, sizeof *s->mode);
    if (!s->mode) {
        gos__free(ctx, s);
        return GOS_E_MEMORY;
    }
    *sid = s;
    return GOS_OK;
}

void gos__sid_destroy(gos_sid *s) {
    if (!s) {
        return;
    }
    for (int i = 0; i < s->nnode; i++) {
        for (int b = 0; b < GOS_SID_NODE_NBLOCK; b++) {
            gos__free(s->ctx, s->node[i].block[b].entry);
        }
    }
    for (int b = 0; b < GOS_SID_NBLOCK; b++) {
        gos__free(s->ctx, s->block[b].entry);
    }
    for (int k = 0; k < s->n; k++) {
        gos__free(s->ctx, s->mode[k]);
    }
    gos__free(s->ctx, (void *)s->mode);
    gos__free(s->ctx, s->node);
    gos__free(s->ctx, s->remark);
    gos__free(s->ctx, s);
}

static gos_status keep_text(gos_ctx *ctx, const char *text, size_t n, char **to) {
    char *copy = gos__zalloc(ctx, n + 1, 1);
    GOS_TRY(copy ? GOS_OK : GOS_E_MEMORY);
    memcpy(copy, text, n);
    gos__free(ctx, *to);
    *to = copy;
    return GOS_OK;
}

gos_status gos__sid_remark(gos_sid *s, const char *text, size_t length) {
    return keep_text(s->ctx, text, length, &s->remark);
}

gos_status gos__sid_mode(gos_sid *s, int k, const char *text, size_t length) {
    return keep_text(s->ctx, text, length, &s->mode[k]);
}

gos_status gos__sid_add_node(gos_sid *s, int number, gos_sid_node **node) {
    GOS_TRY(gos__grow(s->ctx, (void **)&s->node, &s->cap, s->nnode + 1, sizeof *s->node));
    *node = &s->node[s->nnode++];
    (*node)->number = number;
    return GOS_OK;
}

gos_status gos__sid_add(gos_ctx *ctx, gos_sid_block *b, int i, int q, int j, double x) {
    GOS_TRY(gos__grow(ctx, (void **)&b->entry, &b->cap, b->n + 1, sizeof *b->entry));
    b->entry[b->n++] = (gos_sid_entry){i, q, j, x};
    return GOS_OK;
}

/* M0, then M1 of the first n amplitudes */
static void fill(const gos_sid_block *b, int n, double *A) {
    const size_t m = (size_t)b->nrow, size = m * (size_t)b->ncol;
    memset(A, 0, ((size_t)n + 1) * size * sizeof *A);
    for (size_t i = 0; b->structure == GOS_SID_UNIT && i < m; i++) {
        A[i * (m + 1)] = 1;
    }
    for (int e = 0; e < b->n; e++) {
        const gos_sid_entry *x = &b->entry[e];
        if (x->q < n) {
            A[(size_t)(x->q + 1) * size + (size_t)x->i + (size_t)x->j * m] = x->x;
        }
    }
    for (int e = 0; e < b->n && b->structure == GOS_SID_SYMMETRIC; e++) {
        const gos_sid_entry *x = &b->entry[e];
        const size_t mirror = (size_t)(x->q + 1) * size + (size_t)x->j + (size_t)x->i * m;
        if (x->q < n && A[mirror] == 0) {
            A[mirror] = x->x;
        }
    }
}

void gos__sid_constant(const gos_sid_block *b, double *A) {
    fill(b, 0, A);
}

void gos__sid_all(const gos_sid_block *b, int n, double *A) {
    fill(b, n, A);
}
