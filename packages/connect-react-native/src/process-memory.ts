/** State that outlives a flow, in the memory of the process alone. */
export const processMemory = {
  /** Rule 11: by the base address of the Connect that a token belongs to. */
  keptTokens: new Map<string, string>(),
  /** Rule 5: the states of logins whose flow has ended. */
  endedReturns: new Set<string>(),
};
