// A plain A* over pushes: the least-cost matching from scratch for each new state, the frozen test, no tables.
// Reads a board in numbers (tests/kernels/against_cpp.py); writes optimum, expansions and CPU seconds. Built with -O2.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <unordered_map>
#include <vector>
using namespace std;

const int INF = 1 << 28;
int n, live, states, k;
vector<array<int, 4>> near_;
vector<vector<int>> side, dist;
vector<char> goal;
struct Key {
    array<uint64_t, 4> word{};
    bool operator==(const Key &o) const { return word == o.word; }
};
struct Hash {
    size_t operator()(const Key &key) const {
        uint64_t mixed = 0x9E3779B97F4A7C15ULL;
        for (uint64_t word : key.word) {
            mixed ^= word;
            mixed ^= mixed >> 32;
            mixed *= 0xD6E8FEB86659FD93ULL;
            mixed ^= mixed >> 29;
        }
        return mixed;
    }
};
struct State {
    vector<short> boxes;
    int player, spent, ahead;
    bool open;
};

vector<int> mark, queue_, u, v, row_of, least, way;
vector<char> used, occ, stuck;
int stamp = 0;

int flood(int from) {  // marks the player's region, returns its smallest cell
    int low = from, head = 0, tail = 1;
    mark[from] = ++stamp;
    queue_[0] = from;
    while (head < tail) {
        int cell = queue_[head++];
        low = min(low, cell);
        for (int to : near_[cell])
            if (!occ[to] && mark[to] != stamp) mark[to] = stamp, queue_[tail++] = to;
    }
    return low;
}

int matching(const vector<short> &boxes, int player) {  // Hungarian algorithm, rows one after the other
    fill(v.begin(), v.end(), 0);
    fill(row_of.begin(), row_of.end(), -1);
    for (int row = 0; row < k; row++) {
        fill(least.begin(), least.end(), 4 * INF);
        fill(used.begin(), used.end(), 0);
        u[row] = 0;
        row_of[k] = row;
        int at = k;
        while (row_of[at] >= 0) {
            used[at] = 1;
            int here = row_of[at], delta = 4 * INF, after = -1;
            const vector<int> &costs = dist[side[boxes[here]][player]];
            for (int j = 0; j < k; j++) {
                if (used[j]) continue;
                int reduced = costs[j] - u[here] - v[j];
                if (reduced < least[j]) least[j] = reduced, way[j] = at;
                if (least[j] < delta) delta = least[j], after = j;
            }
            if (delta > INF / 2) return INF;
            for (int j = 0; j <= k; j++)
                if (used[j]) u[row_of[j]] += delta, v[j] -= delta;
                else least[j] -= delta;
            at = after;
        }
        for (; at != k; at = way[at]) row_of[at] = row_of[way[at]];
        v[k] = 0;
    }
    int total = 0;
    for (int j = 0; j < k; j++) total += dist[side[boxes[row_of[j]]][player]][j];
    return total;
}

bool held(const vector<char> &there, int cell) {  // blocked along both axes by walls, these boxes or dead cells
    for (int d = 0; d < 4; d += 2) {
        int a = near_[cell][d], b = near_[cell][d + 1];
        if (!(there[a] || there[b] || (a >= live && b >= live))) return false;
    }
    return true;
}

bool frozen(const vector<short> &boxes, int moved) {  // a box off goal never moves again, and the pushed one neither
    if (!held(occ, moved)) return false;
    stuck = occ;
    for (bool changed = true; changed;) {
        changed = false;
        for (int box : boxes)
            if (stuck[box] && !held(stuck, box)) stuck[box] = 0, changed = true;
    }
    if (!stuck[moved]) return false;
    return any_of(boxes.begin(), boxes.end(), [](int box) { return stuck[box] && !goal[box]; });
}

int main() {
    if (scanf("%d %d %d %d", &n, &live, &states, &k) != 4) return 2;
    auto number = [] { int one = 0; return scanf("%d", &one) == 1 ? one : -1; };
    near_.resize(n + 1);
    for (auto &row : near_) for (int &to : row) to = number();
    side.assign(live, vector<int>(n + 1));
    for (auto &row : side) for (int &one : row) one = number();
    dist.assign(states, vector<int>(k));
    for (auto &row : dist) for (int &one : row) one = number();
    goal.assign(n + 1, 0);
    for (int i = 0; i < k; i++) goal[number()] = 1;
    vector<short> start(k);
    for (short &box : start) box = number();
    int player = number();
    for (auto *row : {&mark, &queue_}) row->assign(n + 1, 0);
    for (auto *row : {&u, &v, &row_of, &least, &way}) row->assign(k + 1, 0);
    used.assign(k + 1, 0);
    occ.assign(n + 1, 0);
    occ[n] = 1;

    clock_t began = clock();
    unordered_map<Key, int, Hash> known;
    vector<State> all;
    vector<vector<int>> open(1 << 14);  // by f, last in first out; a state found cheaper is entered again
    int bucket = 0, cutoff = 32000;
    long expanded = 0;
    auto enter = [&](const vector<short> &boxes, int at, int cost, bool full) {
        Key key;
        for (int box : boxes) key.word[box >> 6] |= 1ULL << (box & 63);
        key.word[3] |= uint64_t(at) << 48;
        auto found = known.find(key);
        if (found != known.end() && cost >= all[found->second].spent) return;
        int ahead = found != known.end() ? all[found->second].ahead : full ? 0 : matching(boxes, at);
        if (cost + ahead >= cutoff) return;
        int index = found != known.end() ? found->second : int(all.size());
        if (found == known.end()) known.emplace(key, index), all.push_back({boxes, at, cost, ahead, true});
        all[index].spent = cost;
        all[index].open = !full;
        if (full) cutoff = cost;
        else open[max(cost + ahead, bucket)].push_back(index);
    };
    for (int box : start) occ[box] = 1;
    enter(start, flood(player), 0, false);
    for (int box : start) occ[box] = 0;
    while (true) {
        while (bucket < cutoff && open[bucket].empty()) bucket++;
        if (bucket >= cutoff || bucket + 1 >= int(open.size())) break;
        int index = open[bucket].back();
        open[bucket].pop_back();
        // an entry that was overtaken by a cheaper one is passed over
        if (!all[index].open || all[index].spent + all[index].ahead >= cutoff) continue;
        all[index].open = false;
        expanded++;
        vector<short> boxes = all[index].boxes;
        int cost = all[index].spent + 1, filled = 0;
        for (int box : boxes) occ[box] = 1, filled += goal[box];
        flood(all[index].player);
        vector<int> region = mark;
        int here = stamp;
        for (int i = 0; i < k; i++)
            for (int d = 0; d < 4; d++) {
                int box = boxes[i], to = near_[box][d];
                if (region[near_[box][d ^ 1]] != here || to >= live || occ[to]) continue;
                occ[box] = 0, occ[to] = 1, boxes[i] = to;
                if (!frozen(boxes, to)) {
                    vector<short> after = boxes;
                    sort(after.begin(), after.end());
                    enter(after, flood(box), cost, filled - goal[box] + goal[to] == k);
                }
                occ[to] = 0, occ[box] = 1, boxes[i] = box;
            }
        for (int box : boxes) occ[box] = 0;
    }
    printf("%d %ld %.3f\n", cutoff < 32000 ? cutoff : -1, expanded, double(clock() - began) / CLOCKS_PER_SEC);
}
