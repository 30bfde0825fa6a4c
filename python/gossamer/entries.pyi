"""Written by script/python-stubs; do not edit it."""
from typing import Any, Dict, Literal, Sequence, Union

Entry = Dict[str, Any]
Number = Union[float, str]
Numbers = Union[Sequence[Number], Any]

def analysis(*, type: Literal["dynamic", "static"] = ..., integrator: Literal["generalised_alpha", "bdf", "radau", "auto"] = ..., motion: Literal["dynamic", "quasi_static"] = ..., heat: Literal["dynamic", "steady"] = ..., end: Number = ..., step: Number = ..., tolerance: Number = ..., probe_tolerance: Number = ..., error_check: Literal["never", "auto", "always"] = ..., temperature_range: Number = ..., initial_step: Number = ..., max_step: Number = ..., min_step: Number = ..., rho_infinity: Number = ..., newton_tolerance: Number = ..., max_iterations: Number = ..., solver: Literal["unsymmetric", "auto"] = ..., max_order: Number = ..., load_steps: Number = ..., max_steps: Number = ..., memory_limit: Number = ..., branch: Literal["stable", "any"] = ..., arc_length: Union[bool, str] = ..., start: Literal["initial", "equilibrium"] = ..., spin: Dict[str, Any] = ..., thermoelastic_heat: Union[bool, str] = ..., viscous_heating: Union[bool, str] = ...) -> Entry:
    """Solution settings."""
    ...

class _body:
    """Entries of the section `bodies` of a model."""

    def ancf_cable(self, *, material: str, section: str, from_: Numbers, to: Numbers, through: Any = ..., arc: Numbers = ..., length: Number = ..., taper: Union[str, Sequence[str]] = ..., taper_at: Numbers = ..., elements: Number = ..., normal: Numbers = ..., carried_by: str = ..., frame: Literal["auto", "reference", "transported"] = ..., quadrature: Literal["full", "reduced"] = ..., temperature: Literal["auto", "on", "off"] = ...) -> Entry:
        """Thin beam with large motion and deformation: gradient-deficient ANCF cable, 6 coordinates per node (position and slope), without torsion; temperature along the axis and across the section. The axis is straight, curved or slack at t = 0."""
        ...

    def ancf_beam(self, *, material: str, section: str, from_: Numbers, to: Numbers, through: Any = ..., arc: Numbers = ..., length: Number = ..., taper: Union[str, Sequence[str]] = ..., taper_at: Numbers = ..., elements: Number = ..., normal: Numbers = ..., section_penalty: Number = ..., offset: Numbers = ..., temperature: Literal["auto", "on", "off"] = ...) -> Entry:
        """Beam with shear, torsion and large motion: positions and two section vectors at three nodes per element, order 4; temperature along the axis and across the section."""
        ...

    def ancf_plate(self, *, material: str, thickness: Number = ..., direction: Numbers = ..., corner: Numbers = ..., x: Numbers = ..., y: Numbers = ..., corners: Any = ..., elements: Numbers = ..., nodes: Any = ..., quads: Any = ..., edges: Any = ..., quadrature: Literal["full", "medium", "reduced"] = ..., temperature: Literal["auto", "on", "off"] = ...) -> Entry:
        """Thin plate with large motion and deformation: rectangular or quadrilateral ANCF plate, 9 coordinates per node (position and both slopes); temperature in the plane and linear through the thickness."""
        ...

    def rigid(self, *, mass: Number = ..., inertia: Numbers = ..., position: Numbers = ..., rotation_vector: Numbers = ..., centre_of_mass: Numbers = ..., points: Any = ..., velocity: Numbers = ..., angular_velocity: Numbers = ..., shape: Dict[str, Any] = ..., density: Number = ..., heat_capacity: Number = ..., specific_heat: Number = ..., area: Number = ..., emissivity: Number = ...) -> Entry:
        """rigid body: a point and three axes (12 coordinates, 6 constraints)"""
        ...

    def solid(self, *, material: str = ..., parts: Any = ..., mesh: str, position: Numbers = ..., rotation_vector: Numbers = ..., temperature: Literal["auto", "on", "off"] = ..., deck_loads: Union[bool, str] = ..., deck_supports: Union[bool, str] = ...) -> Entry:
        """Solid finite elements with large motion and deformation: nodal positions of a mesh; Saint Venant-Kirchhoff material with thermal strain and Kelvin-Voigt damping; temperatures at the same nodes."""
        ...

    def floating_beam(self, *, material: str, section: str, from_: Numbers, to: Numbers, elements: Number = ..., normal: Numbers = ..., coupling: Union[Literal["zeroth", "first"], Number] = ..., reference: Literal["clamped", "chord", "mean_axis"] = ..., axial: Union[Literal["rigid", "elastic"], Number] = ..., torsion: Union[Literal["rigid", "elastic"], Number] = ..., bending: Literal["both", "y", "z", "none"] = ..., rotary_inertia: Union[Literal["false", "true", "auto"], Number] = ..., shortening_inertia: Union[Literal["first", "whole", "auto"], Number] = ..., zeta: Number = ..., rayleigh: Numbers = ..., masses: Any = ..., temperature: Literal["auto", "on", "off"] = ..., reduce: Any = ..., velocity: Numbers = ..., angular_velocity: Numbers = ...) -> Entry:
        """Straight beam with arbitrary rigid motion and small deformation: a floating frame, and linear finite elements (Euler-Bernoulli, torsion) in its axes, with consistent stiffening by axial forces."""
        ...

    def floating_frame(self, *, points: Any, beams: Any, material: str = ..., section: str = ..., elements: Number = ..., reference: Literal["clamped", "chord", "mean_axis"] = ..., at: str = ..., chord_end: str = ..., coupling: Union[Literal["zeroth", "first"], Number] = ..., rotary_inertia: Union[Literal["false", "true", "auto"], Number] = ..., shortening_inertia: Union[Literal["first", "whole", "auto"], Number] = ..., zeta: Number = ..., rayleigh: Numbers = ..., masses: Any = ..., reduce: Any = ..., velocity: Numbers = ..., angular_velocity: Numbers = ...) -> Entry:
        """Straight beams, rigidly joined where they meet, as one body with arbitrary rigid motion and small deformation: a floating frame, and linear finite elements in its axes."""
        ...

    def floating(self, *, mesh: str, material: str = ..., element: str = ..., thickness: Number = ..., direction: Numbers = ..., direction2: Numbers = ..., section: str = ..., normal: Numbers = ..., offset: Numbers = ..., parts: Any = ..., interfaces: Any = ..., position: Numbers = ..., rotation_vector: Numbers = ..., coupling: Union[Literal["zeroth", "first"], Number] = ..., reference: Literal["clamped", "chord", "mean_axis"] = ..., at: str = ..., chord_end: str = ..., at_rotations: Union[Literal["held", "free"], Number] = ..., temperature: Literal["auto", "on", "off"] = ..., motion: Literal["auto", "free", "none"] = ..., material_temperature: Number = ..., deck_loads: Union[bool, str] = ..., deck_ties: Union[bool, str] = ..., zeta: Number = ..., rayleigh: Numbers = ..., reduce: Any = ..., velocity: Numbers = ..., angular_velocity: Numbers = ...) -> Entry:
        """Linear finite elements on a mesh, with temperatures at its nodes, in a floating frame with arbitrary rigid motion."""
        ...

    def matrices(self, *, M: str = ..., D: str = ..., K: str = ..., G: str = ..., E: str = ..., A: str = ..., B: str = ..., C: str = ..., C_v: str = ..., F: str = ..., calculix: str = ..., symmetric: Union[bool, str] = ..., order: Literal["given", "second"] = ..., inputs: Union[str, Sequence[str]] = ..., outputs: Union[str, Sequence[str]] = ..., q0: Numbers = ..., v0: Numbers = ..., nodes: str = ..., scale: Number = ..., frame: Literal["none", "floating"] = ..., reference: Literal["clamped", "chord", "mean_axis"] = ..., at: str = ..., chord_end: str = ..., zeta: Number = ..., rayleigh: Numbers = ..., reduce: Any = ..., velocity: Numbers = ..., angular_velocity: Numbers = ...) -> Entry:
        """User-supplied system matrices of second or first order. Loads of type input drive the inputs, probes of quantity output read the outputs. Displacements of its nodes are small."""
        ...

    def sid(self, *, file: str, places: Any = ..., position: Numbers = ..., rotation_vector: Numbers = ..., zeta: Number = ..., rayleigh: Numbers = ..., reduce: Any = ..., velocity: Numbers = ..., angular_velocity: Numbers = ...) -> Entry:
        """Flexible body from standard input data (SID_FEM) of another program, in its floating frame."""
        ...

    def modal(self, *, folder: str, modes: Number = ..., zeta: Number = ..., point: str = ..., at: Numbers = ..., direction: Numbers = ...) -> Entry:
        """A clamped structure given by its vibration modes from any finite element program: frequencies, displacement of one point, electrode coupling."""
        ...

    def modal_shell(self, *, frequencies: str, nodes: str, quads: str, shapes: str, order: Union[Literal["around", "rowwise"], Number], thickness: Number, zeta: Number = ..., places: Any = ...) -> Entry:
        """A clamped shell given by its vibration modes from any finite element program: nodes with normals, quadrilaterals, displacements and rotations; patches lie on its faces."""
        ...

body: _body

class _controller:
    """Entries of the section `controllers` of a model."""

    def designed(self, *, file: str = ..., design: str = ..., signals: Any = ..., limit: Numbers = ..., sample: Any = ..., scale: Number = ...) -> Entry:
        """control law supplied by a design or by the calling program under its name"""
        ...

    def expression(self, *, inputs: Union[str, Sequence[str]], amounts: Any, rates: Any = ..., start: Numbers = ..., limit: Numbers = ..., sample: Any = ..., scale: Number = ...) -> Entry:
        """inputs and rates of states as expressions of probes and t"""
        ...

    def pid(self, *, signal: Any, setpoint: Any = ..., rate: Any = ..., inputs: Union[str, Sequence[str]], kp: Number = ..., ki: Number = ..., kd: Number = ..., filter: Number = ..., derivative: Literal["error", "signal"] = ..., tracking: Number = ..., limit: Numbers = ..., sample: Any = ..., scale: Number = ...) -> Entry:
        """proportional, integral and derivative control of one signal"""
        ...

    def state_feedback(self, *, signals: Any, inputs: Union[str, Sequence[str]], gain: Any, y0: Numbers = ..., u0: Numbers = ..., limit: Numbers = ..., sample: Any = ..., scale: Number = ...) -> Entry:
        """static gains from signals to inputs"""
        ...

    def state_space(self, *, signals: Any = ..., inputs: Union[str, Sequence[str]], A: Any = ..., B: Any = ..., C: Any = ..., D: Any = ..., E: Any = ..., y0: Numbers = ..., u0: Numbers = ..., start: Numbers = ..., limit: Numbers = ..., sample: Any = ..., scale: Number = ...) -> Entry:
        """linear controller given by its matrices"""
        ...

    def transfer_function(self, *, signal: Any, inputs: Union[str, Sequence[str]], num: Numbers, den: Numbers, limit: Numbers = ..., sample: Any = ..., scale: Number = ...) -> Entry:
        """one input from one signal: ratio of two polynomials"""
        ...

controller: _controller

class _design:
    """Entries of the section `designs` of a model."""

    def lqr(self, *, inputs: Union[str, Sequence[str]], signals: Union[str, Sequence[str]] = ..., weight: Literal["signals", "acceleration", "velocity", "displacement"] = ..., signal_weights: Numbers = ..., input_weights: Numbers = ..., k_Q: Number = ..., choose: Number = ..., choose_by: Literal["gain", "gramian", "cost", "limited"] = ..., choose_k_Q: Number = ..., output: str = ..., v_max: Number = ..., disturbance: str = ..., force: Number = ..., t_force: Number = ..., duration: Number = ..., t_end: Number = ..., design_modes: Number = ..., plant_modes: Number = ..., zeta: Number = ..., sample: Number = ..., errors: Numbers = ..., about: Literal["initial", "equilibrium", "time"] = ..., time: Number = ...) -> Entry:
        """Linear-quadratic regulator of the modal model, for signals that determine all states (`gossamer design`)."""
        ...

    def lqg(self, *, inputs: Union[str, Sequence[str]], signals: Union[str, Sequence[str]] = ..., sense: Union[str, Sequence[str]] = ..., weight: Literal["signals", "acceleration", "velocity", "displacement"] = ..., signal_weights: Numbers = ..., input_weights: Numbers = ..., k_Q: Number = ..., choose: Number = ..., choose_by: Literal["gain", "gramian", "cost", "limited"] = ..., choose_k_Q: Number = ..., output: str = ..., v_max: Number = ..., disturbance: str = ..., force: Number = ..., t_force: Number = ..., duration: Number = ..., t_end: Number = ..., design_modes: Number = ..., plant_modes: Number = ..., zeta: Number = ..., sample: Number = ..., errors: Numbers = ..., about: Literal["initial", "equilibrium", "time"] = ..., time: Number = ..., noise: Numbers, intensity: Number = ..., floor: Number = ..., residual: Union[bool, str] = ...) -> Entry:
        """Linear-quadratic regulator of the modal model with a Kalman filter that estimates its states from the signals (`gossamer design`)."""
        ...

    def collocated(self, *, inputs: Union[str, Sequence[str]], signals: Union[str, Sequence[str]] = ..., sense: Union[str, Sequence[str]] = ..., gain: Numbers, corner: Number = ..., output: str = ..., v_max: Number = ..., disturbance: str = ..., force: Number = ..., t_force: Number = ..., duration: Number = ..., t_end: Number = ..., design_modes: Number = ..., plant_modes: Number = ..., zeta: Number = ..., sample: Number = ..., errors: Numbers = ..., about: Literal["initial", "equilibrium", "time"] = ..., time: Number = ...) -> Entry:
        """Collocated feedback of charge rates to electrodes, which extracts energy from every mode, including unmodelled ones (`gossamer design`)."""
        ...

design: _design

def event(*, signal: Any, limit: Number, direction: Literal["both", "rising", "falling"] = ..., action: Literal["record", "end"] = ...) -> Entry:
    """Threshold of a signal: crossing times are located inside the time steps and recorded, or end the run."""
    ...

class _heat:
    """Entries of the section `heat` of a model."""

    def flux(self, *, on: Union[str, Sequence[str]], value: Any, direction: Numbers = ..., absorptivity: Number = ..., smoothing: Number = ...) -> Entry:
        """Heat flux, absorbed by orientation, or entering a face."""
        ...

    def sun(self, *, on: Union[str, Sequence[str]], flux: Any = ..., direction: Numbers = ..., absorptivity: Number = ..., smoothing: Number = ..., eclipse: Any = ..., penumbra: Number = ..., earth_infrared: Any = ..., albedo: Any = ..., earth_direction: Numbers = ..., infrared_absorptivity: Number = ..., shaded_by: Union[str, Sequence[str]] = ..., shadow_rays: Number = ..., shadow_tolerance: Number = ...) -> Entry:
        """Sunlight with eclipses and shadows of bodies, and the Earth's infrared and albedo."""
        ...

    def convection(self, *, on: Union[str, Sequence[str]], coefficient: Any, ambient: Any = ...) -> Entry:
        """Heat exchange with surroundings, proportional to the temperature difference."""
        ...

    def radiation(self, *, on: Union[str, Sequence[str]], sink: Any, emissivity: Number = ...) -> Entry:
        """Thermal radiation to surroundings of given absolute temperature."""
        ...

    def source(self, *, on: Union[str, Sequence[str]], value: Any) -> Entry:
        """Volumetric heat source in a body."""
        ...

    def temperature(self, *, on: Union[str, Sequence[str]], value: Any, gradients: Literal["zero", "free"] = ...) -> Entry:
        """Prescribed temperature of an end, a point, an edge or a whole body."""
        ...

    def heat_flow(self, *, on: Union[str, Sequence[str]], value: Any) -> Entry:
        """Given power into an end or a point of a body."""
        ...

    def contact(self, *, between: Union[str, Sequence[str]], conductance: Number) -> Entry:
        """Heat conduction between two points in contact."""
        ...

    def exchange(self, *, between: Union[str, Sequence[str]], area: Number, emissivity: Number = ...) -> Entry:
        """Thermal radiation between two points."""
        ...

    def enclosure(self, *, faces: Union[str, Sequence[str]], sink: Any = ..., emissivity: Numbers = ..., obstacles: Union[str, Sequence[str]] = ..., patches: Number = ..., rays: Number = ...) -> Entry:
        """Thermal radiation between faces, by view factors, and to the surroundings."""
        ...

heat: _heat

def initial(*, velocity: Numbers = ..., angular_velocity: Numbers = ..., about: Numbers = ..., temperature: Number = ...) -> Entry:
    """Initial motion and temperature of a body (given by the entry's key) or of `all`."""
    ...

class _joint:
    """Entries of the section `joints` of a model."""

    def spherical(self, *, between: Union[str, Sequence[str]], at: Numbers = ..., temperature: Union[bool, str] = ..., gradients: Union[bool, str] = ...) -> Entry:
        """ball joint: coincident points, free rotations (3 equations)"""
        ...

    def revolute(self, *, between: Union[str, Sequence[str]], axis: Numbers, at: Numbers = ...) -> Entry:
        """hinge: coincident points, free rotation about one axis (5 equations; 4 for a cable, which has no twist); coordinate: `angle`"""
        ...

    def universal(self, *, between: Union[str, Sequence[str]], axis: Numbers, second_axis: Numbers, at: Numbers = ...) -> Entry:
        """Cardan joint: coincident points; an axis of one body stays normal to an axis of the other (4 equations); coordinates: `angle` and `second_angle` about them"""
        ...

    def cylindrical(self, *, between: Union[str, Sequence[str]], axis: Numbers, at: Numbers = ...) -> Entry:
        """one body slides along an axis of the other and rotates about it (4 equations); coordinates: `slide` and `angle`; reactions refer to the second point (to the first if the second is the ground)"""
        ...

    def prismatic(self, *, between: Union[str, Sequence[str]], axis: Numbers, at: Numbers = ...) -> Entry:
        """slider: one body slides along a line of the other without relative rotation (5 equations); coordinate: `slide`; reactions refer to the second point (to the first if the second is the ground)"""
        ...

    def planar(self, *, between: Union[str, Sequence[str]], normal: Numbers, at: Numbers = ...) -> Entry:
        """one body moves in a plane of the other and rotates about its normal (3 equations); coordinates: `x`, `y` (along the joint's axes) and `angle`; reactions refer to the second point (to the first if the second is the ground)"""
        ...

    def screw(self, *, between: Union[str, Sequence[str]], axis: Numbers, pitch: Number, at: Numbers = ...) -> Entry:
        """one body rotates about an axis of the other and advances by the pitch per revolution (5 equations); coordinates: `slide` and `angle`; reactions refer to the second point (to the first if the second is the ground)"""
        ...

    def gear(self, *, between: Union[str, Sequence[str]], axis: Numbers, second_axis: Numbers = ..., ratio: Number, carrier: str = ...) -> Entry:
        """two bodies rotate in a fixed ratio relative to a carrier (1 equation; add hinges for the rest); a wheel must rotate less than half a turn per step; joint_moment is the moment on the first body"""
        ...

    def bushing(self, *, between: Union[str, Sequence[str]], stiffness: Numbers, damping: Numbers = ..., at: Numbers = ...) -> Entry:
        """elastic joint: stiffness and damping matrices between two points, in axes that rotate with the first body; force-free at t = 0; limited to small rotations (uses their sines)"""
        ...

    def clamp(self, *, between: Union[str, Sequence[str]], at: Numbers = ..., rigid: Union[bool, str] = ..., temperature: Union[bool, str] = ..., gradients: Union[bool, str] = ...) -> Entry:
        """clamp: no relative motion; fixes directions; strains stay free unless `rigid: true`"""
        ...

    def tie(self, *, between: Union[str, Sequence[str]], smooth: Union[bool, str] = ..., temperature: Union[bool, str] = ..., gradients: Union[bool, str] = ...) -> Entry:
        """ties two points of bodies, optionally with equal slopes (3 or 6 equations)"""
        ...

    def point_on_line(self, *, between: Union[str, Sequence[str]], direction: Numbers, point: Numbers = ...) -> Entry:
        """a point slides along a line (2 equations)"""
        ...

    def point_on_plane(self, *, between: Union[str, Sequence[str]], normal: Numbers, point: Numbers = ...) -> Entry:
        """a point stays in a plane (1 equation)"""
        ...

    def roller(self, *, between: Union[str, Sequence[str]], normal: Numbers, point: Numbers = ...) -> Entry:
        """roller support: a point stays in a plane (1 equation); the same as point_on_plane"""
        ...

    def driven(self, *, between: Union[str, Sequence[str]], displacement: Numbers = ..., position: Numbers = ..., components: Literal["xyz", "x", "y", "z", "xy", "xz", "yz"] = ..., direction: Numbers = ..., direction2: Numbers = ...) -> Entry:
        """prescribes the motion of a point as functions of time (1 to 3 equations)"""
        ...

    def driven_rotation(self, *, between: Union[str, Sequence[str]], axis: Numbers, angle: Any) -> Entry:
        """prescribes the angle between two bodies about an axis as a function of time (1 equation; add a revolute joint for the rest)"""
        ...

    def motor(self, *, between: Union[str, Sequence[str]], axis: Numbers, moment: Any = ..., force: Any = ..., at: Numbers = ...) -> Entry:
        """internal moment or force between two bodies, about or along an axis, as a function of time and probes (no equations; add a hinge or slider)"""
        ...

joint: _joint

class _load:
    """Entries of the section `loads` of a model."""

    def force(self, *, on: Union[str, Sequence[str]], value: Numbers, frame: str = ...) -> Entry:
        """force at a point; `frame` lets it follow its own or another body"""
        ...

    def moment(self, *, on: Union[str, Sequence[str]], moment: Numbers, frame: str = ...) -> Entry:
        """moment on a rigid body or at a point of a cable or beam; `frame` lets it follow its own or another body"""
        ...

    def edge_moment(self, *, on: Union[str, Sequence[str]], moment: Any) -> Entry:
        """moment distributed along a plate edge, about the edge; it follows the edge"""
        ...

    def spring(self, *, between: Union[str, Sequence[str]], at: Numbers = ..., stiffness: Number = ..., damping: Number = ..., free_length: Number = ..., elastic: Any = ..., damper: Any = ...) -> Entry:
        """spring and damper between two points, along their line"""
        ...

    def torsion_spring(self, *, between: Union[str, Sequence[str]], axis: Numbers, stiffness: Number = ..., damping: Number = ..., elastic: Any = ..., damper: Any = ..., rest_angle: Number = ..., moment: Number = ..., stops: Numbers = ..., stop_stiffness: Number = ..., stop_damping: Number = ..., stop_onset: Number = ..., latch: Dict[str, Any] = ...) -> Entry:
        """spring, damper, stops and latch about the axis of a hinge"""
        ...

    def wheel(self, *, on: str, axis: Numbers, inertia: Number, speed: Number = ..., moment: Any = ..., friction: Number = ...) -> Entry:
        """reaction or momentum wheel on a rigid body: a symmetric rotor with motor; its spin does not limit the time step"""
        ...

    def input(self, *, on: Union[str, Sequence[str]], value: Any) -> Entry:
        """drives an input of a body given by matrices"""
        ...

    def solar_pressure(self, *, on: Union[str, Sequence[str]], flux: Any = ..., direction: Numbers = ..., eclipse: Any = ..., penumbra: Number = ..., specular: Number = ..., diffuse: Number = ..., reemitted: Number = ..., facets: Any = ..., radius: Number = ..., smoothing: Number = ..., speed_of_light: Number = ...) -> Entry:
        """Solar radiation pressure on surfaces, which follows their motion; eclipses come from the entry or from `orbit`; bodies cast no shadows."""
        ...

load: _load

class _material:
    """Linear elastic material with Kelvin-Voigt damping and heat conduction."""

    def __call__(self, *, density: Number, young: Any, poisson: Any = ..., damping: Dict[str, Any] = ..., conductivity: Any = ..., specific_heat: Any = ..., expansion: Any = ..., absorptivity: Number = ..., emissivity: Number = ...) -> Entry:
        """Linear elastic material with Kelvin-Voigt damping and heat conduction."""
        ...

    def orthotropic(self, *, density: Number, E1: Any, E2: Any, nu12: Any, G12: Any, G13: Any, G23: Any, E3: Any = ..., nu13: Any = ..., nu23: Any = ..., conductivity1: Any = ..., conductivity2: Any = ..., conductivity3: Any = ..., specific_heat: Any = ..., expansion1: Any = ..., expansion2: Any = ..., expansion3: Any = ..., damping: Dict[str, Any] = ..., absorptivity: Number = ..., emissivity: Number = ...) -> Entry:
        """Layers in plane stress, such as fibre composites or honeycombs: axes 1 and 2 lie in the surface of a shell or an ancf_plate, defined by `direction` of the body, or by the angle of a ply. In solids of floating bodies `direction` and `direction2` define all three."""
        ...

    def laminate(self, *, plies: Any, material: str = ..., thickness: Number = ..., symmetric: Union[bool, str] = ..., offset: Number = ..., absorptivity: Number = ..., emissivity: Number = ...) -> Entry:
        """Stack of plies (laminate or sandwich) for shells of mesh-based floating bodies (`element: shell`) and for `ancf_plate`; defines their thickness."""
        ...

material: _material

class _mesh:
    """Entries of the section `meshes` of a model."""

    def rectangle(self, *, size: Numbers, corner: Numbers = ..., cells: Numbers, bias: Numbers = ..., order: Union[Literal["linear", "quadratic"], Number] = ..., shape: Literal["quadrilaterals", "triangles"] = ..., sets: Any = ...) -> Entry:
        """Rectangle in a plane z = constant. Node and side sets: left, right (along x), bottom, top (along y); node sets: corner_1 ... corner_4, counter-clockwise from the left bottom corner."""
        ...

    def annulus(self, *, inner: Number, outer: Number, angle: Number = ..., start: Number = ..., cells: Numbers, bias: Numbers = ..., order: Union[Literal["linear", "quadratic"], Number] = ..., shape: Literal["quadrilaterals", "triangles"] = ..., sets: Any = ...) -> Entry:
        """Annulus in the x-y plane about the origin, or a sector of it. Node and side sets: inner, outer; for sectors start, end."""
        ...

    def patch(self, *, corners: Any, centres: Dict[str, Any] = ..., cells: Numbers, bias: Numbers = ..., order: Union[Literal["linear", "quadratic"], Number] = ..., shape: Literal["quadrilaterals", "triangles"] = ..., sets: Any = ...) -> Entry:
        """Quadrilateral in space with straight or curved edges. Node and side sets: bottom (from corner 1 to 2), right (2 to 3), top (3 to 4), left (4 to 1); node sets: corner_1 ... corner_4."""
        ...

    def box(self, *, size: Numbers, corner: Numbers = ..., cells: Numbers, bias: Numbers = ..., order: Union[Literal["linear", "quadratic"], Number] = ..., shape: Literal["hexahedra", "tetrahedra"] = ..., sets: Any = ...) -> Entry:
        """Axis-parallel box. Node and side sets: left, right (along x), front, back (along y), bottom, top (along z); node sets: corner_1 ... corner_4 counter-clockwise around the bottom, seen from above, from the left front corner, corner_5 ... corner_8 above them."""
        ...

    def tube(self, *, inner: Number, outer: Number, length: Number, angle: Number = ..., start: Number = ..., cells: Numbers, bias: Numbers = ..., order: Union[Literal["linear", "quadratic"], Number] = ..., shape: Literal["hexahedra", "tetrahedra"] = ..., sets: Any = ...) -> Entry:
        """Solid tube along z, or a sector of it. Node and side sets: inner, outer, bottom (z = 0), top; for sectors start, end."""
        ...

    def tube_shell(self, *, radius: Number, length: Number, angle: Number = ..., start: Number = ..., cells: Numbers, bias: Numbers = ..., order: Union[Literal["linear", "quadratic"], Number] = ..., shape: Literal["quadrilaterals", "triangles"] = ..., sets: Any = ...) -> Entry:
        """Surface of a tube along z, or a sector of it, for shells; normals point outwards. Node and side sets: bottom (z = 0), top; for sectors start, end."""
        ...

    def frame(self, *, points: Any, members: Any = ..., cells: Number, sets: Any = ...) -> Entry:
        """Lines in space, for beams. Node sets: point_1, point_2 ...; cell sets: member_1, member_2 ..."""
        ...

    def gmsh(self, *, file: str, scale: Number = ..., elements: Literal["highest", "all"] = ..., sets: Any = ...) -> Entry:
        """Mesh from a Gmsh file. Physical groups become sets by name (unnamed: point_TAG, curve_TAG, surface_TAG or volume_TAG): of nodes; of cells if they have the dimension of the mesh; of sides if they have one less."""
        ...

    def deck(self, *, file: str, scale: Number = ..., mass_scale: Number = ..., sets: Any = ...) -> Entry:
        """A deck of CalculiX or Abaqus: its nodes, elements, sets and surfaces, by their labels in upper case, with its materials, sections and loads. Sets of elements without section that lie on faces of other elements become surfaces. Unsupported cards that could affect the physics are rejected or reported by name in a warning."""
        ...

    def nastran(self, *, file: str, subcase: Number = ..., scale: Number = ..., mass_scale: Number = ..., sets: Any = ...) -> Entry:
        """Nastran bulk data: grid points and elements, a set of elements for each property (PSHELL(3)) and a set of the supported nodes (SPC(1)), with the materials, properties, constraints and loads of a subcase. Unsupported cards and fields that could affect the physics are rejected or reported in a warning."""
        ...

    def mesh_set(self, *, of: Literal["nodes", "cells", "sides"] = ..., in_: str = ..., box: Dict[str, Any] = ..., plane: Dict[str, Any] = ..., cylinder: Dict[str, Any] = ..., sector: Dict[str, Any] = ..., near: Numbers = ..., tolerance: Number = ...) -> Entry:
        """An entry of the key `sets` of a mesh: the items that satisfy all its keys."""
        ...

mesh: _mesh

def model(*, gravity: Numbers = ..., reference_temperature: Number = ..., stefan_boltzmann: Number = ..., units: Any = ..., redundant: Literal["refuse", "drop"] = ..., floating_bodies: Literal["whole", "reduced"] = ...) -> Entry:
    """Top-level settings of a model file."""
    ...

def orbit(*, semi_major_axis: Number = ..., altitude: Number = ..., eccentricity: Number = ..., inclination: Number = ..., node: Number = ..., perigee: Number = ..., anomaly: Number = ..., mu: Number = ..., radius: Number = ..., j2: Number = ..., axes: Literal["orbit", "inertial"] = ..., date: str = ..., sun: Numbers = ..., beta: Number = ..., noon: Number = ..., sun_distance: Number = ..., sun_radius: Number = ..., shadow: Literal["conical", "cylindrical", "none"] = ..., gravity_gradient: Union[bool, str] = ...) -> Entry:
    """The origin of the model falls along this orbit, and its axes do not rotate: gravity gradient, Sun, eclipses."""
    ...

def output(*, every: Number = ..., checkpoint: Number = ..., limit: Number = ..., stress: Union[bool, str] = ..., strain: Union[bool, str] = ...) -> Entry:
    """Stored output."""
    ...

class _piezo:
    """Entries of the section `piezo` of a model."""

    def patch(self, *, on: Union[str, Sequence[str]], faces: Union[str, Sequence[str]] = ..., thickness: Number, e31: Number, e32: Number = ..., e36: Number = ..., permittivity: Number, pyroelectric: Number = ..., along: Numbers = ..., channels: Any = ..., material: str = ..., own: Union[Literal["auto", "none", "assembled", "modal"], Number] = ..., voltage: Any = ..., voltages: Any = ..., drive: Union[Literal["voltage", "charge", "shunt"], Number] = ..., charge: Any = ..., resistance: Number = ..., inductance: Number = ..., capacitance_error: Number = ..., connection: Union[Literal["series", "parallel"], Number] = ...) -> Entry:
        """Thin piezoelectric sheets on faces of shells and plates. Voltages, charges or shunts drive their electrodes; probes report the charges."""
        ...

    def given(self, *, on: Union[str, Sequence[str]], voltage: Any = ..., voltages: Any = ..., drive: Union[Literal["voltage", "charge", "shunt"], Number] = ..., charge: Any = ..., resistance: Number = ..., inductance: Number = ..., capacitance_error: Number = ..., connection: Union[Literal["series", "parallel"], Number] = ...) -> Entry:
        """Electrodes defined by the tables of a modal body, NAME(k), k = 1, 2, ... in the order of their columns."""
        ...

piezo: _piezo

def probe(*, at: str = ..., quantity: Literal["position", "displacement", "velocity", "acceleration", "rotation_vector", "angular_velocity", "angle", "temperature", "strain", "stress", "von_mises", "principal_stress", "max_von_mises", "curvature", "section_force", "section_moment", "reaction_heat", "joint_force", "joint_moment", "joint_coordinates", "joint_rates", "hinge", "wheel", "output", "charge", "motional_charge", "motional_current", "voltage", "energy", "momentum", "angular_momentum", "load_factor", "orbit_coordinates", "orbit_position", "orbit_velocity", "sun_direction", "sunlight", "constraint_violation"] = ..., joint: str = ..., load: str = ..., heat: str = ..., material: str = ..., face: Union[Literal["middle", "upper", "lower"], Number] = ..., ply: Number = ..., fibre: Numbers = ..., frame: str = ..., direction: Numbers = ..., axis: Numbers = ..., start: Number = ...) -> Entry:
    """A quantity recorded at every step."""
    ...

class _reduction:
    """Entries of the section `reduction` of a model."""

    def auto(self, *, tolerance: Number = ..., fields: Literal["polynomials", "modes"] = ..., statics: Union[bool, str] = ..., on_mesh: Union[bool, str] = ..., order: Number = ..., band: Numbers = ..., correction: Number = ...) -> Entry:
        """selects everything automatically for `tolerance`. Nonlinear models: fields, temperature functions, points and steps of rotation_closed, by runs of reduced models. Linear models: Krylov vectors, their expansion points and number, on `band`"""
        ...

    def complex_modes(self, *, displacement_modes: Number = ..., thermal_modes: Number = ..., thresholds: Dict[str, Any] = ..., modes: Literal["complex", "real", "real_diagonal"] = ..., velocity: Literal["column", "truncate", "scale"] = ..., dropped: Literal["follow", "ignore"] = ..., coupling: Union[bool, str] = ..., intervals: Literal["thresholds", "error"] = ..., corotated: Union[bool, str] = ..., search: Number = ..., refresh: Number = ..., columns: Number = ..., max_interval: Number = ..., tolerance: Number = ..., order: Number = ..., band: Numbers = ..., correction: Number = ...) -> Entry:
        """damped modes, with real and imaginary parts as real columns. Nonlinear models: the published scheme, relinearised in each interval. Linear models: the lowest modes as a basis"""
        ...

    def krylov(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., frequencies: Numbers = ..., shifts: Numbers = ..., two_sided: Union[bool, str] = ..., correction: Number = ...) -> Entry:
        """moment matching at one or several points by second-order Krylov vectors"""
        ...

    def irka(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., frequencies: Numbers = ..., shifts: Numbers = ...) -> Entry:
        """expansion points at mirrored poles of the reduced model (iterative rational Krylov, first order)"""
        ...

    def irka_second(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., frequencies: Numbers = ..., shifts: Numbers = ..., two_sided: Union[bool, str] = ..., correction: Number = ...) -> Entry:
        """the same for models of second order"""
        ...

    def balanced(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., candidates: Number = ...) -> Entry:
        """balanced truncation of first order, with an error bound"""
        ...

    def balanced_second(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., candidates: Number = ..., two_sided: Union[bool, str] = ..., ranking: Literal["position", "velocity"] = ..., correction: Number = ...) -> Entry:
        """balanced truncation that keeps the second-order form"""
        ...

    def modes(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., ranking: Literal["frequency", "peak", "gain", "cost", "balanced", "inertia"] = ..., candidates: Number = ..., correction: Number = ...) -> Entry:
        """normal modes, ranked, and slowest temperature fields"""
        ...

    def modes_static(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., ranking: Literal["frequency", "peak", "gain", "cost", "balanced", "inertia"] = ..., candidates: Number = ..., correction: Number = ...) -> Entry:
        """normal modes, ranked, and the static response to each input: exact H(0) or, with rigid-body modes, exact H at one point of the band"""
        ...

    def response_modes(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., responses: Number = ..., modes: Number = ..., response: Union[Literal["dynamic", "quasi_static"], Number] = ...) -> Entry:
        """slowest temperature fields and the static deformation under each"""
        ...

    def craig_bampton(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., interface: Union[str, Sequence[str]] = ..., correction: Number = ...) -> Entry:
        """Craig-Bampton: interface coordinates, constraint modes and fixed-interface modes"""
        ...

    def free_interface(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., correction: Number = ...) -> Entry:
        """free-interface modes and the residual static response to each input"""
        ...

    def static_vectors(self, *, band: Numbers = ..., tolerance: Number = ..., correction: Number = ...) -> Entry:
        """static response to each input, for any order"""
        ...

    def frequency_vectors(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., correction: Number = ...) -> Entry:
        """responses to each input at frequencies evenly spaced on the band"""
        ...

    def pod(self, *, order: Number = ..., band: Numbers = ..., tolerance: Number = ..., snapshots: Number = ..., transient: Union[bool, str] = ..., correction: Number = ...) -> Entry:
        """proper orthogonal decomposition of given snapshots, of responses on the band or over time"""
        ...

    def rotation_closed(self, *, fields: Literal["polynomials", "modes"] = ..., number: Number = ..., thermal_fields: Number = ..., points: Number = ..., statics: Union[bool, str] = ..., on_mesh: Union[bool, str] = ..., cubature: Number = ..., tolerance: Number = ...) -> Entry:
        """nonlinear models: scalar fields with vector amplitudes and exact nonlinear forces at points; nothing is updated during a run"""
        ...

    def complex_synthesis(self, *, displacement_modes: Number = ..., interfaces: Literal["free", "held"] = ..., attachments: Union[bool, str] = ..., thermal_modes: Number = ..., thresholds: Dict[str, Any] = ..., modes: Literal["complex", "real"] = ..., velocity: Literal["column", "truncate", "scale"] = ..., dropped: Literal["follow", "ignore"] = ..., coupling: Union[bool, str] = ..., intervals: Literal["thresholds", "error"] = ..., search: Number = ..., refresh: Number = ..., columns: Number = ..., max_interval: Number = ..., tolerance: Number = ...) -> Entry:
        """nonlinear models: component mode synthesis with damped modes of each body, coupled by its joints and relinearised in each interval as in complex_modes"""
        ...

    def local_pod(self, *, vectors: Number = ..., thermal_vectors: Number = ..., clusters: Number = ..., overlap: Number = ..., truncation: Number = ..., snapshots: Number = ..., training: Number = ..., thresholds: Dict[str, Any] = ..., velocity: Literal["column", "truncate", "scale"] = ..., dropped: Literal["follow", "ignore"] = ..., coupling: Union[bool, str] = ..., intervals: Literal["thresholds", "error"] = ..., max_interval: Number = ..., tolerance: Number = ...) -> Entry:
        """nonlinear models: proper orthogonal decomposition of a run of the full model, with one basis per cluster of states, relinearised in each interval as in complex_modes. Valid for the loads of that run only"""
        ...

reduction: _reduction

class _section:
    """Entries of the section `sections` of a model."""

    def rectangle(self, *, height: Number, width: Number, depth_modes: Number = ..., shear_factors: Numbers = ..., torsion_constant: Number = ...) -> Entry:
        """Solid rectangle with faces top (+y), bottom (-y), right (+z), left (-z)."""
        ...

    def circle(self, *, radius: Number = ..., diameter: Number = ..., shear_factors: Numbers = ..., torsion_constant: Number = ...) -> Entry:
        """Solid circle."""
        ...

    def annulus(self, *, outer: Number = ..., inner: Number = ..., outer_diameter: Number = ..., inner_diameter: Number = ..., modes: Number = ..., shear_factors: Numbers = ..., torsion_constant: Number = ...) -> Entry:
        """Round tube; its inner surface exchanges no heat. Use `modes` for thin walls heated from one side: the linear temperature of the default conducts across the tube like a solid, twice as well as a thin wall."""
        ...

    def general(self, *, area: Number, Iy: Number, Iz: Number, J: Number = ..., perimeter: Number = ..., shear_factors: Numbers = ...) -> Entry:
        """Any section, given by its area and second moments about its principal axes."""
        ...

section: _section
