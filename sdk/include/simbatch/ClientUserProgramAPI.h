#ifndef SIMBATCH_CLIENT_USER_PROGRAM_API_H
#define SIMBATCH_CLIENT_USER_PROGRAM_API_H
/// The Client User Program API of AutoSim (thesis 5.5, B.3.3, listing A.2): images of virtual cameras, drawn without a display.

#include "UserProgramAPI.h"

#ifndef VIRTUAL_CAMERA_API_DECLSPEC
#define VIRTUAL_CAMERA_API_DECLSPEC inline
#endif

namespace ClientUserProgramAPI {

/// One pixel: alpha, blue, green, red from the highest byte to the lowest, 0..255 each.
typedef unsigned int VirtualCameraImage;

/// Height and width, in pixels, of the last image; before the first, of the robot's own first camera (0: it has none).
VIRTUAL_CAMERA_API_DECLSPEC int getImageHeight() { return simbatch_image_height(); }
VIRTUAL_CAMERA_API_DECLSPEC int getImageWidth() { return simbatch_image_width(); }

/// Draws what a camera of any robot sees at this moment, and holds the image until unlockImage(). A program holds one image
/// at a time; meanwhile the camera is BLOCKED for all programs.
/// @param camera  full name
/// @return height x width pixels, rows from the top, from left to right. Null: no such camera, the camera is BLOCKED, this
///   program already holds an image, or this run has no renderer
VIRTUAL_CAMERA_API_DECLSPEC VirtualCameraImage* getImage(UserProgramAPI::SimDeviceName camera) {
  return simbatch_get_image(camera.c_str());
}

/// Frees the image held, so that a new one can be drawn. Does nothing if there is none.
VIRTUAL_CAMERA_API_DECLSPEC void unlockImage() { simbatch_unlock_image(); }

}  // namespace ClientUserProgramAPI

#endif
