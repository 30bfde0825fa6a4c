"""Is a results file what docs/command-line.md says and what VTK's reader of VTKHDF 2.0 expects?
Used by test_commands.c; needs h5py.

    check_layout.py RUN.h5
"""
import sys

import h5py
import numpy as np


def check_vtk(group):
    assert list(group.attrs["Version"]) == [2, 0]
    kind = group.attrs.get_id("Type")
    assert not kind.get_type().is_variable_str() and group.attrs["Type"] == b"UnstructuredGrid"
    points = int(group["NumberOfPoints"][0])
    cells = int(group["NumberOfCells"][0])
    ids = int(group["NumberOfConnectivityIds"][0])
    assert group["Connectivity"].shape == (ids,) and group["Connectivity"].dtype == np.int64
    assert group["Offsets"].shape == (cells + 1,) and group["Offsets"][-1] == ids
    assert group["Types"].shape == (cells,) and group["Types"].dtype == np.uint8
    assert group["CellData/body"].shape == (cells,)
    steps = group["Steps"]
    n = int(steps.attrs["NSteps"])
    assert n > 0 and steps["Values"].shape == (n,) and np.all(np.diff(steps["Values"]) > 0)
    assert group["time"] == steps["Values"]
    assert group["Points"].shape == (n * points, 3)
    where = np.arange(n) * points
    assert np.array_equal(steps["PointOffsets"], where)
    assert np.array_equal(steps["NumberOfParts"], np.ones(n))
    for name in ("PartOffsets", "CellDataOffsets/body"):
        assert np.array_equal(steps[name], np.zeros(n)), name
    for name in ("CellOffsets", "ConnectivityIdOffsets"):
        assert np.array_equal(steps[name], np.zeros((n, 1))), name
    for name, data in group["PointData"].items():
        assert data.shape[0] == n * points, name
        assert np.array_equal(steps["PointDataOffsets"][name], where), name
        assert np.all(np.isfinite(data)), name
    start = group["Points"][:points] - group["PointData/displacement"][:points]
    end = group["Points"][-points:] - group["PointData/displacement"][-points:]
    assert np.allclose(start, end, atol=1e-12)
    return n


def check_probes(group):
    m = group["time"].shape[0]
    assert m > 0 and np.all(np.diff(group["time"]) > 0)
    for name in group.attrs["order"]:
        data = group[name.decode()]
        rate = group["rates"][name.decode()]
        assert data.shape == rate.shape == (m, len(data.attrs["components"]))
        assert data.attrs["unit"] and data.attrs["quantity"]
        # rates are the derivatives of the values
        t = group["time"][:]
        slope = np.diff(data, axis=0) / np.diff(t)[:, None]
        mean = (rate[1:] + rate[:-1]) / 2
        scale = np.abs(rate).max() + 1e-12
        assert np.abs(slope - mean).max() < 0.2 * scale, name


with h5py.File(sys.argv[1], "r") as file:
    assert file.attrs["format"] == b"gossamer-results" and file.attrs["format_version"] == 1
    frames = check_vtk(file["VTKHDF"])
    check_probes(file["probes"])
    for place in ("energy", "heat"):
        for name, column in file[place].items():
            assert column.shape == (frames,), name
    assert file["statistics/status"][()] == b"complete"
    assert b"name: small pendulum" in file["model/text"][()]
    assert b"end: " in file["model/options"][()]
