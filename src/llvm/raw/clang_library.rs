//! clang in this process, through `clang_shim.cpp`.
//!
//! Starting clang costs more than compiling a file of a few hundred lines: the dynamic linker binds two large libraries
//! first, one of which (LLVM) this process has bound already. Here clang's library is bound along with it, once, and the
//! module that it makes is walked as it is, without bitcode in between. The answer is a plain yes or no: what the library
//! says no to is left to the compiler's process, which also says why. clang crashing is a no as well.

use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Once;

use inkwell::llvm_sys::prelude::*;

use super::Bitcode;
use crate::llvm::carried;

/// Mirrors `ShimFile`.
#[repr(C)]
struct ShimFile {
    name: *const c_char,
    text: *const c_char,
    length: usize,
}

/// Mirrors `ShimRequest`.
#[repr(C)]
struct ShimRequest {
    arguments: *const *const c_char,
    argument_count: usize,
    files: *const ShimFile,
    file_count: usize,
    folder: *const c_char,
}

unsafe extern "C" {
    fn ompmemopt_clang_compile(
        request: *const ShimRequest,
        take: extern "C" fn(*mut c_void, *const c_char, usize),
        to: *mut c_void,
    ) -> LLVMModuleRef;
    fn ompmemopt_clang_accepts(request: *const ShimRequest) -> bool;
    fn ompmemopt_clang_carry(files: *const ShimFile, count: usize);
    fn ompmemopt_clang_main(count: usize, arguments: *const *const c_char) -> c_int;
    fn ompmemopt_clang_preprocess(
        request: *const ShimRequest,
        take: extern "C" fn(*mut c_void, *const c_char, usize),
        to: *mut c_void,
    ) -> bool;
}

/// What is asked about.
pub(in crate::llvm) struct Request<'a> {
    /// Flags of the driver, without outputs.
    pub flags: &'a [OsString],
    /// The file as the user names it. It is not read, and need not exist.
    pub path: &'a Path,
    /// The file's text.
    pub text: &'a [u8],
    /// More files that need not exist, with their texts.
    pub headers: &'a [(&'a Path, &'a [u8])],
    /// Where relative paths start, absolute; `None` is the current folder.
    pub folder: Option<&'a Path>,
}

/// clang's library, on behalf of one compiler.
pub(in crate::llvm) struct ClangLibrary {
    /// The compiler's real file. clang finds its own headers from there.
    compiler: PathBuf,
    /// The compiler is the one that this program carries.
    is_carried: bool,
}

impl ClangLibrary {
    /// The library, if it belongs to the same installation as the compiler, given by its real file.
    pub fn of(compiler: &Path) -> Option<ClangLibrary> {
        let prefix = Path::new(env!("CLANG_LIBRARY_PREFIX")).canonicalize().ok()?;
        compiler.starts_with(prefix).then(|| ClangLibrary {
            compiler: compiler.to_owned(),
            is_carried: false,
        })
    }

    /// The library, on behalf of the compiler that this program carries.
    pub fn carried(compiler: &Path) -> ClangLibrary {
        carry();
        ClangLibrary {
            compiler: compiler.to_owned(),
            is_carried: true,
        }
    }

    /// Compiles, and names the files that were read, as clang calls them; `None` if that cannot be done here.
    pub fn compile(&self, request: &Request) -> Option<(Bitcode, Vec<PathBuf>)> {
        let mut names = Vec::new();
        let to = (&raw mut names).cast();
        // SAFETY: the shim gets a request that lives during the call, in which alone `take_name` is called.
        let module = self.with(request, |raw| unsafe { ompmemopt_clang_compile(raw, take_name, to) })?;
        // SAFETY: the shim hands the module out with a context of its own, and keeps neither.
        let bitcode = (!module.is_null()).then(|| unsafe { Bitcode::own(module) })?.ok()?;
        Some((bitcode, names))
    }

    /// Whether the text is without error. False, too, if that cannot be told here.
    pub fn accepts(&self, request: &Request) -> bool {
        // SAFETY: the shim gets a request that lives during the call.
        self.with(request, |raw| unsafe { ompmemopt_clang_accepts(raw) }) == Some(true)
    }

    /// The preprocessed text; `None` if that cannot be done here.
    pub fn preprocess(&self, request: &Request) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let to = (&raw mut text).cast();
        // SAFETY: the shim gets a request that lives during the call, in which alone `take` is called.
        let done = self.with(request, |raw| unsafe { ompmemopt_clang_preprocess(raw, take, to) })?;
        done.then_some(text)
    }

    /// `ask` with the request as the shim wants it. `None` if it cannot be said so.
    fn with<T>(&self, request: &Request, ask: impl FnOnce(&ShimRequest) -> T) -> Option<T> {
        if request.path == Path::new("-") {
            return None; // to clang this is standard input
        }
        let c_string = |text: &OsStr| CString::new(text.as_bytes()).ok();
        let flags = || request.flags.iter().map(OsString::as_os_str);
        let own = match self.is_carried {
            true => carried::own_flags(flags()),
            false => Vec::new(),
        };
        let arguments: Vec<CString> = std::iter::once(self.compiler.as_os_str())
            .chain(flags())
            .chain(own.into_iter().map(OsStr::new))
            .chain([OsStr::new("--"), request.path.as_os_str()])
            .map(c_string)
            .collect::<Option<_>>()?;
        let pointers: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let texts = || std::iter::once((request.path, request.text)).chain(request.headers.iter().copied());
        let names: Vec<CString> = texts()
            .map(|(name, _)| c_string(name.as_os_str()))
            .collect::<Option<_>>()?;
        let files: Vec<ShimFile> = texts()
            .zip(&names)
            .map(|((_, text), name)| ShimFile {
                name: name.as_ptr(),
                text: text.as_ptr().cast(),
                length: text.len(),
            })
            .collect();
        let folder = match request.folder {
            Some(folder) => Some(c_string(folder.as_os_str())?),
            None => None,
        };
        Some(ask(&ShimRequest {
            arguments: pointers.as_ptr(),
            argument_count: pointers.len(),
            files: files.as_ptr(),
            file_count: files.len(),
            folder: folder.as_ref().map_or(std::ptr::null(), |folder| folder.as_ptr()),
        }))
    }
}

/// Does with arguments what clang as a program would, as far as [`Scratch`](crate::llvm::scratch::Scratch) asks it.
pub(in crate::llvm) fn run_clang(arguments: &[OsString]) -> ExitCode {
    carry();
    let files = { arguments.iter() }.position(|argument| argument == "--");
    let (flags, files) = arguments.split_at(files.unwrap_or(arguments.len()));
    let own = carried::own_flags(flags.iter().map(OsString::as_os_str));
    let given = |argument: &OsString| CString::new(argument.as_bytes());
    let own = own.into_iter().map(CString::new);
    let strings = flags.iter().map(given).chain(own).chain(files.iter().map(given));
    let Ok(strings) = strings.collect::<Result<Vec<CString>, _>>() else {
        return ExitCode::FAILURE; // no argument of a process has a zero in it
    };
    let pointers: Vec<*const c_char> = strings.iter().map(|argument| argument.as_ptr()).collect();
    // SAFETY: the strings live during the call.
    let code = unsafe { ompmemopt_clang_main(pointers.len(), pointers.as_ptr()) };
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// Tells the shim, once, which headers the program carries.
fn carry() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let mut names = Vec::new();
        let mut files = Vec::new();
        for (name, text) in carried::headers() {
            let Ok(name) = CString::new(name.into_os_string().into_encoded_bytes()) else {
                continue;
            };
            files.push(ShimFile {
                name: name.as_ptr(),
                text: text.as_ptr().cast(),
                length: text.len(),
            });
            names.push(name);
        }
        // SAFETY: the shim copies the names; the texts are part of the program.
        unsafe { ompmemopt_clang_carry(files.as_ptr(), files.len()) }
    });
}

/// Appends to the `Vec<u8>` at `to`.
extern "C" fn take(to: *mut c_void, text: *const c_char, length: usize) {
    // SAFETY: called by the shim with what it was given in `preprocess`, and a text of that length.
    unsafe { (*to.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(text.cast(), length)) }
}

/// Appends to the `Vec<PathBuf>` at `to`.
extern "C" fn take_name(to: *mut c_void, name: *const c_char, length: usize) {
    // SAFETY: called by the shim with what it was given in `compile`, and a name of that length.
    unsafe {
        let name = std::slice::from_raw_parts(name.cast(), length);
        (*to.cast::<Vec<PathBuf>>()).push(OsStr::from_bytes(name).into());
    }
}
