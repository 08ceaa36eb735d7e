import { t } from '../../languages/text.ts'
import type { LiveUplink } from '../../live/events.ts'
import { textsOf } from '../../tags/tag-text.ts'
import { formatNumber } from '../../ui/formats.ts'
import type { CellContext, Column } from '../../ui/list/columns.ts'
import { Reading } from '../../ui/reading.tsx'
import { Clock } from '../../ui/time.tsx'
import classes from './uplinks.module.css'

const none = <span className={classes.none}>–</span>

export type UplinkColumn = Column<LiveUplink> & { id: string }

/** Every column that can be chosen, in their usual order. */
export const uplinkColumns: readonly UplinkColumn[] = [
  {
    id: 'received_at',
    title: t('Received'),
    width: 128,
    phone: 'side',
    cell: ({ received_at }) => <Clock value={received_at} />,
  },
  { id: 'device', title: t('Device'), width: 120, grows: 2, phone: 'title', cell: deviceCell },
  {
    id: 'reading',
    title: t('Reading'),
    width: 110,
    grows: 2,
    cell: ({ reading }) => <Reading value={reading} />,
  },
  {
    id: 'message',
    title: t('Message'),
    width: 130,
    grows: 3,
    cell: wordsOf,
  },
  {
    id: 'device_id',
    title: 'DevEUI',
    width: 148,
    isExtra: true,
    isOneLine: true,
    cell: ({ device_id }) => <span className={classes.mono}>{device_id}</span>,
  },
  {
    id: 'data',
    title: t('Frame'),
    width: 136,
    isExtra: true,
    grows: 1,
    cell: ({ data }) => (
      <code className={`${classes.mono} ${classes.frame}`} title={data}>
        {data}
      </code>
    ),
  },
  {
    id: 'signal',
    title: t('Signal'),
    width: 124,
    isOneLine: true,
    isNumber: true,
    cell: ({ rssi, snr }) =>
      rssi === null
        ? none
        : t('{rssi} dBm{snr}', { rssi, snr: snr === null ? '' : ` / ${formatNumber(snr, 1)}` }),
  },
  {
    id: 'f_cnt',
    title: 'FCnt',
    width: 76,
    isNumber: true,
    isExtra: true,
    cell: ({ f_cnt }) => f_cnt,
  },
  {
    id: 'f_port',
    title: 'fPort',
    width: 76,
    isNumber: true,
    isExtra: true,
    cell: ({ f_port }) => f_port,
  },
  {
    id: 'data_rate',
    title: t('Data rate'),
    width: 110,
    isExtra: true,
    isOneLine: true,
    cell: ({ data_rate }) => data_rate ?? none,
  },
  {
    id: 'gateways',
    title: t('Gateways'),
    width: 96,
    isNumber: true,
    isExtra: true,
    cell: ({ gateways }) => gateways.length,
  },
  {
    id: 'tags',
    title: t('Tags'),
    width: 120,
    grows: 1,
    isExtra: true,
    cell: ({ tags }) => textsOf(tags).join(', ') || none,
  },
]

export const usualColumns: readonly string[] = [
  'received_at',
  'device',
  'reading',
  'message',
  'device_id',
  'data',
  'signal',
  'f_cnt',
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
