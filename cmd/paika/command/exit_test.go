package command

import (
	"errors"
	"fmt"
	"testing"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/link"
	"paika/proofs"
)

// TestAHubThatMakesNoSenseIsWhatIsMissing: the command was right.
func TestAHubThatMakesNoSenseIsWhatIsMissing(t *testing.T) {
	for _, err := range []error{link.ErrAway, link.ErrRefused, link.ErrAnswer, client.ErrFailed, client.ErrChanged} {
		if got := exitStatus(fmt.Errorf("%w: %w", err, errors.New("why"))); got != unavailable {
			t.Errorf("%v: status %d, want %d", err, got, unavailable)
		}
	}
}

// A certificate to rely on that proves nothing is needed and no good, and no answer to the question.
func TestACertificateToRelyOnThatProvesNothingIsDamaged(t *testing.T) {
	err := fmt.Errorf("why: %w", &proofs.InvalidPartError{Part: proofs.Source{Name: "some.proof"}})
	if code, status := catalogue.FaultOf(err).Code, exitStatus(err); code != catalogue.CodeDamaged || status != unavailable {
		t.Errorf("code %s, status %d, want %s and %d", code, status, catalogue.CodeDamaged, unavailable)
	}
}
