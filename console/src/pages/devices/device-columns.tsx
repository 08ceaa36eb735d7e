import { basePath } from '../../api/client.ts'
import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { textsOf } from '../../tags/tag-text.ts'
import { formatNumber } from '../../ui/formats.ts'
import type { CellContext, Column } from '../../ui/list/columns.ts'
import { formatCount } from '../../ui/numbers.ts'
import { Reading } from '../../ui/reading.tsx'
import { exactTime, relativeTime, useNow } from '../../ui/time.tsx'
import { useTimeZone } from '../../ui/time-zone.ts'
import classes from './devices.module.css'
import type { FleetDevice } from './use-device-list.ts'

export type DeviceColumn = Column<FleetDevice> & {
  id: string
  /** The columns of the export that say the same. */
  exports: readonly string[]
}

/** Every column that can be chosen, in their usual order. */
export const deviceColumns: readonly DeviceColumn[] = [
  {
    id: 'name',
    title: t('Name'),
    width: 130,
    grows: 3,
    sort: 'name',
    phone: 'title',
    cell: nameCell,
    exports: ['device_name'],
  },
  {
    id: 'reading',
    title: t('Reading'),
    width: 110,
    grows: 2,
    cell: (device) => <Reading value={device.reading} />,
    exports: ['reading'],
  },
  {
    id: 'device_id',
    title: 'DevEUI',
    width: 144,
    isExtra: true,
    isOneLine: true,
    sort: 'device_id',
    cell: euiCell,
    exports: ['device_id'],
  },
  {
    id: 'condition',
    title: t('Condition'),
    width: 100,
    cell: (device) => <Condition verdict={device.verdict} />,
    exports: [
      'verdict',
      'is_active',
      'device_register_status',
      'api_error',
      'low_battery',
      'tamper',
      'config_error',
    ],
  },
  {
    id: 'last_seen',
    title: t('Last seen'),
    width: 84,
    phone: 'side',
    sort: 'last_seen',
    cell: (device) => <LastSeen value={device.last_seen} />,
    exports: ['last_seen'],
  },
  {
    id: 'battery',
    title: t('Battery'),
    width: 80,
    isNumber: true,
    sort: 'battery',
    cell: ({ battery }) => (battery === null ? none : `${formatNumber(battery, 1)} V`),
    exports: ['battery'],
  },
  {
    id: 'signal',
    title: t('Signal'),
    width: 124,
    isOneLine: true,
    isNumber: true,
    cell: signalCell,
    exports: ['rssi', 'snr'],
  },
  {
    id: 'type',
    title: t('Type'),
    width: 110,
    grows: 3,
    sort: 'type',
    cell: (device) => textCell(device.device_type.name),
    exports: ['device_type'],
  },
  {
    id: 'groups',
    title: t('Groups'),
    width: 90,
    grows: 1,
    isExtra: true,
    cell: ({ groups }) => textCell(groups.map(({ name }) => name).join(', ')),
    exports: ['groups'],
  },
  {
    id: 'network',
    title: t('Network'),
    width: 110,
    grows: 1,
    sort: 'network',
    cell: (device) => textCell(device.network.name),
    exports: ['network'],
  },
  {
    id: 'waiting',
    title: t('Queued downlinks'),
    width: 90,
    isNumber: true,
    cell: ({ waiting_downlinks: count }) => (count === 0 ? none : formatCount(count)),
    exports: ['waiting_downlinks'],
  },
  {
    id: 'uplinks',
    title: t('Uplinks'),
    width: 96,
    isNumber: true,
    cell: ({ uplink_count: count }) => formatCount(count),
    exports: ['uplink_count'],
  },
  {
    id: 'created_at',
    title: t('Registered'),
    width: 108,
    sort: 'created_at',
    cell: (device) => <Ago value={device.created_at} />,
    exports: ['created_at'],
  },
  {
    id: 'join_eui',
    title: 'JoinEUI',
    width: 148,
    isExtra: true,
    isOneLine: true,
    cell: (device) => <span className={classes.eui}>{device.join_eui}</span>,
    exports: ['join_eui'],
  },
  {
    id: 'tags',
    title: t('Tags'),
    width: 110,
    grows: 2,
    cell: ({ tags }) => textCell(textsOf(tags).join(', ')),
    exports: ['tags'],
  },
  {
    id: 'notes',
    title: t('Notes'),
    width: 120,
    grows: 2,
    cell: (device) => textCell(device.extra_notes),
    exports: ['extra_notes'],
  },
]

export const usualColumns: readonly string[] = [
  'name',
  'reading',
  'condition',
  'last_seen',
  'battery',
  'network',
  'type',
  'groups',
  'device_id',
]

const none = <span className={classes.none}>–</span>

function textCell(text: string | null) {
  return text || none
}

/** For links that open in another tab: the organization stays. */
function deviceAddress(eui: string): string {
  const organization = new URLSearchParams(location.search).get('org')
  return `${basePath}/devices/${eui}${organization ? `?org=${organization}` : ''}`
}

function nameCell(device: FleetDevice, { tabIndex }: CellContext) {
  return (
    <a
      className={classes.name}
      href={deviceAddress(device.device_id)}
      data-open
      tabIndex={tabIndex}
    >
      {device.device_name}
    </a>
  )
}

function euiCell(device: FleetDevice, { tabIndex }: CellContext) {
  return (
    <button
      type="button"
      className={classes.copy}
      data-copy={device.device_id}
      tabIndex={tabIndex}
      aria-label={t('DevEUI {deviceid}, copy', { deviceid: device.device_id })}
      title={t('Copy the DevEUI')}
    >
      {device.device_id}
    </button>
  )
}

function signalCell({ rssi, snr }: FleetDevice) {
  if (rssi === null) return none
  return t('{rssi} dBm{snr}', { rssi, snr: snr === null ? '' : ` / ${formatNumber(snr, 1)}` })
}

function LastSeen({ value }: { value: string | null }) {
  if (value === null) return <span className={classes.none}>{t('never')}</span>
  return <Ago value={value} />
}

/** As `Time`, without a tooltip component in each of many rows. */
function Ago({ value }: { value: string }) {
  const now = useNow()
  const timeZone = useTimeZone()
  const time = new Date(value)
  return (
    <time dateTime={value} title={exactTime(time, timeZone)}>
      {relativeTime(time, now)}
    </time>
  )
}
