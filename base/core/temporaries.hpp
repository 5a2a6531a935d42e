#pragma once
/// Names of the existing temporary files and folders, for deletion by a signal handler. Internal to this room, except
/// discard_temporaries().

#include <string>

namespace simbatch {

struct TemporarySlot;

enum class TemporaryKind { file, folder };

/// Registers a name before it is created. @return nullptr if the table is full or the name too long: the file then remains
/// after a signal
TemporarySlot* remember_temporary(const std::string& name, TemporaryKind kind);
/// Unregisters a name that was deleted or is no longer temporary. Does nothing for nullptr.
void forget_temporary(TemporarySlot* slot) noexcept;

/// Deletes the temporaries that exist: files, and folders with the files in them. Async-signal-safe.
void discard_temporaries() noexcept;

}  // namespace simbatch
