import type { StepContent } from './connect-step.js';

/** The two answers. Dotted, so that no bank's own option is taken for one. */
export const EXTEND_EXISTING = 'connect.extend_existing';
export const LINK_ANEW = 'connect.link_anew';

/**
 * The step before the login of a customer user who has a link at the bank already. A link that cannot be extended now
 * is only warned of, and where a second one is forbidden only the first is offered. Source: link-lifecycle 2.5.
 */
export function makeExtensionOffer({
  mayExtend,
  mayLinkAnew,
}: {
  mayExtend: boolean;
  mayLinkAnew: boolean;
}): Extract<StepContent, { kind: 'choice' }> {
  return {
    kind: 'choice',
    purpose: 'option',
    options: [
      ...(mayExtend
        ? [{ id: EXTEND_EXISTING, label: 'Renew the connection you have', icon: null }]
        : []),
      ...(mayLinkAnew ? [{ id: LINK_ANEW, label: 'Connect once more', icon: null }] : []),
    ],
    max: 1,
  };
}

export function isExtensionOffer(content: StepContent): boolean {
  return (
    content.kind === 'choice' &&
    content.options.some(({ id }) => id === EXTEND_EXISTING || id === LINK_ANEW)
  );
}
