import { Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { amount, type Billing, every, type Plan, perUnit } from './money.ts'
import { SubscribeDialog } from './subscribe-dialog.tsx'

/** The operator's plans, and what a device costs with each. */
export function PlanOffers({ billing }: { billing: Billing }) {
  const [chosen, setChosen] = useState<Plan>()
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Plans')}
      </Title>
      <Text size="sm" c="dimmed">
        {billing.trial_ends_at
          ? t('Nothing is charged before the trial ends.')
          : t(
              'Billing must be set up before a device is registered at a network that a plan covers.',
            )}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {billing.plans.map((plan) => (
          <Offer key={plan.plan_code} plan={plan} onChoose={() => setChosen(plan)} />
        ))}
      </SimpleGrid>
      {chosen && <SubscribeDialog plan={chosen} onClose={() => setChosen(undefined)} />}
    </Stack>
  )
}

function Offer({ plan, onChoose }: { plan: Plan; onChoose: () => void }) {
  const types = useApi('GET /get-device-types', { query: { itemsPerPage: 1000 } })
  const networks = useApi('GET /fleet/networks', {})
  const typeName = (id: number) =>
    types.data?.data.find((type) => type.id === id)?.full_name ?? t('Type {id}', { id })
  const networkName = (key: string) =>
    networks.data?.data.find((network) => network.key === key)?.name ?? key
  return (
    <Card>
      <Stack>
        <div>
          <Title order={3} size="h5">
            {plan.name}
          </Title>
          {plan.description && <Text size="sm">{plan.description}</Text>}
        </div>
        <Facts
          rows={[
            [t('Price'), `${amount(plan.price)} ${every(plan.interval, plan.interval_unit)}`],
            [t('Each device'), `${amount(plan.device_price)} ${perUnit(plan.interval_unit)}`],
            ...plan.device_prices.map(
              ({ type_id, price }) =>
                [typeName(type_id), `${amount(price)} ${perUnit(plan.interval_unit)}`] as const,
            ),
            ...(plan.setup_fee > 0 ? [[t('Once'), amount(plan.setup_fee)] as const] : []),
            ...(plan.tax_percentage > 0
              ? [[t('Added'), `${plan.tax_percentage} % ${plan.tax_name || 'tax'}`] as const]
              : []),
            [t('Networks'), plan.networks?.map(networkName).join(', ') ?? 'all'],
          ]}
        />
        <Group>
          <ActionButton needs="manage_account" onClick={onChoose}>
            {t('Set up {name}', { name: plan.name })}
          </ActionButton>
        </Group>
      </Stack>
    </Card>
  )
}
