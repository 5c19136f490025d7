/** In the corner of every page: who answers, and whether a conversation is open. */
export function Status() {
  return null;
}
