#include "referee/ctl/duel/duel_state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"
#include "referee/base/errors.h"
#include "referee/base/text.h"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/errors.h"
#include "referee/dice/dice.h"

namespace referee::ctl {
namespace {

using StateJson = nlohmann::ordered_json;

// Of the file, in its first line.
constexpr int kStateVersion = 1;

// Files of duels that had no positions may be without it.
constexpr char kPositions[] = "positions";
constexpr char kEscaped[] = "escaped";

// Which positions matches start from, told by SHA-256; empty if there are none.
std::string PositionsText(const DuelPlan& plan) {
  if (plan.positions.empty()) return "";
  const dice::Seed hash = dice::HashedSeed(absl::StrJoin(plan.positions, "\n"));
  return absl::StrCat(plan.positions.size(), " of SHA-256 ", dice::Hex(hash.bytes));
}

StateJson DiceToState(const match::DiceSource& dice) {
  if (dice.pinned_number) return *dice.pinned_number;
  return DiceSeedText(dice);
}

absl::optional<match::DiceSource> DiceFromState(const StateJson& seed) {
  if (seed.is_string()) return ReadDiceSeed(seed.get<std::string>());
  if (!seed.is_number_unsigned()) return absl::nullopt;
  return match::DiceSource{seed.get<uint64_t>(), {}};
}

// Text, or bytes that are no text: `{"escaped": ...}`, from which BytesFromState has them again.
StateJson BytesToState(const std::string& bytes) {
  if (CheckUtf8(bytes).ok()) return bytes;
  return {{kEscaped, EscapedBytes(bytes)}};
}

// Throws, as the library does, for what is no such thing.
std::string BytesFromState(const StateJson& json) {
  if (json.is_string()) return json.get<std::string>();
  std::string bytes;
  if (!UnescapedBytes(json.at(kEscaped).get<std::string>(), &bytes)) {
    throw std::invalid_argument(kEscaped);
  }
  return bytes;
}

// What the matches of a duel depend on: a duel that goes on has the same.
StateJson PlanToState(const DuelPlan& plan) {
  StateJson options = StateJson::object();
  for (const games::Option& option : plan.game->options()) {
    options[option.name] = BytesToState(option.value);
  }
  StateJson bots = StateJson::array();
  for (const launch::BotCommand& bot : plan.bots) {
    bots.push_back({{"name", bot.name}, {"command", BytesToState(bot.command)}});
  }
  return {{"duel_state", kStateVersion},
          {"game", std::string(plan.game->name())},
          {"options", options},
          {"bots", bots},
          {"seed", DiceToState(plan.dice)},
          {"time", match::TimeControlText(plan.time_control)},
          {"on_timeout", match::FaultPolicyText(plan.policies.on_timeout)},
          {"on_illegal", match::FaultPolicyText(plan.policies.on_illegal)},
          {"on_lost_link", match::LinkPolicyText(plan.policies.link_grace)},
          {"lag_compensation", match::LagCompensationText(plan.policies.lag)},
          {"sprt", plan.sprt ? rating::SprtTermsText(*plan.sprt) : ""},
          {kPositions, PositionsText(plan)}};
}

StateJson FaultToState(const SeatFault& fault) {
  return {{"cause", static_cast<int>(fault.cause)},
          {"turn", fault.turn},
          {"detail", fault.detail},
          {"forfeits", fault.forfeits},
          {"unready", fault.unready},
          {"other_turns", fault.other_turns},
          {"written", fault.written}};
}

StateJson SeatToState(const DuelSeat& seat) {
  StateJson json = {{"bot", seat.bot},
                    {"score", seat.score},
                    {"rank", seat.rank},
                    {"moves", seat.times.moves},
                    {"total_ns", absl::ToInt64Nanoseconds(seat.times.total)},
                    {"worst_ns", absl::ToInt64Nanoseconds(seat.times.worst)},
                    {"substituted_timeouts", seat.forgiven.substituted_timeouts},
                    {"substituted_illegal", seat.forgiven.substituted_illegal},
                    {"retried", seat.forgiven.retried}};
  if (seat.forfeit) json["forfeit"] = static_cast<int>(*seat.forfeit);
  if (seat.fault) json["fault"] = FaultToState(*seat.fault);
  return json;
}

StateJson MatchToState(const DuelMatch& match) {
  StateJson seats = StateJson::array();
  for (const DuelSeat& seat : match.seats) seats.push_back(SeatToState(seat));
  return {{"match", match.index},
          {"id", match.id.text()},
          {"ending", match.ending},
          {"reason", match.reason},
          {"replay", BytesToState(match.replay_path)},
          {"seats", seats}};
}

// These throw, as the library does, for what is no such thing; MatchFromState catches it.
match::Cause CauseFromState(const StateJson& json) {
  constexpr std::array<match::Cause, 4> kCauses = {match::Cause::kTimeout, match::Cause::kIllegal,
                                                   match::Cause::kDisconnected,
                                                   match::Cause::kResigned};
  return kCauses.at(json.get<size_t>());
}

SeatFault FaultFromState(const StateJson& json) {
  return {CauseFromState(json.at("cause")),
          json.at("turn").get<uint32_t>(),
          json.at("detail").get<std::string>(),
          json.at("forfeits").get<bool>(),
          json.at("unready").get<bool>(),
          json.at("other_turns").get<int>(),
          json.at("written").get<std::vector<std::string>>()};
}

DuelSeat SeatFromState(const StateJson& json, const DuelPlan& plan) {
  DuelSeat seat;
  seat.bot = json.at("bot").get<int>();
  static_cast<void>(plan.bots.at(static_cast<size_t>(seat.bot)));
  seat.score = json.at("score").get<int>();
  seat.rank = json.at("rank").get<int>();
  seat.times = {json.at("moves").get<int64_t>(),
                absl::Nanoseconds(json.at("total_ns").get<int64_t>()),
                absl::Nanoseconds(json.at("worst_ns").get<int64_t>())};
  seat.forgiven = {json.at("substituted_timeouts").get<int64_t>(),
                   json.at("substituted_illegal").get<int64_t>(),
                   json.at("retried").get<int64_t>()};
  if (json.contains("forfeit")) seat.forfeit = CauseFromState(json.at("forfeit"));
  if (json.contains("fault")) seat.fault = FaultFromState(json.at("fault"));
  return seat;
}

// None if the line makes no sense.
absl::optional<DuelMatch> MatchFromState(absl::string_view line, const DuelPlan& plan) {
  try {
    const StateJson json = StateJson::parse(line.begin(), line.end());
    DuelMatch match;
    match.index = json.at("match").get<int>();
    const absl::StatusOr<MatchId> id = MatchId::Parse(json.at("id").get<std::string>());
    const int ending = json.at("ending").get<int>();
    if (!id.ok() || match.index < 0 || ending < 0 || ending > 2) return absl::nullopt;
    match.id = *id;
    match.ending = static_cast<match::Ending>(ending);
    match.reason = json.at("reason").get<std::string>();
    match.replay_path = BytesFromState(json.at("replay"));
    for (const StateJson& seat : json.at("seats")) {
      match.seats.push_back(SeatFromState(seat, plan));
    }
    if (match.seats.size() != plan.bots.size()) return absl::nullopt;
    return match;
  } catch (const std::exception&) {
    return absl::nullopt;
  }
}

// The first line of a state file; null if it makes no sense.
StateJson PlanFromState(absl::string_view line) {
  StateJson json = StateJson::parse(line.begin(), line.end(), nullptr, /*allow_exceptions=*/false);
  const bool plan = json.is_object() && json.value("duel_state", 0) == kStateVersion &&
                    json.contains("seed") && DiceFromState(json["seed"]);
  if (plan && !json.contains(kPositions)) json[kPositions] = "";
  return plan ? json : StateJson();
}

// What a plan has otherwise than a file; empty if nothing.
std::string DifferenceFromState(const StateJson& file, const StateJson& plan) {
  for (const auto& [name, value] : plan.items()) {
    if (file.value(name, StateJson()) == value) continue;
    return absl::StrCat(name, " ", file.value(name, StateJson()).dump(), " there, ", value.dump(),
                        " here");
  }
  return "";
}

// Text that is no UTF-8 is no reason to stop.
std::string Line(const StateJson& json) {
  return json.dump(-1, ' ', false, StateJson::error_handler_t::replace);
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The lines that have an end, and how many bytes they are.
std::vector<absl::string_view> WholeLines(absl::string_view text, size_t* bytes) {
  const size_t end = text.rfind('\n');
  *bytes = end == absl::string_view::npos ? 0 : end + 1;
  if (*bytes == 0) return {};
  return absl::StrSplit(text.substr(0, end), '\n');
}

}  // namespace

absl::StatusOr<absl::optional<match::DiceSource>> DiceInState(const std::string& path) {
  const std::string text = ReadAll(path);
  size_t bytes;
  const std::vector<absl::string_view> lines = WholeLines(text, &bytes);
  if (text.empty()) return absl::optional<match::DiceSource>();
  const StateJson plan = lines.empty() ? StateJson() : PlanFromState(lines[0]);
  if (plan.is_null()) return NotADuelState(path);
  return DiceFromState(plan["seed"]);
}

absl::StatusOr<std::unique_ptr<DuelState>> DuelState::Open(const std::string& path,
                                                           const DuelPlan& plan) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return FileError("cannot write", path, errno);
  std::unique_ptr<DuelState> state(new DuelState(path, fd));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    return absl::UnavailableError(
        absl::StrCat("--resume ", Quoted(path), ": another duel goes on with it now"));
  const StateJson here = PlanToState(plan);
  const std::string text = ReadAll(path);
  if (text.empty()) {
    if (absl::Status written = state->Write(Line(here)); !written.ok()) return written;
    return state;
  }
  size_t bytes;
  const std::vector<absl::string_view> lines = WholeLines(text, &bytes);
  const StateJson there = lines.empty() ? StateJson() : PlanFromState(lines[0]);
  if (there.is_null()) return NotADuelState(path);
  const std::string difference = DifferenceFromState(there, here);
  if (!difference.empty())
    return absl::FailedPreconditionError(
        absl::StrCat("--resume ", Quoted(path), ": is of another duel: ", difference,
                     "; go on with the same flags, or name another file"));
  for (size_t i = 1; i < lines.size(); ++i) {
    absl::optional<DuelMatch> match = MatchFromState(lines[i], plan);
    if (!match)
      return absl::DataLossError(absl::StrCat("--resume ", Quoted(path), ", line ", i + 1,
                                              ": is no match of this duel; name another file"));
    state->matches_.push_back(*std::move(match));
  }
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) return FileError("cannot cut", path, errno);
  return state;
}

DuelState::~DuelState() { close(fd_); }

absl::Status DuelState::Add(const DuelMatch& match) { return Write(Line(MatchToState(match))); }

absl::Status DuelState::Write(std::string line) {
  line += '\n';
  const ssize_t written = write(fd_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return absl::OkStatus();
  return FileError("cannot write", path_, written < 0 ? errno : ENOSPC);
}

}  // namespace referee::ctl
