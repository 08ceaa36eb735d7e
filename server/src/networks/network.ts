import type { Region } from '../lora/regions.ts'
import type { Capabilities, Limits, RightFinding } from './capabilities.ts'
import type { DeviceModel } from './device-model.ts'
import type { DeviceSession, NetworkDownlink, QueuedDownlink } from './device-queue.ts'
import type { DeviceRadio, KnownRadio } from './device-radio.ts'
import type { NetworkForms } from './forms.ts'
import type { Broker } from './mqtt/broker.ts'
import type { CallbackRequest, Confirmation, NetworkMessage } from './network-message.ts'
import type { Outside } from './outside.ts'

/** One field of an account at a network, as PUT /network-accounts/{network} takes it. */
export interface AccountField {
  name: string
  label: string
  required?: true
  /** Write-only: sealed at rest, never in an answer. */
  secret?: true
  /** Checks a value; not called if there is none. */
  check?: FieldCheck
  /**
   * The network lists the values (`listChoices`): all at once, or only `within` the value of another
   * field. `as` is the label of a choice by name. With `several` a value is a list, with commas.
   */
  listed?: { as: string; within?: string; several?: true }
  /** Another field that cannot be set without this one, and the message if this one is missing. */
  neededBy?: { field: string; problem: string }
}

/** Returns what is wrong with the form of a value, or undefined. */
export type FieldCheck = (value: string, values: AccountValues) => string | undefined

/** The values of an account by field name, secrets opened. */
export type AccountValues = Record<string, string>

/** Where a person says that a device or gateway is: degrees of WGS 84, metres above the sea. */
export interface NetworkPlace {
  latitude: number
  longitude: number
  altitude: number | null
}

/** A device as it is provisioned at a network. EUIs and key are hexadecimal. */
export interface NetworkDevice {
  devEui: string
  joinEui: string
  /** AppKey of LoRaWAN 1.0.x, 32 digits. */
  appKey: string
  name: string
  place?: NetworkPlace
  region?: Region
  /** The network's own id of a channel plan. */
  frequencyPlan?: string
  /** The network's own id of a device profile, in place of the account's (`profileField`). */
  profile?: string
  /** The profile is that of its type: a device that the network has already keeps its own. */
  isProfileOfType?: true
  /** Where the device is not of LoRaWAN 1.0.x and class A with a join. */
  radio?: DeviceRadio
  /** The model of its type, where the device is registered as that speaks. */
  model?: DeviceModel
  /** Nobody asked to replace the key: with another one, a device that is there already is refused. */
  keepsOtherKey?: true
}

export interface NetworkGateway {
  gatewayEui: string
  name: string
  place?: NetworkPlace
  description?: string
  region?: Region
  /** Further fields of the network's form, by the names of POST /gateways. */
  settings?: Record<string, string>
}

/**
 * An open connection to one account. What the network cannot do is left out. Every call has a
 * deadline, and a call that fails throws `NetworkError`. Every call but `queueDownlink` may be
 * repeated.
 */
export interface NetworkConnection {
  /** Checks the account's credentials and ids. */
  check(): Promise<void>
  /**
   * Lists what a `listed` field of the account may be. Needs the values of the fields that are not
   * listed, and of the one that it is `within`.
   */
  listChoices?(field: string): Promise<Choice[]>
  /** Reads the rights of the account's key, if the network shows them. */
  readRights?(): Promise<RightFinding[]>
  /**
   * Adopts a device that already exists in the account's own application, or refuses it and names both
   * sides. What is not known here stays as the network has it. `tell` takes a sentence for the owner
   * of a device that was added otherwise than was wished.
   */
  addDevice?(device: NetworkDevice, tell?: (sentence: string) => void): Promise<void>
  renameDevice?(devEui: string, name: string, place?: NetworkPlace): Promise<void>
  /** Succeeds if there is no such device. */
  removeDevice?(devEui: string): Promise<void>
  gateways?: {
    add(gateway: NetworkGateway): Promise<void>
    update(gateway: NetworkGateway): Promise<void>
    remove(gatewayEui: string): Promise<void>
    /** Lists the account's own gateways. */
    list?(): AsyncIterable<ListedThing[]>
  }
  /**
   * Returns the network's id of the queue item, which its events carry. Returns undefined if the
   * network keeps no queue and fetches downlinks: it then knows that one waits.
   */
  queueDownlink?(downlink: NetworkDownlink): Promise<string | undefined>
  listDownlinks?(devEui: string): Promise<QueuedDownlink[]>
  flushDownlinks?(devEui: string): Promise<void>
  /** Takes one item out of the queue; false if it was no longer there. */
  cancelDownlink?(devEui: string, queueItemId: string): Promise<boolean>
  /** Undefined before the device has joined: until then nothing leaves its queue. */
  readSession?(devEui: string): Promise<DeviceSession | undefined>
  /** Lists the devices of the account's own application, in pages of any size. */
  listDevices?(): AsyncIterable<ListedThing[]>
  /**
   * Reads what the list of devices leaves out, including the key if it is wanted and the account
   * may see it. Throws if the account's application has no such device.
   */
  readDevice?(devEui: string, wanted: WantedDetails): Promise<DeviceDetails>
  /** Reads the codec of a profile of the list; undefined if it has none, or the account may not see it. */
  readCodec?(profileId: string): Promise<ProfileCodec | undefined>
  /** Makes the network send the account's events to `callback`. */
  setCallback?(callback: Callback): Promise<void>
  /** Reads the state of what `setCallback` set. Changes nothing. */
  readCallback?(callback: Callback): Promise<CallbackState>
  /** Removes what `setCallback` set, and nothing else. */
  removeCallback?(callback: Callback): Promise<void>
  /** Reads when the network last heard a device; undefined if never. */
  readLastSeen?(devEui: string): Promise<Date | undefined>
  /** Answers a `Confirmation` after checking that it is about this account. */
  confirmCallback?(details: Record<string, string>): Promise<void>
  close?(): void
}

/** A value of an account's field, and the name that the network gives to what it stands for. */
export interface Choice {
  value: string
  label: string
}

export interface WantedDetails {
  key: boolean
  /** As the list shows it. */
  radio?: KnownRadio | undefined
}

/** A network's details of a device besides its name. */
export interface DeviceDetails {
  /** How it speaks, as far as the network says; `networkKey` only if the key is wanted. */
  radio?: KnownRadio
  /** The AppKey, 32 digits, or '' if the device has none. Never in a log or an answer. */
  appKey?: string
  /** 16 digits. */
  joinEui?: string
  /** What is wrong with the device there, in words for its owner. Adding it again repairs it. */
  problem?: string
  /** The network's words for why this account may not see the key. */
  keyDenial?: string
}

/** A device or gateway as its network lists it. */
export interface ListedThing extends DeviceDetails {
  /** In our own form: 16 upper-case digits. */
  eui: string
  name: string
  /** What its owner noted of it there, by a key: tags of ChirpStack, attributes of The Things Stack. */
  tags?: Record<string, unknown>
  /** Of a device: the application that it is in, by name. */
  application?: string
  /** Of a device: what its owner chose there for all devices of its kind. */
  profile?: ListedProfile
}

/** A device profile, or a model, as its network names it. */
export interface ListedProfile {
  /** As `readCodec` takes it. */
  id: string
  name: string
  /** Where the network has its devices by models: their ids in The Things Network's repository. */
  model?: { brand: string; model: string }
}

/** What reads the payloads of a profile's devices at their network. */
export interface ProfileCodec {
  format: 'ts013' | 'cayenne_lpp'
  /** JavaScript; undefined for CayenneLPP. */
  script?: string
}

/** The address of an account's events, and the header that authenticates them. */
export interface Callback {
  url: string
  header: string
  value: string
}

/** The state of a callback at its network. */
export interface CallbackState {
  /**
   * `set`: as `setCallback` sets it; `unused`: the account needs none, since its messages come from
   * a broker; `missing`: the network does not send to it; `changed`: it does not work as it is now;
   * `paused`: the network has stopped sending to it after failures.
   */
  state: 'set' | 'unused' | 'missing' | 'changed' | 'paused'
  /**
   * Whole sentences for the owner: what is wrong, or what to know of one that is set. May be empty.
   */
  words: string
}

export interface ConnectionOptions {
  /** The time that each call may take. */
  deadlineMs?: number
  /** The address of the account's callback. */
  callbackUrl?: string
}

/**
 * The definition of a network: what it is, what it can do, and how to speak to it. What it cannot
 * do is left out.
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
  /**
   * The account field that names the device profile of new devices. Left out if devices have no
   * profile, or if they are registered by hand.
   */
  profileField?: string
  /** A device for which no other profile is chosen gets one that is made for its model. */
  makesProfiles?: true
  /** Fields whose errors come before those of the others, in this order. */
  checkedFirst?: readonly string[]
  /** What registering a device or a gateway asks for. */
  forms: NetworkForms
  capabilities: Capabilities
  /** Limits that are stricter than ours, as far as they are known. */
  limits?: Limits
  /** The only header in which the network can send the callback's secret, in lower case. */
  callbackHeader?: string
  /**
   * The network sends one set of headers to all addresses of an application. Each account then has
   * a header of its own.
   */
  sharesHeaders?: true
  /** The account fields that identify the place where its callback is set. */
  callbackPlace?: readonly string[]
  /** Where the network may send XML: the setting that makes it JSON, as a sentence. */
  jsonSetting?: string
  /** Reads a message. Pure. Throws `NotOurMessage` for anything else. */
  readMessages(request: CallbackRequest): NetworkMessage[]
  /**
   * Returns what is wrong with the signature of a message, or undefined. For a network that signs
   * its messages, in addition to the callback's secret.
   */
  checkSignature?(request: CallbackRequest, values: AccountValues): string | undefined
  /**
   * Reads a question whether a callback is ours, or returns undefined. For a network that asks
   * before it knows the callback's secret. `confirmCallback` checks that it is about this account.
   */
  readConfirmation?(request: CallbackRequest): Confirmation | undefined
  /** The MQTT broker that has the account's messages; undefined if its values name none. */
  readBroker?(values: AccountValues): Broker | undefined
  /** Loads the network's client, with the libraries that it needs. */
  load(): Promise<{ openConnection: OpenConnection }>
}

/** The first call opens the connection. */
type OpenConnection = (
  values: AccountValues,
  outside: Outside,
  options: ConnectionOptions,
) => NetworkConnection
