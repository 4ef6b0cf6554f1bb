package bitboard

import "testing"

func TestValuesAndMetricsThatAreNoneAreWrittenAsNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"wdl": WDL.String(), "dtw": DTW.String(), "metric(2)": MetricCount.String(),
		"loss": Loss.String(), "value(3)": Settled.String(),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
