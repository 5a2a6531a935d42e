#pragma once
/// Diagnostic codes of models and appearance. Codes never change, so they still begin with the name of the room that had them
/// first.

#include "base/core/diagnostics.hpp"

namespace simbatch::scene_code {

inline constexpr Code kModel{"vision-model", Severity::warning, "a model file cannot be read; its shape is drawn instead"};

inline constexpr Code kMissing{"vision-model-missing", Severity::warning,
                               "a model is missing; something plain is drawn instead"};
inline constexpr Code kOutside{"vision-model-outside", Severity::warning,
                               "a model is outside the folder that the scenario may read; something plain is drawn instead"};
inline constexpr Code kTooMany{"vision-models-too-many", Severity::warning,
                               "the models of a scene have too many triangles together; further ones are drawn as shapes"};

inline constexpr const Code* kAll[] = {&kModel, &kMissing, &kOutside, &kTooMany};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::scene_code
