#!/usr/bin/env bash
# Times of single steps of generated C source on one core: satellite-attitude, linearised, on 30 modes and temperatures
# each, with a controller in the loop at 1 kHz; and a nonlinear bar of solid elements in 8 modes, at 1 kHz, a hundredth
# of the steps. An empty loop beside each shows the machine's own interruptions; processor time leaves out the slices of
# other processes. CSV.
# Usage: bench/deadline.sh [PROGRAM [STEPS]]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/gossamer}
steps=${2:-10000000}
export OPENBLAS_NUM_THREADS=1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

"$program" reduce examples/satellite-attitude/model.yaml --method modes --order 30 --at 0 --accept \
    -o "$folder/craft.rom.h5" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
"$program" export "$folder/craft.rom.h5" --to c --step 1e-3 -o "$folder/craft" >>"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }

cat >"$folder/bar.yaml" <<'END'
materials: {steel: {density: 7800, young: 2.0e11, poisson: 0.3, damping: {normal: 2.0e-5, shear: 2.0e-5}}}
meshes: {box: {type: box, size: [1, 0.01, 0.02], cells: [10, 1, 1], order: quadratic}}
bodies: {bar: {type: solid, material: steel, mesh: box, temperature: off}}
joints: {root: {type: clamp, between: [ground, bar.left]}}
loads: {tip: {type: force, on: bar.right, value: [0, "0*t", "0*t"]}}
probes: {tip: {at: bar.right, quantity: displacement}, rate: {at: bar.right, quantity: velocity}}
analysis: {end: 0.2}
reduction: {method: rotation_closed, fields: modes, number: 8}
END
"$program" reduce "$folder/bar.yaml" --no-compare --accept -o "$folder/bar.rom.h5" >>"$folder/log" 2>&1 &&
    "$program" export "$folder/bar.rom.h5" --to c --step 1e-3 -o "$folder/bar" >>"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }

cat >"$folder/craft_loop.h" <<'END'
#include "craft.h"
#define NAME(x) craft_##x
#define SIZE CRAFT_STATES
#define SHOWN angle_x
static void control(const craft_outputs *y, craft_inputs *u) {
    u->sun = 1361;
    u->wheel_x = 20 * (y->angle_x - 0.1) + 200 * y->rate_x;
    u->wheel_y = 20 * y->angle_y + 200 * y->rate_y;
    u->wheel_z = 20 * y->angle_z + 200 * y->rate_z;
}
END
cat >"$folder/bar_loop.h" <<'END'
#include "bar.h"
#define NAME(x) bar_##x
#define SIZE (2 * BAR_COORDINATES)
#define SHOWN tip_y
static void control(const bar_outputs *y, bar_inputs *u) {
    u->tip_y = 100 * (0.1 - y->tip_y) - 10 * y->rate_y;
    u->tip_z = 30 - 10 * y->rate_z;
}
END
cat >"$folder/main.c" <<'END'
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include LOOP

static uint32_t *taken;

static int64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, long n) {
    qsort(taken, (size_t)n, sizeof *taken, compare);
    printf("%s,%ld,%.2f,%.2f,%.2f\n", name, n, taken[n / 2] / 1e3, taken[n - 1 - n / 10000] / 1e3,
           taken[n - 1] / 1e3);
}

/* n steps with the controller, or of nothing */
static void run(const char *name, long n, clockid_t clock, int empty) {
    static NAME(state) state;
    NAME(inputs) inputs = {0};
    NAME(outputs) y = {0};
    NAME(start)(&state);
    for (long k = 0; k < n; k++) {
        const int64_t start = now(clock);
        if (!empty) {
            NAME(output)(&state, &inputs, &y);
            control(&y, &inputs);
            NAME(step)(&state, &inputs);
        }
        taken[k] = (uint32_t)(now(clock) - start);
    }
    if (!empty) {
        fprintf(stderr, "%d states, %.4f (rad or m) at the end\n", SIZE, y.SHOWN);
    }
    print(name, n);
}

int main(int argc, char **argv) {
    const long n = argc > 1 ? atol(argv[1]) : 1000;
    taken = n > 0 ? calloc((size_t)n, sizeof *taken) : NULL;
    if (!taken) {
        return 1;
    }
    run("step", n, CLOCK_MONOTONIC, 0);
    run("empty loop", n, CLOCK_MONOTONIC, 1);
    run("step; processor time", n, CLOCK_THREAD_CPUTIME_ID, 0);
    run("empty loop; processor time", n, CLOCK_THREAD_CPUTIME_ID, 1);
    free(taken);
    return 0;
}
END
echo "model,loop,steps,median [us],99.99 % [us],worst [us]"
for model in craft bar; do
    cc -std=c99 -O3 -march=native -DLOOP="\"${model}_loop.h\"" -I"$folder" -I"$folder/$model" "$folder/main.c" \
        "$folder/$model/$model.c" -o "$folder/main"
    [ "$model" = craft ] && n=$steps || n=$((steps / 100))
    "$folder/main" "$n" | sed "s/^/$model,/"
done
