export interface LogCall {
  message: string;
  levels: string[];
  fields: string[];
  note: string | null;
}

export interface LogLine {
  message: string;
  levels: string[];
  fields: string[];
  notes: string[];
  processes: string[];
}

export const LEVELS: readonly string[];
export function logCallsOf(file: string, text: string): LogCall[];
export function logLines(): LogLine[];
