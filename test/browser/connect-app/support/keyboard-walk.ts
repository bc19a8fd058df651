import type { Frame, Page } from 'playwright-core';

/** More presses than the controls of any screen. */
const MAX_PRESSES = 60;

/** Controls that Tab does not reach, that show no focus, or that other content hides while they have it. */
export async function faultsOfKeyboard(page: Page, frame: Frame): Promise<string[]> {
  const expected = await controlsOf(frame);
  const faults: string[] = [];
  const reached = new Set<string>();
  for (let press = 0; press < MAX_PRESSES; press += 1) {
    await page.keyboard.press('Tab');
    const stop = await focusedControl(frame);
    if (stop === null || reached.has(stop.id)) break;
    reached.add(stop.id);
    faults.push(...stop.faults);
  }
  // A key is an action, too: the offer to keep the page open goes with the first one.
  const left = new Set(await stopsLeft(frame));
  return [
    ...faults,
    ...expected
      .filter(({ id }) => left.has(id) && !reached.has(id))
      .map(({ name }) => `Tab does not reach ${name}.`),
  ];
}

/** The controls that can be used now, each with a mark; the radio buttons of a group are one stop. */
function controlsOf(frame: Frame): Promise<{ id: string; name: string }[]> {
  return frame.evaluate(() => {
    const groups = new Set<string>();
    const question = document.querySelector('[role=alertdialog]');
    return [
      ...(question ?? document).querySelectorAll<HTMLElement>(
        'button, a[href], input, select, textarea, summary',
      ),
    ]
      .filter((control) => {
        if (control.matches(':disabled') || control.closest('[inert], [hidden]') !== null)
          return false;
        // Inside closed details, too, a control has a size.
        if (!control.checkVisibility()) return false;
        if (!(control instanceof HTMLInputElement) || control.type !== 'radio') return true;
        if (groups.has(control.name)) return false;
        groups.add(control.name);
        return true;
      })
      .map((control, index) => {
        const isRadio = control instanceof HTMLInputElement && control.type === 'radio';
        const id = isRadio ? `radio ${control.name}` : String(index);
        const members = isRadio
          ? document.querySelectorAll<HTMLElement>(`input[name="${control.name}"]`)
          : [control];
        for (const member of members) member.dataset['stop'] = id;
        const label = control.getAttribute('aria-label') ?? control.textContent;
        return { id, name: `${control.tagName.toLowerCase()} ${label || id}` };
      });
  });
}

function stopsLeft(frame: Frame): Promise<string[]> {
  return frame.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-stop]')].map(
      ({ dataset }) => dataset['stop'] ?? '',
    ),
  );
}

function focusedControl(frame: Frame): Promise<{ id: string; faults: string[] } | null> {
  return frame.evaluate(() => {
    const control = document.activeElement;
    if (!(control instanceof HTMLElement) || control.dataset['stop'] === undefined) return null;
    const faults: string[] = [];
    const name = `${control.tagName.toLowerCase()} ${control.getAttribute('aria-label') ?? control.textContent ?? ''}`;
    const isRinged = (element: Element | null): boolean => {
      if (element === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    };
    // A row shows the focus of its box, and the place of the next character that of a code's field.
    const shown = [
      control,
      control.closest('.pick-row'),
      control.closest('.code')?.querySelector('.is-next') ?? null,
    ];
    if (!shown.some(isRinged)) faults.push(`${name} shows no focus.`);
    // WCAG 2.2, 2.4.11: not entirely hidden.
    const { left, top, right, bottom } = control.getBoundingClientRect();
    const isSeenAt = (x: number, y: number): boolean => {
      const found = document.elementFromPoint(x, y);
      return found !== null && (control.contains(found) || found.contains(control));
    };
    const isSeen = [0.25, 0.5, 0.75].some((part) =>
      isSeenAt(left + (right - left) / 2, top + (bottom - top) * part),
    );
    if (!isSeen) faults.push(`${name} is hidden while it has the focus.`);
    return { id: control.dataset['stop'], faults };
  });
}
