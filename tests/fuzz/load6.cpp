// Fuzzes --load and --resume of lesson 6 with a stored run that is almost right: a model of a few numbers. What is
// accepted writes, and is stored and read the same.
// SPDX-License-Identifier: MIT
#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "lessons/6_bma/model/8_writer.hpp"
#include "lessons/6_bma/run/checkpoint.hpp"
#include "tests/fuzz/files.hpp"

// A run of one block of width 2 for two symbols, after one step where it has averages.
static safetensors::File valid_file(const std::string& path, bool begun) {
  lesson6::Recipe recipe = lesson6::recipe_of("C", "--config");
  recipe.form = {2, 2, {lesson6::Gate::bma, 1, 1, 2}, false};
  lesson6::Run run{recipe, Vocabulary("ab"), 1, lesson6::LanguageModel<float>(recipe.form), {}};
  lesson6::draw_start(run.model.tensors(), recipe.start, 1, 1);
  for (const auto& [name, tensor] : run.model.tensors()) {
    AdamW<float>::State& part = tensor.rows() == 1 ? run.state.rows : run.state.matrices;
    part.mean.emplace_back(tensor.rows(), tensor.cols());
    part.square.emplace_back(tensor.rows(), tensor.cols());
  }
  run.state.matrices.steps = run.state.rows.steps = begun;
  save_run(path, run);
  return safetensors::load(path);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scratch path("run");
  static const safetensors::File fresh = valid_file(path.path, false), begun = valid_file(path.path, true);
  Input in(data, size);
  const std::string bytes = bytes_of(edited(in.ConsumeBool() ? begun : fresh, in));
  refused<UserError>([&] {
    const lesson6::Run run = lesson6::load_run(path.holds(bytes), "--load");
    succeeds([&] {
      Random random(1);
      const std::vector<std::uint32_t> prompt = {0};
      for (const std::uint32_t symbol : write(run.model, prompt, 3, 1, random))
        require(symbol < run.vocabulary.size(), "a model writes its symbols");
      save_run(path.path, run);
      const std::string once = read_file(path.path);
      save_run(path.path, lesson6::load_run(path.path, "--load"));
      require(read_file(path.path) == once, "a run is stored and read the same");
    });
  });
  return 0;
}
