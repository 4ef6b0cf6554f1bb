(** The checker as OCaml. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Paika Require Import Outcome Fanorona Within.

Extraction Language OCaml.
Extraction "fanorona.ml" check_fanorona all_turns map_of_ways is_start point_at
  points code.
