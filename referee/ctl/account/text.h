// Accounts and audit entries of a referee as text, for people. Pure.
#ifndef REFEREE_CTL_ACCOUNT_TEXT_H_
#define REFEREE_CTL_ACCOUNT_TEXT_H_

#include <string>

#include "proto/referee/v1/admin_service.pb.h"

namespace referee::ctl {

// Who says what an account is: a referee, which knows who is connected, or its store alone.
enum class Source { kReferee, kStore };

// One line: name, role, whether it is connected or disabled.
std::string AccountLine(const v1::BotAccount& bot, Source source);
// All of it, a field a line.
std::string AccountText(const v1::BotAccount& bot, Source source);
// One line: when, who, what, to what, how.
std::string AuditLine(const v1::AuditEntry& entry);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_TEXT_H_
