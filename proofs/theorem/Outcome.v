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

(** * Closed sets *)

(** What is claimed of X. *)
Inductive claim := Wins | Holds.

Definition shown {G : game} (c : claim) (X : side) (p : position G) : Prop :=
  match c with Wins => wins X p | Holds => holds X p end.

Lemma same_side_is_equal (Y Z : side) : same_side Y Z = true -> Y = Z.
Proof. destruct Y, Z; simpl; congruence. Qed.

Lemma same_side_refl X : same_side X X = true.
Proof. destruct X; reflexivity. Qed.

Section Sets.

Context {G : game}.
Variable k : claim.
Variable X : side.

(** Whether play that is over, as p has no turns, has ended as the claim has it. *)
Definition good_end (lost : option side) : bool :=
  match lost, k with
  | Some Y, Wins => same_side Y (other X)
  | None, Wins => false
  | Some Y, Holds => negb (same_side Y X)
  | None, Holds => true
  end.

Definition ended_well (p : position G) : Prop := turns G p = [] /\ good_end (loser G p) = true.

(** Where play is over as the claim has it, the claim is shown. *)
Lemma an_end_shows p : ended_well p -> shown k X p.
Proof.
  unfold ended_well, good_end, shown. intros [over well]. destruct k.
  - apply wins_over; [exact over|]. destruct (loser G p) as [Y|]; [|discriminate].
    rewrite (same_side_is_equal _ _ well). reflexivity.
  - apply holds_over; [exact over|]. destruct (loser G p) as [Y|]; [|discriminate].
    intro L. injection L as ->. destruct X; discriminate.
Qed.

(** Positions with ranks. Ranks matter where X is said to win. *)
Variable member : position G -> N -> Prop.

(** Where a turn of a position with some rank may lead: to a member, of a lower rank if X is said
    to win, or to a good end. *)
Definition allowed (above : N) (q : position G) : Prop :=
  (exists r, member q r /\ (k = Wins -> N.lt r above)) \/ ended_well q.

(** A member needs one such turn of X, or that all turns of the other side are such. *)
Definition supported (p : position G) (r : N) : Prop :=
  (exists q, to_move G p = X /\ In q (turns G p) /\ allowed r q) \/
  (to_move G p = other X /\ turns G p <> [] /\ forall q, In q (turns G p) -> allowed r q).

(** A set is closed if all its members are supported. *)
Hypothesis closed : forall p r, member p r -> supported p r.

Lemma a_closed_set_holds : k = Holds -> forall above p, allowed above p -> holds X p.
Proof.
  intro holding. cofix IH. intros above p [[r [among _]] | over].
  - destruct (closed p r among) as [[q [mover [legal next]]] | [mover [some next]]].
    + exact (holds_choosing X p q mover legal (IH r q next)).
    + exact (holds_always X p mover some (fun q legal => IH r q (next q legal))).
  - generalize (an_end_shows p over). rewrite holding. exact (fun H => H).
Qed.

Lemma a_closed_set_wins : k = Wins -> forall r p, member p r -> wins X p.
Proof.
  intros winning r. induction r as [r IH] using (well_founded_induction N.lt_wf_0).
  assert (next_wins : forall q, allowed r q -> wins X q).
  { intros q [[r' [among lower]] | over].
    - exact (IH r' (lower winning) q among).
    - generalize (an_end_shows q over). rewrite winning. exact (fun H => H). }
  intros p among. destruct (closed p r among) as [[q [mover [legal next]]] | [mover [some next]]].
  - exact (wins_choosing X p q mover legal (next_wins q next)).
  - exact (wins_always X p mover some (fun q legal => next_wins q (next q legal))).
Qed.

(** What a closed set has as a member, or leads to at once, is shown. *)
Theorem a_closed_set_shows p : (exists r, member p r) \/ ended_well p -> shown k X p.
Proof.
  intros [[r among] | over]; [|exact (an_end_shows p over)].
  unfold shown. assert (either : k = Wins \/ k = Holds) by (destruct k; auto).
  destruct either as [D | D].
  - rewrite D. exact (a_closed_set_wins D r p among).
  - rewrite D. apply (a_closed_set_holds D (N.succ r)). left. exists r. split; [exact among|].
    rewrite D. discriminate.
Qed.

End Sets.

(** * Certificates *)

(** A certificate is a list of records, which shows a claim about X. A record is a position, where
    the turn of X leads that is chosen there, or None for all turns of the other side, and a
    rank. *)
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

(** Whether play is over at p, as the claim has it. *)
Definition is_over (p : position G) : bool :=
  match turns G p with [] => good_end k X (loser G p) | _ => false end.

(** Whether a turn of a record with some rank may lead to q. *)
Definition leads_well (s : set) (above : N) (q : position G) : bool :=
  match rank_in s q with
  | Some r => match k with Wins => N.ltb r above | Holds => true end
  | None => is_over q
  end.

Definition good (s : set) (c : record (position G)) : bool :=
  match turns G (at_ c), chosen c with
  | [], _ => false
  | all, Some q =>
    same_side (to_move G (at_ c)) X && existsb (same q) all && leads_well s (rank c) q
  | all, None =>
    same_side (to_move G (at_ c)) (other X) && forallb (leads_well s (rank c)) all
  end.

Definition check (root : position G) (records : list (record (position G))) : bool :=
  match gathered records (PositiveMap.empty _) with
  | None => false
  | Some s =>
    forallb (good s) records &&
    match rank_in s root with Some _ => true | None => is_over root end
  end.

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

Lemma an_end_is_good p : is_over p = true -> ended_well k X p.
Proof. unfold is_over, ended_well. destruct (turns G p); [intro H; split; [reflexivity | exact H] | discriminate]. Qed.

Definition among_records (p : position G) (r : N) : Prop := rank_in s p = Some r.

Lemma what_leads_well above q : leads_well s above q = true -> allowed k X among_records above q.
Proof.
  unfold leads_well, among_records. destruct (rank_in s q) as [r|] eqn:E; intro H.
  - left. exists r. split; [exact E|]. intro winning. rewrite winning in H. apply N.ltb_lt, H.
  - right. apply an_end_is_good, H.
Qed.

Lemma what_is_good p r : among_records p r -> supported k X among_records p r.
Proof.
  intro H. destruct (of_a_record _ _ H) as [c [among [<- <-]]].
  generalize (all_good c among). unfold good.
  destruct (turns G (at_ c)) as [|t ts] eqn:E; [discriminate|].
  destruct (chosen c) as [q|]; intro D.
  - apply andb_prop in D as [D a]. apply andb_prop in D as [mover legal].
    left. exists q. split; [apply same_side_is_equal, mover|split; [|apply what_leads_well, a]].
    apply existsb_exists in legal as [q' [among' e]]. rewrite E, (same_is_equal _ _ e). exact among'.
  - apply andb_prop in D as [mover a]. right.
    split; [apply same_side_is_equal, mover|split; [rewrite E; discriminate|]].
    rewrite E. intros q legal. apply what_leads_well. rewrite forallb_forall in a. exact (a q legal).
Qed.

End Good.

End Claim.

(** * A certificate that is found good shows its claim *)

Theorem check_is_sound k X root records :
  check k X root records = true -> shown k X root.
Proof.
  unfold check. destruct (gathered records (PositiveMap.empty _)) as [s|] eqn:D; [|discriminate].
  intro H. apply andb_prop in H as [all at_root].
  assert (from_records : of_records s records).
  { apply (gathered_is_of_records records [] (PositiveMap.empty _) s); [|exact D].
    intros h p r none. unfold with_number in none. rewrite PositiveMap.gempty in none. contradiction. }
  rewrite forallb_forall in all.
  apply (a_closed_set_shows k X (among_records s) (what_is_good k X records s from_records all)).
  destruct (rank_in s root) as [r|] eqn:E.
  - left. exists r. exact E.
  - right. apply an_end_is_good, at_root.
Qed.

End Checking.
