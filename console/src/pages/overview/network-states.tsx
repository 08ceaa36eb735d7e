import { Text } from '@mantine/core'
import { Link } from '../../ui/link.tsx'
import { State } from '../../ui/state.tsx'
import classes from './overview.module.css'
import type { Summary } from './summary.ts'

type Account = Summary['accounts'][number]

const looks = {
  connected: { kind: 'good', word: 'Connected' },
  unreachable: { kind: 'warn', word: 'Does not answer' },
  refused: { kind: 'bad', word: 'Refused' },
} as const

/** The organization's accounts at networks, each with its state and what its network said last. */
export function NetworkStates({ accounts }: { accounts: readonly Account[] }) {
  return (
    <section className={classes.panel} aria-labelledby="networks">
      <h2 id="networks" className={classes.heading}>
        Networks
      </h2>
      {accounts.length === 0 && (
        <Text size="sm" c="dimmed">
          No network is connected.{' '}
          <Link to="/networks" underline="always">
            Connect one
          </Link>
        </Text>
      )}
      <ul className={classes.list}>
        {accounts.map((account, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a network may have two accounts
          <li key={index}>
            <Link
              to="/networks/$key"
              params={{ key: account.network }}
              className={`${classes.problemName} ${classes.networkName}`}
            >
              {account.network_name}
            </Link>
            <State kind={looks[account.status].kind}>{looks[account.status].word}</State>
            {account.status !== 'connected' && (
              <span className={classes.note}>{account.message}</span>
            )}
            {account.status === 'connected' && !account.is_heard && (
              <span className={classes.note}>It has sent no message yet.</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
