#include "referee/gate/loop.h"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <utility>

#include "absl/time/time.h"

namespace referee::gate {

namespace asio = boost::asio;

void Loop::At(Instant when, std::function<void()> call) {
  const absl::Duration wait = std::max(absl::ZeroDuration(), when - Now());
  const auto timer =
      std::make_shared<asio::steady_timer>(context_, absl::ToChronoNanoseconds(wait));
  timer->async_wait([timer, call = std::move(call)](const boost::system::error_code& error) {
    if (!error) call();
  });
}

void Loop::Away(std::function<void()> work, std::function<void()> then) {
  asio::post(away_, [this, work = std::move(work), then = std::move(then)] {
    work();
    asio::post(context_, then);
  });
}

void Loop::Post(std::function<void()> call) { asio::post(context_, std::move(call)); }

void Loop::Run() {
  const auto work = asio::make_work_guard(context_);
  context_.run();
}

void Loop::Stop() {
  away_.join();
  context_.stop();
}

}  // namespace referee::gate
