#include "formats/mjcf/mjcf.hpp"

#include "formats/mjcf/codes.hpp"
#include "formats/mjcf/scope.hpp"

namespace simbatch::mjcf {
namespace {

using detail::Use;

constexpr detail::KnownAttribute kSections[] = {{"compiler"},
                                                {"option"},
                                                {"default"},
                                                {"asset"},
                                                {"worldbody"},
                                                {"actuator"},
                                                {"contact"},
                                                {"equality"},
                                                {"tendon"},
                                                {"sensor"},
                                                {"deformable"},
                                                {"include"},
                                                {"size", Use::tuning},
                                                {"statistic", Use::tuning},
                                                {"visual", Use::tuning},
                                                {"keyframe", Use::tuning},
                                                {"custom", Use::tuning},
                                                {"extension", Use::tuning}};
// Whose parts are listed one by one.
constexpr std::string_view kUnread[] = {"contact", "equality", "tendon", "sensor", "deformable"};
constexpr detail::KnownAttribute kRootAttributes[] = {{"model"}};

void skip_sections(const detail::Scope& scope, detail::Sources& sources) {
  skip_children(scope.root, kSections, sources);
  for (const detail::Node& section : scope.root.children)
    for (const std::string_view name : kUnread)
      if (section.name() == name)
        for (const detail::Node& part : section.children)
          sources.skip(code::kIgnored, "<" + std::string(part.name()) + "> in <" + std::string(name) + ">", part, part.at());
}

}  // namespace

Parsed<Model> read_mjcf(std::string_view text, const std::string& file_name, const Loader& load) {
  detail::Sources sources(load);
  Parsed<Model> result{std::nullopt, Diagnostics(file_name)};
  if (auto root = sources.read(text, file_name)) {
    Model& model = result.value.emplace();
    detail::Scopes scopes;
    scopes.emplace_back().root = std::move(*root);
    detail::Scope& own = scopes.front();
    own.chain.push_back(file_name);
    model.name = std::string(own.root.element.attribute("model").value_or("MuJoCo Model"));
    detail::Attributes(own.root, nullptr).skip_others(kRootAttributes, sources);
    read_head(own, model, true, sources);
    Diagnostics whole = read_bodies(scopes, model, sources);
    for (const detail::Scope& scope : scopes) {
      read_actuators(scope, model, sources);
      skip_sections(scope, sources);
    }
    result.diagnostics.append(std::move(whole));
  }
  result.diagnostics.append(sources.take());
  result.diagnostics.sort();
  return result;
}

}  // namespace simbatch::mjcf
