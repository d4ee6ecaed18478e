// Formats accounts and audit entries of a referee for people. Pure.
#ifndef REFEREE_CTL_ACCOUNT_TEXT_H_
#define REFEREE_CTL_ACCOUNT_TEXT_H_

#include <string>

#include "proto/referee/v1/admin_service.pb.h"

namespace referee::ctl {

// The source of the data: a referee, which knows the connected bots, or its store alone.
enum class Source { kReferee, kStore };

// One line: name, role, version, and whether the account is connected or disabled.
std::string AccountLine(const v1::BotAccount& bot, Source source);
// The whole account, one line for each field.
std::string AccountText(const v1::BotAccount& bot, Source source);
// One line: account or address, end, reason.
std::string BanLine(const v1::Ban& ban);
// One line: time, actor, action, subject, detail.
std::string AuditLine(const v1::AuditEntry& entry);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_TEXT_H_
