import { Stack, Text } from '@mantine/core'
import { spacedHex } from '../../../frames/frame-values.ts'
import { rich, t } from '../../../languages/text.ts'
import { Eui } from '../../../ui/eui.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import classes from '../device-types.module.css'
import { Differences } from './differences.tsx'
import type { Replay } from './draft.ts'

const mostShown = 20

/** Stored uplinks read again: what would differ from what is stored. */
export function ReplayedUplinks({ replay }: { replay: Replay }) {
  const changed = replay.uplinks.filter(({ differences }) => differences.length > 0)
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {summaryOf(replay)}
      </Text>
      <ol className={classes.plain}>
        {changed.slice(0, mostShown).map((uplink) => (
          <li key={uplink.id}>
            <Text size="xs" c="dimmed" component="div">
              {rich('{eui} {time}, port ', {
                eui: <Eui value={uplink.device_id} />,
                time: <Time value={uplink.event_time} />,
              })}
              {uplink.f_port}: {spacedHex(uplink.data)}
            </Text>
            {uplink.after.event_type === 'UNKNOWN' && (
              <State kind="bad">{t('The codec cannot decode it')}</State>
            )}
            <Differences
              differences={uplink.differences}
              caption={t('Differences')}
              names={[t('Stored'), t('With this codec')]}
            />
          </li>
        ))}
      </ol>
      {changed.length > mostShown && (
        <Text size="sm" c="dimmed">
          {t('The first {mostShown} are shown.', { mostShown })}
        </Text>
      )}
    </Stack>
  )
}

function summaryOf({ uplinks, changed }: Replay): string {
  if (uplinks.length === 0) return t('There are no stored uplinks to decode.')
  if (changed === 0)
    return t(
      '{count, plural, one {# uplink} other {# uplinks}} decoded. All results are as stored.',
      { count: uplinks.length },
    )
  return t('{count, plural, one {# uplink} other {# uplinks}} decoded. {changed} would differ.', {
    count: uplinks.length,
    changed,
  })
}
