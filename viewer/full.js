/* The page of one run on the full screen. */

labelRuns(data.runs);
const player = new FullPlayer(data.runs, once(() => floats(data.runs[0].time)), { showMoment() {} });
document.documentElement.classList.add('view');
document.getElementById('main').append(player.node);
if (!player.moving && player.modes) {
    player.showMode(0);
}
player.canvas.focus({ preventScroll: true });
/* tests wait for it, and ask for pictures a second */
requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = performance.now().toFixed(0); }));
