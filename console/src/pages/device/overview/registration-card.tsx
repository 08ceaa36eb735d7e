import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Condition } from '../../../condition/condition.tsx'
import { rich, t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { RegistrationState, State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { type DeviceRecord, reasonOf, useDeviceChange } from '../use-device.ts'

/** The state of the device at its network, the changes not yet sent, and the help with errors. */
export function RegistrationCard({ device }: { device: DeviceRecord }) {
  return (
    <Card title={t('At the network')}>
      {device.device_register_status === 'register_error' && <RefusedNotice device={device} />}
      <Facts
        rows={[
          [t('Registration'), registrationOf(device)],
          [t('Network'), device.network.name],
          [t('Account'), accountOf(device)],
          [t('Waiting'), waitingOf(device)],
          [t('Compared'), comparisonOf(device)],
          [t('Registered'), <Time key="time" value={device.created_at} />],
        ]}
      />
      {device.device_register_status === 'pending' && device.api_error && (
        <Text size="xs">{device.api_error}</Text>
      )}
    </Card>
  )
}

function registrationOf({ is_console_only, device_register_status }: DeviceRecord): ReactNode {
  if (is_console_only) return <State kind="off">{t('Here only')}</State>
  return <RegistrationState status={device_register_status} />
}

function accountOf({ account, register_method }: DeviceRecord): ReactNode {
  if (account) return <AccountState {...account} />
  return register_method === 'vendor' ? t("the operator's") : t('none is connected')
}

function waitingOf({ waiting_call: call }: DeviceRecord): ReactNode {
  return call ? <WaitingCall call={call} /> : t('up to date at the network')
}

function comparisonOf({ account, device_id: eui }: DeviceRecord): ReactNode {
  if (account?.difference) {
    return (
      <Link to="/devices/$eui" params={{ eui }} search={{ tab: 'settings' }}>
        <State kind="warn">{t('Differs at the network')}</State>
      </Link>
    )
  }
  if (!account?.compared_at) return t('not yet')
  return (
    <State kind="good">
      {rich('Agreed {time}', { time: <Time value={account.compared_at} /> })}
    </State>
  )
}

function AccountState({ verdict, message }: NonNullable<DeviceRecord['account']>) {
  return (
    <>
      <Condition verdict={verdict} of="account" />
      {message && (
        <Text size="xs" c="dimmed">
          {message}
        </Text>
      )}
    </>
  )
}

const actions = { add: t('Registration'), rename: t('New name'), remove: t('Removal') }

function WaitingCall({ call }: { call: NonNullable<DeviceRecord['waiting_call']> }) {
  return (
    <>
      <State kind="waiting">{actions[call.action]}</State>
      <Text size="xs" c="dimmed">
        {call.is_running ? t('Contacting the network now.') : null}
        {!call.is_running &&
          call.attempts > 0 &&
          rich('Tried {attempts} times, again {time}. ', {
            attempts: call.attempts,
            time: <Time value={call.next_attempt_at} />,
          })}
        {call.last_error}
      </Text>
    </>
  )
}

function RefusedNotice({ device }: { device: DeviceRecord }) {
  const change = useDeviceChange(device.device_id)
  // A refused device is added again with any change of its name, even to the same one.
  const retry = () =>
    change.mutate(
      {
        body: { device_name: device.device_name },
        shown: { device_register_status: 'pending', api_error: null },
      },
      {
        onSuccess: () =>
          tellSuccess(t('Registering again at {name}.', { name: device.network.name })),
        onError: (error) => tellFailure(t('The registration was not repeated'), reasonOf(error)),
      },
    )
  return (
    <Alert
      color="red"
      variant="outline"
      title={t('{name} refused the device', { name: device.network.name })}
    >
      <Text size="sm" mb="xs">
        {device.api_error ?? t('The network gave no reason.')}
      </Text>
      <Text size="xs" mb="xs">
        {t('Fix what it names (the key, the region, the rights of the account), and try again.')}
      </Text>
      <ActionButton size="xs" needs="manage_devices" onClick={retry} loading={change.isPending}>
        {t('Register again')}
      </ActionButton>
    </Alert>
  )
}
