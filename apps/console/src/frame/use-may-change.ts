import { usePathValue } from './address.js';
import { mayChangeApp, mayOperate } from '../data/may-change.js';
import { useSession } from '../data/session.js';

/** Whether this person may change what belongs to the app of the page; what may not be changed has no button. */
export function useMayChange(): boolean {
  return mayChangeApp(useSession(), usePathValue('app'));
}

/** Whether this person may make the changes that only operators make. */
export function useMayOperate(): boolean {
  return mayOperate(useSession());
}
