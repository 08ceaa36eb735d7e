import type { CoreServices } from '../../core-services.ts'

/**
 * What `GET /events` tells in addition to stored uplinks and downlinks. These changes are told once. A
 * client that was away reads its lists again, and one is told to where an announcement was lost.
 */
export const changeKinds = [
  'device',
  'gateway',
  'account',
  'downlink',
  'job',
  'alert',
  'dashboard',
] as const

export type ChangeKind = (typeof changeKinds)[number]

/** Without an id, several have changed: clients read their lists again. */
export interface Change {
  kind: ChangeKind
  /**
   * The id of a device, a gateway, a job, an alert or a dashboard, the key of an account's network, the id of the device
   * of a downlink.
   */
  id?: number | string
}

/** More changes of one kind than this are told as one without an id. */
const mostTold = 50

/**
 * Tells the readers of `GET /events`, in all processes, of changes in the organization. Call it after
 * the commit. It waits for nothing, and costs one statement for each turn of the event loop.
 */
export function announce(
  { signals }: Pick<CoreServices, 'signals'>,
  organizationId: number,
  ...changes: readonly Change[]
): void {
  const [first] = changes
  const told = first && changes.length > mostTold ? kindsOf(changes) : changes
  for (const { kind, id = '' } of told) signals.tell(`change ${organizationId} ${kind} ${id}`)
}

function kindsOf(changes: readonly Change[]): Change[] {
  return [...new Set(changes.map(({ kind }) => kind))].map((kind) => ({ kind }))
}

const announced = /^change (\d+) (\w+) (\S*)$/

/** Reads the topic of an announcement; undefined for other signals. */
export function readAnnouncement(
  topic: string,
): { organizationId: number; change: Change } | undefined {
  const [, organizationId, kind, id] = announced.exec(topic) ?? []
  const known = changeKinds.find((each) => each === kind)
  if (organizationId === undefined || known === undefined) return undefined
  return {
    organizationId: Number(organizationId),
    change: id ? { kind: known, id } : { kind: known },
  }
}
