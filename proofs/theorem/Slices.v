(** Tables of Fanorona. They are in slices, each of which has all positions with some number of own
    stones and some number of the opponent's. The checker comes to all of them. *)

From Coq Require Import List Bool Arith ZArith PArith FMapPositive Uint63 Lia.
Import ListNotations.
From Paika Require Import Outcome Fanorona Bits Arrays Packed Tables.

(** The stones of the side to move, and those of the other. *)
Definition slice := (nat * nat)%type.

(** The points of a board, and the word that has them all. *)
Record field := { places : list spot; whole : int }.

Definition field_of (l : list spot) : field :=
  {| places := l; whole := fold_right (fun s w => union (mark s) w) 0%uint63 l |}.

(** How many points of a list a word has. *)
Fixpoint count (l : list spot) (w : int) : nat :=
  match l with
  | [] => 0
  | s :: more => if meets w (mark s) then S (count more w) else count more w
  end.

Definition own (f : packed) : int := of_side (moves f) (on f).
Definition theirs (f : packed) : int := of_side (other (moves f)) (on f).

(** Whether a position is one of the slices: no point has two stones, no stone is off the board, and
    their numbers are those of a slice. *)
Definition in_slices (F : field) (slices : list slice) (f : packed) : bool :=
  negb (meets (own f) (theirs f)) && Uint63.eqb (minus (union (own f) (theirs f)) (whole F)) 0 &&
  let mine := count (places F) (own f) in
  let others := count (places F) (theirs f) in
  existsb (fun s : slice => Nat.eqb (fst s) mine && Nat.eqb (snd s) others) slices.

(** * The walk *)

(** Stones that stand, and how many may be added: white ones, black ones, and in all. *)
Record placed := { so_far : words; whites_left : nat; blacks_left : nat; left_in_all : nat }.

Definition with_white (s : spot) (a : placed) : list placed :=
  match whites_left a, left_in_all a with
  | S n, S m =>
    [{| so_far := {| whites := union (mark s) (whites (so_far a)); blacks := blacks (so_far a) |};
        whites_left := n; blacks_left := blacks_left a; left_in_all := m |}]
  | _, _ => []
  end.

Definition with_black (s : spot) (a : placed) : list placed :=
  match blacks_left a, left_in_all a with
  | S n, S m =>
    [{| so_far := {| whites := whites (so_far a); blacks := union (mark s) (blacks (so_far a)) |};
        whites_left := whites_left a; blacks_left := n; left_in_all := m |}]
  | _, _ => []
  end.

Definition at_spot (s : spot) (a : placed) : list placed := a :: with_white s a ++ with_black s a.

Definition at_spots (l : list spot) : list (placed -> list placed) := map at_spot l.

Definition most (of_slice : slice -> nat) (slices : list slice) : nat := fold_right Nat.max 0 (map of_slice slices).

(** Before the first stone: no side may get more than it has in some slice. *)
Definition no_stones (slices : list slice) : placed :=
  let of_one := most (fun s : slice => Nat.max (fst s) (snd s)) slices in
  {| so_far := {| whites := 0; blacks := 0 |}; whites_left := of_one; blacks_left := of_one;
     left_in_all := most (fun s : slice => fst s + snd s) slices |}.

(** Whether a test holds where the position is in the slices, with either side to move. *)
Definition tested (F : field) (slices : list slice) (test : packed -> bool) (a : placed) : bool :=
  forallb (fun X => let f := {| on := so_far a; moves := X |} in negb (in_slices F slices f) || test f) [White; Black].

(** The walk over half of the points gives parts. In each the other half is left. *)
Definition half (F : field) : nat := length (places F) / 2.

Definition parts (F : field) (slices : list slice) : list placed :=
  spread (at_spots (firstn (half F) (places F))) (no_stones slices).

Definition good_part (F : field) (slices : list slice) (test : packed -> bool) : placed -> bool :=
  walk (at_spots (skipn (half F) (places F))) (tested F slices test).

(** Whether what a table says of a position is right, if all that it says of the slices is. *)
Definition right_in (R : rules) (on_ground : ground) (F : field) (slices : list slice) (table : packed -> option value) :
  packed -> bool :=
  right_at (fanorona_play R on_ground) (in_slices F slices) table.

(** * It comes to all positions *)

Section Walking.

Variable l : list spot.
Hypothesis spots_are_points : forall s, In s l -> exists p, s = spot_of p /\ within p = true.

Lemma at_a_spot s w : In s l -> meets w (mark s) = has w (name s).
Proof. intro one. destruct (spots_are_points s one) as [p [-> inside]]. exact (meets_only w p inside). Qed.

Lemma only_there s p : In s l -> has (mark s) p = Pos.eqb p (name s).
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

Lemma made_with w so_far s rest : In s l -> has w (name s) = true ->
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
  forall rest, (forall s, In s rest -> In s l) -> forall a,
  made_of (whites f) (whites (so_far a)) rest -> made_of (blacks f) (blacks (so_far a)) rest ->
  count rest (whites f) <= whites_left a -> count rest (blacks f) <= blacks_left a ->
  count rest (whites f) + count rest (blacks f) <= left_in_all a ->
  exists b, reached (at_spots rest) a b /\ so_far b = f.
Proof.
  intros apart rest. induction rest as [|s rest IH]; intros of_l a white black w b n.
  - exists a. split; [reflexivity|]. destruct f, (so_far a) as [v u]; simpl in *.
    rewrite (made_of_all _ _ white), (made_of_all _ _ black). reflexivity.
  - pose proof (of_l s (or_introl eq_refl)) as one.
    assert (more : forall s, In s rest -> In s l) by (intros; apply of_l; right; assumption).
    assert (counted : forall v, count (s :: rest) v = if has v (name s) then S (count rest v) else count rest v)
      by (intro v; simpl; rewrite (at_a_spot s v one); reflexivity).
    rewrite !counted in *.
    destruct (has (whites f) (name s)) eqn:is_white.
    + pose proof (apart _ is_white) as not_black. rewrite not_black in b, n. simpl in w, n.
      destruct (whites_left a) as [|w'] eqn:W; [lia|]. destruct (left_in_all a) as [|n'] eqn:N; [lia|].
      edestruct (IH more) as [c [there same]]; [| | | | |exists c; split; [|exact same]; simpl;
        eexists; split; [right; apply in_or_app; left; unfold with_white; rewrite W, N; left; reflexivity | exact there]];
        simpl; [exact (made_with _ _ _ _ one is_white white) | exact (made_without _ _ _ _ not_black black)
          | lia | lia | lia].
    + destruct (has (blacks f) (name s)) eqn:is_black; simpl in b, n.
      * destruct (blacks_left a) as [|b'] eqn:B; [lia|]. destruct (left_in_all a) as [|n'] eqn:N; [lia|].
        edestruct (IH more) as [c [there same]]; [| | | | |exists c; split; [|exact same]; simpl;
          eexists; split; [right; apply in_or_app; right; unfold with_black; rewrite B, N; left; reflexivity | exact there]];
          simpl; [exact (made_without _ _ _ _ is_white white) | exact (made_with _ _ _ _ one is_black black)
            | lia | lia | lia].
      * destruct (IH more a (made_without _ _ _ _ is_white white) (made_without _ _ _ _ is_black black) w b n)
          as [c [there same]].
        exists c. split; [|exact same]. simpl. exists a. split; [left; reflexivity | exact there].
Qed.

End Walking.

Lemma has_whole l p : (forall s, In s l -> exists q, s = spot_of q /\ within q = true) ->
  has (whole (field_of l)) p = true -> In p (map name l).
Proof.
  simpl. induction l as [|s l IH]; intros spots_are there; simpl in *; [rewrite has_none in there; discriminate|].
  rewrite has_union in there. apply orb_prop in there as [here | later].
  - left. destruct (spots_are s (or_introl eq_refl)) as [q [-> inside]].
    unfold spot_of in here; simpl in here. rewrite (has_only q p inside) in here. apply Pos.eqb_eq in here. symmetry. exact here.
  - right. apply IH; [|exact later]. intros s' H. apply spots_are. right. exact H.
Qed.

Lemma at_most of_slice slices s : In s slices -> of_slice s <= most of_slice slices.
Proof.
  unfold most. induction slices as [|s' more IH]; intros []; simpl.
  - subst. apply Nat.le_max_l.
  - apply (Nat.le_trans _ _ _ (IH H)), Nat.le_max_r.
Qed.

Theorem all_of_the_slices_are_tested l slices test f :
  (forall s, In s l -> exists p, s = spot_of p /\ within p = true) ->
  forallb (good_part (field_of l) slices test) (parts (field_of l) slices) = true ->
  in_slices (field_of l) slices f = true -> test f = true.
Proof.
  intros spots_are in_parts inside.
  pose proof (walked_in_parts _ _ _ _ in_parts) as all. unfold at_spots in all.
  rewrite <- map_app, firstn_skipn in all. simpl places in all. fold (at_spots l) in all. pose proof inside as and_so. unfold in_slices in and_so.
  apply andb_prop in and_so as [and_so some]. apply andb_prop in and_so as [apart on_board].
  apply existsb_exists in some as [s [one same]]. apply andb_prop in same as [mine others].
  apply Nat.eqb_eq in mine, others.
  pose proof (at_most (fun s : slice => Nat.max (fst s) (snd s)) slices s one) as of_one.
  pose proof (at_most (fun s : slice => fst s + snd s) slices s one) as in_all. simpl in of_one, in_all.
  rewrite mine, others in of_one, in_all. simpl places in *.
  unfold own, theirs in *. apply negb_true_iff in apart. unfold meets in apart. apply negb_false_iff, Uint63.eqb_correct in apart.
  assert (never_both : forall p, has (whites (on f)) p = true -> has (blacks (on f)) p = false).
  { intros p white. apply not_true_iff_false. intro black.
    assert (none : has (common (of_side (moves f) (on f)) (of_side (other (moves f)) (on f))) p = false)
      by (unfold common; rewrite apart; apply has_none).
    rewrite has_common in none. destruct (moves f); simpl in none; rewrite white, black in none; discriminate. }
  assert (on_points : forall X p, has (of_side X (on f)) p = true -> has 0 p = true \/ In p (map name l)).
  { intros X p there. right. apply (has_whole l p spots_are). apply Uint63.eqb_correct in on_board.
    pose proof (f_equal (fun w => has w p) on_board) as none. simpl in none.
    rewrite has_none, has_minus, has_union in none. apply andb_false_iff in none as [none | none].
    - apply orb_false_iff in none as [none none']. destruct X, (moves f); simpl in *; congruence.
    - apply negb_false_iff in none. exact none. }
  destruct (the_walk_comes_to l spots_are (on f) never_both l (fun _ H => H) (no_stones slices)) as [b [there same]].
  - split; [intros p H; simpl in H; rewrite has_none in H; discriminate | exact (on_points White)].
  - split; [intros p H; simpl in H; rewrite has_none in H; discriminate | exact (on_points Black)].
  - simpl. destruct (moves f); simpl in *; lia.
  - simpl. destruct (moves f); simpl in *; lia.
  - simpl. destruct (moves f); simpl in *; lia.
  - pose proof (what_is_reached_is_tested _ _ _ _ all there) as both. unfold tested in both.
    rewrite forallb_forall in both. assert (mover : In (moves f) [White; Black]) by (destruct (moves f); simpl; auto).
    pose proof (both _ mover) as H. cbv zeta in H. rewrite same in H.
    replace {| on := on f; moves := moves f |} with f in H by (destruct f; reflexivity).
    rewrite inside in H. exact H.
Qed.

(** * What is found right is right *)

(** The points of a board. *)
Definition fanorona_field (on_ground : ground) : field := field_of (spots on_ground).

(** Whatever a table is: if it is found right, it says of each position of the slices what the
    position is worth by the rules. *)
Theorem check_of_slices_is_sound R slices table f p :
  let on_ground := ground_of R in
  let F := fanorona_field on_ground in
  fits R = true ->
  forallb (good_part F slices (right_in R on_ground F slices table)) (parts F slices) = true ->
  is_packed f p -> in_slices F slices f = true ->
  exists v, table f = Some v /\ @is_worth (fanorona R) p (worth_of v).
Proof.
  intros on_ground F board_fits all packs inside.
  apply (what_is_found_right_is_right (fanorona_play R on_ground) (in_slices F slices) table (fanorona R) is_packed
    (fanorona_is_played R board_fits)); [|exact inside|exact packs].
  intros e one. exact (all_of_the_slices_are_tested _ slices _ e (of_a_place R board_fits) all one).
Qed.

Print Assumptions check_of_slices_is_sound.
