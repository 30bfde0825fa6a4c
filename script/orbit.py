"""A satellite in orbit through the shadow of the Earth (examples/gravity-boom), without and with solar pressure."""
import math

import plot

MODEL = "gravity-boom/model.yaml"
PITCH_RATIO = 1.2611  # libration frequency over orbital rate: sqrt(3 (I_y - I_x)/I_z), see the README of the example
PUSH = 0.05  # initial pitch rate over orbital rate
RATE = math.sqrt(3.986004418e14 / (6378137 + 500e3) ** 3)  # orbital rate [rad/s]
ROWS = 13


def pitch_of(p):
    return [math.degrees(math.atan2(a - b, c - d))
            for a, b, c, d in zip(p["boom.along"], p["hub.along"], p["boom.radial"], p["hub.radial"])]


def swing(t):
    """pitch in closed form for rigid panels [degrees]"""
    return math.degrees(PUSH / PITCH_RATIO) * math.sin(PITCH_RATIO * RATE * t)


def panel(parts, k, last, times, label, curves, unit):
    """one of the stacked frames: curves (name, values, dash)"""
    values = [v for _, y, _ in curves for v in y]
    room = 0.08 * (max(values) - min(values) or 1)
    axes = plot.Axes((90, 40 + 170 * k, 640, 150 + 170 * k), (0, times[-1] * unit), (min(values) - room, max(values) + room))
    axes.across(plot.round_ticks(*axes.x), "time over the period" if last else None)
    axes.up(plot.round_ticks(min(values), max(values), 4), label)
    for (_, y, dash), colour in zip(curves, plot.COLOURS):
        axes.curve(list(zip((t * unit for t in times), y)), colour, dash)
    if len(curves) > 1:
        axes.key([(name, colour, dash) for (name, _, dash), colour in zip(curves, plot.COLOURS)])
    parts += axes.parts


def draw(runs, folder, name):
    end = (0.4 if runs.short else 1) * 2 * math.pi / RATE
    times = [end * k / 480 for k in range(481)]
    still, pushed = (runs.probes(MODEL, f"orbit-{on}", {"pressure": on, "t_end": end, "analysis.max_step": "t_end/480"}, times) for on in (0, 1))
    pitch, pitch_pushed, wave = pitch_of(still), pitch_of(pushed), [swing(t) for t in times]
    frames = [("part of the Sun's disc that is seen", [("", still["light.value"], "")]),
              ("temperature of a panel's end over 290 K [K]", [("", still["T.T"], "")]),
              ("its deflection [mm]", [("", [1e3 * z for z in still["bend.z"]], "")]),
              ("pitch of the boom [degrees]", [("without pressure", pitch, ""), ("with pressure", pitch_pushed, ""),
                                               ("closed form, without", wave, "5 4")]),
              ("hub ahead of the point on the orbit [m]", [("without pressure", still["hub.along"], ""),
                                                           ("with pressure", pushed["hub.along"], "")])]
    parts = []
    for k, (label, curves) in enumerate(frames):
        panel(parts, k, k == len(frames) - 1, times, label, curves, RATE / (2 * math.pi))
    (folder / f"{name}.svg").write_text(plot.page(860, 60 + 170 * len(frames), parts))
    rows = [(f"{times[k]:.1f}", f"{still['light.value'][k]:g}", f"{still['T.T'][k]:.2f}", f"{1e3 * still['bend.z'][k]:.3f}", f"{pitch[k]:.4f}",
             f"{wave[k]:.4f}", f"{pitch_pushed[k]:.4f}", f"{still['hub.along'][k]:.4f}", f"{pushed['hub.along'][k]:.4f}")
            for k in range(0, 481, 480 // (ROWS - 1))]
    runs.table(folder / f"{name}.csv",
               ["examples/gravity-boom: light, temperature [K over 290 K] and deflection [mm] of a panel's end, pitch [degrees] and its closed form, and",
                "the hub ahead of the point on the orbit [m], without the pressure of sunlight and with it (settings pressure=0, pressure=1)"],
               ["time", "light", "T", "bend", "pitch", "closed_form", "pitch_pushed", "along", "along_pushed"], rows)
