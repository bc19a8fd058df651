import { parseArgs } from 'node:util';
import type { PortPolicy } from '../ports.js';

const USAGE = `npm run demo [-- [--live-simulators | --lan [--address ADDRESS]] [--once] [--auto-ports]]

Starts the service on an empty temporary folder, links a bank, and stays up, with a sample app in which you link,
break and repair banks by hand.

  --live-simulators  also link an account through each adapter for real banks (SimpleFIN, Enable Banking, FDX);
                     their servers are simulated on this computer
  --lan              let phones in the same network reach the service, the sandbox bank and the sample app
  --address ADDRESS  the IPv4 address of this computer to use, where it has several
  --once             end after the links, with status 0 when every check passed
  --auto-ports       use free ports instead of the usual ones, also where those are free
`;

export interface DemoOptions {
  isLive: boolean;
  isOnLan: boolean;
  /** With `isOnLan`: the address the user chose. */
  address: string | undefined;
  once: boolean;
  ports: PortPolicy;
}

/** Ends the process after `--help`, and for options that do not fit. */
export function readOptions(): DemoOptions {
  const values = parse();
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const { 'live-simulators': isLive, lan: isOnLan, address, once } = values;
  const ports = values['auto-ports'] ? 'any' : 'prefer';
  if (isLive && isOnLan) refuse('--lan does not go with --live-simulators.');
  if (address !== undefined && !isOnLan) refuse('--address needs --lan.');
  return { isLive, isOnLan, address, once, ports };
}

function parse() {
  try {
    return parseArgs({
      options: {
        'live-simulators': { type: 'boolean', default: false },
        lan: { type: 'boolean', default: false },
        address: { type: 'string' },
        once: { type: 'boolean', default: false },
        'auto-ports': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n\n${USAGE}`);
  process.exit(1);
}
