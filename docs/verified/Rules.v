(** The rules of Sokoban on the text of a level, and what "optimal" and "unsolvable" mean.
    This file is all that has to be read and believed: the checker and its proof stand in the others. *)

From Coq Require Import List NArith String Ascii Bool Arith.
Import ListNotations.

Inductive way := Left | Right | Up | Down.
Inductive objective := Pushes | Lines | Moves.

(** * The level *)

(** Row and column, both from 0. *)
Definition cell := (nat * nat)%type.

Definition cell_dec : forall a b : cell, {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition way_dec : forall a b : way, {a = b} + {a <> b}.
Proof. decide equality. Defined.

Definition beside (c : cell) (d : way) : option cell :=
  match d, c with
  | Left, (r, S x) => Some (r, x)
  | Right, (r, x) => Some (r, S x)
  | Up, (S r, x) => Some (r, x)
  | Down, (r, x) => Some (S r, x)
  | Left, (_, 0) | Up, (0, _) => None
  end.

Record level := { is_floor : cell -> bool; boxes : list cell; goals : list cell; player : cell }.

(** The sign at a cell of the text, which is a list of rows. *)
Definition sign (rows : list string) (c : cell) : option ascii :=
  match nth_error rows (fst c) with Some row => String.get (snd c) row | None => None end.

Definition one_of (signs : string) (s : ascii) : bool := existsb (Ascii.eqb s) (list_ascii_of_string signs).

(** All cells that have a sign, in reading order, and those whose sign is one of some. *)
Definition cells (rows : list string) : list cell :=
  flat_map (fun r => map (pair r) (seq 0 (String.length (nth r rows ""%string)))) (seq 0 (List.length rows)).

Definition pick (rows : list string) (signs : string) : list cell :=
  filter (fun c => match sign rows c with Some s => one_of signs s | None => false end) (cells rows).

(** [#] wall, blank floor, [$] box, [.] goal, [*] box on a goal, [@] player, [+] player on a goal.
    There is one player, and there are at least as many boxes as goals. *)
Definition parse (rows : list string) : option level :=
  if forallb (fun row => forallb (one_of "# $*.@+") (list_ascii_of_string row)) rows
     && (List.length (pick rows ".*+") <=? List.length (pick rows "$*"))
  then match pick rows "@+" with
       | [c] => Some {| is_floor := fun c => match sign rows c with Some s => negb (one_of "#" s) | None => false end;
                        boxes := pick rows "$*"; goals := pick rows ".*+"; player := c |}
       | _ => None
       end
  else None.

(** * The game *)

(** Where the boxes are, where the player is, and the way of the last move if it was a push. *)
Record state := { stand : list cell; man : cell; pushed : option way }.

Definition start (lv : level) : state := {| stand := boxes lv; man := player lv; pushed := None |}.

(** The floor cell beside a cell. *)
Definition next (lv : level) (c : cell) (d : way) : option cell :=
  match beside c d with Some q => if is_floor lv q then Some q else None | None => None end.

(** One move: the player goes one cell; a box there goes one cell further, onto free floor. *)
Definition step (lv : level) (s : state) (d : way) : option state :=
  match next lv (man s) d with
  | None => None
  | Some q =>
      if in_dec cell_dec q (stand s) then
        match next lv q d with
        | None => None
        | Some to =>
            if in_dec cell_dec to (stand s) then None
            else Some {| stand := map (fun b => if cell_dec b q then to else b) (stand s); man := q; pushed := Some d |}
        end
      else Some {| stand := stand s; man := q; pushed := None |}
  end.

(** What a move costs, given the last push before it and after it: a move 1; or a push 1; or a line of pushes 1. *)
Definition cost (o : objective) (before after : option way) : N :=
  match o, before, after with
  | Moves, _, _ => 1
  | _, _, None => 0
  | Lines, Some d, Some e => if way_dec d e then 0 else 1
  | _, _, _ => 1
  end.

Fixpoint run (o : objective) (lv : level) (s : state) (ds : list way) : option (state * N) :=
  match ds with
  | [] => Some (s, 0%N)
  | d :: more =>
      match step lv s d with
      | None => None
      | Some t =>
          match run o lv t more with
          | None => None
          | Some (last, k) => Some (last, cost o (pushed s) (pushed t) + k)%N
          end
      end
  end.

Definition solved (lv : level) (s : state) : Prop := forall g, In g (goals lv) -> In g (stand s).

(** * What is claimed *)

(** The moves [ds] solve the level, and cost [k]. *)
Definition plan (o : objective) (lv : level) (ds : list way) (k : N) : Prop :=
  exists last, run o lv (start lv) ds = Some (last, k) /\ solved lv last.

Definition optimal (o : objective) (lv : level) (n : N) : Prop :=
  (exists ds, plan o lv ds n) /\ forall ds k, plan o lv ds k -> (n <= k)%N.

(** A tie-break: some moves solve the level with [p] pushes and [m] moves; none have fewer pushes, nor as many and fewer moves. *)
Definition optimal_then (lv : level) (p m : N) : Prop :=
  (exists ds, plan Pushes lv ds p /\ plan Moves lv ds m)
  /\ forall ds p' m', plan Pushes lv ds p' -> plan Moves lv ds m' -> (p < p')%N \/ p = p' /\ (m <= m')%N.

Definition unsolvable (lv : level) : Prop := forall o ds k, ~ plan o lv ds k.
