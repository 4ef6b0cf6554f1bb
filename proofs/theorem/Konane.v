(** The rules of Konane, as bitboard/konane/doc.go has them in words, on boards of at most 63
    points. Sets of points are machine words: Bits.v says what their operations do. *)

From Coq Require Import List Bool ZArith NArith PArith Uint63.
Import ListNotations.
From Paika Require Import Outcome Bits Board Arrays.

(** The two stones that are missing at the start, where nobody removes any. *)
Inductive gap := CornerH | CornerV | MiddleH | MiddleV | Between (a b : place).

Inductive opening := Traditional | CentreOrCorner | AnyStone | Without (g : gap) (begins : side).

Record konane_rules := { files : Z; ranks : Z; opens : opening }.

(** * The board *)

Section Board.

Variable R : konane_rules.

Definition number_at : place -> positive := point_of (files R).

Definition is_on_board : place -> bool := is_within (files R) (ranks R).

Definition all_places : list place := places_on (files R) (ranks R).

(** Whose point it is. *)
Definition colour_at (a : place) : side := if Z.even (fst a + snd a) then Black else White.

Definition orthogonal : list place := [(1, 0); (-1, 0); (0, 1); (0, -1)]%Z.

Definition neighbours (a : place) : list place := filter is_on_board (map (moved_by a) orthogonal).

Definition middle (n : Z) : list Z := if Z.odd n then [n / 2]%Z else [n / 2 - 1; n / 2]%Z.

Definition centre : list place := list_prod (middle (files R)) (middle (ranks R)).

Definition corners : list place := list_prod [0; files R - 1]%Z [0; ranks R - 1]%Z.

Definition is_among (l : list place) (a : place) : bool :=
  existsb (fun b => Z.eqb (fst a) (fst b) && Z.eqb (snd a) (snd b)) l.

(** The stones that the first player may remove, and those that the second one may then. *)
Definition first_removals : list place :=
  match opens R with
  | Traditional =>
    filter (fun a => is_among centre a || existsb (is_among centre) (neighbours a) || is_among corners a) all_places
  | CentreOrCorner => filter (fun a => is_among centre a || is_among corners a) all_places
  | AnyStone => all_places
  | Without _ _ => []
  end.

Definition second_removals (first : place) : list place :=
  let near := neighbours first in
  match opens R with
  | Traditional =>
    if negb (is_among centre first) && existsb (is_among centre) near then filter (is_among centre) near else near
  | _ => near
  end.

Definition points_at : list place -> int := word_of_places (files R).

(** A jump, in a row of jumps: the point that it goes over, and where it lands. *)
Record hop := { over : int; landing : positive; lands : int }.

(** At most n jumps from a place in a direction. *)
Fixpoint hops (n : nat) (d : place) (a : place) : list hop :=
  match n with
  | O => []
  | S n =>
    let b := moved_by a d in
    let c := moved_by b d in
    if is_on_board c
    then {| over := only (number_at b); landing := number_at c; lands := only (number_at c) |} :: hops n d c
    else []
  end.

(** The jumps from a point, by directions. *)
Record stand := { from : positive; from_it : int; rows : list (list hop) }.

Definition stand_at (a : place) : stand :=
  {| from := number_at a; from_it := only (number_at a);
     rows := map (fun d => hops (Z.to_nat (files R + ranks R)) d a) orthogonal |}.

Definition of_colour (X : side) : list place := filter (fun a => same_side (colour_at a) X) all_places.

(** What is made of a board once. *)
Record konane_board := {
  whole : int;                       (* all points *)
  lacking : list (int * place);      (* all but one, and that *)
  points_of_whites : int;
  points_of_blacks : int;
  stands_of_whites : list stand;
  stands_of_blacks : list stand
}.

Definition konane_board_of : konane_board :=
  let all := points_at all_places in
  {| whole := all;
     lacking := map (fun a => (minus all (only (number_at a)), a)) all_places;
     points_of_whites := points_at (of_colour White);
     points_of_blacks := points_at (of_colour Black);
     stands_of_whites := map stand_at (of_colour White);
     stands_of_blacks := map stand_at (of_colour Black) |}.

End Board.

(** * Positions *)

(** Stones have the colours of their points. A position has the colour that moves and, in a claim
    about players, the player. As sides, the first player is Black, and the second one White. In
    the opening nobody has a colour, and the one that stands there means nothing. *)
Record konane_position := { standing : int; colour : side; player : option side }.

Definition konane_mover (p : konane_position) : side :=
  match player p with Some X => X | None => colour p end.

(** * Turns *)

Inductive konane_move := Removal (p : positive) | Jump (p q : positive).

Record konane_turn := { what : konane_move; then_ : konane_position }.

Section Turns.

Variable R : konane_rules.
Variable B : konane_board.

Definition removing (p : konane_position) (moves_next : side) (a : place) : konane_turn :=
  {| what := Removal (number_at R a);
     then_ := {| standing := minus (standing p) (only (number_at R a)); colour := moves_next;
                 player := option_map other (player p) |} |}.

(** The turns of the opening: None where it is over. Each plays the colour that they remove. *)
Definition removals (p : konane_position) : option (list konane_turn) :=
  match opens R with
  | Without _ _ => None
  | _ =>
    if Uint63.eqb (standing p) (whole B)
    then Some (map (fun a => removing p (other (colour_at a)) a) (first_removals R))
    else match find (fun e => Uint63.eqb (standing p) (fst e)) (lacking B) with
    | Some (_, a) => Some (map (removing p (colour_at a)) (second_removals R a))
    | None => None
    end
  end.

(** The jumps of one turn along a row: where they land, and the stones then. The stone that jumps
    is not among the stones on the way. *)
Fixpoint jumps (theirs others : int) (row : list hop) : list (positive * int) :=
  match row with
  | h :: more =>
    if meets theirs (over h) && negb (meets others (lands h)) then
      let others := minus others (over h) in
      (landing h, union others (lands h)) :: jumps theirs others more
    else []
  | [] => []
  end.

Definition jumping (p : konane_position) : list konane_turn :=
  let X := colour p in
  let theirs := common (standing p) (match X with White => points_of_blacks B | Black => points_of_whites B end) in
  flat_map (fun s =>
    if meets (standing p) (from_it s) then
      flat_map (fun row => map (fun j : positive * int =>
        {| what := Jump (from s) (fst j);
           then_ := {| standing := snd j; colour := other X; player := option_map other (player p) |} |})
        (jumps theirs (minus (standing p) (from_it s)) row))
      (rows s)
    else [])
    (match X with White => stands_of_whites B | Black => stands_of_blacks B end).

Definition konane_turns (p : konane_position) : list konane_turn :=
  match removals p with Some all => all | None => jumping p end.

End Turns.

(** * The start *)

Definition gap_places (R : konane_rules) (g : gap) : list place :=
  let a := ((files R - 1) / 2, (ranks R - 1) / 2)%Z in
  match g with
  | CornerH => [(0, 0); (1, 0)]%Z
  | CornerV => [(0, 0); (0, 1)]%Z
  | MiddleH => [a; moved_by a (1, 0)%Z]
  | MiddleV => [a; moved_by a (0, 1)%Z]
  | Between a b => [a; b]
  end.

Definition konane_start (R : konane_rules) : konane_position :=
  let all := points_at R (all_places R) in
  match opens R with
  | Without g begins => {| standing := minus all (points_at R (gap_places R g)); colour := begins; player := None |}
  | _ => {| standing := all; colour := Black; player := Some Black |}
  end.

(** * The game, and its checker *)

Definition same_player (a b : option side) : bool :=
  match a, b with
  | Some X, Some Y => same_side X Y
  | None, None => true
  | _, _ => false
  end.

Definition same_position (p q : konane_position) : bool :=
  Uint63.eqb (standing p) (standing q) && (same_side (colour p) (colour q) && same_player (player p) (player q)).

Lemma same_position_is_equal p q : same_position p q = true -> p = q.
Proof.
  destruct p as [s X a], q as [s' X' a']. unfold same_position; simpl. intro H.
  apply andb_prop in H as [stones_are H]. apply andb_prop in H as [colour_is player_is].
  apply Uint63.eqb_correct in stones_are. apply same_side_is_equal in colour_is.
  subst. f_equal. destruct a as [Y|], a' as [Y'|]; try discriminate; [|reflexivity].
  rewrite (same_side_is_equal _ _ player_is). reflexivity.
Qed.

(** Who has no turn has lost. *)
Definition konane_play (R : konane_rules) (B : konane_board) : play konane_position konane_turn :=
  {| next := konane_mover; turns_of := konane_turns R B; leads_to := then_;
     loser_of := fun p => Some (konane_mover p); same := same_position |}.

Definition konane (R : konane_rules) : game := game_of (konane_play R (konane_board_of R)).

(** What the checker finds good is true, whatever certificate it is given. *)
Theorem check_of_konane_is_sound R k X c root :
  check_arrays (konane_play R (konane_board_of R)) k X c root = true -> @shown (konane R) k X root.
Proof. apply check_of_game_is_sound. exact same_position_is_equal. Qed.

(** * Examples *)

Definition konane_perft (R : konane_rules) (n : nat) : N :=
  perft_of (konane_play R (konane_board_of R)) n (konane_start R).

(** Counts of paika, whose rules share nothing with these. *)
Example six_turns_on_4x4 : konane_perft {| files := 4; ranks := 4; opens := Traditional |} 6 = 952%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_5x4 : konane_perft {| files := 5; ranks := 4; opens := Traditional |} 5 = 388%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_6x6 : konane_perft {| files := 6; ranks := 6; opens := Traditional |} 5 = 1616%N.
Proof. vm_compute. reflexivity. Qed.

Example four_turns_on_6x6_from_anywhere : konane_perft {| files := 6; ranks := 6; opens := AnyStone |} 4 = 1048%N.
Proof. vm_compute. reflexivity. Qed.

Example four_turns_on_6x6_from_the_centre_or_a_corner :
  konane_perft {| files := 6; ranks := 6; opens := CentreOrCorner |} 4 = 312%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_5x5_when_white_begins :
  konane_perft {| files := 5; ranks := 5; opens := Without MiddleV White |} 5 = 666%N.
Proof. vm_compute. reflexivity. Qed.

Print Assumptions check_of_konane_is_sound.
