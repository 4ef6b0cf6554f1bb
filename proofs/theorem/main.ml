(* check: reads the text of a certificate about Fanorona from standard input, and has it checked
   by check_fanorona, whose soundness is proved in Fanorona.v.

     zstd -dc FILE | ./check
     zstd -dc FILE | ./check --theory NAME > NAME.v

   The second writes the certificate as a theory, with its claim as a theorem, for Coq itself to
   check. That is for boards of at most 29 points.

   What is here reads text, and is not proved. It can misread a position, so it prints
   the claim, the board, the rules and the root that were checked. It can't make a wrong claim
   about these valid. The seal of the file is behind the text, and not looked at. Exit status:
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
  points : positive array array; (* by rank and file *)
  ways : way list PositiveMap.t;
}

let setting rules files ranks =
  let point rank file = point_at rules (integer file) (integer rank) in
  { rules; files; ranks; points = Array.init ranks (fun rank -> Array.init files (point rank)); ways = map_of_ways rules }

(* read_position reads a position as it is written, and nothing else. *)
let read_position b s =
  let length = (b.ranks * (b.files + 1)) + 1 in
  if String.length s <> length then None
  else
    let mover = match s.[length - 1] with 'w' -> Some White | 'b' -> Some Black | _ -> None in
    let rec read stones i =
      if i = length - 1 then Some stones
      else
        let rank = b.ranks - 1 - (i / (b.files + 1)) and file = i mod (b.files + 1) in
        let edge = if rank = 0 then ' ' else '/' in
        let with_stone side = read (PositiveMap.add b.points.(rank).(file) side stones) (i + 1) in
        match s.[i] with
        | c when file = b.files -> if c = edge then read stones (i + 1) else None
        | 'W' -> with_stone White
        | 'B' -> with_stone Black
        | '.' -> read stones (i + 1)
        | _ -> None
    in
    match (read PositiveMap.Leaf 0, mover) with
    | Some (PositiveMap.Node _ as board), Some mover -> Some { board; mover }
    | _ -> None (* there is one stone at least *)

let point_name b p =
  let n = of_positive p - 1 in
  Printf.sprintf "%c%d" (Char.chr (Char.code 'a' + (n mod b.files))) ((n / b.files) + 1)

let turn_name b t =
  let step (p, manner) =
    "-" ^ point_name b p ^ match manner with Approach -> "A" | Withdrawal -> "W" | Paika -> ""
  in
  String.concat "" (point_name b t.origin :: List.map step t.steps)

(* hash is any function: what it finds is compared. *)
let hash p =
  let rec of_stones = function
    | PositiveMap.Leaf -> 1
    | PositiveMap.Node (l, o, r) ->
        let here = match o with None -> 0 | Some White -> 1 | Some Black -> 2 in
        (((of_stones l * 0x9e3779b1) + here) * 0x85ebca6b) lxor (of_stones r * 0xc2b2ae35)
  in
  let h = of_stones p.board * match p.mover with White -> 1 | Black -> 0x27d4eb2f in
  positive (1 lsl 20 lor ((h lxor (h lsr 29)) land 0xfffff))

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
      (value "board") (value "rules") (if is_start b.rules root then ", the start position" else "") verdict)

(* read_record reads a line as a record of a claim by a side. *)
let read_record b claim side line =
  let ranked text = match digits (1 lsl 32) text with Some n -> natural n | None -> fault "the rank is no number below 2^32" in
  let at, turn, rank =
    match (claim, String.split_on_char '\t' line) with
    | Wins, [ at; turn; rank ] -> (at, turn, ranked rank)
    | Holds, [ at; turn ] -> (at, turn, N0)
    | _ -> fault "this is no record"
  in
  match read_position b at with
  | None -> fault "this is no position"
  | Some at_ when at_.mover <> side -> if turn = "*" then { at_; chosen = None; rank } else fault "want * for all turns"
  | Some at_ -> (
      match List.find_opt (fun t -> turn_name b t = turn) (all_turns b.rules b.ways at_) with
      | Some t -> { at_; chosen = Some t.result; rank }
      | None -> fault "%s is no turn there" turn)

(* theory writes a certificate as a theory. *)
let theory name b claim side root records =
  if b.files * b.ranks > 29 then refuse "a theory is for boards of at most 29 points";
  let all = points b.rules in
  let number p = of_positive (code all p) in
  let of_rank = function N0 -> 0 | Npos p -> of_positive p in
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
  let entry i c =
    if i mod part = 0 then Printf.printf "%sDefinition records_%d := [\n" (if i > 0 then "].\n\n" else "") (i / part)
    else print_string ";\n";
    match c.chosen with
    | None -> Printf.printf "All %d %d" (number c.at_) (of_rank c.rank)
    | Some q -> Printf.printf "One %d %d %d" (number c.at_) (number q) (of_rank c.rank)
  in
  List.iteri entry records;
  let parts = (List.length records + part - 1) / part in
  if parts > 0 then print_string "].\n\n";
  Printf.printf "Definition records := concat [%s].\n\n" (String.concat "; " (List.init parts (Printf.sprintf "records_%d")));
  let of_root = if is_start b.rules root then "start on" else Printf.sprintf "decoded (points on) %d" (number root) in
  Printf.printf "Theorem %s : @shown (fanorona on) %s %s (%s).\n" name claim_name side_name of_root;
  Printf.printf "Proof. apply (checked_within on _ _ _ records). vm_cast_no_check (eq_refl true). Qed.\n\nPrint Assumptions %s.\n" name

(* read_records reads all records, the last one first, and how many there are. *)
let read_records b claim side =
  let rec read records n =
    match next_line () with
    | None -> refuse "the line \"end\" is missing"
    | Some line when String.length line >= 4 && String.sub line 0 4 = "end\t" ->
        if digits max_int (String.sub line 4 (String.length line - 4)) <> Some n then refuse "there are %d records, and not %s" n line;
        if next_line () <> None then refuse "something follows the line \"end\"";
        (records, n)
    | Some line -> read (read_record b claim side line :: records) (n + 1)
  in
  read [] 0

(* run checks the certificate, or writes it as a theory of some name, and gives the exit status. *)
let run name =
  let b, claim, side, root, say = read_header (match next_line () with Some s -> s | None -> refuse "it is empty") in
  let not_valid what =
    print_endline (say ("not valid: " ^ what));
    1
  in
  match (read_records b claim side, name) with
  | exception Fault what -> not_valid (Printf.sprintf "line %d: %s" !line_number what)
  | (records, _), Some name ->
      theory name b claim side root records;
      0
  | (records, n), None when check_fanorona b.rules hash claim side root records ->
      print_endline (say (Printf.sprintf "valid, %d positions" n));
      0
  | _ -> not_valid "a position stands there twice, or a turn leads where it may not"

let () =
  set_binary_mode_in stdin true;
  let name =
    match Array.to_list Sys.argv with
    | [ _ ] -> None
    | [ _; "--theory"; name ] -> Some name
    | _ ->
        prerr_endline "usage: check [--theory NAME] < TEXT";
        exit 2
  in
  exit (try run name with Refused what -> Printf.eprintf "check: %s\n" what; 2)
