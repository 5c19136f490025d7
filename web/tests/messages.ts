/** Messages of the server, with only the fields that a test is about. */
import { heard as hear } from "../src/voice/bus";
import type { VoiceMessage } from "../src/voice/messages";

export const message = (fields: { type: VoiceMessage["type"] } & Record<string, unknown>) => fields as unknown as VoiceMessage;
export const heard = (fields: { type: VoiceMessage["type"] } & Record<string, unknown>) => hear(message(fields));
