#!/usr/bin/env bash
# Times of single steps of generated C source: satellite-attitude, linearised, on 30 modes and temperatures each, with a
# controller in the loop at 1 kHz, on one core. An empty loop beside it shows the machine's own interruptions; processor
# time leaves out the slices of other processes. CSV.
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

cat >"$folder/main.c" <<'END'
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "craft.h"

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

/* n steps of the craft with its controller, or of nothing */
static void run(const char *name, long n, clockid_t clock, int empty) {
    craft_state state;
    craft_inputs inputs = {0};
    craft_outputs y = {0};
    craft_start(&state);
    inputs.sun = 1361;
    for (long k = 0; k < n; k++) {
        const int64_t start = now(clock);
        if (!empty) {
            craft_output(&state, &inputs, &y);
            inputs.wheel_x = 20 * (y.angle_x - 0.1) + 200 * y.rate_x;
            inputs.wheel_y = 20 * y.angle_y + 200 * y.rate_y;
            inputs.wheel_z = 20 * y.angle_z + 200 * y.rate_z;
            craft_step(&state, &inputs);
        }
        taken[k] = (uint32_t)(now(clock) - start);
    }
    if (!empty) {
        fprintf(stderr, "%d states, angle %.4f rad at the end\n", CRAFT_STATES, y.angle_x);
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
cc -std=c99 -O3 -march=native -I"$folder/craft" "$folder/main.c" "$folder/craft/craft.c" -o "$folder/main"
echo "loop,steps,median [us],99.99 % [us],worst [us]"
"$folder/main" "$steps"
