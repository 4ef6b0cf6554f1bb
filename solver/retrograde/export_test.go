package retrograde

// WithGrain cuts the work in other portions.
func (o Options) WithGrain(block, step uint64, batch int, found, span uint64) Options {
	o.grain = grain{block, step, batch, found, span}
	return o
}
