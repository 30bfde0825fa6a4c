/* Instance data as bytes: settings by the importer, and a checkpoint of the state. Bytes are
 * checked before use. */
#include "fmi/instance.h"

#include <math.h>

#include "results/checkpoint.h"

static const char magic[8] = "GOSFMU1";

typedef struct head {
    char magic[8];
    uint64_t token, size; // of the unit; total bytes
    uint32_t crc, phase;  // crc: of the bytes after the head
    uint64_t numbers;     // after the head; then the state
    uint64_t begun;
} head;

/* numbers besides those of variables and probes */
enum { STOP, TOLERANCE, OVER, END, OWN };

static int count(const gos_fmi *f, gos_fmu_role role) {
    return gos__fmu_count(&f->list, role);
}

static size_t numbers_of(const gos_fmi *f) {
    return (size_t)OWN + (size_t)count(f, GOS_FMU_PARAMETER) +
           (size_t)count(f, GOS_FMU_INPUT) * (sizeof(gos_fmi_input) / sizeof(double));
}

/* checkpoint position of a run with its first row */
static gos_checkpoint checkpoint_of(const gos_fmi *f) {
    gos_checkpoint c = {
        .options = f->options, .rows = 1, .frames = 1, .row_time = f->x->t, .frame_time = f->x->t};
    c.options.end = fmax(c.options.end, f->x->t);
    return c;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_numbers(const gos_fmi *f, double *to) {
    to[STOP] = f->stop;
    to[TOLERANCE] = f->tolerance;
    to[OVER] = f->over;
    to[END] = f->begun ? f->options.end : 0;
    memcpy(to + OWN, f->parameter, (size_t)count(f, GOS_FMU_PARAMETER) * sizeof *to);
    memcpy(to + OWN + count(f, GOS_FMU_PARAMETER), f->input,
           (size_t)count(f, GOS_FMU_INPUT) * sizeof *f->input);
}

/* must equal a restored run, also if the integrator restarts from its stored data */
static gos_status keep(gos_fmi *f) {
    if (!f->integrator) { // the format needs past values even without integrator
        GOS_TRY(gos__state_past(f->x, 1));
        f->x->past[0] = 0;
        return GOS_OK;
    }
    GOS_TRY(gos_integrator_store_history(f->integrator));
    if (!gos__method(f->options.integrator)->restarts) {
        return GOS_OK;
    }
    GOS_TRY(gos__fmi_integrate(f));
    return gos_integrator_store_history(f->integrator);
}

gos_status gos__fmi_state_put(gos_fmi *f, size_t front, unsigned char **bytes, size_t *n) {
    const gos_checkpoint c = checkpoint_of(f);
    GOS_TRY(keep(f));
    const size_t values = 2 * (size_t)f->nvalue * sizeof(double);
    const size_t size = gos__checkpoint_put(f->sys, f->x, &c, NULL, 0);
    *n = front + values + size;
    *bytes = gos__zalloc(f->ctx, *n, 1);
    GOS_TRY(*bytes ? GOS_OK : GOS_E_MEMORY);
    if (values > 0) {
        memcpy(*bytes + front, f->value, values / 2);
        memcpy(*bytes + front + values / 2, f->rate, values / 2);
    }
    (void)gos__checkpoint_put(f->sys, f->x, &c, *bytes + front + values, size);
    return GOS_OK;
}

gos_status gos__fmi_snapshot(gos_fmi *f, unsigned char **bytes, size_t *n) {
    const size_t numbers = numbers_of(f), front = sizeof(head) + numbers * sizeof(double);
    *bytes = NULL;
    *n = front;
    GOS_TRY(f->begun ? gos__fmi_begin(f) : GOS_OK);
    if (f->begun) {
        GOS_TRY(gos__fmi_state_put(f, front, bytes, n));
    } else {
        *bytes = gos__zalloc(f->ctx, front, 1);
        GOS_TRY(*bytes ? GOS_OK : GOS_E_MEMORY);
    }
    put_numbers(f, (double *)(void *)(*bytes + sizeof(head)));
    head h = {
        .token = f->token, .size = *n, .phase = f->phase, .numbers = numbers, .begun = f->begun};
    memcpy(h.magic, magic, sizeof magic);
    h.crc = gos__crc32(0, *bytes + sizeof h, *n - sizeof h);
    memcpy(*bytes, &h, sizeof h);
    return GOS_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static gos_status damaged(gos_fmi *f) {
    return gos__fmi_wrong(f, "these bytes are not a state of this unit, or they are damaged");
}

static gos_status check(gos_fmi *f, const unsigned char *bytes, size_t n, head *h) {
    if (!bytes || n < sizeof *h) {
        return damaged(f);
    }
    memcpy(h, bytes, sizeof *h);
    if (memcmp(h->magic, magic, sizeof magic) != 0 || h->size != n ||
        h->crc != gos__crc32(0, bytes + sizeof *h, n - sizeof *h) || h->begun > 1) {
        return damaged(f);
    }
    if (h->token != f->token) {
        return gos__fmi_wrong(f, "this state belongs to another unit");
    }
    const bool phase = h->phase == GOS_FMI_MADE || h->phase == GOS_FMI_INITIAL ||
                       h->phase == GOS_FMI_STEPS || h->phase == GOS_FMI_EVENTS ||
                       h->phase == GOS_FMI_ENDED || h->phase == GOS_FMI_FAILED;
    const bool running = h->phase == GOS_FMI_STEPS || h->phase == GOS_FMI_EVENTS;
    const size_t front = sizeof *h + numbers_of(f) * sizeof(double);
    return phase && (h->begun || !running) && h->numbers == numbers_of(f) && n >= front
               ? GOS_OK
               : damaged(f);
}

static gos_status check_numbers(gos_fmi *f, const double *v, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(v[i])) {
            return damaged(f);
        }
    }
    return v[STOP] >= 0 && v[TOLERANCE] >= 0 && v[END] >= 0 ? GOS_OK : damaged(f);
}

static void take_numbers(gos_fmi *f, const double *v) {
    const int np = count(f, GOS_FMU_PARAMETER);
    f->stop = v[STOP];
    f->tolerance = v[TOLERANCE];
    for (int i = 0; i < np; i++) {
        f->stale = f->stale || f->parameter[i] != v[OWN + i];
        f->parameter[i] = v[OWN + i];
    }
    memcpy(f->input, v + OWN + np, (size_t)count(f, GOS_FMU_INPUT) * sizeof *f->input);
}

gos_status gos__fmi_state_take(gos_fmi *f, const unsigned char *bytes, size_t n, bool tuned) {
    const size_t values = 2 * (size_t)f->nvalue * sizeof(double);
    gos_checkpoint_view view;
    gos_checkpoint c;
    GOS_TRY(n >= values ? GOS_OK : damaged(f));
    const char *why = gos__checkpoint_parse(bytes + values, n - values, &view);
    why = why     ? why
          : tuned ? gos__checkpoint_adopt(&view, f->x, &c)
                  : gos__checkpoint_take(&view, f->x, &c);
    if (why) {
        return gos__fmi_wrong(f, "the state cannot be set: %s", why);
    }
    if (values > 0) {
        memcpy(f->value, bytes, values / 2);
        memcpy(f->rate, bytes + values / 2, values / 2);
    }
    f->options = c.options;
    f->up_to_date = false;
    return GOS_OK;
}

static gos_status restore(gos_fmi *f, const unsigned char *bytes, const head *h) {
    const double *v = (const double *)(const void *)(bytes + sizeof *h);
    const size_t front = sizeof *h + h->numbers * sizeof *v;
    const bool again = f->begun && h->begun; // system and workspace can be kept
    GOS_TRY(check_numbers(f, v, h->numbers));
    take_numbers(f, v);
    if (!again || f->stale) {
        gos__fmi_reset_run(f);
    }
    if (h->begun) {
        GOS_TRY(gos__fmi_begin(f));
        take_numbers(f, v); // beginning the run has passed the inputs
        GOS_TRY(gos__fmi_state_take(f, bytes + front, h->size - front, false));
        GOS_TRY(f->kind == GOS_FMU_MODEL_EXCHANGE ? gos__fmi_set_sides(f) : gos__fmi_integrate(f));
    }
    f->over = v[OVER] != 0;
    f->phase = (gos_fmi_phase)h->phase;
    return GOS_OK;
}

gos_status gos__fmi_restore(gos_fmi *f, const void *bytes, size_t n) {
    head h;
    GOS_TRY(check(f, bytes, n, &h));
    unsigned char *own = gos__alloc(f->ctx, n, 1); // aligned copy
    GOS_TRY(own ? GOS_OK : GOS_E_MEMORY);
    memcpy(own, bytes, n);
    const gos_status status = restore(f, own, &h);
    gos__free(f->ctx, own);
    if (status != GOS_OK) {
        f->phase = GOS_FMI_FAILED;
    }
    return status;
}

/* ---- by pointer ------------------------------------------------------------------------------ */

struct gos_fmi_held {
    struct gos_fmi_held *next; // of the same instance
    size_t n;
    unsigned char *bytes;
};

typedef struct gos_fmi_held held;

/* the link to a state of this instance; NULL: a master has passed something else, or freed it */
static held **find_state(gos_fmi *f, const void *state) {
    held **at = &f->held;
    while (*at && *at != state) {
        at = &(*at)->next;
    }
    return *at ? at : NULL;
}

static gos_status check_state(gos_fmi *f, const void *state) {
    return state && find_state(f, state)
               ? GOS_OK
               : gos__fmi_wrong(f, "this is not a state of this instance, or it was freed");
}

static gos_status put_pointer(gos_fmi *f, void **state, unsigned char *bytes, size_t n) {
    held *s = gos__alloc(f->ctx, 1, sizeof *s);
    if (!s) {
        gos__free(f->ctx, bytes);
        return GOS_E_MEMORY;
    }
    *s = (held){f->held, n, bytes};
    f->held = s;
    *state = s;
    return GOS_OK;
}

gos_status gos__fmi_state_get(gos_fmi *f, void **state) {
    unsigned char *bytes;
    size_t n;
    GOS_TRY(*state ? check_state(f, *state) : GOS_OK);
    GOS_TRY(gos__fmi_snapshot(f, &bytes, &n));
    (void)gos__fmi_state_free(f, state);
    return put_pointer(f, state, bytes, n);
}

gos_status gos__fmi_state_set(gos_fmi *f, const void *state) {
    const held *s = state;
    GOS_TRY(check_state(f, s));
    return gos__fmi_restore(f, s->bytes, s->n);
}

gos_status gos__fmi_state_free(gos_fmi *f, void **state) {
    if (!*state) {
        return GOS_OK;
    }
    GOS_TRY(check_state(f, *state));
    held **at = find_state(f, *state), *s = *at;
    *at = s->next;
    gos__free(f->ctx, s->bytes);
    gos__free(f->ctx, s);
    *state = NULL;
    return GOS_OK;
}

void gos__fmi_states_free(gos_fmi *f) {
    while (f->held) {
        void *state = f->held;
        (void)gos__fmi_state_free(f, &state);
    }
}

gos_status gos__fmi_state_size(gos_fmi *f, const void *state, size_t *n) {
    const held *s = state;
    GOS_TRY(check_state(f, s));
    GOS_TRY(n ? GOS_OK : gos__fmi_wrong(f, "the size pointer is missing"));
    *n = s->n;
    return GOS_OK;
}

gos_status gos__fmi_state_write(gos_fmi *f, const void *state, void *bytes, size_t n) {
    const held *s = state;
    GOS_TRY(check_state(f, s));
    if (!bytes || n != s->n) {
        return gos__fmi_wrong(f, "the state has %zu bytes, but there is room for %zu", s->n,
                              bytes ? n : 0);
    }
    memcpy(bytes, s->bytes, n);
    return GOS_OK;
}

gos_status gos__fmi_state_read(gos_fmi *f, const void *bytes, size_t n, void **state) {
    head h;
    GOS_TRY(state ? GOS_OK : gos__fmi_wrong(f, "the state pointer is missing"));
    GOS_TRY(*state ? check_state(f, *state) : GOS_OK);
    GOS_TRY(check(f, bytes, n, &h));
    unsigned char *own = gos__alloc(f->ctx, n, 1);
    GOS_TRY(own ? GOS_OK : GOS_E_MEMORY);
    memcpy(own, bytes, n);
    (void)gos__fmi_state_free(f, state);
    return put_pointer(f, state, own, n);
}
