/* Every item of every type of body, joint, load and end heat: derivatives against differences, each
   output alone and with the others, the declared linearity and isotropy of items, virtual power,
   rigid motion, balance. The models below must name every type and every way it is evaluated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>

#include "joints/joint.h"
#include "support/items.h"
#include "support/suite.h"

#define NX (3 * GOS_ITEM_MARKERS)
#define USED 48 // of these, at most, by items with an example
#define NT GOS_ITEM_TMARKERS
#define NC GOS_ITEM_ROWS
#define NF 8 // most time functions of an item

static const char bodies_text[] =
    "bodies:\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.02, 0.03, 0.04], position: [0, 0, 0],\n"
    "        rotation_vector: [0.3, -0.5, 0.7], points: {tip: [0.1, 0.2, -0.3]}}\n"
    "  box: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.04, 0.001, 0.002, -0.001],\n"
    "        centre_of_mass: [0.1, 0, 0.2], position: [0.5, 0.2, 0]}\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 4, normal: [0, 0, 1]}\n"
    "  arm: {type: ancf_cable, material: rubber, section: bar, from: [1, 0, 0], to: [2, 0, 0],\n"
    "        elements: 3}\n"
    "  mast: {type: ancf_cable, material: steel, section: pipe, from: [0, 0, 0], to: [0, 0, 2],\n"
    "         elements: 2}\n"
    "  slab: {type: ancf_plate, material: rubber, thickness: 0.05, corner: [0, 0, 0],\n"
    "         x: [1, 0, 0], y: [0, 0.5, 0], elements: [2, 2]}\n"
    "  boom: {type: ancf_beam, material: rubber, section: beam, from: [0, 0, 0], to: [1, 0, 0],\n"
    "         elements: 1}\n"
    "  mate: {type: ancf_beam, material: rubber, section: beam, from: [1, 0, 0], to: [1, 2, 0],\n"
    "         elements: 1, normal: [0.2, 0, 1]}\n"
    "  tail: {type: ancf_beam, material: rubber, section: beam, from: [1, 0, 0], to: [2, 0, 0],\n"
    "         elements: 1}\n"
    "  line: {type: ancf_beam, material: rubber, section: beam, from: [1, 0, 0], to: [2, 0.1, 0],\n"
    "         elements: 1}\n"
    "  fold: {type: ancf_plate, material: rubber, thickness: 0.05, corner: [0, 0, 0],\n"
    "         x: [0, 0, 0.5], y: [1, 0, 0], elements: [2, 2]}\n"
    "  wing: {type: ancf_plate, material: rubber, thickness: 0.05, corner: [2, 0.5, 0],\n"
    "         x: [-1, 0, 0], y: [0, -0.5, 0], elements: [3, 2]}\n";

static const char joints_text[] =
    "joints:\n"
    "  k1: {type: clamp, between: [ground, slab.edge.x0]}\n"
    "  k2: {type: clamp, between: [slab.edge.x1, wing.edge.x1], temperature: true,\n"
    "       gradients: true}\n"
    "  k3: {type: clamp, between: [hub, \"slab.at(0.3,0.2)\"]}\n"
    "  k4: {type: clamp, between: [slab.corner(2), arm.start]}\n"
    "  k5: {type: spherical, between: [hub, slab.edge.y1]}\n"
    "  s1: {type: spherical, between: [ground, rod.start]}\n"
    "  s2: {type: spherical, between: [rod.end, arm.start], temperature: true}\n"
    "  s3: {type: spherical, between: [hub, box], at: [0.2, 0.1, 0]}\n"
    "  s4: {type: spherical, between: [\"rod.at(0.3)\", hub]}\n"
    "  r1: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}\n"
    "  r2: {type: revolute, between: [rod.start, hub], axis: [0, 1, 1]}\n"
    "  r3: {type: revolute, between: [hub, box], at: [0.2, 0.1, 0], axis: [1, 2, 3]}\n"
    "  r4: {type: revolute, between: [box.centre, ground], axis: [1, 2, 3]}\n"
    "  c1: {type: clamp, between: [ground, rod.start]}\n"
    "  c2: {type: clamp, between: [rod.start, ground], rigid: false}\n"
    "  c3: {type: clamp, between: [hub, \"rod.at(0.4)\"]}\n"
    "  c4: {type: clamp, between: [hub, \"rod.node(1)\"], rigid: false}\n"
    "  c5: {type: clamp, between: [hub, box], at: [0, 1, 0]}\n"
    "  c6: {type: clamp, between: [hub.tip, ground]}\n"
    "  c7: {type: clamp, between: [rod.end, arm.start], temperature: true, gradients: true}\n"
    "  c8: {type: clamp, between: [hub, \"rod.at(0.4)\"], rigid: true}\n"
    "  c9: {type: clamp, between: [ground, slab.edge.y0], rigid: true}\n"
    "  b1: {type: clamp, between: [boom.end, mate.start]}\n"
    "  b2: {type: clamp, between: [boom.end, line.start]}\n"
    "  b3: {type: clamp, between: [hub, boom.start]}\n"
    "  b4: {type: clamp, between: [slab.edge.y0, fold.edge.x0]}\n"
    "  t1: {type: tie, between: [rod.end, arm.start]}\n"
    "  t2: {type: tie, between: [arm.start, rod.end], smooth: true, temperature: true}\n"
    "  l1: {type: point_on_line, between: [rod.end, ground], direction: [1, 1, 0]}\n"
    "  l2: {type: point_on_line, between: [rod.end, hub], direction: [1, 0, 0],\n"
    "       point: [0.2, 0, 0]}\n"
    "  p1: {type: point_on_plane, between: [ground, rod.end], normal: [0, 1, 1]}\n"
    "  p2: {type: roller, between: [box.centre, hub], normal: [0, 0, 1], point: [0, 0, 0.2]}\n"
    "  d1: {type: driven, between: [ground, rod.end], displacement: [\"sin(t)\", 0, \"t^2\"]}\n"
    "  d2: {type: driven, between: [hub.tip, ground], position: [\"t\", 1, 2], components: xz}\n"
    "  d3: {type: driven_rotation, between: [hub, box], axis: [1, 2, 3], angle: \"t^2\"}\n"
    "  d4: {type: driven_rotation, between: [rod.start, ground], axis: [0, 0, 1], angle: t}\n";

static const char more_joints[] =
    "  r5: {type: revolute, between: [boom.end, mate.start], axis: [0, 0, 1]}\n"
    "  r6: {type: revolute, between: [boom.start, slab.corner(1)], axis: [1, 0, 0]}\n"
    "  r7: {type: revolute, between: [slab.corner(1), \"fold.at(0,0)\"], axis: [1, 0, 0]}\n"
    "  r8: {type: revolute, between: [boom.end, arm.start], axis: [0, 1, 0]}\n"
    "  r9: {type: revolute, between: [line.start, boom.end], axis: [0, 0, 1]}\n"
    "  g1: {type: revolute, between: [slab.corner(1), boom.start], axis: [0, 0, 1]}\n"
    "  g2: {type: revolute, between: [boom.end, tail.start], axis: [1, 0, 0]}\n"
    "  g3: {type: revolute, between: [rod.start, slab.corner(1)], axis: [0, 0, 1]}\n"
    "  u1: {type: universal, between: [hub, box], at: [0.2, 0.1, 0], axis: [1, 2, 2],\n"
    "       second_axis: [2, -2, 1]}\n"
    "  u2: {type: universal, between: [boom.end, ground], axis: [0, 1, 0],\n"
    "       second_axis: [1, 0, 1]}\n"
    "  y1: {type: cylindrical, between: [hub, box], at: [0.2, 0.1, 0], axis: [1, 2, 3]}\n"
    "  y2: {type: cylindrical, between: [boom.start, ground], axis: [1, 0, 0]}\n"
    "  x1: {type: prismatic, between: [hub, box], axis: [1, 2, 3], at: [0.2, 0.1, 0]}\n"
    "  x2: {type: prismatic, between: [ground, box.centre], axis: [1, 2, 3]}\n"
    "  n1: {type: planar, between: [hub, box], normal: [1, 2, 3], at: [0.2, 0.1, 0]}\n"
    "  n2: {type: planar, between: [hub, boom.end], normal: [0, 0, 1]}\n"
    "  w1: {type: screw, between: [hub, box], at: [0.2, 0.1, 0], axis: [1, 2, 3], pitch: 0.3}\n"
    "  w2: {type: screw, between: [box.centre, ground], axis: [1, 2, 3], pitch: -2}\n"
    "  z1: {type: gear, between: [hub, box], axis: [1, 2, 3], second_axis: [0, 0, 1],\n"
    "       ratio: -2.5}\n"
    "  z2: {type: gear, between: [ground, box], axis: [1, 2, 3], ratio: 0.7, carrier: hub}\n"
    "  i1: {type: bushing, between: [hub, box], at: [0.2, 0.1, 0],\n"
    "       stiffness: [3, 4, 5, 0.3, 0.4, 0.5], damping: [1, 2, 3, 0.1, 0.2, 0.3]}\n"
    "  i2: {type: bushing, between: [ground, box.centre],\n"
    "       stiffness: [3, 1, 0, 2, 0, 1,  0, 4, 1, 0, 1, 0,  1, 0, 5, 1, 0, 1,\n"
    "                   0, 2, 0, 6, 1, 0,  1, 0, 1, 0, 7, 2,  0, 1, 0, 1, 0, 8],\n"
    "       damping: [1, 0, 2, 0, 1, 0,  0, 1, 0, 2, 0, 1,  1, 0, 1, 0, 0, 0,\n"
    "                 0, 1, 0, 1, 0, 1,  2, 0, 0, 0, 1, 0,  0, 0, 1, 0, 0, 1]}\n"
    "  o1: {type: motor, between: [hub, box], axis: [1, 2, 3], moment: \"2*t\"}\n"
    "  o2: {type: motor, between: [hub, box.centre], axis: [1, 2, 3], force: \"2*t\"}\n"
    "  o3: {type: motor, between: [ground, rod.start], axis: [0, 0, 1], moment: 3}\n"
    "  d5: {type: driven, between: [hub, box.centre], displacement: [\"sin(t)\", 0, \"t^2\"]}\n"
    "  d6: {type: driven, between: [hub.tip, rod.end], position: [\"t\", 1, 2], components: xz}\n";

static const char loads_text[] =
    "loads:\n"
    "  e1: {type: edge_moment, on: [slab.edge.x1, wing.edge.y0], moment: \"3*t\"}\n"
    "  f1: {type: force, on: rod.end, value: [1, \"2*t\", 3]}\n"
    "  f2: {type: force, on: [hub.tip, box], value: [1, 2, 3], frame: body}\n"
    "  f3: {type: force, on: \"rod.at(0.3)\", value: [1, 2, 3], frame: body}\n"
    "  f4: {type: force, on: [mast.end, hub.tip], value: [1, 2, 3], frame: global}\n"
    "  f5: {type: force, on: [rod.end, box.centre], value: [1, \"2*t\", 3], frame: hub}\n"
    "  f6: {type: force, on: \"slab.at(0.3,0.2)\", value: [1, 2, 3], frame: hub}\n"
    "  m1: {type: moment, on: rod.end, moment: [1, 2, 3]}\n"
    "  m2: {type: moment, on: rod.end, moment: [1, 2, 3], frame: body}\n"
    "  m3: {type: moment, on: hub, moment: [1, 2, 3]}\n"
    "  m4: {type: moment, on: box.centre, moment: [1, 2, 3], frame: body}\n"
    "  m5: {type: moment, on: [rod.end, boom.end, hub], moment: [1, \"2*t\", 3], frame: box}\n"
    "  m6: {type: moment, on: boom.end, moment: [1, 2, 3], frame: body}\n"
    "  m7: {type: moment, on: boom.end, moment: [1, 2, 3]}\n"
    "  m8: {type: moment, on: box, moment: [1, 2, 3], frame: box}\n"
    "  k1: {type: spring, between: [ground, rod.end], at: [1, 1, 0], stiffness: 3, damping: 2}\n"
    "  k2: {type: spring, between: [hub.tip, \"rod.at(0.6)\"], stiffness: 3, damping: 2,\n"
    "       free_length: 0.2}\n"
    "  k3: {type: spring, between: [rod.end, arm.start], stiffness: 3, free_length: 0}\n"
    "  k4: {type: spring, between: [ground, rod.end], at: [1, 1, 0], stiffness: 3,\n"
    "       elastic: \"2*stretch^3 + cos(stretch)\", damper: \"rate^3 + rate\"}\n"
    "  q1: {type: torsion_spring, between: [hub, box], axis: [1, 2, 3], stiffness: 3, damping: 2,\n"
    "       rest_angle: 1, moment: 0.5, stops: [-0.3, 0.4], stop_stiffness: 5, stop_damping: 1,\n"
    "       stop_onset: 1.0, latch: {angle: 0.8, stiffness: 4, damping: 1}}\n"
    "  q2: {type: torsion_spring, between: [ground, rod.start], axis: [0, 0, 1], stiffness: 3,\n"
    "       damping: 2, latch: {angle: -0.8, stiffness: 4}}\n"
    "  q4: {type: torsion_spring, between: [hub, box], axis: [1, 2, 3], rest_angle: 0.4,\n"
    "       elastic: \"2*angle^3 + cos(angle)\", damper: \"rate^3 + rate\"}\n"
    "  q3: {type: torsion_spring, between: [rod.end, arm.start], axis: [0, 0, 1], damping: 2}\n"
    "  v1: {type: wheel, on: hub, axis: [1, 2, 3], inertia: 0.3, speed: 7, moment: \"2*t\",\n"
    "       friction: 0.2}\n"
    "  p1: {type: solar_pressure, on: [slab, wing.top, wing.bottom, boom, boom.end, mast, rod,\n"
    "       rod.top, rod.start], direction: [1, 2, 3], specular: 0.3, diffuse: 0.2,\n"
    "       reemitted: 0.5, eclipse: [[1, 2]]}\n"
    "  p2: {type: solar_pressure, on: [hub, box], direction: [1, \"t\", 3], diffuse: 0.4,\n"
    "       facets: [{normal: [1, 2, 3], area: 2, at: [0.1, 0.2, 0.3]},\n"
    "                {normal: [1, -2, 3], area: 0.5, sides: both}]}\n"
    "  p3: {type: solar_pressure, on: [hub.tip, rod.end], direction: [1, 2, 3], radius: 0.3,\n"
    "       diffuse: 0.4}\n"
    "heat:\n"
    "  h1: {type: temperature, on: rod.start, value: \"20*t\"}\n"
    "  h2: {type: heat_flow, on: [rod.end, \"rod.at(0.3)\"], value: 12}\n"
    "  h3: {type: radiation, on: rod.end, sink: 300}\n"
    "  h4: {type: convection, on: arm.end, coefficient: 10, ambient: 5}\n"
    "  h5: {type: flux, on: arm.end, value: 100, direction: [1, 2, 3]}\n"
    "  h6: {type: flux, on: arm.end, value: 100}\n"
    "  h7: {type: contact, between: [rod.end, \"arm.at(0.3)\"], conductance: 3}\n"
    "  h8: {type: exchange, between: [rod.end, arm.start], area: 2, emissivity: 0.5}\n"
    "  h9: {type: enclosure, faces: [slab.top, fold.top], sink: 100, emissivity: [0.3, 0.9],\n"
    "       patches: 2, rays: 1000}\n";

static char model_text[20000]; // all of it

/* ---- one evaluation with everything around it ------------------------------------------------ */

typedef struct state {
    double x[NX], xd[NX], th[NT], lam[NC], fn[NF], fnd[NF], fndd[NF], scale;
    double mem[2]; // angle and latch of a torsion spring; angles of a gear
} state;

typedef struct outputs {
    double f[NX], fx[NX * NX], fv[NX * NX], heat[NT], heat_x[NT * NX], heat_th[NT * NT];
    double c[NC], cx[NC * NX], H[NX * NX], ct[NC], ctt[NC], h[NT], hth[NT * NT];
} outputs;

/* evaluate the outputs whose bits are set, in the order of the struct */
static void evaluate(const gos_item *it, const state *s, unsigned bits, outputs *o) {
    memset(o, 0, sizeof *o);
    double *const at[] = {o->f,  o->fx, o->fv, o->heat, o->heat_x, o->heat_th, o->c,
                          o->cx, o->H,  o->ct, o->ctt,  o->h,      o->hth};
    double *p[GOS_COUNT(at)];
    for (int i = 0; i < GOS_COUNT(at); ++i) {
        p[i] = bits & (1u << i) ? at[i] : NULL;
    }
    const gos_item_io io = {.t = 0.3,
                            .fn = s->fn,
                            .fnd = s->fnd,
                            .fndd = s->fndd,
                            .scale = s->scale,
                            .x = s->x,
                            .xd = s->xd,
                            .th = s->th,
                            .lam = s->lam,
                            .mem = s->mem,
                            .f = p[0],
                            .fx = p[1],
                            .fv = p[2],
                            .heat = p[3],
                            .heat_x = p[4],
                            .heat_th = p[5],
                            .c = p[6],
                            .cx = p[7],
                            .H = p[8],
                            .ct = p[9],
                            .ctt = p[10],
                            .h = p[11],
                            .hth = p[12]};
    it->type->eval(it, &io);
}

#define ALL 0x1fffu

static void random_state(uint64_t *seed, state *s) {
    random_fill(seed, USED, 1, s->x);
    random_fill(seed, USED, 1, s->xd);
    random_fill(seed, NT, 1, s->th);
    random_fill(seed, NC, 1, s->lam);
    random_fill(seed, NF, 1, s->fn);
    random_fill(seed, NF, 1, s->fnd);
    random_fill(seed, NF, 1, s->fndd);
    s->scale = 0.5 + 0.4 * random_uniform(seed);
    s->mem[0] = 3.0 * random_uniform(seed);
    s->mem[1] = random_uniform(seed) > 0.0;
    for (int i = 0; i < NT; ++i) {
        s->th[i] *= 100.0; // kelvin
    }
}

/* Compare a derivative with differences: D (rows)(cols), relative to the largest entry of both. */
typedef struct block {
    const gos_item *it;
    const char *what;
    int rows, cols;
    double largest, error;
    double rounding; // of the differences: what is left where the derivative is zero
} block;

static void compare(block *k, int row, int col, double exact, double difference) {
    GOS_UNUSED(row);
    GOS_UNUSED(col);
    if (isnan(exact) || isnan(difference)) {
        k->error = HUGE_VAL;
    }
    k->largest = fmax(k->largest, fmax(fabs(exact), fabs(difference)));
    k->error = fmax(k->error, fabs(exact - difference));
}

static void check_block(const block *k) {
    if (!(k->error <= fmax(1e-7 * k->largest, k->rounding))) {
        print_error("%s: %s is off by %g of %g\n", k->it->name, k->what, k->error, k->largest);
        fail();
    }
}

/* which vector of a state is varied, and which output answers */
typedef struct pair {
    const char *what;
    size_t in, out, derivative; // offsets in state, outputs, outputs
    int rows, cols;
    double step;
} pair;

/* five-point differences, error of fourth order in the step */
static const double stencil[4] = {-2.0, -1.0, 1.0, 2.0};
static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};

static void check_pair(const gos_item *it, const state *s0, const pair *p) {
    outputs exact, o;
    evaluate(it, s0, ALL, &exact);
    const double *D = (const double *)((const char *)&exact + p->derivative);
    block k = {.it = it, .what = p->what, .rows = p->rows, .cols = p->cols};
    for (int j = 0; j < p->cols; ++j) {
        double d[NX] = {0.0};
        for (int i = 0; i < 4; ++i) {
            state s = *s0;
            ((double *)((char *)&s + p->in))[j] += stencil[i] * p->step;
            evaluate(it, &s, ALL, &o);
            const double *y = (const double *)((const char *)&o + p->out);
            for (int r = 0; r < p->rows; ++r) {
                k.rounding = fmax(k.rounding, 4.0 * DBL_EPSILON * fabs(y[r]) / p->step);
                d[r] += weight[i] / p->step * y[r];
            }
        }
        for (int r = 0; r < p->rows; ++r) {
            compare(&k, r, j, D[r * p->cols + j], d[r]);
        }
    }
    check_block(&k);
}

/* H = d(cx^T lam)/dx */
static void check_hessian(const gos_item *it, const state *s0) {
    int n = 3 * it->nm;
    double step = 1e-3;
    outputs exact, o[4];
    evaluate(it, s0, ALL, &exact);
    block k = {.it = it, .what = "H", .rows = n, .cols = n};
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < 4; ++i) {
            state s = *s0;
            s.x[j] += stencil[i] * step;
            evaluate(it, &s, ALL, &o[i]);
        }
        for (int r = 0; r < n; ++r) {
            double d = 0.0;
            for (int q = 0; q < it->nc; ++q) {
                k.rounding = fmax(k.rounding, NC * DBL_EPSILON * fabs(o[1].cx[q * n + r]) / step);
                for (int i = 0; i < 4; ++i) {
                    d += s0->lam[q] * weight[i] * o[i].cx[q * n + r] / step;
                }
            }
            compare(&k, r, j, exact.H[r * n + j], d);
        }
    }
    check_block(&k);
}

/* ct and ctt: the time functions move as their derivatives say, the markers are at rest */
static void check_time(const gos_item *it, const state *s0) {
    double step = 1e-3;
    outputs exact, o[2];
    evaluate(it, s0, ALL, &exact);
    for (int i = 0; i < 2; ++i) {
        state s = *s0;
        double h = i ? step : -step;
        for (int k = 0; k < NF; ++k) {
            s.fn[k] += h * s.fnd[k] + 0.5 * h * h * s.fndd[k];
            s.fnd[k] += h * s.fndd[k];
        }
        evaluate(it, &s, ALL, &o[i]);
    }
    block k = {.it = it, .what = "ct, ctt", .rows = it->nc, .cols = 1};
    for (int r = 0; r < it->nc; ++r) {
        k.rounding = fmax(k.rounding, 4.0 * DBL_EPSILON * fabs(exact.c[r]) / step);
        compare(&k, r, 0, exact.ct[r], (o[1].c[r] - o[0].c[r]) / (2.0 * step));
        compare(&k, r, 0, exact.ctt[r], (o[1].ct[r] - o[0].ct[r]) / (2.0 * step));
    }
    check_block(&k);
}

static void check_derivatives(const gos_item *it, const state *s) {
    int n = 3 * it->nm;
    const pair pairs[] = {
        {"fx", offsetof(state, x), offsetof(outputs, f), offsetof(outputs, fx), n, n, 5e-4},
        {"fv", offsetof(state, xd), offsetof(outputs, f), offsetof(outputs, fv), n, n, 1e-2},
        {"heat_x", offsetof(state, x), offsetof(outputs, heat), offsetof(outputs, heat_x), it->ntm,
         n, 5e-4},
        {"heat_th", offsetof(state, th), offsetof(outputs, heat), offsetof(outputs, heat_th),
         it->ntm, it->ntm, 1e-1},
        {"cx", offsetof(state, x), offsetof(outputs, c), offsetof(outputs, cx), it->nc, n, 1e-2},
        {"hth", offsetof(state, th), offsetof(outputs, h), offsetof(outputs, hth), it->nh, it->ntm,
         1e-1}};
    for (int i = 0; i < GOS_COUNT(pairs); ++i) {
        check_pair(it, s, &pairs[i]);
    }
    check_hessian(it, s);
    check_time(it, s);
}

static void rotation(const double u[3], double R[9]);

/* markers e, f, g with an angle, which is returned */
static double bend(const int m[3], double angle, uint64_t *seed, state *s) {
    double R[9], u[3], a = angle;
    random_fill(seed, 3, 1, u);
    rotation(u, R);
    for (int k = 0; k < 3; ++k) { // axis along the third column
        double *e = s->x + 3 * m[0] + k, *f = s->x + 3 * m[1] + k, *g = s->x + 3 * m[2] + k;
        *e = 1.3 * R[3 * k + 2] + 0.2 * *e;
        *f = 0.9 * R[3 * k] + 0.2 * *f;
        *g = cos(a) * R[3 * k] + sin(a) * R[3 * k + 1] + 0.2 * *g;
    }
    return a;
}

/* Vectors of a hinge that is about in order: the angle of random ones may be next to undefined. */
static void bend_hinge(const gos_item *it, uint64_t *seed, state *s) {
    static const int all[] = {0, 1, 2};
    const gos_rows *rows = strcmp(it->type->name, "joint") == 0 ? it->par : NULL;
    if (rows && rows->nangle > 0) {
        bend(rows->angle[0].m, rows->angle[0].value + random_uniform(seed), seed, s);
        for (int r = 1; r < rows->nangle; ++r) { // e and f are vectors of the first
            const int *m = rows->angle[r].m;
            double u[3], a = rows->angle[r].value + random_uniform(seed);
            gos__cross3(s->x + 3 * m[0], s->x + 3 * m[1], u);
            for (int k = 0; k < 3; ++k) {
                double *g = s->x + 3 * m[2] + k;
                *g = cos(a) * s->x[3 * m[1] + k] + sin(a) * u[k] + 0.2 * *g;
            }
        }
    } else if (strcmp(it->type->name, "screw") == 0) {
        static const int last[] = {3, 4, 5};
        bend(last, random_uniform(seed), seed, s);
        for (int k = 0; k < 3; ++k) { // the slide is near what the angle says
            s->x[k] = s->x[3 + k] + 0.05 * s->x[k];
        }
    } else if (strcmp(it->type->name, "gear") == 0) {
        static const int second[] = {3, 4, 5};
        s->mem[0] = bend(all, 2.5 * random_uniform(seed), seed, s);
        s->mem[1] = bend(second, 2.5 * random_uniform(seed), seed, s);
    } else if (strcmp(it->type->name, "motor") == 0 && ((const bool *)it->par)[0]) {
        bend(all, 2.5 * random_uniform(seed), seed, s);
    } else if (strcmp(it->type->name, "torsion spring") == 0 ||
               strcmp(it->type->name, "driven rotation") == 0) {
        s->mem[0] = bend(all, 2.5 * random_uniform(seed), seed, s);
        if (strcmp(it->type->name, "driven rotation") == 0) { // half a turn off its angle jumps
            s->fn[0] =
                (s->mem[0] - *(const double *)it->par + 0.5 * random_uniform(seed)) / s->scale;
        }
    }
}

static void test_derivatives(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    uint64_t seed = 8;
    for (int i = 0; i < f.b.nitem; ++i) {
        for (int n = 0; n < 10; ++n) {
            state s;
            random_state(&seed, &s);
            bend_hinge(f.b.item[i], &seed, &s);
            check_derivatives(f.b.item[i], &s);
        }
    }
    drop(&f);
}

/* ---- declared inputs ------------------------------------------------------------------------- */

static const gos_input_def *declared(const gos_item *it, int fn) {
    for (int k = 0; k < it->ninput; ++k) {
        if (it->input[k].fn == fn) {
            return &it->input[k];
        }
    }
    return NULL;
}

/* derivatives of f, heat, c, h by function j of an item, by differences, and by_input beside them
   (exact: NULL where it is not declared) */
static double check_input(const gos_item *it, const state *s0, int j, const gos_input_def *exact) {
    static const size_t at[] = {offsetof(outputs, f), offsetof(outputs, heat), offsetof(outputs, c),
                                offsetof(outputs, h)};
    const int n[] = {3 * it->nm, it->ntm, it->nc, it->nh};
    outputs y[4], d;
    memset(&d, 0, sizeof d);
    if (exact) {
        const gos_item_io io = {.t = 0.3,
                                .fn = s0->fn,
                                .fnd = s0->fnd,
                                .fndd = s0->fndd,
                                .scale = s0->scale,
                                .x = s0->x,
                                .xd = s0->xd,
                                .th = s0->th,
                                .lam = s0->lam,
                                .mem = s0->mem,
                                .f = d.f,
                                .heat = d.heat,
                                .c = d.c,
                                .h = d.h};
        it->type->by_input(it, &io, exact);
    }
    const double step = 0.05;
    for (int i = 0; i < 4; ++i) {
        state s = *s0;
        s.fn[j] += stencil[i] * step;
        evaluate(it, &s, ALL, &y[i]);
    }
    block k = {.it = it, .what = exact ? "declared input" : "input that is not declared"};
    for (int b = 0; b < GOS_COUNT(at); ++b) {
        for (int r = 0; r < n[b]; ++r) {
            double sum = 0.0;
            for (int i = 0; i < 4; ++i) {
                const double v = ((const double *)((const char *)&y[i] + at[b]))[r];
                sum += weight[i] / step * v;
                k.rounding = fmax(k.rounding, 16.0 * DBL_EPSILON * fabs(v) / step);
            }
            compare(&k, r, 0, ((const double *)((const char *)&d + at[b]))[r], sum);
        }
    }
    check_block(&k);
    return k.largest;
}

/* Every function of time that forces, heat or rows follow is declared, with its derivatives and its
   unit; those of heat that only say where from and how well ("-", "W/(m^2 K)") are not. */
static void test_inputs(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    uint64_t seed = 17;
    int ndeclared = 0;
    for (int i = 0; i < f.b.nitem; ++i) {
        const gos_item *it = f.b.item[i];
        assert_true(it->ninput == 0 ||
                    (it->type->by_input && it->entry && strstr(it->name, it->entry)));
        for (int j = 0; j < it->nfn; ++j) {
            const gos_input_def *a = declared(it, j);
            const char *unit = gos__timefn_unit(f.b.fn[it->fn0 + j]);
            const bool sets = strcmp(unit, "-") != 0 && strcmp(unit, "W/(m^2 K)") != 0;
            ndeclared += a != NULL;
            if (a) {
                assert_string_equal(a->unit, unit);
            }
            double most = 0.0; // light from behind does nothing at some states
            for (int n = 0; (n < 8 || (n < 64 && !(most > 0.0))) && (a || sets); ++n) {
                state s;
                random_state(&seed, &s);
                bend_hinge(it, &seed, &s);
                most = fmax(most, check_input(it, &s, j, a));
            }
            assert_true(!a || most > 0.0);
        }
    }
    print_message("%d declared inputs\n", ndeclared);
    assert_true(ndeclared > 60);
    drop(&f);
}

/* ---- the contract of evaluation -------------------------------------------------------------- */

/* each output alone is what it is with all the others: no output needs another */
static void test_outputs_alone(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    uint64_t seed = 8;
    for (int i = 0; i < f.b.nitem; ++i) {
        state s;
        outputs all, sum, one;
        random_state(&seed, &s);
        evaluate(f.b.item[i], &s, ALL, &all);
        memset(&sum, 0, sizeof sum);
        for (unsigned bit = 0; ALL >> bit; ++bit) {
            evaluate(f.b.item[i], &s, 1u << bit, &one);
            for (size_t k = 0; k < sizeof sum / sizeof(double); ++k) {
                ((double *)&sum)[k] += ((double *)&one)[k];
            }
        }
        assert_memory_equal(&sum, &all, sizeof all);
        // and constraints or temperatures do without rates
        s.xd[0] = 1.0;
        evaluate(f.b.item[i], &s, 0, &one);
    }
    drop(&f);
}

/* Loads vanish with the load factor; joints do not know it, except the driven one. */
static void test_load_factor(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    uint64_t seed = 9;
    for (int i = 0; i < f.b.nitem; ++i) {
        const gos_item *it = f.b.item[i];
        if (strcmp(it->type->name, "force") != 0 && strcmp(it->type->name, "moment") != 0) {
            continue;
        }
        state s;
        outputs one, half;
        random_state(&seed, &s);
        s.scale = 1.0;
        evaluate(it, &s, ALL, &one);
        s.scale = 0.5;
        evaluate(it, &s, ALL, &half);
        for (int k = 0; k < NX; ++k) {
            assert_true(fabs(half.f[k] - 0.5 * one.f[k]) < 1e-14);
        }
    }
    drop(&f);
}

/* linear: the derivative by what moves is the same everywhere; isotropic: c = (iso_w x I) x */
static void test_linear_and_isotropic(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    uint64_t seed = 10;
    int nlinear = 0, nisotropic = 0;
    for (int i = 0; i < f.b.nitem; ++i) {
        const gos_item *it = f.b.item[i];
        state s, q;
        outputs a, b;
        random_state(&seed, &s);
        random_state(&seed, &q);
        for (int m = 0; m < it->nm; ++m) {
            for (int k = 0; it->m[m].n == 0 && k < 3; ++k) {
                s.x[3 * m + k] = q.x[3 * m + k] = it->m[m].off[k];
            }
        }
        evaluate(it, &s, ALL, &a);
        evaluate(it, &q, ALL, &b);
        nlinear += it->linear && it->nc > 0;
        for (int m = 0; it->linear && m < it->nm; ++m) {
            for (int r = 0; it->m[m].n > 0 && r < it->nc; ++r) {
                assert_memory_equal(&a.cx[r * 3 * it->nm + 3 * m], &b.cx[r * 3 * it->nm + 3 * m],
                                    3 * sizeof(double));
            }
        }
        nisotropic += it->isotropic;
        for (int r = 0; it->isotropic && r < it->nc; ++r) {
            assert_true(it->linear && it->nc % 3 == 0);
            double c = 0.0;
            for (int m = 0; m < it->nm; ++m) {
                c += it->iso_w[(r / 3) * it->nm + m] * s.x[3 * m + r % 3];
            }
            assert_true(fabs(c - a.c[r]) < 1e-14);
        }
    }
    assert_int_equal(nlinear, 48);
    assert_int_equal(nisotropic, 34);
    drop(&f);
}

/* ---- mechanics ------------------------------------------------------------------------------- */

/* values of an item's markers in coordinates e, rates in v */
static void marker_state(const fixture *f, const gos_item *it, const double *e, const double *v,
                         state *s) {
    GOS_UNUSED(f);
    for (int m = 0; m < it->nm; ++m) {
        gos__marker_value(&it->m[m], e, s->x + 3 * m);
        gos__marker_rate(&it->m[m], v, s->xd + 3 * m);
    }
}

static void rotation(const double u[3], double R[9]) {
    double S[9], SS[9], a = gos__norm3(u);
    gos__skew3(u, S);
    gos__mul33(S, S, SS);
    for (int k = 0; k < 9; ++k) {
        R[k] = (k % 4 == 0) + sin(a) / a * S[k] + (1.0 - cos(a)) / (a * a) * SS[k];
    }
}

static void turned(const double R[9], const double x[3], double y[3]) {
    for (int k = 0; k < 3; ++k) {
        y[k] = R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2];
    }
}

/* no marker of the item is fixed in space, and no force of it has components in global axes */
static bool free_of_space(const gos_item *it) {
    for (int m = 0; m < it->nm; ++m) {
        if (it->m[m].n == 0) {
            return false;
        }
    }
    return strcmp(it->type->name, "driven") != 0 && it->nm > 0 && it->ntm == 0;
}

/* the names of those whose force turns with the bodies */
static bool follows(const gos_item *it) {
    static const char *const names[] = {"load 'f2'", "load 'f3'", "load 'f5'", "load 'f6'",
                                        "load 'm2'", "load 'm4'", "load 'm5'", "load 'm6'",
                                        "load 'm8'", "load 'k2'", "load 'k3'", "load 'q1'"};
    for (int i = 0; i < GOS_COUNT(names); ++i) {
        if (strcmp(it->name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A common rotation about e3 (the reference vector of the cables' sections) and translation of all
   coordinates: vector rows turn, dot rows and so all violations stay, following forces turn. */
static void test_rigid_motion(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    gos_builder *b = &f.b;
    uint64_t seed = 11;
    size_t n = 3 * (size_t)b->nv;
    double *e = malloc(n * sizeof *e), *v = malloc(n * sizeof *v);
    double *et = malloc(n * sizeof *e), *vt = malloc(n * sizeof *v);
    assert_true(e && v && et && vt);
    random_fill(&seed, (int)n, 1, e);
    random_fill(&seed, (int)n, 1, v);
    const double u[3] = {0.0, 0.0, 0.9}, shift[3] = {0.3, -0.7, 0.4};
    double R[9];
    rotation(u, R);
    for (int j = 0; j < b->nv; ++j) {
        turned(R, e + 3 * j, et + 3 * j);
        turned(R, v + 3 * j, vt + 3 * j);
        for (int k = 0; k < 3; ++k) {
            et[3 * j + k] += b->trans[j] * shift[k];
        }
    }
    int nrows = 0, nforces = 0;
    for (int i = 0; i < b->nitem; ++i) {
        const gos_item *it = b->item[i];
        state s, q;
        outputs o, ot;
        random_state(&seed, &s);
        q = s;
        marker_state(&f, it, e, v, &s);
        marker_state(&f, it, et, vt, &q);
        evaluate(it, &s, ALL, &o);
        evaluate(it, &q, ALL, &ot);
        double y[3];
        bool rows = strcmp(it->type->name, "joint") == 0;
        int nvec = rows ? ((const gos_rows *)it->par)->nvec : 0;
        for (int r = 0; free_of_space(it) && r < it->nc; ++r) {
            ++nrows;
            if (r < 3 * nvec) {
                turned(R, o.c + r - r % 3, y);
                assert_true(fabs(y[r % 3] - ot.c[r]) < 1e-13);
            } else {
                assert_true(fabs(o.c[r] - ot.c[r]) < 1e-13);
            }
        }
        for (int m = 0; follows(it) && m < it->nm; ++m) {
            ++nforces;
            turned(R, o.f + 3 * m, y);
            for (int k = 0; k < 3; ++k) {
                assert_true(fabs(y[k] - ot.f[3 * m + k]) < 1e-13);
            }
        }
    }
    const int named = 3 * 4 + 4 + 5 + 6 + 2 + 6; // f5, f6, m5 on a cable, a beam, a body; m6; m8
    assert_int_equal(nforces, 2 * 4 + 2 + 1 + 3 + 2 + 2 + 3 + named);
    assert_true(nrows > 40);
    free(e);
    free(v);
    free(et);
    free(vt);
    drop(&f);
}

static const gos_item *item_named(const fixture *f, const char *name) {
    for (int i = 0; i < f->b.nitem; ++i) {
        if (strcmp(f->b.item[i]->name, name) == 0) {
            return f->b.item[i];
        }
    }
    print_error("no item %s\n", name);
    fail();
    return NULL;
}

/* the last item of an entry with several places */
static const gos_item *last_named(const fixture *f, const char *name) {
    const gos_item *it = item_named(f, name);
    while (it->more) {
        it = it->more;
    }
    return it;
}

/* power of the applied forces of an item */
static double power(const gos_item *it, const state *s) {
    outputs o;
    evaluate(it, s, 1u, &o);
    double p = 0.0;
    for (int k = 0; k < 3 * it->nm; ++k) {
        p += o.f[k] * s->xd[k];
    }
    return p;
}

/* A moment does the power m . omega on a turning rigid body, and on a turning cable all but the
   part along its tangent. */
static void test_moment_power(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    uint64_t seed = 12;
    for (int n = 0; n < 10; ++n) {
        state s;
        double u[3], w[3], R[9];
        random_state(&seed, &s);
        random_fill(&seed, 3, 1, u);
        random_fill(&seed, 3, 1, w);
        s.scale = 1.0;
        rotation(u, R);
        for (int j = 0; j < 3; ++j) { // axes are the columns of R, turning at w
            for (int k = 0; k < 3; ++k) {
                s.x[3 * j + k] = R[3 * k + j];
            }
            gos__cross3(w, s.x + 3 * j, s.xd + 3 * j);
        }
        double tau[3];
        turned(R, s.fn, tau);
        assert_true(fabs(power(item_named(&f, "load 'm3'"), &s) - gos__dot3(s.fn, w)) < 1e-13);
        assert_true(fabs(power(item_named(&f, "load 'm4'"), &s) - gos__dot3(tau, w)) < 1e-13);

        // in the axes of another body, whose own turning does nothing to the power
        double V[9];
        random_fill(&seed, 3, 1, u);
        rotation(u, V);
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                s.x[9 + 3 * j + k] = V[3 * k + j];
            }
        }
        turned(V, s.fn, tau);
        assert_true(fabs(power(last_named(&f, "load 'm5'"), &s) - gos__dot3(tau, w)) < 1e-13);

        random_fill(&seed, 3, 1, s.x);
        gos__cross3(w, s.x, s.xd);
        double pp = gos__dot3(s.x, s.x);
        double twist = gos__dot3(s.fn, s.x) * gos__dot3(w, s.x) / pp;
        assert_true(fabs(power(item_named(&f, "load 'm1'"), &s) - gos__dot3(s.fn, w) + twist) <
                    1e-13);
    }
    drop(&f);
}

/* A spring gives as much force and moment on one end as on the other; its damper only takes
   power. */
static void test_spring_balance(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    make_ok(&f, model_text);
    uint64_t seed = 13;
    const char *const names[] = {"load 'k1'", "load 'k2'", "load 'k3'"};
    for (int n = 0; n < 30; ++n) {
        const gos_item *it = item_named(&f, names[n % 3]);
        state s, still;
        outputs o;
        double ma[3], mb[3];
        random_state(&seed, &s);
        evaluate(it, &s, 1u, &o);
        gos__cross3(s.x, o.f, ma);
        gos__cross3(s.x + 3, o.f + 3, mb);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(o.f[k] + o.f[3 + k]) < 1e-14);
            assert_true(fabs(ma[k] + mb[k]) < 1e-13);
        }
        still = s;
        memset(still.xd, 0, sizeof still.xd);
        outputs elastic;
        evaluate(it, &still, 1u, &elastic);
        double damped = 0.0;
        for (int k = 0; k < 6; ++k) {
            damped += (o.f[k] - elastic.f[k]) * s.xd[k];
        }
        assert_true(damped <= 1e-15);
    }
    drop(&f);
}

/* ---- completeness ---------------------------------------------------------------------------- */

/* Types without an item of their own here. All others must be in the model above, so that every way
   in which they are evaluated is compared; tests/conformance/test_types.c has the examples of
   all. */
static const struct {
    const char *type, *why;
} elsewhere[] = {{"source", "internal heat acts along bodies only"},
                 {"sun", "the same items as three entries of flux (test_heat.c)"},
                 {"input", "its body needs files (test_types.c)"}};

static bool is_elsewhere(const gos_type *t) {
    for (int i = 0; i < GOS_COUNT(elsewhere); ++i) {
        if (strcmp(t->name, elsewhere[i].type) == 0) {
            return true;
        }
    }
    return false;
}

static void test_complete(void **unused) {
    GOS_UNUSED(unused);
    static const char *const sections[] = {"joints", "loads", "heat"};
    for (const gos_type *const *t = gos__registry(); *t; ++t) {
        char key[100];
        bool item = false;
        for (int i = 0; i < 3; ++i) {
            item = item || strcmp((*t)->section, sections[i]) == 0;
        }
        snprintf(key, sizeof key, "type: %s,", (*t)->name);
        if (item && !is_elsewhere(*t) && !strstr(model_text, key)) {
            print_error("no '%s' in the model of this test\n", key);
            fail();
        }
    }
}

static int suite(void) {
    snprintf(model_text, sizeof model_text, "%s%s%s%s", bodies_text, joints_text, more_joints,
             loads_text);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_inputs),
                                       cmocka_unit_test(test_derivatives),
                                       cmocka_unit_test(test_outputs_alone),
                                       cmocka_unit_test(test_load_factor),
                                       cmocka_unit_test(test_linear_and_isotropic),
                                       cmocka_unit_test(test_rigid_motion),
                                       cmocka_unit_test(test_moment_power),
                                       cmocka_unit_test(test_spring_balance),
                                       cmocka_unit_test(test_complete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
