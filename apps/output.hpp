#pragma once
// The two streams of the command. Results are there to the last byte or the command says that they are not; messages
// are said if anybody listens, and never get in the way of results.

#include <string_view>

/// Before anything else: closed streams are kept from being taken by files that are opened later, and a reader that
/// goes away ends the command only while it writes results.
void open_streams();

/// A document (CSV, JSON, C, LaTeX) on standard output. Throws OutputError where it cannot be written.
void put(std::string_view document);
/// Text for people on standard output: what a terminal would act on is shown as an escape.
void put_text(std::string_view text);
/// Throws where standard output is closed: known before the work is done.
void try_standard_output();

/// A message on standard error, made safe as put_text does. Never fails.
void say(std::string_view message);
/// The same as it is: for a progress bar.
void say_raw(std::string_view message);
