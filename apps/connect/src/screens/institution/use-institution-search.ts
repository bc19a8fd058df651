import { useCallback, useEffect, useRef, useState } from 'react';
import type { Institution } from '../../../../../packages/connect-protocol/src/view.js';
import { useConnect } from '../../context/connect-context.js';

/** A session may call five times a second (connect 4). */
const TYPING_PAUSE_MS = 200;
const EVENT_PAUSE_MS = 500;
const EVENT_TERM_LENGTH = 50;

export interface Found {
  /** The term these institutions were found for. */
  term: string;
  institutions: readonly Institution[];
  next: string | null;
}

interface Search {
  found: Found | null;
  isSearching: boolean;
  more: () => void;
}

/** Institutions for the typed term, page by page; the response for an older term is dropped. */
export function useInstitutionSearch(term: string): Search {
  const { flow } = useConnect();
  const [found, setFound] = useState<Found | null>(null);
  const [isSearching, setSearching] = useState(true);
  const isFirst = useRef(true);
  useEffect(() => {
    const stop = new AbortController();
    const wait = isFirst.current ? 0 : TYPING_PAUSE_MS;
    isFirst.current = false;
    setSearching(true);
    const timer = setTimeout(() => {
      void flow.search(term, null, stop.signal).then(
        (page) => {
          if (stop.signal.aborted) return;
          setSearching(false);
          if (page !== null)
            setFound({ term, institutions: page.institutions, next: page.cursor.next });
        },
        () => undefined,
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [flow, term]);
  useSearchEvent(term);
  const more = useCallback(() => {
    if (found?.next == null) return;
    void flow.search(found.term, found.next, new AbortController().signal).then((page) => {
      if (page === null) return;
      setFound((before) =>
        before?.next === found.next
          ? {
              ...found,
              institutions: [...found.institutions, ...page.institutions],
              next: page.cursor.next,
            }
          : before,
      );
    });
  }, [flow, found]);
  return { found, isSearching, more };
}

/** connect 11: search_institution, after 500 ms without typing. */
function useSearchEvent(term: string): void {
  const { flow } = useConnect();
  useEffect(() => {
    flow.store.dispatch({ type: 'searched', term: term.slice(0, EVENT_TERM_LENGTH) });
    if (term === '') return;
    const timer = setTimeout(
      () =>
        flow.events.report('search_institution', { search_term: term.slice(0, EVENT_TERM_LENGTH) }),
      EVENT_PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [flow, term]);
}
