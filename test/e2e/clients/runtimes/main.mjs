import { useClient } from './use-client.mjs';

// The program for runtimes with variables and a console: Node, Bun and Deno.
console.log(JSON.stringify(await useClient()));
