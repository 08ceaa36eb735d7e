import { Loader, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { t } from '../../../languages/text.ts'
import { Time } from '../../../ui/time.tsx'
import classes from './arrival.module.css'
import type { Step } from './arrival-steps.ts'

const words = {
  done: t('done'),
  now: t('waiting'),
  later: t('not yet'),
  failed: t('failed'),
}

/** The steps, each with its state in words. A change of state is announced. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const current = steps.find(({ state }) => state !== 'done')
  return (
    <>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step.title} className={classes.step} data-state={step.state}>
            <StepIcon state={step.state} />
            <Stack gap={0}>
              <Text fw={step.state === 'later' ? undefined : 600} component="span">
                {step.title}
                <span className="visually-hidden">{`: ${words[step.state]}`}</span>
              </Text>
              {step.time && (
                <Text size="xs" c="dimmed" component="span">
                  <Time value={step.time} />
                </Text>
              )}
              {step.note && (
                <Text size="sm" component="span">
                  {step.note}
                </Text>
              )}
            </Stack>
          </li>
        ))}
      </ol>
      <div role="status" className="visually-hidden">
        {current ? `${current.title}: ${words[current.state]}` : t('The first uplink has come.')}
      </div>
    </>
  )
}

function StepIcon({ state }: Pick<Step, 'state'>) {
  if (state === 'now') return <Loader size={20} aria-hidden className={classes.icon} />
  const Icon = { done: IconCircleCheck, failed: IconCircleX, later: IconCircleDashed }[state]
  return <Icon size={20} aria-hidden className={classes.icon} />
}
