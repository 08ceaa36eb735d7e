import { useMemo } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { useApi } from '../../../api/hooks.ts'
import { conditionOf, conditionOfState } from '../../../condition/conditions.ts'
import { t } from '../../../languages/text.ts'
import type { MapLine, MapPoint } from '../../../map/map-points.ts'
import { signalQuality } from '../../../radio/signal.ts'

/** What the colours of devices say. */
export type Look = 'state' | 'signal'

export function devicePoint(device: Schemas['DevicePlace'], look: Look): MapPoint {
  const { device_id, device_name: name, latitude: lat, longitude: lng, state, rssi, snr } = device
  const point = { id: `device ${device_id}`, lat, lng, name }
  if (look === 'state') {
    const { kind, word: detail } = conditionOfState(state)
    return { ...point, kind, detail }
  }
  const signal = signalQuality(rssi, snr)
  if (!signal) return { ...point, kind: 'off', detail: t('No signal known') }
  const numbers = [
    rssi !== null && t('{rssi} dBm', { rssi }),
    snr !== null && t('{snr} dB', { snr }),
  ]
  const detail = `${signal.word}, ${numbers.filter(Boolean).join(', ')}`
  return { ...point, kind: signal.kind, detail }
}

export function gatewayPoint(gateway: Schemas['FleetGateway']): MapPoint[] {
  const { id, name, latitude: lat, longitude: lng, verdict } = gateway
  if (lat === null || lng === null) return []
  const { kind, word } = conditionOf(verdict)
  return [
    {
      id: `gateway ${id}`,
      lat,
      lng,
      name,
      kind,
      detail: t('Gateway, {word}', { word }),
      shape: 'gateway',
    },
  ]
}

/** Devices whose lines one gateway shows. */
const mostHeard = 500

/** Lines between what is chosen and what hears it, or what it hears, in the colour of the signal. */
export function useHearing(
  selected: string | undefined,
  points: readonly MapPoint[],
): readonly MapLine[] {
  const [kind, reference = ''] = selected?.split(' ') ?? []
  const radio = useApi(
    'GET /devices/{device_id}/radio',
    { path: { device_id: reference }, query: { points: 1 } },
    { enabled: kind === 'device', staleTime: 60_000 },
  ).data?.data
  const heard = useApi(
    'GET /fleet/gateways/{gateway_id}/devices',
    { path: { gateway_id: reference }, query: { limit: mostHeard } },
    { enabled: kind === 'gateway', staleTime: 60_000 },
  ).data?.data
  return useMemo(() => {
    const from = points.find(({ id }) => id === selected)
    if (!from) return []
    if (kind === 'device') {
      return (radio?.gateways ?? []).flatMap(({ lat, lng, best_rssi, best_snr }): MapLine[] =>
        lat === null || lng === null
          ? []
          : [{ from, to: { lat, lng }, kind: signalQuality(best_rssi, best_snr)?.kind }],
      )
    }
    const byId = new Map(points.map((point) => [point.id, point]))
    return (heard ?? []).flatMap(({ device_eui, rssi, snr }): MapLine[] => {
      const to = byId.get(`device ${device_eui}`)
      return to ? [{ from, to, kind: signalQuality(rssi, snr)?.kind }] : []
    })
  }, [selected, kind, points, radio, heard])
}
