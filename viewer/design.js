/* Page of a controller design: evaluation, time histories, inputs, poles, spillover, plant errors, modes. */

const openColour = 'var(--ghost)', ownColour = 'var(--s2)', richColour = 'var(--s3)';
const inputColours = ['var(--s2)', 'var(--s3)', 'var(--s0)', 'var(--s1)'];
const lessDamping = 0.01; // smallest reported loss of damping ratio
const report = data.report;

function frequencyOf(pole) {
    return Math.hypot(...pole) / (2 * Math.PI);
}

function ratioOf(pole) {
    const size = Math.hypot(...pole);
    return size > 0 ? -pole[0] / size : 0;
}

/** An unstable pole is marked. */
function poleClass(pole) {
    return pole[0] < 0 ? null : 'unstable';
}

/* ---- numbers ---- */

function normOf() {
    const norm = `${general(report.norm, 4)} at ${general(report.norm_omega / (2 * Math.PI), 4)} Hz`;
    return report.norm_open > 0 ? `${norm}, without control ${general(report.norm_open, 4)}` : `${norm}; unstable without control`;
}

function marginsOf() {
    const g = report.gain_margin === null ? Infinity : report.gain_margin;
    return `${general(report.disk, 4)}: factors of ${general(g > 0 ? 1 / g : 0, 4)} to ${Number.isFinite(g) ? general(g, 4) : 'inf'}, phase ${general(report.phase_margin * 180 / Math.PI, 4)} degrees`;
}

function scientific(x) {
    return x === null ? '\u2013' : x.toExponential(1).replace(/e([+-])(\d)$/, 'e$10$2');
}

function overview() {
    const own = report.abscissa < 0, rich = report.plant_abscissa < 0, law = data.law;
    const state = !own ? 'unstable with the design plant'
        : !rich ? 'stable with the design plant, UNSTABLE with the plant with more modes' : 'stable with the design plant and with the plant with more modes';
    const rows = [
        ['modes', `${report.modes} in the design model, ${report.rigid} of them rigid; evaluated with ${report.plant_modes}`],
        ['controller', law ? `${law.states} states, ${law.signals} signals, ${law.inputs} inputs, ${report.period > 0 ? 'sampled' : 'continuous'}`
            : `state gain only, ${report.inputs} inputs: the signals do not determine the states, so it cannot be simulated`],
        report.period > 0 && ['period', `${general(report.period)} s`],
        ['weight factor', `k_Q = ${general(report.k_Q)}`],
        report.choose_k_Q > 0 && ['chosen', `${report.inputs} of ${report.candidates} inputs, with k_Q = ${general(report.choose_k_Q)} for all of them`],
        ['largest real part', `${general(report.abscissa, 4)} 1/s with the design plant, ${general(report.plant_abscissa, 4)} 1/s with the plant with more modes`],
        ['smallest damping ratio', `${general(report.damping, 4)} with the design plant, ${general(report.plant_damping, 4)} with the plant with more modes`],
        ['H-infinity norm', normOf()],
        ['disk margin at all inputs', marginsOf()],
        ['sensitivity', `largest singular value ${general(report.sensitivity, 4)}`],
        ['residuals', `${scientific(report.residual)} of the regulator equation, ${scientific(report.observer_residual)} of the observer equation`]
    ].filter(Boolean);
    return [el('p', {}, el('span', { class: `state ${own && rich ? 'good' : 'poor'}` }, state)), warningsOf(data.warnings),
        el('table', { class: 'facts' }, rows.map(row => el('tr', {}, row.map(text => el('td', {}, text)))))];
}

/* ---- time histories ---- */

/** [low, high] of the output or its acceleration. */
function bandOf(history, accelerations) {
    return (accelerations ? [history.acceleration_low, history.acceleration_high] : [history.low, history.high]).map(floats);
}

function widenBy(axis, [low, high]) {
    low.forEach((v, k) => {
        axis.lo = Math.min(axis.lo, v);
        axis.hi = Math.max(axis.hi, high[k]);
    });
}

function outputChart(free, closed, accelerations) {
    const y = { lo: 0, hi: 0, name: `${accelerations ? 'acceleration of ' : ''}${closed.output} [${accelerations ? closed.acceleration_unit : closed.unit}]` };
    const x = { lo: 0, hi: 0, name: 'time [s]' };
    // the smaller one on top
    const order = (free && free.peak < closed.peak ? [closed, free] : [free, closed]).filter(Boolean);
    const drawn = order.map(history => ({ history, time: floats(history.time), band: bandOf(history, accelerations) }));
    for (const { history, time, band } of drawn) {
        x.hi = Math.max(x.hi, time[time.length - 1]);
        if (!history.failure) { // without diverging time histories
            widenBy(y, band);
        }
    }
    widenAxis(y);
    const chart = new Chart(210, x, y);
    drawn.forEach(d => chart.spans(d.time, ...d.band, { class: 'curve', stroke: d.history === free ? openColour : ownColour }));
    return chart.svg;
}

function inputsChart(history) {
    const limited = Number.isFinite(history.limit), time = floats(history.time);
    const bands = history.inputs.map(input => [floats(input.low), floats(input.high)]);
    const y = { lo: 0, hi: 0, name: `inputs [${history.input_unit}]${limited ? ', dashed: their limit' : ''}` };
    bands.forEach(band => widenBy(y, band));
    if (limited && y.hi > 0.5 * history.limit) {
        y.hi = history.limit;
    }
    if (limited && y.lo < -0.5 * history.limit) {
        y.lo = -history.limit;
    }
    widenAxis(y);
    const chart = new Chart(160, { lo: 0, hi: time[time.length - 1], name: 'time [s]' }, y);
    bands.map((band, i) => () => chart.spans(time, ...band, { class: 'curve', stroke: inputColours[i] })).reverse().forEach(draw => draw());
    if (limited) {
        [-1, 1].forEach(sign => chart.level(sign * history.limit, { stroke: 'var(--soft)', 'stroke-dasharray': '6 4', fill: 'none' }));
    }
    return [chartKey(...history.inputs.map((input, i) => [inputColours[i], input.name])), chart.svg];
}

function historyLine(history) {
    const unit = history.acceleration_low ? history.acceleration_unit : history.unit;
    const command = history.closed ? `; largest command ${general(history.command, 4)} ${history.input_unit}` : '';
    const saturated = history.closed && Number.isFinite(history.limit) ? `, an input saturated for ${general(100 * history.clipped, 3)} % of the time` : '';
    return el('li', {}, `${history.closed ? 'with control' : 'without control'}: `, history.failure ||
        `${history.acceleration_low ? 'acceleration' : 'output'} RMS ${general(history.rms, 4)} ${unit}, peak ${general(history.peak, 4)} ${unit}${command}${saturated}`);
}

function plantHistories(plant) {
    const [free, closed] = [false, true].map(controlled => data.histories.find(h => h.plant === plant && h.closed === controlled && h.intervals > 0));
    const both = closed && closed.acceleration_low && (!free || free.acceleration_low);
    return [el('h3', {}, `Plant of ${plant ? report.plant_modes : report.modes} modes${plant ? '' : ', as in the design'}`),
        el('ul', {}, [free, closed].filter(Boolean).map(historyLine)),
        closed && closed.intervals > 1 && [both && outputChart(free, closed, true), outputChart(free, closed, false), closed.inputs.length > 0 && inputsChart(closed)]];
}

function historiesSection() {
    const title = 'Time histories under the disturbance';
    if (data.no_histories) {
        return plainSection(title, el('p', {}, `None: ${data.no_histories}.`));
    }
    return data.histories.length > 0 && plainSection(title, el('p', {},
        `Linear plants with saturated inputs, starting from rest. RMS and peaks are evaluated from ${general(data.histories[0].from, 4)} s, after the disturbance (${data.histories[0].disturbance}). Inputs that are equal up to sign are shown once.`),
    chartKey([openColour, 'without control'], [ownColour, 'with control']), plantHistories(false), report.plant_modes !== report.modes && plantHistories(true));
}

/* ---- inputs ---- */

function patchMap() {
    return data.map && [el('p', {}, `Patches by the norms of their rows of the gain${report.choose_k_Q > 0 ? ', with all patches driven' : ''}; driven patches have a border.`),
        el('div', { class: 'map' }, data.map.sides.map(side => figureOf(side, `${side.faces}: ${side.patches} patches, ${side.driven} driven`)), drawing(data.map.bar))];
}

function inputsSection() {
    const most = data.inputs.length > 0 ? data.inputs[0].importance : 0, more = data.candidates - data.inputs.length;
    return plainSection('Inputs', patchMap(), el('details', { open: data.candidates <= 12 }, el('summary', {}, 'By the norms of their rows of the gain'),
        el('table', {}, el('tr', {}, ['input', 'norm', '', ''].map(text => el('th', {}, text))), data.inputs.map(input => el('tr', {}, el('td', {}, input.name),
            el('td', {}, general(input.importance, 5)),
            el('td', {}, svg('svg', { width: 160, height: 10 }, svg('rect', { width: (most > 0 ? 160 * input.importance / most : 0).toFixed(1), height: 10, class: 'part-of' }))),
            el('td', {}, input.chosen ? 'drives' : '')))),
        more > 0 && el('p', {}, `and ${more} more`)));
}

/* ---- poles ---- */

function polesSection() {
    const shown = 400, points = poles => poles.slice(0, shown).map(pole => [frequencyOf(pole), ratioOf(pole)]);
    const x = { scale: 'log', lo: Infinity, hi: 0, name: 'frequency |s| / (2 pi) [Hz]' };
    const y = { lo: Math.min(-0.01, 1.1 * Math.min(report.damping, report.plant_damping)), hi: 0.05, name: 'damping ratio [-], below 0: unstable' };
    for (const pole of [...data.poles, ...data.plant_poles]) {
        const f = frequencyOf(pole);
        if (f > 0 && Number.isFinite(f)) {
            x.lo = Math.min(x.lo, f);
            x.hi = Math.max(x.hi, f);
            y.hi = Math.max(y.hi, ratioOf(pole));
        }
    }
    y.hi = Math.min(1.05, 1.15 * y.hi);
    if (!(x.hi >= x.lo)) {
        return null;
    }
    x.lo = Math.max(x.lo / 1.3, x.hi * 1e-6);
    x.hi *= 1.3;
    const chart = new Chart(300, x, y);
    chart.shade(0, -1);
    [[data.open_poles, 12, openColour], [data.plant_poles, 8, richColour], [data.poles, 4.5, ownColour]].forEach(([poles, width, colour]) =>
        chart.dots(points(poles).filter(([f]) => f >= x.lo && Number.isFinite(f)), width, colour)); // without rigid modes
    return plainSection('Poles', chartKey([openColour, 'without control'], [ownColour, 'with control, design plant'],
        [richColour, `with control, plant of ${report.plant_modes} modes`]), chart.svg);
}

function polesTable() {
    const shown = 60, lists = [data.open_poles, data.poles, data.plant_poles], n = Math.max(...lists.map(list => list.length));
    const cells = pole => pole ? [general(frequencyOf(pole), 5), general(ratioOf(pole), 3)].map(text => el('td', { class: poleClass(pole) }, text)) : [el('td'), el('td')];
    return el('details', {}, el('summary', {}, 'Table of poles'), el('div', { class: 'scroll' }, el('table', {},
        el('tr', {}, el('th'), ['without control', 'own modes', `plant of ${report.plant_modes} modes`].map(text => el('th', { colspan: 2 }, text))),
        el('tr', {}, el('th'), lists.map(() => [el('th', {}, 'Hz'), el('th', {}, 'ratio')])),
        Array.from({ length: Math.min(n, shown) }, (_, i) => el('tr', {}, el('td', {}, String(i + 1)), lists.map(list => cells(list[i])))))),
    n > shown && el('p', {}, `and ${n - shown} more; see `, el('code', {}, 'gossamer info --json')));
}

/** Modes outside the design model show the spillover. */
function spilloverSection() {
    const known = report.modes - report.rigid, all = data.plant_modes, outside = all.slice(known);
    const unstable = outside.filter(mode => poleClass(mode.pole)).length;
    const weaker = outside.filter(mode => Math.hypot(...mode.pole) > 0 && ratioOf(mode.pole) < mode.damping * (1 - lessDamping)).length;
    const heads = ['mode', 'Hz', 'damping ratio without control', 'with control, of the pole with its largest participation', 'participation', ''];
    const row = (mode, i) => el('tr', {}, el('td', {}, String(i + 1)), el('td', {}, general(mode.omega / (2 * Math.PI), 5)), el('td', {}, general(mode.damping, 3)),
        el('td', { class: poleClass(mode.pole) }, general(ratioOf(mode.pole), 3)), el('td', {}, mode.share === null ? '\u2013' : mode.share.toFixed(2)),
        el('td', {}, `${i < known ? '' : 'not in the design model'}${poleClass(mode.pole) ? ', destabilised' : ''}`));
    return all.length > 0 && plainSection('Spillover', el('p', {}, all.length > known
        ? `Of ${all.length - known} modes outside the design model, ${weaker} have less damping with the controller than without, ${unstable} of them unstable.`
        : 'The design model contains all modes of the plant.'),
    el('details', { open: unstable > 0 || all.length <= 30 }, el('summary', {}, 'Mode by mode'), el('div', { class: 'scroll' },
        el('table', {}, el('tr', {}, heads.map(text => el('th', {}, text))), all.map(row)))));
}

/* ---- errors ---- */

function errorsChart(kind) {
    const errors = data.errors.filter(e => e.kind === kind);
    const finite = errors.filter(e => Number.isFinite(e.abscissa) && Number.isFinite(e.plant_abscissa));
    const values = finite.flatMap(e => [e.abscissa, e.plant_abscissa]), parts = finite.map(e => 100 * e.error);
    if (finite.length === 0) {
        return null;
    }
    const x = { lo: Math.min(0, ...parts), hi: Math.max(0, ...parts), name: 'plant error [%]' };
    const lo = Math.min(0, ...values), hi = Math.max(0, ...values), most = Math.max(hi, -lo), least = Math.min(...values.map(Math.abs));
    const small = Math.pow(10, Math.floor(Math.log10(Math.min(most, Math.max(least, most * 1e-4)))));
    const y = { scale: 'symlog', small, lo: Math.min(1.5 * lo, -2 * small), hi: Math.max(1.5 * hi, 2 * small), name: 'largest real part of the closed loop [1/s], above 0: unstable' };
    widenAxis(x);
    const chart = new Chart(190, x, y);
    const points = key => errors.map(e => [100 * e.error, e[key] === null ? Infinity : e[key]]).sort((a, b) => a[0] - b[0]);
    chart.shade(0, 1);
    [['plant_abscissa', richColour, 7], ['abscissa', ownColour, 5]].forEach(([key, stroke, width]) => {
        chart.curve(points(key), { class: 'curve', stroke });
        chart.dots(points(key), width, stroke);
    });
    return [el('h3', {}, `Errors of the ${kind}`), chart.svg];
}

function errorsSection() {
    return data.errors.length > 0 && plainSection('Effects of plant errors', el('p', {},
        "One parameter of the plant at a time differs from the controller's model: the feedthrough from inputs to signals (capacitance of electrodes that are driven and measured), the gain of all inputs, or all frequencies."),
    chartKey([ownColour, 'own modes'], [richColour, `plant of ${report.plant_modes} modes`]), data.error_kinds.map(errorsChart));
}

const main = openPage(data.model ? `Design for ${data.model}` : 'Design', data.title);
main.className = 'plain-page';
fill(main, {}, [overview(), historiesSection(), inputsSection(), polesSection(), polesTable(), spilloverSection(), errorsSection(), modesSection()]);
closePage();
