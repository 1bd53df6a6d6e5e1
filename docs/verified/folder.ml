(* A certificate folder: claim.json read strictly, the other files by their sums. Not trusted: see README.md. *)

exception Refused of string

let refuse told = raise (Refused told)
let demand holds told = if not holds then refuse told
let most_text = 16_000_000

(* A pipe would be waited for, a device read without end. *)
let plain path =
  let kind = try (Unix.stat path).Unix.st_kind with Unix.Unix_error _ -> Unix.S_DIR in
  demand (kind = Unix.S_REG) (Filename.basename path ^ " is missing, or no plain file")

let bytes_of path =
  plain path;
  let file = try open_in_bin path with Sys_error told -> refuse told in
  demand (in_channel_length file <= most_text) (Filename.basename path ^ " is too large");
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  text

(* ASCII from blank to tilde; rows end in a line feed. *)
let text_of folder name =
  let text = bytes_of (Filename.concat folder name) in
  String.iter (fun c -> demand (c = '\n' || (' ' <= c && c <= '~')) (name ^ " has a sign that no text here has")) text;
  text

(* Programs of others: sha256sum, xz. *)
let said_by program arguments fault =
  let out, into = Unix.pipe ~cloexec:true () and silent = Unix.openfile "/dev/null" [ Unix.O_WRONLY; Unix.O_CLOEXEC ] 0 in
  let child = Unix.create_process program (Array.of_list (program :: arguments)) Unix.stdin into silent in
  List.iter Unix.close [ into; silent ];
  let from = Unix.in_channel_of_descr out in
  let rec lines found = match input_line from with line -> lines (line :: found) | exception End_of_file -> found in
  let found = List.rev (lines []) in
  close_in from;
  demand (snd (Unix.waitpid [] child) = Unix.WEXITED 0) fault;
  found

let sha256 path =
  plain path;
  let fault = Filename.basename path ^ " cannot be read" in
  let line = List.hd (said_by "sha256sum" [ "--"; path ] fault) in
  String.sub line (if line.[0] = '\\' then 1 else 0) 64

(* One xz stream with nothing behind it, read as it is asked for. *)
type unpacked = { name : string; from : in_channel }

let unpack folder name =
  let path = Filename.concat folder name in
  let lines = said_by "xz" [ "--robot"; "--list"; "--format=xz"; "--"; path ] (name ^ " cannot be unpacked") in
  let told = String.split_on_char '\t' (List.nth lines 1) in
  demand (List.nth told 1 = "1" && List.nth told 7 = "0") (name ^ " is not one stream");
  let from = Unix.open_process_args_in "xz" [| "xz"; "-q"; "-q"; "-dc"; "--format=xz"; "--memlimit=256MiB"; "--"; path |] in
  set_binary_mode_in from true;
  { name; from }

(* So many bytes; fewer at the end. *)
let take file count =
  let data = Bytes.create count in
  let rec fill at =
    if at = count then count
    else match input file.from data at (count - at) with 0 -> at | more -> fill (at + more)
  in
  Bytes.sub_string data 0 (fill 0)

let finish file =
  demand (take file 1 = "") (file.name ^ " goes on where it should end");
  demand (Unix.close_process_in file.from = Unix.WEXITED 0) (file.name ^ " cannot be unpacked")

let word data at = Char.code data.[at] lor (Char.code data.[at + 1] lsl 8)

(* JSON, as far as a claim needs it: numbers are integers, and no sign is escaped. *)
type json = Null | Int of int | Text of string | List of json list | Object of (string * json) list

let parse text =
  let at = ref 0 in
  let wrong () = refuse (Printf.sprintf "claim.json cannot be read: byte %d" !at) in
  let here () = if !at < String.length text then text.[!at] else '\000' in
  let rec peek () = match here () with ' ' | '\n' -> incr at; peek () | c -> c in
  let expect c = if here () = c then incr at else wrong () in
  let span inside =
    let start = !at in
    while inside (here ()) do incr at done;
    String.sub text start (!at - start)
  in
  let string () =
    expect '"';
    let found = span (fun c -> ' ' <= c && c <> '"' && c <> '\\') in
    expect '"';
    found
  in
  let items close item =
    incr at;
    let rec go found =
      let found = item () :: found in
      match peek () with ',' -> incr at; go found | _ -> expect close; List.rev found
    in
    if peek () = close then (incr at; []) else go []
  in
  let rec value depth () =
    if depth > 4 then wrong ();
    match peek () with
    | '{' -> Object (items '}' (pair depth))
    | '[' -> List (items ']' (value (depth + 1)))
    | '"' -> Text (string ())
    | 'n' -> String.iter expect "null"; Null
    | _ -> number ()
  and pair depth () =
    ignore (peek ());
    let key = string () in
    ignore (peek ());
    expect ':';
    (key, value (depth + 1) ())
  and number () =
    let sign = if here () = '-' then (incr at; "-") else "" in
    let digits = span (fun c -> '0' <= c && c <= '9') in
    if digits = "" || (String.length digits > 1 && digits.[0] = '0') then wrong ();
    Int (Option.value ~default:max_int (int_of_string_opt (sign ^ digits)))
  in
  let found = value 0 () in
  if peek () <> '\000' then wrong ();
  found

type claim = {
  objective : string; value : int option; kind : string; groups : int; prices : int list; boxes : (int * int) list;
  parts : int;  (* of patterns, corrals and walls, each with those before it *)
  tie : int option;  (* pushes, then moves: so many moves *)
}

(* A claim about Sokoban of format 2 to 6, its files with the sums that it names. *)
let read_claim folder =
  let row = match parse (text_of folder "claim.json") with Object row -> row | _ -> refuse "claim.json is no claim" in
  let keys = "format game objective value kind groups prices boxes version upper lower files" in
  demand (List.sort compare (List.map fst row) = List.sort compare (String.split_on_char ' ' keys))
    "claim.json has other keys than a claim";
  let get key = List.assoc key row in
  let parts, tied =
    match get "format" with
    | Text "sokoasp certificate 2" -> (0, false)
    | Text "sokoasp certificate 3" -> (1, false)
    | Text "sokoasp certificate 4" -> (2, false)
    | Text "sokoasp certificate 5" -> (0, true)
    | Text "sokoasp certificate 6" -> (3, false)
    | _ -> refuse "claim.json is of no format that is read here"
  in
  let fits holds = demand holds "claim.json is not a claim of this format" in
  let whole most = function Int n when 0 <= n && n <= most -> n | _ -> refuse "claim.json has a number out of range" in
  let list = function List l -> l | _ -> fits false; [] in
  let text key = match get key with Text t -> t | _ -> fits false; "" in
  List.iter (fun key -> ignore (text key)) [ "version"; "upper"; "lower" ];
  fits (text "game" = "sokoban");
  let objective, kind = (text "objective", text "kind") in
  fits (List.mem objective (if tied then [ "pushes+moves" ] else [ "lines"; "pushes"; "moves" ]));
  let value, tie =
    match get "value" with
    | List [ pushes; moves ] when tied -> (Some (whole 60_000 pushes), Some (whole 60_000 moves))
    | Null when not tied -> (None, None)
    | v -> fits (not tied); (Some (whole 60_000 v), None)
  in
  fits (value <> Some 0 || tie = None || tie = Some 0);
  let groups, prices = (whole 4 (get "groups"), List.map (whole 2000) (list (get "prices"))) in
  let box b = match list b with [ r; c ] -> (whole most_text r, whole most_text c) | _ -> fits false; (0, 0) in
  let boxes = List.map box (list (get "boxes")) in
  fits (kind = if value = Some 0 then "solved" else "states");
  fits ((prices <> []) = (groups > 0) && (kind = "states" || groups = 0) && (parts = 0 || groups > 0));
  fits (boxes = [] || (value = None && List.for_all (( = ) 0) prices));
  fits (parts < 2 || objective <> "moves");
  let files = match get "files" with Object files -> files | _ -> fits false; [] in
  let named = List.filter_map (fun (name, yes) -> if yes then Some name else None)
    [ ("corrals.xz", parts > 1); ("level.xsb", true); ("patterns.xz", parts > 0); ("plan.lurd", value <> None);
      ("states.xz", kind = "states"); ("tables.xz", groups > 0); ("walls.xz", parts > 2) ] in
  demand (List.sort compare (List.map fst files) = named) "claim.json names other files than its kind has";
  List.iter
    (fun (name, sum) ->
      demand (sum = Text (sha256 (Filename.concat folder name))) (name ^ " is not the file that claim.json names"))
    files;
  { objective; value; kind; groups; prices; boxes; parts; tie }
