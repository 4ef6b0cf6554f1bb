(** Who wins a game, and what a certificate shows of it.

    Nothing here knows Fanorona. A game is given by its positions, by who is to move in each,
    by where the turns of each lead, and by who has lost where there are no turns. Play that
    never ends is a draw. *)

From Coq Require Import List Bool NArith PArith FMapPositive.
Import ListNotations.

Inductive side := White | Black.

Definition other (X : side) : side :=
  match X with White => Black | Black => White end.

Definition same_side (X Y : side) : bool :=
  match X, Y with White, White | Black, Black => true | _, _ => false end.

Record game := {
  position : Type;
  to_move : position -> side;
  turns : position -> list position; (* where they lead; none where play is over *)
  loser : position -> option side    (* of a position without turns; None is a draw *)
}.

(** * Outcomes *)

Section Outcomes.

Context {G : game}.

(** X wins if X can bring play to an end that the other side loses. That is an inductive
    definition: there is a bound on how long the other side can put it off. *)
Inductive wins (X : side) : position G -> Prop :=
| wins_over p :
    turns G p = [] -> loser G p = Some (other X) -> wins X p
| wins_choosing p q :
    to_move G p = X -> In q (turns G p) -> wins X q -> wins X p
| wins_always p :
    to_move G p = other X -> turns G p <> [] ->
    (forall q, In q (turns G p) -> wins X q) -> wins X p.

(** X holds, that is, does not lose, if X can play on for ever, or to an end that X does not
    lose. That is a coinductive definition: play need not end. *)
CoInductive holds (X : side) : position G -> Prop :=
| holds_over p :
    turns G p = [] -> loser G p <> Some X -> holds X p
| holds_choosing p q :
    to_move G p = X -> In q (turns G p) -> holds X q -> holds X p
| holds_always p :
    to_move G p = other X -> turns G p <> [] ->
    (forall q, In q (turns G p) -> holds X q) -> holds X p.

(** A draw: neither side loses. *)
Definition draw (p : position G) : Prop := holds White p /\ holds Black p.

Lemma other_differs (X : side) : X <> other X.
Proof. destruct X; discriminate. Qed.

Lemma other_twice (X : side) : other (other X) = X.
Proof. destruct X; reflexivity. Qed.

(** What one side holds the other does not win: so the two definitions fit together. *)
Theorem nobody_wins_what_is_held (X : side) (p : position G) :
  wins X p -> ~ holds (other X) p.
Proof.
  induction 1 as [p over lost | p q mover chosen _ IH | p mover some _ IH]; intro H; inversion H; subst.
  - contradiction.
  - rewrite over in *; contradiction.
  - contradiction.
  - match goal with E : turns G p = [] |- _ => rewrite E in chosen; contradiction end.
  - apply (other_differs (to_move G p)); assumption.
  - apply IH; match goal with A : forall q, _ -> holds _ q |- _ => apply A; assumption end.
  - contradiction.
  - match goal with C : In ?q (turns G p) |- _ => apply (IH q C); assumption end.
  - match goal with M : to_move G p = other (other X) |- _ =>
      rewrite other_twice in M; apply (other_differs X); congruence end.
Qed.

(** What a side wins it holds. *)
Theorem a_win_is_held (X : side) (p : position G) : wins X p -> holds X p.
Proof.
  induction 1 as [p over lost | p q mover chosen _ IH | p mover some _ IH].
  - apply holds_over; [assumption | rewrite lost; intro E; injection E as E; symmetry in E; exact (other_differs X E)].
  - eapply holds_choosing; eassumption.
  - apply holds_always; assumption.
Qed.

End Outcomes.

(** * Certificates *)

(** A certificate is a list of records, which shows a claim about X. A record is a position, where
    the turn of X leads that is chosen there, or None for all turns of the other side, and a
    rank. Ranks matter where X is said to win. *)
Inductive claim := Wins | Holds.

Definition shown {G : game} (c : claim) (X : side) (p : position G) : Prop :=
  match c with Wins => wins X p | Holds => holds X p end.

Record record (P : Type) := { at_ : P; chosen : option P; rank : N }.
Arguments at_ {P}. Arguments chosen {P}. Arguments rank {P}. Arguments Build_record {P}.

Section Checking.

Variable G : game.
Variable same : position G -> position G -> bool.
Hypothesis same_is_equal : forall p q, same p q = true -> p = q.

(** Positions are found by a number that is made of them. Any will do: what is found by it is
    compared. So nothing has to be known of this function. *)
Variable hash : position G -> positive.

Definition set := PositiveMap.t (list (position G * N)).

Fixpoint rank_among (p : position G) (known : list (position G * N)) : option N :=
  match known with
  | [] => None
  | (q, r) :: more => if same p q then Some r else rank_among p more
  end.

Definition with_number (h : positive) (s : set) : list (position G * N) :=
  match PositiveMap.find h s with Some known => known | None => [] end.

Definition rank_in (s : set) (p : position G) : option N :=
  rank_among p (with_number (hash p) s).

(** All positions of the records with their ranks, unless one stands there twice. *)
Fixpoint gathered (records : list (record (position G))) (s : set) : option set :=
  match records with
  | [] => Some s
  | c :: more =>
    let h := hash (at_ c) in
    let known := with_number h s in
    match rank_among (at_ c) known with
    | Some _ => None
    | None => gathered more (PositiveMap.add h ((at_ c, rank c) :: known) s)
    end
  end.

Section Claim.

Variable k : claim.
Variable X : side.

(** Whether play that is over at p has ended as the claim has it. *)
Definition ended_well (p : position G) : bool :=
  match turns G p, loser G p, k with
  | [], Some Y, Wins => same_side Y (other X)
  | [], None, Wins => false
  | [], Some Y, Holds => negb (same_side Y X)
  | [], None, Holds => true
  | _, _, _ => false
  end.

(** Whether a turn of a record with some rank may lead to q. *)
Definition allowed (s : set) (above : N) (q : position G) : bool :=
  match rank_in s q with
  | Some r => match k with Wins => N.ltb r above | Holds => true end
  | None => ended_well q
  end.

Definition good (s : set) (c : record (position G)) : bool :=
  match turns G (at_ c), chosen c with
  | [], _ => false
  | all, Some q =>
    same_side (to_move G (at_ c)) X && existsb (same q) all && allowed s (rank c) q
  | all, None =>
    same_side (to_move G (at_ c)) (other X) && forallb (allowed s (rank c)) all
  end.

Definition check (root : position G) (records : list (record (position G))) : bool :=
  match gathered records (PositiveMap.empty _) with
  | None => false
  | Some s =>
    forallb (good s) records &&
    match rank_in s root with Some _ => true | None => ended_well root end
  end.

(** * A certificate that is found good shows its claim *)

Lemma same_side_is_equal (Y Z : side) : same_side Y Z = true -> Y = Z.
Proof. destruct Y, Z; simpl; congruence. Qed.

Lemma different_sides (Y Z : side) : same_side Y Z = false -> Y <> Z.
Proof. destruct Y, Z; simpl; congruence. Qed.

Lemma rank_among_is_of_one p known r :
  rank_among p known = Some r -> In (p, r) known.
Proof.
  induction known as [|[q r'] more IH]; simpl; [discriminate|].
  destruct (same p q) eqn:E; intro H.
  - injection H as <-. rewrite (same_is_equal _ _ E). left; reflexivity.
  - right; auto.
Qed.

(** Each position of the set, with its rank, is that of a record. *)
Definition of_records (s : set) (records : list (record (position G))) : Prop :=
  forall h p r, In (p, r) (with_number h s) ->
  exists c, In c records /\ at_ c = p /\ rank c = r.

Lemma gathered_is_of_records more before s s' :
  of_records s before -> gathered more s = Some s' -> of_records s' (before ++ more).
Proof.
  revert before s; induction more as [|c more IH]; intros before s known H; simpl in H.
  - injection H as <-. rewrite app_nil_r. exact known.
  - destruct (rank_among (at_ c) (with_number (hash (at_ c)) s)); [discriminate|].
    replace (before ++ c :: more) with ((before ++ [c]) ++ more) by (rewrite <- app_assoc; reflexivity).
    refine (IH (before ++ [c]) _ _ H).
    intros h p r found. unfold with_number in found.
    destruct (Pos.eq_dec h (hash (at_ c))) as [->|other_number].
    + rewrite PositiveMap.gss in found. destruct found as [E | found].
      * injection E as <- <-. exists c. split; [apply in_or_app; right; left|split]; reflexivity.
      * destruct (known _ _ _ found) as [c' [among facts]].
        exists c'. split; [apply in_or_app; left; exact among | exact facts].
    + rewrite PositiveMap.gso in found by exact other_number.
      destruct (known _ _ _ found) as [c' [among facts]].
      exists c'. split; [apply in_or_app; left; exact among | exact facts].
Qed.

Section Good.

Variable records : list (record (position G)).
Variable s : set.
Hypothesis from_records : of_records s records.
Hypothesis all_good : forall c, In c records -> good s c = true.

Lemma of_a_record p r : rank_in s p = Some r ->
  exists c, In c records /\ at_ c = p /\ rank c = r.
Proof. intro H. apply (from_records (hash p)), rank_among_is_of_one, H. Qed.

(** What a good record says of its position. *)
Lemma what_is_good p r : rank_in s p = Some r ->
  (exists q, to_move G p = X /\ In q (turns G p) /\ allowed s r q = true) \/
  (to_move G p = other X /\ turns G p <> [] /\ forall q, In q (turns G p) -> allowed s r q = true).
Proof.
  intro H. destruct (of_a_record _ _ H) as [c [among [<- <-]]].
  generalize (all_good c among). unfold good.
  destruct (turns G (at_ c)) as [|t ts] eqn:E; [discriminate|].
  destruct (chosen c) as [q|]; intro D.
  - apply andb_prop in D as [D a]. apply andb_prop in D as [mover legal].
    left. exists q. split; [apply same_side_is_equal, mover|split; [|exact a]].
    apply existsb_exists in legal as [q' [among' e]]. rewrite (same_is_equal _ _ e). exact among'.
  - apply andb_prop in D as [mover a]. right.
    split; [apply same_side_is_equal, mover|split; [discriminate|]].
    apply forallb_forall. exact a.
Qed.

End Good.

End Claim.

(** Where play is over as the claim has it, the claim is shown. *)
Lemma an_end_shows k X p : ended_well k X p = true -> shown k X p.
Proof.
  unfold ended_well. destruct (turns G p) eqn:over; [|discriminate].
  destruct k; simpl; intro a.
  - apply wins_over; [exact over|]. destruct (loser G p) as [Y|]; [|discriminate].
    rewrite (same_side_is_equal _ _ a). reflexivity.
  - apply holds_over; [exact over|]. destruct (loser G p) as [Y|]; [|discriminate].
    intro L. injection L as ->. destruct X; discriminate.
Qed.

Lemma a_set_that_holds X records s :
  of_records s records -> (forall c, In c records -> good Holds X s c = true) ->
  forall above p, allowed Holds X s above p = true -> holds X p.
Proof.
  intros from_records all_good. cofix IH. intros above p a.
  unfold allowed in a. destruct (rank_in s p) as [r|] eqn:E.
  - destruct (what_is_good Holds X records s from_records all_good p r E)
      as [[q [mover [legal next]]] | [mover [some next]]].
    + exact (holds_choosing X p q mover legal (IH r q next)).
    + exact (holds_always X p mover some (fun q legal => IH r q (next q legal))).
  - exact (an_end_shows Holds X p a).
Qed.

Lemma a_set_that_wins X records s :
  of_records s records -> (forall c, In c records -> good Wins X s c = true) ->
  forall r p, rank_in s p = Some r -> wins X p.
Proof.
  intros from_records all_good r. induction r as [r IH] using (well_founded_induction N.lt_wf_0).
  assert (next_wins : forall q, allowed Wins X s r q = true -> wins X q).
  { intros q a. unfold allowed in a. destruct (rank_in s q) as [r'|] eqn:E.
    - apply (IH r'); [apply N.ltb_lt, a | exact E].
    - exact (an_end_shows Wins X q a). }
  intros p E. destruct (what_is_good Wins X records s from_records all_good p r E)
    as [[q [mover [legal next]]] | [mover [some next]]].
  - exact (wins_choosing X p q mover legal (next_wins q next)).
  - exact (wins_always X p mover some (fun q legal => next_wins q (next q legal))).
Qed.

Theorem check_is_sound k X root records :
  check k X root records = true -> shown k X root.
Proof.
  unfold check. destruct (gathered records (PositiveMap.empty _)) as [s|] eqn:D; [|discriminate].
  intro H. apply andb_prop in H as [all at_root].
  assert (from_records : of_records s records).
  { apply (gathered_is_of_records records [] (PositiveMap.empty _) s); [|exact D].
    intros h p r none. unfold with_number in none. rewrite PositiveMap.gempty in none. contradiction. }
  rewrite forallb_forall in all.
  destruct k; simpl.
  - destruct (rank_in s root) as [r|] eqn:E.
    + exact (a_set_that_wins X records s from_records all r root E).
    + exact (an_end_shows Wins X root at_root).
  - apply (a_set_that_holds X records s from_records all 0%N).
    unfold allowed. destruct (rank_in s root); exact at_root.
Qed.

End Checking.
