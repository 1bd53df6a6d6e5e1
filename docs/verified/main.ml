(* check FOLDER. The last function is what must be trusted beside Rules.v: the text that is judged is the text that is
   shown, and so are the objective and the number. All else comes from Folder and Evidence, and is not trusted. *)

open Folder
module C = Checker

let rec number i = if i = 1 then C.XH else if i land 1 = 0 then C.XO (number (i / 2)) else C.XI (number (i / 2))
let natural i = if i = 0 then C.N0 else C.Npos (number i)

let sign c =
  let bit i = (Char.code c lsr i) land 1 = 1 in
  C.Ascii (bit 0, bit 1, bit 2, bit 3, bit 4, bit 5, bit 6, bit 7)

let row text = String.fold_right (fun c more -> C.String (sign c, more)) text C.EmptyString

(* A letter of a plan: its way, and whether it says that it pushes. *)
let letter c =
  let way =
    match Char.lowercase_ascii c with
    | 'l' -> C.Left | 'r' -> C.Right | 'u' -> C.Up | 'd' -> C.Down
    | _ -> refuse "plan: it has a letter that means nothing"
  in
  (way, c <> Char.lowercase_ascii c)

let plan_of folder =
  let text = text_of folder "plan.lurd" in
  let n = String.length text in
  let text = if n > 0 && text.[n - 1] = '\n' then String.sub text 0 (n - 1) else text in
  List.map letter (List.of_seq (String.to_seq text))

(* Which condition fails, for the sentence of a refusal. *)
let reason rows e objective word claim =
  match C.parse rows with
  | None -> "the text is no level"
  | Some lv ->
      let solves objective n = C.solves lv objective word (natural n) in
      let tables = match e.C.table with
        | Some t -> C.table_ok e.C.floor (C.counted objective) e.C.fuel e.C.price t e.C.group_key e.C.pack_some
        | None -> true in
      let enough = match claim.value with Some v -> C.enough_for lv objective (natural v) | None -> C.Inf in
      let solved = match (claim.value, claim.tie) with
        | Some pushes, Some moves -> solves C.Pushes pushes && solves C.Moves moves
        | Some v, None -> solves objective v
        | None, _ -> true in
      if not solved then "the plan does not solve the level with so many actions"
      else if not (C.fits rows e lv) then "the level in numbers is another one"
      else if not tables then "tables: an entry, or a learned pattern, breaks a local inequality"
      else if not (C.all (fun _ -> C.wall_ok e lv objective) e.C.walls) then "walls: an entry is too high, or a box may move"
      else if not (claim.tie <> None || C.list_ok e.C.floor objective e.C.fuel enough (C.finished e lv) (C.ahead e lv enough)
        e.C.states e.C.state_key (C.corrals_in lv objective) (C.dead e) e.C.areas)
      then "states: the list is not closed, or a state is solved too soon"
      else "states: the start is neither in the list nor bounded" ^ if claim.tie = None then "" else ", or the list is not closed"

let empty =
  { C.floor = C.Leaf; numbers = []; fuel = C.O; kept = []; taken = []; goals_at = []; player_at = C.XH; price = C.Leaf;
    table = None; group_key = (fun _ _ -> C.XH); pack = (fun _ _ _ -> []); pack_some = (fun _ _ -> []); states = C.Leaf; state_key = (fun _ _ -> C.XH); areas = (fun _ -> None);
    walls = C.Leaf; wall_for = (fun _ _ _ -> None);
    stops = C.Leaf; stop_key = (fun _ _ -> C.XH) }

let check folder =
  let claim = read_claim folder in
  let text = text_of folder "level.xsb" in
  let word = if claim.value = None then [] else plan_of folder in
  let floor = Evidence.floor_of text in
  let e = if claim.kind = "solved" then empty else Evidence.prepare folder floor claim in
  let objective, name =
    match claim.objective with
    | "pushes" -> (C.Pushes, "pushes")
    | "lines" -> (C.Lines, "box lines")
    | _ -> (C.Moves, "moves")
  in
  let rows = List.map row (String.split_on_char '\n' text) in
  let holds, told =
    match (claim.value, claim.tie) with
    | Some pushes, Some moves ->
        (C.judge_then rows e word (natural pushes) (natural moves),
         Printf.sprintf "%d pushes and %d moves solve this level, fewer pushes do not, nor as many and fewer moves" pushes moves)
    | Some v, None ->
        (C.judge rows e objective word (natural v), Printf.sprintf "%d %s solve this level, and fewer do not" v name)
    | None, _ -> (C.judge_never rows e objective, "no moves solve this level")
  in
  if not holds then refuse (reason rows e objective word claim);
  print_string (if String.length text > 0 && text.[String.length text - 1] = '\n' then text else text ^ "\n");
  print_endline ("valid: " ^ told)

let () =
  match Array.to_list Sys.argv with
  | [ _; folder ] -> (
      try check folder with
      | Refused told -> print_endline ("INVALID: " ^ told); exit 30
      | error ->
          print_endline ("INVALID: the folder cannot be read as a certificate: " ^ Printexc.to_string error);
          exit 30)
  | _ -> print_endline "usage: check FOLDER"; exit 2
