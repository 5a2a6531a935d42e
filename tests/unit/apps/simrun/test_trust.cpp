#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include <sys/stat.h>

#include "apps/simrun/trust.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::simrun;
namespace fs = std::filesystem;

namespace {

// A folder with a list, a scenario and a library, and the environment that names the list.
struct Home {
  test::TemporaryFolder folder;
  std::string root = fs::canonical(folder.path()).string();
  std::string list = root + "/simbatch/trusted_folders", scenario = root + "/mine/s.xml", library = root + "/mine/p.so";
  Home() {
    for (const char* name : {"/simbatch", "/mine", "/other"}) {
      fs::create_directories(root + name);
      ::chmod((root + name).c_str(), 0755);
    }
    ::chmod(root.c_str(), 0755);
    for (const std::string& file : {list, scenario, library}) {
      test::write_text(file, "x");
      ::chmod(file.c_str(), 0644);
    }
    ::setenv("XDG_CONFIG_HOME", root.c_str(), 1);
  }
  ~Home() { ::unsetenv("XDG_CONFIG_HOME"); }
  std::string by(const std::string& text, Diagnostics& problems) {
    test::write_text(list, text);
    return trusted_by({scenario, library}, problems);
  }
};

}  // namespace

TEST_CASE("simrun: a list of trusted folders names the line that trusts, and says what is wrong with it") {
  Home home;
  Diagnostics fine;
  CHECK(home.by("# mine\n\n" + home.root + "/other\n " + home.root + "/mine \n", fine) == home.list + ":4");
  CHECK(fine.items().empty());
  CHECK(home.by("", fine).empty());
  test::Expected expected([&] {
    Diagnostics found;
    CHECK(home.by("mine\n", found).empty());
    return found;
  }());
  CHECK(expected.take("simrun-trust") == "expected an absolute folder, found \"mine\"");
  test::Expected written([&] {
    ::chmod(home.library.c_str(), 0664);
    Diagnostics found;
    CHECK(home.by(home.root + "/mine\n", found).empty());
    return found;
  }());
  CHECK(written.take("simrun-trust") == "others can write \"" + home.library +
                                            "\" (mode 0664), so that what is there is not trusted; the remedy is chmod go-w");
}

TEST_CASE("simrun: a trusted library is the one that was read") {
  Home home;
  Diagnostics problems;
  test::write_text(home.list, home.root + "/mine\n");
  const auto trusts = trusting();
  CHECK(trusts(home.scenario, home.library, "x", problems));
  CHECK_FALSE(trusts(home.scenario, home.library, "other bytes", problems));
  CHECK_FALSE(trusts(home.root + "/other/s.xml", home.library, "x", problems));
  CHECK_FALSE(trusting({home.root + "/other/study.xml"})(home.scenario, home.library, "x", problems));
}
