/** The texts that explain why a call was refused. */
export type RefusalText = 'not_accepted' | 'finder_unavailable' | 'redirect_invalid';

interface Refusal {
  text: RefusalText;
  /** True: the SDK receives it as an error, as those marked ▲ in connect 6. */
  isReported: boolean;
}

/** Failures after which the step stays and the user can correct the input. Source: connect 6. */
const REFUSALS: Record<string, Refusal> = {
  'connect_error.invalid_input': { text: 'not_accepted', isReported: false },
  'connect_error.institution_not_available': { text: 'finder_unavailable', isReported: true },
  'connect_error.oauth_state_invalid': { text: 'redirect_invalid', isReported: true },
};

export function refusalOf(errorId: string): Refusal | null {
  return REFUSALS[errorId] ?? null;
}
