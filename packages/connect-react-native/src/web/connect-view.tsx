import { createElement, useRef } from 'react';
import type { PresentOptions } from '../options.js';
import { useInlineFlow } from '../use-inline-flow.js';

/** The flow inside an element of the page, which gets its height from its surroundings. */
export function ConnectView(props: PresentOptions) {
  const container = useRef<object>(null);
  useInlineFlow(props, container);
  return createElement('div', { ref: container, style: { height: '100%' } });
}
