import type { z } from 'zod';
import type { Service } from '../../../operator/src/service.js';
import type { Level, Person, Role } from '../access/person.js';

/** The parts of the process that operations use. */
export interface ConsoleParts {
  service: Service;
  person: Person;
  now: () => Date;
}

/** One call of the console's page: what it needs, who may make it, and what it leaves in the record. */
export interface Operation<Schema extends z.ZodType = z.ZodType, Answer = unknown> {
  /**
   * Its method and its path below `/api`. What belongs to an app is below `/apps/:app`, which is checked against
   * the role of the person before anything is looked up; what belongs to the instance is below `/instance`.
   */
  call: `${'GET' | 'POST'} /${string}`;
  roles: readonly Role[];
  level: Level;
  /** The names in the path, the query and the body together; all of them text, unless they come from a body. */
  input: Schema;
  /** Required of all levels but `read`: the command that does the same, and what it concerns. */
  recorded?(input: z.output<Schema>): { action: string; subject: string };
  /** @throws OperationRefused */
  run(parts: ConsoleParts, input: z.output<Schema>): Promise<Answer>;
}

/** Lets an operation infer its input and its answer, of which the page imports the types. */
export function operation<Schema extends z.ZodType, Answer>(
  declared: Operation<Schema, Answer>,
): Operation<Schema, Answer> {
  return declared;
}

/** The answer of an operation, for the page. */
export type AnswerOf<Declared> =
  Declared extends Operation<z.ZodType, infer Answer> ? Answer : never;

/** An operation that cannot be done, in words for the person. */
export class OperationRefused extends Error {
  constructor(
    /** 404: unknown, or hidden from this person; 409: its state forbids it; 422: a value is wrong. */
    readonly status: 404 | 409 | 422 | 503,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'OperationRefused';
  }
}
