(* Coq's integers of 63 bits, without a sign, as integers of OCaml. *)

type t = int

let of_int (n : int) : t = n
let add (m : t) (n : t) : t = m + n
let sub (m : t) (n : t) : t = m - n
let l_and (m : t) (n : t) : t = m land n
let l_or (m : t) (n : t) : t = m lor n
let l_xor (m : t) (n : t) : t = m lxor n
let l_sl (m : t) (n : t) : t = if 0 <= n && n < 63 then m lsl n else 0
let l_sr (m : t) (n : t) : t = if 0 <= n && n < 63 then m lsr n else 0
let equal (m : t) (n : t) = m = n
let lt (m : t) (n : t) = m lxor min_int < n lxor min_int
let le (m : t) (n : t) = m lxor min_int <= n lxor min_int
