//! What there is to read about a finding: as text, and where it stands.
//!
//! ```text
//! OMM102       src/rules      docs/rules.md#omm102-missing-from
//! freed-here   src/reasons    docs/remarks.md#freed-here
//! ```

use super::uris;
use crate::reasons;
use crate::rules::Rule;
use lsp_types::Uri;

/// Where the documentation can be read, if that is known: the folder of `rules.md` and `remarks.md`.
#[derive(Clone, Debug, Default)]
pub struct DocumentationAddress(Option<String>);

impl DocumentationAddress {
    /// The address that was named, or that of the repository that this package says it is from.
    pub fn new(named: Option<&str>) -> DocumentationAddress {
        let repository = Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.is_empty());
        let of_repository = || repository.map(|address| format!("{address}/blob/HEAD/docs"));
        let address = named.map(str::to_owned).or_else(of_repository);
        DocumentationAddress(address.map(|address| address.trim_end_matches('/').to_owned()))
    }

    /// Where something is said about what has this identifier.
    pub fn of(&self, id: &str) -> Option<Uri> {
        let folder = self.0.as_ref()?;
        let page = match Rule::named(id) {
            Some(rule) => {
                let text = rule.text();
                format!("rules.md#{}-{}", text.code.to_lowercase(), text.name)
            }
            None => format!("remarks.md#{}", uris::as_part(reason(id)?.id)),
        };
        uris::address(&format!("{folder}/{page}"))
    }
}

fn reason(id: &str) -> Option<&'static reasons::ReasonKind> {
    reasons::all().map(|(_, kind)| kind).find(|kind| kind.id == id)
}

/// What there is to read about what has this identifier, as Markdown.
pub fn page(id: &str) -> Option<String> {
    if let Some(rule) = Rule::named(id) {
        return Some(rule.documentation());
    }
    let kind = reason(id)?;
    let helps = match kind.helps {
        "" => String::new(),
        helps => format!("\n\n**What helps:** {helps}"),
    };
    Some(format!("## `{}`\n\n{}{helps}\n", kind.id, kind.sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_the_pages() {
        let address = DocumentationAddress::new(Some("https://example.org/docs/"));
        let of = |id: &str| address.of(id).map(|uri| uri.as_str().to_owned());
        assert_eq!(
            of("OMM102").as_deref(),
            Some("https://example.org/docs/rules.md#omm102-missing-from")
        );
        assert_eq!(
            of("freed-here").as_deref(),
            Some("https://example.org/docs/remarks.md#freed-here")
        );
        assert_eq!(of("nothing"), None);
        let pages = [
            include_str!("../../docs/rules.md"),
            include_str!("../../docs/remarks.md"),
        ];
        assert!(pages[0].contains("\n## OMM102 `missing-from`\n"));
        assert!(pages[1].contains("<a id=\"freed-here\">"));
    }

    #[test]
    fn what_has_an_identifier_has_a_page() {
        assert!(page("OMM102").unwrap().starts_with("## OMM102 `missing-from`"));
        let freed = page("freed-here").unwrap();
        assert!(
            freed.contains("it is freed here") && freed.contains("**What helps:**"),
            "{freed}"
        );
        assert_eq!(page("nothing"), None);
    }
}
