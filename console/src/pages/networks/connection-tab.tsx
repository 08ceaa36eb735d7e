import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { type AccountKey, keyOfAccount } from '../../accounts/account-key.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useSession } from '../../session/session.ts'
import { LinkButton } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { AccountChoice } from './account-choice.tsx'
import { AccountForm } from './account-form.tsx'
import { AccountFacts, BrokerFacts } from './account-state.tsx'
import { CallbackStep } from './callback-step.tsx'
import { Disconnect } from './disconnect.tsx'
import type { AccountState, FleetNetwork } from './network-words.ts'
import classes from './networks.module.css'
import { ProfilesStep } from './profiles-step.tsx'
import { UnreadMembers } from './unread-members.tsx'

/** The organization whose vendor accounts everybody may use. */
const operatorId = 1

interface ConnectionTabProps {
  network: FleetNetwork
  account: AccountState | undefined
  method: AccountKey
  mayManage: boolean
}

export function ConnectionTab({ network, account, method, mayManage }: ConnectionTabProps) {
  const { organization } = useSession()
  const accounts = useApi('GET /network-accounts', {})
  const stored = accounts.data?.data.find(
    (each) => each.network === network.key && keyOfAccount(each) === method,
  )
  const isOwn = account?.is_own ?? true
  if (accounts.error) {
    return <ErrorNotice error={accounts.error} retry={() => void accounts.refetch()} />
  }
  if (accounts.isPending) return <LoadingLines />
  return (
    <Stack gap="md">
      <AccountChoice
        network={network}
        chosen={method}
        isOperator={organization.id === operatorId}
      />
      {account && isOwn && account.counts.devices === 0 && (
        <FirstDevices network={network} account={account} />
      )}
      {account && (
        <Step title={t('State')}>
          <AccountFacts network={network} account={account} />
        </Step>
      )}
      {!isOwn && (
        <Text size="sm" c="dimmed">
          {t(
            "This account is the operator's. Your organization may register devices by it, and cannot change it.",
          )}
        </Text>
      )}
      {isOwn && (mayManage || !account) && (
        <Step title={account ? t('Account') : t('1. Account')}>
          <AccountForm
            key={`${network.key} ${method} ${account?.connected_at}`}
            network={network}
            method={method}
            stored={stored?.account}
          />
        </Step>
      )}
      {account && isOwn && network.capabilities.profile_field !== null && (
        <Step title={t('Device profiles')}>
          <ProfilesStep key={`${network.key} ${method}`} network={network} account={method} />
        </Step>
      )}
      {account && stored?.callback && (
        <Step title={t('Callback')}>
          <CallbackStep network={network} account={account} callback={stored.callback} />
        </Step>
      )}
      {account && account.unread_members.length > 0 && (
        <Step title={t('Unused fields')}>
          <UnreadMembers members={account.unread_members} />
        </Step>
      )}
      {account?.mqtt && (
        <Step title="MQTT">
          <BrokerFacts mqtt={account.mqtt} />
        </Step>
      )}
      {!account && <NextSteps network={network} />}
      {account && isOwn && <Disconnect network={network} account={account} />}
    </Stack>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.step} aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}

/** What comes after the account, so that nobody wonders. */
function NextSteps({ network }: { network: FleetNetwork }) {
  const { capabilities: can } = network
  return (
    <Step title={t('2. Then')}>
      <Stack gap={4} component="ul" pl="md" m={0}>
        <li>
          {can.callback === 'by_service'
            ? t('The service enters its callback at the network, and shows when it is heard.')
            : t('You enter the callback at the network; its address and secret appear here.')}
        </li>
        {can.lists.includes('devices') && (
          <li>{t('Devices that the network has already can be adopted, all at once.')}</li>
        )}
        <li>
          {can.registration === 'api'
            ? t('Devices that you register here are created at the network.')
            : t('Devices are created at the network by hand, and registered here.')}
        </li>
      </Stack>
    </Step>
  )
}

/** What to do with an account that works and has no device yet. */
function FirstDevices({ network, account }: { network: FleetNetwork; account: AccountState }) {
  if (account.api.status !== 'connected') return null
  const method = keyOfAccount(account)
  return (
    <Notice kind="good" title={t('Connected. Now its devices')}>
      <Group gap="xs">
        <LinkButton to="/register" search={{ network: network.key }}>
          {t('Register a device')}
        </LinkButton>
        {network.capabilities.lists.includes('devices') && (
          <LinkButton
            variant="default"
            to="/networks/$key"
            params={{ key: network.key }}
            search={{ method, tab: 'differences' }}
          >
            {t('Adopt its devices')}
          </LinkButton>
        )}
      </Group>
    </Notice>
  )
}
