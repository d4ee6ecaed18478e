#include "referee/service/unary_service.h"

#include "absl/strings/str_cat.h"
#include "referee/service/errors.h"
#include "referee/store/account.h"

namespace referee::service {

const google::protobuf::MethodDescriptor& MethodTaking(const google::protobuf::Descriptor& request,
                                                       const char* service) {
  const google::protobuf::ServiceDescriptor& known =
      *google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(service);
  int i = 0;
  while (known.method(i)->input_type() != &request) ++i;
  return *known.method(i);
}

absl::Status Audit(const ServerOptions& options, absl::string_view who, absl::string_view action,
                   absl::string_view kind, absl::string_view name, absl::string_view detail) {
  if (options.store == nullptr) return absl::OkStatus();
  const absl::Status written =
      options.store->AppendAudit({0, options.clock->WallNow(), std::string(who),
                                  std::string(action), std::string(name), std::string(detail)});
  if (written.ok()) return written;
  return absl::Status(
      written.code(),
      absl::StrCat(action, ": ", kind, " ", name,
                   " is as you asked, but the audit log does not say so: ", written.message()));
}

}  // namespace referee::service
