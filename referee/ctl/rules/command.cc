// refctl rules: queries a game's rules, without a referee, a bot or a network.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/ctl/match/flags.h"
#include "referee/ctl/rules/input.h"
#include "referee/ctl/rules/perft.h"
#include "referee/ctl/rules/selfplay.h"
#include "referee/ctl/terminal/print.h"
#include "referee/games/catalogue.h"
#include "referee/replay/json.h"
#include "referee/replay/transcript.h"

namespace referee::ctl {
namespace {

using games::Entry;
using games::GameType;
using games::Move;
using games::OptionSpec;
using games::Phase;

constexpr char kExamplePosition[] = "36/24/12 1111,1111 - 0,0 - b 54";

struct Flags {
  std::string game;
  std::string position;
  std::vector<std::string> options;
  std::string move;
  std::string dice;
  int depth = 1;
  int seats = 2;
  uint64_t seed = 0;
  uint64_t matches = 1;
  bool json = false;
};

std::string Text(absl::string_view text) { return std::string(text); }

absl::StatusOr<ReadPosition> ReadPositionFlags(const Flags& flags) {
  const absl::StatusOr<Entry> entry = games::Find(flags.game);
  if (!entry.ok()) return At("--game", entry.status());
  return ParsePositionOf(*entry->type, flags.position, flags.options);
}

// --- rules games ---

absl::string_view KindName(OptionSpec::Kind kind) {
  switch (kind) {
    case OptionSpec::Kind::kBool:
      return "bool";
    case OptionSpec::Kind::kInt:
      return "int";
    case OptionSpec::Kind::kEnum:
      return "enum";
    case OptionSpec::Kind::kFile:
      return "file";
    case OptionSpec::Kind::kText:
      return "text";
  }
  return "";
}

Json GameJson(const GameType& type) {
  Json options = Json::array();
  for (const OptionSpec& spec : type.option_specs()) {
    options.push_back({{"name", Text(spec.name)},
                       {"kind", Text(KindName(spec.kind))},
                       {"default", Text(spec.default_value)},
                       {"help", Text(spec.help)}});
  }
  return {{"name", Text(type.name())},
          {"min_seats", type.min_seats()},
          {"max_seats", type.max_seats()},
          {"options", options}};
}

// Returns "2 to 6", or "2".
std::string SeatsText(const GameType& type) {
  if (type.min_seats() == type.max_seats()) return absl::StrCat(type.min_seats());
  return absl::StrCat(type.min_seats(), " to ", type.max_seats());
}

absl::StatusOr<Exit> PrintGames(const Flags& flags, const Output& output) {
  Json all = Json::array();
  for (const Entry& entry : games::Catalogue()) {
    const GameType& type = *entry.type;
    all.push_back(GameJson(type));
    if (flags.json) continue;
    output.out() << absl::StrCat(type.name(), ": ", SeatsText(type), " seats\n");
    for (const OptionSpec& spec : type.option_specs()) {
      output.out() << absl::StrCat("  --option ", spec.name, "=", spec.default_value, "\n      ",
                                   spec.help, "\n");
    }
  }
  if (flags.json) output.out() << JsonLine(all);
  return Exit::kOk;
}

// --- rules legal ---

absl::StatusOr<Exit> PrintLegal(const Flags& flags, const Output& output) {
  const absl::StatusOr<ReadPosition> position = ReadPositionFlags(flags);
  if (!position.ok()) return position.status();
  std::vector<Move> legal;
  if (position->state->phase() == Phase::kTurn) position->state->LegalMoves(&legal);
  Json moves = Json::array();
  for (const Move move : legal) {
    const std::string text = position->game->MoveText(move);
    if (flags.json) {
      moves.push_back(text);
    } else {
      output.out() << text << '\n';
    }
  }
  if (flags.json) {
    output.out() << JsonLine(Json{{"position", position->state->Position()}, {"moves", moves}});
  }
  return Exit::kOk;
}

// --- rules apply ---

// Rolls the dice of the next seat, if the game has dice.
absl::Status RollNext(const Flags& flags, games::State* state) {
  if (state->phase() == Phase::kOver) return absl::OkStatus();
  if (state->phase() == Phase::kTurn) {
    return flags.dice.empty()
               ? absl::OkStatus()
               : absl::InvalidArgumentError("--dice: nobody rolls dice here; leave the flag out");
  }
  if (flags.dice.empty())
    return absl::InvalidArgumentError(absl::StrCat("--dice: seat ",
                                                   std::string(1, state->seat_to_move().letter()),
                                                   " rolls next; say what, for example --dice 31"));
  absl::StatusOr<std::vector<std::vector<int>>> rolls = ParseRolls(flags.dice);
  if (!rolls.ok()) return rolls.status();
  if (rolls->size() != 1 || rolls->front().size() != static_cast<size_t>(state->chance().count)) {
    return BadDice(flags.dice);
  }
  for (int& die : rolls->front()) --die;
  state->ApplyChance(rolls->front());
  return absl::OkStatus();
}

void PrintPosition(const games::State& state, const Flags& flags, const Output& output) {
  const std::string position = state.Position();
  if (!flags.json) {
    output.out() << position << '\n';
    return;
  }
  Json json = {{"position", position}, {"digest", dice::DigestText(dice::Digest(position))}};
  if (state.phase() == Phase::kOver) {
    const games::Outcome outcome = state.outcome();
    json["reason"] = Text(outcome.reason);
    json["scores"] = outcome.scores;
    json["ranks"] = outcome.ranks;
  }
  output.out() << JsonLine(json);
}

absl::StatusOr<Exit> PrintApplied(const Flags& flags, const Output& output) {
  const absl::StatusOr<ReadPosition> position = ReadPositionFlags(flags);
  if (!position.ok()) return position.status();
  const absl::StatusOr<Move> claimed = position->game->ParseMove(flags.move);
  if (!claimed.ok()) return At("--move", claimed.status());
  games::State* const state = position->state.get();
  if (state->phase() == Phase::kOver) {
    output.Error(absl::FailedPreconditionError(absl::StrCat(
        "position ", Quoted(flags.position), ": the match is over, nobody is to move")));
    return Exit::kNegative;
  }
  std::vector<Move> legal;
  state->LegalMoves(&legal);
  const absl::StatusOr<Move> move = state->Resolve(*claimed, legal);
  if (!move.ok()) {
    output.Error(At("--move", move.status()));
    return Exit::kNegative;
  }
  state->Apply(*move);
  const absl::Status rolled = RollNext(flags, state);
  if (!rolled.ok()) return rolled;
  PrintPosition(*state, flags, output);
  return Exit::kOk;
}

// --- rules perft ---

absl::StatusOr<Exit> PrintPerft(const Flags& flags, const Output& output) {
  const absl::StatusOr<ReadPosition> position = ReadPositionFlags(flags);
  if (!position.ok()) return position.status();
  std::vector<std::vector<int>> rolls;
  if (!flags.dice.empty()) {
    absl::StatusOr<std::vector<std::vector<int>>> parsed = ParseRolls(flags.dice);
    if (!parsed.ok()) return parsed.status();
    rolls = *std::move(parsed);
  }
  const absl::StatusOr<PerftCounts> counts = Perft(*position->state, flags.depth, rolls);
  if (!counts.ok()) return counts.status();
  if (flags.json) {
    output.out() << JsonLine(Json{{"legal", counts->legal}, {"distinct", counts->distinct}});
  } else {
    output.out() << absl::StrCat("legal=", counts->legal, " distinct=", counts->distinct, "\n");
  }
  return Exit::kOk;
}

// --- rules selfplay ---

absl::StatusOr<Exit> PrintSelfplay(const Flags& flags, const Output& output) {
  const absl::StatusOr<Entry> entry = games::Find(flags.game);
  if (!entry.ok()) return At("--game", entry.status());
  const absl::StatusOr<std::shared_ptr<const games::Game>> game =
      MakeGame(*entry->type, flags.seats, flags.options);
  if (!game.ok()) return game.status();
  for (uint64_t i = 0; i < flags.matches && output.out(); ++i) {
    const replay::Replay replay = Selfplay(*game, flags.seed + i);
    output.out() << (flags.json ? replay::ReplayJson(replay) : replay::Transcript(replay));
  }
  return Exit::kOk;
}

// --- The command line ---

void AddPositionFlag(CLI::App* command, Flags* flags) {
  AddOption(command, "--position", "TEXT", &flags->position,
            absl::StrCat("A position string, such as '", kExamplePosition, "'"))
      ->required();
}

void AddJson(CLI::App* command, Flags* flags) {
  command->add_flag("--json", flags->json, "Prints JSON, on one line");
}

void AddGames(CLI::App* rules, Chosen* chosen) {
  const auto [command, flags] = AddSubcommand(
      rules, chosen, "games", "Lists the games with their seats and options", PrintGames);
  AddJson(command, flags.get());
}

void AddLegal(CLI::App* rules, Chosen* chosen) {
  const auto [command, flags] =
      AddSubcommand(rules, chosen, "legal",
                    "Lists the legal turns of a position, one a line, sorted", PrintLegal);
  AddGameFlags(command, &flags->game, &flags->options);
  AddPositionFlag(command, flags.get());
  AddJson(command, flags.get());
}

void AddApply(CLI::App* rules, Chosen* chosen) {
  const auto [command, flags] = AddSubcommand(
      rules, chosen, "apply",
      "Plays a move and prints the next position; exit status 1 if the move is illegal",
      PrintApplied);
  AddGameFlags(command, &flags->game, &flags->options);
  AddPositionFlag(command, flags.get());
  AddOption(command, "--move", "TEXT", &flags->move, "The move, as 'rules legal' lists it")
      ->required();
  AddOption(command, "--dice", "ROLL", &flags->dice,
            "What the next seat rolls, such as 31; needed if it rolls dice");
  AddJson(command, flags.get());
}

void AddPerft(CLI::App* rules, Chosen* chosen) {
  const auto [command, flags] = AddSubcommand(
      rules, chosen, "perft",
      "Counts sequences of legal turns, and the distinct positions that they lead to", PrintPerft);
  AddGameFlags(command, &flags->game, &flags->options);
  AddPositionFlag(command, flags.get());
  AddOption(command, "--depth", "N", &flags->depth, "How many turns are played")
      ->check(Whole(1, 1000))
      ->capture_default_str();
  AddOption(command, "--dice", "ROLL[,ROLL...]", &flags->dice,
            "The roll of each turn, such as 31,62; the last serves the rest\n"
            "(default: the position's own for all)");
  AddJson(command, flags.get());
}

void AddSelfplay(CLI::App* rules, Chosen* chosen) {
  const auto [command, flags] =
      AddSubcommand(rules, chosen, "selfplay",
                    "Plays random matches without a network and prints their transcripts; the same "
                    "command prints the same bytes everywhere",
                    PrintSelfplay);
  AddGameFlags(command, &flags->game, &flags->options);
  AddOption(command, "--seats", "N", &flags->seats, "How many seats play")
      ->required()
      ->check(Whole(1, INT32_MAX));
  AddOption(command, "--seed", "N", &flags->seed,
            "Match i, from 0, is pinned to this number plus i, and its players draw from it")
      ->required()
      ->check(Unsigned64());
  AddOption(command, "--matches", "N", &flags->matches, "How many matches")
      ->check(Unsigned64(1))
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Prints a JSON object a match instead");
}

}  // namespace

void AddRulesCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const rules =
      app->add_subcommand("rules", "Asks the rules of a game: legal turns, positions, random play");
  rules->require_subcommand(1);
  AddGames(rules, chosen);
  AddLegal(rules, chosen);
  AddApply(rules, chosen);
  AddPerft(rules, chosen);
  AddSelfplay(rules, chosen);
}

}  // namespace referee::ctl
