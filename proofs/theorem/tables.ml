(* Tables in memory, and the check of what they say. *)

open Proved
open Text
open Games

(* The rows: positions as two words, which all images of a position under the symmetries of the board
   share, and what they say: 0 for a draw, else four times the distance and 1 for a win or 2 for a
   loss of the side to move. *)
type rows = { first : Columns.t; second : Columns.t; said : Columns.t }

let heading = "index,position,images,value,distance"

(* Distances are below this. *)
let too_far = 1 lsl 13

(* Maps of a board onto itself, of points. *)
let identity file rank = (file, rank)
let across b file rank = (b.files - 1 - file, rank)
let over b file rank = (file, b.ranks - 1 - rank)
let after g f file rank = let file, rank = f file rank in g file rank

(* of_words is a map of points as a map of words. *)
let of_words b map =
  let image i = let file, rank = map (i mod b.files) (i / b.files) in 1 lsl place b file rank in
  let byte k n =
    let is_set i = n land (1 lsl i) <> 0 && (8 * k) + i < b.files * b.ranks in
    List.fold_left (fun w i -> if is_set i then w lor image ((8 * k) + i) else w) 0 (List.init 8 Fun.id)
  in
  let bytes = Array.init 8 (fun k -> Array.init 256 (byte k)) in
  let rec all k word w = if word = 0 then w else all (k + 1) (word lsr 8) (w lor bytes.(k).(word land 255)) in
  fun word -> all 0 word 0

(* symmetries are all maps whose image of the first point some test allows. *)
let symmetries b allowed =
  let four = [ identity; across b; over b; after (across b) (over b) ] in
  let turned file rank = (rank, file) in
  let all = if b.files = b.ranks then four @ List.map (after turned) four else four in
  List.map (of_words b) (List.filter (fun map -> let file, rank = map 0 0 in allowed file rank) all)

(* least gives the least image of two words, those of own stones and of the opponent's. The checker need
   not know of symmetries: it asks for each position, and a wrong image would only say something
   wrong. What is found of own stones is remembered: their least image, and the maps that lead to it. *)
let least maps =
  let known = Hashtbl.create 65536 in
  let of_own v =
    match Hashtbl.find_opt known v with
    | Some found -> found
    | None ->
        let images = List.map (fun map -> map v) maps in
        let image = List.fold_left min max_int images in
        let found = (image, List.filter (fun map -> map v = image) maps) in
        Hashtbl.add known v found;
        found
  in
  fun v w ->
    let image, to_it = of_own v in
    let rec among (w' : int) = function
      | [] -> w'
      | map :: more ->
          let w'' = map w in
          among (if w'' < w' then w'' else w') more
    in
    (image, among max_int to_it)

(* read_row reads a line as a row. *)
let read_row g key r line =
  let at, value, distance =
    match String.split_on_char ',' line with
    | [ _; at; _; value; distance ] -> (at, value, distance)
    | _ -> fault "this is no row of five fields"
  in
  let p = match g.read_position at with Some p -> p | None -> fault "this is no position" in
  let won bits =
    match digits too_far distance with
    | Some n -> (4 * n) + bits
    | None when distance = "" -> refuse "line %d has no distance: this checker needs tables with distances" !line_number
    | None -> fault "the distance is no number below %d" too_far
  in
  let said =
    match value with
    | "win" -> won 1
    | "loss" -> won 2
    | "draw" when distance = "" -> 0
    | "draw" -> fault "a draw has a distance"
    | _ -> fault "this is no value"
  in
  let v, w = key p in
  Columns.add r.first v;
  Columns.add r.second w;
  Columns.add r.said said;
  p

(* read_rows reads all rows, and gives their slices too. Each file of rows begins with a heading. What is
   wrong in a line is told with its number. *)
let read_rows g key slice_of =
  let r = Columns.{ first = empty (); second = empty (); said = empty () } in
  let slices = Hashtbl.create 64 in
  if next_line () <> Some heading then refuse "it does not begin with the line %s" heading;
  let rec read () =
    match next_line () with
    | None -> ()
    | Some line when line = heading -> read ()
    | Some line ->
        if r.first.length = Columns.largest then refuse "it has more than %d rows" Columns.largest;
        let p = try read_row g key r line with Fault what -> fault "line %d: %s" !line_number what in
        Hashtbl.replace slices (slice_of p) ();
        read ()
  in
  read ();
  if r.first.length = 0 then refuse "there are no rows";
  (r, List.sort compare (List.of_seq (Hashtbl.to_seq_keys slices)))

(* table gives what rows say of a position to the checker. *)
let table g key r =
  let twice i = fault "a position of row %d, or an image of it, stands there twice" (i + 1) in
  let find = Columns.index r.first r.second twice in
  let value mover said =
    if said = 0 then Some Drawn
    else Some (Won ((if said land 3 = 1 then mover else match mover with White -> Black | Black -> White), said / 4))
  in
  let values mover = Array.init (4 * too_far) (value mover) in
  let white = values White and black = values Black in
  fun p ->
    let v, w = key p in
    let i = find v w in
    if i = r.first.length then None
    else (match g.play.next p with White -> white | Black -> black).(Columns.get r.said i)

let rec nat n = if n = 0 then O else S (nat (n - 1))

let rec choose n k = if k = 0 then 1 else if k > n then 0 else choose (n - 1) (k - 1) * n / k

(* A game whose positions are in slices: how these are made of stones, where stones may stand, the
   symmetries of the board, how many positions a slice has, and whether it is looked at. *)
type ('p, 't) tabled = {
  game : ('p, 't) game;
  stones : 'p made_of_stones;
  field : field;
  seen_by : side -> int -> int; (* a word, as the side to move sees the board *)
  maps : (int -> int) list;
  positions : int * int -> int;
  wanted : int * int -> bool;
}

let fanorona b rules =
  if not (fits rules) then refuse "the board is too large";
  let on_ground = ground_of rules and points = b.files * b.ranks in
  {
    game = Fanorona.game b rules;
    stones = fanorona_stones;
    field = fanorona_field on_ground;
    seen_by = (fun _ word -> word);
    maps = symmetries b (fun file rank -> (file + rank) land 1 = 0);
    positions = (fun (own, theirs) -> 2 * choose points own * choose (points - own) theirs);
    wanted = (fun _ -> true);
  }

(* Konane's opening is read, but left out: who removes stones there has no colour yet. *)
let konane b rules =
  if not (konane_fits rules) then refuse "the board is too large";
  let made = konane_board_of rules in
  let blacks = size made.points_of_blacks and whites = size made.points_of_whites in
  let opening = match rules.opens with Without _ -> max_int | _ -> blacks + whites - 1 in
  let read = Konane.read_position b { rules with opens = Without (CornerH, Black) } made false in
  {
    game = { (Konane.game b rules false) with read_position = read };
    stones = konane_stones rules made;
    field = konane_field rules made;
    seen_by = (fun _ word -> word);
    maps = symmetries b (fun _ _ -> true);
    positions = (fun (own, theirs) -> (choose blacks own * choose whites theirs) + (choose whites own * choose blacks theirs));
    wanted = (fun (own, theirs) -> own + theirs < opening);
  }

(* In Breakthrough pawns stand on the rows between, or have not left their first one. *)
let breakthrough b rules =
  if not (breakthrough_fits rules) then refuse "the board is too large";
  let made = breakthrough_board_of rules in
  let between = b.files * (b.ranks - 2) in
  let turned_round = of_words b (after (across b) (over b)) in
  let ways (own, theirs) =
    let with_own n =
      let of_theirs m = choose b.files (theirs - m) * choose (between - n) m in
      choose b.files (own - n) * choose between n * List.fold_left (fun sum m -> sum + of_theirs m) 0 (List.init (theirs + 1) Fun.id)
    in
    List.fold_left (fun sum n -> sum + with_own n) 0 (List.init (own + 1) Fun.id)
  in
  {
    game = Breakthrough.game b rules;
    stones = breakthrough_stones made;
    field = breakthrough_field rules made;
    seen_by = (function White -> Fun.id | Black -> turned_round);
    maps = List.map (of_words b) [ identity; across b ];
    positions = (fun slice -> 2 * ways slice);
    wanted = (fun _ -> true);
  }

(* check has what rows say checked for all positions of their slices. It gives these, and how many
   positions they have, or a fault. *)
let check t workers =
  let image = least t.maps in
  let key p =
    let mover = t.game.play.next p in
    image (t.seen_by mover (own t.stones p)) (t.seen_by mover (theirs t.stones p))
  in
  let r, slices = read_rows t.game key (fun p -> (size (own t.stones p), size (theirs t.stones p))) in
  let slices = List.filter t.wanted slices in
  if slices = [] then refuse "all rows are of the opening, which this checker leaves out";
  let in_coq = List.map (fun (a, b) -> (nat a, nat b)) slices in
  let says = table t.game key r in
  let right = right_in t.stones t.field in_coq t.game.play says in
  let part = good_part t.stones t.field in_coq in
  let all = Array.of_list (parts t.field in_coq) in
  let first numbers =
    match List.find_opt (fun i -> not (part right all.(i))) numbers with Some i -> i | None -> Processes.none
  in
  let fault = Processes.side_by_side workers first (List.init (Array.length all) Fun.id) in
  let what_is_wrong () =
    let found = ref "" in
    let seen p =
      right p
      || begin
           let what =
             if says p = None then "no row says what it is worth"
             else "what is said of it does not follow from where its turns lead"
           in
           found := t.game.write_position p ^ ": " ^ what;
           false
         end
    in
    ignore (part seen all.(fault));
    !found
  in
  let positions = List.fold_left (fun sum slice -> sum + t.positions slice) 0 slices in
  (slices, if fault = Processes.none then Ok positions else Error (what_is_wrong ()))
