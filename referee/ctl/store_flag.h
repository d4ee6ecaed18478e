// The flag --store of commands that look into a referee's store, or change it.
#ifndef REFEREE_CTL_STORE_FLAG_H_
#define REFEREE_CTL_STORE_FLAG_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/status.h"
#include "referee/base/errors.h"
#include "referee/store/place.h"

namespace referee::ctl {

// Adds it. `url` must outlive the parsing of the command line.
inline CLI::Option* AddStoreFlag(CLI::App* command, std::string* url,
                                 const std::string& description) {
  return command->add_option("--store", *url, description)->type_name("postgresql://...");
}

// Names the flag that an error of opening a store is about.
inline absl::Status AtStoreFlag(const store::Place& place, const absl::Status& status) {
  return At(place.url.empty() ? "--data-dir" : "--store", status);
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_STORE_FLAG_H_
