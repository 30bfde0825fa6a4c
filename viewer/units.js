/* Display units. Values are stored in the units of the model. */

const unitsOf = {
    m: [['m', 1], ['mm', 1e3], ['\u00b5m', 1e6]],
    mm: [['mm', 1], ['m', 1e-3], ['\u00b5m', 1e3]],
    'm/s': [['m/s', 1], ['mm/s', 1e3], ['km/h', 3.6]],
    Pa: [['Pa', 1], ['kPa', 1e-3], ['MPa', 1e-6], ['GPa', 1e-9]],
    MPa: [['MPa', 1], ['GPa', 1e-3], ['kPa', 1e3], ['Pa', 1e6]],
    N: [['N', 1], ['mN', 1e3], ['kN', 1e-3], ['MN', 1e-6]],
    1: [['1', 1], ['%', 100], ['10\u207b\u2076', 1e6]],
    '1/s': [['1/s', 1], ['%/s', 100], ['10\u207b\u2076/s', 1e6]],
    K: [['K', 1], ['mK', 1e3]],
    'K/s': [['K/s', 1], ['K/min', 60], ['K/h', 3600]]
};

/** Choices {unit, factor, offset}: shown = factor * value + offset. With a reference temperature [K] absolute units are offered, too. */
function unitChoices(unit, reference = 0) {
    const list = (unitsOf[unit === '-' || unit === '' ? '1' : unit] || [[unit, 1]]).map(([name, factor]) => ({ unit: name, factor, offset: 0 }));
    return reference > 0
        ? [{ unit: 'K', factor: 1, offset: reference }, { unit: '\u00b0C', factor: 1, offset: reference - 273.15 }, { unit: 'K above the reference', factor: 1, offset: 0 }]
        : list;
}

/** The unit, in steps of a factor of 1000, in which the value is between 1 and 1000; SI if there is none. */
function bestUnit(unit, value) {
    const list = unitChoices(unit);
    const fits = c => Number.isInteger(Math.log10(c.factor) / 3) && Math.abs(value * c.factor) >= 1 && Math.abs(value * c.factor) < 1000;
    return list.find(fits) || list[0];
}
