/* Parameter sweeps: families of curves, and results as functions of a parameter. */

/** "n = 8, L = 1.2" */
function valuesText(run) {
    return data.parameters.map((name, i) => `${name} = ${run.values[i]}`).join(', ');
}

/** Is a parameter random? */
function isDrawn(index) {
    return data.spreads.length > 0 && data.spreads[0].values[index] === null;
}

/** Scale of a parameter: values as numbers, or as indices of its texts; range over runs with results. */
function scaleOf(index) {
    const some = data.runs.filter(run => run.probes || !run.failure);
    const runs = some.length ? some : data.runs;
    const texts = [...new Set(runs.map(run => run.values[index]))];
    const numeric = texts.every(text => text.trim() !== '' && Number.isFinite(Number(text)));
    const value = run => numeric ? Number(run.values[index]) : texts.indexOf(run.values[index]);
    const [lo, hi] = rangeOf(runs.map(value));
    const positive = numeric && lo > 0 && hi / lo > 50;
    const part = run => {
        const f = positive ? Math.log : x => x;
        return hi > lo ? (f(value(run)) - f(lo)) / (f(hi) - f(lo)) : 0;
    };
    return { name: data.parameters[index], value, part, lo, hi, texts, numeric, logarithmic: positive };
}

class Family {
    constructor(runs, times) {
        this.runs = runs; // those with results
        this.times = times;
        this.scale = scaleOf(0);
        this.plots = [];
    }

    colour(run) {
        return heatColour(this.scale.part(run));
    }

    /** One plot per probe: all runs, one component at a time. */
    curves(axis) {
        const probes = this.runs.length ? this.runs[0].probes : [];
        return probes.map(probe => {
            const series = this.runs.flatMap((run, i) => {
                const same = run.probes.find(p => p.name === probe.name && p.components.length === probe.components.length);
                return same ? same.curves.map((packed, c) => ({
                    group: c, name: valuesText(run), stroke: () => this.colour(run), curve: curve(packed, this.times[i])
                })) : [];
            });
            const plot = new Plot({
                title: probe.name, note: probe.quantity, axis, nearest: true, single: true,
                groups: probe.components.map((label, c) => ({ label, colour: 'plain', on: c === 0 })),
                panels: [{ label: probe.quantity, unit: probe.unit, height: 200, series }]
            });
            this.plots.push(plot);
            return plot.figure;
        });
    }

    /** Last, largest and least value of each probe against a parameter; one line for each combination of the others. */
    dependence(index) {
        const scale = scaleOf(index);
        const x = run => scale.logarithmic ? Math.log10(scale.value(run)) : scale.value(run);
        const range = rangeOf(this.runs.map(x));
        const pad = 0.04 * (range[1] - range[0]) || 1;
        const axis = new Axis(range[0] - pad, range[1] + pad, scale.name, '');
        axis.say = v => scale.logarithmic ? number(Math.pow(10, v), 4) : scale.numeric ? number(v, 5) : scale.texts[Math.round(v)];
        axis.tick = scale.logarithmic ? v => Number.isInteger(v) ? power(v) : null
            : scale.numeric ? null : v => Number.isInteger(v) ? scale.texts[v] || null : null;
        const probes = this.runs.length ? this.runs[0].probes : [];
        return probes.map(probe => {
            const plot = new Plot({
                title: probe.name, note: `${probe.quantity} against ${scale.name}`, axis, nearest: true, single: true,
                groups: probe.components.map((label, c) => ({ label, colour: 'plain', on: c === 0 })),
                styles: ['last', 'largest', 'least'].map(label => ({ label, style: 'line' })),
                panels: [{ label: probe.quantity, unit: probe.unit, height: 180, series: this.against(index, probe, x) }]
            });
            return plot.figure;
        });
    }

    /** Groups of runs that differ in one parameter only, sorted by it. */
    linesOf(index, x) {
        const lines = new Map();
        this.runs.forEach((run, i) => {
            const others = data.parameters.map((name, k) => k === index ? '' : `${name} = ${run.values[k]}`).filter(Boolean).join(', ');
            lines.set(others, [...(lines.get(others) || []), { run, x: x(run), time: this.times[i] }]);
        });
        return [...lines].map(([name, list]) => [name || data.parameters[index], list.sort((a, b) => a.x - b.x)]);
    }

    against(index, probe, x) {
        const kinds = [v => v[v.length - 1], v => rangeOf(v)[1], v => rangeOf(v)[0]];
        const other = data.parameters.length > 1 ? scaleOf(index === 0 ? 1 : 0) : null;
        return this.linesOf(index, x).flatMap(([name, list]) => probe.components.flatMap((_, c) => kinds.map((pick, style) => ({
            group: c, style, dots: true, name, stroke: () => other ? heatColour(other.part(list[0].run)) : styleColour('--accent'),
            curve: once(() => {
                const values = list.map(({ run, time }) => {
                    const same = run.probes.find(p => p.name === probe.name && p.components.length === probe.components.length);
                    return same ? pick(curve(same.curves[c], time)().v) : NaN;
                });
                return { t: list.map(point => point.x), v: values };
            })
        }))));
    }

    /** Colour legend of the curves, with choice of the parameter. */
    legend() {
        const bar = el('div', { class: 'legend wide' });
        const show = () => bar.replaceChildren(el('span', {}, `${this.scale.name}${this.scale.logarithmic ? ' (logarithmic)' : ''}`),
            el('i', { style: `background:${heatGradient()}` }),
            el('span', { class: 'ends' }, this.scale.numeric ? [el('b', {}, number(this.scale.lo, 4)), el('b', {}, number(this.scale.hi, 4))] : [el('b', {}, this.scale.texts[0]), el('b', {}, this.scale.texts[this.scale.texts.length - 1])]));
        const change = name => {
            this.scale = scaleOf(data.parameters.indexOf(name));
            show();
            this.plots.forEach(plot => plot.invalidate());
        };
        show();
        onTheme.push(() => {
            show();
            this.plots.forEach(plot => plot.invalidate());
        });
        return el('div', { class: 'card row' }, bar, data.parameters.length > 1 && choice('Colour', data.parameters.map(p => [p, p]), this.scale.name, change));
    }
}

/** Table of all runs, sortable by column. */
function runsTable(runs) {
    const numeric = text => text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    const columns = [
        { name: 'Run', value: (run, i) => i + 1 },
        ...data.parameters.map((name, k) => ({ name, value: run => numeric(run.values[k]), text: run => typeof numeric(run.values[k]) === 'number' ? number(numeric(run.values[k]), 6) : run.values[k] })),
        { name: 'Steps', value: run => run.statistics ? run.statistics.steps : NaN, text: run => run.statistics ? whole(run.statistics.steps) : '\u2013' },
        { name: 'Solved in', value: run => run.statistics ? run.statistics.time_total : NaN, text: run => duration(run.statistics ? run.statistics.time_total : NaN) },
        { name: 'Wall time', value: run => run.wall === null ? NaN : run.wall, text: run => duration(run.wall === null ? NaN : run.wall) },
        { name: 'Status', value: run => run.failure || 'complete', text: run => run.failure ? el('span', { class: 'failed' }, run.failure) : 'complete' }
    ];
    const rows = runs.map((run, i) => columns.map(column => ({ value: column.value(run, i), text: column.text ? column.text(run) : String(column.value(run, i)) })));
    const body = el('tbody');
    let sorted = 0, down = false;
    const heads = columns.map((column, k) => el('th', { scope: 'col' }, el('button', {
        type: 'button', onclick: () => {
            down = sorted === k ? !down : false;
            sorted = k;
            show();
        }
    }, column.name)));
    const compare = (a, b) => {
        const [x, y] = [a[sorted].value, b[sorted].value];
        const order = typeof x === 'number' && typeof y === 'number' ? (Number.isNaN(x) - Number.isNaN(y)) || x - y : String(x).localeCompare(String(y));
        return down ? -order : order;
    };
    const show = () => {
        heads.forEach((head, k) => head.setAttribute('aria-sort', k !== sorted ? 'none' : down ? 'descending' : 'ascending'));
        body.replaceChildren(...[...rows].sort(compare).map(row => el('tr', {}, row.map((cell, i) => el(i ? 'td' : 'th', {}, cell.text)))));
    };
    show();
    return el('div', { class: 'scroll', tabindex: '0' }, el('table', { class: 'numbers sortable' }, el('thead', {}, el('tr', {}, heads)), body));
}

function familyCards(runs) {
    const failed = runs.filter(run => run.failure).length;
    const walls = runs.map(run => run.wall).filter(w => w > 0);
    return el('div', { class: 'cards' },
        card('Runs', whole(runs.length), failed ? `${whole(failed)} failed` : 'all complete', failed ? 'bad' : ''),
        data.parameters.map((name, k) => {
            const scale = scaleOf(k);
            return card(name, scale.numeric ? `${number(scale.lo, 4)} \u2026 ${number(scale.hi, 4)}` : scale.texts.join(', '), isDrawn(k) ? 'random' : `${whole(scale.texts.length)} values`);
        }),
        walls.length > 0 && card('Wall time', duration(walls.reduce((a, b) => a + b, 0)), 'sum of all runs'));
}
