import type { Measurement } from './measurement.ts'
import type { Section } from './settings/section.ts'

/** The application payload of one uplink, as received. */
export interface Frame {
  bytes: Uint8Array
  /** LoRaWAN FPort, 1 to 223. */
  fPort: number
}

/**
 * A value of `decoded_object`: a number in the documented unit, a word, or a boolean. The codec of
 * an organization's own device type can give any JSON value.
 */
export type ReadingValue =
  | null
  | boolean
  | number
  | string
  | ReadingValue[]
  | { [name: string]: ReadingValue }

/** The fields of `device_status` that a frame can change. Texts as the API gives them. */
export interface StatusChange {
  battery?: string
  tamper?: 'Yes' | 'No'
  tamper_detect_since_reset?: 'Yes' | 'No'
  config_error?: 'Yes' | 'No'
  rate_limit_status?: 'Yes' | 'No'
  current_sensor_state?: string
  hardware_version?: string
  firmware_version?: string
  low_battery?: 'Yes' | 'No'
  /** Where the sensor says that it is. */
  place?: { latitude: number; longitude: number; altitude?: number }
}

/** The answer of a sensor to a configuration downlink (event code 0xFF). */
export interface DownlinkAcknowledgement {
  /** Status code, 0 to 14 so far; 2 and 3 mean accepted. */
  status: number
  accepted: boolean
  /** The 8 bytes of the downlink that newer firmware repeats, lower-case hexadecimal. */
  echo?: string
}

/** A decoded frame, before it is rendered for the API. */
export interface Reading {
  /** `event_type` of the API, for example `DOOR_SENSOR`. */
  event: string
  /** `eventDescription` of `decoded_object`. */
  description: string
  /** `sensor_sequence`: the packet counter of each frame that makes up the reading. */
  sequence: number[]
  /** The other keys of `decoded_object`, in camelCase. */
  values: Record<string, ReadingValue>
  /** `decoded_message`, line by line: `label: value unit` or a text. Plain text, not HTML. */
  lines: string[]
  status: StatusChange
  acknowledgement?: DownlinkAcknowledgement
  /** Set when a codec had no time for the frame, or was paused: it can be decoded later. */
  isPutOff?: true
}

/** A decoded payload: a reading without the data of the frame's header. */
export interface Content extends Omit<Reading, 'event' | 'sequence'> {
  /** Set when the payload decides on it, not only the event code. */
  event?: string
}

/** A stored frame of a message that takes several frames. */
export interface FramePart {
  /** When it was received: ISO 8601 in UTC with microseconds. */
  time: string
  /** Its position in the message; the parts are sent in this order. */
  number: number
  /** Its packet counter. */
  sequence: number
  /** Its payload, hexadecimal. */
  payload: string
}

/** The stored parts of one device, by group. The file of the sensor names its groups. */
export type FrameMemory = Record<string, readonly FramePart[]>

/** How a message that takes several frames is put together. */
interface Reassembly {
  /** The group and position of a payload; undefined when it is a message by itself. */
  placeOf(payload: Uint8Array): { group: string; number: number } | undefined
  /**
   * Completes the content of one frame from all parts of its message received so far, itself
   * included, in the order of their numbers, and from the other stored parts of the device.
   * Undefined while they add nothing.
   */
  complete?(content: Content, parts: readonly FramePart[], memory: FrameMemory): Content | undefined
}

/**
 * A part of a payload: bytes, or some bits of them, and what they say. The decoder reads the value;
 * this says where it stands. The tests change each bit and compare.
 */
export interface PayloadField {
  label: string
  /** Its first byte, counted from the end of the header. */
  at: number
  /** In bytes; `rest`: up to the end. 1 when left out. */
  length?: number | 'rest'
  /** Set when it is only some bits of the big-endian number of these bytes. */
  bits?: { lowest: number; count: number }
  /** The members of `decoded_object` that it decides; the first that is there is its value. */
  keys?: readonly string[]
  /** Its place in a value that is a list. */
  item?: number
  /** What its numbers mean, from 0 on. */
  texts?: readonly string[]
  /** How it is coded, in a few words, where `texts` do not say it. */
  coding?: string
  /** The value in words, where `decoded_object` does not have them. */
  describe?(payload: Uint8Array): string
  /** Set when it is not in every payload. */
  only?: { when: string; holds(payload: Uint8Array): boolean }
}

/** One kind of message, found by its event code. */
export interface Message {
  /** Second byte of the frame. */
  eventCode: number
  /** `event_type` of the API. */
  event: string
  /** How many bytes must follow the header's two. More are allowed and ignored. */
  minimumLength: number
  /**
   * Reads a payload of at least `minimumLength` bytes; never throws. Undefined when the maker has
   * not published the layout of this payload.
   */
  decode(payload: Uint8Array): Content | undefined
  /** Where the values stand; bytes and bits that no field has are not used. */
  fields: readonly PayloadField[]
  /** What the members of `decoded_object` are. */
  measurements: readonly Measurement[]
  /** Members of `decoded_object` that the event code decides. */
  codeKeys?: readonly string[]
  /** Set when a message takes several frames. */
  reassembly?: Reassembly
}

/** A frame and the reading expected of it: test and documentation at once. */
export interface FrameExample {
  about: string
  /** The whole frame. */
  hex: string
  gives: Partial<Reading>
}

/** Kinds of messages, with frames that show how each is read. */
export interface Layout {
  messages: readonly Message[]
  /** At least one for each message; the tests decode them. */
  examples: readonly FrameExample[]
}

/** What one file of `types/` describes: a layout, and the device types that send its messages. */
export interface Sensor extends Layout {
  deviceTypes: readonly DeviceType[]
}

/** A device type of the API: what a device is registered as. */
export interface DeviceType {
  /** `id` in GET /get-device-types. It is stored with devices: never change or reuse one. */
  typeId: number
  typeName: string
  /** Empty where the maker has published none. `xx` in it stands for the region (NA, EU, AU). */
  partNumber: string
  /** Other part numbers under which the same type is sold. */
  otherPartNumbers?: readonly string[]
  /** The sensor type code of its reset frame (see `frames/reset.ts`), where known. */
  typeCode?: number
  /** The event codes of other sensors that it sends besides those of its own sensor. */
  alsoSends?: readonly number[]
  /** Its configuration downlink, where the maker has published the layout. */
  settings?: Section
}
