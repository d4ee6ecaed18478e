#include "referee/gate/flags.h"

#include <iostream>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "referee/base/command_line.h"
#include "referee/log/flags.h"

namespace referee::gate {
namespace {

constexpr char kDescription[] =
    "Shows matches and competitions of a referee to browsers, live, over HTTP. The referee has one "
    "watcher a match, however many watch here. With --export it writes the pages into a folder "
    "instead, and ends.";

constexpr char kFooter[] =
    "The referee is found at --referee, else at REFEREE_ADDRESS, else at 127.0.0.1:7450; a token, "
    "for a referee that shows its matches to observers only, is in --token-file or REFEREE_TOKEN. "
    "It may have 64 matches watched at once; an organiser's token allows more.\n\n"
    "SIGTERM or SIGINT: ends all streams, of which browsers begin others by themselves, and exits "
    "0. Nothing is lost: it keeps no state.\n\n"
    "--export writes standings, pairs, rounds or brackets, ratings, bots, an archive to "
    "search, and replays. The pages need no server: open DIR/index.html. A further run writes "
    "only what has changed, removes the pages of what was removed, and prints both. DIR must "
    "be new or empty, or hold DIR/site.manifest, which lists the pages of an earlier run. "
    "Other files in DIR stay as they are. Exit status: 0 if all is written, 1 if the referee "
    "refuses, 2 after other errors, also if some replays could not be read.\n\n"
    "Examples:\n"
    "  refgate --listen 127.0.0.1:8080\n"
    "  curl -N http://127.0.0.1:8080/api/v1/matches/ID/events\n"
    "  refgate --token-file oscar.token --ticket-key-file key\n"
    "  refctl gate ticket --key-file key --for 1h\n"
    "  refgate --export /var/www/referee --title 'Spring games' --replays 1000";

void AddBounds(CLI::App* app, Bounds* bounds) {
  app->add_option("--max-connections", bounds->connections, "Connections that may be open")
      ->check(Whole(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  app->add_option("--max-connections-per-address", bounds->connections_per_address,
                  "How many of them from one address (IPv6: from one /64); 0: a quarter. Behind a "
                  "proxy all connections are from one address")
      ->check(Whole(0, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  app->add_option("--max-watched", bounds->feeds,
                  "Matches and competitions that are watched at once")
      ->check(Whole(1, 10'000))
      ->type_name("N")
      ->capture_default_str();
}

// Flags that only a serving gate accepts.
constexpr const char* kServing[] = {
    "--listen",        "--port-file",       "--ticket-key-file",
    "--public",        "--log-format",      "--log-level",
    "--trusted-proxy", "--max-connections", "--max-connections-per-address",
    "--max-watched",
};

void AddExport(CLI::App* app, ExportFlags* flags) {
  CLI::Option* const folder =
      app->add_option("--export", flags->folder,
                      "Writes the pages of all competitions into this folder, and ends")
          ->check([](const std::string& dir) { return dir.empty() ? "a folder has a name" : ""; })
          ->type_name("DIR");
  app->add_option("--title", flags->title, "What the site is called")
      ->needs(folder)
      ->type_name("TEXT");
  app->add_option(
         "--replays", flags->replays,
         "How many of the newest matches of each competition have a page of their own, or all; "
         "default: 100. The last round of a finished one, such as the final of a knockout, has its "
         "pages beside them; with 0 no match has one")
      ->needs(folder)
      ->type_name("N");
  app->add_flag("--json", flags->json, "Prints JSON, an object a line")->needs(folder);
  // A serving gate does not need --wait, as it starts even without a referee.
  app->get_option("--wait")->needs(folder);
}

}  // namespace

bool ReadFlags(int argc, char** argv, Flags* flags, int* exit_status) {
  CLI::App app{kDescription, "refgate"};
  app.footer(kFooter);
  app.set_version_flag("--version", "refgate " REFEREE_VERSION);
  client::AddClientFlags(&app, &flags->client, "--referee,--address");
  app.add_option("--listen", flags->listen, "Where to listen; port 0: one that is free")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str();
  app.add_option(
         "--port-file", flags->port_file,
         "Where to write the port, once it can be connected to; over no other file than that "
         "of an earlier refgate")
      ->type_name("FILE");
  app.add_option("--ticket-key-file", flags->ticket_key_file,
                 "A secret of 32 bytes or more: watchers need tickets that are made with it")
      ->type_name("FILE");
  app.add_flag("--public", flags->is_public, "Everybody may look, although the gate has a token");
  log::AddLogFlags(&app, &flags->log);
  app.add_option(
         "--trusted-proxy", flags->trusted_proxies,
         "Address of a proxy, or network of several (10.0.0.0/8). The last address in its "
         "X-Forwarded-For counts as the visitor, for the rate limit of each visitor. May be "
         "repeated.")
      ->type_name("ADDRESS|NETWORK");
  AddBounds(&app, &flags->bounds);
  AddExport(&app, &flags->site);
  bool parse_only = false;  // for tests: only parses the command line
  app.add_flag("--parse-only", parse_only)->group("");
  if (!ParseCommandLine(argc, argv, &app, exit_status)) return false;
  for (const char* name : kServing) {
    if (flags->site.folder.empty() || app.count(name) == 0) continue;
    std::cerr << "refgate: --export excludes " << name << "; see 'refgate --help'\n";
    *exit_status = 2;
    return false;
  }
  return !parse_only;
}

}  // namespace referee::gate
