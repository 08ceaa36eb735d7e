import { bits, number } from './fields.ts'
import type { NumberField, Section } from './section.ts'

/*
 * The configuration that sensors of two states have in common.
 *
 * | byte | meaning                                                              |
 * |------|----------------------------------------------------------------------|
 * | 0    | disabled events: bit 0 the first state, bit 1 the second             |
 * | 1-2  | hold time of the first state, in 250 ms                              |
 * | 3-4  | hold time of the second state, in 250 ms                             |
 */
const longestHold = 65_535 / 4

/** One of the two states. */
export interface State {
  /** Key of the field that holds its hold time. */
  key: string
  /** As in "Hold time of closed". */
  name: string
  /** What must be so for the hold time before the event, as in "it must stay closed". */
  condition: string
}

/** The section of a sensor whose events are that it has got into one state or the other. */
export function twoStateSettings({
  command,
  firstId,
  states,
}: {
  command: number
  /** Id of the disabled events; the hold times have the two after it. */
  firstId: number
  states: readonly [first: State, second: State]
}): Section {
  const [first, second] = states
  return {
    name: 'sensor',
    label: 'Sensor',
    command,
    fields: [
      bits({
        id: firstId,
        key: 'disabled_events',
        label: 'Disabled events',
        description: 'Events that are not sent. Left empty, none: all are sent.',
        place: { byte: 0 },
        default: 0,
        texts: states.map(({ name }) => name.charAt(0).toUpperCase() + name.slice(1)),
      }),
      holdTime(firstId + 1, first, 1),
      holdTime(firstId + 2, second, 3),
    ],
  }
}

function holdTime(id: number, { key, name, condition }: State, byte: number): NumberField {
  return number({
    id,
    key,
    label: `Hold time of ${name}`,
    description: `How long ${condition} before the event. Left empty or 0, at once.`,
    place: { byte, length: 2 },
    default: 0,
    min: 0,
    max: longestHold,
    unit: 's',
    scale: 4,
  })
}
