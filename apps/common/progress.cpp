#include "apps/common/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "apps/common/console.hpp"

namespace simbatch::cli {
namespace {
using Clock = std::chrono::steady_clock;
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kDelay = std::chrono::milliseconds(200);  // shorter work needs no bar

void draw(const std::string& text) {
  if (::write(2, text.data(), text.size()) < 0) return;  // failing to draw a bar is not an error
}
}  // namespace

struct Progress::State {
  std::string label;
  std::uint64_t total = 0;
  Clock::time_point start = Clock::now(), next = Clock::now();
  unsigned skip = 0;
  bool drawn = false;
};

Progress::Progress(const CommonOptions& common, std::string label, std::uint64_t total) {
  const bool wanted = common.progress == When::always || (common.progress == When::automatic && on_terminal());
  if (!wanted || common.diagnostics_json || common.quiet) return;
  state_ = std::make_unique<State>();
  state_->label = std::move(label);
  state_->total = total;
  if (common.progress == When::automatic) state_->next += kDelay;
}

Progress::~Progress() { finish(); }

void Progress::update(std::uint64_t done) {
  if (!state_) return;
  State& s = *state_;
  if (++s.skip > 64 && s.skip % 16 != 0) return;  // for large totals the clock is read only on every 16th call
  const auto now = Clock::now();
  if (now < s.next) return;
  s.next = now + kRedraw;
  s.drawn = true;
  const double seconds = std::chrono::duration<double>(now - s.start).count();
  if (s.total == 0) {
    draw(fmt::format("\r\x1b[K{} {}", s.label, done));
    return;
  }
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(s.total));
  constexpr std::size_t kWidth = 30;
  const auto full = static_cast<std::size_t>(part * kWidth);
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  draw(fmt::format("\r\x1b[K{} [{}{}] {:3.0f} %  {:.1f} s left", s.label, std::string(full, '#'),
                   std::string(kWidth - full, '.'), 100 * part, left));
}

void Progress::label(std::string text) {
  if (state_) state_->label = std::move(text);
}

void Progress::finish() {
  if (!state_) return;
  if (state_->drawn) draw("\r\x1b[K");
  state_.reset();
}

}  // namespace simbatch::cli
