import type { SessionView } from '../../../console-server/src/sign-in/session-view.js';

type Rights = Pick<SessionView, 'role' | 'is_read_only' | 'apps'>;

/** The right to change an app: a sign-in may be read-only for one app and not for another. */
export function mayChangeApp({ apps, is_read_only }: Rights, appId: string): boolean {
  // Of more than 200 apps the session names the first: the others have no grant of their own.
  const app = apps.find(({ app_id }) => app_id === appId);
  return !(app?.is_read_only ?? is_read_only);
}

/** Whether a person may make the changes that only operators make, of an app or of the instance. */
export const mayOperate = ({ role, is_read_only }: Rights): boolean =>
  role === 'operator' && !is_read_only;
