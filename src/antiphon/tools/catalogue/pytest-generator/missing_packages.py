"""Stand-ins for packages that are not installed: named only when the tested code uses them."""

from __future__ import annotations

import importlib.machinery
import sys
from types import ModuleType
from typing import Any


class MissingPackage(BaseException):
    """Use of a package that is not installed; no `except Exception` of the code catches it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class MissingAttribute:
    """Attribute of a missing package; it may be named, and called while a module is imported."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return MissingAttribute(f"{self._name}.{name}")

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return ()

    def __call__(self, *_: Any, **__: Any) -> Any:
        frame = sys._getframe(1)
        if frame.f_code.co_name == "<module>":
            return MissingAttribute(self._name)
        raise MissingPackage(self._name)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise MissingPackage(self._name)

    __iter__ = __getitem__ = __enter__ = __len__ = __bool__ = __contains__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __lt__ = __gt__ = __await__ = __setattr__ = _refuse


# What stands between an `import` of the tested code and its finder.
IMPORTING = {"_find_spec", "_find_and_load", "_find_and_load_unlocked", "import_for"}
IMPORTING |= {"_call_with_frames_removed", "_handle_fromlist", "_gcd_import"}


class _Finder:
    """Last finder on the path: whatever no other finder knows is a missing package."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:  # noqa: ARG002
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_name in IMPORTING:
            frame = frame.f_back  # type: ignore[assignment]
        # Libraries that try one package and then another must still learn which is not there.
        if frame is None or frame.f_globals.get("__name__") != "subject":
            return None
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> ModuleType:
        return _AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: there is no code."""


class _AbsentModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return MissingAttribute(f"{self.__name__}.{name}")


def stand_in_for_missing() -> None:
    sys.meta_path.append(_Finder())  # type: ignore[arg-type]
