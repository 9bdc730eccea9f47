// Lesson 5: can a network be understood from its weights alone? Run: make lesson5
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

#include "common/frame/lesson/model_visitors.hpp"

namespace lesson5 {

void equations(formula::EquationChecker& checker);
static const Part<Session>* const parts[] = {&part1,  &part2,  &part3, &part4, &part5,
                                             &part6,  &part7,  &part8, &part9, &part10,
                                             &part11, &part12, &part13};

constexpr knob::TextFile image_file{"images",
                                    "images in IDX form, as MNIST ships them (drawn digits)"};
constexpr knob::TextFile label_file{"labels", "their labels, in IDX form"};
constexpr knob::Real rate{
    "rate", "peak learning rate", ClassifierSettings().rate, {1e-6, 100, 1e-3}};
constexpr knob::TextFile folded{"fold", "store the product net's table, folded (safetensors)"};
constexpr knob::TextFile save{"save", "store the trained product net (safetensors)"};
constexpr knob::TextFile load{"load", "use a stored product net instead of training one"};
static const knob::Knobs flags = {&image_file, &label_file, &rate, &save, &load, &folded};

static void check_flags(const knob::Settings& own) {
  if (own[image_file].empty() != own[label_file].empty())
    throw UserError("--images and --labels need each other");
  if (own.given(save) && own.given(load))
    throw UserError("--save: with --load nothing is trained that could be saved");
}

// Few digits judge while a reader waits, hardly any in a part that looks at none.
static std::size_t drawn_digits(const Options& o) {
  if (!o.settings.any_given()) return o.quick_or<std::size_t>(600, 3000);
  return o.part >= 7 && o.part <= 10 ? 600 : 10;
}

static TrainTest read_images(const Options& o) {
  Random random(o.seed, 72);
  TrainTest all = read_or_draw(o.own[image_file], o.own[label_file], drawn_digits(o), random);
  const double numbers = double(all.train.X.size() + all.test.X.size());
  // Each thread judges a net on them.
  check_memory("--images", 4 * numbers * (4 + 2 * double(o.threads)));
  // The table, its eigenvectors, and both as bytes.
  if (o.own.given(folded))
    check_memory("--fold",
                 4.0 * 8 * double(all.train.classes() * all.train.X.cols() * all.train.X.cols()));
  if (all.train.X.cols() > 4096)
    throw UserError("--images: only images of at most 4,096 pixels can be folded");
  return all;
}

Session::Session(const Options& o)
    : options(o), pool(pool_of(o)), images(read_images(o)), to_choose(without_test(images.train)) {
  const std::string path = options.own[load];
  if (stored()) {
    const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
    nets_.emplace(training().noise, blame("--load: '" + path + "'", [&] {
                    return net_in(file, images.train.X.cols(), images.train.classes());
                  }));
  }
  const std::vector<std::string> inputs{options.own[image_file], options.own[label_file], path};
  const std::size_t none = images.train.classes();
  for (const knob::Whole* label : {&shown, &source, &wanted})
    if (o.settings.given(*label) && class_of(images.train, o.settings[*label], none) == none)
      throw UserError(join("--", label->name, ": no image has the label ", o.settings[*label]));
  check_save(options.own[save], options, inputs);
  check_save(options.own[folded], options, inputs, "--fold");
}

bool Session::shipped() const { return !options.own.given(image_file); }
bool Session::stored() const { return options.own.given(load); }
bool Session::standard() const {
  return shipped() && !stored() && !options.settings.any_given() &&
         options.own[rate] == ClassifierSettings().rate;
}

ClassifierSettings Session::training() const {
  ClassifierSettings settings;
  if (!shipped()) settings.steps = 3000;
  if (options.settings.any_given()) settings.steps = 300;
  settings.steps = options.steps_or(settings.steps, 60);
  settings.rate = options.own[rate];
  if (!shipped()) {
    settings.noise = 0.4;
    settings.decay = 0.3;
  }
  return settings;
}

std::string Session::which_net() const {
  if (stored()) return "The net is the stored one.";
  const long text = ClassifierSettings().steps, own = training().steps;
  return join("The net learned for ", own, " steps from ", images.train.labels.size(), " images",
              own == text || !shipped() ? "" : join("; the text's for ", text, " from 6000"), ".");
}

NetForm Session::form() const {
  const std::size_t inputs = images.train.X.cols();
  return of_products(inputs, inputs <= 200 ? 24 : 64, images.train.classes());
}

const Net<float>& Session::net(double noise) {
  if (const auto place = nets_.find(noise); place != nets_.end()) return place->second;
  ClassifierSettings settings = training();
  const bool own = settings.noise == noise;
  settings.noise = noise;
  Net<float> net = trained<Net<float>>(form(), options.seed, settings, images.train);
  if (own && options.own.given(save))
    blame("--save", [&] { safetensors::save(options.own[save], file_of(net)); });
  return nets_.emplace(noise, std::move(net)).first->second;
}

const UnitNet<float>& Session::relu_net() {
  ClassifierSettings settings = training();
  settings.rate *= 3;
  if (!relu_)
    relu_ = trained<UnitNet<float>>({images.train.X.cols(), 46, images.train.classes()},
                                    options.seed, settings, images.train);
  return *relu_;
}

const std::vector<Eigen>& Session::spectra() {
  if (spectra_.empty()) spectra_ = spectra_of(net());
  return spectra_;
}

std::vector<Eigen> Session::spectra_of(const Net<float>& of) {
  const Net<double> net = in_double(of);
  std::vector<Eigen> spectra(net.form.outputs);
  run_grid(pool, "eigenvectors", {spectra.size()},
           [&](std::size_t o) { spectra[o] = eigen_through_factors(net, o); });
  return spectra;
}

std::string text_of(const Matrix<double>& A) {
  const bool row = A.rows() == 1;
  std::string text;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    if (i > 0) text += "; ";
    for (std::size_t j = 0; j < A.cols(); ++j) {
      if (j > 0) text += row ? ", " : " ";
      text += significant(A(i, j));
    }
  }
  return row ? "(" + text + ")" : "[" + text + "]";
}

static constexpr std::size_t surface_side = 23;

Matrix<double> square_of_points() {
  Matrix<double> X(surface_side * surface_side, 2);
  for (std::size_t i = 0; i < surface_side; ++i)
    for (std::size_t j = 0; j < surface_side; ++j) {
      X(i * surface_side + j, 0) = -2 + 4 * double(j) / (surface_side - 1);
      X(i * surface_side + j, 1) = 2 - 4 * double(i) / (surface_side - 1);
    }
  return X;
}

plot::Sheet surfaces(const std::vector<std::string>& captions, const Matrix<double>& Y) {
  plot::Sheet sheet{
      .title = "Over the inputs x0 and x1", .rows = surface_side, .cols = surface_side};
  sheet.x = {.title = "x0", .low = -2, .high = 2};
  sheet.y = {.title = "x1", .low = -2, .high = 2};
  sheet.diverging = true;
  sheet.own_scale = true;
  for (std::size_t k = 0; k < captions.size(); ++k)
    sheet.images.push_back(image(captions[k], Matrix<double>(column_block(Y, k, 1))));
  return sheet;
}

plot::Sheet top_eigenvectors(const std::vector<Eigen>& spectra, const Images& images,
                             const std::string& title) {
  plot::Sheet sheet = sheet_for(images, title);
  sheet.own_scale = true;
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    const std::size_t top = most_positive(spectra[o]);
    const Matrix<double> v(row_block(spectra[o].vectors, top, 1));
    sheet.images.push_back(
        image(join(images.names[o], ": λ ", fixed(spectra[o].values[top], 1)), v));
  }
  return sheet;
}

std::size_t class_of(const Images& images, std::size_t name, std::size_t otherwise) {
  const auto place = std::find(images.names.begin(), images.names.end(), name);
  return place == images.names.end() ? otherwise : std::size_t(place - images.names.begin());
}

Matrix<double> example_of(const Net<float>& net, const Images& images, std::uint32_t label) {
  const std::vector<std::uint32_t> answers = largest_of_rows(output(net, images.X));
  std::size_t first = 0;
  while (first < answers.size() && !(images.labels[first] == label && answers[first] == label))
    ++first;
  if (first == answers.size()) first = 0;
  return Matrix<double>(row_block(images.X, first, 1));
}

static void add_slices(safetensors::File& file, const std::string& name, const Tensor3& slices) {
  std::vector<double> all;
  for (const Matrix<double>& slice : slices)
    all.insert(all.end(), slice.values().begin(), slice.values().end());
  file.add(name, {slices.size(), slices.at(0).rows(), slices.at(0).cols()}, all);
}

// Returns a net's table, its slices' eigenvectors, and what each slice's class is called.
static safetensors::File table_of(const Net<float>& of, const Images& images) {
  const Net<double> net = in_double(of);
  safetensors::File file;
  file.metadata = {{"lesson", "5"},
                   {"S", "logits[r,o] = sum over p, q of X[r,p] S[o,p,q] X[r,q]"},
                   {"vectors", "S[o] = sum over k of values[o,k] vectors[o,k]ᵀ vectors[o,k]"},
                   {"labels", "what the file of labels calls class o"}};
  add_slices(file, "S", quadratic_slices(net));
  Tensor3 vectors;
  std::vector<double> values;
  for (std::size_t o = 0; o < net.form.outputs; ++o) {
    const Eigen eigen = eigen_through_factors(net, o);
    values.insert(values.end(), eigen.values.begin(), eigen.values.end());
    vectors.push_back(eigen.vectors);
  }
  add_matrix(file, "values", matrix_of(values, vectors.size(), vectors[0].rows()));
  add_slices(file, "vectors", vectors);
  add_indices(file, "labels", {images.classes()}, images.names);
  return file;
}

struct FoldedExports : Exports {
  void add(const std::string& name, const Net<double>& net, const Matrix<double>& X,
           const cross_entropy& loss, Quadratic = {}) {
    add_matrix(file, "input.X", X);
    add_indices(file, "input.labels", {loss.labels.size()}, loss.labels);
    Exports::add(name, net, X, loss);
    const Tensor3 T = fold(net), S = symmetric(T);
    add_slices(file, "fold.T", T);
    add_slices(file, "fold.S", S);
    std::vector<double> values;
    for (const Matrix<double>& slice : S)
      for (const double value : eigen_symmetric(slice).values) values.push_back(value);
    add_matrix(file, "fold.eigenvalues", matrix_of(values, S.size(), S[0].rows()));
  }
};

static int export_all(const std::string& path) {
  FoldedExports to;
  to.called = "logits";
  to.file.metadata = {
      {"lesson", "5"},
      {"loss", "mean cross-entropy in nats; * is entry by entry, X W is the matrix product"},
      {"net", "J = X E + e; H = (J W + b) * (J V + c); logits = H U + u"},
      {"fold.T", "logits[r,o] = sum over p, q of (X,1)[r,p] T[o,p,q] (X,1)[r,q]"},
      {"fold.S", "S[o,p,q] = (T[o,p,q] + T[o,q,p]) / 2"},
      {"fold.eigenvalues", "of S[o], by falling size"}};
  visit_models(to);
  return write_export(path, to.file);
}

// Some 18 nets, at some 5e10 operations a second on each thread.
static void announce(Lesson& lesson, const Session& session) {
  const NetForm form = session.form();
  const double of_a_net =
      12 * 128 * double(form.inputs * form.hidden) * double(session.training().steps);
  const double minutes = 18 * of_a_net / 5e10 / 60 / double(session.options.threads);
  if (minutes >= 1 && !session.options.part)
    lesson.say("With images of ", form.inputs, " pixels all parts together take some ",
               significant(minutes, 1), " minutes; --part runs one.");
}

static int run(const Options& options) {
  check_flags(options.own);
  if (!options.export_file.empty()) return export_all(options.export_file);
  Session session(options);
  Lesson lesson(options, "Lesson 5: can a network be understood from its weights alone?");
  if (!session.standard()) lesson.training_is_not_standard();
  lesson.equations(equations);
  announce(lesson, session);
  run_parts<Session>(lesson, session, parts);
  if (options.own.given(save)) {
    session.net();  // training stores it
    lesson.wrote(options.own[save]);
  }
  if (const std::string path = options.own[folded]; !path.empty()) {
    blame("--fold",
          [&] { safetensors::save(path, table_of(session.net(), session.images.train)); });
    lesson.wrote(path);
  }
  return lesson.finish(
      "Yes, as long as the network is one product layer: its table gives up each digit's patterns, the products and a bound "
      "that no input passes. What fools the network best needs the image as well, and two layers make too large a table.");
}

}  // namespace lesson5

int main(int argc, char** argv) {
  return run_program("lesson5", [&] {
    return lesson5::run(read_flags<lesson5::Session>(
        argc, argv, "lesson5", "Can a network be understood from its weights alone?",
        lesson5::flags, lesson5::parts));
  });
}
