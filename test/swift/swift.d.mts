import type { SpawnOptionsWithoutStdio } from 'node:child_process';

/** A program, its arguments, and options for `spawn`. */
export type Command = [file: string, args: string[], options: SpawnOptionsWithoutStdio];

export interface Swift {
  command(
    program: string,
    args: string[],
    options: { folder: string; env?: Record<string, string> },
  ): Command;
}

export function findSwift(): Promise<Swift | { missing: string }>;
