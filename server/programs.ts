/** A subcommand of `lora-console` that is a program of its own and reads its words itself. */
export interface Program {
  name: string
  /** Name and parameters. */
  usage: string
  summary: string
  /** Names of its options, without dashes. */
  options: readonly string[]
  /** Runs it, with the words after its name as those of the process. */
  load(): Promise<unknown>
}

/** As the help of `lora-console` lists them. Each is loaded when it is started. */
export const programs: readonly Program[] = [
  {
    name: 'demo',
    usage: 'demo',
    summary: 'starts a service on a scratch directory, with simulated networks and devices',
    options: ['networks', 'devices', 'interval'],
    load: () => import('./demo/main.ts'),
  },
  {
    name: 'simulate',
    usage: 'simulate NETWORK',
    summary: 'plays the far side of a network, with its API',
    options: [
      ...['host', 'port', 'callback', 'header', 'mqtt', 'device', 'interval', 'retries', 'seed'],
    ],
    load: () => import('./simulators/main.ts'),
  },
  {
    name: 'codec',
    usage: 'codec [test] FILE...',
    summary: 'makes device types of published codecs, or tries these on their examples',
    options: ['url', 'organization', 'check'],
    load: () => import('./scripts/import-codec.ts'),
  },
  {
    name: 'mcp',
    usage: 'mcp',
    summary: 'answers the questions of an assistant about the fleet (Model Context Protocol)',
    options: ['url', 'key-file', 'allow-writes'],
    load: () => import('./mcp/main.ts'),
  },
]
