import { Link } from '../../ui/link.tsx'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { State, type StateKind } from '../../ui/state.tsx'
import classes from './overview.module.css'
import type { Summary } from './summary.ts'

interface Tile {
  name: string
  value: number
  /** What stands below the number: a state in words. */
  kind: StateKind
  note: string
  to: '/devices' | '/gateways'
  search?: Record<string, string | number>
}

/** The size of the fleet, and what is under way. What is wrong is said above (attention.tsx). */
export function SummaryTiles({ summary }: { summary: Summary }) {
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers" className="visually-hidden">
        In numbers
      </h2>
      <ul className={classes.tiles}>
        {tilesOf(summary).map((tile) => (
          <li key={tile.name}>
            <Link
              to={tile.to}
              search={(tile.search ?? {}) as never}
              className={classes.tile}
              underline="never"
              data-kind={tile.kind}
            >
              <span className={classes.tileName}>{tile.name}</span>
              <span className={classes.tileValue}>{formatCount(tile.value)}</span>
              <State kind={tile.kind}>{tile.note}</State>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function tilesOf({ devices, gateways, downlinks }: Summary): Tile[] {
  return [
    {
      name: 'Devices',
      value: devices.total,
      kind: devices.total > 0 && devices.silent === devices.total ? 'warn' : 'good',
      note: devices.new > 0 ? `${formatCount(devices.new)} new` : `${formatCount(devices.ok)} OK`,
      to: '/devices',
    },
    {
      name: 'Pending',
      value: devices.pending,
      kind: devices.pending > 0 ? 'waiting' : 'good',
      note: devices.pending > 0 ? 'Waiting for the networks' : 'None',
      to: '/devices',
      search: { status: 'pending' },
    },
    {
      name: 'Downlinks waiting',
      value: downlinks.waiting,
      kind: downlinks.waiting > 0 ? 'waiting' : 'good',
      note: downlinks.waiting > 0 ? `For ${countOf(devices.waiting, 'device')}` : 'All sent',
      to: '/devices',
      search: { waiting: 'yes' },
    },
    {
      name: 'Gateways',
      value: gateways.total,
      kind: gateways.silent > 0 ? 'warn' : 'good',
      note: gateways.silent > 0 ? `${formatCount(gateways.silent)} silent` : 'None silent',
      to: '/gateways',
      ...(gateways.silent > 0 ? { search: { verdict: 'silent' } } : {}),
    },
  ]
}
