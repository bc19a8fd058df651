import { useEffect, useRef, type ReactElement } from 'react';
import { offline } from '../icons/frame-shapes.js';
import { Icon } from '../icons/icon.js';
import { useAnnounce } from '../context/announcer.js';
import { useConnect } from '../context/connect-context.js';

/** Shows that the network is lost; calls continue when it is back (connect 12, Offline). */
export function OfflineBand(): ReactElement | null {
  const {
    state: { online },
    texts,
  } = useConnect();
  const announce = useAnnounce();
  const wasOnline = useRef(true);
  useEffect(() => {
    if (wasOnline.current === online) return;
    wasOnline.current = online;
    announce(texts.get(online ? 'connection_back' : 'no_connection'), { urgent: !online });
  }, [online, announce, texts]);
  return online ? null : (
    <div className="band band-offline">
      <Icon shape={offline} size={16} />
      <span className="band-text">{texts.get('no_connection')}</span>
    </div>
  );
}
