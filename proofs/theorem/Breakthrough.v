(** The rules of Breakthrough, as bitboard/breakthrough/doc.go has them in words, on boards of at most
    63 points. Positions are those of Packed.v, whose stones are pawns here. *)

From Coq Require Import List Bool ZArith NArith PArith Uint63.
Import ListNotations.
From Paika Require Import Outcome Bits Board Arrays Packed.

Record breakthrough_rules := { wide : Z; tall : Z }.

(** * The board *)

Section Board.

Variable R : breakthrough_rules.

(** White's pawns go up. *)
Definition ahead_of (X : side) : Z := match X with White => 1 | Black => -1 end.

(** The farthest rank of a side's pawns. *)
Definition farthest (X : side) : Z := match X with White => tall R - 1 | Black => 0 end.

Definition row_of (rank : Z) : int := word_of_places (wide R) (filter (fun a => Z.eqb (snd a) rank) (places_on (wide R) (tall R))).

(** A point that a pawn may go to, and its word. *)
Record goal := { goal_point : positive; goal_mark : int }.

Definition goals (X : side) (a : place) (sideways : list Z) : list goal :=
  map (fun b => {| goal_point := point_of (wide R) b; goal_mark := only (point_of (wide R) b) |})
    (filter (is_within (wide R) (tall R)) (map (fun d => moved_by a (d, ahead_of X)) sideways)).

(** Where a pawn can go from a point: straight, and diagonally. *)
Record outlook := { pawn_point : positive; pawn_mark : int; straight : list goal; diagonal : list goal }.

Definition outlook_of (X : side) (a : place) : outlook :=
  {| pawn_point := point_of (wide R) a; pawn_mark := only (point_of (wide R) a);
     straight := goals X a [0%Z]; diagonal := goals X a [-1; 1]%Z |}.

(** What is made of a board once. *)
Record breakthrough_board := { outlooks : side -> list outlook; last_row : side -> int }.

Definition breakthrough_board_of : breakthrough_board :=
  let up := map (outlook_of White) (places_on (wide R) (tall R)) in
  let down := map (outlook_of Black) (places_on (wide R) (tall R)) in
  let top := row_of (farthest White) in
  let bottom := row_of (farthest Black) in
  {| outlooks := fun X => match X with White => up | Black => down end;
     last_row := fun X => match X with White => top | Black => bottom end |}.

Definition breakthrough_start : packed :=
  let on_ranks (l : list Z) := fold_right (fun rank w => union (row_of rank) w) 0%uint63 l in
  {| on := {| whites := on_ranks [0; 1]%Z; blacks := on_ranks [tall R - 1; tall R - 2]%Z |}; moves := White |}.

End Board.

(** * Turns *)

Record pawn_turn := { leaves : positive; enters : positive; captures_a_pawn : bool; then_on : packed }.

Section Turns.

Variable B : breakthrough_board.

(** Whether a side has reached its farthest rank, or the other has no pawn left. *)
Definition has_made_it (X : side) (f : words) : bool :=
  Uint63.eqb (of_side (other X) f) 0 || meets (of_side X f) (last_row B X).

(** Who has lost: if both have made it, who is to move. *)
Definition breakthrough_loser (p : packed) : option side :=
  if has_made_it (other (moves p)) (on p) then Some (moves p)
  else if has_made_it (moves p) (on p) then Some (other (moves p))
  else None.

Definition of_both (X : side) (mine others : int) : words :=
  match X with
  | White => {| whites := mine; blacks := others |}
  | Black => {| whites := others; blacks := mine |}
  end.

Definition going (p : packed) (o : outlook) (takes : bool) (to : goal) : pawn_turn :=
  let X := moves p in
  let mine := union (goal_mark to) (minus (of_side X (on p)) (pawn_mark o)) in
  let others := minus (of_side (other X) (on p)) (goal_mark to) in
  {| leaves := pawn_point o; enters := goal_point to; captures_a_pawn := takes;
     then_on := {| on := of_both X mine others; moves := other X |} |}.

Definition turns_of_pawn (p : packed) (o : outlook) : list pawn_turn :=
  let mine := of_side (moves p) (on p) in
  let others := of_side (other (moves p)) (on p) in
  if meets mine (pawn_mark o) then
    map (going p o false) (filter (fun to => negb (meets (union mine others) (goal_mark to))) (straight o)) ++
    map (fun to => going p o (meets others (goal_mark to)) to) (filter (fun to => negb (meets mine (goal_mark to))) (diagonal o))
  else [].

Definition breakthrough_turns (p : packed) : list pawn_turn :=
  match breakthrough_loser p with
  | Some _ => []
  | None => flat_map (turns_of_pawn p) (outlooks B (moves p))
  end.

End Turns.

(** * The game, and its checker *)

Definition breakthrough_play (B : breakthrough_board) : play packed pawn_turn :=
  {| next := moves; turns_of := breakthrough_turns B; leads_to := then_on; loser_of := breakthrough_loser B;
     same := same_packed |}.

Definition breakthrough (R : breakthrough_rules) : game := game_of (breakthrough_play (breakthrough_board_of R)).

(** What the checker finds good is true, whatever certificate it is given. *)
Theorem check_of_breakthrough_is_sound R k X c root :
  check_arrays (breakthrough_play (breakthrough_board_of R)) k X c root = true -> @shown (breakthrough R) k X root.
Proof. apply check_of_game_is_sound. exact same_packed_is_equal. Qed.

(** * Examples *)

Definition breakthrough_perft (R : breakthrough_rules) (n : nat) : N :=
  perft_of (breakthrough_play (breakthrough_board_of R)) n (breakthrough_start R).

(** Counts of paika, whose rules share nothing with these. *)
Example five_turns_on_3x4 : breakthrough_perft {| wide := 3; tall := 4 |} 5 = 2422%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_4x4 : breakthrough_perft {| wide := 4; tall := 4 |} 5 = 16118%N.
Proof. vm_compute. reflexivity. Qed.

Example four_turns_on_5x5 : breakthrough_perft {| wide := 5; tall := 5 |} 4 = 23084%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_2x5 : breakthrough_perft {| wide := 2; tall := 5 |} 5 = 598%N.
Proof. vm_compute. reflexivity. Qed.

Print Assumptions check_of_breakthrough_is_sound.
