#!/usr/bin/env bash
# 50 modes of the decks of bench/decks.py, whole process against whole process: CPU seconds (user and system, one thread) and
# peak memory of gossamer and of CalculiX, and their ratios. The kernels of OpenBLAS are those that gossamer chooses, or
# OPENBLAS_CORETYPE.
#     bench/calculix.sh PROGRAM [DECK ...]        decks: bar41k panel100k bar200k (default: the first two)
set -euo pipefail
program=$(realpath "${1:?program}")
bench=$(realpath "$(dirname "$0")")
shift
[ $# -gt 0 ] || set -- bar41k panel100k
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -B "$bench/decks.py" "$folder"
cd "$folder"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
measure() { # prints seconds and MB
    /usr/bin/time -o time -f "%U %S %M" "$@" >out 2>&1 || { cat out >&2; exit 1; }
    awk 'END {printf "%.2f %.0f", $1 + $2, $3 / 1024}' time
}
echo "deck,gossamer s,CalculiX s,ratio,gossamer MB,CalculiX MB,kernel"
for deck in "$@"; do
    read -r ours mb <<<"$(measure "$program" modes "$deck.inp" -n 50)"
    read -r theirs other <<<"$(measure ccx "$deck")"
    echo "$deck,$ours,$theirs,$(awk "BEGIN {printf \"%.1f\", $theirs / $ours}"),$mb,$other,${OPENBLAS_CORETYPE:-own}"
done
