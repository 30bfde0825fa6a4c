/* Files of Gmsh, written from the description of the format: version 2.2 and 4.1, in text and in
 * bytes. */
#ifndef GOS_TEST_MSH_FILES_H
#define GOS_TEST_MSH_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

typedef struct msh_node {
    long long tag;
    double x[3];
} msh_node;

typedef struct msh_element {
    long long tag;
    int type, dim, entity; // of Gmsh
    int group;             // 0: none
    int n;                 // nodes
    long long node[20];    // their tags
} msh_element;

typedef struct msh_name {
    int dim, tag;
    const char *name;
} msh_name;

typedef struct msh_model {
    int nnode, nelement, nname;
    const msh_node *node;
    const msh_element *element; // of one dimension and entity in a row
    const msh_name *name;
} msh_model;

typedef struct msh_file {
    FILE *f;
    char *text;
    size_t n;
    bool binary;
} msh_file;

static inline void msh_put(msh_file *o, int bytes, long long value) {
    const int32_t small = (int32_t)value;
    const int64_t large = value;
    if (!o->binary) {
        (void)fprintf(o->f, "%lld ", value);
    } else {
        (void)fwrite(bytes == 4 ? (const void *)&small : (const void *)&large, (size_t)bytes, 1,
                     o->f);
    }
}

static inline void msh_put_double(msh_file *o, double value) {
    if (o->binary) {
        (void)fwrite(&value, sizeof value, 1, o->f);
    } else {
        (void)fprintf(o->f, "%.17g ", value);
    }
}

static inline void msh_end(msh_file *o) {
    if (!o->binary) {
        (void)fputc('\n', o->f);
    }
}

static inline void msh_head(msh_file *o, const msh_model *m, bool v4) {
    const int32_t one = 1;
    (void)fprintf(o->f, "$MeshFormat\n%s %d 8\n", v4 ? "4.1" : "2.2", o->binary);
    if (o->binary) {
        (void)fwrite(&one, sizeof one, 1, o->f);
        (void)fputc('\n', o->f);
    }
    (void)fprintf(o->f, "$EndMeshFormat\n$PhysicalNames\n%d\n", m->nname);
    for (int i = 0; i < m->nname; i++) {
        (void)fprintf(o->f, "%d %d \"%s\"\n", m->name[i].dim, m->name[i].tag, m->name[i].name);
    }
    (void)fprintf(o->f, "$EndPhysicalNames\n");
}

static inline void msh_2(msh_file *o, const msh_model *m) {
    (void)fprintf(o->f, "$Nodes\n%d\n", m->nnode);
    for (int i = 0; i < m->nnode; i++) {
        msh_put(o, 4, m->node[i].tag);
        for (int c = 0; c < 3; c++) {
            msh_put_double(o, m->node[i].x[c]);
        }
        msh_end(o);
    }
    (void)fprintf(o->f, "%s$EndNodes\n$Elements\n%d\n", o->binary ? "\n" : "", m->nelement);
    for (int i = 0; i < m->nelement; i++) {
        const msh_element *e = &m->element[i];
        if (o->binary) { // a head for each
            msh_put(o, 4, e->type);
            msh_put(o, 4, 1);
            msh_put(o, 4, 2);
            msh_put(o, 4, e->tag);
        } else {
            (void)fprintf(o->f, "%lld %d 2 ", e->tag, e->type);
        }
        msh_put(o, 4, e->group);
        msh_put(o, 4, e->entity);
        for (int k = 0; k < e->n; k++) {
            msh_put(o, 4, e->node[k]);
        }
        msh_end(o);
    }
    (void)fprintf(o->f, "%s$EndElements\n", o->binary ? "\n" : "");
}

/* the end of elements that are in one block with element i */
static inline int msh_block(const msh_model *m, int i) {
    int end = i + 1;
    while (end < m->nelement && m->element[end].type == m->element[i].type &&
           m->element[end].entity == m->element[i].entity) {
        end++;
    }
    return end;
}

static inline void msh_entities(msh_file *o, const msh_model *m) {
    int n[4] = {0};
    for (int i = 0; i < m->nelement; i = msh_block(m, i)) {
        n[m->element[i].dim]++;
    }
    (void)fprintf(o->f, "$Entities\n");
    for (int d = 0; d < 4; d++) {
        msh_put(o, 8, n[d]);
    }
    msh_end(o);
    for (int d = 0; d < 4; d++) {
        for (int i = 0; i < m->nelement; i = msh_block(m, i)) {
            const msh_element *e = &m->element[i];
            if (e->dim != d) {
                continue;
            }
            msh_put(o, 4, e->entity);
            for (int c = 0; c < (d == 0 ? 3 : 6); c++) {
                msh_put_double(o, 0.5);
            }
            msh_put(o, 8, e->group != 0);
            if (e->group) {
                msh_put(o, 4, -e->group); // turned round: the same group
            }
            if (d > 0) {
                msh_put(o, 8, 2);
                msh_put(o, 4, 1);
                msh_put(o, 4, -2);
            }
            msh_end(o);
        }
    }
    (void)fprintf(o->f, "%s$EndEntities\n", o->binary ? "\n" : "");
}

/* nodes in two blocks, the second one with parameters */
static inline void msh_4_nodes(msh_file *o, const msh_model *m) {
    (void)fprintf(o->f, "$Nodes\n");
    msh_put(o, 8, 2);
    msh_put(o, 8, m->nnode);
    msh_put(o, 8, 1);
    msh_put(o, 8, 99);
    msh_end(o);
    for (int b = 0; b < 2; b++) {
        const int first = b ? m->nnode / 2 : 0, end = b ? m->nnode : m->nnode / 2;
        msh_put(o, 4, 2);
        msh_put(o, 4, 1);
        msh_put(o, 4, b);
        msh_put(o, 8, end - first);
        msh_end(o);
        for (int i = first; i < end; i++) {
            msh_put(o, 8, m->node[i].tag);
            msh_end(o);
        }
        for (int i = first; i < end; i++) {
            for (int c = 0; c < 3 + 2 * b; c++) {
                msh_put_double(o, c < 3 ? m->node[i].x[c] : 0.25);
            }
            msh_end(o);
        }
    }
    (void)fprintf(o->f, "%s$EndNodes\n", o->binary ? "\n" : "");
}

static inline void msh_4(msh_file *o, const msh_model *m) {
    int n = 0;
    for (int i = 0; i < m->nelement; i = msh_block(m, i)) {
        n++;
    }
    msh_entities(o, m);
    msh_4_nodes(o, m);
    (void)fprintf(o->f, "$Elements\n");
    msh_put(o, 8, n);
    msh_put(o, 8, m->nelement);
    msh_put(o, 8, 1);
    msh_put(o, 8, 99);
    msh_end(o);
    for (int i = 0; i < m->nelement;) {
        const int end = msh_block(m, i);
        msh_put(o, 4, m->element[i].dim);
        msh_put(o, 4, m->element[i].entity);
        msh_put(o, 4, m->element[i].type);
        msh_put(o, 8, end - i);
        msh_end(o);
        for (; i < end; i++) {
            msh_put(o, 8, m->element[i].tag);
            for (int k = 0; k < m->element[i].n; k++) {
                msh_put(o, 8, m->element[i].node[k]);
            }
            msh_end(o);
        }
    }
    (void)fprintf(o->f, "%s$EndElements\n", o->binary ? "\n" : "");
}

/* the file; free its text */
static inline msh_file msh_write(const msh_model *m, bool v4, bool binary) {
    msh_file o = {.binary = binary};
    o.f = open_memstream(&o.text, &o.n);
    msh_head(&o, m, v4);
    if (v4) {
        msh_4(&o, m);
    } else {
        msh_2(&o, m);
    }
    (void)fclose(o.f);
    return o;
}

#endif
