// Tests of the table of who may call which method.
//
// tests/contract/access_test.cc tests that the handlers keep to it.
#include "referee/service/access/access.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor_database.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "proto/referee/v1/admin_service.pb.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "proto/referee/v1/match_service.pb.h"
#include "proto/referee/v1/replay_service.pb.h"

namespace referee::service {
namespace {

using ::testing::Contains;
using ::testing::UnorderedElementsAreArray;

// The full names of all methods of all services of the protocol.
std::vector<std::string> AllMethods() {
  std::vector<std::string> methods;
  for (const google::protobuf::Descriptor* message :
       {v1::AddBotRequest::descriptor(), v1::PlayRequest::descriptor(),
        v1::CreateCompetitionRequest::descriptor(), v1::CreateMatchRequest::descriptor(),
        v1::GetReplayRequest::descriptor()}) {
    const google::protobuf::FileDescriptor* const file = message->file();
    for (int i = 0; i < file->service_count(); ++i) {
      for (int j = 0; j < file->service(i)->method_count(); ++j) {
        methods.push_back(file->service(i)->method(j)->full_name());
      }
    }
  }
  return methods;
}

TEST(AccessTable, HasALineForEveryMethodOfEveryServiceAndNoOther) {
  std::vector<std::string> lines;
  for (const AccessRule& rule : AccessRules()) lines.emplace_back(rule.method);
  EXPECT_THAT(lines, UnorderedElementsAreArray(AllMethods()));
}

// So that a service that is added is not forgotten above.
TEST(AccessTable, IsComparedWithEveryServiceFile) {
  std::vector<std::string> files;
  google::protobuf::DescriptorPool::internal_generated_database()->FindAllFileNames(&files);
  int services = 0;
  for (const std::string& file : files) {
    if (!absl::EndsWith(file, "_service.proto") || !absl::StartsWith(file, "referee/v1/")) continue;
    ++services;
    const auto* found = google::protobuf::DescriptorPool::generated_pool()->FindFileByName(file);
    ASSERT_NE(found, nullptr) << file;
    ASSERT_GT(found->service_count(), 0) << file;
    EXPECT_THAT(AllMethods(), Contains(found->service(0)->method(0)->full_name()));
  }
  EXPECT_GE(services, 5);
}

}  // namespace
}  // namespace referee::service
