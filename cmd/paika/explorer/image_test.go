package explorer

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// checkXML fails the test where a document is none.
func checkXML(t *testing.T, asked, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("%.200s: %v in %s", asked, err, text)
			return
		}
	}
}

// chain is a position in which b3-c3 captures both ways, and goes on.
const chain = "..B../...../BW.B./...../..... w"

// onCorner is a position of Phutball in which the ball can jump past a corner.
const onCorner = "*../.@./.../.../... ohs"

// A picture has its type, its own policy, and a tag by which a client asks again.
func TestImageIsAPictureOfThePosition(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, target := range []string{
		about("fanorona", "5x5", "image.svg", won),
		about("fanorona", "9x5", "image.svg", "start", "size", "900"),
		about("fanorona", "5x5", "image.svg", chain, "turn", "b3-c3A-c4A"),
		about("konane", "6x6", "image.svg", "start", "turn", "-c3"),
		about("phutball", "15x19", "image.svg", dense()),
		about("phutball", "3x5", "image.svg", "ball=B3 men=B4 to=ohs", "turn", "B3-B5"),
		about("phutball", "3x5", "image.svg", onCorner, "rules", "corner-exit=true", "turn", "B4-<6"),
		about("phutball", "3x5", "image.svg", "@<6 .../.../.../.../... eks", "rules", "corner-exit=true"),
		about("breakthrough", "5x5", "image.svg", "start"),
	} {
		w := get(h, target)
		header := w.Header()
		if w.Code != http.StatusOK || header.Get("Content-Type") != "image/svg+xml" || header.Get("Cache-Control") != "no-cache" ||
			header.Get("Content-Security-Policy") != "default-src 'none'; frame-ancestors 'none'" || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: status %d, %v", target, w.Code, header)
		}
		checkXML(t, target, w.Body.String())
		if most := 100 << 10; w.Body.Len() > most {
			t.Errorf("%s has %d bytes: want at most %d", target, w.Body.Len(), most)
		}
		if again := get(h, target, "If-None-Match", header.Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s: asked again, status %d", target, again.Code)
		}
	}
}

// Who is to move is called as on the page: where stones are removed, nobody has a colour yet.
func TestImageNamesWhoIsToMove(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for target, want := range map[string]string{
		about("konane", "6x6", "image.svg", "start"):                                 "Konane 6x6, First player to move",
		about("fanorona", "5x5", "image.svg", won):                                   "Fanorona 5x5, White to move",
		about("phutball", "3x5", "image.svg", onCorner, "rules", "corner-exit=true"): "Phutball 3x5, Ohs to move",
	} {
		if body := get(h, target).Body.String(); !strings.Contains(body, "<title>"+want+"</title>") {
			t.Errorf("%s: want the title %q in %.300s", target, want, body)
		}
	}
}

// What is no position, no turn or no size is a problem, as everywhere.
func TestHostileImages(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for target, want := range map[string]struct {
		status    int
		code      catalogue.Code
		parameter string
	}{
		about("fanorona", "5x5", "image.svg", ""):                                     {400, catalogue.CodeParameter, "p"},
		about("fanorona", "5x5", "image.svg", "</svg><script>alert(1)</script> w"):    {400, catalogue.CodePosition, "p"},
		about("fanorona", "5x5", "image.svg", "\x00\xff"):                             {400, catalogue.CodePosition, "p"},
		about("fanorona", "5x5", "image.svg", strings.Repeat("B", 3000)):              {413, catalogue.CodeLimit, "p"},
		about("fanorona", "4x4", "image.svg", "start"):                                {400, catalogue.CodePosition, "p"},
		about("fanorona", "99x99", "image.svg", "start"):                              {400, catalogue.CodeParameter, "board"},
		about("chess", "8x8", "image.svg", "start"):                                   {404, catalogue.CodeNotFound, "game"},
		about("fanorona", "5x5", "image.svg", won, "turn", "b2-e5"):                   {422, catalogue.CodeTurn, "turn"},
		about("fanorona", "5x5", "image.svg", won, "turn", `"><script>`):              {400, catalogue.CodeTurn, "turn"},
		about("fanorona", "5x5", "image.svg", won, "turn", strings.Repeat("b", 3000)): {413, catalogue.CodeLimit, "turn"},
		about("fanorona", "5x5", "image.svg", won, "size", "15"):                      {400, catalogue.CodeParameter, "size"},
		about("fanorona", "5x5", "image.svg", won, "size", "4097"):                    {400, catalogue.CodeParameter, "size"},
		about("fanorona", "5x5", "image.svg", won, "size", "1e3"):                     {400, catalogue.CodeParameter, "size"},
		about("fanorona", "5x5", "image.svg", won, "size", "+480"):                    {400, catalogue.CodeParameter, "size"},
		about("fanorona", "5x5", "image.svg", won, "size", `480"><script>`):           {400, catalogue.CodeParameter, "size"},
		about("fanorona", "5x5", "image.svg", won, "size", strings.Repeat("9", 400)):  {400, catalogue.CodeParameter, "size"},
		about("fanorona", "5x5", "image.svg", won, "style", "x"):                      {400, catalogue.CodeParameter, "style"},
	} {
		w := get(h, target)
		checkAnswer(t, target, w)
		got := decode[problem](t, w.Body.Bytes())
		if got.Status != want.status || got.Code != want.code || got.Parameter != want.parameter {
			t.Errorf("%.120s: status %d, %s, parameter %q; want %v", target, got.Status, got.Code, got.Parameter, want)
		}
		if strings.Contains(w.Header().Get("Content-Type"), "svg") {
			t.Errorf("%.120s: a problem is sent as a picture", target)
		}
	}
}
