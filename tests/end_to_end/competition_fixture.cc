#include "tests/end_to_end/competition_fixture.h"

#include <signal.h>

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace referee::end_to_end {
namespace {

constexpr char kOrganiser[] = "olga";

}  // namespace

CompetitionFixture::~CompetitionFixture() {
  if (referee_ != 0) StopReferee();
}

Sandbox::Environment CompetitionFixture::Environment() const {
  return {{"REFEREE_ADDRESS", address_}};
}

Sandbox::Environment CompetitionFixture::OrganisersEnvironment() const {
  const auto token = tokens_.find(kOrganiser);
  Sandbox::Environment environment = Environment();
  if (token != tokens_.end()) environment.emplace_back("REFEREE_TOKEN", token->second);
  return environment;
}

void CompetitionFixture::StartReferee(const std::vector<std::string>& more) {
  if (tokens_.count(kOrganiser) == 0) {
    const Ran ran = sandbox_.Run(
        {"refctl", "bot", "add", kOrganiser, "--role", "organiser", "--data-dir", Path("data")});
    ASSERT_EQ(ran.status, 0) << ran.err;
    tokens_[kOrganiser] = std::string(absl::StripAsciiWhitespace(ran.out));
  }
  std::vector<std::string> command = {"refereed",   "--listen",        address_, "--data-dir",
                                      Path("data"), "--drain-timeout", "0s"};
  command.insert(command.end(), more.begin(), more.end());
  referee_ = sandbox_.Start(command);
  ASSERT_TRUE(Eventually([this] { return absl::StrContains(RefereeSaid(), "ready: "); }))
      << sandbox_.Written(referee_).err;
}

void CompetitionFixture::StopReferee() {
  kill(referee_, SIGTERM);
  const Ran ran = sandbox_.Await(std::exchange(referee_, 0));
  EXPECT_EQ(ran.status, 0) << ran.err;
}

void CompetitionFixture::KillReferee() {
  kill(referee_, SIGKILL);
  const Ran ran = sandbox_.Await(std::exchange(referee_, 0));
  EXPECT_EQ(ran.status, 128 + SIGKILL) << ran.err;
}

void CompetitionFixture::SuspendReferee() { EXPECT_EQ(kill(referee_, SIGSTOP), 0); }

void CompetitionFixture::ContinueReferee() { EXPECT_EQ(kill(referee_, SIGCONT), 0); }

void CompetitionFixture::AddBot(const std::string& name) {
  const Ran ran = Refctl({"bot", "add", name});
  ASSERT_EQ(ran.status, 0) << ran.err;
  tokens_[name] = std::string(absl::StripAsciiWhitespace(ran.out));
}

pid_t CompetitionFixture::StartBot(const std::string& name, std::vector<std::string> command) {
  Sandbox::Environment environment = Environment();
  environment.emplace_back("REFEREE_TOKEN", tokens_.at(name));
  return sandbox_.Start(command, environment);
}

Ran CompetitionFixture::Refctl(std::vector<std::string> arguments,
                               const Sandbox::Environment& environment) {
  arguments.insert(arguments.begin(), "refctl");
  Sandbox::Environment all = OrganisersEnvironment();
  all.insert(all.end(), environment.begin(), environment.end());
  return sandbox_.Run(arguments, all);
}

Ran CompetitionFixture::Refgate(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "refgate");
  return sandbox_.Run(arguments, OrganisersEnvironment());
}

Ran CompetitionFixture::Competition(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "competition");
  return Refctl(std::move(arguments));
}

std::string CompetitionFixture::Well(std::vector<std::string> arguments) {
  const Ran ran = Competition(std::move(arguments));
  EXPECT_EQ(ran.status, 0) << ran.err;
  return ran.out;
}

int64_t CompetitionFixture::BlocksCounted(const std::string& competition) {
  const std::string shown = Well({"show", competition, "--json"});
  return std::stoll(nlohmann::json::parse(shown).value("blocks_counted", "0"));
}

void CompetitionFixture::AwaitBlocks(const std::string& competition, int64_t counted) {
  EXPECT_TRUE(Eventually([&] { return BlocksCounted(competition) >= counted; }));
}

pid_t CompetitionFixture::StartCompetitionCommand(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"refctl", "competition"});
  return sandbox_.Start(arguments, OrganisersEnvironment());
}

Ran CompetitionFixture::Audit() { return Refctl({"archive", "audit", "--data-dir", Path("data")}); }

}  // namespace referee::end_to_end
