// The base class of a bot, and the client that connects a bot to a referee. A complete bot:
//
//   #include "referee/sdk/bot.h"
//
//   class FirstMove : public referee::sdk::Bot {
//     referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override {
//       return turn.legal_move(0);
//     }
//   };
//
//   int main(int argc, char** argv) {
//     FirstMove bot;
//     return referee::sdk::Run(bot, argc, argv);
//   }
#ifndef REFEREE_SDK_BOT_H_
#define REFEREE_SDK_BOT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/sdk/log.h"
#include "referee/sdk/match.h"

namespace referee::sdk {

// The base class of a bot: override ChooseTurn, and the notifications that you need.
//
// Threads: with Options::threads == 1, the default, the thread that called Run calls every method,
// one at a time. With more threads, calls about one match still come one at a time, in order; calls
// about different matches overlap. With 0 threads, the calls come from the SDK's reading thread or
// from the thread that called Run, one at a time.
//
// An exception that leaves a method is logged and resigns that match, with what() as the reason.
// The other matches go on.
class Bot {
 public:
  virtual ~Bot() = default;

  // Returns the move to play: one of turn.legal_moves(), a move that the bot has built itself, or
  // MoveFromNotation(...). By default, an illegal or late move forfeits the match. The SDK does not
  // call this when the bot can only pass.
  virtual Move ChooseTurn(const Turn& turn) = 0;

  // A match begins, or goes on after a lost connection. In the latter case match.resumed() is its
  // whole state, and the bot may have missed turns.
  virtual void OnMatchStart(const Match& /*match*/) {}
  // Another seat has played, or this bot has passed. The call may come up to a tenth of a second
  // late, or with the bot's next request; see Options::news_may_wait.
  virtual void OnTurnPlayed(const Match& /*match*/, const TurnPlayed& /*turn*/) {}
  // A seat has forfeited, perhaps the bot's own.
  virtual void OnForfeit(const Match& /*match*/, const SeatForfeited& /*forfeit*/) {}
  // The referee cheats or is broken: the dice do not follow from what it published before, or it
  // asks for a nonce that is not this bot's. Called at most once a match, and logged as an error.
  // `problem` is one sentence with the published and the expected values. The SDK checks the dice
  // of each match that reveals its seed, just before OnMatchEnd.
  virtual void OnDiceMismatch(const Match& /*match*/, absl::string_view /*problem*/) {}
  // A match is over. The verdict's state is MATCH_STATE_UNSPECIFIED if the match ended while the
  // bot was disconnected.
  virtual void OnMatchEnd(const Match& /*match*/, const Verdict& /*verdict*/) {}

  // For bots that keep state from turn to turn: returns a separate bot for a new match. The SDK
  // sends it all other calls about the match, and destroys it with the match. Null, the default:
  // this bot plays the match too.
  virtual std::unique_ptr<Bot> ForMatch(const Match& /*match*/) { return nullptr; }
};

// How a bot connects to its referee and how it plays.
struct Options {
  // "host:port" or "unix:path". Default: the environment variable REFEREE_ADDRESS.
  std::string address;
  // The secret that identifies the bot. Default: the environment variable REFEREE_TOKEN.
  std::string token;

  // Unix sockets and loopback addresses use plain text unless `tls`, `tls_ca` or `tls_cert` is set.
  // All other addresses use TLS, which protects the token, unless `insecure` is set.
  bool tls = false;
  // Path of a PEM file with the certificates to trust. Default: the environment variable
  // REFEREE_TLS_CA, unless `insecure`; else the system's certificates.
  std::string tls_ca;
  // Paths of PEM files for a referee that asks for a client certificate: the bot's certificate
  // followed by its chain, and its private key. Set both or neither. Default: the environment
  // variables REFEREE_TLS_CERT and REFEREE_TLS_KEY, unless `insecure`. Run reads the files once.
  std::string tls_cert;
  std::string tls_key;
  bool insecure = false;
  // The bot sends its token to other referees of the fleet only in this domain: this host and all
  // hosts below it. Default: the environment variable REFEREE_FLEET_DOMAIN, else the host of
  // `address`.
  std::string fleet_domain;

  // The name of the bot's software in the referee's logs.
  std::string software = "referee-sdk-cpp";
  // The version of the bot, at most 32 bytes. In a ladder, each version has its own rating and
  // results. So the referee accepts a new version at most once an hour; Run tries again until it
  // does. Empty, the default: keep the version that the referee has.
  std::string version;
  // The games that the bot plays. Empty: all.
  std::vector<std::string> games;
  // Threads that call the bot. With 0 threads, the thread that reads a turn also calls the bot.
  // That saves a thread switch for each turn, and suits bots that answer within microseconds. While
  // a slow bot is called, nothing is read.
  int threads = 1;
  // Matches that the bot plays at once, up to 1024. 0, the default: 8, or `threads` or
  // `parallel_turns` if larger. 8 is enough for a block of any game. More matches than
  // `parallel_turns` come only as one block. The referee plays its matches side by side, so that
  // turns seldom wait on their clocks for each other.
  int max_matches = 0;
  // Turns that the bot works on at once. 0, the default: the number of threads. With 0 threads:
  // `max_matches` if set, else 1. A bot that answers at once may set more, because its turns do not
  // wait long. It then gets that many matches of any kind, which is cheaper.
  int parallel_turns = 0;
  // Whether turns list the legal moves.
  bool legal_moves = true;
  // Whether OnTurnPlayed may come with the bot's next item, at most a tenth of a second late. That
  // is cheaper. Set false for a bot that thinks in the turns of others.
  bool news_may_wait = true;
  // What happens if another process plays with this token. False: this process replaces it, and Run
  // of the other process returns Aborted. True: the other process keeps the place, and Run of this
  // process returns AlreadyExists. After its first connection, this process tries again instead:
  // the referee may not have noticed the loss of its own earlier connection.
  bool keeps_existing = false;

  // How long to keep trying, since the start or the last lost connection, before Run returns
  // Unavailable.
  absl::Duration give_up_after = absl::InfiniteDuration();
  // The delay before the attempt with this number, counted from 0 since the last success. If
  // several referees are known, one attempt is a round of all of them. Default: random, up to 20 ms
  // doubled with each attempt, at most 10 s.
  std::function<absl::Duration(int attempt)> backoff;
  // Whether SIGTERM and SIGINT stop the bot. A second signal kills it.
  bool handle_signals = false;

  LogLevel log_level = LogLevel::kInfo;
  LogSink log_sink = LogToStderr;
};

// Plays a bot's matches over one stream, with any referee of its fleet. Reopens a lost stream, to
// the same referee or to another. Thread-safe.
class Client {
 public:
  // Does nothing before Run. `bot` must outlive the client.
  Client(Bot& bot, Options options);
  ~Client();

  // Plays until Stop() is called, or until the only known referee has shut down for good. Call it
  // once. Returns:
  //
  // - OK at the normal end, or DataLoss if the dice of a match were wrong (Bot::OnDiceMismatch);
  // - InvalidArgument for invalid options;
  // - the error of the referee at `address` if it refuses this bot (Unauthenticated,
  //   PermissionDenied, InvalidArgument);
  // - Aborted if another process has replaced this one, AlreadyExists if another process keeps the
  //   bot's place;
  // - Unimplemented if the server at `address` is not a referee;
  // - Unavailable after give_up_after.
  //
  // After any other error it connects again.
  absl::Status Run();

  // Makes Run return as soon as the current calls to the bot have returned. Running matches go on,
  // and the bot loses them on time unless it reconnects. The bot's methods may call this.
  void Stop();

 private:
  class Session;
  const std::unique_ptr<Session> session_;
};

// Calls Client(bot, options).Run().
absl::Status Run(Bot& bot, Options options = {});

// Run for main(): reads options from the command line (--help lists them) over `defaults`, and
// handles signals. Prints errors to stderr. Returns the exit status: 0, or 2 for an error.
int Run(Bot& bot, int argc, const char* const* argv, Options defaults = {});

}  // namespace referee::sdk

#endif  // REFEREE_SDK_BOT_H_
