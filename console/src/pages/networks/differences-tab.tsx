import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import type { Answer } from '../../api/client.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { rich, t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { DifferenceActions } from './difference-actions.tsx'
import { DifferenceRows, placeOf } from './difference-rows.tsx'
import type { FleetNetwork } from './network-words.ts'
import {
  differenceNames,
  type Report,
  type RowAction,
  reconcileInvalidates,
} from './reconcile-words.ts'

const route = getRouteApi('/shell/networks/$key')
const perPage = 100

interface DifferencesTabProps {
  network: FleetNetwork
  method: AccountKey
}

/** What the network has against what is here, with a choice for each row. */
export function DifferencesTab({ network, method }: DifferencesTabProps) {
  const { page = 1 } = route.useSearch()
  const [choices, setChoices] = useState<ReadonlyMap<string, RowAction>>(new Map())
  const [types, setTypes] = useState<ReadonlyMap<string, number>>(new Map())
  const path = { network: network.key }
  const query = { ...accountInQuery(method), page, itemsPerPage: perPage }
  const { data, error, isPending, refetch } = useApi(
    'GET /network-accounts/{network}/reconcile',
    { path, query },
    { keepsPrevious: true },
  )
  const act = useAction('POST /network-accounts/{network}/reconcile', {
    invalidates: reconcileInvalidates,
    // A comparison leaves what was chosen meanwhile; a row that is gone is not sent.
    onSuccess: (_answer, { body }) => {
      if (body.rows ?? body.adopt_all) setChoices(new Map())
    },
  })
  const compare = () => act.mutate({ path, body: accountInQuery(method) })
  if (isPending) return <LoadingLines />
  if (!data) return <ErrorNotice error={error} retry={() => void refetch()} />
  const report = data.data
  return (
    <Stack>
      <Head report={report} isBusy={act.isPending} onCompare={compare} />
      {act.error && <ErrorNotice error={act.error} />}
      {act.isPending && <Progress network={network} />}
      <LeftOut report={report} />
      {act.data?.data.outcome && <Outcome answer={act.data} />}
      {report.compared_at === null && !act.isPending && <NeverCompared network={network} />}
      {report.compared_at !== null && report.rows.length === 0 && <Agreed report={report} />}
      {report.rows.length > 0 && (
        <>
          <DifferenceActions
            network={network}
            report={report}
            choices={choices}
            types={types}
            isBusy={act.isPending}
            onSend={(body) => act.mutate({ path, body: { ...body, ...accountInQuery(method) } })}
          />
          <DifferenceRows
            report={report}
            choices={choices}
            types={types}
            onChoose={(row, action) => setChoices((now) => chosen(now, placeOf(row), action))}
            onType={(row, typeId) => setTypes((now) => chosen(now, placeOf(row), typeId))}
            onChooseAll={setChoices}
          />
          <Pages page={page} hasMore={report.more} />
        </>
      )}
    </Stack>
  )
}

function chosen<T>(
  now: ReadonlyMap<string, T>,
  place: string,
  value: T | undefined,
): ReadonlyMap<string, T> {
  const next = new Map(now)
  if (value !== undefined) next.set(place, value)
  else next.delete(place)
  return next
}

interface HeadProps {
  report: Report
  isBusy: boolean
  onCompare: () => void
}

function Head({ report, isBusy, onCompare }: HeadProps) {
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Group gap="md" role="status">
          {Object.entries(differenceNames).map(([name, { words, kind }]) => {
            const key = name as keyof typeof differenceNames
            const count = report.totals.device[key] + report.totals.gateway[key]
            return count === 0 ? null : <State key={name} kind={kind}>{`${words}: ${count}`}</State>
          })}
        </Group>
        <Text size="sm" c="dimmed">
          {rich('Last comparison: {time}. It is also made once a day.', {
            time: <Time value={report.compared_at} />,
          })}
        </Text>
        {report.failure && (
          <Text size="sm" c="red">
            {t('The last attempt failed: {failure}', { failure: report.failure })}
          </Text>
        )}
      </div>
      <ActionButton
        needs="manage_account"
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={isBusy}
        onClick={onCompare}
      >
        {t('Compare now')}
      </ActionButton>
    </Group>
  )
}

/** The network's whole list is read: that takes seconds, and up to two minutes for a large one. */
function Progress({ network }: { network: FleetNetwork }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text size="sm">
      {t(
        'Reading everything that {name} has: {seconds, plural, one {# second} other {# seconds}}. A large fleet takes up to two minutes.',
        { name: network.name, seconds },
      )}
    </Text>
  )
}

function LeftOut({ report }: { report: Report }) {
  if (report.left_out.length === 0) return null
  return (
    <Alert variant="outline" color="yellow" title={t('Not compared')}>
      <Stack gap={4}>
        {report.left_out.map(({ kind, part, reason }) => (
          <Text size="sm" key={`${kind} ${part}`}>
            {part === 'list'
              ? t('{kind, select, gateway {All gateways} other {All devices}}', { kind })
              : t('{kind, select, gateway {Keys of gateways} other {Keys of devices}}', { kind })}
            : {reason}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

type ActAnswer = Answer<'POST /network-accounts/{network}/reconcile'>

function Outcome({ answer }: { answer: ActAnswer }) {
  const { outcome, rows } = answer.data
  const refused = rows.filter(({ result }) => result && !result.status)
  if (!outcome) return null
  return (
    <Alert
      role="status"
      variant="outline"
      color={outcome.refused > 0 ? 'red' : 'green'}
      title={t('{done, plural, one {# row} other {# rows}} done, {refused} refused', {
        done: outcome.done,
        refused: outcome.refused,
      })}
    >
      <Stack gap={2} mah={240} style={{ overflow: 'auto' }}>
        {refused.map(({ kind, eui, result }) => (
          <Text size="sm" key={`${kind} ${eui}`}>
            {eui ?? t('Row without an EUI')}: {result?.message}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

function NeverCompared({ network }: { network: FleetNetwork }) {
  return (
    <EmptyState title={t('Not compared yet')}>
      {t('Compare to see which devices {name} has that are not here, and adopt them.', {
        name: network.name,
      })}
    </EmptyState>
  )
}

function Agreed({ report }: { report: Report }) {
  const what = report.compares.length > 1 ? 'both' : report.compares[0]
  return (
    <EmptyState title={t('Both sides agree')}>
      {what
        ? t(
            '{what, select, both {The devices and gateways at the network are those that are here.} gateway {The gateways at the network are those that are here.} other {The devices at the network are those that are here.}}',
            { what },
          )
        : t('Nothing could be compared.')}
    </EmptyState>
  )
}

function Pages({ page, hasMore }: { page: number; hasMore: boolean }) {
  const navigate = route.useNavigate()
  const go = (to: number) =>
    void navigate({ search: (now) => ({ ...now, page: to === 1 ? undefined : to }) })
  if (page === 1 && !hasMore) return null
  return (
    <Group>
      <Button variant="default" disabled={page === 1} onClick={() => go(page - 1)}>
        {t('Previous')}
      </Button>
      <Text size="sm">{t('Page {page}', { page })}</Text>
      <Button variant="default" disabled={!hasMore} onClick={() => go(page + 1)}>
        {t('Next')}
      </Button>
    </Group>
  )
}
