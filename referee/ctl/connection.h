// A connection to a referee, for the commands that call one.
#ifndef REFEREE_CTL_CONNECTION_H_
#define REFEREE_CTL_CONNECTION_H_

#include "referee/client/connection.h"

namespace referee::ctl {

using client::ClientOptions;
using client::Connection;

}  // namespace referee::ctl

#endif  // REFEREE_CTL_CONNECTION_H_
