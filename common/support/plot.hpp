#pragma once
#include "common/plot/plot.hpp"  // its place; this file goes
