/// Version 1. The reference's sample leaves out the controller line that its Format section asks for, so a dynamic object has
/// two layouts and the text does not say which one it uses. Reading is a depth-first search over the layouts: 0. a dynamic
/// object swallows the next one easily ("1 2 5 ..." is two legs, or a script of five), and some files have two readings with
/// the same number of objects. Where every value is on a line of its own and every waypoint on one line, as in the sample and
/// in everything that programs write, that is taken as part of the grammar first; 1. otherwise the first chain of objects that
/// ends exactly at the end of the file, explicit layouts first; a position that did not lead to the end never will, so each is
/// tried once: O(size), as in packrat parsers (Ford, Packrat parsing: simple, powerful, lazy, linear time, 2002); 2. if its
/// number of objects is not the file's count, a chain with that count is also searched for (bounded work); 3. if there is no
/// chain, the faults are located: per block between blank lines, else over the whole file, skipping wrong values, else at the
/// farthest position reached.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_set>

#include "base/core/number.hpp"
#include "base/core/record_limit.hpp"
#include "base/core/text.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/cajunbot/codes.hpp"
#include "formats/cajunbot/v1_extras.hpp"
#include "formats/cajunbot/v1_scan.hpp"

namespace simbatch::cajunbot {
namespace {

using detail::Fault;
using detail::Layout;
using detail::ObjectParser;
using detail::Scanner;

constexpr std::size_t kAny = static_cast<std::size_t>(-1);
/// The smallest objects: "2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 " is 30 bytes, a mesh of one-letter names 12.
constexpr std::size_t kMinBoxBytes = 30, kMinObjectBytes = 12;

/// Objects and where each begins; lines are counted once, at the end.
struct Found {
  std::vector<Object> objects;
  std::vector<std::size_t> offsets;
  std::size_t sensors = 0;  // of all objects but the last

  std::size_t size() const { return objects.size(); }
  /// What becomes far more than its text: objects and their sensors.
  std::size_t records() const { return size() + sensors + (objects.empty() ? 0 : objects.back().sensors.size()); }
  void reserve(std::size_t count) {
    objects.reserve(count);
    offsets.reserve(count);
  }
  void add(Object object, std::size_t offset) {
    if (!objects.empty()) sensors += objects.back().sensors.size();
    objects.push_back(std::move(object));
    offsets.push_back(offset);
  }
  /// Keeps the first ones.
  void truncate(std::size_t count) {
    while (size() > count) {
      objects.pop_back();
      if (!objects.empty()) sensors -= objects.back().sensors.size();
    }
    offsets.resize(count);
  }
};

std::size_t next_token_offset(std::string_view text, std::size_t from, std::size_t end) {
  Scanner s(text, from, end);
  s.skip();
  return s.offset();
}

enum class Outcome { found, none, budget, many };

/// The search of step 1 (wanted == kAny) and 2.
class Search {
 public:
  Search(std::string_view text, std::size_t begin, bool strict, bool tolerant, bool by_lines = false)
      : text_(text), begin_(begin), strict_(strict), parser_(text, tolerant, strict, by_lines) {}

  Outcome run(std::size_t wanted, std::size_t budget);
  Found found;
  std::vector<std::uint32_t> implied;  ///< indices of objects without a controller line
  ObjectParser& parser() { return parser_; }
  /// The largest number of complete objects seen, and where they ended.
  std::size_t most = 0, most_end = 0;
  /// Outcome::many: where the first record too many begins.
  std::size_t many_at = 0;

 private:
  struct Choice {
    std::size_t offset;
    std::uint32_t objects, faults;
  };
  bool enter(std::size_t offset, std::size_t wanted);
  bool backtrack(std::size_t& offset);

  std::string_view text_;
  std::size_t begin_;
  bool strict_;
  ObjectParser parser_;
  std::vector<Choice> choices_;
  std::vector<bool> entered_;
  std::unordered_set<std::uint64_t> entered_with_count_;
};

bool Search::enter(std::size_t offset, std::size_t wanted) {
  if (wanted == kAny) {
    if (entered_[offset - begin_]) return false;
    entered_[offset - begin_] = true;
    return true;
  }
  // Sizes are below 2^32 in practice; a collision could only make the search give up, never answer wrongly.
  return entered_with_count_.insert(offset * 0x9E37'79B9'7F4A'7C15u + found.size()).second;
}

/// Backtracks to the last dynamic object read with a controller and reads it without.
bool Search::backtrack(std::size_t& offset) {
  while (!choices_.empty()) {
    const Choice choice = choices_.back();
    choices_.pop_back();
    found.truncate(choice.objects);
    while (!implied.empty() && implied.back() >= choice.objects) implied.pop_back();
    parser_.passed().resize(choice.faults);
    Object object;
    offset = choice.offset;
    if (parser_.parse(offset, text_.size(), Layout::implied_controller, object)) {
      implied.push_back(choice.objects);
      found.add(std::move(object), choice.offset);
      offset = next_token_offset(text_, offset, text_.size());
      return true;
    }
    parser_.passed().resize(choice.faults);
  }
  return false;
}

Outcome Search::run(std::size_t wanted, std::size_t budget) {
  found.truncate(0);
  implied.clear();
  choices_.clear();
  entered_with_count_.clear();
  entered_.assign(wanted == kAny ? text_.size() - begin_ + 1 : 0, false);
  std::size_t offset = begin_;
  std::size_t spent = 0;
  while (true) {
    if (found.size() > most) {
      most = found.size();
      most_end = offset;
    }
    const bool at_end = offset >= text_.size();
    if (at_end && (wanted == kAny || found.size() == wanted)) return Outcome::found;
    bool advanced = false;
    if (!at_end && found.size() < wanted && enter(offset, wanted)) {
      if (++spent > budget) return Outcome::budget;
      if (found.records() >= detail::kMaxObjects) {
        many_at = offset;
        return Outcome::many;
      }
      found.add({}, offset);
      Object& object = found.objects.back();
      std::size_t after = offset;
      const auto faults = static_cast<std::uint32_t>(parser_.passed().size());
      const bool explicit_read = parser_.parse(after, text_.size(), Layout::explicit_controller, object);
      const bool dynamic = object.type == Type::dynamic && !strict_;
      if (dynamic) choices_.push_back({offset, static_cast<std::uint32_t>(found.size() - 1), faults});
      if (explicit_read) {
        offset = next_token_offset(text_, after, text_.size());
        advanced = true;
      } else {
        found.truncate(found.size() - 1);
        parser_.passed().resize(faults);
      }
    }
    if (!advanced && !backtrack(offset)) return Outcome::none;
  }
}

/// A run of lines without a blank one.
struct Block {
  std::size_t begin, end;
};

/// At most detail::kMaxObjects and one.
std::vector<Block> blocks_of(std::string_view text, std::size_t begin) {
  std::vector<Block> blocks;
  std::size_t block = begin, at = begin;
  const auto close = [&](std::size_t end) {
    if (next_token_offset(text, block, end) < end) blocks.push_back({block, end});
    block = end;
  };
  while (at < text.size() && blocks.size() <= detail::kMaxObjects) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    // The rest of the count's line may hold nothing; it is not a separator.
    if (at != begin && trimmed(text.substr(at, line_end - at)).empty()) close(at);
    at = std::min(line_end + 1, text.size());
    if (line_end == text.size()) break;
  }
  close(text.size());
  return blocks;
}

class Reader {
 public:
  Reader(std::string_view text, std::string file, bool strict)
      : text_(text), strict_(strict), result_{std::nullopt, Diagnostics(std::move(file))} {}
  Parsed<ObjectFile> read();

 private:
  std::string token_at(std::size_t offset) const;
  Position place_of(std::size_t offset);
  void report_fault(const Fault& fault, std::size_t object);
  void explain(std::size_t begin, Search& strictly);
  bool read_whole(Block block, bool by_lines, Found& found, Fault& furthest, std::size_t& rest) const;
  void read_block(Block block, std::size_t number, Found& found, bool& ended_early);
  void finish(Found found, const std::vector<std::uint32_t>& implied);

  std::string_view text_;
  bool strict_, by_lines_ = false;
  std::optional<LineIndex> lines_;  // made for the first report: of short lines it is larger than the text
  Parsed<ObjectFile> result_;
  std::size_t count_ = kAny;
};

Position Reader::place_of(std::size_t offset) {
  if (!lines_) lines_.emplace(text_);
  return lines_->at(offset);
}

std::string Reader::token_at(std::size_t offset) const {
  Scanner s(text_, offset, text_.size());
  return quoted(s.token(), 30);
}

void Reader::report_fault(const Fault& fault, std::size_t object) {
  const std::string of = count_ == kAny ? fmt::format("object {}", object) : fmt::format("object {} of {}", object, count_);
  if (fault.at_end)
    result_.diagnostics.report(code::kEnd, place_of(fault.offset),
                               fmt::format("{} ends before its {}, expected {}", of, fault.field, fault.expected));
  else if (fault.field == "object type")
    result_.diagnostics.report(
        code::kType, place_of(fault.offset),
        fmt::format("{} of {} is {}, expected {}", fault.field, of, token_at(fault.offset), fault.expected));
  else
    result_.diagnostics.report(
        code::kField, place_of(fault.offset),
        fmt::format("{} of {} is {}, expected {}", fault.field, of, token_at(fault.offset), fault.expected));
}

/// One object that fills a block exactly. Otherwise: the farthest fault, and the end of an object that left something over.
bool Reader::read_whole(Block block, bool by_lines, Found& found, Fault& furthest, std::size_t& rest) const {
  const std::size_t start = next_token_offset(text_, block.begin, block.end);
  for (const Layout layout : {Layout::explicit_controller, Layout::implied_controller}) {
    if (layout == Layout::implied_controller && (strict_ || detail::peek_type(text_, start, block.end, strict_) != 1)) continue;
    ObjectParser parser(text_, false, strict_, by_lines);
    Object object;
    std::size_t after = start;
    if (parser.parse(after, block.end, layout, object)) {
      after = next_token_offset(text_, after, block.end);
      if (after >= block.end) {
        found.add(std::move(object), start);
        return true;
      }
      rest = std::max(rest, after);
    }
    const Fault& fault = parser.furthest();
    if (!fault.field.empty() && (furthest.field.empty() || fault.offset > furthest.offset)) furthest = fault;
  }
  return false;
}

/// One object that should fill a block; reports what is wrong with it.
void Reader::read_block(Block block, std::size_t number, Found& found, bool& ended_early) {
  Fault furthest;
  std::size_t rest = 0;
  if (read_whole(block, by_lines_, found, furthest, rest)) return;
  // If it parses as one object when invalid values are skipped, those values are the errors.
  const std::size_t start = next_token_offset(text_, block.begin, block.end);
  std::vector<Fault> best;
  bool usable = false;
  for (const Layout layout : {Layout::explicit_controller, Layout::implied_controller}) {
    if (layout == Layout::implied_controller && (strict_ || detail::peek_type(text_, start, block.end, strict_) != 1)) continue;
    ObjectParser parser(text_, true, strict_, by_lines_);
    Object object;
    std::size_t after = start;
    if (!parser.parse(after, block.end, layout, object) || next_token_offset(text_, after, block.end) < block.end) continue;
    if (!usable || parser.passed().size() < best.size()) best = parser.passed();
    usable = true;
  }
  // Half a dozen wrong values in one object indicate a shifted object rather than six errors.
  if (usable && best.size() <= 6) {
    for (const Fault& fault : best) report_fault(fault, number);
  } else if (!furthest.field.empty() && furthest.offset >= rest) {
    ended_early = furthest.at_end;
    report_fault(furthest, number);
  } else {
    result_.diagnostics.report(
        code::kTrailing, place_of(rest),
        fmt::format("object {} is complete, but {} follows before the next blank line", number, token_at(rest)));
  }
}

/// Step 3: no valid interpretation exists; report the reason.
void Reader::explain(std::size_t begin, Search& strictly) {
  strictly.found = {};
  const std::vector<Block> blocks = blocks_of(text_, begin);
  if (blocks.size() <= detail::kMaxObjects && (blocks.size() > 1 || count_ == 1)) {
    // Trust the blank lines if they make most blocks whole objects; try without reporting first.
    std::size_t whole = 0, lined = 0;
    const std::size_t sample = std::min<std::size_t>(blocks.size(), 1000);
    for (std::size_t i = 0; i < sample; ++i) {
      Found object;
      Fault fault;
      std::size_t rest = 0;
      whole += read_whole(blocks[i], false, object, fault, rest) ? 1 : 0;
      lined += read_whole(blocks[i], true, object, fault, rest) ? 1 : 0;
    }
    if (blocks.size() == count_ || 2 * whole >= sample) {
      // If the valid blocks follow the line layout, a fault is at the first deviating line.
      Scanner first(text_, blocks[0].begin, blocks[0].end);
      first.token();
      by_lines_ = lined == whole && (lined > 0 || first.at_line_end());
      Found found;
      bool ended_early = false;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        ended_early = false;
        read_block(blocks[i], i + 1, found, ended_early);
      }
      if (count_ != kAny && blocks.size() < count_ && !ended_early)
        result_.diagnostics.report(code::kEnd, place_of(text_.size()),
                                   fmt::format("the file ends after {} of {} objects", blocks.size(), count_));
      finish(std::move(found), {});
      return;
    }
  }
  Search search(text_, begin, strict_, true);
  if (count_ != kAny &&
      search.run(count_, std::min(64 + text_.size() / kMinObjectBytes * 4, detail::kMaxObjects)) == Outcome::found &&
      search.parser().passed().size() <= 2 * count_ + 2) {
    for (const Fault& fault : search.parser().passed()) {
      const std::vector<std::size_t>& offsets = search.found.offsets;
      const auto after = std::upper_bound(offsets.begin(), offsets.end(), fault.offset);
      report_fault(fault, static_cast<std::size_t>(after - offsets.begin()));
    }
    return;
  }
  const Fault& furthest = strictly.parser().furthest();
  if (count_ != kAny && strictly.most >= count_ && !furthest.at_end) {
    result_.diagnostics.report(
        code::kTrailing, place_of(strictly.most_end),
        fmt::format("unexpected {} after object {} of {}", token_at(strictly.most_end), strictly.most, count_));
  } else {
    report_fault(furthest, strictly.most + 1);
  }
}

void Reader::finish(Found found, const std::vector<std::uint32_t>& implied) {
  ObjectFile file;
  file.objects = std::move(found.objects);
  std::size_t at = 0, line_start = byte_order_mark_size(text_);
  std::uint32_t line = 1;
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    const std::size_t offset = found.offsets[i];
    while (at < offset) {
      const void* end = std::memchr(text_.data() + at, '\n', offset - at);
      if (end == nullptr) break;
      at = line_start = static_cast<std::size_t>(static_cast<const char*>(end) - text_.data()) + 1;
      ++line;
    }
    at = offset;
    file.objects[i].place.at = {line, static_cast<std::uint32_t>(offset - line_start + 1)};
  }
  if (text_.find("//!") != std::string_view::npos) detail::read_extras(text_, found.offsets, file, result_.diagnostics);
  for (const std::uint32_t index : implied)
    result_.diagnostics.report(code::kControllerImplied, file.objects[index].place.at,
                               fmt::format("object {} has no controller line; read as waypoint (3)", index + 1));
  for (std::size_t i = 0; i < file.objects.size(); ++i)
    if (file.objects[i].type == Type::mesh && file.objects[i].mesh_type != 3)
      result_.diagnostics.report(
          code::kMeshType, file.objects[i].place.at,
          fmt::format("object {} has type {} and two file names; read as mesh (3)", i + 1, file.objects[i].mesh_type));
  result_.value = std::move(file);
}

Parsed<ObjectFile> Reader::read() {
  Scanner s(text_, byte_order_mark_size(text_), text_.size());
  const std::string_view token = s.token();
  if (token.empty()) {
    result_.diagnostics.report(code::kEmpty, place_of(text_.size()), "the file is empty, expected the number of objects");
    return std::move(result_);
  }
  const auto count_at = [&] { return place_of(static_cast<std::size_t>(token.data() - text_.data())); };
  const auto count = parse_integer<std::int32_t>(token);
  if (!count || count.value < 0)
    result_.diagnostics.report(code::kField, count_at(),
                               fmt::format("the number of objects is {}, expected a whole number >= 0", quoted(token, 30)));
  else
    count_ = static_cast<std::size_t>(count.value);
  const std::size_t begin = next_token_offset(text_, s.offset(), text_.size());

  for (const bool by_lines : {true, false}) {
    Search search(text_, begin, strict_, false, by_lines);
    // Room for what the text can hold, whatever the count says.
    search.found.reserve(std::min(count_, (text_.size() - begin) / kMinBoxBytes));
    const Outcome outcome = search.run(kAny, kAny);
    if (outcome == Outcome::many) {
      report_too_many(code::kMany, "objects and sensors", detail::kMaxObjects, place_of(search.many_at), result_.diagnostics);
      return std::move(result_);
    }
    if (outcome != Outcome::found) {
      if (by_lines) continue;
      explain(s.offset(), search);
      return std::move(result_);
    }
    if (count_ == kAny || search.found.size() == count_) {
      finish(std::move(search.found), search.implied);
      return std::move(result_);
    }
    Search exact(text_, begin, strict_, false, by_lines);
    if (exact.run(count_, 64 + 4 * search.found.size()) == Outcome::found) {
      finish(std::move(exact.found), exact.implied);
      return std::move(result_);
    }
    const std::size_t n = search.found.size();
    if (n < count_)
      result_.diagnostics.report(code::kEnd, place_of(text_.size()),
                                 fmt::format("the file ends after {} of {} objects", n, count_));
    else
      result_.diagnostics.report_as(strict_ ? Severity::error : Severity::warning, code::kCount, count_at(),
                                    fmt::format("the file states {} objects but contains {}; all are read", count_, n));
    finish(std::move(search.found), search.implied);
    return std::move(result_);
  }
  return std::move(result_);
}

}  // namespace

Parsed<ObjectFile> read_v1(std::string_view text, std::string file, const ReadOptions& options) {
  return Reader(text, std::move(file), options.strict).read();
}

}  // namespace simbatch::cajunbot
