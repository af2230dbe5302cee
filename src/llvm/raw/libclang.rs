//! clang's parser in this process, through libclang's C interface.
//!
//! Starting clang costs more than parsing a file of a few hundred lines: the dynamic linker binds two large libraries
//! first, one of which (LLVM) this process has bound already. So where the library lies beside the compiler it is loaded
//! once, and only asked for a plain yes. Everything else (no library, a text that is not accepted) is left to the
//! compiler itself, which also says why.

use libloading::{Library, Symbol};
use std::ffi::{CString, c_char, c_int, c_uint, c_ulong, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// `CXUnsavedFile`: a text in place of a file.
#[repr(C)]
struct UnsavedFile {
    name: *const c_char,
    contents: *const c_char,
    length: c_ulong,
}

type Handle = *mut c_void;
type CreateIndex = unsafe extern "C" fn(c_int, c_int) -> Handle;
type Parse = unsafe extern "C" fn(
    Handle,
    *const c_char,
    *const *const c_char,
    c_int,
    *mut UnsavedFile,
    c_uint,
    c_uint,
    *mut Handle,
) -> c_int;
type Count = unsafe extern "C" fn(Handle) -> c_uint;
type Nth = unsafe extern "C" fn(Handle, c_uint) -> Handle;
type Severity = unsafe extern "C" fn(Handle) -> c_int;
type Dispose = unsafe extern "C" fn(Handle);

/// `CXDiagnostic_Error`; what is worse has larger numbers.
const ERROR: c_int = 3;

/// libclang, loaded.
pub struct LibClang {
    library: Library,
    /// Where its own headers are.
    resources: PathBuf,
}

impl LibClang {
    /// The library that belongs to a compiler (its real file), if it is installed beside it. Loaded at most once in a process.
    pub fn beside(binary: &Path, major: u32) -> Option<&'static LibClang> {
        static LOADED: OnceLock<Option<(PathBuf, LibClang)>> = OnceLock::new();
        let (loaded_for, library) = LOADED
            .get_or_init(|| Some((binary.to_owned(), LibClang::load(binary, major)?)))
            .as_ref()?;
        (loaded_for == binary).then_some(library)
    }

    fn load(binary: &Path, major: u32) -> Option<LibClang> {
        let folder = binary.parent()?.parent()?.join("lib");
        let resources = folder.join("clang").join(major.to_string());
        let file = ["1", &major.to_string()]
            .map(|version| folder.join(format!("libclang-{major}.so.{version}")))
            .into_iter()
            .find(|f| f.is_file())
            .filter(|_| resources.is_dir())?;
        // SAFETY: libclang's initialisers only register options of LLVM, in the library that is loaded already.
        let library = unsafe { Library::new(file) }.ok()?;
        Some(LibClang { library, resources })
    }

    /// Whether `text`, as if it were the content of `path`, compiles without an error under `flags`. `None` where that
    /// cannot be asked.
    pub fn accepts(&self, path: &Path, text: &[u8], flags: &[String]) -> Option<bool> {
        let name = CString::new(path.to_str()?).ok()?;
        let resources = ["-resource-dir".to_owned(), self.resources.to_str()?.to_owned()];
        let flags: Vec<CString> = resources
            .iter()
            .chain(flags)
            .map(|f| CString::new(f.as_str()).ok())
            .collect::<Option<_>>()?;
        let flags: Vec<*const c_char> = flags.iter().map(|f| f.as_ptr()).collect();
        let mut file = UnsavedFile {
            name: name.as_ptr(),
            contents: text.as_ptr().cast(),
            length: text.len() as c_ulong,
        };
        // SAFETY: the names are those of clang-c/Index.h, with the types declared there.
        let functions = unsafe { Functions::find(&self.library) }.ok()?;
        // SAFETY: all pointers outlive the calls; what is created is disposed of, innermost first, and not used after.
        unsafe {
            let index = (functions.create_index)(0, 0);
            let mut unit: Handle = std::ptr::null_mut();
            let failed = (functions.parse)(
                index,
                name.as_ptr(),
                flags.as_ptr(),
                c_int::try_from(flags.len()).ok()?,
                &mut file,
                1,
                0,
                &mut unit,
            );
            let accepted = (failed == 0 && !unit.is_null()).then(|| {
                (0..(functions.diagnostics)(unit)).all(|i| {
                    let diagnostic = (functions.diagnostic)(unit, i);
                    let severity = (functions.severity)(diagnostic);
                    (functions.dispose_diagnostic)(diagnostic);
                    severity < ERROR
                })
            });
            if !unit.is_null() {
                (functions.dispose_unit)(unit);
            }
            (functions.dispose_index)(index);
            accepted
        }
    }
}

struct Functions<'l> {
    create_index: Symbol<'l, CreateIndex>,
    parse: Symbol<'l, Parse>,
    diagnostics: Symbol<'l, Count>,
    diagnostic: Symbol<'l, Nth>,
    severity: Symbol<'l, Severity>,
    dispose_diagnostic: Symbol<'l, Dispose>,
    dispose_unit: Symbol<'l, Dispose>,
    dispose_index: Symbol<'l, Dispose>,
}

impl<'l> Functions<'l> {
    /// # Safety
    /// `library` must be libclang.
    unsafe fn find(library: &'l Library) -> Result<Functions<'l>, libloading::Error> {
        unsafe {
            Ok(Functions {
                create_index: library.get(b"clang_createIndex\0")?,
                parse: library.get(b"clang_parseTranslationUnit2\0")?,
                diagnostics: library.get(b"clang_getNumDiagnostics\0")?,
                diagnostic: library.get(b"clang_getDiagnostic\0")?,
                severity: library.get(b"clang_getDiagnosticSeverity\0")?,
                dispose_diagnostic: library.get(b"clang_disposeDiagnostic\0")?,
                dispose_unit: library.get(b"clang_disposeTranslationUnit\0")?,
                dispose_index: library.get(b"clang_disposeIndex\0")?,
            })
        }
    }
}
