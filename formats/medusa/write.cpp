#include <charconv>

#include "base/core/number.hpp"
#include "formats/medusa/medusa.hpp"
#include "formats/medusa/scan_format.hpp"

namespace simbatch::medusa {
namespace {

class Text {
 public:
  explicit Text(const WriteOptions& options) : end_(options.crlf ? "\r\n" : "\n") {}
  Text& operator<<(std::string_view word) {
    if (in_line_) out_ += ' ';
    out_ += word;
    in_line_ = true;
    return *this;
  }
  Text& operator<<(double value) {
    if (in_line_) out_ += ' ';
    // The vehicle and the console read fields with scanf, other programs by their own rules: no exponents.
    char buffer[512];
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr);
    in_line_ = true;
    return *this;
  }
  Text& operator<<(std::int32_t value) { return *this << std::string_view(number_text(value)); }
  void end() {
    out_ += end_;
    in_line_ = false;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::string_view end_;
  bool in_line_ = false;
};

void put_offsets(Text& out, std::string_view word, const std::vector<Offset>& list) {
  if (list.empty()) return;
  out << word;
  for (const Offset& o : list) out << o.vehicle << o.x << o.y;
  out.end();
}

void put_section(Text& out, const Section& s, int version, const WriteOptions& options) {
  out << keyword(s.kind);
  switch (s.kind) {
    case Kind::point: out << s.xe << s.ye << s.radius << s.velocity << s.heading << s.time; break;
    case Kind::line: out << s.xi << s.yi << s.xe << s.ye << s.velocity; break;
    case Kind::arc:
      out << s.xi << s.yi << s.xc << s.yc << s.xe << s.ye << s.velocity << (version == 2 ? -s.direction : s.direction)
          << s.radius;
      break;
    case Kind::depth:
    case Kind::alt: out << s.depth << s.time; break;
    case Kind::none: break;
  }
  if (version != 2) {
    out << s.vehicle;
    if (s.gamma && !options.strip_gamma) out << *s.gamma;
  }
  double ignored = 0;
  const bool reads_as_number = detail::ScanFormat(s.user_data).next(ignored);
  if (!s.user_data.empty() && !(options.strip_gamma && reads_as_number)) out << s.user_data;
  out.end();
}

}  // namespace

std::string write_mission(const Mission& mission, const WriteOptions& options) {
  Text out(options);
  const auto comments = [&](std::int64_t before) {
    for (const Comment& c : mission.comments)
      if (c.before == before) {
        out << c.text;
        out.end();
      }
  };
  comments(-1);
  out << static_cast<std::int32_t>(mission.version);
  out.end();
  comments(-2);
  if (mission.version == 5) {
    const Origin origin = mission.origin.value_or(Origin{});
    out << origin.lat << origin.lon;
    out.end();
    comments(-3);
    out << origin.east << origin.north;
    out.end();
  } else if (mission.reference) {
    out << mission.reference->easting << mission.reference->northing;
    if (!mission.reference->zone.empty()) out << mission.reference->zone;
    out.end();
  }
  comments(-4);
  put_offsets(out, "FORMATION", mission.formation);
  put_offsets(out, "BIAS", mission.bias);
  // Comments are in the order of their sections.
  std::size_t next = 0;
  while (next < mission.comments.size() && mission.comments[next].before < 0) ++next;
  const auto comments_until = [&](std::int64_t section) {
    for (; next < mission.comments.size() && mission.comments[next].before <= section; ++next) {
      if (mission.comments[next].before < 0) continue;
      out << mission.comments[next].text;
      out.end();
    }
  };
  for (std::size_t i = 0; i < mission.sections.size(); ++i) {
    comments_until(static_cast<std::int64_t>(i));
    put_section(out, mission.sections[i], mission.version, options);
  }
  comments_until(INT64_MAX);
  return out.take();
}

}  // namespace simbatch::medusa
