import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { conditionOf } from '../../condition/conditions.ts'
import { t } from '../../languages/text.ts'
import type { MapPoint } from '../../map/map-points.ts'
import { MapView } from '../../map/map-view.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { formatCount } from '../../ui/numbers.ts'
import type { FleetGateway } from './gateway-query.ts'

interface GatewayMapProps {
  gateways: readonly FleetGateway[]
  total: number
}

export function GatewayMap({ gateways, total }: GatewayMapProps) {
  const [selected, setSelected] = useState<string>()
  const points = useMemo(() => toPoints(gateways), [gateways])
  const hidden = gateways.length - points.length
  const chosen = gateways.find(({ id }) => String(id) === selected)
  if (points.length === 0) return <NoPlaces />
  return (
    <>
      <MapView label={t('Gateways')} points={points} selected={selected} onSelect={setSelected} />
      {chosen && (
        <LinkButton
          variant="default"
          to="/gateways/$gatewayId"
          params={{ gatewayId: String(chosen.id) }}
        >
          {t('Open {name}', { name: chosen.name })}
        </LinkButton>
      )}
      {(hidden > 0 || total > gateways.length) && (
        <Text size="sm" c="dimmed">
          {hidden > 0 &&
            t(
              '{hidden, plural, one {# gateway} other {# gateways}} without a place: open one to say where it stands. ',
              { hidden },
            )}
          {total > gateways.length &&
            t('The map shows the first {count} of {total}.', {
              count: formatCount(gateways.length),
              total: formatCount(total),
            })}
        </Text>
      )}
    </>
  )
}

function toPoints(gateways: readonly FleetGateway[]): MapPoint[] {
  return gateways.flatMap((gateway) => {
    const { latitude: lat, longitude: lng } = gateway
    if (lat === null || lng === null) return []
    const { kind, word } = conditionOf(gateway.verdict)
    const id = String(gateway.id)
    return [{ id, lat, lng, name: gateway.name, detail: word, kind, shape: 'gateway' }]
  })
}

function NoPlaces() {
  return (
    <EmptyState title={t('No gateway here has a place')}>
      {t(
        "A place comes from the network's messages, if it sends one, or from you: open a gateway and choose “Place”.",
      )}
    </EmptyState>
  )
}
