"""PEP 517 build backend of the Python package; needs a compiler only: `pip install ./python`.

Uses the C library built in this checkout (build/libgossamer.so, or in the folder GOSSAMER_BUILD) and packs it into the
wheel; otherwise the library found by pkg-config.
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
FLAGS = ["-std=c17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra",
         "-Wno-missing-field-initializers", "-Wno-cast-function-type"]


def _fail(text):
    raise SystemExit("gossamer: " + text)


def _version(include):
    for folder in include + [os.path.join(HERE, "..", "include")]:
        path = os.path.join(folder, "gossamer", "base.h")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as header:
                return re.search(r'GOS_VERSION "([^"]+)"', header.read()).group(1)
    _fail("gossamer/base.h was not found")


def _library():
    """(include folders, linker flags, library to pack or None)."""
    build = os.environ.get("GOSSAMER_BUILD") or os.path.join(HERE, "..", "build")
    include = os.path.join(HERE, "..", "include")
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
    include, link, packed = _library()
    version, tag = _version(include), _tag()
    info = f"{NAME}-{version}.dist-info"
    name = f"{NAME}-{version}-{tag}.whl"
    with tempfile.TemporaryDirectory() as work:
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
        licence = os.path.join(HERE, "..", "LICENSE")
        if os.path.exists(licence):
            files[f"{info}/LICENSE"] = licence
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
        data = _metadata(version).encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return base + ".tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
