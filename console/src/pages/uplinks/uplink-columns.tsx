import type { LiveUplink } from '../../live/events.ts'
import { Reading } from '../../ui/reading.tsx'
import { Clock } from '../../ui/time.tsx'
import type { CellContext, TableColumn } from '../../ui/virtual-table/columns.ts'
import classes from './uplinks.module.css'

const none = <span className={classes.none}>–</span>

export const uplinkColumns: readonly TableColumn<LiveUplink>[] = [
  {
    id: 'time',
    title: 'Received',
    width: 128,
    cell: ({ received_at }) => <Clock value={received_at} />,
  },
  { id: 'device', title: 'Device', width: 150, grows: 2, cell: deviceCell },
  {
    id: 'reading',
    title: 'Reading',
    width: 170,
    grows: 2,
    cell: ({ reading }) => <Reading value={reading} />,
  },
  {
    id: 'message',
    title: 'Message',
    width: 170,
    grows: 3,
    cell: (uplink) => plain(wordsOf(uplink)),
  },
  {
    id: 'eui',
    title: 'DevEUI',
    width: 158,
    cell: ({ device_id }) => <span className={classes.mono}>{device_id}</span>,
  },
  {
    id: 'data',
    title: 'Frame',
    width: 120,
    grows: 1,
    cell: ({ data }) => (
      <span className={`${classes.mono} ${classes.text}`} title={data}>
        {data}
      </span>
    ),
  },
  {
    id: 'signal',
    title: 'Signal',
    width: 124,
    isNumber: true,
    cell: ({ rssi, snr }) =>
      rssi === null ? none : `${rssi} dBm${snr === null ? '' : ` / ${snr.toFixed(1)}`}`,
  },
  { id: 'f_cnt', title: 'FCnt', width: 76, isNumber: true, cell: ({ f_cnt }) => f_cnt },
]

/** Two lines, on a phone. */
export function uplinkCard(uplink: LiveUplink, context: CellContext) {
  return (
    <>
      <span className={classes.cardLine}>
        {deviceCell(uplink, context)}
        <span className={classes.quiet}>
          <Clock value={uplink.received_at} />
        </span>
      </span>
      <span className={classes.cardLine}>
        <span className={classes.text}>
          {uplink.reading && <strong>{uplink.reading.text}</strong>}
          {uplink.reading && ' '}
          {wordsOf(uplink)}
        </span>
        <span className={classes.quiet}>{uplink.rssi === null ? '' : `${uplink.rssi} dBm`}</span>
      </span>
    </>
  )
}

function deviceCell({ device_name }: LiveUplink, { tabIndex }: CellContext) {
  return (
    <button
      type="button"
      className={classes.open}
      data-open
      tabIndex={tabIndex}
      title={device_name}
    >
      {device_name}
    </button>
  )
}

function plain(text: string) {
  return (
    <span className={classes.text} title={text}>
      {text}
    </span>
  )
}

/** Why it was sent, or all that was decoded where it has no reading. */
function wordsOf({ reading, decoded_object, text }: LiveUplink): string {
  return reading ? decoded_object.eventDescription : text.replaceAll('\n', ' · ')
}
