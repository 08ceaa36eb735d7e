/** What a key, user or token of an account may be allowed, each without the others. */
export type Right =
  | 'write_devices'
  | 'read_gateways'
  | 'write_gateways'
  | 'send_downlinks'
  | 'set_callback'

/**
 * What a network can do, as data; what is left out it cannot do. Forms, batches, the console and the
 * README's table follow from it; the contract test holds each network to its own.
 */
export interface Capabilities {
  /** How a device gets into the network: through its API, or by its owner's hand in its portal. */
  registration: 'api' | 'by_hand'
  /** Changes the name of a device. */
  renames?: true
  /** Gives a device that is there already the key with which it is added. */
  rekeys?: true
  /** Gives it the JoinEUI with which it is added. */
  changesJoinEui?: true
  /** Creates gateways. */
  gateways?: true
  /** `pushed` into the network's queue; `pulled` by the network when the device listens. */
  downlinks?: 'pushed' | 'pulled'
  /**
   * What a cancel can reach. `one`: any downlink that the network still holds; `flush`: the same,
   * by emptying the device's queue and putting the others back in order; `flush_own`: as `flush`,
   * but the network does not list its queue, so that downlinks of others in it are lost. Without
   * it, only what the network was not handed yet.
   */
  cancel?: 'one' | 'flush' | 'flush_own'
  /**
   * The queue goes on holding what a gateway was given, until the gateway's report: emptied
   * meanwhile, the frame goes out all the same. So also where nothing is known of it.
   */
  holdsUntilReport?: true
  /** Lists the queue of a device, with what is in it. */
  listsQueue?: true
  /** What the network tells of a downlink; without `sent` the device's next uplink tells. */
  reports?: readonly ('sent' | 'acknowledged' | 'failed')[]
  /** What the network lists, for reconciliation. */
  lists?: readonly ('devices' | 'gateways')[]
  /**
   * The network tells the key of a device, so that one that was changed there is found: `listed`
   * with the others, or `read` from each device by a call of its own.
   */
  tellsKeys?: 'listed' | 'read'
  /** Calls about single devices in a second, where the network is known to bound them. */
  deviceReadsPerSecond?: number
  /**
   * The service enters the callback at the network; without it the owner does. Whether the callbacks
   * of several accounts get the messages of one application (or what the account names in its
   * place), or that of the first account alone.
   */
  callbacks?: 'several' | 'one'
  /** Tells when it heard a device last. */
  tellsLastSeen?: true
  /**
   * What it can refuse for want of a right; of a network that is not known to tell such rights
   * apart, nothing: who may use the account may do all of it.
   */
  rights?: readonly Right[]
  /** It is known to bound the devices of an account. */
  hasQuota?: true
}

/** What a network's texts may be, as data, as far as its documents or its source tell. */
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

/** Says what is wrong with a text that is to go to the network; `label` is how a person calls it. */
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
