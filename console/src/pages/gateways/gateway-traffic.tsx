import { Table, Text } from '@mantine/core'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import type { GatewayDetails } from './gateway-query.ts'
import classes from './gateways.module.css'

type Hour = GatewayDetails['hours'][number]

/** The uplinks of a week by the hour, as bars and as a table. */
export function GatewayTraffic({ hours }: { hours: readonly Hour[] }) {
  const known = hours.flatMap(({ uplinks }) => uplinks ?? [])
  const most = known.reduce((high, uplinks) => Math.max(high, uplinks), 0)
  const sum = known.reduce((total, uplinks) => total + uplinks, 0)
  const unknown = hours.length - known.length
  return (
    <figure className={classes.figure}>
      <Text component="figcaption" size="sm" mb="xs">
        {countOf(sum, 'uplink')} in the last {countOf(hours.length, 'hour')}, at most{' '}
        {formatCount(most)} in one hour.
        {unknown > 0 &&
          ` ${countOf(unknown, 'hour')} not known: the service did not run at their ends.`}
      </Text>
      <Bars hours={hours} most={most} />
      <div className={classes.ends}>
        <Time value={hours[0]?.hour} exact />
        <span>now</span>
      </div>
      <HourTable hours={hours} />
    </figure>
  )
}

function Bars({ hours, most }: { hours: readonly Hour[]; most: number }) {
  const width = 100 / Math.max(hours.length, 24)
  return (
    <svg
      className={classes.bars}
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      role="img"
      aria-label="Uplinks per hour; the table below has the numbers"
    >
      {hours.map(({ hour, uplinks }, index) => {
        const height = uplinks === null ? 40 : most === 0 ? 0 : (uplinks / most) * 39
        return (
          <rect
            key={hour}
            className={uplinks === null ? classes.unknown : classes.bar}
            x={index * width}
            y={40 - height}
            width={width * 0.85}
            height={height}
          >
            <title>
              {hour.slice(0, 16).replace('T', ' ')} UTC:{' '}
              {uplinks === null ? 'not known' : countOf(uplinks, 'uplink')}
            </title>
          </rect>
        )
      })}
      <rect className={classes.unknown} x={0} y={39.7} width={100} height={0.3} />
    </svg>
  )
}

function HourTable({ hours }: { hours: readonly Hour[] }) {
  const rows = [...hours].reverse()
  return (
    <details>
      <Text component="summary" size="sm" py={4}>
        Numbers by the hour
      </Text>
      <Table verticalSpacing={4} maw={480} className={classes.table}>
        <caption className="visually-hidden">Uplinks and downlinks by the hour</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Hour from</Table.Th>
            <Table.Th scope="col" data-number>
              Uplinks
            </Table.Th>
            <Table.Th scope="col" data-number>
              Downlinks
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ hour, uplinks, downlinks }) => (
            <Table.Tr key={hour}>
              <Table.Td>
                <Time value={hour} exact />
              </Table.Td>
              <Table.Td data-number>
                {uplinks === null ? 'not known' : formatCount(uplinks)}
              </Table.Td>
              <Table.Td data-number>
                {downlinks === null ? 'not known' : formatCount(downlinks)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  )
}
