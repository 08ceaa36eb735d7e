import {
  Alert,
  Divider,
  Group,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlugConnected, IconTestPipe } from '@tabler/icons-react'
import { Fragment, useMemo, useState } from 'react'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import type { Answer } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { DraftNotice, useDraft } from '../../ui/draft.tsx'
import { FormError, tellSuccess } from '../../ui/notices.tsx'
import { CheckList } from './check-list.tsx'
import { readFieldHelp, useGuideText } from './guide-text.ts'
import type { FleetNetwork } from './network-words.ts'

type Field = FleetNetwork['fields'][number]
type StoredAccount = Answer<'GET /network-accounts'>['data'][number]

interface AccountFormProps {
  network: FleetNetwork
  method: AccountKey
  /** The values that are stored, without secrets; undefined before the first time. */
  stored: StoredAccount['account'] | undefined
}

/** The fields of the account, a check of them as they are typed, and saving. */
export function AccountForm({ network, method, stored }: AccountFormProps) {
  const { data: guide = '' } = useGuideText(network.docs ?? '')
  const help = useMemo(() => readFieldHelp(guide), [guide])
  const draft = useDraft<Typed>(`account ${network.key} ${method}`, {}, secretsOf(network))
  const [typed, setTyped] = useState(draft.start)
  const change = (next: Typed) => {
    setTyped(next)
    draft.keep(next)
  }
  const textOf = ({ name }: Field) => typed[name] ?? stored?.[name] ?? ''
  const path = { network: network.key }
  const body = bodyOf(network, textOf, method)
  const check = useAction('POST /network-accounts/{network}/check')
  const save = useSave(network, () => {
    change({})
    draft.forget()
    check.reset()
  })
  const errors = save.error?.errors ?? check.error?.errors ?? {}
  const suspects = new Set(
    check.data?.data.checks.flatMap(({ ok, fields }) => (ok === false ? fields : [])),
  )
  const submit = () => save.mutate({ path, body })
  const isStored = stored !== undefined && stored !== null
  const needed = network.fields.filter(({ required }) => required)
  const optional = network.fields.filter(({ required }) => !required)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      noValidate
    >
      <Stack>
        <DraftNotice draft={draft} hasSecrets onStartOver={setTyped} />
        {[needed, optional].map(
          (fields) =>
            fields.length > 0 && (
              <Fragment key={fields === needed ? 'needed' : 'optional'}>
                {fields === optional && <Divider label="Optional" labelPosition="left" />}
                <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
                  {fields.map((field) => (
                    <AccountInput
                      key={field.name}
                      field={field}
                      value={textOf(field)}
                      isStored={isStored}
                      help={help.get(field.name)}
                      error={errors[field.name]?.[0] ?? (suspects.has(field.name) && 'See below.')}
                      onChange={(value) => change({ ...typed, [field.name]: value })}
                    />
                  ))}
                </SimpleGrid>
              </Fragment>
            ),
        )}
        <Group gap="xs">
          <ActionButton
            needs="manage_account"
            variant="default"
            leftSection={<IconTestPipe size={16} aria-hidden />}
            loading={check.isPending}
            onClick={() => check.mutate({ path, body })}
          >
            Check
          </ActionButton>
          <ActionButton
            type="submit"
            needs="manage_account"
            leftSection={<IconPlugConnected size={16} aria-hidden />}
            loading={save.isPending}
          >
            {stored ? 'Save' : 'Connect'}
          </ActionButton>
          <Text size="xs" c="dimmed">
            The check changes nothing at the network and stores nothing.
          </Text>
        </Group>
        <FormError
          error={save.error ?? check.error}
          fields={network.fields.map(({ name }) => name)}
        />
        {check.data && <CheckList checks={check.data.data.checks} />}
        {save.data && <Saved account={save.data.data} />}
      </Stack>
    </form>
  )
}

type Typed = Record<string, string>

function secretsOf({ fields }: FleetNetwork): string[] {
  return fields.flatMap(({ name, secret }) => (secret ? [name] : []))
}

function useSave(network: FleetNetwork, onSaved: () => void) {
  return useAction('PUT /network-accounts/{network}', {
    invalidates: ['GET /fleet/networks', 'GET /network-accounts'],
    onSuccess: ({ data }) => {
      onSaved()
      if (data.status === 'connected') tellSuccess(`${network.name} is connected.`)
    },
  })
}

/** An empty secret is left out, so that the stored one stays; other empty fields are cleared. */
function bodyOf(network: FleetNetwork, textOf: (field: Field) => string, account: AccountKey) {
  const filled = network.fields
    .map((field) => [field, textOf(field).trim()] as const)
    .filter(([{ secret }, value]) => value !== '' || !secret)
    .map(([{ name }, value]) => [name, value] as const)
  return { ...Object.fromEntries(filled), ...accountInQuery(account) }
}

interface AccountInputProps {
  field: Field
  value: string
  isStored: boolean
  help: string | undefined
  error: string | false | undefined
  onChange: (value: string) => void
}

function AccountInput(props: AccountInputProps) {
  const { field, value, isStored, help, error, onChange } = props
  const { name, label, required, secret } = field
  const common = {
    label,
    name,
    value,
    error,
    description: help,
    // A stored secret need not be entered again.
    required: required && !(secret && isStored),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    spellCheck: false,
    autoCapitalize: 'off',
  }
  if (!secret) return <TextInput {...common} autoComplete="off" />
  const isAskedAgain = isStored && value === '' && error
  return (
    <PasswordInput
      {...common}
      error={isAskedAgain ? `${error} What is stored is not sent to another address.` : error}
      aria-invalid={error ? true : undefined}
      autoComplete="new-password"
      placeholder={isStored ? placeholderOf(required) : undefined}
    />
  )
}

/** The API does not say whether an optional secret is stored. */
function placeholderOf(isRequired: boolean): string {
  return isRequired ? 'Stored. Leave empty to keep it.' : 'Leave empty to keep what is stored.'
}

function Saved({ account }: { account: Answer<'PUT /network-accounts/{network}'>['data'] }) {
  if (account.status === 'connected' && account.message === '') return null
  const isConnected = account.status === 'connected'
  return (
    <Alert
      color={isConnected ? 'yellow' : 'red'}
      variant="outline"
      role="alert"
      title={
        isConnected
          ? 'Connected, with something to know'
          : 'Saved, but the network does not accept it'
      }
    >
      {account.message}
    </Alert>
  )
}
