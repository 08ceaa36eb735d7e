import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { accountInQuery, keyOfAccount } from '../../accounts/account-key.ts'
import type { Answer } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
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
        <Alert color="yellow" variant="outline" title="Check the callback">
          {account.callback.message}
        </Alert>
      )}
      <Text size="sm">
        {isByService
          ? `The service has entered this at ${network.name}, and sets it again when it is changed there.`
          : `Enter this at ${network.name} as the destination of its uplinks. The guide says where.`}
      </Text>
      <CopiedValue label="URL" value={callback.url} />
      <CopiedValue label="Header" value={callback.header} />
      {callback.value === null ? (
        <Text size="sm" c="dimmed">
          Members who manage the account see the value of the header.
        </Text>
      ) : (
        <CopiedValue label="Value of the header" value={callback.value} />
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
        <State kind="good">
          Heard <Time value={heard_at} />
        </State>
      ) : (
        <State kind="waiting">Waiting for the first uplink</State>
      )}
      {checked_at && (
        <Text size="xs" c="dimmed">
          Looked at there <Time value={checked_at} />
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
    onSuccess: () => tellSuccess('The callback has a new secret.'),
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
        New secret
      </ActionButton>
      <Confirm
        opened={isOpen}
        title="Give the callback a new secret?"
        action="New secret"
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
          ? `The service enters it at ${network.name}. `
          : `Enter it at ${network.name} within 24 hours. `}
        The present one stays valid for 24 hours, so that no message is lost.
      </Confirm>
    </div>
  )
}
