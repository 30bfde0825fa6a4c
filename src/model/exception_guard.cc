// The only C++ file: muParser throws std::bad_alloc through its C interface, which would end the process.
#include <exception>

extern "C" bool gos__guard(void (*call)(void *), void *argument) noexcept {
    try {
        call(argument);
        return true;
    } catch (...) {
        return false;
    }
}
