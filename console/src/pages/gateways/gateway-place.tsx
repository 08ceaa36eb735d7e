import { Stack, Text } from '@mantine/core'
import { useAction } from '../../api/hooks.ts'
import { conditionOf } from '../../condition/conditions.ts'
import { wordsOfPlace } from '../../map/place.ts'
import { PlaceForm } from '../../map/place-form.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import type { FleetGateway } from './gateway-query.ts'

/** Where the gateway stands, on a map and as numbers, and how to say otherwise. */
export function GatewayPlace({ gateway }: { gateway: FleetGateway }) {
  const save = useAction('PATCH /gateways/{gateway_id}', {
    invalidates: ['GET /fleet/gateways', 'GET /fleet/gateways/{gateway_id}'],
    onSuccess: () => tellSuccess('Place saved.'),
  })
  const { kind, word: detail } = conditionOf(gateway.verdict)
  const words = wordsOfPlace(gateway)
  return (
    <Stack>
      <Text size="sm">{words === undefined ? 'Its place is not known.' : `${words}.`}</Text>
      <PlaceForm
        name={gateway.name}
        place={gateway}
        look={{ kind, detail, shape: 'gateway' }}
        needs="manage_gateways"
        other={gateway.network.name}
        onSave={(place) =>
          save.mutateAsync({ path: { gateway_id: String(gateway.id) }, body: place })
        }
      />
    </Stack>
  )
}
