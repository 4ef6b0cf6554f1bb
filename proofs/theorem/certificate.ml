(* Certificates in memory, and the check. *)

open Proved
open Text
open Games

(* The records: positions as two words, the codes of their turns by number, 0 for all, and ranks if
   a side is said to win. *)
type records = { first : Columns.t; second : Columns.t; turns : Columns.t; longer : Columns.texts; by_rank : Columns.t }

let size r = r.first.length
let position g r i = g.of_words (Columns.get r.first i) (Columns.get r.second i)
let rank r i = if r.by_rank.length = 0 then 0 else Columns.get r.by_rank i

let choice g r i =
  match Columns.get r.turns i with 0 -> None | n -> Some (g.is_written (Columns.text_of_number r.longer n))

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
        | true, _ -> (
            match g.read_turn turn with
            | Some code -> Columns.number_of_text r.longer code
            | None -> fault "%s is no turn" turn)
      in
      let add_rank text =
        match digits (1 lsl 32) text with
        | Some n -> Columns.add r.by_rank n
        | None -> fault "the rank is no number below 2^32"
      in
      let v, w = g.words p in
      Option.iter add_rank rank;
      Columns.add r.first v;
      Columns.add r.second w;
      Columns.add r.turns number

(* read_records reads all records. *)
let read_records g claim side =
  let r = Columns.{ first = empty (); second = empty (); turns = empty (); longer = Buffer.create 256; by_rank = empty () } in
  let rec read () =
    match next_line () with
    | None -> refuse "the line \"end\" is missing"
    | Some line when String.length line >= 4 && String.sub line 0 4 = "end\t" ->
        if line <> Printf.sprintf "end\t%d" (size r) then
          refuse "there are %d records, and not %s" (size r) line;
        if next_line () <> None then refuse "something follows the line \"end\""
    | Some line ->
        if size r = Columns.largest then refuse "it has more than %d records" Columns.largest;
        read_record g claim side r line;
        read ()
  in
  read ();
  r

(* index gives the numbers of positions. *)
let index g r =
  let twice i = fault "%s stands there twice" (g.write_position (position g r i)) in
  let find = Columns.index r.first r.second twice in
  fun p -> let v, w = g.words p in find v w

(* first_fault is the number of the first position that is not good in a list of pieces, and Processes.none
   where all are good. *)
let first_fault good_piece good_at pieces =
  let good check i = try check i with Many_turns -> false in
  let rec in_piece i = if good good_at i then in_piece (i + 1) else i in
  match List.find_opt (fun piece -> not (good good_piece piece)) pieces with
  | None -> Processes.none
  | Some piece -> in_piece (piece lsl 16)

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
  if not (try good_root g.play claim side c root with Many_turns -> false) then Some "it does not have the root"
  else
    let fault = Processes.side_by_side workers first (pieces c) in
    if fault = Processes.none then None
    else
      let p = position g r fault in
      let at = g.write_position p in
      match (g.many_turns p, choice g r fault) with
      | true, None -> Some (Printf.sprintf "%s: the position has more than %d turns" at most_turns)
      | true, Some _ -> refuse "%s: it has more than %d turns, of which this checker cannot tell one" at most_turns
      | false, _ -> Some (at ^ ": a turn leads where it may not, or there is no such turn")
