import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/hooks.ts'
import { useRange } from '../../charts/range.ts'
import { t } from '../../languages/text.ts'
import { FleetRadioView, parts } from '../../radio/fleet-radio-view.tsx'

const route = getRouteApi('/shell/networks/$key')
const year = 365 * 86_400_000

/** How the frames of the network's devices arrive: losses, signal, data rates, airtime. */
export function RadioTab({ network }: { network: string }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [beginning] = useState(() => Date.now() - year)
  const range = useRange(search, { usual: 'week', beginning, parts })
  const query = {
    network,
    since: new Date(range.from).toISOString(),
    until: new Date(range.to).toISOString(),
    points: parts,
  }
  const { data, error, refetch } = useApi(
    'GET /fleet/coverage',
    { query },
    { keepsPrevious: true, staleTime: 30_000 },
  )
  return (
    <FleetRadioView
      radio={data?.data}
      error={error}
      retry={() => void refetch()}
      range={range}
      onChange={(to) => void navigate({ search: (known) => ({ ...known, ...to }), replace: true })}
      none={t('The network sent nothing in this time range. Choose a longer one.')}
    />
  )
}
