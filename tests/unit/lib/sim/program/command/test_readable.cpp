#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "lib/sim/program/command/readable.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;
namespace fs = std::filesystem;

namespace {

struct Homes {
  test::TemporaryFolder folder;
  std::string root = fs::canonical(folder.path()).string();
  std::string make(const std::string& path) {
    fs::create_directories(fs::path(root + "/" + path).parent_path());
    test::write_text(root + "/" + path, "x");
    return root + "/" + path;
  }
  // What is readable, without the common start.
  std::vector<std::string> of(const std::string& command, CommandPlace place = {}) {
    if (place.home.empty()) place.home = root + "/home/u";
    std::vector<std::string> all;
    for (const std::string& path : readable_by(command, place))
      all.push_back(path.starts_with(root) ? path.substr(root.size() + 1) : path);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("readable: the files that a command names, and their folders") {
  Homes homes;
  const std::string script = homes.make("home/u/project/drive.py"), weights = homes.make("data/weights.npz");
  CHECK(homes.of("python3 '" + script + "' --weights=" + weights + " -v") ==
        Paths{"data", "data/weights.npz", "home/u/project", "home/u/project/drive.py"});
  CHECK(homes.of("python3 ~/project/drive.py") == Paths{"home/u/project", "home/u/project/drive.py"});
  CHECK(homes.of("python3 drive.py " + homes.root + "/absent") == Paths{});
  CHECK(homes.of("run " + homes.root + "/data") == Paths{"data"});
}

TEST_CASE("readable: neither a home, nor what is above it, nor the system's folders") {
  Homes homes;
  const std::string script = homes.make("home/u/drive.py");
  CHECK(homes.of("python3 " + script) == Paths{"home/u/drive.py"});
  CHECK(homes.of("python3 " + homes.make("home/drive.py")) == Paths{"home/drive.py"});
  CHECK(homes.of("cat /etc/passwd") == Paths{"/etc/passwd"});
  CHECK(homes.of("ls / /tmp /home /etc /proc/self /var " + homes.root + "/home").empty());
  CHECK(homes.of("x", {.python_path = homes.root + "/home:/:/etc:" + homes.root}).empty());
}

TEST_CASE("readable: links that a command names are not followed") {
  Homes homes;
  const std::string secret = homes.make("home/u/.ssh/id");
  homes.make("project/data.txt");
  fs::create_symlink(secret, homes.root + "/project/drive.py");
  CHECK(homes.of("python3 " + homes.root + "/project/drive.py") == Paths{"project"});
}

TEST_CASE("readable: the installations of programs in PATH, and PYTHONPATH") {
  Homes homes;
  homes.make("python/versions/3/bin/python3.11");
  homes.make("python/versions/3/lib/os.py");
  homes.make("venv/pyvenv.cfg");
  fs::create_directories(homes.root + "/venv/bin");
  fs::create_symlink(homes.root + "/python/versions/3/bin/python3.11", homes.root + "/venv/bin/python3");
  CHECK(homes.of("python3 -c x", {.path = "bin:/no-such-folder:" + homes.root + "/venv/bin"}) ==
        Paths{"python/versions/3/bin", "python/versions/3/lib", "venv/bin", "venv/pyvenv.cfg"});
  homes.make("pyenv/shims/python3");
  CHECK(homes.of("python3", {.path = homes.root + "/pyenv/shims"}) == Paths{"pyenv", "pyenv/shims"});
  homes.make("home/u/bin/drive");
  homes.make("home/u/lib/x");
  CHECK(homes.of("drive", {.path = homes.root + "/home/u/bin"}) == Paths{"home/u/bin", "home/u/lib"});
  CHECK(homes.of("true", {.python_path = homes.root + "/venv:" + homes.root + "/absent"}) == Paths{"venv"});
}
