(* The text of a certificate: lines, the header, and what games have in common in how positions
   and turns are written. *)

exception Refused of string (* not checked *)
exception Fault of string   (* not valid *)

let refuse format = Printf.ksprintf (fun s -> raise (Refused s)) format
let fault format = Printf.ksprintf (fun s -> raise (Fault s)) format

(* digits reads a number in decimal, below a limit. *)
let digits limit s =
  let add n c =
    if c < '0' || c > '9' || n >= limit then None else Some ((10 * n) + Char.code c - Char.code '0')
  in
  let all = String.fold_left (fun n c -> Option.bind n (fun n -> add n c)) (Some 0) s in
  if s = "" then None else Option.bind all (fun n -> if n < limit then Some n else None)

(* Lines. *)

let source = ref stdin
let line_number = ref 0
let longest_line = 65535

(* read_from begins another text. *)
let read_from channel =
  source := channel;
  line_number := 0

(* next_line gives the next line without its end, or None at the end of the text. *)
let next_line =
  let line = Buffer.create 256 in
  let rec more () =
    match input_char !source with
    | '\n' -> Some (Buffer.contents line)
    | ('\t' | ' ' .. '~') as c when Buffer.length line < longest_line ->
        Buffer.add_char line c;
        more ()
    | _ -> refuse "line %d is too long, or no plain text" !line_number
    | exception End_of_file ->
        if Buffer.length line > 0 then refuse "the last line has no end";
        None
    | exception Sys_error what -> refuse "%s" what
  in
  fun () ->
    Buffer.clear line;
    incr line_number;
    more ()

(* The header, as paika writes it: no blanks, no escapes. *)

(* quoted takes a string from the front of a text, and after a text from the front of another: each
   gives what is left, if it stands there. *)
let quoted s =
  match if s <> "" && s.[0] = '"' then String.index_from_opt s 1 '"' else None with
  | Some i when not (String.contains (String.sub s 1 (i - 1)) '\\') ->
      Some (String.sub s 1 (i - 1), String.sub s (i + 1) (String.length s - i - 1))
  | _ -> None

let after front s =
  let n = String.length front in
  if String.starts_with ~prefix:front s then Some (String.sub s n (String.length s - n)) else None

(* field takes a key and its value from the front of a text. *)
let field s =
  let key, rest =
    match Option.bind (quoted s) (fun (key, rest) -> Option.map (fun rest -> (key, rest)) (after ":" rest)) with
    | Some field -> field
    | None -> refuse "the header cannot be read"
  in
  let or_else otherwise = function Some (value, rest) -> (key, value, rest) | None -> refuse otherwise key in
  let written value = Option.map (fun rest -> (value, rest)) (after value rest) in
  match key with
  | "format" -> or_else "the header's %s is not 1: this checker knows 1 alone" (written "1")
  | "tables" | "parts" -> or_else "it rests on %s, of which this checker knows none, or they are no list" (written "[]")
  | "game" | "board" | "rules" | "claim" | "root" -> or_else "the header's %s cannot be read" (quoted rest)
  | _ -> refuse "the header has an unknown key %S" key

(* header reads the header, and gives a function from its keys to their values. *)
let header s =
  let rec fields s =
    let key, value, rest = field s in
    match rest with
    | "}" -> [ (key, value) ]
    | _ when rest <> "" && rest.[0] = ',' -> (key, value) :: fields (String.sub rest 1 (String.length rest - 1))
    | _ -> refuse "the header does not end as a JSON object"
  in
  if s = "" || s.[0] <> '{' then refuse "the header is no JSON object";
  let all = fields (String.sub s 1 (String.length s - 1)) in
  let keys = List.sort compare (List.map fst all) in
  if List.filter (( <> ) "parts") keys <> [ "board"; "claim"; "format"; "game"; "root"; "rules"; "tables" ]
     || List.length (List.filter (( = ) "parts") keys) > 1
  then refuse "the header lacks a key, or has one too many";
  fun key -> List.assoc key all

(* Boards, points and positions. *)

type board = { files : int; ranks : int }

(* number reads a number from 1 to a limit that has no zeros in front. *)
let number limit s = match digits (limit + 1) s with Some n when n > 0 && s.[0] <> '0' -> Some n | _ -> None

(* read_board reads a board whose files and ranks are within some bounds. It has at most 60 points,
   so that its words have three bits to spare. *)
let read_board (least_files, most_files) (least_ranks, most_ranks) s =
  match String.split_on_char 'x' s with
  | [ files; ranks ] -> (
      match (number most_files files, number most_ranks ranks) with
      | Some files, Some ranks when files >= least_files && ranks >= least_ranks && files * ranks <= 60 -> { files; ranks }
      | _ -> refuse "unknown board %S, or one of more than 60 points" s)
  | _ -> refuse "unknown board %S" s

(* place is the point's number from 0 on, which is its bit in a word. *)
let place b file rank = (rank * b.files) + file

(* read_point reads a point as its number from 1 on. *)
let read_point b s =
  if s = "" then None
  else
    let file = Char.code s.[0] - 97 in
    match number b.ranks (String.sub s 1 (String.length s - 1)) with
    | Some rank when file >= 0 && file < b.files -> Some (place b file (rank - 1) + 1)
    | _ -> None

(* size is how many points a word has. *)
let rec size word = if word = 0 then 0 else 1 + size (word land (word - 1))

(* read_stones reads the ranks of a position, where two letters are two kinds of stones, and gives
   the words of these, and the text behind the blank that follows. *)
let read_stones b white black s =
  let length = b.ranks * (b.files + 1) in
  let rec read whites blacks i rank file =
    if i = length then Some (whites, blacks, String.sub s i (String.length s - i))
    else if file = b.files then
      if s.[i] = if rank = 0 then ' ' else '/' then read whites blacks (i + 1) (rank - 1) 0 else None
    else
      let bit = 1 lsl place b file rank in
      match s.[i] with
      | '.' -> read whites blacks (i + 1) rank (file + 1)
      | c when c = white -> read (whites lor bit) blacks (i + 1) rank (file + 1)
      | c when c = black -> read whites (blacks lor bit) (i + 1) rank (file + 1)
      | _ -> None
  in
  if String.length s < length then None else read 0 0 0 (b.ranks - 1) 0

let write_stones b white black whites blacks =
  let at rank file =
    let bit = 1 lsl place b file rank in
    if whites land bit <> 0 then white else if blacks land bit <> 0 then black else '.'
  in
  let row i = String.init b.files (at (b.ranks - 1 - i)) in
  String.concat "/" (List.init b.ranks row) ^ " "
