// Overwrites a repeated protobuf field in place, so that its elements keep their memory.
#ifndef REFEREE_GAMES_REPEATED_H_
#define REFEREE_GAMES_REPEATED_H_

namespace referee::games {

// Returns the element at `index`, for the caller to overwrite. REQUIRES: index <= repeated->size().
template <typename Repeated>
auto* Reused(Repeated* repeated, int index) {
  return index < repeated->size() ? repeated->Mutable(index) : repeated->Add();
}

// Drops the elements from `size` on, and keeps their memory for the next use.
template <typename Repeated>
void Shorten(Repeated* repeated, int size) {
  while (repeated->size() > size) repeated->RemoveLast();
}

}  // namespace referee::games

#endif  // REFEREE_GAMES_REPEATED_H_
