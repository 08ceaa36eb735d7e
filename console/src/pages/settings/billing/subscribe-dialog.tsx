import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { amount, every, type Plan } from './money.ts'

const person = [
  ['company_name', t('Company'), 'organization'],
  ['first_name', t('First name'), 'given-name'],
  ['last_name', t('Last name'), 'family-name'],
  ['email', t('E-mail for bills'), 'email'],
] as const

const address = [
  ['street', t('Street'), 'street-address'],
  ['zip', t('Postal code'), 'postal-code'],
  ['city', t('City'), 'address-level2'],
  ['country', t('Country'), 'country-name'],
] as const

/** Asks who pays. What is left empty is taken from the user and the organization. */
export function SubscribeDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const [typed, setTyped] = useState<Record<string, string>>({})
  const subscribe = useAction('POST /subscription', {
    invalidates: ['GET /subscription/check/current', 'GET /fleet/billing'],
  })
  const filled = (names: readonly (readonly [string, string, string])[]) =>
    Object.fromEntries(
      names.flatMap(([name]) => (typed[name]?.trim() ? [[name, typed[name].trim()]] : [])),
    )
  const subscribeNow = async () => {
    const customer = { ...filled(person), billing_address: filled(address) }
    await subscribe.mutateAsync({ body: { plan_code: plan.plan_code, customer } })
    tellSuccess(t('{name} is set up.', { name: plan.name }))
    onClose()
  }
  const inputs = (
    names: readonly (readonly [string, string, string])[],
    errorOf: (name: string) => string | undefined,
  ) =>
    names.map(([name, label, autoComplete]) => (
      <TextInput
        key={name}
        label={label}
        autoComplete={autoComplete}
        value={typed[name] ?? ''}
        error={errorOf(name)}
        onChange={(event) => {
          const { value } = event.currentTarget
          setTyped((now) => ({ ...now, [name]: value }))
        }}
      />
    ))
  return (
    <FormDialog
      title={t('Set up {name}', { name: plan.name })}
      size="lg"
      action={t('Set up billing')}
      onSubmit={subscribeNow}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text size="sm">
            {t(
              '{price} {interval}, and the price of each device. The operator sends the bill. What you leave empty is taken from you and your organization.',
              { price: amount(plan.price), interval: every(plan.interval, plan.interval_unit) },
            )}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {inputs(person, (name) => errorOf(`customer.${name}`))}
            {inputs(address, (name) => errorOf(`customer.billing_address.${name}`))}
          </SimpleGrid>
        </>
      )}
    </FormDialog>
  )
}
