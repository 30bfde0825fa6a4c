/* Integrator steps up to the next communication point, never beyond, so that no future input is
   used. */
#include "fmi/instance.h"

#include <float.h>
#include <math.h>

/* communication times differ from reached ones by accumulated rounding */
#define ROUNDING 1e-9 // relative to the step or time

static gos_status check(gos_fmi *f, double from, double size) {
    const double t = gos_state_time(f->x);
    if (!(size > 0) || !isfinite(size)) {
        return gos__fmi_wrong(f, "%g s is not a valid step size", size);
    }
    if (!(fabs(from - t) <= ROUNDING * fmax(size, fabs(t)))) {
        return gos__fmi_wrong(f, "the step begins at %.17g s, but the unit is at %.17g s", from, t);
    }
    if (!(size > DBL_EPSILON * fmax(fabs(t), f->options.end))) {
        return gos__fmi_wrong(f, "a step of %g s is too small for a run of %g s", size,
                              fmax(fabs(t), f->options.end));
    }
    if (f->over) {
        return gos__fmi_wrong(f, "an event of the model has ended the run at %.9g s", t);
    }
    return GOS_OK;
}

/* switching times are known up to the end time: postpone it */
static gos_status extend(gos_fmi *f, double end) {
    if (end <= f->options.end) {
        return GOS_OK;
    }
    GOS_TRY(gos_integrator_store_history(f->integrator));
    f->options.end = fmax(end, 2 * f->options.end);
    return gos__fmi_integrate(f);
}

/* Fixed steps end at multiples of their length; a communication point at such a multiple, except
   for rounding, is replaced by it: same results as without communication points. */
static double target(const gos_fmi *f, double end) {
    const double step = f->options.step, last = f->options.end;
    const double grid = step > 0 ? round(end / step) * step : end;
    const bool near_grid = fabs(grid - end) <= ROUNDING * step,
               near_last = fabs(last - end) <= ROUNDING * step;
    return step > 0 && near_last ? last : step > 0 && near_grid ? grid : end;
}

static bool reached(const gos_fmi *f, double end, double size) {
    return !(end - gos_state_time(f->x) > ROUNDING * size);
}

static gos_status one_step(gos_fmi *f, double end, gos_fmi_stepped *done) {
    const double before = gos_state_time(f->x);
    const gos_event *event;
    GOS_TRY(gos_integrator_step(f->integrator, target(f, end)));
    done->time = gos_state_time(f->x);
    if (!(done->time > before)) {
        return gos__fail(f->ctx, GOS_E_INTERNAL, "a step from t = %.17g s did not advance", before);
    }
    done->events = gos_integrator_events(f->integrator, &event, &f->over) > 0 || done->events;
    gos__fmi_sample(f, false);
    return GOS_OK;
}

static gos_status process_step(gos_fmi *f) {
    gos_statistics stats;
    if (!f->observing) {
        return GOS_OK;
    }
    gos_integrator_statistics(f->integrator, &stats);
    return f->observer->see(f->observing, f->x, stats.iterations);
}

gos_status gos__fmi_step(gos_fmi *f, double from, double size,
                         const gos_fmi_step_observer *step_observer, gos_fmi_stepped *done) {
    *done = (gos_fmi_stepped){.time = f->x ? gos_state_time(f->x) : 0};
    GOS_TRY(gos__fmi_begin(f));
    GOS_TRY(check(f, from, size));
    const double end = from + size;
    GOS_TRY(extend(f, end));
    GOS_TRY(gos__fmi_give_inputs(f, f->x, end));
    bool stop = false;
    while (!reached(f, end, size) && !stop && !f->over) {
        GOS_TRY(one_step(f, end, done));
        const bool last = reached(f, end, size);
        stop =
            step_observer->update && step_observer->update(step_observer->user, done->time, last);
        stop = stop || (step_observer->stop_at_events && done->events);
    }
    done->early = !reached(f, end, size);
    return process_step(f);
}
