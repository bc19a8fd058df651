import type { Frame } from 'playwright-core';

/** What a small phone must not show: see each message. Nothing is held in place in a window that scrolls as a whole. */
export function faultsOfSmallPhones(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const faults: string[] = [];
    const actions = document.querySelector('.screen-actions');
    const body = document.querySelector('.screen-body');
    if (actions !== null) {
      const { height, top } = actions.getBoundingClientRect();
      if (height > innerHeight / 3)
        faults.push(`The pinned actions take ${Math.round(height)} of ${innerHeight} pixels.`);
      for (const link of actions.querySelectorAll('.text-button'))
        faults.push(`The link "${link.textContent}" does not scroll with the text.`);
      const first = [...actions.children].find((child) => child.textContent !== '');
      if (first === undefined) faults.push('The bar of actions is empty.');
      else if (first.getBoundingClientRect().top - top > 16)
        faults.push('The bar of actions is empty at its top.');
    }
    if (body !== null && getComputedStyle(body).overflowY === 'auto') {
      const isCut = body.scrollTop + body.clientHeight < body.scrollHeight - 5;
      const edge = document.querySelector('.screen-edge');
      const isShown = edge !== null && getComputedStyle(edge, '::before').opacity === '1';
      if (isCut && !isShown)
        faults.push('Text is cut at the bottom and nothing shows that it scrolls.');
      if (!isCut && isShown) faults.push('The edge shows a scroll that is not there.');
    }
    return faults;
  });
}

/** Texts that are cut, leave their control, or lie over each other. */
export function faultsOfLargeText(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const faults: string[] = [];
    const isHidden = (element: Element): boolean =>
      element.closest('.visually-hidden, [inert], [hidden], select, textarea, svg') !== null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const lines: { element: Element; text: string; box: DOMRect }[] = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const element = node.parentElement;
      if (element === null || node.textContent?.trim() === '' || isHidden(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects())
        if (box.width > 0) lines.push({ element, text: node.textContent ?? '', box });
    }
    const scrolledAway = new Set<DOMRect>();
    for (const { element, text, box } of lines) {
      const control = element.closest('button, a, label.row, .option, .chip, .band, .sandbox');
      const outer = control?.getBoundingClientRect();
      if (
        outer !== undefined &&
        (box.left < outer.left - 1 ||
          box.right > outer.right + 1 ||
          box.top < outer.top - 2 ||
          box.bottom > outer.bottom + 2)
      )
        faults.push(`"${text}" leaves its control.`);
      for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(parent);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const clip = parent.getBoundingClientRect();
        if (box.left < clip.left - 1 || box.right > clip.right + 1)
          faults.push(`"${text}" is cut at the side by .${parent.className}.`);
        // What scrolls is reached; what is only hidden is not.
        if (overflowY === 'auto' || overflowY === 'scroll') {
          if (box.bottom > clip.bottom || box.top < clip.top) scrolledAway.add(box);
          break;
        }
        if (box.top < clip.top - 2 || box.bottom > clip.bottom + 2)
          faults.push(`"${text}" is cut by .${parent.className}.`);
      }
    }
    // Lines of a text touch each other by their line height; texts that lie over each other share more.
    const isOver = (a: DOMRect, b: DOMRect): boolean =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 3;
    const shown = lines.filter(({ box }) => !scrolledAway.has(box));
    shown.forEach((one, index) => {
      for (const other of shown.slice(index + 1))
        if (
          one.element !== other.element &&
          !one.element.contains(other.element) &&
          !other.element.contains(one.element) &&
          // The pinned actions lie beside the text that scrolls.
          (one.element.closest('.screen-body') === null) ===
            (other.element.closest('.screen-body') === null) &&
          isOver(one.box, other.box)
        )
          faults.push(`"${one.text}" lies over "${other.text}".`);
    });
    return [...new Set(faults)];
  });
}
