#!/usr/bin/env bash
# How many times faster than real time closed loops run on one core: the reduced satellite-attitude, sampled at 1 kHz and$
# 100 Hz. Seconds of the run over wall time of the solution, and over that with recording (rows of probes at
# every step: 100 MB at 1 kHz). CSV. Usage: bench/closed_loop.sh [PROGRAM [TURNS]]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/gossamer}
turns=${2:-3}
export OPENBLAS_NUM_THREADS=1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

number() { # NAME of a number of the run's statistics
    "$program" info "$folder/run.h5" | awk -v name="$1" '$1 == name {print $2}'
}

measure() { # NAME SECONDS ARGUMENTS...
    local name=$1 seconds=$2
    shift 2
    for ((i = 0; i < turns; i++)); do
        "$program" run "$@" -o "$folder/run.h5" --quiet >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
        awk -v name="$name" -v end="$seconds" -v solve="$(number time_total)" -v output="$(number time_output)" \
            -v steps="$(number steps)" 'BEGIN {printf "%s,%d,%.3f,%.3f,%.1f,%.1f\n", name, steps, solve, output,
            end / solve, end / (solve + output)}'
    done
}

echo "run,steps,solve [s],record [s],real time / solve,real time / both"
model=examples/satellite-attitude/model.yaml
measure "satellite-attitude 1 kHz" 120 "$model" --reduced --set designs.hold.sample=0.001
measure "satellite-attitude 100 Hz" 120 "$model" --reduced
