import { addStyle } from './layer-style.js';
import { lockPageScroll } from './page-scroll.js';

export interface LayerOptions {
  title: string;
  /** The element to render into; by default a layer covers the page. */
  container: Element | undefined;
  zIndex: number;
  overlay: string;
  nonce: string | undefined;
  /** The end user requested the exit while the focus was on the page's side. */
  onEscape: () => void;
}

export interface Layer {
  /** Loads in a frame of its own, hidden until it is revealed, in place of an earlier one. */
  load(src: string): HTMLIFrameElement;
  /** Shows a screen of the SDK where the hosted app has none. */
  cover(screen: HTMLElement): void;
  /** Leaves the drawing to the hosted app. */
  reveal(): void;
  /** Removes everything from the page and restores the focus. */
  remove(): void;
}

// connect 8: frame attributes
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

export function showLayer(options: LayerOptions): Layer {
  const opener = document.activeElement;
  addStyle(options.nonce);
  const root = document.createElement('div');
  root.dataset['tributaryConnect'] = options.container === undefined ? 'layer' : 'inline';
  const progress = createProgress();
  root.append(progress);
  const undo: (() => void)[] = [];
  let frame: HTMLIFrameElement | undefined;

  if (options.container === undefined) {
    coverPage(root, options);
    document.body.append(root);
    undo.push(lockPageScroll(), disableAround(root), listenForEscape(options.onEscape));
  } else {
    Object.assign(root.style, { position: 'relative', width: '100%', height: '100%' });
    options.container.append(root);
  }

  return {
    load(src) {
      frame?.remove();
      frame = createFrame(src, options.title);
      root.prepend(frame);
      return frame;
    },
    cover(screen) {
      if (root.contains(screen)) return;
      progress.remove();
      root.append(screen);
    },
    reveal() {
      if (frame === undefined) return;
      const mayTakeFocus = options.container === undefined || root.contains(document.activeElement);
      for (const beside of [...root.children]) if (beside !== frame) beside.remove();
      frame.style.visibility = 'visible';
      root.style.backgroundColor = 'transparent';
      if (mayTakeFocus) frame.focus({ preventScroll: true });
    },
    remove() {
      for (const step of undo.splice(0)) step();
      if (!root.isConnected) return;
      root.remove();
      if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body)
        opener.focus({ preventScroll: true });
    },
  };
}

function createFrame(src: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', SANDBOX);
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.setAttribute('allow', '');
  frame.title = title;
  // Without this, a page in dark colors paints an opaque canvas behind a frame in light ones, and
  // hides the backdrop.
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    height: '100%',
    border: '0',
    background: 'transparent',
    colorScheme: 'normal',
    // Until the hosted app draws, a browser might show an error page of its own in it.
    visibility: 'hidden',
  });
  frame.addEventListener('load', () => frame.focus({ preventScroll: true }));
  frame.src = src;
  return frame;
}

function coverPage(root: HTMLElement, { zIndex, overlay }: LayerOptions): void {
  root.className = 'tributary-connect-layer';
  Object.assign(root.style, {
    position: 'fixed',
    inset: '0',
    zIndex: String(zIndex),
    backgroundColor: overlay,
  });
}

/**
 * Keeps focus and reading inside the layer. The hosted app in the frame announces itself as the
 * dialog.
 */
function disableAround(layer: Element): () => void {
  const around = [...document.body.children].filter(
    (element) => element !== layer && !element.hasAttribute('inert'),
  );
  for (const element of around) element.setAttribute('inert', '');
  return () => {
    for (const element of around) element.removeAttribute('inert');
  };
}

function createProgress(): HTMLElement {
  const progress = document.createElement('div');
  progress.className = 'tributary-connect-progress';
  progress.setAttribute('aria-hidden', 'true');
  Object.assign(progress.style, {
    position: 'absolute',
    insetInline: '0',
    top: '0',
    height: '2px',
    overflow: 'hidden',
    color: '#7fa2ff',
    pointerEvents: 'none',
  });
  return progress;
}

function listenForEscape(onEscape: () => void): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // The page behind the layer must not close its own elements.
    event.stopPropagation();
    onEscape();
  };
  document.addEventListener('keydown', listen, true);
  return () => document.removeEventListener('keydown', listen, true);
}
