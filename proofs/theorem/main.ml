(* check: reads the text of a certificate from standard input, or of several from files, and has it
   checked by what was made of check_arrays. That this is sound is proved in Arrays.v, and in Packed.v,
   Konane.v, Phutball.v and Breakthrough.v for what it is given of each game.

     zstd -dc FILE | ./check [--workers N]
     ./check [--workers N] TEXT...
     zstd -dc FILE | ./check --theory NAME > NAME.v
     cat ROWS/*.csv | ./check --tables GAME BOARD RULES [--workers N]

   The first takes some 35 bytes for each position, and the time of one or of N processes. So does
   the second, which tells of each file in turn. The third writes a certificate about Fanorona as a
   theory, with its claim as a theorem, for Coq itself to check. That is for boards of at most 29
   points. The last reads rows of tables with distances instead, as paika export writes them, of all
   games but Phutball, and has every position of their slices checked by what was made of good_part.
   That this is sound is proved in Slices.v. It takes some 40 bytes for each row.

   What is here reads text, and is not proved. It can misread a position, so it prints the claim,
   the board, the rules and the root that were checked, and of tables the slices. What it gives to
   the checkers are functions, from numbers or positions to what the text says there; while they
   are functions, whatever they say, what is found valid is true. The seal of a certificate is behind
   the text, and not looked at. Exit status: 0 valid, 1 not valid, 2 not checked; of several files
   the highest. *)

open Proved
open Text
open Games
open Certificate

(* A task: a game, a claim in it by a side, the root, whether that is the start, and how the
   certificate is written as a theory. *)
type task =
  | Task : {
      game : ('p, 't) game;
      claim : claim;
      side : side;
      root : 'p;
      at_start : bool;
      write : string -> records -> unit;
    }
      -> task

(* read_claim reads a claim about one of some sides. *)
let read_claim sides text =
  let all = List.concat_map (fun (name, side) -> [ (name ^ "-wins", (Wins, side)); (name ^ "-not-lost", (Holds, side)) ]) sides in
  match List.assoc_opt text all with Some claim -> claim | None -> refuse "unknown claim %S" text

let the_root game text = match game.read_position text with Some p -> p | None -> refuse "the root is no position"

let no_theory _ _ = refuse "a theory is for Fanorona"

let fanorona value =
  let b = Fanorona.board (value "board") in
  let rules = Fanorona.rules b (value "rules") in
  let claim, side = read_claim colours (value "claim") in
  let game = Fanorona.game b rules in
  let written = the_root game (value "root") in
  let placing = Fanorona.unpacked b rules written in
  match fanorona_root rules placing with
  | None -> refuse "the board is too large"
  | Some root ->
      let at_start = is_start rules placing in
      Task { game; claim; side; root; at_start; write = (fun name r -> Theory.write name b rules claim side root at_start r) }

let konane value =
  let b = Konane.board (value "board") in
  let rules = Konane.rules b (value "rules") in
  let claim, side = read_claim (colours @ Konane.players) (value "claim") in
  let game = Konane.game b rules (List.exists (fun (name, _) -> String.starts_with ~prefix:name (value "claim")) Konane.players) in
  let root = the_root game (value "root") in
  let start = konane_start rules in
  let at_start = root = start || root = { start with player = Some Black } in
  Task { game; claim; side; root; at_start; write = no_theory }

let phutball value =
  let b = Phutball.board (value "board") in
  let rules = Phutball.rules b (value "rules") in
  let claim, side = read_claim Phutball.sides (value "claim") in
  let game = Phutball.game b rules in
  let root = the_root game (value "root") in
  let at_start = phutball_start rules = Some root in
  Task { game; claim; side; root; at_start; write = no_theory }

let breakthrough value =
  let b = Breakthrough.board (value "board") in
  let rules = Breakthrough.rules b (value "rules") in
  let claim, side = read_claim colours (value "claim") in
  let game = Breakthrough.game b rules in
  let root = the_root game (value "root") in
  let at_start = root = breakthrough_start rules in
  Task { game; claim; side; root; at_start; write = no_theory }

(* run checks a certificate, or writes it as a theory of some name, and gives the exit status. *)
let run name workers =
  let value = header (match next_line () with Some s -> s | None -> refuse "it is empty") in
  let (Task t) =
    match value "game" with
    | "fanorona" -> fanorona value
    | "konane" -> konane value
    | "phutball" -> phutball value
    | "breakthrough" -> breakthrough value
    | game -> refuse "unknown game %S" game
  in
  let said verdict status =
    Printf.printf "%s from %s on %s, %s%s: %s\n" (value "claim") (value "root") (value "board") (value "rules")
      (if t.at_start then ", the start position" else "")
      verdict;
    status
  in
  let not_valid what = said ("not valid: " ^ what) 1 in
  let judge r =
    match name with
    | Some name ->
        t.write name r;
        0
    | None -> (
        match find_fault t.game t.claim t.side t.root workers r with
        | Some what -> not_valid what
        | None -> said (Printf.sprintf "valid, %d positions" (size r)) 0)
  in
  match read_records t.game t.claim t.side with
  | exception Fault what -> not_valid (Printf.sprintf "line %d: %s" !line_number what)
  | r -> ( try judge r with Fault what -> not_valid what)

(* run_each checks the certificates in some files, and gives the highest exit status. *)
let run_each workers files =
  let judge file =
    let channel = try open_in_bin file with Sys_error what -> refuse "%s" what in
    read_from channel;
    Fun.protect ~finally:(fun () -> close_in channel) (fun () -> run None workers)
  in
  let worst_with worst file =
    Printf.printf "%s: %!" file;
    let status =
      try judge file
      with Refused what ->
        Printf.printf "not checked: %s\n" what;
        2
    in
    max worst status
  in
  List.fold_left worst_with 0 files

(* check_rows has rows of tables checked. *)
let check_rows game board text workers =
  match game with
  | "fanorona" ->
      let b = Fanorona.board board in
      Tables.check (Tables.fanorona b (Fanorona.rules b text)) workers
  | "konane" ->
      let b = Konane.board board in
      Tables.check (Tables.konane b (Konane.rules b text)) workers
  | "breakthrough" ->
      let b = Breakthrough.board board in
      Tables.check (Tables.breakthrough b (Breakthrough.rules b text)) workers
  | _ -> refuse "game is %S: this checker knows tables of fanorona, konane and breakthrough" game

(* run_tables tells what comes of rows, and gives the exit status. *)
let run_tables game board text workers =
  let said slices verdict status =
    let names = List.map (fun (own, theirs) -> Printf.sprintf " %dv%d" own theirs) slices in
    Printf.printf "%s on %s, %s, slices%s: %s\n" game board text (String.concat "" names) verdict;
    status
  in
  match check_rows game board text workers with
  | exception Fault what ->
      Printf.printf "not valid: %s\n" what;
      1
  | slices, Ok positions -> said slices (Printf.sprintf "valid, %d positions" positions) 0
  | slices, Error what -> said slices ("not valid: " ^ what) 1

let () =
  set_binary_mode_in stdin true;
  let usage () =
    prerr_endline "usage: check [--workers N | --theory NAME] < TEXT";
    prerr_endline "       check [--workers N] TEXT...";
    prerr_endline "       check --tables GAME BOARD RULES [--workers N] < ROWS";
    exit 2
  in
  let is_file = Fun.negate (String.starts_with ~prefix:"-") in
  let number_of_workers n = match digits 1024 n with Some n when n > 0 -> n | _ -> usage () in
  let status () =
    match List.tl (Array.to_list Sys.argv) with
    | [] -> run None 1
    | [ "--workers"; n ] -> run None (number_of_workers n)
    | [ "--theory"; name ] -> run (Some name) 1
    | [ "--tables"; game; board; rules ] -> run_tables game board rules 1
    | [ "--tables"; game; board; rules; "--workers"; n ] -> run_tables game board rules (number_of_workers n)
    | "--workers" :: n :: (file :: _ as files) when is_file file -> run_each (number_of_workers n) files
    | file :: _ as files when is_file file -> run_each 1 files
    | _ -> usage ()
  in
  exit (try status () with Refused what -> Printf.eprintf "check: %s\n" what; 2)
