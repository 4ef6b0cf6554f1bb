package command

import (
	"errors"
	"fmt"
	"testing"

	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/link"
)

// TestAHubThatMakesNoSenseIsWhatIsMissing: the command was right.
func TestAHubThatMakesNoSenseIsWhatIsMissing(t *testing.T) {
	for _, err := range []error{link.ErrAway, link.ErrRefused, link.ErrAnswer, client.ErrFailed, client.ErrChanged} {
		if got := exitStatus(fmt.Errorf("%w: %w", err, errors.New("why"))); got != unavailable {
			t.Errorf("%v: status %d, want %d", err, got, unavailable)
		}
	}
}
