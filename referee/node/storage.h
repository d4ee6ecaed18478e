// A node's files besides its store: directory lock, key, log of running matches, replay archive.
//
// Thread-compatible; the objects that it returns have their own rules.
#ifndef REFEREE_NODE_STORAGE_H_
#define REFEREE_NODE_STORAGE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/node/meter.h"
#include "referee/replay/archive.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/key_ring.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/recorder.h"

namespace referee::node {

struct NodeOptions;

class Storage {
 public:
  // All must outlive this object; `meter` may be null.
  Storage(const NodeOptions& options, const Clock& clock, const Meter* meter);
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // Locks and opens the data directory; creates it if missing. Does nothing without a data
  // directory. If the directory is a copy, calls `begin_life`, which starts a new life of the store
  // (Store::BeginLife). Returns its error, or one that names the file.
  absl::Status Open(absl::FunctionRef<absl::Status()> begin_life);

  // Empty without a data directory.
  const replay::KeyRing& keys() const { return keys_; }
  // The fingerprint (replay::Fingerprint) of the key that signs replays; empty without a data
  // directory.
  const std::string& key_fingerprint() const { return key_fingerprint_; }
  // replay::IdentityOf the lock of the data directory; empty without a data directory.
  const std::string& lock_identity() const { return lock_identity_; }
  // Never null. Empty before Open, and without a data directory.
  const replay::Archive* archive() const { return archive_.get(); }
  // Null unless replays are packed.
  replay::PackShelf* packs() const { return packs_; }
  // Null without a data directory.
  replay::FileRecorder* files() const { return files_.get(); }
  // The recorder for matches: files(), or one that stores nothing.
  replay::Recorder* recorder() const;

  // The free space for the referee on the disk of the data directory, in bytes. Thread-safe.
  absl::StatusOr<uint64_t> FreeBytes() const;

 private:
  absl::Status OpenFiles(absl::FunctionRef<absl::Status()> begin_life);
  // Opens the archive, and makes the recorder add replays to it.
  absl::Status OpenArchive(replay::FileRecorder::Options* recorder);
  // Gives up the matches and blocks in a copied data directory: they belong to the original's
  // referee.
  absl::Status GiveUpCopiedLog(absl::FunctionRef<absl::Status()> begin_life) const;

  const NodeOptions& options_;
  const Clock& clock_;
  const Meter* const meter_;
  replay::KeyRing keys_;
  std::string key_fingerprint_;
  std::string lock_identity_;
  // Each member needs those before it.
  std::unique_ptr<const replay::Archive> archive_;
  replay::PackShelf* packs_ = nullptr;  // owned by files_
  std::unique_ptr<replay::FileRecorder> files_;
};

}  // namespace referee::node

#endif  // REFEREE_NODE_STORAGE_H_
