#pragma once
// Memory that runs out is an exception everywhere: GMP and FLINT by themselves would end the program.

/// Before the first number is made.
void throw_where_memory_ends();
