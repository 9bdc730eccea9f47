// SPDX-License-Identifier: MIT
#include "common/data/cifar.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/files/file.hpp"
#include "common/text/words.hpp"

static Images parse_cifar(std::string_view bytes) {
  constexpr std::size_t side = 32, pixels = 3 * side * side, record = 1 + pixels;
  if (bytes.empty() || bytes.size() % record != 0)
    throw std::runtime_error(join("no batch of CIFAR-10, as its ", bytes.size(),
                                  " bytes are no records of ", record,
                                  "; images in IDX form need --labels"));
  Images images{side, side, Matrix<float>(bytes.size() / record, pixels), {}};
  for (std::size_t n = 0; n < images.X.rows(); ++n) {
    const std::string_view image = bytes.substr(n * record, record);
    const std::uint32_t label = static_cast<unsigned char>(image[0]);
    if (label > 9)
      throw std::runtime_error(
          join("label ", label, " of image ", n, " (counted from 0) is over 9"));
    images.labels.push_back(label);
    std::transform(image.begin() + 1, image.end(), images.X.row(n).begin(),
                   [](unsigned char byte) { return float(byte) / 255; });
  }
  return images;
}

Images read_cifar(const std::string& path) {
  return parse_file(path, 6, parse_cifar);  // bytes, floats
}
