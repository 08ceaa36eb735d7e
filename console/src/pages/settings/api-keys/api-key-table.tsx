import { Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { rich, t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { List } from '../../../ui/list/list.tsx'
import { State } from '../../../ui/state.tsx'
import { Time, useNow } from '../../../ui/time.tsx'
import { RightsText } from '../members/roles.tsx'
import { ChangeKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './api-key-dialogs.tsx'
import { type ApiKey, stateOf } from './api-key-words.ts'

const dialogs = { change: ChangeKeyDialog, rotate: RotateKeyDialog, revoke: RevokeKeyDialog }

interface Opened {
  what: keyof typeof dialogs
  apiKey: ApiKey
}

interface ApiKeyTableProps {
  answer: UseQueryResult<Answer<'GET /api-keys'>>
  empty: ReactNode
}

export function ApiKeyTable({ answer, empty }: ApiKeyTableProps) {
  const [opened, setOpened] = useState<Opened>()
  const Dialog = opened && dialogs[opened.what]
  return (
    <>
      <List
        caption={t('API keys')}
        answer={answer}
        empty={empty}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Key'), cell: (key) => <Name apiKey={key} /> },
          { title: t('State'), cell: (key) => <KeyState apiKey={key} /> },
          { title: t('May'), cell: (key) => <Rights apiKey={key} />, isExtra: true },
          { title: t('Last used'), cell: (key) => <LastUse apiKey={key} />, isExtra: true },
          {
            title: t('Actions'),
            cell: (key) => (
              <Actions apiKey={key} onOpen={(what) => setOpened({ what, apiKey: key })} />
            ),
          },
        ]}
      />
      {Dialog && <Dialog apiKey={opened.apiKey} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function Name({ apiKey: { name, ends_with: end, created_by: maker } }: { apiKey: ApiKey }) {
  return (
    <>
      <Text size="sm" fw={500} lineClamp={2}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {t('…{end}, made by {name}', { end, name: maker.name || maker.email })}
      </Text>
    </>
  )
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const [kind, word] = stateOf(apiKey, useNow())
  return (
    <>
      <State kind={kind}>{word}</State>
      {apiKey.expires_at && (
        <Text size="xs" c="dimmed">
          {rich('ends {time}', { time: <Time value={apiKey.expires_at} /> })}
        </Text>
      )}
      {apiKey.former_key_until && (
        <Text size="xs" c="dimmed">
          {rich('the old key ends {time}', { time: <Time value={apiKey.former_key_until} /> })}
        </Text>
      )}
    </>
  )
}

function Rights({ apiKey }: { apiKey: ApiKey }) {
  const { role, permissions, group, tag, networks } = apiKey
  return (
    <>
      <RightsText role={role} permissions={permissions} group={group} />
      {tag !== null && (
        <Text size="xs" c="dimmed">
          {t('only with {tag}', { tag })}
        </Text>
      )}
      {networks.length > 0 && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {t('from {join}', { join: networks.join(', ') })}
        </Text>
      )}
    </>
  )
}

function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const { last_used_at: time, last_address: address, last_user_agent: agent } = apiKey
  return (
    <>
      <Time value={time} />
      {time && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {[address, agent].filter(Boolean).join(', ')}
        </Text>
      )}
    </>
  )
}

function Actions({ apiKey, onOpen }: { apiKey: ApiKey; onOpen: (what: Opened['what']) => void }) {
  const button = (what: Opened['what'], label: string) => (
    <ActionButton
      size="compact-xs"
      variant="default"
      needs="manage_account"
      aria-label={`${label} ${apiKey.name}`}
      onClick={() => onOpen(what)}
    >
      {label}
    </ActionButton>
  )
  return (
    <Group gap={6}>
      {button('change', t('Change'))}
      {button('rotate', t('Rotate'))}
      {button('revoke', t('Revoke'))}
    </Group>
  )
}
