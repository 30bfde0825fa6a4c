/* Evaluates parameters in order of dependency, depth-first with an explicit stack. A parameter
 * that fails is NaN; expressions that use it then fail silently, so that one error gives one
 * message. */
#include "model/quantity.h"
#include "model/words.h"

#include <math.h>

typedef enum mark { NEW, OPEN, DONE } mark;

/* stack entry: position in the expression */
typedef struct visit {
    int par;
    const char *rest;
} visit;

typedef struct walk {
    gos_model *m;
    const gos_node **node; // value node of each parameter (npar)
    mark *mark;            // (npar)
    visit *stack;          // (npar)
    int depth;
    bool failed;
} walk;

/* ---- walk ------------------------------------------------------------------------------------ */

static void object_text(char buf[static 96], const char *name) {
    gos__format(buf, 96, "parameter '%.64s'", name);
}

/* cycle from the repeated parameter back to itself */
static void report_cycle(walk *w, int par) {
    const gos_parameter *p = w->m->par;
    char chain[512] = "", object[96];
    int first = w->depth - 1;
    while (w->stack[first].par != par) {
        first--;
    }
    for (int i = first; i < w->depth; i++) {
        const size_t n = strlen(chain);
        gos__format(chain + n, sizeof(chain) - n, "%.64s -> ", p[w->stack[i].par].name);
    }
    object_text(object, p[par].name);
    gos__fail_at(w->m->ctx, GOS_E_INPUT, p[par].loc, object, "depends on itself: %s%.64s", chain,
                 p[par].name);
    for (int i = first; i < w->depth; i++) {
        w->mark[w->stack[i].par] = DONE;
    }
    w->depth = first;
    w->failed = true;
}

/* next dependency of the top entry, or -1 */
static int next_needed(walk *w, visit *top) {
    int len;
    size_t number;
    const char *unit;
    if (gos__quantity_written(top->rest, &number, &unit)) {
        return -1;
    }
    for (;;) {
        const char *name = gos__words_next(&top->rest, &len);
        if (name == NULL) {
            return -1;
        }
        const gos_parameter *p = gos__parameter_get(w->m, name, len);
        if (p != NULL && w->mark[p - w->m->par] != DONE) {
            return (int)(p - w->m->par);
        }
    }
}

static void evaluate(walk *w, int par) {
    gos_parameter *p = &w->m->par[par];
    char object[96];
    object_text(object, p->name);
    double value;
    if (gos__quantity_parameter(w->m, w->node[par]->text, w->node[par]->loc, object, &value,
                                &p->unit) == GOS_OK) {
        p->value = value;
    } else {
        w->failed = true;
    }
    w->mark[par] = DONE;
}

static void visit_from(walk *w, int start) {
    w->stack[0] = (visit){start, w->node[start]->text};
    w->depth = 1;
    w->mark[start] = OPEN;
    while (w->depth > 0) {
        visit *top = &w->stack[w->depth - 1];
        const int need = next_needed(w, top);
        if (need < 0) {
            evaluate(w, top->par);
            w->depth--;
        } else if (w->mark[need] == OPEN) {
            report_cycle(w, need);
        } else {
            w->stack[w->depth++] = (visit){need, w->node[need]->text};
            w->mark[need] = OPEN;
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static gos_status check_parameter(gos_model *m, const gos_node *c) {
    char object[96];
    object_text(object, c->key);
    if (c->kind != GOS_SCALAR || gos__node_null(c)) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, c->loc, object,
                            "must be a number or an expression");
    }
    if (gos__words_reserved(c->key)) {
        return gos__fail_at(
            m->ctx, GOS_E_INPUT, c->key_loc, object,
            "the name is reserved (time t, constants pi and e, functions); choose another one");
    }
    return GOS_OK;
}

static gos_status list_parameters(walk *w, const gos_node *map) {
    gos_model *m = w->m;
    gos_parameter *par = GOS_NEW(m->arena, gos_parameter, map->n);
    int *sorted = GOS_NEW(m->arena, int, map->n);
    gos_arena *a = m->arena;
    w->node = (const gos_node **)gos__arena_alloc(a, map->n, sizeof(*w->node));
    w->mark = GOS_NEW(a, mark, map->n);
    w->stack = GOS_NEW(a, visit, map->n);
    if (par == NULL || sorted == NULL || w->node == NULL || w->mark == NULL || w->stack == NULL) {
        return GOS_E_MEMORY;
    }
    int n = 0;
    for (const gos_node *c = map->child; c != NULL; c = c->next, n++) {
        par[n] = (gos_parameter){c->key, (double)NAN, c->loc, NULL};
        w->node[n] = c;
        if (check_parameter(m, c) != GOS_OK) {
            w->failed = true;
            w->mark[n] = DONE;
        }
    }
    m->par = par;
    m->npar = n;
    m->par_sorted = sorted;
    return GOS_OK;
}

static int compare_names(const void *a, const void *b) {
    return strcmp((*(const gos_parameter *const *)a)->name,
                  (*(const gos_parameter *const *)b)->name);
}

static gos_status sort_parameters(gos_model *m) {
    const gos_parameter **p = gos__alloc(m->ctx, m->npar, sizeof(*p));
    if (p == NULL) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < m->npar; i++) {
        p[i] = &m->par[i];
    }
    qsort(p, m->npar, sizeof(*p), compare_names);
    for (int i = 0; i < m->npar; i++) {
        m->par_sorted[i] = (int)(p[i] - m->par);
    }
    gos__free(m->ctx, p);
    return GOS_OK;
}

gos_status gos__model_parameters(gos_model *m) {
    m->par = NULL;
    m->par_sorted = NULL;
    m->npar = 0;
    const gos_status units = gos__model_units(m);
    const gos_node *map = gos__node_get(m->root, "parameters");
    if (map == NULL || map->kind != GOS_MAP || map->n == 0 || units == GOS_E_MEMORY) {
        return units; // maps are checked by the layout check
    }
    walk w = {.m = m};
    GOS_TRY(list_parameters(&w, map));
    GOS_TRY(sort_parameters(m));
    for (int i = 0; i < m->npar; i++) {
        if (w.mark[i] == NEW) {
            visit_from(&w, i);
        }
    }
    return w.failed ? GOS_E_INPUT : units;
}
