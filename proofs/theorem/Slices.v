(** Tables in slices, each of which has all positions with some number of own stones and some number
    of the opponent's. The checker comes to all of them. Fanorona, Konane and Breakthrough have such
    tables. *)

From Coq Require Import List Bool Arith ZArith PArith FMapPositive Uint63 Lia.
Import ListNotations.
From Paika Require Import Outcome Fanorona Bits Board Arrays Packed Konane Breakthrough Tables.

(** The stones of the side to move, and those of the other. *)
Definition slice := (nat * nat)%type.

(** The points of a board, and words that have those where a white stone, and a black one, may
    stand. *)
Record field := { places : list spot; for_white : int; for_black : int }.

(** How many points of a list a word has. *)
Fixpoint count (l : list spot) (w : int) : nat :=
  match l with
  | [] => 0
  | s :: more => if meets w (mark s) then S (count more w) else count more w
  end.

(** How a game's positions are made of stones and the side to move. *)
Record made_of_stones (P : Type) := {
  stones_of : P -> words;
  side_of : P -> side;
  position_of : words -> side -> P;
  is_made : P -> bool (* of these alone *)
}.
Arguments stones_of {P}. Arguments side_of {P}. Arguments position_of {P}. Arguments is_made {P}.

Section OfStones.

Context {P : Type}.
Variable M : made_of_stones P.
Variable F : field.
Variable slices : list slice.

Definition own (f : P) : int := of_side (side_of M f) (stones_of M f).
Definition theirs (f : P) : int := of_side (other (side_of M f)) (stones_of M f).

(** Whether a position is one of the slices: no point has two stones, each stone is where it may
    stand, and their numbers are those of a slice. *)
Definition in_slices (f : P) : bool :=
  is_made M f &&
  (negb (meets (whites (stones_of M f)) (blacks (stones_of M f))) &&
   Uint63.eqb (minus (whites (stones_of M f)) (for_white F)) 0 &&
   Uint63.eqb (minus (blacks (stones_of M f)) (for_black F)) 0) &&
  let mine := count (places F) (own f) in
  let others := count (places F) (theirs f) in
  existsb (fun s : slice => Nat.eqb (fst s) mine && Nat.eqb (snd s) others) slices.

(** * The walk *)

(** Stones that stand, and how many may be added: white ones, black ones, and in all. *)
Record placed := { so_far : words; whites_left : nat; blacks_left : nat; left_in_all : nat }.

Definition with_white (s : spot) (a : placed) : list placed :=
  match whites_left a, left_in_all a with
  | S n, S m =>
    if meets (for_white F) (mark s) then
      [{| so_far := {| whites := union (mark s) (whites (so_far a)); blacks := blacks (so_far a) |};
          whites_left := n; blacks_left := blacks_left a; left_in_all := m |}]
    else []
  | _, _ => []
  end.

Definition with_black (s : spot) (a : placed) : list placed :=
  match blacks_left a, left_in_all a with
  | S n, S m =>
    if meets (for_black F) (mark s) then
      [{| so_far := {| whites := whites (so_far a); blacks := union (mark s) (blacks (so_far a)) |};
          whites_left := whites_left a; blacks_left := n; left_in_all := m |}]
    else []
  | _, _ => []
  end.

Definition at_spot (s : spot) (a : placed) : list placed := a :: with_white s a ++ with_black s a.

Definition at_spots (l : list spot) : list (placed -> list placed) := map at_spot l.

Definition most (of_slice : slice -> nat) : nat := fold_right Nat.max 0 (map of_slice slices).

(** Before the first stone: no side may get more than it has in some slice. *)
Definition no_stones : placed :=
  let of_one := most (fun s => Nat.max (fst s) (snd s)) in
  {| so_far := {| whites := 0; blacks := 0 |}; whites_left := of_one; blacks_left := of_one;
     left_in_all := most (fun s => fst s + snd s) |}.

(** Whether a test holds where the position is in the slices, with either side to move. *)
Definition tested (test : P -> bool) (a : placed) : bool :=
  forallb (fun X => let f := position_of M (so_far a) X in negb (in_slices f) || test f) [White; Black].

(** The walk over the first points gives parts, half a million at most. In each the others are left. *)
Definition first_points : nat := Nat.min 12 (length (places F) / 3).

Definition parts : list placed := spread (at_spots (firstn first_points (places F))) no_stones.

Definition good_part (test : P -> bool) : placed -> bool := walk (at_spots (skipn first_points (places F))) (tested test).

(** * It comes to all positions *)

Hypothesis spots_are_points : forall s, In s (places F) -> exists p, s = spot_of p /\ within p = true.

Lemma at_a_spot s w : In s (places F) -> meets w (mark s) = has w (name s).
Proof. intro one. destruct (spots_are_points s one) as [p [-> inside]]. exact (meets_only w p inside). Qed.

Lemma only_there s p : In s (places F) -> has (mark s) p = Pos.eqb p (name s).
Proof. intro one. destruct (spots_are_points s one) as [q [-> inside]]. exact (has_only q p inside). Qed.

(** What stands has been added, or is still to come. *)
Definition made_of (w so_far : int) (rest : list spot) : Prop :=
  (forall p, has so_far p = true -> has w p = true) /\
  (forall p, has w p = true -> has so_far p = true \/ In p (map name rest)).

Lemma made_of_all w so_far : made_of w so_far [] -> so_far = w.
Proof.
  intros [to from]. apply same_points. intro p. apply eq_true_iff_eq. split; [exact (to p)|].
  intro there. destruct (from p there) as [H | []]. exact H.
Qed.

Lemma made_with w so_far s rest : In s (places F) -> has w (name s) = true ->
  made_of w so_far (s :: rest) -> made_of w (union (mark s) so_far) rest.
Proof.
  intros one there [to from]. split; intros p H.
  - rewrite has_union, (only_there s p one) in H. apply orb_prop in H as [H | H]; [|exact (to p H)].
    apply Pos.eqb_eq in H as ->. exact there.
  - rewrite has_union, (only_there s p one). destruct (from p H) as [before | [<- | later]].
    + left. rewrite before. apply orb_true_r.
    + left. rewrite Pos.eqb_refl. reflexivity.
    + right. exact later.
Qed.

Lemma made_without w so_far s rest : has w (name s) = false ->
  made_of w so_far (s :: rest) -> made_of w so_far rest.
Proof.
  intros none [to from]. split; [exact to|]. intros p H.
  destruct (from p H) as [before | [<- | later]]; [left; exact before | congruence | right; exact later].
Qed.

Lemma the_walk_comes_to f : (forall p, has (whites f) p = true -> has (blacks f) p = false) ->
  (forall p, has (whites f) p = true -> has (for_white F) p = true) ->
  (forall p, has (blacks f) p = true -> has (for_black F) p = true) ->
  forall rest, (forall s, In s rest -> In s (places F)) -> forall a,
  made_of (whites f) (whites (so_far a)) rest -> made_of (blacks f) (blacks (so_far a)) rest ->
  count rest (whites f) <= whites_left a -> count rest (blacks f) <= blacks_left a ->
  count rest (whites f) + count rest (blacks f) <= left_in_all a ->
  exists b, reached (at_spots rest) a b /\ so_far b = f.
Proof.
  intros apart may_white may_black rest. induction rest as [|s rest IH]; intros of_l a white black w b n.
  - exists a. split; [reflexivity|]. destruct f, (so_far a) as [v u]; simpl in *.
    rewrite (made_of_all _ _ white), (made_of_all _ _ black). reflexivity.
  - pose proof (of_l s (or_introl eq_refl)) as one.
    assert (more : forall s, In s rest -> In s (places F)) by (intros; apply of_l; right; assumption).
    assert (counted : forall v, count (s :: rest) v = if has v (name s) then S (count rest v) else count rest v)
      by (intro v; simpl; rewrite (at_a_spot s v one); reflexivity).
    rewrite !counted in *.
    destruct (has (whites f) (name s)) eqn:is_white.
    + pose proof (apart _ is_white) as not_black. rewrite not_black in b, n. simpl in w, n.
      destruct (whites_left a) as [|w'] eqn:W; [lia|]. destruct (left_in_all a) as [|n'] eqn:N; [lia|].
      edestruct (IH more) as [c [there same]]; [| | | | |exists c; split; [|exact same]; simpl;
        eexists; split; [right; apply in_or_app; left; unfold with_white; rewrite W, N, (at_a_spot s _ one), (may_white _ is_white); left; reflexivity | exact there]];
        simpl; [exact (made_with _ _ _ _ one is_white white) | exact (made_without _ _ _ _ not_black black)
          | lia | lia | lia].
    + destruct (has (blacks f) (name s)) eqn:is_black; simpl in b, n.
      * destruct (blacks_left a) as [|b'] eqn:B; [lia|]. destruct (left_in_all a) as [|n'] eqn:N; [lia|].
        edestruct (IH more) as [c [there same]]; [| | | | |exists c; split; [|exact same]; simpl;
          eexists; split; [right; apply in_or_app; right; unfold with_black; rewrite B, N, (at_a_spot s _ one), (may_black _ is_black); left; reflexivity | exact there]];
          simpl; [exact (made_without _ _ _ _ is_white white) | exact (made_with _ _ _ _ one is_black black)
            | lia | lia | lia].
      * destruct (IH more a (made_without _ _ _ _ is_white white) (made_without _ _ _ _ is_black black) w b n)
          as [c [there same]].
        exists c. split; [|exact same]. simpl. exists a. split; [left; reflexivity | exact there].
Qed.

Lemma at_most of_slice s : In s slices -> of_slice s <= most of_slice.
Proof.
  unfold most. induction slices as [|s' more IH]; intros []; simpl.
  - subst. apply Nat.le_max_l.
  - apply (Nat.le_trans _ _ _ (IH H)), Nat.le_max_r.
Qed.

Lemma part_of v w p : Uint63.eqb (minus v w) 0 = true -> has v p = true -> has w p = true.
Proof.
  intros none there. apply Uint63.eqb_correct in none. pose proof (f_equal (fun u => has u p) none) as H. simpl in H.
  rewrite has_none, has_minus, there in H. apply negb_false_iff in H. exact H.
Qed.

(** Points where a stone may stand are places of the board. *)
Hypothesis all_on_board : forall p, has (for_white F) p = true \/ has (for_black F) p = true -> In p (map name (places F)).
Hypothesis made_again : forall f, in_slices f = true -> position_of M (stones_of M f) (side_of M f) = f.

Theorem all_of_the_slices_are_tested test f :
  forallb (good_part test) parts = true -> in_slices f = true -> test f = true.
Proof.
  intros in_parts inside.
  pose proof (walked_in_parts _ _ _ _ in_parts) as all. unfold at_spots in all.
  rewrite <- map_app, firstn_skipn in all. fold (at_spots (places F)) in all.
  pose proof inside as and_so. unfold in_slices in and_so.
  apply andb_prop in and_so as [and_so some]. apply andb_prop in and_so as [_ and_so].
  apply andb_prop in and_so as [and_so black_inside]. apply andb_prop in and_so as [apart white_inside].
  apply existsb_exists in some as [s [one same]]. apply andb_prop in same as [mine others].
  apply Nat.eqb_eq in mine, others.
  pose proof (at_most (fun s => Nat.max (fst s) (snd s)) s one) as of_one.
  pose proof (at_most (fun s => fst s + snd s) s one) as in_all. simpl in of_one, in_all.
  rewrite mine, others in of_one, in_all. unfold own, theirs in of_one, in_all.
  apply negb_true_iff in apart. unfold meets in apart. apply negb_false_iff, Uint63.eqb_correct in apart.
  assert (never_both : forall p, has (whites (stones_of M f)) p = true -> has (blacks (stones_of M f)) p = false).
  { intros p white. apply not_true_iff_false. intro black.
    pose proof (f_equal (fun w => has w p) apart) as none. simpl in none.
    change (has (common (whites (stones_of M f)) (blacks (stones_of M f))) p = has 0 p) in none.
    rewrite has_none, has_common, white, black in none. discriminate. }
  destruct (the_walk_comes_to (stones_of M f) never_both (fun p => part_of _ _ p white_inside)
    (fun p => part_of _ _ p black_inside) (places F) (fun _ H => H) no_stones) as [b [there same]].
  - split; [intros p H; simpl in H; rewrite has_none in H; discriminate|].
    intros p H. right. apply all_on_board. left. exact (part_of _ _ p white_inside H).
  - split; [intros p H; simpl in H; rewrite has_none in H; discriminate|].
    intros p H. right. apply all_on_board. right. exact (part_of _ _ p black_inside H).
  - simpl. destruct (side_of M f); simpl in *; lia.
  - simpl. destruct (side_of M f); simpl in *; lia.
  - simpl. destruct (side_of M f); simpl in *; lia.
  - pose proof (what_is_reached_is_tested _ _ _ _ all there) as both. unfold tested in both.
    rewrite forallb_forall in both. assert (mover : In (side_of M f) [White; Black]) by (destruct (side_of M f); simpl; auto).
    pose proof (both _ mover) as H. cbv zeta in H. rewrite same, (made_again f inside), inside in H. exact H.
Qed.

(** ** What is found right is right *)

Context {T : Type}.
Variable g : play P T.
Variable table : P -> option value.

(** Whether what a table says of a position is right, if all that it says of the slices is. *)
Definition right_in : P -> bool := right_at g in_slices table.

Variable G : game.
Variable is_packed : P -> position G -> Prop.
Hypothesis it_plays : plays g G is_packed.

Theorem what_is_found_right_in_slices_is_right f p :
  forallb (good_part right_in) parts = true -> in_slices f = true -> is_packed f p ->
  exists v, table f = Some v /\ is_worth p (worth_of v).
Proof.
  intros all inside packs.
  apply (what_is_found_right_is_right g in_slices table G is_packed it_plays); [|exact inside|exact packs].
  intros e one. exact (all_of_the_slices_are_tested _ e all one).
Qed.

End OfStones.

(** * Fanorona *)

Definition fanorona_stones : made_of_stones packed :=
  {| stones_of := on; side_of := moves; position_of := fun w X => {| on := w; moves := X |}; is_made := fun _ => true |}.

(** The word of some spots. *)
Definition word_of_spots (l : list spot) : int := fold_right (fun s w => union (mark s) w) 0%uint63 l.

(** Each stone may stand anywhere. *)
Definition fanorona_field (on_ground : ground) : field :=
  let all := word_of_spots (spots on_ground) in
  {| places := spots on_ground; for_white := all; for_black := all |}.

Lemma has_spots l p : (forall s, In s l -> exists q, s = spot_of q /\ within q = true) ->
  has (word_of_spots l) p = true -> In p (map name l).
Proof.
  induction l as [|s l IH]; intros spots_are there; simpl in *; [rewrite has_none in there; discriminate|].
  rewrite has_union in there. apply orb_prop in there as [here | later].
  - left. destruct (spots_are s (or_introl eq_refl)) as [q [-> inside]].
    unfold spot_of in here; simpl in here. rewrite (has_only q p inside) in here. apply Pos.eqb_eq in here. symmetry. exact here.
  - right. apply IH; [|exact later]. intros s' H. apply spots_are. right. exact H.
Qed.

(** Whatever a table is: if it is found right, it says of each position of the slices what the
    position is worth by the rules. *)
Theorem check_of_fanorona_slices_is_sound R slices table f p :
  let on_ground := ground_of R in
  let F := fanorona_field on_ground in
  let inside := in_slices fanorona_stones F slices in
  fits R = true ->
  forallb (good_part fanorona_stones F slices (right_in fanorona_stones F slices (fanorona_play R on_ground) table))
    (parts F slices) = true ->
  inside f = true -> is_packed f p ->
  exists v, table f = Some v /\ @is_worth (fanorona R) p (worth_of v).
Proof.
  intros on_ground F inside board_fits all one packs.
  apply (what_is_found_right_in_slices_is_right fanorona_stones F slices (of_a_place R board_fits)) with (g := fanorona_play R on_ground) (is_packed := is_packed);
    [|intros [w X] _; reflexivity|exact (fanorona_is_played R board_fits)|exact all|exact one|exact packs].
  intros q [there | there]; exact (has_spots _ q (of_a_place R board_fits) there).
Qed.

Print Assumptions check_of_fanorona_slices_is_sound.

(** * Konane *)

Section OfKonane.

Variable R : konane_rules.

Definition konane_places : list spot := map (fun a => spot_of (number_at R a)) (all_places R).

(** Whether a word has a bit for each point of the board. *)
Definition konane_fits : bool := all_have_bits (files R) (all_places R).

Variable B : konane_board.

(** Each stone stands on points of its colour. *)
Definition konane_field : field :=
  {| places := konane_places; for_white := points_of_whites B; for_black := points_of_blacks B |}.

Definition is_over_opening (p : konane_position) : bool :=
  match player p, removals R B p with None, None => true | _, _ => false end.

(** Slices know no players, and begin behind the opening. *)
Definition konane_stones : made_of_stones konane_position :=
  {| stones_of := fun p => {| whites := common (standing p) (points_of_whites B); blacks := common (standing p) (points_of_blacks B) |};
     side_of := colour;
     position_of := fun w X => {| standing := union (whites w) (blacks w); colour := X; player := None |};
     is_made := fun p =>
       is_over_opening p && Uint63.eqb (minus (standing p) (union (points_of_whites B) (points_of_blacks B))) 0 |}.

Lemma konane_is_made_again slices f : in_slices konane_stones konane_field slices f = true ->
  position_of konane_stones (stones_of konane_stones f) (side_of konane_stones f) = f.
Proof.
  intro inside. apply andb_prop in inside as [inside _]. apply andb_prop in inside as [made _].
  apply andb_prop in made as [over on_points]. destruct f as [s X a]. simpl in *.
  unfold is_over_opening in over. simpl in over. destruct a as [Y|]; [discriminate|]. f_equal.
  apply same_points. intro p. rewrite has_union, !has_common. destruct (has s p) eqn:there; [|reflexivity].
  pose proof (part_of _ _ p on_points there) as which. rewrite has_union in which. exact which.
Qed.

End OfKonane.

Theorem check_of_konane_slices_is_sound R slices table p :
  let B := konane_board_of R in
  let F := konane_field R B in
  let M := konane_stones R B in
  konane_fits R = true ->
  forallb (good_part M F slices (right_in M F slices (konane_play R B) table)) (parts F slices) = true ->
  in_slices M F slices p = true ->
  exists v, table p = Some v /\ @is_worth (konane R) p (worth_of v).
Proof.
  intros B F M board_fits all one. unfold konane_fits, all_have_bits in board_fits. pose proof board_fits as each. rewrite forallb_forall in each.
  apply (what_is_found_right_in_slices_is_right M F slices) with (g := konane_play R B) (is_packed := eq);
    [| |exact (konane_is_made_again R B slices)|exact (it_is_played (konane_play R B) same_position_is_equal)|exact all|exact one|reflexivity].
  - intros s there. apply in_map_iff in there as [a [<- there]]. exists (number_at R a). split; [reflexivity | exact (each a there)].
  - assert (of_one : forall X q, has (points_at R (of_colour R X)) q = true -> In q (map name (places F))).
    { intros X q there. simpl. unfold konane_places. rewrite map_map. simpl.
      apply has_places in there; [|apply forallb_forall; intros a H; apply filter_In in H as [H _]; exact (each a H)].
      apply in_map_iff in there as [a [<- there]]. apply filter_In in there as [there _]. exact (in_map _ _ _ there). }
    intros q [there | there]; [exact (of_one White q there) | exact (of_one Black q there)].
Qed.

Print Assumptions check_of_konane_slices_is_sound.

(** * Breakthrough *)

Section OfBreakthrough.

Variable R : breakthrough_rules.
Variable B : breakthrough_board.

Definition breakthrough_places : list place := places_on (wide R) (tall R).

Definition breakthrough_fits : bool := all_have_bits (wide R) breakthrough_places.

(** A pawn on its farthest rank has won, so that none stands there. *)
Definition breakthrough_field : field :=
  let all := word_of_places (wide R) breakthrough_places in
  {| places := map (fun a => spot_of (point_of (wide R) a)) breakthrough_places;
     for_white := minus all (last_row B White); for_black := minus all (last_row B Black) |}.

(** Positions in which play is over are in no slice. *)
Definition breakthrough_stones : made_of_stones packed :=
  {| stones_of := on; side_of := moves; position_of := fun w X => {| on := w; moves := X |};
     is_made := fun p => match breakthrough_loser B p with None => true | Some _ => false end |}.

End OfBreakthrough.

Theorem check_of_breakthrough_slices_is_sound R slices table p :
  let B := breakthrough_board_of R in
  let F := breakthrough_field R B in
  let M := breakthrough_stones B in
  breakthrough_fits R = true ->
  forallb (good_part M F slices (right_in M F slices (breakthrough_play B) table)) (parts F slices) = true ->
  in_slices M F slices p = true ->
  exists v, table p = Some v /\ @is_worth (breakthrough R) p (worth_of v).
Proof.
  intros B F M board_fits all one. pose proof board_fits as each. unfold breakthrough_fits, all_have_bits in each.
  rewrite forallb_forall in each.
  apply (what_is_found_right_in_slices_is_right M F slices) with (g := breakthrough_play B) (is_packed := eq);
    [| |intros [w X] _; reflexivity|exact (it_is_played (breakthrough_play B) same_packed_is_equal)|exact all|exact one|reflexivity].
  - intros s there. apply in_map_iff in there as [a [<- there]]. exists (point_of (wide R) a).
    split; [reflexivity | exact (each a there)].
  - intros q there. simpl in there. rewrite !has_minus in there. simpl. rewrite map_map. simpl.
    apply (has_places _ _ _ board_fits). destruct there as [H | H]; apply andb_prop in H as [H _]; exact H.
Qed.

Print Assumptions check_of_breakthrough_slices_is_sound.
