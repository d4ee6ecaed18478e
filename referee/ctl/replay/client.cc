#include "referee/ctl/replay/client.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/replay/errors.h"

namespace referee::ctl {

ReplayClient::ReplayClient(Connection connection)
    : connection_(std::move(connection)),
      replays_(v1::ReplayService::NewStub(connection_.channel())),
      competitions_(v1::CompetitionService::NewStub(connection_.channel())) {}

absl::StatusOr<std::string> ReplayClient::Fetch(const MatchId& id) {
  grpc::ClientContext context;
  connection_.Authorise(&context);
  v1::GetReplayRequest request;
  request.set_match_id(id.text());
  const std::unique_ptr<grpc::ClientReader<v1::GetReplayResponse>> reader =
      replays_->GetReplay(&context, request);
  std::string bytes;
  v1::GetReplayResponse part;
  while (reader->Read(&part)) {
    if (bytes.size() + part.chunk().size() > limits::kMaxReplayBytes) {
      context.TryCancel();
      while (reader->Read(&part)) {
      }
      (void)reader->Finish();
      return replay::FileTooLarge(absl::StrCat("match ", id.text()), limits::kMaxReplayBytes);
    }
    bytes += part.chunk();
  }
  const absl::Status read = connection_.Explain(reader->Finish());
  if (!read.ok()) return read;
  return bytes;
}

absl::StatusOr<std::string> ReplayClient::NameOf(const store::CompetitionId& id) {
  v1::GetCompetitionRequest request;
  request.set_competition_id(id.text());
  const auto found =
      connection_.Call(competitions_.get(), &v1::CompetitionService::Stub::GetCompetition, request);
  if (!found.ok()) return found.status();
  return found->competition().spec().name();
}

}  // namespace referee::ctl
