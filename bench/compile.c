/* Processor time and memory of compiling a generated chain of N rigid bodies with as many joints,
   loads on half of them and probes on a quarter. CSV on stdout; us_per_body stays the same when
   nothing looks through all names, or all places, for each entry. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static char *chain(int n, size_t *size) {
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (!f) {
        exit(1);
    }
    fprintf(f, "bodies:\n");
    for (int i = 0; i < n; i++) {
        fprintf(f,
                "  b%d: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [%d, 0, 0], "
                "points: {left: [-0.5, 0, 0], right: [0.5, 0, 0]}}\n",
                i, i);
    }
    fprintf(f, "joints:\n");
    for (int i = 1; i < n; i++) {
        fprintf(f, "  j%d: {type: spherical, between: [b%d.right, b%d.left]}\n", i, i - 1, i);
    }
    fprintf(f, "loads:\n");
    for (int i = 0; i < n; i += 2) {
        fprintf(f, "  f%d: {type: force, on: b%d.node, value: [0, 0, -1]}\n", i, i);
    }
    fprintf(f, "probes:\n");
    for (int i = 0; i < n; i += 4) {
        fprintf(f, "  p%d: {quantity: joint_force, joint: j%d}\n", i, i + 1);
    }
    return fclose(f) == 0 ? text : NULL;
}

static void run(int n) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *s = NULL;
    size_t size;
    char *text = chain(n, &size);
    const clock_t begin = clock();
    if (!text || gos_model_parse(ctx, text, size, "chain", NULL, &m)) {
        bench_die(ctx);
    }
    const clock_t read = clock();
    if (gos_system_create(ctx, m, &s)) {
        bench_die(ctx);
    }
    const double cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("%d,%.3f,%.3f,%.2f,%.2f\n", n, (double)(read - begin) / CLOCKS_PER_SEC, cpu,
           1e6 * cpu / n, (double)use.ru_maxrss / n);
    fflush(stdout);
    free(text);
    gos_system_destroy(s);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

int main(void) {
    printf("bodies,read_s,compile_s,us_per_body,peak_kB_per_body\n");
    fflush(stdout);
    for (int n = 2500; n <= 20000; n *= 2) { // a process each: the peak memory is that of one model
        const pid_t child = fork();
        if (child == 0) {
            run(n);
            return 0;
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
            return 1;
        }
    }
    return 0;
}
