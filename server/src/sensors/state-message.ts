import { uint8 } from './bytes.ts'
import { type Measurement, measurement } from './measurement.ts'
import type { Content, Message, StatusChange } from './sensor.ts'

/** One value of the state byte. */
export interface SensorState {
  /** `state` in `decoded_object`. */
  state: string
  /** `eventDescription`, and the last line of `decoded_message`. */
  description: string
  status: StatusChange
}

/** A message of one byte: the state of the sensor. */
interface StateLayout {
  eventCode: number
  event: string
  /** By the value of the byte. */
  states: readonly SensorState[]
  /** What the state is one of. */
  measures: Pick<Measurement, 'label' | 'quantity'>
  /** The lines of `decoded_message`; only the description when left out. */
  lines?(description: string): string[]
}

/** Makes the message of such a layout. */
export function stateMessage({ eventCode, event, states, measures, lines }: StateLayout): Message {
  const describe = (description: string) => lines?.(description) ?? [description]
  const contents = states.map(
    ({ state, description, status }): Content => ({
      description,
      values: { state },
      lines: describe(description),
      status,
    }),
  )
  const readUnknown = (byte: number): Content => {
    const description = unknownState(byte)
    return { description, values: {}, lines: describe(description), status: {} }
  }
  const words = states.map(({ state, description, status: { current_sensor_state: status } }) => {
    return { value: state, text: status ?? description, status }
  })
  return {
    eventCode,
    event,
    minimumLength: 1,
    fields: [
      {
        label: 'State',
        at: 0,
        keys: ['state', 'eventDescription'],
        texts: states.map(({ description }) => description),
      },
    ],
    measurements: [measurement('state', 'state', { ...measures, words, isHeadline: true })],
    decode: (payload) => contents[uint8(payload, 0)] ?? readUnknown(uint8(payload, 0)),
  }
}

/** Describes a state that the maker has not published. */
export function unknownState(code: number): string {
  return `Unknown state (${code})`
}
