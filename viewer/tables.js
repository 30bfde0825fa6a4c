/* Tables and cards: sizes, errors, wall times, values of probes. */

/** A table; the first cell of each row is its header. */
function table(head, rows, attributes) {
    return el('div', { class: 'scroll', tabindex: '0' }, el('table', { class: 'numbers', ...attributes },
        el('thead', {}, el('tr', {}, head.map(text => el('th', { scope: 'col' }, text)))),
        el('tbody', {}, rows.map(row => el('tr', {}, row.map((cell, i) => i === 0 ? el('th', { scope: 'row' }, cell) : el('td', {}, cell)))))));
}

function card(name, value, note, tone) {
    return el('div', { class: `card fact ${tone || ''}` }, el('span', {}, name), el('b', {}, value), note && el('small', {}, note));
}

/** Relative error in per cent; "0" if error and scale are 0. */
function relative(error, scale) {
    return scale > 0 ? percent(error / scale) : error === 0 ? '0' : '\u2013';
}

/* ---- overview ---- */

/** The largest |balance| of a run and its scale. */
function balanceOf(run, kind) {
    const names = Object.keys(data[kind]);
    if (!run.balance || !run.balance[kind] || run.outputs < 2) {
        return null;
    }
    const values = run.balance[kind].map((packed, i) => ({ name: names[i], v: floats(packed.v) }));
    const most = v => v.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
    const balance = most(values.find(x => x.name === 'balance').v);
    const scale = Math.max(...values.filter(x => x.name !== 'balance').map(x => {
        const [lo, hi] = rangeOf(x.v);
        return x.name === 'gravity' ? hi - lo : Math.max(Math.abs(lo), Math.abs(hi));
    }));
    return { balance, scale };
}

function unknowns(run) {
    return run.sizes.coordinates + run.sizes.temperatures;
}

function unknownsNote(run) {
    const { coordinates, temperatures } = run.sizes;
    return temperatures ? `${whole(coordinates)} of displacement, ${whole(temperatures)} of temperature` : `${whole(coordinates)} of displacement`;
}

function balanceCards(run) {
    return [['energy', 'Energy balance'], ['heat', 'Heat balance']].map(([kind, name]) => {
        const b = balanceOf(run, kind);
        return b && b.scale > 0 && card(name, percent(b.balance / b.scale), `largest imbalance ${number(b.balance, 2)} ${unitName('J')} of ${number(b.scale, 3)} ${unitName('J')}`);
    });
}

function cardsOfOne(run) {
    const s = run.statistics;
    return el('div', { class: 'cards' },
        card('Unknowns', whole(unknowns(run)), unknownsNote(run)),
        run.end > 0 && card('Simulated', `${number(run.end, 4)} s`, `${whole(s.steps)} steps, ${whole(s.rejected)} rejected`),
        card('Solved in', duration(s.time_total), `preparation ${duration(s.time_setup)}`),
        balanceCards(run));
}

function cardsOfTwo(a, b) {
    const c = b.comparison;
    // total time includes preparation
    const before = c.time_a + c.setup_a, after = c.time_b + c.setup_b, ratio = before / after;
    const faster = ratio >= 1;
    return el('div', { class: 'cards' },
        c.position && card('Largest position error', relative(c.position.max, c.position.scale), `${number(c.position.max, 3)} ${unitName('m')} of ${number(c.position.scale, 3)} ${unitName('m')}, RMS of all nodes, at ${number(c.position.max_time, 3)} s`),
        c.temperature && card('Largest temperature error', relative(c.temperature.max, c.temperature.scale), `${number(c.temperature.max, 3)} K of ${number(c.temperature.scale, 3)} K, at ${number(c.temperature.max_time, 3)} s`),
        Number.isFinite(ratio) && card('Total time', `${number(faster ? ratio : 1 / ratio, 3)}\u2009\u00d7 ${faster ? 'faster' : 'slower'}`, `${duration(after)} against ${duration(before)}; solution alone ${duration(c.time_b)} against ${duration(c.time_a)}`, faster ? 'good' : ''),
        card('Unknowns', unknowns(a) === unknowns(b) ? whole(unknowns(a)) : `${whole(unknowns(a))} \u2192 ${whole(unknowns(b))}`, unknownsNote(b)),
        balanceCards(b)[0]);
}

/** Banners of incomplete runs and warnings. */
function banners(runs) {
    return runs.filter(run => run.status).flatMap(run => [
        !run.complete && el('p', { class: 'banner' }, el('b', {}, `${run.label}: ${run.status}`), run.status === 'running' ? ' when this report was made.' : `. Results up to ${number(run.end, 5)} s are shown.`),
        run.warning_count > 0 && el('details', { class: 'banner mild' }, el('summary', {}, `${run.label}: ${whole(run.warning_count)} ${run.warning_count === 1 ? 'warning' : 'warnings'}`), el('pre', {}, run.warnings))
    ]);
}

/* ---- sizes and settings ---- */

const sizeNames = [['bodies', 'Bodies'], ['joints', 'Joints'], ['loads', 'Loads'], ['heat', 'Heat entries'], ['nodes', 'Nodes'], ['elements', 'Elements'],
    ['points', 'Integration points'], ['coordinates', 'Displacement unknowns'], ['constraints', 'Constraints'], ['temperatures', 'Temperature unknowns'],
    ['temperature_constraints', 'Temperature constraints']];

function sizesTable(runs) {
    const rows = sizeNames.map(([key, name]) => [name, ...runs.map(run => whole(run.sizes[key]))]);
    rows.push(['Mass', ...runs.map(run => `${number(run.sizes.mass, 5)} ${unitName('kg')}`)], ['Largest extent', ...runs.map(run => `${number(run.sizes.extent, 5)} ${unitName('m')}`)]);
    return table(['Model', ...runs.map(run => run.label)], rows);
}

function workTable(runs) {
    const names = Object.keys(data.statistics).filter(key => !key.startsWith('time_'));
    const title = text => text[0].toUpperCase() + text.slice(1);
    const rows = names.map(key => [title(data.statistics[key]), ...runs.map(run => whole(run.statistics[key]))]);
    rows.push(['Steps stored', ...runs.map(run => whole(run.rows))], ['Output times', ...runs.map(run => whole(run.outputs))]);
    return table(['Work', ...runs.map(run => run.label)], rows);
}

/** "key: value" lines of each run, side by side. */
function optionsTable(runs) {
    const maps = runs.map(run => new Map(run.options.split('\n').filter(Boolean).map(line => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1).trim()];
    })));
    const keys = [...new Set(maps.flatMap(map => [...map.keys()]))];
    const value = text => text === undefined ? '\u2013' : text !== '' && Number.isFinite(Number(text)) ? number(Number(text), 6) : text;
    const rows = keys.map(key => [key.replace(/_/g, ' '), ...maps.map(map => value(map.get(key)))]);
    rows.push(['program', ...runs.map(run => run.program)], ['libraries', ...runs.map(run => run.libraries)], ['file', ...runs.map(run => run.file)], ['status', ...runs.map(run => run.status)]);
    return table(['Settings', ...runs.map(run => run.label)], rows, { class: 'numbers wrap' });
}

/* ---- errors ---- */

function errorRows(c) {
    const rows = [];
    const add = (name, unit, e) => rows.push([name, `${number(e.max, 4)} ${unit}`, relative(e.max, e.scale), `${number(e.rms, 4)} ${unit}`, relative(e.rms, e.scale), `${number(e.max_time, 4)} s`]);
    for (const [field, name, unit] of [[c.position, 'Position, RMS of the nodes', unitName('m')], [c.temperature, 'Temperature, RMS of the nodes', 'K']]) {
        if (field) {
            add(name, unit, field);
            rows.push([`\u2003worst node (${field.worst_node})`, `${number(field.worst, 4)} ${unit}`, relative(field.worst, field.scale), '', '', `${number(field.worst_time, 4)} s`]);
        }
    }
    for (const e of c.probes) {
        add(e.component ? `${e.name}.${e.component}` : e.name, e.unit, e);
    }
    return rows;
}

function errorTable(first, run) {
    const c = run.comparison;
    return el('div', { class: 'card' },
        el('h3', {}, `${run.label} against ${first.label}`, el('span', { class: 'note' }, `${number(c.from, 4)} to ${number(c.to, 4)} s`)),
        !c.position && el('p', { class: 'hint' }, 'The meshes differ: only probes are compared.'),
        table(['Error', 'Maximum', 'relative', 'RMS over time', 'relative', 'Maximum at'], errorRows(c)),
        el('p', { class: 'hint' }, 'Relative errors: positions by the largest extent, other values by the range of the first run.'));
}

/* ---- wall time ---- */

/** Phases of the wall time of a run: {name, seconds, colour}. */
function phases(run) {
    const s = run.statistics;
    const names = Object.keys(data.statistics).filter(key => key.startsWith('time_') && key !== 'time_total');
    const list = names.map(key => [key, data.statistics[key].replace(/^wall time of /, '').replace(/, s$/, ''), s[key] || 0]);
    const inside = list.filter(([key]) => key !== 'time_setup' && key !== 'time_output').reduce((sum, p) => sum + p[2], 0);
    const rest = ['rest', 'other', Math.max(0, s.time_total - inside)];
    list.splice(list.length - (names[names.length - 1] === 'time_output' ? 1 : 0), 0, rest);
    return list.map(([, name, seconds], i) => ({ name, seconds, colour: `f${i % 8}` }));
}

function wallTimes(runs) {
    const all = runs.map(run => ({ run, list: phases(run), sum: 0 }));
    all.forEach(x => { x.sum = x.list.reduce((sum, p) => sum + p.seconds, 0); });
    const longest = Math.max(...all.map(x => x.sum), 1e-12);
    const bars = all.map(({ run, list, sum }) => {
        const parts = list.filter(p => p.seconds > 0).map(p => el('i', { class: p.colour, title: `${p.name}: ${duration(p.seconds)}`, style: `flex-grow:${(p.seconds / sum).toFixed(5)}` }));
        const bar = el('div', { class: 'bar', role: 'img', 'aria-label': `${run.label}: ${list.map(p => `${p.name} ${duration(p.seconds)}`).join(', ')}` }, parts);
        return { node: el('div', { class: 'wall' }, el('b', {}, run.label), el('div', { class: 'track' }, bar), el('span', {}, duration(sum))), bar, part: sum / longest };
    });
    const stretch = on => bars.forEach(({ bar, part }) => { bar.style.width = `${(on ? 100 : Math.max(0.4, 100 * part)).toFixed(2)}%`; });
    stretch(false);
    return el('div', { class: 'card' },
        el('div', { class: 'row' }, el('h3', {}, 'Wall time'), runs.length > 1 && toggle('Full width each', false, stretch)),
        bars.map(b => b.node),
        table(['Phase', ...runs.map(run => run.label)], all[0].list.map((p, i) => [[el('i', { class: `swatch ${p.colour}` }), p.name], ...all.map(x => duration(x.list[i].seconds))])));
}

/* ---- values of probes ---- */

function valuesTable(runs, time) {
    const rows = [];
    runs[0].probes.forEach(probe => probe.components.forEach((component, c) => {
        const cells = runs.map((run, i) => {
            const same = run.probes.find(p => p.name === probe.name && p.components.length === probe.components.length);
            const v = same ? curve(same.curves[c], time[i])().v : [];
            const [lo, hi] = rangeOf(v);
            return v.length > 1 ? [number(v[v.length - 1], 5), number(lo, 5), number(hi, 5)] : [number(v[0], 6)];
        });
        rows.push([probe.components.length > 1 || component !== 'value' ? `${probe.name}.${component}` : probe.name, unitAt(probe.unit, c), ...cells.flat()]);
    }));
    const several = rows.length > 0 && rows[0].length > 2 + runs.length;
    const head = runs.flatMap(run => several ? [`${run.label}: last`, 'least', 'largest'] : [run.label]);
    return table(['Probe', 'unit', ...head], rows);
}
