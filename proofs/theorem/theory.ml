(* Certificates of Fanorona as theories, for Coq itself to check. *)

open Proved
open Text
open Games
open Certificate

(* code is a position as the number that Within.v has for it. *)
let code b f =
  let bit word i = (word lsr i) land 1 in
  let add c file rank =
    let i = place b file rank in
    (4 * c) + bit f.on.whites i + (2 * bit f.on.blacks i)
  in
  let along c file = List.fold_left (fun c rank -> add c file rank) c (List.init b.ranks Fun.id) in
  List.fold_left along (match f.moves with White -> 2 | Black -> 3) (List.init b.files Fun.id)

(* write writes a certificate as a theory, with its claim as a theorem of some name. *)
let write name b rules claim side root at_start r =
  if b.files * b.ranks > 29 then refuse "a theory is for boards of at most 29 points";
  let g = Fanorona.game b rules in
  let claim_name = match claim with Wins -> "Wins" | Holds -> "Holds" in
  let side_name = match side with White -> "White" | Black -> "Black" in
  Printf.printf "From Coq Require Import List ZArith.\nImport ListNotations.\nFrom Paika Require Import Outcome Fanorona Within.\n\n";
  Printf.printf "Definition on : rules := {| width := %d; height := %d; on_stalemate := %s; on_directions := %s |}%%Z.\n\n"
    b.files b.ranks
    (match rules.on_stalemate with StalemateLoses -> "StalemateLoses" | StalemateDraws -> "StalemateDraws")
    (match rules.on_directions with
    | NoRepeat -> "NoRepeat"
    | NoRepeatOrReverse -> "NoRepeatOrReverse"
    | NeverTwice -> "NeverTwice");
  (* Coq reads no list of many thousand elements. *)
  let part = 500 and n = size r in
  for i = 0 to n - 1 do
    if i mod part = 0 then Printf.printf "%sDefinition records_%d := [\n" (if i > 0 then "].\n\n" else "") (i / part)
    else print_string ";\n";
    let f = position g r i in
    match choice g r i with
    | None -> Printf.printf "All %d %d" (code b f) (rank r i)
    | Some wanted -> (
        match List.find_opt wanted (try g.play.turns_of f with Many_turns -> refuse "%s has too many turns" (g.write_position f)) with
        | Some t -> Printf.printf "One %d %d %d" (code b f) (code b (g.play.leads_to t)) (rank r i)
        | None -> fault "%s: there is no such turn" (g.write_position f))
  done;
  if n > 0 then print_string "].\n\n";
  let parts = List.init ((n + part - 1) / part) (Printf.sprintf "records_%d") in
  Printf.printf "Definition records := concat [%s].\n\n" (String.concat "; " parts);
  let of_root = if at_start then "start on" else Printf.sprintf "decoded (points on) %d" (code b root) in
  Printf.printf "Theorem %s : @shown (fanorona on) %s %s (%s).\n" name claim_name side_name of_root;
  Printf.printf "Proof. apply (checked_within on _ _ _ records). vm_cast_no_check (eq_refl true). Qed.\n\n";
  Printf.printf "Print Assumptions %s.\n" name
