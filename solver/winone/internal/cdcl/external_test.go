package cdcl

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
)

// Where solverVariable is set, a missing solver fails the test instead of
// skipping it.
const solverVariable = "PAIKA_SAT_TESTS"

// external finds a solver that others wrote, or skips the test. Both read DIMACS
// from standard input and tell the answer by their exit status.
func external(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"cadical", "minisat"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv(solverVariable) != "" {
		t.Fatal("neither cadical nor minisat is installed")
	}
	t.Skip("neither cadical nor minisat is installed")
	return ""
}

// Exit statuses of the SAT competitions.
const (
	exitSatisfiable   = 10
	exitUnsatisfiable = 20
)

// ask has an external solver decide a formula.
func ask(t *testing.T, solver string, variables int, clauses [][]int) bool {
	t.Helper()
	var formula bytes.Buffer
	fmt.Fprintf(&formula, "p cnf %d %d\n", variables, len(clauses))
	for _, c := range clauses {
		for _, l := range c {
			fmt.Fprint(&formula, l, " ")
		}
		fmt.Fprintln(&formula, 0)
	}
	command := exec.CommandContext(t.Context(), solver)
	command.Stdin = &formula
	output, err := command.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		switch exit.ExitCode() {
		case exitSatisfiable:
			return true
		case exitUnsatisfiable:
			return false
		}
	}
	t.Fatalf("%s: %v\n%s", solver, err, output)
	return false
}

// The formulas are larger than what the plainest solver can do.
func TestAgreesWithAnExternalSolver(t *testing.T) {
	solver := external(t)
	rng := rand.New(rand.NewPCG(4, 0))
	formulas := 100
	if testing.Short() {
		formulas = 20
	}
	found := 0
	for range formulas {
		n := 50 + rng.IntN(100)
		clauses := threeLiterals(rng, n, n*426/100)
		want := ask(t, solver, n, clauses)
		if got := solve(t, rng, n, clauses); got != want {
			t.Fatalf("%v: satisfiable is %v, %s says %v", clauses, got, solver, want)
		}
		if want {
			found++
		}
	}
	if found < formulas/4 || found > formulas*3/4 {
		t.Errorf("%d of %d formulas are satisfiable: want a fair share of both", found, formulas)
	}
}
