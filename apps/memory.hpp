#pragma once
// Memory that runs out is an exception everywhere: GMP and FLINT by themselves would end the program. So would a stack
// that is too small.

/// Before anything is read. Ends the program with a sentence where the system allows no stack of the size that the
/// limits of formulas need.
void make_room_on_the_stack();
/// Before the first number is made.
void throw_where_memory_ends();
