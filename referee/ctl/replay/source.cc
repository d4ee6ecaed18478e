#include "referee/ctl/replay/source.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/terms.h"
#include "referee/ctl/archive/shelf.h"
#include "referee/ctl/command.h"
#include "referee/replay/archive.h"
#include "referee/replay/files.h"
#include "referee/replay/packs.h"
#include "referee/store/place.h"

namespace referee::ctl {
namespace {

namespace fs = std::filesystem;

constexpr char kSourceFooter[] =
    "A match is named by its id, as 'refctl match list' and 'refctl competition blocks' print it. "
    "It comes from the archive in --data-dir, from the shelf of --shelf or, without both, from the "
    "referee, which is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450. A file "
    "of such a name comes first.";

bool IsThere(const std::string& path) {
  std::error_code ignored;
  return path == "-" || fs::exists(path, ignored);
}

NamedReplay NameArgument(const std::string& argument) {
  NamedReplay named;
  named.text = argument;
  if (IsThere(argument)) return named;
  absl::StatusOr<MatchId> id = MatchId::Parse(argument);
  if (id.ok()) {
    named.id = *std::move(id);
  } else {
    named.problem = absl::NotFoundError(
        absl::StrCat(Quoted(argument),
                     " is neither a file nor a match: no file has this name, and the id of a match "
                     "has 26 characters of 0-9 and a-z without i, l, o, u"));
  }
  return named;
}

bool IsPack(const std::string& path) { return fs::path(path).extension() == ".pack"; }

// The .rpl files and packs below a directory.
struct FoundReplays {
  std::vector<std::string> paths;      // sorted
  std::vector<absl::Status> problems;  // unreadable folders; each error names one
  // Packs that lack replays in the index of their archive, by RealPath.
  std::map<std::string, absl::Status> lost;
};

// A unique spelling of the path, whether or not the file exists.
std::string RealPath(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path.string() : real.string();
}

// Finds packs of a data directory that lack replays in its index, if there is an index.
void FindLost(const std::string& data_dir, FoundReplays* found) {
  const absl::StatusOr<std::vector<replay::LostPack>> lost = replay::FindLostPacks(data_dir);
  // An index of another version cannot be read.
  if (absl::IsNotFound(lost.status()) || absl::IsFailedPrecondition(lost.status())) return;
  if (!lost.ok()) return found->problems.push_back(lost.status());
  for (const replay::LostPack& pack : *lost) {
    found->lost[RealPath(replay::PackPath(data_dir, pack.name))] = pack.problem;
  }
}

// Finds such packs if the folder is replays/ of a data directory, or replays/packs/.
void FindLostAround(const std::string& folder, FoundReplays* found) {
  fs::path replays = RealPath(fs::path(folder.empty() ? "." : folder) / ".");
  if (!replays.has_filename()) replays = replays.parent_path();
  if (replays.filename() == "packs") replays = replays.parent_path();
  if (replays.filename() == "replays") FindLost(replays.parent_path().string(), found);
}

void FindBelow(const std::string& directory, FoundReplays* found) {
  std::error_code error;
  std::vector<std::string> folders;
  fs::directory_iterator at(directory, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string path = at->path().string();
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
      folders.push_back(path);
      if (at->path().filename() == "replays") FindLost(directory, found);
    }
    if (at->path().extension() == ".rpl" || IsPack(path)) found->paths.push_back(path);
  }
  if (error) found->problems.push_back(FileError("cannot read", directory, error.value()));
  for (const std::string& folder : folders) FindBelow(folder, found);
}

FoundReplays ReplaysBelow(const std::string& directory) {
  FoundReplays found;
  FindLostAround(directory, &found);
  FindBelow(directory, &found);
  std::sort(found.paths.begin(), found.paths.end());
  return found;
}

// Adds the replays of a pack, in its order. If parts cannot be read, adds the others and returns
// DataLoss that names the place.
absl::Status AddReplaysInPack(const std::string& path, std::vector<replay::PackedReplay>* found) {
  const absl::StatusOr<replay::PackScan> scan =
      replay::ScanPack(path, replay::PackName(), 0,
                       [&](replay::PackedReplay replay) { found->push_back(std::move(replay)); });
  return scan.ok() ? replay::PackProblem(path, *scan) : scan.status();
}

absl::StatusOr<std::string> ReadFromPack(const std::string& path,
                                         const replay::PackedReplay& packed) {
  const absl::StatusOr<replay::File> file = replay::OpenFile(path, O_RDONLY);
  if (!file.ok()) return file.status();
  return replay::ReadPackEntry(file->fd(), path, packed);
}

NamedReplay NotRead(const std::string& text, const absl::Status& problem) {
  NamedReplay named;
  named.text = text;
  named.problem = problem;
  named.below_a_folder = true;
  return named;
}

// Adds a path that was found: a replay, or the replays of a pack.
void AddBelow(const std::string& path, FoundReplays* found, std::vector<NamedReplay>* all) {
  NamedReplay named;
  named.text = path;
  named.below_a_folder = true;
  if (!IsPack(path)) return all->push_back(std::move(named));
  std::vector<replay::PackedReplay> packed;
  absl::Status problem = AddReplaysInPack(path, &packed);
  const auto lost = found->lost.find(RealPath(path));
  if (lost != found->lost.end()) {
    problem = lost->second;
    found->lost.erase(lost);
  }
  if (!problem.ok()) all->push_back(NotRead(path, problem));
  named.pack = path;
  for (replay::PackedReplay& replay : packed) {
    named.text = absl::StrCat(path, ": match ", replay.id.text());
    named.packed = std::move(replay);
    all->push_back(named);
  }
}

// Adds the replays of a pack that is named itself.
void AddPack(const std::string& path, std::vector<NamedReplay>* all) {
  const size_t before = all->size();
  FoundReplays found;
  FindLostAround(fs::path(path).parent_path().string(), &found);
  AddBelow(path, &found, all);
  if (all->size() > before) return;
  all->push_back(
      NotRead(path, absl::NotFoundError(absl::StrCat(path, ": there are no replays in it"))));
  all->back().below_a_folder = false;
}

// Adds all replays below a directory. Returns NotFound if there are none.
absl::Status AddFolder(const std::string& directory, std::vector<NamedReplay>* all) {
  const size_t before = all->size();
  FoundReplays found = ReplaysBelow(directory);
  for (const absl::Status& problem : found.problems) all->push_back(NotRead(directory, problem));
  for (const std::string& path : found.paths) AddBelow(path, &found, all);
  for (const auto& [path, problem] : found.lost) all->push_back(NotRead(path, problem));
  if (all->size() > before) return absl::OkStatus();
  return absl::NotFoundError(
      absl::StrCat(directory, ": there is no .rpl file in it, and no pack with replays"));
}

// Fetches a replay file from a referee's archive.
absl::StatusOr<std::string> FetchFrom(const Connection& referee, const MatchId& id) {
  grpc::ClientContext context;
  referee.Authorise(&context);
  v1::GetReplayRequest request;
  request.set_match_id(id.text());
  const auto replays = v1::ReplayService::NewStub(referee.channel());
  const auto reader = replays->GetReplay(&context, request);
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
  const absl::Status read = referee.Explain(reader->Finish());
  if (!read.ok()) return read;
  return bytes;
}

}  // namespace

void AddSourceFlags(CLI::App* command, SourceFlags* flags) {
  AddOption(command, "--data-dir", "DIR", &flags->data_dir,
            "A referee's data directory, or a duel's --replay-dir: matches come from its archive");
  AddShelfFlag(command, &flags->shelf,
               "A shelf that referees share, a directory or "
               "s3://BUCKET/PREFIX?endpoint=URL&region=REGION: matches come from there")
      ->excludes(command->get_option("--data-dir"));
  AddClientFlags(command, &flags->client);
  command->footer(kSourceFooter);
}

std::string NameOf(const NamedReplay& replay) {
  if (replay.id) return "match " + replay.text;
  return replay.text == "-" ? "standard input" : replay.text;
}

absl::Status ReplaysNotRead(size_t bad, size_t all) {
  return absl::DataLossError(absl::StrCat(
      bad, " of ", all, " replays could not be read, see above; the others are there"));
}

absl::StatusOr<std::vector<NamedReplay>> ReplaySource::Expand(
    const std::vector<std::string>& arguments) {
  std::vector<NamedReplay> all;
  for (const std::string& argument : arguments) {
    std::error_code ignored;
    if (IsPack(argument) && fs::is_regular_file(argument, ignored)) {
      AddPack(argument, &all);
      continue;
    }
    if (!fs::is_directory(argument, ignored)) {
      all.push_back(NameArgument(argument));
      continue;
    }
    if (absl::Status added = AddFolder(argument, &all); !added.ok()) return added;
  }
  return all;
}

absl::StatusOr<std::string> ReplaySource::Read(const NamedReplay& named) {
  if (!named.problem.ok()) return named.problem;
  if (named.packed) return ReadFromPack(named.pack, *named.packed);
  return named.id ? Fetch(*named.id) : replay::ReadFile(named.text);
}

absl::StatusOr<replay::Replay> ReplaySource::Load(const NamedReplay& named) {
  const absl::StatusOr<std::string> bytes = Read(named);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
  if (!replay.ok()) return At(NameOf(named), replay.status());
  return replay;
}

absl::StatusOr<replay::Replay> ReplaySource::Load(const std::string& argument) {
  return Load(NameArgument(argument));
}

absl::StatusOr<std::string> ReplaySource::Fetch(const MatchId& id) {
  if (!flags_.data_dir.empty()) {
    absl::StatusOr<std::string> bytes = replay::Archive(flags_.data_dir).Read(id);
    if (!bytes.ok()) return At("--data-dir " + flags_.data_dir, bytes.status());
    return bytes;
  }
  if (!flags_.shelf.empty()) {
    const absl::StatusOr<shelf::SharedShelf*> shelf = Shelf();
    if (!shelf.ok()) return shelf.status();
    return (*shelf)->Get(id);
  }
  const absl::StatusOr<const Connection*> referee = Referee();
  if (!referee.ok()) return At("match " + id.text(), referee.status());
  absl::StatusOr<std::string> bytes = FetchFrom(**referee, id);
  if (absl::IsNotFound(bytes.status()))
    return absl::NotFoundError(
        absl::StrCat(bytes.status().message(),
                     "; it comes there when it is over ('refctl match show' shows it "
                     "before), and another archive is named by --data-dir"));
  return bytes;
}

absl::StatusOr<const Connection*> ReplaySource::Referee() {
  const MutexLock lock(&mutex_);
  if (referee_ == nullptr) {
    absl::StatusOr<Connection> connection = Connect(flags_.client);
    if (!connection.ok()) return connection.status();
    referee_ = std::make_unique<Connection>(*std::move(connection));
  }
  return referee_.get();
}

absl::StatusOr<shelf::SharedShelf*> ReplaySource::Shelf() {
  const MutexLock lock(&mutex_);
  if (shelf_ == nullptr) {
    absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> opened = OpenShelf(flags_.shelf);
    if (!opened.ok()) return opened.status();
    shelf_ = *std::move(opened);
  }
  return shelf_.get();
}

std::string ReplaySource::CompetitionOf(const NamedReplay& named, const replay::Replay& replay) {
  if (!named.id && flags_.data_dir.empty()) return "";
  if (!flags_.shelf.empty()) return "";  // a replay store has no names
  const absl::optional<store::CompetitionId> id =
      competition::CompetitionOfRequest(replay.setup.request_id);
  if (!id) return "";
  const MutexLock lock(&names_mutex_);
  const auto [known, added] = names_.emplace(*id, "");
  // Asks for a name once only, even if it cannot be found now.
  if (added) known->second = AskForName(*id).value_or("");
  return known->second;
}

absl::StatusOr<std::string> ReplaySource::AskForName(const store::CompetitionId& id) {
  if (flags_.data_dir.empty()) {
    const absl::StatusOr<const Connection*> referee = Referee();
    if (!referee.ok()) return referee.status();
    using Stub = v1::CompetitionService::Stub;
    Stub competitions((*referee)->channel());
    v1::GetCompetitionRequest request;
    request.set_competition_id(id.text());
    const auto found = (*referee)->Call(&competitions, &Stub::GetCompetition, request);
    if (!found.ok()) return found.status();
    return found->competition().spec().name();
  }
  if (store_ == nullptr) {
    absl::StatusOr<std::unique_ptr<store::Store>> opened =
        store::OpenStoreToRead({flags_.data_dir, ""});
    if (!opened.ok()) return opened.status();
    store_ = *std::move(opened);
  }
  const absl::StatusOr<store::Competition> competition = store_->GetCompetition(id);
  if (!competition.ok()) return competition.status();
  return competition->spec.name;
}

}  // namespace referee::ctl
