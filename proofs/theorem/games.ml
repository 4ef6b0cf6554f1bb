(* How the games are written, and how their positions are kept as two words. *)

open Proved
open Text

let rec positive n =
  if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> 2 * of_positive p + 1
let natural n = if n = 0 then N0 else Npos (positive n)
let integer n = if n = 0 then Z0 else Zpos (positive n)

(* A game on a board. What is written of a turn is kept as a code, a byte for each point: two texts
   have one code only if they are the same. Of that is_written is made, which tells whether a turn
   is the one that a code stands for.

   What plays it lists all turns of a position, however many. So many_turns tells beforehand whether
   there are more than most_turns, and play fails then. It is not proved, but all that comes of it is
   that a position is not listed. *)
type ('p, 't) game = {
  play : ('p, 't) play;
  read_position : string -> 'p option;
  write_position : 'p -> string;
  words : 'p -> int * int;
  of_words : int -> int -> 'p;
  many_turns : 'p -> bool;
  read_turn : string -> string option;
  is_written : string -> 't -> bool;
}

(* most_turns is the most turns that one record stands for. *)
let most_turns = 1 lsl 20

exception Many_turns

(* unless_many is how a game is played where turns are not too many. *)
let unless_many many_turns play =
  { play with turns_of = (fun p -> if many_turns p then raise Many_turns else play.turns_of p) }

(* counting has a function count turns, and call what it is given at each of them. It tells whether
   there are more than most_turns. *)
let counting each =
  let turns = ref 0 in
  match each (fun () -> incr turns; if !turns > most_turns then raise Many_turns) with
  | () -> false
  | exception Many_turns -> true

(* colours are those that a claim can be about, by name. *)
let colours = [ ("white", White); ("black", Black) ]
let letters = [ ("w", White); ("b", Black) ]
let letter_of side = fst (List.find (fun (_, s) -> s = side) letters)

(* flag is a bit that no point has. *)
let flag = 1 lsl 60

(* code is some numbers below 256, if they are there, as the code of a turn. None has more than a
   place for each point, and two. *)
let code numbers =
  if List.mem None numbers || List.length numbers > 62 then None
  else Some (String.concat "" (List.map (fun n -> String.make 1 (Char.chr (Option.get n))) numbers))

(* numbers is what a code was made of. *)
let numbers code = List.map Char.code (List.of_seq (String.to_seq code))

module Fanorona = struct
  let board = read_board (3, 9) (3, 9)

  let rules b text =
    let on_stalemate, on_directions =
      match String.split_on_char ',' text with
      | [ stalemate; directions ] ->
          ( (match stalemate with
            | "stalemate=loss" -> StalemateLoses
            | "stalemate=draw" -> StalemateDraws
            | _ -> refuse "unknown rule %S" stalemate),
            match directions with
            | "direction-rule=no-repeat" -> NoRepeat
            | "direction-rule=no-repeat-or-reverse" -> NoRepeatOrReverse
            | "direction-rule=never-twice" -> NeverTwice
            | _ -> refuse "unknown rule %S" directions )
      | _ -> refuse "unknown rules %S" text
    in
    { width = integer b.files; height = integer b.ranks; on_stalemate; on_directions }

  let read_position b s =
    match read_stones b 'W' 'B' s with
    | Some (whites, blacks, mover) when whites lor blacks <> 0 ->
        Option.map (fun moves -> { on = { whites; blacks }; moves }) (List.assoc_opt mover letters)
    | _ -> None

  let write_position b f = write_stones b 'W' 'B' f.on.whites f.on.blacks ^ letter_of f.moves

  (* unpacked is a position as the rules have it. *)
  let unpacked b rules f =
    let stone stones rank file =
      let bit = 1 lsl place b file rank in
      let add side = PositiveMap.add (point_at rules (integer file) (integer rank)) side stones in
      if f.on.whites land bit <> 0 then add White else if f.on.blacks land bit <> 0 then add Black else stones
    in
    let row stones rank = List.fold_left (fun stones file -> stone stones rank file) stones (List.init b.files Fun.id) in
    { board = List.fold_left row PositiveMap.Leaf (List.init b.ranks Fun.id); mover = f.moves }

  let words f = (f.on.whites lor (if f.moves = Black then flag else 0), f.on.blacks)

  let of_words v w =
    { on = { whites = v land lnot (flag); blacks = w }; moves = (if v land flag = 0 then White else Black) }

  (* The code of a turn is its start and its steps. *)
  let step_number how point = (4 * (point - 1)) + match how with Approach -> 1 | Withdrawal -> 2 | Paika -> 3

  let step n =
    (positive ((n / 4) + 1), match n land 3 with 1 -> Approach | 2 -> Withdrawal | _ -> Paika)

  let is_written code =
    match numbers code with
    | start :: steps ->
        let start_of = positive start and path = List.map step steps in
        fun t -> t.start_of = start_of && t.path = path
    | [] -> fun _ -> false

  let read_turn b s =
    let step text =
      let length = String.length text in
      let how, point =
        match if length = 3 then text.[2] else ' ' with
        | 'A' -> (Approach, String.sub text 0 2)
        | 'W' -> (Withdrawal, String.sub text 0 2)
        | _ -> (Paika, text)
      in
      Option.map (step_number how) (read_point b point)
    in
    match String.split_on_char '-' s with
    | start :: (_ :: _ as steps) -> code (read_point b start :: List.map step steps)
    | _ -> None

  (* row is the stones on the first points of a line, without a gap. *)
  let rec row stones = function s :: more when stones land s.mark <> 0 -> s.mark lor row stones more | _ -> 0

  (* few tells at a glance that turns are not many: a chain takes a stone each step, begins in 8
     directions and goes on in 7, and takes in one of two ways. So where there are 4 stones to take
     a stone has at most 16 * (1 + 14 + 14^2 + 14^3) chains. *)
  let few mine theirs =
    let without_one stones = stones land (stones - 1) in
    without_one (without_one (without_one (without_one theirs))) = 0 && size mine <= 22

  (* many_turns follows chains of captures as series in Packed.v does. Of turns that take nothing
     there are never many. *)
  let many_turns rules ground p =
    let rec chains turn at mine theirs stood gone =
      let along l =
        match l.in_front with
        | to_ :: beyond when (mine lor theirs lor stood) land to_.mark = 0 && not (barred rules gone l.course) ->
            let take taken =
              if taken <> 0 then (
                turn ();
                let mine = mine lxor at.mark lor to_.mark in
                chains turn to_ mine (theirs lxor taken) (stood lor to_.mark) (l.course :: gone))
            in
            take (row theirs beyond);
            take (row theirs l.at_back)
        | _ -> ()
      in
      List.iter along (lanes_of ground at.name)
    in
    let mine, theirs = match p.moves with White -> (p.on.whites, p.on.blacks) | Black -> (p.on.blacks, p.on.whites) in
    let from turn s = if mine land s.mark <> 0 then chains turn s mine theirs s.mark [] in
    (not (few mine theirs)) && counting (fun turn -> List.iter (from turn) ground.spots)

  let game b rules =
    let ground = ground_of rules in
    let many_turns = many_turns rules ground in
    {
      play = unless_many many_turns (fanorona_play rules ground);
      many_turns;
      read_position = read_position b;
      write_position = write_position b;
      words;
      of_words;
      read_turn = read_turn b;
      is_written;
    }
end

module Breakthrough = struct
  let board = read_board (2, 8) (4, 8)

  let rules b text =
    if text <> "" then refuse "unknown rules %S" text;
    { wide = integer b.files; tall = integer b.ranks }

  (* No side has more pawns than at the start. *)
  let read_position b s =
    match Fanorona.read_position b s with
    | Some p when max (size p.on.whites) (size p.on.blacks) <= 2 * b.files -> Some p
    | _ -> None

  let is_written code =
    let all = numbers code in
    fun t -> all = [ of_positive t.leaves; of_positive t.enters; (if t.captures_a_pawn then 1 else 0) ]

  let read_turn b s =
    let between separator takes =
      match String.split_on_char separator s with
      | [ p; q ] -> code [ read_point b p; read_point b q; Some takes ]
      | _ -> None
    in
    match between '-' 0 with Some c -> Some c | None -> between 'x' 1

  let game b rules =
    {
      play = breakthrough_play (breakthrough_board_of rules);
      many_turns = (fun _ -> false);
      read_position = read_position b;
      write_position = Fanorona.write_position b;
      words = Fanorona.words;
      of_words = Fanorona.of_words;
      read_turn = read_turn b;
      is_written;
    }
end

module Konane = struct
  let board = read_board (1, 16) (1, 16)

  let rules b text =
    let point s =
      match read_point b s with
      | Some n -> ((n - 1) mod b.files, (n - 1) / b.files)
      | None -> refuse "unknown rules %S" text
    in
    (* between is the gap of two points, which are neighbours. *)
    let between (file, rank) (file', rank') =
      if abs (file - file') + abs (rank - rank') <> 1 then refuse "%S: the points are no neighbours" text;
      Between ((integer file, integer rank), (integer file', integer rank'))
    in
    (* within is a gap, if the board is wide or high enough for it. *)
    let within points gap = if points < 2 then refuse "%S: the board has no such points" text else gap in
    let gap name =
      match (name, String.split_on_char ':' name) with
      | "opening=corner-h", _ -> within b.files CornerH
      | "opening=corner-v", _ -> within b.ranks CornerV
      | "opening=middle-h", _ -> within b.files MiddleH
      | "opening=middle-v", _ -> within b.ranks MiddleV
      | _, [ "opening=gap"; points ] -> (
          match String.split_on_char '-' points with
          | [ p; q ] -> between (point p) (point q)
          | _ -> refuse "unknown rules %S" text)
      | _ -> refuse "unknown rules %S" text
    in
    let opens =
      match String.split_on_char ',' text with
      | [ "opening=traditional" ] -> Traditional
      | [ "opening=centre-or-corner" ] -> CentreOrCorner
      | [ "opening=any" ] -> AnyStone
      | [ name ] | [ name; "to-move=black" ] -> Without (gap name, Black)
      | [ name; "to-move=white" ] -> Without (gap name, White)
      | _ -> refuse "unknown rules %S" text
    in
    { files = integer b.files; ranks = integer b.ranks; opens }

  (* players are those that a claim can be about, if its positions name them. *)
  let players = [ ("first", Black); ("second", White) ]

  (* opener is the player whose turn it is as long as stones are removed. *)
  let opener rules made stones =
    match rules.opens with
    | Without _ -> None
    | _ when stones = made.whole -> Some Black
    | _ -> if List.mem_assoc stones made.lacking then Some White else None

  (* read_position reads a position with a player or without. *)
  let read_position b rules made with_players s =
    match read_stones b 'o' 'x' s with
    | Some (whites, blacks, rest)
      when whites land made.points_of_blacks = 0 && blacks land made.points_of_whites = 0 -> (
        let standing = whites lor blacks in
        let player, letter =
          match String.split_on_char ' ' rest with
          | [ letter; name ] when with_players -> (List.assoc_opt name players, letter)
          | [ letter ] when not with_players -> (None, letter)
          | _ -> (None, "")
        in
        match List.assoc_opt letter letters with
        | Some colour when with_players = (player <> None) -> (
            match opener rules made standing with
            | Some opens when player <> Some opens -> None
            | _ -> Some { standing; colour; player })
        | _ -> None)
    | _ -> None

  let write_position b made p =
    write_stones b 'o' 'x' (p.standing land made.points_of_whites) (p.standing land made.points_of_blacks)
    ^ letter_of p.colour
    ^ match p.player with None -> "" | Some player -> " " ^ fst (List.find (fun (_, side) -> side = player) players)

  let words p =
    ( p.standing,
      (if p.colour = Black then 1 else 0) + match p.player with None -> 0 | Some White -> 2 | Some Black -> 4 )

  let of_words v w =
    {
      standing = v;
      colour = (if w land 1 = 0 then White else Black);
      player = (if w land 6 = 0 then None else if w land 6 = 2 then Some White else Some Black);
    }

  let is_written code =
    let all = numbers code in
    fun t -> all = match t.what with Removal p -> [ of_positive p ] | Jump (p, q) -> [ of_positive p; of_positive q ]

  let read_turn b s =
    match String.split_on_char '-' s with
    | [ ""; p ] -> code [ read_point b p ]
    | [ p; q ] -> code [ read_point b p; read_point b q ]
    | _ -> None

  let game b rules with_players =
    let made = konane_board_of rules in
    {
      play = konane_play rules made;
      many_turns = (fun _ -> false);
      read_position = read_position b rules made with_players;
      write_position = write_position b made;
      words;
      of_words;
      read_turn = read_turn b;
      is_written;
    }
end

module Phutball = struct
  let board = read_board (1, 19) (3, 21)
  let sides = [ ("ohs", White); ("eks", Black) ]

  let rules b text =
    let option name s =
      match String.split_on_char '=' s with
      | [ n; "true" ] when n = name -> true
      | [ n; "false" ] when n = name -> false
      | _ -> refuse "unknown rules %S" text
    in
    match String.split_on_char ',' text with
    | [ stop; corner; return ] ->
        {
          columns = integer b.files;
          rows_up = integer b.ranks;
          goal_stop = option "goal-stop" stop;
          corner_exit = option "corner-exit" corner;
          return_from_off = option "return-from-off" return;
        }
    | _ -> refuse "unknown rules %S" text

  (* There is no column I, and on so few points none behind Z. *)
  let columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

  (* place_of is the number of a place: columns count from 0 and rows from 1, on the board. *)
  let place_of b column row = (row * (b.files + 2)) + column + 2

  let read_place b s =
    if s = "" then None
    else
      let column =
        match s.[0] with
        | '<' -> Some (-1)
        | '>' -> Some b.files
        | c -> Option.bind (String.index_opt columns c) (fun i -> if i < b.files then Some i else None)
      and row =
        match String.sub s 1 (String.length s - 1) with "0" -> Some 0 | digits -> number (b.ranks + 1) digits
      in
      match (column, row) with Some column, Some row -> Some (place_of b column row) | _ -> None

  let column_of b n = ((n - 1) mod (b.files + 2)) - 1
  let row_of b n = (n - 1) / (b.files + 2)

  let write_place b n =
    let column = column_of b n in
    let name = if column < 0 then "<" else if column = b.files then ">" else String.make 1 columns.[column] in
    name ^ string_of_int (row_of b n)

  (* is_point tells whether a place is on the board, and point_of is its bit then. *)
  let is_point b n = column_of b n >= 0 && column_of b n < b.files && row_of b n >= 1 && row_of b n <= b.ranks
  let point_of b n = 1 lsl place b (column_of b n) (row_of b n - 1)

  (* cut_place cuts the place of a ball off the board from the front of a text. *)
  let cut_place b s =
    match String.index_opt s ' ' with
    | Some i when s.[0] = '@' && not (String.contains (String.sub s 0 i) '/') ->
        Some (read_place b (String.sub s 1 (i - 1)), String.sub s (i + 1) (String.length s - i - 1))
    | _ -> None

  let read_position b made =
    let rows = List.init b.ranks succ in
    let points = List.concat_map (fun row -> List.init b.files (fun column -> place_of b column row)) rows in
    let is_off n = (not (is_point b n)) && PositiveMap.find (positive n) made.balls <> None in
    let with_ball ball men side =
      let position n to_play = { men; ball = positive n; to_play } in
      Option.bind ball (fun n -> Option.map (position n) (List.assoc_opt side sides))
    in
    fun s ->
      match cut_place b s with
      | Some (Some n, rest) -> (
          match read_stones b '*' '@' rest with
          | Some (men, 0, side) when is_off n -> with_ball (Some n) men side
          | _ -> None)
      | Some (None, _) -> None
      | None -> (
          match read_stones b '*' '@' s with
          | Some (men, on_point, side) -> with_ball (List.find_opt (fun n -> point_of b n = on_point) points) men side
          | None -> None)

  let write_position b p =
    let n = of_positive p.ball in
    let off, on_point = if is_point b n then ("", point_of b n) else ("@" ^ write_place b n ^ " ", 0) in
    off ^ write_stones b '*' '@' p.men on_point ^ fst (List.find (fun (_, side) -> side = p.to_play) sides)

  let words p = (p.men, (2 * of_positive p.ball) + if p.to_play = Black then 1 else 0)

  let of_words v w =
    { men = v; ball = positive (w / 2); to_play = (if w land 1 = 0 then White else Black) }

  let is_written code =
    match numbers code with
    | [ man ] -> fun t -> t.played = Man (positive man)
    | path ->
        let path = List.map positive path in
        fun t -> t.played = Series path

  let read_turn b s = code (List.map (read_place b) (String.split_on_char '-' s))

  (* many_turns follows series as series_of in Phutball.v does. There are few turns beside them. *)
  let many_turns b made p =
    let rec series turn men from =
      let along ray =
        match jump men 0 ray with
        | None -> ()
        | Some (s, men) ->
            turn ();
            if s.goes_on then series turn men s.stop_number
      in
      List.iter along (rays_at made from)
    in
    let placements turn = for _ = 1 to b.files * b.ranks - 1 - size p.men do turn () done in
    lost_at made p.ball = None && counting (fun turn -> placements turn; series turn p.men p.ball)

  let game b rules =
    let made = phutball_board_of rules in
    let many_turns = many_turns b made in
    {
      play = unless_many many_turns (phutball_play made);
      many_turns;
      read_position = read_position b made;
      write_position = write_position b;
      words;
      of_words;
      read_turn = read_turn b;
      is_written;
    }
end
