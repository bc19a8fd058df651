import type { EventFacts } from './timeline-row.js';

/** The members of a webhook's body that a timeline shows, by name: whatever else it holds stays there. */
export function factsInBody(body: string): EventFacts {
  // A body that the service rendered, of one of two formats.
  const members = JSON.parse(body) as Record<string, unknown>;
  const text = (name: string): string | null => {
    const value = members[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    state: text('state'),
    error: text('error'),
    errorMessage: text('error_message'),
    product: text('product'),
    permissionEndsAt:
      text('permission_ends_at') ?? text('consent_expiration_time') ?? text('disconnect_time'),
    outcome: text('outcome') ?? text('status'),
    errorInside: codeInside(members['error']),
  };
}

function codeInside(error: unknown): string | null {
  const code = (error as { error_code?: unknown } | null)?.error_code;
  return typeof code === 'string' ? code : null;
}
