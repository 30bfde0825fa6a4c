/* Format of checkpoints:
 *   header     magic, format, program version, hashes of layout and system, size and checksum of
 *              each section, checksum of the header
 *   sections   arrays of double, except the last three: folder of the model, overwrite image of
 *              the results file (overwrite_image.h), messages (base/stored_messages.h)
 * Valid only for the same program version and model; everything but coordinates is checked. */
#include "results/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/h5.h"
#include "base/new_file.h"

#define FORMAT 5
#define MAX_NAME 4096  // bytes of a path
#define MAX_COUNT 1e15 // doubles represent such counts exactly

enum { OPTIONS, STATE, ARRAYS, PAST, POSITION, ORIGIN, IMAGE, MESSAGES };

static const char magic[8] = "\211GOSCP\r\n";

typedef struct header {
    char magic[8];
    uint32_t format, nsections;
    char program[32];
    uint64_t layout, system;
    struct {
        uint64_t bytes;
        uint32_t crc, unused;
    } section[GOS_CHECKPOINT_SECTIONS];
    uint32_t crc, unused; // checksum of the preceding bytes
} header;

_Static_assert(sizeof(header) == 8 + 8 + 32 + 16 + 16 * GOS_CHECKPOINT_SECTIONS + 8,
               "a header has no gaps");

/* each member of a state is listed or part of its arrays */
#define X(name, doc) +1
_Static_assert(sizeof(gos_state) == 8 * (0 GOS_STATE_NUMBERS(X)) + sizeof(gos_energy) + 21 * 8,
               "a member of gos_state is missing in GOS_STATE_NUMBERS");
enum {
    NSTATE = 0 GOS_STATE_NUMBERS(X) GOS_ENERGY_FIELDS(X),
    NPOSITION = 0 GOS_POSITION_NUMBERS(X)
};
#undef X
#define X(type, name, doc) +1
enum { NOPTIONS = 0 GOS_OPTIONS_FIELDS(X) };
#undef X

/* differs if a program has other fields */
static uint64_t layout_hash(void) {
    static const char fields[] =
#define X(name, doc) #name ","
        "state:" GOS_STATE_NUMBERS(X) GOS_ENERGY_FIELDS(X) "position:" GOS_POSITION_NUMBERS(X)
#undef X
#define X(type, name, doc) #type " " #name ","
            "options:" GOS_OPTIONS_FIELDS(X) "statistics:" GOS_STATISTICS_FIELDS(X);
#undef X
    return gos__hash(GOS_HASH_BEGIN, fields, sizeof fields);
}

/* of the system and its stepper's data */
static uint64_t system_hash(const gos_system *sys, const gos_options *options) {
    const char *layout[] = {gos__integrator_layout, gos__stepper_of(sys, options)->layout};
    const uint64_t common = gos__hash(gos__system_hash(sys), layout[0], strlen(layout[0]));
    return gos__hash(common, layout[1], strlen(layout[1]));
}

static header make_header(const gos_system *sys, const gos_options *options) {
    header h = {.format = FORMAT, .nsections = GOS_CHECKPOINT_SECTIONS};
    memcpy(h.magic, magic, sizeof magic);
    (void)snprintf(h.program, sizeof h.program, "gossamer %s", GOS_VERSION);
    h.layout = layout_hash();
    h.system = system_hash(sys, options);
    return h;
}

/* ---- writing --------------------------------------------------------------------------------- */

enum { PARTS = 2 };
typedef struct section {
    const void *part[PARTS];
    size_t bytes[PARTS];
} section;

static section one(const void *part, size_t n) {
    return (section){{part}, {n * sizeof(double)}};
}

/* Everything but arrays, in file order. */
typedef struct numbers {
    double options[NOPTIONS], state[NSTATE], position[NPOSITION], origin[2];
    char folder[MAX_NAME];
} numbers;

static void collect(const gos_state *x, const gos_checkpoint *c, numbers *n) {
    double *to = n->options;
#define X(type, name, doc) *to++ = (double)c->options.name;
    GOS_OPTIONS_FIELDS(X)
#undef X
    to = n->state;
#define X(name, doc) *to++ = x->name;
    GOS_STATE_NUMBERS(X)
#undef X
#define X(name, doc) *to++ = x->energy.name;
    GOS_ENERGY_FIELDS(X)
#undef X
    to = n->position;
#define X(name, doc) *to++ = c->name;
    GOS_POSITION_NUMBERS(X)
#undef X
}

/* Absolute path of the model's folder, padded with zeros. */
static size_t write_folder(const char *folder, char to[MAX_NAME]) {
    char real[PATH_MAX];
    memset(to, 0, MAX_NAME);
    if (folder && realpath(folder, real) && strlen(real) + 8 <= MAX_NAME) {
        memcpy(to, real, strlen(real));
    }
    return (strlen(to) + 8) / 8 * 8;
}

typedef struct target {
    gos_disk *disk;
    char *memory; // if disk is NULL
} target;

static bool put_at(const target *to, size_t at, const void *data, size_t n) {
    if (to->disk) {
        return gos__disk_put(to->disk, (off_t)at, data, n);
    }
    if (n > 0) {
        memcpy(to->memory + at, data, n);
    }
    return true;
}

static bool put_all(const target *to, header *h, const section *s) {
    size_t at = sizeof *h;
    for (int i = 0; i < GOS_CHECKPOINT_SECTIONS; i++) {
        for (int k = 0; k < PARTS; k++) {
            h->section[i].bytes += s[i].bytes[k];
            h->section[i].crc = gos__crc32(h->section[i].crc, s[i].part[k], s[i].bytes[k]);
            if (!put_at(to, at, s[i].part[k], s[i].bytes[k])) {
                return false;
            }
            at += s[i].bytes[k];
        }
    }
    h->crc = gos__crc32(0, h, offsetof(header, crc));
    return put_at(to, 0, h, sizeof *h);
}

/* A checkpoint, an incomplete one (the header is written last), or nothing. */
static bool may_replace(const char *name) {
    char head[sizeof magic] = {0}, none[sizeof magic] = {0};
    struct stat st;
    if (lstat(name, &st) != 0) {
        return errno == ENOENT;
    }
    const int fd =
        S_ISREG(st.st_mode) ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;
    const ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    if (fd >= 0) {
        (void)close(fd);
    }
    return n == 0 || (n == (ssize_t)sizeof head && (memcmp(head, magic, sizeof head) == 0 ||
                                                    memcmp(head, none, sizeof head) == 0));
}

static int write_file(const char *name, header *h, const section *s) {
    if (may_replace(name)) {
        (void)unlink(name);
    }
    gos_disk disk = {.fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
    if (disk.fd < 0) {
        return errno;
    }
    int error = put_all(&(target){.disk = &disk}, h, s) ? 0 : disk.error;
    if (error == 0 && fsync(disk.fd) != 0) {
        error = errno;
    }
    if (close(disk.fd) != 0 && error == 0) {
        error = errno;
    }
    return error;
}

static void collect_sections(const gos_system *sys, const gos_state *state, const gos_checkpoint *c,
                             numbers *n, section s[GOS_CHECKPOINT_SECTIONS]) {
    const gos_system *given = sys->full ? sys->full : sys;
    collect(state, c, n);
    n->origin[0] = (double)given->given;
    n->origin[1] = sys->full != NULL;
    const size_t nfolder = write_folder(given->folder, n->folder);
    s[OPTIONS] = one(n->options, NOPTIONS);
    s[STATE] = one(n->state, NSTATE);
    s[ARRAYS] = one(state->block, state->nblock);
    s[PAST] = one(state->past, state->npast);
    s[POSITION] = one(n->position, NPOSITION);
    s[ORIGIN] = (section){{n->origin, n->folder}, {sizeof n->origin, nfolder}};
    s[IMAGE] = (section){{c->image}, {c->nimage}};
    s[MESSAGES] = (section){{c->messages}, {c->nmessages}};
}

size_t gos__checkpoint_put(const gos_system *sys, const gos_state *state, const gos_checkpoint *c,
                           void *to, size_t room) {
    numbers n;
    section s[GOS_CHECKPOINT_SECTIONS];
    collect_sections(sys, state, c, &n, s);
    size_t size = sizeof(header);
    for (int i = 0; i < GOS_CHECKPOINT_SECTIONS; i++) {
        size += s[i].bytes[0] + s[i].bytes[1];
    }
    if (size <= room) {
        header h = make_header(sys, &c->options);
        (void)put_all(&(target){.memory = to}, &h, s);
    }
    return size;
}

/* The newest checkpoint keeps its name until the next one takes it: a process may be killed at any
 * call. */
static int keep_as_old(const char *name, const char *old) {
    (void)unlink(old);
    const bool kept = link(name, old) == 0 || errno == ENOENT;
    // file systems without hard links
    return kept || rename(name, old) == 0 ? 0 : errno;
}

int gos__checkpoint_write(const char *path, const gos_system *sys, const gos_state *state,
                          const gos_checkpoint *c) {
    char part[MAX_NAME + 32], name[MAX_NAME + 32], old[MAX_NAME + 32];
    if (strlen(path) >= MAX_NAME) {
        return ENAMETOOLONG;
    }
    (void)snprintf(name, sizeof name, "%s" GOS_CHECKPOINT_ENDING, path);
    (void)snprintf(old, sizeof old, "%s" GOS_CHECKPOINT_OLD, path);
    (void)snprintf(part, sizeof part, "%s" GOS_CHECKPOINT_PART, path);
    numbers n;
    section s[GOS_CHECKPOINT_SECTIONS];
    collect_sections(sys, state, c, &n, s);
    header h = make_header(sys, &c->options);
    if (!may_replace(name) || !may_replace(old)) {
        return EEXIST;
    }
    int error = write_file(part, &h, s);
    error = error == 0 ? keep_as_old(name, old) : error;
    if (error == 0 && rename(part, name) != 0) {
        error = errno;
    }
    if (error != 0) {
        if (may_replace(part)) {
            (void)unlink(part);
        }
        return error;
    }
    return gos__sync_folder(path);
}

double gos__checkpoint_distance(double every, int n) {
    static const double growing[] = {1, 2, 4, 8, 10}; // the last factor bounds what a kill costs
    const int last = GOS_COUNT(growing) - 1;
    return every > 0 ? every : growing[n < last ? n : last];
}

void gos__checkpoint_remove(const char *path) {
    static const char *const endings[] = {GOS_CHECKPOINT_ENDING, GOS_CHECKPOINT_OLD,
                                          GOS_CHECKPOINT_PART};
    char name[MAX_NAME + 32];
    for (int i = 0; i < GOS_COUNT(endings) && strlen(path) < MAX_NAME; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, endings[i]);
        if (may_replace(name)) {
            (void)unlink(name);
        }
    }
}

/* ---- parsing --------------------------------------------------------------------------------- */

static const char *find_sections(const header *h, const char *bytes, size_t n,
                                 gos_checkpoint_view *view) {
    size_t at = sizeof *h;
    for (int i = 0; i < GOS_CHECKPOINT_SECTIONS; i++) {
        const uint64_t size = h->section[i].bytes;
        if (size > n - at || size % sizeof(double) != 0) {
            return "it is not complete";
        }
        view->section[i].v = (const double *)(const void *)(bytes + at);
        view->section[i].n = size / sizeof(double);
        if (gos__crc32(0, bytes + at, size) != h->section[i].crc) {
            return "it is damaged";
        }
        at += size;
    }
    return at == n ? NULL : "it is too long";
}

static bool is_count(double v, double max) {
    return v >= 0 && v <= max && floor(v) == v;
}

static const char *read_origin(gos_checkpoint_view *view) {
    const double *v = view->section[ORIGIN].v;
    const size_t n = view->section[ORIGIN].n;
    if (n < 3 || !is_count(v[0], GOS_LIMIT_MODEL_BYTES) || !is_count(v[1], 1)) {
        return "the source of its model is invalid";
    }
    const char *folder = (const char *)(v + 2);
    if (memchr(folder, '\0', (n - 2) * sizeof *v) == NULL) {
        return "the source of its model is invalid";
    }
    view->given = (size_t)v[0];
    view->reduced = v[1] != 0;
    view->folder = folder[0] != '\0' ? folder : NULL;
    return NULL;
}

const char *gos__checkpoint_parse(const void *bytes, size_t n, gos_checkpoint_view *view) {
    header h, mine = {.format = FORMAT};
    if (n < sizeof h || memcmp(bytes, magic, sizeof magic) != 0) {
        return "it is not a checkpoint";
    }
    memcpy(&h, bytes, sizeof h);
    if (h.format != FORMAT) {
        return "it was written by another version of this program";
    }
    if (h.crc != gos__crc32(0, &h, offsetof(header, crc)) || h.unused != 0) {
        return "it is damaged";
    }
    (void)snprintf(mine.program, sizeof mine.program, "gossamer %s", GOS_VERSION);
    if (memcmp(h.program, mine.program, sizeof h.program) != 0 || h.layout != layout_hash() ||
        h.nsections != GOS_CHECKPOINT_SECTIONS) {
        return "it was written by another version of this program";
    }
    *view = (gos_checkpoint_view){.system = h.system};
    const char *why = find_sections(&h, bytes, n, view);
    view->image = view->section[IMAGE].v;
    view->nimage = why ? 0 : view->section[IMAGE].n * sizeof(double);
    view->messages = view->section[MESSAGES].v;
    view->nmessages = why ? 0 : view->section[MESSAGES].n * sizeof(double);
    return why ? why : read_origin(view);
}

void gos__checkpoint_seal(void *bytes, size_t n) {
    header h;
    if (n < sizeof h) {
        return;
    }
    memcpy(&h, bytes, sizeof h);
    memcpy(h.magic, magic, sizeof magic);
    h.format = FORMAT;
    h.nsections = GOS_CHECKPOINT_SECTIONS;
    h.layout = layout_hash();
    memset(h.program, 0, sizeof h.program);
    (void)snprintf(h.program, sizeof h.program, "gossamer %s", GOS_VERSION);
    size_t at = sizeof h;
    for (int i = 0; i < GOS_CHECKPOINT_SECTIONS; i++) {
        const uint64_t left = n - at, size = h.section[i].bytes < left ? h.section[i].bytes : left;
        h.section[i].crc = gos__crc32(0, (const char *)bytes + at, size);
        at += size;
    }
    h.crc = gos__crc32(0, &h, offsetof(header, crc));
    memcpy(bytes, &h, sizeof h);
}

/* At most `limit` bytes. Errors go to `why` and are not recorded, since another checkpoint may be
 * valid. */
static gos_status read_file(gos_ctx *ctx, const char *name, char **bytes, size_t *n,
                            char why[GOS_WHY]) {
    gos_disk disk = {.fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat st;
    why[0] = '\0';
    *bytes = NULL;
    if (disk.fd < 0) {
        if (errno != ENOENT) {
            (void)snprintf(why, GOS_WHY, "it cannot be opened: %s", strerror(errno));
        }
        return GOS_E_INPUT;
    }
    gos_status status = GOS_E_INPUT;
    const bool fits = fstat(disk.fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= 0 &&
                      (uint64_t)st.st_size <= GOS_LIMIT_CHECKPOINT_BYTES;
    *n = fits ? st.st_size : 0;
    *bytes = fits ? gos__alloc(ctx, *n + 1, 1) : NULL;
    if (!fits) {
        (void)snprintf(why, GOS_WHY, "it is not a checkpoint");
    } else if (!*bytes) {
        status = GOS_E_MEMORY;
    } else if (!gos__disk_get(&disk, 0, *bytes, *n)) {
        (void)snprintf(why, GOS_WHY, "it cannot be read");
    } else {
        status = GOS_OK;
    }
    (void)close(disk.fd);
    return status;
}

gos_status gos__checkpoint_load(gos_ctx *ctx, const char *path, bool old, char **bytes,
                                gos_checkpoint_view *view, char why[GOS_WHY]) {
    char name[MAX_NAME + 32];
    size_t n = 0;
    *bytes = NULL;
    why[0] = '\0';
    if (strlen(path) >= MAX_NAME) {
        return GOS_E_INPUT;
    }
    (void)snprintf(name, sizeof name, "%s%s", path,
                   old ? GOS_CHECKPOINT_OLD : GOS_CHECKPOINT_ENDING);
    gos_status status = read_file(ctx, name, bytes, &n, why);
    const char *wrong = status == GOS_OK ? gos__checkpoint_parse(*bytes, n, view) : NULL;
    if (wrong) {
        (void)snprintf(why, GOS_WHY, "%s", wrong);
        status = GOS_E_INPUT;
    }
    if (status != GOS_OK) {
        gos__free(ctx, *bytes);
        *bytes = NULL;
    }
    return status;
}

/* ---- restoring ------------------------------------------------------------------------------- */

static bool sizes_fit(const gos_checkpoint_view *view, const gos_state *x) {
    const size_t expected[GOS_CHECKPOINT_SECTIONS] = {
        [OPTIONS] = NOPTIONS, [STATE] = NSTATE, [ARRAYS] = x->nblock, [POSITION] = NPOSITION};
    bool good = true;
    for (int i = 0; i < GOS_CHECKPOINT_SECTIONS; i++) {
        const bool any = i == PAST || i == ORIGIN || i == IMAGE || i == MESSAGES;
        good = good && (any || view->section[i].n == expected[i]);
    }
    return good;
}

/* int and bool are converted only within their range */
#define READ_int(v, max) (is_count(v, max) ? (int)(v) : (good = false, 0))
#define READ_bool(v, max) (is_count(v, 1) ? (v) != 0 : (good = false, false))
#define READ_double(v, max) (v)

static bool take_options(const double *v, gos_options *o) {
    bool good = true;
#define X(type, name, doc) o->name = READ_##type(*v, 1e6), v++;
    GOS_OPTIONS_FIELDS(X)
#undef X
    return good && o->analysis == GOS_DYNAMIC && o->end > 0 && isfinite(o->end) && o->step >= 0 &&
           o->output_every >= 0 && o->max_steps >= 0 &&
           !(o->output_every > 0 && o->end / o->output_every > GOS_LIMIT_OUTPUTS);
}

static bool take_position(const double *v, gos_checkpoint *c) {
#define X(name, doc) c->name = *v++;
    GOS_POSITION_NUMBERS(X)
#undef X
    return is_count(c->rows, MAX_COUNT) && is_count(c->frames, MAX_COUNT) && c->rows > 0 &&
           c->frames > 0 && is_count(c->events, MAX_COUNT);
}

/* the arrays of x are unchanged */
static bool take_numbers(const double *v, const gos_checkpoint *c, gos_state *x) {
#define X(name, doc) x->name = *v++;
    GOS_STATE_NUMBERS(X)
#undef X
#define X(name, doc) x->energy.name = *v++;
    GOS_ENERGY_FIELDS(X)
#undef X
    return x->t <= c->options.end && x->t == c->row_time && c->frame_time <= x->t;
}

static const char *take(const gos_checkpoint_view *view, bool same, gos_state *state,
                        gos_checkpoint *checkpoint) {
    gos_checkpoint c = {0};
    const bool options =
        view->section[OPTIONS].n == NOPTIONS && take_options(view->section[OPTIONS].v, &c.options);
    if (same && view->system != system_hash(state->sys, &c.options)) {
        return "it belongs to another model: the text, a table, or the reduction differs";
    }
    if (!options || !sizes_fit(view, state) || view->section[PAST].n == 0 ||
        !take_position(view->section[POSITION].v, &c)) {
        return "its numbers are invalid";
    }
    if (gos__state_past(state, view->section[PAST].n) != GOS_OK) {
        return "out of memory";
    }
    gos_state x = *state;
    state->npast = 0;
    if (!take_numbers(view->section[STATE].v, &c, &x)) {
        return "its numbers are invalid";
    }
    c.image = view->image;
    c.nimage = view->nimage;
    c.messages = view->messages;
    c.nmessages = view->nmessages;
    memcpy(x.block, view->section[ARRAYS].v, x.nblock * sizeof(double));
    memcpy(x.past, view->section[PAST].v, x.npast * sizeof(double));
    *state = x;
    *checkpoint = c;
    return NULL;
}

const char *gos__checkpoint_take(const gos_checkpoint_view *view, gos_state *state,
                                 gos_checkpoint *checkpoint) {
    return take(view, true, state, checkpoint);
}

const char *gos__checkpoint_adopt(const gos_checkpoint_view *view, gos_state *state,
                                  gos_checkpoint *checkpoint) {
    return take(view, false, state, checkpoint);
}
