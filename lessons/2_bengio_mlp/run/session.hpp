// Lesson 2: what its parts share: the flags of this lesson, the text, the threads, and the model once it is trained.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/support/corpus.hpp"
#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/run/flags.hpp"

namespace lesson2 {

inline constexpr long standard_steps = 6000;  // of the model that parts 6 and 8 share

class Session {
 public:
  // Reads the text and, under --load, the model. Throws UserError when either cannot be used, when the text lacks a
  // symbol of the prompt, and when the model could not be saved once it is trained.
  Session(const BengioFlags& f, const Options& options, const char* program);

  // Returns the form of the model that is loaded, or that the flags describe.
  BengioForm form() const;

  // Is the model the one, and the text the text, that the claims about training are made for?
  bool is_standard() const { return corpus.shipped() && !flags.own_model && flags.load.empty(); }

  bool loaded() const { return !flags.load.empty(); }
  const Bengio<float>& model() const { return *model_; }

  using WatchModel = std::function<void(long step, double loss, const Bengio<float>& model)>;

  // Trains the model that the flags describe, calls `watch` after each step, and saves it under --save.
  void train_model(std::uint64_t seed, long steps, const WatchModel& watch);

  // Trains it with nothing but a line of progress where no part has trained one and none was loaded.
  void ensure_model(const Options& options);

  // Returns the prompt and `count` symbols with which the model continues it.
  std::string write(const std::string& prompt, std::size_t count, double temperature, std::uint64_t seed) const;

  BengioFlags flags;
  Corpus corpus;
  Pool pool;

 private:
  std::optional<Bengio<float>> model_;
};

}  // namespace lesson2
