/* Shared functions of the viewer: data, elements, packed numbers, colours. Texts of a model are inserted as text
   nodes and attributes only, never as HTML. */

const data = JSON.parse(document.getElementById('data').textContent);

/** The name of a unit of SI in the units of the model. */
function unitName(si) {
    const run = data.runs && data.runs.find(one => one.units);
    return run && run.units[si] || si;
}

/* ---- elements ---- */

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith('on')) {
            node.addEventListener(name.slice(2), value);
        } else if (value !== false && value !== null && value !== undefined) {
            node.setAttribute(name, value === true ? '' : value);
        }
    }
    for (const child of children.flat(Infinity)) {
        if (child !== null && child !== undefined && child !== false) {
            node.append(child);
        }
    }
    return node;
}

/** An HTML element; attributes `onNAME` are event listeners. */
function el(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
function svg(tag, attributes, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

let lastId = 0;
function newId(stem) {
    return `${stem}${++lastId}`;
}

/** A toggle button; change(on) is called. */
function toggle(label, on, change, attributes) {
    const button = el('button', { type: 'button', class: 'chip', ...attributes, 'aria-pressed': String(on) }, label);
    button.addEventListener('click', () => {
        on = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(on));
        change(on);
    });
    return button;
}

/** A selection list: entries are [value, label]; change(value) is called. */
function choice(label, entries, value, change) {
    const select = el('select', { 'aria-label': label, onchange: () => change(select.value) },
        entries.map(([v, text]) => el('option', { value: v, selected: v === value }, text)));
    return el('label', { class: 'choice' }, el('span', {}, label), select);
}

/* ---- packed numbers ---- */

function bytes(base64) {
    const text = atob(base64);
    const out = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) {
        out[i] = text.charCodeAt(i);
    }
    return out;
}

/** {middle, floats}: numbers stored relative to the middle of their range. */
function floats(packed) {
    const raw = new Float32Array(bytes(packed.floats).buffer);
    return Float64Array.from(raw, x => packed.middle + x);
}

function ints(packed) {
    return new Int32Array(bytes(packed).buffer);
}

/** {range, parts}: 16-bit fractions of the range of each column; 65535: not finite. */
function parts(packed, width) {
    const codes = new Uint16Array(bytes(packed.parts).buffer);
    const low = [], step = [];
    for (let c = 0; c < width; c++) {
        low.push(packed.range[2 * c]);
        step.push((packed.range[2 * c + 1] - packed.range[2 * c]) / 65534);
    }
    return {
        codes, low, step,
        at: (i, c) => codes[i] === 65535 ? NaN : low[c] + step[c] * codes[i],
        range: packed.range
    };
}

/** A curve {t, v}, unpacked at the first call; `time`: shared times of its group. */
function curve(packed, time) {
    let ready = null;
    return () => {
        ready = ready || { t: packed.t ? floats(packed.t) : time(), v: floats(packed.v) };
        return ready;
    };
}

/** Call draw after the size of a node has changed, outside of the browser's layout. */
function onResize(node, draw) {
    new ResizeObserver(() => requestAnimationFrame(draw)).observe(node);
}

/** Lazy evaluation: make() is called once. */
function once(make) {
    let made = false, value;
    return () => {
        if (!made) {
            value = make();
            made = true;
        }
        return value;
    };
}

/* ---- colours ---- */

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');

/* from cold to hot; lighter colours for dark pages */
const heatStops = {
    light: [[13, 8, 135], [83, 2, 163], [139, 10, 165], [184, 50, 137], [219, 92, 104], [244, 136, 73], [254, 189, 42]],
    dark: [[99, 102, 241], [147, 82, 226], [190, 76, 196], [222, 84, 154], [242, 108, 112], [251, 155, 76], [253, 211, 77]]
};

function heatColour(s) {
    const stops = dark.matches ? heatStops.dark : heatStops.light;
    const at = Math.min(1, Math.max(0, s || 0)) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(at));
    const mixed = stops[i].map((a, k) => Math.round(a + (at - i) * (stops[i + 1][k] - a)));
    return `rgb(${mixed.join(',')})`;
}

/** Colour from a cached table of 201 levels. */
let heatTable = null;
function heatLevel(s) {
    heatTable = heatTable || Array.from({ length: 201 }, (_, i) => heatColour(i / 200));
    return heatTable[Math.round(200 * Math.min(1, Math.max(0, s || 0)))];
}

function heatGradient() {
    return `linear-gradient(90deg, ${Array.from({ length: 13 }, (_, i) => heatColour(i / 12)).join(', ')})`;
}

/** A colour variable of the style sheet. */
function styleColour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/* redrawn when the colour scheme of the page changes */
const onTheme = [];
dark.addEventListener('change', () => {
    heatTable = null;
    onTheme.forEach(draw => draw());
});

/* ---- runs ---- */

/** Label the runs: full and reduced, or by file names. */
function labelRuns(runs) {
    const kinds = runs.map(run => run.sizes && run.sizes.reduced ? 'reduced' : 'full');
    const different = new Set(kinds).size === runs.length;
    runs.forEach((run, i) => { run.label = different || runs.length === 1 ? kinds[i] : (run.file || `run ${i + 1}`).replace(/\.h5$/, ''); });
}
