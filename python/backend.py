"""PEP 517 build backend of the Python package; needs a compiler only: `pip install ./python`.

Uses the C library built in this checkout (build/libgossamer.so, or in the folder GOSSAMER_BUILD) and packs it into the
wheel. A source distribution (sdist) contains the sources of the library in the folder `library` and builds it with CMake,
unless GOSSAMER_BUILD is given. Otherwise the library found by pkg-config is used.
"""
import base64
import csv
import glob
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "gossamer"
BUNDLED = os.path.join(HERE, "library")  # sources of the C library in an sdist
PARTS = ("CMakeLists.txt", "CHANGELOG.md", "LICENSE", "cmake", "include", "src", "viewer")  # of the checkout that it needs
FLAGS = ["-std=c17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra",
         "-Wno-missing-field-initializers", "-Wno-cast-function-type"]


def _fail(text):
    raise SystemExit("gossamer: " + text)


def _version(include):
    for folder in include + [os.path.join(BUNDLED, "include"), os.path.join(HERE, "..", "include")]:
        path = os.path.join(folder, "gossamer", "base.h")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as header:
                return re.search(r'GOS_VERSION "([^"]+)"', header.read()).group(1)
    _fail("gossamer/base.h was not found")


def _build_library(work):
    """Build the library of an sdist; returns the build folder."""
    if not shutil.which("cmake"):
        _fail("the C library is built with CMake, which is missing: install cmake and the libraries listed in "
              "CMakeLists.txt (Debian: script/setup --names of the repository), or set GOSSAMER_BUILD")
    build = os.path.join(work, "library")
    off = [f"-DGOS_{name}=OFF" for name in ("PYTHON_PACKAGE", "TESTS", "BENCH", "WERROR")]
    for command in (["cmake", "-S", BUNDLED, "-B", build, "-DCMAKE_BUILD_TYPE=Release"] + off,
                    ["cmake", "--build", build, "--target", "gossamer_shared", "--parallel", str(os.cpu_count() or 1)]):
        if subprocess.run(command, check=False).returncode != 0:
            _fail("the C library does not build; see the messages above")
    return build


def _library(work):
    """(include folders, linker flags, library to pack or None)."""
    build = os.environ.get("GOSSAMER_BUILD") or os.path.join(HERE, "..", "build")
    include = os.path.join(HERE, "..", "include")
    if os.path.isdir(BUNDLED):
        include = os.path.join(BUNDLED, "include")
        build = os.environ.get("GOSSAMER_BUILD") or _build_library(work)
    shared = os.path.join(build, "libgossamer.so")
    if os.path.exists(shared) and os.path.isdir(include):
        return [include], ["-L" + build, "-lgossamer", "-Wl,-rpath,$ORIGIN"], os.path.realpath(shared)
    tool = os.environ.get("PKG_CONFIG", "pkg-config")
    try:
        flags = shlex.split(subprocess.run([tool, "--cflags", "--libs", NAME], check=True, capture_output=True,
                                           text=True).stdout)
        folder = subprocess.run([tool, "--variable=libdir", NAME], check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        _fail("the C library was found neither in this checkout (build it by script/build, or set GOSSAMER_BUILD to its "
              "folder) nor by pkg-config (install it by cmake --install, or set PKG_CONFIG_PATH to the folder of "
              "gossamer.pc)")
    return ([f[2:] for f in flags if f.startswith("-I")], [f for f in flags if not f.startswith("-I")] +
            ["-Wl,-rpath," + folder], None)


def _compile(output, include, link):
    """Compile the extension for the running Python."""
    python = [p for p in {sysconfig.get_path("include"), sysconfig.get_path("platinclude")} if p]
    if not any(os.path.exists(os.path.join(p, "Python.h")) for p in python):
        _fail("Python.h is missing: install python3-dev (Debian) or the headers of " + sys.executable)
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if not shutil.which(compiler[0]):
        _fail(f"there is no C compiler {compiler[0]!r}: install gcc, or set CC")
    sources = sorted(glob.glob(os.path.join(HERE, "src", "*.c")))
    command = compiler + FLAGS + ["-I" + p for p in python + include] + sources + ["-o", output] + link
    if subprocess.run(command, check=False).returncode != 0:
        _fail("the extension does not compile; see the compiler's messages above")


def _metadata(version):
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n"
            "Summary: Reduced-order rigid, flexible and thermal multibody dynamics\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\n\nNeeds numpy (Debian: python3-numpy); scipy, matplotlib and h5py are used if they "
            "are installed.\n")


def _tag():
    return "cp{0}{1}-cp{0}{1}-{2}".format(*sys.version_info[:2], re.sub(r"[-.]", "_", sysconfig.get_platform()))


def _strip(path):
    """Remove debugging symbols if strip is installed."""
    if shutil.which("strip"):
        subprocess.run(["strip", "--strip-debug", path], check=False)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as work:
        include, link, packed = _library(work)
        version, tag = _version(include), _tag()
        info = f"{NAME}-{version}.dist-info"
        name = f"{NAME}-{version}-{tag}.whl"
        extension = os.path.join(work, "_core" + sysconfig.get_config_var("EXT_SUFFIX"))
        _compile(extension, include, link)
        files = {f"{NAME}/{os.path.basename(p)}": p for p in sorted(glob.glob(os.path.join(HERE, NAME, "*.py*")))}
        files[f"{NAME}/{os.path.basename(extension)}"] = extension
        if packed:
            library = os.path.join(work, "libgossamer.so.1")  # its SONAME
            shutil.copyfile(packed, library)
            _strip(library)
            files[f"{NAME}/libgossamer.so.1"] = library
        texts = {f"{info}/METADATA": _metadata(version),
                 f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: gossamer\nRoot-Is-Purelib: false\nTag: {tag}\n"}
        for folder in (BUNDLED, os.path.join(HERE, "..")):
            if os.path.exists(os.path.join(folder, "LICENSE")):
                files[f"{info}/LICENSE"] = os.path.join(folder, "LICENSE")
        _write_wheel(os.path.join(wheel_directory, name), info, files, texts)
    return name


def _write_wheel(path, info, files, texts):
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(inside, data):
            wheel.writestr(zipfile.ZipInfo(inside), data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append((inside, "sha256=" + digest, len(data)))

        for inside, source in files.items():
            with open(source, "rb") as data:
                add(inside, data.read())
        for inside, text in texts.items():
            add(inside, text.encode())
        record = io.StringIO()
        csv.writer(record, lineterminator="\n").writerows(rows + [(f"{info}/RECORD", "", "")])
        wheel.writestr(f"{info}/RECORD", record.getvalue())


def build_sdist(sdist_directory, config_settings=None):
    version = _version([])
    base = f"{NAME}-{version}"
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for pattern in ("*.toml", "*.py", "src/*.[ch]", f"{NAME}/*.py*"):
            for path in sorted(glob.glob(os.path.join(HERE, pattern))):
                archive.add(path, f"{base}/{os.path.relpath(path, HERE)}")
        bundled = BUNDLED if os.path.isdir(BUNDLED) else os.path.join(HERE, "..")
        for part in PARTS:
            archive.add(os.path.join(bundled, part), f"{base}/library/{part}")
        data = _metadata(version).encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return base + ".tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
