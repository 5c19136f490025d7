"""The command that the suites start for each scenario: it asks the tests' driver to do it, over a
socket, so that no interpreter has to load everything. Arguments: the socket and the address."""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as line:
    line.connect(sys.argv[1])
    scenario, context = (
        os.environ.get(f"MCP_CONFORMANCE_{name}") for name in ("SCENARIO", "CONTEXT")
    )
    asked = {"url": sys.argv[2], "scenario": scenario, "context": json.loads(context or "{}")}
    line.sendall(json.dumps(asked).encode() + b"\n")
    answer = line.makefile().readline().strip()
sys.stderr.write(answer + "\n")
raise SystemExit(0 if answer == "done" else 1)
