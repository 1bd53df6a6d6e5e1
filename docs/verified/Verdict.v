(** What the checker accepts is true: from the text of the level to "optimal" and "unsolvable". *)

From Coq Require Import List NArith PArith String Bool Lia Arith Permutation.
From Sokoban Require Import Rules Check Sound.
Import ListNotations.
Local Open Scope N_scope.

(** * One number for row and column: the same steps *)

Section Numbers.

Variable rows : list string.
Variable lv : level.
Variable floor : trie site.
Variable number : cell -> positive.
Hypothesis sites : all (site_ok rows lv floor number) floor = true.
Notation nxt := (nxt floor).

Definition known (i : positive) : Prop := get i floor <> None.
Definition at_ (i : positive) : cell := match get i floor with Some s => place s | None => (0, 0)%nat end.

Lemma site_at i s : get i floor = Some s -> at_ i = place s /\ number (at_ i) = i /\ nxt i = edge s.
Proof.
  intros G. pose proof (all_get _ _ _ _ sites G) as H. unfold site_ok in H. apply andb_prop in H as [H _].
  apply Pos.eqb_eq in H. unfold at_, Check.nxt. rewrite G. auto.
Qed.

Lemma at_injective i j : known i -> known j -> at_ i = at_ j -> i = j.
Proof.
  unfold known. destruct (get i floor) as [s|] eqn:I, (get j floor) as [t|] eqn:J; try easy. intros _ _ E.
  apply site_at in I as (_ & I & _). apply site_at in J as (_ & J & _). congruence.
Qed.

Lemma is_at_spec c i : is_at floor c i = true -> known i /\ at_ i = c.
Proof.
  unfold is_at, known, at_. destruct (get i floor) as [s|]; [|easy]. now destruct (cell_dec (place s) c).
Qed.

Lemma site_edge i d : known i ->
  match next lv (at_ i) d, nxt i d with
  | None, None => True
  | Some c, Some j => known j /\ at_ j = c /\ nxt j (opposite d) = Some i
  | _, _ => False
  end.
Proof.
  unfold known. destruct (get i floor) as [s|] eqn:G; [intros _ | easy].
  pose proof (all_get _ _ _ _ sites G) as H. apply site_at in G as (-> & _ & ->).
  unfold site_ok in H. apply andb_prop in H as [_ H]. rewrite forallb_forall in H. specialize (H d (ways_all d)).
  destruct (beside (place s) d) as [b|]; [|easy]. apply andb_prop in H as [_ H].
  destruct (next lv (place s) d) as [c|], (edge s d) as [j|]; try easy.
  apply andb_prop in H as [A B]. destruct (is_at_spec _ _ A). repeat split; auto.
  destruct (nxt j (opposite d)); [|easy]. apply Pos.eqb_eq in B. now subst.
Qed.

Lemma nxt_known i d j : nxt i d = Some j -> known i.
Proof. unfold Check.nxt, known. now destruct (get i floor). Qed.

Lemma back i d j : nxt i d = Some j -> nxt j (opposite d) = Some i.
Proof.
  intros H. pose proof (site_edge i d (nxt_known _ _ _ H)) as E. rewrite H in E.
  now destruct (next lv (at_ i) d).
Qed.

(** What stands in numbers for a state. *)
Definition same (s : state) (w : list positive) (p : positive) : Prop :=
  stand s = map at_ w /\ man s = at_ p /\ known p /\ forall c, In c w -> known c.

Lemma in_same w p : (forall c, In c w -> known c) -> known p -> In (at_ p) (map at_ w) <-> In p w.
Proof.
  intros K P. rewrite in_map_iff. split; [|eauto].
  intros (c & E & C). apply at_injective in E; auto. now subst.
Qed.

Lemma step_same s d t w p : step lv s d = Some t -> same s w p ->
  exists q, nxt p d = Some q /\
    ((~ In q w /\ pushed t = None /\ same t w q) \/
     (pushed t = Some d /\ exists to, push nxt d (w, p) (map (swap q to) w, q) /\ same t (map (swap q to) w) q)).
Proof.
  intros S (W & P & Kp & Kw). unfold step in S. rewrite P, W in S.
  pose proof (site_edge p d Kp) as E. destruct (next lv (at_ p) d) as [c|]; [|easy].
  destruct (nxt p d) as [q|] eqn:Q; [|easy]. destruct E as (Kq & Eq & _). subst c.
  exists q. split; [easy|].
  destruct (in_dec cell_dec (at_ q) (map at_ w)) as [I|I]; rewrite in_same in I by auto.
  - right. pose proof (site_edge q d Kq) as E. destruct (next lv (at_ q) d) as [c|]; [|easy].
    destruct (nxt q d) as [to|] eqn:T; [|easy]. destruct E as (Kt & Et & _). subst c.
    destruct (in_dec cell_dec (at_ to) (map at_ w)) as [J|J]; [easy|]. rewrite in_same in J by auto.
    injection S as <-. cbn. split; [easy|]. exists to. split; [now constructor|].
    repeat split; cbn; auto.
    + rewrite !map_map. apply map_ext_in. intros c C. unfold swap.
      destruct (cell_dec (at_ c) (at_ q)) as [E|E], (Pos.eqb_spec c q) as [F|F]; auto.
      * apply at_injective in E; auto. contradiction.
      * now subst.
    + intros c. rewrite in_map_iff. unfold swap. intros (x & <- & X). destruct (Pos.eqb x q); auto.
  - left. injection S as <-. repeat split; auto.
Qed.

(** The letters of a plan are a path of the same cost; if they go on with a line, a path from somewhere along it. *)
Lemma run_path o ds : forall s t k w p, run o lv s ds = Some (t, k) -> same s w p ->
  exists z y, same t z y /\
    (path nxt o (List.length ds) (w, p) k (z, y) \/
     exists d m u n, o = Lines /\ pushed s = Some d /\ line nxt o d m (w, p) u /\ path nxt o n u k (z, y)
       /\ (m + n = List.length ds)%nat).
Proof.
  induction ds as [|d ds IH]; intros s t k w p R S; cbn in R.
  - injection R as <- <-. exists w, p. split; [easy|]. left. constructor.
  - cbn [List.length]. destruct (step lv s d) as [s1|] eqn:E; [|easy].
    destruct (run o lv s1 ds) as [[t' k']|] eqn:R1; [|easy]. injection R as -> <-.
    destruct (step_same _ _ _ _ _ E S) as (q & Q & [(I & N & S1) | (N & to & P & S1)]).
    + destruct (IH _ _ _ _ _ R1 S1) as (z & y & T & [Pa | (d' & m & u & n & _ & F & _)]); [|congruence].
      exists z, y. split; [easy|]. left. rewrite N.
      assert (cost o (pushed s) None = toll o) as -> by (destruct o, (pushed s); easy).
      eapply Walk; eauto.
    + destruct (IH _ _ _ _ _ R1 S1) as (z & y & T & [Pa | (d' & m & u & n & M & F & L & Pa & Len)]);
        exists z, y; (split; [easy|]); rewrite N.
      * assert (cost o (pushed s) (Some d) = 1 \/ o = Lines /\ pushed s = Some d /\ cost o (pushed s) (Some d) = 0)
          as [-> | (M & F & ->)].
        { destruct o; auto; cbn; destruct (pushed s) as [x|]; auto. destruct (way_dec x d); subst; auto. }
        -- left. exact (Press _ _ 1 _ d _ _ _ k' (One _ _ _ _ _ P) Pa).
        -- right. exists d, 1%nat, (map (swap q to) w, q), (List.length ds). rewrite N.add_0_l. repeat split; auto. now apply One.
      * assert (d' = d) as -> by congruence.
        assert (line nxt o d (1 + m) (w, p) u) as L' by (eapply More; eauto).
        assert (cost o (pushed s) (Some d) = 1 \/ pushed s = Some d /\ cost o (pushed s) (Some d) = 0) as [-> | (G & ->)].
        { rewrite M. cbn. destruct (pushed s) as [x|]; auto. destruct (way_dec x d); subst; auto. }
        -- left. rewrite <- Len. exact (Press _ _ (1 + m) n d _ _ _ _ L' Pa).
        -- right. exists d, (1 + m)%nat, u, n. rewrite N.add_0_l, <- Len. auto.
Qed.

(** * The colour of the cells *)

Definition colour (c : positive) : bool := Nat.odd (fst (at_ c) + snd (at_ c)).
Definition colours (l : list positive) : bool := fold_right (fun c x => xorb (colour c) x) false l.

Lemma colours_cons c l : colours (c :: l) = xorb (colour c) (colours l).
Proof. reflexivity. Qed.

Lemma colour_next c d q : nxt c d = Some q -> colour q = negb (colour c).
Proof.
  intros H. pose proof (site_edge c d (nxt_known _ _ _ H)) as E. rewrite H in E. unfold next in E. unfold colour.
  destruct (beside (at_ c) d) as [b|] eqn:B; [|easy]. destruct (is_floor lv b); [|easy].
  destruct E as (_ & -> & _). destruct (at_ c) as [r x].
  destruct d; cbn in B; [destruct x | | destruct r |]; try easy; injection B as <-; cbn [fst snd];
    rewrite !Nat.odd_add, Nat.odd_succ, <- Nat.negb_odd; destruct (Nat.odd r), (Nat.odd x); reflexivity.
Qed.

Lemma colours_swap b q l : NoDup l -> In b l -> colour q = negb (colour b) -> colours (map (swap b q) l) = negb (colours l).
Proof.
  intros N I C. induction N as [|c l X N IH]; [easy|].
  cbn [map]. rewrite !colours_cons. unfold swap at 1. destruct (Pos.eqb_spec c b) as [->|D].
  - rewrite swap_others, C by easy. destruct (colour b), (colours l); reflexivity.
  - destruct I as [|I]; [congruence|]. rewrite (IH I). destruct (colour c), (colours l); reflexivity.
Qed.

Lemma path_colours n s k t : path nxt Pushes n s k t -> NoDup (fst s) -> ~ In (snd s) (fst s) ->
  colours (fst t) = xorb (N.odd k) (colours (fst s)).
Proof.
  induction 1 as [s|n w p q d k s Hq Iq _ IH|m n d s [w1 p1] u k L _ IH]; intros N C.
  - cbn. now destruct (colours (fst s)).
  - apply (IH N Iq).
  - pose proof (line_clear _ _ _ _ _ _ L) as C1.
    destruct s as [w p]. destruct (line_part _ _ _ _ _ _ L _ _ _ _ eq_refl eq_refl) as (f & c & _ & _ & E & F & _).
    assert (NoDup w1) as N1 by (rewrite E; now apply injective_nodup).
    rewrite (IH N1 C1). inversion L as [? ? P|]; [|easy]. subst. inversion P; subst. cbn [fst].
    replace (map f w) with (map (swap p1 q) w).
    rewrite colours_swap; auto; [|eapply colour_next; eauto].
    rewrite N.add_1_l, N.odd_succ, <- N.negb_odd. now destruct (N.odd k), (colours w).
Qed.

Lemma colours_perm a b : Permutation a b -> colours a = colours b.
Proof.
  induction 1 as [|c ? ? _ IH|c d l|]; rewrite ?colours_cons; try congruence.
  destruct (colour c), (colour d), (colours l); reflexivity.
Qed.

Lemma are_at_spec cs : forall l, are_at floor cs l = true -> cs = map at_ l /\ forall c, In c l -> known c.
Proof.
  induction cs as [|c cs IH]; intros [|i l]; cbn; try easy. intros H. apply andb_prop in H as [A B].
  destruct (is_at_spec _ _ A) as [K <-]. destruct (IH _ B) as [-> L]. split; [easy|].
  intros x [<-|X]; auto.
Qed.

End Numbers.

(** * The whole *)

Section Whole.

Variable rows : list string.
Variable e : evidence.
Variable lv : level.
Hypothesis fitting : fits rows e lv = true.

Notation nxt := (nxt (floor e)).
Notation at_ := (at_ (floor e)).
Notation all_boxes := (fold_right insert (kept e) (taken e)).

Lemma fitting_all :
  all (site_ok rows lv (floor e) (number_in (numbers e))) (floor e) = true
  /\ same (floor e) (start lv) all_boxes (player_at e)
  /\ NoDup all_boxes /\ NoDup (kept e) /\ ~ In (player_at e) all_boxes
  /\ goals lv = map at_ (goals_at e) /\ (forall g, In g (goals_at e) -> known (floor e) g) /\ NoDup (goals_at e)
  /\ (forall g, In g (goals_at e) -> get g (price e) <> None)
  /\ (as_many lv = true \/ taken e = [] /\ table e = None).
Proof.
  pose proof fitting as F. unfold fits in F. rewrite !andb_true_iff in F.
  destruct F as [[[[[[[[[S B] A1] A2] G] A3] P] C] Pr] M].
  destruct (are_at_spec _ _ _ B) as [Eb Kb]. destruct (are_at_spec _ _ _ G) as [Eg Kg].
  destruct (is_at_spec _ _ _ P) as [Kp Ep].
  apply negb_true_iff, among_false in C. rewrite forallb_forall in Pr.
  repeat split; auto using ascending_nodup.
  - intros g I. specialize (Pr g I). now destruct (get g (price e)).
  - apply orb_prop in M as [|M]; auto. right. destruct (taken e), (table e); easy.
Qed.

Lemma finished_same l w : (forall c, In c l <-> In c w) -> finished e lv w = true -> finished e lv l = true.
Proof.
  unfold finished. intros S. destruct (as_many lv); rewrite !forallb_forall; intros F c C.
  - now apply F, S.
  - now apply among_spec, S, among_spec, F.
Qed.

Lemma finished_home z : as_many lv = true -> finished e lv z = true -> incl z (goals_at e) /\ home (price e) z.
Proof.
  unfold finished. intros ->. rewrite forallb_forall. intros F.
  assert (incl z (goals_at e)) as I by (intros c C; now apply among_spec, F).
  split; [easy|]. intros c C. destruct fitting_all as (_ & _ & _ & _ & _ & _ & _ & _ & Pr & _). auto.
Qed.

Definition table_holds (o : objective) : Prop :=
  match table e with
  | None => True
  | Some t => table_ok (floor e) (counted o) (fuel e) (price e) t (group_key e) (pack_some e) = true
  end.

Lemma ahead_by_table_sound o enough n l p k z y c :
  table_holds o ->
  path nxt o n (l, p) k (z, y) -> NoDup l -> ~ In p l -> finished e lv z = true ->
  ahead_by_table e lv enough l p c = true -> reached enough (c + k) = true.
Proof.
  destruct fitting_all as (S & _ & _ & _ & _ & _ & _ & _ & _ & M).
  intros T P N C F A. unfold ahead_by_table in A. unfold table_holds in T. destruct (table e) as [t|].
  - destruct M as [M|[_ M]]; [|easy]. destruct (finished_home z M F) as [I H].
    assert (exists k', path nxt (counted o) n (l, p) k' (z, y) /\ k' <= k) as (k' & P' & K).
    { destruct o; cbn [counted]; [exists k; split; [easy | lia] .. | now apply path_pushes]. }
    assert (counted o <> Moves) as O by now destruct o.
    pose proof (worth_sound _ (back _ _ _ _ S) _ _ _ _ _ _ O T (pack e l p c) n l p k' z y P' N C H) as W.
    destruct (path_part _ _ _ _ _ _ P _ _ _ _ eq_refl eq_refl C) as (f & -> & Fi & _).
    assert (sum (priced (price e)) (map f l) <= sum (priced (price e)) (goals_at e)) as Le
      by (apply sum_incl; [now apply injective_nodup | easy]).
    destruct (worth t (group_key e) (pack e l p c) l p) as [v|]; [|easy].
    destruct enough as [m|]; [|easy]. cbn in *. rewrite N.leb_le in *. lia.
  - destruct (finished e lv l) eqn:L; [apply reached_le with (1 := A); lia|].
    apply reached_le with (1 := A). enough (k <> 0) by lia. intros K.
    apply path_free in P; auto. cbn in P. congruence.
Qed.

Lemma walled_sound o enough n l p k z y c : all (fun _ => wall_ok e lv o) (walls e) = true ->
  path nxt o n (l, p) k (z, y) -> NoDup l -> ~ In p l -> finished e lv z = true ->
  walled e lv enough l p c = true -> reached enough (c + k) = true.
Proof.
  destruct fitting_all as (S & _).
  intros W P N C F A. unfold walled in A. apply andb_prop in A as [M A].
  destruct (wall_for e l p c) as [i|]; [|easy]. destruct (get i (walls e)) as [w|] eqn:G; [|easy].
  apply (all_get _ _ _ _ W) in G. unfold wall_ok in G. apply andb_prop in G as [St G]. apply andb_prop in A as [Il A].
  assert (incl (fixed w) l) as I by (intros b B; rewrite forallb_forall in Il; now apply among_spec, Il).
  assert (exists k', path nxt (counted o) n (l, p) k' (z, y) /\ k' <= k) as (k' & P' & K).
  { destruct o; cbn [counted]; [exists k; split; [easy | lia] .. | now apply path_pushes]. }
  destruct (path_cut _ (back _ _ _ _ S) _ _ St _ _ _ _ P' _ _ _ _ eq_refl eq_refl I C) as [Iz Q].
  destruct (finished_home z M F) as [Hz _].
  assert (at_goals e (fixed w) = true) as At by (apply forallb_forall; intros b B; now apply among_spec, Hz, Iz).
  rewrite At in A, G. cbn [negb orb] in A, G. apply andb_prop in G as [Pr T].
  assert (counted o <> Moves) as O by now destruct o.
  assert (home (price_among w) (without z (fixed w))) as H.
  { intros b B. apply in_without in B as [B X]. rewrite forallb_forall in Pr. specialize (Pr b (Hz b B)).
    apply among_false in X. rewrite X in Pr. cbn in Pr. now destruct (get b (price_among w)). }
  set (rest := without l (fixed w)) in *.
  assert (NoDup rest) as Nr by now apply NoDup_filter.
  assert (~ In p rest) as Cr by (unfold rest; rewrite in_without; tauto).
  pose proof (worth_sound _ (back_cut _ (back _ _ _ _ S) _) _ _ _ _ _ _ O T (map (fun b => [b]) rest) n rest p k' _ y Q Nr Cr H)
    as V.
  destruct (path_part _ _ _ _ _ _ P _ _ _ _ eq_refl eq_refl C) as (f & E & Fi & _).
  assert (NoDup z) as Nz by (rewrite E; now apply injective_nodup).
  assert (sum (priced (price_among w)) (without z (fixed w)) <= sum (priced (price_among w)) (without (goals_at e) (fixed w)))
    as Le.
  { apply sum_incl; [now apply NoDup_filter|]. intros b. rewrite !in_without. intuition. }
  destruct (worth (single w) (single_key w) (map (fun b => [b]) rest) rest p) as [v|]; [|easy].
  destruct enough as [m|]; [|easy]. cbn in *. rewrite N.leb_le in *. lia.
Qed.

Lemma ahead_sound o enough n l p k z y c :
  table_holds o ->
  all (fun _ => wall_ok e lv o) (walls e) = true ->
  path nxt o n (l, p) k (z, y) -> NoDup l -> ~ In p l -> finished e lv z = true ->
  ahead e lv enough l p c = true -> reached enough (c + k) = true.
Proof.
  intros T W P N C F A. apply orb_prop in A as [A|A].
  - exact (ahead_by_table_sound _ _ _ _ _ _ _ _ _ T P N C F A).
  - exact (walled_sound _ _ _ _ _ _ _ _ _ W P N C F A).
Qed.

Lemma dead_sound o q b n w k z y :
  table_holds o ->
  dead e q b = true -> path nxt o n (w, b) k (z, y) -> In q w -> ~ In b w -> finished e lv z = true -> False.
Proof.
  destruct fitting_all as (S & _ & _ & _ & _ & _ & _ & _ & _ & M).
  intros T D P I C F. unfold dead in D. unfold table_holds in T. destruct (table e) as [t|]; [|easy].
  destruct M as [M|[_ M]]; [|easy].
  assert (incl [q] w) as Iq by (intros c [<-|[]]; easy).
  assert (exists k', path nxt (counted o) n (w, b) k' (z, y) /\ k' <= k) as (k' & P' & _).
  { destruct o; cbn [counted]; [exists k; split; [easy | lia] .. | now apply path_pushes]. }
  destruct (path_sub _ _ _ _ _ _ _ _ _ P' C Iq) as (f & kx & Px & _ & _ & ->).
  destruct (look t (group_key e) [q] b) as [[|]|] eqn:Lk; try discriminate.
  destruct (look_some _ _ _ _ _ Lk) as (i & en & G & Eg & R & V).
  destruct (finished_home _ M F) as [_ H].
  assert (counted o <> Moves) as O by now destruct o.
  pose proof (entry_sound _ (back _ _ _ _ S) _ _ _ _ _ _ O T n i en b kx (map f [q]) y G R) as E.
  rewrite Eg, V in E. cbn [reached] in E. enough (false = true) by easy. apply E; auto.
  intros c Hc. apply H. revert Hc. now apply incl_map.
Qed.

(** Any plan, as a path in numbers whose end has every goal served. *)
Lemma plan_path o ds k : plan o lv ds k -> exists z y,
  path nxt o (List.length ds) (all_boxes, player_at e) k (z, y) /\ incl (goals_at e) z.
Proof.
  destruct fitting_all as (S & St & _ & _ & _ & G & Kg & _).
  intros (last & R & So). destruct (run_path _ _ _ _ S _ _ _ _ _ _ _ R St) as (z & y & (W & _ & _ & K) & [P|X]).
  - exists z, y. split; [easy|]. intros g I. apply (in_same _ _ _ _ S); auto.
    rewrite <- W. apply So. rewrite G. now apply in_map.
  - destruct X as (d & m & u & n & _ & Pu & _). easy.
Qed.

Lemma home_all z : as_many lv = true -> List.length z = List.length all_boxes -> incl (goals_at e) z ->
  incl z (goals_at e) /\ (List.length z <= List.length (goals_at e))%nat.
Proof.
  destruct fitting_all as (_ & (B & _) & _ & _ & _ & G & _ & N & _).
  intros M L I. unfold as_many in M. apply Nat.eqb_eq in M. rewrite G in M. cbn in B. rewrite B, !map_length in M.
  split; [apply NoDup_length_incl; auto|]; rewrite L, M; apply le_n.
Qed.

(** The boxes that are spoken of, alone: they come to goals with no more actions, and as many letters. *)
Lemma kept_path o ds k : plan o lv ds k -> exists f kx y,
  path nxt o (List.length ds) (kept e, player_at e) kx (map f (kept e), y) /\ kx <= k
  /\ finished e lv (map f (kept e)) = true /\ incl (kept e) all_boxes.
Proof.
  intros Pl. destruct fitting_all as (_ & _ & _ & _ & C & _ & _ & _ & _ & M).
  destruct (plan_path _ _ _ Pl) as (z & y & P & G).
  assert (incl (kept e) all_boxes) as I.
  { clear. induction (taken e) as [|b l IH]; cbn; [easy|]. intros c Hc. apply in_insert. right. now apply IH. }
  destruct (path_sub _ _ _ _ _ _ _ _ _ P C I) as (f & kx & Px & K & _ & Z).
  exists f, kx, y. repeat split; auto.
  unfold finished. destruct (as_many lv) eqn:As; apply forallb_forall; intros c Hc; apply among_spec.
  - destruct (home_all z As) as [Hz _]; auto; [now rewrite Z, map_length|].
    apply Hz. rewrite Z. revert Hc. now apply incl_map.
  - destruct M as [|[M _]]; [easy|]. rewrite M in Z. cbn in Z. rewrite <- Z. now apply G.
Qed.

Lemma no_plan_below_sound o enough ds k : no_plan_below rows e lv o enough = true -> plan o lv ds k ->
  reached enough k = true.
Proof.
  intros H Pl. unfold no_plan_below in H. rewrite !andb_true_iff in H. destruct H as [[[[_ T] L] W] Co].
  destruct fitting_all as (S & _ & _ & Nk & C & _).
  destruct (kept_path _ _ _ Pl) as (f & kx & y & Px & K & Fin & I). set (n := List.length ds) in *.
  apply reached_le with (j := kx); [|easy]. rewrite <- (N.add_0_l kx).
  assert (table_holds o) as T' by (unfold table_holds; now destruct (table e)).
  assert (~ In (player_at e) (kept e)) as Ck by (intros Hc; now apply C, I).
  apply orb_prop in Co as [Co|Co]; [|exact (ahead_sound _ _ _ _ _ _ _ _ _ T' W Px Nk Ck Fin Co)].
  eapply covered_sound with (finished := finished e lv); eauto using finished_same.
  - exact (back _ _ _ _ S).
  - unfold corrals_in. now destruct o.
  - unfold corrals_in, finished. intros Al l1 z1 F1 I1.
    assert (as_many lv = true) as Am by now destruct o. rewrite Am in *. rewrite forallb_forall in *. auto.
  - intros q b D n1 w1 k1 z1 y1. now apply dead_sound.
  - intros *. now apply ahead_sound.
Qed.

(** * Tie-breaks *)

Lemma before_sound least fewest moves n l p k z y a m :
  table_holds Pushes ->
  path nxt Pushes n (l, p) k (z, y) -> NoDup l -> ~ In p l -> finished e lv z = true ->
  before e lv least fewest moves l p (a, m) = true -> no_cheaper least fewest moves (a + k) (m + N.of_nat n) = true.
Proof.
  destruct fitting_all as (S & _ & _ & _ & _ & _ & _ & _ & _ & M).
  intros T P N C F B. pose proof (path_letters _ _ _ _ _ P) as Kn.
  enough (exists h, h <= k /\ no_cheaper least fewest moves (a + h) (m + h) = true) as (h & H & B')
    by (apply no_cheaper_le with (1 := B'); lia).
  unfold before in B. unfold table_holds in T. cbn [fst snd counted] in B, T. destruct (table e) as [t|].
  - destruct M as [M|[_ M]]; [|easy]. destruct (finished_home z M F) as [I H].
    assert (Pushes <> Moves) as O by easy.
    pose proof (worth_sound _ (back _ _ _ _ S) _ _ _ _ _ _ O T (pack e l p a) n l p k z y P N C H) as W.
    destruct (path_part _ _ _ _ _ _ P _ _ _ _ eq_refl eq_refl C) as (f & -> & Fi & _).
    assert (sum (priced (price e)) (map f l) <= sum (priced (price e)) (goals_at e)) as Le
      by (apply sum_incl; [now apply injective_nodup | easy]).
    destruct (worth t (group_key e) (pack e l p a) l p) as [v|]; [|easy].
    cbn in W. rewrite N.leb_le in W. exists (v - sum (priced (price e)) (goals_at e)). split; [lia | exact B].
  - exists (if finished e lv l then 0 else 1). split; [|exact B]. destruct (finished e lv l) eqn:L; [lia|].
    enough (k <> 0) by lia. intros K. apply path_free in P; auto. cbn in P. congruence.
Qed.

Lemma no_plan_before_sound fewest moves ds k : no_plan_before rows e lv fewest moves = true -> plan Pushes lv ds k ->
  no_cheaper (if as_many lv then N.pred fewest else fewest) fewest moves k (N.of_nat (List.length ds)) = true.
Proof.
  intros H Pl. unfold no_plan_before in H. rewrite !andb_true_iff in H. destruct H as [[[_ T] L] A].
  destruct fitting_all as (_ & _ & _ & Nk & C & _).
  destruct (kept_path _ _ _ Pl) as (f & kx & y & Px & K & Fin & I).
  apply no_cheaper_le with (k := 0 + kx) (n := 0 + N.of_nat (List.length ds)); [|lia|lia].
  assert (table_holds Pushes) as T' by (unfold table_holds; now destruct (table e)).
  assert (~ In (player_at e) (kept e)) as Ck by (intros Hc; now apply C, I).
  apply orb_prop in A as [A|A]; [|exact (before_sound _ _ _ _ _ _ _ _ _ _ _ T' Px Nk Ck Fin A)].
  eapply arrived_sound with (finished := finished e lv); eauto using finished_same.
  intros *. now apply before_sound.
Qed.

Lemma same_parity ds ds' k k' : as_many lv = true -> plan Pushes lv ds k -> plan Pushes lv ds' k' ->
  N.odd k = N.odd k'.
Proof.
  intros M. destruct fitting_all as (S & _ & Na & _ & C & _ & _ & Ng & _).
  enough (forall ds k, plan Pushes lv ds k ->
    colours (floor e) (goals_at e) = xorb (N.odd k) (colours (floor e) all_boxes)) as E.
  { intros A B. apply E in A. apply E in B. rewrite A in B.
    now destruct (N.odd k), (N.odd k'), (colours (floor e) all_boxes). }
  clear ds ds' k k'. intros ds k Pl. destruct (plan_path _ _ _ Pl) as (z & y & P & G). set (n := List.length ds) in *.
  transitivity (colours (floor e) z); [|exact (path_colours _ _ _ _ S _ _ _ _ P Na C)]. apply colours_perm.
  destruct (path_part _ _ _ _ _ _ P _ _ _ _ eq_refl eq_refl C) as (f & E & _).
  destruct (home_all z M) as [_ L]; [now rewrite E, map_length | easy |].
  now apply NoDup_Permutation_bis.
Qed.

End Whole.

Lemma solves_plan lv o word n : solves lv o word n = true -> plan o lv (map fst word) n.
Proof.
  unfold solves. intros H. apply andb_prop in H as [_ H].
  destruct (run o lv (start lv) (map fst word)) as [[last k]|] eqn:R; [|easy].
  apply andb_prop in H as [K G]. apply N.eqb_eq in K. subst. exists last. split; [easy|].
  intros g I. rewrite forallb_forall in G. specialize (G g I). now destruct (in_dec cell_dec g (stand last)).
Qed.

(** If the checker says so, the text is a level, some moves solve it with [n] actions, and none with fewer. *)
Theorem judge_sound rows e o word n : judge rows e o word n = true ->
  exists lv, parse rows = Some lv /\ optimal o lv n.
Proof.
  unfold judge. destruct (parse rows) as [lv|]; [|easy]. intros H. exists lv. split; [easy|].
  apply andb_prop in H as [S H]. apply solves_plan in S. split; [eauto|]. intros ds k P.
  apply orb_prop in H as [H|H]; [apply N.eqb_eq in H; lia|].
  destruct (taken e); [|easy].
  assert (fits rows e lv = true) as F.
  { pose proof H as H'. unfold no_plan_below in H'. rewrite !andb_true_iff in H'. tauto. }
  pose proof (no_plan_below_sound _ _ _ F _ _ _ _ H P) as R. unfold enough_for in R.
  destruct o; [|apply N.leb_le, R|apply N.leb_le, R].
  destruct (as_many lv) eqn:M; [|apply N.leb_le, R].
  cbn in R. apply N.leb_le in R. pose proof (same_parity _ _ _ F _ _ _ _ M S P) as E.
  destruct (N.eq_dec n 0) as [->|Z]; [lia|].
  enough (k <> N.pred n) by lia. intros ->.
  rewrite <- (N.succ_pred n Z), N.odd_succ, <- N.negb_odd in E at 1. now destruct (N.odd (N.pred n)).
Qed.

Lemma run_moves lv ds : forall s t k, run Moves lv s ds = Some (t, k) -> k = N.of_nat (List.length ds).
Proof.
  induction ds as [|d ds IH]; intros s t k R; cbn in R; [now injection R|].
  destruct (step lv s d) as [s1|]; [|easy]. destruct (run Moves lv s1 ds) as [[t1 k1]|] eqn:R1; [|easy].
  apply IH in R1. injection R as _ R. change (1 + k1 = k) in R. cbn [List.length]. lia.
Qed.

(** If the checker says so, the text is a level, some moves solve it with [p] pushes and [m] moves, and none with fewer pushes,
    nor with [p] pushes and fewer moves. *)
Theorem judge_then_sound rows e word p m : judge_then rows e word p m = true ->
  exists lv, parse rows = Some lv /\ optimal_then lv p m.
Proof.
  unfold judge_then. destruct (parse rows) as [lv|]; [|easy]. intros H. exists lv. split; [easy|].
  rewrite !andb_true_iff in H. destruct H as [[S S'] H]. apply solves_plan in S, S'.
  split; [eauto|]. intros ds p' m' P (last & R & _). apply run_moves in R. subst m'.
  apply orb_prop in H as [H|H]; [rewrite andb_true_iff, !N.eqb_eq in H; lia|].
  destruct (taken e); [|easy].
  assert (fits rows e lv = true) as F.
  { pose proof H as H'. unfold no_plan_before in H'. rewrite !andb_true_iff in H'. tauto. }
  pose proof (no_plan_before_sound _ _ _ F _ _ _ _ H P) as B. unfold no_cheaper in B.
  rewrite orb_true_iff, andb_true_iff, N.ltb_lt, !N.leb_le in B.
  destruct (as_many lv) eqn:M; [|lia]. pose proof (same_parity _ _ _ F _ _ _ _ M S P) as E.
  destruct (N.eq_dec p 0) as [->|Z]; [cbn in B; lia|].
  enough (p' <> N.pred p) by lia. intros ->.
  rewrite <- (N.succ_pred p Z), N.odd_succ, <- N.negb_odd in E at 1. now destruct (N.odd (N.pred p)).
Qed.

Lemma run_any o o' lv ds : forall s t k, run o lv s ds = Some (t, k) -> exists k', run o' lv s ds = Some (t, k').
Proof.
  induction ds as [|d ds IH]; intros s t k R; cbn in *.
  - injection R as <- <-. eauto.
  - destruct (step lv s d) as [s1|]; [|easy]. destruct (run o lv s1 ds) as [[t1 k1]|] eqn:R1; [|easy].
    destruct (IH _ _ _ R1) as (k' & ->). injection R as <- <-. eauto.
Qed.

(** If the checker says so, the text is a level, and no moves solve it. *)
Theorem judge_never_sound rows e o : judge_never rows e o = true ->
  exists lv, parse rows = Some lv /\ unsolvable lv.
Proof.
  unfold judge_never. destruct (parse rows) as [lv|]; [|easy]. intros H. exists lv. split; [easy|].
  assert (fits rows e lv = true) as F.
  { pose proof H as H'. unfold no_plan_below in H'. rewrite !andb_true_iff in H'. tauto. }
  intros o' ds k (t & R & G). destruct (run_any _ o _ _ _ _ _ R) as (k' & R').
  enough (reached Inf k' = true) by easy.
  apply (no_plan_below_sound _ _ _ F o Inf ds k' H). now exists t.
Qed.
