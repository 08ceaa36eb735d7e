import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { accountInQuery, keyOfAccount } from '../../accounts/account-key.ts'
import type { Answer } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
import { rich, t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { CopiedValue } from './copied-value.tsx'
import type { AccountState, FleetNetwork } from './network-words.ts'

type Callback = NonNullable<Answer<'GET /network-accounts'>['data'][number]['callback']>

interface CallbackStepProps {
  network: FleetNetwork
  account: AccountState
  callback: Callback
}

/** Where the network sends its events: who enters it, what to enter, and whether it is heard. */
export function CallbackStep({ network, account, callback }: CallbackStepProps) {
  const isByService = network.capabilities.callback === 'by_service'
  return (
    <Stack gap="sm">
      <Heard account={account} />
      {account.callback.message && (
        <Alert color="yellow" variant="outline" title={t('Check the callback')}>
          {account.callback.message}
        </Alert>
      )}
      <Text size="sm">
        {isByService
          ? t(
              'The service has entered this at {name}, and sets it again when it is changed there.',
              { name: network.name },
            )
          : t('Enter this at {name} as the destination of its uplinks. The guide says where.', {
              name: network.name,
            })}
      </Text>
      <CopiedValue label="URL" value={callback.url} />
      <CopiedValue label={t('Header')} value={callback.header} />
      {callback.value === null ? (
        <Text size="sm" c="dimmed">
          {t('Members who manage the account see the value of the header.')}
        </Text>
      ) : (
        <CopiedValue label={t('Value of the header')} value={callback.value} />
      )}
      <Rotation network={network} account={account} isByService={isByService} />
    </Stack>
  )
}

function Heard({ account }: { account: AccountState }) {
  const { heard_at, checked_at } = account.callback
  return (
    <Group gap="lg" role="status">
      {heard_at ? (
        <State kind="good">{rich('Heard {time}', { time: <Time value={heard_at} /> })}</State>
      ) : (
        <State kind="waiting">{t('Waiting for the first uplink')}</State>
      )}
      {checked_at && (
        <Text size="xs" c="dimmed">
          {rich('Looked at there {time}', { time: <Time value={checked_at} /> })}
        </Text>
      )}
    </Group>
  )
}

type RotationProps = Omit<CallbackStepProps, 'callback'> & { isByService: boolean }

function Rotation({ network, account, isByService }: RotationProps) {
  const [isOpen, setOpen] = useState(false)
  const rotate = useAction('POST /network-accounts/{network}/rotate', {
    invalidates: ['GET /network-accounts', 'GET /fleet/networks'],
    onSuccess: () => tellSuccess(t('The callback has a new secret.')),
  })
  return (
    <div>
      <ActionButton
        needs="manage_account"
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('New secret')}
      </ActionButton>
      <Confirm
        opened={isOpen}
        title={t('Give the callback a new secret?')}
        action={t('New secret')}
        onClose={() => setOpen(false)}
        onConfirm={() =>
          rotate.mutateAsync({
            path: { network: network.key },
            query: accountInQuery(keyOfAccount(account)),
            body: {},
          })
        }
      >
        {isByService
          ? t('The service enters it at {name}. ', { name: network.name })
          : t('Enter it at {name} within 24 hours. ', { name: network.name })}
        {t('The present one stays valid for 24 hours, so that no message is lost.')}
      </Confirm>
    </div>
  )
}
