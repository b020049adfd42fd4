#include "emulator/control_flow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cudaperf::emulator {
namespace {

constexpr int64_t kMaxSteps = 50'000'000;
constexpr uint32_t kNone = 0xffffffffu;

bool EndsBlock(const Instruction& i) {
  return i.control == Control::kBranch || i.control == Control::kIndexedBranch || i.control == Control::kExit ||
         i.control == Control::kReturn;
}

// The control-flow graph over basic blocks, with one more node for the end of the thread.
struct Graph {
  // First instruction of every block.
  std::vector<uint32_t> starts;
  std::vector<std::vector<uint32_t>> successors;
  std::vector<std::vector<uint32_t>> predecessors;
  uint32_t end = 0;
};

Graph BuildGraph(const Code& code) {
  const auto size = static_cast<uint32_t>(code.instructions.size());
  std::vector<bool> is_start(size + 1, false);
  is_start[0] = true;
  for (uint32_t pc = 0; pc < size; ++pc) {
    const Instruction& i = code.instructions[pc];
    if (!EndsBlock(i)) continue;
    is_start[pc + 1] = true;
    if (i.control == Control::kBranch) is_start[std::min(i.target, size)] = true;
    if (i.control == Control::kIndexedBranch) {
      for (int64_t k = 0; k < i.immediate; ++k) is_start[std::min(code.elements[i.elements + k], size)] = true;
    }
  }
  Graph graph;
  std::vector<uint32_t> block_of(size + 1, 0);
  for (uint32_t pc = 0; pc < size; ++pc) {
    if (is_start[pc]) graph.starts.push_back(pc);
    block_of[pc] = static_cast<uint32_t>(graph.starts.size() - 1);
  }
  graph.end = static_cast<uint32_t>(graph.starts.size());
  block_of[size] = graph.end;
  graph.successors.resize(graph.end + 1);
  graph.predecessors.resize(graph.end + 1);
  const auto connect = [&](uint32_t from, uint32_t pc) {
    const uint32_t to = block_of[std::min(pc, size)];
    std::vector<uint32_t>& out = graph.successors[from];
    if (std::find(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(out.size(), 4)), to) !=
        out.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(out.size(), 4))) {
      return;
    }
    out.push_back(to);
    graph.predecessors[to].push_back(from);
  };
  for (uint32_t block = 0; block < graph.end; ++block) {
    const uint32_t last = (block + 1 < graph.end ? graph.starts[block + 1] : size) - 1;
    const Instruction& i = code.instructions[last];
    const bool guarded = i.guard != kNoPredicate;
    switch (i.control) {
      case Control::kBranch:
        connect(block, i.target);
        if (guarded) connect(block, last + 1);
        break;
      case Control::kIndexedBranch:
        for (int64_t k = 0; k < i.immediate; ++k) connect(block, code.elements[i.elements + k]);
        connect(block, last + 1);
        break;
      case Control::kExit:
      case Control::kReturn:
        connect(block, size);
        if (guarded) connect(block, last + 1);
        break;
      default:
        connect(block, last + 1);
    }
  }
  return graph;
}

// Blocks in the order a walk from the end leaves them.
std::vector<uint32_t> PostOrder(const Graph& graph) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(graph.end + 1, false);
  std::vector<std::pair<uint32_t, size_t>> stack{{graph.end, 0}};
  seen[graph.end] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < graph.predecessors[node].size()) {
      const uint32_t to = graph.predecessors[node][next++];
      if (!seen[to]) {
        seen[to] = true;
        stack.emplace_back(to, 0);
      }
    } else {
      order.push_back(node);
      stack.pop_back();
    }
  }
  return order;
}

// Cooper, Harvey and Kennedy's iteration on the reversed graph. Empty when the step limit was met.
std::vector<uint32_t> PostDominators(const Graph& graph) {
  const std::vector<uint32_t> order = PostOrder(graph);
  std::vector<uint32_t> rank(graph.end + 1, kNone), parent(graph.end + 1, kNone);
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  parent[graph.end] = graph.end;
  int64_t steps = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = order.size(); k-- > 0;) {
      const uint32_t node = order[k];
      if (node == graph.end) continue;
      uint32_t best = kNone;
      for (uint32_t successor : graph.successors[node]) {
        if (parent[successor] == kNone) continue;
        if (best == kNone) {
          best = successor;
          continue;
        }
        while (best != successor) {
          if (++steps > kMaxSteps) return {};
          if (rank[best] < rank[successor]) {
            best = parent[best];
          } else {
            successor = parent[successor];
          }
        }
      }
      if (best != kNone && parent[node] != best) {
        parent[node] = best;
        changed = true;
      }
      if (++steps > kMaxSteps) return {};
    }
  }
  return parent;
}

}  // namespace

void FindReconvergence(Code& code) {
  if (code.instructions.empty()) return;
  const Graph graph = BuildGraph(code);
  const std::vector<uint32_t> parent = PostDominators(graph);
  if (parent.empty()) return;
  for (uint32_t block = 0; block < graph.end; ++block) {
    const uint32_t last =
        (block + 1 < graph.end ? graph.starts[block + 1] : static_cast<uint32_t>(code.instructions.size())) - 1;
    Instruction& i = code.instructions[last];
    const bool diverges =
        (i.control == Control::kBranch && i.guard != kNoPredicate) || i.control == Control::kIndexedBranch;
    if (!diverges || parent[block] == kNone || parent[block] == graph.end) continue;
    const uint32_t meet = graph.starts[parent[block]];
    const Instruction& there = code.instructions[meet];
    // Lanes that only end do not wait for the others: those may be at a barrier.
    if (there.control == Control::kExit && there.guard == kNoPredicate) continue;
    i.reconverge = meet;
  }
}

}  // namespace cudaperf::emulator
