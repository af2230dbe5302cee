//! C of UPC, byte for byte in its place: what C does not know is blanked out.

use super::tokens::UpcTokens;

/// What stands for the number of threads where C needs a constant.
const THREADS: &[u8; 7] = b"(4)    ";
/// What asks whether an iteration is the thread's own, in the place of the affinity.
const MINE: &[u8; 2] = b"_F";

/// The C text that stands for a text of UPC: of the same length, with the same lines.
pub fn translated(text: &[u8]) -> Vec<u8> {
    let tokens = UpcTokens::of(text);
    let mut translation = UpcTranslation {
        tokens: &tokens,
        out: text.to_vec(),
        loops: Vec::new(),
        functions: Vec::new(),
        brackets: 0,
        is_shared: false,
    };
    let mut at = 0;
    while at < tokens.len() {
        at = translation.token(at);
    }
    translation.out
}

struct UpcTranslation<'t> {
    tokens: &'t UpcTokens<'t>,
    out: Vec<u8>,
    /// The last tokens of the bodies of `upc_forall` that are open.
    loops: Vec<usize>,
    /// The last tokens of functions' bodies that are open.
    functions: Vec<usize>,
    /// Square brackets that are open.
    brackets: usize,
    /// The declaration says `shared`.
    is_shared: bool,
}

impl UpcTranslation<'_> {
    /// Translates what begins at a token, and says which comes next.
    fn token(&mut self, at: usize) -> usize {
        let tokens = self.tokens;
        self.loops.retain(|end| at <= *end);
        self.functions.retain(|end| at <= *end);
        let is_directive = tokens.directive(at).is_some();
        match tokens.get(at) {
            b"shared" => {
                self.is_shared = true;
                let last = if tokens.is(at + 1, "[") {
                    tokens.closing(at + 1)
                } else {
                    at
                };
                self.blank(at, last);
                return last + 1;
            }
            b"strict" | b"relaxed" if !is_directive || !tokens.is(at.saturating_sub(1), "upc") => self.blank(at, at),
            b"upc_barrier" | b"upc_notify" | b"upc_wait" => return self.barrier(at),
            b"upc_forall" => self.forall(at),
            b"THREADS" if is_directive || (self.brackets > 0 && (self.functions.is_empty() || self.is_shared)) => {
                let start = tokens.span(at).start;
                self.out[start..start + THREADS.len()].copy_from_slice(THREADS);
            }
            b"[" => self.brackets += 1,
            b"]" => self.brackets = self.brackets.saturating_sub(1),
            b"{" => {
                self.is_shared = false;
                if at > 0 && tokens.is(at - 1, ")") {
                    self.functions.push(tokens.closing(at));
                }
            }
            b";" | b"}" => (self.is_shared, self.brackets) = (false, 0),
            _ => {}
        }
        at + 1
    }

    /// Blanks out the number of a barrier.
    fn barrier(&mut self, at: usize) -> usize {
        let tokens = self.tokens;
        let directive = tokens.directive(at);
        let same_line = |next: &usize| directive.is_none() || tokens.directive(*next) == directive;
        let end = tokens.next_of(at + 1, &[";"]).filter(same_line);
        if let Some(end) = end.filter(|end| *end > at + 1) {
            self.blank(at + 1, end - 1);
        }
        end.unwrap_or(at + 1)
    }

    /// Makes a loop of `for` with a question about whose the iteration is. Loops within are run as a whole by who comes there.
    fn forall(&mut self, at: usize) {
        let tokens = self.tokens;
        if !tokens.is(at + 1, "(") {
            return;
        }
        let close = tokens.closing(at + 1);
        let mut from = at + 2;
        let mut last = None;
        for _ in 0..3 {
            last = tokens.next_of(from, &[";"]).filter(|semicolon| *semicolon < close);
            let Some(semicolon) = last else { return };
            from = semicolon + 1;
        }
        let Some(semicolon) = last else { return };
        let shares = semicolon + 1 < close && !tokens.is(semicolon + 1, "continue") && self.loops.is_empty();
        self.blank(semicolon, close);
        let (start, end) = (tokens.span(semicolon).start, tokens.span(close).end);
        self.out[start] = b')';
        if shares {
            let place = (start + 1..end - 1).find(|place| !self.out[*place..*place + 2].contains(&b'\n'));
            if let Some(place) = place {
                self.out[place..place + 2].copy_from_slice(MINE);
            }
        }
        self.loops.push(tokens.statement_end(close + 1));
    }

    /// Blanks out tokens from one to another one; lines stay.
    fn blank(&mut self, first: usize, last: usize) {
        let (start, end) = (self.tokens.span(first).start, self.tokens.span(last).end);
        let bytes = self.out[start..end].iter_mut();
        bytes
            .filter(|byte| !matches!(**byte, b'\n' | b'\r'))
            .for_each(|byte| *byte = b' ');
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    fn c(text: &str) -> String {
        let made = translated(text.as_bytes());
        assert_eq!(made.len(), text.len());
        String::from_utf8_lossy(&made).into_owned()
    }

    #[test]
    fn qualifiers_go() {
        assert_eq!(c("shared int x;"), "       int x;");
        assert_eq!(c("shared [4] int a[4*THREADS];"), "           int a[4*(4)    ];");
        assert_eq!(c("f((shared [] int *) p);"), "f((          int *) p);");
        assert_eq!(
            c("void f(void) { int a[THREADS]; }"),
            "void f(void) { int a[THREADS]; }"
        );
    }

    #[test]
    fn barriers_lose_their_numbers() {
        assert_eq!(c("upc_barrier;"), "upc_barrier;");
        assert_eq!(c("upc_barrier 2 * (k + 1); f();"), "upc_barrier            ; f();");
        assert_eq!(
            c("#define SYNC upc_barrier\nint x;"),
            "#define SYNC upc_barrier\nint x;"
        );
    }

    #[test]
    fn loops_ask_whose_an_iteration_is() {
        assert_eq!(c("upc_forall(i=0;i<n;i++;i) f();"), "upc_forall(i=0;i<n;i++)_F f();");
        assert_eq!(c("upc_forall(;;;&a[i]) ;"), "upc_forall(;;)_F     ;");
        assert_eq!(c("upc_forall(;;;continue) ;"), "upc_forall(;;)          ;");
        assert_eq!(c("upc_forall(;;;) ;"), "upc_forall(;;)  ;");
        assert_eq!(
            c("upc_forall(;;;i) { upc_forall(;;;j) f(); } upc_forall(;;;k) ;"),
            "upc_forall(;;)_F { upc_forall(;;)   f(); } upc_forall(;;)_F ;"
        );
    }
}
