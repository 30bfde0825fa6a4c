"""`gossamer export --to pvd`: VTK 9.1 reads all output times of a run. Needs python3-vtk9."""
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import support
import numpy as np

import gossamer as gos

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError:
    print("skipped: VTK is not installed (Debian: python3-vtk9)")
    sys.exit(77)


class Index(unittest.TestCase):
    def test_all_times(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            run = gos.load(support.example("thermal-pendulum"), n=4).run(path=path, until=0.05, progress=False)
            call = [support.PROGRAM, "export", path, "--to", "pvd", "-o", os.path.join(folder, "a & b.pvd")]
            for _ in range(2):  # own files are replaced
                self.assertEqual(subprocess.run(call, capture_output=True, text=True).returncode, 0)
            sets = xml.parse(call[-1]).getroot().findall("./Collection/DataSet")
            self.assertGreater(len(sets), 2)
            np.testing.assert_array_equal([float(s.get("timestep")) for s in sets], run.frame_times)
            for k, entry in enumerate(sets):
                reader = vtkXMLUnstructuredGridReader()
                reader.SetFileName(os.path.join(folder, entry.get("file")))
                reader.Update()
                grid, frame = reader.GetOutput(), run.frame(k)
                np.testing.assert_array_equal(vtk_to_numpy(grid.GetPoints().GetData()), frame.position)
                temperature = vtk_to_numpy(grid.GetPointData().GetArray("temperature"))
                np.testing.assert_array_equal(temperature.reshape(-1), frame.temperature)
            self.assertEqual(grid.GetNumberOfCells(), len(run.mesh.cell_body))


if __name__ == "__main__":
    unittest.main(verbosity=2)
