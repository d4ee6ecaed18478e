// The options that a node passes to its rooms, and its callbacks for them.
#include <utility>
#include <variant>
#include <vector>

#include "referee/node/entropy.h"
#include "referee/node/events.h"
#include "referee/node/node.h"

namespace referee::node {

host::HostOptions Node::MakeHostOptions() {
  host::HostOptions options;
  options.clock = &clock_;
  options.timers = &timers_;
  options.executor = &executor_;
  options.mailboxes = mailboxes_.get();
  options.recorder = storage_.recorder();
  options.entropy = FillWithEntropy;
  options.software = options_.software;
  options.max_running = options_.max_running;
  options.oversubscribe = options_.oversubscribe;
  options.blocks_apart = options_.blocks_apart;
  options.stalls = &stalls_.log();
  options.on_finished = [this](const host::MatchRunner& runner, const absl::Status& sealed) {
    OnFinished(runner, sealed);
  };
  options.on_sealed = [this](const MatchId& id) {
    Tell(ArchivedLate(id));
    if (shelf_keeper_ != nullptr) shelf_keeper_->Archived(id);
  };
  if (competitions_ != nullptr || options_.on_connection) {
    options.on_connection = [this](absl::string_view bot) { OnConnection(bot); };
  }
  if (peers_ != nullptr) {
    options.on_refused = [this](absl::string_view bot) { peers_->streams().BotRefused(bot); };
    options.on_drained = [this] { EndPeers(); };
  }
  options.on_own_time = options_.on_own_time;
  if (meter_ != nullptr || options_.log || options_.on_record) {
    options.on_record = [this](const match::Match& match, const match::Record& record) {
      OnRecord(match, record);
    };
  }
  return options;
}

std::vector<service::ServerOptions> Node::MakeServerOptions() {
  service::ServerOptions common = CommonServerOptions();
  if (options_.doors.empty()) {
    common.listen = options_.listen;
    common.authenticator = accounts_.get();
    if (options_.credentials) common.authenticator = &*options_.credentials;
    return {common};
  }
  std::vector<service::ServerOptions> servers;
  for (Door& door : options_.doors) {
    servers.push_back(common);
    servers.back().listen = door.listen;
    servers.back().authenticator = &door.credentials;
    servers.back().check_peer = door.check_peer;
  }
  return servers;
}

service::ServerOptions Node::CommonServerOptions() {
  service::ServerOptions options = options_.server;
  options.archive = storage_.archive();
  options.keys = storage_.keys();
  options.log = options_.log;
  if (HasAccounts()) {
    options.store = store_.get();
    options.competitions = competitions_.get();
  }
  if (peers_ != nullptr) options.peers = peers_->environment();
  options.metrics = options_.metrics;
  options.host = host_.get();
  options.paused_games = paused_games_.get();
  options.clock = &clock_;
  options.timers = &timers_;
  return options;
}

void Node::OnConnection(absl::string_view bot) {
  if (peers_ != nullptr) peers_->streams().BotChanged(bot);
  if (competitions_ != nullptr) competitions_->Wake();
  if (options_.on_connection) options_.on_connection(bot);
}

void Node::EndPeers() {
  peers_->Close();
  for (const auto& server : servers_) server->EndPeers();
}

void Node::OnRecord(const match::Match& match, const match::Record& record) const {
  if (meter_ != nullptr) meter_->OnRecord(match, record);
  if (options_.on_record) options_.on_record(match, record);
  if (!options_.log || std::holds_alternative<match::Played>(record)) return;
  if (absl::optional<log::Event> event = EventOf(match.setup(), record)) Tell(*std::move(event));
}

void Node::OnFinished(const host::MatchRunner& runner, const absl::Status& sealed) {
  if (options_.log) Tell(EndOf(runner));
  if (!sealed.ok()) Tell(NotArchived(runner.id(), sealed));
  if (competitions_ != nullptr) competitions_->MatchFinished(runner, sealed);
  if (meter_ != nullptr) meter_->OnFinished(runner, sealed);
  if (options_.on_finished) options_.on_finished(runner, sealed);
}

}  // namespace referee::node
