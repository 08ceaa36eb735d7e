import { State } from '../ui/state.tsx'
import { useNow } from '../ui/time.tsx'
import classes from './condition.module.css'
import { conditionsOf, type FleetDevice } from './conditions.ts'

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
