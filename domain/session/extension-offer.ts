import type { StepContent } from './connect-step.js';

/** The two options. The dot distinguishes them from a bank's own option ids. */
export const EXTEND_EXISTING = 'connect.extend_existing';
export const LINK_SEPARATELY = 'connect.link_anew';

/**
 * Builds the step that precedes the login when the user already has a link at the bank. For a link
 * that cannot be extended now it only warns; if a second link is forbidden, extending is the only
 * option. Source: link-lifecycle 2.5.
 */
export function makeExtensionOffer({
  mayExtend,
  mayLinkSeparately,
}: {
  mayExtend: boolean;
  mayLinkSeparately: boolean;
}): Extract<StepContent, { kind: 'choice' }> {
  return {
    kind: 'choice',
    purpose: 'option',
    options: [
      ...(mayExtend
        ? [{ id: EXTEND_EXISTING, label: 'Renew the connection you have', icon: null }]
        : []),
      ...(mayLinkSeparately
        ? [{ id: LINK_SEPARATELY, label: 'Add a separate connection', icon: null }]
        : []),
    ],
    max: 1,
  };
}

export function isExtensionOffer(content: StepContent): boolean {
  return (
    content.kind === 'choice' &&
    content.options.some(({ id }) => id === EXTEND_EXISTING || id === LINK_SEPARATELY)
  );
}
