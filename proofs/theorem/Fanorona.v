(** The rules of Fanorona, as bitboard/fanorona/doc.go has them in words. *)

From Coq Require Import List Bool ZArith NArith PArith FMapPositive.
Import ListNotations.
From Paika Require Import Outcome.

Inductive stalemate := StalemateLoses | StalemateDraws.
Inductive direction_rule := NoRepeat | NoRepeatOrReverse | NeverTwice.

Record rules := {
  width : Z;  (* files *)
  height : Z; (* ranks *)
  on_stalemate : stalemate;
  on_directions : direction_rule
}.

(** * The board *)

(** A point is a number from 1, file by file from a1. *)
Definition point := positive.

(** A direction is a step in files and one in ranks, each -1, 0 or 1. *)
Definition direction := (Z * Z)%type.

Definition opposite (d : direction) : direction := (- fst d, - snd d)%Z.

Definition same_direction (d e : direction) : bool :=
  Z.eqb (fst d) (fst e) && Z.eqb (snd d) (snd e).

(** A way leads from a point in a direction: the points ahead, up to the edge of the board,
    and those behind. *)
Record way := { along : direction; ahead : list point; behind : list point }.

Section Board.

Variable R : rules.

(** Files and ranks count from 0. *)
Definition point_at (file rank : Z) : point :=
  Z.to_pos (rank * width R + file + 1).

Definition on_board (file rank : Z) : bool :=
  (Z.leb 0 file && Z.ltb file (width R)) && (Z.leb 0 rank && Z.ltb rank (height R)).

(** A strong point is joined to its diagonal neighbours as well. *)
Definition strong (file rank : Z) : bool := Z.even (file + rank).

Definition directions (file rank : Z) : list direction :=
  ([(1, 0); (-1, 0); (0, 1); (0, -1)] ++
   if strong file rank then [(1, 1); (-1, -1); (1, -1); (-1, 1)] else [])%Z.

(** At most n points from a point on, without it. *)
Fixpoint line (n : nat) (d : direction) (file rank : Z) : list point :=
  match n with
  | O => []
  | S n =>
    let file := (file + fst d)%Z in
    let rank := (rank + snd d)%Z in
    if on_board file rank then point_at file rank :: line n d file rank else []
  end.

Definition to_edge (d : direction) (file rank : Z) : list point :=
  line (Z.to_nat (width R + height R)) d file rank.

Definition ways_from (file rank : Z) : list way :=
  map (fun d => {| along := d; ahead := to_edge d file rank; behind := to_edge (opposite d) file rank |})
    (directions file rank).

Definition numbers (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

Definition places : list (Z * Z) := list_prod (numbers (width R)) (numbers (height R)).

(** The ways from each point. *)
Definition map_of_ways : PositiveMap.t (list way) :=
  fold_left
    (fun m at_ => PositiveMap.add (point_at (fst at_) (snd at_)) (ways_from (fst at_) (snd at_)) m)
    places (PositiveMap.empty _).

End Board.

(** * Positions *)

Definition stones := PositiveMap.t side.

Record placing := { board : stones; mover : side }.

Definition is_empty (b : stones) (p : point) : bool :=
  match PositiveMap.find p b with None => true | Some _ => false end.

Definition is_of (X : side) (b : stones) (p : point) : bool :=
  match PositiveMap.find p b with Some Y => same_side Y X | None => false end.

Definition points_of (X : side) (b : stones) : list point :=
  map fst (filter (fun e => same_side (snd e) X) (PositiveMap.elements b)).

Definition moved (X : side) (from to : point) (b : stones) : stones :=
  PositiveMap.add to X (PositiveMap.remove from b).

Definition without (taken : list point) (b : stones) : stones :=
  fold_left (fun b p => PositiveMap.remove p b) taken b.

(** * Turns *)

Inductive manner := Approach | Withdrawal | Paika.

(** The point that a step enters, and how. *)
Definition step := (point * manner)%type.

(** What a turn is: the point where it begins, the steps, and the position that it leads to. *)
Record turn := { origin : point; steps : list step; result : placing }.

Section Turns.

Variable R : rules.
Variable ways : PositiveMap.t (list way).

Definition ways_of (p : point) : list way :=
  match PositiveMap.find p ways with Some w => w | None => [] end.

(** The stones of X that stand on the first points of a line, without a gap. *)
Fixpoint run (X : side) (b : stones) (points : list point) : list point :=
  match points with
  | p :: more => if is_of X b p then p :: run X b more else []
  | [] => []
  end.

(** The capturing steps of a stone along a way: the point entered, how, and what is taken. The
    other side's stones stand where they stood before the step. *)
Definition captures (X : side) (b : stones) (w : way) : list (step * list point) :=
  match ahead w with
  | to :: beyond =>
    if is_empty b to then
      filter (fun c => match snd c with [] => false | _ => true end)
        [((to, Approach), run (other X) b beyond); ((to, Withdrawal), run (other X) b (behind w))]
    else []
  | [] => []
  end.

(** Whether a direction is barred after those that the turn has gone, the last one first. *)
Definition barred (gone : list direction) (d : direction) : bool :=
  match gone with
  | [] => false
  | last :: _ =>
    match on_directions R with
    | NoRepeat => same_direction d last
    | NoRepeatOrReverse => same_direction d last || same_direction d (opposite last)
    | NeverTwice => existsb (same_direction d) gone
    end
  end.

(** The chains of at most n captures by the stone at a point: steps, and what the board is then.
    No point where it has stood is entered. *)
Fixpoint chains (n : nat) (X : side) (b : stones) (at_ : point) (stood : list point) (gone : list direction)
  : list (list step * stones) :=
  match n with
  | O => []
  | S n =>
    flat_map (fun w =>
      if barred gone (along w) then []
      else flat_map (fun c : step * list point =>
        let (s, taken) := c in
        let to := fst s in
        if existsb (Pos.eqb to) stood then []
        else
          let b := without taken (moved X at_ to b) in
          ([s], b) :: map (fun more => (s :: fst more, snd more))
            (chains n X b to (to :: stood) (along w :: gone)))
        (captures X b w))
      (ways_of at_)
  end.

(** No point is entered twice, so no chain has more steps than there are points. *)
Definition longest_chain : nat := Z.to_nat (width R * height R).

Definition after (X : side) (from : point) (how : list step * stones) : turn :=
  {| origin := from; steps := fst how; result := {| board := snd how; mover := other X |} |}.

Definition capturing_turns (X : side) (b : stones) : list turn :=
  flat_map (fun from => map (after X from) (chains longest_chain X b from [from] [])) (points_of X b).

Definition paikas (X : side) (b : stones) : list turn :=
  flat_map (fun from =>
    flat_map (fun w =>
      match ahead w with
      | to :: _ => if is_empty b to then [after X from ([(to, Paika)], moved X from to b)] else []
      | [] => []
      end)
      (ways_of from))
    (points_of X b).

(** Whether a side has no stones. *)
Definition is_gone (X : side) (b : stones) : bool :=
  match points_of X b with [] => true | _ => false end.

(** Capturing is compulsory. Who has no stones has lost, and play is over. *)
Definition all_turns (p : placing) : list turn :=
  let X := mover p in
  let b := board p in
  if is_gone X b || is_gone (other X) b then []
  else match capturing_turns X b with
  | [] => paikas X b
  | captures => captures
  end.

Definition who_has_lost (p : placing) : option side :=
  let X := mover p in
  if is_gone X (board p) then Some X
  else if is_gone (other X) (board p) then Some (other X)
  else match on_stalemate R with StalemateLoses => Some X | StalemateDraws => None end.

End Turns.

Definition fanorona (R : rules) : game :=
  let ways := map_of_ways R in
  {| position := placing;
     to_move := mover;
     turns := fun p => map result (all_turns R ways p);
     loser := who_has_lost R |}.

(** * Equality of positions *)

Fixpoint same_stones (b c : stones) : bool :=
  match b, c with
  | PositiveMap.Leaf _, PositiveMap.Leaf _ => true
  | PositiveMap.Node l o r, PositiveMap.Node l' o' r' =>
    match o, o' with
    | None, None => true
    | Some X, Some Y => same_side X Y
    | _, _ => false
    end && same_stones l l' && same_stones r r'
  | _, _ => false
  end.

Definition same_placing (p q : placing) : bool :=
  same_side (mover p) (mover q) && same_stones (board p) (board q).

Lemma same_stones_are_equal (b c : stones) : same_stones b c = true -> b = c.
Proof.
  revert c; induction b as [|l IHl o r IHr]; destruct c as [|l' o' r']; simpl; try discriminate; [reflexivity|].
  intro H. apply andb_prop in H as [H right]. apply andb_prop in H as [here left].
  rewrite (IHl _ left), (IHr _ right).
  destruct o as [X|], o' as [Y|]; try discriminate; [|reflexivity].
  rewrite (same_side_is_equal _ _ here). reflexivity.
Qed.

Lemma same_placing_is_equal (p q : placing) : same_placing p q = true -> p = q.
Proof.
  destruct p as [b X], q as [c Y]. unfold same_placing; simpl. intro H. apply andb_prop in H as [mover stones].
  rewrite (same_side_is_equal _ _ mover), (same_stones_are_equal _ _ stones). reflexivity.
Qed.

(** * The start *)

(** On a board with odd numbers of files and ranks. White has the ranks below the middle one,
    Black those above it. On the middle rank stones alternate from each edge on, and the centre is
    empty. *)
Definition starts_with (R : rules) (file rank : Z) : option side :=
  let middle_file := (width R / 2)%Z in
  let middle_rank := (height R / 2)%Z in
  if Z.ltb rank middle_rank then Some White
  else if Z.ltb middle_rank rank then Some Black
  else if Z.eqb file middle_file then None
  else if Z.ltb file middle_file then Some (if Z.even file then Black else White)
  else Some (if Z.even (width R - 1 - file) then White else Black).

Definition start (R : rules) : placing :=
  {| board := fold_left (fun b at_ =>
       match starts_with R (fst at_) (snd at_) with
       | Some X => PositiveMap.add (point_at R (fst at_) (snd at_)) X b
       | None => b
       end) (places R) (PositiveMap.empty _);
     mover := White |}.

(** Whether a position is the start. A board with an even number of files or ranks has none. *)
Definition is_start (R : rules) (p : placing) : bool :=
  Z.odd (width R) && Z.odd (height R) && same_placing p (start R).

(** * The checker *)

Definition check_fanorona (R : rules) (hash : placing -> positive) (k : claim) (X : side) (root : placing)
  (records : list (record placing)) : bool :=
  check (fanorona R) same_placing hash k X root records.

(** What the checker finds good is true, whatever hash is. *)
Theorem check_fanorona_is_sound R hash k X root records :
  check_fanorona R hash k X root records = true -> @shown (fanorona R) k X root.
Proof. apply check_is_sound. exact same_placing_is_equal. Qed.

(** Two certificates show a draw. *)
Theorem both_halves_are_a_draw R hash root records records' :
  check_fanorona R hash Holds White root records = true ->
  check_fanorona R hash Holds Black root records' = true ->
  @draw (fanorona R) root.
Proof. intros H H'. exact (conj (check_fanorona_is_sound _ _ _ _ _ _ H) (check_fanorona_is_sound _ _ _ _ _ _ H')). Qed.

(** * Examples *)

(** The number of ways in which n turns can be played. *)
Fixpoint lines_of_play (R : rules) (ways : PositiveMap.t (list way)) (n : nat) (p : placing) : N :=
  match n with
  | O => 1
  | S n => fold_left (fun sum t => sum + lines_of_play R ways n (result t)) (all_turns R ways p) 0
  end%N.

Definition perft (R : rules) (n : nat) : N := lines_of_play R (map_of_ways R) n (start R).

Definition by_default (w h : Z) : rules :=
  {| width := w; height := h; on_stalemate := StalemateLoses; on_directions := NoRepeat |}.

(** The counts are those of other programs. *)
Example four_turns_on_3x3 : perft (by_default 3 3) 4 = 67%N.
Proof. vm_compute. reflexivity. Qed.

Example five_turns_on_5x3 : perft (by_default 5 3) 5 = 2529%N.
Proof. vm_compute. reflexivity. Qed.

Example four_turns_on_5x5 : perft (by_default 5 5) 4 = 3469%N.
Proof. vm_compute. reflexivity. Qed.

Example four_turns_on_5x5_never_twice :
  perft {| width := 5; height := 5; on_stalemate := StalemateLoses; on_directions := NeverTwice |} 4 = 2506%N.
Proof. vm_compute. reflexivity. Qed.

Example four_turns_on_9x5 : perft (by_default 9 5) 4 = 18026%N.
Proof. vm_compute. reflexivity. Qed.

Print Assumptions both_halves_are_a_draw.
