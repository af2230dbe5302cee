-- A module for Lmod: put it into a folder of MODULEPATH as ompmemopt/0.1.0.lua, beside where `make install PREFIX=...` has put the program.
help([[ompmemopt rewrites C programs that use OpenMP target so that they copy less between host and device: man ompmemopt]])
whatis("Name: ompmemopt")
whatis("Version: 0.1.0")
whatis("Description: data movement of OpenMP offloading")

local prefix = os.getenv("OMPMEMOPT_PREFIX") or "/opt/ompmemopt/0.1.0"
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
