(** The rules of Phutball, as bitboard/phutball/doc.go has them in words, on boards of at most 63
    points. Sets of points are machine words: Bits.v says what their operations do. *)

From Coq Require Import List Bool ZArith NArith PArith FMapPositive Uint63.
Import ListNotations.
From Paika Require Import Outcome Bits Board Arrays.

Record phutball_rules := {
  columns : Z;
  rows_up : Z;
  goal_stop : bool;
  corner_exit : bool;
  return_from_off : bool
}.

(** As sides, Ohs is White, and Eks Black. *)

(** * The board *)

Section Board.

Variable R : phutball_rules.

(** A place is a column and a row, both counted from 0. The ball can be on row -1 and on the row
    behind the last one as well, off the board. *)
Definition in_columns (a : place) : bool := Z.leb 0 (fst a) && Z.ltb (fst a) (columns R).

Definition on_the_board (a : place) : bool := in_columns a && (Z.leb 0 (snd a) && Z.ltb (snd a) (rows_up R)).

Definition past_a_corner (a : place) : bool := Z.eqb (fst a) (-1) || Z.eqb (fst a) (columns R).

Definition can_land (a : place) : bool :=
  on_the_board a ||
  (Z.eqb (snd a) (-1) || Z.eqb (snd a) (rows_up R)) && (in_columns a || corner_exit R && past_a_corner a).

Definition point_number : place -> positive := point_of (columns R).

(** So are places, with one column more on either side and one row more at either end. *)
Definition place_number (a : place) : positive := Z.to_pos ((snd a + 1) * (columns R + 2) + fst a + 2).

(** Who has lost, if a turn ends with the ball at a place. *)
Definition loser_with_ball_at (a : place) : option side :=
  if Z.leb (rows_up R - 1) (snd a) then Some Black
  else if Z.leb (snd a) 0 then Some White
  else None.

(** Whether a series can go on from a place where the ball has landed. *)
Definition can_go_on (a : place) : bool :=
  if on_the_board a
  then negb (goal_stop R && (Z.eqb (snd a) 0 || Z.eqb (snd a) (rows_up R - 1)))
  else return_from_off R.

(** A place in a row of places: its number, its point if it is on the board, and whether a series
    can go on from it. *)
Record stop := { stop_number : positive; stop_point : int; goes_on : bool }.

Definition stop_at (a : place) : stop :=
  {| stop_number := place_number a;
     stop_point := if on_the_board a then only (point_number a) else 0%uint63;
     goes_on := can_go_on a |}.

(** At most n places from a place on, in a direction. No more follow one off the board. *)
Fixpoint ray (n : nat) (d : place) (a : place) : list stop :=
  match n with
  | O => []
  | S n =>
    let b := moved_by a d in
    if on_the_board b then stop_at b :: ray n d b
    else if can_land b then [stop_at b]
    else []
  end.

Definition all_directions : list place :=
  [(1, 0); (-1, 0); (0, 1); (0, -1); (1, 1); (-1, -1); (1, -1); (-1, 1)]%Z.

Definition rays_from (a : place) : list (list stop) :=
  map (fun d => ray (Z.to_nat (columns R + rows_up R)) d a) all_directions.

Definition the_points : list place := places_on (columns R) (rows_up R).

(** All places, on the board and off it. *)
Definition the_places : list place :=
  map (fun a => (fst a - 1, snd a - 1)%Z) (places_on (columns R + 2) (rows_up R + 2)).

(** What is made of a board once. *)
Record phutball_board := {
  placements : list (positive * int);                     (* points, by their places' numbers *)
  balls : PositiveMap.t (int * (option side * list (list stop))) (* by place: its point, who has lost, rays *)
}.

Definition phutball_board_of : phutball_board :=
  {| placements := map (fun a => (place_number a, only (point_number a))) the_points;
     balls := fold_left (fun m a =>
         PositiveMap.add (place_number a) (stop_point (stop_at a), (loser_with_ball_at a, rays_from a)) m)
       (filter can_land the_places) (PositiveMap.empty _) |}.

End Board.

(** * Positions and turns *)

Record phutball_position := { men : int; ball : positive; to_play : side }.

(** A man that is placed, or the places where the ball is in a series, from where it stands. *)
Inductive phutball_move := Man (p : positive) | Series (path : list positive).

Record phutball_turn := { played : phutball_move; brings : phutball_position }.

Section Turns.

Variable B : phutball_board.

Definition at_ball (p : positive) : int * (option side * list (list stop)) :=
  match PositiveMap.find p (balls B) with Some b => b | None => (0%uint63, (None, [])) end.

Definition lost_at (p : positive) : option side := fst (snd (at_ball p)).

Definition rays_at (p : positive) : list (list stop) := snd (snd (at_ball p)).

(** A jump along a ray, after some men: where it lands, and the men that are left. *)
Fixpoint jump (men taken : int) (along : list stop) : option (stop * int) :=
  match along with
  | s :: more =>
    if meets men (stop_point s) then jump men (union taken (stop_point s)) more
    else if Uint63.eqb taken 0 then None
    else Some (s, minus men taken)
  | [] => None
  end.

(** The series of at most n jumps: the landings, where the last one is, and the men that are left. *)
Fixpoint series_of (n : nat) (men : int) (from : positive) : list (list positive * (positive * int)) :=
  match n with
  | O => []
  | S n =>
    flat_map (fun along =>
      match jump men 0 along with
      | None => []
      | Some (s, men) =>
        ([stop_number s], (stop_number s, men)) ::
        (if goes_on s then map (fun more => (stop_number s :: fst more, snd more)) (series_of n men (stop_number s)) else [])
      end)
      (rays_at from)
  end.

(** Every jump takes a man, so no series has more jumps than there are points. *)
Definition phutball_turns (p : phutball_position) : list phutball_turn :=
  let next := other (to_play p) in
  match lost_at (ball p) with
  | Some _ => []
  | None =>
    let taken := union (men p) (fst (at_ball (ball p))) in
    flat_map (fun e : positive * int =>
      if meets taken (snd e) then []
      else [{| played := Man (fst e); brings := {| men := union (men p) (snd e); ball := ball p; to_play := next |} |}])
      (placements B) ++
    map (fun s => {| played := Series (ball p :: fst s); brings := {| men := snd (snd s); ball := fst (snd s); to_play := next |} |})
      (series_of (length (placements B)) (men p) (ball p))
  end.

End Turns.

(** * The start *)

Definition phutball_start (R : phutball_rules) : option phutball_position :=
  if Z.odd (columns R) && Z.odd (rows_up R)
  then Some {| men := 0; ball := place_number R (columns R / 2, rows_up R / 2)%Z; to_play := White |}
  else None.

(** * The game, and its checker *)

Definition same_phutball (p q : phutball_position) : bool :=
  Uint63.eqb (men p) (men q) && (Pos.eqb (ball p) (ball q) && same_side (to_play p) (to_play q)).

Lemma same_phutball_is_equal p q : same_phutball p q = true -> p = q.
Proof.
  destruct p as [m b X], q as [m' b' X']. unfold same_phutball; simpl. intro H.
  apply andb_prop in H as [men_are H]. apply andb_prop in H as [ball_is side_is].
  apply Uint63.eqb_correct in men_are. apply Pos.eqb_eq in ball_is. apply same_side_is_equal in side_is.
  subst. reflexivity.
Qed.

Definition phutball_play (B : phutball_board) : play phutball_position phutball_turn :=
  {| next := to_play; turns_of := phutball_turns B; leads_to := brings;
     loser_of := fun p => lost_at B (ball p); same := same_phutball |}.

Definition phutball (R : phutball_rules) : game := game_of (phutball_play (phutball_board_of R)).

(** What the checker finds good is true, whatever certificate it is given. *)
Theorem check_of_phutball_is_sound R k X c root :
  check_arrays (phutball_play (phutball_board_of R)) k X c root = true -> @shown (phutball R) k X root.
Proof. apply check_of_game_is_sound. exact same_phutball_is_equal. Qed.

(** * Examples *)

Definition phutball_perft (R : phutball_rules) (n : nat) : N :=
  match phutball_start R with Some p => perft_of (phutball_play (phutball_board_of R)) n p | None => 0 end.

(** Counts of paika, whose rules share nothing with these. *)
Example four_turns_of_phutball_on_3x5 :
  phutball_perft {| columns := 3; rows_up := 5; goal_stop := false; corner_exit := false; return_from_off := false |} 4
  = 24960%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_3x3_with_a_stop_at_the_goal :
  phutball_perft {| columns := 3; rows_up := 3; goal_stop := true; corner_exit := false; return_from_off := false |} 5
  = 8400%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_3x3_past_corners_and_back :
  phutball_perft {| columns := 3; rows_up := 3; goal_stop := false; corner_exit := true; return_from_off := true |} 5
  = 11760%N.
Proof. vm_compute. reflexivity. Qed.

Example three_turns_on_7x7 :
  phutball_perft {| columns := 7; rows_up := 7; goal_stop := false; corner_exit := false; return_from_off := false |} 3
  = 104988%N.
Proof. vm_compute. reflexivity. Qed.

Print Assumptions check_of_phutball_is_sound.
