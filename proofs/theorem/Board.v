(** Boards of files and ranks, with points in machine words. *)

From Coq Require Import List Bool ZArith PArith Uint63.
Import ListNotations.
From Paika Require Fanorona.
From Paika Require Import Bits.

(** A file and a rank, both counted from 0. *)
Definition place := (Z * Z)%type.

Definition moved_by (a d : place) : place := (fst a + fst d, snd a + snd d)%Z.

Definition is_within (files ranks : Z) (a : place) : bool :=
  (Z.leb 0 (fst a) && Z.ltb (fst a) files) && (Z.leb 0 (snd a) && Z.ltb (snd a) ranks).

Definition places_on (files ranks : Z) : list place :=
  list_prod (Fanorona.numbers files) (Fanorona.numbers ranks).

(** Points are numbers from 1, file by file from a1. *)
Definition point_of (files : Z) (a : place) : positive := Z.to_pos (snd a * files + fst a + 1).

(** The points of some places. *)
Definition word_of_places (files : Z) (l : list place) : int :=
  fold_right (fun a w => union (only (point_of files a)) w) 0%uint63 l.

(** Whether a word has a bit for each of them. *)
Definition all_have_bits (files : Z) (l : list place) : bool := forallb (fun a => within (point_of files a)) l.

Lemma has_places files l p : all_have_bits files l = true ->
  has (word_of_places files l) p = true -> In p (map (point_of files) l).
Proof.
  unfold all_have_bits. induction l as [|a l IH]; intros inside there; simpl in *; [rewrite has_none in there; discriminate|].
  apply andb_prop in inside as [first inside]. rewrite has_union in there. apply orb_prop in there as [here | later].
  - left. rewrite (has_only _ p first) in here. apply Pos.eqb_eq in here. symmetry. exact here.
  - right. exact (IH inside later).
Qed.
