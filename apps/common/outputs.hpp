#pragma once
/// Detects outputs that would overwrite an input or another output.

#include <string>
#include <vector>

#include "base/core/read_files.hpp"

namespace simbatch::cli {

/// The files that a command reads and writes, compared by device and inode (or, if a file does not exist yet, by its path)
/// before anything is written:
///   cli::Outputs outputs;
///   outputs.reads("SCENARIO", o.scenario);
///   outputs.writes("--trace", o.trace);
///   command.check([...] { return outputs.conflict(); });
/// Empty names and "-" (standard input and output) are ignored; only one output may be "-", and only one input.
class Outputs {
 public:
  /// @param what  the file's name in messages: "SCENARIO", "--rndf"
  void reads(std::string what, std::string file);
  /// @param in_place  `what` of the one input that this output may replace: the same format is written again
  void writes(std::string what, std::string file, std::string in_place = {});
  /// The first conflict, as a message: "--output would overwrite FILE (\"a.obj\")"; empty if there is none.
  std::string conflict() const;
  /// The first output that would overwrite a file that was read, named in the command or in one of its inputs, as a message:
  /// for commands whose inputs name further files, once all are read. An input that may be replaced in place may have been
  /// read. Empty if there is none.
  std::string conflict(const ReadFiles& read) const;

 private:
  struct File {
    std::string what, name, in_place;
  };
  std::vector<File> inputs_, outputs_;
};

/// For commands that take long: refuses at once what could not be written at their end. Nothing is created or changed.
/// @param file  that a command is going to write; "" and "-" are fine
/// @throws IoError if its folder is missing or may not be written
void require_folder(const std::string& file);

}  // namespace simbatch::cli
