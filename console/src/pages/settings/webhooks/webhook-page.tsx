import { useParams } from '@tanstack/react-router'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { groupNames } from '../../../ui/group-names.ts'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { Deliveries } from './deliveries.tsx'
import { TestSection } from './test-section.tsx'
import { WaitingEvents } from './waiting-events.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { lookInterval, nameEvents, type Webhook, waitingWords } from './webhook-words.ts'
import { WebhookState } from './webhooks-page.tsx'

/** One webhook: how it does, what it has sent, and what waits. */
export function WebhookPage() {
  const { webhook: id } = useParams({ from: '/shell/settings/webhooks/$webhook' })
  const path = { webhook_id: id }
  const { data, error, refetch } = useApi(
    'GET /webhooks/{webhook_id}',
    { path },
    { refetchInterval: lookInterval },
  )
  const webhook = data?.data
  return (
    <SettingsPage
      title={webhook?.name ?? t('Webhook')}
      description={webhook?.url}
      above={<Link to="/settings/webhooks">{t('Webhooks')}</Link>}
      actions={webhook && <WebhookActions webhook={webhook} />}
    >
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {webhook && (
        <>
          <Health webhook={webhook} />
          <TestSection webhook={webhook} />
          <WaitingEvents webhook={webhook} />
          <Deliveries webhook={webhook} />
        </>
      )}
    </SettingsPage>
  )
}

function Health({ webhook }: { webhook: Webhook }) {
  const { health, events, mqtt } = webhook
  return (
    <Card title={t('Health')}>
      {health.message && (
        <Notice
          kind={health.state === 'disabled' ? 'bad' : 'warn'}
          title={health.state === 'disabled' ? t('Disabled') : t('The last attempt failed')}
        >
          {health.message}{' '}
          {health.state === 'disabled' &&
            t('Later events are kept: fix the receiver, then resume the webhook.')}
        </Notice>
      )}
      <Facts
        rows={[
          [t('State'), <WebhookState key="state" webhook={webhook} />],
          [t('Last delivery'), <Time key="success" value={health.last_success_at} />],
          [t('Last failure'), <Time key="failure" value={health.last_failure_at} />],
          [t('Waiting'), waitingWords(webhook)],
          [t('Oldest waiting'), <Time key="oldest" value={health.oldest_waiting_at} none="–" />],
          [t('Next attempt'), <Time key="next" value={health.next_attempt_at} none="–" />],
          [t('Sends'), nameEvents(events)],
          ...(mqtt ? [[t('Topic'), mqtt.topic] as const] : []),
          ...(mqtt?.discovery
            ? [[t('Home Assistant discovery'), mqtt.discovery_prefix] as const]
            : []),
          [t('Of devices'), <DeviceWords key="devices" webhook={webhook} />],
          [
            t('Old secret valid until'),
            <Time key="former" value={webhook.former_secret_until} none="–" />,
          ],
        ]}
      />
    </Card>
  )
}

function DeviceWords({ webhook: { group, type, network, tag } }: { webhook: Webhook }) {
  const groups = useApi('GET /fleet/groups', {}, { enabled: group !== null })
  const types = useApi(
    'GET /get-device-types',
    { query: { itemsPerPage: 1000 } },
    { enabled: type !== null },
  )
  const groupName = groupNames(groups.data?.data ?? []).get(group ?? 0)
  const typeName = types.data?.data.find(({ id }) => id === type)?.full_name
  const words = [
    group === null ? '' : t('in {group}', { group: groupName ?? t('a group that is deleted') }),
    type === null ? '' : t('of type {type}', { type: typeName ?? type }),
    network === null ? '' : t('at {network}', { network }),
    tag === null ? '' : t('with {tag}', { tag }),
  ].filter((word) => word !== '')
  return words.join(', ') || t('All')
}
