import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { useRange } from '../../charts/range.ts'
import { t } from '../../languages/text.ts'
import { FleetRadioView, parts } from '../../radio/fleet-radio-view.tsx'
import type { GatewayDetails } from './gateway-query.ts'
import { SoleDevices } from './sole-devices.tsx'

const route = getRouteApi('/shell/gateways/$gatewayId')

/** Which devices depend on the gateway, and how frames arrive at it. */
export function CoverageTab({ gateway }: { gateway: GatewayDetails }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const beginning = Date.parse(gateway.created_at) - 86_400_000
  const range = useRange(search, { usual: 'week', beginning, parts })
  const { data, error, refetch } = useApi(
    'GET /fleet/gateways/{gateway_id}/radio',
    {
      path: { gateway_id: String(gateway.id) },
      query: {
        since: new Date(range.from).toISOString(),
        until: new Date(range.to).toISOString(),
        points: parts,
      },
    },
    { keepsPrevious: true, staleTime: 30_000 },
  )
  return (
    <Stack gap="md">
      <SoleDevices gatewayId={gateway.id} />
      <FleetRadioView
        radio={data?.data}
        error={error}
        retry={() => void refetch()}
        range={range}
        onChange={(to) => {
          void navigate({ search: (known) => ({ ...known, ...to }), replace: true })
        }}
        none={t('The gateway heard nothing then. Choose a longer range.')}
      />
    </Stack>
  )
}
