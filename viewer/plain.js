/* Parts of the pages without animation: designs, models, responses. */

/** A number as printf's %g with this many digits. */
function general(x, digits = 6) {
    if (!Number.isFinite(x)) {
        return '\u2013';
    }
    const [mantissa, power10] = x.toExponential(digits - 1).split('e');
    const exponent = Number(power10), plain = exponent >= -4 && exponent < digits;
    const text = plain ? x.toFixed(digits - 1 - exponent) : mantissa;
    const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
    return plain ? short : `${short}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Titles and footer. */
function openPage(kind, title, ...more) {
    document.getElementById('nav').remove();
    fill(document.getElementById('head'), {}, [el('p', { class: 'over-title' }, kind), el('h1', {}, title), more]);
    document.getElementById('foot').append(el('p', {}, `Made by ${data.program}. This page is complete in itself: it loads nothing and works offline.`));
    return document.getElementById('main');
}

/** data-drawn: everything drawn (used by tests). */
function closePage() {
    document.documentElement.dataset.ready = document.documentElement.dataset.drawn = performance.now().toFixed(0);
}

/* The following pages are titled, with sections below each other. */

function plainSection(title, ...content) {
    return el('section', {}, el('h2', {}, title), content);
}

/** Messages, one per line. */
function warningsOf(text) {
    return text.split('\n').filter(Boolean).map(line => el('p', { class: line.startsWith('note:') ? 'note' : 'banner' }, line));
}

/** An SVG text made by the program. */
function drawing(text) {
    const holder = el('template');
    holder.innerHTML = text;
    return holder.content;
}

function figureOf(picture, caption) {
    return el('figure', {}, drawing(picture.svg), el('figcaption', {}, caption));
}

function modesSection() {
    return data.modes && plainSection('Modes', el('p', {}, 'Lowest modes; grey: at rest. Colours show the displacement from one side to the other.'),
        el('div', { class: 'modes' }, data.modes.map(mode => figureOf(mode, mode.name))));
}
