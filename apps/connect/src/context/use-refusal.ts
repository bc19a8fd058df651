import { useEffect } from 'react';
import { useAnnounce } from './announcer.js';
import { useConnect } from './connect-context.js';

/** The reason of the last refused call, announced once and shown until the next attempt. */
export function useRefusal(): string | null {
  const {
    state: { refusal },
    texts,
  } = useConnect();
  const announce = useAnnounce();
  const text = refusal === null ? null : texts.get(refusal);
  useEffect(() => {
    if (text !== null) announce(text, { urgent: true });
  }, [text, announce]);
  return text;
}
