#include "referee/service/play/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/games/catalogue.h"

namespace referee::service {

std::string GameUnknownHere(absl::string_view game) {
  return absl::StrCat("hello.games: ", games::Find(game).status().message(),
                      "; it brings this bot no matches, so mend the name, or leave it out");
}

absl::Status TokenEmpty() {
  return absl::UnauthenticatedError(
      "hello.token: empty; send the token that an organiser gave the bot ('refctl bot add NAME', "
      "or "
      "'refctl bot rotate NAME' for a new one), in a duel that of REFEREE_TOKEN; a field whose "
      "name "
      "is misspelt comes empty, too");
}

absl::Status TokenInSpaces() {
  return absl::UnauthenticatedError(
      "hello.token: the token is not known, and has white space before or after it, as a line of a "
      "file that was read whole: take that off; if it is not known then either, ask an organiser "
      "for a new one ('refctl bot rotate NAME')");
}

}  // namespace referee::service
