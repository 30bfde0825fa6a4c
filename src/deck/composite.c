/* *SHELL SECTION, COMPOSITE: layers from the lower face to the upper, along the normal. */
#include "deck/reader.h"

#include <math.h>

static gos_status read_direction(gos_deck_reader *r, const gos_deck_field *f,
                                 gos_deck_layer *layer) {
    char label[GOS_DECK_LABEL + 1];
    layer->orientation = -1;
    if (f->n == 0) {
        return GOS_OK;
    }
    if (gos__deck_parse_real(f, &layer->angle)) {
        return GOS_OK;
    }
    GOS_TRY(gos__deck_label(r, f, label));
    return gos__deck_named(r, &r->orientations, "orientation", label, &layer->orientation);
}

/* thickness, number of points (Abaqus), material, orientation or angle, name (Abaqus) */
static gos_status read_layer(gos_deck_reader *r, gos_deck_layer *layer, const char **material) {
    static const gos_deck_field none = {"", 0};
    char label[GOS_DECK_LABEL + 1];
    gos_deck_field f[4] = {none, none, none, none};
    int n = 0;
    double points;
    *layer = (gos_deck_layer){.material = -1, .loc = r->loc};
    GOS_TRY(gos__deck_next_real(r, "thickness of the layer", (double)NAN, &layer->thickness));
    if (!(layer->thickness > 0.0)) {
        return gos__deck_fail(r, NULL, "the thickness of the layer is %g; it must be above 0",
                              layer->thickness);
    }
    while (n < 4 && gos__deck_field(r, &f[n])) {
        n++;
    }
    GOS_TRY(f[0].n > 0 ? gos__deck_real(r, &f[0], "number of points", &points) : GOS_OK);
    if (f[1].n == 0) {
        return gos__deck_fail(r, NULL,
                              "the layer has no material; give thickness, number of points (may be "
                              "empty), MATERIAL, ORIENTATION or angle");
    }
    GOS_TRY(gos__deck_label(r, &f[1], label));
    *material = gos__arena_strdup(r->arena, label);
    GOS_TRY(*material ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(read_direction(r, &f[2], layer));
    return gos__deck_end(r);
}

gos_status gos__deck_layers(gos_deck_reader *r, int section) {
    gos_deck_layer *list = NULL, *to;
    double sum = 0;
    int n = 0;
    if (gos__deck_param(r, "MATERIAL")) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "with COMPOSITE each layer gives its material; remove MATERIAL");
    }
    for (bool more = true;;) {
        gos_deck_layer layer;
        gos_deck_waiting *w;
        const char *material = NULL;
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            break;
        }
        GOS_TRY(gos__deck_count(r, 1));
        GOS_TRY(read_layer(r, &layer, &material));
        GOS_TRY(gos__deck_add(r, &list, &n, sizeof *list, &to));
        *to = layer;
        sum += layer.thickness;
        GOS_TRY(gos__deck_add(r, &r->waiting, &r->nwaiting, sizeof *w, &w));
        *w = (gos_deck_waiting){section, n - 1, material, layer.loc};
    }
    if (n == 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the lines with the layers are missing below this card");
    }
    gos_deck_section *s = &r->deck->section[section];
    s->nlayer = n;
    s->layer = list;
    s->value[0] = sum;
    return GOS_OK;
}
