/* Sections of the report page. */

/** The `description:` of a model text: plain, quoted or folded. */
function description(text) {
    const lines = (text || '').split('\n');
    const at = lines.findIndex(line => line.startsWith('description:'));
    if (at < 0) {
        return '';
    }
    let first = lines[at].slice('description:'.length).trim();
    const more = [];
    for (let i = at + 1; i < lines.length && /^\s+\S/.test(lines[i]); i++) {
        more.push(lines[i].trim());
    }
    if (/^[|>][-+\d]*$/.test(first)) {
        first = '';
    }
    const all = [first, ...more].join(' ').trim();
    const quoted = /^(["'])(.*)\1/.exec(all);
    return quoted ? quoted[2] : all.replace(/\s+#.*$/, '');
}

const sections = [];
function section(title, ...content) {
    const id = newId('section');
    sections.push([id, title]);
    document.getElementById('main').append(el('section', { id, class: 'part', 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title` }, title), content));
}

/* line styles of overlaid runs: the first is wide and pale */
const lineStyles = ['wide', 'line', 'dash', 'dots', 'fine'];

function stylesOf(runs) {
    return runs.length === 1 ? [{ label: runs[0].label, style: 'line' }]
        : runs.map((run, i) => ({ label: run.label, style: lineStyles[Math.min(i, lineStyles.length - 1)] }));
}

/** Should components be shown one at a time: different units, or ranges that differ by more than a factor of 12? */
function farApart(probe, time) {
    if (probe.unit.includes(', ')) {
        return true;
    }
    const sizes = probe.curves.map(packed => {
        const [lo, hi] = rangeOf(curve(packed, time)().v);
        return hi - lo;
    }).filter(size => size > 0);
    return probe.components[0] !== 'x' && Math.max(...sizes) > 12 * Math.min(...sizes);
}

/** A curve minus the initial value of the first run. */
function changeOf(plain, first) {
    return once(() => {
        const start = first().v[0], c = plain();
        return { t: c.t, v: Float64Array.from(c.v, x => x - start) };
    });
}

/** Do components differ much more than they change, so that the curves would look straight? */
function changeHidden(probe, time) {
    const ranges = probe.curves.map(packed => rangeOf(curve(packed, time)().v));
    const spread = Math.max(...ranges.map(r => r[1])) - Math.min(...ranges.map(r => r[0]));
    return Math.max(...ranges.map(r => r[1] - r[0])) < 0.1 * spread;
}

function probePlot(probe, runs, times, axis, differenceTimes) {
    let plot = null;
    const apart = farApart(probe, times[0]);
    const groups = probe.components.map((label, c) => ({ label: probe.components.length > 1 ? label : probe.name, colour: `s${c % 8}`, on: !apart || c === 0 }));
    const series = [], differences = [];
    runs.forEach((run, style) => {
        const same = run.probes.find(p => p.name === probe.name && p.components.length === probe.components.length && p.quantity === probe.quantity);
        if (!same) {
            return;
        }
        same.curves.forEach((packed, group) => {
            const plain = curve(packed, times[style]), changed = changeOf(plain, curve(probe.curves[group], times[0]));
            series.push({ group, style, curve: () => plot && plot.switched ? changed() : plain() });
        });
        (same.differences || []).forEach((packed, group) => differences.push({ group, style, curve: curve(packed, differenceTimes[style]) }));
    });
    const panels = [{ label: probe.quantity.replace(/_/g, ' '), unit: probe.unit, height: 190, series }];
    if (differences.length) {
        panels.push({ label: runs.length > 2 ? `minus ${runs[0].label}` : `${runs[1].label} minus ${runs[0].label}`, short: 'difference', unit: probe.unit, height: 84, series: differences });
    }
    const hidden = !apart && changeHidden(probe, times[0]);
    plot = new Plot({
        title: probe.name, note: probe.quantity.replace(/_/g, ' '), axis, groups, single: apart, styles: stylesOf(runs), panels,
        switch: hidden ? 'Change since the start' : null
    });
    return plot.figure;
}

/** Time history of the RMS over the nodes of the differences from the first run. */
function errorPlot(first, compared, axis) {
    const panels = [['position_history', 'position', unitName('m')], ['temperature_history', 'temperature', 'K']].map(([key, label, unit]) => ({
        label, unit, height: 120, series: compared.map((run, style) => run.comparison[key] && { group: 0, style, curve: curve(run.comparison[key]) }).filter(Boolean)
    })).filter(panel => panel.series.length);
    return panels.length > 0 && new Plot({
        title: 'Differences over time', note: `RMS over the nodes, from ${first.label}`, axis, panels, groups: [{ label: 'difference', colour: 's0' }],
        styles: compared.map((run, i) => ({ label: run.label, style: lineStyles[Math.min(i + 1, lineStyles.length - 1)] }))
    }).figure;
}

function balancePlot(kind, title, runs, times, axis) {
    const names = Object.keys(data[kind]);
    const withData = runs.filter(run => run.balance && run.balance[kind]);
    if (!withData.length) {
        return null;
    }
    const last = names.indexOf('balance');
    const groups = names.map((name, i) => ({ label: name.replace(/_/g, ' '), colour: i === last ? 'plain' : `s${i % 8}` }));
    const series = [], balance = [];
    runs.forEach((run, style) => run.balance && (run.balance[kind] || []).forEach((packed, group) => {
        const entry = { group, style, curve: curve(packed, times[style]) };
        (group === last ? balance : series).push(entry);
    }));
    const what = el('details', { class: 'meaning' }, el('summary', {}, 'Definitions'), el('dl', {}, names.map(name => [el('dt', {}, name.replace(/_/g, ' ')), el('dd', {}, data[kind][name])])));
    const plot = new Plot({
        title, axis, groups, styles: stylesOf(runs),
        panels: [{ label: title.toLowerCase(), unit: unitName('J'), height: 210, series }, { label: 'imbalance', short: 'imbalance', unit: unitName('J'), height: 84, series: balance }]
    });
    plot.figure.append(what);
    return plot.figure;
}

function head(title, text, run) {
    const facts = [run.program || data.program, data.runs.length > 1 && `${data.runs.length} runs`].filter(Boolean).join(' \u00b7 ');
    document.getElementById('head').append(el('p', { class: 'over-title' }, data.parameters.length ? 'Parameter sweep' : 'Simulation report'), el('h1', {}, title),
        description(text) && el('p', { class: 'lead' }, description(text)), el('p', { class: 'note' }, facts));
}

function finish() {
    document.getElementById('nav').append(el('div', {}, sections.map(([id, title]) => el('a', { href: `#${id}` }, title))));
    document.getElementById('foot').append(el('p', {}, `Made by ${data.program}. This page is self-contained and works offline.`));
}

function modelSection(runs) {
    const text = runs[0].text;
    section('Model and settings', el('div', { class: 'two' }, el('div', { class: 'card' }, sizesTable(runs)), el('div', { class: 'card' }, workTable(runs))),
        el('details', { class: 'card' }, el('summary', {}, 'Settings, versions, files'), optionsTable(runs)),
        runs.filter(run => run.text).map(run => el('details', { class: 'card' }, el('summary', {}, run === runs[0] ? 'Text of the model' : `Text of the model, ${run.label}`),
            el('pre', { class: 'text', tabindex: '0' }, run.text), run.text_cut && el('p', { class: 'hint' }, 'The rest is omitted.'))),
        runs.length > 1 && runs.slice(1).every(run => run.text === null) && text && el('p', { class: 'hint' }, 'All runs have the same model text.'));
}

/** Shared times of the curves of each run, unpacked at first use. */
function sharedTimes(runs, key) {
    return runs.map(run => once(() => {
        const packed = key === 'balance' ? run.balance.time : run[key];
        return packed ? floats(packed) : [];
    }));
}

function timeAxis(runs, times) {
    const lasts = runs.map(run => run.end);
    const firsts = runs.map((run, i) => (run.time ? times[i]()[0] : 0)).filter(Number.isFinite);
    return new Axis(Math.min(...firsts, 0), Math.max(...lasts), '', 's');
}

function pageOfRuns(runs) {
    labelRuns(runs);
    head(data.title, runs[0].text, runs[0]);
    const times = sharedTimes(runs, 'time'), differenceTimes = sharedTimes(runs, 'difference_time'), balanceTimes = sharedTimes(runs, 'balance');
    const axis = timeAxis(runs, times);
    const overTime = runs.some(run => run.rows > 1);
    const compared = runs.filter(run => run.comparison);
    section('Overview', banners(runs), compared.length === 1 ? cardsOfTwo(runs[0], compared[0]) : cardsOfOne(runs[0]));
    const shaped = runs.filter(run => run.frames);
    if (shaped.length && runs[0].frames) {
        const player = new Player(shaped, times[0], axis);
        axis.picked = player.moving ? t => {
            player.pause();
            player.seek(t);
        } : null;
        const seen = player.motions[0].chains.length + player.motions[0].faces.length > 0;
        section(player.moving ? 'Motion' : 'Shape', player.node, seen && player.moving && (player.motions[0].faces.length ? new Surfaces(player) : new Shapes(player)).node);
    }
    const reduced = shaped.filter(run => run.modes);
    if (reduced.length) {
        section('Modes', reduced.map(modesFigure));
    }
    const accuracy = compared.map(run => errorTable(runs[0], run));
    section(accuracy.length ? 'Accuracy and time' : 'Time', accuracy, overTime && errorPlot(runs[0], compared, axis), wallTimes(runs));
    if (overTime) {
        section('Probes', el('p', { class: 'hint' }, 'Drag across a plot to zoom all plots; double-click or press 0 for the whole time range. Click to move the animation to that time.'),
            el('div', { class: 'plots' }, runs[0].probes.map(probe => probePlot(probe, runs, times, axis, differenceTimes))),
            el('details', { class: 'card' }, el('summary', {}, 'Last and extreme values'), valuesTable(runs, times)));
        section('Energy and heat', el('div', { class: 'plots' }, balancePlot('energy', 'Energy', runs, balanceTimes, axis), balancePlot('heat', 'Heat', runs, balanceTimes, axis)));
    } else if (runs[0].probes.length) {
        section('Probes', el('div', { class: 'card' }, valuesTable(runs, times)));
    }
    modelSection(runs);
}

function pageOfFamily(all) {
    const runs = all.filter(run => run.probes);
    labelRuns(all);
    head(data.title, runs.length ? runs[0].text : '', runs[0] || {});
    section('Overview', familyCards(all));
    data.spreads.forEach(spread => {
        const of = data.parameters.map((name, i) => spread.values[i] === null ? '' : `${name} = ${spread.values[i]}`).filter(Boolean).join(', ');
        section(of ? `Spread at ${of}` : 'Spread', el('p', { class: 'hint' },
            `Quantiles of ${whole(spread.runs)} samples${spread.runs < spread.all ? ` (complete ones of ${whole(spread.all)})` : ''}: median, bands with 50 % and 90 % of the samples, mean (dashed).`),
        el('div', { class: 'plots' }, fans(spread)));
    });
    const table = runsTable(all);
    section('Runs', data.spreads.length ? el('details', { class: 'card' }, el('summary', {}, `All ${whole(all.length)} runs`), table) : el('div', { class: 'card' }, table));
    if (runs.length) {
        const times = sharedTimes(runs, 'time');
        const family = new Family(runs, times);
        if (runs.some(run => run.rows > 1)) {
            section('Curves', family.legend(), data.spreads.length > 0 && runs.length < all.length && el('p', { class: 'hint' }, `Curves of ${whole(runs.length)} runs.`), el('div', { class: 'plots' }, family.curves(timeAxis(runs, times))));
        }
        data.parameters.forEach((name, i) => scaleOf(i).texts.length > 1 &&
            section(`Against ${name}`, data.parameters.length > 1 && el('p', { class: 'hint' }, `One line for each combination of the other parameters. The colour shows ${data.parameters[i === 0 ? 1 : 0]}, from blue (least) to yellow (largest).`), el('div', { class: 'plots' }, family.dependence(i))));
        modelSection(runs.slice(0, 1));
    }
}

if (data.parameters.length) {
    pageOfFamily(data.runs);
} else {
    pageOfRuns(data.runs);
}
finish();
/* data-ready: first screen drawn; data-drawn: everything drawn (used by tests) */
requestAnimationFrame(() => {
    document.documentElement.dataset.ready = performance.now().toFixed(0);
    drawer.drawRest(() => { document.documentElement.dataset.drawn = performance.now().toFixed(0); });
});
