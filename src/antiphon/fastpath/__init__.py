"""Fast path for audio: whole WebSocket frames received and sent synchronously, past the queues.

Speech comes fifty times a second and conversation. A frame that went through a queue, a task and
two context switches at every hop would cost several times what the relaying itself does, so a
whole frame may be handed on within the call that brings it. The idea has one name at each level:

- a socket offers every whole message to `on_message(data, text)`, and sends one with
  `try_send(data)`;
- a connection to a model and everything above it take the person's speech with
  `try_send_audio(pcm)`;
- the model's speech goes to an `AudioSink`: `on_audio(event)`, while it is `writable`.

Each of these returns False where it cannot be done now, and has then done nothing: the caller goes
the awaiting way, and the order of messages is kept.

`client` and `server` are the only modules that touch private parts of websockets and of uvicorn.
tests/fastpath/test_private_parts.py names each of those parts and fails when one has changed.
"""
