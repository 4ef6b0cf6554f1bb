package client

import "time"

const MostAhead = mostAhead

type Pace = pace

func NewPace() *Pace { return &pace{most: 1} }

func (p *pace) Note(took time.Duration) { p.note(took) }

func (p *pace) Most() int { return p.most }
