#pragma once
/// The files of a scenario: access control, and a record of the files read. Internal to this room.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "formats/autosim/robot.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/scene/appearance.hpp"

namespace simbatch::scenario::detail {

/// The folders that a scenario may read: its own or a larger one, and the library of robots. The only place that decides whether a file is inside them.
class ScenarioRoot {
 public:
  enum class Access {
    allowed,       ///< in a folder; a regular file, a folder, or absent
    outside,       ///< its path leads out of the folder
    link_outside,  ///< its path stays inside, but a symbolic link on it leads out
    special,       ///< a FIFO, socket or device: reading it may block or never end
  };
  struct Resolved {
    std::string path;   ///< normalized, relative to the working folder if the scenario's path is
    std::string shown;  ///< relative to the scenario's folder, with / between folders; of the library's: "library:impreza.xml"
    Access access = Access::allowed;
  };

  /// @param scenario  path of the scenario file
  /// @param root      --root; empty: the scenario's own folder
  /// @param library   BuildOptions::library; empty: none
  ScenarioRoot(const std::string& scenario, const std::string& root, const std::string& library = {});

  /// Locates a file named in the file `from`, relative to the folder of `from`. Queries the file system, but opens nothing. The
  /// decision is based on real paths, with all links followed; a file that appears or is replaced later is not covered.
  Resolved resolve(const std::string& name, const std::string& from) const;
  const std::string& folder() const { return folder_; }  ///< of the scenario; "." for the working folder
  const std::string& root() const { return root_; }      ///< as given, or folder()

 private:
  std::string folder_, root_;
  std::string real_root_, real_library_;  // absolute, links followed; no library: empty
};

/// Opens the files of a scenario, records the digests of their contents, and collects the problems of all files.
class Files {
 public:
  /// @param options  root and library
  Files(const std::string& scenario, const BuildOptions& options, Diagnostics& problems)
      : scenario_(scenario), root_(scenario, options.root, options.library), problems_(problems) {}

  /// Opens a file named in `from`, relative to the folder of `from`. Reports at `at` in `from`, and returns nothing, if it lies
  /// outside the root, is not a regular file or cannot be read.
  std::optional<Input> open(const std::string& name, const std::string& from, Position at);
  /// The same for a file named in the scenario.
  std::optional<Input> open(const std::string& name, Position at) { return open(name, scenario_, at); }
  /// Opens a file named by the user, in any folder.
  std::optional<Input> open_named(const std::string& path);
  /// The same, but without entering it in the list of inputs.
  std::optional<Input> open_unnoted(const std::string& path);
  /// Opens a file by its path, without entering it in the list of inputs. Reports like open(), at a place in `from`.
  std::optional<Input> open_path(const std::string& path, const std::string& from, Position at);
  /// The path of a folder named in the scenario; reports like open().
  std::optional<std::string> permit(const std::string& name, Position at);
  /// False, after a report at a place in `from`, if this path must not be read.
  bool permit_path(const std::string& path, const std::string& from, Position at);
  /// Location of a model named in a file (`from`), read when the first picture is drawn. Records the digests of its files now,
  /// since camera images of programs may depend on them.
  models::ModelFile model_of(const autosim::Model* model, const std::string& from, Position at);

  /// Adds the files of a model to the list of inputs. False if one of them must not be read.
  bool note_model(const models::ModelFile& model);
  /// Adds a file to the list of inputs, once. @param name  relative to the scenario's folder
  void note(const std::string& name, std::string_view text);
  void note_digest(const std::string& name, const std::string& digest);
  /// Adds an input without a file of its own, on each call.
  void note_choice(const std::string& name, std::string_view text);

  void report(const Code& code, Position at, std::string message) { report(code, scenario_, at, std::move(message)); }
  void report(const Code& code, const std::string& file, Position at, std::string message);
  void append(Diagnostics problems) { problems_.append(std::move(problems)); }
  Diagnostics& problems() { return problems_; }

  const std::string& scenario() const { return scenario_; }  ///< its path, as given
  const ScenarioRoot& root() const { return root_; }
  bool unreadable() const { return unreadable_; }  ///< a file could not be read
  std::vector<FileDigest> take_inputs() { return std::move(inputs_); }

 private:
  bool is_permitted(const ScenarioRoot::Resolved& file, const std::string& name, const std::string& from, Position at);
  std::optional<Input> read(const ScenarioRoot::Resolved& file, const std::string& name, const std::string& from, Position at);

  std::string scenario_;
  ScenarioRoot root_;
  Diagnostics& problems_;
  std::vector<FileDigest> inputs_;
  std::map<std::pair<std::string, std::string>, bool> models_;  // by folder and type: whether they may be read
  bool unreadable_ = false;
};

}  // namespace simbatch::scenario::detail
