// Feeds hostile input to every reader, or to one (READER=json), and checks what it accepts.
// SPDX-License-Identifier: MIT
#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "common/data/corpus.hpp"
#include "common/derive/judge.hpp"
#include "common/frame/files/file.hpp"
#include "common/frame/files/safetensors.hpp"
#include "common/frame/lesson/part.hpp"
#include "common/frame/text/markdown.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "lessons/5_tensor_folding/train.hpp"
#include "lessons/6_bma/store.hpp"
#include "tests/check.hpp"

using Input = FuzzedDataProvider;
using std::size_t;
using std::string;

// Ends the program, which is a finding, unless the property holds.
static void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property does not hold: %s\n", property);
  std::abort();
}

// Tells whether f threw an Error of one line; anything else is a finding.
template <class Error = std::runtime_error, class F>
static bool refused(F f) {
  try {
    f();
    return false;
  } catch (const Error& error) {
    const string message = error.what();
    require(!message.empty() && message.find('\n') == message.npos,
            "an error says in one line what is wrong");
    return true;
  }
}

static string rest(Input& in) { return in.ConsumeRemainingBytesAsString(); }

// Writes a file of this process alone, if possible in memory; returns its path.
static string file_of(const string& bytes, const string& name = "input") {
  static const string folder = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
  const string path = folder + "/fuzz-" + std::to_string(getpid()) + "-" + name;
  write_file(path, bytes);
  return path;
}

static void read_words(Input& in) {
  const size_t columns = in.ConsumeIntegralInRange<size_t>(1, 20);
  const string text = rest(in), shown = printable(text);
  if (const auto number = decimal_number(text))
    require(std::isfinite(*number), "a number is finite");
  require(printable(shown) == shown && one_line(text).find('\n') == text.npos,
          "what can be shown is left as it is");
  require(escape_html(shown).find_first_of("<>\"") == shown.npos, "no text becomes markup");
  std::istringstream lines(fold(shown, columns));
  for (string folded; std::getline(lines, folded);)
    require(columns_of(folded) <= columns, "a folded line fits");
}

static void read_corpus(Input& in) {
  const SymbolKind kind = in.ConsumeBool() ? SymbolKind::words : SymbolKind::bytes;
  const size_t context = in.ConsumeIntegralInRange<size_t>(1, 4);
  const string text = rest(in), path = file_of(text);
  refused<UserError>([&] {
    const Corpus corpus = ::read_corpus(path, context, kind);
    require(corpus.vocabulary.decode(corpus.text) == text, "a text comes back from its numbers");
    require(corpus.hash == text_hash(text), "the hash of pieces is that of the whole");
    require(corpus.train_end() > context && corpus.validation_end() < corpus.text.size(),
            "each part holds a window");
    require(Vocabulary::from_hex(corpus.vocabulary.hex()) == corpus.vocabulary,
            "a vocabulary comes back");
    comparable(corpus, 2.5);
  });
}

static void read_vocabulary(Input& in) {
  const string hex = rest(in);
  refused<std::invalid_argument>([&] {
    const Vocabulary vocabulary = Vocabulary::from_hex(hex);
    require(vocabulary.hex() == hex && vocabulary.size() <= most_symbols,
            "a vocabulary is written as it was read");
  });
}

// Text that begins with { gets the length of its first line in front.
static void read_safetensors(Input& in) {
  string bytes = rest(in);
  if (bytes.starts_with('{')) {
    const size_t header = std::min(bytes.find('\n'), bytes.size());
    bytes.erase(header, 1);
    for (int k = 7; k >= 0; --k) bytes.insert(0, 1, static_cast<char>(header >> 8 * k));
  }
  safetensors::File file;
  if (refused([&] { file = safetensors::parse(bytes); })) return;
  const string written = safetensors::serialize(file);
  const safetensors::File again = safetensors::parse(written);
  require(safetensors::serialize(again) == written && again.metadata == file.metadata,
          "it is read back the same");
  for (const safetensors::Tensor& tensor : file.tensors()) {
    require(again.at(tensor.name).bytes == tensor.bytes, "a tensor is read back the same");
    refused([&] { file.values<float>(tensor.name); });
    refused([&] { file.values<std::int64_t>(tensor.name, {2}); });
  }
}

static void read_flags(Input& in) {
  static constexpr knob::Real real("real", "a number", 1, {-2, 3, 0.1});
  static constexpr knob::Choice choice("choice", "a name", {"one", "two"});
  static constexpr knob::Numbers numbers("numbers", "three numbers", {1, -1, 0}, {-5, 5, 0.5});
  static constexpr knob::Cells cells("cells", "a picture", "0123", 2);
  static constexpr knob::Words words("words", "any words");
  struct None {};
  static const Part<None> part{.number = 1, .knobs = {&real, &choice, &numbers, &cells}};
  static const Part<None>* const parts[] = {&part};
  std::vector<string> line = {"lesson1"};
  std::istringstream lines(rest(in));
  for (string word; std::getline(lines, word) && line.size() < 40;)
    line.push_back(word.substr(0, word.find('\0')));
  std::vector<const char*> argv;
  for (const string& word : line) argv.push_back(word.c_str());
  try {
    const Options options =
        ::read_flags<None>(int(argv.size()), argv.data(), "lesson1", "fuzzed", {&words}, parts);
    require(options.threads >= 1 && options.threads <= 256, "common flags lie in their range");
    const knob::Settings& at = options.settings;
    if (!at.any_given()) return;
    require(at[real] >= -2 && at[real] <= 3, "a number lies in its travel");
    require(at[choice] < 2, "a name is one of two");
    require(at[cells].size() == 4, "a picture has its cells");
    require(at[numbers].size() == 3, "as many as wanted");
    for (const double number : at[numbers])
      require(number >= -5 && number <= 5, "each lies in its travel");
  } catch (const UserError&) {  // run_program shows its line breaks as spaces
  } catch (const Finished& finished) {
    require(finished.status == 0, "--help succeeds");
  }
}

static void read_markdown(Input& in) {
  const string text = rest(in);
  markdown::Complaints ignored;
  const string html = markdown::html(markdown::read(text, ignored), {}, ignored);
  for (const string tag :
       {"p", "em", "strong", "code", "a", "li", "ul", "table", "td", "details", "summary"})
    require(count(html, "<" + tag + ">") + count(html, "<" + tag + " ") ==
                count(html, "</" + tag + ">"),
            "each tag is closed");
}

static void read_images(Input& in) {
  const string images = in.ConsumeRandomLengthString(), labels = rest(in);
  refused([&] {
    const Images read = read_idx(file_of(images, "images"), file_of(labels, "labels"));
    require(read.X.rows() == read.labels.size(), "an image has a label");
    for (std::size_t k = 0; k < read.classes(); ++k)
      require(std::count(read.labels.begin(), read.labels.end(), k) > 0, "a class has an image");
    require(std::ranges::max(read.labels) < read.classes(), "a label is a class's place");
    for (const float pixel : read.X.values())
      require(pixel >= 0 && pixel <= 1, "a pixel lies between 0 and 1");
  });
}

// Returns a valid file's bytes after a few changes that are likely to do harm.
static string edited(const safetensors::File& valid, Input& in) {
  std::vector<safetensors::Tensor> tensors = valid.tensors();
  safetensors::File file;
  file.metadata = valid.metadata;
  while (in.remaining_bytes() > 0 && !tensors.empty()) {
    const int edit = in.ConsumeIntegralInRange(0, 5);
    safetensors::Tensor& tensor = tensors[in.ConsumeIntegralInRange<size_t>(0, tensors.size() - 1)];
    if (edit == 0)
      for (auto& [key, value] : file.metadata) {
        if (!in.ConsumeBool()) continue;
        const bool number = in.ConsumeBool();
        value =
            number ? std::to_string(in.ConsumeIntegral<int>()) : in.ConsumeRandomLengthString(9);
      }
    if (edit == 1) tensors.erase(tensors.begin() + (&tensor - tensors.data()));
    if (edit == 2) tensor.name += "x";
    if (edit >= 3) {
      if (edit >= 4) tensor.dtype = in.PickValueInArray({"F32", "F64", "I64"});
      if (edit == 5)
        tensor.shape = {in.ConsumeIntegralInRange<size_t>(0, 5),
                        in.ConsumeIntegralInRange<size_t>(0, 5)};
      size_t count = tensor.dtype == "F32" ? 4 : 8;
      for (const size_t size : tensor.shape) count *= size;
      // 0, some number, huge, NaN
      tensor.bytes.assign(count, in.PickValueInArray({'\0', '\x3f', '\x7f', '\xff'}));
    }
  }
  for (safetensors::Tensor& tensor : tensors)
    if (!file.contains(tensor.name)) file.add(std::move(tensor));
  string bytes;
  refused([&] { bytes = safetensors::serialize(file); });  // no file holds invalid UTF-8
  return bytes;
}

static const string model_file = file_of("", "model");
static const Vocabulary ab("ab");

// What loads from an edited file must be stored and load again without an error.
static void reload(Input& in, const auto& start, const auto& store, const auto& load) {
  static const string valid = [&] {
    store(start);
    return read_file(model_file);
  }();
  write_file(model_file, edited(safetensors::parse(valid), in));
  refused([&] {
    store(load());
    [&]() noexcept { load(); }();
  });
}

static void load_lesson2(Input& in) {
  Random random(1);
  reload(
      in,
      lesson2::Bengio<float>({.vocab = 2, .context = 2, .dim = 2, .hidden = 3, .direct = true},
                             random),
      [](const auto& model) { lesson2::save_model(model_file, model, ab); },
      [] { return lesson2::load_model(model_file, ab); });
}

static void load_lesson5(Input& in) {
  Random random(1);
  reload(
      in, lesson5::Net<float>({4, 0, 3, 10, Biases::without}, random),
      [](const auto& net) {
        write_file(model_file, safetensors::serialize(lesson5::file_of(net)));
      },
      [] { return lesson5::net_in(safetensors::load(model_file), 4, 10); });
}

static void load_lesson6(Input& in) {
  lesson6::Recipe recipe = lesson6::recipe_of("C");
  recipe.form.vocab = recipe.form.context = recipe.form.transformer.width = 2;
  recipe.form.transformer.heads = 1;
  lesson6::Run run{recipe, ab, 0, lesson6::LanguageModel<float>(recipe.form)};
  lesson6::draw_start(run.model, recipe.start, 1);
  reload(
      in, run, [](const auto& of) { lesson6::save_run(model_file, of); },
      [] { return lesson6::load_run(model_file, "--load"); });
}

// Any bytes are judged and shown in one line, as an answer to any derivation.
static void read_typed_line(Input& in) {
  static const std::vector<formula::Derivation> all = [] {
    std::vector<formula::Derivation> every;
    for (const auto& entry : std::filesystem::directory_iterator("lessons"))
      if (entry.is_directory())
        for (formula::Derivation& d : formula::derivations_in(entry.path().string()))
          every.push_back(std::move(d));
    return every;
  }();
  const formula::Derivation& d = all[in.ConsumeIntegralInRange<size_t>(0, all.size() - 1)];
  const formula::Asked& asked = d.asked[in.ConsumeIntegralInRange<size_t>(0, d.asked.size() - 1)];
  const string line = rest(in), said = formula::judge(d, asked, line).text;
  require(!said.empty() && said.find('\n') == said.npos, "a judgement is one line");
  const formula::Echo shown = formula::echo(d, asked, line);
  require(!shown.math.empty() || !shown.problem.empty(), "a line is shown, or what is not read");
  formula::named_in(d, line);
}

static const struct {
  const char* name;
  void (*read)(Input& in);
} readers[] = {
    {"words", read_words},       {"corpus", read_corpus},   {"vocabulary", read_vocabulary},
    {"markdown", read_markdown}, {"flags", read_flags},     {"safetensors", read_safetensors},
    {"images", read_images},     {"load2", load_lesson2},   {"load5", load_lesson5},
    {"load6", load_lesson6},     {"typed", read_typed_line}};

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  static const string wanted = std::getenv("READER") ? std::getenv("READER") : "";
  Input in(data, size);
  for (const auto& [name, read] : readers)
    if (name == wanted) {
      read(in);
      return 0;
    }
  for (const auto& reader : readers) std::printf("%s\n", reader.name);
  std::exit(0);
}
