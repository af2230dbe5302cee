use super::VariableClass::*;
use super::*;

fn decide(clauses: &str, class: VariableClass, version: SpecVersion) -> AttributeDecision {
    let directive = Directive::parse(&format!("omp target {clauses}")).unwrap();
    assert_eq!(directive.problems, [], "{clauses}");
    let variable = RegionVariable {
        name: "v",
        class,
        iterates: false,
        declared: DeclaredTarget::No,
    };
    attribute(&directive, &variable, version)
}
fn of(clauses: &str, class: VariableClass) -> Attribute {
    decide(clauses, class, SpecVersion::V51).attribute
}
const TOFROM: Attribute = Attribute::map(MapType::Tofrom);

#[test]
fn defaults_by_class() {
    for version in [SpecVersion::V45, SpecVersion::V50, SpecVersion::V60] {
        let default = |class| decide("map(w) shared_is_no_clause", class, version);
        assert_eq!(
            default(Scalar),
            AttributeDecision {
                attribute: Attribute::Firstprivate,
                reason: AttributeReason::Default
            }
        );
        assert_eq!(default(Pointer).attribute, Attribute::ZeroLengthSection);
        assert_eq!(default(FunctionPointer).attribute, Attribute::Firstprivate);
        assert_eq!(default(Array).attribute, TOFROM);
        assert_eq!(default(Struct).attribute, TOFROM);
    }
    assert_eq!(of("teams shared(v)", Scalar), Attribute::Firstprivate);
}

#[test]
fn explicit_clauses() {
    assert_eq!(of("map(to: v)", Scalar), Attribute::map(MapType::To));
    assert_eq!(of("map(v)", Scalar), TOFROM);
    assert_eq!(
        of("map(always, present, from: v[2:3])", Array),
        Attribute::Map {
            map_type: MapType::From,
            always: true,
            present: true
        }
    );
    assert_eq!(of("map(to: v[0:n])", Pointer), Attribute::Attached);
    assert_eq!(of("map(to: v, v[0:n])", Pointer), Attribute::Attached);
    assert_eq!(of("map(to: v)", Pointer), Attribute::map(MapType::To));
    assert_eq!(of("map(to: v.x)", Struct), Attribute::Part);
    assert_eq!(of("map(to: v.x) map(to: v)", Struct), Attribute::map(MapType::To));
    assert_eq!(of("map(to: v->x[0:n])", Pointer), Attribute::Part);
    assert_eq!(of("map(to: (*v)[0:n])", Pointer), Attribute::Part);
    assert_eq!(of("map(to: (*vv)[0:v_])", Pointer), Attribute::ZeroLengthSection);
    assert_eq!(of("is_device_ptr(v)", Pointer), Attribute::DevicePointer);
    assert_eq!(of("has_device_addr(v)", Array), Attribute::DeviceAddress);
    assert_eq!(of("firstprivate(v)", Array), Attribute::Firstprivate);
    assert_eq!(of("private(v)", Array), Attribute::Private);
    assert_eq!(
        decide("nowait map(w) map(v)", Scalar, SpecVersion::V51).reason,
        AttributeReason::Clause(2)
    );
}

#[test]
fn results_of_combined_constructs() {
    assert_eq!(of("parallel for reduction(+: v)", Scalar), TOFROM);
    assert_eq!(of("parallel for lastprivate(v)", Scalar), TOFROM);
    assert_eq!(of("parallel for firstprivate(v) lastprivate(v)", Scalar), TOFROM);
    assert_eq!(of("simd linear(v: 1)", Scalar), TOFROM);
    assert_eq!(
        of("parallel for reduction(+: v) map(to: v)", Scalar),
        Attribute::map(MapType::To)
    );
    assert_eq!(
        of("in_reduction(+: v)", Scalar),
        Attribute::Map {
            map_type: MapType::Tofrom,
            always: true,
            present: false
        }
    );
    assert_eq!(
        decide("parallel for reduction(+: v)", Scalar, SpecVersion::V45).attribute,
        Attribute::Firstprivate
    );
}

#[test]
fn defaultmap_by_category() {
    assert_eq!(of("defaultmap(tofrom: scalar)", Scalar), TOFROM);
    assert_eq!(of("defaultmap(tofrom: scalar)", Pointer), Attribute::ZeroLengthSection);
    assert_eq!(of("defaultmap(tofrom: pointer)", Pointer), TOFROM);
    assert_eq!(of("defaultmap(to: aggregate)", Array), Attribute::map(MapType::To));
    assert_eq!(
        of("defaultmap(alloc: aggregate)", Struct),
        Attribute::map(MapType::Alloc)
    );
    assert_eq!(of("defaultmap(none)", Scalar), Attribute::Unlisted);
    assert_eq!(of("defaultmap(none) map(v)", Scalar), TOFROM);
    assert_eq!(
        of("defaultmap(none) defaultmap(default: scalar)", Scalar),
        Attribute::Firstprivate
    );
    assert_eq!(of("defaultmap(firstprivate)", Array), Attribute::Firstprivate);
    assert_eq!(
        of("defaultmap(present: aggregate)", Array),
        Attribute::Map {
            map_type: MapType::Alloc,
            always: false,
            present: true
        }
    );
    assert_eq!(
        decide("nowait defaultmap(to)", Array, SpecVersion::V51).reason,
        AttributeReason::Clause(1)
    );
}

#[test]
fn loop_variables_and_declare_target() {
    let directive = Directive::parse("omp target simd linear(v) defaultmap(none)").unwrap();
    let base = RegionVariable {
        name: "v",
        class: Scalar,
        iterates: true,
        declared: DeclaredTarget::No,
    };
    let decision = attribute(&directive, &base, SpecVersion::V51);
    assert_eq!(
        decision,
        AttributeDecision {
            attribute: Attribute::Private,
            reason: AttributeReason::LoopVariable
        }
    );
    let directive = Directive::parse("omp target defaultmap(none)").unwrap();
    let global = |declared| {
        attribute(
            &directive,
            &RegionVariable {
                iterates: false,
                declared,
                ..base
            },
            SpecVersion::V51,
        )
    };
    assert_eq!(global(DeclaredTarget::Enter).attribute, Attribute::Resident);
    assert_eq!(global(DeclaredTarget::Link).attribute, TOFROM);
    assert_eq!(global(DeclaredTarget::No).attribute, Attribute::Unlisted);
}
