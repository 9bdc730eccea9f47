// Knobs: what can be turned, in a lesson as a whole or in one part. At the terminal each is a flag; those of a part go
// with --part, and are a slider, a list or a field on the page of the lesson. Turning one runs that part alone.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

class Flags;

namespace knob {

// From where to where a knob goes, and in which steps; the page moves it by whole ones.
struct Travel {
  double low = 0, high = 0, step = 1;
};

// A short list that is a constant, so that no program can fail over its knobs before it has begun.
template <class Item>
struct Few {
  std::array<Item, 32> items{};
  std::size_t count = 0;

  constexpr Few() = default;
  constexpr Few(std::initializer_list<Item> list) : count(list.size()) {
    std::copy(list.begin(), list.end(), items.begin());
  }
  constexpr const Item* begin() const { return items.data(); }
  constexpr const Item* end() const { return items.data() + count; }
  constexpr const Item& operator[](std::size_t k) const { return items.at(k); }
};

struct Knob {
  enum class Kind { real, whole, choice, numbers, cells, file, text, toggle };
  Kind kind;
  std::string_view name, meaning;   // the flag without its dashes, and what it turns
  Travel travel{};                  // of each number
  Few<double> usual{};              // the numbers that it stands at
  Few<std::string_view> choices{};  // of which the value is one; `usual` is its number
  std::string_view digits{};        // of the cells
  std::size_t count = 1;            // how many numbers; of cells, how many in a row and in a column

  std::string flag() const { return "--" + std::string(name); }
  std::string standard() const;  // the value where it stands, as one types it
};

using Text = std::string_view;

// A number, inside the range and at its ends.
struct Real : Knob {
  constexpr Real(Text flag, Text means, double start, const Travel& range)
      : Knob{Kind::real, flag, means, range, {start}} {}
};

// A whole number.
struct Whole : Knob {
  constexpr Whole(Text flag, Text means, std::size_t start, const Travel& range)
      : Knob{Kind::whole, flag, means, range, {double(start)}} {}
};

// One of a few names; it stands at the one with this number.
struct Choice : Knob {
  constexpr Choice(Text flag, Text means, const Few<Text>& names, std::size_t start = 0)
      : Knob{Kind::choice, flag, means, {}, {double(start)}, names} {}
};

// Numbers with commas between them: --w 1,-1,0.
struct Numbers : Knob {
  constexpr Numbers(Text flag, Text means, std::initializer_list<double> start, const Travel& range)
      : Knob{Kind::numbers, flag, means, range, start, {}, {}, start.size()} {}
};

// A square picture, row by row, a digit for each cell: 0 is paper, 9 is ink.
struct Cells : Knob {
  constexpr Cells(Text flag, Text means, Text picture, std::size_t side)
      : Knob{Kind::cells, flag, means, {0, 9, 1}, {}, {}, picture, side} {}
};

// A file, none unless one is named. The page asks for the text that it would hold.
struct TextFile : Knob {
  constexpr TextFile(Text flag, Text means) : Knob{Kind::file, flag, means} {}
};

// Any words, none unless some are given.
struct Words : Knob {
  constexpr Words(Text flag, Text means) : Knob{Kind::text, flag, means} {}
};

// Off, unless it is named.
struct Toggle : Knob {
  constexpr Toggle(Text flag, Text means) : Knob{Kind::toggle, flag, means} {}
};

using Knobs = std::vector<const Knob*>;

// The values of some knobs.
class Settings {
 public:
  double operator[](const Real& knob) const;
  std::size_t operator[](const Whole& knob) const;
  std::size_t operator[](const Choice& knob) const;  // which of the choices
  const std::string& name_of(const Choice& knob) const { return value(knob); }
  std::vector<double> operator[](const Numbers& knob) const;
  std::vector<double> operator[](const Cells& knob) const;  // from 0 to 1, row by row
  std::string operator[](const TextFile& knob) const;       // its path, or nothing
  std::string operator[](const Words& knob) const;
  bool operator[](const Toggle& knob) const;

  // Tells whether this knob was named, whatever its value.
  bool given(const Knob& knob) const { return given_.count(knob.name) > 0; }

  // Tells whether a knob was named in this run, whatever its value.
  bool turned() const { return turned_; }

  // Tells whether each has its standard value, or none was named.
  bool standard() const { return standard_; }

 private:
  friend Settings standards_of(const Knobs&);
  friend Settings ask_for_flags(Flags&, const Knobs&);
  friend Settings ask_for_knobs(Flags&, std::optional<int>, const std::map<int, Knobs>&);
  const std::string& value(const Knob& knob) const;

  std::map<std::string_view, std::string> values_;
  std::set<std::string_view> given_;
  bool turned_ = false, standard_ = true;
};

// Returns what knobs stand at that nobody turns.
Settings standards_of(const Knobs& knobs);

// Asks for a lesson's own flags, whatever part runs. Throws UserError for a value out of range.
Settings ask_for_flags(Flags& flags, const Knobs& knobs);

// Asks for the knobs of a part; the others are by the number of theirs. A flag that the lesson has asked for already,
// such as --steps, may be a knob as well, but does not turn by itself. Throws UserError for a value out of range and for
// a knob of another part.
Settings ask_for_knobs(Flags& flags, std::optional<int> part, const std::map<int, Knobs>& knobs);

}  // namespace knob
