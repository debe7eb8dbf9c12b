#pragma once
// The two streams of the command. Results are there to the last byte or the command says that they are not; messages
// are said if anybody listens, and never get in the way of results.

#include <dalembert/report/report.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

/// Before anything else: closed streams are kept from being taken by files that are opened later, and neither a reader
/// that goes away nor a file that may not grow further (ulimit -f) ends the command but where it writes results.
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

/// Before the work is done: the file that -o names, of one of these kinds, or standard output where there is none or it
/// has JSON as well. `written` says what is written as what, for any other kind.
void try_output(const std::string& path, bool json, std::initializer_list<dalembert::FileKind> kinds,
                const std::string& written, const std::string& remedy = "choose one of them");
