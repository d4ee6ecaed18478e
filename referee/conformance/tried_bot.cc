#include "referee/conformance/tried_bot.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/conformance/asked_turn.h"

namespace referee::conformance {
namespace {

constexpr absl::Duration kHelloLimit = absl::Seconds(5);
constexpr absl::Duration kEndGrace = absl::Seconds(2);
constexpr int kTailLines = 10;

// The bot did not say Hello, or not first.
absl::Status NoHelloFrom(absl::string_view what, absl::string_view log_end) {
  return absl::UnavailableError(absl::StrCat("the bot ", what, log_end));
}

}  // namespace

std::string TriedBot::Token() { return "rfb_a_script_takes_any_token"; }

TriedBot::TriedBot(Options options, launch::TempDir folder)
    : options_(std::move(options)), folder_(std::move(folder)) {}

absl::StatusOr<std::unique_ptr<TriedBot>> TriedBot::Make(const Options& options) {
  absl::StatusOr<launch::TempDir> folder = launch::TempDir::Make();
  if (!folder.ok()) return folder.status();
  std::unique_ptr<TriedBot> bot(new TriedBot(options, *std::move(folder)));
  auto output = launch::BotOutput::Make(absl::StrCat(bot->folder_.path(), "/log"));
  if (!output.ok()) return output.status();
  bot->output_ = *std::move(output);
  const std::string inner = absl::StrCat(bot->folder_.path(), "/referee");
  auto referee = ScriptedReferee::Start(inner);
  if (!referee.ok()) return referee.status();
  bot->referee_ = *std::move(referee);
  auto relay =
      Relay::Start(options.listen.empty() ? absl::StrCat("unix:", bot->folder_.path(), "/socket")
                                          : options.listen,
                   inner);
  if (!relay.ok()) return relay.status();
  bot->relay_ = *std::move(relay);
  return bot;
}

TriedBot::~TriedBot() {
  if (process_ == nullptr) return;
  process_->Terminate();
  process_->KillAfter(kEndGrace);
}

absl::Status TriedBot::Launch() {
  if (!started_here()) return absl::OkStatus();
  Discard();
  launch::BotProcess::Options options;
  options.command = options_.command;
  options.environment = launch::BotEnvironment(address(), Token());
  options.output = output_;
  auto process = launch::BotProcess::Start(options);
  if (!process.ok()) return process.status();
  process_ = *std::move(process);
  return absl::OkStatus();
}

void TriedBot::Discard() {
  process_.reset();
  stream_ = nullptr;
  greeted_ = false;
  relay_->SetSpeed({});
  if (!started_here()) return;
  // Streams that the dead process had opened, and nobody has looked at.
  while (referee_->Next(absl::ZeroDuration()) != nullptr) continue;
}

BotStream* TriedBot::Await(absl::Duration limit) {
  constexpr absl::Duration kLook = absl::Milliseconds(100);
  const absl::Time until = absl::Now() + limit;
  greeted_ = false;
  do {
    stream_ = referee_->Next(std::min(kLook, limit));
    // A bot that has ended opens none; what it opened before is there already.
    const bool gone = process_ != nullptr && process_->ending().has_value();
    if (stream_ == nullptr && gone) stream_ = referee_->Next(absl::ZeroDuration());
    if (gone) break;
  } while (stream_ == nullptr && absl::Now() < until);
  return stream_.get();
}

absl::Status TriedBot::Greet() {
  const absl::optional<Heard> first = stream_->Hear(kHelloLimit);
  if (!first) return NoHelloFrom("opened a stream and said no Hello", LogEnd());
  if (!first->item.has_hello()) return NoHelloFrom("said something else before Hello", LogEnd());
  hello_ = first->item.hello();
  const uint32_t welcome = hello_.takes_none() ? 0 : static_cast<uint32_t>(max_matches());
  stream_->Say({WelcomeItem(kName, welcome)});
  if (hello_.takes_none()) {
    if (absl::Status takes = AwaitCapacity(); !takes.ok()) return takes;
  }
  greeted_ = true;
  return absl::OkStatus();
}

absl::Status TriedBot::AwaitCapacity() {
  const absl::Time until = absl::Now() + kHelloLimit;
  while (const absl::optional<Heard> heard = stream_->Hear(until - absl::Now())) {
    if (!heard->item.has_capacity() || heard->item.capacity().max_matches() == 0) continue;
    hello_.set_max_matches(heard->item.capacity().max_matches());
    hello_.set_parallel_turns(heard->item.capacity().parallel_turns());
    v1::RefereeItem answer;
    answer.mutable_capacity()->set_max_matches(static_cast<uint32_t>(max_matches()));
    answer.mutable_capacity()->set_parallel_turns(static_cast<uint32_t>(parallel_turns()));
    stream_->Say({answer});
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the bot takes no matches (hello.takes_none), and did not say otherwise "
                   "(Capacity) within ",
                   absl::FormatDuration(kHelloLimit)));
}

absl::StatusOr<BotStream*> TriedBot::Stream() {
  if (stream_ != nullptr && stream_->open() && greeted_) {
    while (stream_->Hear(absl::ZeroDuration())) continue;
    return stream_.get();
  }
  const bool new_to_us = stream_ != nullptr && stream_->open();
  if (!new_to_us) stream_ = nullptr;
  const bool runs = process_ != nullptr && !process_->ending();
  // One that runs may be about to come back.
  if (!new_to_us && (!started_here() || runs)) Await(options_.start_timeout);
  if (stream_ == nullptr && started_here()) {
    if (absl::Status launched = Launch(); !launched.ok()) return launched;
    Await(options_.start_timeout);
  }
  if (stream_ == nullptr) {
    const std::string ending = process_ == nullptr ? "" : process_->ending().value_or("");
    return NoHelloFrom(ending.empty() ? absl::StrCat("did not connect within ",
                                                     absl::FormatDuration(options_.start_timeout))
                                      : ending,
                       LogEnd());
  }
  if (absl::Status greeted = Greet(); !greeted.ok()) return greeted;
  return stream_.get();
}

absl::StatusOr<BotStream*> TriedBot::Reconnect(const absl::Status& status) {
  stream_->End(status);
  if (Await(options_.start_timeout) == nullptr) {
    return NoHelloFrom(
        absl::StrCat("did not come back within ", absl::FormatDuration(options_.start_timeout)),
        LogEnd());
  }
  if (absl::Status greeted = Greet(); !greeted.ok()) return greeted;
  return stream_.get();
}

int TriedBot::max_matches() const {
  return static_cast<int>(std::min<uint32_t>(std::max<uint32_t>(hello_.max_matches(), 1), 1024));
}

int TriedBot::parallel_turns() const {
  const int told = static_cast<int>(std::min<uint32_t>(hello_.parallel_turns(), 1024));
  return told == 0 ? max_matches() : std::min(told, max_matches());
}

std::string TriedBot::AwaitExit(absl::Duration limit) {
  return process_ == nullptr ? "" : process_->AwaitEnding(limit).value_or("");
}

std::string TriedBot::LogEnd() const {
  const std::string log = process_ ? process_->LogTail(kTailLines) : "";
  return log.empty() ? "" : absl::StrCat("; the end of its log:\n", log);
}

}  // namespace referee::conformance
