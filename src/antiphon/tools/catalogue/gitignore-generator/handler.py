"""Generator of .gitignore files from known topics."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok

TOPICS = {
    "python": "__pycache__/ *.py[cod] .venv/ venv/ dist/ build/ *.egg-info/ .pytest_cache/ "
    ".mypy_cache/ .ruff_cache/ .coverage htmlcov/",
    "jupyter": ".ipynb_checkpoints/",
    "node": "node_modules/ dist/ npm-debug.log* yarn-error.log* .npm/ coverage/",
    "typescript": "*.tsbuildinfo",
    "react": "build/ .next/ out/",
    "java": "*.class *.jar target/ .gradle/ build/",
    "kotlin": "*.class .gradle/ build/ .kotlin/",
    "go": "*.exe *.test *.out vendor/",
    "rust": "target/ **/*.rs.bk",
    "c": "*.o *.a *.so *.out",
    "cpp": "*.o *.obj *.a *.so *.exe cmake-build-*/ CMakeFiles/ CMakeCache.txt",
    "csharp": "bin/ obj/ *.user .vs/",
    "ruby": "*.gem .bundle/ vendor/bundle/ log/ tmp/",
    "php": "vendor/ .phpunit.result.cache",
    "swift": ".build/ DerivedData/ *.xcuserstate xcuserdata/",
    "terraform": ".terraform/ *.tfstate *.tfstate.* *.tfvars",
    "docker": "docker-compose.override.yml",
    "macos": ".DS_Store .AppleDouble ._*",
    "windows": "Thumbs.db Desktop.ini $RECYCLE.BIN/",
    "linux": "*~ .directory .Trash-*",
    "vscode": ".vscode/* !.vscode/settings.json !.vscode/extensions.json",
    "jetbrains": ".idea/ *.iml",
    "vim": "*.swp *.swo",
    "secrets": ".env .env.* !.env.example *.pem *.key",
}
ALIASES = {
    "js": "node", "javascript": "node", "npm": "node", "nodejs": "node", "ts": "typescript",
    "py": "python", "mac": "macos", "osx": "macos", "golang": "go", "c++": "cpp", "c#": "csharp",
    "dotnet": "csharp", "intellij": "jetbrains", "pycharm": "jetbrains", "code": "vscode",
    "next": "react", "env": "secrets", "gradle": "java", "maven": "java",
}  # fmt: skip


def execute(args: dict[str, Any], context: Any) -> Any:
    used: dict[str, None] = {}
    unknown = []
    for topic in args["topics"]:
        name = topic.strip().casefold()
        name = ALIASES.get(name, name)
        if name in TOPICS:
            used[name] = None
        else:
            unknown.append(topic.strip())
    if not used and not args["extra"]:
        known = ", ".join(sorted(TOPICS))
        return fail(
            ErrorType.VALIDATION, f"/topics: none is known; use {known}.", pointer="/topics"
        )
    seen: set[str] = set()
    parts = []
    for name in used:
        fresh = [pattern for pattern in TOPICS[name].split() if pattern not in seen]
        seen.update(fresh)
        parts.append("\n".join([f"# {name}", *fresh]))
    own = [pattern.strip() for pattern in args["extra"] if "\n" not in pattern]
    own = [pattern for pattern in own if pattern and pattern not in seen]
    if own:
        parts.append("\n".join(["# own", *own]))
    return ok(
        {
            "content": "\n\n".join(parts) + "\n",
            "topics": list(used),
            "unknown": unknown,
            "patterns": len(seen) + len(own),
        }
    )
