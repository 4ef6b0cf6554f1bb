(* Certificates in memory, and the check. *)

open Proved
open Text
open Games

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

(* The records: positions as two words, their turns by number, 0 for all, and ranks if a side is
   said to win. *)
type records = { first : Column.t; second : Column.t; turns : Column.t; by_rank : Column.t }

let size r = r.first.length
let largest = 1 lsl 30
let position g r i = g.of_words (Column.get r.first i) (Column.get r.second i)
let rank r i = if r.by_rank.length = 0 then 0 else Column.get r.by_rank i

let choice g r i =
  match Column.get r.turns i with 0 -> None | n -> Some (fun t -> g.number_of_turn t = n)

(* read_record reads a line as a record of a claim by a side. *)
let read_record g claim side r line =
  let at, turn, rank =
    match (claim, String.split_on_char '\t' line) with
    | Wins, [ at; turn; rank ] -> (at, turn, Some rank)
    | Holds, [ at; turn ] -> (at, turn, None)
    | _ -> fault "this is no record"
  in
  match g.read_position at with
  | None -> fault "this is no position"
  | Some p ->
      let number =
        match (g.play.next p = side, turn) with
        | false, "*" -> 0
        | false, _ -> fault "want * for all turns"
        | true, _ -> ( match g.read_turn turn with Some n -> n | None -> fault "%s is no turn" turn)
      in
      let add_rank text =
        match digits (1 lsl 32) text with
        | Some n -> Column.add r.by_rank n
        | None -> fault "the rank is no number below 2^32"
      in
      let v, w = g.words p in
      Option.iter add_rank rank;
      Column.add r.first v;
      Column.add r.second w;
      Column.add r.turns number

(* read_records reads all records. *)
let read_records g claim side =
  let r = Column.{ first = empty (); second = empty (); turns = empty (); by_rank = empty () } in
  let rec read () =
    match next_line () with
    | None -> refuse "the line \"end\" is missing"
    | Some line when String.length line >= 4 && String.sub line 0 4 = "end\t" ->
        if digits max_int (String.sub line 4 (String.length line - 4)) <> Some (size r) then
          refuse "there are %d records, and not %s" (size r) line;
        if next_line () <> None then refuse "something follows the line \"end\""
    | Some line ->
        if size r = largest then refuse "it has more than %d records" largest;
        read_record g claim side r line;
        read ()
  in
  read ();
  r

(* index gives the numbers of positions. It has a table of them, two thirds full at most. *)
let index g r =
  let open Bigarray in
  let rec bits n = if n = 0 then 0 else 1 + bits (n lsr 1) in
  let width = bits (size r + (size r / 2) + 1) in
  let table = Array1.create int32 c_layout (1 lsl width) in
  Array1.fill table (-1l);
  let rec find v w slot =
    let i = Int32.to_int (Array1.get table slot) in
    if i < 0 || (Column.get r.first i = v && Column.get r.second i = w) then (slot, i)
    else find v w ((slot + 1) land ((1 lsl width) - 1))
  in
  let found (v, w) =
    let h = (v * 0x2545f4914f6cdd1d) lxor (w * 0x1b873593cc9e2d51) in
    find v w (((h lxor (h lsr 31)) * 0x2545f4914f6cdd1d) lsr (63 - width))
  in
  for i = 0 to size r - 1 do
    match found (Column.get r.first i, Column.get r.second i) with
    | slot, -1 -> Array1.set table slot (Int32.of_int i)
    | _ -> fault "%s stands there twice" (g.write_position (position g r i))
  done;
  fun p -> match snd (found (g.words p)) with -1 -> size r | i -> i

(* no_fault is no number of a position. *)
let no_fault = max_int

(* first_fault is the number of the first position that is not good in a list of pieces, and no_fault
   where all are good. *)
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
let find_fault g claim side root workers r =
  let c =
    {
      total = size r;
      position_at = position g r;
      rank_at = (fun i -> natural (rank r i));
      choice_at = choice g r;
      number_of = index g r;
    }
  in
  let first = first_fault (good_piece g.play claim side c) (good_at g.play claim side c) in
  if not (good_root g.play claim side c root) then Some "it does not have the root"
  else
    let fault = if workers = 1 then first (pieces c) else side_by_side workers first (pieces c) in
    if fault = no_fault then None
    else
      let at = g.write_position (position g r fault) in
      Some (at ^ ": a turn leads where it may not, or there is no such turn")
