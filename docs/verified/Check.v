(** The checker. Nothing in here need be believed: Verdict.v proves that what it accepts is true.

    Cells are numbers here. Tables and lists come from outside, and nothing is assumed of them, nor of the
    functions [key] and [pack], which only say where to look: what they find is compared. *)

From Coq Require Import List NArith PArith String Bool.
From Sokoban Require Import Rules.
Import ListNotations.
Local Open Scope N_scope.

Definition ways := [Left; Right; Up; Down].

Definition opposite (d : way) : way :=
  match d with Left => Right | Right => Left | Up => Down | Down => Up end.

(** * A map from numbers *)

Inductive trie (A : Type) := Leaf | Node (low : trie A) (here : option A) (high : trie A).
Arguments Leaf {A}.
Arguments Node {A}.

Fixpoint get {A} (i : positive) (t : trie A) : option A :=
  match t, i with
  | Leaf, _ => None
  | Node _ here _, xH => here
  | Node low _ _, xO j => get j low
  | Node _ _ high, xI j => get j high
  end.

Fixpoint put (i : positive) (t : trie unit) : trie unit :=
  match i, t with
  | xH, Leaf => Node Leaf (Some tt) Leaf
  | xO j, Leaf => Node (put j Leaf) None Leaf
  | xI j, Leaf => Node Leaf None (put j Leaf)
  | xH, Node low _ high => Node low (Some tt) high
  | xO j, Node low here high => Node (put j low) here high
  | xI j, Node low here high => Node low here (put j high)
  end.

Definition has (i : positive) (t : trie unit) : bool := match get i t with Some _ => true | None => false end.

(** Whether something holds of all, asked with their numbers. *)
Fixpoint holds {A} (f : positive -> A -> bool) (number : positive -> positive) (t : trie A) : bool :=
  match t with
  | Leaf => true
  | Node low here high =>
      match here with Some a => f (number xH) a | None => true end
      && holds f (fun i => number (xO i)) low && holds f (fun i => number (xI i)) high
  end.

Definition all {A} (f : positive -> A -> bool) : trie A -> bool := holds f (fun i => i).

(** * Sets of cells, as lists *)

Definition among (c : positive) (l : list positive) : bool := existsb (Pos.eqb c) l.
Definition without (l gone : list positive) : list positive := filter (fun c => negb (among c gone)) l.

Fixpoint insert (c : positive) (l : list positive) : list positive :=
  match l with
  | [] => [c]
  | x :: more => if Pos.ltb c x then c :: l else x :: insert c more
  end.

Fixpoint ascending (l : list positive) : bool :=
  match l with
  | x :: (y :: _) as more => Pos.ltb x y && ascending more
  | _ => true
  end.

Fixpoint equal (a b : list positive) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => Pos.eqb x y && equal a b
  | _, _ => false
  end.

(** * Bounds: there is no number that stands for "never" *)

Inductive bound := Fin (n : N) | Inf.

(** A cost of [k] is not below the bound. *)
Definition reached (b : bound) (k : N) : bool := match b with Fin n => n <=? k | Inf => false end.

Definition at_most (a b : bound) : bool := match b with Fin n => reached a n | Inf => true end.

Definition plus (a b : bound) : bound := match a, b with Fin m, Fin n => Fin (m + n) | _, _ => Inf end.

(** Boxes on the floor, a set of cells that has the player in it, and what is said of them: in a table
    a bound, in a list of states a cost. *)
Record entry (A : Type) := Entry { group : list positive; region : trie unit; said : A }.
Arguments Entry {A}.
Arguments group {A}.
Arguments region {A}.
Arguments said {A}.

Definition look {A} (t : trie (entry A)) (key : list positive -> positive -> positive) (l : list positive)
  (p : positive) : option A :=
  match get (key l p) t with
  | Some e => if equal (group e) l && has p (region e) then Some (said e) else None
  | None => None
  end.

(** * The floor *)

(** A cell of the text, and the numbers of the floor cells beside it. *)
Record site := Site { place : cell; left : option positive; right : option positive; up : option positive;
                      down : option positive }.

Definition edge (s : site) (d : way) : option positive :=
  match d with Left => left s | Right => right s | Up => up s | Down => down s end.

Section Floor.

Variable floor : trie site.

Definition nxt (c : positive) (d : way) : option positive :=
  match get c floor with Some s => edge s d | None => None end.

(** No walk leads out of the region: it is not computed, only looked at. It may hold cells of boxes.
    [step] says what a walk to a cell needs. *)
Definition closed (l : list positive) (r : trie unit) (step : positive -> bool) : bool :=
  all (fun p s =>
         negb (has p r)
         || forallb (fun d => match edge s d with Some q => step q || among q l | None => true end) ways
         || among p l) floor.

Section Pushing.

Variable o : objective.
Variable fuel : nat.
(** [ok l q p]: what a push needs that ends with the boxes [l], one of them on [q], the player on [p]. *)
Variable ok : list positive -> positive -> positive -> bool.

(** A box goes from [b] to [q] beside the boxes [rest], and on if lines are counted. *)
Fixpoint along (fuel : nat) (d : way) (rest : list positive) (b q : positive) : bool :=
  ok (insert q rest) q b
  && match o with
     | Lines =>
         match nxt q d with
         | None => true
         | Some q' =>
             among q' rest || match fuel with O => false | S fuel => along fuel d rest q q' end
         end
     | _ => true
     end.

(** All pushes of the boxes [l] from a region. *)
Definition presses (l : list positive) (r : trie unit) : bool :=
  forallb (fun b =>
    let rest := without l [b] in
    forallb (fun d =>
      match nxt b (opposite d), nxt b d with
      | Some p, Some q => negb (has p r) || among p rest || among q rest || along fuel d rest b q
      | _, _ => true
      end) ways) l.

End Pushing.

(** * Tables of groups of boxes *)

Section Tables.

Variable o : objective.
Variable fuel : nat.
Variable price : trie N.  (** of every goal *)
Variable table : trie (entry bound).
Variable key : list positive -> positive -> positive.
Variable alone : list positive -> positive -> list (list positive).  (** groups to add up *)

Definition on_goals (l : list positive) : bool :=
  forallb (fun c => match get c price with Some _ => true | None => false end) l.

Definition priced (c : positive) : N := match get c price with Some n => n | None => 0 end.

Fixpoint sum (f : positive -> N) (l : list positive) : N :=
  match l with [] => 0 | c :: more => f c + sum f more end.

(** What some disjoint groups among the boxes [l] add up to. *)
Fixpoint worth (groups : list (list positive)) (l : list positive) (p : positive) : bound :=
  match groups with
  | [] => Fin 0
  | g :: more =>
      match look table key g p with
      | Some b => if forallb (fun c => among c l) g then plus b (worth more (without l g) p) else Fin 0
      | None => Fin 0
      end
  end.

(** What a push leads to: an entry of all these boxes, a box that can never be served, or groups that add up. *)
Definition after (b : bound) (l : list positive) (q p : positive) : bool :=
  if match look table key l p with Some b' => at_most b (plus (Fin 1) b') | None => false end then true
  else if match look table key [q] p with Some Inf => true | _ => false end then true
  else at_most b (plus (Fin 1) (worth (alone l p) l p)).

Definition entry_ok (e : entry bound) : bool :=
  ascending (group e)
  && (negb (on_goals (group e)) || reached (said e) (sum priced (group e)))
  && closed (group e) (region e) (fun q => has q (region e))
  && presses o fuel (after (said e)) (group e) (region e).

Definition table_ok : bool := all (fun _ => entry_ok) table.

End Tables.

(** * Lists of states *)

Section States.

Variable o : objective.
Variable fuel : nat.
Variable enough : bound.
Variable finished : list positive -> bool.
Variable ahead : list positive -> positive -> N -> bool.  (** this much more than a cost reaches [enough] *)
Variable list_of : trie (entry N).
Variable key : list positive -> positive -> positive.
Variable corrals : bool.  (** pushes or lines are counted, and every box must come to a goal *)
Variable dead : positive -> positive -> bool.  (** a box there, the player there, never comes to a goal *)
Variable area_of : positive -> option (trie unit).  (** of a state a corral, if it has one *)

Definition covered (c : N) (l : list positive) (p : positive) : bool :=
  match look list_of key l p with Some c' => c' <=? c | None => ahead l p c end.

Definition walk_ok (e : entry N) (q : positive) : bool :=
  match o with Moves => covered (said e + 1) (group e) q | _ => has q (region e) end.

(** What the player reaches from the cells [todo] without a push: at least these cells can be reached. *)
Fixpoint flood (fuel : nat) (l todo : list positive) (seen : trie unit) : trie unit :=
  match fuel, todo with
  | S fuel, c :: todo =>
      let more := filter (fun q => negb (has q seen) && negb (among q l))
        (flat_map (fun d => match nxt c d with Some q => [q] | None => [] end) ways) in
      flood fuel l (more ++ todo) (fold_right put seen more)
  | _, _ => seen
  end.

(** The boxes beside an area. *)
Definition around (a : trie unit) (l : list positive) : list positive :=
  filter (fun b => existsb (fun d => match nxt b d with Some q => has q a | None => false end) ways) l.

(** No boxes stand in the area, and boxes part it from the player. *)
Definition enclosed (l : list positive) (r a : trie unit) : bool :=
  all (fun c _ =>
         negb (among c l) && negb (has c r)
         && forallb (fun d => match nxt c d with Some q => has q a || among q l | None => true end) ways) a.

(** After a push out of the corral's ring the state is covered, and the player comes back to where he could be before. *)
Definition opened (e : entry N) (l : list positive) (q p : positive) : bool :=
  let f := flood fuel l [p] (put p Leaf) in
  negb (among p l) && covered (said e + 1) l p && all (fun c _ => among c (group e) || has c f) (region e).

(** A corral: some box around the area must be pushed, and each push that can be the first of these is at hand now, and
    leads into the area. Then only these pushes (lines that begin with them) are looked at. *)
Definition corral_ok (a : trie unit) (e : entry N) : bool :=
  let l := group e in
  let k := around a l in
  corrals && enclosed l (region e) a && negb (finished k)
  && forallb (fun b =>
       forallb (fun d =>
         match nxt b (opposite d), nxt b d with
         | Some p, Some q =>
             has p a || among p k || among q k || dead q b
             || negb (among p l) && has p (region e) && has q a && along o (opened e) fuel d (without l [b]) b q
         | _, _ => true
         end) ways) k.

Definition state_ok (i : positive) (e : entry N) : bool :=
  reached enough (said e)
  || ascending (group e) && negb (finished (group e)) && closed (group e) (region e) (walk_ok e)
     && match area_of i with
        | Some a => corral_ok a e
        | None => presses o fuel (fun l _ p => covered (said e + 1) l p) (group e) (region e)
        end.

Definition list_ok : bool := all state_ok list_of.

End States.

(** * Lists of states for a tie-break: pushes, then moves *)

(** A state by the player's cell: to each cell the player walks in so many steps at least; what it costs to get there, in
    pushes and in moves. *)
Record stop := Stop { spot : list positive; steps : trie N; spent : N * N }.

Section Ties.

(** So many pushes are claimed; fewer than [least], or as many as [fewest] with fewer than [moves], are what is excluded. *)
Variable least fewest moves : N.
Variable finished : list positive -> bool.
Variable before : list positive -> positive -> N * N -> bool.  (** after this cost no plan is cheaper *)
Variable stops : trie stop.
Variable key : list positive -> positive -> positive.

(** No plan of [k] pushes and [n] moves is cheaper than what is claimed. *)
Definition no_cheaper (k n : N) : bool := (fewest <? k) || (least <=? k) && (moves <=? n).

Definition look_stop (l : list positive) (p : positive) : option (N * N) :=
  match get (key l p) stops with
  | Some e =>
      if equal (spot e) l
      then match get p (steps e) with Some d => Some (fst (spent e), snd (spent e) + d) | None => None end
      else None
  | None => None
  end.

Definition no_worse (a b : N * N) : bool :=
  (fst a <=? fst b) && (snd a <=? snd b) || (fst a + (fewest + 1 - least) <=? fst b).

Definition arrived (c : N * N) (l : list positive) (p : positive) : bool :=
  match look_stop l p with Some c' => no_worse c' c | None => before l p c end.

(** From a cell in so many steps: a walk, or a push. *)
Definition goes (e : stop) (p : positive) (steps_to : N) (d : way) : bool :=
  let l := spot e in
  match nxt p d with
  | None => true
  | Some q =>
      if among q l then
        match nxt q d with
        | None => true
        | Some to =>
            among to l || arrived (fst (spent e) + 1, snd (spent e) + steps_to + 1) (insert to (without l [q])) q
        end
      else match get q (steps e) with Some more => more <=? steps_to + 1 | None => false end
  end.

Definition stop_ok (e : stop) : bool :=
  no_cheaper (fst (spent e)) (snd (spent e))
  || ascending (spot e) && negb (finished (spot e))
     && all (fun p steps_to => among p (spot e) || forallb (goes e p steps_to) ways) (steps e).

Definition stops_ok : bool := all (fun _ => stop_ok) stops.

End Ties.
End Floor.

(** * Boxes that never move again *)

(** The floor without some cells. *)
Definition narrow (gone : list positive) (s : site) : site :=
  let off c := match c with Some q => if among q gone then None else Some q | None => None end in
  Site (place s) (off (left s)) (off (right s)) (off (up s)) (off (down s)).

Fixpoint cut (gone : list positive) (number : positive -> positive) (t : trie site) : trie site :=
  match t with
  | Leaf => Leaf
  | Node low here high =>
      Node (cut gone (fun i => number (xO i)) low)
        match here with Some s => if among (number xH) gone then None else Some (narrow gone s) | None => None end
        (cut gone (fun i => number (xI i)) high)
  end.

(** None of the boxes can be the first of them to move: along both axes a wall or one of them is beside each. *)
Definition shut (floor : trie site) (l : list positive) (c : positive) (d : way) : bool :=
  match nxt floor c d with Some q => among q l | None => true end.

Definition stay (floor : trie site) (l : list positive) : bool :=
  forallb (fun c => (shut floor l c Left || shut floor l c Right) && (shut floor l c Up || shut floor l c Down)) l.

(** Such boxes, and a table of the others alone on the floor without them. *)
Record wall := Wall { fixed : list positive; price_among : trie N; single : trie (entry bound);
                      single_key : list positive -> positive -> positive }.

(** * The level in numbers *)

Section Numbers.

Variable rows : list string.
Variable lv : level.
Variable floor : trie site.
Variable number : cell -> positive.

Definition is_at (c : cell) (i : positive) : bool :=
  match get i floor with Some s => if cell_dec (place s) c then true else false | None => false end.

(** A cell and its neighbours: all have a sign in the text, and numbers just if they are floor. *)
Definition site_ok (i : positive) (s : site) : bool :=
  Pos.eqb (number (place s)) i
  && forallb (fun d =>
       match beside (place s) d with
       | None => false
       | Some c =>
           match sign rows c with Some _ => true | None => false end
           && match next lv (place s) d, edge s d with
              | None, None => true
              | Some c, Some j =>
                  is_at c j && match nxt floor j (opposite d) with Some i' => Pos.eqb i' i | None => false end
              | _, _ => false
              end
       end) ways.

Fixpoint are_at (cs : list cell) (l : list positive) : bool :=
  match cs, l with
  | [], [] => true
  | c :: cs, i :: l => is_at c i && are_at cs l
  | _, _ => false
  end.

End Numbers.

(** * The whole *)

(** The moves and, for each, whether it is said to push. *)
Fixpoint spelled (lv : level) (s : state) (word : list (way * bool)) : bool :=
  match word with
  | [] => true
  | (d, push) :: more =>
      match step lv s d with
      | Some t => Bool.eqb push match pushed t with Some _ => true | None => false end && spelled lv t more
      | None => false
      end
  end.

(** Everything that comes with a claim and is not believed. *)
Record evidence := {
  floor : trie site; numbers : list (list positive);  (** of the cells, row by row *)
  fuel : nat;
  kept : list positive; taken : list positive;  (** the boxes it speaks of, and the others *)
  goals_at : list positive; player_at : positive;
  price : trie N;
  table : option (trie (entry bound)); group_key : list positive -> positive -> positive;
  pack : list positive -> positive -> N -> list (list positive);  (** of all boxes, after so many actions *)
  pack_some : list positive -> positive -> list (list positive);  (** of the boxes of an entry *)
  states : trie (entry N); state_key : list positive -> positive -> positive;
  areas : positive -> option (trie unit);
  walls : trie wall; wall_for : list positive -> positive -> N -> option positive;  (** of a state, after so many actions *)
  stops : trie stop; stop_key : list positive -> positive -> positive
}.

Definition number_in (numbers : list (list positive)) (c : cell) : positive :=
  nth (snd c) (nth (fst c) numbers []) xH.

Section Judge.

Variable rows : list string.
Variable e : evidence.

Definition as_many (lv : level) : bool := Nat.eqb (List.length (boxes lv)) (List.length (goals lv)).

Definition fits (lv : level) : bool :=
  all (site_ok rows lv (floor e) (number_in (numbers e))) (floor e)
  && are_at (floor e) (boxes lv) (fold_right insert (kept e) (taken e))
  && ascending (fold_right insert (kept e) (taken e)) && ascending (kept e)
  && are_at (floor e) (goals lv) (goals_at e) && ascending (goals_at e)
  && is_at (floor e) (player lv) (player_at e)
  && negb (among (player_at e) (fold_right insert (kept e) (taken e)))
  && forallb (fun g => match get g (price e) with Some _ => true | None => false end) (goals_at e)
  && (as_many lv || match taken e, table e with [], None => true | _, _ => false end).

Definition finished (lv : level) (l : list positive) : bool :=
  if as_many lv then forallb (fun b => among b (goals_at e)) l else forallb (fun g => among g l) (goals_at e).

(** Tables count pushes where moves are claimed. *)
Definition counted (o : objective) : objective := match o with Moves => Pushes | _ => o end.

Definition at_goals (l : list positive) : bool := forallb (fun b => among b (goals_at e)) l.

Definition wall_ok (lv : level) (o : objective) (w : wall) : bool :=
  stay (floor e) (fixed w)
  && (negb (at_goals (fixed w))
      || forallb (fun g => among g (fixed w) || match get g (price_among w) with Some _ => true | None => false end) (goals_at e)
         && table_ok (cut (fixed w) (fun i => i) (floor e)) (counted o) (fuel e) (price_among w) (single w) (single_key w)
              (fun _ _ => [])).

(** A wall among the boxes: one on no goal stays there; else the other boxes go on alone, without the wall's cells. *)
Definition walled (lv : level) (enough : bound) (l : list positive) (p : positive) (c : N) : bool :=
  as_many lv
  && match wall_for e l p c with
     | None => false
     | Some i =>
         match get i (walls e) with
         | None => false
         | Some w =>
             let rest := without l (fixed w) in
             forallb (fun b => among b l) (fixed w)
             && (negb (at_goals (fixed w))
                 || match worth (single w) (single_key w) (map (fun b => [b]) rest) rest p with
                    | Inf => true
                    | Fin v =>
                        reached (plus enough (Fin (sum (priced (price_among w)) (without (goals_at e) (fixed w))))) (c + v)
                    end)
         end
     end.

Definition ahead_by_table (lv : level) (enough : bound) (l : list positive) (p : positive) (c : N) : bool :=
  match table e with
  | None => reached enough (if finished lv l then c else c + 1)
  | Some t =>
      match worth t (group_key e) (pack e l p c) l p with
      | Inf => true
      | Fin v => reached (plus enough (Fin (sum (priced (price e)) (goals_at e)))) (c + v)
      end
  end.

Definition ahead (lv : level) (enough : bound) (l : list positive) (p : positive) (c : N) : bool :=
  ahead_by_table lv enough l p c || walled lv enough l p c.

Definition corrals_in (lv : level) (o : objective) : bool := match o with Moves => false | _ => as_many lv end.

Definition dead (c p : positive) : bool :=
  match table e with
  | Some t => match look t (group_key e) [c] p with Some Inf => true | _ => false end
  | None => false
  end.

Definition no_plan_below (lv : level) (o : objective) (enough : bound) : bool :=
  fits lv
  && match table e with
     | None => true
     | Some t => table_ok (floor e) (counted o) (fuel e) (price e) t (group_key e) (pack_some e)
     end
  && list_ok (floor e) o (fuel e) enough (finished lv) (ahead lv enough) (states e) (state_key e)
       (corrals_in lv o) dead (areas e)
  && all (fun _ => wall_ok lv o) (walls e)
  && (covered (ahead lv enough) (states e) (state_key e) 0 (kept e) (player_at e)
      || ahead lv enough (kept e) (player_at e) 0).

(** Pushes with as many boxes as goals: each push changes the colour of a box's cell, so all plans have the
    parity of the one that is given. *)
Definition enough_for (lv : level) (o : objective) (n : N) : bound :=
  match o with Pushes => if as_many lv then Fin (N.pred n) else Fin n | _ => Fin n end.

(** The same of a tie-break; [least] is one less where all plans have the parity of the one that is given. *)
Definition before (lv : level) (least fewest moves : N) (l : list positive) (p : positive) (c : N * N) : bool :=
  let at_least k := no_cheaper least fewest moves (fst c + k) (snd c + k) in
  match table e with
  | None => at_least (if finished lv l then 0 else 1)
  | Some t =>
      match worth t (group_key e) (pack e l p (fst c)) l p with
      | Inf => true
      | Fin v => at_least (v - sum (priced (price e)) (goals_at e))
      end
  end.

Definition no_plan_before (lv : level) (fewest moves : N) : bool :=
  let least := if as_many lv then N.pred fewest else fewest in
  let before := before lv least fewest moves in
  fits lv
  && match table e with
     | None => true
     | Some t => table_ok (floor e) Pushes (fuel e) (price e) t (group_key e) (pack_some e)
     end
  && stops_ok (floor e) least fewest moves (finished lv) before (stops e) (stop_key e)
  && (arrived least fewest before (stops e) (stop_key e) (0, 0) (kept e) (player_at e)
      || before (kept e) (player_at e) (0, 0)).

Definition solves (lv : level) (o : objective) (word : list (way * bool)) (n : N) : bool :=
  spelled lv (start lv) word
  && match run o lv (start lv) (map fst word) with
     | Some (last, k) =>
         (k =? n) && forallb (fun g => if in_dec cell_dec g (stand last) then true else false) (goals lv)
     | None => false
     end.

(** The text is a level, the moves solve it with [n] actions, and no moves solve it with fewer. *)
Definition judge (o : objective) (word : list (way * bool)) (n : N) : bool :=
  match parse rows with
  | None => false
  | Some lv =>
      solves lv o word n
      && ((n =? 0) || match taken e with [] => no_plan_below lv o (enough_for lv o n) | _ => false end)
  end.

(** The text is a level, the moves solve it with [p] pushes and [m] moves, and no moves solve it with fewer pushes, nor with
    as many and fewer moves. *)
Definition judge_then (word : list (way * bool)) (p m : N) : bool :=
  match parse rows with
  | None => false
  | Some lv =>
      solves lv Pushes word p && solves lv Moves word m
      && ((p =? 0) && (m =? 0) || match taken e with [] => no_plan_before lv p m | _ => false end)
  end.

(** The text is a level, and no moves solve it. *)
Definition judge_never (o : objective) : bool :=
  match parse rows with None => false | Some lv => no_plan_below lv o Inf end.

End Judge.
