/**
 * A difference between two JSON values, at a path such as `data.temperature`. A missing value is
 * left out.
 */
export interface JsonDifference {
  path: string
  before?: unknown
  after?: unknown
}

/** Further differences are left out: the first ones tell what is wrong. */
const mostDifferences = 20
/** JavaScript engines differ in the last digits of a sum. */
const tolerance = 1e-9

export function compareJson(before: unknown, after: unknown): JsonDifference[] {
  return compare('', before, after).slice(0, mostDifferences)
}

function compare(path: string, before: unknown, after: unknown): JsonDifference[] {
  if (isSame(before, after)) return []
  const [membersBefore, membersAfter] = [membersOf(before), membersOf(after)]
  if (!membersBefore || !membersAfter || Array.isArray(before) !== Array.isArray(after)) {
    return [
      {
        path,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      },
    ]
  }
  const names = new Set([...membersBefore.keys(), ...membersAfter.keys()])
  return [...names].flatMap((name) =>
    compare(
      path === '' ? name : `${path}.${name}`,
      membersBefore.get(name),
      membersAfter.get(name),
    ),
  )
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Times may have more or fewer digits than the milliseconds of a Date. */
function isSame(before: unknown, after: unknown): boolean {
  if (typeof before === 'string' && typeof after === 'string') {
    if (before === after) return true
    return time.test(before) && time.test(after) && Date.parse(before) === Date.parse(after)
  }
  if (typeof before !== 'number' || typeof after !== 'number') return Object.is(before, after)
  return Math.abs(before - after) <= tolerance * Math.max(1, Math.abs(before), Math.abs(after))
}

/** Undefined members count as absent. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined))
}
