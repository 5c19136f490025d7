/** The messages of `/ws/vox`; docs/voice.md tells of each. */

import type { VoiceMessage } from "../api/session-events";

export type { VoiceMessage };

export interface Decision {
  outcome: string;
  rule: string | null;
}

/** The message of one type. */
export type MessageOf<T extends VoiceMessage["type"]> = Extract<VoiceMessage, { type: T }>;

/** What is in force, as `setup_complete` says it. */
export interface Setup {
  mode: string;
  model: string;
  /** `browser`: this browser listens and speaks; `built-in`: the server does, with its own voice. */
  voice: string;
  profile: string;
  /** The session whose conversation this is; another one where it began in writing. */
  conversation: string;
  /** The sound is recorded, and kept for so many days. */
  recordedDays?: number | undefined;
}

export interface StartOptions {
  /** What the person wanted before they began to talk; answered first. */
  pendingRequest?: string;
  /** Another conversation than the one that is shown, and who answered there. */
  conversation?: string;
  profile?: string;
}

/** What stands in the way of the line. */
export interface Trouble {
  message: string;
}
