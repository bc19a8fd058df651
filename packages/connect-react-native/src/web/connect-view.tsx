import { createElement, useRef } from 'react';
import type { PresentOptions } from '../options.js';
import { useInlineFlow } from '../use-inline-flow.js';

/** The flow inside an element of the page, which has the height that its surroundings give it. */
export function ConnectView(props: PresentOptions) {
  const container = useRef<object>(null);
  useInlineFlow(props, container);
  return createElement('div', { ref: container, style: { height: '100%' } });
}
