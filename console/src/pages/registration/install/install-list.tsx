import { Button, Group, Text } from '@mantine/core'
import { useApi } from '../../../api/hooks.ts'
import { Condition } from '../../../condition/condition.tsx'
import { rich, t } from '../../../languages/text.ts'
import { useUplinks } from '../../../live/hooks.ts'
import { Card } from '../../../ui/card.tsx'
import { Eui } from '../../../ui/eui.tsx'
import { Reading } from '../../../ui/reading.tsx'
import { State } from '../../../ui/state.tsx'
import classes from '../register/register.module.css'
import type { Install } from './install-store.ts'
import { isUnsent, type OutboxState } from './outbox.ts'

interface InstallListProps extends Pick<OutboxState, 'installs' | 'isWaiting'> {
  /** Opens a registered device again. */
  onOpen: (install: Install) => void
  /** Puts a device that was refused back into the form. */
  onCorrect: (install: Install) => void
}

/** Devices of today, the newest first, each with its state. */
export function InstallList({ installs, isWaiting, onOpen, onCorrect }: InstallListProps) {
  const ids = installs.flatMap(({ device }) => (device === undefined ? [] : [device]))
  const query = { ids: ids.join(','), limit: ids.length }
  const devices = useApi(
    'GET /fleet/devices',
    { query },
    { enabled: ids.length > 0, keepsPrevious: true },
  )
  useUplinks({ devices: new Set(ids) }, () => void devices.refetch())
  const recordOf = new Map(devices.data?.data.map((record) => [record.id, record]))
  if (installs.length === 0) return null
  return (
    <Card title={t('Installed today: {count}', { count: installs.length })}>
      <ul className={classes.steps}>
        {installs.toReversed().map((install) => {
          const record = recordOf.get(install.device ?? 0)
          const { values, fault, body } = install
          return (
            <li key={install.id}>
              <Group justify="space-between" gap="xs">
                <div>
                  <Text fw={600}>{values.deviceName}</Text>
                  <Eui value={values.deviceId} label="DevEUI" />
                  {fault && <Text size="sm">{fault.message}</Text>}
                </div>
                <Group gap="xs">
                  {record?.reading && <Reading value={record.reading} />}
                  {fault && <State kind="bad">{body ? t('Not registered') : t('Not taken')}</State>}
                  {!fault && isUnsent(install) && (
                    <State kind="waiting">
                      {isWaiting ? t('Waits for a connection') : t('Being sent')}
                    </State>
                  )}
                  {!fault && !body && record && <Condition verdict={record.verdict} />}
                  {fault && body ? (
                    <Button size="compact-sm" onClick={() => onCorrect(install)}>
                      {t('Correct it')}
                    </Button>
                  ) : (
                    <Button size="compact-sm" variant="default" onClick={() => onOpen(install)}>
                      {rich('Open{span}', {
                        span: <span className="visually-hidden"> {values.deviceName}</span>,
                      })}
                    </Button>
                  )}
                </Group>
              </Group>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
