import { Anchor, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { useSession } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { List } from '../../../ui/list/list.tsx'
import { EmptyState, tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { Page } from '../../../ui/page.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { type AlertChannel, choiceWords, kindNames } from './channel-words.ts'
import { PushCard } from './push-card.tsx'

/** How the user is told of alerts, and colleagues for whoever manages the account. */
export function AlertChannelsPage() {
  const [edited, setEdited] = useState<AlertChannel | 'new'>()
  const answer = useApi('GET /alert-channels', {})
  const { user } = useSession().session
  const add = <ActionButton onClick={() => setEdited('new')}>{t('New channel')}</ActionButton>
  return (
    <Page
      title={t('Alert channels')}
      guide="alerts.html"
      description={t('How you are told of alerts: what, when and by which way.')}
      actions={
        <Group gap="xs">
          <LinkButton to="/alerts" variant="default">
            {t('Alerts')}
          </LinkButton>
          {answer.data && answer.data.data.length > 0 && add}
        </Group>
      }
    >
      <List
        caption={t('Alert channels')}
        answer={answer}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Channel'),
            phone: 'title',
            cell: (channel) => (
              <>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  ta="left"
                  onClick={() => setEdited(channel)}
                >
                  {channel.name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {kindNames[channel.kind]}
                  {channel.member.id === user.id
                    ? ''
                    : t(' to {name}', { name: channel.member.name })}
                </Text>
              </>
            ),
          },
          { title: t('Tells of'), cell: (channel) => choiceWords(channel) },
          {
            title: t('State'),
            phone: 'side',
            cell: (channel) => <ChannelState channel={channel} />,
          },
          { title: t('Actions'), cell: (channel) => <ChannelActions channel={channel} /> },
        ]}
        empty={
          <EmptyState title={t('No channels yet')} actions={add}>
            {t(
              'A channel tells you of alerts by mail, push, ntfy, Slack, Teams, Telegram, PagerDuty or SMS, at the hours that you choose.',
            )}
          </EmptyState>
        }
      />
      {answer.data && (
        <PushCard channels={answer.data.data.filter(({ member }) => member.id === user.id)} />
      )}
      {edited && (
        <ChannelDialog
          channel={edited === 'new' ? undefined : edited}
          canMail={answer.data?.can_mail ?? true}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

/** Off, or how the last message went. */
function ChannelState({ channel }: { channel: AlertChannel }) {
  const { is_active, last_failure, last_failure_at, last_sent_at } = channel
  if (!is_active) return <State kind="off">{t('Off')}</State>
  if (last_failure !== null) {
    return (
      <>
        <State kind="bad">{t('Failed')}</State>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {last_failure} {last_failure_at && <Time value={last_failure_at} />}
        </Text>
      </>
    )
  }
  if (last_sent_at === null) return <State kind="waiting">{t('Nothing sent yet')}</State>
  return (
    <>
      <State kind="good">{t('Works')}</State>
      <Text size="xs" c="dimmed" component="div">
        {rich('Last message {time}', { time: <Time value={last_sent_at} /> })}
      </Text>
    </>
  )
}

function ChannelActions({ channel }: { channel: AlertChannel }) {
  const [isAsking, setAsking] = useState(false)
  const path = { channel_id: String(channel.id) }
  const invalidates = ['GET /alert-channels'] as const
  const test = useAction('POST /alert-channels/{channel_id}/test', {
    invalidates,
    onSuccess: ({ data }) => {
      if (data.delivered) tellSuccess(t('The test message was taken.'))
      else tellFailure(t('The test message did not arrive'), new Error(data.failure ?? ''))
    },
    onError: (error) => tellFailure(t('The test message was not sent'), error),
  })
  const remove = useAction('DELETE /alert-channels/{channel_id}', { invalidates })
  return (
    <Group gap="xs">
      <ActionButton
        size="compact-sm"
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate({ path })}
      >
        {t('Test')}
      </ActionButton>
      <ActionButton size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {t('Delete')}
      </ActionButton>
      <Confirm
        opened={isAsking}
        title={t('Delete {name}?', { name: channel.name })}
        action="Delete"
        onConfirm={() => remove.mutateAsync({ path })}
        onClose={() => setAsking(false)}
      >
        {t('Nothing more is sent by it.')}
      </Confirm>
    </Group>
  )
}
