import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { t } from '../../../languages/text.ts'
import { Card } from '../../../ui/card.tsx'
import { Eui } from '../../../ui/eui.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from '../arrival/arrival.module.css'
import { type Step, stepsOf } from '../arrival/arrival-steps.ts'
import { StepList } from '../arrival/step-list.tsx'
import { useArrival } from '../arrival/use-arrival.ts'
import { WhatToCheck } from '../arrival/what-to-check.tsx'
import { InstallNotes } from './install-notes.tsx'
import { InstallPhotos } from './install-photos.tsx'
import { InstallPlace } from './install-place.tsx'
import type { Install } from './install-store.ts'
import type { Outbox } from './outbox.ts'

interface CurrentDeviceProps {
  install: Install
  outbox: Outbox
  isWaiting: boolean
  onNext: () => void
}

/** After this long without an uplink, there is something to check. */
const patience = 60_000

/** The device that was just registered: its first uplink, and meanwhile photos, place and notes. */
export function CurrentDevice({ install, outbox, isWaiting, onNext }: CurrentDeviceProps) {
  const { values, body, fault } = install
  const { facts } = useArrival(values.deviceId, { enabled: body === undefined })
  const first = facts?.arrival.first_uplink
  useBuzz(facts && Boolean(first))
  // A device that was registered before is switched on only now.
  const begin = facts && Math.max(Date.parse(facts.arrival.created_at), install.began)
  const isLate = begin !== undefined && Date.now() - begin > patience
  const update = (change: (now: Install) => Partial<Install>) =>
    void outbox.update(install.id, change)
  return (
    <Stack>
      <Card title={values.deviceName} note={<Eui value={values.deviceId} label="DevEUI" />}>
        <StepList steps={facts && !body ? stepsOf(facts) : stepsBefore(install, isWaiting)} />
        {first && (
          <Notice kind="good" title={t('The device works')}>
            <Text size="sm" className={classes.message}>
              {first.message}
            </Text>
          </Notice>
        )}
        {facts && !first && (
          <Text size="sm" c="dimmed">
            {t(
              'Switch the device on, or trigger it. You can go on before it was heard: the list below shows when it is.',
            )}
          </Text>
        )}
        {fault && <RefusedPart install={install} onChange={update} />}
        <Button size="md" variant={first ? 'filled' : 'default'} onClick={onNext}>
          {t('Next device')}
        </Button>
      </Card>
      {facts && !first && isLate && <WhatToCheck facts={facts} />}
      <Card title={t('Photos')}>
        <InstallPhotos install={install} onChange={update} />
      </Card>
      <Card title={t('Place')}>
        <InstallPlace install={install} onChange={update} />
      </Card>
      <Card title={t('Notes')}>
        <InstallNotes install={install} onChange={update} />
      </Card>
    </Stack>
  )
}

/** The phone in the pocket tells the first uplink. */
function useBuzz(isHere: boolean | undefined): void {
  const wasHere = useRef(isHere)
  useEffect(() => {
    if (isHere && wasHere.current === false) navigator.vibrate?.(300)
    wasHere.current = isHere
  }, [isHere])
}

export interface PartProps {
  install: Install
  onChange: (change: (now: Install) => Partial<Install>) => void
}

function stepsBefore({ body }: Install, isWaiting: boolean): Step[] {
  const note = isWaiting ? t('Waits for a connection.') : undefined
  return [
    { title: t('Kept on this phone'), state: 'done' },
    { title: t('Registered here'), state: body ? 'now' : 'done', note },
    { title: t('First uplink'), state: 'later' },
  ]
}

/** What the service does not take of a registered device. */
function RefusedPart({ install: { fault }, onChange }: PartProps) {
  const leaveOut = (now: Install): Partial<Install> => {
    if (now.details) return { details: undefined, fault: undefined }
    if (now.position) return { position: undefined, fault: undefined }
    const [refused] = now.photos.filter(({ image }) => image !== undefined)
    return { photos: now.photos.filter((photo) => photo !== refused), fault: undefined }
  }
  return (
    <Notice kind="bad" title={t('Something was not taken')}>
      {fault?.message}
      <Group gap="xs" mt="xs">
        <Button size="xs" onClick={() => onChange(() => ({ fault: undefined }))}>
          {t('Try again')}
        </Button>
        <Button size="xs" variant="default" onClick={() => onChange(leaveOut)}>
          {t('Leave it out')}
        </Button>
      </Group>
    </Notice>
  )
}
