import {
  capitalize,
  disabledEvents,
  holdTime,
  type NumberField,
  type Section,
  sensorSection,
} from './section.ts'

/*
 * The configuration that sensors of two states have in common.
 *
 * | byte | meaning                                                              |
 * |------|----------------------------------------------------------------------|
 * | 0    | disabled events: bit 0 the first state, bit 1 the second             |
 * | 1-2  | hold time of the first state, in 250 ms                              |
 * | 3-4  | hold time of the second state, in 250 ms                             |
 */

/** One of the two states. */
interface HeldState {
  /** Key of the field that holds its hold time. */
  key: string
  /** As in "Hold time of closed". */
  name: string
  /** What must be so for the hold time before the event, as in "it must stay closed". */
  condition: string
}

/** The settings of a sensor that sends an event when it changes from one state to the other. */
export function twoStateSettings({
  command,
  firstId,
  states,
}: {
  command: number
  /** Id of the disabled events; the hold times have the two after it. */
  firstId: number
  states: readonly [first: HeldState, second: HeldState]
}): Section {
  const [first, second] = states
  const names = states.map(({ name }) => capitalize(name))
  return sensorSection({
    command,
    fields: [
      disabledEvents(firstId, 0, names),
      holdTimeOf(first, firstId + 1, 1),
      holdTimeOf(second, firstId + 2, 3),
    ],
  })
}

function holdTimeOf({ key, name, condition }: HeldState, id: number, byte: number): NumberField {
  const label = `Hold time of ${name}`
  return holdTime({ id, key, label, condition, place: { byte, length: 2 } })
}
