import type { Section } from './settings/section.ts'

/** The application payload of one uplink, as it came over the air. */
export interface Frame {
  bytes: Uint8Array
  /** LoRaWAN FPort, 1 to 223. */
  fPort: number
}

/**
 * A value of `decoded_object`: a number in the documented unit, a word, or a truth; from a codec of
 * an organization's own, anything that JSON holds.
 */
export type ReadingValue =
  | null
  | boolean
  | number
  | string
  | ReadingValue[]
  | { [name: string]: ReadingValue }

/** One line of `decoded_message`: `label: value unit`, or the text alone. Plain text, not HTML. */
export type MessageLine = string

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
}

/** What a sensor answers to a configuration downlink (event code 0xFF). */
export interface DownlinkAcknowledgement {
  /** Status code, 0 to 14 so far; 2 and 3 mean accepted. */
  status: number
  accepted: boolean
  /** The 8 bytes of the downlink that newer firmware repeats, lower-case hexadecimal. */
  echo?: string
}

/** What a frame says, before it is dressed for the wire. */
export interface Reading {
  /** `event_type` of the API, for example `DOOR_SENSOR`. */
  event: string
  /** `eventDescription` of `decoded_object`. */
  description: string
  /** `sensor_sequence`: the packet counter of each frame that makes up the reading. */
  sequence: number[]
  /** The other keys of `decoded_object`, in camelCase. */
  values: Record<string, ReadingValue>
  /** `decoded_message`, line by line. */
  lines: MessageLine[]
  status: StatusChange
  acknowledgement?: DownlinkAcknowledgement
}

/** What a payload says: a reading without what the frame's header tells. */
export interface Content extends Omit<Reading, 'event' | 'sequence'> {
  /** Where the payload, and not the event code alone, decides on it. */
  event?: string
}

/** A frame that is kept for those that are read together with it. */
export interface Part {
  /** When it was received: ISO 8601 in UTC with microseconds. */
  time: string
  /** Its place among the parts of one message, which are sent in this order. */
  number: number
  /** Its packet counter. */
  sequence: number
  /** Its payload, hexadecimal. */
  payload: string
}

/** The parts that are kept of one device, by a name that the file of its sensor gives them. */
export type FrameMemory = Record<string, readonly Part[]>

/** How the frames of one kind are read together with others of their device. */
export interface Joining {
  /** The place of a payload among its like; undefined for one that stands alone. */
  placeOf(payload: Uint8Array): { group: string; number: number } | undefined
  /**
   * Completes what a payload says alone by the parts that go with it, itself included, in the
   * order of their numbers, and by what else is kept of the device. Undefined when that adds
   * nothing yet.
   */
  complete?(content: Content, parts: readonly Part[], memory: FrameMemory): Content | undefined
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
   * Reads a payload of at least `minimumLength` bytes; never throws. Undefined when one of its
   * bytes has no published meaning.
   */
  decode(payload: Uint8Array): Content | undefined
  /** For what takes several frames to say. */
  joining?: Joining
}

/** A frame and what it must be read as: test and documentation at once. */
export interface Example {
  about: string
  /** The whole frame. */
  hex: string
  gives: Partial<Reading>
}

/** A type of sensor that can be registered. */
export interface Sensor {
  /** `id` in GET /get-device-types; stable for ever. */
  typeId: number
  typeName: string
  /** Empty where the maker has published none. `xx` in it stands for the region (NA, EU, AU). */
  partNumber: string
  /** Other part numbers under which the same type is sold. */
  otherPartNumbers?: readonly string[]
  /** The sensor type code of its reset frame (see `reset.ts`), where known. */
  typeCode?: number
  /** The codes of its own events; those that every sensor sends are not repeated here. */
  eventCodes: readonly number[]
  /** Its configuration downlink, where the maker has published the layout. */
  settings?: Section
}

/** What one file of `sensors/` says: kinds of messages, and the device types that send them. */
export interface SensorFile {
  messages: readonly Message[]
  deviceTypes: readonly Sensor[]
  examples: readonly Example[]
}
