/* The first step is read, later ones are warned of. */
#include "deck/reader.h"

gos_status gos__deck_card_step(gos_deck_reader *r) {
    gos_deck_step *s = &r->deck->step;
    const char *nlgeom = gos__deck_param(r, "NLGEOM");
    int amplitude;
    if (r->in_step) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the step of line %d is still open; write *END STEP above",
                            r->step_loc.line);
    }
    r->in_step = true;
    r->step++;
    r->step_loc = r->card_loc;
    if (r->step > 1) {
        return gos__deck_skip(r);
    }
    GOS_TRY(gos__deck_param_choice(r, "AMPLITUDE", "RAMP STEP", &amplitude));
    *s = (gos_deck_step){.nlgeom = nlgeom && strcmp(nlgeom, "NO") != 0,
                         .perturbation = gos__deck_param(r, "PERTURBATION") != NULL,
                         .at_once = amplitude == 1,
                         .loc = r->card_loc};
    return gos__deck_skip(r); // Abaqus: a description line
}

gos_status gos__deck_card_end_step(gos_deck_reader *r) {
    if (!r->in_step) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "there is no open step to end");
    }
    r->in_step = false;
    if (r->step > 1) {
        gos__warn(r->ctx, r->step_loc, "*STEP", "step %d%s is ignored; only the first one is read",
                  r->step, r->later);
    } else if (r->deck->step.procedure == GOS_DECK_NO_STEP) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->step_loc, "*STEP",
                            "the step has no procedure, e.g. *STATIC or *FREQUENCY");
    }
    r->later[0] = '\0';
    return GOS_OK;
}

void gos__deck_later_card(gos_deck_reader *r) {
    if (r->card && r->card->read == gos__deck_card_procedure && r->later[0] == '\0') {
        gos__format(r->later, sizeof r->later, " (%s)", r->object);
    }
}

/* selective mass scaling of CalculiX */
static void warn_of_scaling(gos_deck_reader *r, bool by_lumped_mass) {
    const gos_deck_step *s = &r->deck->step;
    const int at = s->procedure == GOS_DECK_FREQUENCY ? 3 : by_lumped_mass ? 2 : -1;
    if (at >= 0 && s->ndata > at && s->data[at] > 0) {
        gos__warn(r->ctx, r->card_loc, r->object,
                  "number %d (%g) adds mass in CalculiX (selective mass scaling), which is not "
                  "applied: high frequencies and fast motions differ",
                  at + 1, s->data[at]);
    }
}

gos_status gos__deck_card_procedure(gos_deck_reader *r) {
    gos_deck_step *s = &r->deck->step;
    gos_deck_field f;
    bool more;
    if (s->procedure != GOS_DECK_NO_STEP) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the step already has a procedure; a step has one");
    }
    double start;
    GOS_TRY(gos__deck_param_real(r, "TOTALTIMEATSTART", 0.0, &start));
    if (start != 0) {
        gos__warn(r->ctx, r->card_loc, r->object,
                  "TOTAL TIME AT START is not applied: amplitudes count from the start of the run");
    }
    s->procedure = (gos_deck_procedure)r->card->kind;
    s->steady_state = gos__deck_param(r, "STEADYSTATE") != NULL;
    s->direct = gos__deck_param(r, "DIRECT") != NULL;
    const bool by_lumped_mass = gos__deck_param(r, "EXPLICIT") != NULL;
    if (by_lumped_mass) {
        gos__note(
            r->ctx, r->object,
            "EXPLICIT has no effect: runs are implicit, with consistent instead of lumped mass");
    }
    GOS_TRY(gos__deck_data(r, &more));
    while (more && gos__deck_field(r, &f)) {
        if (s->ndata == GOS_COUNT(s->data)) {
            return gos__deck_end(r);
        }
        if (f.n > 0) {
            GOS_TRY(gos__deck_real(r, &f, "number of the procedure", &s->data[s->ndata]));
        }
        s->ndata++;
    }
    warn_of_scaling(r, by_lumped_mass);
    return GOS_OK;
}

gos_status gos__deck_steps_finish(gos_deck_reader *r) {
    if (r->in_step) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->step_loc, "*STEP",
                            "the step is not closed by *END STEP; the file may be truncated");
    }
    if (r->step == 0 && r->cut) {
        gos__warn(r->ctx, r->loc, NULL,
                  "the last line of the deck has no line break; check that the file is complete, "
                  "and add one");
    }
    return GOS_OK;
}
