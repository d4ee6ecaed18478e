// refctl site.
#include "referee/ctl/command.h"
#include "referee/ctl/site/site.h"

namespace referee::ctl {

void AddSiteCommand(CLI::App* app, Chosen* chosen) {
  const auto [site, flags] = AddSubcommand<SiteFlags>(
      app, chosen, "site",
      "Writes the competitions of a running referee as pages for any web server\n\n"
      "Standings, pairs, rounds or brackets, ratings, bots, an archive to search, and replays. "
      "The\n"
      "pages need no server either: open DIR/index.html. Run again, it writes only what has\n"
      "changed, and removes pages of what is gone; it prints both. DIR must be new or empty, or\n"
      "hold DIR/site.manifest, which lists the pages of an earlier run; files that were put there\n"
      "since it leaves alone.",
      WriteSite);
  site->footer(
      "  refctl site /var/www/referee --title 'Spring games' --replays 1000\n\n"
      "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450.");
  site->add_option("DIR", flags->folder, "The folder to write into; it is made if there is none")
      ->required()
      ->type_name("");
  site->add_option("--title", flags->title, "What the site is called")->type_name("TEXT");
  site->add_option(
          "--replays", flags->replays,
          "How many of the newest matches of each competition have a page of their own, or "
          "all; default: 100. The last round of a finished one, such as the final of a "
          "knockout, has its pages beside them; with 0 no match has one")
      ->type_name("N");
  site->add_flag("--json", flags->json, "Prints JSON, an object a line");
  AddClientFlags(site, &flags->client);
}

}  // namespace referee::ctl
