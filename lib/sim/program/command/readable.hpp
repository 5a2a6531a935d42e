#pragma once
/// What a confined controller has to read.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch::sim {

struct CommandPlace {
  std::string path = {};         ///< PATH
  std::string home = {};         ///< the user's; empty: unknown
  std::string python_path = {};  ///< PYTHONPATH
};

/// The files and folders that a command reads because of what it is: the files and folders that it names, the folders of these
/// files, those of PYTHONPATH, and the installations of the programs that PATH finds: their folder and, if that is called `bin`,
/// the `lib` beside it, or all beside `shims`, which pyenv and its like have. Neither the folder of the home, or one above, nor
/// one of the system's such as /etc, /tmp and /home is among them, and no link that the command names is followed. Absolute
/// paths; there is no order, and a path may be in another.
std::vector<std::string> readable_by(std::string_view command, const CommandPlace& place);

}  // namespace simbatch::sim
