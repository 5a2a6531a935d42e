#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/core/atomic_file.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
namespace fs = std::filesystem;

TEST_CASE("atomic file: nothing is seen before commit, everything after it") {
  const test::TemporaryFolder folder;
  const std::string target = folder.file("out.txt");
  test::write_text(target, "old");
  {
    AtomicFile file(target);
    file.write("new");
    CHECK(test::read_text(target) == "old");
  }
  CHECK(test::read_text(target) == "old");
  CHECK(folder.names() == std::vector<std::string>{"out.txt"});
  AtomicFile file(target);
  file.write("new");
  file.commit();
  CHECK(test::read_text(target) == "new");
  CHECK(folder.names() == std::vector<std::string>{"out.txt"});
}

TEST_CASE("atomic file: a large file, a link and a mode survive") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("real"), "old");
  ::chmod(folder.file("real").c_str(), 0640);
  fs::create_symlink("real", folder.path() / "link");
  const std::string large(3'000'000, 'x');
  write_file(folder.file("link"), large);
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(test::read_text(folder.file("real")) == large);
  CHECK((fs::status(folder.path() / "real").permissions() & fs::perms::all) == fs::perms(0640));
}

TEST_CASE("atomic file: a missing folder, a folder as target and an empty name are IoErrors") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(AtomicFile(folder.file("none/out.txt")), IoError);
  CHECK_THROWS_AS(AtomicFile{folder.path().string()}, IoError);
  CHECK_THROWS_AS(AtomicFile(""), IoError);
}

TEST_CASE("atomic file: room that was reserved in vain is given back") {
  const test::TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{3'000'000}}) {
    CAPTURE(size);
    AtomicFile file(folder.file("out"));
    file.reserve(1'000'000);
    file.reserve(2'000'000);
    file.reserve(10);
    file.reserve(9'000'000, 500'000);
    file.write(std::string(size, 'x'));
    CHECK(file.size() == size);
    file.commit();
    CHECK(test::read_text(folder.file("out")) == std::string(size, 'x'));
    struct stat status {};
    REQUIRE(::stat(folder.file("out").c_str(), &status) == 0);
    CHECK(static_cast<std::size_t>(status.st_blocks) * 512 < size + 65'536);
  }
  AtomicFile standard("-");
  standard.reserve(1'000'000);  // nothing to reserve
}

TEST_CASE("atomic file: several outputs appear together") {
  const test::TemporaryFolder folder;
  std::vector<AtomicFile> files;
  files.emplace_back(folder.file("a"));
  files.emplace_back(folder.file("b"));
  files[0].write("A");
  files[1].write("B");
  CHECK(folder.names().empty());
  AtomicFile::commit_all(files);
  CHECK(test::read_text(folder.file("a")) == "A");
  CHECK(test::read_text(folder.file("b")) == "B");
}

TEST_CASE("atomic file: a killed program leaves the old file and no temporary") {
  const test::TemporaryFolder folder;
  const std::string target = folder.file("out.txt");
  test::write_text(target, "old");
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(target);
    file.write(std::string(1'000'000, 'n'));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(test::read_text(target) == "old");
  CHECK(folder.names() == std::vector<std::string>{"out.txt"});
}

TEST_CASE("input: small files, large files, pipes and failures") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("small"), "abc");
  test::write_text(folder.file("empty"), "");
  const std::string large(2'000'000, 'y');
  test::write_text(folder.file("large"), large);
  CHECK(Input::open(folder.file("small")).text() == "abc");
  CHECK(Input::open(folder.file("empty")).text().empty());
  Input input = Input::open(folder.file("large"));
  CHECK(input.text() == large);
  const Input moved = std::move(input);
  CHECK(moved.text() == large);
  CHECK_THROWS_AS(Input::open(folder.file("none")), IoError);
  CHECK_THROWS_AS(Input::open(folder.path().string()), IoError);
  CHECK_THROWS_AS(Input::open(folder.file("large"), 1000), IoError);

  ::mkfifo(folder.file("pipe").c_str(), 0600);
  const pid_t child = ::fork();
  if (child == 0) {
    test::write_text(folder.file("pipe"), large);
    ::_exit(0);
  }
  CHECK(Input::open(folder.file("pipe")).text() == large);
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("hash: XXH3 of known texts, and pieces hash as the whole") {
  CHECK(hex64(hash64("")) == "2d06800538d394c2");  // XXH3-64 of nothing, seed 0, as its specification gives
  StateHash pieces;
  pieces.add(std::string_view("ab"));
  pieces.add(std::string_view("c"));
  CHECK(pieces.value() == hash64("abc"));
}
