import { useEffect, type RefObject } from 'react';

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, [tabindex="0"]';

/** Keeps Tab inside the layer while a page surrounds it (connect 12, Accessibility). */
export function useFocusTrap(layer: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    const element = layer.current;
    if (element === null || !isOn) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return;
      const stops = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isReachable);
      const first = stops[0];
      const last = stops.at(-1);
      if (first === undefined || last === undefined) return;
      const { activeElement } = document;
      const isOutside = !(activeElement instanceof HTMLElement) || !element.contains(activeElement);
      // The heading holds the focus without being a tab stop: going back from it would leave the
      // layer.
      const isBeforeFirst =
        activeElement instanceof HTMLElement &&
        !!(first.compareDocumentPosition(activeElement) & Node.DOCUMENT_POSITION_PRECEDING);
      if (event.shiftKey && (activeElement === first || isOutside || isBeforeFirst))
        move(event, last);
      else if (!event.shiftKey && (activeElement === last || isOutside)) move(event, first);
    };
    // Not on the layer: a press on text leaves the focus on the body, outside of it.
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [layer, isOn]);
}

function move(event: KeyboardEvent, to: HTMLElement): void {
  event.preventDefault();
  to.focus();
}

function isReachable(element: HTMLElement): boolean {
  return element.closest('[inert]') === null && element.getClientRects().length > 0;
}
