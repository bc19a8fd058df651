import type { Tributary } from '@tributary/node';
import type { z } from 'zod';

/** The means of a tool of either server, besides its arguments. */
export interface ToolContext {
  tributary: Tributary;
  /** Ends the calls to the service when the host cancels the tool. */
  options: { signal: AbortSignal };
}

export interface Tool {
  name: string;
  description: string;
  /** The scope of its calls; without it, the tool is not offered. */
  scope: string;
  /** True if it changes something in the Sandbox. */
  writes: boolean;
  input: z.ZodObject;
  run(args: never, context: ToolContext): Promise<object>;
}

/** Gives the arguments of `run` the type of `input`. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run' | 'writes'> & {
    writes?: boolean;
    input: Input;
    run(args: z.output<Input>, context: ToolContext): Promise<object>;
  },
): Tool {
  return { writes: false, ...tool };
}
