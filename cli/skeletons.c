/* Models written by gossamer new. Each is short, valid, runs in seconds, and begins with the
 * parameters usually changed first. Comments give units. */
#include "skeletons.h"

#include <stddef.h>

static void write_pendulum(FILE *out, const skeleton_choice *c) {
    (void)fprintf(out,
                  "name: pendulum\n"
                  "description: A flexible rod on a hinge falls while the sun heats it.\n\n"
                  "parameters:\n"
                  "  L: 1.2            # length [m]\n"
                  "  n: %d             # elements\n"
                  "  flux: 2.0e4       # solar flux from above [W/m^2]\n"
                  "  t_end: 2          # [s]\n\n"
                  "materials:\n"
                  "  rubber: {density: 2000, young: 1.0e8, conductivity: 1, specific_heat: 200, "
                  "expansion: 1.0e-4,\n"
                  "           absorptivity: 1, damping: {normal: 4.5e-3}}\n\n"
                  "sections:\n"
                  "  bar: {type: rectangle, height: 0.01, width: 0.02}\n\n"
                  "bodies:\n"
                  "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: "
                  "[L, 0, 0], elements: n}\n\n"
                  "joints:\n"
                  "  pin: {type: spherical, between: [ground, rod.start]}\n\n"
                  "gravity: [0, -9.81, 0]\n\n"
                  "heat:\n"
                  "  sun: {type: flux, value: flux, direction: [0, -1, 0], on: rod}\n\n"
                  "probes:\n"
                  "  tip: {at: rod.end, quantity: position}\n"
                  "  tip_temperature: {at: rod.end, quantity: temperature}\n\n"
                  "analysis: {end: t_end}\n",
                  c->elements);
}

static void write_cantilever(FILE *out, const skeleton_choice *c) {
    (void)fprintf(out,
                  "name: cantilever\n"
                  "description: A clamped beam vibrates after a short push at its tip.\n\n"
                  "parameters:\n"
                  "  L: 1              # length [m]\n"
                  "  n: %d             # elements\n"
                  "  F: 10             # force on the tip [N]\n"
                  "  t_end: 1          # [s]\n\n"
                  "materials:\n"
                  "  aluminium: {density: 2700, young: 7.0e10, poisson: 0.33, damping: {normal: "
                  "1.0e-4}}\n\n"
                  "sections:\n"
                  "  strip: {type: rectangle, height: 0.005, width: 0.05}\n\n"
                  "bodies:\n"
                  "  beam: {type: ancf_cable, material: aluminium, section: strip, from: [0, 0, "
                  "0], to: [L, 0, 0], elements: n}\n\n"
                  "joints:\n"
                  "  root: {type: clamp, between: [ground, beam.start]}\n\n"
                  "loads:\n"
                  "  push: {type: force, on: beam.end, value: [0, \"F*(t < 0.1)\", 0]}\n\n"
                  "probes:\n"
                  "  tip: {at: beam.end, quantity: displacement}\n"
                  "  root_force: {joint: root, quantity: joint_force}\n\n"
                  "analysis: {end: t_end}\n",
                  c->elements);
}

static void write_hub_beam(FILE *out, const skeleton_choice *c) {
    (void)fprintf(out,
                  "name: hub beam\n"
                  "description: A motor turns a hub with a slender arm in a floating frame with a "
                  "modal basis.\n\n"
                  "parameters:\n"
                  "  L: 1.8            # length of the arm [m]\n"
                  "  r: 0.1            # radius of the hub [m]\n"
                  "  n: %d             # elements\n"
                  "  torque: 2         # motor torque, one second in each direction [N m]\n"
                  "  t_end: 5          # [s]\n\n"
                  "materials:\n"
                  "  aluminium: {density: 2767, young: 6.9e10, poisson: 0.33}\n\n"
                  "sections:\n"
                  "  bar: {type: rectangle, height: 0.01, width: 0.02}\n\n"
                  "bodies:\n"
                  "  hub: {type: rigid, mass: 5, inertia: [0.25, 0.25, 0.25], points: {rim: [r, 0, "
                  "0]}}\n"
                  "  arm: {type: floating_beam, material: aluminium, section: bar, from: [r, 0, "
                  "0], to: [r + L, 0, 0], elements: n,\n"
                  "        reduce: {method: modes, order: 6}}\n\n"
                  "joints:\n"
                  "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
                  "  root: {type: clamp, between: [hub.rim, arm.start]}\n\n"
                  "loads:\n"
                  "  motor: {type: moment, on: hub, moment: [0, 0, \"torque*((t < 1) - (t >= 1)*(t "
                  "< 2))\"]}\n\n"
                  "probes:\n"
                  "  turn: {at: hub, quantity: angle}\n"
                  "  tip: {at: arm.end, quantity: displacement, frame: hub}\n\n"
                  "analysis: {end: t_end}\n",
                  c->elements);
}

static void write_panel_list(FILE *out, int n) {
    for (int i = 0; i < n; i++) {
        (void)fprintf(out, "%spanel%d", i > 0 ? ", " : "", i + 1);
    }
}

/* Panels around the z axis of the hub, with edges along it. Two panels are along +y and -y and face
 * the sun. */
static void write_panels(FILE *out, const skeleton_choice *c) {
    for (int i = 0; i < c->panels; i++) {
        const double turn = 90 + 360.0 * i / c->panels;
        (void)fprintf(
            out,
            "  panel%d: {type: ancf_plate, material: sandwich, thickness: h, elements: [n, "
            "2], quadrature: reduced,\n"
            "           corner: [\"r*cos(deg(%.10g))\", \"r*sin(deg(%.10g))\", -W/2], x: "
            "[\"L*cos(deg(%.10g))\", \"L*sin(deg(%.10g))\", 0], y: [0, 0, W]}\n",
            i + 1, turn, turn, turn, turn);
    }
    (void)fputs("\njoints:\n", out);
    for (int i = 0; i < c->panels; i++) {
        (void)fprintf(out, "  root%d: {type: clamp, between: [hub, panel%d.edge.x0]}\n", i + 1,
                      i + 1);
    }
}

static void write_satellite(FILE *out, const skeleton_choice *c) {
    (void)fprintf(
        out,
        "name: satellite\n"
        "description: A free hub with solar panels leaves the shadow and is turned by its "
        "wheels.\n\n"
        "parameters:\n"
        "  L: 3              # length of a panel [m]\n"
        "  W: 1              # width of a panel [m]\n"
        "  h: 0.02           # thickness of a panel [m]\n"
        "  r: 0.5            # distance of the panels from the centre of the hub [m]\n"
        "  n: %d             # elements along a panel\n"
        "  torque: 5         # torque on the hub, two seconds in each direction [N m]\n"
        "  sunrise: 1        # end of the eclipse [s]\n"
        "  t_end: 10         # [s]\n\n"
        "reference_temperature: 250 # [K]\n\n"
        "materials:\n"
        "  sandwich: {density: 100, young: 1.0e9, poisson: 0.3, conductivity: 1, "
        "specific_heat: 900, expansion: 2.0e-5,\n"
        "             absorptivity: 0.8, emissivity: 0.8, damping: {normal: 5.0e-3, "
        "shear: 5.0e-3}}\n\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 300, inertia: [50, 50, 50]}\n",
        c->elements);
    write_panels(out, c);
    (void)fputs(
        "\nloads:\n"
        "  wheels: {type: moment, on: hub, moment: [0, 0, \"torque*((t < 2) - (t >= 2)*(t < "
        "4))\"]}\n\n"
        "heat:\n"
        "  sun: {type: sun, direction: [-1, 0, 0], eclipse: [[0, sunrise]], penumbra: 0.2, "
        "on: [",
        out);
    write_panel_list(out, c->panels);
    (void)fputs("]}\n  space: {type: radiation, sink: 3, on: [", out);
    write_panel_list(out, c->panels);
    (void)fputs("]}\n\n"
                "probes:\n"
                "  attitude: {at: hub, quantity: rotation_vector}\n"
                "  tip: {at: \"panel1.at(L, W/2)\", quantity: displacement, frame: hub}\n"
                "  warm: {at: \"panel1.at(L, W/2)\", quantity: temperature}\n\n"
                "analysis: {end: t_end, tolerance: 1.0e-5}\n",
                out);
}

static void write_plate(FILE *out, const skeleton_choice *c) {
    (void)fprintf(out,
                  "name: plate\n"
                  "description: A plate clamped along one edge is heated from above.\n\n"
                  "parameters:\n"
                  "  L: 1              # length [m]\n"
                  "  W: 0.5            # width [m]\n"
                  "  h: 0.005          # thickness [m]\n"
                  "  n: %d             # elements along the length\n"
                  "  flux: 1.0e4       # heat flux into the upper face [W/m^2]\n"
                  "  t_end: 5          # [s]\n\n"
                  "materials:\n"
                  "  aluminium: {density: 2700, young: 7.0e10, poisson: 0.33, conductivity: 200, "
                  "specific_heat: 900,\n"
                  "              expansion: 2.3e-5, damping: {normal: 1.0e-3, shear: 1.0e-3}}\n\n"
                  "bodies:\n"
                  "  plate: {type: ancf_plate, material: aluminium, thickness: h, corner: [0, 0, "
                  "0], x: [L, 0, 0], y: [0, W, 0],\n"
                  "          elements: [n, 4], quadrature: reduced}\n\n"
                  "joints:\n"
                  "  root: {type: clamp, between: [ground, plate.edge.x0]}\n\n"
                  "heat:\n"
                  "  lamp: {type: flux, value: flux, on: plate.top}\n\n"
                  "probes:\n"
                  "  corner: {at: \"plate.at(L, W)\", quantity: displacement}\n"
                  "  warm: {at: \"plate.at(L/2, W/2)\", quantity: temperature}\n\n"
                  "analysis: {end: t_end}\n",
                  c->elements);
}

static void write_solid(FILE *out, const skeleton_choice *c) {
    (void)fprintf(
        out,
        "name: solid\n"
        "description: A bar of finite elements is clamped at one end, heated at the other, "
        "and pushed.\n\n"
        "parameters:\n"
        "  L: 0.3            # length [m]\n"
        "  n: %d             # cells along the bar\n"
        "  flux: 5.0e4       # heat flux into the end [W/m^2]\n"
        "  F: 50             # force on the end, upwards [N]\n"
        "  t_end: 20         # [s]\n\n"
        "materials:\n"
        "  steel: {density: 7850, young: 2.1e11, poisson: 0.3, conductivity: 45, specific_heat: "
        "460, expansion: 1.2e-5}\n\n"
        "meshes:\n"
        "  block: {type: box, size: [L, 0.03, 0.02], cells: [n, 2, 2], order: quadratic}\n\n"
        "bodies:\n"
        "  bar: {type: floating, mesh: block, material: steel, reference: clamped, at: left, "
        "rayleigh: [0, 1.0e-5],\n"
        "        interfaces: {grip: {of: right, type: averaging}}, reduce: {method: krylov, order: "
        "8}}\n\n"
        "joints:\n"
        "  root: {type: clamp, between: [ground, bar.frame]}\n\n"
        "loads:\n"
        "  push: {type: force, on: bar.grip, value: [0, 0, \"F*(t < 1 ? t : 1)\"]}\n\n"
        "heat:\n"
        "  flame: {type: flux, value: flux, on: bar.right}\n\n"
        "probes:\n"
        "  end: {at: bar.grip, quantity: displacement}\n"
        "  warm: {at: bar.corner_2, quantity: temperature}\n\n"
        "analysis: {end: t_end}\n",
        c->elements);
}

static const skeleton kinds[] = {
    {"pendulum", "heated flexible rod on a hinge: large rotation, large bending", write_pendulum},
    {"cantilever", "clamped beam with a push at its tip: frequencies, damping, reactions",
     write_cantilever},
    {"hub_beam", "motor, hub and flexible arm in a floating frame with six modes", write_hub_beam},
    {"satellite", "free hub with solar panels (--panels), sunlight and reaction wheels",
     write_satellite},
    {"plate", "clamped plate that bends when it is heated", write_plate},
    {"solid", "finite element block with interfaces and heat", write_solid},
};

const skeleton *skeleton_at(int i) {
    return i >= 0 && i < (int)(sizeof kinds / sizeof kinds[0]) ? &kinds[i] : NULL;
}
