(* Work that processes share. *)

open Text

(* none is more than any number that a search can give. *)
let none = max_int

(* side_by_side is the least of what a function says of the lists that one is dealt into, each in
   a process of its own. *)
let side_by_side workers first all =
  let dealt k = List.filteri (fun i _ -> i mod workers = k) all in
  let start k =
    let from_it, to_us = Unix.pipe () in
    match Unix.fork () with
    | 0 ->
        let out = Unix.out_channel_of_descr to_us in
        Printf.fprintf out "%d\n" (first (dealt k));
        close_out out;
        Unix._exit 0
    | pid ->
        Unix.close to_us;
        (pid, Unix.in_channel_of_descr from_it)
  in
  let answer (pid, from_it) =
    let said = try int_of_string_opt (input_line from_it) with End_of_file -> None in
    match (said, snd (Unix.waitpid [] pid)) with
    | Some n, Unix.WEXITED 0 -> n
    | _ -> refuse "a worker stopped before it had checked its share"
  in
  if workers = 1 then first all else List.fold_left min none (List.map answer (List.init workers start))
