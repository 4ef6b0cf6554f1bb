package retrograde

import "cmp"

// WithGrain cuts the work in other portions.
func (o Options) WithGrain(block, step uint64, batch int, found, span uint64) Options {
	o.grain = defaultGrain
	o.grain.block, o.grain.step, o.grain.batch, o.grain.found, o.grain.span = block, step, batch, found, span
	o.grain.changes = found
	o.grain.segment = 4 * block
	return o
}

// WithCheckpoints keeps the state of groups from that many indices on.
func (o Options) WithCheckpoints(indices uint64) Options {
	o.grain = cmp.Or(o.grain, defaultGrain)
	o.grain.checkpoint = indices
	return o
}

// WithCheckpointsAlways saves one whenever it can be done, of every group.
func (o Options) WithCheckpointsAlways() Options {
	o = o.WithCheckpoints(1)
	o.grain.interval, o.grain.share = 0, 0
	return o
}

// WithFew leaves sets when one position in so many, at least 64, is not decided.
func (o Options) WithFew(few uint64) Options {
	o.grain = cmp.Or(o.grain, defaultGrain)
	o.grain.few = few
	return o
}
