import {
  createContext,
  useCallback,
  useContext,
  useMemo,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';

/** Announces a text to screen readers: politely, or immediately when it is urgent. */
type Announce = (text: string, options?: { urgent?: boolean }) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

interface Said {
  text: string;
  number: number;
}

/**
 * The two live regions of the page. They stay mounted and only their text changes; otherwise
 * nothing would be announced.
 */
export function Announcer({ children }: { children: ReactNode }): ReactElement {
  const [calm, setCalm] = useState<Said>({ text: '', number: 0 });
  const [urgent, setUrgent] = useState<Said>({ text: '', number: 0 });
  const announce = useCallback<Announce>((text, options) => {
    const set = options?.urgent === true ? setUrgent : setCalm;
    set(({ number }) => ({ text, number: number + 1 }));
  }, []);
  const regions = useMemo(
    () => (
      <>
        <div role="status" className="visually-hidden">
          <span key={calm.number}>{calm.text}</span>
        </div>
        <div role="alert" className="visually-hidden">
          <span key={urgent.number}>{urgent.text}</span>
        </div>
      </>
    ),
    [calm, urgent],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      {regions}
    </AnnounceContext>
  );
}

export function useAnnounce(): Announce {
  return useContext(AnnounceContext);
}
