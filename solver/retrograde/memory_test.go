package retrograde_test

import (
	"fmt"
	"math"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/phutball"
	"paika/solver/retrograde"
)

// What a build takes off the Go heap is never more than what Needs tells, however
// little or much that leaves. For wdl, whose lists lie there too, it is not much less.
func TestBuildsKeepTheMemoryThatTheyName(t *testing.T) {
	type building struct {
		game   retrograde.Game
		groups []bitboard.Group
	}
	sets, setGroups := newPhutball(t, "3x5", phutball.Rules{})
	cases := map[string]building{"phutball 3x5": {sets, setGroups}, "phutball 3x5, no sets": {kernelOnly{sets}, setGroups}}
	for board, pieces := range map[string]int{"5x3": 6, "5x5": 4, "9x5": 4} {
		if testing.Short() && board != "5x5" {
			continue
		}
		g := newGame(t, board, fanorona.Rules{})
		cases["fanorona "+board] = building{g, groups(t, g, pieces)}
	}
	for name, c := range cases {
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			t.Run(fmt.Sprint(name, " ", metric), func(t *testing.T) {
				opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}
				named, fastest, _ := mostNeeded(c.game, c.groups, opts)
				if fastest < named || name == "fanorona 9x5" && metric == bitboard.WDL && fastest == named {
					t.Errorf("%d bytes named, %d with which it is solved fastest", named, fastest)
				}
				for _, opts.Memory = range []uint64{named, named + (fastest-named)/10, named + (fastest-named)/2, fastest, plenty} {
					_, result := buildGroups(t, c.game, c.groups, opts)
					if result.Memory > opts.Memory || metric == bitboard.WDL && result.Memory < named/8 {
						t.Errorf("%d bytes taken of %d", result.Memory, opts.Memory)
					}
					if _, _, told := mostNeeded(c.game, c.groups, opts); result.Memory > told || told > opts.Memory || metric == bitboard.WDL && result.Memory < told/10*9 {
						t.Errorf("%d bytes taken of %d, and %d told", result.Memory, opts.Memory, told)
					}
				}
			})
		}
	}
}

// mostNeeded is the most that any group needs, in bytes, with what it takes to be solved
// fastest, and the most that is taken.
func mostNeeded(game retrograde.Game, groups []bitboard.Group, opts retrograde.Options) (named, fastest, taken uint64) {
	for _, need := range retrograde.Needs(game, groups, opts) {
		named, fastest, taken = max(named, need.Memory), max(fastest, need.Fastest), max(taken, need.Taken)
	}
	return named, fastest, taken
}

// What the rest of the program holds is no matter of the build where there is as much memory more:
// it decides alike whether to go by sets, which tables to keep and how much room settling gets.
func TestOverheadIsBesideAllThatABuildTakes(t *testing.T) {
	sets, setGroups := newPhutball(t, "3x5", phutball.Rules{})
	small, large := newGame(t, "5x3", fanorona.Rules{}), newGame(t, "9x5", fanorona.Rules{})
	for name, c := range map[string]struct {
		game   retrograde.Game
		groups []bitboard.Group
	}{
		"phutball 3x5": {sets, setGroups}, "fanorona 5x3": {small, groups(t, small, 6)}, "fanorona 9x5": {large, groups(t, large, 4)},
	} {
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			alone := retrograde.Options{Metric: metric, Workers: 1, Memory: plenty}.WithGrain(1<<12, 1<<10, 1<<9, 1<<10, 1<<14)
			named, fastest, taken := mostNeeded(c.game, c.groups, alone)
			decided := make(map[string]bool)
			for _, alone.Memory = range []uint64{named - 1, named, named + 1<<10, (named + fastest) / 2, fastest, (fastest + taken) / 2, taken, plenty} {
				want := retrograde.Needs(c.game, c.groups, alone)
				decided[fmt.Sprint(want)] = true
				for _, overhead := range []uint64{1 << 10, 1 << 30} {
					beside := alone
					beside.Memory, beside.Overhead = alone.Memory+overhead, overhead
					for i, got := range retrograde.Needs(c.game, c.groups, beside) {
						got.Memory, got.Fast, got.Fastest, got.Taken = got.Memory-overhead, got.Fast-overhead, got.Fastest-overhead, got.Taken-overhead
						if got != want[i] {
							t.Errorf("%s, %v: %d bytes beside %d:\n%+v, want\n%+v", name, metric, alone.Memory, overhead, got, want[i])
						}
					}
				}
			}
			if len(decided) < 2 {
				t.Errorf("%s, %v: nothing depends on the memory", name, metric)
			}
		}
	}
}

// Where memory does for a group and no more, there is less room that makes settling faster;
// where there is plenty, it is all that makes the group's need larger. A group that is refused is
// told what it would have then.
func TestRoomIsWhatIsLeft(t *testing.T) {
	g := newGame(t, "9x5", fanorona.Rules{})
	list := groups(t, g, 7)
	opts := retrograde.Options{Metric: bitboard.WDL, Workers: 2, Memory: plenty}
	rooms := 0
	for i, need := range retrograde.Needs(g, list, opts) {
		if room := need.Fastest - need.Memory; need.Room < room {
			t.Errorf("%s: %d bytes of room, want at least %d", need.Name, need.Room, room)
		}
		opts := opts
		opts.Memory = need.Memory
		tight := retrograde.Needs(g, list[i:i+1], opts)[0]
		if tight.Room >= need.Room && need.Fastest > need.Memory {
			t.Errorf("%s: %d bytes of room where there is plenty, %d where there is none to spare", need.Name, need.Room, tight.Room)
		}
		opts.Memory--
		if refused := retrograde.Needs(g, list[i:i+1], opts)[0]; refused.Room != need.Room {
			t.Errorf("%s: %d bytes of room where there is plenty, %d where the group is refused", need.Name, need.Room, refused.Room)
		}
		if need.Room > 0 {
			rooms++
		}
	}
	if rooms == 0 {
		t.Error("no group has room")
	}
}

// The lists of a build don't grow with its groups: nine stones of 9x5 take little
// more than their tables, at two bits a position.
func TestTablesAreAlmostAllThatLargeGroupsNeed(t *testing.T) {
	g := newGame(t, "9x5", fanorona.Rules{})
	for metric, bits := range map[bitboard.Metric]uint64{bitboard.WDL: 2, bitboard.DTW: 16} {
		for _, need := range retrograde.Needs(g, groups(t, g, 9), retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}) {
			if most := need.Indices/8*bits*5/4 + 256<<20; need.Memory > most {
				t.Errorf("%v, %s: %d bytes, want %d at most", metric, need.Name, need.Memory, most)
			}
		}
	}
}

// Files that the storage maps have what the tables need beside them, and what only makes a
// build faster gives way. They keep no group from being solved.
func TestWhatMakesFasterLeavesMappedFilesRoom(t *testing.T) {
	g := newGame(t, "9x5", fanorona.Rules{})
	list := groups(t, g, 4)
	opts := retrograde.Options{Metric: bitboard.WDL, Workers: 2}
	named, fastest, _ := mostNeeded(g, list, opts)
	if fastest <= named {
		t.Fatal("nothing makes it faster")
	}
	files := []uint64{(fastest - named) / 2, math.MaxUint64, 1 << 10, fastest - named, 1 << 40}
	memories := []uint64{named + (fastest-named)/2, fastest, named, fastest + fastest/2}
	if testing.Short() {
		files, memories = files[:2], memories[:2]
	}
	for _, mapped := range files {
		opts.Mapped = func() uint64 { return mapped }
		for _, opts.Memory = range memories {
			left := opts.Memory - min(opts.Memory, mapped)
			told := uint64(0)
			for _, need := range retrograde.Needs(g, list, opts) {
				if told = max(told, need.Taken); need.Taken > max(need.Memory, left) {
					t.Errorf("%s: %d bytes told of %d beside %d that are mapped, and %d are needed", need.Name, need.Taken, opts.Memory, mapped, need.Memory)
				}
			}
			if _, result := buildGroups(t, g, list, opts); result.Memory > told {
				t.Errorf("%d bytes taken, %d told, of %d beside %d that are mapped", result.Memory, told, opts.Memory, mapped)
			}
		}
	}
}
