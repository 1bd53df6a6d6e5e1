(** Why the conditions of Check.v are enough, on numbered cells: tables and lists bound what every path costs. *)

From Coq Require Import List NArith PArith Bool Lia Permutation Wf_nat.
From Sokoban Require Import Rules Check.
Import ListNotations.
Local Open Scope N_scope.

(** * Of the small functions *)

Lemma holds_get {A} f (t : trie A) : forall number i a,
  holds f number t = true -> get i t = Some a -> f (number i) a = true.
Proof.
  induction t as [|low IHl here high IHh]; intros number i a H G; [destruct i; discriminate|].
  cbn in H. apply andb_prop in H as [H Hh]. apply andb_prop in H as [Hm Hl].
  destruct i; cbn in G.
  - exact (IHh _ _ _ Hh G).
  - exact (IHl _ _ _ Hl G).
  - subst here. exact Hm.
Qed.

Lemma all_get {A} f (t : trie A) i a : all f t = true -> get i t = Some a -> f i a = true.
Proof. apply (holds_get f t (fun i => i)). Qed.

Lemma among_spec c l : among c l = true <-> In c l.
Proof.
  unfold among. rewrite existsb_exists. split.
  - intros (x & H & E). apply Pos.eqb_eq in E. now subst.
  - intros H. exists c. split; [easy | apply Pos.eqb_refl].
Qed.

Lemma among_false c l : among c l = false <-> ~ In c l.
Proof. rewrite <- among_spec. destruct (among c l); split; congruence. Qed.

Lemma in_without c l gone : In c (without l gone) <-> In c l /\ ~ In c gone.
Proof. unfold without. rewrite filter_In, negb_true_iff, among_false. easy. Qed.

Lemma in_insert x c l : In x (insert c l) <-> x = c \/ In x l.
Proof.
  induction l as [|y l IH]; cbn; [intuition|].
  destruct (Pos.ltb c y); cbn; rewrite ?IH; intuition.
Qed.

Lemma insert_perm c l : Permutation (insert c l) (c :: l).
Proof.
  induction l as [|y l IH]; cbn; [easy|].
  destruct (Pos.ltb c y); [easy|]. rewrite IH. apply perm_swap.
Qed.

Lemma ascending_nodup l : ascending l = true -> NoDup l.
Proof.
  intros H. enough (NoDup l /\ forall x, In x (tl l) -> (hd x l < x)%positive) by easy.
  induction l as [|a l IH]; [split; [constructor | easy]|].
  assert (ascending l = true) as Hl by (destruct l; cbn in H; [easy | now apply andb_prop in H]).
  destruct (IH Hl) as [N L]. cbn.
  assert (forall x, In x l -> (a < x)%positive) as A.
  { destruct l as [|b l]; [easy|]. cbn in H. apply andb_prop in H as [H _]. apply Pos.ltb_lt in H.
    intros x [<-|I]; [easy|]. specialize (L x I). cbn in L. lia. }
  split; [constructor; [intros I; specialize (A a I); lia | easy] | easy].
Qed.

Lemma equal_eq a b : equal a b = true -> a = b.
Proof.
  revert b. induction a as [|x a IH]; destruct b as [|y b]; cbn; try easy.
  intros H. apply andb_prop in H as [H1 H2]. apply Pos.eqb_eq in H1. f_equal; auto.
Qed.

Lemma look_some {A} (t : trie (entry A)) key l p a : look t key l p = Some a ->
  exists i e, get i t = Some e /\ group e = l /\ has p (region e) = true /\ said e = a.
Proof.
  unfold look. destruct (get (key l p) t) as [e|] eqn:G; [|easy].
  destruct (equal (group e) l && has p (region e)) eqn:H; [|easy].
  apply andb_prop in H as [H1 H2]. apply equal_eq in H1. intros [= <-]. eauto 7.
Qed.

Lemma ways_all d : In d ways.
Proof. destruct d; cbn; intuition. Qed.

Lemma reached_le b j k : reached b j = true -> j <= k -> reached b k = true.
Proof. destruct b; cbn; [rewrite !N.leb_le; lia | easy]. Qed.

Lemma reached_plus b b' j k : at_most b (plus (Fin j) b') = true -> reached b' k = true -> reached b (j + k) = true.
Proof. destruct b, b'; cbn; rewrite ?N.leb_le; try lia; easy. Qed.

(** Boxes that are not there twice pay no more than all do. *)
Lemma sum_incl f s w : NoDup s -> incl s w -> sum f s <= sum f w.
Proof.
  revert w. induction s as [|a s IH]; intros w N I; cbn; [lia|].
  destruct (in_split a w) as (w1 & w2 & ->); [apply I; now left|].
  inversion_clear N as [|? ? Na Ns].
  assert (forall v x, sum f (v ++ x) = sum f v + sum f x) as app
    by (intros v x; induction v; cbn; lia).
  specialize (IH (w1 ++ w2) Ns). rewrite !app in *. cbn.
  enough (incl s (w1 ++ w2)) by (specialize (IH H); lia).
  intros x Hx. assert (In x (w1 ++ a :: w2)) as E by (apply I; now right).
  apply in_app_iff in E. apply in_app_iff. destruct E as [|[->|]]; auto. contradiction.
Qed.

Lemma nodup_app (a b : list positive) : NoDup a -> NoDup b -> (forall c, In c a -> ~ In c b) -> NoDup (a ++ b).
Proof.
  intros A B D. induction A as [|x a X A IH]; cbn; [easy|]. constructor.
  - rewrite in_app_iff. intros [I|I]; [easy|]. apply (D x); [now left | easy].
  - apply IH. intros c C. apply D. now right.
Qed.

Lemma sum_map f (g : positive -> positive) l : sum f (map g l) = sum (fun c => f (g c)) l.
Proof. induction l; cbn; congruence. Qed.

(** * Paths: walks and actions *)

Section Paths.

Variable nxt : positive -> way -> option positive.
Variable o : objective.

Definition places := (list positive * positive)%type.

Definition swap (b q c : positive) : positive := if Pos.eqb c b then q else c.

(** One push. *)
Inductive push (d : way) : places -> places -> Prop :=
| Push w p b q : nxt p d = Some b -> In b w -> nxt b d = Some q -> ~ In q w ->
    push d (w, p) (map (swap b q) w, b).

(** The pushes of one action, counted: one, or if lines are counted some in the same way. *)
Inductive line (d : way) : nat -> places -> places -> Prop :=
| One s t : push d s t -> line d 1 s t
| More m s t u : o = Lines -> push d s t -> line d m t u -> line d (S m) s u.

Definition toll : N := match o with Moves => 1 | _ => 0 end.

(** So many letters, and what they cost. *)
Inductive path : nat -> places -> N -> places -> Prop :=
| Stay s : path 0 s 0 s
| Walk n w p q d k s : nxt p d = Some q -> ~ In q w -> path n (w, q) k s -> path (S n) (w, p) (toll + k) s
| Press m n d s t u k : line d m s t -> path n t k u -> path (m + n) s (1 + k) u.

Lemma line_positive d m s t : line d m s t -> (1 <= m)%nat.
Proof. destruct 1; lia. Qed.

Lemma push_clear d w p z y : push d (w, p) (z, y) -> ~ In y z.
Proof.
  inversion 1; subst. rewrite in_map_iff. intros (x & E & I). unfold swap in E.
  destruct (Pos.eqb_spec x y); congruence.
Qed.

Lemma line_clear d m s t : line d m s t -> ~ In (snd t) (fst t).
Proof. induction 1 as [[] [] P|]; [exact (push_clear _ _ _ _ _ P) | easy]. Qed.

(** The same walk without boxes that the others push. *)
Definition walks m (x : list positive) p z :=
  exists j, j <= 1 /\ (o <> Moves -> j = 0) /\ forall n k s, path n (x, z) k s -> path (m + n) (x, p) (j + k) s.

Lemma walks_one x p q d : nxt p d = Some q -> ~ In q x -> walks 1 x p q.
Proof.
  intros H I. exists toll. split; [unfold toll; destruct o; lia|]. split; [unfold toll; destruct o; easy|].
  intros n k s P. cbn. eapply Walk; eauto.
Qed.

Lemma walks_more m x p q z d : o = Lines -> nxt p d = Some q -> ~ In q x -> walks m x q z -> walks (S m) x p z.
Proof.
  intros M H I (j & _ & J & W). assert (o <> Moves) as M' by congruence.
  destruct (walks_one x p q d H I) as (j1 & _ & J1 & W1).
  exists (j1 + j). rewrite (J M'), (J1 M'). repeat split; [lia|].
  intros n k s P. rewrite (J M') in W. rewrite (J1 M') in W1. exact (W1 _ _ _ (W _ _ _ P)).
Qed.

Lemma swap_others b q x : ~ In b x -> map (swap b q) x = x.
Proof.
  intros H. rewrite <- (map_id x) at 2. apply map_ext_in. intros a I. unfold swap.
  destruct (Pos.eqb_spec a b); congruence.
Qed.

Definition injective (f : positive -> positive) w := forall a b, In a w -> In b w -> f a = f b -> a = b.

Lemma swap_injective b q w : ~ In q w -> injective (swap b q) w.
Proof.
  intros Q x y X Y. unfold swap. destruct (Pos.eqb_spec x b), (Pos.eqb_spec y b); congruence.
Qed.

Lemma injective_comp f g w : injective f w -> injective g (map f w) -> injective (fun c => g (f c)) w.
Proof. intros F G a b A B E. apply F; auto. apply G; auto using in_map. Qed.

Lemma injective_nodup f w : injective f w -> NoDup w -> NoDup (map f w).
Proof.
  induction w as [|a w IH]; intros F N; cbn; [constructor|]. inversion_clear N as [|? ? Na Nw].
  constructor.
  - rewrite in_map_iff. intros (x & E & I). apply F in E; [congruence | now right | now left].
  - apply IH; [|easy]. intros x y X Y. apply F; now right.
Qed.

Lemma incl_map (f : positive -> positive) x w : incl x w -> incl (map f x) (map f w).
Proof. intros I y. rewrite !in_map_iff. intros (a & E & A). eauto. Qed.

Lemma line_part d m s t : line d m s t -> forall w p z y, s = (w, p) -> t = (z, y) ->
  exists f c, nxt p d = Some c /\ In c w /\ z = map f w /\ injective f w /\
    forall x, incl x w -> (In c x -> line d m (x, p) (map f x, y)) /\ (~ In c x -> map f x = x /\ walks m x p y).
Proof.
  induction 1 as [s t P|m s t u L P _ IH]; intros w p z y -> ->; inversion P as [? ? b q Hb Ib Hq Iq]; subst.
  - exists (swap y q), y. repeat split; auto using swap_injective.
    + intros. apply One. constructor; auto.
    + now apply swap_others.
    + eapply walks_one; eauto.
  - destruct (IH (map (swap b q) w) b z y eq_refl eq_refl) as (g & c & Hc & Ic & -> & G & X).
    assert (c = q) as -> by congruence.
    exists (fun a => g (swap b q a)), b. rewrite map_map. repeat split; auto.
    + apply injective_comp; auto using swap_injective.
    + intros Ix. eapply More; [easy | constructor; eauto |].
      destruct (X (map (swap b q) x) (incl_map _ _ _ H)) as [X1 _]. rewrite map_map in X1.
      apply X1. apply in_map_iff. exists b. unfold swap. now rewrite Pos.eqb_refl.
    + rewrite <- (map_map (swap b q) g). rewrite swap_others by easy.
      destruct (X x) as [_ X2]; [rewrite <- (swap_others b q x) by easy; now apply incl_map|].
      apply X2. intros I. apply Iq, H, I.
    + destruct (X x) as [_ X2]; [rewrite <- (swap_others b q x) by easy; now apply incl_map|].
      eapply walks_more; eauto. apply X2. intros I. apply Iq, H, I.
Qed.

(** The heart: any of the boxes alone, in any order, follow the same letters, and disjoint ones share the cost. *)
Lemma path_part n s k t : path n s k t -> forall w p e r, s = (w, p) -> t = (e, r) -> ~ In p w ->
  exists f, e = map f w /\ injective f w /\ ~ In r e /\
    forall x y, incl x w -> incl y w -> (forall c, In c x -> ~ In c y) ->
      exists kx ky, path n (x, p) kx (map f x, r) /\ path n (y, p) ky (map f y, r) /\
        kx <= k /\ (o <> Moves -> kx + ky <= k).
Proof.
  induction 1 as [s|n w' p' q d k s Hq Iq _ IH|m n d s s1 u k L _ IH]; intros w p e r E1 E2 C.
  - subst. injection E2 as <- <-. exists (fun c => c). rewrite map_id. repeat split; auto; [easy|].
    intros x y X Y D. rewrite !map_id. exists 0, 0. repeat split; try constructor; lia.
  - injection E1 as -> ->. subst s.
    destruct (IH w q e r eq_refl eq_refl Iq) as (f & -> & F & R & P).
    exists f. repeat split; auto. intros x y X Y D.
    destruct (P x y X Y D) as (kx & ky & Px & Py & Kx & K).
    exists (toll + kx), (toll + ky). repeat split.
    + eapply Walk; eauto.
    + eapply Walk; eauto.
    + lia.
    + intros M. specialize (K M). unfold toll. destruct o; try lia. easy.
  - subst. destruct s1 as [w1 p1].
    destruct (line_part _ _ _ _ L w p w1 p1 eq_refl eq_refl) as (f & c & Hc & Ic & -> & F & X1).
    destruct (IH (map f w) p1 e r eq_refl eq_refl (line_clear _ _ _ _ L)) as (g & -> & G & R & P).
    exists (fun a => g (f a)). rewrite map_map in *. repeat split; auto using injective_comp.
    intros x y X Y D.
    destruct (P (map f x) (map f y)) as (kx & ky & Px & Py & Kx & K); auto using incl_map.
    { intros a. rewrite !in_map_iff. intros (b1 & <- & B1) (b2 & E & B2).
      apply F in E; auto. subst. exact (D _ B1 B2). }
    rewrite !map_map in *.
    assert (forall v kv, incl v w -> path n (map f v, p1) kv (map (fun a => g (f a)) v, r) ->
      exists j, path (m + n) (v, p) (j + kv) (map (fun a => g (f a)) v, r) /\
        j <= 1 /\ (o <> Moves -> ~ In c v -> j = 0)) as part.
    { intros v kv V Q. destruct (X1 v V) as [Yes No]. destruct (in_dec Pos.eq_dec c v) as [I|I].
      - exists 1. split; [eapply Press; eauto | split; [lia | easy]].
      - destruct (No I) as (E & j & J1 & J & W). rewrite E in Q. exists j. auto. }
    destruct (part x kx X Px) as (jx & Qx & Lx & Zx), (part y ky Y Py) as (jy & Qy & Ly & Zy).
    exists (jx + kx), (jy + ky). repeat split; auto; [lia|].
    intros M. specialize (K M). destruct (in_dec Pos.eq_dec c x) as [I|I].
    + rewrite (Zy M (D _ I)). lia.
    + rewrite (Zx M I). lia.
Qed.

(** Some boxes alone. *)
Lemma path_sub n w p k e r x : path n (w, p) k (e, r) -> ~ In p w -> incl x w ->
  exists f kx, path n (x, p) kx (map f x, r) /\ kx <= k /\ injective f w /\ e = map f w.
Proof.
  intros P C X. destruct (path_part _ _ _ _ P w p e r eq_refl eq_refl C) as (f & E & F & _ & Q).
  destruct (Q x [] X) as (kx & ky & Px & _ & K & _); [easy | easy |].
  exists f, kx. repeat split; auto.
Qed.

(** Boxes that move cost something. *)
Lemma path_free n s k t : path n s k t -> k = 0 -> fst s = fst t.
Proof. induction 1; intros; auto; [|lia]. apply IHpath. lia. Qed.

End Paths.

(** A path's pushes are no more than its moves. *)
Lemma path_pushes nxt n s k t : path nxt Moves n s k t -> exists k', path nxt Pushes n s k' t /\ k' <= k.
Proof.
  induction 1 as [s|n w p q d k s Hq Iq _ (k' & P & K)|m n d s s1 u k L _ (k' & P & K)].
  - exists 0. split; [constructor | lia].
  - exists k'. split; [|lia]. exact (Walk nxt Pushes n w p q d k' s Hq Iq P).
  - exists (1 + k'). split; [|lia]. apply (Press nxt Pushes m n d s s1 u k'); [|easy].
    destruct L; [now apply One | easy].
Qed.

(** * The tests of one entry *)

Section Tests.

Variable floor : trie site.
Notation nxt := (nxt floor).
Hypothesis back : forall c d q, nxt c d = Some q -> nxt q (opposite d) = Some c.
Variable o : objective.

Lemma closed_next l r ok p d q : closed floor l r ok = true -> has p r = true -> ~ In p l ->
  nxt p d = Some q -> ~ In q l -> ok q = true.
Proof.
  intros H R P N Q. unfold Check.nxt in N. destruct (get p floor) as [s|] eqn:G; [|easy].
  apply (all_get _ _ _ _ H) in G. rewrite R in G. cbn [negb orb] in G.
  apply among_false in P. rewrite P, orb_false_r in G.
  rewrite forallb_forall in G. specialize (G d (ways_all d)). rewrite N in G.
  apply among_false in Q. now rewrite Q, orb_false_r in G.
Qed.

Lemma along_line ok d m s t : line nxt o d m s t -> forall fuel w p z y b q rest,
  s = (w, p) -> t = (z, y) -> nxt p d = Some b -> nxt b d = Some q ->
  (forall c, In c w <-> c = b \/ In c rest) -> ~ In b rest ->
  along floor o ok fuel d rest b q = true ->
  exists q', ok (insert q' rest) q' y = true /\ ~ In q' rest /\ forall c, In c z <-> c = q' \/ In c rest.
Proof.

  assert (forall w b q rest, ~ In q w -> (forall c, In c w <-> c = b \/ In c rest) -> ~ In b rest ->
    forall c, In c (map (swap b q) w) <-> c = q \/ In c rest) as swapped.
  { intros w b q rest Q W B c. rewrite in_map_iff. unfold swap. split.
    - intros (x & E & I). apply W in I. destruct (Pos.eqb_spec x b); intuition congruence.
    - intros [->|I].
      + exists b. rewrite Pos.eqb_refl. split; [easy | apply W; now left].
      + exists c. destruct (Pos.eqb_spec c b); [congruence | split; [easy | apply W; now right]]. }
  induction 1 as [s t P|m s t u M P L IH]; intros fuel w p z y b q rest -> -> Hb Hq W B A;
    inversion P as [? ? b' q' Hb' Ib Hq' Iq]; subst;
    rewrite Hb in Hb'; injection Hb' as <-; rewrite Hq in Hq'; injection Hq' as <-.
  - exists q. destruct fuel; cbn in A; apply andb_prop in A as [A _]; repeat split; auto;
      try (intros I; apply Iq, W; now right); now apply swapped.
  - assert (~ In q rest) as Q by (intros I; apply Iq, W; now right).
    destruct (line_part _ _ _ _ _ _ L _ _ _ _ eq_refl eq_refl) as (f & c & Hc & Ic & -> & _).
    assert (c = q) as -> by congruence.
    assert (exists q2, nxt q d = Some q2 /\ ~ In q2 (map (swap b q) w)) as (q2 & H2 & I2).
    { inversion L as [? ? P2|? ? ? ? _ P2]; subst; inversion P2; subst;
        match goal with H : nxt b d = Some ?x |- _ => assert (x = q) as -> by congruence end; eauto. }
    assert (among q2 rest = false) as N2
      by (apply among_false; intros I; apply I2, (swapped _ _ _ _ Iq W B); now right).
    destruct fuel; cbn in A; apply andb_prop in A as [_ A]; rewrite H2, N2 in A; cbn in A; [discriminate|].
    eapply IH; eauto.
Qed.

Lemma presses_line ok fuel l r p d m z y : presses floor o fuel ok l r = true -> has p r = true -> ~ In p l ->
  line nxt o d m (l, p) (z, y) ->
  exists l' q, ok l' q y = true /\ In q z /\ (forall c, In c z <-> In c l') /\ (NoDup l -> NoDup l').
Proof.
  intros H R P L. destruct (line_part _ _ _ _ _ _ L _ _ _ _ eq_refl eq_refl) as (f & b & Hb & Ib & -> & _).
  assert (exists q, nxt b d = Some q /\ ~ In q l) as (q & Hq & Iq).
  { inversion L as [? ? P2|? ? ? ? _ P2]; subst; inversion P2; subst;
      match goal with H : nxt p d = Some ?x |- _ => assert (x = b) as -> by congruence end; eauto. }
  unfold presses in H. rewrite forallb_forall in H. specialize (H b Ib).
  rewrite forallb_forall in H. specialize (H d (ways_all d)).
  rewrite (back _ _ _ Hb), Hq, R in H. cbn [negb orb] in H.
  assert (forall c, ~ In c l -> among c (without l [b]) = false) as out
    by (intros c C; apply among_false; rewrite in_without; tauto).
  rewrite (out p P), (out q Iq) in H. cbn [orb] in H.
  destruct (along_line ok _ _ _ _ L fuel l p (map f l) y b q (without l [b])) as (q' & K & Iq' & Z); auto.
  - intros c. rewrite in_without. cbn. destruct (Pos.eq_dec c b); intuition congruence.
  - rewrite in_without. cbn. tauto.
  - exists (insert q' (without l [b])), q'. split; [easy|]. split; [apply Z; now left|].
    split; [intros c; rewrite in_insert; apply Z|]. intros N.
    apply (Permutation_NoDup (Permutation_sym (insert_perm _ _))). constructor; [easy|].
    now apply NoDup_filter.
Qed.

(** * Tables *)

Variable fuel : nat.
Variable price : trie N.
Variable table : trie (entry bound).
Variable key : list positive -> positive -> positive.
Variable alone : list positive -> positive -> list (list positive).
Hypothesis counted : o <> Moves.
Hypothesis table_checked : table_ok floor o fuel price table key alone = true.

Definition home (l : list positive) : Prop := forall c, In c l -> get c price <> None.

Lemma entry_checked i e : get i table = Some e ->
  NoDup (group e) /\ (on_goals price (group e) = false \/ reached (said e) (sum (priced price) (group e)) = true)
  /\ closed floor (group e) (region e) (fun q => has q (region e)) = true
  /\ presses floor o fuel (after table key alone (said e)) (group e) (region e) = true.
Proof.
  intros G. apply (all_get _ _ _ _ table_checked) in G. unfold entry_ok in G.
  rewrite !andb_true_iff, orb_true_iff, negb_true_iff in G. intuition auto using ascending_nodup.
Qed.

Lemma home_on_goals l : home l -> on_goals price l = true.
Proof.
  intros H. apply forallb_forall. intros c C. specialize (H c C). now destruct (get c price).
Qed.

(** A group alone: its entry is at most what it costs to bring it home, prices included. *)
Definition entry_sound_for n := forall i e p k z y, get i table = Some e -> has p (region e) = true ->
  ~ In p (group e) -> path nxt o n (group e, p) k (z, y) -> home z ->
  reached (said e) (k + sum (priced price) z) = true.

(** Disjoint groups add up. *)
Lemma worth_by pack n : entry_sound_for n -> forall w p k z y, path nxt o n (w, p) k (z, y) -> NoDup w -> ~ In p w ->
  home z -> reached (worth table key pack w p) (k + sum (priced price) z) = true.
Proof.
  intros Entry.
  induction pack as [|g pack IH]; intros w p k z y P N C Z; cbn; [apply N.leb_le; lia|].
  destruct (look table key g p) as [b|] eqn:Lk; [|apply N.leb_le; lia].
  destruct (forallb (fun c => among c w) g) eqn:I; [|apply N.leb_le; lia].
  destruct (look_some _ _ _ _ _ Lk) as (i & e & G & <- & R & <-).
  destruct (entry_checked _ _ G) as (Ng & _).
  assert (incl (group e) w) as Ig.
  { rewrite forallb_forall in I. intros c Hc. now apply among_spec, I. }
  destruct (path_part _ _ _ _ _ _ P w p z y eq_refl eq_refl C) as (f & -> & F & _ & Q).
  assert (incl (without w (group e)) w) as Iw by (intros c; rewrite in_without; tauto).
  destruct (Q (group e) (without w (group e)) Ig Iw) as (kx & ky & Px & Py & Kx & K).
  { intros c Hc. rewrite in_without. tauto. }
  specialize (K counted).
  assert (NoDup (without w (group e))) as Nw by (apply NoDup_filter; exact N).
  assert (forall v, incl v w -> home (map f v)) as Hv
    by (intros v V c Hc; apply Z; revert Hc; now apply incl_map).
  assert (reached (said e) (kx + sum (priced price) (map f (group e))) = true) as A
    by (eapply Entry; eauto).
  assert (reached (worth table key pack (without w (group e)) p)
    (ky + sum (priced price) (map f (without w (group e)))) = true) as B.
  { eapply IH; eauto. }
  assert (sum (priced price) (map f (group e)) + sum (priced price) (map f (without w (group e)))
    <= sum (priced price) (map f w)) as S.
  { rewrite !sum_map.
    assert (forall h a b, sum h (a ++ b) = sum h a + sum h b) as app by (intros h a b; induction a; cbn; lia).
    rewrite <- app. apply sum_incl.
    - apply nodup_app; auto. intros c Hc. rewrite in_without. tauto.
    - intros c Hc. apply in_app_iff in Hc as [|]; auto. }
  destruct (said e), (worth table key pack (without w (group e)) p); cbn in *; try discriminate.
  rewrite !N.leb_le in *. lia.
Qed.

Lemma entry_sound n : entry_sound_for n.
Proof.
  induction n as [n IH] using lt_wf_ind. intros i e p k z y G R C P Z.
  destruct (entry_checked _ _ G) as (N & Paid & Cl & Pr).
  inversion P as [s|n' w p' q d k' s Hq Iq P'|m n' d s [z1 y1] u k' L P']; subst.
  - apply home_on_goals in Z. rewrite Z in Paid. now destruct Paid.
  - rewrite <- N.add_assoc. apply reached_le with (j := k' + sum (priced price) z); [|lia].
    apply (IH n') with (i := i) (p := q) (y := y); auto.
    exact (closed_next _ _ _ _ _ _ Cl R C Hq Iq).
  - pose proof (line_clear _ _ _ _ _ _ L) as C1. cbn in C1.
    pose proof (line_positive _ _ _ _ _ _ L) as M.
    destruct (presses_line _ _ _ _ _ _ _ _ _ Pr R C L) as (l' & q & A & Iq & Same & Nl).
    assert (forall e1 i1, get i1 table = Some e1 -> has y1 (region e1) = true -> incl (group e1) z1 ->
      reached (said e1) (k' + sum (priced price) z) = true) as found.
    { intros e1 i1 G1 R1 I1.
      destruct (path_sub _ _ _ _ _ _ _ _ _ P' C1 I1) as (f & kx & Px & K & F & ->).
      apply reached_le with (j := kx + sum (priced price) (map f (group e1))).
      - apply (IH n') with (i := i1) (p := y1) (y := y); auto; [lia|].
        intros c Hc. apply Z. revert Hc. now apply incl_map.
      - destruct (entry_checked _ _ G1) as (N1 & _). rewrite !sum_map.
        enough (sum (fun c => priced price (f c)) (group e1) <= sum (fun c => priced price (f c)) z1) by lia.
        now apply sum_incl. }
    assert (forall b, reached b (k' + sum (priced price) z) = true -> at_most (said e) (plus (Fin 1) b) = true ->
      reached (said e) (1 + (k' + sum (priced price) z)) = true) as one by (intros b B M1; now apply (reached_plus _ b)).
    rewrite <- N.add_assoc. unfold after in A.
    destruct (look table key l' y1) as [b|] eqn:Lk; [destruct (at_most (said e) (plus (Fin 1) b)) eqn:M1|].
    { destruct (look_some _ _ _ _ _ Lk) as (i1 & e1 & G1 & E1 & R1 & <-).
      apply (one (said e1)); [|easy]. apply (found _ _ G1 R1). rewrite E1. intros c Hc. now apply Same. }
    all: destruct (match look table key [q] y1 with Some Inf => true | _ => false end) eqn:Lq;
      [ destruct (look table key [q] y1) as [[|]|] eqn:Lq'; try discriminate;
        destruct (look_some _ _ _ _ _ Lq') as (i1 & e1 & G1 & E1 & R1 & V);
        assert (reached (said e1) (k' + sum (priced price) z) = true) as Bad
          by (apply (found _ _ G1 R1); rewrite E1; intros c [<-|[]]; easy);
        rewrite V in Bad; discriminate
      | apply (one (worth table key (alone l' y1) l' y1)); [|easy];
        assert (incl l' z1) as I1 by (intros c Hc; now apply Same);
        destruct (path_sub _ _ _ _ _ _ _ _ _ P' C1 I1) as (f & kx & Px & K & F & ->);
        apply reached_le with (j := kx + sum (priced price) (map f l'));
        [ apply (worth_by _ n') with (y := y); auto; [apply IH; lia | intros c Hc; apply Z; revert Hc; now apply incl_map]
        | rewrite !sum_map;
          enough (sum (fun c => priced price (f c)) l' <= sum (fun c => priced price (f c)) z1) by lia;
          apply sum_incl; auto ] ].
Qed.

Lemma worth_sound pack n : forall w p k z y, path nxt o n (w, p) k (z, y) -> NoDup w -> ~ In p w -> home z ->
  reached (worth table key pack w p) (k + sum (priced price) z) = true.
Proof. apply worth_by, entry_sound. Qed.

(** * Lists of states *)

End Tests.

(** * Boxes that never move again: the others go on as on the floor without their cells *)

Section Walls.

Variable floor : trie site.
Notation nxt := (nxt floor).
Hypothesis back : forall c d q, nxt c d = Some q -> nxt q (opposite d) = Some c.
Variable o : objective.
Variable gone : list positive.
Hypothesis gone_stay : stay floor gone = true.
Notation nxt' := (Check.nxt (cut gone (fun i => i) floor)).

Lemma get_cut t : forall number i, get i (cut gone number t) =
  match get i t with Some s => if among (number i) gone then None else Some (narrow gone s) | None => None end.
Proof.
  induction t as [|low IHl here high IHh]; intros number [i|i|]; cbn; try easy.
  - apply (IHh (fun j => number (xI j))).
  - apply (IHl (fun j => number (xO j))).
Qed.

Lemma nxt_cut c d q : nxt' c d = Some q <-> nxt c d = Some q /\ ~ In c gone /\ ~ In q gone.
Proof.
  unfold Check.nxt. rewrite get_cut. destruct (get c floor) as [s|]; [|split; easy].
  destruct (among c gone) eqn:C; [apply among_spec in C; split; [easy | tauto]|]. apply among_false in C.
  assert (edge (narrow gone s) d = match edge s d with Some x => if among x gone then None else Some x | None => None end)
    as -> by now destruct d.
  destruct (edge s d) as [x|]; [|split; easy]. destruct (among x gone) eqn:X.
  - apply among_spec in X. split; [easy|]. intros ([= ->] & _ & N). tauto.
  - apply among_false in X. split; [intros [= ->]; easy | intros (E & _); exact E].
Qed.

Lemma back_cut c d q : nxt' c d = Some q -> nxt' q (opposite d) = Some c.
Proof. rewrite !nxt_cut. intuition. Qed.

Lemma without_swap b q w : ~ In b gone -> ~ In q gone -> without (map (swap b q) w) gone = map (swap b q) (without w gone).
Proof.
  intros B Q. apply among_false in B, Q. unfold without. induction w as [|a w IH]; cbn; [easy|].
  replace (among (swap b q a) gone) with (among a gone).
  - destruct (among a gone); cbn; now rewrite IH.
  - unfold swap. destruct (Pos.eqb_spec a b); congruence.
Qed.

Lemma push_cut d w p z y : push nxt d (w, p) (z, y) -> incl gone w -> ~ In p w ->
  incl gone z /\ push nxt' d (without w gone, p) (without z gone, y).
Proof.
  inversion 1 as [? ? b q Hb Ib Hq Iq]; subst. intros I P.
  assert (~ In p gone) as Pg by (intros X; now apply P, I).
  assert (~ In q gone) as Qg by (intros X; now apply Iq, I).
  assert (~ In y gone) as Bg.
  { intros X. unfold stay in gone_stay. rewrite forallb_forall in gone_stay. specialize (gone_stay y X).
    assert (shut floor gone y d = false) as S1 by (unfold shut; rewrite Hq; now apply among_false).
    assert (shut floor gone y (opposite d) = false) as S2
      by (unfold shut; rewrite (back _ _ _ Hb); now apply among_false).
    destruct d; cbn [opposite] in S2; rewrite S1, S2 in gone_stay; cbn in gone_stay;
      rewrite ?andb_false_r in gone_stay; discriminate. }
  split.
  - intros c C. apply in_map_iff. exists c. unfold swap. destruct (Pos.eqb_spec c y); [congruence | auto].
  - rewrite without_swap by easy. constructor.
    + apply nxt_cut. auto.
    + now apply in_without.
    + apply nxt_cut. auto.
    + rewrite in_without. tauto.
Qed.

Lemma line_cut d m s t : line nxt o d m s t -> forall w p z y, s = (w, p) -> t = (z, y) -> incl gone w -> ~ In p w ->
  incl gone z /\ line nxt' o d m (without w gone, p) (without z gone, y).
Proof.
  induction 1 as [s t P|m s t u M P L IH]; intros w p z y -> E I N.
  - subst t. destruct (push_cut _ _ _ _ _ P I N) as [I' P']. split; [easy | now apply One].
  - destruct t as [w1 p1]. destruct (push_cut _ _ _ _ _ P I N) as [I' P'].
    destruct (IH _ _ _ _ eq_refl E I' (push_clear _ _ _ _ _ _ P)) as [I2 L2].
    split; [easy | eapply More; eauto].
Qed.

Lemma path_cut n s k t : path nxt o n s k t -> forall w p z y, s = (w, p) -> t = (z, y) -> incl gone w -> ~ In p w ->
  incl gone z /\ path nxt' o n (without w gone, p) k (without z gone, y).
Proof.
  induction 1 as [s|n w' p' q d k s Hq Iq _ IH|m n d s s1 u k L _ IH]; intros w p z y E1 E2 I N.
  - subst. injection E2 as <- <-. split; [easy | constructor].
  - injection E1 as -> ->. destruct (IH _ _ _ _ eq_refl E2 I Iq) as [I' P']. split; [easy|].
    apply (Walk nxt' o n _ p q d); [| |exact P'].
    + apply nxt_cut. repeat split; auto; intros X; apply I in X; tauto.
    + rewrite in_without. tauto.
  - subst s. destruct s1 as [w1 p1]. destruct (line_cut _ _ _ _ L _ _ _ _ eq_refl eq_refl I N) as [I' L'].
    destruct (IH _ _ _ _ eq_refl E2 I' (line_clear _ _ _ _ _ _ L)) as [I2 P2]. split; [easy | eapply Press; eauto].
Qed.

End Walls.

Section Lists.

Variable floor : trie site.
Notation nxt := (nxt floor).
Hypothesis back : forall c d q, nxt c d = Some q -> nxt q (opposite d) = Some c.
Variable o : objective.
Variable fuel : nat.
Variable enough : bound.
Variable finished : list positive -> bool.
Variable ahead : list positive -> positive -> N -> bool.
Variable list_of : trie (entry N).
Variable key : list positive -> positive -> positive.
Variable corrals : bool.
Variable dead : positive -> positive -> bool.
Variable area_of : positive -> option (trie unit).
Hypothesis list_checked : list_ok floor o fuel enough finished ahead list_of key corrals dead area_of = true.
Hypothesis corrals_pushes : corrals = true -> toll o = 0.
Hypothesis corrals_all : corrals = true -> forall l z, finished z = true -> incl l z -> finished l = true.
Hypothesis dead_sound : forall q b, dead q b = true -> forall n w k z y, path nxt o n (w, b) k (z, y) ->
  In q w -> ~ In b w -> finished z = true -> False.
(** [finished] asks only which cells hold boxes, and [ahead] is a bound. *)
Hypothesis finished_same : forall l w, (forall c, In c l <-> In c w) -> finished w = true -> finished l = true.
Hypothesis ahead_sound : forall n l p k z y c, path nxt o n (l, p) k (z, y) -> NoDup l -> ~ In p l ->
  finished z = true -> ahead l p c = true -> reached enough (c + k) = true.

(** ** Corrals: what can be the first action of a box around an area can be the very first *)

Section Corral.

Variable a : trie unit.
Variable ring : list positive.
Hypothesis free_walks : toll o = 0.
Hypothesis walled : forall c d q, has c a = true -> nxt c d = Some q -> has q a = true \/ In q ring.

Lemma stroll n w u x d k s : nxt u d = Some x -> ~ In x w -> path nxt o n (w, x) k s -> path nxt o (S n) (w, u) k s.
Proof.
  intros H I P. assert (k = toll o + k) as -> by (rewrite free_walks; lia). eapply Walk; eauto.
Qed.

Lemma outside u d q w : has u a = false -> ~ In u w -> incl ring w -> nxt u d = Some q -> has q a = false.
Proof.
  intros U N R E. destruct (has q a) eqn:Q; [|easy]. apply back in E.
  destruct (walled _ _ _ Q E) as [X|X]; [congruence | now apply R in X].
Qed.

Lemma swap_twice c q q' w : ~ In q w -> map (swap q q') (map (swap c q) w) = map (swap c q') w.
Proof.
  intros Q. rewrite map_map. apply map_ext_in. intros e I. unfold swap.
  destruct (Pos.eqb_spec e c); [now rewrite Pos.eqb_refl|]. destruct (Pos.eqb_spec e q); congruence.
Qed.

Lemma line_box d m w u t : line nxt o d m (w, u) t ->
  exists c q, nxt u d = Some c /\ In c w /\ nxt c d = Some q /\ ~ In q w.
Proof. inversion 1 as [? ? P|? ? ? ? _ P]; subst; inversion P; subst; eauto 7. Qed.

(** A line ends with its box before the player, who can walk to where he came from. *)
Lemma behind d m s t : line nxt o d m s t -> forall w u w1 u1 c, s = (w, u) -> t = (w1, u1) -> nxt u d = Some c ->
  exists q', nxt u1 d = Some q' /\ w1 = map (swap c q') w
    /\ forall n k r, path nxt o n (w1, u1) k r -> exists n', path nxt o n' (w1, u) k r.
Proof.
  induction 1 as [s t P|m s t r M P L IH]; intros w u w1 u1 c -> E Hc;
    try (change (id (o = Lines)) in M); subst; inversion P as [? ? b q Hb Ib Hq Iq]; subst; rewrite Hc in Hb; injection Hb as <-.
  - exists q. repeat split; auto. intros n k r Q. exists (S n). eapply stroll; eauto. exact (push_clear _ _ _ _ _ _ P).
  - destruct (IH _ _ _ _ q eq_refl eq_refl Hq) as (q' & E & -> & B). exists q'. rewrite (swap_twice _ _ _ _ Iq) in *.
    repeat split; auto. intros n k r Q. destruct (Pos.eq_dec q' c) as [->|D].
    + apply back in E, Hc. assert (u1 = u) as -> by congruence. eauto.
    + destruct (B _ _ _ Q) as (n' & Q'). exists (S n'). apply (stroll _ _ _ c d); auto.
      rewrite in_map_iff. unfold swap. intros (e & Y & J). destruct (Pos.eqb_spec e c); congruence.
Qed.

(** The cells of a line from the ring: of the area, or the first one again. The box ends on [q'], the player on [y]. *)
Inductive ray (d : way) (b : positive) : positive -> positive -> positive -> Prop :=
| Last c q : nxt c d = Some q -> has q a = true \/ q = b -> ray d b c q c
| Further c q q' y : o = Lines -> nxt c d = Some q -> has q a = true \/ q = b -> ray d b q q' y -> ray d b c q' y.

Lemma ray_end d b c q' y : ray d b c q' y -> has q' a = true \/ q' = b.
Proof. now induction 1. Qed.

Lemma ray_along d b c q' y ok rest : ray d b c q' y -> ~ In b rest -> (forall x, has x a = true -> ~ In x rest) ->
  forall m q, nxt c d = Some q -> along floor o ok m d rest c q = true -> ok (insert q' rest) q' y = true.
Proof.
  intros R B A. induction R as [c q E I|c q q' y M E I R IH]; intros m x X K; rewrite E in X; injection X as <-.
  - destruct m; cbn in K; now apply andb_prop in K as [K _].
  - assert (exists r, nxt q d = Some r /\ (has r a = true \/ r = b)) as (r & Er & Ir) by (inversion R; eauto).
    assert (among r rest = false) as N by (apply among_false; destruct Ir as [Ir| ->]; auto).
    destruct m as [|m]; cbn in K; apply andb_prop in K as [_ K]; rewrite Er, N in K; rewrite M in K at 1; [easy|].
    exact (IH _ _ Er K).
Qed.

(** A line of a box of the ring into the area goes on in the area. *)
Lemma ring_line d b m s t : line nxt o d m s t -> forall w u w1 u1 c, s = (w, u) -> t = (w1, u1) -> nxt u d = Some c ->
  c = b \/ has c a = true -> (forall q, nxt b d = Some q -> has q a = true) ->
  (forall x, In x ring -> has x a = false /\ (x = b \/ In x w)) -> exists q', ray d b c q' u1 /\ w1 = map (swap c q') w.
Proof.
  induction 1 as [s t P|m s t r M P L IH]; intros w u w1 u1 c -> E Hc C First R;
    try (change (id (o = Lines)) in M); subst; inversion P as [? ? b' q Hb Ib Hq Iq]; subst; rewrite Hc in Hb; injection Hb as <-.
  all: assert (has q a = true \/ q = b) as I by (destruct C as [->|C]; auto; destruct (walled _ _ _ C Hq) as [|X]; auto;
    apply R in X as [_ [|]]; auto; contradiction).
  - exists q. split; [now apply Last | easy].
  - destruct (IH _ _ _ _ q eq_refl eq_refl Hq) as (q' & Ray & ->); auto.
    + destruct I; auto.
    + intros x X. destruct (R x X) as [Xa [|Xw]]; auto. destruct (Pos.eq_dec x b) as [|D]; auto.
      split; auto. right. apply in_map_iff. exists x. unfold swap. destruct (Pos.eqb_spec x c); [|easy].
      destruct C; congruence.
    + exists q'. rewrite (swap_twice _ _ _ _ Iq). split; [|easy]. eapply Further; [exact M | eauto..].
Qed.

(** Another line before the first one of the ring is still one after it. *)
Lemma other_push d w u w1 u1 : push nxt d (w, u) (w1, u1) -> ~ In u1 ring -> (forall c, has c a = true -> ~ In c w) ->
  incl ring w -> (forall c, has c a = true -> ~ In c w1) /\ incl ring w1 /\ has u1 a = false /\
  forall b q, In b ring -> has q a = true \/ q = b -> push nxt d (map (swap b q) w, u) (map (swap b q) w1, u1).
Proof.
  intros P I A R. inversion P as [? ? c x Hc Ic Hx Ix]; subst.
  assert (has u1 a = false) as U1 by (destruct (has u1 a) eqn:X; [now apply A in X | easy]).
  assert (has x a = false) as Xa.
  { destruct (has x a) eqn:X; [|easy]. apply back in Hx. destruct (walled _ _ _ X Hx) as [Y|Y]; congruence. }
  split; [|split; [|split; [easy|]]].
  - intros c Hc'. rewrite in_map_iff. unfold swap. intros (e & E & J). destruct (Pos.eqb_spec e u1); [congruence|].
    subst. exact (A _ Hc' J).
  - intros c Hc'. apply in_map_iff. exists c. unfold swap. destruct (Pos.eqb_spec c u1); [congruence|]. auto.
  - intros b q B Q.
    assert (x <> b) as Xb by (intros ->; now apply Ix, R).
    assert (u1 <> b) as Ub by congruence.
    assert (q <> u1) as Qu by (destruct Q as [Q| ->]; [congruence | auto]).
    replace (map (swap b q) (map (swap u1 x) w)) with (map (swap u1 x) (map (swap b q) w)).
    + constructor; auto.
      * apply in_map_iff. exists u1. unfold swap. destruct (Pos.eqb_spec u1 b); [congruence | easy].
      * rewrite in_map_iff. unfold swap. intros (c & E & J). destruct (Pos.eqb_spec c b); [|congruence].
        destruct Q as [Q|Q]; congruence.
    + rewrite !map_map. apply map_ext_in. intros c J. unfold swap.
      destruct (Pos.eqb_spec c b) as [->|Cb].
      * destruct (Pos.eqb_spec q u1); [easy|]. destruct (Pos.eqb_spec b u1); [congruence|]. now rewrite Pos.eqb_refl.
      * destruct (Pos.eqb_spec c u1) as [->|Cu].
        -- destruct (Pos.eqb_spec x b); easy.
        -- destruct (Pos.eqb_spec c b); easy.
Qed.

Lemma other_line d m s t : line nxt o d m s t -> forall w u w1 u1 c, s = (w, u) -> t = (w1, u1) -> nxt u d = Some c ->
  ~ In c ring -> (forall c, has c a = true -> ~ In c w) -> incl ring w ->
  (forall c, has c a = true -> ~ In c w1) /\ incl ring w1 /\ has u1 a = false /\
  forall b q, In b ring -> has q a = true \/ q = b -> line nxt o d m (map (swap b q) w, u) (map (swap b q) w1, u1).
Proof.
  induction 1 as [s t P|m s [w2 u2] r M P L IH]; intros w u w1 u1 c -> E Hc I A R;
    try (change (id (o = Lines)) in M); subst; inversion P as [? ? b' x Hb Ib Hx Ix]; subst; rewrite Hc in Hb; injection Hb as <-;
    destruct (other_push _ _ _ _ _ P I A R) as (A1 & R1 & U1 & H).
  - repeat split; auto. intros b q B Q. apply One; auto.
  - destruct (IH _ _ _ _ x eq_refl eq_refl Hx) as (A2 & R2 & U2 & H2); auto.
    repeat split; auto. intros b q B Q. eapply More; [exact M | eauto..].
Qed.

Lemma early n s k t : path nxt o n s k t -> forall w u z y, s = (w, u) -> t = (z, y) -> ~ In u w -> has u a = false ->
  (forall c, has c a = true -> ~ In c w) -> incl ring w -> (incl ring z -> False) ->
  exists b d q v, In b ring /\ nxt v d = Some b /\ nxt b d = Some q /\ has v a = false /\ ~ In v ring /\ ~ In q ring
    /\ (exists m w1 k1, path nxt o m (w1, b) k1 (z, y) /\ In q w1 /\ ~ In b w1)
    /\ (has q a = true -> exists q' x n1 k1, ray d b b q' x /\ k = 1 + k1 /\ path nxt o n1 (map (swap b q') w, u) k1 (z, y)).
Proof.
  induction 1 as [s|n w' u' x d k s Hx Ix _ IH|m n d s [w1 u1] t k L P' IH]; intros w u z y E1 E2 N U A R Z.
  - subst. injection E2 as <- <-. easy.
  - injection E1 as -> ->. pose proof (outside _ _ _ _ U N R Hx) as X.
    destruct (IH w x z y eq_refl E2 Ix X A R Z) as (b & e & q & v & B & V & Q & Va & Vr & Qr & D & P).
    exists b, e, q, v. repeat split; auto. intros H. destruct (P H) as (q' & x' & n1 & k1 & Ray & -> & P1).
    exists q', x', (S n1), k1. subst s. split; [easy|]. split; [rewrite free_walks; lia|].
    apply (stroll _ _ _ x d); auto. rewrite in_map_iff. unfold swap. intros (c & E & I).
    destruct (Pos.eqb_spec c b); [|congruence]. destruct (ray_end _ _ _ _ _ Ray); congruence.
  - subst. pose proof (line_clear _ _ _ _ _ _ L) as C1. cbn in C1.
    destruct (line_box _ _ _ _ _ L) as (c & x & Hc & Ic & Hx & Ix).
    destruct (in_dec Pos.eq_dec c ring) as [I|I].
    + exists c, d, x, u. do 4 (split; [easy|]).
      split; [intros X; apply N, R, X|]. split; [intros X; apply Ix, R, X|]. split.
      * assert (In x (map (swap c x) w)) as J
          by (apply in_map_iff; exists c; unfold swap; now rewrite Pos.eqb_refl).
        inversion L as [? ? P|m1 ? r ? M P L1]; try (change (id (o = Lines)) in M); subst; inversion P as [? ? c' x' Hc' ? Hx' ?]; subst;
          rewrite Hc in Hc'; injection Hc' as <-; rewrite Hx in Hx'; injection Hx' as <-.
        -- exists n, (map (swap c x) w), k. repeat split; auto.
        -- exists (m1 + n)%nat, (map (swap c x) w), (1 + k). repeat split; auto; [eapply Press; eauto|].
           exact (push_clear _ _ _ _ _ _ P).
      * intros H. destruct (ring_line d c _ _ _ L _ _ _ _ c eq_refl eq_refl Hc) as (q' & Ray & ->); auto.
        { intros q Q. congruence. }
        { intros e J. split; [|auto]. destruct (has e a) eqn:X; [|easy]. now apply A in X; apply R in J. }
        destruct (behind _ _ _ _ L _ _ _ _ c eq_refl eq_refl Hc) as (_ & _ & _ & B).
        destruct (B _ _ _ P') as (n' & P1). exists q', u1, n', k. auto.
    + destruct (other_line _ _ _ _ L _ _ _ _ c eq_refl eq_refl Hc I A R) as (A1 & R1 & U1 & H).
      destruct (IH _ _ z y eq_refl eq_refl C1 U1 A1 R1 Z) as (b & e & q & v & B & V & Q & Va & Vr & Qr & D & P).
      exists b, e, q, v. repeat split; auto. intros J. destruct (P J) as (q' & x' & n1 & k1 & Ray & -> & P2).
      exists q', x', (m + n1)%nat, (1 + k1). repeat split; auto.
      eapply Press; [|exact P2]. apply H; auto. exact (ray_end _ _ _ _ _ Ray).
Qed.

End Corral.

Lemma get_put c i : forall t, get c (put i t) = if Pos.eqb c i then Some tt else get c t.
Proof.
  revert c. induction i as [i IH|i IH|]; intros [c|c|] [|low here high]; cbn; auto; try (rewrite IH; destruct (Pos.eqb c i); auto);
    now destruct c.
Qed.

Lemma has_put_all more seen c : has c (fold_right put seen more) = true <-> In c more \/ has c seen = true.
Proof.
  induction more as [|x more IH]; cbn; [intuition|]. unfold has at 1. rewrite get_put.
  destruct (Pos.eqb_spec c x) as [->|D]; [intuition|]. fold (has c (fold_right put seen more)). rewrite IH. intuition congruence.
Qed.

(** A walk from [b] leads to all cells of a flood. *)
Lemma flood_sound l b m : toll o = 0 -> forall todo seen,
  (forall c, In c todo -> has c seen = true) ->
  (forall c, has c seen = true -> forall n k t, path nxt o n (l, c) k t -> exists n', path nxt o n' (l, b) k t) ->
  forall c, has c (flood floor m l todo seen) = true ->
  forall n k t, path nxt o n (l, c) k t -> exists n', path nxt o n' (l, b) k t.
Proof.
  intros M. induction m as [|m IH]; intros todo seen T S; [exact S|]. destruct todo as [|x todo]; [exact S|].
  cbn [flood]. set (more := filter _ _). intros c0 C0. apply (IH (more ++ todo) (fold_right put seen more)); [| |exact C0].
  - intros c C. apply has_put_all. apply in_app_iff in C as [C|C]; auto. right. apply T. now right.
  - intros c C. apply has_put_all in C as [C|C]; [|exact (S c C)]. apply filter_In in C as [C F].
    apply in_flat_map in C as (d & _ & C). destruct (nxt x d) as [q|] eqn:Q; [|easy]. destruct C as [->|[]].
    apply andb_prop in F as [_ F]. apply negb_true_iff, among_false in F.
    intros n k t P. apply (S x) with (n := (1 + n)%nat); [apply T; now left|].
    exact (stroll M n l x c d k t Q F P).
Qed.

(** ** Lists *)

Definition listed_sound_for n k := forall i e p z y, get i list_of = Some e -> has p (region e) = true ->
  ~ In p (group e) -> path nxt o n (group e, p) k (z, y) -> finished z = true -> reached enough (said e + k) = true.

Lemma covered_by n k l p z y c : listed_sound_for n k -> path nxt o n (l, p) k (z, y) -> NoDup l -> ~ In p l ->
  finished z = true -> covered ahead list_of key c l p = true -> reached enough (c + k) = true.
Proof.
  intros IH P N C Z Cov. unfold covered in Cov. destruct (look list_of key l p) as [c'|] eqn:Lk; [|eauto].
  apply N.leb_le in Cov. destruct (look_some _ _ _ _ _ Lk) as (i & e & G & <- & R & <-).
  apply reached_le with (j := said e + k); [|lia]. eapply IH; eauto.
Qed.

Lemma swap_same b q l c : In b l ->
  (In c (insert q (without l [b])) <-> In c (map (swap b q) l)).
Proof.
  intros B. rewrite in_insert, in_without, in_map_iff. unfold swap. cbn. split.
  - intros [->|[I D]]; [exists b; now rewrite Pos.eqb_refl|].
    exists c. destruct (Pos.eqb_spec c b); [subst; tauto | easy].
  - intros (x & E & I). destruct (Pos.eqb_spec x b); [now left | subst; right; intuition congruence].
Qed.

Lemma corral_sound k : (forall n k', k' < k -> listed_sound_for n k') -> forall n a e p z y,
  corral_ok floor o fuel finished ahead list_of key corrals dead a e = true -> has p (region e) = true ->
  ~ In p (group e) -> NoDup (group e) -> path nxt o n (group e, p) k (z, y) -> finished z = true ->
  reached enough (said e + k) = true.
Proof.
  intros IH n a e p z y Ok R C N P Z. unfold corral_ok in Ok. rewrite !andb_true_iff, negb_true_iff in Ok.
  destruct Ok as [[[Co En] F] Ok]. pose proof (corrals_pushes Co) as T. set (l := group e) in *. set (ring := around floor a l) in *.
  assert (forall c, In c ring <-> In c l /\ exists d q, nxt c d = Some q /\ has q a = true) as ring_spec.
  { intros c. unfold ring, around. rewrite filter_In, existsb_exists. split; intros [I J]; split; auto.
    - destruct J as (d & _ & J). destruct (nxt c d) as [q|] eqn:E; [|easy]. eauto.
    - destruct J as (d & q & E & J). exists d. rewrite E. split; [apply ways_all | easy]. }
  assert (forall c, has c a = true -> ~ In c l /\ has c (region e) = false /\
    forall d q, nxt c d = Some q -> has q a = true \/ In q l) as enc.
  { intros c H. unfold has in H. destruct (get c a) as [u|] eqn:G; [|easy]. apply (all_get _ _ _ _ En) in G.
    rewrite !andb_true_iff, !negb_true_iff, among_false in G. destruct G as [[G1 G2] G3]. repeat split; auto.
    intros d q E. rewrite forallb_forall in G3. specialize (G3 d (ways_all d)). rewrite E in G3.
    apply orb_prop in G3 as [|G3]; auto. right. now apply among_spec. }
  assert (forall c d q, has c a = true -> nxt c d = Some q -> has q a = true \/ In q ring) as walled.
  { intros c d q H E. destruct (enc _ H) as (_ & _ & X). destruct (X _ _ E) as [|I]; auto. right. apply ring_spec.
    split; auto. exists (opposite d), c. split; auto. }
  assert (has p a = false) as Pa by (destruct (has p a) eqn:X; [destruct (enc _ X) as (_ & Y & _); congruence | easy]).
  destruct (early a ring T walled n _ k _ P l p z y eq_refl eq_refl C Pa) as (b & d & q & v & B & V & Q & Va & Vr & Qr & D & E).
  { intros c H. apply (enc _ H). }
  { intros c H. now apply ring_spec. }
  { intros H. rewrite (corrals_all Co ring z Z H) in F. easy. }
  rewrite forallb_forall in Ok. specialize (Ok b B). rewrite forallb_forall in Ok. specialize (Ok d (ways_all d)).
  rewrite (back _ _ _ V), Q, Va in Ok. apply among_false in Vr, Qr. rewrite Vr, Qr in Ok. cbn [orb] in Ok.
  apply orb_prop in Ok as [Dead|Ok].
  { exfalso. destruct D as (m & w1 & k1 & P1 & I1 & I2). exact (dead_sound _ _ Dead _ _ _ _ _ P1 I1 I2 Z). }
  rewrite !andb_true_iff in Ok. destruct Ok as [[_ Qa] Ok].
  destruct (E Qa) as (q' & h & n1 & k1 & Ray & -> & P1). apply ring_spec in B as [B _].
  apply (ray_along a d b b q' h _ _ Ray) in Ok; [|rewrite in_without; cbn; tauto | | exact Q].
  2: { intros c H. rewrite in_without. intros [I _]. now apply (enc _ H). }
  unfold opened in Ok. rewrite !andb_true_iff, negb_true_iff, among_false in Ok. destruct Ok as [[Xl Cov] Joined].
  assert (~ In q' (without l [b])) as Ql.
  { rewrite in_without. intros [I J]. destruct (ray_end _ _ _ _ _ _ Ray) as [H| ->]; [now apply (enc _ H) | apply J; now left]. }
  set (l' := insert q' (without l [b])) in *.
  assert (forall c, In c l' <-> In c (map (swap b q') l)) as Same by (intros c; now apply swap_same).
  assert (~ In p (map (swap b q') l)) as Pl.
  { rewrite <- Same. unfold l'. rewrite in_insert, in_without. intros [->|[I _]]; [|easy].
    destruct (ray_end _ _ _ _ _ _ Ray) as [H|H]; congruence. }
  assert (NoDup l') as Nl.
  { apply (Permutation_NoDup (Permutation_sym (insert_perm _ _))). constructor; [easy|]. now apply NoDup_filter. }
  destruct (path_sub _ _ _ _ _ _ _ _ l' P1 Pl) as (f & kx & Px & K & F' & Ez); [intros c; apply Same|].
  unfold has in R. destruct (get p (region e)) as [u|] eqn:G; [|easy]. apply (all_get _ _ _ _ Joined) in G.
  apply orb_prop in G as [G|G]; [now apply among_spec in G|].
  destruct (flood_sound l' h fuel T [h] (put h Leaf)) with (c := p) (n := n1) (k := kx) (t := (map f l', y)) as (n' & P2); auto.
  { intros c [<-|[]]. unfold has. now rewrite get_put, Pos.eqb_refl. }
  { intros c H m j t P2. unfold has in H. rewrite get_put in H. destruct (Pos.eqb_spec c h) as [E1|]; [subst; eauto|].
    now destruct c. }
  apply reached_le with (j := said e + 1 + kx); [|lia].
  apply (covered_by n' kx l' h (map f l') y); auto; [apply IH; lia|].
  apply finished_same with z; [|easy]. rewrite Ez.
  intros c. rewrite !in_map_iff. now split; intros (x & Ex & I); exists x; split; try apply Same.
Qed.

Lemma listed_sound k : forall n, listed_sound_for n k.
Proof.
  induction k as [k IHk] using (well_founded_induction N.lt_wf_0).
  enough (forall n j, j <= k -> listed_sound_for n j) by (intros n; now apply H).
  induction n as [n IH] using lt_wf_ind. intros j J. destruct (N.eq_dec j k) as [->|]; [clear J|apply IHk; lia].
  intros i e p z y G R C P Z.
  pose proof (all_get _ _ _ _ list_checked G) as Ok. unfold state_ok in Ok.
  apply orb_prop in Ok as [Ok|Ok]; [apply reached_le with (j := said e); [easy | lia]|].
  rewrite !andb_true_iff, negb_true_iff in Ok. destruct Ok as [[[A F] Cl] Pr]. apply ascending_nodup in A.
  destruct (area_of i) as [a|].
  { apply (corral_sound k) with (n := n) (a := a) (p := p) (z := z) (y := y); auto. }
  inversion P as [s|n' w p' q d k' s Hq Iq P'|m n' d s [z1 y1] u k' L P']; subst.
  - congruence.
  - pose proof (closed_next _ _ _ _ _ _ _ Cl R C Hq Iq) as W. unfold walk_ok in W. unfold toll in *.
    assert (o = Moves \/ toll o = 0 /\ has q (region e) = true) as [M|[T W']]
      by (unfold toll; destruct o; auto).
    + rewrite M in W |- *. rewrite N.add_assoc. eapply (covered_by n' k'); eauto. apply IH; [lia|].
      destruct o; lia.
    + unfold toll in T. rewrite T. rewrite N.add_0_l. eapply (IH n'); eauto. lia.
  - pose proof (line_clear _ _ _ _ _ _ L) as C1. cbn in C1.
    pose proof (line_positive _ _ _ _ _ _ L) as M.
    destruct (presses_line _ back _ _ _ _ _ _ _ _ _ _ Pr R C L) as (l' & q & Cov & Iq & Same & N').
    rewrite N.add_assoc.
    assert (incl l' z1) as I1 by (intros c Hc; now apply Same).
    destruct (path_sub _ _ _ _ _ _ _ _ _ P' C1 I1) as (f & kx & Px & K & F' & ->).
    apply reached_le with (j := said e + 1 + kx); [|lia].
    apply (covered_by n' kx l' y1 (map f l') y); auto; [apply IHk; lia|].
    apply finished_same with (map f z1); [|easy].
    intros c. rewrite !in_map_iff. now split; intros (x & E & I); exists x; split; try apply Same.
Qed.

Lemma covered_sound n l p k z y c : path nxt o n (l, p) k (z, y) -> NoDup l -> ~ In p l ->
  finished z = true -> covered ahead list_of key c l p = true -> reached enough (c + k) = true.
Proof. apply covered_by. exact (listed_sound k n). Qed.

End Lists.

(** * Lists of states for a tie-break *)

Lemma path_letters nxt n s k t : path nxt Pushes n s k t -> k <= N.of_nat n.
Proof.
  induction 1 as [s|n w p q d k s _ _ _ IH|m n d s s1 u k L _ IH]; [lia | cbn; lia|].
  pose proof (line_positive _ _ _ _ _ _ L). lia.
Qed.

Section Ties.

Variable floor : trie site.
Notation nxt := (nxt floor).
Variable least fewest moves : N.
Variable finished : list positive -> bool.
Variable before : list positive -> positive -> N * N -> bool.
Variable stops : trie stop.
Variable key : list positive -> positive -> positive.
Notation no_cheaper := (no_cheaper least fewest moves).
Hypothesis stops_checked : stops_ok floor least fewest moves finished before stops key = true.
Hypothesis finished_same : forall l w, (forall c, In c l <-> In c w) -> finished w = true -> finished l = true.
Hypothesis before_sound : forall n l p k z y a m, path nxt Pushes n (l, p) k (z, y) -> NoDup l -> ~ In p l ->
  finished z = true -> before l p (a, m) = true -> no_cheaper (a + k) (m + N.of_nat n) = true.

Lemma no_cheaper_le k n k' n' : no_cheaper k n = true -> k <= k' -> n <= n' -> no_cheaper k' n' = true.
Proof.
  unfold Check.no_cheaper. rewrite !orb_true_iff, !andb_true_iff, !N.ltb_lt, !N.leb_le. lia.
Qed.

Definition stop_sound_for n := forall i e p d k z y, get i stops = Some e -> get p (steps e) = Some d ->
  ~ In p (spot e) -> path nxt Pushes n (spot e, p) k (z, y) -> finished z = true ->
  no_cheaper (fst (spent e) + k) (snd (spent e) + d + N.of_nat n) = true.

Lemma arrived_by n l p k z y a m : stop_sound_for n -> path nxt Pushes n (l, p) k (z, y) -> NoDup l -> ~ In p l ->
  finished z = true -> arrived least fewest before stops key (a, m) l p = true ->
  no_cheaper (a + k) (m + N.of_nat n) = true.
Proof.
  intros IH P N C Z A. unfold arrived, look_stop in A. destruct (get (key l p) stops) as [e|] eqn:G; [|eauto].
  destruct (equal (spot e) l) eqn:E; [|eauto]. apply equal_eq in E. subst l.
  destruct (get p (steps e)) as [d|] eqn:D; [|eauto].
  pose proof (IH _ _ _ _ _ _ _ G D C P Z) as H. unfold no_worse in A. cbn [fst snd] in A.
  unfold Check.no_cheaper in *.
  rewrite !orb_true_iff, !andb_true_iff, !N.ltb_lt, !N.leb_le in *. lia.
Qed.

Lemma stop_sound n : stop_sound_for n.
Proof.
  induction n as [n IH] using lt_wf_ind. intros i e p d k z y G D C P Z.
  pose proof (all_get _ _ _ _ stops_checked G) as Ok. unfold stop_ok in Ok.
  apply orb_prop in Ok as [Ok|Ok]; [apply no_cheaper_le with (1 := Ok); lia|].
  rewrite !andb_true_iff, negb_true_iff in Ok. destruct Ok as [[A F] W]. apply ascending_nodup in A.
  apply (all_get _ _ _ _ W) in D as Wp. pose proof C as C'. apply among_false in C'. rewrite C' in Wp. cbn [orb] in Wp.
  rewrite forallb_forall in Wp.
  inversion P as [s|n' w p' q v k' s Hq Iq P'|m n' v s [z1 y1] u k' L P']; subst.
  - congruence.
  - specialize (Wp v (ways_all v)). unfold goes in Wp. rewrite Hq in Wp. apply among_false in Iq as Iq'. rewrite Iq' in Wp.
    destruct (get q (steps e)) as [d'|] eqn:D'; [|easy]. apply N.leb_le in Wp.
    apply no_cheaper_le with (k := fst (spent e) + k') (n := snd (spent e) + d' + N.of_nat n'); [|cbn; lia|lia].
    apply (IH n') with (i := i) (p := q) (z := z) (y := y); auto.
  - inversion L as [? ? P1|? ? ? ? M]; [|easy]. subst. pose proof (push_clear _ _ _ _ _ _ P1) as C1.
    inversion P1 as [? ? b q Hb Ib Hq Iq]; subst.
    specialize (Wp v (ways_all v)). unfold goes in Wp. rewrite Hb in Wp. apply among_spec in Ib as Ib'.
    rewrite Ib', Hq in Wp. apply among_false in Iq as Iq'. rewrite Iq' in Wp. cbn [orb] in Wp.
    set (l' := insert q (without (spot e) [y1])) in *.
    assert (forall c, In c l' <-> In c (map (swap y1 q) (spot e))) as Same by (intros c; now apply swap_same).
    assert (NoDup l') as Nl.
    { apply (Permutation_NoDup (Permutation_sym (insert_perm _ _))). constructor; [rewrite in_without; tauto|].
      now apply NoDup_filter. }
    destruct (path_sub _ _ _ _ _ _ _ _ l' P' C1) as (f & kx & Px & K & _ & Ez); [intros c; apply Same|].
    apply no_cheaper_le with (k := fst (spent e) + 1 + kx) (n := snd (spent e) + d + 1 + N.of_nat n'); [|lia|lia].
    apply (arrived_by n' l' y1 kx (map f l') y); auto.
    { exact (fun X => C1 (proj1 (Same _) X)). }
    apply finished_same with z; [|easy]. rewrite Ez.
    intros c. rewrite !in_map_iff. now split; intros (x & Ex & I); exists x; split; try apply Same.
Qed.

Lemma arrived_sound n l p k z y a m : path nxt Pushes n (l, p) k (z, y) -> NoDup l -> ~ In p l -> finished z = true ->
  arrived least fewest before stops key (a, m) l p = true -> no_cheaper (a + k) (m + N.of_nat n) = true.
Proof. apply arrived_by, stop_sound. Qed.

End Ties.
