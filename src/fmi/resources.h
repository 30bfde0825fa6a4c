/* Location of the resources of a unit. */
#ifndef GOS_FMI_RESOURCES_H
#define GOS_FMI_RESOURCES_H

/** Path of a URI file:///PATH, or of a plain path; free it. NULL: invalid, or out of memory. */
char *gos__fmi_path(const char *location);

#endif
