#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/catalogue.h"
#include "referee/replay/errors.h"
#include "referee/replay/record_codec.h"
#include "referee/replay/terms_wire.h"
#include "referee/replay/unknown_game.h"

namespace referee::replay {
namespace {

using v1::Record;

// The largest time, in microseconds since 1970: the end of the year 9999.
constexpr int64_t kMaxTimeMicros = 253402300799999999;
constexpr char kBefore09[] =
    "time control: it does not say what is given back of stalls; versions before 0.9 wrote such "
    "records, and this version does not read them";

absl::Status TimeFromMicros(int64_t micros, absl::Time* time) {
  if (micros < 0 || micros > kMaxTimeMicros) return BadRecord("a time is out of range");
  *time = absl::FromUnixMicros(micros);
  return absl::OkStatus();
}

absl::Status BytesFromString(absl::string_view what, const std::string& bytes, dice::Bytes32* out) {
  if (bytes.size() != out->size()) {
    return BadRecord(absl::StrCat(what, " has ", bytes.size(), " bytes, not 32"));
  }
  std::copy(bytes.begin(), bytes.end(), out->begin());
  return absl::OkStatus();
}

template <typename Message>
absl::Status RollFromMessage(const Message& message, match::Roll* roll) {
  if (message.dice_size() > games::kMaxChanceCount) return BadRecord("there are too many dice");
  int dice[games::kMaxChanceCount] = {};
  for (int i = 0; i < message.dice_size(); ++i) {
    if (message.dice(i) < 1 || message.dice(i) > 6) return BadRecord("a die is not 1 to 6");
    dice[i] = static_cast<int>(message.dice(i));
  }
  *roll = match::Roll(absl::MakeConstSpan(dice, static_cast<size_t>(message.dice_size())));
  return absl::OkStatus();
}

absl::Status CheckName(absl::string_view what, absl::string_view name) {
  const bool good = !name.empty() && name.size() <= limits::kMaxNameBytes && IsPlainText(name);
  return good ? absl::OkStatus() : BadName(what, name);
}

// Accepts a word such as CENTRE_FULL, which a transcript prints unchanged.
bool IsReasonWord(absl::string_view reason) {
  const auto fits = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; };
  return !reason.empty() && reason.size() <= limits::kMaxNameBytes &&
         std::all_of(reason.begin(), reason.end(), fits);
}

match::TimeControl TimeControlFrom(const v1::OpeningRecord& opening) {
  match::TimeControl time_control;
  time_control.per_move = opening.per_move_ns() == 0 ? absl::InfiniteDuration()
                                                     : absl::Nanoseconds(opening.per_move_ns());
  time_control.bank =
      opening.bank_ns() == 0 ? absl::InfiniteDuration() : absl::Nanoseconds(opening.bank_ns());
  time_control.increment = absl::Nanoseconds(opening.increment_ns());
  time_control.first_move = absl::Nanoseconds(opening.first_move_ns());
  if (opening.ready_ns() != 0) time_control.ready = absl::Nanoseconds(opening.ready_ns());
  if (opening.match_ns() != 0) time_control.match = absl::Nanoseconds(opening.match_ns());
  time_control.stall_per_move = absl::Nanoseconds(opening.stall_per_move_ns());
  time_control.stall_per_match = absl::Nanoseconds(opening.stall_per_match_ns());
  return time_control;
}

match::FaultPolicy PolicyFrom(const v1::FaultPolicy& policy) {
  match::FaultPolicy out;
  if (policy.action() == v1::FAULT_ACTION_SUBSTITUTE) {
    out.action = match::FaultPolicy::Action::kSubstitute;
    out.max_strikes = static_cast<int>(std::min<uint32_t>(policy.max_strikes(), INT32_MAX));
    if (policy.substitute() == v1::SUBSTITUTE_RANDOM) {
      out.substitute = match::FaultPolicy::Substitute::kRandom;
    }
  } else if (policy.action() == v1::FAULT_ACTION_RETRY) {
    out.action = match::FaultPolicy::Action::kRetry;
    out.max_tries = static_cast<int>(std::min<uint32_t>(policy.max_tries(), INT32_MAX));
  }
  return out;
}

match::Policies PoliciesFrom(const v1::OpeningRecord& opening) {
  match::Policies policies;
  policies.on_timeout = PolicyFrom(opening.on_timeout());
  policies.on_illegal = PolicyFrom(opening.on_illegal());
  policies.link_grace = absl::Nanoseconds(opening.link_grace_ns());
  policies.lag.per_move = absl::Nanoseconds(opening.lag_per_move_ns());
  policies.lag.per_match = absl::Nanoseconds(opening.lag_per_match_ns());
  return policies;
}

match::Timing TimingFrom(const v1::TimingRecord& record) {
  match::Timing timing;
  timing.started = absl::Nanoseconds(record.started_ns());
  if (record.has_written_ns()) timing.written = absl::Nanoseconds(record.written_ns());
  timing.read = absl::Nanoseconds(record.read_ns());
  timing.taken = absl::Nanoseconds(record.taken_ns());
  timing.round_trip = absl::Nanoseconds(record.round_trip_ns());
  timing.paused = absl::Nanoseconds(record.paused_ns());
  timing.credit = absl::Nanoseconds(record.credit_ns());
  timing.stalled = absl::Nanoseconds(record.stalled_ns());
  timing.link_lost = record.link_lost();
  timing.stalls_charged = record.stalls_charged();
  return timing;
}

// Returns none for an unknown cause.
absl::optional<match::Cause> CauseFrom(v1::ForfeitCause cause) {
  for (const match::Cause known : {match::Cause::kTimeout, match::Cause::kIllegal,
                                   match::Cause::kDisconnected, match::Cause::kResigned}) {
    if (ToWire(known) == cause) return known;
  }
  return absl::nullopt;
}

bool EndingFrom(v1::MatchState state, match::Ending* out) {
  for (const match::Ending known :
       {match::Ending::kFinished, match::Ending::kVoid, match::Ending::kCancelled}) {
    if (ToWire(known) != state) continue;
    *out = known;
    return true;
  }
  return false;
}

// Accepts the causes of a fault that leaves the seat in the match.
absl::Status FaultCause(v1::ForfeitCause cause, match::Cause* out) {
  const absl::optional<match::Cause> known = CauseFrom(cause);
  if (known != match::Cause::kTimeout && known != match::Cause::kIllegal) {
    return BadRecord("its fault is neither TIMEOUT nor ILLEGAL");
  }
  *out = *known;
  return absl::OkStatus();
}

absl::Status BlockFrom(const v1::OpeningRecord& opening, absl::optional<match::BlockPlace>* block) {
  if (opening.block_id().empty()) return absl::OkStatus();
  absl::StatusOr<BlockId> id = BlockId::Parse(opening.block_id());
  if (!id.ok()) return BadRecord(id.status().message());
  if (opening.rotation() >= static_cast<uint32_t>(opening.bots_size())) {
    return BadRecord(absl::StrCat("it is rotation ", opening.rotation(), " of a block of ",
                                  opening.bots_size(), " seats"));
  }
  *block = {*std::move(id), static_cast<int>(opening.rotation())};
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const games::Game>> GameFrom(const v1::OpeningRecord& opening,
                                                            bool any_game) {
  const absl::StatusOr<games::Entry> entry = games::Find(opening.game());
  if (!entry.ok() && !any_game) return absl::UnimplementedError(entry.status().message());
  if (opening.options_size() > static_cast<int>(limits::kMaxOptions)) {
    return BadRecord("there are too many options");
  }
  std::vector<games::Option> options;
  options.reserve(static_cast<size_t>(opening.options_size()));
  for (const v1::OptionRecord& option : opening.options()) {
    if (option.value().size() > limits::kMaxOptionBytes) {
      return BadRecord(absl::StrCat("option ", Quoted(option.name()), " is too long"));
    }
    if (!options.empty() && options.back().name >= option.name()) {
      return BadRecord("the options are not sorted by name");
    }
    options.push_back({option.name(), option.value()});
  }
  if (!entry.ok()) {
    if (absl::Status s = CheckName("game", opening.game()); !s.ok()) return s;
    return std::make_shared<const UnknownGame>(opening.game(), opening.bots_size(), options);
  }
  absl::StatusOr<std::shared_ptr<const games::Game>> game =
      entry->type->Create(opening.bots_size(), options);
  if (!game.ok()) return BadRecord(game.status().message());
  return game;
}

// Returns the turn of a record; 0: none.
uint32_t TurnOf(const Record& record) {
  if (record.has_turn()) return record.turn().number();
  if (record.has_forfeit()) return record.forfeit().number();
  if (record.has_fault()) return record.fault().number();
  if (record.has_no_contest()) return record.no_contest().number();
  return 0;
}

}  // namespace

absl::Status RecordDecoder::Take(absl::string_view bytes) {
  if (!message_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Refuse(BadRecord("it is not a record"));
  }
  if (absl::Status s = Decode(); !s.ok()) return Refuse(s);
  again_.clear();
  if (message_.has_opening()) {
    encoder_.AppendOpening(setup_, &again_);
  } else if (message_.has_secret()) {
    encoder_.AppendSecret(secret_, &again_);
  } else {
    encoder_.AppendRecord(*setup_.game, records_.back(), &again_);
  }
  if (again_ != bytes) {
    return Refuse(
        BadRecord("it says something that this version does not know, or in another form"));
  }
  ++taken_;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Refuse(const absl::Status& problem) {
  failed_turn_ = TurnOf(message_);
  const size_t size = message_.ByteSizeLong();
  message_.DiscardUnknownFields();
  const absl::Status why =
      message_.ByteSizeLong() < size ? absl::FailedPreconditionError(problem.message()) : problem;
  return failed_turn_ == 0 ? why : At(absl::StrCat("turn ", failed_turn_), why);
}

absl::Status RecordDecoder::Decode() {
  switch (message_.kind_case()) {
    case Record::kOpening:
      if (stage_ != Stage::kOpening) break;
      return Decode(message_.opening());
    case Record::kSecret:
      if (stage_ != Stage::kSecret) break;
      return Decode(message_.secret());
    case Record::kStart:
      if (stage_ != Stage::kStart) break;
      return Decode(message_.start());
    case Record::kDraw:
      if (stage_ != Stage::kDraws) break;
      return Decode(message_.draw());
    case Record::kTurn:
      if (stage_ != Stage::kDraws && stage_ != Stage::kTurns) break;
      return Decode(message_.turn());
    case Record::kForfeit:
      if (stage_ != Stage::kDraws && stage_ != Stage::kTurns) break;
      return Decode(message_.forfeit());
    case Record::kFault:
      if (stage_ != Stage::kDraws && stage_ != Stage::kTurns) break;
      return Decode(message_.fault());
    case Record::kNoContest:
      if (stage_ != Stage::kDraws && stage_ != Stage::kTurns) break;
      return Decode(message_.no_contest());
    case Record::kResumed:
      if (stage_ < Stage::kStart || stage_ == Stage::kOver) break;
      return Decode(message_.resumed());
    case Record::kEnd:
      if (stage_ < Stage::kStart || stage_ == Stage::kOver) break;
      return Decode(message_.end());
    case Record::KIND_NOT_SET:
      return BadRecord("it is of a kind that this version does not know");
  }
  return BadRecord(
      "it is not in its place: expected opening, start, draws, turns, faults and forfeits, end");
}

absl::Status RecordDecoder::Decode(const v1::OpeningRecord& opening) {
  absl::StatusOr<MatchId> id = MatchId::Parse(opening.match_id());
  if (!id.ok()) return BadRecord(id.status().message());
  setup_.id = *std::move(id);
  if (opening.bots_size() < 1 || opening.bots_size() > limits::kMaxSeats) {
    return BadRecord(
        absl::StrCat("there are ", opening.bots_size(), " bots, not 1 to ", limits::kMaxSeats));
  }
  absl::Status status = TimeFromMicros(opening.create_time_us(), &setup_.create_time);
  for (const std::string& bot : opening.bots()) status.Update(CheckName("bot", bot));
  setup_.bots.assign(opening.bots().begin(), opening.bots().end());
  if (!opening.referee().empty()) status.Update(CheckName("referee", opening.referee()));
  setup_.referee = opening.referee();
  if (opening.request_id().size() > limits::kMaxRequestIdBytes) {
    status.Update(BadRecord("its request id has more than 64 bytes"));
  }
  setup_.request_id = opening.request_id();
  if (!opening.has_stall_per_move_ns() || !opening.has_stall_per_match_ns()) {
    status.Update(absl::FailedPreconditionError(kBefore09));
  }
  setup_.time_control = TimeControlFrom(opening);
  status.Update(match::Validate(setup_.time_control));
  setup_.policies = PoliciesFrom(opening);
  status.Update(match::Validate(setup_.policies));
  status.Update(BytesFromString("the commitment", opening.commitment(), &setup_.commitment));
  match::DiceSource& dice_source = setup_.dice_source;
  if (opening.has_pinned_number()) {
    dice_source.pinned_number = opening.pinned_number();
  } else if (opening.has_pinned_seed()) {
    dice::Seed& seed = dice_source.pinned_seed.emplace();
    status.Update(BytesFromString("the pinned seed", opening.pinned_seed(), &seed.bytes));
  }
  status.Update(BlockFrom(opening, &setup_.block));
  if (!status.ok()) return status;
  auto game = GameFrom(opening, source_ == Source::kReplayOfAnyGame);
  if (!game.ok()) return game.status();
  setup_.game = *std::move(game);
  stage_ = source_ == Source::kLog ? Stage::kSecret : Stage::kStart;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::SecretRecord& secret) {
  if (absl::Status s = BytesFromString("the seed", secret.seed(), &secret_.bytes); !s.ok()) {
    return s;
  }
  stage_ = Stage::kStart;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::StartRecord& start) {
  match::Started started;
  if (absl::Status s = TimeFromMicros(start.start_time_us(), &started.time); !s.ok()) return s;
  const int expected = setup_.dice_source.pinned() ? 0 : setup_.game->seats();
  if (start.nonces_size() != expected) {
    return BadRecord(absl::StrCat("there are ", start.nonces_size(), " nonces, not ", expected));
  }
  for (const std::string& nonce : start.nonces()) {
    if (nonce.size() > limits::kMaxNonceBytes) return BadRecord("a nonce has more than 32 bytes");
    started.nonces.push_back(nonce);
  }
  if (start.nonce_hashes_size() != expected) {
    return BadRecord(
        absl::StrCat("there are ", start.nonce_hashes_size(), " hashes of nonces, not ", expected));
  }
  for (const std::string& hash : start.nonce_hashes()) {
    started.nonce_hashes.push_back(dice::FromRaw(hash));
    if (!hash.empty() && !started.nonce_hashes.back()) {
      return BadRecord("a hash of a nonce has not 32 bytes");
    }
  }
  nonces_ = started.nonces;
  nonce_hashes_ = started.nonce_hashes;
  records_.emplace_back(std::move(started));
  stage_ = Stage::kDraws;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::DrawRecord& draw) {
  if (++draws_ > kMaxDraws) {
    return BadRecord(absl::StrCat("there are more than ", kMaxDraws, " draws"));
  }
  match::Drawn drawn;
  const bool first_player = draw.kind() == v1::DRAW_KIND_FIRST_PLAYER;
  if (!first_player && draw.kind() != v1::DRAW_KIND_SETUP_ROLL) {
    return BadRecord("it is a draw of an unknown kind");
  }
  drawn.kind = first_player ? games::Chance::Kind::kFirstPlayer : games::Chance::Kind::kSetupRoll;
  drawn.round = static_cast<int>(std::min<uint32_t>(draw.round(), INT32_MAX));
  if (absl::Status s = DecodeSeat(draw.seat(), &drawn.seat); !s.ok()) return s;
  if (absl::Status s = RollFromMessage(draw, &drawn.roll); !s.ok()) return s;
  records_.emplace_back(drawn);
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::TurnRecord& turn) {
  if (turn.number() <= turn_) {
    return BadRecord(absl::StrCat("its number does not follow turn ", turn_));
  }
  turn_ = turn.number();
  faults_ = 0;
  match::Played played;
  played.number = turn.number();
  if (absl::Status s = DecodeSeat(turn.seat(), &played.seat); !s.ok()) return s;
  if (absl::Status s = RollFromMessage(turn, &played.roll); !s.ok()) return s;
  if (turn.move().size() > limits::kMaxMoveBytes) return BadRecord("the move is too long");
  absl::StatusOr<games::Move> move = setup_.game->ParseMove(turn.move());
  if (!move.ok()) return BadRecord(move.status().message());
  played.move = *move;
  played.legal_count = turn.legal_count();
  played.digest = turn.digest();
  played.used = absl::Nanoseconds(turn.used_ns());
  played.bank_left = setup_.time_control.has_bank() ? absl::Nanoseconds(turn.bank_left_ns())
                                                    : absl::InfiniteDuration();
  if (turn.has_timing()) played.timing = TimingFrom(turn.timing());
  if (turn.substituted() != v1::FORFEIT_CAUSE_UNSPECIFIED) {
    absl::Status s = FaultCause(turn.substituted(), &played.substituted.emplace());
    if (!s.ok()) return s;
  }
  records_.emplace_back(played);
  stage_ = Stage::kTurns;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::FaultRecord& fault) {
  if (++faults_ > kMaxFaultsOfTurn) {
    return BadRecord(absl::StrCat("there are more than ", kMaxFaultsOfTurn, " faults in the turn"));
  }
  match::Faulted faulted;
  if (absl::Status s = DecodeSeat(fault.seat(), &faulted.seat); !s.ok()) return s;
  if (absl::Status s = FaultCause(fault.cause(), &faulted.cause); !s.ok()) return s;
  faulted.number = fault.number();
  faulted.used = absl::Nanoseconds(fault.used_ns());
  faulted.detail = fault.detail();
  if (fault.has_timing()) faulted.timing = TimingFrom(fault.timing());
  records_.emplace_back(std::move(faulted));
  stage_ = Stage::kTurns;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::NoContestRecord& no_contest) {
  match::NoContest out;
  if (absl::Status s = DecodeSeat(no_contest.seat(), &out.seat); !s.ok()) return s;
  if (!no_contest.has_timing()) return BadRecord("it does not say where the time went");
  out.number = no_contest.number();
  out.used = absl::Nanoseconds(no_contest.used_ns());
  out.limit = absl::Nanoseconds(no_contest.limit_ns());
  out.stall = absl::Nanoseconds(no_contest.stall_ns());
  out.timing = TimingFrom(no_contest.timing());
  records_.emplace_back(out);
  stage_ = Stage::kNoContest;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::ResumedRecord& resumed) {
  // Leave room for one restart of a match that resumes.
  if (++resumed_ > kMaxResumed - (source_ == Source::kLog ? 1 : 0)) {
    return BadRecord(absl::StrCat("there are more than ", kMaxResumed, " restarts"));
  }
  match::Resumed out;
  if (absl::Status s = TimeFromMicros(resumed.resume_time_us(), &out.time); !s.ok()) return s;
  records_.emplace_back(out);
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::ForfeitRecord& forfeit) {
  if (forfeits_.size() >= setup_.bots.size()) {
    return BadRecord("there are more forfeits than seats");
  }
  match::Forfeited forfeited;
  if (absl::Status s = DecodeSeat(forfeit.seat(), &forfeited.seat); !s.ok()) return s;
  const absl::optional<match::Cause> cause = CauseFrom(forfeit.cause());
  if (!cause) return BadRecord("it is a forfeit for an unknown cause");
  forfeited.cause = *cause;
  forfeited.number = forfeit.number();
  forfeited.digest = forfeit.digest();
  forfeited.used = absl::Nanoseconds(forfeit.used_ns());
  forfeited.detail = forfeit.detail();
  if (forfeit.has_timing()) forfeited.timing = TimingFrom(forfeit.timing());
  forfeited.interrupts_turn = forfeit.interrupts_turn();
  forfeits_.push_back(match::SeatForfeitOf(forfeited));
  records_.emplace_back(std::move(forfeited));
  stage_ = Stage::kTurns;
  return absl::OkStatus();
}

absl::Status RecordDecoder::Decode(const v1::EndRecord& end) {
  match::Ended ended;
  if (!EndingFrom(end.state(), &ended.ending)) return BadRecord("it is an end of an unknown kind");
  ended.reason = end.reason();
  const bool finished = ended.ending == match::Ending::kFinished;
  if (finished && stage_ == Stage::kStart) {
    return BadRecord("a match that did not start has a result");
  }
  if (finished && !IsReasonWord(end.reason())) return BadRecord("the reason of the end is no word");
  const int expected = finished ? setup_.game->seats() : 0;
  if (end.scores_size() != expected || end.ranks_size() != expected) {
    return BadRecord(absl::StrCat("there are ", end.scores_size(), " scores and ", end.ranks_size(),
                                  " ranks, not ", expected, " of each"));
  }
  ended.scores.assign(end.scores().begin(), end.scores().end());
  for (const uint32_t rank : end.ranks()) {
    if (rank < 1 || rank > static_cast<uint32_t>(expected)) {
      return BadRecord("a rank is out of range");
    }
    ended.ranks.push_back(static_cast<int>(rank));
  }
  ended.forfeits = forfeits_;
  ended.times.seats.resize(setup_.bots.size());
  for (const match::Record& record : records_) match::CountTime(record, &ended.times);
  ended.nonces = nonces_;
  ended.nonce_hashes = nonce_hashes_;
  absl::Status status = BytesFromString("the seed", end.seed(), &ended.seed.bytes);
  status.Update(TimeFromMicros(end.end_time_us(), &ended.time));
  if (!end.cancelled_by().empty()) {
    if (ended.ending != match::Ending::kCancelled) return BadRecord("nobody cancelled the match");
    status.Update(CheckName("account", end.cancelled_by()));
    ended.cancelled_by = end.cancelled_by();
  }
  if (!status.ok()) return status;
  records_.emplace_back(std::move(ended));
  stage_ = Stage::kOver;
  return absl::OkStatus();
}

absl::Status RecordDecoder::DecodeSeat(uint32_t number, Seat* seat) const {
  if (number >= static_cast<uint32_t>(setup_.game->seats())) {
    return BadRecord(absl::StrCat("there is no seat ", number));
  }
  *seat = Seat(static_cast<int>(number));
  return absl::OkStatus();
}

}  // namespace referee::replay
