/* Boundary conditions, forces, temperatures, initial state; amplitudes. */
#include "deck/reader.h"

#include <math.h>

/* OP=NEW would remove loads of the same step */
static gos_status check_op(gos_deck_reader *r, gos_deck_nodal_kind kind) {
    int op;
    GOS_TRY(gos__deck_param_choice(r, "OP", "MOD NEW", &op));
    for (int i = 0; op == 1 && i < r->deck->nnodal; i++) {
        const gos_deck_nodal *before = &r->deck->nodal[i];
        if (before->kind == kind) {
            return gos__fail_at(
                r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                "OP=NEW would remove the load of line %d; remove that line, or write OP=MOD",
                before->loc.line);
        }
    }
    return GOS_OK;
}

static gos_status begin(gos_deck_reader *r, gos_deck_nodal_kind kind, gos_deck_nodal *n) {
    gos_deck_field f;
    *n = (gos_deck_nodal){
        .kind = kind, .dof = 11, .dof_last = 11, .in_step = r->in_step, .loc = r->loc};
    GOS_TRY(gos__deck_param_named(r, &r->amplitudes, "amplitude", "AMPLITUDE", &n->amplitude));
    (void)gos__deck_field(r, &f);
    return gos__deck_nodes(r, &f, &n->n, &n->node);
}

static gos_status add(gos_deck_reader *r, const gos_deck_nodal *n) {
    gos_deck_nodal *to;
    GOS_TRY(gos__deck_end(r));
    GOS_TRY(gos__deck_add(r, &r->deck->nodal, &r->deck->nnodal, sizeof *n, &to));
    *to = *n;
    return GOS_OK;
}

/* 1 .. 6, or 11, also as 0; def: value of an empty field, 0: required */
static gos_status next_dof(gos_deck_reader *r, const char *what, int def, int *dof) {
    int64_t k;
    GOS_TRY(gos__deck_next_whole(r, what, 0, 11, def > 0 ? def : -1, &k));
    k = k == 0 ? 11 : k;
    if (k > 6 && k < 11) {
        return gos__deck_fail(
            r, NULL,
            "degree of freedom %d is not supported; give 1 to 6, or 11 for the temperature",
            (int)k);
    }
    *dof = (int)k;
    return GOS_OK;
}

/* ---- *BOUNDARY ------------------------------------------------------------------------------- */

/* Abaqus names of supports, as bits; 0: unknown */
static unsigned support_of(const gos_deck_field *f) {
    static const struct {
        const char *word;
        unsigned dofs;
    } supports[] = {{"ENCASTRE", 0x3f}, {"PINNED", 0x07}, {"XSYMM", 0x31},  {"YSYMM", 0x2a},
                    {"ZSYMM", 0x1c},    {"XASYMM", 0x0e}, {"YASYMM", 0x15}, {"ZASYMM", 0x23}};
    for (int i = 0; i < GOS_COUNT(supports); i++) {
        if (gos__deck_is_word(f, supports[i].word)) {
            return supports[i].dofs;
        }
    }
    return 0;
}

static gos_status add_support(gos_deck_reader *r, unsigned dofs, gos_deck_nodal *n) {
    for (int k = 0; k < 6; k++) {
        if ((dofs >> k & 1u) != 0) {
            n->dof = n->dof_last = k + 1;
            GOS_TRY(add(r, n));
        }
    }
    return GOS_OK;
}

static gos_status read_boundary(gos_deck_reader *r) {
    gos_deck_nodal n;
    gos_deck_field f;
    GOS_TRY(begin(r, GOS_DECK_FIXED, &n));
    const char *at = r->at;
    const unsigned support = gos__deck_field(r, &f) ? support_of(&f) : 0;
    if (support != 0) {
        return add_support(r, support, &n);
    }
    r->at = at;
    GOS_TRY(next_dof(r, "first degree of freedom", 0, &n.dof));
    GOS_TRY(next_dof(r, "last degree of freedom", n.dof, &n.dof_last));
    GOS_TRY(gos__deck_next_real(r, "value", 0.0, &n.value));
    if (n.dof_last < n.dof || (n.dof_last == 11 && n.dof != 11)) {
        return gos__deck_fail(r, NULL,
                              "degrees of freedom %d to %d are not a range within 1 to 6, or 11",
                              n.dof, n.dof_last);
    }
    return add(r, &n);
}

/* ---- lines of cards -------------------------------------------------------------------------- */

static gos_status read_force(gos_deck_reader *r) {
    const gos_deck_nodal_kind kind = (gos_deck_nodal_kind)r->card->kind;
    gos_deck_nodal n;
    GOS_TRY(begin(r, kind, &n));
    double more; // CalculiX reads three fields
    GOS_TRY(next_dof(r, "degree of freedom", 0, &n.dof));
    GOS_TRY(gos__deck_next_real(r, "value", (double)NAN, &n.value));
    GOS_TRY(gos__deck_next_real(r, "fourth field", 0.0, &more));
    if (more != 0) {
        return gos__deck_fail(r, NULL, "the fourth field is %g; remove it, or write 0", more);
    }
    if ((n.dof == 11) != (kind == GOS_DECK_HEAT)) {
        return gos__deck_fail(
            r, NULL, "degree of freedom %d: give 1 to 6 for forces (*CLOAD), 11 for heat (*CFLUX)",
            n.dof);
    }
    n.dof_last = n.dof;
    return add(r, &n);
}

static gos_status read_temperature(gos_deck_reader *r) {
    gos_deck_nodal n;
    GOS_TRY(begin(r, GOS_DECK_TEMPERATURE, &n));
    GOS_TRY(gos__deck_next_real(r, "temperature", (double)NAN, &n.value));
    GOS_TRY(gos__deck_next_real(r, "temperature gradient", 0.0, &n.gradient));
    return add(r, &n);
}

static gos_status read_initial(gos_deck_reader *r) {
    gos_deck_nodal n;
    int type;
    GOS_TRY(gos__deck_param_choice(r, "TYPE", "TEMPERATURE DISPLACEMENT VELOCITY", &type));
    GOS_TRY(begin(r, (gos_deck_nodal_kind)(GOS_DECK_INITIAL_TEMPERATURE + type), &n));
    if (type > 0) {
        int64_t dof;
        GOS_TRY(gos__deck_next_whole(r, "degree of freedom", 1, 6, 0, &dof));
        n.dof = n.dof_last = (int)dof;
    }
    GOS_TRY(gos__deck_next_real(r, "value", (double)NAN, &n.value));
    return add(r, &n);
}

static gos_status each_line(gos_deck_reader *r, gos_status (*read)(gos_deck_reader *)) {
    for (bool more = true;;) {
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        GOS_TRY(read(r));
    }
}

gos_status gos__deck_card_boundary(gos_deck_reader *r) {
    int type;
    GOS_TRY(gos__deck_param_choice(r, "TYPE", "DISPLACEMENT", &type));
    GOS_TRY(check_op(r, GOS_DECK_FIXED));
    return each_line(r, read_boundary);
}

gos_status gos__deck_card_force(gos_deck_reader *r) {
    GOS_TRY(check_op(r, (gos_deck_nodal_kind)r->card->kind));
    return each_line(r, read_force);
}

gos_status gos__deck_card_temperature(gos_deck_reader *r) {
    GOS_TRY(check_op(r, GOS_DECK_TEMPERATURE));
    return each_line(r, read_temperature);
}

gos_status gos__deck_card_initial(gos_deck_reader *r) {
    const char *type;
    GOS_TRY(gos__deck_need(r, "TYPE", &type));
    return each_line(r, read_initial);
}

/* ---- *AMPLITUDE ------------------------------------------------------------------------------ */

/* pairs of time and value, any number per line */
static gos_status read_pairs(gos_deck_reader *r, int *n, double (**pair)[2]) {
    for (bool more = true;;) {
        gos_deck_field f;
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        while (gos__deck_field(r, &f)) {
            double(*to)[2];
            if (f.n == 0) {
                continue;
            }
            GOS_TRY(gos__deck_add(r, pair, n, sizeof **pair, &to));
            GOS_TRY(gos__deck_real(r, &f, "time", &(*to)[0]));
            GOS_TRY(gos__deck_next_real(r, "value", (double)NAN, &(*to)[1]));
            if (*n > 1 && !((*to)[0] > to[-1][0])) {
                return gos__deck_fail(r, &f, "times must ascend, but %g follows %g", (*to)[0],
                                      to[-1][0]);
            }
        }
    }
}

gos_status gos__deck_card_amplitude(gos_deck_reader *r) {
    const char *label;
    double(*pair)[2] = NULL;
    gos_deck *d = r->deck;
    gos_deck_amplitude a = {.loc = r->card_loc}, *to;
    int time, unused;
    GOS_TRY(gos__deck_need(r, "NAME", &label));
    GOS_TRY(gos__deck_param_choice(r, "TIME", "STEPTIME TOTALTIME", &time));
    GOS_TRY(gos__deck_param_choice(r, "DEFINITION", "TABULAR", &unused));
    GOS_TRY(gos__deck_param_choice(r, "VALUE", "RELATIVE", &unused));
    GOS_TRY(gos__deck_name(r, &r->amplitudes, "amplitude", label, d->namplitude, &a.name));
    GOS_TRY(read_pairs(r, &a.n, &pair));
    if (a.n == 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the line with times and values is missing below this card");
    }
    a.total_time = time == 1;
    a.t = GOS_NEW(r->arena, double, a.n);
    a.v = GOS_NEW(r->arena, double, a.n);
    GOS_TRY(a.t && a.v ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < a.n; i++) {
        a.t[i] = pair[i][0];
        a.v[i] = pair[i][1];
    }
    GOS_TRY(gos__deck_add(r, &d->amplitude, &d->namplitude, sizeof a, &to));
    *to = a;
    return GOS_OK;
}
