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

(* Whether a text is UTF-8 from a byte on. *)
let rec utf_8 text at =
  let byte i = if at + i < String.length text then Char.code text.[at + i] else 0 in
  let follow count least most =
    byte 1 >= least && byte 1 <= most && (count < 2 || byte 2 lsr 6 = 2) && (count < 3 || byte 3 lsr 6 = 2)
    && utf_8 text (at + count + 1) in
  at >= String.length text
  || match byte 0 with
     | c when c < 0x80 -> utf_8 text (at + 1)
     | c when 0xc2 <= c && c < 0xe0 -> follow 1 0x80 0xbf
     | 0xe0 -> follow 2 0xa0 0xbf
     | 0xed -> follow 2 0x80 0x9f
     | c when 0xe1 <= c && c < 0xf0 -> follow 2 0x80 0xbf
     | 0xf0 -> follow 3 0x90 0xbf
     | 0xf4 -> follow 3 0x80 0x8f
     | c when 0xf1 <= c && c < 0xf4 -> follow 3 0x80 0xbf
     | _ -> false

(* Rows end in a line feed, and in nothing that another program takes for a row end. *)
let text_of folder name =
  let text = bytes_of (Filename.concat folder name) in
  let byte i = if i < String.length text then Char.code text.[i] else -1 in
  String.iteri
    (fun i c ->
      let ends =
        match Char.code c with
        | 0x0b | 0x0c | 0x0d | 0x1c | 0x1d | 0x1e -> true
        | 0xc2 -> byte (i + 1) = 0x85
        | 0xe2 -> byte (i + 1) = 0x80 && (byte (i + 2) = 0xa8 || byte (i + 2) = 0xa9)
        | _ -> false
      in
      demand (not ends) (name ^ " has a row end other than a line feed"))
    text;
  demand (utf_8 text 0) (name ^ " is no text in UTF-8");
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

(* JSON, as far as a claim needs it: numbers are integers, no key is there twice. *)
type json = Null | Bool of bool | Int of int | Text of string | List of json list | Object of (string * json) list

let parse text =
  let at = ref 0 in
  let wrong () = refuse (Printf.sprintf "claim.json cannot be read: byte %d" !at) in
  let peek () = if !at < String.length text then text.[!at] else '\000' in
  let next () = let c = peek () in incr at; c in
  let rec blank () = match peek () with ' ' | '\n' | '\t' -> incr at; blank () | _ -> () in
  let expect c = if next () <> c then wrong () in
  let string () =
    let out = Buffer.create 16 in
    let rec go () =
      match next () with
      | '"' -> Buffer.contents out
      | c when c < ' ' -> wrong ()
      | '\\' ->
          (match next () with
          | ('"' | '\\' | '/') as c -> Buffer.add_char out c
          | ('b' | 'f' | 'n' | 'r' | 't') as c -> Buffer.add_char out '\\'; Buffer.add_char out c
          | 'u' ->
              for _ = 1 to 4 do
                match next () with '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> wrong ()
              done;
              let code = int_of_string ("0x" ^ String.sub text (!at - 4) 4) in
              if code < 128 then Buffer.add_char out (Char.chr code)
              else Buffer.add_string out (Printf.sprintf "\\u%04x" code)
          | _ -> wrong ());
          go ()
      | c -> Buffer.add_char out c; go ()
    in
    go ()
  in
  let items depth close item =
    blank ();
    if peek () = close then (incr at; [])
    else
      let rec go found =
        let found = item depth :: found in
        blank ();
        match next () with
        | ',' -> go found
        | c when c = close -> List.rev found
        | _ -> wrong ()
      in
      go []
  in
  let rec value depth =
    if depth > 100 then wrong ();
    blank ();
    match peek () with
    | '{' ->
        incr at;
        let pairs = items depth '}' pair in
        let keys = List.map fst pairs in
        if List.length (List.sort_uniq compare keys) < List.length keys then refuse "claim.json has a key twice";
        Object pairs
    | '[' -> incr at; List (items depth ']' (fun depth -> value (depth + 1)))
    | '"' -> incr at; Text (string ())
    | '-' | '0' .. '9' -> number ()
    | _ -> name [ ("null", Null); ("true", Bool true); ("false", Bool false) ]
  and pair depth =
    blank ();
    expect '"';
    let key = string () in
    blank ();
    expect ':';
    (key, value (depth + 1))
  and number () =
    let start = !at in
    if peek () = '-' then incr at;
    let digits = !at in
    let rec go () = match peek () with '0' .. '9' -> incr at; go () | _ -> () in
    go ();
    let length = !at - digits in
    if length = 0 || (length > 1 && text.[digits] = '0') then wrong ();
    (match peek () with '.' | 'e' | 'E' -> refuse "claim.json has a number that is no integer" | _ -> ());
    if length > 17 then Int max_int else Int (int_of_string (String.sub text start (!at - start)))
  and name = function
    | [] -> wrong ()
    | (word, what) :: more ->
        let n = String.length word in
        if !at + n <= String.length text && String.sub text !at n = word then (at := !at + n; what) else name more
  in
  let found = value 0 in
  blank ();
  if !at < String.length text then wrong ();
  found

type claim = {
  objective : string; value : int option; kind : string; groups : int; prices : int list; boxes : (int * int) list;
  learned : bool; corrals : bool; walls : bool; tie : int option;  (* pushes, then moves: so many moves *)
}

(* A claim about Sokoban of format 2 to 6, its files with the sums that it names. *)
let read_claim folder =
  let row = match parse (text_of folder "claim.json") with Object row -> row | _ -> refuse "claim.json is no claim" in
  let get key = match List.assoc_opt key row with Some v -> v | None -> refuse ("claim.json has no " ^ key) in
  let walls = get "format" = Text "sokoasp certificate 6" in
  let corrals = walls || get "format" = Text "sokoasp certificate 4" in
  let learned = corrals || get "format" = Text "sokoasp certificate 3" in
  let tied = get "format" = Text "sokoasp certificate 5" in
  (match get "format" with
  | Text ("sokoasp certificate 2" | "sokoasp certificate 3" | "sokoasp certificate 4" | "sokoasp certificate 5"
    | "sokoasp certificate 6") -> ()
  | Text "sokoasp certificate 1" -> refuse "certificates of format 1 could be forged: certify the level again"
  | _ -> refuse "claim.json is of no format that is known here");
  let keys = "format game objective value kind groups prices boxes version upper lower files" in
  demand (List.sort compare (List.map fst row) = List.sort compare (String.split_on_char ' ' keys))
    "claim.json has other keys than a claim";
  let fits holds = demand holds "claim.json is not a claim of this format" in
  let whole most = function Int n when 0 <= n && n <= most -> n | _ -> refuse "claim.json has a number out of range" in
  let list = function List l -> l | _ -> refuse "claim.json is not a claim of this format" in
  let text key = match get key with Text t -> t | _ -> refuse "claim.json is not a claim of this format" in
  List.iter (fun key -> ignore (text key)) [ "version"; "upper"; "lower" ];
  fits (text "game" = "sokoban");
  let objective, kind = (text "objective", text "kind") in
  fits (List.mem objective [ "lines"; "pushes"; "moves"; "pushes+moves" ] && (objective = "pushes+moves") = tied && List.mem kind [ "solved"; "states" ]);
  let value, tie =
    match get "value" with
    | List [ pushes; moves ] when tied -> (Some (whole 60_000 pushes), Some (whole 60_000 moves))
    | Null when not tied -> (None, None)
    | v -> fits (not tied); (Some (whole 60_000 v), None)
  in
  fits (value <> Some 0 || tie = None || tie = Some 0);
  let groups, prices = (whole 4 (get "groups"), List.map (whole 2000) (list (get "prices"))) in
  let boxes =
    List.map
      (fun b -> match list b with [ r; c ] -> (whole most_text r, whole most_text c) | _ -> fits false; (0, 0))
      (list (get "boxes"))
  in
  fits ((kind = "solved") = (value = Some 0) && (kind <> "solved" || groups = 0) && (prices <> []) = (groups > 0));
  fits (boxes = [] || (value = None && List.for_all (( = ) 0) prices));
  fits (not learned || (kind = "states" && groups > 0));
  fits (not corrals || List.mem objective [ "pushes"; "lines" ]);
  let files = match get "files" with Object files -> files | _ -> fits false; [] in
  let named = List.filter_map (fun (name, yes) -> if yes then Some name else None)
    [ ("level.xsb", true); ("plan.lurd", value <> None); ("states.xz", kind = "states"); ("tables.xz", groups > 0);
      ("patterns.xz", learned); ("corrals.xz", corrals); ("walls.xz", walls) ] in
  demand (List.sort compare (List.map fst files) = List.sort compare named)
    "claim.json names other files than its kind has";
  List.iter
    (fun (name, sum) ->
      demand (sum = Text (sha256 (Filename.concat folder name))) (name ^ " is not the file that claim.json names"))
    files;
  { objective; value; kind; groups; prices; boxes; learned; corrals; walls; tie }
