// Writes the seeds of the replay and log targets, which are no text, below a corpus folder:
//
//   build/release/fuzz/fuzz_seeds tests/fuzz/corpus
//
// To be run again when the format of records changes, or a game comes. Exit status: 0; 1 if a file
// cannot be written, 2 for wrong arguments.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/games/catalogue.h"
#include "referee/replay/framing.h"
#include "referee/replay/record_codec.h"
#include "referee/replay/replay.h"
#include "tests/unit/replay/sample.h"

namespace referee::fuzz {
namespace {

// Small, so that a fuzzer is quick and most of its changes hit something else than a turn.
constexpr uint32_t kTurns = 6;

class Seeds {
 public:
  explicit Seeds(std::string root) : root_(std::move(root)) {}

  void Write(const std::string& name, const replay::SampleOptions& options) {
    const replay::Replay match = replay::PlaySample(options);
    const std::string opening = Opening(match);
    const std::string records = Records(match);
    // What replay_fuzz.cc and log_fuzz.cc say that an input is.
    Put("replay/file-" + name, "r!!!" + replay::Encode(match, replay::SampleSigner()));
    Put("replay/records-" + name, "s!!!" + opening + records);
    Put("log/records-" + name, "m" + opening + Secret(options) + records);
  }

  bool ok() const { return ok_; }

 private:
  static std::string Opening(const replay::Replay& match) {
    std::string body;
    std::string out;
    replay::RecordEncoder().AppendOpening(match.setup, &body);
    replay::AppendSized(body, &out);
    return out;
  }
  static std::string Secret(const replay::SampleOptions& options) {
    std::string body;
    std::string out;
    replay::RecordEncoder().AppendSecret(replay::SampleSeed(options), &body);
    replay::AppendSized(body, &out);
    return out;
  }
  static std::string Records(const replay::Replay& match) {
    replay::RecordEncoder encoder;
    std::string out;
    for (const match::Record& record : match.records) {
      std::string body;
      encoder.AppendRecord(*match.setup.game, record, &body);
      replay::AppendSized(body, &out);
    }
    return out;
  }

  void Put(const std::string& name, const std::string& bytes) {
    const std::filesystem::path path = std::filesystem::path(root_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      ok_ = false;
    }
  }

  const std::string root_;
  bool ok_ = true;
};

// Returns whether all files could be written.
bool WriteSeeds(const char* root) {
  Seeds seeds(root);
  for (const games::Entry& entry : games::Catalogue()) {
    const std::string name(entry.type->name());
    replay::SampleOptions options;
    options.game = name;
    options.seats = entry.type->min_seats();
    options.cancel_at = kTurns;
    seeds.Write(name + "-cancelled", options);
    options.cancel_at = 0;
    options.committed = true;
    options.resign_at = kTurns;
    seeds.Write(name + "-resigned", options);
    options.seats = entry.type->max_seats();
    options.resign_at = 0;
    options.illegal_at = 2;
    options.time_out_at = 3;
    options.cancel_at = kTurns;
    seeds.Write(name + "-forfeited", options);
  }
  // Every kind of record, between them, with all that it can hold.
  replay::SampleOptions eventful = replay::EventfulSample();
  eventful.cancel_at = 13;
  seeds.Write("eventful", eventful);
  seeds.Write("timed-out", replay::TimedOutSample());
  seeds.Write("stalled", replay::StalledSample());
  return seeds.ok();
}

}  // namespace
}  // namespace referee::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "Usage: fuzz_seeds CORPUS\n");
    return 2;
  }
  return referee::fuzz::WriteSeeds(argv[1]) ? 0 : 1;
}
