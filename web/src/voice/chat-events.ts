/** Server-sent events out of pieces of a stream, wherever the pieces are cut. */

import type { TextStreamEvent } from "../api/session-events";

/** One event of the stream. */
export type ChatEvent = TextStreamEvent;

export class EventReader {
  private rest = "";

  /** The events that are whole now. Comments, which keep the line open, are none. */
  feed(piece: string): ChatEvent[] {
    this.rest += piece;
    const blocks = this.rest.split(/\r?\n\r?\n/);
    this.rest = blocks.pop()!;
    return blocks.flatMap((block) => {
      const data = block
        .split(/\r?\n/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).replace(/^ /, ""))
        .join("\n");
      return data ? [JSON.parse(data) as ChatEvent] : [];
    });
  }
}

/** All events of an answer, as they come. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
  const reader = new EventReader();
  const decoder = new TextDecoder();
  const pieces = body.getReader();
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return;
      yield* reader.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    pieces.releaseLock();
  }
}
