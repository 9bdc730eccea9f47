// Knobs: what a reader can turn, each declared as a constant: a flag of all lessons, of a lesson,
// or of a part, where it is a slider, a list or a field on the page, too.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/frame/text/words.hpp"

class Flags;

namespace knob {

// The page moves a knob by whole steps.
struct Range {
  double low = 0, high = 0, step = 1;
};

// A short list that is a constant, so that no program can fail over its knobs before it begins.
template <class Item>
struct StaticList {
  std::array<Item, 32> items{};
  std::size_t count = 0;

  constexpr StaticList() = default;
  constexpr StaticList(std::initializer_list<Item> list) : count(list.size()) {
    std::copy(list.begin(), list.end(), items.begin());
  }
  constexpr const Item* begin() const { return items.data(); }
  constexpr const Item* end() const { return items.data() + count; }
  constexpr const Item& operator[](std::size_t k) const { return items.at(k); }
};

// Whole numbers in full, others to six digits.
std::string digits_of(double number);

struct Knob {
  enum class Kind { real, whole, choice, numbers, cells, file, text, toggle };
  Kind kind;
  std::string_view name, meaning;  // the flag without its dashes
  Range range{};                   // of each number
  StaticList<double> usual{};
  StaticList<std::string_view> choices{};  // of a choice; of numbers their names
  std::string_view digits{};               // of the cells
  std::size_t count = 1;  // how many numbers; of cells, how many in a row and in a column

  std::string flag() const { return "--" + std::string(name); }

  // Returns where it stands, as you type it.
  std::string standard() const {
    if (kind == Kind::choice) return std::string(choices[std::size_t(usual[0])]);
    if (kind == Kind::cells) return std::string(digits);
    return joined(usual, ",", digits_of);
  }
};

using Text = std::string_view;

// A number inside the range or at its ends.
struct Real : Knob {
  constexpr Real(Text flag, Text means, double start, const Range& limits)
      : Knob{Kind::real, flag, means, limits, {start}} {}
};

// A whole number; without `start` it stands at nothing.
struct Whole : Knob {
  constexpr Whole(Text flag, Text means, const Range& limits)
      : Knob{Kind::whole, flag, means, limits} {}
  constexpr Whole(Text flag, Text means, std::size_t start, const Range& limits)
      : Knob{Kind::whole, flag, means, limits, {double(start)}} {}
};

// One of a few names; it stands at the one with this number.
struct Choice : Knob {
  constexpr Choice(Text flag, Text means, const StaticList<Text>& names, std::size_t start = 0)
      : Knob{Kind::choice, flag, means, {}, {double(start)}, names} {}
};

// Numbers with commas between them: --w 1,-1,0.
struct Numbers : Knob {
  constexpr Numbers(Text flag, Text means, std::initializer_list<double> start, const Range& limits,
                    const StaticList<Text>& names = {})
      : Knob{Kind::numbers, flag, means, limits, start, names, {}, start.size()} {}
};

// A square picture, row by row, a digit for each cell: 0 is paper, 9 is ink.
struct Cells : Knob {
  constexpr Cells(Text flag, Text means, Text picture, std::size_t side)
      : Knob{Kind::cells, flag, means, {0, 9, 1}, {}, {}, picture, side} {}
};

// Nothing, unless it is named: a file, whose text the page asks for; any words; what is on or off.
template <Knob::Kind is>
struct Named : Knob {
  constexpr Named(Text flag, Text means) : Knob{is, flag, means} {}
};
using TextFile = Named<Knob::Kind::file>;
using Words = Named<Knob::Kind::text>;
using Toggle = Named<Knob::Kind::toggle>;

std::string help(const Knob& knob);

// Says what is wrong with a value, if anything.
std::string complaint(const Knob& knob, const std::string& value);

using Knobs = std::vector<const Knob*>;

class Settings {
 public:
  double operator[](const Real& knob) const { return *number_by_hand(value(knob)); }
  std::size_t operator[](const Whole& knob) const {  // 0 where it stands at nothing
    return value(knob).empty() ? 0 : std::size_t(*decimal_number(value(knob)));
  }
  std::size_t operator[](const Choice& knob) const {
    return std::size_t(std::find(knob.choices.begin(), knob.choices.end(), value(knob)) -
                       knob.choices.begin());
  }
  std::vector<double> operator[](const Numbers& knob) const;
  std::vector<double> operator[](const Cells& knob) const {  // from 0 to 1, row by row
    std::vector<double> ink;
    for (const char digit : value(knob)) ink.push_back((digit - '0') / 9.0);
    return ink;
  }
  std::string operator[](const TextFile& knob) const { return value(knob); }  // a path, or nothing
  std::string operator[](const Words& knob) const { return value(knob); }
  bool operator[](const Toggle& knob) const { return !value(knob).empty(); }
  const std::string& name_of(const Choice& knob) const { return value(knob); }

  bool given(const Knob& knob) const { return given_.count(knob.name) > 0; }
  bool any_given() const { return any_given_; }  // of the part's own
  bool standard() const { return standard_; }

 private:
  friend class ::Flags;
  friend Settings standards_of(const Knobs&);
  const std::string& value(const Knob& knob) const;

  std::map<std::string_view, std::string> values_;
  std::set<std::string_view> given_;
  bool any_given_ = false, standard_ = true;
};

// Returns what knobs stand at that nobody turns.
Settings standards_of(const Knobs& knobs);

}  // namespace knob
