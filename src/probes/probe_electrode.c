/* Quantities of piezoelectric electrodes: for probes, controller signals and designs. */
#include "control/design.h"
#include "parts/electrode.h"
#include "probes/probe.h"

static const char *const names[GOS_ELECTRODE_SIGNALS] = {"charge", "voltage", "motional_charge",
                                                         "motional_current"};

static int which(const char *quantity) {
    int k = 0;
    while (k < GOS_ELECTRODE_SIGNALS && strcmp(quantity, names[k]) != 0) {
        k++;
    }
    return k;
}

gos_status gos__probe_electrode(gos_builder *b, const gos_electrode *e, gos_probe *p) {
    const gos_signal *s = &e->signal[which(p->quantity->name)];
    gos_tmarker *tm = GOS_NEW(b->arena, gos_tmarker, 1);
    GOS_TRY(tm ? GOS_OK : GOS_E_MEMORY);
    *tm = s->tm;
    p->body = e->body;
    memcpy(p->m, s->m, sizeof s->m);
    memcpy(p->m + 3, s->md, sizeof s->md);
    p->nm = 6;
    p->tm = tm;
    p->ntm = tm->n > 0;
    p->nfeed = s->n;
    p->feed_fn = s->input;
    p->feed = s->factor;
    return GOS_OK;
}

static gos_status make(gos_builder *b, const gos_electrode *e, int k, gos_probe **probe) {
    int n;
    const gos_quantity *all = gos__quantities(&n);
    gos_probe *p = GOS_NEW(b->arena, gos_probe, 1);
    GOS_TRY(p ? GOS_OK : GOS_E_MEMORY);
    p->name = e->name;
    for (int i = 0; i < n; i++) {
        p->quantity = strcmp(all[i].name, names[k]) == 0 ? &all[i] : p->quantity;
    }
    GOS_TRY(gos__probe_electrode(b, e, p));
    GOS_TRY(gos__probe_components(b->arena, p));
    p->components = &names[k];
    *probe = p;
    return GOS_OK;
}

gos_status gos__probe_of_signal(gos_builder *b, const char *text, gos_loc loc, const char *object,
                                gos_probe **probe) {
    const char *dot = strrchr(text, '.');
    const int k = dot ? which(dot + 1) : GOS_ELECTRODE_SIGNALS;
    *probe = NULL;
    if (k == GOS_ELECTRODE_SIGNALS) {
        return GOS_OK;
    }
    const char *name = gos__arena_printf(b->arena, "%.*s", (int)(dot - text), text);
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    const gos_electrode *e = gos__find_electrode(b, name);
    if (!e && dot > text && dot[-1] == ')') { // expressions do not end like this
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "there is no electrode '%s'; use one of a `piezo` entry, NAME(k) or NAME.CHANNEL",
            name);
    }
    return e ? make(b, e, k, probe) : GOS_OK;
}

static bool sensed(const gos_model *m, const char *name) {
    for (int i = 0; i < m->nsense; i++) {
        if (gos__design_names(m->sense[i], name)) {
            return true;
        }
    }
    return false;
}

gos_status gos__probes_sensed(gos_builder *b, gos_system *s) {
    const gos_model *m = b->model;
    int n = s->nprobe;
    for (const gos_electrode *e = b->electrode; e; e = e->next) {
        n += sensed(m, e->name);
    }
    if (n == s->nprobe) {
        return GOS_OK;
    }
    gos_probe **list = GOS_NEW(b->arena, gos_probe *, n + 1);
    GOS_TRY(list ? GOS_OK : GOS_E_MEMORY);
    memcpy(list, s->probe, (size_t)s->nprobe * sizeof *list);
    s->probe = list;
    for (const gos_electrode *e = b->electrode; e; e = e->next) {
        if (sensed(m, e->name)) {
            GOS_TRY(make(b, e, which(m->sense_quantity), &list[s->nprobe]));
            s->nprobe++;
        }
    }
    return GOS_OK;
}
