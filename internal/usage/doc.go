// Package usage tells what the program, and all programs together, have taken of the
// machine: processor time and memory. Linux tells all of it; other systems tell less,
// and 0 stands for what is not known. Amount writes memory for people.
package usage
