// The flags of refgate.
#ifndef REFEREE_GATE_FLAGS_H_
#define REFEREE_GATE_FLAGS_H_

#include <string>
#include <vector>

#include "referee/client/flags.h"
#include "referee/gate/bounds.h"
#include "referee/gate/export.h"
#include "referee/log/log_writer.h"

namespace referee::gate {

struct Flags {
  client::ClientFlags client;
  ExportFlags site;
  std::string listen = "127.0.0.1:8080";
  std::string port_file;
  std::string ticket_key_file;
  bool is_public = false;
  std::vector<std::string> trusted_proxies;
  Bounds bounds;
  log::LogWriter::Options log;
};

// Reads the command line. Returns true to go on; false when the program must end with
// `exit_status`; the help, the version or the error is printed then, or nothing was asked for but
// to read it (--parse-only).
bool ReadFlags(int argc, char** argv, Flags* flags, int* exit_status);

}  // namespace referee::gate

#endif  // REFEREE_GATE_FLAGS_H_
