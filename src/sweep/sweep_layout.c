/* Times and probes of members as bytes that processes exchange and compare. */
#include <math.h>

#include "sweep/sweep_part.h"

enum { TIMES = 201, MOST_TIMES = 100000, MOST_PROBES = 100000 };
#define SAME 1e-9 // tolerance of times, relative to an interval

/* followed by times, then per probe its number of components and texts */
typedef struct head {
    int32_t ntimes, nprobes;
} head;

/* output times, or equal intervals if each step is one; one time for a single equilibrium */
static gos_status choose_times(gos_ctx *ctx, const gos_options *o, gos_arena *a,
                               gos_members_layout *l) {
    if (o->arc_length) {
        return gos__fail(
            ctx, GOS_E_USE,
            "runs with arc_length have no common output times; use separate result files");
    }
    const double every = o->output_every > 0 ? o->output_every : o->end / (TIMES - 1);
    const double n = o->end > 0 ? floor(o->end / every + SAME) + 1 : 1;
    const bool more = o->end > 0 && (n - 1) * every < o->end * (1 - SAME);
    if (!(n + more <= MOST_TIMES)) {
        return gos__fail(ctx, GOS_E_LIMIT,
                         "more than %d output times in each run; set `every` > %g s", MOST_TIMES,
                         o->end / MOST_TIMES);
    }
    l->ntimes = (int)n + more;
    l->time = GOS_NEW(a, double, l->ntimes);
    for (int k = 0; l->time && k < l->ntimes; k++) {
        l->time[k] = o->end > 0 ? fmin(k * every, o->end) : 0;
    }
    if (l->time && o->end > 0) {
        l->time[l->ntimes - 1] = o->end;
    }
    return l->time ? GOS_OK : GOS_E_MEMORY;
}

/* appends while there is room */
static size_t put(char *bytes, size_t at, const void *data, size_t n) {
    if (bytes) {
        memcpy(bytes + at, data, n);
    }
    return at + n;
}

static size_t put_all(const gos_members_layout *l, const gos_probe_info *probe, char *bytes) {
    const head h = {l->ntimes, l->nprobes};
    size_t at = put(bytes, 0, &h, sizeof h);
    at = put(bytes, at, l->time, (size_t)l->ntimes * sizeof *l->time);
    for (int i = 0; i < l->nprobes; i++) {
        const gos_probe_info *p = &probe[i];
        const int32_t ncomp = p->ncomp;
        at = put(bytes, at, &ncomp, sizeof ncomp);
        at = put(bytes, at, p->name, strlen(p->name) + 1);
        at = put(bytes, at, p->quantity, strlen(p->quantity) + 1);
        at = put(bytes, at, p->unit, strlen(p->unit) + 1);
        for (int c = 0; c < p->ncomp; c++) {
            at = put(bytes, at, p->components[c], strlen(p->components[c]) + 1);
        }
    }
    return at;
}

gos_status gos__members_layout(gos_ctx *ctx, gos_arena *a, const gos_run_info *run,
                               gos_members_layout *layout) {
    gos_members_layout l = {.nprobes = run->nprobes};
    GOS_TRY(choose_times(ctx, run->options, a, &l));
    l.size = put_all(&l, run->probe, NULL);
    l.bytes = GOS_NEW(a, char, l.size);
    if (!l.bytes) {
        return GOS_E_MEMORY;
    }
    (void)put_all(&l, run->probe, l.bytes);
    return gos__members_layout_read(ctx, a, l.bytes, l.size, layout);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    const char *at, *end;
} reader;

static bool get(reader *r, void *to, size_t n) {
    if ((size_t)(r->end - r->at) < n) {
        return false;
    }
    memcpy(to, r->at, n);
    r->at += n;
    return true;
}

static const char *get_text(reader *r) {
    const char *text = r->at;
    const char *nought = memchr(text, 0, (size_t)(r->end - r->at));
    r->at = nought ? nought + 1 : r->end;
    return nought ? text : NULL;
}

static gos_status get_probe(reader *r, gos_arena *a, gos_probe_info *p) {
    int32_t ncomp;
    if (!get(r, &ncomp, sizeof ncomp) || ncomp < 0 || ncomp > r->end - r->at) {
        return GOS_E_FILE;
    }
    p->ncomp = ncomp;
    p->name = get_text(r);
    p->quantity = get_text(r);
    p->unit = get_text(r);
    const char **text = GOS_NEW(a, const char *, ncomp + 1L);
    if (!text) {
        return GOS_E_MEMORY;
    }
    bool good = p->name && p->quantity && p->unit;
    for (int c = 0; c < ncomp; c++) {
        text[c] = get_text(r);
        good = good && text[c];
    }
    p->components = text;
    return good ? GOS_OK : GOS_E_FILE;
}

gos_status gos__members_layout_read(gos_ctx *ctx, gos_arena *a, const char *bytes, size_t size,
                                    gos_members_layout *layout) {
    reader r = {bytes, bytes + size};
    head h;
    GOS_UNUSED(ctx);
    *layout = (gos_members_layout){.bytes = (char *)bytes, .size = size};
    if (!get(&r, &h, sizeof h) || h.ntimes < 1 || h.ntimes > MOST_TIMES + 1 || h.nprobes < 0 ||
        h.nprobes > MOST_PROBES) {
        return GOS_E_FILE;
    }
    layout->ntimes = h.ntimes;
    layout->nprobes = h.nprobes;
    layout->time = GOS_NEW(a, double, h.ntimes);
    layout->probe = GOS_NEW(a, gos_probe_info, h.nprobes + 1L);
    if (!layout->time || !layout->probe) {
        return GOS_E_MEMORY;
    }
    if (!get(&r, layout->time, (size_t)h.ntimes * sizeof *layout->time)) {
        return GOS_E_FILE;
    }
    for (int i = 0; i < h.nprobes; i++) {
        GOS_TRY(get_probe(&r, a, &layout->probe[i]));
        layout->nvalues += layout->probe[i].ncomp;
    }
    return r.at == r.end ? GOS_OK : GOS_E_FILE;
}
