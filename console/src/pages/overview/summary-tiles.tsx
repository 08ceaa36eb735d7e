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
  to: '/devices' | '/gateways' | '/networks'
  search?: Record<string, string | number>
}

/** The numbers of the fleet. A tile without a problem is quiet, and keeps its place. */
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

function silentNote({ total, silent }: Summary['devices']): string {
  if (total === 0) return 'None yet'
  return silent === 0 ? 'None' : 'Check them'
}

function tilesOf({ devices, gateways, downlinks, quarantine }: Summary): Tile[] {
  const bad = (count: number, kind: StateKind = 'warn'): StateKind => (count > 0 ? kind : 'good')
  return [
    {
      name: 'Devices',
      value: devices.total,
      kind: devices.total > 0 && devices.silent === devices.total ? 'warn' : 'good',
      note: devices.new > 0 ? `${formatCount(devices.new)} new` : `${formatCount(devices.ok)} OK`,
      to: '/devices',
    },
    {
      name: 'Silent',
      value: devices.silent,
      kind: bad(devices.silent),
      note: silentNote(devices),
      to: '/devices',
      search: { verdict: 'silent', sort: 'last_seen', order: 'desc' },
    },
    {
      name: 'Low battery',
      value: devices.low_battery,
      kind: bad(devices.low_battery),
      note: devices.low_battery > 0 ? 'Replace the battery' : 'None',
      to: '/devices',
      search: { low_battery: 'yes' },
    },
    {
      name: 'Tampered',
      value: devices.tampered,
      kind: bad(devices.tampered, 'bad'),
      note: devices.tampered > 0 ? 'Check them' : 'None',
      to: '/devices',
      search: { tamper: 'yes' },
    },
    {
      name: 'Registration errors',
      value: devices.register_error,
      kind: bad(devices.register_error, 'bad'),
      note: devices.register_error > 0 ? 'Refused by a network' : 'None',
      to: '/devices',
      search: { status: 'register_error' },
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
      kind: bad(gateways.silent),
      note: gateways.silent > 0 ? `${formatCount(gateways.silent)} silent for 1 h` : 'All heard',
      to: '/gateways',
      ...(gateways.silent > 0 ? { search: { silent: 1 } } : {}),
    },
    {
      name: 'In quarantine',
      value: quarantine.messages,
      kind: bad(quarantine.messages),
      note: quarantine.messages > 0 ? 'Of unknown devices' : 'None',
      to: '/networks',
    },
  ]
}
