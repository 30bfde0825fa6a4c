/* Number formatting, axis ticks, interpolation of curves. */

const superscript = { '-': '\u207b', 0: '\u2070', 1: '\u00b9', 2: '\u00b2', 3: '\u00b3', 4: '\u2074', 5: '\u2075', 6: '\u2076', 7: '\u2077', 8: '\u2078', 9: '\u2079' };

function power(exponent) {
    return '10' + Array.from(String(exponent), c => superscript[c]).join('');
}

function minus(text) {
    return text.replace('-', '\u2212');
}

/** The unit of component i of a probe: one unit for all, "m", or one each, "K, K/m". */
function unitAt(units, i) {
    const list = units.split(', ');
    return list[Math.min(i, list.length - 1)];
}

/** A number with n digits: 0.1234, 12340, 1.234 x 10^-5. */
function number(x, n = 4) {
    if (x === null || x === undefined || Number.isNaN(x)) {
        return '\u2013';
    }
    if (!Number.isFinite(x)) {
        return x > 0 ? '\u221e' : '\u2212\u221e';
    }
    if (x === 0) {
        return '0';
    }
    const exponent = Math.floor(Math.log10(Math.abs(x)));
    if (exponent < -3 || exponent > 5) {
        const [mantissa, e] = x.toExponential(n - 1).split('e');
        return minus(`${Number(mantissa)}\u2009\u00d7\u2009`) + power(Number(e));
    }
    return minus(String(Number(x.toPrecision(n))));
}

/** A whole number with thin spaces between thousands. */
function whole(x) {
    return Number.isFinite(x) ? minus(String(Math.round(x)).replace(/\B(?=(\d{3})+$)/g, '\u202f')) : '\u2013';
}

function percent(part) {
    return Number.isFinite(part) ? `${number(100 * part, 3)}\u2009%` : '\u2013';
}

/** Wall times: 12.3 ms, 4.5 s, 3 min 20 s. */
function duration(s) {
    if (!(s >= 0)) {
        return '\u2013';
    }
    if (s < 1e-3) {
        return `${number(s * 1e6, 3)} \u00b5s`;
    }
    if (s < 1) {
        return `${number(s * 1e3, 3)} ms`;
    }
    if (s < 120) {
        return `${number(s, 3)} s`;
    }
    if (s < 7200) {
        return `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s`;
    }
    return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
}

/** A round step that divides a span into at most n parts. */
function roundStep(span, n) {
    if (!(span > 0) || !Number.isFinite(span)) {
        return 1;
    }
    const unit = Math.pow(10, Math.floor(Math.log10(span / n)));
    return [1, 2, 5, 10].map(k => k * unit).find(step => span / step <= n * (1 + 1e-9)) || 10 * unit;
}

/** Is lo .. hi a single value up to rounding? size: reference magnitude if larger than the values. */
function flat(lo, hi, size = 0, rounding = 1e-12) {
    return !(hi - lo > rounding * Math.max(size, Math.abs(lo), Math.abs(hi)));
}

/** At most 100 multiples of a step in lo .. hi, including ends up to rounding; none if the range is flat or the
 *  numbers are too large to distinguish multiples. */
function multiples(lo, hi, step) {
    if (!(step > 0) || flat(lo, hi)) {
        return [];
    }
    const first = Math.ceil(lo / step - 1e-9), last = Math.floor(hi / step + 1e-9);
    return Math.max(Math.abs(first), Math.abs(last)) < 9e15 && last >= first
        ? Array.from({ length: Math.min(100, last - first + 1) }, (_, i) => (first + i) * step) : [];
}

/** Ticks of an axis: values and labels in units of 10^exponent. */
function ticks(lo, hi, n) {
    const step = roundStep(hi - lo, n);
    const largest = Math.max(Math.abs(lo), Math.abs(hi));
    const size = largest > 0 ? Math.floor(Math.log10(largest) + 1e-9) : 0;
    const exponent = size < -2 || size > 4 ? 3 * Math.floor(size / 3) : 0;
    const unit = Math.pow(10, exponent);
    const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9)));
    const list = multiples(lo, hi, step).map(value => ({ value, text: minus((value === 0 ? 0 : value / unit).toFixed(decimals)) }));
    return { list, exponent, step };
}

/** Unit text of an axis with labels in units of 10^exponent. */
function unitText(unit, exponent) {
    const scale = exponent ? power(exponent) : '';
    const name = unit && unit !== '-' ? unit : '';
    return [scale, name].filter(Boolean).join('\u2009');
}

/** " [m]" after a name; empty without a unit. */
function bracketed(unit, exponent) {
    const text = unitText(unit, exponent);
    return text ? ` [${text}]` : '';
}

/** The last i with t[i] <= at, or 0. */
function indexBefore(t, at) {
    let lo = 0, hi = t.length - 1;
    while (hi - lo > 1) {
        const mid = (lo + hi) >> 1;
        if (t[mid] <= at) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return hi >= 0 && t[hi] <= at ? hi : lo;
}

/** Linear interpolation of a curve; NaN outside. */
function valueAt(c, at) {
    const n = c.t.length;
    if (n === 0 || !(at >= c.t[0] && at <= c.t[n - 1])) {
        return NaN;
    }
    const i = indexBefore(c.t, at);
    if (i + 1 >= n || c.t[i] === at) {
        return c.v[i];
    }
    return c.v[i] + (at - c.t[i]) / (c.t[i + 1] - c.t[i]) * (c.v[i + 1] - c.v[i]);
}

function rangeOf(values) {
    let lo = Infinity, hi = -Infinity;
    for (const x of values) {
        if (x < lo) {
            lo = x;
        }
        if (x > hi) {
            hi = x;
        }
    }
    return lo <= hi ? [lo, hi] : [NaN, NaN];
}
