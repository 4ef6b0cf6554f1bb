package winone
import ("os";"strconv")
func knob(n string, d int) int { if v,err:=strconv.Atoi(os.Getenv(n)); err==nil {return v}; return d }
var zTrials = knob("ZTRIALS",1)
