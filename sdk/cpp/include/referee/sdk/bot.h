// A bot, and the loop that connects it to a referee. A whole bot:
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

// What a bot author writes.
//
// Threads: with Options::threads == 1, the default, every method is called on the thread that
// called Run, one call at a time. With more, calls about one match still come one at a time, in
// order; calls about different matches overlap. With none they come on threads of the transport,
// one call at a time.
//
// An exception that leaves a method is logged and costs the bot that match: it is resigned, with
// what() as the reason. The other matches go on.
class Bot {
 public:
  virtual ~Bot() = default;

  // Returns the move that the bot plays: one of turn.legal_moves(), one that it has made itself, or
  // MoveFromNotation(...). A move that the rules forbid, or one that comes too late, forfeits the
  // match. A bot that can only pass is not asked.
  virtual Move ChooseTurn(const Turn& turn) = 0;

  // A match begins, or goes on after the link was lost: then match.resumed() is its whole state,
  // and the bot may have missed turns.
  virtual void OnMatchStart(const Match& /*match*/) {}
  // Another seat has played, or this bot has passed. May come a tenth of a second after that, or
  // with what the bot is asked next; see Options::news_may_wait.
  virtual void OnTurnPlayed(const Match& /*match*/, const TurnPlayed& /*turn*/) {}
  // A seat, perhaps the bot's own, has forfeited.
  virtual void OnForfeit(const Match& /*match*/, const SeatForfeited& /*forfeit*/) {}
  // The dice of a match are not those that follow from what the referee had told before, or the
  // referee wants a nonce revealed that is not this bot's: it cheats, or is broken. The log has
  // said so; `problem` is one sentence with what was told and what it should be. The SDK checks
  // each match that reveals its seed, just before OnMatchEnd.
  virtual void OnDiceMismatch(const Match& /*match*/, absl::string_view /*problem*/) {}
  // A match is over. The verdict's state is MATCH_STATE_UNSPECIFIED when the match ended while the
  // bot was away.
  virtual void OnMatchEnd(const Match& /*match*/, const Verdict& /*verdict*/) {}

  // For bots that remember something from turn to turn: returns a bot of its own for a new match,
  // which gets all other calls about it and goes with it. Null, the default: this one plays it too.
  virtual std::unique_ptr<Bot> ForMatch(const Match& /*match*/) { return nullptr; }
};

// How a bot reaches its referee and how it plays.
struct Options {
  // "host:port" or "unix:path". Default: the environment's REFEREE_ADDRESS.
  std::string address;
  // The secret that names the bot. Default: the environment's REFEREE_TOKEN.
  std::string token;

  // Unix sockets and loopback addresses are plain text unless `tls`, `tls_ca` or `tls_cert` is set.
  // All others are TLS, because the token must not travel in the clear, unless `insecure` allows
  // that.
  bool tls = false;
  // Path of a PEM file with the certificates to trust. Default: the environment's REFEREE_TLS_CA,
  // unless `insecure`; else the system's.
  std::string tls_ca;
  // Paths of PEM files with a certificate of the bot's own, followed by those that certify it, and
  // its private key: for a referee that asks for one. Both or neither. Default: the
  // environment's REFEREE_TLS_CERT and REFEREE_TLS_KEY, unless `insecure`. Read when Run is called.
  std::string tls_cert;
  std::string tls_key;
  bool insecure = false;
  // The domain in which the bot trusts other referees of the fleet with its token: this host and
  // those below it. Default: the environment's REFEREE_FLEET_DOMAIN, else the host of `address`.
  std::string fleet_domain;

  // What the bot calls itself in the referee's logs.
  std::string software = "referee-sdk-cpp";
  // The version of the bot, at most 32 bytes. In a ladder each version has a rating and results of
  // its own, so a new one is to be told at most once an hour; Run tries again until it may be.
  // Empty, the default: it stays what the referee knows.
  std::string version;
  // The games it plays. Empty: all.
  std::vector<std::string> games;
  // Threads that call the bot. 0: it is called where its turns are read, which is cheaper by what
  // it costs to wake another thread: for bots that answer within microseconds. A slow one is read
  // less often then.
  int threads = 1;
  // How many matches it plays at once, up to 1024. 0, the default: 8, or `parallel_turns`, if that
  // is more. That is enough for a block of any game; but more matches than `parallel_turns` come
  // only as one block, whose matches are played side by side, so that a turn waits on its clock for
  // another match as seldom as can be.
  int max_matches = 0;
  // How many turns it thinks about at once. 0, the default: as many as it has threads; without
  // threads what `max_matches` says, or else 1. A bot that answers at once may say more, as no turn
  // waits for long: it then gets that many matches of whatever is played, which is cheaper.
  int parallel_turns = 0;
  // Whether turns list the legal moves.
  bool legal_moves = true;
  // Whether OnTurnPlayed may come with the next thing that the bot is told, a tenth of a second
  // later at most: that is cheaper. A bot that thinks while others do says no.
  bool news_may_wait = true;
  // What happens when another process plays with this token. False: this one takes its place, and
  // the other's Run returns Aborted. True: the other goes on, and this one's Run returns
  // AlreadyExists; but once it has been connected it tries again, as the referee may not have
  // noticed yet that its own link is lost.
  bool keeps_existing = false;

  // How long to go on trying when no referee answers, before Run returns Unavailable.
  absl::Duration give_up_after = absl::InfiniteDuration();
  // How long to wait before the attempt with this number, from 0, since the last success. While
  // several referees are known, each round of all of them is one attempt. Default: random up to
  // 20 ms doubled with each attempt, and up to 10 s at most.
  std::function<absl::Duration(int attempt)> backoff;
  // Whether SIGTERM and SIGINT stop the bot; a second one kills it.
  bool handle_signals = false;

  LogLevel log_level = LogLevel::kInfo;
  LogSink log_sink = LogToStderr;
};

// Plays a bot's matches over one stream, to any referee of its fleet. A stream that is lost is
// opened again, to the same referee or to another. Thread-safe.
class Client {
 public:
  // Does nothing before Run. `bot` must outlive the client.
  Client(Bot& bot, Options options);
  ~Client();

  // Plays until the only referee has drained and closed the stream, or Stop() is called, and then
  // returns OK; or DataLoss if the dice of a match did not fit (Bot::OnDiceMismatch). Returns
  // InvalidArgument for invalid options, the error of the referee at `address` when it refuses
  // this bot (Unauthenticated, PermissionDenied, InvalidArgument), Aborted when another process has
  // taken the bot's place, AlreadyExists when another process has it and keeps it, Unimplemented
  // when the server at the address is no referee, Unavailable after give_up_after. After any other
  // error it connects again. Call it once.
  absl::Status Run();

  // Makes Run return as soon as the current calls to the bot have returned. Running matches go on,
  // and are lost on time unless the bot comes back. May be called from the bot's methods.
  void Stop();

 private:
  class Session;
  const std::unique_ptr<Session> session_;
};

// Client(bot, options).Run().
absl::Status Run(Bot& bot, Options options = {});

// For main(): the same with options from the command line (--help lists them) over `defaults`, and
// with signals handled. Prints what went wrong to stderr. Returns the exit status: 0, or 2.
int Run(Bot& bot, int argc, const char* const* argv, Options defaults = {});

}  // namespace referee::sdk

#endif  // REFEREE_SDK_BOT_H_
