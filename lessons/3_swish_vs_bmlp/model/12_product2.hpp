// Lesson 3, part 5: two product layers, one behind the other, forward and backward by hand. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "network.hpp"

template <class T>
struct Product2 {
  using Number = T;

  Sizes sizes;               // hidden: the products of the first layer
  std::size_t width, upper;  // the numbers that the second layer sees, and its products
  Matrix<T> W, b, V, c;      // d x h, 1 x h, twice
  Matrix<T> U, d;            // h x width, 1 x width
  Matrix<T> Wb, bb, Vb, cb;  // width x upper, 1 x upper, twice
  Matrix<T> W2, W3, b2;      // upper x o, d x o, 1 x o

  // All parameters zero.
  Product2(Sizes s, std::size_t middle, std::size_t second)
      : sizes(s),
        width(middle),
        upper(second),
        W(s.in, s.hidden),
        b(1, s.hidden),
        V(s.in, s.hidden),
        c(1, s.hidden),
        U(s.hidden, middle),
        d(1, middle),
        Wb(middle, second),
        bb(1, second),
        Vb(middle, second),
        cb(1, second),
        W2(second, s.out),
        W3(s.in, s.out),
        b2(1, s.out) {}

  // The start of training. Signals are squared twice, so the first layer's output is kept small (README.md: q → q²).
  Product2(Sizes s, std::size_t middle, std::size_t second, Random& random) : Product2(s, middle, second) {
    W = uniform_weights<T>(s.in, s.hidden, random);
    V = uniform_weights<T>(s.in, s.hidden, random);
    U = T(0.3) * uniform_weights<T>(s.hidden, middle, random);
    Wb = uniform_weights<T>(middle, second, random);
    Vb = uniform_weights<T>(middle, second, random);
    W2 = uniform_weights<T>(second, s.out, random);
    W3 = uniform_weights<T>(s.in, s.out, random);
    for (Matrix<T>* bias : {&b, &c, &bb, &cb}) *bias = uniform_matrix<T>(1, bias->cols(), 0.5, random);
  }

  Tensors<T> tensors() {
    return {{"W", W},   {"b", b},   {"V", V},   {"c", c},   {"U", U},   {"d", d},  {"Wb", Wb},
            {"bb", bb}, {"Vb", Vb}, {"cb", cb}, {"W2", W2}, {"W3", W3}, {"b2", b2}};
  }

  // What the backward pass needs to remember of the forward pass.
  struct Trace {
    Matrix<T> X, P, Q, H, G, Pb, Qb, Hb, Y;
  };

  Trace forward(Matrix<T> X) const {
    Trace t;
    t.X = std::move(X);
    t.P = add_row(matmul(t.X, W), b);       // n x h       (3.13)
    t.Q = add_row(matmul(t.X, V), c);       // n x h       (3.14)
    t.H = hadamard(t.P, t.Q);               // n x h       (3.15)
    t.G = add_row(matmul(t.H, U), d);       // n x width   (3.20)
    t.Pb = add_row(matmul(t.G, Wb), bb);    // n x upper   (3.21)
    t.Qb = add_row(matmul(t.G, Vb), cb);    // n x upper   (3.21)
    t.Hb = hadamard(t.Pb, t.Qb);            // n x upper   (3.21)
    t.Y = add_row(matmul(t.Hb, W2), b2);    // n x o       (3.22)
    matmul_into(t.Y, t.X, W3, Write::add);  // n x o       (3.22)
    return t;
  }

  // dY is d loss / d Y, n x o.
  Gradients<Product2> backward(const Trace& t, const Matrix<T>& dY) const {
    Gradients<Product2> g{Product2(sizes, width, upper), {}};
    g.d.W2 = matmul(transpose(t.Hb), dY);             // upper x o       (3.22) back
    g.d.W3 = matmul(transpose(t.X), dY);              // d x o           (3.22) back
    g.d.b2 = column_sums(dY);                         // 1 x o           (3.22) back
    const Matrix<T> dHb = matmul(dY, transpose(W2));  // n x upper       (3.22) back
    const Matrix<T> dPb = hadamard(dHb, t.Qb);        // n x upper       (3.21) back
    const Matrix<T> dQb = hadamard(dHb, t.Pb);        // n x upper       (3.21) back
    g.d.Wb = matmul(transpose(t.G), dPb);             // width x upper   (3.21) back
    g.d.bb = column_sums(dPb);                        // 1 x upper       (3.21) back
    g.d.Vb = matmul(transpose(t.G), dQb);             // width x upper   (3.21) back
    g.d.cb = column_sums(dQb);                        // 1 x upper       (3.21) back
    Matrix<T> dG = matmul(dPb, transpose(Wb));        // n x width       (3.21) back
    matmul_into(dG, dQb, transpose(Vb), Write::add);  // n x width       (3.21) back
    g.d.U = matmul(transpose(t.H), dG);               // h x width       (3.20) back
    g.d.d = column_sums(dG);                          // 1 x width       (3.20) back
    const Matrix<T> dH = matmul(dG, transpose(U));    // n x h           (3.20) back
    const Matrix<T> dP = hadamard(dH, t.Q);           // n x h           (3.15) back
    const Matrix<T> dQ = hadamard(dH, t.P);           // n x h           (3.15) back
    g.d.V = matmul(transpose(t.X), dQ);               // d x h           (3.14) back
    g.d.c = column_sums(dQ);                          // 1 x h           (3.14) back
    g.d.W = matmul(transpose(t.X), dP);               // d x h           (3.13) back
    g.d.b = column_sums(dP);                          // 1 x h           (3.13) back
    g.dX = matmul(dY, transpose(W3));                 // n x d           (3.22) back
    matmul_into(g.dX, dQ, transpose(V), Write::add);  // n x d           (3.14) back
    matmul_into(g.dX, dP, transpose(W), Write::add);  // n x d           (3.13) back
    return g;
  }
};
