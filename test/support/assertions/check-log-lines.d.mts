export function problemOfLine(text: string): string | null;
export function checkLogLines(output: string, of: string): void;
