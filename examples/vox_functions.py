"""Every function of the workspace once over HTTP and once by a model's call over /ws/vox.

python examples/vox_functions.py

Starts the server and an emulated model that does as it is told; no key and no network are needed.
Prints for each function the decision and its rule, how long it took, and the start of its result.
"""

# ruff: noqa: T201, S310 - it is here to print, and asks its own server
from __future__ import annotations

import json
import re
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from conversation import ANTIPHON, running
from websockets.sync.client import connect

CODE = "def add(a: int, b: int) -> int:\n    return a + b\n"
# In an order in which each finds what it needs. What changes something comes before text of others.
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_tools", {}),
    ("run_tool", {"tool_id": "calculator", "params": {"expression": "6 * 7"}}),
    (
        "create_macro",
        {
            "name": "Morning",
            "trigger_phrase": "good morning",
            "steps": [{"function": "list_kgs", "args": {}}, {"function": "check_thermal"}],
        },
    ),
    ("list_macros", {}),
    ("run_macro", {"macro_id": "good morning"}),
    ("delete_macro", {"macro_id": "good morning"}),
    ("create_project", {"name": "Loom", "description": "Weaving by voice."}),
    ("switch_model", {"provider": "claude", "model": "claude-sonnet-4-6"}),
    ("switch_theme", {"theme_id": "dark"}),
    ("list_kgs", {}),
    ("query_kg", {"database_id": "studio", "query": "who works on speech"}),
    ("search_kg", {"database_id": "studio", "query": "payroll", "limit": 3}),
    ("get_kg_analytics", {"database_id": "studio"}),
    ("cross_kg_search", {"query": "onboarding"}),
    ("ingest_to_kg", {"database_id": "studio", "text": "Ada Byron leads the Loom project."}),
    ("list_agents", {}),
    ("run_agent", {"agent_name": "researcher", "input": "How do we onboard a client?"}),
    ("run_workflow", {"workflow_name": "knowledge-synthesis", "input": "onboarding"}),
    ("generate_react_component", {"name": "PriceTag", "description": "a price with currency"}),
    ("generate_fastapi_endpoint", {"description": "list invoices with pagination"}),
    ("scan_code_security", {"code": "import os\nos.system(input())\n", "language": "python"}),
    ("analyze_code_complexity", {"code": CODE, "language": "python"}),
    ("generate_tests", {"code": CODE}),
    ("start_guided_tour", {"page": "kg-studio"}),
    ("get_available_tours", {}),
    ("list_projects", {}),
    ("search_playbooks", {"query": "a tool fails"}),
    ("list_experts", {}),
    ("chat_with_expert", {"expert_id": "people-guide", "message": "Who works on speech?"}),
    ("check_thermal", {}),
    ("navigate_page", {"path": "knowledge graphs"}),
    ("get_current_page", {}),
    ("get_workspace_state", {}),
    ("read_page_content", {}),
]


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        emulate = [ANTIPHON, "emulate", "anthropic", "--json"]
        with running(emulate, folder, folder / "model.jsonl") as line:
            told = json.loads(line)
            model = {"ANTHROPIC_API_KEY": told["key"], "ANTHROPIC_BASE_URL": told["url"]}
            serve = [ANTIPHON, "serve", "--port", "0", "--data", "data"]
            with running(serve, folder, folder / "server.log", **model) as said:
                address = re.search(r"http://([\d.:]+)", said)[1]  # type: ignore[index]
                missing = listed(address) ^ {name for name, _ in CALLS}
                if missing:
                    print(f"not the functions that are expected: {', '.join(sorted(missing))}")
                    return 1
                failed = over_http(address) + over_socket(address)
    print(f"{len(CALLS)} functions, both ways; {failed} failed")
    return 1 if failed else 0


def listed(address: str) -> set[str]:
    with urllib.request.urlopen(f"http://{address}/api/vox/functions", timeout=30) as answer:
        return {function["name"] for function in json.load(answer)["functions"]}


def over_http(address: str) -> int:
    print(f"\n{'over HTTP':<26} {'result'}")
    failed = 0
    for name, args in CALLS:
        request = urllib.request.Request(
            f"http://{address}/api/vox/function/{name}",
            json.dumps({"args": args}).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            result = json.load(answer)["result"]
        # Without a browser its functions say so, and what must be approved is asked for.
        fine = result["success"] or result["error_type"] in ("UNAVAILABLE", "CONFIRMATION_REQUIRED")
        failed += not fine
        print(f"{name:<26} {shown(result)}")
    return failed


def over_socket(address: str) -> int:
    print(f"\n{'over /ws/vox':<26} {'decision':<22} {'ms':>8}  result")
    failed = 0
    with connect(f"ws://{address}/ws/vox", max_size=None) as socket:
        socket.send(json.dumps({"type": "start", "mode": "claude", "profile": "vox"}))
        heard(socket, "turn_complete")  # the greeting
        for name, args in CALLS:
            if name in ("create_project", "create_macro"):
                args = {**args, "name": f"{args['name']} again"}
            if name == "create_macro":
                args["trigger_phrase"] = "good evening"
            socket.send(json.dumps({"type": "text", "text": f"call {name} {json.dumps(args)}"}))
            answer = heard(socket, "function_result")
            result, decision = answer["result"], answer["decision"] or {}
            rule = f"{decision.get('outcome')} ({decision.get('rule')})"
            print(f"{name:<26} {rule:<22} {answer['meta']['duration']:>8.1f}  {shown(result)}")
            failed += not result["success"] and result["error_type"] != "CONFIRMATION_REQUIRED"
            wanted = ["turn_complete"]
            if "task_id" in result:  # its outcome is told to the model when it is there
                wanted += ["async_task_complete", "turn_complete"]
            while wanted:
                wanted.remove(heard(socket, *wanted)["type"])
        socket.send(json.dumps({"type": "end"}))
    return failed


def heard(socket: Any, *kinds: str) -> dict[str, Any]:
    """The next message of these kinds. A browser would do as it is asked; here it only says so."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if message["type"] in kinds:
            return message
        if message["type"] == "function_call" and not message["server_handled"]:
            answer = {"success": True, "page": "vox"}
            reply = {"type": "browser_function_result", "name": message["name"], "result": answer}
            socket.send(json.dumps({**reply, "fn_call_id": message["fn_call_id"]}))


def shown(result: dict[str, Any]) -> str:
    text = json.dumps(result, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:87]}..."


if __name__ == "__main__":
    sys.exit(main())
