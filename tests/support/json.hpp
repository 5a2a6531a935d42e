#pragma once
/// JSON read as RFC 8259 describes it: an oracle for what the project writes. Strict: anything else throws.

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::test {

struct Json {
  enum class Kind { null, boolean, number, text, array, object } kind = Kind::null;
  double number = 0;  ///< of a boolean: 0 or 1
  std::string text;   ///< escapes are kept as they are written
  std::vector<Json> items;
  std::map<std::string, Json, std::less<>> members;

  /// @throws std::out_of_range
  const Json& operator[](std::string_view name) const {
    const auto found = members.find(name);
    if (found == members.end()) throw std::out_of_range("no member " + std::string(name));
    return found->second;
  }
  const Json& operator[](std::size_t i) const { return items.at(i); }
  bool has(std::string_view name) const { return members.find(name) != members.end(); }
  std::size_t size() const { return items.size(); }
  std::size_t whole() const {
    const auto value = static_cast<std::size_t>(number);
    if (kind != Kind::number || static_cast<double>(value) != number) throw std::out_of_range("not a whole number");
    return value;
  }
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}
  Json read() {
    const Json value = any(0);
    blanks();
    need(at_ == text_.size());
    return value;
  }

 private:
  static void need(bool fulfilled) {
    if (!fulfilled) throw std::invalid_argument("not JSON");
  }
  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(std::string_view what) {
    if (text_.substr(at_, what.size()) != what) return false;
    at_ += what.size();
    return true;
  }
  Json any(int depth) {
    need(depth < 100);
    blanks();
    Json value;
    need(at_ < text_.size());
    if (take("{")) {
      object(value, depth);
    } else if (take("[")) {
      value.kind = Json::Kind::array;
      for (blanks(); !take("]"); blanks()) {
        if (!value.items.empty()) need(take(","));
        value.items.push_back(any(depth + 1));
      }
    } else if (text_[at_] == '"') {
      value.kind = Json::Kind::text;
      value.text = text();
    } else if (take("true") || take("false")) {
      value.kind = Json::Kind::boolean;
      value.number = text_[at_ - 2] == 'u' ? 1 : 0;
    } else if (!take("null")) {
      value.kind = Json::Kind::number;
      value.number = number();
    }
    return value;
  }
  void object(Json& value, int depth) {
    value.kind = Json::Kind::object;
    for (blanks(); !take("}"); blanks()) {
      if (!value.members.empty()) need(take(","));
      blanks();
      const std::string name = text();
      blanks();
      need(take(":"));
      need(value.members.emplace(name, any(depth + 1)).second);  // names are unique
    }
  }
  std::string text() {
    need(take("\""));
    std::string out;
    while (!take("\"")) {
      need(at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x20);
      if (text_[at_] == '\\') {
        out += text_[at_++];
        need(at_ < text_.size() && std::string_view("\"\\/bfnrtu").find(text_[at_]) != std::string_view::npos);
      }
      out += text_[at_++];
    }
    return out;
  }
  bool digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ > begin;
  }
  double number() {
    const std::size_t begin = at_;
    take("-");
    if (!take("0")) need(digits());
    if (take(".")) need(digits());
    if (take("e") || take("E")) {
      if (!take("+")) take("-");
      need(digits());
    }
    return std::stod(std::string(text_.substr(begin, at_ - begin)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// @throws std::invalid_argument if it is not one JSON value
inline Json read_json(std::string_view text) { return JsonReader(text).read(); }

}  // namespace simbatch::test
