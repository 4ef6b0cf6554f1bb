(** A checker for certificates of many million positions: a position is two machine words, a
    certificate is in arrays, and turns are found with words.

    What it finds good is true by the rules as Fanorona.v has them. *)

From Coq Require Import List Bool ZArith NArith PArith FMapPositive Uint63 Lia.
Import ListNotations.
From Paika Require Import Outcome Fanorona Bits.

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

(** * The board *)

(** A point, and the word that has it only. *)
Record spot := { name : point; mark : int }.

Definition spot_of (p : point) : spot := {| name := p; mark := only p |}.

(** A way, in such points. *)
Record lane := { course : direction; in_front : list spot; at_back : list spot }.

Definition lane_of (w : way) : lane :=
  {| course := along w; in_front := map spot_of (ahead w); at_back := map spot_of (behind w) |}.

(** What is made of a board once: the lanes from each point, all points, and the most steps that a
    chain can have. *)
Record ground := { lanes : PositiveMap.t (list lane); places : list spot; longest : nat }.

Definition ground_of (R : rules) : ground :=
  {| lanes := PositiveMap.map (map lane_of) (map_of_ways R);
     places := map (fun e => spot_of (fst e)) (PositiveMap.elements (map_of_ways R));
     longest := longest_chain R |}.

(** Whether a word has a bit for each point of the board. *)
Definition fits (R : rules) : bool :=
  forallb (fun e : point * list way =>
    within (fst e) && forallb (fun w => forallb within (ahead w) && forallb within (behind w)) (snd e))
    (PositiveMap.elements (map_of_ways R)).

(** * Positions *)

Record words := { whites : int; blacks : int }.

Definition of_side (X : side) (f : words) : int := match X with White => whites f | Black => blacks f end.

Definition stands (f : words) (b : stones) : Prop := forall X p, has (of_side X f) p = is_of X b p.

Record packed := { on : words; next : side }.

Definition is_packed (f : packed) (p : placing) : Prop := next f = mover p /\ stands (on f) (board p).

Definition same_packed (f g : packed) : bool :=
  same_side (next f) (next g) && (Uint63.eqb (whites (on f)) (whites (on g)) && Uint63.eqb (blacks (on f)) (blacks (on g))).

Lemma same_packed_is_equal f g : same_packed f g = true -> f = g.
Proof.
  destruct f as [[w b] X], g as [[w' b'] Y]. unfold same_packed; simpl. intro H.
  apply andb_prop in H as [mover H]. apply andb_prop in H as [white black].
  apply Uint63.eqb_correct in white, black. rewrite (same_side_is_equal _ _ mover), white, black. reflexivity.
Qed.

(** The word of X's stones. *)
Definition word_of (X : side) (b : stones) : int :=
  fold_right (fun e w => if same_side (snd e) X then union (only (fst e)) w else w) 0%uint63 (PositiveMap.elements b).

Definition pack (p : placing) : packed :=
  {| on := {| whites := word_of White (board p); blacks := word_of Black (board p) |}; next := mover p |}.

Definition can_be_packed (p : placing) : bool := forallb (fun e => within (fst e)) (PositiveMap.elements (board p)).

Lemma same_side_refl X : same_side X X = true.
Proof. destruct X; reflexivity. Qed.

Lemma is_of_an_element X b p : is_of X b p = true <-> In (p, X) (PositiveMap.elements b).
Proof.
  unfold is_of. split.
  - destruct (PositiveMap.find p b) as [Y|] eqn:E; [|discriminate]. intro H.
    rewrite <- (same_side_is_equal _ _ H). apply PositiveMap.elements_correct, E.
  - intro H. rewrite (PositiveMap.elements_complete _ _ _ H). apply same_side_refl.
Qed.

Lemma a_point_of_a_side X b p : In p (points_of X b) <-> is_of X b p = true.
Proof.
  rewrite is_of_an_element. unfold points_of. rewrite in_map_iff. split.
  - intros [[q Y] [<- H]]. apply filter_In in H as [H side]. simpl in *.
    rewrite <- (same_side_is_equal _ _ side). exact H.
  - intro H. exists (p, X). split; [reflexivity|]. apply filter_In. split; [exact H | apply same_side_refl].
Qed.

Lemma pack_is_packed p : can_be_packed p = true -> is_packed (pack p) p.
Proof.
  intro inside. split; [reflexivity|]. intros X q.
  replace (of_side X (on (pack p))) with (word_of X (board p)) by (destruct X; reflexivity).
  apply eq_true_iff_eq. rewrite is_of_an_element. unfold word_of, can_be_packed in *.
  induction (PositiveMap.elements (board p)) as [|[r Y] more IH]; simpl in *.
  - rewrite has_none. split; [discriminate | intros []].
  - apply andb_prop in inside as [first inside]. destruct (same_side Y X) eqn:E.
    + apply same_side_is_equal in E as ->. rewrite has_union, (has_only _ _ first), orb_true_iff, (IH inside), Pos.eqb_eq.
      split; (intros [H | H]; [left | right; exact H]); [rewrite H | injection H as ->]; reflexivity.
    + rewrite (IH inside). split; intro H; [right; exact H|]. destruct H as [H | H]; [|exact H].
      injection H as _ ->. rewrite same_side_refl in E. discriminate.
Qed.

(** * Turns *)

(** What a turn is, and the position that it leads to. *)
Record packed_turn := { start_of : point; path : list step; leads_to : packed }.

Section Turns.

Variable R : rules.
Variable on_ground : ground.

Definition lanes_of (p : point) : list lane :=
  match PositiveMap.find p (lanes on_ground) with Some l => l | None => [] end.

(** The stones that stand on the first points of a line, without a gap. *)
Fixpoint row (stones : int) (line : list spot) : int :=
  match line with
  | s :: more => if meets stones (mark s) then union (mark s) (row stones more) else 0%uint63
  | [] => 0%uint63
  end.

Definition takes (X : side) (f : words) (l : lane) : list ((spot * manner) * int) :=
  match in_front l with
  | to :: more =>
    if meets (union (whites f) (blacks f)) (mark to) then []
    else
      let theirs := of_side (other X) f in
      filter (fun c => negb (Uint63.eqb (snd c) 0))
        [((to, Approach), row theirs more); ((to, Withdrawal), row theirs (at_back l))]
  | [] => []
  end.

Definition stepped (X : side) (f : words) (from to taken : int) : words :=
  let mine := minus (union (minus (of_side X f) from) to) taken in
  let theirs := minus (of_side (other X) f) (union (union from to) taken) in
  match X with
  | White => {| whites := mine; blacks := theirs |}
  | Black => {| whites := theirs; blacks := mine |}
  end.

Fixpoint series (n : nat) (X : side) (f : words) (at_ : spot) (stood : int) (gone : list direction)
  : list (list step * words) :=
  match n with
  | O => []
  | S n =>
    flat_map (fun l =>
      if barred R gone (course l) then []
      else flat_map (fun c : (spot * manner) * int =>
        let (s, taken) := c in
        let (to, how) := s in
        if meets stood (mark to) then []
        else
          let f := stepped X f (mark at_) (mark to) taken in
          ([(name to, how)], f) :: map (fun more => ((name to, how) :: fst more, snd more))
            (series n X f to (union stood (mark to)) (course l :: gone)))
        (takes X f l))
      (lanes_of (name at_))
  end.

Definition ending (X : side) (from : point) (how : list step * words) : packed_turn :=
  {| start_of := from; path := fst how; leads_to := {| on := snd how; next := other X |} |}.

Definition packed_captures (X : side) (f : words) : list packed_turn :=
  flat_map (fun from =>
    if meets (of_side X f) (mark from)
    then map (ending X (name from)) (series (longest on_ground) X f from (mark from) [])
    else [])
    (places on_ground).

Definition packed_paikas (X : side) (f : words) : list packed_turn :=
  flat_map (fun from =>
    if meets (of_side X f) (mark from)
    then flat_map (fun l =>
      match in_front l with
      | to :: _ =>
        if meets (union (whites f) (blacks f)) (mark to) then []
        else [ending X (name from) ([(name to, Paika)], stepped X f (mark from) (mark to) 0)]
      | [] => []
      end)
      (lanes_of (name from))
    else [])
    (places on_ground).

Definition packed_turns (p : packed) : list packed_turn :=
  let X := next p in
  let f := on p in
  if Uint63.eqb (of_side X f) 0 || Uint63.eqb (of_side (other X) f) 0 then []
  else match packed_captures X f with
  | [] => packed_paikas X f
  | captures => captures
  end.

Definition packed_loser (p : packed) : option side :=
  let X := next p in
  if Uint63.eqb (of_side X (on p)) 0 then Some X
  else if Uint63.eqb (of_side (other X) (on p)) 0 then Some (other X)
  else match on_stalemate R with StalemateLoses => Some X | StalemateDraws => None end.

End Turns.

(** * They are the turns of the rules *)

Section AsTheRules.

Variable R : rules.
Let ways := map_of_ways R.
Let its_ground := ground_of R.

Hypothesis board_fits : fits R = true.

Lemma lanes_are_ways p : lanes_of its_ground p = map lane_of (ways_of ways p).
Proof.
  unfold lanes_of, ways_of, its_ground, ground_of, PositiveMap.map; simpl. rewrite PositiveMap.gmapi.
  fold ways. destruct (PositiveMap.find p ways); reflexivity.
Qed.

Lemma all_fit p w : In w (ways_of ways p) ->
  within p = true /\ forallb within (ahead w) = true /\ forallb within (behind w) = true.
Proof.
  unfold ways_of. destruct (PositiveMap.find p ways) as [all|] eqn:E; [|intros []]. intro among.
  apply PositiveMap.elements_correct in E. unfold fits in board_fits. rewrite forallb_forall in board_fits.
  generalize (board_fits _ E). simpl. intro H. apply andb_prop in H as [here H].
  rewrite forallb_forall in H. specialize (H w among). apply andb_prop in H as [H H']. auto.
Qed.

Lemma a_place p w : In w (ways_of ways p) -> In (spot_of p) (places its_ground).
Proof.
  unfold ways_of, its_ground, ground_of; simpl. fold ways. destruct (PositiveMap.find p ways) as [all|] eqn:E; [|intros []].
  intros _. apply PositiveMap.elements_correct in E. apply in_map_iff. exists (p, all). split; [reflexivity | exact E].
Qed.

Lemma of_a_place s : In s (places its_ground) -> exists p, s = spot_of p /\ within p = true.
Proof.
  unfold its_ground, ground_of; simpl. intro H. apply in_map_iff in H as [[p all] [<- H]]. exists p. split; [reflexivity|].
  unfold fits in board_fits. rewrite forallb_forall in board_fits.
  generalize (board_fits _ H). simpl. intro inside. apply andb_prop in inside as [here _]. exact here.
Qed.

(** What words say of a point. *)

Lemma is_empty_by_sides b p : is_empty b p = negb (is_of White b p || is_of Black b p).
Proof. unfold is_empty, is_of. destruct (PositiveMap.find p b) as [[]|]; reflexivity. Qed.

Lemma empty_is f b p : stands f b -> within p = true ->
  meets (union (whites f) (blacks f)) (only p) = negb (is_empty b p).
Proof.
  intros same inside. rewrite (meets_only _ _ inside), has_union, is_empty_by_sides, negb_involutive.
  rewrite <- (same White), <- (same Black). reflexivity.
Qed.

Definition listed (w : int) (l : list point) : Prop := forall p, has w p = existsb (Pos.eqb p) l.

Lemma row_is_run f b X line : stands f b -> forallb within line = true ->
  listed (row (of_side X f) (map spot_of line)) (run X b line).
Proof.
  intros same inside. induction line as [|q more IH]; intro p; simpl in *; [apply has_none|].
  apply andb_prop in inside as [first inside]. rewrite (meets_only _ _ first), (same X q).
  destruct (is_of X b q); [|apply has_none].
  rewrite has_union, (has_only _ _ first), (IH inside p). reflexivity.
Qed.

Lemma listed_none w l : listed w l -> Uint63.eqb w 0 = match l with [] => true | _ => false end.
Proof.
  intro same. destruct l as [|p more].
  - apply eqb_spec, none_there. intro q. apply same.
  - apply eqb_false_complete. intro none. generalize (same p). simpl.
    rewrite Pos.eqb_refl, none, has_none. discriminate.
Qed.

(** Captures. *)

Definition capture_like (c : (spot * manner) * int) (d : step * list point) : Prop :=
  fst (fst c) = spot_of (fst (fst d)) /\ snd (fst c) = snd (fst d) /\ within (fst (fst d)) = true /\
  listed (snd c) (snd d).

Lemma takes_are_captures f b X p w : stands f b -> In w (ways_of ways p) ->
  alike capture_like (takes X f (lane_of w)) (captures X b w).
Proof.
  intros same among. destruct (all_fit _ _ among) as [_ [front back]].
  unfold takes, captures, lane_of; simpl. destruct (ahead w) as [|to more]; simpl; [apply alike_none|].
  simpl in front. apply andb_prop in front as [first front].
  rewrite (empty_is f b to same first). destruct (is_empty b to); simpl; [|apply alike_none].
  pose proof (row_is_run f b (other X) more same front) as approach.
  pose proof (row_is_run f b (other X) (behind w) same back) as withdrawal.
  rewrite (listed_none _ _ approach), (listed_none _ _ withdrawal).
  destruct (run (other X) b more), (run (other X) b (behind w)); simpl;
    repeat (apply alike_cons; [repeat split; assumption|]); apply alike_none.
Qed.

Lemma found_after_taking taken b p :
  PositiveMap.find p (without taken b) = if existsb (Pos.eqb p) taken then None else PositiveMap.find p b.
Proof.
  unfold without. revert b. induction taken as [|q more IH]; intro b; simpl; [reflexivity|].
  rewrite IH. destruct (Pos.eqb_spec p q) as [->|differ]; simpl.
  - rewrite PositiveMap.grs. destruct (existsb (Pos.eqb q) more); reflexivity.
  - rewrite PositiveMap.gro by exact differ. reflexivity.
Qed.

Lemma found_after_moving X from to b p :
  PositiveMap.find p (moved X from to b) =
  if Pos.eqb p to then Some X else if Pos.eqb p from then None else PositiveMap.find p b.
Proof.
  unfold moved. destruct (Pos.eqb_spec p to) as [->|differ]; [apply PositiveMap.gss|].
  rewrite PositiveMap.gso by exact differ. destruct (Pos.eqb_spec p from) as [->|differ'].
  - apply PositiveMap.grs.
  - apply PositiveMap.gro. exact differ'.
Qed.

Lemma stepped_stands f b X from to taken points :
  stands f b -> within from = true -> within to = true -> listed taken points ->
  stands (stepped X f (only from) (only to) taken) (without points (moved X from to b)).
Proof.
  intros same inside inside' same_taken Y p. unfold is_of. rewrite found_after_taking, found_after_moving.
  generalize (same X p), (same (other X) p). unfold is_of.
  unfold stepped. destruct X, Y; simpl; intros mine theirs;
    repeat rewrite ?has_minus, ?has_union, ?(has_only _ _ inside), ?(has_only _ _ inside'), ?same_taken, ?mine, ?theirs;
    destruct (existsb (Pos.eqb p) points), (Pos.eqb p to), (Pos.eqb p from), (PositiveMap.find p b) as [[]|]; reflexivity.
Qed.

(** Chains. *)

Definition chain_like (x : list step * words) (y : list step * stones) : Prop :=
  fst x = fst y /\ stands (snd x) (snd y).

Lemma series_are_chains n X : forall f b at_ stood entered gone,
  stands f b -> within at_ = true -> listed stood entered ->
  alike chain_like (series R its_ground n X f (spot_of at_) stood gone) (chains R ways n X b at_ entered gone).
Proof.
  induction n as [|n IH]; intros f b at_ stood entered gone same inside same_stood; simpl; [apply alike_none|].
  rewrite lanes_are_ways.
  apply (alike_flat_map (fun l w => l = lane_of w /\ In w (ways_of ways at_)) chain_like).
  2:{ split.
      - intros l H. apply in_map_iff in H as [w [<- H]]. exists w. auto.
      - intros w H. exists (lane_of w). split; [apply in_map; exact H | auto]. }
  intros l w _ [-> among]. simpl. destruct (barred R gone (along w)); [apply alike_none|].
  apply (alike_flat_map capture_like chain_like); [|exact (takes_are_captures f b X at_ w same among)].
  intros [[to how] taken] [[q how'] points] _ [E [E' [inside' same_taken]]]. simpl in *. subst to how'. simpl.
  rewrite (meets_only _ _ inside'), (same_stood q). destruct (existsb (Pos.eqb q) entered); [apply alike_none|].
  pose proof (stepped_stands f b X at_ q taken points same inside inside' same_taken) as after_it.
  apply alike_cons; [split; [reflexivity | exact after_it]|].
  apply (alike_map chain_like chain_like).
  - intros x y [steps_are boards_are]. split; simpl; [f_equal; exact steps_are | exact boards_are].
  - apply IH; [exact after_it | exact inside'|]. intro p. simpl. rewrite has_union, (has_only _ _ inside'), same_stood.
    apply orb_comm.
Qed.

(** Turns. *)

Definition turn_like (t : packed_turn) (u : turn) : Prop :=
  start_of t = origin u /\ path t = steps u /\ is_packed (leads_to t) (result u).

(** Stones are where their word says so; and from where there are ways they can move. *)
Lemma from_each_place f b X (moves : spot -> list packed_turn) (turns_from : point -> list turn) :
  stands f b ->
  (forall p, within p = true -> alike turn_like (moves (spot_of p)) (turns_from p)) ->
  (forall p, turns_from p <> [] -> exists w, In w (ways_of ways p)) ->
  alike turn_like
    (flat_map (fun s => if meets (of_side X f) (mark s) then moves s else []) (places its_ground))
    (flat_map turns_from (points_of X b)).
Proof.
  intros same each somewhere. split; intros t H; apply in_flat_map in H as [from [H among]].
  - destruct (of_a_place _ H) as [p [-> inside]]. simpl in among. rewrite (meets_only _ _ inside), (same X p) in among.
    destruct (is_of X b p) eqn:E; [|destruct among].
    destruct (each p inside) as [to _]. destruct (to t among) as [u [there related]].
    exists u. split; [|exact related]. apply in_flat_map. exists p. split; [apply a_point_of_a_side, E | exact there].
  - apply a_point_of_a_side in H. destruct (somewhere from) as [w way_on].
    { intro none. rewrite none in among. destruct among. }
    destruct (all_fit _ _ way_on) as [inside _]. destruct (each from inside) as [_ back].
    destruct (back t among) as [u [there related]]. exists u. split; [|exact related].
    apply in_flat_map. exists (spot_of from). split; [exact (a_place _ _ way_on)|].
    simpl. rewrite (meets_only _ _ inside), (same X from), H. exact there.
Qed.

Lemma captures_are f b X : stands f b ->
  alike turn_like (packed_captures R its_ground X f) (capturing_turns R ways X b).
Proof.
  intro same. apply from_each_place; [exact same| |].
  - intros p inside. apply (alike_map chain_like turn_like).
    + intros x y [steps_are boards_are]. repeat split; simpl; assumption.
    + apply series_are_chains; [exact same | exact inside|].
      intro q. simpl. rewrite (has_only _ _ inside), orb_false_r. reflexivity.
  - intro p. unfold longest_chain. destruct (Z.to_nat (width R * height R)); simpl; [intros []; reflexivity|].
    destruct (ways_of ways p) as [|w more]; simpl; [intros []; reflexivity|]. intros _. exists w. left. reflexivity.
Qed.

Lemma paikas_are f b X : stands f b ->
  alike turn_like (packed_paikas its_ground X f) (paikas ways X b).
Proof.
  intro same. unfold packed_paikas, paikas. apply (from_each_place f b X
    (fun from => flat_map _ (lanes_of its_ground (name from))) (fun from => flat_map _ (ways_of ways from))); [exact same| |].
  - intros p inside. simpl. rewrite lanes_are_ways.
    apply (alike_flat_map (fun l w => l = lane_of w /\ In w (ways_of ways p)) turn_like).
    2:{ split.
        - intros l H. apply in_map_iff in H as [w [<- H]]. exists w. auto.
        - intros w H. exists (lane_of w). split; [apply in_map; exact H | auto]. }
    intros l w _ [-> among]. destruct (all_fit _ _ among) as [_ [front _]]. simpl.
    destruct (ahead w) as [|to more]; simpl; [apply alike_none|].
    simpl in front. apply andb_prop in front as [first _].
    rewrite (empty_is f b to same first). destruct (is_empty b to); simpl; [|apply alike_none].
    apply alike_cons; [|apply alike_none]. repeat split; simpl.
    apply (stepped_stands f b X p to 0%uint63 []); try assumption. exact has_none.
  - intro p. destruct (ways_of ways p) as [|w more]; simpl; [intros []; reflexivity|]. intros _. exists w. left. reflexivity.
Qed.

Lemma gone_is f b X : stands f b -> Uint63.eqb (of_side X f) 0 = is_gone X b.
Proof.
  intro same. unfold is_gone. destruct (points_of X b) as [|p more] eqn:E.
  - apply eqb_spec, none_there. intro p. rewrite (same X p). apply not_true_iff_false. intro H.
    apply a_point_of_a_side in H. rewrite E in H. destruct H.
  - apply eqb_false_complete. intro none. assert (H : is_of X b p = true) by (apply a_point_of_a_side; rewrite E; left; reflexivity).
    rewrite <- (same X p), none, has_none in H. discriminate.
Qed.

Theorem packed_turns_are f p : is_packed f p ->
  alike turn_like (packed_turns R its_ground f) (all_turns R ways p).
Proof.
  intros [mover_is same]. unfold packed_turns, all_turns. rewrite mover_is, !(gone_is _ _ _ same).
  destruct (is_gone (mover p) (board p) || is_gone (other (mover p)) (board p)); [apply alike_none|].
  pose proof (captures_are _ _ (mover p) same) as captures_like.
  destruct (alike_empty _ _ _ captures_like) as [none none'].
  destruct (packed_captures R its_ground (mover p) (on f)) as [|t ts].
  - rewrite (none eq_refl). exact (paikas_are _ _ _ same).
  - destruct (capturing_turns R ways (mover p) (board p)) as [|u us].
    + discriminate (none' eq_refl).
    + exact captures_like.
Qed.

Theorem packed_loser_is f p : is_packed f p -> packed_loser R f = who_has_lost R p.
Proof. intros [mover_is same]. unfold packed_loser, who_has_lost. rewrite mover_is, !(gone_is _ _ _ same). reflexivity. Qed.

End AsTheRules.

(** * The checker *)

Section Certificate.

Variable R : rules.
Variable on_ground : ground.
Variable k : claim.
Variable X : side.

(** A certificate has positions with numbers below n, each with its rank, and with a test for the
    turn of X that is chosen, or None for all turns of the other side. A position is found by what
    is told of its number, and is compared. So all these functions can be any. *)
Variable n : int.
Variable position_at : int -> packed.
Variable rank_at : int -> N.
Variable choice_at : int -> option (packed_turn -> bool).
Variable number_of : packed -> int.

(** Whether a position is in the certificate, and its rank below some rank if X is said to win;
    or play is over there as the claim has it. *)
Definition may_follow (above : N) (f : packed) : bool :=
  let i := number_of f in
  if Uint63.ltb i n && same_packed (position_at i) f
  then match k with Wins => N.ltb (rank_at i) above | Holds => true end
  else match packed_turns R on_ground f with [] => good_end k X (packed_loser R f) | _ => false end.

Definition good_at (i : int) : bool :=
  let f := position_at i in
  let follows t := may_follow (rank_at i) (leads_to t) in
  match packed_turns R on_ground f, choice_at i with
  | [], _ => false
  | all, Some wanted => same_side (next f) X && existsb (fun t => wanted t && follows t) all
  | all, None => same_side (next f) (other X) && forallb follows all
  end.

(** Numbers of positions are checked in pieces of 65,536: those which have the bits of a piece's
    number before the last 16. *)
Fixpoint good_below (bits : nat) (i : int) : bool :=
  match bits with
  | O => if Uint63.ltb i n then good_at i else true
  | S bits => good_below bits (i + i)%uint63 && good_below bits (i + i + 1)%uint63
  end.

Definition good_piece (i : int) : bool := good_below 16 i.

Definition pieces : list int :=
  map (fun i => of_Z (Z.of_nat i)) (seq 0 (Z.to_nat (to_Z n / 2 ^ 16 + 1))).

Definition good_root (root : placing) : bool :=
  fits R && can_be_packed root &&
  let f := pack root in
  (Uint63.ltb (number_of f) n && same_packed (position_at (number_of f)) f ||
   match packed_turns R on_ground f with [] => good_end k X (packed_loser R f) | _ => false end).

End Certificate.

Definition check_packed (R : rules) (k : claim) (X : side) (root : placing) (n : int)
  (position_at : int -> packed) (rank_at : int -> N) (choice_at : int -> option (packed_turn -> bool))
  (number_of : packed -> int) : bool :=
  let g := ground_of R in
  good_root R g k X n position_at number_of root &&
  forallb (good_piece R g k X n position_at rank_at choice_at number_of) (pieces n).

Section Sound.

Variable R : rules.
Variable k : claim.
Variable X : side.
Variable n : int.
Variable position_at : int -> packed.
Variable rank_at : int -> N.
Variable choice_at : int -> option (packed_turn -> bool).
Variable number_of : packed -> int.

Let G := fanorona R.
Let turns_at := packed_turns R (ground_of R).
Let follows := may_follow R (ground_of R) k X n position_at rank_at number_of.
Let good := good_at R (ground_of R) k X n position_at rank_at choice_at number_of.
Let below := good_below R (ground_of R) k X n position_at rank_at choice_at number_of.

Lemma what_is_below bits : forall i j, below bits i = true -> (to_Z j / 2 ^ Z.of_nat bits = to_Z i)%Z ->
  Uint63.ltb j n = true -> good j = true.
Proof.
  induction bits as [|bits IH]; intros i j all place inside.
  - assert (i = j) as -> by (apply to_Z_inj; rewrite <- place; apply Z.div_1_r).
    unfold below in all. simpl in all. rewrite inside in all. exact all.
  - unfold below in all. simpl in all. apply andb_prop in all as [first second]. fold below in first, second.
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

Lemma of_a_piece j : Uint63.ltb j n = true ->
  exists i, In i (pieces n) /\ (to_Z j / 2 ^ Z.of_nat 16 = to_Z i)%Z.
Proof.
  rewrite ltb_spec. change (2 ^ Z.of_nat 16)%Z with 65536%Z. intro inside.
  generalize (to_Z_bounded j), (to_Z_bounded n). intros J N.
  assert (least : (0 <= to_Z j / 65536)%Z) by (apply Z.div_pos; lia).
  assert (more : (to_Z j / 65536 <= to_Z n / 65536)%Z) by (apply Z.div_le_mono; lia).
  assert (most : (to_Z j / 65536 <= to_Z j)%Z) by (apply Z.div_le_upper_bound; lia).
  exists (of_Z (to_Z j / 65536)). split; [|rewrite of_Z_spec, Z.mod_small; lia].
  unfold pieces. change (2 ^ 16)%Z with 65536%Z. apply in_map_iff. exists (Z.to_nat (to_Z j / 65536)).
  split; [rewrite Z2Nat.id by exact least; reflexivity|]. apply in_seq. lia.
Qed.

Definition among (p : placing) (r : N) : Prop :=
  exists i, Uint63.ltb i n = true /\ is_packed (position_at i) p /\ rank_at i = r.

Hypothesis board_fits : fits R = true.
Hypothesis all_good : forall i, Uint63.ltb i n = true -> good i = true.

Lemma a_packed_end f p : is_packed f p ->
  match turns_at f with [] => good_end k X (packed_loser R f) | _ => false end = true ->
  @ended_well G k X p.
Proof.
  intros same. generalize (packed_turns_are R board_fits f p same), (packed_loser_is R f p same).
  intros turns_are loser_is. destruct (alike_empty _ _ _ turns_are) as [none _].
  unfold turns_at. destruct (packed_turns R (ground_of R) f); [|discriminate].
  rewrite loser_is. intro well. split; [simpl; rewrite (none eq_refl); reflexivity | exact well].
Qed.

Lemma what_may_follow above f p : is_packed f p -> follows above f = true -> @allowed G k X among above p.
Proof.
  intros same. unfold follows, may_follow.
  destruct (Uint63.ltb (number_of f) n && same_packed (position_at (number_of f)) f) eqn:there.
  - apply andb_prop in there as [inside equal]. apply same_packed_is_equal in equal. intro lower.
    left. exists (rank_at (number_of f)). split.
    + exists (number_of f). rewrite equal. auto.
    + intros ->. apply N.ltb_lt, lower.
  - intro over. right. exact (a_packed_end f p same over).
Qed.

Lemma the_set_is_closed p r : among p r -> @supported G k X among p r.
Proof.
  intros [i [inside [same <-]]]. generalize (all_good i inside). unfold good, good_at.
  generalize (packed_turns_are R board_fits _ p same). intro turns_are.
  destruct (alike_empty _ _ _ turns_are) as [_ none].
  destruct turns_are as [to from]. destruct same as [mover_is same].
  destruct (packed_turns R (ground_of R) (position_at i)) as [|t ts]; [discriminate|].
  destruct (choice_at i) as [wanted|]; intro H; apply andb_prop in H as [mover all].
  - left. apply existsb_exists in all as [u [legal H]]. apply andb_prop in H as [_ follow].
    destruct (to u legal) as [v [there [_ [_ like]]]]. exists (result v).
    split; [simpl; rewrite <- mover_is; apply same_side_is_equal, mover|]. split; [apply in_map, there|].
    exact (what_may_follow _ _ _ like follow).
  - right. split; [simpl; rewrite <- mover_is; apply same_side_is_equal, mover|]. split.
    + simpl. intro over. apply map_eq_nil in over. discriminate (none over).
    + simpl. intros q H. apply in_map_iff in H as [v [<- there]]. destruct (from v there) as [u [legal [_ [_ like]]]].
      rewrite forallb_forall in all. exact (what_may_follow _ _ _ like (all u legal)).
Qed.

End Sound.

(* Sixteen levels of good_below are many thousand terms. *)
Local Opaque good_below.

(** What the checker finds good is true, whatever the functions are that it is given. *)
Theorem check_packed_is_sound R k X root n position_at rank_at choice_at number_of :
  check_packed R k X root n position_at rank_at choice_at number_of = true -> @shown (fanorona R) k X root.
Proof.
  unfold check_packed. intro H. apply andb_prop in H as [at_root all].
  unfold good_root in at_root. apply andb_prop in at_root as [H root_there]. apply andb_prop in H as [board_fits can].
  assert (all_good : forall i, Uint63.ltb i n = true ->
    good_at R (ground_of R) k X n position_at rank_at choice_at number_of i = true).
  { intros i inside. destruct (of_a_piece n i inside) as [piece [one_of place]].
    rewrite forallb_forall in all. exact (what_is_below _ _ _ _ _ _ _ _ 16 piece i (all piece one_of) place inside). }
  generalize (pack_is_packed root can). intro same.
  apply (@a_closed_set_shows (fanorona R) k X (among n position_at rank_at)
    (the_set_is_closed R k X n position_at rank_at choice_at number_of board_fits all_good)).
  apply orb_true_iff in root_there as [there | over].
  - apply andb_prop in there as [inside equal]. apply same_packed_is_equal in equal.
    left. exists (rank_at (number_of (pack root))). exists (number_of (pack root)). rewrite equal. auto.
  - right. exact (a_packed_end R k X board_fits (pack root) root same over).
Qed.

Print Assumptions check_packed_is_sound.
