// Knobs: what can be turned in an experiment of a part. At the terminal each is a flag, which goes with --part; on the
// page of the lesson a slider, a list or a field. Turning one runs that experiment alone.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

class Flags;

namespace knob {

struct Knob {
  enum class Kind { real, whole, choice, numbers, cells, file };
  Kind kind;
  std::string name, meaning, standard;    // the flag without its dashes; the value as one types it
  double low = 0, high = 0, step = 1;     // of each number; the page moves it by whole steps
  std::vector<std::string> choices = {};  // of which the value is one
  std::size_t count = 1;                  // how many numbers; of cells, how many in a row and in a column
};

// From where to where a knob goes, and in which steps.
struct Travel {
  double low, high, step;
};

// A number, inside the range and at its ends.
struct Real : Knob {
  Real(const std::string& flag, const std::string& means, double usual, const Travel& travel);
};

// A whole number.
struct Whole : Knob {
  Whole(const std::string& flag, const std::string& means, std::size_t usual, const Travel& travel);
};

// One of a few names, the first unless another is asked for.
struct Choice : Knob {
  Choice(const std::string& flag, const std::string& means, const std::vector<std::string>& names);
};

// Numbers with commas between them: --w 1,-1,0.
struct Numbers : Knob {
  Numbers(const std::string& flag, const std::string& means, const std::vector<double>& usual, const Travel& travel);
};

// A square picture, row by row, a digit for each cell: 0 is paper, 9 is ink.
struct Cells : Knob {
  Cells(const std::string& flag, const std::string& means, const std::string& usual, std::size_t side);
};

// A file, none unless one is named. The page asks for the text that it would hold.
struct TextFile : Knob {
  TextFile(const std::string& flag, const std::string& means);
};

using Knobs = std::vector<const Knob*>;

// The values of a part's knobs.
class Settings {
 public:
  double operator[](const Real& knob) const;
  std::size_t operator[](const Whole& knob) const;
  std::size_t operator[](const Choice& knob) const;  // which of the choices
  std::vector<double> operator[](const Numbers& knob) const;
  std::vector<double> operator[](const Cells& knob) const;  // from 0 to 1, row by row
  std::string operator[](const TextFile& knob) const;       // its path, or nothing

  // Tells whether a knob was named in this run, whatever its value.
  bool turned() const { return turned_; }

  // Tells whether each has its standard value, or none was named.
  bool standard() const { return standard_; }

 private:
  friend Settings ask_for_knobs(Flags&, std::optional<int>, const std::map<int, Knobs>&);
  const std::string& value(const Knob& knob) const;

  std::map<std::string, std::string> values_;
  bool turned_ = false, standard_ = true;
};

// Asks for the knobs of a part; the others are by the number of theirs. A flag that the lesson has asked for already, such as --steps, may be
// a knob as well, but does not turn by itself. Throws UserError for a value out of range and for a knob of another part.
Settings ask_for_knobs(Flags& flags, std::optional<int> part, const std::map<int, Knobs>& knobs);

}  // namespace knob
