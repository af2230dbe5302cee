//! The C library's heap, which clang and LLVM fill with many small objects.

/// Bytes by which the heap grows at a time. What is not used of them costs address space only.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const STEP: libc::c_int = 64 << 20;

/// Lets the heap grow in large steps and keeps what has been freed: each step otherwise is a call of the kernel that
/// interrupts the process's other threads, thousands of times in a run of a tenth of a second.
pub(in crate::llvm) fn grow_in_large_steps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: these set numbers of the allocator, under its lock; any value is allowed.
    unsafe {
        libc::mallopt(libc::M_TOP_PAD, STEP);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 4 * STEP);
    }
}
