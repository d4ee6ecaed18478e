// Claims about who may call what: every handler keeps to the table.
#include "referee/service/access/access.h"

#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using service::AccessRule;
using service::Need;
using service::Readers;
using ::testing::HasSubstr;

RefereeUnderTest::Options With(Readers readers) {
  RefereeUnderTest::Options options;
  options.organiser = true;
  options.store = true;
  options.readers = readers;
  return options;
}

// Calls a method with an empty message, in somebody's name; nobody's, if it is empty.
grpc::Status Call(const RefereeUnderTest& referee, absl::string_view method,
                  absl::string_view name) {
  const size_t dot = method.rfind('.');
  const std::string path = absl::StrCat("/", method.substr(0, dot), "/", method.substr(dot + 1));
  const auto context = NewContext();
  if (!name.empty()) {
    context->AddMetadata("authorization", "Bearer " + RefereeUnderTest::Token(name));
  }
  grpc::GenericStub stub(referee.NewChannel());
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareCall(context.get(), path, &queue);
  void* tag;
  bool ok;
  const auto wait = [&] { return queue.Next(&tag, &ok) && ok; };
  call->StartCall(nullptr);
  wait();
  call->WriteLast(grpc::ByteBuffer(std::make_unique<grpc::Slice>("").get(), 1),
                  grpc::WriteOptions(), nullptr);
  wait();
  grpc::ByteBuffer heard;
  do {
    call->Read(&heard, nullptr);
  } while (wait());
  grpc::Status status;
  call->Finish(&status, nullptr);
  wait();
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) continue;
  return status;
}

// What the table says of a caller of this name: OK, or the code of the refusal.
grpc::StatusCode Expected(Need need, Readers readers, absl::string_view name) {
  if (need == Need::kReader && readers == Readers::kEverybody) return grpc::StatusCode::OK;
  if (name.empty() || name == "nobody") return grpc::StatusCode::UNAUTHENTICATED;
  const bool allowed =
      need == Need::kReader || name == "olga" || (need == Need::kOrganiserOrBot && name == "alice");
  return allowed ? grpc::StatusCode::OK : grpc::StatusCode::PERMISSION_DENIED;
}

void CheckEveryMethod(Readers readers) {
  const RefereeUnderTest referee(With(readers));
  int served = 0;
  for (const AccessRule& rule : service::AccessRules()) {
    if (rule.need == Need::kBot) continue;  // says who it is in Hello: see greeting_test.cc
    if (Call(referee, rule.method, "olga").error_code() == grpc::StatusCode::UNIMPLEMENTED) {
      continue;
    }
    ++served;
    for (const char* name : {"", "nobody", "alice", "oscar", "olga"}) {
      const grpc::Status status = Call(referee, rule.method, name);
      const grpc::StatusCode code = status.error_code();
      const bool refused =
          code == grpc::StatusCode::UNAUTHENTICATED || code == grpc::StatusCode::PERMISSION_DENIED;
      EXPECT_EQ(refused ? code : grpc::StatusCode::OK, Expected(rule.need, readers, name))
          << rule.method << " by '" << name << "': " << status.error_message();
    }
  }
  EXPECT_GE(served, 16) << "AdminService, MatchService, ReplayService";
}

TEST(Access, IsWhatTheTableSaysWhereEverybodyReads) { CheckEveryMethod(Readers::kEverybody); }

TEST(Access, IsWhatTheTableSaysWhereObserversRead) { CheckEveryMethod(Readers::kObservers); }

TEST(Access, RefusalSaysWhatToDo) {
  const RefereeUnderTest referee(With(Readers::kObservers));
  const std::string create = "referee.v1.MatchService.CreateMatch";
  EXPECT_THAT(Call(referee, create, "").error_message(), HasSubstr("authorization: Bearer"));
  EXPECT_THAT(Call(referee, create, "nobody").error_message(), HasSubstr("refctl bot rotate"));
  EXPECT_THAT(Call(referee, create, "alice").error_message(), HasSubstr("whose role is bot"));
}

TEST(Access, IsNotTheMachinesWhileNobodyIsAnOrganiser) {
  RefereeUnderTest::Options options = With(Readers::kObservers);
  options.organiser = false;
  const RefereeUnderTest referee(options);
  for (const char* name : {"", "nobody", "alice"}) {
    const grpc::Status refused = Call(referee, "referee.v1.AdminService.ListBots", name);
    EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAUTHENTICATED) << name;
    EXPECT_THAT(refused.error_message(), HasSubstr("--role organiser --data-dir")) << name;
  }
  EXPECT_FALSE(Call(referee, "referee.v1.MatchService.ListMatches", "").ok());
  EXPECT_TRUE(Call(referee, "referee.v1.MatchService.ListMatches", "alice").ok());
}

}  // namespace
}  // namespace referee::testing
