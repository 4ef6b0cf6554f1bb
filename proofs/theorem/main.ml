(* check: reads the text of a certificate about Fanorona from standard input, and has it checked
   by what was made of check_packed, whose soundness is proved in Packed.v.

     zstd -dc FILE | ./check [--workers N]
     zstd -dc FILE | ./check --theory NAME > NAME.v

   The first takes some 35 bytes for each position, and the time of one or of N processes. The second
   writes the certificate as a theory, with its claim as a theorem, for Coq itself to check. That
   is for boards of at most 29 points.

   What is here reads text, and is not proved. It can misread a position, so it prints the claim,
   the board, the rules and the root that were checked. What it gives to the checker are functions
   from numbers to what the text says there; while they are functions, whatever they say, what is
   found valid is true. The seal of the file is behind the text, and not looked at. Exit status:
   0 valid, 1 not valid, 2 not checked. *)

open Fanorona

exception Refused of string (* not checked *)
exception Fault of string   (* not valid *)

let refuse format = Printf.ksprintf (fun s -> raise (Refused s)) format
let fault format = Printf.ksprintf (fun s -> raise (Fault s)) format

(* Numbers. *)

let rec positive n =
  if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> 2 * of_positive p + 1
let natural n = if n = 0 then N0 else Npos (positive n)
let integer n = if n = 0 then Z0 else Zpos (positive n)

(* digits reads a number in decimal, below a limit. *)
let digits limit s =
  let add n c =
    if c < '0' || c > '9' || n >= limit then None else Some ((10 * n) + Char.code c - Char.code '0')
  in
  let all = String.fold_left (fun n c -> Option.bind n (fun n -> add n c)) (Some 0) s in
  if s = "" then None else Option.bind all (fun n -> if n < limit then Some n else None)

(* Lines. *)

let line_number = ref 0
let longest_line = 65535

(* next_line gives the next line without its end, or None at the end of the text. *)
let next_line =
  let line = Buffer.create 256 in
  let rec more () =
    match input_char stdin with
    | '\n' -> Some (Buffer.contents line)
    | ('\t' | ' ' .. '~') as c when Buffer.length line < longest_line ->
        Buffer.add_char line c;
        more ()
    | _ -> refuse "line %d is too long, or no plain text" !line_number
    | exception End_of_file ->
        if Buffer.length line > 0 then refuse "the last line has no end";
        None
  in
  fun () ->
    Buffer.clear line;
    incr line_number;
    more ()

(* The board, and what stands on it. *)

type setting = {
  rules : rules;
  files : int;
  ranks : int;
  ground : ground;
}

let setting rules files ranks = { rules; files; ranks; ground = ground_of rules }

(* place is the point's number from 0 on, which is its bit in a word. *)
let place b file rank = (rank * b.files) + file

(* read_position reads a position as it is written, and nothing else. *)
let read_position b s =
  let length = (b.ranks * (b.files + 1)) + 1 in
  if String.length s <> length then None
  else
    let rec read whites blacks i rank file =
      if i = length - 1 then Some { whites; blacks }
      else if file = b.files then
        if s.[i] = if rank = 0 then ' ' else '/' then read whites blacks (i + 1) (rank - 1) 0 else None
      else
        let bit = 1 lsl place b file rank in
        match s.[i] with
        | 'W' -> read (whites lor bit) blacks (i + 1) rank (file + 1)
        | 'B' -> read whites (blacks lor bit) (i + 1) rank (file + 1)
        | '.' -> read whites blacks (i + 1) rank (file + 1)
        | _ -> None
    in
    let next = match s.[length - 1] with 'w' -> Some White | 'b' -> Some Black | _ -> None in
    match (read 0 0 0 (b.ranks - 1) 0, next) with
    | Some on, Some next when on.whites lor on.blacks <> 0 -> Some { on; next }
    | _ -> None

let write_position b f =
  let at rank file =
    let bit = 1 lsl place b file rank in
    if f.on.whites land bit <> 0 then 'W' else if f.on.blacks land bit <> 0 then 'B' else '.'
  in
  let row i = String.init b.files (at (b.ranks - 1 - i)) in
  String.concat "/" (List.init b.ranks row) ^ match f.next with White -> " w" | Black -> " b"

(* unpacked is a position as the rules have it. *)
let unpacked b f =
  let stone stones rank file =
    let bit = 1 lsl place b file rank in
    let add side = PositiveMap.add (point_at b.rules (integer file) (integer rank)) side stones in
    if f.on.whites land bit <> 0 then add White else if f.on.blacks land bit <> 0 then add Black else stones
  in
  let row stones rank = List.fold_left (fun stones file -> stone stones rank file) stones (List.init b.files Fun.id) in
  { board = List.fold_left row PositiveMap.Leaf (List.init b.ranks Fun.id); mover = f.next }

(* Turns. A turn is known by a number that is made of its start and its steps. Two turns with one
   number would do no harm: which of them it is, the checker looks where it leads. *)

let number_of_start point = point

let with_step number point how =
  (number * 0x2545f4914f6cdd1d) + (4 * point) + match how with Approach -> 1 | Withdrawal -> 2 | Paika -> 3

let number_of_turn t =
  let step number (point, how) = with_step number (of_positive point) how in
  List.fold_left step (number_of_start (of_positive t.start_of)) t.path lor 1

(* read_turn reads a turn from a text, as its number. *)
let read_turn b s =
  let length = String.length s in
  let point i =
    if i + 1 >= length then 0
    else
      let file = Char.code s.[i] - 97 and rank = Char.code s.[i + 1] - 49 in
      if file < 0 || file >= b.files || rank < 0 || rank >= b.ranks then 0 else place b file rank + 1
  in
  let rec steps number i =
    if i = length then Some (number lor 1)
    else
      let to_ = point (i + 1) in
      if s.[i] <> '-' || to_ = 0 then None
      else
        match if i + 3 < length then s.[i + 3] else '-' with
        | 'A' -> steps (with_step number to_ Approach) (i + 4)
        | 'W' -> steps (with_step number to_ Withdrawal) (i + 4)
        | '-' -> steps (with_step number to_ Paika) (i + 3)
        | _ -> None
  in
  let start = point 0 in
  if start = 0 || length < 5 then None else steps (number_of_start start) 2

(* The header, as paika writes it: no blanks, no escapes. *)

(* field takes a key and its value from the front of a text. *)
let field s =
  let until c from = try String.index_from s from c with Not_found -> refuse "the header cannot be read" in
  let after i = String.sub s i (String.length s - i) in
  if s = "" || s.[0] <> '"' then refuse "the header cannot be read";
  let key_end = until '"' 1 in
  let key = String.sub s 1 (key_end - 1) and rest = after (key_end + 1) in
  let value, rest =
    match Scanf.sscanf rest ":%1[\"]%[^\"\\]%1[\"]%n" (fun a v z n -> (a, v, z, n)) with
    | "\"", v, "\"", n -> (v, String.sub rest n (String.length rest - n))
    | _ -> (
        match Scanf.sscanf rest ":%[][0-9]%n" (fun v n -> (v, n)) with
        | "[", _ -> refuse "it rests on %s, of which this checker knows none" key
        | v, n -> (v, String.sub rest n (String.length rest - n)))
    | exception Scanf.Scan_failure _ | exception End_of_file -> refuse "the header's %s cannot be read" key
  in
  (key, value, rest)

let read_header s =
  let rec fields s =
    let key, value, rest = field s in
    match rest with
    | "}" -> [ (key, value) ]
    | _ when rest <> "" && rest.[0] = ',' -> (key, value) :: fields (String.sub rest 1 (String.length rest - 1))
    | _ -> refuse "the header does not end as a JSON object"
  in
  if s = "" || s.[0] <> '{' then refuse "the header is no JSON object";
  let all = fields (String.sub s 1 (String.length s - 1)) in
  let keys = List.sort compare (List.filter (( <> ) "parts") (List.map fst all)) in
  if keys <> [ "board"; "claim"; "format"; "game"; "root"; "rules"; "tables" ]
     || List.length (List.filter (fun (k, _) -> k = "parts") all) > 1
  then refuse "the header lacks a key, or has one too many";
  let value key = List.assoc key all in
  let wants key want = if value key <> want then refuse "%s is %s: this checker knows %s alone" key (value key) want in
  wants "format" "1";
  wants "game" "fanorona";
  if List.exists (fun key -> List.mem_assoc key all && value key <> "[]") [ "tables"; "parts" ] then
    refuse "tables or parts are no list";
  let files, ranks =
    match value "board" with
    | s when String.length s = 3 && s.[1] = 'x' -> (Char.code s.[0] - 48, Char.code s.[2] - 48)
    | s -> refuse "unknown board %S" s
  in
  if files < 3 || files > 9 || ranks < 3 || ranks > 9 || files * ranks > 60 then refuse "unknown board %S" (value "board");
  let on_stalemate, on_directions =
    match String.split_on_char ',' (value "rules") with
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
    | _ -> refuse "unknown rules %S" (value "rules")
  in
  let b = setting { width = integer files; height = integer ranks; on_stalemate; on_directions } files ranks in
  let claim, side =
    match value "claim" with
    | "white-wins" -> (Wins, White)
    | "white-not-lost" -> (Holds, White)
    | "black-wins" -> (Wins, Black)
    | "black-not-lost" -> (Holds, Black)
    | s -> refuse "unknown claim %S" s
  in
  match read_position b (value "root") with
  | None -> refuse "the root is no position"
  | Some root -> (b, claim, side, root, fun verdict -> Printf.sprintf "%s from %s on %s, %s%s: %s" (value "claim") (value "root")
      (value "board") (value "rules") (if is_start b.rules (unpacked b root) then ", the start position" else "") verdict)

(* Certificates. *)

(* A column of many numbers grows in blocks. *)
module Column = struct
  open Bigarray

  type block = (int, int_elt, c_layout) Array1.t
  type t = { mutable blocks : block array; mutable length : int }

  let bits = 20
  let empty () : t = { blocks = [||]; length = 0 }
  let get c i = Array1.get (Array.get c.blocks (i lsr bits)) (i land ((1 lsl bits) - 1))

  let add c n =
    if c.length land ((1 lsl bits) - 1) = 0 then
      c.blocks <- Array.append c.blocks [| Array1.create int c_layout (1 lsl bits) |];
    Array1.set c.blocks.(c.length lsr bits) (c.length land ((1 lsl bits) - 1)) n;
    c.length <- c.length + 1
end

(* A certificate: positions, their turns by number, 0 for all, and ranks if a side is said to win. *)
type certificate = { whites_at : Column.t; blacks_at : Column.t; turn_at : Column.t; ranks_at : Column.t }

let size c = c.whites_at.length
let max_size = 1 lsl 30

(* black_moves is a bit that no point has, and that White's word has in a column where Black moves. *)
let black_moves = 1 lsl 60

let in_column f = f.on.whites lor if f.next = Black then black_moves else 0

let position_at c i =
  let w = Column.get c.whites_at i in
  {
    on = { whites = w land lnot black_moves; blacks = Column.get c.blacks_at i };
    next = (if w land black_moves = 0 then White else Black);
  }

let rank_at c i = if c.ranks_at.length = 0 then N0 else natural (Column.get c.ranks_at i)

let choice_at c i =
  match Column.get c.turn_at i with 0 -> None | n -> Some (fun t -> number_of_turn t = n)

(* read_record reads a line as a record of a claim by a side. *)
let read_record b claim side c line =
  let at, turn, rank =
    match (claim, String.split_on_char '\t' line) with
    | Wins, [ at; turn; rank ] -> (at, turn, Some rank)
    | Holds, [ at; turn ] -> (at, turn, None)
    | _ -> fault "this is no record"
  in
  match read_position b at with
  | None -> fault "this is no position"
  | Some f ->
      let number =
        match (f.next = side, turn) with
        | false, "*" -> 0
        | false, _ -> fault "want * for all turns"
        | true, _ -> ( match read_turn b turn with Some n -> n | None -> fault "%s is no turn" turn)
      in
      let add_rank text =
        match digits (1 lsl 32) text with
        | Some n -> Column.add c.ranks_at n
        | None -> fault "the rank is no number below 2^32"
      in
      Option.iter add_rank rank;
      Column.add c.whites_at (in_column f);
      Column.add c.blacks_at f.on.blacks;
      Column.add c.turn_at number

(* read_records reads all records. *)
let read_records b claim side =
  let c = Column.{ whites_at = empty (); blacks_at = empty (); turn_at = empty (); ranks_at = empty () } in
  let rec read () =
    match next_line () with
    | None -> refuse "the line \"end\" is missing"
    | Some line when String.length line >= 4 && String.sub line 0 4 = "end\t" ->
        if digits max_int (String.sub line 4 (String.length line - 4)) <> Some (size c) then
          refuse "there are %d records, and not %s" (size c) line;
        if next_line () <> None then refuse "something follows the line \"end\""
    | Some line ->
        if size c = max_size then refuse "it has more than %d records" max_size;
        read_record b claim side c line;
        read ()
  in
  read ();
  c

(* index gives the numbers of positions. It has a table of them, two thirds full at most. *)
let index b c =
  let open Bigarray in
  let rec bits n = if n = 0 then 0 else 1 + bits (n lsr 1) in
  let width = bits (size c + (size c / 2) + 1) in
  let table = Array1.create int32 c_layout (1 lsl width) in
  Array1.fill table (-1l);
  let rec find whites blacks slot =
    let i = Int32.to_int (Array1.get table slot) in
    if i < 0 || (Column.get c.whites_at i = whites && Column.get c.blacks_at i = blacks) then (slot, i)
    else find whites blacks ((slot + 1) land ((1 lsl width) - 1))
  in
  let found f =
    let whites = in_column f and blacks = f.on.blacks in
    let h = (whites * 0x2545f4914f6cdd1d) lxor (blacks * 0x1b873593cc9e2d51) in
    find whites blacks (((h lxor (h lsr 31)) * 0x2545f4914f6cdd1d) lsr (63 - width))
  in
  for i = 0 to size c - 1 do
    let f = position_at c i in
    match found f with
    | slot, -1 -> Array1.set table slot (Int32.of_int i)
    | _ -> fault "%s stands there twice" (write_position b f)
  done;
  fun f -> match snd (found f) with -1 -> size c | i -> i

(* Checking. *)

(* first_fault is the number of the first position that is not good in a list of pieces, and no_fault
   where all are. *)
let no_fault = max_int

let first_fault good_piece good_at pieces =
  let rec in_piece i = if good_at i then in_piece (i + 1) else i in
  match List.find_opt (fun piece -> not (good_piece piece)) pieces with
  | None -> no_fault
  | Some piece -> in_piece (piece lsl 16)

(* side_by_side is the least of what a function says of the lists that one is dealt into, each in
   a process of its own. *)
let side_by_side workers first all =
  let dealt k = List.filteri (fun i _ -> i mod workers = k) all in
  let start k =
    let from_it, to_us = Unix.pipe () in
    match Unix.fork () with
    | 0 ->
        let out = Unix.out_channel_of_descr to_us in
        Printf.fprintf out "%d\n" (first (dealt k));
        close_out out;
        Unix._exit 0
    | pid ->
        Unix.close to_us;
        (pid, Unix.in_channel_of_descr from_it)
  in
  let answer (pid, from_it) =
    let said = try int_of_string_opt (input_line from_it) with End_of_file -> None in
    match (said, snd (Unix.waitpid [] pid)) with
    | Some n, Unix.WEXITED 0 -> n
    | _ -> refuse "a worker stopped before it had checked its share"
  in
  List.fold_left min no_fault (List.map answer (List.init workers start))

(* find_fault has a certificate checked, and says what is wrong with it, if anything is. *)
let find_fault b claim side root workers c =
  let n = size c and number_of = index b c in
  let with_these f = f b.rules b.ground claim side n (position_at c) in
  let piece i = with_these good_piece (rank_at c) (choice_at c) number_of i in
  let good i = with_these good_at (rank_at c) (choice_at c) number_of i in
  let first = first_fault piece good in
  if not (with_these good_root number_of root) then Some "it does not have the root"
  else
    let fault = if workers = 1 then first (pieces n) else side_by_side workers first (pieces n) in
    if fault = no_fault then None
    else
      let at = write_position b (position_at c fault) in
      Some (at ^ ": a turn leads where it may not, or there is no such turn")

(* theory writes a certificate as a theory. *)
let theory name b claim side root c =
  if b.files * b.ranks > 29 then refuse "a theory is for boards of at most 29 points";
  let number f =
    let bit word i = (word lsr i) land 1 in
    let add c file rank =
      let i = place b file rank in
      (4 * c) + bit f.on.whites i + (2 * bit f.on.blacks i)
    in
    let ranks = List.init b.ranks Fun.id in
    let along c file = List.fold_left (fun c rank -> add c file rank) c ranks in
    List.fold_left along (match f.next with White -> 2 | Black -> 3) (List.init b.files Fun.id)
  in
  let claim_name = match claim with Wins -> "Wins" | Holds -> "Holds" in
  let side_name = match side with White -> "White" | Black -> "Black" in
  let rules =
    Printf.sprintf "{| width := %d; height := %d; on_stalemate := %s; on_directions := %s |}" b.files b.ranks
      (match b.rules.on_stalemate with StalemateLoses -> "StalemateLoses" | StalemateDraws -> "StalemateDraws")
      (match b.rules.on_directions with
      | NoRepeat -> "NoRepeat"
      | NoRepeatOrReverse -> "NoRepeatOrReverse"
      | NeverTwice -> "NeverTwice")
  in
  Printf.printf "From Coq Require Import List ZArith.\nImport ListNotations.\nFrom Paika Require Import Outcome Fanorona Within.\n\n";
  Printf.printf "Definition on : rules := %s%%Z.\n\n" rules;
  (* Coq reads no list of many thousand elements. *)
  let part = 500 in
  let n = size c in
  for i = 0 to n - 1 do
    if i mod part = 0 then Printf.printf "%sDefinition records_%d := [\n" (if i > 0 then "].\n\n" else "") (i / part)
    else print_string ";\n";
    let f = position_at c i and rank = if claim = Wins then Column.get c.ranks_at i else 0 in
    match choice_at c i with
    | None -> Printf.printf "All %d %d" (number f) rank
    | Some wanted -> (
        match List.find_opt wanted (packed_turns b.rules b.ground f) with
        | Some t -> Printf.printf "One %d %d %d" (number f) (number t.leads_to) rank
        | None -> fault "%s: there is no such turn" (write_position b f))
  done;
  if n > 0 then print_string "].\n\n";
  let parts = (n + part - 1) / part in
  Printf.printf "Definition records := concat [%s].\n\n" (String.concat "; " (List.init parts (Printf.sprintf "records_%d")));
  let of_root = if is_start b.rules (unpacked b root) then "start on" else Printf.sprintf "decoded (points on) %d" (number root) in
  Printf.printf "Theorem %s : @shown (fanorona on) %s %s (%s).\n" name claim_name side_name of_root;
  Printf.printf "Proof. apply (checked_within on _ _ _ records). vm_cast_no_check (eq_refl true). Qed.\n\nPrint Assumptions %s.\n" name

(* run checks a certificate, or writes it as a theory of some name, and gives the exit status. *)
let run name workers =
  let b, claim, side, root, say = read_header (match next_line () with Some s -> s | None -> refuse "it is empty") in
  let said verdict status =
    print_endline (say verdict);
    status
  in
  let not_valid what = said ("not valid: " ^ what) 1 in
  let judge c =
    match name with
    | Some name ->
        theory name b claim side root c;
        0
    | None -> (
        match find_fault b claim side (unpacked b root) workers c with
        | Some what -> not_valid what
        | None -> said (Printf.sprintf "valid, %d positions" (size c)) 0)
  in
  match read_records b claim side with
  | exception Fault what -> not_valid (Printf.sprintf "line %d: %s" !line_number what)
  | c -> ( try judge c with Fault what -> not_valid what)

let () =
  set_binary_mode_in stdin true;
  let usage () =
    prerr_endline "usage: check [--workers N | --theory NAME] < TEXT";
    exit 2
  in
  let name, workers =
    match Array.to_list Sys.argv with
    | [ _ ] -> (None, 1)
    | [ _; "--workers"; n ] -> ( match digits 1024 n with Some n when n > 0 -> (None, n) | _ -> usage ())
    | [ _; "--theory"; name ] -> (Some name, 1)
    | _ -> usage ()
  in
  exit (try run name workers with Refused what -> Printf.eprintf "check: %s\n" what; 2)
