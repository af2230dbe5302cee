//! Functions that programs call, as C: each stands in the text if it is called.
//!
//! ```c
//! static void count_unsigned_hand_7(const double *a, unsigned *x, int n)
//! {
//!     *x = 0;
//!     #pragma omp target data map(to: a[0:n]) map(tofrom: x[0:1])
//!     #pragma omp target teams distribute parallel for
//!     for (int i = 0; i < n; i++)
//!         if (a[i] > 20) { … x[0] += 1; }
//! }
//! ```

use super::{Call, Called, Scalar};

impl Scalar {
    /// The type as C.
    pub(super) fn c(self) -> &'static str {
        match self {
            Scalar::Unsigned => "unsigned",
            Scalar::Long => "long",
            Scalar::Double => "double",
        }
    }
}

/// Writes an array; `S` stands for the seed here and below.
pub(super) const FILL: &str = "static void fill_S(double *a, int n, int x)
{
    for (int i = 0; i < n; i++)
        a[i] = i * 2 + x;
}
";
/// Writes an array or returns before.
pub(super) const EARLY: &str = "static void early_S(double *a, int n, int x)
{
    if (x % 3 == 0)
        return;
    for (int i = 0; i < n; i++)
        a[i] = i + x;
}
";
/// Writes an array or returns in the midst of it.
pub(super) const PARTLY: &str = "static void partly_S(double *a, int n, int x)
{
    for (int i = 0; i < n; i++) {
        if (i == 2 && x % 2 == 1)
            return;
        a[i] = i + x;
    }
}
";
/// Reads an array.
pub(super) const TOTAL: &str = "static unsigned long total_S(const double *a, int n)
{
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + (unsigned long)(long)a[i];
    return sum;
}
";
/// Perhaps ends the program, and says before what is in an array.
pub(super) const STOP: &str = "static void stop_S(const double *a, int is_end, int n, unsigned long h)
{
    if (is_end) {
        for (int i = 0; i < n; i++)
            h = h * 31 + (unsigned long)(long)a[i];
        printf(\"case S: stopped %lu\\n\", h);
        exit(0);
    }
}
";

/// What the function of a call is called, without the seed.
pub(super) fn name(call: &Call, ty: Scalar) -> String {
    let what = match call.what {
        Called::Count => "count",
        Called::Add => "add",
        Called::Most => "most",
        Called::Set => "set",
        Called::Use => "use",
    };
    let hand = if call.by_hand { "_hand" } else { "" };
    format!("{what}_{}{hand}", ty.c())
}

/// The functions of a call: the one with the kernel, then the one that hands on.
pub(super) fn called(call: &Call, ty: Scalar) -> Vec<String> {
    let (name, c) = (name(call, ty), ty.c());
    let params = match call.what {
        Called::Use => format!("double *a, const {c} *x, int n"),
        _ => format!("const double *a, {c} *x, int n"),
    };
    let mut out = vec![format!("static void {name}_S({params})\n{{\n{}}}\n", body(call, c))];
    if call.is_relayed {
        out.push(format!(
            "static void relay_{name}_S({params})\n{{\n    {name}_S(a, x, n);\n}}\n"
        ));
    }
    out
}

fn body(call: &Call, c: &str) -> String {
    let (array, scalar) = match call.what {
        Called::Count | Called::Add | Called::Most => ("to", "tofrom"),
        Called::Set => ("to", "from"),
        Called::Use => ("tofrom", "to"),
    };
    let is_parallel = matches!(call.what, Called::Count | Called::Add | Called::Use);
    let construct = match is_parallel {
        true => "#pragma omp target teams distribute parallel for",
        false => "#pragma omp target",
    };
    let clauses = format!("map({array}: a[0:n]) map({scalar}: x[0:1])");
    let start = match call.what {
        Called::Count => vec!["*x = 0;".to_owned()],
        _ => Vec::new(),
    };
    let directives = match call.by_hand {
        true => vec![format!("#pragma omp target data {clauses}"), construct.to_owned()],
        false => vec![format!("{construct} {clauses}")],
    };
    let each = "for (int i = 0; i < n; i++)".to_owned();
    let work = match call.what {
        Called::Count | Called::Add => vec![
            each,
            "    if (a[i] > 20) {".to_owned(),
            "        #pragma omp atomic update".to_owned(),
            "        x[0] += 1;".to_owned(),
            "    }".to_owned(),
        ],
        Called::Most => vec![
            each,
            format!("    if (({c})a[i] > x[0])"),
            format!("        x[0] = ({c})a[i];"),
        ],
        Called::Set => vec![format!("x[0] = ({c})a[n - 1] + 3;")],
        Called::Use => vec![each, "    a[i] = (double)((long)(a[i] + x[0]) % 1009);".to_owned()],
    };
    let lines = start.into_iter().chain(directives).chain(work);
    lines.map(|line| format!("    {line}\n")).collect()
}
