import { Stack, Text } from '@mantine/core'
import { useAction } from '../../api/hooks.ts'
import { conditionOf } from '../../condition/conditions.ts'
import { t } from '../../languages/text.ts'
import { MapView } from '../../map/map-view.tsx'
import { wordsOfPlace } from '../../map/place.ts'
import { PlaceForm } from '../../map/place-form.tsx'
import { useMay } from '../../session/session.ts'
import { tellSuccess } from '../../ui/notices.tsx'
import type { FleetGateway } from './gateway-query.ts'

/** Where the gateway stands, on a map and as numbers, and how to say otherwise. */
export function GatewayPlace({ gateway }: { gateway: FleetGateway }) {
  const may = useMay('manage_gateways')
  const save = useAction('PATCH /gateways/{gateway_id}', {
    invalidates: ['GET /fleet/gateways', 'GET /fleet/gateways/{gateway_id}'],
    onSuccess: () => tellSuccess(t('Place saved.')),
  })
  const { kind, word: detail } = conditionOf(gateway.verdict)
  const words = wordsOfPlace(gateway)
  const look = { kind, detail, shape: 'gateway' } as const
  const { id, name, latitude: lat, longitude: lng } = gateway
  const isPlaced = lat !== null && lng !== null
  return (
    <Stack>
      <Text size="sm">{words === undefined ? t('Its place is not known.') : `${words}.`}</Text>
      {!may && isPlaced && (
        <MapView label={name} points={[{ id: 'it', lat, lng, name, ...look }]} hasNoList />
      )}
      {may && (
        <PlaceForm
          name={name}
          place={gateway}
          look={look}
          needs="manage_gateways"
          other={gateway.network.name}
          onSave={(place) => save.mutateAsync({ path: { gateway_id: String(id) }, body: place })}
        />
      )}
    </Stack>
  )
}
