import { useLocalStorage } from '@mantine/hooks';
import type { Context } from './screen.js';

export type Zone = 'local' | 'UTC';

const now = { getInitialValueInEffect: false };

/** Where times of tables, charts and pickers alike are shown. */
export function useZone(): [Zone, (zone: Zone) => void] {
  const [zone, setZone] = useLocalStorage<Zone>({
    key: 'console-zone',
    defaultValue: 'local',
    ...now,
  });
  return [zone === 'UTC' ? 'UTC' : 'local', setZone];
}

/** The context that was used last, for pages whose address has none. */
export function useLastContext(): [Context | null, (context: Context) => void] {
  const [context, setContext] = useLocalStorage<Context | null>({
    key: 'console-context',
    defaultValue: null,
    ...now,
  });
  return [context, setContext];
}

/** Whether `/` opens Find; some keyboards and screen readers need the key for themselves. */
export function useFindKey(): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useLocalStorage<boolean>({
    key: 'console-find-key',
    defaultValue: true,
    ...now,
  });
  return [isOn, setIsOn];
}
