(* What the checker is given beside level, plan and value: the floor in numbers, regions, tables, packings, the list.
   Nothing here is trusted: whatever it answers, the checker accepts only what is true. *)

open Folder
module C = Checker

(* Numbers as Coq has them. *)
let rec positive i = if i = 1 then C.XH else if i land 1 = 0 then C.XO (positive (i / 2)) else C.XI (positive (i / 2))
let rec int_of = function C.XH -> 1 | C.XO p -> 2 * int_of p | C.XI p -> 2 * int_of p + 1
let int_of_n = function C.N0 -> 0 | C.Npos p -> int_of p
let rec unary i = if i = 0 then C.O else C.S (unary (i - 1))

(* The same number is made once. *)
let natural =
  let known = Hashtbl.create 1000 in
  fun i ->
    match Hashtbl.find_opt known i with
    | Some n -> n
    | None -> let n = if i = 0 then C.N0 else C.Npos (positive i) in Hashtbl.add known i n; n

(* The map of 1 to n: the numbers m k + a for k of the subtree. *)
let trie n f =
  let rec build m a =
    let i = m + a in
    if i > n then C.Leaf
    else
      match (build (2 * m) a, f i, build (2 * m) i) with
      | C.Leaf, None, C.Leaf -> C.Leaf
      | low, here, high -> C.Node (low, here, high)
  in
  build 1 0

(* The level: floor cells 1 to n in reading order, 0 for walls. *)
type floor = {
  rows : string array; n : int; cells : (int * int) array; beside : int array array;
  number : (int * int, int) Hashtbl.t; at : C.positive array;
}

let ways = [| (0, -1); (0, 1); (-1, 0); (1, 0) |]

let sign rows (r, c) =
  if r < 0 || c < 0 || r >= Array.length rows || c >= String.length rows.(r) then None else Some rows.(r).[c]

let floor_of text =
  let rows = Array.of_list (String.split_on_char '\n' text) in
  let spots signs =
    List.concat (List.mapi (fun r row -> List.filter_map (fun c -> if String.contains signs row.[c] then Some (r, c) else None)
      (List.init (String.length row) Fun.id)) (Array.to_list rows)) in
  let start = match spots "@+" with [ one ] -> one | _ -> refuse "level: it has no player, or several" in
  let seen = Hashtbl.create 1000 and todo = Queue.create () in
  Hashtbl.add seen start ();
  Queue.add start todo;
  while not (Queue.is_empty todo) do
    let r, c = Queue.pop todo in
    Array.iter
      (fun (a, b) ->
        let q = (r + a, c + b) in
        match sign rows q with
        | None -> refuse (Printf.sprintf "level: the floor is open at row %d, column %d" r c)
        | Some '#' -> ()
        | Some _ -> if not (Hashtbl.mem seen q) then (Hashtbl.add seen q (); Queue.add q todo))
      ways
  done;
  List.iter (fun q -> demand (Hashtbl.mem seen q) "level: a box or goal is out of reach") (spots "$*.+");
  let cells = Array.of_list (List.sort compare (List.of_seq (Hashtbl.to_seq_keys seen))) in
  let n = Array.length cells and number = Hashtbl.create 1000 in
  demand (n <= 65_536) "level: the floor has more than 65,536 cells";
  Array.iteri (fun i cell -> Hashtbl.add number cell (i + 1)) cells;
  let near (r, c) = Array.map (fun (a, b) -> Option.value ~default:0 (Hashtbl.find_opt number (r + a, c + b))) ways in
  let beside = Array.append [| [| 0; 0; 0; 0 |] |] (Array.map near cells) in
  { rows; n; cells; beside; number; at = Array.init (n + 1) (fun i -> positive (max i 1)) }

let spots floor signs =
  List.filter (fun i -> String.contains signs (Option.get (sign floor.rows floor.cells.(i - 1)))) (List.init floor.n succ)

let sites floor =
  let cell (r, c) = (unary r, unary c) in
  let edge i d = match floor.beside.(i).(d) with 0 -> None | j -> Some floor.at.(j) in
  trie floor.n (fun i ->
      Some { C.place = cell floor.cells.(i - 1); left = edge i 0; right = edge i 1; up = edge i 2; down = edge i 3 })

let numbers floor =
  let at r c = match Hashtbl.find_opt floor.number (r, c) with Some i -> floor.at.(i) | None -> C.XH in
  List.mapi (fun r row -> List.init (String.length row) (at r)) (Array.to_list floor.rows)

(* Regions: a component of the floor without some boxes and the boxes beside it, each set made once. *)
type region = { bits : Bytes.t; set : unit C.trie }

let region_maker floor =
  let known = Hashtbl.create 1000 and stack = Array.make (floor.n + 1) 0 and box = Array.make (floor.n + 1) false in
  let intern bits =
    match Hashtbl.find_opt known bits with
    | Some found -> found
    | None ->
        let found = { bits; set = trie floor.n (fun i -> if Bytes.get bits i = '\001' then Some () else None) } in
        Hashtbl.add known bits found;
        found
  in
  let around boxes start =
    let bits = Bytes.make (floor.n + 1) '\000' and top = ref 1 in
    List.iter (fun b -> box.(b) <- true) boxes;
    stack.(0) <- start;
    Bytes.set bits start '\001';
    while !top > 0 do
      decr top;
      let c = stack.(!top) in
      if not box.(c) then
        Array.iter
          (fun q ->
            if q > 0 && Bytes.get bits q = '\000' then (Bytes.set bits q '\001'; stack.(!top) <- q; incr top))
          floor.beside.(c)
    done;
    List.iter (fun b -> box.(b) <- false) boxes;
    intern bits
  in
  let alone cell = let bits = Bytes.make (floor.n + 1) '\000' in Bytes.set bits cell '\001'; intern bits in
  (around, alone)

let within region cell = Bytes.get region.bits cell = '\001'

(* The regions around a group of boxes, in the order of their smallest cells. *)
let regions_around floor around group =
  let rec go c found =
    if c > floor.n then List.rev found
    else if List.mem c group || List.exists (fun (_, r) -> within r c) found then go (c + 1) found
    else go (c + 1) ((c, around group c) :: found)
  in
  go 1 []

(* Tables. An entry is a number, or [never]. *)
let never = -1
let beyond = 1 lsl 40
let most_groups = 6_000_000

type slot = { parts : region array; first : int; mutable gains : bool }

type tables = {
  largest : int;
  values : int array;  (* of the entries, from 1 *)
  count : int;
  members : (C.positive list * region) array;
  slots : slot array array;  (* by size and number of the group *)
  useful : int array;  (* the cells with a number in some entry of their own *)
  index : int array;  (* the other way round, -1 elsewhere *)
  choose : int array array;
  learned : (string, region * int) Hashtbl.t;  (* entries of learned patterns by their boxes *)
  packed : (int list * region) list;  (* those that are added up *)
}

let box_key boxes =
  let key = Bytes.create (2 * List.length boxes) in
  List.iteri (fun i c -> Bytes.set_uint16_le key (2 * i) c) boxes;
  Bytes.unsafe_to_string key

let rank t idxs = List.fold_left ( + ) 0 (List.mapi (fun i c -> t.choose.(c).(i + 1)) idxs)

(* The entry of a group with the player on a cell, 0 if there is none. *)
let find t group player =
  let slot =
    match group with
    | [ c ] -> Some t.slots.(1).(c - 1)
    | _ ->
        let idxs = List.map (fun c -> t.index.(c)) group in
        if List.mem (-1) idxs || List.length group > t.largest then None
        else Some t.slots.(List.length group).(rank t idxs)
  in
  let known = match slot with
  | None -> 0
  | Some { parts; first; _ } ->
      let rec go j = if j = Array.length parts then 0 else if within parts.(j) player then first + j else go (j + 1) in
      go 0
  in
  let more i = match t.values.(i) with v when v = never -> beyond | v -> v in
  let dearer i (region, j) = if within region player && (i = 0 || more j > more i) then j else i in
  match group with
  | [ _ ] -> known
  | _ when Hashtbl.length t.learned = 0 -> known
  | _ -> List.fold_left dearer known (Hashtbl.find_all t.learned (box_key group))

let value t group player = match find t group player with 0 -> never | i -> t.values.(i)

(* What a group costs more than its boxes one by one. *)
let gain t group player =
  if List.length group < 2 then 0
  else
    match value t group player with
    | v when v = never -> beyond
    | v -> v - List.fold_left (fun sum c -> sum + value t [ c ] player) 0 group

let part mask group = List.filteri (fun i _ -> (mask lsr i) land 1 = 1) group

(* Whether a group gains more than two parts of it do. *)
let worth_noting t group player =
  let every = (1 lsl List.length group) - 1 in
  let rec parts mask best =
    if mask >= every then best
    else parts (mask + 2) (max best (gain t (part mask group) player + gain t (part (every - mask) group) player))
  in
  List.for_all (fun c -> value t [ c ] player <> never) group && gain t group player > parts 1 0

let rec next_group a i m =
  let size = Array.length a in
  if i = size then false
  else if a.(i) + 1 < (if i + 1 < size then a.(i + 1) else m) then (
    a.(i) <- a.(i) + 1;
    for j = 0 to i - 1 do a.(j) <- j done;
    true)
  else next_group a (i + 1) m

let binomials n =
  let c = Array.make_matrix (n + 1) 6 0 in
  for i = 0 to n do
    c.(i).(0) <- 1;
    for q = 1 to 5 do if i > 0 then c.(i).(q) <- min (1 lsl 40) (c.(i - 1).(q - 1) + c.(i - 1).(q)) done
  done;
  c

(* Entries are read as they come; each is one member of [t]. *)
let read_tables floor around file largest =
  let values = ref (Array.make 1024 0) and members = ref (Array.make 1024 ([], { bits = Bytes.empty; set = C.Leaf })) in
  let count = ref 0 in
  let add member v =
    incr count;
    if !count = Array.length !values then (
      values := Array.append !values (Array.make !count 0);
      members := Array.append !members (Array.make !count member));
    !values.(!count) <- v;
    !members.(!count) <- member
  in
  let stored () =
    let data = take file 2 in
    demand (String.length data = 2) "tables: too few entries";
    let v = word data 0 in
    demand (v <= 30_000) "tables: an entry is out of range";
    v
  in
  let slot group said =
    let regions = regions_around floor around group and first = !count + 1 in
    let cells = List.map (fun c -> floor.at.(c)) group in
    List.iter (fun (start, region) -> let v = said start (stored ()) in add (cells, region) v) regions;
    { parts = Array.of_list (List.map snd regions); first; gains = false }
  in
  let table slots useful index choose = { largest; values = !values; count = !count; members = !members; slots; useful; index; choose; learned = Hashtbl.create 100; packed = [] } in
  let slots = Array.make 5 [||] and index = Array.make (floor.n + 1) (-1) in
  slots.(1) <- Array.init floor.n (fun i -> slot [ i + 1 ] (fun _ v -> if v = 30_000 then never else v));
  let is_useful c =
    let { parts; first; _ } = slots.(1).(c - 1) in
    List.exists (fun j -> !values.(first + j) <> never) (List.init (Array.length parts) Fun.id)
  in
  let useful = Array.of_list (List.filter is_useful (List.init floor.n succ)) in
  Array.iteri (fun i c -> index.(c) <- i) useful;
  let m = Array.length useful in
  let choose = binomials m in
  for size = 2 to largest do
    demand (choose.(m).(size) <= most_groups) "tables: there are too many groups";
    let singles = table slots useful index choose in
    let a = Array.init size Fun.id in
    let group () = List.map (fun i -> useful.(i)) (Array.to_list a) in
    let said g start v =
      let alone = List.map (fun c -> value singles [ c ] start) g in
      if v = 30_000 || List.mem never alone then never else min 29_999 (List.fold_left ( + ) v alone)
    in
    slots.(size) <-
      Array.init choose.(m).(size) (fun k ->
          if k > 0 then ignore (next_group a 0 m);
          let g = group () in
          slot g (said g));
    let t = table slots useful index choose and a = Array.init size Fun.id in
    Array.iteri
      (fun k slot ->
        if k > 0 then ignore (next_group a 0 m);
        let g = List.map (fun i -> useful.(i)) (Array.to_list a) in
        slot.gains <-
          Array.exists
            (fun region ->
              let rec player c = if within region c && not (List.mem c g) then c else player (c + 1) in
              worth_noting t g (player 1))
            slot.parts)
      slots.(size)
  done;
  table slots useful index choose

(* Which disjoint groups to add up: a short depth-first search, by gain per box. *)
let most_items = 600
let most_steps = 2000

let pack k needed items =
  let items = Array.of_list items in
  let best = ref 0 and chosen = ref [] and steps = ref 0 in
  let rec free used b = if b = k then 0 else 1 - ((used lsr b) land 1) + free used (b + 1) in
  let exception Done in
  (* one frame for each chosen item, as a stack *)
  let rec go at used total path =
    let rec forward at used total path =
      if at < Array.length items then (
        let mask, more, share = items.(at) in
        if (total * 60) + (free used 0 * share) > !best * 60 then (
          incr steps;
          if mask land used = 0 then forward (at + 1) (used lor mask) (total + more) (at :: path)
          else forward (at + 1) used total path)
        else (total, used, path))
      else (total, used, path)
    in
    let total, used, path = forward at used total path in
    if total > !best then (best := total; chosen := path);
    if !steps > most_steps || !best >= needed then raise Done;
    match path with
    | [] -> ()
    | last :: path ->
        let mask, more, _ = items.(last) in
        go (last + 1) (used land lnot mask) (total - more) path
  in
  (try go 0 0 0 [] with Done -> ());
  List.map (fun i -> let mask, _, _ = items.(i) in mask) !chosen

(* Groups with a gain among some boxes, largest share first; or one that can never be served. *)
let items_of t boxes player =
  let k = Array.length boxes and items = ref [] and found = ref 0 in
  let exception Dead of int list in
  let rec insert one = function
    | ((_, _, share) as x) :: more when (let _, _, s = one in share >= s) -> x :: insert one more
    | more -> one :: more
  in
  let index = Array.map (fun c -> t.index.(c)) boxes in
  let note mask size =
    let group = part mask (Array.to_list boxes) in
    let more = gain t group player in
    if more >= beyond then raise (Dead group);
    if more > 0 && !found < most_items then (
      incr found;
      items := insert (mask, more, more * 60 / size) !items)
  in
  let rec choose size depth from rank mask =
    if depth = size then (if t.slots.(size).(rank).gains then note mask size)
    else
      for i = from to k - size + depth do
        choose size (depth + 1) (i + 1) (rank + t.choose.(index.(i)).(depth + 1)) (mask lor (1 lsl i))
      done
  in
  let bit c = let rec at i = if i = k then 0 else if boxes.(i) = c then 1 lsl i else at (i + 1) in at 0 in
  let recall (group, region) =
    if within region player then
      let bits = List.map bit group in
      if not (List.mem 0 bits) then note (List.fold_left ( lor ) 0 bits) (List.length group)
  in
  try
    List.iter recall t.packed;
    for size = 2 to min t.largest k do choose size 0 0 0 0 done;
    Ok !items
  with Dead group -> Error group

let packing t needed boxes player =
  let alone = List.map (fun c -> (c, value t [ c ] player)) boxes in
  match List.find_opt (fun (_, v) -> v = never) alone with
  | Some (c, _) -> [ [ c ] ]
  | None ->
      let total = List.fold_left (fun sum (_, v) -> sum + v) 0 alone and singles = List.map (fun c -> [ c ]) boxes in
      if total >= needed then singles
      else
        let places = Array.of_list boxes in
        match items_of t places player with
        | Error group -> [ group ]
        | Ok items ->
            let masks = pack (Array.length places) (needed - total) items in
            let used = List.fold_left ( lor ) 0 masks in
            List.map (fun mask -> part mask boxes) masks @ part (lnot used) singles

(* The list of states. *)
type listed = { record : int list; player : int; around_player : region; cost : int; moves : int }

(* The cells of [live] whose bits are set. *)
let boxes_in data width live file =
  let bit j = (Char.code data.[j / 8] lsr (j mod 8)) land 1 = 1 in
  let bits = List.filter bit (List.init (8 * width) Fun.id) in
  demand (List.for_all (fun j -> j < Array.length live) bits) (file.name ^ " has a box on a cell that there is not");
  List.map (fun j -> live.(j)) bits

(* Records: boxes, the player's cell and a number each, of a tie-break two. *)
(* An array: there may be hundreds of thousands of records, and List.map takes a stack as deep. *)
let read_records ?(numbers = 1) floor ~live file =
  let width = (Array.length live + 7) / 8 and seen = Hashtbl.create 10_000 in
  let whole = width + 2 + (2 * numbers) in
  let rec go found =
    let data = take file whole in
    if data = "" then Array.of_list (List.rev found)
    else (
      demand (String.length data = whole) (file.name ^ " ends in the middle of a record");
      let record = boxes_in data width live file and player = word data width + 1 in
      demand (player <= floor.n && not (List.mem player record)) (file.name ^ " has the player on a box, or nowhere");
      let key = (box_key record, player) in
      demand (not (Hashtbl.mem seen key)) (file.name ^ " has a record twice");
      Hashtbl.add seen key ();
      go ((record, player, (word data (width + 2), if numbers = 2 then word data (width + 4) else 0)) :: found))
  in
  let found = go [] in
  finish file;
  found

(* Whether a record is by the smallest cell of its region; one by another stands for nothing that can be asked for. *)
let is_first record player region =
  let rec first c = if within region c && not (List.mem c record) then c else first (c + 1) in
  first 1 = player

let read_states floor around alone ~objective ~boxes ~live file =
  let by_boxes = Hashtbl.create 10_000 and tied = objective = "pushes+moves" in
  let enter i (record, player, (cost, moves)) =
    demand (List.length record = boxes) "states: one has another number of boxes";
    let region = if tied || objective = "moves" then alone player else around record player in
    if is_first record player region then Hashtbl.add by_boxes (box_key record) (region, i + 1);
    { record; player; around_player = region; cost; moves }
  in
  let records = Array.mapi enter (read_records floor ~numbers:(if tied then 2 else 1) ~live file) in
  let find boxes player =
    match List.find_opt (fun (region, _) -> within region player) (Hashtbl.find_all by_boxes (box_key boxes)) with
    | Some (_, i) -> i
    | None -> 0
  in
  (records, find)

(* In how many steps the player walks to each cell, once from a cell beside the same boxes. *)
let walks floor { record; player; _ } =
  let steps = Array.make (floor.n + 1) (-1) and todo = Queue.create () in
  List.iter (fun b -> steps.(b) <- -2) record;
  steps.(player) <- 0;
  Queue.add player todo;
  while not (Queue.is_empty todo) do
    let c = Queue.pop todo in
    Array.iter (fun q -> if q > 0 && steps.(q) = -1 then (steps.(q) <- steps.(c) + 1; Queue.add q todo)) floor.beside.(c)
  done;
  trie floor.n (fun i -> if steps.(i) >= 0 then Some (natural steps.(i)) else None)

(* The areas of the states: the components of the floor around its boxes that hold the cells named. *)
let read_areas floor around records file =
  let area_of { record; _ } =
    let head = take file 1 in
    demand (head <> "") "corrals: they end too soon";
    let data = take file (2 * Char.code head.[0]) in
    demand (String.length data = 2 * Char.code head.[0]) "corrals: they end too soon";
    let cells = List.init (Char.code head.[0]) (fun i -> word data (2 * i) + 1) in
    demand (List.for_all (fun c -> c <= floor.n) cells) "corrals: one is off the floor";
    let parts = List.map (around record) cells in
    let inside c = List.mem c cells || (List.exists (fun part -> within part c) parts && not (List.mem c record)) in
    if cells = [] then None else Some (trie floor.n (fun c -> if inside c then Some () else None))
  in
  let areas = Array.map area_of records in
  finish file;
  fun i -> areas.(int_of i - 1)

(* Learned patterns are further entries; those with the high bit are added up. *)
let with_patterns floor around t ~boxes file =
  let enter i (record, player, (said, _)) =
    let size = List.length record and is_packed = said > 32_767 and said = said land 32_767 in
    demand (1 < size && size <= boxes) "patterns: one has one box, or too many";
    demand (said <= 30_000) "patterns: one is out of range";
    let region = around record player in
    if is_packed || is_first record player region then Hashtbl.add t.learned (box_key record) (region, t.count + 1 + i);
    ((List.map (fun c -> floor.at.(c)) record, region), (if said = 30_000 then never else said), (is_packed, (record, region)))
  in
  let found = Array.mapi enter (read_records floor ~live:t.useful file) in
  let array f = Array.map f found in
  { t with
    count = t.count + Array.length found;
    members = Array.append (Array.sub t.members 0 (t.count + 1)) (array (fun (member, _, _) -> member));
    values = Array.append (Array.sub t.values 0 (t.count + 1)) (array (fun (_, said, _) -> said));
    packed = List.filter_map (fun (_, _, (is_packed, one)) -> if is_packed then Some one else None) (Array.to_list found) }

(* Boxes that never move again, and what the others cost one by one on the floor without them; no table if one is on no goal. *)
type lone = { among : (region * int) list array; paid : int; wall : C.wall }
type wall = { cells : int list; lone : lone option }

let fixed floor cells =
  let shut q = q = 0 || List.mem q cells in
  cells <> [] && List.for_all (fun c -> let b = floor.beside.(c) in (shut b.(0) || shut b.(1)) && (shut b.(2) || shut b.(3))) cells

let lone_value lone player c =
  match List.find_opt (fun (region, _) -> within region player) lone.among.(c) with Some (_, v) -> v | None -> 0

let read_lone floor around goals cells file =
  let left l = List.filter (fun c -> not (List.mem c cells)) l in
  let next most = let data = take file 2 in
    demand (String.length data = 2 && word data 0 <= most) "walls: a number is missing, or too high";
    word data 0 in
  let prices = List.map (fun g -> (g, next 2_000)) (left goals) in
  let entries c = List.map (fun (_, region) -> let v = next 30_000 in (region, if v = 30_000 then never else v))
    (regions_around floor around (cells @ [ c ])) in
  let among = Array.make (floor.n + 1) [] and members = ref [] and count = ref 0 and first = Array.make (floor.n + 1) 0 in
  List.iter (fun c ->
      among.(c) <- entries c;
      first.(c) <- !count + 1;
      List.iter (fun (region, v) -> incr count; members := (c, region, v) :: !members) among.(c))
    (left (List.init floor.n succ));
  let members = Array.of_list (List.rev !members) in
  let at c = floor.at.(c) in
  let single = trie !count (fun i ->
      let c, region, v = members.(i - 1) in
      Some { C.group = [ at c ]; region = region.set; said = (if v = never then C.Inf else C.Fin (natural v)) }) in
  let rec place player i = function (region, _) :: more -> if within region player then i else place player (i + 1) more | [] -> 1 in
  let single_key l p = match l with
    | [ c ] -> let c = int_of c in positive (max 1 (place (int_of p) first.(c) among.(c)))
    | _ -> C.XH in
  { among; paid = List.fold_left (fun sum (_, v) -> sum + v) 0 prices;
    wall = { C.fixed = List.map at cells; price_among = trie floor.n (fun i -> Option.map natural (List.assoc_opt i prices)); single; single_key } }

let read_walls floor around goals ~live file =
  let width = (Array.length live + 7) / 8 in
  let rec go found =
    let head = take file width in
    if head = "" then (finish file; List.rev found)
    else (
      demand (String.length head = width) "walls: they end in the middle of one";
      demand ((List.length found + 1) * floor.n * floor.n <= 50_000_000) "walls: there are too many";
      let cells = boxes_in head width live file in
      demand (List.length cells <= 60) "walls: more than 60 boxes";
      demand (fixed floor cells) "walls: a box may move";
      let on_goals = List.for_all (fun c -> List.mem c goals) cells in
      go ({ cells; lone = (if on_goals then Some (read_lone floor around goals cells file) else None) } :: found))
  in
  Array.of_list (go [])

(* The wall among some boxes that shows that they cost so much, counted from 1. *)
let wall_among walls needed boxes player =
  let shows { cells; lone } =
    List.for_all (fun c -> List.mem c boxes) cells
    && match lone with
       | None -> true
       | Some lone ->
           let values = List.map (lone_value lone player) (List.filter (fun c -> not (List.mem c cells)) boxes) in
           List.mem never values || List.fold_left ( + ) 0 values >= needed + lone.paid
  in
  let rec go i = if i = Array.length walls then None else if shows walls.(i) then Some (i + 1) else go (i + 1) in
  go 0

(* All of it. *)
let prepare folder floor (claim : claim) =
  let n = floor.n and all = spots floor "$*" and goals = spots floor ".*+" in
  let named = List.map (fun cell -> match Hashtbl.find_opt floor.number cell with Some i when List.mem i all -> i | _ ->
      refuse "the claim speaks of boxes that are not there") claim.boxes in
  let kept = if named = [] then all else List.sort compare named in
  let equal = List.length all = List.length goals in
  demand (kept <> [] && List.length kept <= 60) "there is no box, or more than 60";
  demand (claim.groups = 0 || (equal && List.length claim.prices = List.length goals)) "tables need as many goals as boxes, and a price for each";
  let around, alone = region_maker floor in
  let table =
    if claim.groups = 0 then None
    else
      let file = unpack folder "tables.xz" in
      let t = read_tables floor around file claim.groups in
      finish file;
      Some (if claim.parts > 0 then with_patterns floor around t ~boxes:(List.length kept) (unpack folder "patterns.xz") else t)
  in
  let tied = claim.tie <> None in
  let live = match table with Some t -> t.useful | None -> Array.init n succ in
  let file = unpack folder "states.xz" in
  let records, find_state = read_states floor around alone ~objective:claim.objective ~boxes:(List.length kept) ~live file in
  let areas = if claim.parts > 1 then read_areas floor around records (unpack folder "corrals.xz") else fun _ -> None in
  let walls = if claim.parts > 2 then read_walls floor around goals ~live (unpack folder "walls.xz") else [||] in
  let paid = List.fold_left ( + ) 0 claim.prices in
  let enough = match claim.value with
    | None -> beyond
    | Some v -> if tied then v + 1 else if claim.objective = "pushes" && equal then v - 1 else v in
  let at c = floor.at.(c) in
  (* the number of an entry; of one that is not there a number that no entry has *)
  let ask find absent = fun l p ->
    match find (List.map int_of l) (int_of p) with 0 -> positive absent | i -> positive i in
  let prices = if claim.prices = [] then List.map (fun _ -> 0) goals else claim.prices in
  let priced = Hashtbl.create 100 in
  List.iter2 (fun g p -> Hashtbl.replace priced g p) goals prices;
  { C.floor = sites floor; numbers = numbers floor; fuel = unary (n + 1);
    kept = List.map at kept; taken = List.map at (List.filter (fun b -> not (List.mem b kept)) all);
    goals_at = List.map at goals; player_at = at (List.hd (spots floor "@+"));
    price = trie n (fun i -> Option.map natural (Hashtbl.find_opt priced i));
    table = Option.map (fun t -> trie t.count (fun i ->
        let group, region = t.members.(i) in
        let said = if t.values.(i) = never then C.Inf else C.Fin (natural t.values.(i)) in
        Some { C.group; region = region.set; said })) table;
    group_key = (match table with Some t -> ask (find t) (t.count + 1) | None -> fun _ _ -> C.XH);
    pack = (fun l p c -> match table with
      | None -> []
      | Some t -> List.map (List.map at) (packing t (enough - int_of_n c + paid) (List.map int_of l) (int_of p)));
    pack_some = (fun l p -> match table with
      | None -> []
      | Some t -> List.map (List.map at) (packing t beyond (List.map int_of l) (int_of p)));
    states = trie (if tied then 0 else Array.length records) (fun i ->
        let r = records.(i - 1) in
        Some { C.group = List.map at r.record; region = r.around_player.set; said = natural r.cost });
    state_key = ask find_state (Array.length records + 1); areas;
    walls = trie (Array.length walls) (fun i ->
        let { cells; lone } = walls.(i - 1) in
        Some (match lone with
          | Some lone -> lone.wall
          | None -> { C.fixed = List.map at cells; price_among = C.Leaf; single = C.Leaf; single_key = (fun _ _ -> C.XH) }));
    wall_for = (fun l p c -> Option.map positive (wall_among walls (enough - int_of_n c) (List.map int_of l) (int_of p)));
    stops = trie (if tied then Array.length records else 0) (fun i ->
        let r = records.(i - 1) in
        Some { C.spot = List.map at r.record; steps = walks floor r; spent = (natural r.cost, natural r.moves) });
    stop_key = ask find_state (Array.length records + 1) }
