SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 2, 1, 1};
Cylinder(2) = {0.5, 0.5, -1, 0, 0, 3, 0.25};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
e = 1e-3;
Physical Volume("body") = {3};
Physical Surface("left") = Surface In BoundingBox{-e, -e, -e, e, 1 + e, 1 + e};
Physical Surface("hole") = Surface In BoundingBox{0.2, 0.2, -e, 0.8, 0.8, 1 + e};
Mesh.MeshSizeMin = 0.7; Mesh.MeshSizeMax = 0.8; Mesh.ElementOrder = 2; Mesh.MeshSizeFromCurvature = 0;
