// Libraries that are not what they should be, chosen by a macro.

#if defined(CRASH_WHILE_LOADING)
namespace {
volatile int* volatile nowhere = nullptr;
const int loaded = *nowhere;
}  // namespace
int main() { return loaded; }

#elif defined(UNIQUE)
// An inline variable is one for all copies of the library, unless -fno-gnu-unique says otherwise.
#include "UserProgramAPI.h"
inline int shared = 0;
int main() { return ++shared; }

#elif defined(OTHER_INTERFACE)
extern "C" int simbatch_program_bind(int, const void*, void*) { return 99; }
int main() { return 0; }

#elif defined(NO_MAIN)
extern "C" int simbatch_program_bind(int, const void*, void*) { return 1; }

#elif defined(NO_RUNTIME)
int main() { return 0; }

#elif defined(HIDDEN_MAIN)
extern "C" int simbatch_program_bind(int, const void*, void*) { return 1; }
__attribute__((visibility("hidden"))) int main() { return 0; }

#elif defined(MISSING_SYMBOL)
extern "C" int simbatch_program_bind(int, const void*, void*) { return 1; }
int not_to_be_found();
int main() { return not_to_be_found(); }
#endif
