/** What a key, user or token of an account may be allowed, each without the others. */
export type Right =
  | 'write_devices'
  | 'read_gateways'
  | 'write_gateways'
  | 'send_downlinks'
  | 'set_callback'

/**
 * What a network can do, as data. Forms, batches, the console and the README's table follow from
 * it; the contract test holds each adapter to its own.
 */
export interface Capabilities {
  /** How a device gets into the network: through its API, or by its owner's hand in its portal. */
  registration: 'api' | 'by_hand'
  /** Whether the name of a device can be changed there. */
  renames: boolean
  /** Whether adding a device that is there already gives it the key sent. */
  rekeys: boolean
  /** Whether adding it gives it the JoinEUI sent. */
  changesJoinEui: boolean
  /** Whether gateways can be created there. */
  gateways: boolean
  /** `pushed` into the network's queue; `pulled` by the network when the device listens. */
  downlinks: 'pushed' | 'pulled'
  /** How payloads travel in the network's API. */
  payload: 'hex' | 'base64'
  /**
   * What a cancel can reach. `one`: any downlink that the network still holds; `flush`: the same,
   * by emptying the device's queue and putting the others back in order; `flush_own`: as `flush`,
   * but the network does not list its queue, so that downlinks of others in it are lost; `here`:
   * only what the network was not handed yet.
   */
  cancel: 'one' | 'flush' | 'flush_own' | 'here'
  /**
   * Whether the queue goes on holding what a gateway was given, until the gateway's report: emptied
   * meanwhile, the frame goes out all the same. So also where nothing is known of it.
   */
  holdsUntilReport: boolean
  /** Whether the queue of a device can be read, with what is in it. */
  listsQueue: boolean
  /** What the network tells of a downlink; without `sent` the device's next uplink tells. */
  reports: readonly ('sent' | 'acknowledged' | 'failed')[]
  /** Whether the network lists what it has, for reconciliation. */
  lists: readonly ('devices' | 'gateways')[]
  /**
   * Whether the network tells the key of a device, so that one that was changed there is found:
   * `listed` with the others, or `read` from each device by a call of its own.
   */
  tellsKeys: 'listed' | 'read' | false
  /** Calls about single devices in a second, where the network is known to bound them. */
  deviceReadsPerSecond?: number
  /** Whether the callback is entered at the network by us; otherwise its owner does it. */
  setsCallback: boolean
  /**
   * Whether the callbacks of several accounts get the messages of one application (or what the
   * account names in its place). `one`: that of the first alone; `by_hand`: as its owner enters them.
   */
  callbacks: 'several' | 'one' | 'by_hand'
  /** Whether the network tells when it heard a device last. */
  tellsLastSeen: boolean
  /** Whether messages can also come by MQTT. */
  subscribes: boolean
  /** Whether the network has a call that proves an account's credentials. */
  checksAccount: boolean
  /**
   * What it can refuse for want of a right; of a network that is not known to tell such rights
   * apart, nothing: who may use the account may do all of it.
   */
  rights: readonly Right[]
  /** Whether it is known to bound the devices of an account. */
  hasQuota: boolean
}
