"""Ten lines with Google's own SDK, for `antiphon emulate gemini --script weather.yaml`."""

# ruff: noqa: T201 - it is here to print

import asyncio

from google import genai
from google.genai import types


async def main() -> None:
    client = genai.Client()  # reads GEMINI_API_KEY, GOOGLE_GEMINI_BASE_URL and SSL_CERT_FILE
    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name="get_weather")])
    config = types.LiveConnectConfig(response_modalities=["TEXT"], tools=[tool])
    async with client.aio.live.connect(model="gemini-3.8-live", config=config) as session:
        await session.send_client_content(
            turns=types.Content(role="user", parts=[types.Part(text="How is the weather?")])
        )
        async for message in session.receive():
            for call in message.tool_call.function_calls if message.tool_call else []:
                answer = types.FunctionResponse(id=call.id, name=call.name, response={"ok": True})
                await session.send_tool_response(function_responses=answer)
            print(message.text or "", end="")
    print()


asyncio.run(main())
