//! How much of a family a residency maps (R5), and what is taken to hold of the sizes.

use super::condition::When;
use super::inputs::Inputs;
use super::model::{Candidate, MappedExtent, Refused};
use super::spans::Run;
use crate::analysis::arrays::object_extent;
use crate::analysis::movement::family::Naming;
use crate::analysis::movement::placement::ResidencySpan;
use crate::reasons::{Ends, Reason, Sizes};
use crate::symbolic::{Expr, Facts, Section, Sym};

impl Inputs<'_> {
    /// What the residency maps: the hull of the kernels' own sections, else the whole object (R5).
    pub(super) fn extent(
        &self,
        candidate: &Candidate,
        run: Run,
        naming: &Naming,
        span: &ResidencySpan,
        when: &When,
    ) -> Result<MappedExtent, Refused> {
        let model = self.model;
        let refuse = |reason: Reason| Refused {
            stmt: run.first,
            reason,
        };
        let cells = naming.at(span.entry).iter();
        let sizes: Vec<Option<Section>> = cells.map(|b| object_extent(model, *b, candidate.element)).collect();
        let known: Vec<&Section> = sizes.iter().flatten().collect();
        if known.windows(2).any(|two| two[0] != two[1]) {
            return Err(refuse(Ends::TradedSizes.into()));
        }
        // Where one of them may have any size, kernels' maps say what there is.
        let object = known
            .first()
            .filter(|_| known.len() == sizes.len())
            .map(|o| (*o).clone());
        let mut hull: Option<Section> = None;
        let mut fits = true;
        let mut facts = Facts::new();
        if let Some(o) = &object {
            facts = self.facts(o, Some(run));
        }
        when.assume(&mut facts);
        let mut all = Vec::new();
        let mut moves = false;
        for &start in candidate
            .launches
            .iter()
            .filter(|l| run.encloses(model, self.start(**l)))
        {
            for section in self.sections_of(candidate, start, object.as_ref())? {
                let section = self.over_loops(section, start, run, when);
                match self.first_and_most(&section, start, run, object.as_ref(), &facts) {
                    Some(more) => {
                        moves = true;
                        all.push(more);
                    }
                    None => all.push(section),
                }
            }
        }
        for section in &all {
            hull = Some(match hull {
                None => section.clone(),
                Some(h) if h == *section => h,
                Some(h) => h
                    .merge(section, &facts)
                    .or_else(|| {
                        fits = false;
                        object.clone()
                    })
                    .ok_or_else(|| refuse(Sizes::NotComparable.into()))?,
            });
        }
        let hull = self.with_choices(candidate, run, hull, object.as_ref(), &facts)?;
        let extent = match (hull, &object) {
            (Some(h), _) => h,
            (None, Some(o)) => o.clone(),
            (None, None) => return Err(refuse(Sizes::Unknown.into())),
        };
        let whole = object.as_ref() == Some(&extent);
        let uniform = !moves && all.iter().all(|s| *s == extent);
        Ok(MappedExtent {
            section: extent,
            whole,
            uniform,
            hull: fits && !moves,
        })
    }

    /// What is mapped, where some calls may map other arrays instead ([`Inputs::perhaps_mapped`]): as much as without them,
    /// or all of the object. Nothing says that there is more.
    fn with_choices(
        &self,
        candidate: &Candidate,
        run: Run,
        hull: Option<Section>,
        object: Option<&Section>,
        facts: &Facts,
    ) -> Result<Option<Section>, Refused> {
        let mut whole = hull;
        for &start in &candidate.launches {
            if !run.encloses(self.model, self.start(start)) {
                continue;
            }
            for section in self.perhaps_mapped(candidate, start)? {
                if whole.as_ref().is_some_and(|w| w.provably_covers(&section, facts)) {
                    continue;
                }
                whole = Some(object.cloned().ok_or_else(|| Refused {
                    stmt: self.start(start),
                    reason: Sizes::FewerElements.into(),
                })?);
            }
        }
        Ok(whole)
    }

    /// What a kernel maps the first time, where it maps at most that in all iterations of the loops around it in a run:
    /// `a[0:total]` for `a[0:n]`, if `n` begins with `total` and only falls. All of that must exist, whether a loop runs or
    /// not.
    fn first_and_most(
        &self,
        section: &Section,
        start: usize,
        run: Run,
        object: Option<&Section>,
        facts: &Facts,
    ) -> Option<Section> {
        let around = self.model.tree.ancestors(self.start(start)).skip(1);
        let mut all = section.clone();
        for stmt in around.take_while(|s| run.encloses(self.model, *s)) {
            let monotone = self.model.loops.get(stmt).and_then(|l| l.monotone.as_ref());
            if let Some(m) = monotone.filter(|m| all.mentions(m.sym)) {
                all = m.at_first(&all, facts).filter(|_| self.each_iteration(stmt, start))?;
            }
        }
        let exists = || object.is_some_and(|o| o.provably_covers(&all, facts));
        (all != *section && exists()).then_some(all)
    }

    /// Whether all that updates in called functions copy is mapped by a residency (R5), and by kernels that pay for it.
    /// What has a negative length lies nowhere: where the array is present, an update of it ends the program.
    pub(super) fn covers_updates(
        &self,
        candidate: &Candidate,
        run: Run,
        extent: &Section,
        uniform: bool,
    ) -> Result<(), Refused> {
        let facts = self.facts(extent, Some(run));
        let covers = |all: &[Section], s: &Section| all.iter().all(|k| k.provably_covers(s, &facts));
        let object = object_extent(self.model, candidate.bases[0], candidate.element);
        for &start in &candidate.launches {
            let Some(call) = self.call(start).filter(|call| run.encloses(self.model, call.stmt)) else {
                continue;
            };
            let uses = self.used_by_call(candidate, start);
            for updates in uses.iter().filter_map(|u| u.updates.as_ref()) {
                let copied = updates.sections.as_deref();
                let lies_inside = |s: &Section| facts.prove_le(&s.lo, &s.hi) && extent.provably_covers(s, &facts);
                let callee = call.callee.clone();
                let reason = if !copied.is_some_and(|all| all.iter().all(lies_inside)) {
                    Sizes::UpdatesMore { callee }
                } else if uniform {
                    continue;
                } else {
                    let kernels = self.sections(candidate, run, object.as_ref())?;
                    if copied.unwrap_or_default().iter().all(|s| covers(&kernels, s)) {
                        continue;
                    }
                    Sizes::UpdatesOthers { callee }
                };
                return Err(Refused {
                    stmt: call.stmt,
                    reason: reason.into(),
                });
            }
        }
        Ok(())
    }

    /// What surely holds where `extent` is mapped. It has a length, so that sizes that it is a product of are not negative; of the
    /// summands of a sum (`v[0:n+k]`) one may well be. Loops around a run have an iteration where there is a residency of it;
    /// what is known of the counters of others only those learn who ask about them.
    pub(super) fn facts(&self, extent: &Section, run: Option<Run>) -> Facts {
        // All that depends on a run is which loops are around it.
        let asked = (extent.clone(), run.map(|run| self.model.tree.stmt(run.first).parent));
        if let Some(known) = self.sizes.borrow().get(&asked) {
            return known.clone();
        }
        let found = self.facts_of(extent, run);
        self.sizes.borrow_mut().insert(asked, found.clone());
        found
    }

    /// [`Inputs::facts`], found anew.
    fn facts_of(&self, extent: &Section, run: Option<Run>) -> Facts {
        let length = extent.len().filter(|_| extent.lo.as_constant().is_some());
        let is_factor = |s: Sym| {
            length.as_ref().is_some_and(|length| {
                let mut products = length.terms().iter().filter(|t| t.coeff > 0 && t.monomial.degree() > 1);
                products.any(|t| Expr::from_term(t.clone()).symbols().contains(&s))
            })
        };
        // What is certain first. What would contradict it is not so here, and with it anything could be proved.
        let mut facts = self.known_on_entry();
        let zero = Expr::constant(0);
        let take = |facts: &mut Facts, less: &Expr, more: &Expr| {
            let possible = !facts.prove_lt(more, less);
            if possible {
                facts.assume_le(less, more);
            }
            possible
        };
        take(&mut facts, &extent.lo, &extent.hi);
        let mut symbols = extent.hi.symbols();
        symbols.extend(extent.lo.symbols());
        for s in symbols.into_iter().filter(|s| is_factor(*s)) {
            take(&mut facts, &zero, &Expr::sym(s));
        }
        let loops = self.model.tree.loops_of(self.model.tree_function).into_iter();
        for id in loops.filter(|s| self.model.coarse.cond_of(*s).is_some()) {
            if let Some(l) = self.model.loops.get(id) {
                let around = run.is_some_and(|run| run.first != id && self.model.tree.encloses(id, run.first));
                l.know_index(around, &mut facts);
            }
        }
        facts
    }
}
