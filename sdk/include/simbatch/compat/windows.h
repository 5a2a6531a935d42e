#ifndef SIMBATCH_COMPAT_WINDOWS_H
#define SIMBATCH_COMPAT_WINDOWS_H
/* A substitute for the header of that name, with the few parts of it that AutoSim's user programs use. Times are simulation
 * time. */

#include "../simbatch_c.h"

typedef int BOOL;
typedef unsigned char BYTE;
typedef unsigned short WORD;
typedef unsigned int DWORD;
typedef unsigned int UINT;
typedef void* HANDLE;

#ifndef TRUE
#define TRUE 1
#define FALSE 0
#endif
#define INFINITE 0xFFFFFFFFu
#ifndef WINAPI
#define WINAPI
#endif

/* Sleeps for this many milliseconds; 0: one step; INFINITE: until the run ends. */
static inline void Sleep(DWORD milliseconds) {
  simbatch_sleep(milliseconds == INFINITE ? 1e300 : (double)milliseconds / 1000.0);
}

/* Milliseconds since the simulation's start. */
static inline DWORD GetTickCount(void) { return (DWORD)(unsigned long)(simbatch_time() * 1000.0 + 0.5); }

#endif
