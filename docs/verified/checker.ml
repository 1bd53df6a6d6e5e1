
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> nat **)

let rec length = function
| [] -> O
| _ :: l' -> S (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

(** val eqb : nat -> nat -> bool **)

let rec eqb n0 m =
  match n0 with
  | O -> (match m with
          | O -> true
          | S _ -> false)
  | S n' -> (match m with
             | O -> false
             | S m' -> eqb n' m')

(** val eqb0 : bool -> bool -> bool **)

let eqb0 b1 b2 =
  if b1 then b2 else if b2 then false else true

module Nat =
 struct
  (** val leb : nat -> nat -> bool **)

  let rec leb n0 m =
    match n0 with
    | O -> true
    | S n' -> (match m with
               | O -> false
               | S m' -> leb n' m')

  (** val eq_dec : nat -> nat -> bool **)

  let rec eq_dec n0 m =
    match n0 with
    | O -> (match m with
            | O -> true
            | S _ -> false)
    | S n1 -> (match m with
               | O -> false
               | S n2 -> eq_dec n1 n2)
 end

(** val in_dec : ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 list -> bool **)

let rec in_dec h a = function
| [] -> false
| y :: l0 -> let s = h y a in if s then true else in_dec h a l0

(** val nth : nat -> 'a1 list -> 'a1 -> 'a1 **)

let rec nth n0 l default =
  match n0 with
  | O -> (match l with
          | [] -> default
          | x :: _ -> x)
  | S m -> (match l with
            | [] -> default
            | _ :: t -> nth m t default)

(** val nth_error : 'a1 list -> nat -> 'a1 option **)

let rec nth_error l = function
| O -> (match l with
        | [] -> None
        | x :: _ -> Some x)
| S n1 -> (match l with
           | [] -> None
           | _ :: l0 -> nth_error l0 n1)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t -> (f a) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val seq : nat -> nat -> nat list **)

let rec seq start0 = function
| O -> []
| S len0 -> start0 :: (seq (S start0) len0)

type positive =
| XI of positive
| XO of positive
| XH

type n =
| N0
| Npos of positive

module Pos =
 struct
  type mask =
  | IsNul
  | IsPos of positive
  | IsNeg
 end

module Coq_Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p -> XO (succ p)
  | XO p -> XI p
  | XH -> XO XH

  (** val add : positive -> positive -> positive **)

  let rec add x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XO p ->
      (match y with
       | XI q -> XI (add p q)
       | XO q -> XO (add p q)
       | XH -> XI p)
    | XH -> (match y with
             | XI q -> XO (succ q)
             | XO q -> XI q
             | XH -> XO XH)

  (** val add_carry : positive -> positive -> positive **)

  and add_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XI (add_carry p q)
       | XO q -> XO (add_carry p q)
       | XH -> XI (succ p))
    | XO p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XH ->
      (match y with
       | XI q -> XI (succ q)
       | XO q -> XO (succ q)
       | XH -> XI XH)

  (** val pred_double : positive -> positive **)

  let rec pred_double = function
  | XI p -> XI (XO p)
  | XO p -> XI (pred_double p)
  | XH -> XH

  (** val pred_N : positive -> n **)

  let pred_N = function
  | XI p -> Npos (XO p)
  | XO p -> Npos (pred_double p)
  | XH -> N0

  type mask = Pos.mask =
  | IsNul
  | IsPos of positive
  | IsNeg

  (** val succ_double_mask : mask -> mask **)

  let succ_double_mask = function
  | IsNul -> IsPos XH
  | IsPos p -> IsPos (XI p)
  | IsNeg -> IsNeg

  (** val double_mask : mask -> mask **)

  let double_mask = function
  | IsPos p -> IsPos (XO p)
  | x0 -> x0

  (** val double_pred_mask : positive -> mask **)

  let double_pred_mask = function
  | XI p -> IsPos (XO (XO p))
  | XO p -> IsPos (XO (pred_double p))
  | XH -> IsNul

  (** val sub_mask : positive -> positive -> mask **)

  let rec sub_mask x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> double_mask (sub_mask p q)
       | XO q -> succ_double_mask (sub_mask p q)
       | XH -> IsPos (XO p))
    | XO p ->
      (match y with
       | XI q -> succ_double_mask (sub_mask_carry p q)
       | XO q -> double_mask (sub_mask p q)
       | XH -> IsPos (pred_double p))
    | XH -> (match y with
             | XH -> IsNul
             | _ -> IsNeg)

  (** val sub_mask_carry : positive -> positive -> mask **)

  and sub_mask_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> succ_double_mask (sub_mask_carry p q)
       | XO q -> double_mask (sub_mask p q)
       | XH -> IsPos (pred_double p))
    | XO p ->
      (match y with
       | XI q -> double_mask (sub_mask_carry p q)
       | XO q -> succ_double_mask (sub_mask_carry p q)
       | XH -> double_pred_mask p)
    | XH -> IsNeg

  (** val compare_cont : comparison -> positive -> positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> compare_cont r p q
       | XO q -> compare_cont Gt p q
       | XH -> Gt)
    | XO p ->
      (match y with
       | XI q -> compare_cont Lt p q
       | XO q -> compare_cont r p q
       | XH -> Gt)
    | XH -> (match y with
             | XH -> r
             | _ -> Lt)

  (** val compare : positive -> positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : positive -> positive -> bool **)

  let rec eqb p q =
    match p with
    | XI p0 -> (match q with
                | XI q0 -> eqb p0 q0
                | _ -> false)
    | XO p0 -> (match q with
                | XO q0 -> eqb p0 q0
                | _ -> false)
    | XH -> (match q with
             | XH -> true
             | _ -> false)

  (** val ltb : positive -> positive -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false
 end

module N =
 struct
  (** val pred : n -> n **)

  let pred = function
  | N0 -> N0
  | Npos p -> Coq_Pos.pred_N p

  (** val add : n -> n -> n **)

  let add n0 m =
    match n0 with
    | N0 -> m
    | Npos p -> (match m with
                 | N0 -> n0
                 | Npos q -> Npos (Coq_Pos.add p q))

  (** val sub : n -> n -> n **)

  let sub n0 m =
    match n0 with
    | N0 -> N0
    | Npos n' ->
      (match m with
       | N0 -> n0
       | Npos m' ->
         (match Coq_Pos.sub_mask n' m' with
          | Coq_Pos.IsPos p -> Npos p
          | _ -> N0))

  (** val compare : n -> n -> comparison **)

  let compare n0 m =
    match n0 with
    | N0 -> (match m with
             | N0 -> Eq
             | Npos _ -> Lt)
    | Npos n' -> (match m with
                  | N0 -> Gt
                  | Npos m' -> Coq_Pos.compare n' m')

  (** val eqb : n -> n -> bool **)

  let eqb n0 m =
    match n0 with
    | N0 -> (match m with
             | N0 -> true
             | Npos _ -> false)
    | Npos p -> (match m with
                 | N0 -> false
                 | Npos q -> Coq_Pos.eqb p q)

  (** val leb : n -> n -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : n -> n -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false
 end

type ascii =
| Ascii of bool * bool * bool * bool * bool * bool * bool * bool

(** val eqb1 : ascii -> ascii -> bool **)

let eqb1 a b =
  let Ascii (a0, a1, a2, a3, a4, a5, a6, a7) = a in
  let Ascii (b0, b1, b2, b3, b4, b5, b6, b7) = b in
  if if if if if if if eqb0 a0 b0 then eqb0 a1 b1 else false
                 then eqb0 a2 b2
                 else false
              then eqb0 a3 b3
              else false
           then eqb0 a4 b4
           else false
        then eqb0 a5 b5
        else false
     then eqb0 a6 b6
     else false
  then eqb0 a7 b7
  else false

type string =
| EmptyString
| String of ascii * string

(** val length0 : string -> nat **)

let rec length0 = function
| EmptyString -> O
| String (_, s') -> S (length0 s')

(** val get : nat -> string -> ascii option **)

let rec get n0 = function
| EmptyString -> None
| String (c, s') -> (match n0 with
                     | O -> Some c
                     | S n' -> get n' s')

(** val list_ascii_of_string : string -> ascii list **)

let rec list_ascii_of_string = function
| EmptyString -> []
| String (ch, s0) -> ch :: (list_ascii_of_string s0)

type way =
| Left
| Right
| Up
| Down

type objective =
| Pushes
| Lines
| Moves

type cell = nat * nat

(** val cell_dec : cell -> cell -> bool **)

let cell_dec a b =
  let (a0, b0) = a in
  let (a1, b1) = b in if Nat.eq_dec a0 a1 then Nat.eq_dec b0 b1 else false

(** val way_dec : way -> way -> bool **)

let way_dec a b =
  match a with
  | Left -> (match b with
             | Left -> true
             | _ -> false)
  | Right -> (match b with
              | Right -> true
              | _ -> false)
  | Up -> (match b with
           | Up -> true
           | _ -> false)
  | Down -> (match b with
             | Down -> true
             | _ -> false)

(** val beside : cell -> way -> cell option **)

let beside c = function
| Left -> let (r, n0) = c in (match n0 with
                              | O -> None
                              | S x -> Some (r, x))
| Right -> let (r, x) = c in Some (r, (S x))
| Up -> let (n0, x) = c in (match n0 with
                            | O -> None
                            | S r -> Some (r, x))
| Down -> let (r, x) = c in Some ((S r), x)

type level = { is_floor : (cell -> bool); boxes : cell list;
               goals : cell list; player : cell }

(** val sign : string list -> cell -> ascii option **)

let sign rows c =
  match nth_error rows (fst c) with
  | Some row -> get (snd c) row
  | None -> None

(** val one_of : string -> ascii -> bool **)

let one_of signs s =
  existsb (eqb1 s) (list_ascii_of_string signs)

(** val cells : string list -> cell list **)

let cells rows =
  flat_map (fun r ->
    map (fun x -> (r, x)) (seq O (length0 (nth r rows EmptyString))))
    (seq O (length rows))

(** val pick : string list -> string -> cell list **)

let pick rows signs =
  filter (fun c ->
    match sign rows c with
    | Some s -> one_of signs s
    | None -> false) (cells rows)

(** val parse : string list -> level option **)

let parse rows =
  if (&&)
       (forallb (fun row ->
         forallb
           (one_of (String ((Ascii (true, true, false, false, false, true,
             false, false)), (String ((Ascii (false, false, false, false,
             false, true, false, false)), (String ((Ascii (false, false,
             true, false, false, true, false, false)), (String ((Ascii
             (false, true, false, true, false, true, false, false)), (String
             ((Ascii (false, true, true, true, false, true, false, false)),
             (String ((Ascii (false, false, false, false, false, false, true,
             false)), (String ((Ascii (true, true, false, true, false, true,
             false, false)), EmptyString)))))))))))))))
           (list_ascii_of_string row)) rows)
       (Nat.leb
         (length
           (pick rows (String ((Ascii (false, true, true, true, false, true,
             false, false)), (String ((Ascii (false, true, false, true,
             false, true, false, false)), (String ((Ascii (true, true, false,
             true, false, true, false, false)), EmptyString))))))))
         (length
           (pick rows (String ((Ascii (false, false, true, false, false,
             true, false, false)), (String ((Ascii (false, true, false, true,
             false, true, false, false)), EmptyString)))))))
  then (match pick rows (String ((Ascii (false, false, false, false, false,
                false, true, false)), (String ((Ascii (true, true, false,
                true, false, true, false, false)), EmptyString)))) with
        | [] -> None
        | c :: l ->
          (match l with
           | [] ->
             Some { is_floor = (fun c0 ->
               match sign rows c0 with
               | Some s ->
                 negb
                   (one_of (String ((Ascii (true, true, false, false, false,
                     true, false, false)), EmptyString)) s)
               | None -> false); boxes =
               (pick rows (String ((Ascii (false, false, true, false, false,
                 true, false, false)), (String ((Ascii (false, true, false,
                 true, false, true, false, false)), EmptyString))))); goals =
               (pick rows (String ((Ascii (false, true, true, true, false,
                 true, false, false)), (String ((Ascii (false, true, false,
                 true, false, true, false, false)), (String ((Ascii (true,
                 true, false, true, false, true, false, false)),
                 EmptyString))))))); player = c }
           | _ :: _ -> None))
  else None

type state = { stand : cell list; man : cell; pushed : way option }

(** val start : level -> state **)

let start lv =
  { stand = lv.boxes; man = lv.player; pushed = None }

(** val next : level -> cell -> way -> cell option **)

let next lv c d =
  match beside c d with
  | Some q -> if lv.is_floor q then Some q else None
  | None -> None

(** val step : level -> state -> way -> state option **)

let step lv s d =
  match next lv s.man d with
  | Some q ->
    if in_dec cell_dec q s.stand
    then (match next lv q d with
          | Some to0 ->
            if in_dec cell_dec to0 s.stand
            then None
            else Some { stand =
                   (map (fun b -> if cell_dec b q then to0 else b) s.stand);
                   man = q; pushed = (Some d) }
          | None -> None)
    else Some { stand = s.stand; man = q; pushed = None }
  | None -> None

(** val cost : objective -> way option -> way option -> n **)

let cost o before0 after0 =
  match o with
  | Pushes -> (match after0 with
               | Some _ -> Npos XH
               | None -> N0)
  | Lines ->
    (match before0 with
     | Some d ->
       (match after0 with
        | Some e -> if way_dec d e then N0 else Npos XH
        | None -> N0)
     | None -> (match after0 with
                | Some _ -> Npos XH
                | None -> N0))
  | Moves -> Npos XH

(** val run :
    objective -> level -> state -> way list -> (state * n) option **)

let rec run o lv s = function
| [] -> Some (s, N0)
| d :: more ->
  (match step lv s d with
   | Some t ->
     (match run o lv t more with
      | Some p ->
        let (last, k) = p in Some (last, (N.add (cost o s.pushed t.pushed) k))
      | None -> None)
   | None -> None)

(** val ways : way list **)

let ways =
  Left :: (Right :: (Up :: (Down :: [])))

(** val opposite : way -> way **)

let opposite = function
| Left -> Right
| Right -> Left
| Up -> Down
| Down -> Up

type 'a trie =
| Leaf
| Node of 'a trie * 'a option * 'a trie

(** val get0 : positive -> 'a1 trie -> 'a1 option **)

let rec get0 i = function
| Leaf -> None
| Node (low, here, high) ->
  (match i with
   | XI j -> get0 j high
   | XO j -> get0 j low
   | XH -> here)

(** val put : positive -> unit trie -> unit trie **)

let rec put i t =
  match i with
  | XI j ->
    (match t with
     | Leaf -> Node (Leaf, None, (put j Leaf))
     | Node (low, here, high) -> Node (low, here, (put j high)))
  | XO j ->
    (match t with
     | Leaf -> Node ((put j Leaf), None, Leaf)
     | Node (low, here, high) -> Node ((put j low), here, high))
  | XH ->
    (match t with
     | Leaf -> Node (Leaf, (Some ()), Leaf)
     | Node (low, _, high) -> Node (low, (Some ()), high))

(** val has : positive -> unit trie -> bool **)

let has i t =
  match get0 i t with
  | Some _ -> true
  | None -> false

(** val holds :
    (positive -> 'a1 -> bool) -> (positive -> positive) -> 'a1 trie -> bool **)

let rec holds f number = function
| Leaf -> true
| Node (low, here, high) ->
  (&&)
    ((&&) (match here with
           | Some a -> f (number XH) a
           | None -> true) (holds f (fun i -> number (XO i)) low))
    (holds f (fun i -> number (XI i)) high)

(** val all : (positive -> 'a1 -> bool) -> 'a1 trie -> bool **)

let all f =
  holds f (fun i -> i)

(** val among : positive -> positive list -> bool **)

let among c l =
  existsb (Coq_Pos.eqb c) l

(** val without : positive list -> positive list -> positive list **)

let without l gone =
  filter (fun c -> negb (among c gone)) l

(** val insert : positive -> positive list -> positive list **)

let rec insert c l = match l with
| [] -> c :: []
| x :: more -> if Coq_Pos.ltb c x then c :: l else x :: (insert c more)

(** val ascending : positive list -> bool **)

let rec ascending = function
| [] -> true
| x :: more ->
  (match more with
   | [] -> true
   | y :: _ -> (&&) (Coq_Pos.ltb x y) (ascending more))

(** val equal : positive list -> positive list -> bool **)

let rec equal a b =
  match a with
  | [] -> (match b with
           | [] -> true
           | _ :: _ -> false)
  | x :: a0 ->
    (match b with
     | [] -> false
     | y :: b0 -> (&&) (Coq_Pos.eqb x y) (equal a0 b0))

type bound =
| Fin of n
| Inf

(** val reached : bound -> n -> bool **)

let reached b k =
  match b with
  | Fin n0 -> N.leb n0 k
  | Inf -> false

(** val at_most : bound -> bound -> bool **)

let at_most a = function
| Fin n0 -> reached a n0
| Inf -> true

(** val plus : bound -> bound -> bound **)

let plus a b =
  match a with
  | Fin m -> (match b with
              | Fin n0 -> Fin (N.add m n0)
              | Inf -> Inf)
  | Inf -> Inf

type 'a entry = { group : positive list; region : unit trie; said : 'a }

(** val look :
    'a1 entry trie -> (positive list -> positive -> positive) -> positive
    list -> positive -> 'a1 option **)

let look t key l p =
  match get0 (key l p) t with
  | Some e ->
    if (&&) (equal e.group l) (has p e.region) then Some e.said else None
  | None -> None

type site = { place : cell; left : positive option; right : positive option;
              up : positive option; down : positive option }

(** val edge : site -> way -> positive option **)

let edge s = function
| Left -> s.left
| Right -> s.right
| Up -> s.up
| Down -> s.down

(** val nxt : site trie -> positive -> way -> positive option **)

let nxt floor0 c d =
  match get0 c floor0 with
  | Some s -> edge s d
  | None -> None

(** val closed :
    site trie -> positive list -> unit trie -> (positive -> bool) -> bool **)

let closed floor0 l r step0 =
  all (fun p s ->
    (||)
      ((||) (negb (has p r))
        (forallb (fun d ->
          match edge s d with
          | Some q -> (||) (step0 q) (among q l)
          | None -> true) ways)) (among p l)) floor0

(** val along :
    site trie -> objective -> (positive list -> positive -> positive -> bool)
    -> nat -> way -> positive list -> positive -> positive -> bool **)

let rec along floor0 o ok fuel0 d rest b q =
  (&&) (ok (insert q rest) q b)
    (match o with
     | Lines ->
       (match nxt floor0 q d with
        | Some q' ->
          (||) (among q' rest)
            (match fuel0 with
             | O -> false
             | S fuel1 -> along floor0 o ok fuel1 d rest q q')
        | None -> true)
     | _ -> true)

(** val presses :
    site trie -> objective -> nat -> (positive list -> positive -> positive
    -> bool) -> positive list -> unit trie -> bool **)

let presses floor0 o fuel0 ok l r =
  forallb (fun b ->
    let rest = without l (b :: []) in
    forallb (fun d ->
      match nxt floor0 b (opposite d) with
      | Some p ->
        (match nxt floor0 b d with
         | Some q ->
           (||) ((||) ((||) (negb (has p r)) (among p rest)) (among q rest))
             (along floor0 o ok fuel0 d rest b q)
         | None -> true)
      | None -> true) ways) l

(** val on_goals : n trie -> positive list -> bool **)

let on_goals price0 l =
  forallb (fun c -> match get0 c price0 with
                    | Some _ -> true
                    | None -> false) l

(** val priced : n trie -> positive -> n **)

let priced price0 c =
  match get0 c price0 with
  | Some n0 -> n0
  | None -> N0

(** val sum : (positive -> n) -> positive list -> n **)

let rec sum f = function
| [] -> N0
| c :: more -> N.add (f c) (sum f more)

(** val worth :
    bound entry trie -> (positive list -> positive -> positive) -> positive
    list list -> positive list -> positive -> bound **)

let rec worth table0 key groups l p =
  match groups with
  | [] -> Fin N0
  | g :: more ->
    (match look table0 key g p with
     | Some b ->
       if forallb (fun c -> among c l) g
       then plus b (worth table0 key more (without l g) p)
       else Fin N0
     | None -> Fin N0)

(** val after :
    bound entry trie -> (positive list -> positive -> positive) -> (positive
    list -> positive -> positive list list) -> bound -> positive list ->
    positive -> positive -> bool **)

let after table0 key alone b l q p =
  if match look table0 key l p with
     | Some b' -> at_most b (plus (Fin (Npos XH)) b')
     | None -> false
  then true
  else (match look table0 key (q :: []) p with
        | Some b0 ->
          (match b0 with
           | Fin _ ->
             at_most b
               (plus (Fin (Npos XH)) (worth table0 key (alone l p) l p))
           | Inf -> true)
        | None ->
          at_most b (plus (Fin (Npos XH)) (worth table0 key (alone l p) l p)))

(** val entry_ok :
    site trie -> objective -> nat -> n trie -> bound entry trie -> (positive
    list -> positive -> positive) -> (positive list -> positive -> positive
    list list) -> bound entry -> bool **)

let entry_ok floor0 o fuel0 price0 table0 key alone e =
  (&&)
    ((&&)
      ((&&) (ascending e.group)
        ((||) (negb (on_goals price0 e.group))
          (reached e.said (sum (priced price0) e.group))))
      (closed floor0 e.group e.region (fun q -> has q e.region)))
    (presses floor0 o fuel0 (after table0 key alone e.said) e.group e.region)

(** val table_ok :
    site trie -> objective -> nat -> n trie -> bound entry trie -> (positive
    list -> positive -> positive) -> (positive list -> positive -> positive
    list list) -> bool **)

let table_ok floor0 o fuel0 price0 table0 key alone =
  all (fun _ -> entry_ok floor0 o fuel0 price0 table0 key alone) table0

(** val covered :
    (positive list -> positive -> n -> bool) -> n entry trie -> (positive
    list -> positive -> positive) -> n -> positive list -> positive -> bool **)

let covered ahead0 list_of key c l p =
  match look list_of key l p with
  | Some c' -> N.leb c' c
  | None -> ahead0 l p c

(** val walk_ok :
    objective -> (positive list -> positive -> n -> bool) -> n entry trie ->
    (positive list -> positive -> positive) -> n entry -> positive -> bool **)

let walk_ok o ahead0 list_of key e q =
  match o with
  | Moves -> covered ahead0 list_of key (N.add e.said (Npos XH)) e.group q
  | _ -> has q e.region

(** val flood :
    site trie -> nat -> positive list -> positive list -> unit trie -> unit
    trie **)

let rec flood floor0 fuel0 l todo seen =
  match fuel0 with
  | O -> seen
  | S fuel1 ->
    (match todo with
     | [] -> seen
     | c :: todo0 ->
       let more =
         filter (fun q -> (&&) (negb (has q seen)) (negb (among q l)))
           (flat_map (fun d ->
             match nxt floor0 c d with
             | Some q -> q :: []
             | None -> []) ways)
       in
       flood floor0 fuel1 l (app more todo0) (fold_right put seen more))

(** val around : site trie -> unit trie -> positive list -> positive list **)

let around floor0 a l =
  filter (fun b ->
    existsb (fun d ->
      match nxt floor0 b d with
      | Some q -> has q a
      | None -> false) ways) l

(** val enclosed :
    site trie -> positive list -> unit trie -> unit trie -> bool **)

let enclosed floor0 l r a =
  all (fun c _ ->
    (&&) ((&&) (negb (among c l)) (negb (has c r)))
      (forallb (fun d ->
        match nxt floor0 c d with
        | Some q -> (||) (has q a) (among q l)
        | None -> true) ways)) a

(** val opened :
    site trie -> nat -> (positive list -> positive -> n -> bool) -> n entry
    trie -> (positive list -> positive -> positive) -> n entry -> positive
    list -> positive -> positive -> bool **)

let opened floor0 fuel0 ahead0 list_of key e l _ p =
  let f = flood floor0 fuel0 l (p :: []) (put p Leaf) in
  (&&)
    ((&&) (negb (among p l))
      (covered ahead0 list_of key (N.add e.said (Npos XH)) l p))
    (all (fun c _ -> (||) (among c e.group) (has c f)) e.region)

(** val corral_ok :
    site trie -> objective -> nat -> (positive list -> bool) -> (positive
    list -> positive -> n -> bool) -> n entry trie -> (positive list ->
    positive -> positive) -> bool -> (positive -> positive -> bool) -> unit
    trie -> n entry -> bool **)

let corral_ok floor0 o fuel0 finished0 ahead0 list_of key corrals dead0 a e =
  let l = e.group in
  let k = around floor0 a l in
  (&&)
    ((&&) ((&&) corrals (enclosed floor0 l e.region a)) (negb (finished0 k)))
    (forallb (fun b ->
      forallb (fun d ->
        match nxt floor0 b (opposite d) with
        | Some p ->
          (match nxt floor0 b d with
           | Some q ->
             (||)
               ((||) ((||) ((||) (has p a) (among p k)) (among q k))
                 (dead0 q b))
               ((&&)
                 ((&&) ((&&) (negb (among p l)) (has p e.region)) (has q a))
                 (along floor0 o (opened floor0 fuel0 ahead0 list_of key e)
                   fuel0 d (without l (b :: [])) b q))
           | None -> true)
        | None -> true) ways) k)

(** val state_ok :
    site trie -> objective -> nat -> bound -> (positive list -> bool) ->
    (positive list -> positive -> n -> bool) -> n entry trie -> (positive
    list -> positive -> positive) -> bool -> (positive -> positive -> bool)
    -> (positive -> unit trie option) -> positive -> n entry -> bool **)

let state_ok floor0 o fuel0 enough finished0 ahead0 list_of key corrals dead0 area_of i e =
  (||) (reached enough e.said)
    ((&&)
      ((&&) ((&&) (ascending e.group) (negb (finished0 e.group)))
        (closed floor0 e.group e.region (walk_ok o ahead0 list_of key e)))
      (match area_of i with
       | Some a ->
         corral_ok floor0 o fuel0 finished0 ahead0 list_of key corrals dead0
           a e
       | None ->
         presses floor0 o fuel0 (fun l _ p ->
           covered ahead0 list_of key (N.add e.said (Npos XH)) l p) e.group
           e.region))

(** val list_ok :
    site trie -> objective -> nat -> bound -> (positive list -> bool) ->
    (positive list -> positive -> n -> bool) -> n entry trie -> (positive
    list -> positive -> positive) -> bool -> (positive -> positive -> bool)
    -> (positive -> unit trie option) -> bool **)

let list_ok floor0 o fuel0 enough finished0 ahead0 list_of key corrals dead0 area_of =
  all
    (state_ok floor0 o fuel0 enough finished0 ahead0 list_of key corrals
      dead0 area_of) list_of

type stop = { spot : positive list; steps : n trie; spent : (n * n) }

(** val no_cheaper : n -> n -> n -> n -> n -> bool **)

let no_cheaper least fewest moves k n0 =
  (||) (N.ltb fewest k) ((&&) (N.leb least k) (N.leb moves n0))

(** val look_stop :
    stop trie -> (positive list -> positive -> positive) -> positive list ->
    positive -> (n * n) option **)

let look_stop stops0 key l p =
  match get0 (key l p) stops0 with
  | Some e ->
    if equal e.spot l
    then (match get0 p e.steps with
          | Some d -> Some ((fst e.spent), (N.add (snd e.spent) d))
          | None -> None)
    else None
  | None -> None

(** val no_worse : n -> n -> (n * n) -> (n * n) -> bool **)

let no_worse least fewest a b =
  (||) ((&&) (N.leb (fst a) (fst b)) (N.leb (snd a) (snd b)))
    (N.leb (N.add (fst a) (N.sub (N.add fewest (Npos XH)) least)) (fst b))

(** val arrived :
    n -> n -> (positive list -> positive -> (n * n) -> bool) -> stop trie ->
    (positive list -> positive -> positive) -> (n * n) -> positive list ->
    positive -> bool **)

let arrived least fewest before0 stops0 key c l p =
  match look_stop stops0 key l p with
  | Some c' -> no_worse least fewest c' c
  | None -> before0 l p c

(** val goes :
    site trie -> n -> n -> (positive list -> positive -> (n * n) -> bool) ->
    stop trie -> (positive list -> positive -> positive) -> stop -> positive
    -> n -> way -> bool **)

let goes floor0 least fewest before0 stops0 key e p steps_to d =
  let l = e.spot in
  (match nxt floor0 p d with
   | Some q ->
     if among q l
     then (match nxt floor0 q d with
           | Some to0 ->
             (||) (among to0 l)
               (arrived least fewest before0 stops0 key
                 ((N.add (fst e.spent) (Npos XH)),
                 (N.add (N.add (snd e.spent) steps_to) (Npos XH)))
                 (insert to0 (without l (q :: []))) q)
           | None -> true)
     else (match get0 q e.steps with
           | Some more -> N.leb more (N.add steps_to (Npos XH))
           | None -> false)
   | None -> true)

(** val stop_ok :
    site trie -> n -> n -> n -> (positive list -> bool) -> (positive list ->
    positive -> (n * n) -> bool) -> stop trie -> (positive list -> positive
    -> positive) -> stop -> bool **)

let stop_ok floor0 least fewest moves finished0 before0 stops0 key e =
  (||) (no_cheaper least fewest moves (fst e.spent) (snd e.spent))
    ((&&) ((&&) (ascending e.spot) (negb (finished0 e.spot)))
      (all (fun p steps_to ->
        (||) (among p e.spot)
          (forallb (goes floor0 least fewest before0 stops0 key e p steps_to)
            ways)) e.steps))

(** val stops_ok :
    site trie -> n -> n -> n -> (positive list -> bool) -> (positive list ->
    positive -> (n * n) -> bool) -> stop trie -> (positive list -> positive
    -> positive) -> bool **)

let stops_ok floor0 least fewest moves finished0 before0 stops0 key =
  all (fun _ ->
    stop_ok floor0 least fewest moves finished0 before0 stops0 key) stops0

(** val narrow : positive list -> site -> site **)

let narrow gone s =
  let off = fun c ->
    match c with
    | Some q -> if among q gone then None else Some q
    | None -> None
  in
  { place = s.place; left = (off s.left); right = (off s.right); up =
  (off s.up); down = (off s.down) }

(** val cut :
    positive list -> (positive -> positive) -> site trie -> site trie **)

let rec cut gone number = function
| Leaf -> Leaf
| Node (low, here, high) ->
  Node ((cut gone (fun i -> number (XO i)) low),
    (match here with
     | Some s -> if among (number XH) gone then None else Some (narrow gone s)
     | None -> None), (cut gone (fun i -> number (XI i)) high))

(** val shut : site trie -> positive list -> positive -> way -> bool **)

let shut floor0 l c d =
  match nxt floor0 c d with
  | Some q -> among q l
  | None -> true

(** val stay : site trie -> positive list -> bool **)

let stay floor0 l =
  forallb (fun c ->
    (&&) ((||) (shut floor0 l c Left) (shut floor0 l c Right))
      ((||) (shut floor0 l c Up) (shut floor0 l c Down))) l

type wall = { fixed : positive list; price_among : n trie;
              single : bound entry trie;
              single_key : (positive list -> positive -> positive) }

(** val is_at : site trie -> cell -> positive -> bool **)

let is_at floor0 c i =
  match get0 i floor0 with
  | Some s -> if cell_dec s.place c then true else false
  | None -> false

(** val site_ok :
    string list -> level -> site trie -> (cell -> positive) -> positive ->
    site -> bool **)

let site_ok rows lv floor0 number i s =
  (&&) (Coq_Pos.eqb (number s.place) i)
    (forallb (fun d ->
      match beside s.place d with
      | Some c ->
        (&&) (match sign rows c with
              | Some _ -> true
              | None -> false)
          (match next lv s.place d with
           | Some c0 ->
             (match edge s d with
              | Some j ->
                (&&) (is_at floor0 c0 j)
                  (match nxt floor0 j (opposite d) with
                   | Some i' -> Coq_Pos.eqb i' i
                   | None -> false)
              | None -> false)
           | None -> (match edge s d with
                      | Some _ -> false
                      | None -> true))
      | None -> false) ways)

(** val are_at : site trie -> cell list -> positive list -> bool **)

let rec are_at floor0 cs l =
  match cs with
  | [] -> (match l with
           | [] -> true
           | _ :: _ -> false)
  | c :: cs0 ->
    (match l with
     | [] -> false
     | i :: l0 -> (&&) (is_at floor0 c i) (are_at floor0 cs0 l0))

(** val spelled : level -> state -> (way * bool) list -> bool **)

let rec spelled lv s = function
| [] -> true
| p :: more ->
  let (d, push) = p in
  (match step lv s d with
   | Some t ->
     (&&) (eqb0 push (match t.pushed with
                      | Some _ -> true
                      | None -> false)) (spelled lv t more)
   | None -> false)

type evidence = { floor : site trie; numbers : positive list list;
                  fuel : nat; kept : positive list; taken : positive list;
                  goals_at : positive list; player_at : positive;
                  price : n trie; table : bound entry trie option;
                  group_key : (positive list -> positive -> positive);
                  pack : (positive list -> positive -> n -> positive list
                         list);
                  pack_some : (positive list -> positive -> positive list
                              list); states : n entry trie;
                  state_key : (positive list -> positive -> positive);
                  areas : (positive -> unit trie option); walls : wall trie;
                  wall_for : (positive list -> positive -> n -> positive
                             option); stops : stop trie;
                  stop_key : (positive list -> positive -> positive) }

(** val number_in : positive list list -> cell -> positive **)

let number_in numbers0 c =
  nth (snd c) (nth (fst c) numbers0 []) XH

(** val as_many : level -> bool **)

let as_many lv =
  eqb (length lv.boxes) (length lv.goals)

(** val fits : string list -> evidence -> level -> bool **)

let fits rows e lv =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&)
                  ((&&)
                    (all (site_ok rows lv e.floor (number_in e.numbers))
                      e.floor)
                    (are_at e.floor lv.boxes
                      (fold_right insert e.kept e.taken)))
                  (ascending (fold_right insert e.kept e.taken)))
                (ascending e.kept)) (are_at e.floor lv.goals e.goals_at))
            (ascending e.goals_at)) (is_at e.floor lv.player e.player_at))
        (negb (among e.player_at (fold_right insert e.kept e.taken))))
      (forallb (fun g ->
        match get0 g e.price with
        | Some _ -> true
        | None -> false) e.goals_at))
    ((||) (as_many lv)
      (match e.taken with
       | [] -> (match e.table with
                | Some _ -> false
                | None -> true)
       | _ :: _ -> false))

(** val finished : evidence -> level -> positive list -> bool **)

let finished e lv l =
  if as_many lv
  then forallb (fun b -> among b e.goals_at) l
  else forallb (fun g -> among g l) e.goals_at

(** val counted : objective -> objective **)

let counted o = match o with
| Moves -> Pushes
| _ -> o

(** val at_goals : evidence -> positive list -> bool **)

let at_goals e l =
  forallb (fun b -> among b e.goals_at) l

(** val wall_ok : evidence -> level -> objective -> wall -> bool **)

let wall_ok e _ o w =
  (&&) (stay e.floor w.fixed)
    ((||) (negb (at_goals e w.fixed))
      ((&&)
        (forallb (fun g ->
          (||) (among g w.fixed)
            (match get0 g w.price_among with
             | Some _ -> true
             | None -> false)) e.goals_at)
        (table_ok (cut w.fixed (fun i -> i) e.floor) (counted o) e.fuel
          w.price_among w.single w.single_key (fun _ _ -> []))))

(** val walled :
    evidence -> level -> bound -> positive list -> positive -> n -> bool **)

let walled e lv enough l p c =
  (&&) (as_many lv)
    (match e.wall_for l p c with
     | Some i ->
       (match get0 i e.walls with
        | Some w ->
          let rest = without l w.fixed in
          (&&) (forallb (fun b -> among b l) w.fixed)
            ((||) (negb (at_goals e w.fixed))
              (match worth w.single w.single_key
                       (map (fun b -> b :: []) rest) rest p with
               | Fin v ->
                 reached
                   (plus enough (Fin
                     (sum (priced w.price_among) (without e.goals_at w.fixed))))
                   (N.add c v)
               | Inf -> true))
        | None -> false)
     | None -> false)

(** val ahead_by_table :
    evidence -> level -> bound -> positive list -> positive -> n -> bool **)

let ahead_by_table e lv enough l p c =
  match e.table with
  | Some t ->
    (match worth t e.group_key (e.pack l p c) l p with
     | Fin v ->
       reached (plus enough (Fin (sum (priced e.price) e.goals_at)))
         (N.add c v)
     | Inf -> true)
  | None -> reached enough (if finished e lv l then c else N.add c (Npos XH))

(** val ahead :
    evidence -> level -> bound -> positive list -> positive -> n -> bool **)

let ahead e lv enough l p c =
  (||) (ahead_by_table e lv enough l p c) (walled e lv enough l p c)

(** val corrals_in : level -> objective -> bool **)

let corrals_in lv = function
| Moves -> false
| _ -> as_many lv

(** val dead : evidence -> positive -> positive -> bool **)

let dead e c p =
  match e.table with
  | Some t ->
    (match look t e.group_key (c :: []) p with
     | Some b -> (match b with
                  | Fin _ -> false
                  | Inf -> true)
     | None -> false)
  | None -> false

(** val no_plan_below :
    string list -> evidence -> level -> objective -> bound -> bool **)

let no_plan_below rows e lv o enough =
  (&&)
    ((&&)
      ((&&)
        ((&&) (fits rows e lv)
          (match e.table with
           | Some t ->
             table_ok e.floor (counted o) e.fuel e.price t e.group_key
               e.pack_some
           | None -> true))
        (list_ok e.floor o e.fuel enough (finished e lv) (ahead e lv enough)
          e.states e.state_key (corrals_in lv o) (dead e) e.areas))
      (all (fun _ -> wall_ok e lv o) e.walls))
    ((||)
      (covered (ahead e lv enough) e.states e.state_key N0 e.kept e.player_at)
      (ahead e lv enough e.kept e.player_at N0))

(** val enough_for : level -> objective -> n -> bound **)

let enough_for lv o n0 =
  match o with
  | Pushes -> if as_many lv then Fin (N.pred n0) else Fin n0
  | _ -> Fin n0

(** val before :
    evidence -> level -> n -> n -> n -> positive list -> positive -> (n * n)
    -> bool **)

let before e lv least fewest moves l p c =
  let at_least = fun k ->
    no_cheaper least fewest moves (N.add (fst c) k) (N.add (snd c) k)
  in
  (match e.table with
   | Some t ->
     (match worth t e.group_key (e.pack l p (fst c)) l p with
      | Fin v -> at_least (N.sub v (sum (priced e.price) e.goals_at))
      | Inf -> true)
   | None -> at_least (if finished e lv l then N0 else Npos XH))

(** val no_plan_before :
    string list -> evidence -> level -> n -> n -> bool **)

let no_plan_before rows e lv fewest moves =
  let least = if as_many lv then N.pred fewest else fewest in
  let before0 = before e lv least fewest moves in
  (&&)
    ((&&)
      ((&&) (fits rows e lv)
        (match e.table with
         | Some t ->
           table_ok e.floor Pushes e.fuel e.price t e.group_key e.pack_some
         | None -> true))
      (stops_ok e.floor least fewest moves (finished e lv) before0 e.stops
        e.stop_key))
    ((||)
      (arrived least fewest before0 e.stops e.stop_key (N0, N0) e.kept
        e.player_at) (before0 e.kept e.player_at (N0, N0)))

(** val solves : level -> objective -> (way * bool) list -> n -> bool **)

let solves lv o word n0 =
  (&&) (spelled lv (start lv) word)
    (match run o lv (start lv) (map fst word) with
     | Some p ->
       let (last, k) = p in
       (&&) (N.eqb k n0)
         (forallb (fun g ->
           if in_dec cell_dec g last.stand then true else false) lv.goals)
     | None -> false)

(** val judge :
    string list -> evidence -> objective -> (way * bool) list -> n -> bool **)

let judge rows e o word n0 =
  match parse rows with
  | Some lv ->
    (&&) (solves lv o word n0)
      ((||) (N.eqb n0 N0)
        (match e.taken with
         | [] -> no_plan_below rows e lv o (enough_for lv o n0)
         | _ :: _ -> false))
  | None -> false

(** val judge_then :
    string list -> evidence -> (way * bool) list -> n -> n -> bool **)

let judge_then rows e word p m =
  match parse rows with
  | Some lv ->
    (&&) ((&&) (solves lv Pushes word p) (solves lv Moves word m))
      ((||) ((&&) (N.eqb p N0) (N.eqb m N0))
        (match e.taken with
         | [] -> no_plan_before rows e lv p m
         | _ :: _ -> false))
  | None -> false

(** val judge_never : string list -> evidence -> objective -> bool **)

let judge_never rows e o =
  match parse rows with
  | Some lv -> no_plan_below rows e lv o Inf
  | None -> false
