import { Text } from '@mantine/core'
import { Condition } from '../../condition/condition.tsx'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import classes from './overview.module.css'
import type { Summary } from './summary.ts'

type Account = Summary['accounts'][number]

/** The organization's accounts at networks, each with its verdict and the reason. */
export function NetworkStates({ accounts }: { accounts: readonly Account[] }) {
  return (
    <Card title={t('Networks')}>
      {accounts.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No network is connected. ')}
          <Link to="/networks" underline="always">
            {t('Connect one')}
          </Link>
        </Text>
      )}
      <ul className={`${classes.list} ${classes.networks}`}>
        {accounts.map((account, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a network may have two accounts
          <li key={index}>
            <Link
              to="/networks/$key"
              params={{ key: account.network }}
              className={`${classes.entryName} ${classes.networkName}`}
            >
              {account.network_name}
            </Link>
            <Condition verdict={account.verdict} of="account" />
            {account.verdict.reasons[0] && (
              <span className={classes.note}>{account.verdict.reasons[0].message}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
