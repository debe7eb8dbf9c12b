#pragma once
// Memory that runs out is an exception, in GMP and FLINT the end with a sentence: by themselves they would abort. So
// would a stack that is too small.

/// Before anything is read. Ends the program with a sentence where the system allows no stack of the size that the
/// limits of formulas need.
void make_room_on_the_stack();
/// Before the first number is made.
void end_where_memory_ends();
