// What the lesson programs survive: allocations that fail, limits on files, a full disk, kills, an output that nobody
// receives, files that change while they are read, and two runs in one folder. A run survives when it does what was asked
// or says in one line why not, when no temporary file stays, and when each file that was there is whole: as it was or as
// it was to become. One line of the table for each fault and what it was put to; exit status 1 where one was not
// survived. From the root: make faults. POSIX; what a system cannot do is said.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include "tests/faults/process.hpp"
#include "tests/files.hpp"
#if defined(__linux__)
#include <sched.h>
#include <sys/mount.h>
#endif

namespace {

namespace fs = std::filesystem;

// What a fault is put to: a program, what it is told, and the files that it may replace.
struct Subject {
  std::string what, program, flags;
  std::vector<std::string> kept;
};

const std::string small = "--context 2 --dim 2 --hidden 5 --threads 1 --text short";
const std::string tiny = "--width 8 --heads 2 --context 8 --batch 4 --threads 1 --text short --out page";

const std::vector<Subject> loading = {
    {"lesson 2 loads", "lesson2", "--threads 1 --text short --load m2 --sample 5", {"m2"}},
    {"lesson 3 loads", "lesson3", "--threads 1 --seed 2 --data table --load m3 --out page", {"m3", "page/data.html"}},
    {"lesson 5 loads", "lesson5", "--threads 1 --quick --part 7 --load m5 --out page", {"m5", "page/index.html"}},
    {"lesson 6 loads", "lesson6", "--threads 1 --text short --load m6 --sample 5", {"m6"}},
};
const std::vector<Subject> saving = {
    {"lesson 2 saves", "lesson2", small + " --steps 2 --sample 1 --save m2", {"m2"}},
    {"lesson 3 saves", "lesson3", "--threads 1 --data table --steps 2 --save m3 --out page", {"m3", "page/data.html"}},
    {"lesson 5 saves", "lesson5", "--threads 1 --quick --part 3 --steps 2 --save m5 --out page", {"m5"}},
    {"lesson 6 saves", "lesson6", tiny + " --recipe C --steps 2 --save m6", {"m6", "page/run.html"}},
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// The folder that each try begins with, and the programs.
class Place {
 public:
  explicit Place(const std::string& programs) : programs_(fs::canonical(programs)) {
    fs::create_directories(folder_.path() / "origin/page");
    const std::string play = bytes_of(programs_ / "../common/data/play.txt");
    put(origin() + "/short", play.substr(0, 6000));
    std::string rows = "a,b,c\n";
    for (int k = 0; k < 40; ++k)
      rows += std::to_string(k % 7) + "," + std::to_string(k % 5) + "," + std::to_string(k * k % 11) + "\n";
    put(origin() + "/table", rows);
    for (const Subject& s : saving) must(command(s, origin(), " --seed 2"));
  }

  std::string origin() const { return folder_ / "origin"; }

  // A folder with the same files.
  std::string box(const std::string& name) const {
    const std::string box = folder_ / name;
    fs::create_directories(box);
    fs::copy(origin(), box, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    return box;
  }

  Command command(const Subject& s, const std::string& box, const std::string& more = "") const {
    std::vector<std::string> words = words_of(s.flags + more);
    words.insert(words.begin(), (programs_ / s.program).string());
    return {box, words, {}, {}, "/dev/null"};
  }

  std::string library() const { return (programs_ / "faults/allocation.so").string(); }

  static void must(const Command& command) {
    const Ending ending = run(command);
    if (ending.signal == 0 && ending.status == 0) return;
    std::string line;
    for (const std::string& word : command.words) line += word + " ";
    throw std::runtime_error(line + "does not run even without a fault: " + ending.told());
  }

 private:
  Folder folder_;
  fs::path programs_;
};

// What a file may hold after a run. A page differs from run to run, and is whole when it has its end.
struct Good {
  std::string path, before, after;

  bool holds(const std::string& box) const {
    const std::string bytes = bytes_of(box + "/" + path);
    return bytes == before || (path.ends_with(".html") ? bytes.ends_with("</html>\n") : bytes == after);
  }
};

std::vector<Good> good_files(const Place& place, const Subject& s) {
  const std::string box = place.box("good");
  Place::must(place.command(s, box));
  std::vector<Good> good;
  for (const std::string& path : s.kept)
    good.push_back({path, bytes_of(place.origin() + "/" + path), bytes_of(box + "/" + path)});
  fs::remove_all(box);
  return good;
}

// Returns what is wrong with the box after a run, or nothing. What a kill cannot but leave is not asked for.
std::string damage(const std::string& box, const std::vector<Good>& good) {
  for (const auto& entry : fs::recursive_directory_iterator(box))
    if (entry.path().extension() == ".tmp") return "left " + entry.path().filename().string();
  for (const Good& file : good)
    if (!file.holds(box)) return file.path + " is neither old nor new";
  return "";
}

// A line of the table.
class Row {
 public:
  Row(const std::string& fault, const std::string& what) : fault_(fault), what_(what) {}
  ~Row() {
    if (tried_ == 0) ++lost;
    std::printf("%-32s %-16s %6ld %9ld  %s\n", fault_.c_str(), what_.c_str(), tried_, survived_,
                tried_ == survived_ && tried_ > 0 ? "" : "FAIL");
    if (!first_.empty()) std::printf("  %s\n", first_.c_str());
    std::fflush(stdout);
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  // Takes the outcome of one try; `problem` is empty where it was survived. Several threads may call it.
  void operator()(const std::string& problem, const std::string& where) {
    const std::lock_guard lock(mutex_);
    ++tried_;
    if (problem.empty()) ++survived_;
    else {
      ++lost;
      if (first_.empty()) first_ = where + ": " + problem;
    }
  }

  static inline std::atomic<long> lost{0};  // of all lines

 private:
  std::string fault_, what_, first_;
  std::mutex mutex_;
  long tried_ = 0, survived_ = 0;
};

// Calls f(k, box) for each k of a list, on two threads, each with a box of its own that f leaves as it was.
void for_each(const Place& place, const std::vector<long>& list,
              const std::function<void(long, const std::string&)>& f) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](const std::string& name) {
    const std::string box = place.box(name);
    for (std::size_t k; (k = next++) < list.size();) f(list[k], box);
    fs::remove_all(box);
  };
  std::thread other(work, "second");
  work("first");
  other.join();
}

void restore(const std::string& box, const std::vector<Good>& good) {
  for (const Good& file : good) put(box + "/" + file.path, file.before);
}

// ------------------------------------------------------------------------------------------------- allocations

constexpr long most = 2000;

// The first allocations of a run; its last ones too, which are those of saving, or as many of the others as are asked for.
// Of the first and the last each one, or one in `every`.
std::vector<long> chosen(long count, bool with_last, long others, long every) {
  std::vector<long> list;
  for (long k = 1; k <= std::min(most, count); k += every) list.push_back(k);
  if (with_last)
    for (long k = count; k > std::max(most, count - most); k -= every) list.push_back(k);
  for (long k = 1; k <= others && count > most; ++k) list.push_back(most + (count - most) * k / (others + 1));
  return list;
}

void failing_allocations(const Place& place, const Subject& s, bool with_last, long others, long every) {
  const std::vector<Good> good = good_files(place, s);
  const std::string preload = "LD_PRELOAD=" + place.library(), counted = place.box("count");
  Command count = place.command(s, counted);
  count.environment = {preload, "COUNT_TO=" + counted + "/asked"};
  Place::must(count);
  const long asked = std::atol(bytes_of(counted + "/asked").c_str());
  fs::remove_all(counted);
  const std::vector<long> list = chosen(asked, with_last, others, every);
  for (const std::string mode : {"fails", "and all after it fail"}) {
    Row row(mode == "fails" ? "one allocation fails" : mode, s.what);
    for_each(place, list, [&](long k, const std::string& box) {
      Command command = place.command(s, box);
      command.environment = {preload, "FAIL_AT=" + std::to_string(k)};
      if (mode != "fails") command.environment.push_back("FAIL_ON=1");
      const Ending ending = run(command);
      std::string problem = ending.sound(s.program) ? damage(box, good) : ending.told();
      row(problem, "allocation " + std::to_string(k) + " of " + std::to_string(asked));
      restore(box, good);
    });
  }
}

// ------------------------------------------------------------------------------------------------------- files

void limited_files(const Place& place, const Subject& s) {
  const std::vector<Good> good = good_files(place, s);
  Row row("files of at most 0 to 64 KB", s.what);
  for_each(place, {0, 1, 100, 512, 1000, 2000, 4096, 8192, 16384, 32768, 65536},
           [&](long bytes, const std::string& box) {
             Command command = place.command(s, box);
             command.largest_file = rlim_t(bytes);
             // What it says goes to a file, too, which the limit cuts.
             const Ending ending = run(command);
             const bool silent = bytes < 200 && ending.signal == 0 && ending.status == 2;
             std::string problem = silent || ending.sound(s.program) ? damage(box, good) : ending.told();
             row(problem, std::to_string(bytes) + " bytes");
             restore(box, good);
           });
}

#if defined(__linux__)
// Gives this process mounts of its own, which end with it.
bool may_mount() {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// A disk of so many pages of 4 KB, mounted on a folder.
class Disk {
 public:
  Disk(const std::string& folder, long pages) : folder_(folder) {
    fs::create_directories(folder);
    there_ = mount("none", folder.c_str(), "tmpfs", 0, ("size=" + std::to_string(4 * pages) + "k").c_str()) == 0;
  }
  ~Disk() {
    if (there_) umount(folder_.c_str());
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  bool there() const { return there_; }

 private:
  std::string folder_;
  bool there_;
};

// The old files are short: to write in their place would gain no room.
void full_disk(const Place& place, const Subject& s) {
  std::vector<Good> good = good_files(place, s);
  for (Good& file : good) file.before = "old";
  const std::string box = place.box("disk"), said = place.box("said");
  Row row("a disk with 0 to 60 KB left", s.what);
  for (long left = 0; left <= 15; ++left) {
    const std::string folder = box + "/mounted";
    long used = 1;  // the folder `page`
    for (const auto& entry : fs::recursive_directory_iterator(place.origin()))
      if (entry.is_regular_file()) used += long(entry.file_size() + 4095) / 4096;
    used += 10 + left;
    const Disk disk(folder, used);
    if (!disk.there()) return;
    fs::copy(place.origin(), folder, fs::copy_options::recursive);
    restore(folder, good);
    const auto space = long(fs::space(folder).available) / 4096;
    put(folder + "/filler", std::string(std::size_t(std::max(0L, space - left)) * 4096, 'x'));
    Command command = place.command(s, folder);
    command.folder = folder;
    const pid_t child = start(command, "../../said/errors");
    const Ending ending = end_of(child, said);
    row(ending.sound(s.program) ? damage(folder, good) : ending.told(), std::to_string(left) + " pages");
  }
  fs::remove_all(box);
  fs::remove_all(said);
}
#endif

// The file is written over and over, in place and in pieces, while the program reads it.
void changing_file(const Place& place, const Subject& s, const std::string& name) {
  const std::string box = place.box("changing"), bytes = bytes_of(place.origin() + "/" + name);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    std::mt19937 random(1);
    while (!stop) {
      std::string other = bytes.substr(0, random() % (bytes.size() + 1));
      if (!other.empty()) other[random() % other.size()] = char(random());
      put(box + "/" + name, random() % 2 ? other : bytes);
    }
  });
  Row row("a file changes while it is read", s.what);
  for (int k = 0; k < 100; ++k) {
    const Ending ending = run(place.command(s, box));
    row(ending.sound(s.program) ? "" : ending.told(), "run " + std::to_string(k));
  }
  stop = true;
  writer.join();
  fs::remove_all(box);
}

// ------------------------------------------------------------------------------------------- processes and output

void kills(const Place& place, int times) {
  const std::string box = place.box("killed");
  const Subject training{"", "lesson6", tiny + " --recipe C --steps 100000 --save kept --save-every 1", {}};
  const Subject reading{"", "lesson6", "--threads 1 --text short --load kept --sample 1", {}};
  Row row("a kill while it saves", "lesson 6 trains");
  std::mt19937 random(1);
  for (int k = 0; k < times; ++k) {
    if (k % 10 == 0) fs::remove(box + "/kept");
    const pid_t child = start(place.command(training, box));
    for (int wait = 0; wait < 20000 && !fs::exists(box + "/kept"); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 100000));
    kill(child, SIGKILL);
    const Ending killed = end_of(child, box);
    const Ending ending = run(place.command(reading, box));
    const bool good = killed.signal == SIGKILL && ending.signal == 0 && ending.status == 0;
    row(good ? "" : killed.told() + "; then " + ending.told(), "kill " + std::to_string(k));
  }
  fs::remove_all(box);
}

void lost_output(const Place& place, const Subject& s, const std::string& out) {
  const std::vector<Good> good = good_files(place, s);
  const std::string box = place.box("output");
  Command command = place.command(s, box);
  command.out = out;
  const Ending ending = run(command);
  const bool refused = ending.sound(s.program) && ending.status == 2;
  Row row(out.empty() ? "stdout is closed" : "stdout is full", s.what);
  row(refused ? damage(box, good) : ending.told(), out);
  fs::remove_all(box);
}

// Of two seeds, so that what both wrote at once would be neither.
void two_at_once(const Place& place, const Subject& s) {
  std::vector<Good> good = good_files(place, s);
  const std::string box = place.box("two");
  Place::must(place.command(s, box, " --seed 2"));
  for (Good& file : good) file.before = bytes_of(box + "/" + file.path);
  Row row("two runs in one folder", s.what);
  for (int k = 0; k < 20; ++k) {
    const pid_t one = start(place.command(s, box), "one"), two = start(place.command(s, box, " --seed 2"), "two");
    const Ending first = end_of(one, box, "one"), second = end_of(two, box, "two");
    const bool both = first.signal == 0 && first.status == 0 && second.signal == 0 && second.status == 0;
    row(both ? damage(box, good) : first.told() + "; " + second.told(), "pair " + std::to_string(k));
  }
  fs::remove_all(box);
}

// ----------------------------------------------------------------------------------------------------------- all

std::vector<Subject> of_each_lesson(const std::string& what, const std::string& flags,
                                    const std::vector<std::string>& kept) {
  std::vector<Subject> subjects;
  for (char n = '1'; n <= '6'; ++n)
    subjects.push_back({std::string("lesson ") + n + " " + what, std::string("lesson") + n, flags, kept});
  return subjects;
}

std::vector<Subject> joined(std::vector<Subject> a, const std::vector<Subject>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

int all_faults(const std::string& programs, long every) {
  std::printf("%-32s %-16s %6s %9s\n", "fault", "put to", "tried", "survived");
  const Place place(programs);
  const std::vector<Subject> exporting = of_each_lesson("exports", "--export one", {"one"});
  const std::vector<Subject> first_parts =
      of_each_lesson("part 1", "--quick --part 1 --threads 1 --out page", {"page/index.html"});
#if defined(__linux__)
  const bool mounts = may_mount();
  for (const Subject& s : joined(joined(saving, exporting), first_parts))
    if (mounts) full_disk(place, s);
  if (!mounts) std::printf("a full disk: not tried, since this user may mount nothing\n");
  for (const Subject& s : joined(joined(loading, saving), exporting)) failing_allocations(place, s, true, 0, every);
  for (const Subject& s : of_each_lesson("--quick", "--quick --threads 1 --out page", {"page/index.html"}))
    failing_allocations(place, s, false, 10, every);
#else
  std::printf("failing allocations and a full disk: not tried, since this is not Linux\n");
#endif
  for (const Subject& s : joined(joined(saving, exporting), first_parts)) limited_files(place, s);
  changing_file(place, loading[0], "short");
  changing_file(place, loading[0], "m2");
  changing_file(place, loading[1], "table");
  changing_file(place, loading[1], "m3");
  changing_file(place, loading[2], "m5");
  changing_file(place, loading[3], "m6");
  kills(place, 200);
  for (const Subject& s : joined(joined(loading, saving), joined(exporting, first_parts)))
    for (const std::string out : {"", "/dev/full"}) lost_output(place, s, out);
  for (const Subject& s : joined(saving, first_parts)) two_at_once(place, s);  // --export takes no seed
  return Row::lost == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return all_faults(argc > 1 ? argv[1] : "build", argc > 2 ? std::max(1L, std::atol(argv[2])) : 1);
} catch (const std::exception& error) {
  std::fprintf(stderr, "faults: %s\n", error.what());
  return 1;
}
