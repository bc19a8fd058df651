import type { Appearance } from '../../connect-protocol/src/init.js';
import { isDark } from './layer-style.js';
import { styleLoading } from './loading-style.js';
import { loadingTexts } from './loading-texts.js';
import { languageOf } from './texts.js';

interface LoadingScreenOptions {
  locale: string;
  appearance: Appearance;
  /** Inside an element of the page, where the focus stays free. */
  isInline: boolean;
  onRetry: () => void;
  onClose: () => void;
}

interface LoadingScreen {
  readonly element: HTMLElement;
  showSpinner(): void;
  showProblem(message: string): void;
  setAppearance(appearance: Appearance): void;
}

/** The screen of the SDK while the hosted app has none: loading, or the reason that it cannot. */
export function createLoadingScreen({
  locale,
  appearance,
  isInline,
  onRetry,
  onClose,
}: LoadingScreenOptions): LoadingScreen {
  const texts = loadingTexts(locale);
  const language = languageOf(locale);
  const element = document.createElement('div');
  Object.assign(element.style, { position: 'absolute', inset: '0' });
  const root = element.attachShadow({ mode: 'open' });
  styleLoading(root);
  const cover = create('div', {
    class: isInline ? 'cover inline' : 'cover',
    lang: language,
    dir: language === 'ar' ? 'rtl' : 'ltr',
  });
  const card = create('div', {
    class: 'card',
    tabindex: '-1',
    'aria-labelledby': 'title',
    'aria-describedby': 'text',
    ...(isInline ? { role: 'group' } : { role: 'dialog', 'aria-modal': 'true' }),
  });
  cover.append(card);
  const setAppearance = (next: Appearance): void => {
    cover.classList.toggle('dark', isDark(next));
  };
  setAppearance(appearance);
  card.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onClose();
    if (event.key === 'Tab') keepInside(event, root, isInline);
  });

  const button = (label: string, onPress: () => void, kind = ''): HTMLElement => {
    const made = create('button', { type: 'button', class: kind }, label);
    made.addEventListener('click', onPress);
    return made;
  };
  const show = (text: HTMLElement, ...buttons: HTMLElement[]): void => {
    const hadFocus = root.activeElement !== null;
    card.replaceChildren(
      create('h2', { id: 'title', class: 'title' }, texts.title),
      text,
      ...buttons,
    );
    if (!cover.isConnected) root.append(cover);
    if (!isInline || hadFocus) card.focus({ preventScroll: true });
  };

  return {
    element,
    showSpinner() {
      const text = create('div', { id: 'text', class: 'text', role: 'status' });
      text.append(
        create('div', { class: 'spinner', 'aria-hidden': 'true' }),
        create('p', {}, texts.loading),
      );
      show(text, button(texts.close, onClose));
    },
    showProblem(message) {
      const text = create('div', { id: 'text', class: 'text', role: 'alert' });
      text.append(create('p', {}, message));
      show(text, button(texts.tryAgain, onRetry, 'primary'), button(texts.close, onClose));
    },
    setAppearance,
  };
}

function create(name: string, attributes: Record<string, string>, text = ''): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/** Over a page Tab goes around in the layer; an element of a page can be left. */
function keepInside(event: KeyboardEvent, root: ShadowRoot, isInline: boolean): void {
  const buttons = [...root.querySelectorAll('button')];
  const [edge, opposite] = event.shiftKey
    ? [buttons[0], buttons[buttons.length - 1]]
    : [buttons[buttons.length - 1], buttons[0]];
  const { activeElement } = root;
  const isBeforeFirst = event.shiftKey && !buttons.some((button) => button === activeElement);
  if (isInline || (activeElement !== edge && !isBeforeFirst)) return;
  event.preventDefault();
  opposite?.focus();
}
