#include "referee/ctl/duel/embedded_referee.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/competition/runner.h"

namespace referee::ctl {
namespace {

// How long bots have to receive the end of the last match.
constexpr absl::Duration kFarewell = absl::Milliseconds(100);
// Small, because few matches run at once, and the log's file stays beside the replays.
constexpr size_t kLogSegmentBytes = size_t{1} << 20;

// A bot's own socket, which accepts the bot's token only.
absl::StatusOr<node::Door> DoorOf(const std::string& bot, const std::string& token,
                                  std::string address) {
  node::Door door;
  door.listen = std::move(address);
  const absl::Status added = door.credentials.Add(token, {bot, service::Role::kBot});
  if (!added.ok()) return At("--bot", added);
  // Adds an organiser with a secret token. Without any organiser, a bot could create and cancel
  // matches. Bots cannot have this name.
  const absl::Status closed =
      door.credentials.Add(NewToken(), {"refctl duel", service::Role::kOrganiser});
  if (!closed.ok()) return closed;
  return door;
}

}  // namespace

// The index, because names may be too long for the path of a socket.
std::string EmbeddedReferee::AddressOf(const std::string& folder, size_t bot) {
  return absl::StrCat("unix:", folder, "/bot", bot);
}

absl::StatusOr<std::unique_ptr<EmbeddedReferee>> EmbeddedReferee::Start(
    const DuelPlan& plan, const std::string& folder, DuelBots* bots, OnFinished on_finished,
    std::function<void()> on_connection) {
  std::unique_ptr<EmbeddedReferee> referee(new EmbeddedReferee());
  EmbeddedReferee* const self = referee.get();
  self->on_finished_ = std::move(on_finished);

  node::NodeOptions node;
  for (size_t i = 0; i < plan.bots.size(); ++i) {
    absl::StatusOr<node::Door> door =
        DoorOf(plan.bots[i].name, bots->token(i), AddressOf(folder, i));
    if (!door.ok()) return door.status();
    door->check_peer = [bots, i](const ucred& process) { return bots->CheckPeer(i, process); };
    node.doors.push_back(*std::move(door));
  }
  node.data_dir = plan.data_dir();
  node.store_dir = plan.resume_dir.empty() ? folder : plan.resume_dir;
  node.max_running = plan.concurrency;
  node.blocks_apart = true;
  if (plan.all_play()) node.max_blocks = plan.matches / plan.spec.seats;
  node.pack_replays = false;
  node.log_segment_bytes = kLogSegmentBytes;
  node.software = "refctl " REFEREE_VERSION;
  node.void_what_is_left = "the duel was killed while the match was running";
  node.on_finished = [self](const host::MatchRunner& runner, const absl::Status& sealed) {
    const int rotation = runner.block_place() ? runner.block_place()->rotation : 0;
    self->on_finished_({runner.id(), runner.request().bots, runner.request_id(), rotation,
                        competition::EndOf(runner).unready, *runner.ended(),
                        self->meter_.Take(runner.id()), sealed});
    self->meter_.Forget(runner.id());
  };
  node.on_record = [self](const match::Match& match, const match::Record& record) {
    self->meter_.Note(match, record);
  };
  node.on_connection = [notify = std::move(on_connection)](absl::string_view) { notify(); };
  node.oversubscribe = plan.oversubscribe;
  absl::StatusOr<std::unique_ptr<node::Node>> started = node::Node::Start(std::move(node));
  if (!started.ok()) return started.status();
  referee->node_ = *std::move(started);
  return referee;
}

void EmbeddedReferee::Stop() {
  if (node_ == nullptr) return;
  node_->Stop(absl::ZeroDuration(), host::Host::Rest::kVoid, kFarewell);
}

}  // namespace referee::ctl
