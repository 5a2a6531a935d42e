// Writers whose rows are written by a thread of their own.

#include <doctest/doctest.h>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "formats/trace/writers.hpp"

using namespace simbatch;
using namespace simbatch::trace;

namespace {

/// Notes what it is called with.
class Notes final : public Writer {
 public:
  explicit Notes(std::string& text, std::int64_t fails_at = -1) : text_(text), fails_at_(fails_at) {}
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    if (step == fails_at_) throw IoError("disk", "full");
    text_ += "row " + number_text(step);
    for (const double number : numbers) text_ += " " + number_text(number);
    for (const std::string_view text : texts) text_.append(" ").append(text);
    text_ += "\n";
  }
  void hash(HashPoint point) override { text_ += "hash " + number_text(point.step) + "\n"; }
  void finish(const End& end) override { text_ += "end " + number_text(end.steps) + "\n"; }
  bool streams() const override { return true; }

 private:
  std::string& text_;
  std::int64_t fails_at_;
};

constexpr RowShape kShape{3, 2};

/// Many batches of rows, with a hash after every tenth.
void write_rows(Writer& writer, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows; ++i) {
    const double numbers[] = {static_cast<double>(i), 0.5, -1e300};
    const std::string text(static_cast<std::size_t>(i % 7), 'x');
    const std::string_view texts[] = {text, "y"};
    writer.row(i, numbers, texts);
    if (i % 10 == 9) writer.hash({i, 1});
  }
}

}  // namespace

TEST_CASE("trace threaded: everything arrives in its order") {
  for (const std::int64_t rows : {0, 1, 9, 20000}) {
    std::string direct, threaded;
    Notes plain(direct);
    write_rows(plain, rows);
    plain.finish({});
    const auto writer = detail::make_threaded_writer(std::make_unique<Notes>(threaded), kShape);
    CHECK(writer->streams());
    write_rows(*writer, rows);
    writer->finish({});
    CHECK(threaded == direct);
  }
}

TEST_CASE("trace threaded: texts that are left to the writer are those that come with rows") {
  const auto write = [](Writer& writer, bool leave) {
    const TextMaker maker = [](std::span<const double> numbers, std::size_t text, std::string& out) {
      out += text == 0 ? number_text(2 * numbers[0]) : "of " + number_text(numbers[1]);
    };
    if (leave) CHECK(writer.make_texts(maker));
    for (std::int64_t i = 0; i < 20000; ++i) {
      const double numbers[] = {static_cast<double>(i), 0.5, -1e300};
      std::string made[2];
      std::string_view texts[2];
      for (std::size_t text = 0; text < 2 && !leave; ++text) {
        maker(numbers, text, made[text]);
        texts[text] = made[text];
      }
      writer.row(i, numbers, leave ? std::span<const std::string_view>() : texts);
    }
    writer.finish({});
  };
  std::string direct, threaded;
  Notes plain(direct);
  CHECK(!plain.make_texts({}));
  write(plain, false);
  write(*detail::make_threaded_writer(std::make_unique<Notes>(threaded), kShape), true);
  CHECK(threaded == direct);
  CHECK(threaded.find("row 7 7 0.5 -1e+300 14 of 0.5\n") != std::string::npos);
}

TEST_CASE("trace threaded: rows of a run that was given up are written") {
  std::string direct, threaded;
  Notes plain(direct);
  write_rows(plain, 15000);
  write_rows(*detail::make_threaded_writer(std::make_unique<Notes>(threaded), kShape), 15000);
  CHECK(threaded == direct);
}

TEST_CASE("trace threaded: what the thread throws, a later call throws, and nothing is written after it") {
  for (const std::int64_t rows : {10, 50000}) {
    std::string text;
    {
      const auto writer = detail::make_threaded_writer(std::make_unique<Notes>(text, 5), kShape);
      CHECK_THROWS_AS((write_rows(*writer, rows), writer->finish({})), IoError);
    }
    CHECK(text.ends_with("row 4 4 0.5 -1e+300 xxxx y\n"));
  }
}
