"""Ten lines with OpenAI's own SDK, for `antiphon emulate openai --script weather.yaml`."""

# ruff: noqa: T201 - it is here to print

import openai

client = openai.OpenAI()  # reads OPENAI_API_KEY and OPENAI_BASE_URL
tool = {"type": "function", "function": {"name": "get_weather"}}
said = [{"role": "user", "content": "How is the weather?"}]
while True:
    answer = client.chat.completions.create(model="gpt-4.1", messages=said, tools=[tool])
    message = answer.choices[0].message
    said.append(message)
    if not message.tool_calls:
        break
    result = {"role": "tool", "content": '{"ok": true, "data": {"sky": "clear"}}'}
    said += [{**result, "tool_call_id": call.id} for call in message.tool_calls]
print(message.content)
