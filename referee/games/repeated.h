// Writing over a repeated field of a message without losing what its elements have allocated.
#ifndef REFEREE_GAMES_REPEATED_H_
#define REFEREE_GAMES_REPEATED_H_

namespace referee::games {

// The element at `index`, one after those written before, to be written over.
template <typename Repeated>
auto* Reused(Repeated* repeated, int index) {
  return index < repeated->size() ? repeated->Mutable(index) : repeated->Add();
}

// Drops the elements from `size` on; they are kept for the next use.
template <typename Repeated>
void Shorten(Repeated* repeated, int size) {
  while (repeated->size() > size) repeated->RemoveLast();
}

}  // namespace referee::games

#endif  // REFEREE_GAMES_REPEATED_H_
