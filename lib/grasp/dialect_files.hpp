#pragma once
/// The files that a robot or world names, in the other dialect of GraspIt!: a text robot names geometry files with headers, an
/// XML robot files of bodies that name geometry files.

#include <string>

#include "lib/grasp/export.hpp"

namespace simbatch::grasp {

/// Bodies of a robot that is being converted. Files that are missing in the new dialect are made; no file is overwritten.
class DialectBodies {
 public:
  /// @param from   folder of the robot's bodies (iv/ beside its file)
  /// @param to     the same of the output, which may be `from`; empty: the output is a stream, beside which nothing is written
  /// @param files  gets the files to write, as "iv/NAME"
  DialectBodies(std::string from, std::string to, GraspOptions options, MeshFiles& files, Diagnostics& diagnostics)
      : from_(std::move(from)), to_(std::move(to)), options_(std::move(options)), files_(files), diagnostics_(diagnostics) {}
  /// The name of the body's XML file; made from the geometry file's header if there is none.
  std::string to_xml(const std::string& name, Position at);
  /// The name of the geometry file that says the same: the one that the XML names if its header does; else a copy with such a
  /// header, of the scaled and moved shape if the XML scales or moves it.
  std::string to_text(const std::string& name, Position at);

 private:
  bool exists_in_output(const std::string& name) const;
  void put(const std::string& name, std::string text);
  void copy(const std::string& name);
  std::string missing(const std::string& name, const std::string& result, Position at);

  std::string from_, to_;
  GraspOptions options_;
  MeshFiles& files_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::string> known_;  // name -> new name
};

/// For the names of a world's files, relative to `root`: the file in the other dialect if there is one, else, with a warning at
/// its position, the name unchanged.
Rename existing_xml(std::string root, Diagnostics& diagnostics);
/// @param suffix  of a text file: ".cfg", or ".iv" (or .wrl, or what a body's XML names)
Rename existing_text(std::string root, std::string suffix, Diagnostics& diagnostics);

}  // namespace simbatch::grasp
