/* All limits of the program, with their reasons. */
#ifndef GOS_LIMITS_H
#define GOS_LIMITS_H

#define GOS_LIMIT_DIAGS 200              // stored messages
#define GOS_LIMIT_MODEL_BYTES (16 << 20) // model text: far above any realistic one
#define GOS_LIMIT_DEPTH 64               // nesting of a model file (interface contract)
#define GOS_LIMIT_NODES 1000000          // entries of a model tree: about 200 MB
#define GOS_LIMIT_EXPRESSION 4096        // characters of an expression (interface contract)
#define GOS_LIMIT_NUMBER 1e60            // magnitude of a number: derived values remain finite
#define GOS_LIMIT_NAME 64                // characters of a name, used in HDF5 paths
#define GOS_LIMIT_TABLE_ROWS 10000000    // rows of a CSV table: 160 MB for two columns
#define GOS_LIMIT_TABLE_BYTES (1 << 30)  // bytes of a CSV table: ten million rows of 100
#define GOS_LIMIT_TABLE_COLUMNS 1000     // columns of a CSV table: three years of days
#define GOS_LIMIT_VARIABLES 8            // variables of an expression besides the time
#define GOS_LIMIT_PARENTHESES 200        // nesting of an expression: limits the parser's stacks
#define GOS_LIMIT_SWITCHES 100000        // switching times in a run: a step ends at each
#define GOS_LIMIT_ELEMENTS 1000000  // elements of one body: 9 million unknowns, 24 GB of factors
#define GOS_LIMIT_UNKNOWNS 12000000 // of a model: a plate of a million elements (gos_ctx_set_limit)
#define GOS_LIMIT_DEPTH_MODES 15    // Legendre modes through a depth: spectral, 5 give 6 digits
#define GOS_LIMIT_CIRCLE_MODES 8    // harmonics around a tube: as many families as above
#define GOS_LIMIT_THREADS 256       // of one context: more than any machine has
#define GOS_LIMIT_RANKS 100000      // of an MPI job: more than any machine has
#define GOS_LIMIT_STEPS 1e8         // steps of a run without max_steps: hours at least
#define GOS_LIMIT_OUTPUT_BYTES 2e9  // of the results of a run, if the model gives no other
#define GOS_LIMIT_OUTPUTS 10000000  // stored output times: 3 GB for a single node
#define GOS_LIMIT_AMPLITUDES 200000 // of an unreduced floating body: 6 GB in a run
#define GOS_LIMIT_MESH_NODES 20000000 // of one mesh: 480 MB of positions
#define GOS_LIMIT_MESH_CELLS 20000000
#define GOS_LIMIT_DECK_BYTES ((size_t)4 << 30) // a deck including its files: 20 million nodes
#define GOS_LIMIT_DECK_DEPTH 16                // nesting of included deck files
#define GOS_LIMIT_DECK_SETS 10000 // node sets, element sets, surfaces: each, searched linearly
#define GOS_LIMIT_DECK_ITEMS 2e8  // members of all sets and references to them: 800 MB
#define GOS_LIMIT_MESH_SETS 10000 // of one mesh: searched linearly
#define GOS_LIMIT_MESH_BYTES ((size_t)4 << 30)   // a file of a mesh: twenty million nodes and cells
#define GOS_LIMIT_MATRIX_BYTES ((size_t)4 << 30) // a Matrix Market file: a hundred million entries
#define GOS_LIMIT_MATRIX_ORDER 20000000          // rows or columns of an imported matrix
// order that file contents need not confirm: empty blocks, 20 MB
#define GOS_LIMIT_FREE_ORDER 100000
#define GOS_LIMIT_CONTROLLER 2000 // states, signals or inputs of a controller: 32 MB a matrix
#define GOS_LIMIT_SHADOW_RAYS 1e8 // of one `sun`, cast again whenever it moves: a minute each time
#define GOS_LIMIT_SID_MODES 500   // amplitudes of standard input data: 18 MB of a Gram matrix
#define GOS_LIMIT_SID_NODES 1000000
#define GOS_LIMIT_SID_BYTES ((size_t)1 << 30)        // a file of them: ten million entries
#define GOS_LIMIT_CHECKPOINT_BYTES ((size_t)4 << 30) // 1.4 GB for nine million unknowns

#endif
