#pragma once
// Drawings as pixels.

#include <string>

/// The bytes of a PNG file of an SVG text, by the program rsvg-convert. InputError where that is not installed or
/// refuses the text.
std::string make_png(const std::string& svg);
