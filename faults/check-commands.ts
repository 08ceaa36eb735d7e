import type { Violation } from './check.ts'
import type { Facts, StoredDownlink } from './facts.ts'
import type { Entry } from './history.ts'

/** Downlinks, and devices at their networks. */
export function checkCommands(facts: Facts): Violation[] {
  return [...checkDownlinks(facts), ...checkPlaces(facts)]
}

function checkDownlinks(facts: Facts): Violation[] {
  const { entries, downlinks, atNetworks, devices } = facts
  const requests = Map.groupBy(
    entries.filter(({ operation }) => operation === 'downlink' || operation === 'cancel'),
    ({ value }) => String(value),
  )
  const known = new Set(devices.map(({ eui }) => eui))
  const ledger = new Map(downlinks.map((downlink) => [downlink.bytes, downlink]))
  const queues = new Map(
    atNetworks
      .filter(({ network, eui }) => network === 'chirpstack' && known.has(eui))
      .map(({ eui, queue }) => [eui, queue]),
  )
  const told = (bytes: string, text: string): Violation => ({
    guarantee: 'Downlinks',
    text: `${bytes}: ${text}`,
    entries: requests.get(bytes) ?? [],
  })
  const pausedUntil = findPauses(facts)
  const isUndisturbed = (eui: string, bytes: string) =>
    (requests.get(bytes)?.[0]?.begin ?? Infinity) > (pausedUntil.get(eui) ?? 0)
  const undisturbed = new Map(
    [...queues].map(([eui, queue]) => [eui, queue.filter((bytes) => isUndisturbed(eui, bytes))]),
  )
  return [
    ...checkAccepted(requests, ledger),
    ...[...undisturbed.values()].flatMap((queue) =>
      [...new Set(queue)]
        .filter((bytes) => queue.indexOf(bytes) !== queue.lastIndexOf(bytes))
        .map((bytes) => told(bytes, 'is twice in the queue of the network')),
    ),
    ...downlinks
      .filter(({ eui }) => queues.has(eui))
      .flatMap((downlink) => {
        const wrong = compareState(downlink, queues.get(downlink.eui) ?? [])
        return wrong ? [told(downlink.bytes, wrong)] : []
      }),
    ...checkOrder(downlinks, undisturbed).map((bytes) =>
      told(bytes, 'is before an earlier one in the queue of the network'),
    ),
  ]
}

/** Milliseconds for which a process may stand still in the middle of a call to a network. */
const longestPause = 5_000

/**
 * The devices whose downlinks a process was just working on when it stood still for so long, or when the
 * clock jumped over its claim, and the end of that: another one may have handed over meanwhile what was
 * accepted until then.
 */
function findPauses({ entries, episodes }: Facts): Map<string, number> {
  const ends = new Map<string, number>()
  for (const { kind, target, begin, end } of episodes) {
    const isJump = kind === 'the clock jumps'
    const isStop = kind === 'stop a process' && end - begin > longestPause
    if (!isJump && !isStop) continue
    // A clock that was behind goes ahead when it is set right again.
    const at = isJump && target.startsWith('by -') ? end : begin
    for (const entry of entries) {
      const isCommand = entry.operation === 'downlink' || entry.operation === 'cancel'
      const isUnderWay = entry.begin < at && entry.end > at
      const isThere = isJump || target === `process ${entry.process}`
      if (isCommand && isUnderWay && isThere) ends.set(entry.subject, isJump ? at : end)
    }
  }
  return ends
}

function checkAccepted(
  requests: ReadonlyMap<string, Entry[]>,
  ledger: ReadonlyMap<string, StoredDownlink>,
): Violation[] {
  return [...requests].flatMap(([bytes, entries]): Violation[] => {
    const isAccepted = entries.some((entry) => entry.operation === 'downlink' && isDone(entry))
    const isCancelled = entries.some((entry) => entry.operation === 'cancel' && isDone(entry))
    const state = ledger.get(bytes)?.state
    const isRefused = entries.every(({ outcome }) => outcome === 'refused')
    if (isRefused && state !== undefined) {
      const text = `the downlink ${bytes} was refused and is in the ledger`
      return [{ guarantee: 'Clear refusals', text, entries }]
    }
    if (isAccepted && state === undefined) {
      const text = `the downlink ${bytes} was accepted and is not in the ledger`
      return [{ guarantee: 'Durability', text, entries }]
    }
    if (!isCancelled || state === 'cancelled') return []
    const text = `the downlink ${bytes} was cancelled and is ${state}`
    return [{ guarantee: 'Downlinks', text, entries }]
  })
}

function isDone({ outcome }: Entry): boolean {
  return outcome === 'done'
}

/** What the ledger says, against the queue, from which no device takes anything in a run. */
function compareState({ bytes, state, error }: StoredDownlink, queue: readonly string[]) {
  const isThere = queue.includes(bytes)
  if (state === 'handed_over' && !isThere) return 'is handed over, and the network does not have it'
  if (['cancelled', 'expired', 'queued'].includes(state) && isThere) {
    return `is ${state}, and the network has it`
  }
  if (state === 'failed' && isThere) return `failed (${error}), and the network has it`
  if (state === 'sent') return 'is called sent, and no device has listened'
  return undefined
}

/** The first one of each queue that stands before an earlier one. */
function checkOrder(
  downlinks: readonly StoredDownlink[],
  queues: ReadonlyMap<string, readonly string[]>,
): string[] {
  const numbers = new Map(downlinks.map(({ bytes, id }) => [bytes, id]))
  return [...queues.values()].flatMap((queue) => {
    const ids = queue.map((bytes) => numbers.get(bytes) ?? 0)
    const wrong = ids.findIndex((id, index) => index > 0 && id < (ids[index - 1] ?? 0))
    return wrong < 1 ? [] : [queue[wrong - 1] ?? '']
  })
}

/** Each device is at its network, and only there; a deleted one is nowhere. */
function checkPlaces({ devices, atNetworks, entries, episodes }: Facts): Violation[] {
  const places = Map.groupBy(atNetworks, ({ organization, eui }) => `${organization} ${eui}`)
  const own = new Map(devices.map((device) => [`${device.organization} ${device.eui}`, device]))
  const names = new Set([...places.keys(), ...own.keys()])
  return [...names].flatMap((name) => {
    const device = own.get(name)
    const networks = (places.get(name) ?? []).map(({ network }) => network).sort()
    const isExpected = device
      ? device.status !== 'active' || device.isMoving || isOnly(networks, device.network)
      : networks.length === 0
    const isConsoleOnly = name.includes(' 00AA0000000000')
    if (isExpected || isConsoleOnly) return []
    const [organization = '', eui = ''] = name.split(' ')
    const requests = entries.filter(
      ({ subject, operation }) =>
        subject === eui && ['register', 'move', 'delete'].includes(operation),
    )
    // A network that refuses to delete a device keeps it.
    const isKept = (network: string) =>
      episodes.some(
        ({ kind, target, end }) =>
          kind === 'network refuses' &&
          target === `${network} of organization ${organization}` &&
          requests.some(({ operation, begin }) => operation !== 'register' && begin < end),
      )
    const isThere = !device || networks.includes(device.network)
    if (isThere && networks.every((each) => each === device?.network || isKept(each))) return []
    return [
      {
        guarantee: 'Accepted work is done',
        text: `device ${eui} is ${device ? `at ${device.network}` : 'deleted'} here, and at ${networks.join(' and ') || 'no network'} outside`,
        entries: requests,
      },
    ]
  })
}

function isOnly(networks: readonly string[], network: string): boolean {
  return networks.length === 1 && networks[0] === network
}
