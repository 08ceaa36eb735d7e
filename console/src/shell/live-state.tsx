import { Tooltip } from '@mantine/core'
import { IconBolt, IconBoltOff, IconLoader2 } from '@tabler/icons-react'
import { t } from '../languages/text.ts'
import { useLiveConnection } from '../live/hooks.ts'
import { useSession } from '../session/session.ts'
import { formatTime } from '../ui/formats.ts'
import { useNow } from '../ui/time.tsx'
import { useTimeZone } from '../ui/time-zone.ts'
import classes from './live-state.module.css'

/** After a shorter loss, the page only says that the connection is back. */
const offlineAfter = 8000

/** Follows the stream of events, and says whether it comes. */
export function LiveState() {
  const { session, organization } = useSession()
  const state = useLiveConnection(session.user.id, organization.id)
  const timeZone = useTimeZone()
  const now = useNow()
  const isOffline = state.kind === 'lost' && Math.max(now, Date.now()) - state.since >= offlineAfter
  const kind = isOffline ? 'offline' : state.kind
  const { Icon, word, help } = lookOf(kind, state.kind === 'lost' ? state.since : 0, timeZone)
  return (
    <Tooltip label={help} multiline maw={260}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must open by keyboard */}
      <span className={classes.state} data-kind={kind} role="status" tabIndex={0}>
        <Icon size={16} aria-hidden className={classes.icon} />
        <span className={classes.word}>{word}</span>
      </span>
    </Tooltip>
  )
}

function lookOf(kind: string, since: number, timeZone: string) {
  if (kind === 'live') {
    return { Icon: IconBolt, word: t('Live'), help: t('Changes appear as they happen.') }
  }
  if (kind !== 'offline') {
    const word = kind === 'connecting' ? t('Connecting…') : t('Reconnecting…')
    return { Icon: IconLoader2, word, help: t('Missed changes follow when it is back.') }
  }
  return {
    Icon: IconBoltOff,
    word: t('Offline since {since}', { since: formatTime(since, { clock: 'minutes' }, timeZone) }),
    help: t(
      'The service does not answer. The console keeps trying, and catches up when it is back.',
    ),
  }
}
