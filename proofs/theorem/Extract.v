(** The checker as OCaml. Machine words become OCaml's integers, by Coq's own list. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63.
From Paika Require Import Outcome Fanorona Bits Packed.

Extraction Language OCaml.
Extraction "fanorona.ml" ground_of good_root pieces good_piece good_at packed_turns is_start point_at.
