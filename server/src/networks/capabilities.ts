/** A right that a network can grant or deny to an account's key, user or token. */
export type Right =
  | 'write_devices'
  | 'read_gateways'
  | 'write_gateways'
  | 'send_downlinks'
  | 'set_callback'

/** The permissions of an account's key that can be checked without a change at the network. */
export type CheckedRight =
  | 'list_devices'
  | 'create_devices'
  | 'list_gateways'
  | 'create_gateways'
  | 'downlinks'
  | 'callback'

/** The rights that the key lacks for a part of its use, by the network's own names. */
export interface RightFinding {
  right: CheckedRight
  missing: readonly string[]
}

/**
 * What a network can do. What is left out it cannot do. The tests of all networks compare it with
 * the network's functions, and the table of docs/networks/README.md shows it.
 */
export interface Capabilities {
  /** Devices are registered through the network's API, or by their owner in its portal. */
  registration: 'api' | 'by_hand'
  /**
   * What it takes beyond devices of LoRaWAN 1.0.x and class A that join over the air: LoRaWAN 1.1,
   * devices without a join, and class C.
   */
  radio?: readonly ('1.1' | 'abp' | 'class_c')[]
  /** Can change the name of a device. */
  renames?: true
  /** Takes the places of devices, of gateways, or of both, with their names. */
  places?: readonly ('devices' | 'gateways')[]
  /** Adding a device that is already there changes its key. */
  rekeys?: true
  /** Adding a device that is already there changes its JoinEUI. */
  changesJoinEui?: true
  /** Can create gateways. */
  gateways?: true
  /** Downlinks are `pushed` into the network's queue, or `pulled` when the device listens. */
  downlinks?: 'pushed' | 'pulled'
  /** Has confirmed downlinks: it repeats one until the device acknowledges it. */
  confirmed?: true
  /**
   * How a downlink is taken out of the network's queue. `one`: by itself; `flush`: by emptying the
   * device's queue and putting the others back in order; `flush_own`: the same, but the network
   * does not list its queue, so that downlinks of other programs are lost. Without it, only
   * downlinks that the network does not have yet can be cancelled.
   */
  cancel?: 'one' | 'flush' | 'flush_own'
  /**
   * The queue holds a downlink that a gateway has until the gateway reports it. The gateway sends
   * it even if the queue is emptied meanwhile. Also set where nothing is known of it.
   */
  holdsUntilReport?: true
  /** Lists the queue of a device, with the payloads. */
  listsQueue?: true
  /**
   * What the network reports of a downlink. Without `sent`, the device's next uplink counts as it.
   */
  reports?: readonly ('sent' | 'acknowledged' | 'failed')[]
  /** What the network can list, for reconciliation. */
  lists?: readonly ('devices' | 'gateways')[]
  /**
   * The network shows the keys of devices, so that a changed key is found: in the list of devices,
   * or by a call for each device.
   */
  tellsKeys?: 'listed' | 'read'
  /**
   * The calls for single devices that the network allows in a second, if it is known to limit them.
   */
  deviceReadsPerSecond?: number
  /**
   * The service can set the callback; without it, the owner does. Several accounts may name the
   * same application (or what the network has in its place): then `several` callbacks get its
   * messages, or `one`, that of the first account.
   */
  callbacks?: 'several' | 'one'
  /** After failed deliveries the network stops sending to a callback for a while, until it is set again. */
  pausesCallbacks?: true
  /** Reports when it last heard a device. */
  tellsLastSeen?: true
  /**
   * The rights that an account can lack. Left out if the network is not known to distinguish
   * rights.
   */
  rights?: readonly Right[]
  /** The network limits the number of devices of an account. */
  hasQuota?: true
}

/** The names that a network accepts, according to its documents or its source. */
export interface Limits {
  deviceName?: TextLimit
  gatewayName?: TextLimit
  gatewayDescription?: TextLimit
}

interface TextLimit {
  /** In characters (code points of Unicode). */
  longest?: number
  /** Characters that the network does not take. */
  without?: string
}

/** Returns what is wrong with a text for the network, or undefined. `label` names the text. */
export function findLimitFault(
  { name, limits }: { name: string; limits?: Limits },
  field: keyof Limits,
  label: string,
  text: string,
): string | undefined {
  const { longest = Number.POSITIVE_INFINITY, without = '' } = limits?.[field] ?? {}
  const characters = [...text]
  if (characters.length > longest) {
    return `The ${label} may not be greater than ${longest} characters at ${name}.`
  }
  return characters.some((character) => without.includes(character))
    ? `The ${label} may not contain any of ${[...without].join(' ')} at ${name}.`
    : undefined
}
