#include "referee/ctl/duel/embedded_referee.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/replay/archive.h"

namespace referee::ctl {
namespace {

// How long bots have to hear that the last match is over.
constexpr absl::Duration kFarewell = absl::Milliseconds(100);
// Few matches go on at once, and what the log takes stays beside the replays.
constexpr size_t kLogSegmentBytes = size_t{1} << 20;

}  // namespace

absl::StatusOr<std::unique_ptr<EmbeddedReferee>> EmbeddedReferee::Start(Options options) {
  std::unique_ptr<EmbeddedReferee> referee(new EmbeddedReferee());
  EmbeddedReferee* const self = referee.get();
  self->data_dir_ = options.data_dir;
  self->on_finished_ = std::move(options.on_finished);

  node::NodeOptions node;
  node.listen = absl::StrCat("unix:", options.socket_path);
  node.data_dir = std::move(options.data_dir);
  node.pack_replays = false;
  node.log_segment_bytes = kLogSegmentBytes;
  node.credentials = std::move(options.credentials);
  node.software = "refctl " REFEREE_VERSION;
  node.void_what_is_left = "the duel was killed while the match was running";
  node.wrap_recorder = [self](replay::Recorder* keeper) {
    auto recorder = std::make_unique<MeasuringRecorder>(keeper);
    self->recorder_ = recorder.get();
    return recorder;
  };
  node.on_finished = [self](const host::MatchRunner& runner, const absl::Status& sealed) {
    self->on_finished_({runner.id(), runner.match() != nullptr, *runner.ended(),
                        self->recorder_->Take(runner.id()), sealed});
  };
  absl::StatusOr<std::unique_ptr<node::Node>> started = node::Node::Start(std::move(node));
  if (!started.ok()) return started.status();
  referee->node_ = *std::move(started);
  return referee;
}

std::string EmbeddedReferee::ReplayPath(const MatchId& id) const {
  return data_dir_.empty() ? "" : replay::Archive(data_dir_).PathOf(id);
}

void EmbeddedReferee::Stop() {
  if (node_ == nullptr) return;
  node_->Stop(absl::ZeroDuration(), host::Host::Rest::kVoid, kFarewell);
}

}  // namespace referee::ctl
