// The versions of the formats of this room, as FORMAT.md describes them. All but the index have
// theirs in the eighth byte of a file. The programs read these and no others; deploy/RUNBOOK.md
// says so to operators.
#ifndef REFEREE_REPLAY_VERSIONS_H_
#define REFEREE_REPLAY_VERSIONS_H_

namespace referee::replay {

inline constexpr char kReplayVersion = 1;
inline constexpr char kPackVersion = 1;
inline constexpr int kArchiveIndexVersion = 2;  // one of another is made anew from the packs
inline constexpr char kLogVersion = 1;

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_VERSIONS_H_
