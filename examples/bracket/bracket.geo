// An angle bracket of 50 x 30 x 40 mm with two holes, for gmsh -3 -order 2 -format inp (lengths in mm).
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 50, 30, 5};       // base
Box(2) = {0, 0, 0, 5, 30, 40};       // wall
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {35, 15, -1, 0, 0, 7, 5};   // bolt through the base
Cylinder(5) = {-1, 15, 28, 7, 0, 0, 6};   // hole of the wall
BooleanDifference(6) = { Volume{3}; Delete; }{ Volume{4, 5}; Delete; };
e = 1e-3;
Physical Volume("PART") = {6};
Physical Surface("BOLT") = Surface In BoundingBox{30 - e, 10 - e, -e, 40 + e, 20 + e, 5 + e};
Physical Surface("FRONT") = Surface In BoundingBox{-e, -e, -e, e, 30 + e, 40 + e};
Physical Surface("TOP") = Surface In BoundingBox{-e, -e, 40 - e, 5 + e, 30 + e, 40 + e};
Mesh.MeshSizeMin = 9;
Mesh.MeshSizeMax = 11;
Mesh.ElementOrder = 2;
Mesh.SecondOrderLinear = 0;
Mesh.SaveGroupsOfNodes = 1;
Mesh.MeshSizeFromCurvature = 0;
