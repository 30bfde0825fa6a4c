/* Page of frequency responses: magnitude and phase of each pair of output and input; files are overlaid. */

const responseWidth = 560, responseLeft = 56, responseRight = 14; // [px]
const labelDistance = 46; // smallest distance of frequency labels [px]

function spanOfFrequencies() {
    const span = data.high > 0 ? [Math.log10(data.low), Math.log10(data.high)] : [0, 1];
    return span[1] - span[0] < 0.1 ? [span[0] - 0.5, span[1] + 0.5] : span; // a decade around a single frequency
}

const decades = spanOfFrequencies();
const frequencies = data.files.map(file => floats(file.frequency)); // decimal logarithms of Hz

function frequencyAt(v) {
    return responseLeft + (v - decades[0]) / (decades[1] - decades[0]) * (responseWidth - responseLeft - responseRight);
}

function heightAt(axis, v) {
    return axis.bottom - (v - axis.lo) / (axis.hi - axis.lo) * (axis.bottom - axis.top);
}

function label(x, y, anchor, kind, text) {
    return svg('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor, class: kind }, text);
}

/** Decades, with 2 and 5 if there are few; labels where they fit. */
function frequencyGrid(axis, labels) {
    const out = [], steps = decades[1] - decades[0] > 3 ? [1] : [1, 2, 5];
    let last = -Infinity;
    for (let e = Math.floor(decades[0]); e <= Math.ceil(decades[1]); e++) {
        for (const step of steps) {
            const f = Number(`${step}e${e}`), v = Math.log10(f);
            if (v < decades[0] - 1e-9 || v > decades[1] + 1e-9) {
                continue;
            }
            const x = frequencyAt(v);
            out.push(svg('path', { class: 'grid', d: `M${x.toFixed(1)} ${axis.top.toFixed(1)}V${axis.bottom.toFixed(1)}` }));
            if (labels && x - last >= labelDistance) {
                out.push(label(x, axis.bottom + 17, 'middle', 'tick', general(f)));
                last = x;
            }
        }
    }
    return labels ? [out, label(responseWidth - responseRight, axis.bottom + 36, 'end', 'axis-name', 'frequency [Hz]')] : out;
}

function levelGrid(axis, step, write, name) {
    return [multiples(axis.lo, axis.hi, step).map(v => {
        const y = heightAt(axis, v);
        return [svg('path', { class: 'grid', d: `M${responseLeft.toFixed(1)} ${y.toFixed(1)}H${(responseWidth - responseRight).toFixed(1)}` }),
            label(responseLeft - 8, y + 4, 'end', 'tick', write(v))];
    }), label(responseLeft, axis.top - 10, 'start', 'axis-name', name)];
}

function fileStyle(file) {
    return `curve ${file > 0 ? 'dash' : 'line'} s${file % 8}`;
}

/** With gaps at zeros and at jumps of more than `jump`. */
function responseCurve(axis, file, values, jump) {
    let path = '', before = NaN;
    values.forEach((v, k) => {
        const x = frequencies[file][k], good = Number.isFinite(v) && Number.isFinite(x);
        if (good) {
            path += `${Math.abs(v - before) <= jump ? 'L' : 'M'}${frequencyAt(x).toFixed(1)} ${heightAt(axis, v).toFixed(1)}`;
        }
        before = good ? v : NaN;
    });
    return svg('path', { class: fileStyle(file), d: path });
}

/** A name, with its role if it is both input and output. */
function portName(name, role) {
    const both = data.inputs.some(p => p.name === name) && data.outputs.some(p => p.name === name);
    return both ? `${name} (${role})` : name;
}

function pairPlot(pair, output, input) {
    const size = { lo: pair.low, hi: pair.high, top: 24, bottom: 244 }, phase = { lo: -180, hi: 180, top: 284, bottom: 400 };
    const id = newId('clip');
    return el('div', { class: 'scroll', tabindex: '0' }, svg('svg', { class: 'plot', viewBox: `0 0 ${responseWidth} 442`, role: 'img' },
        svg('clipPath', { id }, svg('rect', { x: responseLeft, y: 24, width: responseWidth - responseRight - responseLeft, height: 220 })),
        frequencyGrid(size, false),
        levelGrid(size, Math.ceil((size.hi - size.lo) / 8), power, `magnitude [${output.unit || '-'} / ${input.unit || '-'}]`),
        frequencyGrid(phase, true),
        levelGrid(phase, 90, v => minus(general(v)), 'phase [degrees]'),
        pair.curves.map(c => [svg('g', { 'clip-path': `url(#${id})` }, responseCurve(size, c.file, floats(c.decades), Infinity)),
            responseCurve(phase, c.file, floats(c.degrees), 180)])));
}

function pairFigure(pair, k) {
    const output = data.outputs[Math.floor(k / data.inputs.length)], input = data.inputs[k % data.inputs.length];
    return el('figure', { class: 'card figure' },
        el('figcaption', {}, el('h3', {}, `${portName(output.name, 'output')} / ${portName(input.name, 'input')}`)),
        pair.curves ? pairPlot(pair, output, input) : el('p', { class: 'note' }, 'There is no response.'));
}

function fileLine(file, i) {
    const other = Number.isFinite(file.difference) ? `, differs by at most ${general(file.difference, 3)} of the largest response` : '';
    const common = other && file.common !== null ? ` (at ${file.common} common frequencies)` : '';
    return el('p', { class: 'note' }, svg('svg', { width: 34, height: 10, class: 'key', 'aria-hidden': 'true' }, svg('path', { class: fileStyle(i), d: 'M1 5H33' })),
        ' ', el('b', {}, file.path), `: ${file.frequencies} frequencies, ${general(file.first)} to ${general(file.last)} Hz, ${file.inputs} inputs, ${file.outputs} outputs${other}${common}`);
}

openPage('Linear model', data.title, data.files.map(fileLine)).append(el('section', { class: 'part' },
    el('div', { class: 'plots' }, data.pairs.map(pairFigure)),
    data.omitted > 0 && el('p', { class: 'note' }, `${data.omitted} further pairs of outputs and inputs are omitted.`)));
closePage();
