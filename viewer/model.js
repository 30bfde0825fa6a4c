/* Page of a stored reduced or linear model. */

function numbersTable(title, rows, ...first) {
    return plainSection(title, el('table', { class: 'facts' }, first,
        rows.map(row => el('tr', {}, el('td', {}, row.name), el('td', {}, general(row.value)), el('td', { class: 'note' }, row.doc)))));
}

function reductionSection() {
    return [data.reduced && !data.predicted && el('p', { class: 'banner' }, 'The reduction error is unknown, because no comparison was made.'),
        data.reduction && numbersTable('Reduction', data.reduction, data.method && el('tr', {}, el('td', {}, 'method'), el('td', {}, data.method)))];
}

function listTable(title, heads, rows) {
    return rows.length > 0 && plainSection(title, el('table', {}, el('tr', {}, heads.map(text => el('th', {}, text))),
        rows.map((row, i) => el('tr', {}, [i + 1, ...row].map(text => el('td', {}, String(text)))))));
}

function portsSection(title, ports) {
    const more = ports.number === 0 ? 'none' : ports.number > ports.names.length ? ' and more' : '';
    return plainSection(title, el('p', {}, ports.names.join(', ') + more));
}

const noModes = data.reduced ? 'Modes are not drawn: the mesh is too large, or there are no vibration modes.' : 'A linear model has no mesh: its modes cannot be drawn.';
const main = openPage(data.reduced ? 'Reduced model' : 'Linear model', data.title);
main.className = 'plain-page';
fill(main, {}, [warningsOf(data.warnings), reductionSection(), numbersTable('Sizes', data.sizes),
    listTable('Frequencies', ['mode', 'Hz', ''], data.frequencies.map(mode => [general(mode.frequency), mode.name])),
    listTable('Slowest temperature fields', ['field', 'rate [1/s]', 'time constant [s]'], data.rates.map(rate => [general(rate), rate > 0 ? general(1 / rate) : ''])),
    data.inputs && [portsSection('Inputs', data.inputs), portsSection('Outputs', data.outputs)],
    data.modes ? modesSection() : el('p', {}, noModes)]);
closePage();
