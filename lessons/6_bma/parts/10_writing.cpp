// Lesson 6, part 10: the model writes, symbol by symbol, with a cache.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/model/8_writer.hpp"
#include "lessons/6_bma/run/session.hpp"

namespace lesson6 {

void part10(Lesson& lesson, Session& session) {
  const Run& run = session.shown();
  const Vocabulary& vocabulary = session.corpus.vocabulary;
  const Symbols start = Symbols(session.corpus.text)
                            .subspan(session.corpus.train_end(), std::max<std::size_t>(1, run.model.form.context / 2));
  Random random(lesson.options().seed, 5);
  const auto began = std::chrono::steady_clock::now();
  constexpr std::size_t count = 400;
  const std::vector<std::uint32_t> text = write(run.model, {start.begin(), start.end()}, count, 0.8, random);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const std::string written = vocabulary.decode(start) + vocabulary.decode(text) + "\n";
  const std::size_t end_of_line = written.find('\n', 60), first = std::min(end_of_line, written.size() - 1) + 1;
  lesson.say("What does the model write, from ", start.size(), " symbols on, at temperature .8?");
  lesson.show(written.substr(0, first));
  if (first < written.size()) lesson.detail(written.substr(first));
  lesson.detail(join("  ", count, " symbols took ", fixed(seconds, 4), " s (", fixed(double(count) / seconds, 0),
                     " a second)\n"));
  Writer<float> writer(run.model);
  const Matrix<float> logits = output(run.model, Texts{start, start.size()});
  for (const std::uint32_t symbol : start.first(start.size() - 1)) writer.next(symbol);
  const Matrix<float> last(row_block(logits, start.size() - 1, 1));
  // Float: sums in another order, through a few dozen layers of operations on numbers of size 1 to 10.
  lesson.claim("logits with the cache = those of the whole window, max |diff|",
               max_abs_difference(writer.next(start.back()), last), at_most(1e-3));
}

}  // namespace lesson6
