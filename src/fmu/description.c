/* Writes modelDescription.xml by the schemas of FMI 2.0.4 and 3.0, side by side. */
#include "fmu/description.h"

#include "base/base.h"

/* ---- words ----------------------------------------------------------------------------------- */

static void put(FILE *out, const char *attribute, const char *value) {
    (void)fprintf(out, " %s=\"", attribute);
    gos__xml_text(out, value, ' ');
    (void)fputc('"', out);
}

static void put_number(FILE *out, const char *attribute, double value) {
    char text[40];
    gos__format(text, sizeof text, "%.17g", value);
    put(out, attribute, text);
}

static void put_integer(FILE *out, const char *attribute, int value) {
    (void)fprintf(out, " %s=\"%d\"", attribute, value);
}

/* ---- head ------------------------------------------------------------------------------------ */

static void put_head(FILE *out, const gos_fmu_description *d) {
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription", out);
    put(out, "fmiVersion", d->version == 2 ? "2.0" : "3.0");
    put(out, "modelName", d->name);
    put(out, d->version == 2 ? "guid" : "instantiationToken", d->token);
    put(out, "generationTool", "Gossamer " GOS_VERSION);
    put(out, "variableNamingConvention", "flat");
    if (d->version == 2) {
        put_integer(out, "numberOfEventIndicators", d->indicators);
    }
    (void)fputs(">\n", out);
}

static const char *const capabilities[2][2] = {
    {" canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
     "canSerializeFMUstate=\"true\""
     " providesDirectionalDerivative=\"true\"",
     " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\" "
     "maxOutputDerivativeOrder=\"1\""},
    {" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
     "providesDirectionalDerivatives=\"true\"",
     " canHandleVariableCommunicationStepSize=\"true\" maxOutputDerivativeOrder=\"1\""
     " providesIntermediateUpdate=\"true\" mightReturnEarlyFromDoStep=\"true\""
     " canReturnEarlyAfterIntermediateUpdate=\"true\" hasEventMode=\"true\""}};

static const char fixed_step[] = " canNotUseMemoryManagementFunctions=\"true\" "
                                 "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
                                 "providesDirectionalDerivative=\"true\"";

static void put_kind(FILE *out, const gos_fmu_description *d) {
    const bool exchange = d->kind == GOS_FMU_MODEL_EXCHANGE;
    const char *const *can = capabilities[d->version == 3];
    (void)fprintf(out, "  <%s", exchange ? "ModelExchange" : "CoSimulation");
    put(out, "modelIdentifier", d->identifier);
    (void)fprintf(out, "%s%s/>\n", d->fixed_step ? fixed_step : can[0],
                  d->fixed_step ? ""
                  : !exchange   ? can[1]
                  : d->version == 3
                      ? " needsCompletedIntegratorStep=\"true\"" // angles continue from there
                      : "");
}

/* ---- units ----------------------------------------------------------------------------------- */

static bool named(const char *unit) {
    return unit[0] != '\0' && strcmp(unit, "-") != 0;
}

static void put_unit(FILE *out, const char *unit) {
    int exponent[GOS_FMU_BASES];
    double factor;
    (void)fputs("    <Unit", out);
    put(out, "name", unit);
    if (!gos__fmu_unit(unit, exponent, &factor)) {
        (void)fputs("/>\n", out);
        return;
    }
    (void)fputs("><BaseUnit", out);
    for (int i = 0; i < GOS_FMU_BASES; i++) {
        if (exponent[i] != 0) {
            put_integer(out, gos__fmu_base[i], exponent[i]);
        }
    }
    if (factor != 1) {
        put_number(out, "factor", factor);
    }
    (void)fputs("/></Unit>\n", out);
}

/* each once; time is the first variable, so there is at least one */
static void put_units(FILE *out, const gos_fmu_variables *list) {
    (void)fputs("  <UnitDefinitions>\n", out);
    for (int i = 0; i < list->n; i++) {
        bool first = named(list->v[i].unit);
        for (int k = 0; k < i && first; k++) {
            first = strcmp(list->v[k].unit, list->v[i].unit) != 0;
        }
        if (first) {
            put_unit(out, list->v[i].unit);
        }
    }
    (void)fputs("  </UnitDefinitions>\n", out);
}

static void put_experiment(FILE *out, const gos_fmu_description *d) {
    (void)fputs("  <LogCategories>\n", out);
    (void)fprintf(out,
                  "    <Category name=\"logStatusWarning\"/>\n    <Category name=\"%s\"/>\n  "
                  "</LogCategories>\n",
                  "logStatusError");
    (void)fputs("  <DefaultExperiment startTime=\"0\"", out);
    if (d->stop > 0) {
        put_number(out, "stopTime", d->stop);
    }
    if (d->tolerance > 0) {
        put_number(out, "tolerance", d->tolerance);
    }
    if (d->step_size > 0) {
        put_number(out, "stepSize", d->step_size);
    }
    (void)fputs("/>\n", out);
}

/* ---- variables ------------------------------------------------------------------------------- */

typedef struct attributes {
    const char *causality, *variability, *initial;
} attributes;

static const attributes of_role[GOS_FMU_ROLES] = {
    [GOS_FMU_TIME] = {"independent", "continuous", NULL},
    [GOS_FMU_PARAMETER] = {"parameter", "fixed", "exact"},
    [GOS_FMU_INPUT] = {"input", "continuous", NULL},
    [GOS_FMU_OUTPUT] = {"output", "continuous", "calculated"},
    [GOS_FMU_STATE] = {"local", "continuous", "calculated"},
    [GOS_FMU_DERIVATIVE] = {"local", "continuous", "calculated"},
    [GOS_FMU_INDICATOR] = {"local", "continuous", "calculated"},
};

/* version dependent: FMI 2 uses variable indices from 1 in lists, FMI 3 value references */
static void put_variable(FILE *out, const gos_fmu_description *d, int i) {
    const gos_fmu_variables *list = d->list;
    const gos_fmu_variable *v = &list->v[i];
    const attributes *a = &of_role[v->role];
    const bool two = d->version == 2;
    (void)fputs(two ? "    <ScalarVariable" : "    <Float64", out);
    put(out, "name", v->name);
    put_integer(out, "valueReference", i);
    if (v->doc) {
        put(out, "description", v->doc);
    }
    put(out, "causality", a->causality);
    put(out, "variability", v->tunable ? "tunable" : a->variability);
    if (a->initial) {
        put(out, "initial", a->initial);
    }
    if (two) {
        (void)fputs("><Real", out);
    }
    if (v->role == GOS_FMU_DERIVATIVE) {
        put_integer(out, "derivative", list->first[GOS_FMU_STATE] + v->index + two);
    }
    if (named(v->unit)) {
        put(out, "unit", v->unit);
    }
    if (v->role == GOS_FMU_PARAMETER || v->role == GOS_FMU_INPUT) {
        put_number(out, "start", v->start);
    }
    (void)fputs(two ? "/></ScalarVariable>\n" : "/>\n", out);
}

static void put_list(FILE *out, const gos_fmu_description *d, gos_fmu_role role, const char *two,
                     const char *three) {
    const int *first = d->list->first;
    for (int i = first[role]; i < first[role + 1]; i++) {
        (void)fprintf(out,
                      d->version == 2 ? "      <%s index=\"%d\"/>\n"
                                      : "    <%s valueReference=\"%d\"/>\n",
                      d->version == 2 ? two : three, i + (d->version == 2));
    }
}

/* FMI 2 wraps its lists, and omits empty ones */
static void put_wrapped(FILE *out, const gos_fmu_description *d, const char *wrap,
                        const char *three, const gos_fmu_role *role, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += gos__fmu_count(d->list, role[i]);
    }
    if (count > 0 && d->version == 2) {
        (void)fprintf(out, "    <%s>\n", wrap);
    }
    for (int i = 0; i < n; i++) {
        put_list(out, d, role[i], "Unknown", three);
    }
    if (count > 0 && d->version == 2) {
        (void)fprintf(out, "    </%s>\n", wrap);
    }
}

static void put_structure(FILE *out, const gos_fmu_description *d) {
    static const gos_fmu_role outputs[] = {GOS_FMU_OUTPUT}, derivatives[] = {GOS_FMU_DERIVATIVE},
                              initial[] = {GOS_FMU_OUTPUT, GOS_FMU_STATE, GOS_FMU_DERIVATIVE};
    (void)fputs("  <ModelStructure>\n", out);
    put_wrapped(out, d, "Outputs", "Output", outputs, 1);
    put_wrapped(out, d, "Derivatives", "ContinuousStateDerivative", derivatives, 1);
    put_wrapped(out, d, "InitialUnknowns", "InitialUnknown", initial, 3);
    if (d->version == 3) {
        put_list(out, d, GOS_FMU_INDICATOR, "", "EventIndicator");
    }
    (void)fputs("  </ModelStructure>\n", out);
}

void gos__fmu_describe(FILE *out, const gos_fmu_description *d) {
    put_head(out, d);
    put_kind(out, d);
    put_units(out, d->list);
    put_experiment(out, d);
    (void)fputs("  <ModelVariables>\n", out);
    for (int i = 0; i < d->list->n; i++) {
        put_variable(out, d, i);
    }
    (void)fputs("  </ModelVariables>\n", out);
    put_structure(out, d);
    (void)fputs("</fmiModelDescription>\n", out);
}
