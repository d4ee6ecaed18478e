#include "referee/ctl/refctl.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "referee/ctl/program.h"
#include "referee/ctl/terminal/output.h"
#include "referee/games/catalogue.h"
#include "referee/replay/messages.h"

namespace referee {

int RefctlMain(int argc, char** argv,
               const std::vector<std::shared_ptr<const games::GameType>>& games) {
  // What gRPC would write to stderr says nothing that errors do not.
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  replay::SilenceProtobuf();
  const ctl::Output output = ctl::Output::Standard();
  if (absl::Status added = games::AddGames(games); !added.ok()) {
    output.Error(added);
    return static_cast<int>(ctl::Exit::kUsage);
  }
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(ctl::RunProgram(arguments, output));
}

}  // namespace referee
