"""Takes the library of the rules into the wheel, where one was built; all else is in pyproject.toml.

It is the file that REFEREE_RULES_LIBRARY names, or that of the build in ../../build/release. A wheel
with it is for one platform; without it, for all, and its rules are done in Python.
"""

import os
import pathlib
import shutil

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel

NAME = "librefereerules.so"
NAMED = os.environ.get("REFEREE_RULES_LIBRARY", "")
BUILT = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "lib" / NAME


def library():
    """Returns the file of the library; None if there is none."""
    if NAMED == "none":
        return None
    if NAMED:
        file = pathlib.Path(NAMED)
        if not file.is_file():
            raise SystemExit(f"REFEREE_RULES_LIBRARY: there is no file {NAMED}; name it by its "
                             "absolute path, or \"none\"")
        return file.resolve()
    return BUILT if BUILT.exists() else None


class BuildWithLibrary(build_py):
    """Copies the library beside the rules."""

    def run(self):
        super().run()
        file = library()
        if file is None:
            print(f"the package has no {NAME}: {BUILT} was not built, and REFEREE_RULES_LIBRARY "
                  "names none; the rules are done in Python")
        elif not getattr(self, "editable_mode", False):  # from setuptools 64 on
            shutil.copyfile(file, pathlib.Path(self.build_lib) / "referee" / "rules" / NAME)


class PlatformWheel(bdist_wheel):
    """Is for any Python 3: the library knows nothing of Python."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return (python, abi, platform) if self.root_is_pure else ("py3", "none", platform)


class PlatformDistribution(Distribution):
    """Is bound to a platform if it has the library."""

    def has_ext_modules(self):
        return library() is not None


setup(distclass=PlatformDistribution,
      cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
