#include "tests/end_to_end/open_matches.h"

#include "referee/replay/log.h"
#include "referee/replay/log_folder.h"

namespace referee::end_to_end {

std::vector<std::string> OpenMatches(const std::string& data_dir) {
  std::vector<std::string> ids;
  const auto contents = replay::Log::Read(replay::LogFolder::Of(data_dir));
  if (!contents.ok()) return ids;
  for (const replay::Log::Left& left : contents->left) ids.push_back(left.line->id().text());
  return ids;
}

}  // namespace referee::end_to_end
