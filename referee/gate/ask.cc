#include "referee/gate/ask.h"

#include <google/protobuf/message.h>

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"

namespace referee::gate {
namespace {

using Matches = v1::MatchService::StubInterface::async_interface;
using Competitions = v1::CompetitionService::StubInterface::async_interface;
using Replays = v1::ReplayService::StubInterface::async_interface;
using google::protobuf::FieldDescriptor;

constexpr uint32_t kPageSize = 50;

// The request field that a parameter sets: the field of the same name, with a few exceptions.
std::string FieldOf(const std::string& parameter) {
  if (parameter == "size") return "page_size";
  if (parameter == "page") return "page_token";
  if (parameter == "competition") return "competition_id";
  if (parameter == "order") return "newest_first";
  return parameter;
}

// Sets an enum field. Values are given in lower case, without the common prefix of their names.
absl::Status SetEnum(const std::string& parameter, const std::string& value,
                     const FieldDescriptor* field, google::protobuf::Message* request) {
  const google::protobuf::EnumDescriptor& all = *field->enum_type();
  const absl::string_view prefix = absl::StripSuffix(all.value(0)->name(), "UNSPECIFIED");
  const auto* const found = all.FindValueByName(absl::StrCat(prefix, absl::AsciiStrToUpper(value)));
  if (found != nullptr && found->number() != 0) {
    request->GetReflection()->SetEnum(request, field, found);
    return absl::OkStatus();
  }
  std::vector<std::string> names;
  for (int i = 1; i < all.value_count(); ++i) {
    names.push_back(absl::AsciiStrToLower(absl::StripPrefix(all.value(i)->name(), prefix)));
  }
  const std::string last = names.back();
  names.pop_back();
  return BadValue(parameter, value, absl::StrCat(absl::StrJoin(names, ", "), " or ", last));
}

// Sets the fields that the route names. REQUIRES: the request has a field for each parameter.
absl::Status Fill(const Route& route, google::protobuf::Message* request) {
  const google::protobuf::Descriptor& fields = *request->GetDescriptor();
  const google::protobuf::Reflection& set = *request->GetReflection();
  if (!route.name.empty()) set.SetString(request, fields.FindFieldByName("name"), route.name);
  const FieldDescriptor* const page_size = fields.FindFieldByName("page_size");
  if (page_size != nullptr) set.SetUInt32(request, page_size, kPageSize);
  for (const auto& [parameter, value] : route.parameters) {
    if (value.empty()) continue;
    const FieldDescriptor* const field = fields.FindFieldByName(FieldOf(parameter));
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_UINT32) {
      set.SetUInt32(request, field, route.Number(parameter));
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      set.SetString(request, field, value);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
      if (absl::Status is = SetEnum(parameter, value, field, request); !is.ok()) return is;
    } else if (value == "newest" || value == "oldest") {
      set.SetBool(request, field, value == "newest");
    } else {
      return BadValue(parameter, value, "newest or oldest");
    }
  }
  return absl::OkStatus();
}

template <typename Stub, typename Request, typename Response>
void AskFor(Upstream* upstream, Stub* stub, Upstream::Method<Stub, Request, Response> method,
            const Route& route, Upstream::ThenText then) {
  Request request;
  if (absl::Status filled = Fill(route, &request); !filled.ok()) return then(filled);
  upstream->Ask(stub, method, request, std::move(then));
}

}  // namespace

void Ask(Upstream* upstream, const Route& route, Upstream::ThenText then) {
  auto* const competitions = upstream->competitions();
  switch (route.resource) {
    case Resource::kMatches:
      return AskFor(upstream, upstream->matches(), &Matches::ListMatches, route, std::move(then));
    case Resource::kCompetitions:
      return AskFor(upstream, competitions, &Competitions::ListCompetitions, route,
                    std::move(then));
    case Resource::kCompetition:
      return AskFor(upstream, competitions, &Competitions::GetCompetition, route, std::move(then));
    case Resource::kStandings:
      return AskFor(upstream, competitions, &Competitions::GetStandings, route, std::move(then));
    case Resource::kBlocks:
      return AskFor(upstream, competitions, &Competitions::ListBlocks, route, std::move(then));
    case Resource::kPairs:
      return AskFor(upstream, competitions, &Competitions::ListPairs, route, std::move(then));
    case Resource::kRounds:
      return AskFor(upstream, competitions, &Competitions::ListRounds, route, std::move(then));
    case Resource::kPoints:
      return AskFor(upstream, competitions, &Competitions::ListTestPoints, route, std::move(then));
    case Resource::kRatings:
      return AskFor(upstream, competitions, &Competitions::ListRatingHistories, route,
                    std::move(then));
    default:
      return AskFor(upstream, upstream->replays(), &Replays::ListReplays, route, std::move(then));
  }
}

}  // namespace referee::gate
