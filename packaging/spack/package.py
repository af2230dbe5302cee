# Copyright the ompmemopt developers. SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *


class Ompmemopt(Package):
    """Rewrites C with OpenMP target offloading so that it moves as little data as an expert would."""

    # The folder of a clone: spack develop --path . ompmemopt@main
    has_code = True
    license("Apache-2.0 OR MIT")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("rust@1.88:", type="build")
    depends_on("llvm@19 +clang targets=all", type=("build", "link", "run"))

    phases = ["install"]

    def setup_build_environment(self, env):
        env.set("LLVM_SYS_191_PREFIX", self.spec["llvm"].prefix)

    def setup_run_environment(self, env):
        env.set("OMPMEMOPT_CLANG", self.spec["llvm"].prefix.bin.clang)

    def install(self, spec, prefix):
        cargo = which("cargo", required=True)
        cargo("install", "--locked", "--root", prefix, "--path", ".")
        program = Executable(prefix.bin.ompmemopt)
        mkdirp(prefix.share.man.man1)
        program("man", "--output-dir", prefix.share.man.man1)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.ompmemopt)("version")
