/* The commands, what they are for, and how they are used. */
#include <string.h>

#include "help_text.h"

static const command_entry commands[] = {
    {"new", command_new, "a model to begin with, valid at once",
     "gossamer new [KIND] [-o MODEL.yaml] [--panels N] [--elements N]\n"
     "\n"
     "Writes a short model of this kind; without one it asks on a terminal. The first lines are "
     "what one\n"
     "changes first; gossamer help explains every entry. A file that is there is not replaced.\n"
     "\n"
     "  pendulum, cantilever, hub_beam, satellite, plate, solid     the kinds\n"
     "\n"
     "  -o MODEL.yaml      where to; else KIND.yaml\n"
     "  --panels N         of a satellite (default 2)\n"
     "  --elements N       along a flexible body (default 8)\n"},
    {"run", command_run, "solve a model and store the results",
     "gossamer run MODEL.yaml [-o RUN.h5] [--full | --reduced | --rom ROM.h5] [--controller FILE]\n"
     "                        [--set NAME=VALUE]... [--until T] [--quiet] [--threads N]\n"
     "gossamer run --resume RUN.h5 [--quiet] [--threads N]\n"
     "\n"
     "Solves the model's analysis and stores probes, fields, balances and statistics.\n"
     "\n"
     "  -o RUN.h5          where to; else MODEL.full.h5 or MODEL.reduced.h5 beside the model.\n"
     "                     Results that are there are replaced.\n"
     "  --full             the full model (default)\n"
     "  --reduced          the reduced model of the entry `reduction:`; without one, chosen so "
     "that\n"
     "                     the error stays below a thousandth of the extent; floating\n"
     "                     bodies on the bases of their own entries `reduce`\n"
     "  --controller FILE  law of the controller of type designed, made by gossamer design; "
     "without\n"
     "                     it the file that the model names, or its design, which is made now\n"
     "  --rom ROM.h5       a reduced model stored by gossamer reduce; loads, temperatures and\n"
     "                     initial values may be others than it was made with\n"
     "  --set NAME=VALUE   set a parameter of the model, or any entry by its path:\n"
     "                     --set n=32 --set analysis.step=1e-4\n"
     "  --until T          end at this time [s] instead of the model's\n"
     "  --quiet            no progress and no summary\n"
     "  --threads N        threads that share forces and their derivatives of large meshes, from "
     "some\n"
     "                     hundred elements for each (default 1: runs side by side, as of a sweep, "
     "gain\n"
     "                     more); same digits for any number. OpenBLAS itself has one thread\n"
     "  --resume RUN.h5    continue a run that was interrupted or killed, from its last "
     "checkpoint;\n"
     "                     model and settings are those it was begun with, and so are the results\n"
     "\n"
     "Ctrl-C stops the run and keeps its results and a checkpoint; a second one stops at once.\n"
     "Exit codes: 0 done, 1 failed (the results up to there are kept), 2 wrong use or invalid "
     "input,\n"
     "3 interrupted.\n"},
    {"reduce", command_reduce, "make a reduced model and store it",
     "gossamer reduce MODEL.yaml|LINEAR [-o ROM.h5] [--method M] [--order N] [--tolerance E]\n"
     "                           [--band FROM:TO] [--equilibrium | --spin AXIS:RATE | --at T]\n"
     "                           [--accept] [--each] [--set NAME=VALUE]... [--quiet]\n"
     "                           [--threads N] [--solver own|petsc] [--ranks N]\n"
     "\n"
     "Makes the reduced model of the entry `reduction:` and stores it. There are two kinds:\n"
     "  auto (without an entry), rotation_closed: a system, for gossamer run --rom. auto chooses "
     "fields,\n"
     "    points and steps by runs of reduced models, so that the error stays below the "
     "tolerance.\n"
     "  krylov, irka, irka_second, balanced, balanced_second, modes, modes_static, craig_bampton,\n"
     "    free_interface, static_vectors, frequency_vectors, pod: a linear model, of the "
     "linearised\n"
     "    system, for gossamer modes, response, export and reduce. Of a LINEAR or a body of "
     "matrices\n"
     "    also auto and complex_modes.\n"
     "\n"
     "  -o ROM.h5          where to; else MODEL.rom.h5 beside the model\n"
     "  --method M         the method; gossamer help M explains its settings. What the entry of "
     "the\n"
     "                     model says for another method is left aside\n"
     "  --order N          linear: basis vectors of each field (auto: at most); else as many as "
     "the\n"
     "                     tolerance needs\n"
     "  --tolerance E      error wanted: of the motion relative to the extent; linear: of the "
     "frequency\n"
     "                     response on the band, relative to its largest value (default 1e-3).\n"
     "                     A model that misses a tolerance that is given is not written (exit 1)\n"
     "  --accept           write it all the same, with a warning\n"
     "  --each             linear: errors relative to each input's and output's own largest "
     "response\n"
     "  --band FROM:TO     linear: frequencies that matter [Hz]; else around the ten lowest modes\n"
     "  --equilibrium, --spin AXIS:RATE, --at T   linear: as for modes\n"
     "  --set NAME=VALUE   as for run: --set reduction.frequencies=[0,10,20]; after --method\n"
     "  --threads N        as for run\n"
     "  --solver petsc, --ranks N   as for modes: for modes and static modes of interfaces\n"
     "  --quiet            no progress and no message\n"},
    {"check", command_check, "find all errors of a model, print its sizes",
     "gossamer check MODEL.yaml [--set NAME=VALUE]... [--limit N] [--json | --watch]\n"
     "\n"
     "Reads and compiles the model without solving it. Every error is shown with its place.\n"
     "\n"
     "  --limit N          most unknowns of a model, all bodies together (default 12 million); "
     "any\n"
     "                     command that reads models takes it\n"
     "  --watch            again whenever the file is saved, until Ctrl-C\n"
     "\n"
     "Exit codes: 0 no error, 2 errors.\n"},
    {"mesh", command_mesh, "what a mesh has: cells, sets, how well they are shaped",
     "gossamer mesh MODEL.yaml|FILE.msh|FILE.inp [MESH] [-o OUT.vtu] [--units U]\n"
     "               [--set NAME=VALUE]...\n"
     "\n"
     "Shows the meshes of a model, or of a file of Gmsh (.msh), CalculiX or Abaqus (.inp): nodes, "
     "cells\n"
     "by shape, extent, volume, named sets with their sizes, and the smallest determinant of a "
     "cell\n"
     "over its mean (1: not distorted). Cells that are turned inside out are warned of.\n"
     "\n"
     "  MESH               the one of this name; else all\n"
     "  -o OUT.vtu         write it for ParaView, with an array for each set\n"
     "  --units U          of a bare file, which has none and is printed without: si (m, kg, s)\n"
     "                     or mm-t-s (mm, t, s)\n"
     "  --set NAME=VALUE   as for run\n"},
    {"modes", command_modes, "frequencies, damping and effective masses",
     "gossamer modes MODEL.yaml|ROM.h5|LINEAR [-n N] [--damped] [--equilibrium | --spin AXIS:RATE "
     "| "
     "--at T]\n"
     "                          [--set NAME=VALUE]... [--units U] [--json] [--threads N]\n"
     "                          [--solver own|petsc] [--ranks N]\n"
     "\n"
     "Linearises the model, or takes a linear one from a file or a deck (.inp), and prints its\n"
     "lowest modes.\n"
     "\n"
     "  -n N               number of modes (default 10)\n"
     "  --units U          of a deck, as for mesh\n"
     "  --damped           eigenvalues with damping and heat, in place of undamped frequencies, "
     "and\n"
     "                     roots of temperatures, controllers and other states of first\n"
     "                     order (a model of first order has its roots alone); with the loops of "
     "all\n"
     "                     controllers: those of type designed are designed first, without "
     "--damped "
     "they\n"
     "                     are left out\n"
     "  --equilibrium      about the static equilibrium, or the steady rotation of analysis.spin\n"
     "  --spin AXIS:RATE   about a steady rotation, in turning axes: z:6 or 0,1,1:6 in rad/s, "
     "through\n"
     "                     the origin or analysis.spin.through; modes whirl forward (with the "
     "rotation)\n"
     "                     or backward in these axes\n"
     "  --at T             about the state at this time of the run [s], under its loads\n"
     "                     (without any: the structure as it stands, at rest; loads and gravity "
     "that\n"
     "                     are out of balance are left out and named)\n"
     "  --threads N        as for run\n"
     "  --solver petsc     large matrices are factorised, and modes found, on the ranks of an MPI "
     "job (MUMPS,\n"
     "                     SLEPc), where gossamer-petsc is built; results are the same but for "
     "rounding\n"
     "  --ranks N          how many (default 1); started with mpirun, or what GOSSAMER_MPIRUN "
     "says\n"},
    {"design", command_design, "design a controller, and test it on a richer plant",
     "gossamer design MODEL.yaml [NAME] [-o CONTROLLER.h5] [--set NAME=VALUE]... [--json] "
     "[--threads N]\n"
     "\n"
     "Designs a controller as the entry NAME of the section `designs` says (gossamer help lqg), on "
     "the\n"
     "model without its controllers, linearised and reduced to design_modes modes. Prints poles, "
     "margins,\n"
     "the H-infinity norm, and what the loop does on a plant with plant_modes modes and with "
     "errors.\n"
     "\n"
     "  -o CONTROLLER.h5   keep the controller, for `run --controller` and `report`\n"
     "  --set NAME=VALUE   as for run\n"
     "  --json             the same for other programs\n"},
    {"response", command_response, "response of probes to loads, over frequency or time",
     "gossamer response MODEL.yaml|ROM.h5|LINEAR [--from LOAD]... [--to PROBE]... [--band "
     "FROM:TO]\n"
     "                             [--points N] [--workers N] [-o RESPONSE.h5]\n"
     "                             [--equilibrium | --spin AXIS:RATE | --at T] [--set "
     "NAME=VALUE]...\n"
     "gossamer response MODEL.yaml|ROM.h5|LINEAR --over T [--from LOAD]... [--rise R] ...\n"
     "gossamer response MODEL.yaml|ROM.h5|LINEAR --inputs FILE.csv [--over T] ...\n"
     "\n"
     "Linearises the model, or takes a linear one from a file or folder (gossamer export), and "
     "prints\n"
     "magnitude and phase of its response as CSV: frequency [Hz], then for each pair of output "
     "and\n"
     "input OUTPUT/INPUT.magnitude [SI] and OUTPUT/INPUT.phase [degrees]; names that are on both\n"
     "sides are followed by (output) and (input).\n"
     "Inputs are components of forces and moments (push.y; those given as 0 are left out) and "
     "heat\n"
     "(sun), outputs are components of probes (tip.y).\n"
     "With --over or --inputs: outputs over time from rest, as differences from the state about "
     "which\n"
     "the model is linear. Columns are time [s], then OUTPUT/INPUT after a unit step of each input "
     "by\n"
     "itself, or OUTPUT for the inputs of a file together.\n"
     "\n"
     "  --from LOAD        this input, or all components of this load; else all inputs\n"
     "  --to PROBE         this output, or all components of this probe; else all outputs\n"
     "  --band FROM:TO     frequencies [Hz]; else around the ten lowest modes\n"
     "  --points N         number of frequencies, with equal ratios (else 200, and up to as many "
     "more\n"
     "                     around peaks), or of equal time steps (default 1000, or those of the "
     "file)\n"
     "  --workers N        processes that share the frequencies (default 1); for large models\n"
     "  -o RESPONSE.h5     store the complex response of all inputs and outputs instead of "
     "printing it\n"
     "  --over T           over this time instead [s]; with --inputs, else to the end of the file\n"
     "  --inputs FILE.csv  inputs over time: a header time,push.y,sun and rows of numbers, linear "
     "between\n"
     "                     rows and steps; before the first and after the last row they stay; "
     "inputs\n"
     "                     that are not there are 0\n"
     "  --rise R           steps that grow to 1 over this time [s] (default 0: at once)\n"
     "  --scheme S         exact (dense, inputs linear within a step), trapezoidal (error of "
     "second "
     "order\n"
     "                     in the step) or auto (default): exact for up to 300 states and inputs\n"
     "  --equilibrium, --spin AXIS:RATE, --at T, --set, --threads N   as for modes\n"},
    {"export", command_export, "models, modes and results for other programs",
     "gossamer export MODEL.yaml|ROM.h5|LINEAR --to h5|mtx|mat|ss [-o OUT] [--equilibrium | --at "
     "T]\n"
     "                                  [--set NAME=VALUE]...\n"
     "gossamer export MODEL.yaml|ROM.h5 --to vtu [-o OUT.vtu] [-n N] [--equilibrium | --at T]\n"
     "gossamer export MODEL.yaml --to sid [--body NAME] [--nodes PLACE,...] [-n N] [-o "
     "OUT.SID_FEM]\n"
     "gossamer export RUN.h5 --to vtu|mat [-o OUT] [--at T]\n"
     "gossamer export MODEL.yaml|ROM.h5 --to fmu [--version 2|3] [--kind cs|me] [--reduced] [-o "
     "OUT.fmu]\n"
     "                                  [--tunable NAME]... [--set NAME=VALUE]...\n"
     "\n"
     "Linearises the model, or takes a linear one from a file, and writes its matrices, all digits "
     "of\n"
     "them. What h5, mtx, mat and ss write can be given to modes, response, reduce and export "
     "again.\n"
     "\n"
     "  --to h5            one HDF5 file\n"
     "  --to mtx           a folder of Matrix Market files, one a matrix, and model.csv with "
     "names\n"
     "  --to mat           a MAT-file (version 5): the matrices M, D, K, G, C_T, ... sparse, and "
     "names\n"
     "                     of inputs and outputs as cell arrays; of a run: time and probes\n"
     "  --to ss            E x' = A x + B u, y = C x + D u with the constraints eliminated, up to\n"
     "                     3000 states: a folder of Matrix Market files with names.csv, or a "
     "MAT-file\n"
     "                     when OUT ends in .mat\n"
     "  --to vtu           mesh and fields for ParaView: of a run at a time, of a model the state "
     "and\n"
     "                     its lowest modes, its slowest temperature fields and what they deform\n"
     "  --to sid           a flexible body in its floating frame as standard input data (SID_FEM), "
     "for\n"
     "                     other multibody programs and bodies of type sid: all its modes, or the "
     "N lowest\n"
     "  --body NAME        sid: this body; else the only one that floats\n"
     "  --nodes PLACE,...  sid: these places (end,node(3)) are its nodes 1, 2, ...; else all "
     "nodes\n"
     "  --to fmu           the model as a functional mock-up unit, with all that runs it: inputs, "
     "probes\n"
     "                     and parameters are its variables (docs/fmu.md)\n"
     "  --version 2|3      of the interface, FMI 2.0 (default) or 3.0\n"
     "  --kind cs|me       co-simulation (default): the unit steps itself; model exchange: the "
     "importing\n"
     "                     program does, for models without constraints\n"
     "  --reduced          the reduced model, made now\n"
     "  --tunable NAME     an entry of the model's parameters may be set during a run, too; more "
     "by more "
     "of it\n"
     "  -o OUT             where to; else the input's name with the ending .linear.h5, .mtx, .mat, "
     ".ss,\n"
     "                     .vtu, .SID_FEM or .fmu\n"
     "  -n N               number of modes (default 10; sid: all)\n"
     "  --equilibrium, --spin AXIS:RATE, --threads N   as for modes\n"
     "  --at T             about the state at this time of the run [s]; of a run: this time, else "
     "its\n"
     "                     last\n"},
    {"compare", command_compare, "how far one run is from another, and how much faster",
     "gossamer compare A.h5 B.h5 [-o DIFFERENCES.svg|.csv] [--tol E] [--json]\n"
     "gossamer compare MODEL.yaml|ROM.h5|LINEAR SMALL.h5 [--band FROM:TO] [--tol E] [--json]\n"
     "gossamer compare MODEL.yaml|ROM.h5|LINEAR SMALL.h5 --over T [--points N] [--tol E] [--json]\n"
     "\n"
     "A is the reference. Position error e(t) = RMS over the nodes of the distance; its maximum "
     "and\n"
     "RMS over time and the worst node at any time, also relative to the largest extent of the\n"
     "initial configuration. Temperatures likewise, relative to the reference's range. Probes:\n"
     "maximum and RMS over time of the difference. Only probes when the meshes differ.\n"
     "Speed compares solution with solution; preparing is stated apart.\n"
     "Of models the frequency responses are compared, on a grid that is refined around peaks: the\n"
     "largest difference relative to the largest response (H-infinity on the band); or outputs\n"
     "over time, from rest, after a unit step of each input in turn.\n"
     "\n"
     "  -o FILE.svg|.csv   of runs: differences over time, drawn relative to their scales or as a "
     "table;\n"
     "                     of probes the largest since the output time before\n"
     "  --band FROM:TO     of models: frequencies [Hz]; else around the reference's ten lowest "
     "modes\n"
     "  --over T           of models: over this time instead [s], at N points (1000)\n"
     "  --tol E            exit with 4 when the largest relative error exceeds E; over time "
     "outputs count\n"
     "                     relative to at least a thousandth of the largest one with their unit\n"},
    {"probe", command_probe, "probes as CSV on standard output",
     "gossamer probe RUN.h5 [PROBE...] [--at T,T,...]\n"
     "\n"
     "Prints a header time,NAME.COMPONENT,... and a line for each step, in full precision. "
     "Without\n"
     "names all probes are printed. Also reads a run that is still going on.\n"
     "\n"
     "  --at T,T,...       at these times instead, interpolated by values and known rates of\n"
     "                     neighbouring steps; a time outside the run is an error (exit code 2)\n"},
    {"info", command_info, "what a file is: sizes, options, statistics, balances",
     "gossamer info FILE [--json]\n"
     "\n"
     "For a model its name and sizes; for results also how they came about. The results of a run\n"
     "that was killed are made readable for other programs.\n"},
    {"picture", command_picture, "deformed shapes and paths of probes as SVG",
     "gossamer picture RUN.h5 [OTHER.h5] [-o FILE.svg]\n"
     "gossamer picture CONTROLLER.h5 [-o FILE.svg]\n"
     "\n"
     "Draws the deformed shapes at several times, coloured by temperature, and the paths of "
     "position\n"
     "probes. A second run of the same model, say the reduced one, is laid over it in dashes.\n"
     "Joints are rings, with a support where they hold to the ground; loads are arrows along what\n"
     "they do at the start (moments and what begins from nothing: rhombs; between two places:\n"
     "dashes). Thin lines join rigid bodies without a shape to their joints. More than 200 are\n"
     "left out. Of a design (gossamer design -o) it draws its piezoelectric patches by the norms "
     "of\n"
     "their rows of the gain; those that drive have a border.\n"
     "\n"
     "  -o FILE.svg        where to; else RUN.svg\n"},
    {"report", command_report, "one HTML page with plots, tables and an animation",
     "gossamer report RUN.h5... [-o REPORT.html]\n"
     "gossamer report RESPONSE.h5... [-o REPORT.html]\n"
     "gossamer report CONTROLLER.h5|ROM.h5|LINEAR [-o REPORT.html]\n"
     "\n"
     "Writes a page that is complete in itself and works offline. With several runs of one model, "
     "the\n"
     "first is the reference: give the full run first and the reduced one second to see errors, "
     "times\n"
     "and differences. Responses (gossamer response -o) are drawn as magnitude and phase over\n"
     "frequency, those of the second file and on laid over the first one's. A controller "
     "(gossamer\n"
     "design -o) is drawn with its poles, margins and modes, a map of its patches, courses with "
     "and\n"
     "without it, and what errors of the plant do; a stored model (gossamer reduce, export) with "
     "its\n"
     "sizes, how it was reduced and with what error, frequencies, and, of reduced models, mode "
     "shapes.\n"
     "\n"
     "  -o REPORT.html     where to; else RUN.html, or as the file is called\n"},
    {"view", command_view, "the motion of a run on the full screen of a browser",
     "gossamer view RUN.h5 [--against OTHER.h5] [-o FILE.html] [--open]\n"
     "gossamer view MODEL.yaml|ROM.h5 [-n N] [--equilibrium | --spin AXIS:RATE | --at T]\n"
     "              [--set NAME=VALUE]... [-o FILE.html] [--open]\n"
     "\n"
     "Writes one HTML file that is complete in itself and works offline: the run's bodies on the "
     "full\n"
     "screen, drawn by WebGL. Play, scrub, turn, zoom; colours by temperature, displacement, "
     "speed,\n"
     "stresses and strains (output: {stress: true, strain: true}) and their rates; units are "
     "chosen "
     "in\n"
     "the page, and so are cuts through surfaces, forces of joints (probes with quantity: "
     "joint_force)\n"
     "and of loads at the start, modes of reduced runs, and pictures, frames and films to keep.\n"
     "Of a model its modes and temperature fields swing, with their frequencies (gossamer modes).\n"
     "\n"
     "  --against OTHER.h5 a run of the same mesh, drawn over the first in dashes: colours also by "
     "how\n"
     "                     far each node is from it, as `gossamer compare RUN.h5 OTHER.h5` says\n"
     "  -o FILE.html       where to; else RUN.view.html\n"
     "  --open             open it in the browser of the desktop (xdg-open)\n"
     "  -n N               modes of a model, 10 without it; likewise:\n"
     "  --equilibrium      at the static equilibrium of its loads\n"
     "  --spin AXIS:RATE   in the equilibrium that turns about x, y or z with RATE [rad/s]\n"
     "  --at T             where a run of the model comes to at T seconds\n"
     "  --set NAME=VALUE   change a parameter or an entry\n"},
    {"sweep", command_sweep, "many runs with varying parameters, one table, one report",
     "gossamer sweep MODEL.yaml --vary NAME=FROM:TO:NUMBER... [-o DIR] [--reduced]\n"
     "                          [--samples N] [--seed S] [--independent] [--set NAME=VALUE]...\n"
     "                          [--until T] [--jobs N] [--rom ROM.h5] [--one-file [--resume]] "
     "[--quiet]\n"
     "\n"
     "Runs the model for every combination of the values, each run in a process of its own. A run "
     "that\n"
     "fails is a row with its message, the others go on. DIR then holds the results, table.csv "
     "(last,\n"
     "least and largest value of each probe; the same bytes for any --jobs), times.csv and "
     "report.html.\n"
     "\n"
     "  --vary NAME=FROM:TO:NUMBER     equally spaced values, both ends included\n"
     "  --vary NAME=FROM:TO:NUMBERlog  with equal ratios: --vary E=1e7:1e9:5log\n"
     "  --vary NAME=VALUE,VALUE...     these values; they need not be numbers\n"
     "  --vary NAME=LAW:NUMBER:NUMBER  at random: uniform:FROM:TO, loguniform:FROM:TO, "
     "normal:MEAN:DEVIATION,\n"
     "                     lognormal:MEDIAN:DEVIATION (of the natural logarithm).\n"
     "                     NAME is a parameter or a path, as for --set. Several: all "
     "combinations.\n"
     "  --samples N        draws of all that is random, at each combination of the rest; prints "
     "and "
     "writes\n"
     "                     how far they spread (quantiles.csv, fans in report.html) instead of a "
     "row each\n"
     "  --seed S           other draws; the same seed gives the same ones everywhere (default: "
     "1)\n"
     "  --independent      draws by themselves (Monte Carlo); else Latin hypercubes, whose means "
     "settle sooner\n"
     "  -o DIR             where to; else MODEL.sweep\n"
     "  --reduced, --set, --until      as for run\n"
     "  --rom ROM.h5       all runs with this reduced model, made by gossamer reduce\n"
     "  --one-file         probes of all runs at output times in DIR/members.h5, no file for each; "
     "with --rom\n"
     "                     runs share factorised matrices, which makes them faster\n"
     "  --resume           with --one-file: what an interrupted sweep of the same runs has "
     "finished "
     "is not run again\n"
     "  --parts, --part K  with --one-file, for whoever divides a sweep among machines "
     "(gossamer-mpi): list "
     "the parts that\n"
     "                     are to be done, or run one alone; then the sweep with --resume collects "
     "them\n"
     "  --jobs N           runs at a time; else one for each core\n"
     "  --quiet            no progress and no last line\n"
     "\n"
     "Ctrl-C stops all runs in good order and keeps what is there; a second one stops them at "
     "once.\n"
     "Exit codes: 0 all runs complete, 1 some failed, 2 wrong use or invalid input, 3 "
     "interrupted.\n"},
    {"help", command_help, "this overview, a command, or an entry of models",
     "gossamer help [COMMAND | TYPE | WORD | all]\n"
     "gossamer help --schema | --completion [SHELL] | --man [COMMAND]\n"
     "\n"
     "The use of a command, the reference of one type of entry (for example ancf_cable, "
     "spherical,\n"
     "material), or with `all` of every type. Of another word (gravity, von_mises): the keys of "
     "this "
     "name,\n"
     "what may have it as a value, else the entries whose explanations have it.\n"
     "\n"
     "  --schema           the model format as a JSON schema, for editors: keep it in a file and "
     "name "
     "that\n"
     "                     in the first line of a model, # yaml-language-server: $schema=FILE\n"
     "  --completion bash|zsh|fish  completion of commands, options, types and files (default "
     "bash), "
     "for\n"
     "                     shells that do not find the installed one: eval \"$(gossamer help "
     "--completion)\"\n"
     "  --man COMMAND      the man page of a command, or of the program without one: gossamer help "
     "--man run\n"
     "                     >gossamer-run.1\n"},
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

const command_entry *find_command(const char *name) {
    for (int i = 0; i < NCOMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

void print_help(const char *name) {
    const command_entry *c = name != NULL ? find_command(name) : NULL;
    if (c != NULL) {
        (void)fputs(c->help, stdout);
        return;
    }
    (void)puts("gossamer: rigid, flexible and hot multibody systems, in full and reduced order\n");
    for (int i = 0; i < NCOMMANDS; i++) {
        (void)printf("  gossamer %-9s %s\n", commands[i].name, commands[i].summary);
    }
    (void)puts(
        "  gossamer --version\n\n"
        "gossamer COMMAND --help explains a command, gossamer help TYPE an entry of a model.");
}

/* An unknown command, with the nearest one we know. */
static int unknown_command(const char *word) {
    const char *names[NCOMMANDS];
    for (int i = 0; i < NCOMMANDS; i++) {
        names[i] = commands[i].name;
    }
    const char *hint = suggest(word, names, NCOMMANDS);
    if (hint != NULL) {
        return complain("unknown command '%s'; did you mean '%s'?", word, hint);
    }
    return complain("unknown command '%s'; see gossamer help", word);
}

static int print_schema(void) {
    gos_ctx *ctx = gos_ctx_create();
    if (ctx == NULL) {
        return EXIT_FAILED;
    }
    const int code = exit_code(gos_schema(ctx, stdout), false);
    show_messages(ctx, 0);
    gos_ctx_destroy(ctx);
    return code;
}

static int print_page(const char *name) {
    const command_entry *c = name != NULL ? find_command(name) : NULL;
    if (name != NULL && c == NULL) {
        return unknown_command(name);
    }
    return print_manual(commands, NCOMMANDS, c);
}

/* argc < 0: called for the command argv[0], which does not exist. */
int command_help(int argc, char **argv) {
    if (argc < 0) {
        return unknown_command(argv[0]);
    }
    bool schema = false, completion = false, man = false;
    const option options[] = {{"--schema", OPTION_FLAG, &schema, NULL},
                              {"--completion", OPTION_FLAG, &completion, NULL},
                              {"--man", OPTION_FLAG, &man, NULL},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("help", argc, argv, options, &rest, 0, 1);
    const char *word = rest.n > 0 ? rest.v[0] : NULL;
    free_list(&rest);
    if (code >= 0 || schema || completion || man) {
        return code >= 0 ? code
               : schema  ? print_schema()
               : man     ? print_page(word)
                         : print_completion(commands, NCOMMANDS, word != NULL ? word : "bash");
    }
    const bool command = word == NULL || find_command(word) != NULL;
    if (command) {
        print_help(word);
    }
    gos_ctx *ctx = word != NULL ? gos_ctx_create() : NULL;
    if (ctx == NULL) {
        return word == NULL ? EXIT_DONE : EXIT_FAILED;
    }
    code = exit_code(gos_help(ctx, strcmp(word, "all") == 0 ? NULL : word, stdout), false);
    if (command) { // few names are both, as modes
        gos_ctx_destroy(ctx);
        return EXIT_DONE;
    }
    show_messages(ctx, 0);
    gos_ctx_destroy(ctx);
    return code;
}
