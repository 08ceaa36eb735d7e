import type { Answer } from '../api/client.ts'
import { State } from '../ui/state.tsx'
import { useNow } from '../ui/time.tsx'
import classes from './condition.module.css'
import { conditionsOf } from './conditions.ts'

type FleetDevice = Answer<'GET /fleet/devices'>['data'][number]

/** The most serious thing about a device, and how many more there are. */
export function Condition({ device }: { device: FleetDevice }) {
  const now = useNow()
  const [first, ...more] = conditionsOf(device, now)
  if (!first) return null
  const words = [first, ...more].map(({ word }) => word).join(', ')
  return (
    <span className={classes.condition} title={device.api_error ?? words}>
      <State kind={first.kind}>{first.word}</State>
      {more.length > 0 && (
        <span className={classes.more}>
          +{more.length}
          <span className="visually-hidden"> {more.map(({ word }) => word).join(', ')}</span>
        </span>
      )}
    </span>
  )
}
