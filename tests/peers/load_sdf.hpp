// Loads texts as sdf::Root does, which spends half of its time on parsing the descriptions of all elements again for each.
#pragma once

#include <memory>
#include <sdf/Root.hh>
#include <sdf/SDFImpl.hh>
#include <sdf/parser.hh>
#include <string>

namespace simbatch::peers {

/// @param root  its Element() is empty after the next call
/// @return what libsdformat says is wrong
inline ::sdf::Errors load_sdf(::sdf::Root& root, const std::string& text) {
  static const ::sdf::SDFPtr described = [] {
    auto made = std::make_shared<::sdf::SDF>();
    ::sdf::init(made);
    return made;
  }();
  described->Root()->ClearElements();
  described->SetOriginalVersion("");  // that of the file before, by which names would be judged
  described->Root()->SetOriginalVersion("");
  ::sdf::Errors errors;
  if (!::sdf::readString(text, described, errors)) {
    errors.emplace_back(::sdf::ErrorCode::STRING_READ, "Unable to read SDF string: " + text);
    return errors;
  }
  const ::sdf::Errors more = root.Load(described);
  errors.insert(errors.end(), more.begin(), more.end());
  return errors;
}

}  // namespace simbatch::peers
