import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { t } from '../../../languages/text.ts'
import type { LiveUplink } from '../../../live/events.ts'
import { rateName } from '../../../radio/radio-series.ts'
import { type Column, List } from '../../../ui/list/list.tsx'
import { Reading } from '../../../ui/reading.tsx'
import { Clock } from '../../../ui/time.tsx'
import { UplinkDetails } from './uplink-details.tsx'
import classes from './uplinks.module.css'

interface UplinkTableProps {
  uplinks: readonly LiveUplink[]
  /** The ordinal of the one that is shown in full. */
  open: number | undefined
  onOpen: (ordinal: number | undefined) => void
}

/** Uplinks in rows; each can be opened. */
export function UplinkTable({ uplinks, open, onOpen }: UplinkTableProps) {
  const toggle = ({ ordinal }: LiveUplink) => onOpen(open === ordinal ? undefined : ordinal)
  return (
    <List
      caption={t('Uplinks of the device, the newest first')}
      rows={uplinks}
      keyOf={({ ordinal }) => ordinal}
      columns={[
        {
          title: t('Details'),
          phone: 'side',
          cell: (uplink, { tabIndex }) => (
            <Toggle {...{ uplink, tabIndex, toggle }} isOpen={open === uplink.ordinal} />
          ),
        },
        ...columns,
      ]}
      onOpen={toggle}
      detailsOf={(uplink) => open === uplink.ordinal && <UplinkDetails uplink={uplink} />}
    />
  )
}

const columns: readonly Column<LiveUplink>[] = [
  {
    title: t('Time'),
    isOneLine: true,
    phone: 'side',
    cell: ({ event_time }) => <Clock value={event_time} />,
  },
  { title: t('Reading'), phone: 'title', cell: ({ reading }) => <Reading value={reading} /> },
  { title: t('Message'), cell: messageOf },
  { title: 'RSSI', isNumber: true, cell: ({ rssi }) => rssi ?? '–' },
  { title: 'SNR', isNumber: true, isExtra: true, cell: ({ snr }) => snr ?? '–' },
  {
    title: t('Data rate'),
    isExtra: true,
    cell: ({ data_rate }) => (data_rate ? rateName(data_rate) : '–'),
  },
  { title: 'FCnt', isNumber: true, isExtra: true, cell: ({ f_cnt }) => f_cnt },
  {
    title: t('Frame'),
    isExtra: true,
    cell: ({ data }) => <code className={classes.frame}>{data}</code>,
  },
]

/** Why it was sent, or all that was decoded where it has no reading. */
function messageOf({ reading, decoded_object, text }: LiveUplink): string {
  return reading ? decoded_object.eventDescription : text.replaceAll('\n', ', ')
}

interface ToggleProps {
  uplink: LiveUplink
  isOpen: boolean
  toggle: (uplink: LiveUplink) => void
  tabIndex: 0 | -1
}

function Toggle({ uplink, isOpen, toggle, tabIndex }: ToggleProps) {
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-expanded={isOpen}
      aria-label={t('Details of {replaceAll}', { replaceAll: uplink.text.replaceAll('\n', ', ') })}
      tabIndex={tabIndex}
      onClick={() => toggle(uplink)}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  )
}
