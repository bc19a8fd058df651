import type { Command, Swift } from './swift.mjs';

export function buildSwift(swift: Swift): Promise<{ status: number | null; output: string }>;
export function flowDriver(swift: Swift): Command;
