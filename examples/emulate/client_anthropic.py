"""Ten lines with Anthropic's own SDK, for `antiphon emulate anthropic --script weather.yaml`."""

# ruff: noqa: T201 - it is here to print

import anthropic

client = anthropic.Anthropic()  # reads ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL
tool = {"name": "get_weather", "input_schema": {"type": "object", "properties": {}}}
said = [{"role": "user", "content": "How is the weather?"}]
while True:
    answer = client.messages.create(
        model="claude-sonnet-4-6", max_tokens=500, messages=said, tools=[tool]
    )
    said.append({"role": "assistant", "content": answer.content})
    calls = [block for block in answer.content if block.type == "tool_use"]
    if answer.stop_reason != "tool_use":
        break
    result = {"type": "tool_result", "content": '{"ok": true, "data": {"sky": "clear"}}'}
    said.append({"role": "user", "content": [{**result, "tool_use_id": c.id} for c in calls]})
print(answer.content[0].text)
