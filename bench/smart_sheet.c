/* The smart sheet of Heckmann, Arnold and Vaculin (2005): what designs reach against what they
   bear, histories, times.

       bench_smart_sheet              seconds of processor time: design, histories, choices
       bench_smart_sheet frontier     a line per design: RMS of the centre's acceleration (0.11 to 3
   s, 400 V, plants of 60 and 100 modes), largest real parts on 60 and 100 modes and with
   capacitances 5 % off, worst of plant and observer, disk margin at the voltages (2: no factor
   destabilises) bench_smart_sheet histories      acceleration and a voltage over time: free and
   published on 14 modes, rates on 60 bench_smart_sheet tables FOLDER MODES   the modes as a body of
   type `modal` reads them bench_smart_sheet importance   norms of the rows of the gain and what is
   chosen, by channels */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* what the support of tests asks of cmocka */
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define assert_true(c) ((c) ? (void)0 : (void)(fputs("failed: " #c "\n", stderr), exit(1)))
#define assert_int_equal(a, b) assert_true((a) == (b))

#include "gossamer/blas.h"
#include "support/smart_sheet.h"

enum { MOST = 100, PLANT = 60 };

typedef struct study {
    gos_ctx *ctx;
    gos_modal modal;
    gos_orbits orbits;
    int every[SHEET_PATCHES], chosen[24];
    double score[SHEET_PATCHES];
} study;

static study make_study(void) {
    study s = {.ctx = gos_ctx_create()};
    s.modal = sheet_modal(s.ctx, MOST);
    for (int i = 0; i < SHEET_PATCHES; i++) {
        s.every[i] = i;
    }
    fe_good(s.ctx, gos__orbits_equal(s.ctx, &s.modal, 14, 1e-7, &s.orbits));
    const gos_modal_design first = sheet_first_stage(s.every);
    sheet_choose(s.ctx, &s.modal, &s.orbits, &first, s.score, s.chosen);
    return s;
}

/* ---- frontier -------------------------------------------------------------------------------- */

static double abscissa(const study *s, const gos_modal_design *d, int modes) {
    gos_loop l;
    gos_stability stability;
    fe_good(s->ctx, gos__modal_loop(s->ctx, &s->modal, d, &s->modal, modes, &l));
    fe_good(s->ctx, gos__loop_stability(s->ctx, &l, &stability, NULL));
    gos__loop_free(s->ctx, &l);
    return stability.abscissa;
}

/* the largest real part with capacitances 5 % off, in the plant or in the observer */
static double worst_capacitance(const study *s, const gos_modal_design *d) {
    const double error[2] = {-0.05, 0.05};
    double a[4], most = -HUGE_VAL;
    for (int observer = 0; observer < 2; observer++) {
        fe_good(s->ctx, gos__capacitance_sweep(s->ctx, &s->modal, d, PLANT, observer == 1, 2, error,
                                               a + (size_t)observer * 2));
    }
    for (int k = 0; k < 4; k++) {
        most = fmax(most, a[k]);
    }
    return most;
}

static void judge(const study *s, const char *name, const gos_modal_design *d) {
    const double a = abscissa(s, d, PLANT);
    printf("%s,%d,%d,%.4g,%.4g,%.4g", name, d->part.ndrive, d->part.nsense, a, abscissa(s, d, MOST),
           worst_capacitance(s, d));
    if (a >= 0) {
        puts(",,,,");
        return;
    }
    gos_loop l;
    gos_plant gain;
    gos_margins margins;
    gos_saturated_response c[2];
    const gos_saturated_options o = sheet_course(400);
    for (int rich = 1; rich >= 0; rich--) {
        fe_good(s->ctx, gos__modal_loop(s->ctx, &s->modal, d, &s->modal, rich ? MOST : PLANT, &l));
        fe_good(s->ctx, gos__saturated_run(s->ctx, &l, &o, &c[rich]));
        if (rich) {
            gos__loop_free(s->ctx, &l);
        }
    }
    fe_good(s->ctx, gos__loop_gain(s->ctx, &l, &gain));
    for (long k = 0; k < gain.nu && d->factor;
         k++) { // factors of inputs do not feel scales of inputs
        const double scale = sqrt(d->factor[k]);
        for (long i = 0; i < gain.n; i++) {
            gain.B[k * gain.n + i] *= scale;
            gain.C[i * gain.ny + k] /= scale;
        }
    }
    fe_good(s->ctx, gos__margins(s->ctx, &gain, &margins));
    printf(",%.4g,%.4g,%.4g,%.3g\n", c[0].rms, c[1].rms, c[0].command, margins.disk);
    (void)fflush(stdout);
    gos__plant_free(s->ctx, &gain);
    gos__loop_free(s->ctx, &l);
}

static void frontier(const study *s) {
    gos_modal_design d = sheet_second_stage(s->chosen);
    char name[80];
    puts("design,driven,measured,abscissa_60,abscissa_100,abscissa_5_percent,rms_60,rms_100,"
         "command,disk_"
         "margin");
    judge(s, "published", &d);
    d.part.residual = true;
    judge(s, "static residual in the observer", &d);
    for (int residual = 0; residual < 2; residual++) {
        for (double v0 = 1e-6; v0 < 2e-5; v0 *= sqrt(10)) {
            d.part.residual = residual;
            d.noise.charge = v0;
            (void)snprintf(name, sizeof name, "noise %.2g C sqrt(s)%s", v0,
                           residual ? " and residual" : "");
            judge(s, name, &d);
        }
    }
    d.noise.charge = 1e-8;
    d.noise.capacitance = 0.05;
    for (double v = 30; v < 1000; v *= sqrt(10)) {
        d.noise.voltage = v;
        (void)snprintf(name, sizeof name, "5 %% of capacitance at %.2g V sqrt(s) and residual", v);
        judge(s, name, &d);
    }
    sheet_rates r;
    for (int kind = 0; kind < 4; kind++) {
        // around the centre: 3, 6 and 12 orbits of cells, then all
        static const int number[4] = {3, 6, 12, 35};
        static const int centre[12] = {34, 33, 29, 28, 24, 23, 32, 27, 22, 19, 18, 17};
        for (double gain = 4e5; gain < 2e8; gain *= 4) {
            sheet_make_rates(&s->orbits, number[kind], kind == 3 ? s->every : centre, gain, NULL,
                             &r);
            (void)snprintf(name, sizeof name, "rates %.2g V/A", gain);
            judge(s, name, &r.design);
        }
    }
    for (double part = 1.0 / 256; part <= 1; part *= 4) {
        sheet_make_rates(&s->orbits, SHEET_GREEDY, sheet_greedy, part * SHEET_GREEDY_GAIN,
                         sheet_greedy_factor, &r);
        (void)snprintf(name, sizeof name, "rates of greed times %.2g", part);
        judge(s, name, &r.design);
    }
}

/* ---- histories ------------------------------------------------------------------------------- */

typedef struct record {
    const char *name;
    double next, limit;
} record;

static void look(void *user, double t, const double *z, const double *command) {
    record *r = user;
    if (t >= r->next) { // a line per millisecond
        printf("%s,%.4f,%.6g,%.6g\n", r->name, t, z[0],
               fmin(fmax(command[0], -r->limit), r->limit));
        r->next = t + 9e-4;
    }
}

static void follow(const study *s, const char *name, const gos_modal_design *d, int modes) {
    gos_loop l;
    gos_saturated_response c;
    record r = {.name = name, .limit = 400};
    gos_saturated_options o = sheet_course(400);
    o.sample = look;
    o.user = &r;
    fe_good(s->ctx, gos__modal_loop(s->ctx, &s->modal, d, &s->modal, modes, &l));
    fe_good(s->ctx, gos__saturated_run(s->ctx, &l, &o, &c));
    gos__loop_free(s->ctx, &l);
}

static void histories(const study *s) {
    sheet_rates r;
    gos_modal_design d = sheet_second_stage(s->chosen), still = sheet_second_stage(s->chosen);
    still.k_Q = 1e-6;
    puts("case,t,acceleration,voltage");
    follow(s, "free", &still, 14);
    follow(s, "published", &d, 14);
    sheet_make_rates(&s->orbits, SHEET_GREEDY, sheet_greedy, 0, NULL, &r);
    follow(s, "free_60", &r.design, PLANT);
    sheet_make_rates(&s->orbits, SHEET_GREEDY, sheet_greedy, SHEET_GREEDY_GAIN, sheet_greedy_factor,
                     &r);
    follow(s, "rates_60", &r.design, PLANT);
}

static void importance(const study *s) {
    puts("channel,x,y,face,norm,chosen");
    for (int p = 0; p < SHEET_PATCHES; p++) {
        bool taken = false;
        for (int i = 0; i < 24; i++) {
            taken = taken || s->chosen[i] == p;
        }
        printf("%d,%.6g,%.6g,%d,%.8g,%d\n", p, (p % SHEET_NX + 0.5) / SHEET_NX,
               (p % SHEET_CELLS / SHEET_NX + 0.5) * 1.3 / SHEET_NY, p < SHEET_CELLS ? 1 : -1,
               s->score[p], taken);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* rows of numbers, value (rows, columns) by columns `stride` apart and rows `step` apart */
static void write_table(const char *folder, const char *name, const char *what, int rows,
                        int columns, int step, int stride, const double *value, double factor) {
    char path[600];
    (void)snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    FILE *f = fopen(path, "w");
    assert_true(f);
    fprintf(f, "# %s\n", what);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            fprintf(f, "%s%.9g", j ? "," : "", factor * value[(long)i * step + (long)j * stride]);
        }
        fputc('\n', f);
    }
    assert_true(fclose(f) == 0);
}

static void tables(const study *s, const char *folder, int modes) {
    const gos_modal *m = &s->modal;
    assert_true(modes > 0 && modes <= m->n);
    write_table(folder, "freq_hz", "frequencies [Hz]", modes, 1, 1, 1, m->omega, 1 / (2 * M_PI));
    write_table(folder, "phi_centre", "displacement of the centre, unit modal mass [1/sqrt(kg)]",
                modes, 1, 1, 1, m->phi, 1);
    write_table(folder, "Kup", "a line for each mode, a column for each patch [N/(V sqrt(kg))]",
                modes, m->np, 1, m->n, m->Kup, 1);
    write_table(folder, "capacitance", "of each patch [F]", 1, m->np, 1, 1, m->capacitance, 1);
}

/* ---- times ----------------------------------------------------------------------------------- */

static void time_courses(const study *s) {
    gos_modal_design d = sheet_second_stage(s->chosen);
    gos_loop l;
    gos_saturated_response c;
    const gos_saturated_options o = sheet_course(400);
    for (int modes = 14; modes <= PLANT; modes += PLANT - 14) {
        d.noise.charge = modes == 14 ? 1e-8 : 1e-5; // stable on its plant
        fe_good(s->ctx, gos__modal_loop(s->ctx, &s->modal, &d, &s->modal, modes, &l));
        const double begin = gos__cpu_time();
        fe_good(s->ctx, gos__saturated_run(s->ctx, &l, &o, &c));
        printf("3 s of closed loop with %d modes,%.4f\n", modes, gos__cpu_time() - begin);
        gos__loop_free(s->ctx, &l);
    }
}

static void time_choices(const study *s) {
    gos_orbit_cost c;
    int best[3];
    double cost;
    fe_good(s->ctx,
            gos__orbit_cost_create(s->ctx, &s->modal, &s->orbits, 14, GOS_AIM_VELOCITY, 1e8, &c));
    c.run = sheet_course(400);
    const gos_criterion criterion[2] = {{.cost = gos__cost_quadratic, .user = &c},
                                        {.cost = gos__cost_limited, .user = &c}};
    for (int k = 0; k < 2; k++) {
        const double begin = gos__now();
        fe_good(s->ctx,
                gos__select_exhaustive(s->ctx, &s->orbits, &criterion[k], 3, 2, best, &cost));
        printf("6545 triples by two processes%s (wall; best %d %d %d: %.6g),%.3f\n",
               k ? ", limited courses" : "", best[0], best[1], best[2], cost, gos__now() - begin);
    }
    gos__orbit_cost_free(s->ctx, &c);
}

static void times(study *s) {
    const double begin = gos__cpu_time();
    const gos_modal_design first = sheet_first_stage(s->every);
    gos_plant controller;
    sheet_choose(s->ctx, &s->modal, &s->orbits, &first, s->score, s->chosen);
    const gos_modal_design second = sheet_second_stage(s->chosen);
    fe_good(s->ctx, gos__modal_controller(s->ctx, &s->modal, &second, &controller));
    puts("what,seconds");
    printf("14 modes and 280 patches: regulator, choice, regulator and observer,%.4f\n",
           gos__cpu_time() - begin);
    gos__plant_free(s->ctx, &controller);
    time_courses(s);
    time_choices(s);
}

int main(int argc, char **argv) {
    gos_blas_select(argv);
    study s = make_study();
    const char *what = argc > 1 ? argv[1] : "times";
    if (strcmp(what, "frontier") == 0) {
        frontier(&s);
    } else if (strcmp(what, "courses") == 0) {
        histories(&s);
    } else if (strcmp(what, "importance") == 0) {
        importance(&s);
    } else if (strcmp(what, "tables") == 0 && argc == 4) {
        tables(&s, argv[2], atoi(argv[3]));
    } else if (strcmp(what, "times") == 0) {
        times(&s);
    } else {
        fputs("times, frontier, courses, tables FOLDER MODES or importance\n", stderr);
        return 2;
    }
    gos__orbits_free(s.ctx, &s.orbits);
    gos__modal_free(s.ctx, &s.modal);
    gos_ctx_destroy(s.ctx);
    return 0;
}
