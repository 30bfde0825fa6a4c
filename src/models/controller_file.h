/* Files of designed controllers. */
#ifndef GOS_IO_CONTROLLER_FILE_H
#define GOS_IO_CONTROLLER_FILE_H

#define GOS_CONTROLLER_FORMAT "gossamer-controller" // root attribute `format`

#endif
