/* Cards of Nastran bulk data, in the order of subjects. */
#include "deck/nastran.h"

#include <math.h>

#include "deck/nastran_reader.h"

static gos_status read_param(gos_nastran *r, const gos_nastran_card *c);

static const gos_nastran_kind kinds[] = {
    {"PARAM", GOS_NASTRAN_PARAM, 3, read_param},
    {"GRDSET", GOS_NASTRAN_PARAM, 8, gos__nastran_read_grdset},
    // points
    {"CORD1R", GOS_NASTRAN_AXES, 8, gos__nastran_read_axes},
    {"CORD1C", GOS_NASTRAN_AXES, 8, gos__nastran_read_axes},
    {"CORD1S", GOS_NASTRAN_AXES, 8, gos__nastran_read_axes},
    {"CORD2R", GOS_NASTRAN_AXES, 11, gos__nastran_read_axes},
    {"CORD2C", GOS_NASTRAN_AXES, 11, gos__nastran_read_axes},
    {"CORD2S", GOS_NASTRAN_AXES, 11, gos__nastran_read_axes},
    {"GRID", GOS_NASTRAN_GRID, 8, gos__nastran_read_grid},
    // materials and properties
    {"MAT1", GOS_NASTRAN_MATERIAL, 12, gos__nastran_read_mat1},
    {"MAT8", GOS_NASTRAN_MATERIAL, 19, gos__nastran_read_mat8},
    {"PSHELL", GOS_NASTRAN_PROPERTY, 11, gos__nastran_read_pshell},
    {"PCOMP", GOS_NASTRAN_PROPERTY, 0, gos__nastran_read_pcomp},
    {"PSOLID", GOS_NASTRAN_PROPERTY, 7, gos__nastran_read_psolid},
    {"PBAR", GOS_NASTRAN_PROPERTY, 19, gos__nastran_read_pbar},
    {"PBARL", GOS_NASTRAN_PROPERTY, 16, gos__nastran_read_pbarl},
    {"PBEAM", GOS_NASTRAN_PROPERTY, 0, gos__nastran_read_pbeam},
    {"PROD", GOS_NASTRAN_PROPERTY, 6, gos__nastran_read_prod},
    {"PBUSH", GOS_NASTRAN_PROPERTY, 0, gos__nastran_read_pbush},
    {"PELAS", GOS_NASTRAN_PROPERTY, 8, gos__nastran_read_pelas},
    // elements
    {"CQUAD4", GOS_NASTRAN_ELEMENT, 14, gos__nastran_read_shell},
    {"CTRIA3", GOS_NASTRAN_ELEMENT, 13, gos__nastran_read_shell},
    {"CTETRA", GOS_NASTRAN_ELEMENT, 12, gos__nastran_read_solid},
    {"CPENTA", GOS_NASTRAN_ELEMENT, 17, gos__nastran_read_solid},
    {"CHEXA", GOS_NASTRAN_ELEMENT, 22, gos__nastran_read_solid},
    {"CBAR", GOS_NASTRAN_ELEMENT, 16, gos__nastran_read_bar},
    {"CBEAM", GOS_NASTRAN_ELEMENT, 18, gos__nastran_read_bar},
    {"CROD", GOS_NASTRAN_ELEMENT, 4, gos__nastran_read_rod},
    {"CONROD", GOS_NASTRAN_ELEMENT, 8, gos__nastran_read_rod},
    {"CBUSH", GOS_NASTRAN_ELEMENT, 13, gos__nastran_read_bush},
    {"CELAS1", GOS_NASTRAN_ELEMENT, 6, gos__nastran_read_spring},
    {"CELAS2", GOS_NASTRAN_ELEMENT, 8, gos__nastran_read_spring},
    {"CMASS2", GOS_NASTRAN_ELEMENT, 6, gos__nastran_read_mass},
    {"CONM2", GOS_NASTRAN_ELEMENT, 14, gos__nastran_read_conm2},
    // constraints
    {"SPC", GOS_NASTRAN_MESH, 7, gos__nastran_read_spc},
    {"SPC1", GOS_NASTRAN_MESH, 0, gos__nastran_read_spc1},
    {"MPC", GOS_NASTRAN_MESH, 0, gos__nastran_read_mpc},
    {"RBE2", GOS_NASTRAN_MESH, 0, gos__nastran_read_rbe2},
    {"RBE3", GOS_NASTRAN_MESH, 0, gos__nastran_read_rbe3},
    {"RBAR", GOS_NASTRAN_MESH, 8, gos__nastran_read_rbar},
    // loads
    {"FORCE", GOS_NASTRAN_LOADS, 7, gos__nastran_read_force},
    {"MOMENT", GOS_NASTRAN_LOADS, 7, gos__nastran_read_force},
    {"PLOAD2", GOS_NASTRAN_LOADS, 0, gos__nastran_read_pload2},
    {"PLOAD4", GOS_NASTRAN_LOADS, 14, gos__nastran_read_pload4},
    {"GRAV", GOS_NASTRAN_LOADS, 7, gos__nastran_read_grav},
    {"TEMPD", GOS_NASTRAN_DEFAULTS, 8, gos__nastran_read_tempd},
    {"TEMP", GOS_NASTRAN_LOADS, 7, gos__nastran_read_temp},
    {"PLOAD", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"PLOAD1", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"RFORCE", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"SPCD", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"FORCE1", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"FORCE2", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"MOMENT1", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"MOMENT2", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"SLOAD", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"ACCEL", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
    {"ACCEL1", GOS_NASTRAN_LOADS, 0, gos__nastran_read_other_load},
};

/* Read elsewhere, or without effect on the structure. */
static const char *const harmless[] = {"SPCADD", "MPCADD", "LOAD", "EIGRL", "EIGR",  "EIGB",
                                       "PLOTEL", "SET1",   "SET3", "EIGC",  "DEBUG", "TSTEP"};
/* For solutions that are not done: dynamics, aeroelasticity, optimisation, contact, superelements'
   coordinates; a star ends a prefix. */
static const char *const other[] = {
    "DLOAD",   "RLOAD*",  "TLOAD*",  "DAREA",   "DELAY",   "DPHASE",  "FREQ*",   "TABLE*",
    "TABDMP*", "TABRND*", "TSTEP*",  "NLPARM*", "NLSTEP",  "TIC",     "RANDPS",  "RANDT*",
    "RANDVAR", "LSEQ",    "TEMPRB",  "TEMPP*",  "SUPORT*", "ASET*",   "OMIT*",   "QSET*",
    "BSET*",   "CSET*",   "USET*",   "DTI",     "DESVAR",  "DRESP*",  "DCONSTR", "DCONADD",
    "DOPTPRM", "DVPREL*", "DVMREL*", "DVCREL*", "DLINK",   "DEQATN",  "DSCREEN", "TOPVAR",
    "AERO*",   "CAERO*",  "PAERO*",  "SPLINE*", "MKAERO*", "FLUTTER", "FLFACT",  "TRIM*",
    "AES*",    "AEL*",    "AEP*",    "AEF*",    "GUST",    "MONPNT*", "BC*",     "BSURF*",
    "BGSET",   "BLSEG",   "PLOTEL*", "MDLPRM",  "CBARAO",  "PLOTOPT", "SWLDPRM", "MATT*",
    "MATS*",   "CREEP",   "EGRID",   "NOLIN*",  "SESET",   "SET2"};

/* PARAMs without effect here. */
static const char *const output[] = {"POST",    "PRTMAXIM", "GRDPNT",  "AUTOSPC", "COUPMASS",
                                     "K6ROT",   "OGEOM",    "TINY",    "USETPRT", "PRGPST",
                                     "BAILOUT", "MAXRATIO", "NOCOMPS", "NEWSEQ",  "PATVER"};

static bool is_any(const char *name, int n, const char *const *list) {
    for (int i = 0; i < n; i++) {
        const size_t length = strcspn(list[i], "*");
        if (strncmp(name, list[i], length) == 0 &&
            (list[i][length] == '*' || name[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static gos_status read_param(gos_nastran *r, const gos_nastran_card *c) {
    bool known = false;
    if (gos__nastran_is_word(r, c, 1, "WTMASS")) {
        GOS_TRY(gos__nastran_positive(r, c, 2, "mass factor WTMASS", &r->mass_factor));
        return GOS_OK;
    }
    for (int i = 0; i < GOS_COUNT(output) && !known; i++) {
        known = gos__nastran_is_word(r, c, 1, output[i]);
    }
    const gos_nastran_field f = gos__nastran_field(r, c, 1);
    if (!known) {
        gos__nastran_warn(r, c, "PARAM,%.*s is not applied", f.n < 20 ? f.n : 20, f.s);
    }
    return GOS_OK;
}

/* ---- cards ----------------------------------------------------------------------------------- */

static const gos_nastran_kind *kind_of(const char *name) {
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* Set the kind of each card; unknown ones fail, once for each name. */
static gos_status classify(gos_nastran *r) {
    gos_status status = GOS_OK;
    gos_names seen = {0};
    for (int i = 0; i < r->ncard; i++) {
        gos_nastran_card *c = &r->card[i];
        if (i > 0 && r->card[i - 1].name == c->name) {
            c->kind = r->card[i - 1].kind;
            continue;
        }
        c->kind = kind_of(c->name);
        if (c->kind || gos__names_find(&seen, c->name, strlen(c->name)) ||
            is_any(c->name, GOS_COUNT(harmless), harmless)) {
            continue;
        }
        GOS_TRY(gos__names_add(r->arena, &seen, c->name, c));
        if (is_any(c->name, GOS_COUNT(other), other)) {
            gos__nastran_warn(r, c, "this card is not applied");
            continue;
        }
        status = gos__nastran_fail(r, c, 0,
                                   "this card is not supported: it may change the physics; remove "
                                   "it if it does not");
        if (gos__nerrors(r->ctx) >= GOS_LIMIT_DIAGS) {
            break;
        }
    }
    return status;
}

static gos_status read_card(gos_nastran *r, const gos_nastran_card *c) {
    if (c->kind->most > 0 && c->n > c->kind->most) {
        const gos_nastran_field f = gos__nastran_field(r, c, c->n);
        return gos__nastran_fail(r, c, c->n, "unexpected '%.*s': the card has at most %d fields",
                                 f.n < 40 ? f.n : 40, f.s, 1 + c->kind->most);
    }
    return c->kind->read(r, c);
}

/* goes on after an error, to report every one */
static gos_status read_subject(gos_nastran *r, gos_nastran_subject subject) {
    gos_status first = GOS_OK;
    for (int i = 0; i < r->ncard; i++) {
        if (!r->card[i].kind || r->card[i].kind->subject != subject) {
            continue;
        }
        const gos_status status = read_card(r, &r->card[i]);
        first = first == GOS_OK ? status : first;
        if (status != GOS_OK &&
            (status != GOS_E_INPUT || gos__nerrors(r->ctx) >= GOS_LIMIT_DIAGS)) {
            return status;
        }
    }
    return first;
}

static gos_status read_mesh(gos_nastran *r) {
    gos_status status = classify(r);
    for (int s = GOS_NASTRAN_PARAM; s <= GOS_NASTRAN_GRID; s++) {
        const gos_status now = read_subject(r, (gos_nastran_subject)s);
        status = status == GOS_OK ? now : status;
    }
    GOS_TRY(status == GOS_OK || status == GOS_E_INPUT ? gos__nastran_nodes(r) : status);
    for (int s = GOS_NASTRAN_MATERIAL; s <= GOS_NASTRAN_ELEMENT; s++) {
        GOS_TRY(status);
        status = read_subject(r, (gos_nastran_subject)s);
    }
    GOS_TRY(status);
    return gos__nastran_cells(r);
}

static gos_status read_deck(gos_nastran *r, void *arg) {
    gos_deck **deck = arg;
    GOS_TRY(gos__nastran_split(r));
    GOS_TRY(gos__nastran_choose(r));
    GOS_TRY(gos__nastran_choose_sets(r));
    GOS_TRY(gos__nastran_combine(r));
    GOS_TRY(read_mesh(r));
    GOS_TRY(gos__nastran_displacement_axes(r));
    GOS_TRY(gos__nastran_permanent(r));
    GOS_TRY(gos__nastran_reference_temperature(r));
    GOS_TRY(read_subject(r, GOS_NASTRAN_DEFAULTS));
    GOS_TRY(read_subject(r, GOS_NASTRAN_MESH));
    GOS_TRY(gos__nastran_connect(r));
    GOS_TRY(read_subject(r, GOS_NASTRAN_LOADS));
    GOS_TRY(gos__mesh_finish(r->mesh, (gos_loc){r->file[0].name, 0, 0}, NULL));
    *deck = r->deck;
    return GOS_OK;
}

static void release(gos_nastran *r) {
    gos_tags *const tags[] = {&r->axes_of,    &r->grid_of,  &r->property_of, &r->material_of,
                              &r->element_of, &r->rigid_of, &r->section_of,  &r->orientation_of};
    for (int i = 1; i < r->nfile; i++) {
        gos__free(r->ctx, r->file[i].owned);
    }
    for (int i = 0; i < GOS_COUNT(tags); i++) {
        gos__tags_free(tags[i]);
    }
    gos__free(r->ctx, r->file);
    gos__free(r->ctx, r->card);
    gos__free(r->ctx, r->field);
    gos__free(r->ctx, r->grid);
    gos__free(r->ctx, r->connected);
    gos__free(r->ctx, r->cell);
    gos__free(r->ctx, r->node);
}

gos_status gos__nastran_with(gos_mesh *mesh, const gos_nastran_file *file, const char *folder,
                             int64_t subcase, gos_status (*read)(gos_nastran *r, void *arg),
                             void *arg) {
    gos_ctx *ctx = mesh->ctx;
    const gos_tags none = {.ctx = ctx};
    gos_nastran r = {.ctx = ctx,
                     .mesh = mesh,
                     .arena = mesh->arena,
                     .folder = folder,
                     .wanted = subcase,
                     .mass_factor = 1,
                     .axes_of = none,
                     .grid_of = none,
                     .property_of = none,
                     .material_of = none,
                     .element_of = none,
                     .rigid_of = none,
                     .section_of = none,
                     .orientation_of = none};
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
                             .nastran = true,
                             .hash = gos__hash(GOS_HASH_BEGIN, file->text, file->size)};
        status = read(&r, arg);
    }
    release(&r);
    GOS_TRY(status);
    mesh->deck = r.deck;
    return GOS_OK;
}

gos_status gos__nastran_parse(gos_ctx *ctx, const char *name, const char *data, size_t size,
                              const char *folder, int64_t subcase, gos_deck **deck) {
    const gos_nastran_file file = {.name = gos__intern(ctx, name), .text = data, .size = size};
    gos_mesh *mesh;
    GOS_TRY(file.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__mesh_create(ctx, &mesh));
    const gos_status status = gos__nastran_with(mesh, &file, folder, subcase, read_deck, deck);
    if (status != GOS_OK) {
        gos__mesh_destroy(mesh);
    }
    return status;
}

gos_status gos__nastran_read(gos_mesh *mesh, const char *path, gos_loc loc, const char *object,
                             int64_t subcase, gos_deck **deck) {
    gos_ctx *ctx = mesh->ctx;
    gos_nastran_file file = {.name = gos__intern(ctx, path)};
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash ? gos__arena_printf(mesh->arena, "%.*s", (int)(slash - path), path) : ".";
    GOS_TRY(file.name && folder ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_DECK_BYTES, loc, object, &file.owned, &file.size));
    file.text = file.owned;
    file.path = realpath(path, NULL);
    const gos_status status =
        gos__nastran_with(mesh, &file, folder[0] ? folder : "/", subcase, read_deck, deck);
    free(file.path);
    gos__free(ctx, file.owned);
    return status;
}
