/* A master for functional mock-up units: unpacks one, loads its library and uses nothing but
   that and its description. */
#ifndef SUPPORT_FMU_H
#define SUPPORT_FMU_H

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "gossamer/gossamer.h"
#include "support/folder.h"

/* An unpacked unit. */
typedef struct fmu {
    char place[200], location[220]; // its folder; that of resources as a location
    char *xml;                      // the description
    void *library;
#define X(type, name, arguments) type(*name) arguments;
    FMI2_FUNCTIONS(X)
    FMI3_FUNCTIONS(X)
#undef X
} fmu;

/* messages of units, for tests that look at them */
static char fmu_said[4096];

static inline void fmu_log(fmi2ComponentEnvironment user, fmi2String instance, fmi2Status status,
                           fmi2String category, fmi2String message, ...) {
    (void)user, (void)instance, (void)status, (void)category;
    const size_t n = strlen(fmu_said);
    (void)snprintf(fmu_said + n, sizeof fmu_said - n, "%s\n", message);
}

static const fmi2CallbackFunctions fmu_calls = {fmu_log, calloc, free, NULL, NULL};

/* ---- packing and unpacking ------------------------------------------------------------------- */

/* A folder of libgossamer_fmu.so alone, which finds what it needs in the system: units of it are
 * small. */
static inline const char *fmu_library(void) {
    static char place[160];
    char path[2000], build[300];
    (void)snprintf(place, sizeof place, "%s/library", folder);
    if (mkdir(place, 0777) == 0) {
        (void)snprintf(build, sizeof build, "%s", GOS_PROGRAM);
        *strrchr(build, '/') = '\0';
        (void)snprintf(path, sizeof path,
                       "ln -s %s/fmu/libgossamer_fmu.so %s/ && mkdir %s/licenses && "
                       "cp %s/LICENSE %s/licenses/license.txt && : >%s/libraries.txt",
                       build, place, place, GOS_SOURCE_DIR, place, place);
        assert_int_equal(system(path), 0);
    }
    return place;
}

static inline void fmu_make_folders(const char *path) {
    char text[600];
    (void)snprintf(text, sizeof text, "%s", path);
    for (char *s = text + 1; (s = strchr(s, '/')); s++) {
        *s = '\0';
        assert_true(mkdir(text, 0777) == 0 || errno == EEXIST);
        *s = '/';
    }
}

static inline void fmu_unpack(const char *path, const char *place) {
    char name[600], block[1 << 14];
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    assert_non_null(zip);
    for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); i++) {
        (void)snprintf(name, sizeof name, "%s/%s", place, zip_get_name(zip, (zip_uint64_t)i, 0));
        fmu_make_folders(name);
        FILE *out = fopen(name, "wb");
        zip_file_t *in = zip_fopen_index(zip, (zip_uint64_t)i, 0);
        assert_true(out && in);
        for (zip_int64_t n; (n = zip_fread(in, block, sizeof block)) > 0;) {
            assert_int_equal(fwrite(block, 1, (size_t)n, out), n);
        }
        assert_int_equal(fclose(out), 0);
        assert_int_equal(zip_fclose(in), 0);
    }
    zip_discard(zip);
}

static inline char *fmu_read(const char *path) {
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = calloc(1 << 20, 1);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
    (void)fclose(in);
    return text;
}

/* the value of an attribute behind a place of the description */
static inline void fmu_attribute(const char *at, const char *name, char value[200]) {
    char word[64];
    (void)snprintf(word, sizeof word, " %s=\"", name);
    const char *s = strstr(at, word);
    assert_non_null(s);
    s += strlen(word);
    (void)snprintf(value, 200, "%.*s", (int)strcspn(s, "\""), s);
}

static inline void fmu_open(fmu *u, const char *path, const char *place) {
    char file[600], identifier[200];
    (void)snprintf(u->place, sizeof u->place, "%s", folder_path(place));
    (void)snprintf(u->location, sizeof u->location, "file://%s/resources", u->place);
    fmu_unpack(path, u->place);
    (void)snprintf(file, sizeof file, "%s/modelDescription.xml", u->place);
    u->xml = fmu_read(file);
    fmu_attribute(u->xml, "modelIdentifier", identifier);
    const bool two = strstr(u->xml, "fmiVersion=\"2.0\"") != NULL;
    (void)snprintf(file, sizeof file, "%s/binaries/%s/%s.so", u->place,
                   two ? "linux64" : "x86_64-linux", identifier);
    u->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!u->library) {
        fail_msg("%s", dlerror());
    }
#define X(type, name, arguments)                                                                   \
    *(void **)&u->name = dlsym(u->library, #name);                                                 \
    assert_non_null(u->name);
    FMI2_FUNCTIONS(X)
    FMI3_FUNCTIONS(X)
#undef X
}

static inline void fmu_close(fmu *u) {
    free(u->xml);
    (void)dlclose(u->library);
}

/* ---- variables ------------------------------------------------------------------------------- */

static inline const char *fmu_variable(const fmu *u, const char *name) {
    char word[200];
    (void)snprintf(word, sizeof word, " name=\"%s\" valueReference=\"", name);
    const char *s = strstr(u->xml, word);
    if (!s) {
        fail_msg("the unit has no variable '%s'", name);
    }
    return s;
}

static inline unsigned fmu_reference(const fmu *u, const char *name) {
    char value[200];
    fmu_attribute(fmu_variable(u, name), "valueReference", value);
    return (unsigned)strtoul(value, NULL, 10);
}

static inline fmi2Component fmu_make(const fmu *u, fmi2Type type) {
    char guid[200];
    fmu_attribute(u->xml, strstr(u->xml, " guid=\"") ? "guid" : "instantiationToken", guid);
    fmu_said[0] = '\0';
    fmi2Component c =
        u->fmi2Instantiate("one", type, guid, u->location, &fmu_calls, fmi2False, fmi2True);
    if (!c) {
        fail_msg("no instance: %s", fmu_said);
    }
    return c;
}

static inline void fmu_is_ok(fmi2Status status) {
    if (status != fmi2OK) {
        fail_msg("status %d: %s", status, fmu_said);
    }
}

static inline void fmu_begin(const fmu *u, fmi2Component c, double stop) {
    fmu_is_ok(u->fmi2SetupExperiment(c, fmi2False, 0, 0, stop > 0, stop));
    fmu_is_ok(u->fmi2EnterInitializationMode(c));
    fmu_is_ok(u->fmi2ExitInitializationMode(c));
}

static inline double fmu_get(const fmu *u, fmi2Component c, const char *name) {
    const unsigned r = fmu_reference(u, name);
    double value;
    fmu_is_ok(u->fmi2GetReal(c, &r, 1, &value));
    return value;
}

static inline void fmu_set(const fmu *u, fmi2Component c, const char *name, double value) {
    const unsigned r = fmu_reference(u, name);
    fmu_is_ok(u->fmi2SetReal(c, &r, 1, &value));
}

/* ---- making units ---------------------------------------------------------------------------- */

static inline gos_model *fmu_model(gos_ctx *ctx, const char *path) {
    gos_model *model = NULL;
    if (gos_model_read(ctx, path, &model) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    return model;
}

/* a setting of a model */
static inline void fmu_with(gos_ctx *ctx, gos_model *model, const char *name, const char *value) {
    if (gos_model_set(ctx, model, name, value) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
}

/* export and unpack it */
static inline void fmu_of(gos_ctx *ctx, gos_model *model, gos_fmu_options o, const char *name,
                          fmu *u) {
    char path[200];
    (void)snprintf(path, sizeof path, "%s.fmu", folder_path(name));
    o.library = fmu_library();
    if (gos_export_fmu(ctx, model, &o, path) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    assert_true(gos_fmu_exists(path));
    fmu_open(u, path, name);
}

#endif
