(** The checker as OCaml. Machine words become OCaml's integers, by Coq's own list. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63.
From Paika Require Import Outcome Fanorona Bits Arrays Packed Konane Phutball Breakthrough Tables Slices.

Extraction Language OCaml.
Extraction "proved.ml" good_root pieces good_piece good_at
  ground_of fanorona_play fanorona_root is_start point_at
  konane_board_of konane_play konane_start
  phutball_board_of phutball_play phutball_start
  breakthrough_board_of breakthrough_play breakthrough_start
  own theirs parts good_part right_in
  fits fanorona_stones fanorona_field konane_fits konane_stones konane_field
  breakthrough_fits breakthrough_stones breakthrough_field.
