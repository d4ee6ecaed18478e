#include "referee/schedule/matching.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>

namespace referee::schedule {
namespace {

// Edmonds's blossom algorithm for a maximum-weight matching.
//
// Vertices are 1 to n, blossoms n + 1 and up; 0 means none. Weights are positive; 0 is no edge.
// Labels are the dual variables, doubled so that they stay integers.
class Blossoms {
 public:
  explicit Blossoms(int vertices)
      : n_(vertices), last_(vertices), size_(static_cast<size_t>(2 * vertices + 2)) {
    edges_.resize(size_ * size_);
    inside_.assign(size_ * (n_ + 1), 0);
    label_.assign(size_, 0);
    mate_.assign(size_, 0);
    slack_.assign(size_, 0);
    top_.assign(size_, 0);
    parent_.assign(size_, 0);
    side_.assign(size_, kUnseen);
    visited_.assign(size_, 0);
    members_.resize(size_);
    for (int u = 1; u <= n_; ++u) {
      top_[u] = u;
      Inside(u, u) = u;
      for (int v = 1; v <= n_; ++v) At(u, v) = {u, v, 0};
    }
  }

  void SetWeight(int u, int v, int64_t weight) {
    At(u, v).weight = weight;
    At(v, u).weight = weight;
  }

  void Solve() {
    int64_t heaviest = 0;
    for (const Edge& edge : edges_) heaviest = std::max(heaviest, edge.weight);
    for (int u = 1; u <= n_; ++u) label_[u] = heaviest;
    while (Augment()) {
    }
  }

  int mate(int u) const { return mate_[u]; }

 private:
  enum Side : int { kUnseen = -1, kOuter = 0, kInner = 1 };
  // An edge between the vertices u and v; also the best edge of a blossom.
  struct Edge {
    int u = 0;
    int v = 0;
    int64_t weight = 0;
  };

  Edge& At(int a, int b) { return edges_[static_cast<size_t>(a) * size_ + b]; }
  // The member of blossom b that contains vertex u.
  int& Inside(int b, int u) { return inside_[static_cast<size_t>(b) * (n_ + 1) + u]; }
  bool IsTop(int x) const { return top_[x] == x; }
  // The slack of an edge; 0: tight.
  int64_t Gap(const Edge& edge) {
    return label_[edge.u] + label_[edge.v] - At(edge.u, edge.v).weight * 2;
  }

  void UpdateSlack(int u, int x) {
    if (slack_[x] == 0 || Gap(At(u, x)) < Gap(At(slack_[x], x))) slack_[x] = u;
  }

  void SetSlack(int x) {
    slack_[x] = 0;
    for (int u = 1; u <= n_; ++u) {
      if (At(u, x).weight > 0 && top_[u] != x && side_[top_[u]] == kOuter) UpdateSlack(u, x);
    }
  }

  void Enqueue(int x) {
    if (x <= n_) {
      queue_.push_back(x);
      return;
    }
    for (const int member : members_[x]) Enqueue(member);
  }

  void SetTop(int x, int top) {
    top_[x] = top;
    if (x <= n_) return;
    for (const int member : members_[x]) SetTop(member, top);
  }

  // The place of `member` in blossom b, counted in the direction in which the place is even.
  size_t EvenPlace(int b, int member) {
    std::vector<int>& members = members_[b];
    const size_t place = std::find(members.begin(), members.end(), member) - members.begin();
    if (place % 2 == 0) return place;
    std::reverse(members.begin() + 1, members.end());
    return members.size() - place;
  }

  void SetMate(int u, int v) {
    const Edge edge = At(u, v);
    mate_[u] = edge.v;
    if (u <= n_) return;
    const int member = Inside(u, edge.u);
    const size_t place = EvenPlace(u, member);
    for (size_t i = 0; i < place; ++i) SetMate(members_[u][i], members_[u][i ^ 1]);
    SetMate(member, v);
    std::rotate(members_[u].begin(), members_[u].begin() + place, members_[u].end());
  }

  // Flips the path from u to its root, after u was matched to v.
  void Flip(int u, int v) {
    while (true) {
      const int next = top_[mate_[u]];
      SetMate(u, v);
      if (next == 0) return;
      SetMate(next, top_[parent_[next]]);
      u = top_[parent_[next]];
      v = next;
    }
  }

  // The vertex at which the paths from u and v to their roots meet; 0 if they have different roots.
  int Meeting(int u, int v) {
    for (++visit_; u != 0 || v != 0; std::swap(u, v)) {
      if (u == 0) continue;
      if (visited_[u] == visit_) return u;
      visited_[u] = visit_;
      u = top_[mate_[u]];
      if (u != 0) u = top_[parent_[u]];
    }
    return 0;
  }

  void Collect(int b, int from, int meeting) {
    for (int x = from; x != meeting;) {
      members_[b].push_back(x);
      const int y = top_[mate_[x]];
      members_[b].push_back(y);
      Enqueue(y);
      x = top_[parent_[y]];
    }
  }

  void Shrink(int u, int meeting, int v) {
    int b = n_ + 1;
    while (b <= last_ && top_[b] != 0) ++b;
    last_ = std::max(last_, b);
    label_[b] = 0;
    side_[b] = kOuter;
    mate_[b] = mate_[meeting];
    members_[b] = {meeting};
    Collect(b, u, meeting);
    std::reverse(members_[b].begin() + 1, members_[b].end());
    Collect(b, v, meeting);
    SetTop(b, b);
    for (int x = 1; x <= last_; ++x) At(b, x).weight = At(x, b).weight = 0;
    for (int x = 1; x <= n_; ++x) Inside(b, x) = 0;
    for (const int member : members_[b]) {
      for (int x = 1; x <= last_; ++x) {
        if (At(b, x).weight != 0 && Gap(At(member, x)) >= Gap(At(b, x))) continue;
        At(b, x) = At(member, x);
        At(x, b) = At(x, member);
      }
      for (int x = 1; x <= n_; ++x) {
        if (Inside(member, x) != 0) Inside(b, x) = member;
      }
    }
    SetSlack(b);
  }

  void Expand(int b) {
    const std::vector<int> all = members_[b];
    for (const int member : all) SetTop(member, member);
    const int entry = Inside(b, At(b, parent_[b]).u);
    const size_t place = EvenPlace(b, entry);
    const std::vector<int>& members = members_[b];
    for (size_t i = 0; i < place; i += 2) {
      const int inner = members[i];
      const int outer = members[i + 1];
      parent_[inner] = At(outer, inner).u;
      side_[inner] = kInner;
      side_[outer] = kOuter;
      slack_[inner] = 0;
      SetSlack(outer);
      Enqueue(outer);
    }
    side_[entry] = kInner;
    parent_[entry] = parent_[b];
    for (size_t i = place + 1; i < members.size(); ++i) {
      side_[members[i]] = kUnseen;
      SetSlack(members[i]);
    }
    top_[b] = 0;
  }

  // Processes a tight edge from an outer vertex. Returns whether it increased the matching.
  bool Follow(const Edge& edge) {
    const int u = top_[edge.u];
    const int v = top_[edge.v];
    if (side_[v] == kUnseen) {
      parent_[v] = edge.u;
      side_[v] = kInner;
      const int next = top_[mate_[v]];
      slack_[v] = slack_[next] = 0;
      side_[next] = kOuter;
      Enqueue(next);
      return false;
    }
    if (side_[v] != kOuter) return false;
    const int meeting = Meeting(u, v);
    if (meeting != 0) {
      Shrink(u, meeting, v);
      return false;
    }
    Flip(u, v);
    Flip(v, u);
    return true;
  }

  // Processes the tight edges of all queued outer vertices.
  bool Search() {
    while (!queue_.empty()) {
      const int u = queue_.front();
      queue_.pop_front();
      if (side_[top_[u]] == kInner) continue;
      for (int v = 1; v <= n_; ++v) {
        if (At(u, v).weight == 0 || top_[u] == top_[v]) continue;
        if (Gap(At(u, v)) != 0) {
          UpdateSlack(u, top_[v]);
        } else if (Follow(At(u, v))) {
          return true;
        }
      }
    }
    return false;
  }

  // The largest change of labels before an edge becomes tight, a blossom expands, or the label of
  // an outer vertex reaches 0. REQUIRES: there is an outer vertex.
  int64_t Step() {
    int64_t step = std::numeric_limits<int64_t>::max();
    for (int u = 1; u <= n_; ++u) {
      if (side_[top_[u]] == kOuter) step = std::min(step, label_[u]);
    }
    for (int b = n_ + 1; b <= last_; ++b) {
      if (IsTop(b) && side_[b] == kInner) step = std::min(step, label_[b] / 2);
    }
    for (int x = 1; x <= last_; ++x) {
      if (!IsTop(x) || slack_[x] == 0) continue;
      const int64_t gap = Gap(At(slack_[x], x));
      if (side_[x] == kUnseen) step = std::min(step, gap);
      if (side_[x] == kOuter) step = std::min(step, gap / 2);
    }
    return step;
  }

  // Returns whether the label of a vertex would reach 0: then no more pairs are worth their cost.
  bool Relabel(int64_t step) {
    for (int u = 1; u <= n_; ++u) {
      if (side_[top_[u]] == kOuter) {
        if (label_[u] <= step) return true;
        label_[u] -= step;
      } else if (side_[top_[u]] == kInner) {
        label_[u] += step;
      }
    }
    for (int b = n_ + 1; b <= last_; ++b) {
      if (!IsTop(b)) continue;
      if (side_[b] == kOuter) label_[b] += step * 2;
      if (side_[b] == kInner) label_[b] -= step * 2;
    }
    return false;
  }

  // Increases the matching by one pair. Returns whether that was possible.
  bool Augment() {
    std::fill(side_.begin(), side_.end(), kUnseen);
    std::fill(slack_.begin(), slack_.end(), 0);
    queue_.clear();
    for (int x = 1; x <= last_; ++x) {
      if (!IsTop(x) || mate_[x] != 0) continue;
      parent_[x] = 0;
      side_[x] = kOuter;
      Enqueue(x);
    }
    if (queue_.empty()) return false;
    while (true) {
      if (Search()) return true;
      if (Relabel(Step())) return false;
      queue_.clear();
      for (int x = 1; x <= last_; ++x) {
        if (!IsTop(x) || slack_[x] == 0 || top_[slack_[x]] == x) continue;
        if (Gap(At(slack_[x], x)) == 0 && Follow(At(slack_[x], x))) return true;
      }
      for (int b = n_ + 1; b <= last_; ++b) {
        if (IsTop(b) && side_[b] == kInner && label_[b] == 0) Expand(b);
      }
    }
  }

  const int n_;
  int last_;  // the highest blossom in use
  const size_t size_;
  std::vector<Edge> edges_;
  std::vector<int> inside_;
  std::vector<int64_t> label_;
  std::vector<int> mate_;    // the matched vertex
  std::vector<int> slack_;   // the outer vertex with the edge of least slack to it
  std::vector<int> top_;     // the outermost blossom that contains it
  std::vector<int> parent_;  // the vertex from which it was reached
  std::vector<int> side_;
  std::vector<int> visited_;
  std::vector<std::vector<int>> members_;
  std::deque<int> queue_;
  int visit_ = 0;
};

}  // namespace

std::vector<int> CheapestMatching(const std::vector<std::vector<int64_t>>& cost) {
  const int n = static_cast<int>(cost.size());
  std::vector<int> partner(n, -1);
  if (n < 2) return partner;
  int64_t dearest = 0;
  for (const auto& row : cost) {
    for (const int64_t entry : row) dearest = std::max(dearest, entry);
  }
  // One more pair outweighs all costs together.
  const int64_t worth = dearest * (n / 2) + 1;
  Blossoms blossoms(n);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      if (cost[a][b] != kNever) blossoms.SetWeight(a + 1, b + 1, worth - cost[a][b] + dearest);
    }
  }
  blossoms.Solve();
  for (int a = 0; a < n; ++a) partner[a] = blossoms.mate(a + 1) - 1;
  return partner;
}

}  // namespace referee::schedule
