import { Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { FormButtons } from '../../../ui/form-buttons.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { amount, every, type Plan } from './money.ts'

const person = [
  ['company_name', 'Company', 'organization'],
  ['first_name', 'First name', 'given-name'],
  ['last_name', 'Last name', 'family-name'],
  ['email', 'E-mail for bills', 'email'],
] as const

const address = [
  ['street', 'Street', 'street-address'],
  ['zip', 'Postal code', 'postal-code'],
  ['city', 'City', 'address-level2'],
  ['country', 'Country', 'country-name'],
] as const

/** Asks who pays. What is left empty is taken from the user and the organization. */
export function SubscribeDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const [typed, setTyped] = useState<Record<string, string>>({})
  const subscribe = useAction('POST /subscription', {
    invalidates: ['GET /subscription/check/current', 'GET /fleet/billing'],
    onSuccess: () => {
      tellSuccess(`${plan.name} is set up.`)
      onClose()
    },
  })
  const filled = (names: readonly (readonly [string, string, string])[]) =>
    Object.fromEntries(
      names.flatMap(([name]) => (typed[name]?.trim() ? [[name, typed[name].trim()]] : [])),
    )
  const errors = subscribe.error?.errors ?? {}
  const inputs = (names: readonly (readonly [string, string, string])[], path: string) =>
    names.map(([name, label, autoComplete]) => (
      <TextInput
        key={name}
        label={label}
        autoComplete={autoComplete}
        value={typed[name] ?? ''}
        error={errors[`${path}${name}`]?.[0]}
        onChange={(event) => {
          const { value } = event.currentTarget
          setTyped((now) => ({ ...now, [name]: value }))
        }}
      />
    ))
  return (
    <Modal opened onClose={onClose} size="lg" title={`Set up ${plan.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const customer = { ...filled(person), billing_address: filled(address) }
          subscribe.mutate({ body: { plan_code: plan.plan_code, customer } })
        }}
      >
        <Stack>
          <Text size="sm">
            {amount(plan.price)} {every(plan.interval, plan.interval_unit)}, and the price of each
            device. The operator sends the bill. What you leave empty is taken from you and your
            organization.
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {inputs(person, 'customer.')}
            {inputs(address, 'customer.billing_address.')}
          </SimpleGrid>
          {subscribe.error && <ErrorNotice error={subscribe.error} />}
          <FormButtons action="Set up billing" isBusy={subscribe.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
