import { Alert, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { FrameBytes } from '../frames/frame-bytes.tsx'
import { spacedHex } from '../frames/frame-values.ts'
import { rich, t } from '../languages/text.ts'
import { Card } from '../ui/card.tsx'
import { Time } from '../ui/time.tsx'
import { CancelButton, useCancel } from './cancel-button.tsx'
import { adviceOf, type Downlink, DownlinkState } from './downlink-state.tsx'
import { DownlinkSteps } from './downlink-steps.tsx'
import classes from './downlinks.module.css'

const sectionNames = {
  sensor: t('Sensor'),
  general: t('General'),
  advanced: t('Advanced'),
  raw: t('Raw'),
}

/** A message of a device: its state, and opened its way, its bytes, and what can be done. */
export function DownlinkCard({ downlink }: { downlink: Downlink }) {
  const isWaiting = downlink.place !== null
  const [isOpen, setOpen] = useState(isWaiting)
  const id = useId()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const [created] = downlink.steps
  const cancel = useCancel()
  const isCancelling =
    downlink.is_cancelling ||
    (isWaiting && (cancel.isPending || cancel.data?.data.outcome === 'cancelled'))
  return (
    <Card component="li">
      <UnstyledButton
        className={classes.summary}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Chevron size={16} aria-hidden className={classes.icon} />
          <Text size="sm" fw={500} lineClamp={1}>
            {titleOf(downlink)}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" component="span">
          <Time value={created?.time} />
        </Text>
        <Group gap="sm">
          <DownlinkState state={isCancelling ? 'cancelling' : downlink.state} />
          {downlink.confirmed && (
            <Text size="xs" c="dimmed" component="span">
              {t('confirmed')}
            </Text>
          )}
          {downlink.state === 'queued' && downlink.expires_at !== null && (
            <Text size="xs" c="dimmed" component="span">
              {rich('expires {time}', { time: <Time value={downlink.expires_at} /> })}
            </Text>
          )}
          {isWaiting && (
            <Text size="xs" c="dimmed">
              {t('number {place} in the queue', { place: downlink.place })}
            </Text>
          )}
        </Group>
      </UnstyledButton>
      <div id={id}>
        {isOpen && <Details downlink={downlink} cancel={cancel} isCancelling={isCancelling} />}
      </div>
    </Card>
  )
}

/** What stays as it is says less than what is set. */
const usual = /: (No|Off|None|Do not change)$/

function titleOf({ section, lines, bytes }: Downlink): string {
  if (section === 'raw') return `${sectionNames.raw}: ${spacedHex(bytes)}`
  const said = lines.filter((line) => !line.startsWith('Configuration: '))
  const telling = said.filter((line) => !usual.test(line))
  const shown = telling.length > 0 ? telling : said
  return `${sectionNames[section]}: ${shown.slice(0, 2).join('; ') || t('no values')}`
}

interface DetailsProps {
  downlink: Downlink
  cancel: ReturnType<typeof useCancel>
  /** What is known of it meanwhile is about to change. */
  isCancelling: boolean
}

function Details({ downlink, cancel, isCancelling }: DetailsProps) {
  const { lines, warnings, attempts, last_error, user, f_port, expires_at } = downlink
  const advice = isCancelling ? undefined : adviceOf(downlink)
  return (
    <Stack gap="sm" pt="sm">
      <ul className={classes.lines}>
        {lines
          .filter((line) => !line.startsWith('Configuration: '))
          .map((line) => (
            <li key={line}>
              <Text size="sm">{line}</Text>
            </li>
          ))}
      </ul>
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="outline" title={t('The codec warns')}>
          {warning}
        </Alert>
      ))}
      <DownlinkSteps downlink={downlink} isCancelling={isCancelling} />
      {last_error !== null && !isCancelling && (
        <Alert color="red" variant="outline" title={t('The last call to the network failed')}>
          {last_error}
        </Alert>
      )}
      {advice && (
        <Text size="sm" c="dimmed">
          {advice}
        </Text>
      )}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {t('By {name}, to port {fport}', {
            name: user.name || t('user {id}', { id: user.id }),
            fport: f_port,
          })}
          {attempts > 0 &&
            t(', {attempts, plural, one {# call} other {# calls}} to the network', { attempts })}
          {expires_at !== null &&
            rich(', to be handed over until {time}', {
              time: <Time value={expires_at} exact />,
            })}
        </Text>
        {downlink.place !== null && (
          <CancelButton downlink={downlink} cancel={cancel} isCancelling={isCancelling} />
        )}
      </Group>
      <details>
        <summary>
          {rich('Bytes: {code}', { code: <code>{spacedHex(downlink.bytes)}</code> })}
        </summary>
        <Stack pt="xs">
          <FrameBytes
            bytes={downlink.bytes}
            parts={downlink.parts}
            caption={t('Message, byte by byte')}
          />
        </Stack>
      </details>
    </Stack>
  )
}
