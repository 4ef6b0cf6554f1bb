package wire

// Status is what a hub is doing.
type Status struct {
	Version   string         `json:"version"`
	Questions []State        `json:"questions"`
	Jobs      Jobs           `json:"jobs"`
	Workers   []WorkerStatus `json:"workers"`
	Nodes     uint64         `json:"nodes"`  // of all results that were accepted since the hub began, and indices of tables that workers derived again
	Rate      float64        `json:"rate"`   // nodes a second of the workers at hand
	Memory    uint64         `json:"memory"` // bytes of tables, of upper positions, and of what checks borrow
	Room      uint64         `json:"room"`   // the most that they may take; 0 for no bound
	Seconds   float64        `json:"seconds"`
}

// Jobs counts jobs since the hub began.
type Jobs struct {
	Out      int    `json:"out"` // given out now, taken by a worker or not
	Accepted uint64 `json:"accepted"`
	Copied   uint64 `json:"copied"`
	Stale    uint64 `json:"stale"`
	Rejected uint64 `json:"rejected"`
	Refused  uint64 `json:"refused"`
	Unknown  uint64 `json:"unknown"`
	Lost     uint64 `json:"lost"`     // messages that were gone without a result
	GivenUp  uint64 `json:"given_up"` // split, or done by the hub, since nothing came of them
	Refuted  uint64 `json:"refuted"`  // workers whose accepted results the hub found wrong
	Torn     int    `json:"torn"`     // lines of the ledger that are not whole
}

// WorkerStatus is a worker that is there.
type WorkerStatus struct {
	Name     string  `json:"name"`          // as it calls itself
	Key      string  `json:"key,omitempty"` // the name of its key; none where all have one secret
	Lanes    int     `json:"lanes"`
	Busy     int     `json:"busy"`
	Nodes    uint64  `json:"nodes"`
	Rate     float64 `json:"rate"` // nodes a second
	Rejected uint64  `json:"rejected"`
}
