import { Link } from '../../ui/link.tsx'
import { type Column, List } from '../../ui/list/list.tsx'
import { formatCount } from '../../ui/numbers.ts'
import type { ListedType } from './device-types-page.tsx'

const formatNames = { built_in: 'Built in', ts013: 'Your codec', cayenne_lpp: 'CayenneLPP' }

const columns: Column<ListedType>[] = [
  {
    title: 'Type',
    phone: 'title',
    cell: ({ id, type_name }) => (
      <Link to="/device-types/$id" params={{ id: String(id) }} fz="sm" fw={600}>
        {type_name}
      </Link>
    ),
  },
  { title: 'Maker', cell: ({ maker }) => maker ?? 'Your own' },
  { title: 'Model', cell: modelsOf },
  { title: 'Measures', isExtra: true, cell: measuresOf },
  { title: 'Decoded by', isExtra: true, cell: ({ format }) => formatNames[format] },
  {
    title: 'Devices',
    phone: 'side',
    isNumber: true,
    cell: ({ id, devices }) =>
      devices === 0 ? (
        '0'
      ) : (
        <Link to="/devices" search={{ type: id }} fz="sm">
          {formatCount(devices)}
        </Link>
      ),
  },
]

/** The types in rows, and how many devices each has. */
export function TypeTable({ types }: { types: readonly ListedType[] }) {
  return <List caption="Device types" rows={types} keyOf={keyOf} columns={columns} />
}

function keyOf({ id }: ListedType): number {
  return id
}

function modelsOf({ part_number, other_part_numbers }: ListedType): string {
  return [part_number, ...other_part_numbers].filter(Boolean).join(', ')
}

/** What people read; counters and codes say something only on the page of the type. */
function measuresOf({ measures }: ListedType): string {
  return measures
    .filter(({ kind }) => kind !== 'code' && kind !== 'counter' && kind !== 'text')
    .map(({ label, unit }) => (unit ? `${label} (${unit})` : label))
    .join(', ')
}
