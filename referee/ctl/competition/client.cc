#include "referee/ctl/competition/client.h"

#include <utility>

#include "referee/base/limits.h"

namespace referee::ctl {

CompetitionClient::CompetitionClient(Connection connection)
    : connection_(std::move(connection)),
      stub_(v1::CompetitionService::NewStub(connection_.channel())) {}

absl::Status CompetitionClient::ListBlocks(
    const std::string& name, const std::string& bot,
    const std::function<bool(const v1::ListBlocksResponse&)>& take) {
  v1::ListBlocksRequest request;
  request.set_name(name);
  request.set_bot(bot);
  request.set_page_size(limits::kMaxPageSize);
  do {
    const absl::StatusOr<v1::ListBlocksResponse> page = Call(&Stub::ListBlocks, request);
    if (!page.ok()) return page.status();
    if (!take(*page)) break;
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return absl::OkStatus();
}

absl::Status CompetitionClient::ListPairs(
    const std::string& name, const std::string& bot,
    const std::function<bool(const v1::ListPairsResponse&)>& take) {
  v1::ListPairsRequest request;
  request.set_name(name);
  request.set_bot(bot);
  request.set_page_size(limits::kMaxPageSize);
  do {
    const absl::StatusOr<v1::ListPairsResponse> page = Call(&Stub::ListPairs, request);
    if (!page.ok()) return page.status();
    if (!take(*page)) break;
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return absl::OkStatus();
}

}  // namespace referee::ctl
