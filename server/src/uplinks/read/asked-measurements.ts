import type { Measurement } from '../../sensors/measurement.ts'
import { allOfType, describeNumber } from '../../sensors/measurements.ts'
import { ownValues } from '../../sensors/own-measurements.ts'
import type { SeriesDevice } from './series-queries.ts'

interface Asked {
  measurement?: string | undefined
  quantity?: string | undefined
}

/** What a selector asks of a device: one measurement by its name, or all that measure a quantity. */
export function measurementsOf(device: SeriesDevice, sent: Asked): readonly Measurement[] {
  if (sent.quantity === undefined)
    return [describeNumber(sent.measurement ?? '', device, device.latest)]
  const { type_id, own_type, latest } = device
  const declared = own_type
    ? ownValues(latest ?? {}, own_type).map(({ measurement }) => measurement)
    : allOfType(type_id)
  return declared.filter(({ quantity }) => quantity === sent.quantity)
}
