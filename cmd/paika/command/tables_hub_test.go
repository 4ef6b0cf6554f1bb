package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
)

// TestAReportThatArrivedIsShown, also where another client asks anew before the hub hears that it has.
func TestAReportThatArrivedIsShown(t *testing.T) {
	s := hubtest.Start(t)
	s.Answer(wire.SubjectAsk, func(m *nats.Msg) {
		var asked wire.Ask
		if err := json.Unmarshal(m.Data, &asked); err != nil {
			t.Error(err)
		}
		answer := wire.State{ID: asked.ID(), Question: asked.Question, Stage: wire.Done, Report: &inspection.Report{Slices: 7}}
		if asked.Taken {
			answer = wire.State{Error: "there is no answer to be taken"}
		}
		_ = m.Respond([]byte(hubtest.JSON(t, answer)))
	})
	access := s.Access()
	status, out, faults := runQuietly(t, "verify", "--board", "3x3", "--hub", access.URL, "--creds", access.Credentials)
	if status != done || !strings.Contains(out, "7 slices") {
		t.Errorf("status %d: %s%s", status, out, faults)
	}
}
