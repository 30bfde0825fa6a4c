/* Quantiles of random samples over time: a fan chart for each probe. */

/** Columns of a curve in file order. */
const SPREAD = ['mean', 'deviation', 'q05', 'q25', 'q50', 'q75', 'q95'];

/** One plot per probe, one component at a time. */
function fans(spread) {
    const time = once(() => floats(spread.time));
    const axis = new Axis(time()[0] || 0, time()[time().length - 1] || 0, '', 's');
    const names = [...new Set(spread.curves.map(c => c.probe))];
    return names.map(name => {
        const own = spread.curves.filter(c => c.probe === name);
        const series = own.flatMap((c, group) => {
            const column = key => once(() => ({ t: time(), v: floats(c.columns[SPREAD.indexOf(key)]) }));
            const line = (key, label, style) => ({ group, style, name: label, curve: column(key), stroke: () => styleColour('--accent') });
            return [
                { group, style: 2, name: '95 %', curve: column('q95'), floor: column('q05') },
                { group, style: 1, name: '75 %', curve: column('q75'), floor: column('q25') },
                { ...line('mean', 'mean', 3) }, { ...line('q50', 'median', 0) }
            ];
        });
        const plot = new Plot({
            title: name, note: own[0].quantity, axis, single: true,
            groups: own.map((c, i) => ({ label: c.component, colour: 'plain', on: i === 0 })),
            styles: [{ label: 'median', style: 'line' }, { label: '25 to 75 %', style: 'wide' }, { label: '5 to 95 %', style: 'wide' }, { label: 'mean', style: 'dash' }],
            panels: [{ label: own[0].quantity.replace(/_/g, ' '), unit: own.map(c => c.unit).join(', '), height: 200, series }]
        });
        return plot.figure;
    });
}
