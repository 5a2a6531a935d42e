// Source: XML 1.0, productions 15 (Comment), 16 (PI), 22 (prolog); TinyXML ends a comment at the first `-->`.

#include "base/xml/repair.hpp"

#include "base/core/position.hpp"
#include "base/core/text.hpp"
#include "base/xml/codes.hpp"

namespace simbatch::xml {
namespace {

constexpr std::string_view kOpen = "<!--", kClose = "-->", kData = "<![CDATA[", kDataEnd = "]]>", kDeclaration = "<?xml",
                           kInstruction = "<?", kInstructionEnd = "?>";

class Repair {
 public:
  Repair(std::string_view text, std::string& repaired, Diagnostics& problems)
      : text_(text), repaired_(repaired), problems_(problems) {}

  bool run() {
    bool in_prolog = true;  // only blanks and comments so far
    std::size_t at = byte_order_mark_size(text_);
    const std::size_t start = at;
    for (at = text_.find('<', at); at != std::string_view::npos; at = text_.find('<', at + 1)) {
      const std::string_view rest = text_.substr(at);
      if (rest.starts_with(kOpen)) {
        const std::size_t end = text_.find(kClose, at + kOpen.size());
        if (end == std::string_view::npos) break;
        check_comment(at, at + kOpen.size(), end);
        at = end + kClose.size() - 1;
        continue;
      }
      if (rest.starts_with(kData)) {
        const std::size_t end = text_.find(kDataEnd, at);
        if (end == std::string_view::npos) break;
        at = end;
      } else if (rest.starts_with(kInstruction)) {  // what looks like a comment in it is none
        if (in_prolog && at > start && rest.starts_with(kDeclaration)) drop_declaration(at);
        const std::size_t end = text_.find(kInstructionEnd, at);
        if (end == std::string_view::npos) break;
        at = end;
      }
      in_prolog = false;
    }
    return !repaired_.empty();
  }

 private:
  void report(std::size_t at, std::string message) {
    problems_.report(code::kComment, position_at(text_, at), std::move(message));
    if (repaired_.empty()) repaired_ = text_;
  }
  void check_comment(std::size_t open, std::size_t begin, std::size_t end) {
    bool reported = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (text_[i] != '-' || text_[i + 1] != '-') continue;
      // Positions are found by scanning the text, so only the first few comments are reported.
      if (!reported && ++count_ <= kMaxReported)
        report(i, "\"--\" inside a comment, which XML forbids; the comment begins on line " +
                      std::to_string(position_at(text_, open).line));
      if (repaired_.empty()) repaired_ = text_;
      reported = true;
      repaired_[i] = ' ';
    }
  }
  void drop_declaration(std::size_t at) {
    const std::size_t end = text_.find(kInstructionEnd, at);
    if (end == std::string_view::npos) return;
    report(at, "the XML declaration is not at the start of the file");
    for (std::size_t i = at; i < end + 2; ++i)
      if (repaired_[i] != '\n') repaired_[i] = ' ';
  }

  static constexpr std::size_t kMaxReported = 20;
  std::string_view text_;
  std::string& repaired_;
  Diagnostics& problems_;
  std::size_t count_ = 0;
};

}  // namespace

Parsed<Document> parse_forgiving(std::string_view text, const std::string& file) {
  Diagnostics problems(file);
  std::string repaired;
  const bool changed = Repair(text, repaired, problems).run();
  Parsed<Document> document = changed ? Document::parse(std::move(repaired), file) : Document::parse(text, file);
  problems.append(std::move(document.diagnostics));
  document.diagnostics = std::move(problems);
  return document;
}

}  // namespace simbatch::xml
