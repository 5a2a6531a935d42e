#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/core/atomic_file.hpp"
#include "base/core/atomic_folder.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/mapped_files.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
namespace fs = std::filesystem;

TEST_CASE("files: an input that shrinks while it is written elsewhere is named, not the output") {
  const test::TemporaryFolder folder;
  const std::string map = folder.file("map"), out = folder.file("out");
  write_file(map, std::string(std::size_t{4} << 20, 'x'));
  const Input input = Input::open(map);
  CHECK(mapped_file_at(input.text().data() + (std::size_t{3} << 20)) == map);
  CHECK(mapped_file_at(input.text().data() + input.text().size()).empty());
  REQUIRE(::truncate(map.c_str(), 1 << 20) == 0);
  std::string file, cause;
  try {
    write_file(out, input.text());
  } catch (const IoError& error) {
    file = error.file();
    cause = error.cause();
  }
  CHECK(file == map);
  CHECK(cause == "was truncated while it was being read");
  CHECK_FALSE(std::filesystem::exists(out));
}

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

TEST_CASE("atomic file: new files get the mode that the umask leaves, from any number of threads") {
  const mode_t before = ::umask(027);
  const test::TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&folder, t] {
      for (int i = 0; i < 200; ++i) write_file(folder.file(std::to_string(t) + "-" + std::to_string(i)), "x");
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(::umask(before) == 027);
  int files = 0, wrong = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    ++files;
    wrong += entry.status().permissions() != fs::perms(0640);
  }
  CHECK(files == 1600);
  CHECK(wrong == 0);
}

TEST_CASE("atomic file: a link to a file that does not exist yet is followed, a loop of links is refused") {
  const test::TemporaryFolder folder;
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink("sub/new", folder.path() / "link");
  fs::create_symlink("link", folder.path() / "second");
  write_file(folder.file("second"), "text");
  CHECK(fs::is_symlink(folder.path() / "second"));
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(test::read_text(folder.file("sub/new")) == "text");
  fs::create_symlink("loop", folder.path() / "loop");
  CHECK_THROWS_AS(write_file(folder.file("loop"), "text"), IoError);
  CHECK(fs::is_symlink(folder.path() / "loop"));
}

TEST_CASE("atomic file: a missing folder, a folder as target and an empty name are IoErrors") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(AtomicFile(folder.file("none/out.txt")), IoError);
  CHECK_THROWS_AS(AtomicFile{folder.path().string()}, IoError);
  CHECK_THROWS_AS(AtomicFile(""), IoError);
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

TEST_CASE("atomic file: a pipe takes what is written, by the name that a shell's process substitution gives it") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  write_file("/dev/fd/" + std::to_string(ends[1]), "text");
  ::close(ends[1]);
  char read[8] = {};
  CHECK(::read(ends[0], read, sizeof read) == 4);
  CHECK(std::string_view(read) == "text");
  ::close(ends[0]);
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

TEST_CASE("atomic file: a long name, and permissions without set-user-id") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(AtomicFile(folder.file(std::string(256, 'n'))), IoError);  // at once, not when others are in place
  const std::string name(250, 'n');
  write_file(folder.file(name), "text");
  test::write_text(folder.file("program"), "old");
  ::chmod(folder.file("program").c_str(), 04755);
  write_file(folder.file("program"), "new");
  CHECK(fs::status(folder.path() / "program").permissions() == fs::perms(0755));
  CHECK(folder.names() == std::vector<std::string>{name, "program"});
}

TEST_CASE("temporaries: a signal handler deletes files and folders that are not complete") {
  const test::TemporaryFolder folder;
  {
    const AtomicFolder unfinished(folder.file("out"));
    for (int i = 0; i < 300; ++i) test::write_text(unfinished.file("table-" + std::to_string(i)), "x");
    REQUIRE(folder.names().size() == 1);
    discard_temporaries();
    CHECK(folder.names().empty());
  }
  AtomicFolder complete(folder.file("out"));
  test::write_text(complete.file("table"), "x");
  complete.commit({});
  discard_temporaries();
  CHECK(test::read_text(folder.file("out/table")) == "x");
  CHECK(folder.names() == std::vector<std::string>{"out"});
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

TEST_CASE("input: a file that another file names is a regular file, or an error at once") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("plain"), "abc");
  fs::create_symlink("plain", folder.path() / "link");
  ::mkfifo(folder.file("pipe").c_str(), 0600);
  CHECK(Input::open_regular(folder.file("plain")).text() == "abc");
  CHECK(Input::open_regular(folder.file("link")).text() == "abc");
  for (const std::string& name : {folder.file("pipe"), std::string("/dev/zero"), folder.path().string(), std::string("-")})
    CHECK_THROWS_AS(Input::open_regular(name), IoError);
  CHECK_THROWS_AS(Input::open_regular(folder.file("plain"), 2), IoError);
}

TEST_CASE("hash: XXH3 of known texts, and pieces hash as the whole") {
  CHECK(hex64(hash64("")) == "2d06800538d394c2");  // XXH3-64 of nothing, seed 0, as its specification gives
  StateHash pieces;
  pieces.add(std::string_view("ab"));
  pieces.add(std::string_view("c"));
  CHECK(pieces.value() == hash64("abc"));
}
