import type { Schemas } from '../../../api/generated.ts'
import { useApi, useApiEach } from '../../../api/hooks.ts'
import type { TimeRange } from '../../../charts/chart-data.ts'
import { StateBand, valuesOf } from '../../../charts/state-band.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { useNow } from '../../../ui/time.tsx'
import type { DeviceRecord } from '../use-device.ts'

export type DeviceState = Schemas['DeviceState']

interface StateBandsProps {
  device: DeviceRecord
  states: readonly DeviceState[]
  others: readonly string[]
  /** By DevEUI, of those that are compared. */
  names: ReadonlyMap<string, string>
  range: TimeRange
}

/** The states of the device in the range, each with those of the other devices below it. */
export function StateBands({ device, states, others, names, range }: StateBandsProps) {
  const asked = states.length > 0 ? others : []
  const found = useApiEach(
    'GET /devices/{device_id}/states',
    asked.map((eui) => partsOf(eui, range)),
    ofStates,
  )
  const failed = found.find(({ error }) => error)
  return (
    <>
      {failed?.error && <ErrorNotice error={failed.error} retry={() => void failed.refetch()} />}
      {states.map((state) => {
        const compared = asked.flatMap((eui, place) => {
          const other = found[place]?.data?.data.find((one) => isSame(state, one))
          return other ? [{ eui, name: names.get(eui) ?? eui, state: other }] : []
        })
        const values = valuesOf([state, ...compared.map((one) => one.state)])
        const isCompared = compared.length > 0
        const own = { eui: device.device_id, name: device.device_name, state }
        return (
          <Card key={state.name} {...(isCompared && { title: state.label })}>
            {[own, ...compared].map(({ eui, name, state: one }) => (
              <StateBand
                key={eui}
                state={one}
                range={range}
                values={values}
                {...(isCompared && { title: name })}
              />
            ))}
          </Card>
        )
      })}
    </>
  )
}

function isSame(one: DeviceState, { name, quantity }: DeviceState): boolean {
  return one.quantity === null ? one.name === name : one.quantity === quantity
}

const ofStates = { keepsPrevious: true, staleTime: 30_000 }

function partsOf(eui: string, { from, to }: TimeRange) {
  return {
    path: { device_id: eui },
    query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  }
}

export function useDeviceStates(eui: string, range: TimeRange) {
  return useApi('GET /devices/{device_id}/states', partsOf(eui, range), ofStates)
}

const minute = 60_000

/** It goes on every minute. */
export function useLastDay(): TimeRange {
  const to = Math.ceil(useNow() / minute) * minute
  return { from: to - 24 * 60 * minute, to }
}
