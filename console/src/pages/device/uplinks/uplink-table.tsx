import { ActionIcon, Table } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { LiveUplink } from '../../../live/events.ts'
import { rateName } from '../../../radio/radio-series.ts'
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
  return (
    <Table.ScrollContainer minWidth={0} className={classes.scroller}>
      <Table verticalSpacing={4}>
        <caption className="visually-hidden">Uplinks of the device, the newest first</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">
              <span className="visually-hidden">Details</span>
            </Table.Th>
            <Table.Th scope="col">Time</Table.Th>
            <Table.Th scope="col">Reading</Table.Th>
            <Table.Th scope="col">Message</Table.Th>
            <Table.Th scope="col" data-number>
              RSSI
            </Table.Th>
            <Table.Th scope="col" data-number data-extra>
              SNR
            </Table.Th>
            <Table.Th scope="col" data-extra>
              Data rate
            </Table.Th>
            <Table.Th scope="col" data-number data-extra>
              FCnt
            </Table.Th>
            <Table.Th scope="col" data-extra>
              Frame
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {uplinks.map((uplink) => (
            <Fragment key={uplink.ordinal}>
              <UplinkRow
                uplink={uplink}
                isOpen={open === uplink.ordinal}
                onToggle={() => onOpen(open === uplink.ordinal ? undefined : uplink.ordinal)}
              />
              {open === uplink.ordinal && (
                <Table.Tr>
                  <Table.Td colSpan={9}>
                    <UplinkDetails uplink={uplink} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface UplinkRowProps {
  uplink: LiveUplink
  isOpen: boolean
  onToggle: () => void
}

function UplinkRow({ uplink, isOpen, onToggle }: UplinkRowProps) {
  const { rssi, snr } = uplink
  const event = uplink.text.replaceAll('\n', ', ')
  const message = uplink.reading ? uplink.decoded_object.eventDescription : event
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <Table.Tr className={classes.row} onClick={onToggle}>
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-expanded={isOpen}
          aria-label={`Details of ${event}`}
          onClick={(event) => {
            event.stopPropagation()
            onToggle()
          }}
        >
          <Icon size={14} aria-hidden />
        </ActionIcon>
      </Table.Td>
      <Table.Td className={classes.time}>
        <Clock value={uplink.event_time} />
      </Table.Td>
      <Table.Td>
        <Reading value={uplink.reading} />
      </Table.Td>
      <Table.Td className={classes.event}>{message}</Table.Td>
      <Table.Td data-number>{rssi ?? '–'}</Table.Td>
      <Table.Td data-number data-extra>
        {snr ?? '–'}
      </Table.Td>
      <Table.Td data-extra>{uplink.data_rate ? rateName(uplink.data_rate) : '–'}</Table.Td>
      <Table.Td data-number data-extra>
        {uplink.f_cnt}
      </Table.Td>
      <Table.Td data-extra className={classes.frame}>
        {uplink.data}
      </Table.Td>
    </Table.Tr>
  )
}
