/* Where the resources of a unit lie. */
#ifndef GOS_FMI_RESOURCES_H
#define GOS_FMI_RESOURCES_H

/** The path of a location file:///PATH, or of a plain path; free it. NULL: it is none, or there is
 * no memory. */
char *gos__fmi_path(const char *location);

#endif
