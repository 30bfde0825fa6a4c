/* Frequency response of a full model by the program, with one process and with several: wall time,
   processor time, how many times faster. The time that all of them need before the first frequency
   (reading, linearising) is measured with a run of a single frequency and shown beside it.

   bench_response_workers PROGRAM [elements of the plate's side [frequencies [processes]]] */
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "bench.h"

typedef struct cost {
    double wall, processor; // [s]
} cost;

static double seconds(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static cost used(void) {
    struct rusage r;
    struct timeval now;
    (void)getrusage(RUSAGE_CHILDREN, &r);
    (void)gettimeofday(&now, NULL);
    return (cost){seconds(now), seconds(r.ru_utime) + seconds(r.ru_stime)};
}

static cost run(const char *program, const char *model, int points, int workers) {
    char command[600];
    (void)snprintf(command, sizeof command,
                   "'%s' response '%s' --band 3:40 --points %d --workers %d >/dev/null 2>&1",
                   program, model, points, workers);
    const cost before = used();
    if (system(command) != 0) {
        (void)fprintf(stderr, "failed: %s\n", command);
        exit(1);
    }
    const cost after = used();
    return (cost){after.wall - before.wall, after.processor - before.processor};
}

int main(int argc, char **argv) {
    if (argc < 2) {
        (void)fprintf(stderr, "usage: bench_response_workers PROGRAM [SIDE [POINTS [WORKERS]]]\n");
        return 2;
    }
    const int n = argc > 2 ? atoi(argv[2]) : 105, points = argc > 3 ? atoi(argv[3]) : 24;
    const int workers = argc > 4 ? atoi(argv[4]) : 2;
    char model[] = "/tmp/gossamer-plate-XXXXXX.yaml";
    const int file = mkstemps(model, 5);
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    if (!f) {
        perror(model);
        return 1;
    }
    (void)fprintf(
        f,
        "materials: {m: {density: 2700, young: 7.0e10, damping: {normal: 1.0e-5, shear: 1.0e-5}}}\n"
        "bodies:\n  p: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [1, "
        "0, 0], y: [0, 1, 0], elements: [%d, %d], quadrature: reduced}\n"
        "loads:\n  f: {type: force, on: 'p.node(0,0)', value: [0, 0, 1]}\n"
        "probes:\n  a: {at: 'p.node(%d,%d)', quantity: displacement}\n",
        n, n, n, n);
    (void)fclose(f);
    const cost first = run(argv[1], model, 1, 1);
    const cost one = run(argv[1], model, points, 1), more = run(argv[1], model, points, workers);
    printf("# %d processors\n", (int)sysconf(_SC_NPROCESSORS_ONLN));
    printf(
        "coordinates,frequencies,processes,one frequency wall,one process wall,its processor time,"
        "processes wall,their processor time,times faster,times faster beyond the first\n");
    printf("%d,%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", 9 * (n + 1) * (n + 1), points, workers,
           first.wall, one.wall, one.processor, more.wall, more.processor, one.wall / more.wall,
           (one.wall - first.wall) / (more.wall - first.wall));
    (void)remove(model);
    return 0;
}
