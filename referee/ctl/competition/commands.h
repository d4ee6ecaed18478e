// Shared code of 'refctl competition', and declarations of subcommands with files of their own.
#ifndef REFEREE_CTL_COMPETITION_COMMANDS_H_
#define REFEREE_CTL_COMPETITION_COMMANDS_H_

#include <string>
#include <utility>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

using CompetitionStub = v1::CompetitionService::Stub;
using CompetitionClient = Client<CompetitionStub>;

// Adds a subcommand with the flags of a client, --json, and the footer about organisers' tokens.
template <typename Flags>
Subcommand<Flags> AddForOrganisers(CLI::App* group, Chosen* chosen, const std::string& name,
                                   const std::string& description,
                                   absl::StatusOr<Exit> (*work)(const Flags&, const Output&),
                                   bool json = true) {
  const Subcommand<Flags> added = AddSubcommand(group, chosen, name, description, work);
  added.command->footer(kOrganiserFooter);
  AddClientFlags(added.command, &added.flags->client);
  if (json) AddJsonFlag(added.command, &added.flags->json);
  return added;
}

// Adds a subcommand like AddForOrganisers, about an existing competition.
template <typename Flags>
Subcommand<Flags> AddAbout(CLI::App* group, Chosen* chosen, const std::string& name,
                           const std::string& description,
                           absl::StatusOr<Exit> (*work)(const Flags&, const Output&),
                           bool json = true) {
  const Subcommand<Flags> added = AddForOrganisers(group, chosen, name, description, work, json);
  AddOption(added.command, "name", "NAME", &added.flags->name, "The competition")->required();
  return added;
}

// Makes a request about the competition that the flags name.
template <typename Request, typename Flags>
Request About(const Flags& flags) {
  Request request;
  request.set_name(flags.name);
  return request;
}

// Prints `rows` of each page of a list, as one table below `header`, or as CSV or JSON.
template <typename Row, typename Request, typename Response, typename Rows>
absl::StatusOr<Exit> PrintPages(const CompetitionClient& client,
                                grpc::Status (CompetitionStub::*method)(grpc::ClientContext*,
                                                                        const Request&, Response*),
                                const Request& request, const Columns<Row>& columns,
                                const Rows& rows, Form form, const Output& output,
                                absl::string_view header = "") {
  bool first = true;
  const auto print = [&](const Response& page) {
    output.out() << (first ? header : "") << Printed(columns, rows(page), form, first);
    first = false;
    return output.out().good();
  };
  return Ended(client.ForEachPage(method, request, print), output);
}

// Creates a competition. A repeated request returns the existing one. With `start`, starts the
// competition if it is new.
absl::StatusOr<v1::Competition> CreateCompetition(const CompetitionClient& client,
                                                  v1::CompetitionSpec spec,
                                                  const std::string& request_id, bool start);

// Adds set, rename, remove and drop-block.
void AddChangeCommands(CLI::App* group, Chosen* chosen);
// Adds standings, crosstable, export, rounds and bracket.
void AddTableCommands(CLI::App* group, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_COMMANDS_H_
