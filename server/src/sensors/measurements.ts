import { findDeviceType, layouts, sensors } from './index.ts'
import { labelOf, type Measurement, measurement } from './measurement.ts'
import { type OwnType, ownValues } from './own-measurements.ts'
import type { ReadingValue } from './sensor.ts'

/** What every message can have besides its own. */
const ofAllMessages = [
  measurement('eventDescription', 'text', { label: 'Message' }),
  // See `decode.ts`.
  measurement('protocolVersion', 'code'),
]

const messages = layouts.flatMap((layout) => layout.messages)

const byEvent = new Map(messages.map((message) => [message.event, message.measurements]))

/** What messages of this `event_type` say of the sensor; none of those that are not built in. */
export function measurementsOfEvent(event: string): readonly Measurement[] {
  return byEvent.get(event) ?? []
}

const byType = new Map(
  sensors.flatMap(({ deviceTypes, messages: own }) =>
    deviceTypes.map(({ typeId, alsoSends = [] }) => {
      const others = messages.filter(({ eventCode }) => alsoSends.includes(eventCode))
      return [typeId, [...own, ...others].flatMap((message) => message.measurements)] as const
    }),
  ),
)

/** What a built-in device type measures, in messages that not every sensor sends. */
export function measurementsOfType(typeId: number): readonly Measurement[] {
  return byType.get(typeId) ?? []
}

/** The same, and what the supervisory message of every sensor has, such as its battery. */
export function allOfType(typeId: number): readonly Measurement[] {
  return [...measurementsOfType(typeId), ...measurementsOfEvent('SUPERVISOR')]
}

/** What several messages have in common under one name. */
function byName(measurements: readonly Measurement[]): Map<string, Measurement> {
  const found = new Map<string, Measurement>()
  for (const one of measurements) {
    const { quantity, decimals = 0, ...known } = found.get(one.name) ?? one
    found.set(one.name, {
      ...known,
      quantity: quantity === one.quantity ? quantity : undefined,
      decimals: one.decimals === undefined ? undefined : Math.max(decimals, one.decimals),
    })
  }
  return found
}

/** Of all messages: several can have the same name. */
export const allMeasurements: readonly Measurement[] = [
  ...messages.flatMap((message) => message.measurements),
  ...ofAllMessages,
]

const ofAll = byName(allMeasurements)
const ofTypes = new Map([...byType].map(([typeId, own]) => [typeId, byName(own)]))

/** What a key of `decoded_object` is at a built-in device type; undefined for unknown keys. */
export function findMeasurement(typeId: number, name: string): Measurement | undefined {
  return ofTypes.get(typeId)?.get(name) ?? ofAll.get(name)
}

interface MeasuringDevice {
  type_id: number
  /** Of a type of the organization; null for a built-in one. */
  own_type: OwnType | null
}

/** The states of a device that have words, of which a reading tells. */
export function statesOf({ type_id, own_type }: MeasuringDevice): Measurement[] {
  const declared = (own_type?.measurements ?? [])
    .filter(({ kind, isHidden }) => kind === 'state' && !isHidden)
    .map((one): Measurement => ({ kind: 'state', label: labelOf(one.name), ...one }))
  const builtIn = measurementsOfType(type_id).filter(
    ({ kind, words, isHeadline }) => kind === 'state' && words && isHeadline,
  )
  return [...new Map([...builtIn, ...declared].map((state) => [state.name, state])).values()]
}

/** What is said for a value of a state. */
export function textOfState({ words }: Measurement, value: string): string {
  return words?.find((word) => word.value === value)?.text ?? labelOf(value)
}

/** What the type of a device declares a number to be, or what its codec said of it in an uplink. */
export function describeNumber(
  name: string,
  { type_id, own_type }: MeasuringDevice,
  decoded: Readonly<Record<string, ReadingValue>> | null | undefined,
): Measurement {
  const found = findDeviceType(type_id)
    ? findMeasurement(type_id, name)
    : ownValues(decoded ?? {}, own_type).find((value) => value.measurement.name === name)
        ?.measurement
  return found ?? measurement(name, 'number')
}

/** The unit of a number of a built-in sensor, which is the same in all; undefined for unknown keys. */
export function unitOf(name: string): string | null | undefined {
  const found = ofAll.get(name)
  return found && (found.unit ?? null)
}
