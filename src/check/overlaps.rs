//! List items of one construct that share elements (OMM111).
//!
//! ```c
//! #pragma omp target … map(tofrom: a[0:n]) map(tofrom: a[n / 2:n])      // a[n/2] is in both, where there is anything in them
//! ```
//!
//! An item that stands there twice is allowed (OpenMP 5.1, section 2.21.7.1).

use super::directives::{FunctionDirectives, RequestedItem, Requests};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::Base;
use crate::openmp::map::Moment;
use crate::source::Span;
use crate::symbolic::Facts;

/// The arrays of which two items of a directive name the same elements.
pub fn overlapping(model: &FunctionModel<'_>, directives: &FunctionDirectives) -> Vec<(Span, Base)> {
    let data = directives.data.iter().map(|d| (d.span, &d.requests));
    let launches = model
        .constructs
        .launches
        .iter()
        .map(|l| model.tree.pragma(l.pragma).span);
    let all = data.chain(launches.zip(&directives.kernels));
    all.flat_map(|(span, requests)| shared(requests).into_iter().map(move |base| (span, base)))
        .collect()
}

fn shared(requests: &Requests) -> Vec<Base> {
    let maps: Vec<&RequestedItem> = requests
        .items
        .iter()
        .filter(|i| !matches!(i.request.moment, Moment::UpdateTo | Moment::UpdateFrom))
        .collect();
    let mut found = Vec::new();
    for (at, item) in maps.iter().enumerate() {
        if maps[at + 1..].iter().any(|other| meet(item, other)) && !found.contains(&item.base) {
            found.push(item.base);
        }
    }
    found
}

/// Whether two items name the same element, if they name any.
fn meet(a: &RequestedItem, b: &RequestedItem) -> bool {
    let (Some(x), Some(y)) = (&a.section, &b.section) else {
        return false;
    };
    if a.base != b.base || x == y {
        return false;
    }
    let mut facts = Facts::new();
    facts.assume_lt(&x.lo, &x.hi);
    facts.assume_lt(&y.lo, &y.hi);
    facts.prove_lt(&x.lo, &y.hi) && facts.prove_lt(&y.lo, &x.hi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::MapType;
    use crate::openmp::map::MapRequest;
    use crate::program::ir::VarId;
    use crate::symbolic::{Expr, Section, Sym};

    fn item(lo: Expr, hi: Expr) -> RequestedItem {
        RequestedItem {
            base: Base::Local(VarId(0)),
            section: Some(Section::new(lo, hi)),
            request: MapRequest::new(Moment::RegionEntry, MapType::To),
            text: None,
        }
    }

    #[test]
    fn items_meet_where_they_share_an_element() {
        let (zero, n) = (Expr::zero(), Expr::sym(Sym(0)));
        let more = |e: &Expr, by: i128| e.offset(by).expect("a number");
        let all = item(zero.clone(), n.clone());
        assert!(meet(&all, &item(zero.clone(), more(&n, -1))));
        assert!(!meet(&all, &item(n.clone(), more(&n, 5))));
        assert!(!meet(&all, &item(Expr::sym(Sym(1)), Expr::sym(Sym(2)))));
        assert!(!meet(&all, &all));
    }
}
