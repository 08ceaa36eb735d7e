import { Group, Select, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type AccountKey,
  accountChoices,
  keyOfAccount,
  labelOfAccount,
  readAccountKey,
} from '../../accounts/account-key.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { FleetNetwork } from './network-words.ts'

const route = getRouteApi('/shell/networks/$key')

interface AccountChoiceProps {
  network: FleetNetwork
  chosen: AccountKey
  /** Whether the organization may also connect the operator's account. */
  isOperator: boolean
}

/** Goes from one account of the network to another, or to one that is not connected yet. */
export function AccountChoice({ network, chosen, isOperator }: AccountChoiceProps) {
  const navigate = route.useNavigate()
  const show = (method: AccountKey) => void navigate({ search: { method } })
  const own = network.accounts.filter(({ is_own }) => is_own)
  const keys = new Set<AccountKey>([
    ...network.accounts.map(keyOfAccount),
    ...(own.length === 0 || isOperator ? (['user_account'] as const) : []),
    ...(isOperator ? (['vendor'] as const) : []),
    chosen,
  ])
  const choices = [...keys].map((value) => ({ value, label: labelOfAccount(value) }))
  if (own.length === 0 && !isOperator && chosen === 'user_account') return null
  return (
    <div>
      <Group align="flex-end" gap="xs">
        {choices.length > 1 && (
          <Select
            label={t('Account')}
            allowDeselect={false}
            data={choices}
            value={chosen}
            onChange={(key) => key !== null && show(key as AccountKey)}
          />
        )}
        {own.length > 0 && <NewAccount taken={accountChoices(own)} onName={show} />}
      </Group>
      {isOperator && (
        <Text size="xs" c="dimmed" mt={4}>
          {t(
            "Organizations without an account of their own can register devices by the operator's.",
          )}
        </Text>
      )}
    </div>
  )
}

interface NewAccountProps {
  taken: readonly { label: string }[]
  onName: (key: AccountKey) => void
}

/** Asks for the name of a further account; its form is then an empty one. */
function NewAccount({ taken, onName }: NewAccountProps) {
  const [name, setName] = useState<string>()
  const [fault, setFault] = useState<string>()
  if (name === undefined) {
    return (
      <ActionButton needs="manage_account" variant="default" onClick={() => setName('')}>
        {t('Add an account')}
      </ActionButton>
    )
  }
  const submit = () => {
    const key = name === '' ? undefined : readAccountKey(`user_account:${name}`)
    const isTaken = taken.some(({ label }) => label === name)
    if (key === undefined) setFault(t('Lower-case letters, digits and hyphens, 32 at most.'))
    else if (isTaken) setFault(t('There is an account of this name already.'))
    else {
      setName(undefined)
      onName(key)
    }
  }
  return (
    <FormDialog
      title={t('Add an account')}
      action={t('Continue')}
      onSubmit={submit}
      onClose={() => setName(undefined)}
      noValidate
    >
      <TextInput
        label={t('Name of the account')}
        description={t('Such as the place of its server: north')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus
        value={name}
        error={fault}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setFault(undefined)
        }}
      />
    </FormDialog>
  )
}
