// The index of an archive together with what is in its packs and not in the index yet: what was put
// in the last moments, or since the index could not be written. For queries (archive_query.h);
// changes no file.
//
//   StatusOr<WholeIndex> whole = WholeIndex::Look(data_dir);
//   whole->Ask([&](PackIndex* index) { return FindReplays(index, filter, 50); });
#ifndef REFEREE_REPLAY_WHOLE_INDEX_H_
#define REFEREE_REPLAY_WHOLE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/replay/pack_index.h"

namespace referee::replay {

// Thread-compatible.
class WholeIndex {
 public:
  // So many replays are read that the index does not have.
  static constexpr size_t kMostBeyond = 20'000;

  // Reads what is beyond the index, or everything if there is none, up to `most` replays. Returns
  // NotFound when there is no index and more than that, or no pack; or the error of the index.
  static absl::StatusOr<WholeIndex> Look(const std::string& data_dir, size_t most = kMostBeyond);

  // How many replays are beyond the index and were too many to be read.
  int64_t missing() const { return missing_; }
  // Why packs could not be read whole beyond the index: for each an error that names it.
  const std::vector<absl::Status>& problems() const { return problems_; }
  // Whether the answers are about all replays in packs.
  bool is_whole() const { return problems_.empty() && missing_ == 0; }

  // Opens what there is, to be asked once or more; it may be overtaken (PackIndex::overtaken).
  absl::StatusOr<std::unique_ptr<PackIndex>> Open() const;
  // Calls body(PackIndex*), which returns a StatusOr, as ReadIndex does.
  template <typename Body>
  auto Ask(Body body) const -> decltype(body(nullptr)) {
    return ReadIndex(
        data_dir_, [this] { return Open(); }, body);
  }

 private:
  explicit WholeIndex(std::string data_dir) : data_dir_(std::move(data_dir)) {}

  std::string data_dir_;
  bool has_index_ = true;
  std::vector<PackIndex::Row> beyond_;
  int64_t missing_ = 0;
  std::vector<absl::Status> problems_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_WHOLE_INDEX_H_
