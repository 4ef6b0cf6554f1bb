(** Tables of what positions are worth, and in how many turns.

    A table says this of each position of a set. It is right if what it says of each follows from
    what it says of where the turns lead: that is checked one position at a time. Nothing needs to
    be known of how the table was made, or of how a position is found in it. *)

From Coq Require Import List Bool Arith ZArith Uint63 Lia.
Import ListNotations.
From Paika Require Import Outcome Arrays.

(** * Distances *)

(** What best play makes of a position: X wins, in n turns, or None for a draw. *)
Definition worth := option (side * nat).

Section Distances.

Context {G : game}.

(** X wins within n turns, whatever the other side does. *)
Inductive wins_within (X : side) : nat -> position G -> Prop :=
| within_over n p :
    turns G p = [] -> loser G p = Some (other X) -> wins_within X n p
| within_choosing n p q :
    to_move G p = X -> In q (turns G p) -> wins_within X n q -> wins_within X (S n) p
| within_always n p :
    to_move G p = other X -> turns G p <> [] ->
    (forall q, In q (turns G p) -> wins_within X n q) -> wins_within X (S n) p.

(** The distance of a win is the least number that does: if the winner hurries and the loser
    delays, play takes so many turns. *)
Definition is_worth (p : position G) (w : worth) : Prop :=
  match w with
  | Some (X, n) => wins_within X n p /\ forall m, wins_within X m p -> n <= m
  | None => draw p
  end.

Theorem a_win_within_is_a_win X n p : wins_within X n p -> wins X p.
Proof.
  induction 1 as [n p over lost | n p q mover chosen _ IH | n p mover some _ IH].
  - exact (wins_over X p over lost).
  - exact (wins_choosing X p q mover chosen IH).
  - exact (wins_always X p mover some IH).
Qed.

Lemma more_turns_do X n p : wins_within X n p -> forall m, n <= m -> wins_within X m p.
Proof.
  induction 1 as [n p over lost | n p q mover chosen _ IH | n p mover some _ IH]; intros m more.
  - exact (within_over X m p over lost).
  - destruct m as [|m]; [lia|]. exact (within_choosing X m p q mover chosen (IH m (le_S_n _ _ more))).
  - destruct m as [|m]; [lia|].
    exact (within_always X m p mover some (fun q legal => IH q legal m (le_S_n _ _ more))).
Qed.

(** ** What follows from what *)

(** What play that is over is worth. *)
Definition worth_of_end (lost : option side) : worth :=
  match lost with Some Y => Some (other Y, 0) | None => None end.

(** What a turn may lead to, if the position that it is played in is worth w. *)
Definition may_lead (mover : side) (w v : worth) : Prop :=
  match w, v with
  | Some (X, n), Some (Y, m) => if same_side X mover then Y = X -> n <= S m else Y = X /\ S m <= n
  | Some (X, _), None => X = mover
  | None, Some (Y, _) => Y = other mover
  | None, None => True
  end.

(** What a best turn leads to. *)
Definition is_best (w v : worth) : Prop :=
  match w, v with
  | Some (X, n), Some (Y, m) => Y = X /\ n = S m
  | None, None => True
  | _, _ => False
  end.

(** What is said of positions. *)
Variable said : position G -> worth -> Prop.

Definition follows (p : position G) (w : worth) : Prop :=
  (turns G p = [] /\ w = worth_of_end (loser G p)) \/
  (turns G p <> [] /\
   (forall q, In q (turns G p) -> exists v, said q v /\ may_lead (to_move G p) w v) /\
   (exists q v, In q (turns G p) /\ said q v /\ is_best w v)).

Hypothesis all_follow : forall p w, said p w -> follows p w.

Lemma other_or X Y : Y = X \/ Y = other X.
Proof. destruct X, Y; auto. Qed.

Lemma same_side_other X : same_side X (other X) = false.
Proof. destruct X; reflexivity. Qed.

Lemma what_is_said_to_win X n : forall p, said p (Some (X, n)) -> wins_within X n p.
Proof.
  induction n as [n IH] using (well_founded_induction Wf_nat.lt_wf). intros p it_is.
  destruct (all_follow p _ it_is) as [[over same] | [some [all [q [v [legal [next best]]]]]]].
  - unfold worth_of_end in same. destruct (loser G p) as [Y|] eqn:lost; [|discriminate].
    injection same as -> ->. apply within_over; [exact over|]. rewrite other_twice. exact lost.
  - destruct v as [[Y m]|]; [|contradiction]. destruct best as [-> ->].
    destruct (other_or X (to_move G p)) as [mover | mover].
    + exact (within_choosing X m p q mover legal (IH m (Nat.lt_succ_diag_r m) q next)).
    + apply (within_always X m p mover some). intros r there.
      destruct (all r there) as [u [of_r may]]. unfold may_lead in may. rewrite mover, same_side_other in may.
      destruct u as [[Z k]|].
      * destruct may as [-> less]. apply (more_turns_do X k r); [|lia]. apply IH; [lia | exact of_r].
      * exfalso. exact (other_differs X may).
Qed.

Lemma no_win_is_shorter X m p : wins_within X m p -> forall w, said p w -> exists n, w = Some (X, n) /\ n <= m.
Proof.
  induction 1 as [m p over lost | m p q mover chosen _ IH | m p mover some _ IH]; intros w it_is;
    destruct (all_follow p w it_is) as [[over' same] | [some' [all [r [u [legal [of_r best]]]]]]].
  - rewrite same, lost. exists 0. simpl. rewrite other_twice. split; [reflexivity | lia].
  - contradiction.
  - rewrite over' in chosen. destruct chosen.
  - destruct (all q chosen) as [v [of_q may]]. destruct (IH v of_q) as [n [-> less]]. unfold may_lead in may.
    rewrite mover in may. destruct w as [[Y k]|].
    + destruct (other_or X Y) as [-> | ->].
      * rewrite same_side_refl in may. exists k. specialize (may eq_refl). split; [reflexivity | lia].
      * replace (same_side (other X) X) with false in may by (destruct X; reflexivity).
        destruct may as [E _]. exfalso. exact (other_differs X E).
    + exfalso. exact (other_differs X may).
  - contradiction.
  - assert (each : forall q, In q (turns G p) -> forall v, said q v -> exists n, v = Some (X, n) /\ n <= m)
      by exact IH.
    destruct (each r legal u of_r) as [n [-> less]]. destruct w as [[Y k]|]; [|contradiction].
    destruct best as [<- ->]. exists (S n). split; [reflexivity | lia].
Qed.

(** What X may hold: play that is not over, which the other side is not said to win. *)
Definition not_lost (X : side) (p : position G) (_ : N) : Prop :=
  turns G p <> [] /\ exists w, said p w /\ match w with Some (Y, _) => Y = X | None => True end.

Lemma what_is_not_lost_is_allowed X above p w :
  said p w -> match w with Some (Y, _) => Y = X | None => True end -> allowed Holds X (not_lost X) above p.
Proof.
  intros it_is good. destruct (all_follow p w it_is) as [[over same] | [some _]].
  - right. split; [exact over|]. unfold good_end, worth_of_end in *. destruct (loser G p) as [Y|]; [|reflexivity].
    rewrite same in good. rewrite <- good. destruct Y; reflexivity.
  - left. exists 0%N. split; [|discriminate]. split; [exact some|]. exists w. split; assumption.
Qed.

Lemma what_is_not_lost_is_supported X p r : not_lost X p r -> supported Holds X (not_lost X) p r.
Proof.
  intros [some [w [it_is good]]].
  destruct (all_follow p w it_is) as [[over _] | [_ [all [q [v [legal [next best]]]]]]]; [contradiction|].
  destruct (other_or X (to_move G p)) as [mover | mover].
  - left. exists q. split; [exact mover|split; [exact legal|]]. apply (what_is_not_lost_is_allowed X r q v next).
    destruct w as [[Y n]|], v as [[Z m]|]; try contradiction; [|exact I]. destruct best as [-> _]. exact good.
  - right. split; [exact mover|split; [exact some|]]. intros q' there.
    destruct (all q' there) as [u [of_q may]]. apply (what_is_not_lost_is_allowed X r q' u of_q).
    unfold may_lead in may. rewrite mover in may. destruct w as [[Y n]|], u as [[Z m]|]; try exact I.
    + subst Y. rewrite same_side_other in may. exact (proj1 may).
    + rewrite other_twice in may. exact may.
Qed.

Lemma what_is_not_lost_is_held X p w :
  said p w -> match w with Some (Y, _) => Y = X | None => True end -> holds X p.
Proof.
  intros it_is good. destruct (what_is_not_lost_is_allowed X 0 p w it_is good) as [[r [member _]] | over].
  - exact (a_closed_set_shows Holds X (not_lost X) (what_is_not_lost_is_supported X) p (or_introl (ex_intro _ r member))).
  - exact (a_closed_set_shows Holds X (not_lost X) (what_is_not_lost_is_supported X) p (or_intror over)).
Qed.

(** If all that is said follows from what is said, all of it is right. *)
Theorem what_is_said_is_right p w : said p w -> is_worth p w.
Proof.
  intro it_is. destruct w as [[X n]|]; simpl.
  - split; [exact (what_is_said_to_win X n p it_is)|]. intros m shorter.
    destruct (no_win_is_shorter X m p shorter _ it_is) as [k [E less]]. injection E as ->. exact less.
  - split; exact (what_is_not_lost_is_held _ p None it_is I).
Qed.

End Distances.

(** * The checker *)

(** What a table says of a position. Distances are machine words. *)
Inductive value := Drawn | Won (X : side) (n : int).

Definition turns_in (n : int) : nat := Z.to_nat (to_Z n).

Definition worth_of (v : value) : worth :=
  match v with Won X n => Some (X, turns_in n) | Drawn => None end.

Definition value_of_end (lost : option side) : value :=
  match lost with Some Y => Won (other Y) 0 | None => Drawn end.

Definition same_value (v w : value) : bool :=
  match v, w with
  | Won X n, Won Y m => same_side X Y && Uint63.eqb n m
  | Drawn, Drawn => true
  | _, _ => false
  end.

(** may_lead and is_best, for such values. *)
Definition leads_rightly (mover : side) (w v : value) : bool :=
  match w, v with
  | Won X n, Won Y m =>
    if same_side X mover then negb (same_side Y X) || Uint63.leb n (m + 1) else same_side Y X && Uint63.ltb m n
  | Won X _, Drawn => same_side X mover
  | Drawn, Won Y _ => same_side Y (other mover)
  | Drawn, Drawn => true
  end.

Definition is_the_best (w v : value) : bool :=
  match w, v with
  | Won X n, Won Y m => same_side Y X && (Uint63.ltb m n && Uint63.leb n (m + 1))
  | Drawn, Drawn => true
  | _, _ => false
  end.

Lemma at_most_one_more n m : Uint63.leb n (m + 1) = true -> turns_in n <= S (turns_in m).
Proof.
  rewrite leb_spec, add_spec. unfold turns_in. generalize (to_Z_bounded n), (to_Z_bounded m). intros N M.
  generalize (Z.mod_le (to_Z m + to_Z 1) wB ltac:(rewrite to_Z_1; lia) ltac:(reflexivity)). rewrite to_Z_1. lia.
Qed.

Lemma less_turns n m : Uint63.ltb m n = true -> S (turns_in m) <= turns_in n.
Proof. rewrite ltb_spec. unfold turns_in. generalize (to_Z_bounded n), (to_Z_bounded m). lia. Qed.

Lemma leads_rightly_is mover w v : leads_rightly mover w v = true -> may_lead mover (worth_of w) (worth_of v).
Proof.
  destruct w as [|X n], v as [|Y m]; simpl; intro H; try exact I.
  - exact (same_side_is_equal _ _ H).
  - exact (same_side_is_equal _ _ H).
  - destruct (same_side X mover).
    + intros ->. rewrite same_side_refl in H. exact (at_most_one_more n m H).
    + apply andb_prop in H as [who less]. split; [exact (same_side_is_equal _ _ who) | exact (less_turns n m less)].
Qed.

Lemma is_the_best_is w v : is_the_best w v = true -> is_best (worth_of w) (worth_of v).
Proof.
  destruct w as [|X n], v as [|Y m]; simpl; intro H; try discriminate; [exact I|].
  apply andb_prop in H as [who H]. apply andb_prop in H as [less most].
  split; [exact (same_side_is_equal _ _ who)|].
  generalize (less_turns n m less), (at_most_one_more n m most). lia.
Qed.

Section Checking.

Context {P T : Type}.
Variable g : play P T.

(** The positions that the table is about, and the table. What it says of others is not asked for. *)
Variable inside : P -> bool.
Variable table : P -> option value.

(** What is known of a position: what the table says, or how play has ended. *)
Definition known_value (f : P) : option value :=
  if inside f then table f
  else match turns_of g f with [] => Some (value_of_end (loser_of g f)) | _ => None end.

Definition is_known_and (test : value -> bool) (t : T) : bool :=
  match known_value (leads_to g t) with Some v => test v | None => false end.

(** Whether what the table says of a position follows from what is known of those that turns lead
    to. *)
Definition right_at (f : P) : bool :=
  match table f with
  | None => false
  | Some w =>
    match turns_of g f with
    | [] => same_value w (value_of_end (loser_of g f))
    | all => forallb (is_known_and (leads_rightly (next g f) w)) all && existsb (is_known_and (is_the_best w)) all
    end
  end.

(** ** What it finds right is right *)

Variable G : game.
Variable is_packed : P -> position G -> Prop.
Hypothesis it_plays : plays g G is_packed.
Hypothesis all_right : forall f, inside f = true -> right_at f = true.

Definition is_said (p : position G) (w : worth) : Prop :=
  exists f v, is_packed f p /\ known_value f = Some v /\ worth_of v = w.

Lemma value_of_end_is lost : worth_of (value_of_end lost) = worth_of_end lost.
Proof. destruct lost; reflexivity. Qed.

Lemma same_value_is_equal v w : same_value v w = true -> v = w.
Proof.
  destruct v as [|X n], w as [|Y m]; simpl; intro H; try discriminate; [reflexivity|].
  apply andb_prop in H as [who many]. rewrite (same_side_is_equal _ _ who), (Uint63.eqb_correct _ _ many). reflexivity.
Qed.

Lemma what_is_known_follows p w : is_said p w -> follows is_said p w.
Proof.
  intros [f [v [packs [it_is <-]]]]. unfold known_value in it_is.
  pose proof (turns_are g G is_packed it_plays f p packs) as like. destruct (alike_empty _ _ _ like) as [none none'].
  destruct (inside f) eqn:where_.
  - generalize (all_right f where_). unfold right_at. rewrite it_is. destruct like as [to from].
    destruct (turns_of g f) as [|t ts] eqn:some.
    + intro same. left. split; [exact (none eq_refl)|].
      rewrite (same_value_is_equal _ _ same), value_of_end_is, (loser_is g G is_packed it_plays f p packs). reflexivity.
    + intro right_. apply andb_prop in right_ as [all best]. right.
      split; [intro over; discriminate (none' over)|]. split.
      * intros q there. destruct (from q there) as [u [legal packs']]. rewrite forallb_forall in all.
        generalize (all u legal). unfold is_known_and. destruct (known_value (leads_to g u)) as [v'|] eqn:known; [|discriminate].
        intro right_. exists (worth_of v'). split; [exists (leads_to g u), v'; auto|].
        rewrite <- (mover_is g G is_packed it_plays f p packs). exact (leads_rightly_is _ _ _ right_).
      * apply existsb_exists in best as [u [legal best]]. destruct (to u legal) as [q [there packs']].
        unfold is_known_and in best. destruct (known_value (leads_to g u)) as [v'|] eqn:known; [|discriminate].
        exists q, (worth_of v'). split; [exact there|]. split; [exists (leads_to g u), v'; auto|].
        exact (is_the_best_is _ _ best).
  - destruct (turns_of g f); [|discriminate]. injection it_is as <-. left.
    rewrite value_of_end_is, (loser_is g G is_packed it_plays f p packs). split; [exact (none eq_refl) | reflexivity].
Qed.

Theorem what_is_found_right_is_right f p : inside f = true -> is_packed f p ->
  exists v, table f = Some v /\ is_worth p (worth_of v).
Proof.
  intros where_ packs. generalize (all_right f where_). unfold right_at.
  destruct (table f) as [v|] eqn:it_is; [|discriminate]. intros _. exists v. split; [reflexivity|].
  apply (what_is_said_is_right is_said what_is_known_follows). exists f, v.
  unfold known_value. rewrite where_. auto.
Qed.

End Checking.

(** * All positions of a set *)

(** What is looked for is made in steps, each of which makes some of one. *)
Fixpoint walk {A} (steps : list (A -> list A)) (test : A -> bool) (a : A) : bool :=
  match steps with
  | [] => test a
  | step :: more => forallb (walk more test) (step a)
  end.

Fixpoint reached {A} (steps : list (A -> list A)) (a b : A) : Prop :=
  match steps with
  | [] => a = b
  | step :: more => exists c, In c (step a) /\ reached more c b
  end.

Lemma what_is_reached_is_tested {A} (test : A -> bool) steps : forall a b,
  walk steps test a = true -> reached steps a b -> test b = true.
Proof.
  induction steps as [|step more IH]; simpl; intros a b all there.
  - rewrite <- there. exact all.
  - destruct there as [c [one there]]. rewrite forallb_forall in all. exact (IH c b (all c one) there).
Qed.

(** What the first steps make can be walked from by as many processes as one likes. Lists get long
    here, so that nothing recurs on their length. *)
Definition step_all {A} (step : A -> list A) (l : list A) : list A :=
  fold_left (fun made a => rev_append (step a) made) l [].

Definition spread {A} (steps : list (A -> list A)) (a : A) : list A :=
  fold_left (fun l step => step_all step l) steps [a].

Lemma all_are_stepped {A} (step : A -> list A) a b l : In a l -> In b (step a) -> In b (step_all step l).
Proof.
  intros among one. unfold step_all. generalize (@nil A). intro made.
  assert (H : In a l \/ In b made) by (left; exact among). clear among. revert made H.
  induction l as [|c l IH]; simpl; intros made H.
  - destruct H as [[] | H]. exact H.
  - apply IH. destruct H as [[-> | H] | H]; [|left; exact H|]; right; rewrite rev_append_rev; apply in_or_app.
    + left. apply -> in_rev. exact one.
    + right. exact H.
Qed.

Lemma walked_in_parts {A} (test : A -> bool) first rest (a : A) :
  forallb (walk rest test) (spread first a) = true -> walk (first ++ rest) test a = true.
Proof.
  unfold spread. assert (H : In a [a]) by (left; reflexivity). revert H. generalize [a]. revert a.
  induction first as [|step more IH]; simpl; intros a l among all.
  - rewrite forallb_forall in all. exact (all a among).
  - apply forallb_forall. intros b one. exact (IH b _ (all_are_stepped step a b l among one) all).
Qed.
