// SPDX-License-Identifier: MIT
#include "common/frame/terminal/flags.hpp"

#include <cmath>
#include <cstdio>
#include <new>
#include <sstream>
#include <utility>

#include "common/frame/terminal/terminal.hpp"

// Stands for the text of std::bad_alloc, which is its name.
constexpr const char* no_memory = "there is not enough memory; smaller sizes or files need less";

UserError blamed(const std::string& flag, const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return UserError(flag + ": " + (memory ? no_memory : error.what()));
}

void check_memory(const std::string& flags, double bytes) {
  if (const std::string wrong = terminal::too_large(bytes); !wrong.empty())
    throw UserError(flags + ": " + wrong);
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw UserError("the output could not be written");
}

// Prints one line on stderr, whatever bytes the text has, even without memory for that.
static void complain(const char* program, const char* beginning, const char* text) {
  try {
    std::fprintf(stderr, "%s: %s%s\n", program, beginning, one_line(text).c_str());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: %s\n", program, no_memory);
  }
}

int run_program(const char* name, const std::function<int()>& body) {
  terminal::ready();
  try {
    const int status = body();
    print("");  // whatever was printed before must have arrived, too
    return status;
  } catch (const Finished& finished) {
    return finished.status;
  } catch (const UserError& error) {
    complain(name, "", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    complain(name, "", no_memory);
    return 2;
  } catch (const std::exception& error) {
    complain(name, "stopped: ", error.what());
    return 1;
  }
}

void end_interrupted(long taken, long steps, const std::string& path) {
  print(join("\nStopped after ", taken, " of ", steps, " steps; ", one_line(path),
             " holds the model as it is now.\n"));
  throw Finished{130};  // as a shell says of a program that Ctrl-C ended
}

knob::Settings Flags::ask(const knob::Knobs& knobs) {
  knob::Settings settings;
  for (const knob::Knob* knob : knobs) ask(*knob, true, settings);
  return settings;
}

knob::Settings Flags::ask(std::optional<int> part, const std::map<int, knob::Knobs>& knobs) {
  knob::Settings settings;
  const knob::Knobs own = part && knobs.count(*part) > 0 ? knobs.at(*part) : knob::Knobs();
  for (const knob::Knob* knob : own)
    settings.any_given_ |= given(*knob) && asked_.count(knob->flag()) == 0;
  if (!own.empty()) further_ = join("\nKnobs of part ", *part, ", which run it alone:\n");
  for (const knob::Knob* knob : own) ask(*knob, settings.any_given_, settings);
  for (const auto& [number, others] : knobs)
    for (const knob::Knob* knob : others)
      if (given(*knob) && asked_.count(knob->flag()) == 0)
        throw UserError(
            join(knob->flag(), " is a knob of part ", number, ": it goes with --part ", number));
  return settings;
}

void Flags::alone(const knob::Knob& knob) const {
  if (!given(knob) || find("--help") != words_.size()) return;
  for (const std::string& word : words_)
    if (word.starts_with("--") && word != knob.flag())
      throw UserError(join(knob.flag(), " stands alone: ", word, " would have no effect"));
}

void Flags::finish() {
  constexpr knob::Toggle more{"help", "print this and stop"};
  const std::string further = std::exchange(further_, "");
  if (ask(knob::Knobs{&more})[more]) {
    print(help_ + further + "\nOutput is UTF-8, whatever the locale says.\n");
    throw Finished{0};
  }
  const auto place = std::size_t(std::find(taken_.begin(), taken_.end(), false) - taken_.begin());
  if (place == words_.size()) return;
  const std::string& word = words_[place];
  if (find(word) < place && word.starts_with("--")) throw UserError(word + " stands twice");
  const std::string meant = likely_flag(word);
  throw UserError(join(word.starts_with("-") ? "unknown flag '" : "stray word '", word, "' (",
                       meant.empty() ? "--help lists the flags" : "did you mean " + meant + "?",
                       ")"));
}

std::string Flags::likely_flag(const std::string& word) const {
  if (word == "-h" || word == "-?" || word == "help") return "--help";
  const std::size_t equals = word.find('=');
  const std::string flag = word.substr(0, equals);
  const auto name = flag.find_first_not_of('-');
  if (equals != std::string::npos && asked_.count(flag) > 0)
    return flag + " " + word.substr(equals + 1);
  if (!flag.starts_with('-') || name == std::string::npos || flag.size() > 40) return "";
  constexpr std::size_t most = 2;  // a slip of two letters, as of two that changed places
  return nearest("--" + flag.substr(name), {asked_.begin(), asked_.end()}, most);
}

std::size_t Flags::find(const std::string& flag) const {
  return std::size_t(std::find(words_.begin(), words_.end(), flag) - words_.begin());
}

void Flags::ask(const knob::Knob& knob, bool checked, knob::Settings& settings) {
  const std::string value = take(knob), standard = knob.standard();
  const std::string wrong = checked && value != standard ? complaint(knob, value) : "";
  if (!wrong.empty()) throw UserError(join(knob.flag(), ": '", value, "' ", wrong));
  if (given(knob)) settings.given_.insert(knob.name);
  settings.values_[knob.name] = value;
  settings.standard_ &= value == standard;
}

std::string Flags::take(const knob::Knob& knob) {
  constexpr const char* placeholders[] = {" X",      " N",    " NAME", " X,...",
                                          " DIGITS", " FILE", " TEXT", ""};
  const std::string flag = knob.flag();
  asked_.insert(flag);
  describe(flag + placeholders[std::size_t(knob.kind)], help(knob));
  const std::size_t place = find(flag);
  if (place == words_.size()) return knob.standard();
  taken_[place] = true;
  if (knob.kind == knob::Knob::Kind::toggle) return "yes";
  if (place + 1 == words_.size() || words_[place + 1].empty() ||
      words_[place + 1].starts_with("--"))
    throw UserError(flag + " needs a value");
  taken_[place + 1] = true;
  return words_[place + 1];
}

void Flags::describe(const std::string& flag, const std::string& help) {
  constexpr std::size_t left = 24, right = 80 - left;
  std::string all, line = "  " + flag;
  line.resize(std::max(line.size() + 2, left), ' ');
  std::istringstream lines(wrap(help, right));
  for (std::string words; std::getline(lines, words); line.assign(left, ' '))
    all += line + words + "\n";
  if (further_.empty()) help_ += all;
  else further_ += all;
}
