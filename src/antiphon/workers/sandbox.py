"""The walls around a worker process: rlimits, seccomp and Landlock, all without privileges.

Each of them is put up by the process itself, before it runs anything that is not ours. On systems
other than Linux only the rlimits are there; `antiphon doctor` says what is in force.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from typing import Any

from antiphon.workers.limits import WorkerLimits

LARGEST_FILE = 16 * 1024 * 1024

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2

# Numbers of system calls by machine: the identity of the ABI, then each call.
_MACHINES: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        {
            "socket": 41,
            "io_uring_setup": 425,
            "clone": 56,
            "fork": 57,
            "vfork": 58,
            "execve": 59,
            "execveat": 322,
            "clone3": 435,
            "kill": 62,
            "tkill": 200,
            "tgkill": 234,
            "pidfd_send_signal": 424,
            "rt_sigqueueinfo": 129,
            "rt_tgsigqueueinfo": 297,
            "pidfd_open": 434,
            "ptrace": 101,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "setrlimit": 160,
            "prlimit64": 302,
            "unshare": 272,
            "setns": 308,
            "mount": 165,
            "umount2": 166,
            "pivot_root": 155,
            "chroot": 161,
            "keyctl": 250,
            "add_key": 248,
            "request_key": 249,
            "bpf": 321,
            "perf_event_open": 298,
            "userfaultfd": 323,
            "socketpair": 53,
            "setsid": 112,
            "setpgid": 109,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "socket": 198,
            "io_uring_setup": 425,
            "clone": 220,
            "execve": 221,
            "execveat": 281,
            "clone3": 435,
            "kill": 129,
            "tkill": 130,
            "tgkill": 131,
            "pidfd_send_signal": 424,
            "rt_sigqueueinfo": 138,
            "rt_tgsigqueueinfo": 240,
            "pidfd_open": 434,
            "ptrace": 117,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "setrlimit": 164,
            "prlimit64": 261,
            "unshare": 97,
            "setns": 268,
            "mount": 40,
            "umount2": 39,
            "pivot_root": 41,
            "chroot": 51,
            "keyctl": 219,
            "add_key": 217,
            "request_key": 218,
            "bpf": 280,
            "perf_event_open": 241,
            "userfaultfd": 282,
            "socketpair": 199,
            "setsid": 157,
            "setpgid": 154,
        },
    ),
}
# Without a socket there is no network; a ring for I/O would be a way around the filter.
_NETWORK = ("socket", "io_uring_setup")
# Asyncio needs a pair of sockets for itself.
_ALONE = tuple(name for name in _MACHINES["x86_64"][1] if name not in ("clone", "socketpair"))
_CLONE_THREAD = 0x00010000
_X32 = 0x40000000
_EPERM, _ENOSYS = 1, 38

_LANDLOCK = {"create": 444, "add": 445, "restrict": 446}  # the same on every machine
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read a file, list a folder
_FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14
# How many of the rights the kernel knows, by the version of its interface.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}


class NotConfined(Exception):
    """This system cannot confine a process as it was asked to; the message says what is missing."""


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int) -> None:
    """End this process when its parent ends, however that ends."""
    if sys.platform != "linux":
        return
    _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before this could be said
        os._exit(0)


def apply_limits(limits: WorkerLimits) -> dict[str, bool]:
    """Apply the limits to this process for the rest of its life.

    Return which limits are in force: "memory", "network" and "files". With `limits.folder`,
    raises NotConfined when the process cannot be confined: what is not trusted must not run then.
    """
    standing = {"memory": _limit_memory(limits.memory_mb), "network": False, "files": False}
    _lower("RLIMIT_NOFILE", limits.open_files)
    _lower("RLIMIT_CORE", 0)
    if limits.folder is not None:
        _lower("RLIMIT_FSIZE", LARGEST_FILE)
        try:
            _confine_files(limits.folder)
            _filter_calls(_ALONE, threads_only=True)
        except OSError as error:
            raise NotConfined(error.strerror or str(error)) from error
        standing["files"] = standing["network"] = True
    elif not limits.network:
        standing["network"] = can_filter() and _try_filter()
    return standing


def _try_filter() -> bool:
    try:
        _filter_calls(_NETWORK)
    except OSError:
        return False
    return True


def limit_cpu(seconds: float) -> None:
    """Limit this process to so many more seconds of CPU time."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or soft <= hard:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _lower(name: str, most: int) -> None:
    try:
        import resource
    except ImportError:
        return
    which = getattr(resource, name, None)
    if which is None:
        return
    _, hard = resource.getrlimit(which)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(which, (most, most))


def _limit_memory(megabytes: int) -> bool:
    """Limit the address space to its present size and so many megabytes more."""
    try:
        with open("/proc/self/statm", "rb") as file:
            now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return False  # elsewhere the address space says nothing about the memory in use
    _lower("RLIMIT_AS", now + megabytes * 1024 * 1024)
    return True


# -- seccomp -----------------------------------------------------------------------------------


def can_filter() -> bool:
    """Whether seccomp filters can be installed on this system."""
    return sys.platform == "linux" and os.uname().machine in _MACHINES


def _filter_calls(names: tuple[str, ...], *, threads_only: bool = False) -> None:
    """Make these system calls fail with EPERM. Raises OSError where that cannot be done."""
    if not can_filter():
        raise OSError("there is no filter for system calls on this machine")
    identity, numbers = _MACHINES[os.uname().machine]
    refused = [numbers[name] for name in names if name in numbers and name != "clone3"]
    program = _program(identity, refused, numbers, threads_only=threads_only)
    buffer = ctypes.create_string_buffer(b"".join(program))

    class Filter(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    code = Filter(len(program), ctypes.addressof(buffer))
    libc = _libc()
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(code), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the filter for system calls was refused")


def _program(
    identity: int, refused: list[int], numbers: dict[str, int], *, threads_only: bool
) -> list[bytes]:
    load, equal, at_least, bit, answer = 0x20, 0x15, 0x35, 0x45, 0x06

    def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("=HBBI", code, yes, no, value)

    refuse, allow = step(answer, 0x00050000 | _EPERM), step(answer, 0x7FFF0000)
    program = [
        step(load, 4),  # which ABI
        step(equal, identity, 1, 0),
        refuse,
        step(load, 0),  # which call
        step(at_least, _X32, 0, 1),
        refuse,
    ]
    for number in refused:
        program += [step(equal, number, 0, 1), refuse]
    if threads_only:
        # The C library falls back to `clone`, whose flags can be looked at.
        program += [step(equal, numbers["clone3"], 0, 1), step(answer, 0x00050000 | _ENOSYS)]
        program += [
            step(equal, numbers["clone"], 0, 4),
            step(load, 16),
            step(bit, _CLONE_THREAD, 1, 0),
            refuse,
            allow,
        ]
    return [*program, allow]


# -- Landlock ----------------------------------------------------------------------------------


def landlock_version() -> int:
    """Return the version of the kernel's Landlock interface; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(_LANDLOCK["create"], None, 0, 1)))


def _confine_files(folder: str) -> None:
    """Let this process read the Python installation and use `folder`, and no other file."""
    version = landlock_version()
    if not version:
        raise OSError("this system cannot confine a process to a folder (Landlock is missing)")
    everything = (1 << _RIGHTS.get(version, 16)) - 1
    libc = _libc()
    attributes = ctypes.create_string_buffer(struct.pack("=Q", everything))
    ruleset = libc.syscall(_LANDLOCK["create"], attributes, 8, 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "no rules for files could be made")
    try:
        for path in readable():
            _allow(libc, ruleset, path, _READ & everything)
        _allow(libc, ruleset, folder, everything)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.syscall(
            _LANDLOCK["restrict"], ruleset, 0
        ):
            raise OSError(ctypes.get_errno(), "the rules for files were refused")
    finally:
        os.close(ruleset)


def readable() -> list[str]:
    """Return the paths that confined code may read: Python, its libraries, the time zones."""
    package = os.path.dirname(os.path.dirname(__file__))
    homes = (sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), package)
    found = {os.path.realpath(path) for path in homes}
    found |= {os.path.realpath(p) for p in sys.path if p.endswith(("site-packages", "lib-dynload"))}
    found |= {"/usr/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/etc/localtime"}
    found |= {"/etc/ld.so.cache", "/dev/null", "/dev/urandom", "/dev/zero"}
    return sorted(path for path in found if path != "/" and os.path.exists(path))


def _allow(libc: Any, ruleset: int, path: str, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor))
        if libc.syscall(_LANDLOCK["add"], ruleset, 1, rule, 0):
            raise OSError(ctypes.get_errno(), f"no rule could be made for {path}")
    finally:
        os.close(descriptor)


# -- what is in force --------------------------------------------------------------------------


def try_out() -> dict[str, Any]:
    """Probe, from within a worker, what its limits still allow."""
    import socket

    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
        network = True
    except OSError:
        network = False
    return {"network": network, "landlock": landlock_version()}
