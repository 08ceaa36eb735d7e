import { State } from '../ui/state.tsx'
import classes from './condition.module.css'
import { accountConditions, conditionsOf, type Verdict } from './conditions.ts'

interface ConditionProps {
  verdict: Verdict
  of?: 'account'
}

/** The most serious thing about a device, a gateway or an account, and how many more there are. */
export function Condition({ verdict, of }: ConditionProps) {
  const [first, ...more] = of === 'account' ? accountConditions(verdict) : conditionsOf(verdict)
  if (!first) return null
  const title = verdict.reasons
    .map(({ message, action }) => `${message} ${action}`.trim())
    .join('\n')
  return (
    <span className={classes.condition} title={title || first.word}>
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
