export interface Expressions {
  literals: { literal: string; at: string }[];
  built: { path: string; at: string }[];
}

export function checkExpressions(): Promise<string | undefined>;
export function findExpressions(files: readonly { path: string; text: string }[]): Expressions;
export function slowOnes(
  literals: Expressions['literals'],
): Promise<{ literal: string; problem: string }[]>;
