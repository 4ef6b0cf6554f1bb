(** Certificates within Coq: positions as numbers, so that a claim about a board can be a theorem
    of Coq itself. *)

From Coq Require Import List ZArith NArith PArith FMapPositive.
Import ListNotations.
From Paika Require Import Outcome Fanorona.

Section Codes.

Variable R : rules.
Variable points : list point.

(** A position as a number. The highest bit is 1, the next one the side to move, and then each
    point has two: 0 is empty, 1 white, 2 black. *)
Definition code (p : placing) : positive :=
  fold_left (fun c at_ =>
    match PositiveMap.find at_ (board p) with
    | None => c~0~0
    | Some White => c~0~1
    | Some Black => c~1~0
    end%positive)
    points (match mover p with White => 2 | Black => 3 end)%positive.

(** Back again: points from the last one on. *)
Fixpoint decoded_from (points : list point) (c : positive) (b : stones) : placing :=
  match points, c with
  | at_ :: more, (c~0~0)%positive => decoded_from more c b
  | at_ :: more, (c~0~1)%positive => decoded_from more c (PositiveMap.add at_ White b)
  | at_ :: more, (c~1~0)%positive => decoded_from more c (PositiveMap.add at_ Black b)
  | _, (_~0)%positive => {| board := b; mover := White |}
  | _, _ => {| board := b; mover := Black |}
  end.

Definition decoded (c : positive) : placing := decoded_from (rev points) c (PositiveMap.empty _).

(** A record of which all turns are followed, or one, and its rank. *)
Inductive entry := All (at_ : positive) (rank : N) | One (at_ to : positive) (rank : N).

Definition recorded (e : entry) : record placing :=
  match e with
  | All c r => {| at_ := decoded c; chosen := None; rank := r |}
  | One c q r => {| at_ := decoded c; chosen := Some (decoded q); rank := r |}
  end.

End Codes.

Definition points (R : rules) : list point := map (fun at_ => point_at R (fst at_) (snd at_)) (places R).

(** Nothing has to be known of codes: what is checked are the positions that they stand for. *)
Theorem checked_within R k X root entries :
  (let p := points R in
   check_fanorona R (code p) k X root (map (recorded p) entries)) = true ->
  @shown (fanorona R) k X root.
Proof. apply check_fanorona_is_sound. Qed.
