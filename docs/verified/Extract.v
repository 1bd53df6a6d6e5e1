(** The checker as OCaml. Numbers stay as Coq has them; only booleans, lists, pairs and options become OCaml's own. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Sokoban Require Import Rules Check.

Extraction "checker.ml" judge judge_never judge_then.
