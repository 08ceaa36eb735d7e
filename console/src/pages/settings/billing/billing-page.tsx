import { Progress, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { Facts } from '../../../ui/facts.tsx'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { SettingsPage } from '../settings-page.tsx'
import type { Billing } from './money.ts'
import { PlanOffers } from './plan-offers.tsx'
import { Subscription } from './subscription.tsx'

export function BillingPage() {
  const billing = useApi('GET /fleet/billing', {})
  const subscription = useApi('GET /subscription/check/current', {})
  const error = billing.error ?? subscription.error
  const data = billing.data?.data
  const current = subscription.data?.subscription
  return (
    <SettingsPage title={t('Billing')}>
      {error && (
        <ErrorNotice
          error={error}
          retry={() => void Promise.all([billing.refetch(), subscription.refetch()])}
        />
      )}
      {(billing.isPending || subscription.isPending) && <LoadingLines />}
      {data && <Quota billing={data} />}
      {data && subscription.data && current !== undefined && (
        <>
          {typeof current === 'object' && <Subscription subscription={current} />}
          {!current && data.plans.length > 0 && <PlanOffers billing={data} />}
          {!current && data.plans.length === 0 && (
            <EmptyState title={t('Nothing is charged')}>
              {t('The operator of this service asks no price for devices.')}
            </EmptyState>
          )}
        </>
      )}
    </SettingsPage>
  )
}

/** How many devices there are, of how many that there may be. */
function Quota({ billing }: { billing: Billing }) {
  const id = useId()
  const { devices, device_limit: limit, remaining } = billing.quota
  const isShared = remaining < limit - devices
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {t('Devices')}
      </Title>
      <Stack gap="xs" maw={520}>
        <Progress
          value={limit === 0 ? 100 : (100 * devices) / limit}
          color={remaining === 0 ? 'red' : undefined}
          aria-label={t('Devices registered, of those that may be')}
        />
        <Facts
          rows={[
            [
              t('Registered'),
              t('{devices} of {limit}', {
                devices: formatCount(devices),
                limit: formatCount(limit),
              }),
            ],
            [t('Left'), formatCount(remaining)],
            ...(billing.trial_ends_at
              ? [
                  [
                    t('Trial until'),
                    <Time key="trial" value={billing.trial_ends_at} exact />,
                  ] as const,
                ]
              : []),
            ...(billing.is_demo ? [[t('Account'), t('Demo: nothing is charged')] as const] : []),
          ]}
        />
        {isShared && (
          <Text size="sm" c="dimmed">
            {t(
              'The organizations above and beside this one share a limit, and have used a part of it.',
            )}
          </Text>
        )}
      </Stack>
    </section>
  )
}
