import { Group, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { t } from '../../languages/text.ts'
import { Eui } from '../../ui/eui.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import classes from './arrival/arrival.module.css'
import { type ArrivalFacts, stepsOf } from './arrival/arrival-steps.ts'
import { StepList } from './arrival/step-list.tsx'
import { useArrival } from './arrival/use-arrival.ts'
import { WhatToCheck } from './arrival/what-to-check.tsx'

const route = getRouteApi('/shell/register/$eui')
/** After so long without an uplink, there is something to check. */
const patience = 2 * 60_000

/** Waits for the first signs of life of a device that was just registered. */
export function ArrivalPage() {
  const { eui } = route.useParams()
  const { facts, error, isPending, retry } = useArrival(eui)
  const name = facts?.device.device_name
  return (
    <Page
      title={name ?? t('A new device')}
      name={t('Waiting for {name}', { name: name ?? eui })}
      guide="troubleshooting.html#no-uplinks-of-a-device"
      above={<Link to="/devices">{t('Devices')}</Link>}
      description={
        <>
          <Eui value={eui} label="DevEUI" />
          {facts && t(' at {name}', { name: facts.device.network.name })}
        </>
      }
    >
      {error && <ErrorNotice error={error} retry={retry} />}
      {isPending && <LoadingLines count={4} />}
      {facts && <Waiting facts={facts} />}
    </Page>
  )
}

function Waiting({ facts }: { facts: ArrivalFacts }) {
  const { device, arrival } = facts
  const params = { eui: device.device_id }
  const isHere = arrival.first_uplink !== null
  const isLate = Date.now() - Date.parse(arrival.created_at) > patience
  const isRefused = device.device_register_status === 'register_error'
  const isWaiting = device.device_register_status === 'pending' && !device.is_console_only
  const isAccountAtFault = device.account !== null && device.account.status !== 'connected'
  return (
    <Stack>
      <StepList steps={stepsOf(facts)} />
      {isHere && (
        <Notice kind="good" title={t('The device works')}>
          <Text size="sm" className={classes.message}>
            {arrival.first_uplink?.message}
          </Text>
        </Notice>
      )}
      {!isHere && (
        <Text size="sm" c="dimmed">
          {isWaiting
            ? t('The device can join when {name} has accepted it. ', { name: device.network.name })
            : t('Switch the device on, or trigger it. ')}
          {t('This page shows by itself what comes; you can close it and come back.')}
        </Text>
      )}
      <Group gap="xs">
        {!isHere && isAccountAtFault && (
          <LinkButton to="/networks/$key" params={{ key: device.network.key }}>
            {t('Fix the connection')}
          </LinkButton>
        )}
        <LinkButton to="/devices/$eui" params={params} variant={isHere ? 'filled' : 'default'}>
          {t('Open the device')}
        </LinkButton>
        <LinkButton to="/register" search={{ network: device.network.key }} variant="default">
          {t('Register another')}
        </LinkButton>
      </Group>
      {!isHere && (isLate || isRefused || device.quarantined) && <WhatToCheck facts={facts} />}
    </Stack>
  )
}
