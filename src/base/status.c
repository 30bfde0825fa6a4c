/* Descriptions of the status codes in gossamer/base.h. */
#include "base/base.h"

const char *gos_status_text(gos_status status) {
    switch (status) {
#define X(name, value, text)                                                                       \
    case name:                                                                                     \
        return text;
        GOS_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}
