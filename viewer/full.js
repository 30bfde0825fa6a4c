/* Full-screen page of a run. */

labelRuns(data.runs);
const player = new FullPlayer(data.runs, once(() => floats(data.runs[0].time)), { showMoment() {} });
document.documentElement.classList.add('view');
document.getElementById('main').append(player.node);
if (!player.moving && player.modes) {
    player.showMode(0);
}
player.canvas.focus({ preventScroll: true });
/* data-ready: used by tests */
requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = performance.now().toFixed(0); }));
