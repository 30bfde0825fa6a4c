/* *PART, *ASSEMBLY, *INSTANCE (Abaqus). The lines of a part are read again for each instance, whose
   labels get the prefix "INSTANCE.". Nodes and elements are numbered by instance; outside of them
   they belong to the assembly. */
#include "deck/reader.h"

#include <math.h>

#include "base/base.h"

#define SHIFT 50 // encoded number: number + (instance << SHIFT)
#define MAX_INSTANCES 4000
#define BASE INT64_C(10)

typedef struct gos_deck_part {
    const char *name;
    gos_deck_cursor begin; // below *PART
    const char *stop;      // at *END PART
    gos_loc loc;
} gos_deck_part;

typedef struct gos_deck_instance {
    const char *name; // with the dot, "BLOCK-1."
    double R[3][3], t[3];
    gos_loc loc;
} gos_deck_instance;

static gos_status refuse(gos_deck_reader *r, const char *what) {
    return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object, "%s", what);
}

void gos__deck_instances_begin(gos_deck_reader *r) {
    r->npart = r->ninstance = 0;
    r->scope = r->within = 0;
    r->in_assembly = false;
    r->assembly_loc = (gos_loc){0};
}

/* ---- *PART ----------------------------------------------------------------------------------- */

static const gos_deck_part *find_part(const gos_deck_reader *r, const char *name) {
    for (int i = 0; i < r->npart; i++) {
        if (strcmp(r->part[i].name, name) == 0) {
            return &r->part[i];
        }
    }
    return NULL;
}

static gos_status skip_part(gos_deck_reader *r, const gos_deck_part *p, const char **stop) {
    for (bool more = true;;) {
        GOS_TRY(gos__deck_line(r, &more));
        if (!more) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, p->loc, "*PART",
                                "the part is not closed by *END PART; the file may be truncated");
        }
        gos_deck_field f;
        const char *at = r->at;
        if (!r->is_card || !gos__deck_field(r, &f)) {
            continue;
        }
        r->at = at;
        if (gos__deck_is_word(&f, "*PART")) {
            return gos__deck_fail(r, &f, "the part of line %d is still open; write *END PART above",
                                  p->loc.line);
        }
        if (gos__deck_is_word(&f, "*END PART")) {
            const bool same = r->open[r->depth - 1].file == p->begin.file;
            *stop = r->begin;
            return same ? GOS_OK : gos__deck_fail(r, &f, "a part must begin and end in one file");
        }
    }
}

static gos_status read_end_part(gos_deck_reader *r) {
    return refuse(r, "there is no open part to end");
}

static gos_status read_part(gos_deck_reader *r) {
    const char *name;
    gos_deck_part p = {.loc = r->card_loc}, *to;
    GOS_TRY(gos__deck_need(r, "NAME", &name));
    if (r->in_assembly || r->scope > 0) {
        return refuse(r, "a part cannot be defined within the assembly; write it above *ASSEMBLY");
    }
    if (find_part(r, name)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "there are two parts '%s'; rename one", name);
    }
    p.name = gos__arena_strdup(r->arena, name);
    GOS_TRY(p.name ? GOS_OK : GOS_E_MEMORY);
    p.begin = r->open[r->depth - 1];
    GOS_TRY(skip_part(r, &p, &p.stop));
    GOS_TRY(gos__deck_add(r, &r->part, &r->npart, sizeof p, &to));
    *to = p;
    return GOS_OK;
}

/* ---- *ASSEMBLY ------------------------------------------------------------------------------- */

static gos_status read_assembly(gos_deck_reader *r) {
    if (r->in_assembly || r->assembly_loc.line > 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "there already is an assembly, in line %d; a deck has one",
                            r->assembly_loc.line);
    }
    r->in_assembly = true;
    r->assembly_loc = r->card_loc;
    return gos__deck_skip(r);
}

static gos_status read_end_assembly(gos_deck_reader *r) {
    if (r->scope > 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the instance of line %d is still open; write *END INSTANCE above",
                            r->instance[r->scope - 1].loc.line);
    }
    if (!r->in_assembly) {
        return refuse(r, "there is no open assembly to end");
    }
    r->in_assembly = false;
    return gos__deck_skip(r);
}

/* ---- *INSTANCE ------------------------------------------------------------------------------- */

/* about an axis through a and b by an angle [deg]; x' = R (x - a) + a */
static gos_status turn(gos_deck_reader *r, const double v[7], gos_deck_instance *to) {
    double n[3], size = 0, moved[3];
    for (int c = 0; c < 3; c++) {
        n[c] = v[3 + c] - v[c];
        size += n[c] * n[c];
    }
    if (!(size > 0)) {
        return gos__deck_fail(r, NULL, "the two points of the axis of rotation are the same");
    }
    const double a = v[6] * acos(-1.0) / 180, s = sin(a) / sqrt(size), k = (1 - cos(a)) / size;
    for (int i = 0; i < 9; i++) {
        const int p = i / 3, q = i % 3, other = 3 - p - q;
        const double cross = p == q ? 0 : (p + 1) % 3 == q ? -n[other] : n[other];
        to->R[p][q] = (p == q) * cos(a) + s * cross + k * n[p] * n[q];
    }
    for (int c = 0; c < 3; c++) {
        moved[c] = v[c];
        for (int d = 0; d < 3; d++) {
            moved[c] += to->R[c][d] * (to->t[d] - v[d]);
        }
    }
    memcpy(to->t, moved, sizeof moved);
    return GOS_OK;
}

/* Reads a line of translation, then one of rotation; both are optional. */
static gos_status read_location(gos_deck_reader *r, gos_deck_instance *to) {
    double v[7];
    bool more;
    GOS_TRY(gos__deck_data(r, &more));
    for (int c = 0; c < 3 && more; c++) {
        GOS_TRY(gos__deck_next_real(r, "translation", 0.0, &to->t[c]));
    }
    GOS_TRY(more ? gos__deck_end(r) : GOS_OK);
    if (more) {
        GOS_TRY(gos__deck_data(r, &more));
    }
    if (more) {
        for (int c = 0; c < 7; c++) {
            GOS_TRY(gos__deck_next_real(r, c < 6 ? "point of the axis of rotation" : "angle",
                                        (double)NAN, &v[c]));
        }
        GOS_TRY(gos__deck_end(r));
        GOS_TRY(turn(r, v, to));
        GOS_TRY(gos__deck_data(r, &more));
    }
    return more ? gos__deck_fail(r, NULL,
                                 "an instance has at most two lines: its translation, and "
                                 "its rotation (two points, angle)")
                : GOS_OK;
}

static gos_status replay(gos_deck_reader *r, const gos_deck_part *p) {
    const size_t size = (size_t)(p->stop - p->begin.s);
    if (r->held) { // put it back
        r->open[r->depth - 1].s = r->begin;
        r->open[r->depth - 1].line--;
        r->held = false;
    }
    if (size > GOS_LIMIT_DECK_BYTES - r->bytes || r->depth == GOS_LIMIT_DECK_DEPTH) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->card_loc, r->object,
                            "the deck with its include files and instances is longer than %zu "
                            "bytes, or files include each other more than %d deep",
                            GOS_LIMIT_DECK_BYTES, GOS_LIMIT_DECK_DEPTH);
    }
    r->bytes += size;
    r->open[r->depth] = p->begin;
    r->open[r->depth++].stop = p->stop;
    return GOS_OK;
}

static gos_status read_instance(gos_deck_reader *r) {
    const char *name, *of;
    gos_deck_instance in = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .loc = r->card_loc}, *to;
    GOS_TRY(gos__deck_need(r, "NAME", &name));
    GOS_TRY(gos__deck_need(r, "PART", &of));
    const gos_deck_part *p = find_part(r, of);
    if (!r->in_assembly || r->scope > 0) {
        return refuse(r, r->scope > 0 ? "an instance is still open; write *END INSTANCE above"
                                      : "instances belong to the assembly; write *ASSEMBLY above");
    }
    if (!p) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "there is no part '%s' above this line; define it, or correct its name",
                            of);
    }
    if (gos__deck_instance_of(r, name, strlen(name)) > 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "there are two instances '%s'; rename one", name);
    }
    if (r->ninstance == MAX_INSTANCES) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->card_loc, r->object,
                            "there are more than %d instances", MAX_INSTANCES);
    }
    in.name = gos__arena_printf(r->arena, "%s.", name);
    GOS_TRY(in.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(read_location(r, &in));
    GOS_TRY(gos__deck_add(r, &r->instance, &r->ninstance, sizeof in, &to));
    *to = in;
    r->scope = r->within = r->ninstance;
    return replay(r, p);
}

static gos_status read_end_instance(gos_deck_reader *r) {
    if (r->scope == 0) {
        return refuse(r, "there is no open instance to end");
    }
    r->scope = r->within = 0;
    return gos__deck_skip(r);
}

gos_status gos__deck_instances_finish(gos_deck_reader *r) {
    if (r->scope > 0 || r->in_assembly) {
        return gos__fail_at(r->ctx, GOS_E_INPUT,
                            r->scope > 0 ? r->instance[r->scope - 1].loc : r->assembly_loc,
                            r->scope > 0 ? "*INSTANCE" : "*ASSEMBLY",
                            "it is not closed by *END %s; the file may be truncated",
                            r->scope > 0 ? "INSTANCE" : "ASSEMBLY");
    }
    return GOS_OK;
}

const gos_deck_card *gos__deck_place_card(const gos_deck_field *name) {
    static const gos_deck_card cards[] = {
        {"PART", "NAME", read_part, GOS_DECK_IN_MODEL, 0},
        {"END PART", "", read_end_part, GOS_DECK_IN_MODEL, 0},
        {"ASSEMBLY", "NAME", read_assembly, GOS_DECK_IN_MODEL, 0},
        {"END ASSEMBLY", "", read_end_assembly, GOS_DECK_IN_MODEL, 0},
        {"INSTANCE", "NAME PART", read_instance, GOS_DECK_IN_MODEL, 0},
        {"END INSTANCE", "", read_end_instance, GOS_DECK_IN_MODEL, 0},
    };
    for (int i = 0; i < GOS_COUNT(cards); i++) {
        if (gos__deck_is_word(name, cards[i].name)) {
            return &cards[i];
        }
    }
    return NULL;
}

/* ---- labels ---------------------------------------------------------------------------------- */

int gos__deck_instance_of(const gos_deck_reader *r, const char *name, size_t n) {
    for (int i = 0; i < r->ninstance; i++) {
        if (strncmp(r->instance[i].name, name, n) == 0 && r->instance[i].name[n] == '.') {
            return i + 1;
        }
    }
    return 0;
}

gos_status gos__deck_member(gos_deck_reader *r) {
    const char *name = gos__deck_param(r, "INSTANCE");
    r->within = name ? gos__deck_instance_of(r, name, strlen(name)) : r->scope;
    return name && r->within == 0
               ? gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                              "there is no instance '%s' above this line; define it, or correct "
                              "its name",
                              name)
               : GOS_OK;
}

const char *gos__deck_prefix(const gos_deck_reader *r, int scope) {
    return scope > 0 ? r->instance[scope - 1].name : "";
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* the last dot before digits; -1: none */
static int dot_of(const gos_deck_field *f) {
    int k = f->n - 1;
    while (k > 0 && f->s[k] >= '0' && f->s[k] <= '9') {
        k--;
    }
    return k > 0 && k < f->n - 1 && f->s[k] == '.' ? k : -1;
}

bool gos__deck_is_tag(const gos_deck_reader *r, const gos_deck_field *f) {
    return gos__deck_is_number(f) || (r->ninstance > 0 && dot_of(f) > 0);
}

gos_status gos__deck_tag(gos_deck_reader *r, const gos_deck_field *f, const char *what,
                         int64_t *tag) {
    gos_deck_field number = *f;
    int scope = r->within;
    const int dot = r->ninstance > 0 ? dot_of(f) : -1;
    if (dot > 0) {
        char name[GOS_DECK_LABEL + 1];
        const gos_deck_field before = {f->s, dot};
        GOS_TRY(gos__deck_label(r, &before, name));
        number = (gos_deck_field){f->s + dot + 1, f->n - dot - 1};
        scope = gos__deck_instance_of(r, name, strlen(name));
        if (scope == 0) {
            return gos__deck_fail(r, f,
                                  "there is no instance '%s' above this line; define it, or "
                                  "correct its name",
                                  name);
        }
    }
    GOS_TRY(gos__deck_whole(r, &number, what, 1, GOS_DECK_TAG, tag));
    *tag += r->offset ? r->offset[scope] : (int64_t)scope << SHIFT;
    return GOS_OK;
}

int64_t gos__deck_offset(const gos_deck_reader *r) {
    return r->offset[r->within];
}

/* largest number of each scope; encoded ones (n) */
static void find_largest(int n, const int64_t *tag, size_t stride, int64_t *most) {
    for (int i = 0; i < n; i++) {
        const int64_t t = *(const int64_t *)((const char *)tag + stride * (size_t)i);
        const int64_t own = gos__deck_local(t);
        most[t >> SHIFT] = own > most[t >> SHIFT] ? own : most[t >> SHIFT];
    }
}

/* Numbers are unchanged in decks with one instance, or none. Else the second instance gets the next
   power of ten added, the third twice that, and so on; the assembly's own are last. */
gos_status gos__deck_offsets(gos_deck_reader *r, int nnode, const int64_t *node, size_t stride,
                             int ncell, const int64_t *cell) {
    const int n = r->ninstance;
    int64_t *most = gos__zalloc(r->ctx, n + 2L, sizeof *most), base = BASE, largest = 0;
    r->offset = GOS_NEW(r->arena, int64_t, n + 1);
    if (!most || !r->offset) {
        gos__free(r->ctx, most);
        return GOS_E_MEMORY;
    }
    find_largest(nnode, node, stride, most);
    find_largest(ncell, cell, sizeof *cell, most);
    for (int i = 0; i <= n; i++) {
        largest = most[i] > largest ? most[i] : largest;
    }
    while (base <= largest) {
        base *= BASE;
    }
    const bool alone = n == 0 || (n == 1 && most[0] == 0);
    for (int i = 1; i <= n; i++) {
        r->offset[i] = (i - 1) * base;
    }
    r->offset[0] = alone ? 0 : n * base;
    gos__free(r->ctx, most);
    return GOS_OK;
}

int64_t gos__deck_local(int64_t tag) {
    return tag & ((INT64_C(1) << SHIFT) - 1);
}

int64_t gos__deck_decode(const gos_deck_reader *r, int64_t tag) {
    return gos__deck_local(tag) + r->offset[tag >> SHIFT];
}

void gos__deck_instances_note(gos_deck_reader *r) {
    char text[500];
    int n = gos__format(text, sizeof text, "node and element numbers were offset to be unique:");
    const int begin = n;
    for (int i = 0; i <= r->ninstance && n < (int)sizeof text - 2 * GOS_DECK_LABEL; i++) {
        if (r->offset[i] > 0) {
            n += gos__format(text + n, sizeof text - (size_t)n, "%s %s by %lld",
                             n > begin ? "," : "", i > 0 ? r->instance[i - 1].name : "the assembly",
                             (long long)r->offset[i]);
        }
    }
    if (n > begin) {
        gos__note(r->ctx, r->mesh->source ? r->mesh->source : "", text);
    }
}

/* ---- locations ------------------------------------------------------------------------------- */

void gos__deck_rotate(const gos_deck_reader *r, double v[3]) {
    const gos_deck_instance *in = r->scope > 0 ? &r->instance[r->scope - 1] : NULL;
    double to[3] = {0, 0, 0};
    for (int i = 0; in && i < 9; i++) {
        to[i / 3] += in->R[i / 3][i % 3] * v[i % 3];
    }
    if (in) {
        memcpy(v, to, sizeof to);
    }
}

void gos__deck_place(const gos_deck_reader *r, double x[3]) {
    gos__deck_rotate(r, x);
    for (int c = 0; c < 3 && r->scope > 0; c++) {
        x[c] += r->instance[r->scope - 1].t[c];
    }
}
