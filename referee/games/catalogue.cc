#include "referee/games/catalogue.h"

#include "absl/strings/str_join.h"
#include "referee/games/errors.h"
#include "referee/games/hypnosia/convert.h"
#include "referee/games/hypnosia/type.h"
#include "referee/games/isaac/convert.h"
#include "referee/games/isaac/type.h"

namespace referee::games {

absl::Span<const Entry> Catalogue() {
  static const Entry entries[] = {
      {new hypnosia::HypnosiaType, &hypnosia::HypnosiaWire()},
      {new isaac::IsaacType, &isaac::IsaacWire()},
  };
  return entries;
}

absl::StatusOr<Entry> Find(absl::string_view name) {
  for (const Entry& entry : Catalogue()) {
    if (entry.type->name() == name) return entry;
  }
  return UnknownGame(name, absl::StrJoin(Catalogue(), ", ", [](std::string* out, const Entry& e) {
                       out->append(e.type->name().data(), e.type->name().size());
                     }));
}

}  // namespace referee::games
