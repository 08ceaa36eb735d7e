import { t } from '../../languages/text.ts'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { State } from '../../ui/state.tsx'
import type { Counts } from './group-tree.ts'
import classes from './groups.module.css'

/** The columns of the tree, each with the filter of devices that it counts. */
export const countColumns = [
  { key: 'devices', title: t('Devices'), kind: undefined, filter: {} },
  { key: 'ok', title: t('OK'), kind: undefined, filter: { verdict: 'ok' } },
  { key: 'silent', title: t('Silent'), kind: 'warn', filter: { verdict: 'silent' } },
  { key: 'attention', title: t('Attention'), kind: 'warn', filter: { verdict: 'attention' } },
  { key: 'low_battery', title: t('Low battery'), kind: 'warn', filter: { low_battery: 'yes' } },
  { key: 'tamper', title: t('Tamper'), kind: 'bad', filter: { tamper: 'yes' } },
  { key: 'register_error', title: t('Errors'), kind: 'bad', filter: { status: 'register_error' } },
] as const

interface CountCellsProps {
  groupId: number
  counts: Counts
}

/** The numbers of a group with its subgroups; each leads to the devices that it counts. */
export function CountCells({ groupId, counts }: CountCellsProps) {
  return countColumns.map((column) => (
    <span
      key={column.key}
      className={classes.count}
      data-extra={column.key === 'devices' ? undefined : true}
    >
      <Count groupId={groupId} value={counts[column.key]} column={column} />
    </span>
  ))
}

/** On narrow screens, the worst of what a group has: tampers and errors before silence. */
export function Worst({ counts }: { counts: Counts }) {
  const { tamper, register_error, silent, attention } = counts
  const bad = tamper + register_error
  const warn = silent + attention
  if (bad + warn === 0) return <span className={classes.worst} />
  const parts = countColumns.filter(({ key, kind }) => kind && counts[key] > 0)
  const label = parts.map(({ key, title }) => `${title}: ${formatCount(counts[key])}`).join(', ')
  return (
    <span className={classes.worst} title={label}>
      <State kind={bad > 0 ? 'bad' : 'warn'}>
        <span className="visually-hidden">{label}</span>
        <span aria-hidden>{formatCount(bad > 0 ? bad : warn)}</span>
      </State>
    </span>
  )
}

interface CountProps {
  groupId: number
  value: number
  column: (typeof countColumns)[number]
}

export function Count({ groupId, value, column }: CountProps) {
  const { title, kind, filter } = column
  const label = `${title}: ${formatCount(value)}`
  if (value === 0 || filter === undefined) {
    return (
      <span className={value === 0 ? classes.zero : undefined} title={label}>
        {formatCount(value)}
      </span>
    )
  }
  const number = kind ? <State kind={kind}>{formatCount(value)}</State> : formatCount(value)
  return (
    <Link
      to="/devices"
      search={{ group: groupId, ...filter }}
      aria-label={label}
      title={label}
      draggable={false}
      fz="inherit"
      c={kind ? 'inherit' : undefined}
    >
      {number}
    </Link>
  )
}
