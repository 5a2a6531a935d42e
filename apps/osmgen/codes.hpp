#pragma once
/// Diagnostic codes of osmgen itself: of maps that do not fit the given setup, and of the files of models.

#include "base/core/diagnostics.hpp"

namespace simbatch::osmgen::code {

inline constexpr Code kKindUncovered{"osmgen-kind-uncovered", Severity::note,
                                     "the setup does not list a kind of road that the map has"};

inline constexpr Code kNoDrive{"osmgen-init-no-drive", Severity::warning, "the map has no street on which a car could drive"};

inline constexpr Code kNoHouses{"osmgen-init-no-houses", Severity::note, "no house or tree could be placed on the map"};

inline constexpr Code kModelMissing{"osmgen-model-missing", Severity::note, "models of the house list have no file"};
inline constexpr Code kModelSize{"osmgen-model-size", Severity::error,
                                 "a model has no BoxSize, and its file gives none that can be used"};

inline constexpr Code kOverwrite{"osmgen-overwrite", Severity::error, "an output would replace the file of a model"};

inline constexpr const Code* kAll[] = {&kKindUncovered, &kNoDrive, &kNoHouses, &kModelMissing, &kModelSize, &kOverwrite};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::osmgen::code
