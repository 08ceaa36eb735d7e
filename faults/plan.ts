import { createRandom, type Random } from '../server/simulators/random.ts'

/** What clients do. */
export const operations = [
  'register',
  'move',
  'uplink',
  'repeat',
  'downlink',
  'cancel',
  'group',
  'webhook',
  'alert',
  'delete',
  'read',
  'foreign',
] as const
export type Operation = (typeof operations)[number]

/** How often each operation comes, among the others. */
const weights: Record<Operation, number> = {
  register: 6,
  move: 2,
  uplink: 30,
  repeat: 6,
  downlink: 10,
  cancel: 3,
  group: 4,
  webhook: 4,
  alert: 4,
  delete: 2,
  read: 20,
  foreign: 4,
}

/** The first ones, so that each client has something to work on. */
const beginning: readonly Operation[] = ['register', 'register', 'group', 'webhook', 'alert']

/** One thing that a client does. The numbers from 0 to below 1 choose among what there is then. */
export interface Step {
  operation: Operation
  subject: number
  /** The process that is asked. */
  process: number
  /** Milliseconds before it. */
  pause: number
}

/** The steps of a client, without an end. The same seed gives the same ones. */
export function* planSteps(seed: number, client: number): Generator<Step, never> {
  const random = createRandom(seed * 1_000 + client)
  const deck = operations.flatMap((name) => Array<Operation>(weights[name]).fill(name))
  for (let number = 0; ; number += 1) {
    yield {
      operation: beginning[number] ?? deck[random.between(0, deck.length - 1)] ?? 'read',
      subject: random.next(),
      process: random.next(),
      pause: random.between(20, 300),
    }
  }
}

/** What the nemesis does. */
export const faultKinds = [
  'kill a process',
  'kill a worker',
  'stop a process',
  'kill the database',
  'cut a process off the database',
  'cut all off the database',
  'slow way to the database',
  'disk of the database is full',
  'no connections left',
  'no descriptors left',
  'no memory left for a process',
  'no memory left for the database',
  'the clock jumps',
  'kill all processes and the database',
  'cut off a network',
  'slow way to a network',
  'network refuses',
  'network is away',
  'cut off the broker',
  'broker breaks connections',
  'packets of a process are lost',
  'packets of the database are lost',
  'packets of what it calls are lost',
  'receiver of webhooks is away',
] as const
/** What it does as well on Citus. */
export const machineKinds = ['kill a machine', 'packets of a machine are lost'] as const
export type FaultKind = (typeof faultKinds)[number] | (typeof machineKinds)[number]

export interface Fault {
  kind: FaultKind
  /** From 0 to below 1: which process, network or receiver. */
  target: number
  /** How long it lasts, in milliseconds. */
  milliseconds: number
  /** Milliseconds of calm after the service has recovered. */
  pause: number
}

/** The faults, without an end: all kinds in a new order each time. */
export function* planFaults(
  seed: number,
  kinds: readonly FaultKind[] = faultKinds,
): Generator<Fault, never> {
  const random = createRandom(seed * 1_000 + 999)
  for (;;) {
    for (const kind of shuffle([...kinds], random)) {
      yield {
        kind,
        target: random.next(),
        milliseconds: random.between(500, 9_000),
        pause: random.between(1_000, 5_000),
      }
    }
  }
}

function shuffle<Item>(items: Item[], random: Random): Item[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = random.between(0, last)
    const item = items[last] as Item
    items[last] = items[other] as Item
    items[other] = item
  }
  return items
}

/** How the service runs: of each process, how many workers it has. */
export function planProcesses(seed: number): readonly number[] {
  const forms: [readonly number[], ...(readonly number[])[]] = [
    [1, 1],
    [1, 1, 1],
    [2, 1],
    [1, 2],
  ]
  return createRandom(seed).pick(forms)
}
