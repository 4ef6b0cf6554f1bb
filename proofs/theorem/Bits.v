(** Sets of points as machine words, for Coq's integers of 63 bits. What is assumed of these are the
    axioms that Coq's own library states. *)

From Coq Require Import Bool ZArith PArith Uint63 Lia.

Local Open Scope uint63_scope.

(** Point p has bit p - 1, if there is one. *)
Definition within (p : positive) : bool := Pos.leb p 63.

Definition bit_of (p : positive) : int := of_Z (Zpos p - 1).

Definition has (w : int) (p : positive) : bool := within p && bit w (bit_of p).

Definition only (p : positive) : int := if within p then 1 << bit_of p else 0.

Definition union (v w : int) : int := v lor w.

Definition minus (v w : int) : int := v lxor (v land w).

Definition common (v w : int) : int := v land w.

(** Whether two sets have a point in common. *)
Definition meets (v w : int) : bool := negb (v land w =? 0).

Lemma bit_of_is p : within p = true -> φ (bit_of p) = (Zpos p - 1)%Z.
Proof.
  unfold within, bit_of. intro H. apply Pos.leb_le in H. rewrite of_Z_spec. apply Z.mod_small.
  change wB with 9223372036854775808%Z. lia.
Qed.

Lemma has_only p q : within p = true -> has (only p) q = Pos.eqb q p.
Proof.
  intro inside. unfold has, only. rewrite inside. destruct (within q) eqn:inside'; simpl.
  - rewrite bit_lsl. generalize (bit_of_is p inside), (bit_of_is q inside'). intros P Q.
    unfold within in *. apply Pos.leb_le in inside, inside'.
    destruct (Pos.eqb_spec q p) as [->|differ].
    + replace (bit_of p <? bit_of p) with false by (symmetry; apply not_true_iff_false; rewrite ltb_spec; lia).
      replace (digits <=? bit_of p) with false
        by (symmetry; apply not_true_iff_false; rewrite leb_spec, P; change (φ digits)%Z with 63%Z; lia).
      simpl. rewrite bit_1. apply eqb_spec. apply to_Z_inj. rewrite sub_spec, Z.sub_diag. reflexivity.
    + destruct (bit_of q <? bit_of p) eqn:before; [reflexivity|].
      destruct (digits <=? bit_of q); [reflexivity|]. simpl. rewrite bit_1.
      apply eqb_false_complete. intro E. apply differ.
      apply (f_equal to_Z) in E. rewrite sub_spec, P, Q, to_Z_0 in E.
      apply not_true_iff_false in before. rewrite ltb_spec, P, Q in before.
      rewrite Z.mod_small in E by (change wB with 9223372036854775808%Z; lia). lia.
  - symmetry. apply Pos.eqb_neq. intros ->. rewrite inside in inside'. discriminate.
Qed.

Lemma has_union v w p : has (union v w) p = has v p || has w p.
Proof. unfold has, union. rewrite lor_spec. destruct (within p), (bit v (bit_of p)); reflexivity. Qed.

Lemma has_minus v w p : has (minus v w) p = has v p && negb (has w p).
Proof.
  unfold has, minus. rewrite lxor_spec, land_spec.
  destruct (within p), (bit v (bit_of p)), (bit w (bit_of p)); reflexivity.
Qed.

Lemma has_common v w p : has (common v w) p = has v p && has w p.
Proof. unfold has, common. rewrite land_spec. destruct (within p), (bit v (bit_of p)); reflexivity. Qed.

Lemma has_none p : has 0 p = false.
Proof. unfold has. rewrite bit_0. apply andb_false_r. Qed.

(** A word is what its points are. *)
Lemma same_points v w : (forall p, has v p = has w p) -> v = w.
Proof.
  intro same. apply bit_ext. intro n. destruct (digits <=? n) eqn:inside.
  - rewrite !bit_M by exact inside. reflexivity.
  - apply not_true_iff_false in inside. rewrite leb_spec in inside. change (φ digits)%Z with 63%Z in inside.
    generalize (to_Z_bounded n). intros [least _].
    assert (E : bit_of (Z.to_pos (φ n + 1)) = n).
    { unfold bit_of. apply to_Z_inj. rewrite Z2Pos.id by lia. rewrite of_Z_spec, Z.mod_small by (change wB with 9223372036854775808%Z; lia). lia. }
    generalize (same (Z.to_pos (φ n + 1))). unfold has. rewrite E.
    replace (within (Z.to_pos (φ n + 1))) with true; [exact (fun H => H)|].
    symmetry. apply Pos.leb_le. lia.
Qed.

Lemma meets_only w p : within p = true -> meets w (only p) = has w p.
Proof.
  intro inside. unfold meets. destruct (has w p) eqn:there.
  - apply negb_true_iff, eqb_false_complete. intro none.
    assert (H : bit (w land only p) (bit_of p) = true).
    { generalize there (has_only p p inside). unfold has. rewrite Pos.eqb_refl, inside, land_spec. simpl. intros -> ->. reflexivity. }
    rewrite none, bit_0 in H. discriminate.
  - apply negb_false_iff, eqb_spec. apply same_points. intro q. rewrite has_none.
    assert (E : has (w land only p) q = has w q && has (only p) q).
    { unfold has. rewrite land_spec. destruct (within q), (bit w (bit_of q)); reflexivity. }
    rewrite E, (has_only p q inside). destruct (Pos.eqb_spec q p) as [->|]; [rewrite there; reflexivity | apply andb_false_r].
Qed.

(** A word is 0 if it has no points. *)
Lemma none_there w : (forall p, has w p = false) <-> w = 0.
Proof.
  split; [|intros -> p; apply has_none].
  intro none. apply same_points. intro p. rewrite none, has_none. reflexivity.
Qed.
