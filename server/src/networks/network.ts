import type { Region } from '../lora/regions.ts'
import type { Capabilities, Limits } from './capabilities.ts'
import type { NetworkForms } from './forms.ts'
import type { Broker } from './mqtt/broker.ts'
import type { CallbackRequest, Confirmation, NetworkMessage } from './network-message.ts'
import type { Outside } from './outside.ts'

export { NetworkError, type NetworkErrorSubject } from './network-error.ts'

/** One field of an account at a network, as PUT /network-accounts/{network} takes it. */
export interface AccountField {
  name: string
  label: string
  required?: true
  /** Write-only: sealed at rest, never in an answer. */
  secret?: true
  /** Of a value that is there. */
  check?: FieldCheck
  /** The field that needs this one beside it, and what to say where this one is missing. */
  neededBy?: { field: string; problem: string }
}

/** Says what is wrong with a value by its form alone; undefined when nothing is. */
export type FieldCheck = (value: string, values: AccountValues) => string | undefined

/** The account's fields by name, secrets opened. */
export type AccountValues = Record<string, string>

/** A device as it is provisioned at a network. EUIs and key are hexadecimal. */
export interface NetworkDevice {
  devEui: string
  joinEui: string
  /** AppKey of LoRaWAN 1.0.x, 32 digits. */
  appKey: string
  name: string
  region?: Region
  /** One of the network's own, by its id. */
  frequencyPlan?: string
}

export interface NetworkGateway {
  gatewayEui: string
  name: string
  description?: string
  region?: Region
  /** What the network's form asks for beyond that, by the names of POST /gateways. */
  settings?: Record<string, string>
}

export interface NetworkDownlink {
  devEui: string
  /** 1 to 223. */
  fPort: number
  payload: Uint8Array
  confirmed: boolean
}

/** A downlink that waits in the network's queue of a device. */
export interface QueuedDownlink {
  /** The network's own id of the queue item. */
  id: string
  fPort: number
  payload: Uint8Array
  confirmed: boolean
  /** It was sent, and waits for the device's acknowledgement. */
  isPending: boolean
  /**
   * A gateway was given it, and has not said that it sent it: it is on its way, or was not sent.
   * Left out where what a gateway was given is not in the queue any more. Not certain while
   * `DeviceSession.downlinks` is 0.
   */
  isWithGateway?: boolean
}

/** What a device and its network have sent each other since the device joined. */
export interface DeviceSession {
  /** How far the counter of its uplinks is, those that we were not told of included. */
  uplinks: number
  /** How many frames it was sent, as far as the network knows. */
  downlinks: number
  /** It listens all the time, or by appointment (class C or B): a downlink may leave at any time. */
  isListening: boolean
}

/**
 * An open connection to one account. Every call has a deadline and throws `NetworkError`, and
 * nothing else, when it fails. All but `queueDownlink` may be repeated without harm.
 */
export interface NetworkConnection {
  /** Proves that the account's credentials and ids are right. */
  check(): Promise<void>
  /** Adopts a device that exists already in the account's own application. */
  addDevice?(device: NetworkDevice): Promise<void>
  renameDevice?(devEui: string, name: string): Promise<void>
  /** Removing what is not there succeeds. */
  removeDevice?(devEui: string): Promise<void>
  gateways?: {
    add(gateway: NetworkGateway): Promise<void>
    update(gateway: NetworkGateway): Promise<void>
    remove(gatewayEui: string): Promise<void>
    /** Every gateway that the account may see as its own. */
    list?(): AsyncIterable<ListedThing[]>
  }
  /**
   * Returns the network's id of the queue item, by which its events name it. Undefined where the
   * network keeps no queue: it was told that something waits, and will ask for it.
   */
  queueDownlink?(downlink: NetworkDownlink): Promise<string | undefined>
  listDownlinks?(devEui: string): Promise<QueuedDownlink[]>
  flushDownlinks?(devEui: string): Promise<void>
  /** Takes one item out of the queue; false when it was not in it any more. */
  cancelDownlink?(devEui: string, queueItemId: string): Promise<boolean>
  /** Undefined before the device has joined: then nothing can have left the queue for it. */
  readSession?(devEui: string): Promise<DeviceSession | undefined>
  /** Every device of the account's own application, in pages of the network's choice. */
  listDevices?(): AsyncIterable<ListedThing[]>
  /**
   * What the network tells of one device beyond what it lists, with its key where that is wanted
   * (and told to the account). Throws where the account's application has no such device.
   */
  readDevice?(devEui: string, wanted: { key: boolean }): Promise<DeviceDetails>
  /** Has the network send the account's events to `callback`; repeating it does no harm. */
  setCallback?(callback: Callback): Promise<void>
  /** What became of what `setCallback` did. */
  readCallback?(callback: Callback): Promise<CallbackState>
  /** Takes back what `setCallback` did, and nothing else. */
  removeCallback?(callback: Callback): Promise<void>
  /** When the network heard a device last; undefined where it has not. */
  readLastSeen?(devEui: string): Promise<Date | undefined>
  /** Answers a `Confirmation` after proving that it is about this account. */
  confirmCallback?(details: Record<string, string>): Promise<void>
  close?(): void
}

/** What a network tells of a device beside its name. Absent is what it does not tell. */
export interface DeviceDetails {
  /** The AppKey, 32 digits, or '' where the device has none: never logged, and in no answer. */
  appKey?: string
  /** 16 digits. */
  joinEui?: string
  /** What is wrong with the device there, in words for its owner. Adding it anew mends it. */
  problem?: string
  /** Why the network does not tell the key to this account, in its words. */
  keyDenial?: string
}

/** A device or gateway as its network lists it. */
export interface ListedThing extends DeviceDetails {
  /** In our own form: 16 upper-case digits. */
  eui: string
  name: string
}

/** Where an account's events are sent, and the header that proves where they come from. */
export interface Callback {
  url: string
  header: string
  value: string
}

/** What became of the callback at its network. */
export interface CallbackState {
  /**
   * `set`: nothing is left to do for `setCallback`; `unused`: the account has none, since its
   * messages are fetched; `missing`: the network does not send to it;
   * `changed`: it does not work as it is now; `paused`: the network has stopped sending to it after
   * failures.
   */
  state: 'set' | 'unused' | 'missing' | 'changed' | 'paused'
  /**
   * What is wrong, and of one that is set what its owner should know of it: whole sentences, or
   * empty.
   */
  words: string
}

export interface ConnectionOptions {
  /** For each call as a whole. */
  deadlineMs?: number
  /** The address of the account's callback. */
  callbackUrl?: string
}

/**
 * One of the networks of the API: what it is, what it can do, and how it is spoken to. What it
 * cannot do is left out.
 */
export interface Network {
  key: string
  /** The neutral name in the contract of the API, accepted wherever a key is a parameter. */
  alias?: string
  /** `network` of POST /devices; absent for keys that are for gateways only. */
  id?: number
  name: string
  isLora: boolean
  /** The key under which this network's LoRa devices and gateways are registered. */
  loraVariant?: string
  accountFields: readonly AccountField[]
  /** Fields whose faults are told before those of the others, in this order. */
  checkedFirst?: readonly string[]
  /** What registering a device or a gateway asks for. */
  forms: NetworkForms
  capabilities: Capabilities
  /** Of what it takes; nothing where no limit is known that is below ours. */
  limits?: Limits
  /** In lower case: the one header in which the network can send the callback's secret. */
  callbackHeader?: string
  /**
   * The network sends the same headers to all addresses of an application, so that each account
   * needs a header of another name.
   */
  sharesHeaders?: true
  /** The fields of the account by which the place is named where its callback is set up. */
  callbackPlace?: readonly string[]
  /** Pure. Throws `NotOurMessage` for anything that is not a message of this network. */
  readMessages(request: CallbackRequest): NetworkMessage[]
  /**
   * For a network that signs what it sends beside the callback's secret: what is wrong with the
   * signature, or undefined.
   */
  checkSignature?(request: CallbackRequest, values: AccountValues): string | undefined
  /**
   * For a network that asks whether a callback is ours before it knows the callback's secret: the
   * question, where the call is one. `confirmCallback` proves whether it is about this account.
   */
  readConfirmation?(request: CallbackRequest): Confirmation | undefined
  /** The MQTT broker with the account's messages; undefined where its values name none. */
  readBroker?(values: AccountValues): Broker | undefined
  /** Loads the network's client. */
  load(): Promise<{ openConnection: OpenConnection }>
}

/** Opens nothing by itself; the first call does. */
type OpenConnection = (
  values: AccountValues,
  outside: Outside,
  options: ConnectionOptions,
) => NetworkConnection
