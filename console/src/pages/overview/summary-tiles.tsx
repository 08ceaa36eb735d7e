import { t } from '../../languages/text.ts'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
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
        {t('In numbers')}
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
      name: t('Devices'),
      value: devices.total,
      kind: devices.total > 0 && devices.silent === devices.total ? 'warn' : 'good',
      note:
        devices.new > 0
          ? t('{new} new', { new: formatCount(devices.new) })
          : t('{ok} OK', { ok: formatCount(devices.ok) }),
      to: '/devices',
    },
    {
      name: t('Pending'),
      value: devices.pending,
      kind: devices.pending > 0 ? 'waiting' : 'good',
      note: devices.pending > 0 ? t('Waiting for the networks') : t('None'),
      to: '/devices',
      search: { status: 'pending' },
    },
    {
      name: t('Downlinks waiting'),
      value: downlinks.waiting,
      kind: downlinks.waiting > 0 ? 'waiting' : 'good',
      note:
        downlinks.waiting > 0
          ? t('For {waiting, plural, one {# device} other {# devices}}', {
              waiting: devices.waiting,
            })
          : t('All sent'),
      to: '/devices',
      search: { waiting: 'yes' },
    },
    {
      name: t('Gateways'),
      value: gateways.total,
      kind: gateways.silent > 0 ? 'warn' : 'good',
      note:
        gateways.silent > 0
          ? t('{silent} silent', { silent: formatCount(gateways.silent) })
          : t('None silent'),
      to: '/gateways',
      ...(gateways.silent > 0 ? { search: { verdict: 'silent' } } : {}),
    },
  ]
}
