import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
} from 'react';
import { nextDeadline } from '../../flow/deadline.js';
import type { View } from '../../../../../packages/connect-protocol/src/view.js';
import { clock } from '../../icons/frame-shapes.js';
import { Icon } from '../../icons/icon.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';

const WARN_BEFORE_MS = 120_000;

/** Warns two minutes before time runs out, and extends it where possible (connect 12). */
export function TimeLimit({ view }: { view: View }): ReactElement | null {
  const { flow, texts, now } = useConnect();
  const announce = useAnnounce();
  const { at, of } = nextDeadline(view);
  const minutes = useMinutesLeft(at, now);
  // A second press at a limit that does not move would be a false promise.
  const [isFixed, setFixed] = useState(false);
  const warning =
    minutes === null
      ? null
      : texts.get(of === 'session' ? 'closes_soon' : 'step_ends_soon', { count: minutes });
  useEffect(() => {
    if (warning !== null) announce(warning, { urgent: true });
  }, [warning, announce]);
  const isAsking = useRef(false);
  const extend = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    const isLater = await flow.keepOpen();
    isAsking.current = false;
    if (isLater) announce(texts.get('kept_open'));
    else setFixed(true);
  };
  const mayExtend = warning !== null && of === 'session' && !isFixed;
  useAnyAction(mayExtend, () => void extend());
  if (warning === null) return null;
  return (
    <div className="band band-warning">
      <Icon shape={clock} size={16} />
      <span className="band-text">{warning}</span>
      {mayExtend && (
        <button type="button" className="band-button" onClick={() => void extend()}>
          {texts.get('keep_open')}
        </button>
      )}
    </div>
  );
}

/** connect 12: any action extends the time; typing proves that the user is present. */
function useAnyAction(isOn: boolean, act: () => void): void {
  const onAction = useEffectEvent(act);
  // The next key must not extend again once the offer is gone, and may come before the next frame.
  useLayoutEffect(() => {
    if (!isOn) return;
    const listen = (): void => onAction();
    document.addEventListener('keydown', listen);
    document.addEventListener('pointerdown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
      document.removeEventListener('pointerdown', listen);
    };
  }, [isOn]);
}

/** Remaining minutes, once there are two or fewer; otherwise null. */
function useMinutesLeft(at: number, now: () => number): number | null {
  const [minutes, setMinutes] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      const left = at - now();
      setMinutes(left > WARN_BEFORE_MS ? null : Math.max(1, Math.ceil(left / 60_000)));
      if (left > 0)
        timer = setTimeout(
          look,
          left > WARN_BEFORE_MS ? Math.min(left - WARN_BEFORE_MS, 2 ** 31 - 1) : 1_000,
        );
    };
    look();
    return () => clearTimeout(timer);
  }, [at, now]);
  return minutes;
}
