package checkpoint_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"

	"paika/solver/checkpoint"
)

// What a search has found is saved. The next one, of the same question, takes it up.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "search")
	check(err)
	defer os.RemoveAll(dir)
	file, err := checkpoint.Open(filepath.Join(dir, "table"))
	check(err)
	defer file.Close()

	const format = 1 // of this search's entries
	found := map[uint64]uint64{7: 70, 8: 80}
	check(file.Save(ctx, checkpoint.Header{Format: format, About: "who wins?", Nodes: 1000}, maps.All(found)))

	again := make(map[uint64]uint64)
	header, err := file.Load(ctx, format, "who wins?", func(first, second uint64) bool {
		again[first] = second
		return second < 100 // nobody vouches for the file
	})
	check(err)
	fmt.Println(header.Nodes, "nodes before,", again)

	_, err = file.Load(ctx, format, "who loses?", func(_, _ uint64) bool { return true })
	fmt.Println(err != nil)
	// Output:
	// 1000 nodes before, map[7:70 8:80]
	// true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
