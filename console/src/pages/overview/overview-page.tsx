import { Navigate, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/hooks.ts'
import { HourBars } from '../../charts/hour-bars.tsx'
import { withTexts } from '../../languages/load.ts'
import { t } from '../../languages/text.ts'
import { useSession } from '../../session/session.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NetworkStates } from './network-states.tsx'
import type { Summary } from './summary.ts'
import { SummaryTiles } from './summary-tiles.tsx'

/** In a file of its own: the rest is shown before it, and a new organization has none. */

const GroupReadings = lazy(async () => ({
  default: (await withTexts('base', () => import('./group-readings.tsx'))()).GroupReadings,
}))

const TurnOnAlerts = lazy(async () => ({
  default: (await withTexts('base', () => import('./turn-on-alerts.tsx'))()).TurnOnAlerts,
}))

/** Renewed by the stream too; this keeps "silent" true if nothing comes. */
const renewInterval = 60_000

/** Whoever is limited to a group begins at the page of the group. */
export function OverviewPage() {
  const { group } = useSession().organization
  if (group === null) return <FleetPage />
  return <Navigate to="/groups/$groupId" params={{ groupId: String(group) }} replace />
}

function FleetPage() {
  const { data, error, refetch } = useApi(
    'GET /fleet/summary',
    {},
    { refetchInterval: renewInterval },
  )
  return (
    <Page
      title={t('Overview')}
      description={t('Your fleet right now.')}
      actions={<LinkButton to="/register">{t('Register a device')}</LinkButton>}
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={8} />}
      {data && <Overview summary={data.data} />}
    </Page>
  )
}

const hourMs = 3_600_000

function Overview({ summary }: { summary: Summary }) {
  const navigate = useNavigate()
  const openHour = (start: string) => {
    const since = new Date(start)
    const until = new Date(since.getTime() + hourMs)
    const search = { since: since.toISOString(), until: until.toISOString() }
    void navigate({ to: '/uplinks', search })
  }
  return (
    <>
      {summary.uplinks.total === 0 && <FirstSteps summary={summary} />}
      {summary.devices.total > 0 && <Attention summary={summary} />}
      {summary.devices.total > 0 && (
        <Suspense>
          <TurnOnAlerts />
        </Suspense>
      )}
      <SummaryTiles summary={summary} />
      {summary.devices.total > 0 && (
        <Suspense>
          <GroupReadings />
        </Suspense>
      )}
      <Card>
        <HourBars hours={summary.uplinks.hours} onOpen={openHour} />
      </Card>
      <NetworkStates accounts={summary.accounts} />
    </>
  )
}
