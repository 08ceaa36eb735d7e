import { Text } from '@mantine/core'
import { IconCircleDotted } from '@tabler/icons-react'
import { t } from '../languages/text.ts'
import { Time } from '../ui/time.tsx'
import { type Downlink, isAnswerAwaited, lookOf } from './downlink-state.tsx'
import classes from './downlinks.module.css'

type Step = Downlink['steps'][number]

/** The steps that a message has yet to take, so that the way ahead is seen too. */
const ahead: Partial<Record<Downlink['state'], readonly string[]>> = {
  queued: [t('Handed to the network'), t('Sent to the device'), t('Acknowledged by the device')],
  handed_over: [t('Sent to the device'), t('Acknowledged by the device')],
  sent: [t('Acknowledged by the device')],
}

function stepsAhead(downlink: Downlink): readonly string[] {
  return (ahead[downlink.state] ?? []).slice(0, isAnswerAwaited(downlink) ? undefined : -1)
}

interface DownlinkStepsProps {
  downlink: Downlink
  isCancelling: boolean
}

/** The way of a message, step by step, with times; the steps ahead are grey. */
export function DownlinkSteps({ downlink, isCancelling }: DownlinkStepsProps) {
  const next = isCancelling ? [t('Cancelled')] : stepsAhead(downlink)
  const { steps } = downlink
  return (
    <ol className={classes.steps} aria-label={t('Delivery of the message')}>
      {steps.map((step, index) => (
        <StepRow
          key={`${step.step} ${step.time}`}
          step={step}
          isLast={index === steps.length - 1 && next.length === 0}
        />
      ))}
      {next.map((word, index) => (
        <li key={word} className={classes.step} data-next>
          <span aria-hidden>
            <IconCircleDotted size={16} />
            {index < next.length - 1 && <span className={classes.line} />}
          </span>
          <Text size="sm">{t('{word}: not yet', { word })}</Text>
        </li>
      ))}
    </ol>
  )
}

function StepRow({ step, isLast }: { step: Step; isLast: boolean }) {
  const { word, icon: Icon, tone } = lookOf(step.step)
  const name = step.step === 'handed_over' ? t('Handed to the network') : word
  return (
    <li className={classes.step} data-tone={tone}>
      <span aria-hidden>
        <Icon size={16} className={classes.icon} />
        {!isLast && <span className={classes.line} />}
      </span>
      <div>
        <Text size="sm">
          {name}, <Time value={step.time} exact />
        </Text>
        {step.reason !== null && (
          <Text size="xs" c="dimmed">
            {step.reason}
          </Text>
        )}
      </div>
    </li>
  )
}
