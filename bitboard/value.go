package bitboard

import "fmt"

// Value is what perfect play gives the side to move.
type Value uint8

const (
	Draw Value = iota
	Win
	Loss
)

var valueNames = [...]string{"draw", "win", "loss"}

func (v Value) String() string {
	if int(v) < len(valueNames) {
		return valueNames[v]
	}
	return fmt.Sprintf("value(%d)", uint8(v))
}

// Reply is the value, for the side that makes a turn, of a turn that leads to a
// position of value v.
func (v Value) Reply() Value {
	switch v {
	case Win:
		return Loss
	case Loss:
		return Win
	}
	return Draw
}

// Metric is what a table stores of a position.
type Metric uint8

const (
	// WDL stores win, draw or loss.
	WDL Metric = iota
	// DTW stores the distance to the win as well: the number of turns to the
	// end of the game, the winner hurrying and the loser delaying.
	DTW
)

// MetricCount is how many there are. A range over it gives each, the one that takes less memory
// first.
const MetricCount = DTW + 1

func (m Metric) String() string {
	switch m {
	case WDL:
		return "wdl"
	case DTW:
		return "dtw"
	}
	return fmt.Sprintf("metric(%d)", uint8(m))
}

// Check wants one of the metrics that there are.
func (m Metric) Check() error {
	if m >= MetricCount {
		return fmt.Errorf("unknown metric %d: want wdl or dtw", uint8(m))
	}
	return nil
}

// ParseMetric reads "wdl" or "dtw".
func ParseMetric(s string) (Metric, error) {
	switch s {
	case "wdl":
		return WDL, nil
	case "dtw":
		return DTW, nil
	}
	return 0, fmt.Errorf("unknown metric %s: want wdl or dtw", Quote(s))
}

// UnknownDistance is the Distance of draws and of outcomes read from a table
// that stores none.
const UnknownDistance = -1

// Outcome is a value with its distance in turns, or UnknownDistance.
type Outcome struct {
	Value    Value
	Distance int
}

// Depth is an outcome with a known distance in 16 bits: the value in the lowest
// two, the distance in the 13 above them. A draw is 0. The highest bit is left
// to solvers for marks of their own.
type Depth uint16

// MaxDistance is the longest distance, in turns, that a Depth holds.
const MaxDistance = 1<<13 - 1

// MakeDepth packs a win or a loss in at most MaxDistance turns, or a draw with distance 0.
func MakeDepth(v Value, distance int) Depth { return Depth(distance)<<2 | Depth(v) }

// Value is the value that goes with d.
func (d Depth) Value() Value { return Value(d & 3) }

// Distance is the distance that goes with d; it means nothing for a draw.
func (d Depth) Distance() int { return int(d >> 2) }

// IsOutcome tells whether d is a draw without a distance, or a win or a loss in at most
// MaxDistance turns: what a table may hold.
func (d Depth) IsOutcome() bool {
	return d == 0 || d.Value() != Draw && d.Value() <= Loss && d.Distance() <= MaxDistance
}

// Outcome unpacks d.
func (d Depth) Outcome() Outcome {
	if d.Value() == Draw {
		return Outcome{Draw, UnknownDistance}
	}
	return Outcome{d.Value(), d.Distance()}
}
