#ifndef SIMBATCH_C_H
#define SIMBATCH_C_H
/* The User Program API as C functions. UserProgramAPI.h and ClientUserProgramAPI.h are thin C++ headers over these; a program
 * may use both. docs/programs.md describes all of it.
 *
 * All functions are for the thread that main runs in. In other threads those that return an error return
 * SIMBATCH_INVALID_OPERATION, and the rest do nothing. */

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. Numbers as in listing A.1 of the AutoSim thesis. */
enum {
  SIMBATCH_NO_DEVICE_ERROR = 0,   /* done */
  SIMBATCH_UNKNOWN_ROBOT = 1,     /* no robot has the name's first part */
  SIMBATCH_UNKNOWN_DEVICE = 2,    /* the robot has nothing of that name */
  SIMBATCH_INVALID_DEVICE = 3,    /* the name is not that of a device, but of a robot, a part or a link */
  SIMBATCH_INVALID_OPERATION = 4, /* setting a sensor; a call from another thread */
  SIMBATCH_DATA_SIZE_MISMATCH = 5 /* the size is not the device's */
};

/* The state of a device: a sum of bits. */
enum {
  SIMBATCH_INVALID = 0, /* no device of that name */
  SIMBATCH_READY = 1,   /* it can be used */
  SIMBATCH_BLOCKED = 2, /* a camera whose image a program holds (then not READY) */
  SIMBATCH_ACTIVE = 4,  /* a sensor that measures by itself; an actuator that is set to anything but 0 */
  SIMBATCH_PAUSED = 8   /* an actuator without a program: all programs of its robot have ended */
};

/* A device is named in full: "robot.part.device". Sizes are in bytes.
 * Reading sensors and actuators: a float for each value; from a GPSSensor its sentence and a terminating zero.
 * Setting actuators: a float for each input. docs/devices.md lists the values. */
unsigned simbatch_get_data(const char* device, void* data, int size);
unsigned simbatch_set_data(const char* device, const void* data, int size);
unsigned simbatch_device_status(const char* device);

typedef struct simbatch_device {
  const char* name; /* full name */
  const char* kind; /* as the robot file calls it: "PSDSensor" */
  int size;         /* bytes that reading it writes now; 0: none */
  int settable;     /* 1: an actuator */
} simbatch_device;
/* All devices of all robots, in the order of their files. @param first  receives the array, which is valid until the next
 * call. @return their number */
int simbatch_list_devices(const simbatch_device** first);

/* Simulation time, s. It advances only while programs sleep. */
double simbatch_time(void);
/* Lets the simulation continue. The program resumes in the first step that begins this many seconds later, or at that time,
 * but never in the same step: sleeping 0 s lets one step pass. */
void simbatch_sleep(double seconds);
void simbatch_sleep_until(double time);

/* Cameras. A program holds one image at a time.
 * @return width x height pixels, rows from the top, from left to right, each alpha, blue, green, red from the highest byte to
 *   the lowest; valid until unlocked. NULL: no such camera, no renderer, the camera's image is held by a program, or
 *   this program holds another */
unsigned* simbatch_get_image(const char* camera);
/* Size in pixels of the image held last; before the first one, of the robot's own first camera. 0: it has none. */
int simbatch_image_width(void);
int simbatch_image_height(void);
/* Frees the image held, if any. */
void simbatch_unlock_image(void);

#ifdef __cplusplus
}
#endif
#endif
