/* Writes standard input data, readable by Fortran programs. */
#include <string.h>

#include "flex/sid.h"

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
