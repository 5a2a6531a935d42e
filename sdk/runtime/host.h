#ifndef SIMBATCH_RUNTIME_HOST_H
#define SIMBATCH_RUNTIME_HOST_H
/* What a simulator and the runtime inside a user program's library (runtime.cpp) exchange. Not installed.
 *
 * The simulator opens the library, finds simbatch_program_bind, the one function that the runtime exports, and hands it a table.
 * So a library binds to no symbol of the simulator, and every loaded copy has a table, and a robot, of its own. */

#include "sdk/include/simbatch/simbatch_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever the table does: a library of another number is not run. */
#define SIMBATCH_INTERFACE 1

/* Each function gets `self` back. */
typedef struct simbatch_host {
  void* self;
  unsigned (*get_data)(void* self, const char* device, void* data, int size);
  unsigned (*set_data)(void* self, const char* device, const void* data, int size);
  unsigned (*device_status)(void* self, const char* device);
  int (*list_devices)(void* self, const simbatch_device** first);
  double (*time)(void* self);
  /* Seconds since 1970 at time 0 of the simulation. */
  long long (*start_unix)(void* self);
  /* @return 0: slept; 1: this is not the thread of main, nothing was done */
  int (*sleep_until)(void* self, double time);
  unsigned* (*get_image)(void* self, const char* camera);
  int (*image_width)(void* self);
  int (*image_height)(void* self);
  void (*unlock_image)(void* self);
  /* The program wants to end the process. Returns only in a child that the program forked.
   * @param how     the function's name: "exit"
   * @param status  its argument
   * @param detail  one clause more, or NULL: of a failed assertion */
  void (*leave)(void* self, const char* how, int status, const char* detail);
  /* 1: the calling thread is that of main, in its turn. */
  int (*own_thread)(void* self);
} simbatch_host;

/* What the simulator needs of the runtime. */
typedef struct simbatch_runtime {
  /* Runs what was registered with atexit, and the destructors of static objects, in reverse order. After main returned, in
   * main's place. Not called for a program that did not return. */
  void (*finish)(void);
} simbatch_runtime;

/* @param interface  the simulator's SIMBATCH_INTERFACE
 * @param host       lives as long as the library
 * @return the library's SIMBATCH_INTERFACE. If it is another, nothing was taken over */
typedef int (*simbatch_bind_function)(int interface, const simbatch_host* host, simbatch_runtime* runtime);
#define SIMBATCH_BIND_NAME "simbatch_program_bind"

#ifdef __cplusplus
}
#endif
#endif
