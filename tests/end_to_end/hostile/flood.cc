#include "tests/end_to_end/hostile/flood.h"

#include <thread>
#include <vector>

#include "proto/referee/v1/match_service.pb.h"

namespace referee::end_to_end {

std::string LargestPage() {
  v1::ListMatchesRequest request;
  request.set_page_size(1'000);
  return request.SerializeAsString();
}

int32_t Call(Http2Client* client, const std::string& path, const std::string& request) {
  const int32_t call = client->Call(path);
  client->Send(call, request);
  client->SendLast(call);
  return call;
}

void Flood(const std::string& address, int connections, const std::function<bool()>& over) {
  std::vector<std::thread> threads;
  for (int i = 0; i < connections; ++i) {
    threads.emplace_back([&] {
      Http2Client client(address);
      while (!over() && client.open()) {
        const int32_t call = Call(&client, kListMatches, LargestPage());
        client.Await([&] { return client.answer(call).ended; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace referee::end_to_end
