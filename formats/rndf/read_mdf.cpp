#include <fmt/format.h>

#include <algorithm>

#include "base/core/record_limit.hpp"
#include "formats/rndf/codes.hpp"
#include "formats/rndf/lines.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::rndf {
namespace {

constexpr std::size_t kMaxVisits = 1'000'000;

enum class Part { header, checkpoints, speed_limits };

class MdfReader {
 public:
  MdfReader(std::string_view text, std::string file, bool strict)
      : result_{std::nullopt, Diagnostics(std::move(file))},
        copy_(detail::without_comments(text, result_.diagnostics)),
        clean_(copy_ ? *copy_ : text),
        line_(result_.diagnostics, strict) {}
  Parsed<Mdf> read();

 private:
  bool header(std::string_view k);
  bool number_line();
  void leave(bool with_end_line);

  Parsed<Mdf> result_;
  std::optional<std::string> copy_;
  std::string_view clean_;  // of comments
  detail::LineParser line_;
  Mdf mdf_;
  Part part_ = Part::header;
  Position part_at_;
  std::optional<std::int32_t> count_;
  std::size_t seen_ = 0;  // lines of this part, broken ones too
  bool has_count_ = false;
  RecordCount visits_{code::kMany, "checkpoints to visit", kMaxVisits};
  RecordCount records_{code::kMany, "speed limits and lines that are not known"};
  bool ended_ = false, any_known_ = false, has_name_ = false, has_rndf_ = false, has_checkpoints_ = false, has_limits_ = false;
};

void MdfReader::leave(bool with_end_line) {
  if (part_ == Part::header) return;
  const bool limits = part_ == Part::speed_limits;
  const std::string_view name = limits ? "speed_limits" : "checkpoints";
  if (!with_end_line)
    line_.report_departure(code::kEnd, part_at_, fmt::format("the {} that begin here lack end_{}", name, name));
  if (!has_count_)
    line_.report_departure(code::kHeader, part_at_, fmt::format("{} does not say its number (num_{})", name, name));
  else if (count_ && static_cast<std::size_t>(*count_) != seen_)
    line_.report_departure(code::kCount, part_at_, fmt::format("num_{} is {}, but the mission has {}", name, *count_, seen_));
  part_ = Part::header;
}

bool MdfReader::header(std::string_view k) {
  if (k == "MDF_name") {
    has_name_ = true;
    mdf_.name = line_.name(true);
  } else if (k == "RNDF" || k == "RNDF_name") {
    has_rndf_ = true;
    if (k == "RNDF_name") line_.report_departure(code::kOrder, line_.at(), "found RNDF_name, expected RNDF");
    mdf_.rndf = line_.name(true);
    mdf_.rndf_place.at = line_.words().size() > 1 ? line_.words()[1].at : line_.at();
  } else if (k == "format_version") {
    mdf_.format_version = line_.name(false);
  } else if (k == "creation_date") {
    mdf_.creation_date = line_.name(false);
  } else if (k == "checkpoints" || k == "speed_limits") {
    leave(false);
    line_.expect_words(1);
    part_ = k == "checkpoints" ? Part::checkpoints : Part::speed_limits;
    (part_ == Part::checkpoints ? has_checkpoints_ : has_limits_) = true;
    part_at_ = line_.at();
    count_.reset();
    seen_ = 0;
    has_count_ = false;
  } else if (k == "end_checkpoints" || k == "end_speed_limits") {
    line_.expect_words(1);
    if (part_ == (k == "end_checkpoints" ? Part::checkpoints : Part::speed_limits))
      leave(true);
    else
      line_.report_departure(code::kEnd, line_.at(), fmt::format("{} closes nothing", k));
  } else if ((k == "num_checkpoints" && part_ == Part::checkpoints) ||
             (k == "num_speed_limits" && part_ == Part::speed_limits)) {
    has_count_ = true;
    count_ = line_.integer(1, 0, k);
    line_.expect_words(2);
    // Room for what the text can hold, whatever the count says.
    if (count_ && part_ == Part::checkpoints)
      mdf_.checkpoints.reserve(std::min({static_cast<std::size_t>(*count_), clean_.size() / 2, kMaxVisits}));
  } else if (k == "end_file") {
    leave(false);
    line_.expect_words(1);
    ended_ = true;
  } else {
    return false;
  }
  return true;
}

bool MdfReader::number_line() {
  const char first = line_.keyword()[0];
  if (part_ == Part::header || !((first >= '0' && first <= '9') || first == '-')) return false;
  ++seen_;
  if (part_ == Part::checkpoints) {
    if (!visits_.add(line_.at(), result_.diagnostics)) return true;
    const auto id = line_.integer(0, 1, "checkpoint id");
    line_.expect_words(1);
    if (id) mdf_.checkpoints.push_back({*id, {line_.at()}});
    return true;
  }
  if (!records_.add(line_.at(), result_.diagnostics)) return true;
  const auto area = line_.integer(0, 1, "segment or zone id");
  const auto min = line_.number(1, "minimum speed");
  const auto max = min ? line_.number(2, "maximum speed") : std::nullopt;
  line_.expect_words(3);
  if (!area || !min || !max) return true;
  if (*min < 0 || *max < 0)
    line_.error(code::kValue, line_.words()[*min < 0 ? 1 : 2].at,
                fmt::format("speed limits are {} and {} mph, expected numbers >= 0", *min, *max));
  else
    mdf_.speed_limits.push_back({*area, *min, *max, {line_.at()}});
  return true;
}

Parsed<Mdf> MdfReader::read() {
  LineReader lines(clean_);
  while (line_.next(lines)) {
    if (ended_) {
      line_.report_departure(code::kUnknown, line_.at(),
                             fmt::format("{} follows end_file and is ignored", quoted(line_.text(), 30)));
      break;
    }
    const bool is_known = header(line_.keyword()) || number_line();
    if (!is_known) (void)records_.add(line_.at(), result_.diagnostics);
    if (visits_.is_exceeded() || records_.is_exceeded()) return std::move(result_);
    if (is_known) {
      any_known_ = true;
      continue;
    }
    line_.report_departure(code::kUnknown, line_.at(),
                           fmt::format("{} is not known; the line is kept", quoted(line_.keyword(), 40)));
    mdf_.extensions.push_back({line_.text(), {line_.at()}});
  }
  if (!any_known_) {
    result_.diagnostics.report(code::kEmpty, {}, "the file holds no line of a mission");
    return std::move(result_);
  }
  leave(false);
  const auto missing = [&](std::string_view what) {
    line_.report_departure(code::kHeader, {1, 1}, fmt::format("the mission has no {}", what));
  };
  if (!ended_) line_.report_departure(code::kEnd, position_at(clean_, clean_.size()), "the file lacks end_file");
  if (!has_name_) missing("MDF_name");
  if (!has_rndf_) missing("RNDF");
  if (!has_checkpoints_) missing("checkpoints");
  if (!has_limits_) missing("speed_limits");
  result_.value = std::move(mdf_);
  return std::move(result_);
}

}  // namespace

Parsed<Mdf> read_mdf(std::string_view text, std::string file, const ReadOptions& options) {
  return MdfReader(text, std::move(file), options.strict).read();
}

bool looks_like_rndf(std::string_view text) {
  return !looks_like_mdf(text) && text.substr(0, 1 << 16).find("RNDF_name") != std::string_view::npos;
}

bool looks_like_mdf(std::string_view text) {
  Diagnostics ignored;
  text = text.substr(0, 1 << 16);
  const std::optional<std::string> copy = detail::without_comments(text, ignored);
  LineReader lines(copy ? *copy : text);
  Line line;
  while (lines.next(line)) {
    const std::string_view words = trimmed(line.text);
    if (words.starts_with("MDF_name") || words.starts_with("checkpoints")) return true;
    if (words.starts_with("RNDF_name") || words.starts_with("num_segments")) return false;
  }
  return false;
}

}  // namespace simbatch::rndf
