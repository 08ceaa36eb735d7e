import type { Queryable } from '../../../db/connect.ts'
import type { ConditionSettings } from './condition-settings.ts'
import { countTimes } from './conditions.ts'
import { mostCompared, mostLookedBack, prepare } from './read-news.ts'
import { listLasting, type Moved, store } from './reading-queries.ts'
import type { StoredRule } from './rule-queries.ts'
import { mostOpened } from './scope-queries.ts'

/** Closes what happened too often and does no more, though nothing was read since. Returns how many. */
export async function closeCalm(tx: Queryable, rule: StoredRule, now: Date): Promise<number> {
  const settings = rule.settings as ConditionSettings
  const { times } = settings
  if (!times) return 0
  const lasting = await listLasting(tx, rule, mostOpened)
  const time = now.getTime()
  const calm: typeof lasting = []
  for (let at = 0; at < lasting.length; at += mostLookedBack) {
    const part = lasting.slice(at, at + mostLookedBack)
    const devices = part.map(({ device }) => device)
    const judging = await prepare(tx, rule, { devices, first: time, last: time, mostCompared })
    const isCalm = (deviceId: number) => countTimes(settings, { deviceId, time }, judging) <= times
    calm.push(...part.filter(({ device }) => isCalm(device)))
  }
  const moved = calm.map(({ device, id }): Moved => {
    const alert = { id, state: 'closed', began: time, changed: time } as const
    return {
      ...{ rule: rule.id, device, kind: rule.kind },
      alert: { ...alert, value: null, bound: null, details: {} },
    }
  })
  await store(tx, rule.organization_id, { moved, ended: [], now })
  return calm.length
}
