import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { rich, t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { Link } from '../../../ui/link.tsx'
import { State, type StateKind } from '../../../ui/state.tsx'
import classes from './arrival.module.css'
import type { ArrivalFacts } from './arrival-steps.ts'

interface Check {
  kind: StateKind
  title: string
  children: ReactNode
}

/** Possible causes of silence: first known faults, then what only a look at the device shows. */
export function WhatToCheck({ facts }: { facts: ArrivalFacts }) {
  return (
    <Card title={t('Nothing yet? Check this')}>
      <ul className={classes.checks}>
        {checksOf(facts).map(({ kind, title, children }) => (
          <li key={title} className={classes.check}>
            <State kind={kind}>{title}</State>
            <Text size="sm" component="div">
              {children}
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function checksOf({ device, arrival }: ArrivalFacts): Check[] {
  const known = [
    registrationCheck(device),
    accountCheck(device),
    quarantineCheck(device),
    gatewayCheck(arrival),
  ].filter((check) => check !== undefined)
  const order: StateKind[] = ['bad', 'warn', 'waiting', 'off', 'good']
  known.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
  return [...known, ...deviceChecks(device, arrival)]
}

function registrationCheck({
  device_register_status: status,
  network,
  api_error: error,
}: ArrivalFacts['device']): Check | undefined {
  if (status !== 'register_error') return undefined
  return {
    kind: 'bad',
    title: t('{name} refused the device', { name: network.name }),
    children: t('{error} Change the device, and it is sent again.', { error: error ?? '' }),
  }
}

function accountCheck({ account, network, is_console_only }: ArrivalFacts['device']): Check {
  const link = (
    <Link to="/networks/$key" params={{ key: network.key }}>
      {t('Its connection')}
    </Link>
  )
  if (is_console_only) {
    const children = t('No network knows it: it is recorded here only.')
    return { kind: 'off', title: t('Not at a network'), children }
  }
  if (!account) {
    const children = (
      <>{rich('The operator’s account is used. {link} shows its state.', { link })}</>
    )
    return { kind: 'off', title: t('The account at {name}', { name: network.name }), children }
  }
  if (account.status === 'connected' && account.message === '') {
    const children = t('The network answers, and its callback is in order.')
    return {
      kind: 'good',
      title: t('The account at {name} is connected', { name: network.name }),
      children,
    }
  }
  return {
    kind: account.status === 'connected' ? 'warn' : 'bad',
    title: t('The account at {name} needs attention', { name: network.name }),
    children: (
      <>
        {account.message} {link}
      </>
    ),
  }
}

function quarantineCheck(device: ArrivalFacts['device']): Check | undefined {
  const { quarantined } = device
  if (!quarantined) return undefined
  return {
    kind: 'warn',
    title: t(
      '{count, plural, one {# message} other {# messages}} of this EUI came by another account',
      { count: quarantined.count },
    ),
    children: (
      <>
        {rich('{detail} They wait in the {quarantineLink}.', {
          detail: quarantined.detail,
          quarantineLink: <QuarantineLink device={device} />,
        })}
      </>
    ),
  }
}

function QuarantineLink({ device }: { device: ArrivalFacts['device'] }) {
  const search = { tab: 'quarantine', search: device.device_id } as const
  return (
    <Link to="/networks/$key" params={{ key: device.network.key }} search={search}>
      {t('quarantine')}
    </Link>
  )
}

function gatewayCheck({ gateways_heard: heard }: ArrivalFacts['arrival']): Check {
  return heard > 0
    ? {
        kind: 'good',
        title: t('{heard, plural, one {# gateway} other {# gateways}} heard within a day', {
          heard,
        }),
        children: t('Is the device within their reach? Try it beside one of them.'),
      }
    : {
        kind: 'off',
        title: t('No gateway of yours was heard within a day'),
        children: (
          <>
            {t('That is fine with public gateways of the network. Otherwise look at ')}
            <Link to="/gateways">{t('Gateways')}</Link>.
          </>
        ),
      }
}

function deviceChecks(device: ArrivalFacts['device'], arrival: ArrivalFacts['arrival']): Check[] {
  const region = device.region
    ? t('It is registered for {region}. ', { region: device.region })
    : ''
  const keys: Check = {
    kind: 'off',
    title: t('Device key and JoinEUI'),
    children: (
      <>
        {rich(
          'A wrong key is the usual cause: a join is then refused in silence. Here the JoinEUI is {eui}. Some labels print EUIs with the bytes reversed.',
          { eui: <code>{device.join_eui}</code> },
        )}
      </>
    ),
  }
  const radio: Check = {
    kind: 'off',
    title: t('Region'),
    children: t('{region}Device, gateways and network must use the same frequencies.', { region }),
  }
  return arrival.joined_at === null ? [keys, radio] : [radio]
}
