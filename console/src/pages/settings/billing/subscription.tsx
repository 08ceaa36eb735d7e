import { Stack, Title } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { type Column, List } from '../../../ui/list/list.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { amount, every } from './money.ts'

type Current = Exclude<Answer<'GET /subscription/check/current'>['subscription'], boolean>
type Addon = Current['addons'][number]

const columns: readonly Column<Addon>[] = [
  { title: t('Devices of a type'), cell: ({ name }) => name },
  { title: t('Number'), isNumber: true, cell: ({ quantity }) => formatCount(quantity) },
  { title: t('Price'), isNumber: true, cell: ({ price }) => amount(price) },
  { title: t('Total'), isNumber: true, cell: ({ total }) => amount(total) },
]

/** What the organization pays, and for which devices. */
export function Subscription({ subscription }: { subscription: Current }) {
  const { plan, customer } = subscription
  return (
    <Stack>
      <Title order={2} size="h4">
        {plan.name}
      </Title>
      <Facts
        rows={[
          [
            t('Next bill'),
            t('{amount} on {nextbillingat}, {interval}', {
              amount: amount(subscription.amount),
              nextbillingat: subscription.next_billing_at,
              interval: every(subscription.interval, subscription.interval_unit),
            }),
          ],
          [t('Last bill'), subscription.last_billing_at || t('none yet')],
          [t('Plan'), `${amount(plan.price)}${plan.description ? `, ${plan.description}` : ''}`],
          [t('Paid by'), customer.display_name || customer.company_name || customer.email],
          [t('Bills to'), customer.email],
        ]}
      />
      {subscription.addons.length > 0 && (
        <List
          caption={t('Devices on the bill')}
          columns={columns}
          rows={subscription.addons}
          keyOf={({ addon_code }) => addon_code}
        />
      )}
      <End name={plan.name} />
    </Stack>
  )
}

function End({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const end = useAction('DELETE /subscription', {
    invalidates: ['GET /subscription/check/current', 'GET /fleet/billing'],
    onSuccess: () => tellSuccess(t('Billing is ended.')),
  })
  return (
    <div>
      <ActionButton needs="manage_account" variant="default" onClick={() => setOpen(true)}>
        {t('End billing')}
      </ActionButton>
      <Confirm
        opened={isOpen}
        title={t('End {name}?', { name })}
        action={t('End billing')}
        onClose={() => setOpen(false)}
        onConfirm={() => end.mutateAsync({})}
      >
        {t(
          'Devices stay, and go on working. No further device can be registered at a network that costs, until billing is set up again.',
        )}
      </Confirm>
    </div>
  )
}
