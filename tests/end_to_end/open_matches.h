// What a referee has in its log, read beside it.
#ifndef REFEREE_TESTS_END_TO_END_OPEN_MATCHES_H_
#define REFEREE_TESTS_END_TO_END_OPEN_MATCHES_H_

#include <string>
#include <vector>

namespace referee::end_to_end {

// The ids, oldest first, of the matches in the log of a data directory that are neither archived
// nor set aside. Empty if there is no log.
std::vector<std::string> OpenMatches(const std::string& data_dir);

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_OPEN_MATCHES_H_
