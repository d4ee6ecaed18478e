// Immutable bytes shared by many connections. Thread-safe.
#ifndef REFEREE_GATE_MESSAGE_H_
#define REFEREE_GATE_MESSAGE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace referee::gate {

using Bytes = std::shared_ptr<const std::string>;

inline Bytes MakeBytes(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

// A text in parts, which are sent one after another.
class Message {
 public:
  struct Part {
    Bytes bytes;
    size_t skipped = 0;  // at the beginning
    absl::string_view text() const { return absl::string_view(*bytes).substr(skipped); }
  };

  Message() = default;
  explicit Message(std::string text) { Add(MakeBytes(std::move(text))); }

  void Add(Bytes bytes, size_t skipped = 0) {
    size_ += bytes->size() - skipped;
    parts_.push_back({std::move(bytes), skipped});
  }
  void Add(std::string text) { Add(MakeBytes(std::move(text))); }

  const std::vector<Part>& parts() const { return parts_; }
  size_t size() const { return size_; }
  // All parts joined, for tests and compression.
  std::string Text() const {
    std::string text;
    text.reserve(size_);
    for (const Part& part : parts_) text.append(part.text().data(), part.text().size());
    return text;
  }

 private:
  std::vector<Part> parts_;
  size_t size_ = 0;
};

using SharedMessage = std::shared_ptr<const Message>;

}  // namespace referee::gate

#endif  // REFEREE_GATE_MESSAGE_H_
