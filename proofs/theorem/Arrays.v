(** A checker for certificates of many million positions, for any game whose positions can be
    packed into a form that a program likes, such as machine words.

    A certificate is in arrays. What finds a position there need not be trusted: all that is asked
    of it is to be a function. *)

From Coq Require Import List Bool ZArith NArith Uint63 Lia.
Import ListNotations.
From Paika Require Import Outcome.

(** * Lists that are alike *)

(** Each element of one list is related to one of the other. *)
Definition alike {A B} (related : A -> B -> Prop) (l : list A) (m : list B) : Prop :=
  (forall x, In x l -> exists y, In y m /\ related x y) /\
  (forall y, In y m -> exists x, In x l /\ related x y).

Section Alike.

Context {A B C D : Type}.
Variable R : A -> B -> Prop.
Variable S : C -> D -> Prop.

Lemma alike_none : alike R [] [].
Proof. split; intros ? []. Qed.

Lemma alike_cons x y l m : R x y -> alike R l m -> alike R (x :: l) (y :: m).
Proof.
  intros first [to from]. split.
  - intros ? [<- | H]; [exists y; split; [left; reflexivity | exact first]|].
    destruct (to _ H) as [z [? ?]]. exists z. split; [right|]; assumption.
  - intros ? [<- | H]; [exists x; split; [left; reflexivity | exact first]|].
    destruct (from _ H) as [z [? ?]]. exists z. split; [right|]; assumption.
Qed.

Lemma alike_map (f : A -> C) (g : B -> D) l m :
  (forall x y, R x y -> S (f x) (g y)) -> alike R l m -> alike S (map f l) (map g m).
Proof.
  intros each [to from]. split; intros z H; apply in_map_iff in H as [x [<- H]].
  - destruct (to _ H) as [y [? ?]]. exists (g y). split; [apply in_map|apply each]; assumption.
  - destruct (from _ H) as [y [? ?]]. exists (f y). split; [apply in_map|apply each]; assumption.
Qed.

Lemma alike_flat_map (f : A -> list C) (g : B -> list D) l m :
  (forall x y, In y m -> R x y -> alike S (f x) (g y)) -> alike R l m -> alike S (flat_map f l) (flat_map g m).
Proof.
  intros each [to from]. split; intros z H; apply in_flat_map in H as [x [H among]].
  - destruct (to _ H) as [y [there related]]. destruct (each x y there related) as [to' _].
    destruct (to' _ among) as [w [? ?]]. exists w. split; [apply in_flat_map; exists y; split|]; assumption.
  - destruct (from _ H) as [y [there related]]. destruct (each y x H related) as [_ from'].
    destruct (from' _ among) as [w [? ?]]. exists w. split; [apply in_flat_map; exists y; split|]; assumption.
Qed.

Lemma alike_empty l m : alike R l m -> (l = [] <-> m = []).
Proof.
  intros [to from]. split; intros ->.
  - destruct m as [|y m]; [reflexivity|]. destruct (from y (or_introl eq_refl)) as [x [[] _]].
  - destruct l as [|x l]; [reflexivity|]. destruct (to x (or_introl eq_refl)) as [y [[] _]].
Qed.

End Alike.

Lemma alike_mapped {A B C} (R : A -> B -> Prop) (S : A -> C -> Prop) (g : B -> C) l m :
  (forall x y, R x y -> S x (g y)) -> alike R l m -> alike S l (map g m).
Proof.
  intros each like. rewrite <- (map_id l). exact (alike_map R S (fun x => x) g l m each like).
Qed.

(** * The checker *)

(** How a game is played in packed positions. *)
Record play (P T : Type) := {
  next : P -> side;
  turns_of : P -> list T;
  leads_to : T -> P;
  loser_of : P -> option side; (* of a position without turns *)
  same : P -> P -> bool
}.
Arguments next {P T}. Arguments turns_of {P T}. Arguments leads_to {P T}. Arguments loser_of {P T}. Arguments same {P T}.

(** A certificate has positions with numbers below the total, each with its rank, and with a test
    for the turn of X that is chosen, or None for all turns of the other side. A position is found
    by what is told of its number, and is compared. So all these functions can be any. *)
Record certificate (P T : Type) := {
  total : int;
  position_at : int -> P;
  rank_at : int -> N;
  choice_at : int -> option (T -> bool);
  number_of : P -> int
}.
Arguments total {P T}. Arguments position_at {P T}. Arguments rank_at {P T}. Arguments choice_at {P T}. Arguments number_of {P T}.

Section Checking.

Context {P T : Type}.
Variable g : play P T.
Variable k : claim.
Variable X : side.
Variable c : certificate P T.

(** Whether a position is in the certificate. *)
Definition has_position (f : P) : bool :=
  let i := number_of c f in
  Uint63.ltb i (total c) && same g (position_at c i) f.

(** Whether play is over, as the claim has it. *)
Definition ends_well (f : P) : bool :=
  match turns_of g f with [] => good_end k X (loser_of g f) | _ => false end.

(** Whether a turn of a position with some rank may lead to f. *)
Definition may_follow (above : N) (f : P) : bool :=
  if has_position f
  then match k with Wins => N.ltb (rank_at c (number_of c f)) above | Holds => true end
  else ends_well f.

Definition good_at (i : int) : bool :=
  let f := position_at c i in
  let follows t := may_follow (rank_at c i) (leads_to g t) in
  match turns_of g f, choice_at c i with
  | [], _ => false
  | all, Some wanted => same_side (next g f) X && existsb (fun t => wanted t && follows t) all
  | all, None => same_side (next g f) (other X) && forallb follows all
  end.

(** Numbers are checked in pieces of 65,536: those which have the bits of a piece's number before
    the last 16. *)
Fixpoint good_below (bits : nat) (i : int) : bool :=
  match bits with
  | O => if Uint63.ltb i (total c) then good_at i else true
  | S bits => good_below bits (i + i)%uint63 && good_below bits (i + i + 1)%uint63
  end.

Definition good_piece (i : int) : bool := good_below 16 i.

Definition pieces : list int :=
  map (fun i => of_Z (Z.of_nat i)) (seq 0 (Z.to_nat (to_Z (total c) / 2 ^ 16 + 1))).

Definition good_root (root : P) : bool := has_position root || ends_well root.

Definition check_arrays (root : P) : bool := good_root root && forallb good_piece pieces.

Lemma what_is_below bits : forall i j, good_below bits i = true -> (to_Z j / 2 ^ Z.of_nat bits = to_Z i)%Z ->
  Uint63.ltb j (total c) = true -> good_at j = true.
Proof.
  induction bits as [|bits IH]; intros i j all place inside; simpl in all.
  - assert (i = j) as -> by (apply to_Z_inj; rewrite <- place; apply Z.div_1_r).
    rewrite inside in all. exact all.
  - apply andb_prop in all as [first second].
    replace (2 ^ Z.of_nat (S bits))%Z with (2 ^ Z.of_nat bits * 2)%Z in place
      by (rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia).
    assert (positive : (0 < 2 ^ Z.of_nat bits)%Z) by (apply Z.pow_pos_nonneg; lia).
    rewrite <- Z.div_div in place by lia.
    generalize (to_Z_bounded i), (to_Z_bounded j). intros I J.
    assert (less : (to_Z j / 2 ^ Z.of_nat bits <= to_Z j)%Z) by (apply Z.div_le_upper_bound; nia).
    assert (least : (0 <= to_Z j / 2 ^ Z.of_nat bits)%Z) by (apply Z.div_pos; lia).
    generalize (Z.div_mod (to_Z j / 2 ^ Z.of_nat bits) 2 ltac:(lia)). intro split_up.
    generalize (Z.mod_pos_bound (to_Z j / 2 ^ Z.of_nat bits) 2 ltac:(lia)). intro rest.
    rewrite place in split_up.
    assert (which : (to_Z j / 2 ^ Z.of_nat bits = 2 * to_Z i \/ to_Z j / 2 ^ Z.of_nat bits = 2 * to_Z i + 1)%Z) by lia.
    destruct which as [which | which].
    + apply (IH (i + i)%uint63 j first); [|exact inside]. rewrite which, add_spec, Z.mod_small; lia.
    + apply (IH (i + i + 1)%uint63 j second); [|exact inside].
      rewrite which, add_spec, add_spec, (Z.mod_small (to_Z i + to_Z i)) by lia. rewrite to_Z_1, Z.mod_small; lia.
Qed.

Lemma of_a_piece j : Uint63.ltb j (total c) = true ->
  exists i, In i pieces /\ (to_Z j / 2 ^ Z.of_nat 16 = to_Z i)%Z.
Proof.
  rewrite ltb_spec. change (2 ^ Z.of_nat 16)%Z with 65536%Z. intro inside.
  generalize (to_Z_bounded j), (to_Z_bounded (total c)). intros J N.
  assert (least : (0 <= to_Z j / 65536)%Z) by (apply Z.div_pos; lia).
  assert (more : (to_Z j / 65536 <= to_Z (total c) / 65536)%Z) by (apply Z.div_le_mono; lia).
  assert (most : (to_Z j / 65536 <= to_Z j)%Z) by (apply Z.div_le_upper_bound; lia).
  exists (of_Z (to_Z j / 65536)). split; [|rewrite of_Z_spec, Z.mod_small; lia].
  unfold pieces. change (2 ^ 16)%Z with 65536%Z. apply in_map_iff. exists (Z.to_nat (to_Z j / 65536)).
  split; [rewrite Z2Nat.id by exact least; reflexivity|]. apply in_seq. lia.
Qed.

(* Sixteen levels of good_below are many thousand terms. *)
Local Opaque good_below.

Lemma all_are_good : forallb good_piece pieces = true ->
  forall i, Uint63.ltb i (total c) = true -> good_at i = true.
Proof.
  intros all i inside. destruct (of_a_piece i inside) as [piece [one_of place]].
  rewrite forallb_forall in all. exact (what_is_below 16 piece i (all piece one_of) place inside).
Qed.

(** * What it finds good is true *)

(** A game that is played so. *)
Variable G : game.
Variable is_packed : P -> position G -> Prop.

Record plays : Prop := {
  same_is_equal : forall e f, same g e f = true -> e = f;
  mover_is : forall f p, is_packed f p -> next g f = to_move G p;
  loser_is : forall f p, is_packed f p -> loser_of g f = loser G p;
  turns_are : forall f p, is_packed f p -> alike (fun t q => is_packed (leads_to g t) q) (turns_of g f) (turns G p)
}.

Hypothesis it_plays : plays.

Definition among (p : position G) (r : N) : Prop :=
  exists i, Uint63.ltb i (total c) = true /\ is_packed (position_at c i) p /\ rank_at c i = r.

Lemma what_is_there f p : is_packed f p -> has_position f = true -> among p (rank_at c (number_of c f)).
Proof.
  intros packs there. apply andb_prop in there as [inside equal]. apply (same_is_equal it_plays) in equal.
  exists (number_of c f). rewrite equal. auto.
Qed.

Lemma what_ends_well f p : is_packed f p -> ends_well f = true -> ended_well k X p.
Proof.
  intros packs. unfold ends_well, ended_well. destruct (alike_empty _ _ _ (turns_are it_plays f p packs)) as [none _].
  destruct (turns_of g f); [|discriminate]. rewrite (loser_is it_plays f p packs). intro well. exact (conj (none eq_refl) well).
Qed.

Lemma what_may_follow above f p : is_packed f p -> may_follow above f = true -> allowed k X among above p.
Proof.
  intros packs. unfold may_follow. destruct (has_position f) eqn:there.
  - intro lower. left. exists (rank_at c (number_of c f)). split; [exact (what_is_there f p packs there)|].
    intro winning. rewrite winning in lower. apply N.ltb_lt, lower.
  - intro over. right. exact (what_ends_well f p packs over).
Qed.

Hypothesis all_good : forall i, Uint63.ltb i (total c) = true -> good_at i = true.

Lemma the_set_is_closed p r : among p r -> supported k X among p r.
Proof.
  intros [i [inside [packs <-]]]. generalize (all_good i inside). unfold good_at.
  pose proof (turns_are it_plays _ _ packs) as like. destruct (alike_empty _ _ _ like) as [_ none].
  destruct like as [to from].
  destruct (turns_of g (position_at c i)) as [|t ts]; [discriminate|].
  destruct (choice_at c i) as [wanted|]; intro H; apply andb_prop in H as [mover all];
    rewrite (mover_is it_plays _ _ packs) in mover; apply same_side_is_equal in mover.
  - left. apply existsb_exists in all as [u [legal H]]. apply andb_prop in H as [_ follow].
    destruct (to u legal) as [q [there packs']]. exists q.
    exact (conj mover (conj there (what_may_follow _ _ _ packs' follow))).
  - right. split; [exact mover|]. split.
    + intro over. discriminate (none over).
    + intros q there. destruct (from q there) as [u [legal packs']].
      rewrite forallb_forall in all. exact (what_may_follow _ _ _ packs' (all u legal)).
Qed.

End Checking.

Theorem check_arrays_is_sound P T (g : play P T) k X c G is_packed (root : P) (p : position G) :
  plays g G is_packed -> is_packed root p -> check_arrays g k X c root = true -> shown k X p.
Proof.
  intros it_plays packs H. apply andb_prop in H as [at_root all].
  apply (a_closed_set_shows k X (among c G is_packed)
    (the_set_is_closed g k X c G is_packed it_plays (all_are_good g k X c all))).
  apply orb_prop in at_root as [there | over].
  - left. exists (rank_at c (number_of c root)). exact (what_is_there g c G is_packed it_plays root p packs there).
  - right. exact (what_ends_well g k X G is_packed it_plays root p packs over).
Qed.

(** * Games that are played in the positions that they are about *)

Section OfItself.

Context {P T : Type}.
Variable g : play P T.

Definition game_of : game :=
  {| position := P; to_move := next g; turns := fun p => map (leads_to g) (turns_of g p); loser := loser_of g |}.

Lemma it_is_played : (forall p q, same g p q = true -> p = q) -> plays g game_of eq.
Proof.
  intro equal. split; simpl.
  - exact equal.
  - intros f p ->. reflexivity.
  - intros f p ->. reflexivity.
  - intros f p ->. apply (alike_mapped eq); [intros t u ->; reflexivity|].
    split; intros t there; exists t; auto.
Qed.

Theorem check_of_game_is_sound k X c (root : P) :
  (forall p q, same g p q = true -> p = q) -> check_arrays g k X c root = true -> @shown game_of k X root.
Proof.
  intros equal found. exact (check_arrays_is_sound P T g k X c game_of eq root root (it_is_played equal) eq_refl found).
Qed.

(** The number of ways in which n turns can be played. *)
Fixpoint perft_of (n : nat) (p : P) : N :=
  match n with
  | O => 1
  | S n => fold_left (fun sum t => sum + perft_of n (leads_to g t)) (turns_of g p) 0
  end%N.

End OfItself.
