// clang's front end as plain C functions, for `clang_library.rs`.
//
// Each call makes everything anew (file manager, diagnostics, compiler instance), so calls may run side by side on any
// number of threads, and nothing stays behind. Whatever goes wrong, the caller learns no more than "no": it asks the
// compiler's process then, which also says why.

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/PreprocessorOutputOptions.h"
#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 22
#include "clang/Driver/CreateInvocationFromArgs.h"
#else
#include "clang/Frontend/Utils.h"
#endif
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm-c/Core.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

extern "C" {

/// A text that clang sees in the place of a file, which need not exist.
struct ShimFile {
    const char *name;
    const char *text;
    size_t length;
};

/// What is compiled. Mirrored in `clang_library.rs`.
struct ShimRequest {
    /// Command line of the driver: the compiler's file, flags, and at the end the name of the first of `files`.
    const char *const *arguments;
    size_t argument_count;
    /// The file to compile, then others.
    const ShimFile *files;
    size_t file_count;
    /// Where relative paths start, absolute. Null: the current folder.
    const char *folder;
};
}

namespace {

/// Stack of the threads that clang runs on. clang itself moves to another thread when 8 MiB are nearly used up, but
/// only while it parses; the rest is for generating code of what was parsed.
constexpr unsigned STACK = 16 << 20;

/// Clang's recursion may end in the guard page; the handler of the signal then needs a stack of its own.
class SignalStack {
    std::unique_ptr<char[]> memory;
    stack_t old = {};

  public:
    SignalStack() : memory(new char[SIZE]) {
        stack_t stack = {};
        stack.ss_sp = memory.get();
        stack.ss_size = SIZE;
        sigaltstack(&stack, &old);
    }
    ~SignalStack() { sigaltstack(&old, nullptr); }
    static constexpr size_t SIZE = 64 << 10;
};

/// While one of these lives, a crash in a `CrashRecoveryContext` ends that context and not the process.
///
/// LLVM's handlers are for the whole process. They are there only while clang runs, so that the process has its own at
/// all other times (Rust's says when a stack overflows), and they are made to run on the signal stack.
class CrashHandlers {
    static std::mutex mutex;
    static unsigned users;

  public:
    CrashHandlers() {
        std::lock_guard<std::mutex> lock(mutex);
        if (users++ > 0)
            return;
        llvm::CrashRecoveryContext::Enable();
        for (int signal : {SIGSEGV, SIGBUS}) {
            struct sigaction action;
            if (sigaction(signal, nullptr, &action) == 0) {
                action.sa_flags |= SA_ONSTACK;
                sigaction(signal, &action, nullptr);
            }
        }
    }
    ~CrashHandlers() {
        std::lock_guard<std::mutex> lock(mutex);
        if (--users == 0)
            llvm::CrashRecoveryContext::Disable();
    }
};
std::mutex CrashHandlers::mutex;
unsigned CrashHandlers::users = 0;

/// LLVM's answer to a state that it cannot go on from is to end the process. Where clang runs, it ends the run instead.
/// Elsewhere it ends the process when this returns, as it does without a handler.
void fatal_error(void *, const char *reason, bool) {
    if (llvm::CrashRecoveryContext::GetCurrent())
        llvm::sys::Process::Exit(70);
    llvm::errs() << "LLVM ERROR: " << reason << "\n";
}

/// What is done once in a process.
void initialise() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeAllTargetInfos();
        llvm::InitializeAllTargets();
        llvm::InitializeAllTargetMCs();
        llvm::InitializeAllAsmParsers(); // Microsoft's form of inline assembly is parsed by the front end
        llvm::install_fatal_error_handler(fatal_error);
    });
}

/// The names of the files that are read, system headers included, as clang calls them: its `-MD` in memory.
class ReadFiles : public DependencyCollector {
    bool needSystemDependencies() override { return true; }
    bool sawDependency(StringRef name, bool from_module, bool is_system, bool is_module_file,
                       bool is_missing) override {
        return !is_missing && !is_module_file &&
               DependencyCollector::sawDependency(name, from_module, is_system, is_module_file, is_missing);
    }
};

/// Headers that are part of the program, under names where no files are.
llvm::vfs::InMemoryFileSystem *carried = nullptr;

/// The carried headers for one run. What is shared by all threads has no current folder, and needs none: all names are absolute.
class Carried : public llvm::vfs::ProxyFileSystem {
  public:
    Carried() : ProxyFileSystem(carried) {}
    std::error_code setCurrentWorkingDirectory(const Twine &) override { return {}; }
};

using Files = IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// Files and, where the program carries headers, those.
Files withCarried(Files files) {
    if (!carried)
        return files;
    auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
    both->pushOverlay(llvm::makeIntrusiveRefCnt<Carried>());
    return both;
}

/// Lets a run give back all memory at its end: the process goes on.
void freeAll(CompilerInvocation &invocation) {
    invocation.getFrontendOpts().DisableFree = false;
    invocation.getCodeGenOpts().DisableFree = false;
    invocation.getCodeGenOpts().ClearASTBeforeBackend = false; // all of it goes a moment later
}

// What the versions of clang's library call by other names is said here, and nowhere else.

/// Where messages about a command line go.
struct Messages {
#if LLVM_VERSION_MAJOR >= 21
    DiagnosticOptions options;
#else
    IntrusiveRefCntPtr<DiagnosticOptions> options = new DiagnosticOptions;
#endif
    IntrusiveRefCntPtr<DiagnosticsEngine> engine;

    /// Nowhere, but it is kept whether there was an error.
    explicit Messages(Files files) {
        auto *nowhere = new IgnoringDiagConsumer;
#if LLVM_VERSION_MAJOR >= 21
        engine = CompilerInstance::createDiagnostics(*files, options, nowhere);
#elif LLVM_VERSION_MAJOR == 20
        engine = CompilerInstance::createDiagnostics(*files, options.get(), nowhere);
#else
        engine = CompilerInstance::createDiagnostics(options.get(), nowhere);
#endif
    }

    /// To standard error, in the name of clang.
    void print() {
#if LLVM_VERSION_MAJOR >= 21
        auto *printer = new TextDiagnosticPrinter(llvm::errs(), options);
#else
        auto *printer = new TextDiagnosticPrinter(llvm::errs(), options.get());
#endif
        printer->setPrefix("clang");
        engine->setClient(printer);
    }
};

/// A compiler that reads `files` and tells `to` what is wrong, or standard error.
std::unique_ptr<CompilerInstance> makeCompiler(std::shared_ptr<CompilerInvocation> invocation, Files files,
                                               DiagnosticConsumer *to) {
#if LLVM_VERSION_MAJOR >= 21
    auto compiler = std::make_unique<CompilerInstance>(std::move(invocation));
#else
    auto compiler = std::make_unique<CompilerInstance>();
    compiler->setInvocation(std::move(invocation));
#endif
#if LLVM_VERSION_MAJOR >= 22
    compiler->setVirtualFileSystem(files);
    compiler->createDiagnostics(to);
#elif LLVM_VERSION_MAJOR >= 20
    compiler->createDiagnostics(*files, to);
#else
    compiler->createDiagnostics(to);
#endif
    files = createVFSFromCompilerInvocation(compiler->getInvocation(), compiler->getDiagnostics(), files);
#if LLVM_VERSION_MAJOR >= 22
    compiler->setVirtualFileSystem(files);
    compiler->createFileManager();
#else
    compiler->createFileManager(files);
#endif
    return compiler;
}

/// Runs `action` on what is asked for, and lets `read` see which files that takes. False after any error.
bool execute(const ShimRequest &request, FrontendAction &action, std::shared_ptr<ReadFiles> read = nullptr) {
    Files files = llvm::vfs::getRealFileSystem();
    if (request.folder) {
        // A file system with a current folder of its own: the process has other threads.
        files = llvm::vfs::createPhysicalFileSystem().release();
        if (files->setCurrentWorkingDirectory(request.folder))
            return false;
    }
    files = withCarried(files);

    CreateInvocationOptions how;
    Messages messages(files);
    how.Diags = messages.engine;
    how.VFS = files;
    std::vector<const char *> arguments(request.arguments, request.arguments + request.argument_count);
    std::shared_ptr<CompilerInvocation> invocation = createInvocation(arguments, how);
    if (!invocation || how.Diags->hasErrorOccurred())
        return false;

    FrontendOptions &frontend = invocation->getFrontendOpts();
    // More than one file, or what only clang's own `main` does: the business of a process.
    if (frontend.Inputs.size() != 1 || !frontend.Inputs[0].isFile() ||
        frontend.Inputs[0].getFile() != request.files[0].name || !frontend.LLVMArgs.empty() ||
        !frontend.Plugins.empty() || !frontend.AddPluginActions.empty())
        return false;
    frontend.ShowStats = false;
    freeAll(*invocation);
    invocation->getHeaderSearchOpts().Verbose = false;
    invocation->getDependencyOutputOpts() = DependencyOutputOptions();

    PreprocessorOptions &preprocessor = invocation->getPreprocessorOpts();
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> texts;
    preprocessor.RetainRemappedFileBuffers = true; // `texts` owns them
    for (size_t i = 0; i < request.file_count; ++i) {
        const ShimFile &file = request.files[i];
        texts.push_back(llvm::MemoryBuffer::getMemBufferCopy({file.text, file.length}, file.name));
        preprocessor.addRemappedFile(file.name, texts.back().get());
    }

    auto compiler = makeCompiler(std::move(invocation), files, new IgnoringDiagConsumer);
    compiler->setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    if (read)
        compiler->addDependencyCollector(std::move(read));
    return compiler->ExecuteAction(action) && !compiler->getDiagnostics().hasErrorOccurred();
}

/// Set when clang has crashed: what it held then, locks included, is held for good, so it is not asked again.
std::atomic<bool> crashed = false;

/// The result of `work`, done where a crash is survived. False when it crashed.
bool survive(llvm::function_ref<bool()> work) {
    if (crashed)
        return false;
    initialise();
    bool result = false;
    CrashHandlers handlers;
    llvm::CrashRecoveryContext context;
    bool survived = context.RunSafelyOnThread(
        [&] {
            SignalStack stack;
            result = work();
        },
        STACK);
    if (!survived)
        crashed = true;
    return survived && result;
}

/// Writes the preprocessed text as `-E` does.
class Preprocess : public PreprocessorFrontendAction {
    llvm::raw_ostream &out;

    void ExecuteAction() override {
        PreprocessorOutputOptions how;
        how.ShowCPP = true;
        how.ShowMacros = getCompilerInstance().getPreprocessorOutputOpts().ShowMacros;
        DoPrintPreprocessedInput(getCompilerInstance().getPreprocessor(), &out, how);
    }

  public:
    explicit Preprocess(llvm::raw_ostream &out) : out(out) {}
};

} // namespace

extern "C" {

/// The module that the request's file is compiled to, in a context of its own; `take` gets the name of each file that was
/// read for it. Null, and nothing handed out, after any error.
LLVMModuleRef ompmemopt_clang_compile(const ShimRequest *request,
                                      void (*take)(void *to, const char *name, size_t length), void *to) {
    // After a crash both stay: a module that was being made cannot be taken apart.
    auto *context = new llvm::LLVMContext;
    auto *action = new EmitLLVMOnlyAction(context);
    std::unique_ptr<llvm::Module> module;
    std::vector<std::string> names;
    bool compiled = survive([&] {
        auto read = std::make_shared<ReadFiles>();
        bool accepted = execute(*request, *action, read);
        module = action->takeModule();
        delete action;
        if (accepted && module) {
            names = read->getDependencies().vec();
            return true;
        }
        module.reset();
        delete context;
        return false;
    });
    if (!compiled)
        return nullptr;
    for (const std::string &name : names)
        take(to, name.data(), name.size());
    return llvm::wrap(module.release());
}

/// Whether the request's file has no error.
bool ompmemopt_clang_accepts(const ShimRequest *request) {
    return survive([&] {
        SyntaxOnlyAction action;
        return execute(*request, action);
    });
}

/// Hands the preprocessed text of the request's file to `take`. False, and nothing handed out, after any error.
bool ompmemopt_clang_preprocess(const ShimRequest *request, void (*take)(void *to, const char *text, size_t length),
                                void *to) {
    std::string text;
    bool preprocessed = survive([&] {
        llvm::raw_string_ostream out(text);
        out.SetBufferSize(1 << 16); // the printer writes word by word
        Preprocess action(out);
        bool done = execute(*request, action);
        out.flush();
        return done;
    });
    if (preprocessed)
        take(to, text.data(), text.size());
    return preprocessed;
}
}

extern "C" {

/// Makes texts that last as long as the process part of what clang sees from now on. Called once, before anything is asked.
void ompmemopt_clang_carry(const ShimFile *files, size_t count) {
    if (count == 0)
        return;
    carried = new llvm::vfs::InMemoryFileSystem;
    carried->Retain();
    for (size_t i = 0; i < count; ++i)
        carried->addFileNoOwn(files[i].name, 0, llvm::MemoryBufferRef({files[i].text, files[i].length}, files[i].name));
}

/// Does what clang does with a command line that has `-E`, `-fsyntax-only` or `-emit-llvm` and asks for standard output, and says on
/// standard error what is wrong. The exit code of clang.
int ompmemopt_clang_main(size_t count, const char *const *arguments) {
    int code = 1;
    bool ended = survive([&] {
        std::vector<const char *> all(arguments, arguments + count);
        auto has = [&](const char *flag) {
            return llvm::any_of(all, [&](const char *argument) { return StringRef(argument) == flag; });
        };
        Files files = withCarried(llvm::vfs::getRealFileSystem());
        CreateInvocationOptions how;
        Messages messages(files);
        messages.print();
        how.Diags = messages.engine;
        how.VFS = files;
        std::shared_ptr<CompilerInvocation> invocation = createInvocation(all, how);
        if (!invocation || how.Diags->hasErrorOccurred())
            return true;
        freeAll(*invocation);

        auto compiler = makeCompiler(std::move(invocation), files, nullptr);
        if (has("-E")) {
            Preprocess action(llvm::outs());
            code = compiler->ExecuteAction(action) ? 0 : 1;
        } else if (has("-emit-llvm")) {
            llvm::LLVMContext context;
            EmitLLVMOnlyAction action(&context);
            code = compiler->ExecuteAction(action) ? 0 : 1;
            if (std::unique_ptr<llvm::Module> module = action.takeModule(); module && code == 0)
                llvm::WriteBitcodeToFile(*module, llvm::outs());
        } else {
            SyntaxOnlyAction action;
            code = compiler->ExecuteAction(action) ? 0 : 1;
        }
        llvm::outs().flush();
        return true;
    });
    if (!ended)
        llvm::errs() << "clang crashed\n";
    return ended ? code : 70;
}
}
