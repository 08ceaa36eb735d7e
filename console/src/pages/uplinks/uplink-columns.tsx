import type { LiveUplink } from '../../live/events.ts'
import { formatNumber } from '../../ui/formats.ts'
import type { CellContext, Column } from '../../ui/list/columns.ts'
import { Reading } from '../../ui/reading.tsx'
import { Clock } from '../../ui/time.tsx'
import classes from './uplinks.module.css'

const none = <span className={classes.none}>–</span>

export const uplinkColumns: readonly Column<LiveUplink>[] = [
  {
    title: 'Received',
    width: 128,
    phone: 'side',
    cell: ({ received_at }) => <Clock value={received_at} />,
  },
  { title: 'Device', width: 120, grows: 2, phone: 'title', cell: deviceCell },
  {
    title: 'Reading',
    width: 110,
    grows: 2,
    cell: ({ reading }) => <Reading value={reading} />,
  },
  {
    title: 'Message',
    width: 130,
    grows: 3,
    cell: wordsOf,
  },
  {
    title: 'DevEUI',
    width: 148,
    isExtra: true,
    isOneLine: true,
    cell: ({ device_id }) => <span className={classes.mono}>{device_id}</span>,
  },
  {
    title: 'Frame',
    width: 120,
    isExtra: true,
    grows: 1,
    cell: ({ data }) => (
      <code className={`${classes.mono} ${classes.frame}`} title={data}>
        {data}
      </code>
    ),
  },
  {
    title: 'Signal',
    width: 124,
    isOneLine: true,
    isNumber: true,
    cell: ({ rssi, snr }) =>
      rssi === null ? none : `${rssi} dBm${snr === null ? '' : ` / ${formatNumber(snr, 1)}`}`,
  },
  { title: 'FCnt', width: 76, isNumber: true, isExtra: true, cell: ({ f_cnt }) => f_cnt },
]

function deviceCell({ device_name }: LiveUplink, { tabIndex }: CellContext) {
  return (
    <button type="button" className={classes.open} data-open tabIndex={tabIndex}>
      {device_name}
    </button>
  )
}

/** Why it was sent, or all that was decoded where it has no reading. */
function wordsOf({ reading, decoded_object, text }: LiveUplink): string {
  return reading ? decoded_object.eventDescription : text.replaceAll('\n', ' · ')
}
