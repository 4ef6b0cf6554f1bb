(* Columns of numbers, which grow, and the rows of two of them found by what they hold. *)

open Bigarray

(* A column grows in blocks. *)
type block = (int, int_elt, c_layout) Array1.t
type t = { mutable blocks : block array; mutable length : int }

let bits = 20
let empty () : t = { blocks = [||]; length = 0 }
let get c i = Array1.get (Array.get c.blocks (i lsr bits)) (i land ((1 lsl bits) - 1))

let add c n =
  if c.length land ((1 lsl bits) - 1) = 0 then
    c.blocks <- Array.append c.blocks [| Array1.create int c_layout (1 lsl bits) |];
  Array1.set c.blocks.(c.length lsr bits) (c.length land ((1 lsl bits) - 1)) n;
  c.length <- c.length + 1

(* The most rows that can be found. *)
let largest = 1 lsl 30

(* index gives the number of the row that holds two numbers, and that of rows where there is none. Where
   two rows hold the same, it calls twice with the number of the second. It has a table, two thirds
   full at most. *)
let index first second twice =
  let rows = first.length in
  let rec bits n = if n = 0 then 0 else 1 + bits (n lsr 1) in
  let width = bits (rows + (rows / 2) + 1) in
  let table = Array1.create int32 c_layout (1 lsl width) in
  Array1.fill table (-1l);
  let rec find v w slot =
    let i = Int32.to_int (Array1.get table slot) in
    if i < 0 || (get first i = v && get second i = w) then (slot, i) else find v w ((slot + 1) land ((1 lsl width) - 1))
  in
  let found v w =
    let h = (v * 0x2545f4914f6cdd1d) lxor (w * 0x1b873593cc9e2d51) in
    find v w (((h lxor (h lsr 31)) * 0x2545f4914f6cdd1d) lsr (63 - width))
  in
  for i = 0 to rows - 1 do
    match found (get first i) (get second i) with
    | slot, -1 -> Array1.set table slot (Int32.of_int i)
    | _ -> twice i
  done;
  fun v w -> match snd (found v w) with -1 -> rows | i -> i

(* Texts by number, so that one of at most seven bytes needs no more than its number: that is its
   length, and behind it its bytes. A longer one is in a buffer, and has a number below 0. No text has
   the number 0; none is empty, or has more than 255 bytes. *)
type texts = Buffer.t

let number_of_text (longer : texts) s =
  let length = String.length s in
  if length <= 7 then String.fold_left (fun n c -> (n lsl 8) lor Char.code c) length s
  else
    let at = Buffer.length longer in
    Buffer.add_char longer (Char.chr length);
    Buffer.add_string longer s;
    -1 - at

let text_of_number (longer : texts) n =
  let rec bytes n all = if n < 256 then all else bytes (n lsr 8) (Char.chr (n land 255) :: all) in
  if n > 0 then String.of_seq (List.to_seq (bytes n []))
  else
    let at = -1 - n in
    Buffer.sub longer (at + 1) (Char.code (Buffer.nth longer at))
