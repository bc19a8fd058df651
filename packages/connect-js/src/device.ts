import type { Device } from '../../connect-protocol/src/init.js';

/**
 * The meaning of `auto`: phones and similar devices, detected by the browser's hint or by a coarse
 * pointer on a narrow screen.
 */
export function detectDevice(): Device {
  const { userAgentData } = navigator as Navigator & { userAgentData?: { mobile?: boolean } };
  if (userAgentData?.mobile === true) return 'mobile';
  return typeof matchMedia === 'function' &&
    matchMedia('(pointer: coarse) and (max-width: 900px)').matches
    ? 'mobile'
    : 'desktop';
}
