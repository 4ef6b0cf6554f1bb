package konane

// Unmoves appends nothing: every turn takes a stone and so leaves its group of
// slices.
func (g *Game[S]) Unmoves(dst []Position[S], _ Position[S]) []Position[S] { return dst }
