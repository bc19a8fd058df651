import { act, StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

export interface Rendered {
  element: HTMLElement;
  render(node: ReactNode): Promise<void>;
  unmount(): Promise<void>;
}

/** Renders into the page in strict mode, including all effects. */
export async function rendered(node: ReactNode): Promise<Rendered> {
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  const render = (next: ReactNode): Promise<void> =>
    act(async () => {
      root.render(<StrictMode>{next}</StrictMode>);
      await Promise.resolve();
    });
  await render(node);
  return {
    element,
    render,
    async unmount() {
      await act(async () => {
        root.unmount();
        await Promise.resolve();
      });
      element.remove();
    },
  };
}

/** Runs code that React reacts to. */
export const doing = (what: () => unknown): Promise<void> =>
  act(async () => {
    await what();
  });
