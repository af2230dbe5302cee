//! `annotate`: which loops become kernels, and what is said of the others.

use super::Sandbox;

/// A hot loop of eight iterations, and one whose size is not known.
const HOT: &str = "\
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    long bins[8] = {0}, *big = malloc((n > 0 ? n : 1) * sizeof *big), sum = 0;
    for (int t = 0; t < 1000; t++) {
        for (int b = 0; b < 8; b++) bins[b] = bins[b] * 3;
        bins[t % 8] ^= t;
    }
    for (int i = 0; i < n; i++) big[i] = i;
    for (int i = 0; i < n; i++) sum += big[i];
    return (int)(sum ^ bins[3]) & 1;
}
";

#[test]
fn small_loops_stay_on_the_host_and_say_why() {
    let ran = Sandbox::new(&[("hot.c", HOT)]).run(&["annotate", "-v", "hot.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(
        ran.out.matches("+    #pragma omp target teams").count(),
        2,
        "{}",
        ran.out
    );
    let line = "hot.c:6:9: remark: this loop stays as it is: about 32 operations per launch, 8 bytes copied for each, 1,000 \
                launches: not worth it; --all offloads it nonetheless";
    assert!(ran.err.contains(line), "{}", ran.err);
    for at in ["hot.c:5:5: ", "hot.c:6:9: ", "hot.c:9:5: ", "hot.c:10:5: "] {
        assert_eq!(ran.err.matches(at).count(), 1, "{at} in {}", ran.err);
    }
}

#[test]
fn all_offloads_small_loops_too() {
    let ran = Sandbox::new(&[("hot.c", HOT)]).run(&["annotate", "--all", "hot.c"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(ran.out.matches("#pragma omp target teams").count(), 3, "{}", ran.out);
}
