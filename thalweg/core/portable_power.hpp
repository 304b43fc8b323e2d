// Logarithm, exponential and power of doubles with the same bits on every machine: those of the C library
// round otherwise where the processor lacks fused multiply-add. For floats, in vectors and less exact:
// power.hpp.
#pragma once

namespace thalweg {

/// ln x of a positive normal number, within 1 unit in the last place; -inf for 0, NaN below it. Source: the
/// method of fdlibm's e_log.c (Sun Microsystems 1993): x = 2^k m, ln m = 2 artanh((m - 1) / (m + 1)).
double portable_log(double x);

/// e^x within 1 unit in the last place; 0 below -708, infinite above 709.7. Source: fdlibm's e_exp.c.
double portable_exp(double x);

/// x^p for x >= 0, within 1 unit in the last place while |p ln x| < 700: its logarithm is carried in two
/// doubles. x^0 is 1; 0^p is 0, or infinite for p < 0; NaN for x < 0.
double portable_power(double x, double p);

}  // namespace thalweg
