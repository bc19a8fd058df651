import type { World } from '@tributary/node';
import { untrustedText } from './untrusted-text.js';

/** A world for an assistant. Other holders of a Sandbox pair chose its name. */
export function worldResult({ name, ...world }: World) {
  return { ...world, untrusted_name: untrustedText(name) };
}
