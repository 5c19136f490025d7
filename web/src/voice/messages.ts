/** The messages of `/ws/vox`; docs/voice.md tells of each. */

export interface Decision {
  outcome: string;
  rule: string | null;
}

/** What a message of the server may carry. `seq` counts without gaps. */
export interface ServerMessage {
  type: string;
  seq?: number;
  turn_id?: number;
  [field: string]: any;
}

export interface ConfirmationRequired {
  id: string;
  token: string;
  tool: string;
  title: string;
  preview: string;
  fields: { name: string; label?: string; value: unknown; text?: string }[];
  risk: "low" | "high";
  expires_at: number;
}
