import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockOff,
  IconCloudUp,
  IconPlus,
  IconSend,
  IconThumbDown,
} from '@tabler/icons-react'
import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import classes from './downlinks.module.css'

export type Downlink = Schemas['Downlink']
type StateName = Downlink['state']
type StepName = Downlink['steps'][number]['step']

interface Look {
  word: string
  icon: typeof IconClock
  tone: 'good' | 'bad' | 'off' | 'plain'
}

const looks: Record<StateName | StepName | 'cancelling', Look> = {
  created: { word: t('Created'), icon: IconPlus, tone: 'plain' },
  queued: { word: t('Waiting here'), icon: IconClock, tone: 'off' },
  handed_over: { word: t('Waiting at the network'), icon: IconCloudUp, tone: 'off' },
  sent: { word: t('Sent to the device'), icon: IconSend, tone: 'plain' },
  acknowledged: { word: t('Acknowledged by the device'), icon: IconCircleCheck, tone: 'good' },
  rejected: { word: t('Refused by the device'), icon: IconThumbDown, tone: 'bad' },
  failed: { word: t('Failed'), icon: IconCircleX, tone: 'bad' },
  cancelling: { word: t('Cancelling…'), icon: IconClock, tone: 'off' },
  cancelled: { word: t('Cancelled'), icon: IconBan, tone: 'off' },
  expired: { word: t('Expired'), icon: IconClockOff, tone: 'off' },
}

export function lookOf(state: StateName | StepName): Look {
  return looks[state]
}

/** How far a message is: an icon and a word. */
export function DownlinkState({ state }: { state: StateName | 'cancelling' }) {
  const { word, icon: Icon, tone } = looks[state]
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon size={16} aria-hidden className={classes.icon} />
      <span>{word}</span>
    </span>
  )
}

/** Raw bytes are answered only if their sender or the device wants it. */
export function isAnswerAwaited({ section, confirmed }: Downlink): boolean {
  return section !== 'raw' || confirmed
}

/** What a person can do about a message, or should know; undefined when all is well. */
export function adviceOf(downlink: Downlink) {
  const { state, is_uncertain, last_error, attempts } = downlink
  if (state === 'queued' && is_uncertain) {
    return t(
      'A call to the network had no certain outcome: the network may have the message already. It is looked for there, and handed over again if it is missing.',
    )
  }
  if (state === 'queued' && last_error) return t('It is retried automatically.')
  if (state === 'queued' && attempts === 0) return t('It is handed over after those before it.')
  if (state === 'handed_over') {
    return t(
      'A device of class A listens only after it has sent something: the message goes out after its next uplink.',
    )
  }
  if (state === 'sent') {
    return isAnswerAwaited(downlink)
      ? t('The device answers with its next uplinks, if it has received it.')
      : undefined
  }
  if (state === 'expired')
    return t('It was never sent, and never will be. Send it again if it still counts.')
  if (state === 'rejected')
    return t('Change the values that the device refused, and send them again.')
  if (state === 'failed') {
    return is_uncertain
      ? t(
          'The network never reported it. It may have arrived; send it again if the device does not behave as configured.',
        )
      : t('Send it again when the reason is gone.')
  }
  return undefined
}
