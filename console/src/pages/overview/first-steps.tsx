import { Group, Progress, Text } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { State } from '../../ui/state.tsx'
import classes from './overview.module.css'
import type { Summary } from './summary.ts'

/** The way from nothing to the first uplink; gone when it has come. */
export function FirstSteps({ summary }: { summary: Summary }) {
  const { accounts, devices } = summary
  const connected = accounts.filter(({ status }) => status === 'connected')
  const isConnected = connected.length > 0
  const network = connected.length === 1 ? connected[0]?.network : undefined
  const steps = [
    {
      isDone: isConnected,
      title: t('Connect a network'),
      help:
        accounts.length > 0 && !isConnected
          ? t('It is entered, but does not work yet: its page says what is missing.')
          : t(
              'Enter how to reach your account at ChirpStack, The Things Stack or another network.',
            ),
      action: <LinkButton to="/networks">{t('Connect a network')}</LinkButton>,
    },
    {
      isDone: devices.total > 0,
      title: t('Register a device'),
      help: t(
        'By its QR code, its label, or a CSV file of many. It is created at the network at once.',
      ),
      action: (
        <LinkButton to="/register" search={{ network }}>
          {t('Register a device')}
        </LinkButton>
      ),
    },
    {
      isDone: false,
      title: t('Wait for the first uplink'),
      help: t('Switch the device on, or press its button. The uplink appears by itself.'),
      action: <LinkButton to="/uplinks">{t('Watch uplinks')}</LinkButton>,
    },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <Card title={t('First steps')}>
      <Text size="sm" c="dimmed">
        {t('{done} of {total} done', { done, total: steps.length })}
      </Text>
      <Progress value={(done / steps.length) * 100} size="sm" aria-label={t('First steps done')} />
      <Group>
        <LinkButton to="/start">{t('Begin step by step')}</LinkButton>
      </Group>
      <ol className={classes.steps}>
        {steps.map(({ isDone, title, help, action }, index) => (
          <li key={title} aria-current={index === next ? 'step' : undefined}>
            <h3 className={classes.subheading}>
              <State kind={isDone ? 'good' : index === next ? 'waiting' : 'off'}>{title}</State>
            </h3>
            {!isDone && (
              <Text size="sm" c="dimmed">
                {help}
              </Text>
            )}
            {index === next && action}
          </li>
        ))}
      </ol>
    </Card>
  )
}
