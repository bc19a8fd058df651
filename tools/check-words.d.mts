export interface ForbiddenWord {
  line: number;
  word: string;
}

export function forbiddenWords(file: string, text: string): ForbiddenWord[];
export function checkWords(): string | undefined;
