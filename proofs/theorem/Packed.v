(** Fanorona in machine words: a position is two of them and the side to move, and turns are found
    with words. They are the turns that Fanorona.v has. *)

From Coq Require Import List Bool ZArith PArith FMapPositive Uint63.
Import ListNotations.
From Paika Require Import Outcome Fanorona Bits Arrays.

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
Record ground := { lanes : PositiveMap.t (list lane); spots : list spot; longest : nat }.

Definition ground_of (R : rules) : ground :=
  {| lanes := PositiveMap.map (map lane_of) (map_of_ways R);
     spots := map (fun e => spot_of (fst e)) (PositiveMap.elements (map_of_ways R));
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

Record packed := { on : words; moves : side }.

Definition is_packed (f : packed) (p : placing) : Prop := moves f = mover p /\ stands (on f) (board p).

Definition same_packed (f g : packed) : bool :=
  same_side (moves f) (moves g) && (Uint63.eqb (whites (on f)) (whites (on g)) && Uint63.eqb (blacks (on f)) (blacks (on g))).

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
  {| on := {| whites := word_of White (board p); blacks := word_of Black (board p) |}; moves := mover p |}.

Definition can_be_packed (p : placing) : bool := forallb (fun e => within (fst e)) (PositiveMap.elements (board p)).

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
Record packed_turn := { start_of : point; path : list step; after_it : packed }.

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
  {| start_of := from; path := fst how; after_it := {| on := snd how; moves := other X |} |}.

Definition packed_captures (X : side) (f : words) : list packed_turn :=
  flat_map (fun from =>
    if meets (of_side X f) (mark from)
    then map (ending X (name from)) (series (longest on_ground) X f from (mark from) [])
    else [])
    (spots on_ground).

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
    (spots on_ground).

Definition packed_turns (p : packed) : list packed_turn :=
  let X := moves p in
  let f := on p in
  if Uint63.eqb (of_side X f) 0 || Uint63.eqb (of_side (other X) f) 0 then []
  else match packed_captures X f with
  | [] => packed_paikas X f
  | captures => captures
  end.

Definition packed_loser (p : packed) : option side :=
  let X := moves p in
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

Lemma a_place p w : In w (ways_of ways p) -> In (spot_of p) (spots its_ground).
Proof.
  unfold ways_of, its_ground, ground_of; simpl. fold ways. destruct (PositiveMap.find p ways) as [all|] eqn:E; [|intros []].
  intros _. apply PositiveMap.elements_correct in E. apply in_map_iff. exists (p, all). split; [reflexivity | exact E].
Qed.

Lemma of_a_place s : In s (spots its_ground) -> exists p, s = spot_of p /\ within p = true.
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
  pose proof (stepped_stands f b X at_ q taken points same inside inside' same_taken) as stands_then.
  apply alike_cons; [split; [reflexivity | exact stands_then]|].
  apply (alike_map chain_like chain_like).
  - intros x y [steps_are boards_are]. split; simpl; [f_equal; exact steps_are | exact boards_are].
  - apply IH; [exact stands_then | exact inside'|]. intro p. simpl. rewrite has_union, (has_only _ _ inside'), same_stood.
    apply orb_comm.
Qed.

(** Turns. *)

Definition turn_like (t : packed_turn) (u : turn) : Prop :=
  start_of t = origin u /\ path t = steps u /\ is_packed (after_it t) (result u).

(** Stones are where their word says so; and from where there are ways they can move. *)
Lemma from_each_place f b X (moves : spot -> list packed_turn) (turns_from : point -> list turn) :
  stands f b ->
  (forall p, within p = true -> alike turn_like (moves (spot_of p)) (turns_from p)) ->
  (forall p, turns_from p <> [] -> exists w, In w (ways_of ways p)) ->
  alike turn_like
    (flat_map (fun s => if meets (of_side X f) (mark s) then moves s else []) (spots its_ground))
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

Definition fanorona_play (R : rules) (on_ground : ground) : play packed packed_turn :=
  {| next := moves; turns_of := packed_turns R on_ground; leads_to := after_it; loser_of := packed_loser R;
     same := same_packed |}.

Theorem fanorona_is_played R : fits R = true ->
  plays (fanorona_play R (ground_of R)) (fanorona R) is_packed.
Proof.
  intro board_fits. split; simpl.
  - exact same_packed_is_equal.
  - intros f p [mover_is _]. exact mover_is.
  - exact (packed_loser_is R).
  - intros f p packs. apply (alike_mapped turn_like); [|exact (packed_turns_are R board_fits f p packs)].
    intros t u [_ [_ packs']]. exact packs'.
Qed.

(** A position that is said to be the root, packed. *)
Definition fanorona_root (R : rules) (p : placing) : option packed :=
  if fits R && can_be_packed p then Some (pack p) else None.

(** What the checker finds good is true, whatever certificate it is given. *)
Theorem check_of_fanorona_is_sound R k X c p root :
  fanorona_root R p = Some root -> check_arrays (fanorona_play R (ground_of R)) k X c root = true ->
  @shown (fanorona R) k X p.
Proof.
  unfold fanorona_root. destruct (fits R && can_be_packed p) eqn:can; [|discriminate].
  apply andb_prop in can as [board_fits can]. intros [= <-].
  exact (check_arrays_is_sound _ _ _ k X c (fanorona R) _ _ p (fanorona_is_played R board_fits) (pack_is_packed p can)).
Qed.

Print Assumptions check_of_fanorona_is_sound.
