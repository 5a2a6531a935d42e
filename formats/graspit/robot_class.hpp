#pragma once
/// What the class of a GraspIt! robot says of it.

#include <string_view>

namespace simbatch::graspit {

/// True for a hand, which GraspIt! can close by itself (autograsp). Source: GraspIt!'s include/robot.h: class Hand has autoGrasp,
/// Robot and Puma560 derive from Robot directly. IRp6 and Snake, of other versions, are an arm and a body of many joints.
bool is_hand(std::string_view class_name);

}  // namespace simbatch::graspit
