/* Cards of CalculiX and Abaqus decks. Two passes: nodes and elements, then cards that refer to
   them. */
#include "deck/deck.h"

#include "deck/reader.h"

static const gos_deck_card cards[] = {
    // mesh and sets
    {"NODE", "NSET", gos__deck_card_node, GOS_DECK_ANYWHERE, 0},
    {"ELEMENT", "TYPE ELSET", gos__deck_card_element, GOS_DECK_ANYWHERE, 0},
    {"NSET", "NSET GENERATE INTERNAL UNSORTED INSTANCE", gos__deck_card_nset, GOS_DECK_ANYWHERE, 0},
    {"ELSET", "ELSET GENERATE INTERNAL INSTANCE", gos__deck_card_elset, GOS_DECK_ANYWHERE, 0},
    {"SURFACE", "NAME TYPE INTERNAL", gos__deck_card_surface, GOS_DECK_ANYWHERE, 0},
    // materials
    {"MATERIAL", "NAME", gos__deck_card_material, GOS_DECK_IN_MODEL, 0},
    {"ELASTIC", "TYPE", gos__deck_card_elastic, GOS_DECK_IN_MODEL, 0},
    {"EXPANSION", "TYPE ZERO", gos__deck_card_expansion, GOS_DECK_IN_MODEL, 0},
    {"CONDUCTIVITY", "TYPE", gos__deck_card_conductivity, GOS_DECK_IN_MODEL, 0},
    {"DENSITY", "", gos__deck_card_density, GOS_DECK_IN_MODEL, 0},
    {"SPECIFIC HEAT", "", gos__deck_card_specific_heat, GOS_DECK_IN_MODEL, 0},
    {"DAMPING", "ALPHA BETA", gos__deck_card_damping, GOS_DECK_IN_MODEL, 0},
    {"PLASTIC", "HARDENING", gos__deck_card_inactive, GOS_DECK_IN_MODEL, 0},
    {"CYCLIC HARDENING", "", gos__deck_card_inactive, GOS_DECK_IN_MODEL, 0},
    {"CREEP", "LAW", gos__deck_card_inactive, GOS_DECK_IN_MODEL, 0},
    // sections and axes
    {"SOLID SECTION", "ELSET MATERIAL ORIENTATION NODALTHICKNESS OFFSET", gos__deck_card_solid,
     GOS_DECK_IN_MODEL, 0},
    {"SHELL SECTION", "ELSET MATERIAL ORIENTATION OFFSET COMPOSITE NODALTHICKNESS",
     gos__deck_card_shell, GOS_DECK_IN_MODEL, 0},
    {"MEMBRANE SECTION", "ELSET MATERIAL ORIENTATION", gos__deck_card_membrane, GOS_DECK_IN_MODEL,
     0},
    {"BEAM SECTION", "ELSET MATERIAL ORIENTATION SECTION OFFSET1 OFFSET2 NODALTHICKNESS",
     gos__deck_card_beam, GOS_DECK_IN_MODEL, 0},
    {"NODAL THICKNESS", "", gos__deck_card_thickness, GOS_DECK_IN_MODEL, 0},
    {"MASS", "ELSET", gos__deck_card_mass, GOS_DECK_IN_MODEL, 0},
    {"SPRING", "ELSET", gos__deck_card_spring, GOS_DECK_IN_MODEL, GOS_DECK_SPRING},
    {"DASHPOT", "ELSET", gos__deck_card_spring, GOS_DECK_IN_MODEL, GOS_DECK_DASHPOT},
    {"ORIENTATION", "NAME SYSTEM", gos__deck_card_orientation, GOS_DECK_IN_MODEL, 0},
    {"TRANSFORM", "NSET TYPE", gos__deck_card_transform, GOS_DECK_IN_MODEL, 0},
    // conditions and loads
    {"AMPLITUDE", "NAME TIME DEFINITION VALUE", gos__deck_card_amplitude, GOS_DECK_ANYWHERE, 0},
    {"BOUNDARY", "OP AMPLITUDE TYPE", gos__deck_card_boundary, GOS_DECK_ANYWHERE, 0},
    {"INITIAL CONDITIONS", "TYPE", gos__deck_card_initial, GOS_DECK_IN_MODEL, 0},
    {"CLOAD", "OP AMPLITUDE", gos__deck_card_force, GOS_DECK_IN_STEP, GOS_DECK_FORCE},
    {"CFLUX", "OP AMPLITUDE", gos__deck_card_force, GOS_DECK_IN_STEP, GOS_DECK_HEAT},
    {"TEMPERATURE", "OP AMPLITUDE", gos__deck_card_temperature, GOS_DECK_IN_STEP, 0},
    {"DLOAD", "OP AMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP, GOS_DECK_CARD_DLOAD},
    {"DSLOAD", "OP AMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP, GOS_DECK_CARD_DSLOAD},
    {"DFLUX", "OP AMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP, GOS_DECK_CARD_DFLUX},
    {"DSFLUX", "OP AMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP, GOS_DECK_CARD_DSFLUX},
    {"FILM", "OP AMPLITUDE FILMAMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP,
     GOS_DECK_CARD_FILM},
    {"SFILM", "OP AMPLITUDE FILMAMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP,
     GOS_DECK_CARD_SFILM},
    {"RADIATE", "OP AMPLITUDE RADIATIONAMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP,
     GOS_DECK_CARD_RADIATE},
    {"SRADIATE", "OP AMPLITUDE RADIATIONAMPLITUDE", gos__deck_card_load, GOS_DECK_IN_STEP,
     GOS_DECK_CARD_SRADIATE},
    {"PHYSICAL CONSTANTS", "ABSOLUTEZERO STEFANBOLTZMANN NEWTONGRAVITY", gos__deck_card_constants,
     GOS_DECK_IN_MODEL, 0},
    // constraints
    {"EQUATION", "", gos__deck_card_equation, GOS_DECK_IN_MODEL, 0},
    {"MPC", "", gos__deck_card_mpc, GOS_DECK_IN_MODEL, 0},
    {"DISTRIBUTING COUPLING", "ELSET", gos__deck_card_mean, GOS_DECK_IN_MODEL, 0},
    {"COUPLING", "CONSTRAINTNAME REFNODE SURFACE ORIENTATION", gos__deck_card_coupling,
     GOS_DECK_IN_MODEL, 0},
    {"KINEMATIC", "", gos__deck_card_coupling_kind, GOS_DECK_IN_MODEL, 0},
    {"DISTRIBUTING", "", gos__deck_card_coupling_kind, GOS_DECK_IN_MODEL, 1},
    {"RIGID BODY", "NSET ELSET REFNODE ROTNODE", gos__deck_card_rigid_body, GOS_DECK_IN_MODEL, 0},
    {"TIE", "NAME POSITIONTOLERANCE ADJUST", gos__deck_card_tie, GOS_DECK_IN_MODEL, 0},
    // steps
    {"STEP", "NLGEOM INC PERTURBATION AMPLITUDE NAME UNSYMM", gos__deck_card_step,
     GOS_DECK_ANYWHERE, 0},
    {"END STEP", "", gos__deck_card_end_step, GOS_DECK_ANYWHERE, 0},
#define PROCEDURE(name, params, kind)                                                              \
    {                                                                                              \
        name, "SOLVER DIRECT STEADYSTATE DELTMX " params, gos__deck_card_procedure,                \
            GOS_DECK_IN_STEP, kind                                                                 \
    }
    PROCEDURE("STATIC", "TIMERESET TOTALTIMEATSTART STABILIZE", GOS_DECK_STATIC),
    PROCEDURE("FREQUENCY", "STORAGE GLOBAL EIGENSOLVER NORMALIZATION", GOS_DECK_FREQUENCY),
    PROCEDURE("BUCKLE", "EIGENSOLVER", GOS_DECK_BUCKLE),
    PROCEDURE("HEAT TRANSFER", "TIMERESET TOTALTIMEATSTART END", GOS_DECK_HEAT_TRANSFER),
    PROCEDURE("COUPLED TEMPERATURE-DISPLACEMENT", "ALPHA TIMERESET", GOS_DECK_COUPLED),
    PROCEDURE("UNCOUPLED TEMPERATURE-DISPLACEMENT", "ALPHA TIMERESET", GOS_DECK_UNCOUPLED),
    PROCEDURE("DYNAMIC", "ALPHA TIMERESET EXPLICIT", GOS_DECK_DYNAMIC),
    PROCEDURE("MODAL DYNAMIC", "", GOS_DECK_MODAL_DYNAMIC),
    PROCEDURE("STEADY STATE DYNAMICS", "HARMONIC", GOS_DECK_STEADY_STATE_DYNAMICS),
    PROCEDURE("COMPLEX FREQUENCY", "CORIOLIS FLUTTER", GOS_DECK_COMPLEX_FREQUENCY),
    // what to write, without effect; READ is refused
    {"RESTART", "WRITE FREQUENCY OVERLAY NUMBERINTERVAL TIMEMARKS", gos__deck_skip,
     GOS_DECK_ANYWHERE, 0},
};

/* cards without effect on the physics */
static const char *const harmless[] = {
    "HEADING",       "NODE PRINT",     "NODE FILE",    "NODE OUTPUT",   "EL PRINT",
    "EL FILE",       "ELEMENT OUTPUT", "CONTACT FILE", "CONTACT PRINT", "CONTACT OUTPUT",
    "SECTION PRINT", "SECTION FILE",   "OUTPUT",       "FILE FORMAT",   "ENERGY OUTPUT",
    "ENERGY PRINT",  "ENERGY FILE",    "MODAL OUTPUT", "MODAL PRINT",   "MODAL FILE",
    "FIELD OUTPUT",  "HISTORY OUTPUT", "PREPRINT",     "PRINT",         "MONITOR",
    "CONTROLS",      "TIME POINTS",    "NO ANALYSIS",  "DIAGNOSTICS",   "SOLVER CONTROLS",
};

static const struct {
    const char *name, *remedy;
} remedies[] = {
    {"PRE-TENSION SECTION", "bolts with pre-tension are out of scope; prescribe a displacement "
                            "(*BOUNDARY), or cool the bolt (*TEMPERATURE)"},
    {"HYPERELASTIC", "materials are linear elastic only"},
    {"USER MATERIAL", "materials are linear elastic only"},
    {"CONTACT PAIR", "use *TIE for bonded faces, or a joint of the model"},
    {"VISCO", "use *STATIC"},
};

/* ---- one card -------------------------------------------------------------------------------- */

static const gos_deck_card *find_card(const gos_deck_field *name) {
    for (int i = 0; i < GOS_COUNT(cards); i++) {
        if (gos__deck_is_word(name, cards[i].name)) {
            return &cards[i];
        }
    }
    return NULL;
}

static bool is_harmless(const gos_deck_field *name) {
    for (int i = 0; i < GOS_COUNT(harmless); i++) {
        if (gos__deck_is_word(name, harmless[i])) {
            return true;
        }
    }
    return false;
}

static gos_status refuse_card(gos_deck_reader *r, const gos_deck_field *name) {
    const char *remedy = "it may change the physics; remove it if it does not";
    for (int i = 0; i < GOS_COUNT(remedies); i++) {
        remedy = gos__deck_is_word(name, remedies[i].name) ? remedies[i].remedy : remedy;
    }
    return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                        "this card is not supported: %s", remedy);
}

static bool is_late(const gos_deck_card *card) {
    return card->read == gos__deck_card_mean;
}

static gos_status read_card(gos_deck_reader *r) {
    r->card = NULL;
    GOS_TRY(gos__deck_read_card(r));
    r->within = r->scope;
    const gos_deck_field name = {r->object + 1, (int)strlen(r->object) - 1};
    const gos_deck_card *place = gos__deck_place_card(&name);
    r->card = place ? place : find_card(&name);
    if (!place && r->in_step && r->step > 1 &&
        (!r->card || r->card->read != gos__deck_card_end_step)) {
        gos__deck_later_card(r);
        return gos__deck_skip(r);
    }
    if (!r->card) {
        return is_harmless(&name) ? gos__deck_skip(r) : refuse_card(r, &name);
    }
    GOS_TRY(gos__deck_check_params(r, r->card));
    if (r->card->where == GOS_DECK_IN_MODEL && r->in_step) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "this card belongs to the model; write it above *STEP");
    }
    if (r->card->where == GOS_DECK_IN_STEP && !r->in_step) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "this card belongs to a step; write it below *STEP");
    }
    if (is_late(r->card)) {
        r->late = true;
        return gos__deck_skip(r);
    }
    return r->card->read(r);
}

/* cards whose sets may be defined below them, as in CalculiX */
static gos_status read_late(gos_deck_reader *r) {
    GOS_TRY(gos__deck_rewind(r));
    for (bool more = true;;) {
        GOS_TRY(gos__deck_line(r, &more));
        if (!more) {
            return GOS_OK;
        }
        GOS_TRY(gos__deck_read_card(r));
        r->within = r->scope;
        const gos_deck_field name = {r->object + 1, (int)strlen(r->object) - 1};
        const gos_deck_card *place = gos__deck_place_card(&name);
        r->card = place ? place : find_card(&name);
        const bool now = place || (r->card && is_late(r->card));
        GOS_TRY(now ? gos__deck_check_params(r, r->card) : GOS_OK);
        GOS_TRY(now ? r->card->read(r) : gos__deck_skip(r));
    }
}

/* goes on after an error, to report every one */
static gos_status read_cards(gos_deck_reader *r) {
    gos_status first = GOS_OK;
    GOS_TRY(gos__deck_rewind(r));
    for (bool more = true;;) {
        GOS_TRY(gos__deck_line(r, &more));
        if (!more) {
            return first;
        }
        const gos_status status =
            r->is_card ? read_card(r)
                       : gos__deck_fail(r, NULL,
                                        "unexpected line: the card above is already complete; "
                                        "remove this line");
        if (status != GOS_OK) {
            first = first == GOS_OK ? status : first;
            if (status != GOS_E_INPUT || gos__nerrors(r->ctx) >= GOS_LIMIT_DIAGS) {
                return status;
            }
            GOS_TRY(gos__deck_skip(r));
        }
    }
}

/* ---- the deck -------------------------------------------------------------------------------- */

static gos_status read_deck(gos_deck_reader *r) {
    GOS_TRY(gos__deck_mesh(r));
    gos_status status = read_cards(r);
    status = status == GOS_OK && r->late ? read_late(r) : status;
    r->object[0] = '\0';
    GOS_TRY(status);
    GOS_TRY(gos__deck_steps_finish(r));
    GOS_TRY(gos__deck_couplings_check(r));
    gos__deck_instances_note(r);
    GOS_TRY(gos__deck_loads_finish(r));
    GOS_TRY(gos__deck_sections_finish(r));
    GOS_TRY(gos__deck_sets_finish(r));
    GOS_TRY(gos__deck_expand(r));
    return gos__mesh_finish(r->mesh, (gos_loc){r->file[0].name, 0, 0}, NULL);
}

static gos_status parse(gos_mesh *mesh, const gos_deck_file *file, const char *folder,
                        gos_deck **deck) {
    gos_ctx *ctx = mesh->ctx;
    gos_deck_reader r = {.ctx = ctx,
                         .mesh = mesh,
                         .arena = mesh->arena,
                         .folder = folder,
                         .material = -1,
                         .coupling = -1};
    r.deck = GOS_NEW(r.arena, gos_deck, 1);
    gos_status status = r.deck ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = gos__grow(ctx, (void **)&r.file, &r.file_cap, 1, sizeof *r.file);
    }
    if (status == GOS_OK) {
        r.file[r.nfile++] = *file;
        mesh->source = file->name;
        *r.deck = (gos_deck){.mesh = mesh,
                             .length = 1,
                             .mass = 1,
                             .hash = gos__hash(GOS_HASH_BEGIN, file->text, file->size)};
        status = read_deck(&r);
    }
    for (int i = 1; i < r.nfile; i++) {
        gos__free(ctx, r.file[i].owned);
    }
    gos__deck_sets_free(&r);
    gos__free(ctx, r.file);
    gos__free(ctx, r.cell_tag);
    gos__free(ctx, r.cell_of);
    gos__free(ctx, r.card_cells);
    GOS_TRY(status);
    mesh->deck = r.deck;
    *deck = r.deck;
    return GOS_OK;
}

gos_status gos__deck_parse(gos_ctx *ctx, const char *name, const char *data, size_t size,
                           const char *folder, gos_deck **deck) {
    const gos_deck_file file = {.name = gos__intern(ctx, name), .text = data, .size = size};
    gos_mesh *mesh;
    GOS_TRY(file.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__mesh_create(ctx, &mesh));
    const gos_status status = parse(mesh, &file, folder, deck);
    if (status != GOS_OK) {
        gos__mesh_destroy(mesh);
    }
    return status;
}

gos_status gos__deck_read(gos_mesh *mesh, const char *path, gos_loc loc, const char *object,
                          gos_deck **deck) {
    gos_ctx *ctx = mesh->ctx;
    gos_deck_file file = {.name = gos__intern(ctx, path)};
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash ? gos__arena_printf(mesh->arena, "%.*s", (int)(slash - path), path) : ".";
    GOS_TRY(file.name && folder ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_DECK_BYTES, loc, object, &file.owned, &file.size));
    file.text = file.owned;
    file.path = realpath(path, NULL);
    const gos_status status = parse(mesh, &file, folder[0] ? folder : "/", deck);
    free(file.path);
    gos__free(ctx, file.owned);
    return status;
}

void gos__deck_destroy(gos_deck *deck) {
    if (deck) {
        gos__mesh_destroy(deck->mesh);
    }
}
