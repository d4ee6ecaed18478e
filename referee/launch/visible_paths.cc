#include "referee/launch/visible_paths.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace referee::launch {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kSystem[] = {"/usr",   "/bin",    "/sbin", "/lib", "/lib32",
                                         "/lib64", "/libx32", "/opt",  "/nix", "/gnu"};
constexpr absl::string_view kPathVariables[] = {
    "PATH",        "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYENV_ROOT",
    "VIRTUAL_ENV", "CONDA_PREFIX",    "NODE_PATH",  "NVM_DIR",    "VOLTA_HOME",     "JAVA_HOME",
    "GOROOT",      "DOTNET_ROOT",     "RUBYLIB",    "GEM_HOME",   "PERL5LIB"};
// Separators between the words of a command that may be paths.
constexpr char kBetweenWords[] = " \t\r\n;&|()<>{}'\"`=:,";
constexpr absl::string_view kProgramFolders[] = {"bin", "sbin", "shims", ".bin"};
// Entries beside such a folder that mark the parent as a prefix: of an installation, a virtual
// environment, or a package folder.
constexpr absl::string_view kInPrefix[] = {"lib", "lib64", "libexec", "pyvenv.cfg"};

std::string Normal(const fs::path& path) {
  std::string text = path.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool IsFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

class Collector {
 public:
  explicit Collector(const Surroundings& where) : where_(where) {}

  // Adds the place of a file or folder, both as named and without symbolic links.
  void Add(const fs::path& path) {
    if (!Exists(path)) return;
    AddPlaceOf(Normal(path));
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (!error) AddPlaceOf(Normal(real));
  }

  // Adds the places of the programs in a folder.
  void AddProgramsIn(const fs::path& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || !IsFolder(real)) return;
    for (const fs::path& one : {folder, real}) {
      if (!IsTooMuch(Normal(one))) AddPlaceOf(Normal(one) + "/program");
    }
  }

  // Adds the packages that Node would look up from the folders added so far.
  void AddNodePackages() {
    for (const std::string& folder : std::vector<std::string>(paths_)) {
      for (fs::path above = folder; !IsTooMuch(Normal(above)); above = above.parent_path()) {
        AddExactly(above / "package.json");
        const fs::path packages = above / "node_modules";
        if (!IsFolder(packages)) continue;
        AddExactly(packages);
        AddLinksIn(packages, /*scopes=*/true);
      }
    }
  }

  std::vector<std::string> Take() { return std::move(paths_); }
  bool empty() const { return paths_.empty(); }

 private:
  // Whether a folder is the home folder or contains it: too much for a bot to read.
  bool IsTooMuch(const std::string& folder) const {
    return folder == "/" || folder.empty() || IsWithin(where_.home, folder);
  }

  void AddPlaceOf(const std::string& path) {
    if (IsFolder(path)) {
      if (!IsTooMuch(path)) Push(path);
      return;
    }
    const fs::path folder = fs::path(path).parent_path();
    const fs::path prefix = folder.parent_path();
    const std::string name = folder.filename().string();
    const bool is_program = std::any_of(std::begin(kProgramFolders), std::end(kProgramFolders),
                                        [&](absl::string_view one) { return name == one; });
    const bool is_prefix =
        is_program && prefix.filename() != ".local" &&
        std::any_of(std::begin(kInPrefix), std::end(kInPrefix),
                    [&](absl::string_view one) { return Exists(prefix / std::string(one)); });
    if (is_prefix && !IsTooMuch(Normal(prefix))) return Push(Normal(prefix));
    Push(IsTooMuch(Normal(folder)) ? path : Normal(folder));
  }

  void AddExactly(const fs::path& path) {
    if (Exists(path)) Push(Normal(path));
  }

  // Packages installed from a folder are symbolic links to that folder.
  void AddLinksIn(const fs::path& packages, bool scopes) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(packages, ignored)) {
      if (entry.is_symlink(ignored)) {
        Add(entry.path());
      } else if (scopes && absl::StartsWith(entry.path().filename().string(), "@")) {
        AddLinksIn(entry.path(), /*scopes=*/false);
      }
    }
  }

  void Push(std::string path) {
    for (const absl::string_view system : SystemFolders()) {
      if (IsWithin(path, system)) return;
    }
    if (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) {
      paths_.push_back(std::move(path));
    }
  }

  const Surroundings& where_;
  std::vector<std::string> paths_;
};

// The file that the shell would run for a bare word; empty if none.
fs::path InPath(absl::string_view word, const Surroundings& where) {
  for (const absl::string_view folder : absl::StrSplit(where.ValueOf("PATH"), ':')) {
    const fs::path file = fs::path(std::string(folder)) / std::string(word);
    if (absl::StartsWith(folder, "/") && access(file.c_str(), X_OK) == 0 && !IsFolder(file)) {
      return file;
    }
  }
  return {};
}

fs::path FileOf(absl::string_view word, const Surroundings& where) {
  absl::string_view below_home = word;
  if (absl::ConsumePrefix(&below_home, "~/")) {
    return fs::path(where.home) / std::string(below_home);
  }
  const fs::path file = fs::path(where.folder) / std::string(word);
  if (Exists(file) || absl::StrContains(word, '/')) return file;
  return InPath(word, where);
}

}  // namespace

Surroundings Surroundings::OfThisProcess() {
  Surroundings where;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    where.environment.push_back(absl::StrSplit(*entry, absl::MaxSplits('=', 1)));
  }
  std::error_code ignored;
  where.folder = fs::current_path(ignored).string();
  const std::string home = where.ValueOf("HOME");
  if (absl::StartsWith(home, "/") && Normal(home) != "/") where.home = Normal(home);
  return where;
}

std::string Surroundings::ValueOf(absl::string_view name) const {
  for (const auto& [variable, value] : environment) {
    if (variable == name) return value;
  }
  return "";
}

absl::Span<const absl::string_view> SystemFolders() { return kSystem; }
absl::Span<const absl::string_view> PathVariables() { return kPathVariables; }

bool IsWithin(absl::string_view path, absl::string_view folder) {
  if (folder == "/") return absl::StartsWith(path, "/");
  return absl::ConsumePrefix(&path, folder) && (path.empty() || path.front() == '/');
}

std::vector<std::string> OwnPaths(absl::string_view command, const Surroundings& where) {
  Collector own(where);
  for (const absl::string_view word :
       absl::StrSplit(command, absl::ByAnyChar(kBetweenWords), absl::SkipEmpty())) {
    const fs::path file = FileOf(word, where);
    if (!file.empty()) own.Add(file);
  }
  // For commands such as "python3 -m bot".
  if (own.empty()) own.Add(where.folder);
  own.AddNodePackages();
  return own.Take();
}

std::vector<std::string> RuntimePaths(const Surroundings& where) {
  Collector runtimes(where);
  for (const absl::string_view variable : PathVariables()) {
    for (const absl::string_view entry :
         absl::StrSplit(where.ValueOf(variable), ':', absl::SkipEmpty())) {
      const fs::path path(std::string{entry});
      if (!path.is_absolute()) continue;
      if (variable == "PATH") {
        runtimes.AddProgramsIn(path);
      } else {
        runtimes.Add(path);
      }
    }
  }
  if (!where.home.empty()) {
    for (const char* folder : {".local/bin", ".local/lib"}) {
      runtimes.Add(fs::path(where.home) / folder);
    }
  }
  return runtimes.Take();
}

}  // namespace referee::launch
