#include "base/core/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/core/note.hpp"
#include "base/core/text.hpp"

namespace simbatch {
namespace {
constinit const CodeTable* last_table = nullptr;  // set before any table's constructor runs
}

CodeTable::CodeTable(std::span<const Code* const> codes) : codes_(codes), next_(last_table) { last_table = this; }

std::vector<const Code*> linked_codes() {
  std::vector<const Code*> all;
  for (const CodeTable* table = last_table; table != nullptr; table = table->next())
    all.insert(all.end(), table->codes().begin(), table->codes().end());
  std::sort(all.begin(), all.end(), [](const Code* a, const Code* b) { return a->name < b->name; });
  return all;
}

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

std::string to_text(const Diagnostic& d) {
  std::string out = printable(d.file);
  auto to = std::back_inserter(out);
  if (d.at.line != 0) fmt::format_to(to, "{}{}", out.empty() ? "" : ":", d.at.line);
  if (d.at.line != 0 && d.at.column != 0) fmt::format_to(to, ":{}", d.at.column);
  if (d.at.line == 0 && !d.path.empty()) fmt::format_to(to, "{}{}", out.empty() ? "" : ":", printable(d.path));
  fmt::format_to(to, "{}{}: {} [{}]", out.empty() ? "" : ": ", to_text(d.severity), printable(d.message), d.code);
  return out;
}

std::string to_json(const Diagnostic& d) {
  std::string out = "{\"file\":";
  append_json_string(out, d.file);
  fmt::format_to(std::back_inserter(out),
                 ",\"line\":{},\"column\":{},\"severity\":\"{}\",\"code\":\"{}\",\"message\":", d.at.line, d.at.column,
                 to_text(d.severity), d.code);
  append_json_string(out, d.message);
  out += ",\"path\":";
  append_json_string(out, d.path);
  return out + "}";
}

void Diagnostics::report(const Code& code, Position at, std::string message, std::string path) {
  report_as(code.severity, code, at, std::move(message), std::move(path));
}

void Diagnostics::report_as(Severity severity, const Code& code, Position at, std::string message, std::string path) {
  const auto kind = static_cast<std::size_t>(severity);
  ++counts_[kind];
  if (kept_[kind] >= kMaxKept) return;
  ++kept_[kind];
  items_.push_back({file_, at, severity, code.name, std::move(message), std::move(path)});
}

void Diagnostics::note(const Code& code, Position at, std::string message) {
  report_as(Severity::note, code, at, std::move(message));
}

void Diagnostics::report_in(std::string file, const Code& code, Position at, std::string message, std::string path) {
  Diagnostics own(std::move(file));
  own.report(code, at, std::move(message), std::move(path));
  append(std::move(own));
}

void Diagnostics::append(Diagnostics other) {
  for (std::size_t kind = 0; kind < 3; ++kind) counts_[kind] += other.counts_[kind];
  for (Diagnostic& item : other.items_) {
    const auto kind = static_cast<std::size_t>(item.severity);
    if (kept_[kind] >= kMaxKept) continue;
    ++kept_[kind];
    items_.push_back(std::move(item));
  }
}

bool adds_to(const Diagnostic& note, const Diagnostic& head) {
  return note.severity == Severity::note && head.severity != Severity::note && note.code == head.code;
}

void Diagnostics::sort() {
  // Groups of a diagnostic and its notes move as one.
  struct Group {
    std::size_t file;  // rank
    std::size_t first, last;
  };
  std::vector<Group> groups;
  std::unordered_map<std::string_view, std::size_t> files{{file_, 0}};
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::size_t file = files.try_emplace(items_[i].file, files.size()).first->second;
    if (groups.empty() || !adds_to(items_[i], items_[groups.back().first]))
      groups.push_back({file, i, i + 1});
    else
      groups.back().last = i + 1;
  }
  std::stable_sort(groups.begin(), groups.end(), [this](const Group& a, const Group& b) {
    return a.file != b.file ? a.file < b.file : items_[a.first].at < items_[b.first].at;
  });
  std::vector<Diagnostic> sorted;
  sorted.reserve(items_.size());
  for (const Group& group : groups)
    for (std::size_t i = group.first; i < group.last; ++i) sorted.push_back(std::move(items_[i]));
  items_ = std::move(sorted);
}

std::string Quoted::operator()(std::string_view text, std::size_t max) const {
  if (text.size() <= max) return "\"" + printable(text) + "\"";
  // A character split by the cut is dropped.
  std::size_t cut = max;
  while (cut > 0 && max - cut < 3 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return "\"" + printable(text.substr(0, cut)) + "\"...";
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > 64) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  // Optimal string alignment (Wagner and Fischer, The string-to-string correction problem, 1974, with swaps as in Damerau
  // 1964): insertion, deletion, replacement and the swap of two neighbors cost 1 each; letters that differ only in case cost
  // nothing.
  const auto same = [](char a, char b) { return equal_ignoring_case({&a, 1}, {&b, 1}); };
  std::vector<std::size_t> before, last, row;  // the rows of word[0..i-2], word[0..i-1] and word[0..i]
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > 64) continue;
    row.resize(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      before = std::exchange(last, row);
      row[0] = i;
      for (std::size_t j = 1; j < row.size(); ++j) {
        row[j] = std::min({last[j - 1] + (same(word[i - 1], candidate[j - 1]) ? 0 : 1), last[j] + 1, row[j - 1] + 1});
        if (i > 1 && j > 1 && same(word[i - 1], candidate[j - 2]) && same(word[i - 2], candidate[j - 1]))
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace simbatch
