/** Things to ask, in the language of the knowledge that ships. Each works with the built-in model. */
export const EXAMPLES = ["Who leads Harbor Light?", "What does idempotent mean?", "Open the tools page", "What can you do?"];
