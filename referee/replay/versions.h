// The versions of this room's file formats, as FORMAT.md describes them.
//
// The eighth byte of a file is its version, except in the index. The programs read only these
// versions; deploy/RUNBOOK.md tells operators so.
#ifndef REFEREE_REPLAY_VERSIONS_H_
#define REFEREE_REPLAY_VERSIONS_H_

namespace referee::replay {

inline constexpr char kReplayVersion = 1;
inline constexpr char kPackVersion = 1;
inline constexpr int kArchiveIndexVersion = 2;  // other versions are made anew from packs
inline constexpr char kLogVersion = 1;

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_VERSIONS_H_
